//! What ranks and links do over time.

use std::collections::HashMap;

use drowse_describe::palette;
use serde_json::json;

use super::spec::{HOW_TO_ZOOM, colours, fit_legend, new, tooltip, zoom_in_time};
use super::{Chart, links};
use crate::results::Results;
use crate::study::Study;
use crate::table::Table;
use crate::units;

/// The most tracks that a chart shows.
const MOST_TRACKS: usize = 40;
/// The most states that a chart shows of a case: a browser draws them without delay.
const MOST_SPANS: usize = 4000;

/// The states of ranks, with the colours that they have in other charts.
const OF_RANKS: [(&str, &str); 5] = [
    ("computing", palette::COMPUTING),
    ("busy with messages", palette::OVERHEAD),
    ("waiting until sends are complete", palette::SENDING),
    ("waiting for messages", palette::RECEIVING),
    ("in collectives", palette::COLLECTIVES),
];

/// A state of a track.
struct Span {
    track: usize,
    from: f64,
    to: f64,
    state: usize,
}

/// The tracks of a case with their states.
#[derive(Default)]
struct Tracks {
    names: Vec<String>,
    spans: Vec<Span>,
}

/// Draws what ranks do.
pub fn ranks(results: &Results, study: &Study) -> Option<Chart> {
    chart(results, study, "rank-timeline", ("rank", "Ranks over time", "ranks"), &OF_RANKS)
}

/// Draws the states of links.
pub fn links(results: &Results, study: &Study) -> Option<Chart> {
    chart(results, study, "link-timeline", ("link", "Links over time", "links"), &palette::STATES)
}

fn chart(
    results: &Results,
    study: &Study,
    kind: &'static str,
    (of, title, plural): (&str, &str, &str),
    states: &[(&'static str, &'static str)],
) -> Option<Chart> {
    let table = results.spans.as_ref()?;
    let (mut rows, mut all, mut drawn) = (Vec::new(), 0, 0);
    let mut cut = false;
    let ends = if of == "link" { ends_of(results) } else { HashMap::new() };
    let mut cases = read(table, study, (of, &ends), states);
    for (_, tracks) in &mut cases {
        (all, drawn) = (all.max(tracks.names.len()), drawn.max(tracks.names.len().min(MOST_TRACKS)));
        tracks.keep_liveliest();
        cut |= tracks.keep_first();
    }
    let ends = cases.iter().flat_map(|(_, tracks)| &tracks.spans).map(|span| span.to);
    let unit = units::time(ends.fold(0.0, f64::max));
    let [from, to, lasts] = ["from", "to", "lasts"].map(|word| format!("{word}_{}", unit.field));
    for (n, tracks) in cases {
        for span in tracks.spans {
            let (track, state) = (&tracks.names[span.track], states[span.state].0);
            rows.push(json!({
                "n": n, "case": study.cases[n].label, "track": track, from.as_str(): unit.of(span.from),
                to.as_str(): unit.of(span.to), lasts.as_str(): unit.of(span.to - span.from), "state": state,
            }));
        }
    }
    (!rows.is_empty()).then_some(())?;
    let chosen = if drawn < all {
        format!(" The {drawn} of {all} {plural} whose state changes most often.")
    } else {
        String::new()
    };
    let ends =
        if cut { " It ends where it would have too many states; another --timeline-window shows others." } else { "" };
    let mut spec = new(kind, 0);
    fit_legend(&mut spec, states.iter().map(|(name, _)| *name));
    spec["height"] = json!({ "step": 14 });
    spec["params"] = json!([links::shown_case(study, &rows)]);
    zoom_in_time(&mut spec, &from);
    spec["transform"] = json!([{ "filter": "datum.case == shown" }]);
    spec["mark"] = json!({ "type": "bar", "height": { "band": 0.86 }, "clip": true });
    spec["encoding"] = json!({
        "y": { "field": "track", "type": "nominal", "title": null, "sort": null },
        "x": {
            "field": from, "type": "quantitative", "title": format!("simulated time, {}", unit.name),
            "scale": { "nice": false, "zero": false },
        },
        "x2": { "field": to },
        "color": { "field": "state", "type": "nominal", "title": null, "scale": colours(states) },
        "tooltip": tooltip(&[
            ("track", of), ("state", "state"), (&from, &format!("from, {}", unit.name)),
            (&to, &format!("to, {}", unit.name)), (&lasts, &format!("lasts, {}", unit.name)),
        ]),
    });
    Some(Chart {
        kind,
        title: title.into(),
        caption: format!("{HOW_TO_ZOOM}{chosen}{ends}"),
        wide: true,
        spec,
        rows,
        most_cases: None,
    })
}

