//! When links idle: how the links of each class spend each interval of a run, in bands over time.

use drowse_describe::palette;
use serde_json::{Value, json};

use super::Chart;
use super::links::shown_case;
use super::spec::{HOW_TO_ZOOM, colours, fit_legend, new, tooltip, zoom_in_time};
use crate::results::Results;
use crate::study::Study;
use crate::table::Table;
use crate::units::{self, Unit};

const KIND: &str = "idling";
/// The most intervals of a class that a chart shows: a bar of one has a pixel at least on a phone.
const MOST: usize = 300;
/// The height of the band of a class in pixels, and how much of it is filled.
const BAND: usize = 64;
const FILLED: f64 = 0.86;
/// What is drawn of a share: a ten-thousandth can be seen nowhere.
const DIGITS: f64 = 1e4;

/// What links do, from the bottom of a band to its top: words, column, colour.
const STATES: [(&str, &str, &str); 5] = [
    ("sending", "sending_fraction", palette::BUSY),
    ("on, idle", "idle_fraction", palette::IDLE),
    ("going to sleep", "entering_fraction", palette::STATES[1].1),
    ("asleep", "asleep_fraction", palette::ASLEEP),
    ("waking", "waking_fraction", palette::WAKING),
];

/// An interval: when it begins and ends, and the share of each state.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bin {
    from: f64,
    to: f64,
    shares: [f64; 5],
}

/// The band of a link class in a case.
struct Band<'t> {
    case: usize,
    class: &'t str,
    bins: Vec<Bin>,
}

/// Draws what the links of each class do over time.
pub fn chart(results: &Results, study: &Study) -> Option<Chart> {
    let bands = read(results.power.as_ref()?, study);
    let mut classes: Vec<&str> = Vec::new();
    for band in &bands {
        if !classes.contains(&band.class) {
            classes.push(band.class);
        }
    }
    let whole = bands.iter().map(|band| band.bins.len()).max()?;
    let each = whole.div_ceil(MOST).max(1);
    let unit = units::time(bands.iter().flat_map(|band| &band.bins).map(|bin| bin.to).fold(0.0, f64::max));
    let mut rows = Vec::new();
    for band in &bands {
        let place = classes.iter().position(|class| *class == band.class).unwrap_or_default();
        let floor = (classes.len() - 1 - place) as f64;
        let case = &study.cases[band.case].label;
        joined(&band.bins, each).iter().for_each(|bin| rows.extend(bars(band, (case, floor), bin, unit)));
    }
    (!rows.is_empty()).then_some(())?;
    let longest = bands.iter().filter_map(|band| band.bins.first()).map(|bin| bin.to - bin.from).fold(0.0, f64::max);
    let spec = spec(study, &rows, &classes, unit);
    let interval = units::shown(longest * each as f64, units::time(longest * each as f64));
    Some(Chart {
        kind: KIND,
        title: "What links do over time".into(),
        caption: format!(
            "Shares of the time of all links of a class, in intervals of {interval}. A link sends from the first bit of a \
             packet to its last; gaps between packets are idle time, however short. {HOW_TO_ZOOM}"
        ),
        wide: true,
        spec,
        rows,
        most_cases: None,
    })
}

fn spec(study: &Study, rows: &[Value], classes: &[&str], unit: Unit) -> Value {
    let [from, to] = ["from", "to"].map(|word| format!("{word}_{}", unit.field));
    let mut spec = new(KIND, 0);
    fit_legend(&mut spec, STATES.iter().map(|(words, ..)| *words));
    spec["height"] = json!(BAND * classes.len());
    spec["params"] = json!([shown_case(study, rows)]);
    zoom_in_time(&mut spec, &from);
    spec["transform"] = json!([{ "filter": "datum.case == shown" }]);
    spec["mark"] = json!({ "type": "rect", "clip": true });
    // A class stands beside the middle of its band; the names come from the top.
    let names = json!(classes.iter().rev().collect::<Vec<_>>());
    let middles: Vec<f64> = (0..classes.len()).map(|place| place as f64 + FILLED / 2.0).collect();
    spec["encoding"] = json!({
        "x": {
            "field": from, "type": "quantitative", "title": format!("simulated time, {}", unit.name),
            "scale": { "nice": false, "zero": false },
        },
        "x2": { "field": to },
        "y": {
            "field": "low", "type": "quantitative", "title": null,
            "scale": { "domain": [0, classes.len()], "nice": false },
            "axis": {
                "values": middles, "grid": false, "ticks": false, "domain": false,
                "labelExpr": format!("{names}[floor(datum.value)]"),
            },
        },
        "y2": { "field": "high" },
        "color": {
            "field": "state", "type": "nominal", "title": null,
            "scale": colours(&STATES.map(|(words, _, colour)| (words, colour))),
        },
        "tooltip": tooltip(&[
            ("links", "links"), ("state", "state"), ("share", "share of link time"),
            (&from, &format!("from, {}", unit.name)), (&to, &format!("to, {}", unit.name)),
        ]),
    });
    spec["encoding"]["tooltip"][2]["format"] = json!(".2%");
    spec
}

