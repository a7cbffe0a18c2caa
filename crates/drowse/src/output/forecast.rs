//! What `drowse sweep --dry-run` prints: the cases, and what they will cost.

use std::fmt::Write;

use drowse_run::expected::Expected;
use drowse_run::sweep::{Forecast, Largest, Source};
use serde_json::json;

use super::columns::Columns;
use super::expected::{self, cost, shown};
use super::number::Style;
use super::wrap;

/// Lays out a forecast of a sweep with these keys on so many threads.
pub fn text(title: &str, keys: Vec<String>, threads: usize, forecast: &Forecast) -> String {
    let mut text = format!("{}\n\n", wrap::paragraph(title));
    let left = keys.len() + 1;
    let mut columns = Columns::new(left, std::iter::once("case".to_owned()).chain(keys).collect());
    for (case, number) in forecast.first.iter().zip(1..) {
        let mark = case.stored.then(|| "stored".to_owned());
        columns.row(std::iter::once(format!("{number}")).chain(case.values.iter().cloned()).chain(mark).collect());
    }
    // Writing into a text cannot fail.
    let _ = write!(text, "{columns}");
    let hidden = forecast.cases.saturating_sub(forecast.first.len() as u64);
    if hidden > 0 {
        let _ = writeln!(text, "... and {hidden} more");
    }
    let Forecast { stored, missing, .. } = forecast;
    let _ = writeln!(
        text,
        "\n{}, {stored} cases stored, {missing} runs to do",
        super::sweep::counts(forecast.cases, forecast.baselines)
    );
    let _ = writeln!(text, "{}", wrap::paragraph(&time(forecast, threads)));
    if let Some(largest) = &forecast.largest {
        let _ = writeln!(text, "{}", wrap::paragraph(&counted(largest)));
    }
    if *missing > 0 {
        let _ = writeln!(text, "{}", wrap::paragraph(&memory(forecast, threads)));
    }
    text
}

/// Says how long the sweep will take, and how this is known.
fn time(forecast: &Forecast, threads: usize) -> String {
    if forecast.missing == 0 {
        return "time: none, all are stored".into();
    }
    let Some(time) = forecast.time else {
        return "time: not known before a case has run; --probe runs a part of one".into();
    };
    let on = if threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") };
    let from = match time.source {
        Source::Stored(1) => "by the time of 1 stored case and the work of the others".to_owned(),
        Source::Stored(cases) => format!("by the times of {cases} stored cases and the work of the others"),
        Source::Probe { case, share, seconds } => format!(
            "by a probe, which ran {:.1} % of case {} in {seconds:.1} s, and the work of the others",
            share * 100.0,
            case + 1
        ),
    };
    let range = time.range.map_or_else(String::new, |(least, most)| {
        format!(
            "; if all were as cheap as the cheapest of them {}, as dear as the dearest {}",
            shown(least),
            shown(most)
        )
    });
    format!("time: roughly {} on {on}, {from}{range}", shown(time.seconds))
}

/// Says what the case with most work moves, and how long that takes by stated rates.
fn counted(largest: &Largest) -> String {
    let all = largest.expected.times(largest.all);
    let all = if largest.all > 1.0 && all.packets_s() >= 1.0 {
        format!("; all runs, by their work: {} by packets, {} by flows", cost(all.packets_s()), cost(all.flows_s()))
    } else {
        String::new()
    };
    format!("counted: case {} moves {}{all}", largest.case + 1, expected::counts(&largest.expected))
}

/// Says how much memory the sweep will need.
fn memory(forecast: &Forecast, threads: usize) -> String {
    let size = |bytes: u64| {
        let (factor, unit) = Style::Bytes.unit(bytes as f64);
        format!("{} {unit}", Style::Bytes.show(bytes as f64 * factor))
    };
    let at_a_time = forecast.missing.min(threads as u64);
    let cases = if at_a_time == 1 { "1 case".to_owned() } else { format!("{at_a_time} cases") };
    let measured = forecast
        .peak_bytes
        .map_or_else(String::new, |bytes| format!("; the process that ran stored cases had {}", size(bytes)));
    format!(
        "memory: about {} for the networks and simulations of {cases} at a time; traces, packets and messages come \
         on top{measured}",
        size(forecast.bytes)
    )
}

/// Returns a forecast as JSON.
pub fn json(threads: usize, forecast: &Forecast) -> serde_json::Value {
    let from = forecast.time.map(|time| match time.source {
        Source::Stored(_) => "stored",
        Source::Probe { .. } => "probe",
    });
    let range = forecast.time.and_then(|time| time.range);
    let largest = forecast.largest.map(|largest| {
        let Expected { messages, packets, hops } = largest.expected;
        json!({ "case": largest.case + 1, "messages": messages, "packets": packets, "hops": hops })
    });
    json!({
        "cases": forecast.cases,
        "stored": forecast.stored,
        "baselines": forecast.baselines,
        "missing": forecast.missing,
        "threads": threads,
        "seconds": forecast.time.map(|time| time.seconds),
        "seconds_least": range.map(|(least, _)| least),
        "seconds_most": range.map(|(_, most)| most),
        "estimated_from": from,
        "bytes": forecast.bytes,
        "largest": largest,
    })
}
