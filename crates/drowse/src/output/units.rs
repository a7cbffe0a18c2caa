//! What `drowse run --compare-units` prints: a case by packets and by flows.

use std::fmt::Write;

use drowse_run::units::{Compared, Subject};
use serde_json::{Value, json};

use super::columns::Columns;
use super::number::Style;
use super::scale::Scale;
use super::wrap;

/// Lays out figures by packets and by flows, and their differences.
pub fn text(title: &str, subjects: &[Subject], notes: &[String]) -> String {
    let header = ["", "packets", "flows", "difference"].map(str::to_owned);
    let mut columns = Columns::new(1, header.to_vec());
    for subject in subjects {
        columns.row(vec![subject.words.clone()]);
        subject.figures.iter().for_each(|figure| columns.row(row(figure)));
    }
    let mut text = format!("{title}\n\n{columns}");
    for note in notes {
        // Writing into a text cannot fail.
        let _ = write!(text, "\n{}\n", wrap::paragraph(note));
    }
    text
}

fn row(figure: &Compared) -> Vec<String> {
    let scale = Scale::of(figure.packets.into_iter().chain(figure.flows), style(figure.unit));
    let [packets, flows] = [figure.packets, figure.flows].map(|value| scale.cell((value, None)));
    vec![format!("  {}", figure.words), packets, flows, difference(figure)]
}

/// Shows by how much flows are above packets: shares in points.
fn difference(figure: &Compared) -> String {
    let both = figure.packets.zip(figure.flows).filter(|_| figure.unit == "1");
    match (both, figure.difference()) {
        (Some((packets, flows)), _) => format!("{:+.2} points", (flows - packets) * 100.0),
        (None, Some(share)) => format!("{:+.2} %", share * 100.0),
        (None, None) => "-".into(),
    }
}

fn style(unit: &'static str) -> Style {
    match unit {
        "s" => Style::Seconds,
        "ns" => Style::Nanoseconds,
        "J" => Style::Joules,
        "W" => Style::Watts,
        "1" => Style::Percent,
        _ => Style::Count(""),
    }
}

/// Returns the figures as JSON.
pub fn json(title: &str, subjects: &[Subject], notes: &[String]) -> Value {
    let figure = |figure: &Compared| {
        let Compared { words, unit, packets, flows } = figure;
        json!({ "figure": words, "unit": unit, "packets": packets, "flows": flows, "relative": figure.difference() })
    };
    let subject = |subject: &Subject| json!({ "subject": subject.words, "figures": subject.figures.iter().map(figure).collect::<Vec<_>>() });
    json!({ "title": title, "subjects": subjects.iter().map(subject).collect::<Vec<_>>(), "warnings": notes })
}
