//! The table that compares the cases: one unit and as many decimals in each column.

use crate::measures::Measure;
use crate::number::{decimals, fixed};
use crate::page::html::escaped;
use crate::study::Study;

/// Columns of ratios and figures beside the label; more could not be read.
const MOST_ENERGIES: usize = 2;

/// A column: its heading, its unit, and its values.
struct Column {
    heading: &'static str,
    /// The whole words.
    words: &'static str,
    unit: String,
    values: Vec<Option<f64>>,
    decimals: usize,
}

/// Writes the table; each row has the number of its case.
pub fn table(study: &Study) -> String {
    let columns = columns(study);
    let mut text = String::from(
        "<section class=\"card wide\" id=\"comparison\">\n<h2>Cases</h2>\n<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\">case</th>",
    );
    for column in &columns {
        let unit =
            if column.unit.is_empty() { String::new() } else { format!(" <small>{}</small>", escaped(&column.unit)) };
        text +=
            &format!("<th scope=\"col\" title=\"{}\">{}{unit}</th>", escaped(column.words), escaped(column.heading));
    }
    text += "</tr></thead>\n<tbody>\n";
    for (case, known) in study.cases.iter().enumerate() {
        let warned = if known.warnings.is_empty() { "" } else { " <abbr title=\"has warnings\">⚠</abbr>" };
        text += &format!("<tr data-case=\"{case}\"><th scope=\"row\">{}{warned}</th>", escaped(&known.label));
        for column in &columns {
            match column.values[case] {
                Some(value) => text += &format!("<td data-value=\"{value}\">{}</td>", fixed(value, column.decimals)),
                None => text += "<td>–</td>",
            }
        }
        text += "</tr>\n";
    }
    text + "</tbody>\n</table></div>\n</section>\n"
}

/// Chooses the columns: each energy and the run time have their ratio to the baseline behind them.
fn columns(study: &Study) -> Vec<Column> {
    let mut columns = Vec::new();
    let energies = study.energies.iter().take(MOST_ENERGIES).map(|measure| (measure, true));
    // What is not on is asleep, but for the little time between.
    let sleeps = study.figure("share of link time asleep").is_some();
    let told = |measure: &&Measure| !(sleeps && measure.words == "share of link time on");
    let (first, rest): (Vec<_>, Vec<_>) =
        study.figures.iter().filter(told).partition(|measure| measure.words == "run time");
    let figures = first.into_iter().map(|measure| (measure, true));
    for (measure, ratio) in figures.chain(energies).chain(rest.into_iter().map(|measure| (measure, false))) {
        columns.push(column(measure));
        let ratios: Vec<Option<f64>> = (0..study.cases.len()).map(|case| study.ratio(measure, case)).collect();
        if let Some(base) = study.baseline.as_deref().filter(|_| ratio && ratios.iter().any(Option::is_some)) {
            let unit = format!("{base} = 1");
            columns.push(Column { unit, values: ratios, decimals: 3, ..column(measure) });
        }
    }
    columns
}

fn column(measure: &Measure) -> Column {
    Column {
        heading: measure.spoken(),
        words: measure.words,
        unit: measure.unit.to_owned(),
        decimals: decimals(&measure.values),
        values: measure.values.clone(),
    }
}