/// Makes the bars of an interval, one on the other; states in which no time is spent have none.
fn bars(band: &Band<'_>, (case, floor): (&str, f64), bin: &Bin, unit: Unit) -> Vec<Value> {
    let rounded = |value: f64| (value * DIGITS).round() / DIGITS;
    let [from, to] = [("from", bin.from), ("to", bin.to)].map(|(word, at)| (format!("{word}_{}", unit.field), at));
    let mut below = 0.0;
    let mut bars = Vec::new();
    for ((words, ..), share) in STATES.iter().zip(bin.shares) {
        let [low, high] = [below, below + share].map(|share| rounded(floor + FILLED * share));
        below += share;
        if share > 0.0 {
            bars.push(json!({
                "n": band.case, "case": case, "links": band.class, "state": words, "share": rounded(share),
                from.0.as_str(): unit.of(from.1), to.0.as_str(): unit.of(to.1), "low": low, "high": high,
            }));
        }
    }
    bars
}

/// Reads the bands of all cases, in the order of the table. Tables of older versions have none.
fn read<'t>(table: &'t Table, study: &Study) -> Vec<Band<'t>> {
    let [id, time, interval, class] = ["case_id", "time_ps", "interval_ps", "class"].map(|name| table.place(name));
    let shares = STATES.map(|(_, column, _)| table.place(column));
    let mut bands: Vec<Band<'t>> = Vec::new();
    for row in 0..table.len() {
        let Some(case) = study.of_id(table.text(row, id)) else { continue };
        let of_row = shares.map(|column| table.number(row, column));
        if of_row.iter().all(Option::is_none) {
            continue;
        }
        let [from, length] = [time, interval].map(|column| table.number(row, column).unwrap_or(0.0));
        let bin = Bin { from, to: from + length, shares: of_row.map(Option::unwrap_or_default) };
        let class = table.text(row, class);
        match bands.iter_mut().find(|band| (band.case, band.class) == (case, class)) {
            Some(band) => band.bins.push(bin),
            None => bands.push(Band { case, class, bins: vec![bin] }),
        }
    }
    bands
}

/// Joins so many neighbours each, and then those in which links do the same; times stay.
fn joined(bins: &[Bin], each: usize) -> Vec<Bin> {
    let mut joined: Vec<Bin> = Vec::new();
    for some in bins.chunks(each) {
        let (from, to) = (some[0].from, some[some.len() - 1].to);
        let mean = |state: usize| {
            let time: f64 = some.iter().map(|bin| (bin.to - bin.from) * bin.shares[state]).sum();
            if to > from { time / (to - from) } else { 0.0 }
        };
        let bin = Bin { from, to, shares: std::array::from_fn(mean) };
        match joined.last_mut() {
            Some(last) if alike(last, &bin) => last.to = bin.to,
            _ => joined.push(bin),
        }
    }
    joined
}

/// Returns whether links do the same in two intervals.
fn alike(one: &Bin, other: &Bin) -> bool {
    one.shares.iter().zip(&other.shares).all(|(one, other)| one.total_cmp(other).is_eq())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Intervals of 2, 2 and 4, of which the last two do the same.
    #[test]
    fn joined_intervals_keep_their_times() {
        let bin = |from, to, sending: f64| Bin { from, to, shares: [sending, 1.0 - sending, 0.0, 0.0, 0.0] };
        let bins = [bin(0.0, 2.0, 1.0), bin(2.0, 4.0, 0.5), bin(4.0, 8.0, 0.5)];
        assert_eq!(joined(&bins, 1), [bin(0.0, 2.0, 1.0), bin(2.0, 8.0, 0.5)]);
        assert_eq!(joined(&bins, 2), [bin(0.0, 4.0, 0.75), bin(4.0, 8.0, 0.5)]);
        assert_eq!(joined(&bins, 9), [bin(0.0, 8.0, 0.625)]);
    }
}