/// From where to where each channel leads, by its case and number.
type Ends<'t> = HashMap<(&'t str, &'t str), String>;

/// Reads where channels lead.
fn ends_of(results: &Results) -> Ends<'_> {
    let Some(table) = &results.channels else { return HashMap::new() };
    let [case, channel, from, to] = ["case_id", "channel", "from", "to"].map(|name| table.place(name));
    let end = |row, column| table.text(row, column).split(" port ").next().unwrap_or_default().to_owned();
    let named = |row: usize| {
        ((table.text(row, case), table.text(row, channel)), format!("{} to {}", end(row, from), end(row, to)))
    };
    (0..table.len()).filter(|&row| !end(row, from).is_empty()).map(named).collect()
}

/// Reads the tracks of each case that has some, in the order of the table.
fn read(table: &Table, study: &Study, (of, ends): (&str, &Ends<'_>), states: &[(&str, &str)]) -> Vec<(usize, Tracks)> {
    let [case, kind, job, rank, channel, from, to, state] =
        ["case_id", "kind", "job", "rank", "channel", "from_ps", "to_ps", "state"].map(|name| table.place(name));
    let wanted: Vec<usize> = (0..table.len()).filter(|&row| table.text(row, kind) == of).collect();
    // Links have no job, and where there is only one job, its name would say nothing.
    let jobs = wanted.iter().any(|&row| table.text(row, job) != table.text(wanted[0], job));
    let mut cases: Vec<(usize, Tracks)> = Vec::new();
    let mut known: HashMap<(usize, String), usize> = HashMap::new();
    for row in wanted {
        let Some(n) = study.of_id(table.text(row, case)) else { continue };
        let Some(state) = states.iter().position(|(name, _)| *name == table.text(row, state)) else { continue };
        let number = table.text(row, if of == "rank" { rank } else { channel });
        let job = if jobs { format!("{} ", table.text(row, job)) } else { String::new() };
        let ends = ends.get(&(table.text(row, case), number)).map_or_else(String::new, |ends| format!(": {ends}"));
        let name = format!("{job}{of} {number}{ends}");
        let place = cases.iter().position(|(known, _)| *known == n).unwrap_or_else(|| {
            cases.push((n, Tracks::default()));
            cases.len() - 1
        });
        let tracks = &mut cases[place].1;
        let track = *known.entry((n, name)).or_insert_with_key(|(_, name)| {
            tracks.names.push(name.clone());
            tracks.names.len() - 1
        });
        let at = |column| table.number(row, column).unwrap_or(0.0);
        tracks.spans.push(Span { track, from: at(from), to: at(to), state });
    }
    cases
}

impl Tracks {
    /// Keeps the tracks that change their state most often, in their order.
    fn keep_liveliest(&mut self) {
        if self.names.len() <= MOST_TRACKS {
            return;
        }
        let mut changes = vec![0; self.names.len()];
        self.spans.iter().for_each(|span| changes[span.track] += 1);
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by_key(|&track| std::cmp::Reverse(changes[track]));
        let kept = &order[..MOST_TRACKS];
        self.spans.retain(|span| kept.contains(&span.track));
    }

    /// Keeps the first states up to the most that a chart shows; returns whether there are more.
    fn keep_first(&mut self) -> bool {
        let mut begins: Vec<f64> = self.spans.iter().map(|span| span.from).collect();
        begins.sort_by(f64::total_cmp);
        let Some(&end) = begins.get(MOST_SPANS) else { return false };
        self.spans.retain(|span| span.from < end);
        self.spans.iter_mut().for_each(|span| span.to = span.to.min(end));
        true
    }
}
