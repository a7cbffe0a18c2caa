//! One page of HTML with everything in it: answer, filters, comparison, charts, and the scripts that draw them.

mod assumed;
mod comparison;
pub mod frame;
pub mod html;
mod sections;
mod vega;

use std::fmt::Write;
use std::path::Path;

use drowse_describe::palette::RAMP;
use serde_json::{Value, json};

use crate::charts::{self, Chart};
use crate::error::ReportError;
use crate::headline::{Headline, headlines};
use crate::page::sections::SECTIONS;
use crate::results::Results;
use crate::study::Study;
use crate::{answer, page::html::escaped};

const SCRIPT: &str = include_str!("../../assets/page.js");
/// Warnings that the page shows; all are in cases.csv.
const MOST_WARNINGS: usize = 5;
/// Values of a key that can be chosen one by one.
const MOST_VALUES: usize = 60;

/// Makes the page of a folder of results. Where it is known in which folder the page will stand, its links lead to the
/// tables from there.
pub fn page(results: &Results, beside: Option<&Path>) -> Result<String, ReportError> {
    let study = Study::new(results);
    let charts = charts::of(results, &study);
    let mut page = frame::head(&results.title());
    let answer = answer::sentences(&study);
    if !answer.is_empty() {
        // Writing into a text cannot fail.
        let _ = writeln!(page, "<p class=\"answer\">{}</p>", escaped(&answer));
    }
    page += &tiles(&study);
    page += &about(results, &study);
    page += "<button id=\"theme\" type=\"button\" hidden>dark or light</button>\n</header>\n";
    page += &warnings(&study);
    page += &filters(&study);
    let sections = sections(&charts, &comparison::table(&study));
    page += &contents(&sections);
    sections.iter().for_each(|(_, _, section)| page += section);
    page += "<h2 id=\"assumptions\">What was assumed</h2>\n<div class=\"charts\">\n";
    page += &assumed::section(results, &watts(results), beside);
    page += "</div>\n</main>\n";
    page += "<noscript><p>The charts need JavaScript; the numbers above do not.</p></noscript>\n";
    page += &data(&charts, &study);
    let libraries = vega::scripts()?;
    for script in libraries.iter().map(String::as_str).chain([SCRIPT]) {
        let _ = write!(page, "<script>\n{}\n</script>\n", script.trim_end());
    }
    Ok(page + "</body>\n</html>\n")
}

/// Makes the figures that one sees first.
fn tiles(study: &Study) -> String {
    let tile = |of: Headline| {
        let [value, words, note] = [of.value, of.words, of.note].map(|text| escaped(&text));
        format!("<div><dt>{words}</dt><dd>{value}</dd><dd class=\"hint\">{note}</dd></div>\n")
    };
    let tiles = headlines(study).into_iter().map(tile).collect::<String>();
    if tiles.is_empty() { tiles } else { format!("<dl class=\"tiles\">\n{tiles}</dl>\n") }
}

/// Makes the sections that have something to show: name, heading, and all that is in it.
fn sections(charts: &[Chart], comparison: &str) -> Vec<(&'static str, &'static str, String)> {
    let mut sections = Vec::new();
    for (name, heading, kinds) in SECTIONS {
        let of = kinds.iter().filter_map(|kind| charts.iter().find(|chart| chart.kind == *kind));
        let of: Vec<&Chart> = of.collect();
        // A card alone in its row is as wide as two.
        let last = of.iter().rposition(|chart| !chart.wide);
        let alone = last.filter(|_| of.iter().filter(|chart| !chart.wide).count() % 2 == 1);
        let cards: String = of.iter().enumerate().map(|(at, chart)| card(chart, alone == Some(at))).collect();
        let first = if name == SECTIONS[0].0 { comparison } else { "" };
        if !(first.is_empty() && cards.is_empty()) {
            let section = format!("<h2 id=\"{name}\">{heading}</h2>\n<div class=\"charts\">\n{first}{cards}</div>\n");
            sections.push((name, heading, section));
        }
    }
    sections
}

/// Makes the links to the sections.
fn contents(sections: &[(&str, &str, String)]) -> String {
    let link = |(name, heading): (&str, &str)| format!("<a href=\"#{name}\">{heading}</a>");
    let all = sections.iter().map(|(name, heading, _)| (*name, *heading)).chain([("assumptions", "What was assumed")]);
    format!("<nav aria-label=\"Sections\">{}</nav>\n", all.map(link).collect::<Vec<_>>().join(" "))
}

/// Says what the page shows: how many cases, on which network, with which policy, and what runs.
fn about(results: &Results, study: &Study) -> String {
    let count = |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    let mut text = count(study.cases.len(), "case", "cases");
    if study.is_over_seeds() {
        text += ", means over seeds with 95 % confidence intervals";
    }
    if results.failed > 0 {
        let _ = write!(text, ", {} more could not finish (failed.csv)", results.failed);
    }
    for (column, one, many) in [("network.nodes", "node", "nodes"), ("network.switches", "switch", "switches")] {
        let number = results.cases.named(0, column);
        let alike = (0..results.cases.len()).all(|row| results.cases.named(row, column) == number);
        if let Some(number) = number.parse().ok().filter(|_| alike) {
            let _ = write!(text, ", {}", count(number, one, many));
        }
    }
    let lines = assumed::in_words(results, study).into_iter().map(|(what, words)| format!("{what}: {words}"));
    let paragraph = |line: String| format!("<p class=\"about\">{}</p>\n", escaped(&line));
    std::iter::once(text).chain(lines).map(paragraph).collect()
}

/// Returns whose watts the energies are, each once.
fn watts(results: &Results) -> Vec<&str> {
    let mut different: Vec<&str> = Vec::new();
    for row in 0..results.cases.len() {
        let watts = results.cases.named(row, "energy.watts");
        if !watts.is_empty() && !different.contains(&watts) {
            different.push(watts);
        }
    }
    different
}

/// Lists the first warnings, each once.
fn warnings(study: &Study) -> String {
    let warned = study.cases.iter().filter(|case| !case.warnings.is_empty()).count();
    let mut different: Vec<&str> = Vec::new();
    for warning in study.cases.iter().flat_map(|case| &case.warnings) {
        if !different.contains(&warning.as_str()) {
            different.push(warning);
        }
    }
    if warned == 0 {
        return String::new();
    }
    let have = if warned == 1 { "1 case has".to_owned() } else { format!("{warned} cases have") };
    let items = different.iter().take(MOST_WARNINGS).map(|warning| format!("<li>{}</li>\n", escaped(warning)));
    let more = different.len().saturating_sub(MOST_WARNINGS);
    let more = if more > 0 { format!("<li>and {more} more, in cases.csv</li>\n") } else { String::new() };
    format!(
        "<details class=\"warnings\" open><summary>{have} warnings</summary>\n<ul>\n{}{more}</ul></details>\n",
        items.collect::<String>()
    )
}

/// Makes the boxes that choose cases by the values of the sweep.
fn filters(study: &Study) -> String {
    let mut text = String::new();
    for (number, key) in study.keys.iter().enumerate() {
        let values = key.distinct();
        if values.len() > MOST_VALUES {
            continue;
        }
        let _ = writeln!(text, "<fieldset data-key=\"{number}\"><legend>{}</legend>", escaped(&key.path));
        for (index, value) in values.iter().enumerate() {
            let value = escaped(value);
            let _ = writeln!(text, "<label><input type=\"checkbox\" checked data-value=\"{index}\">{value}</label>");
        }
        text += "</fieldset>\n";
    }
    if text.is_empty() {
        return text;
    }
    let hint =
        "<p class=\"hint\"><output id=\"count\"></output> <button id=\"reset\" type=\"button\">show all</button></p>\n";
    format!("<form id=\"filters\" class=\"filters\">\n{text}{hint}</form>\n")
}

/// Makes the place of a chart.
fn card(chart: &Chart, alone: bool) -> String {
    format!(
        "<figure class=\"card{}\" id=\"{kind}\">\n<figcaption><h3>{}</h3><p>{}</p></figcaption>\n\
         <div class=\"chart\" data-chart=\"{kind}\"></div>\n<p class=\"note\" hidden></p>\n</figure>\n",
        if chart.wide || alone { " wide" } else { "" },
        escaped(&chart.title),
        escaped(&chart.caption),
        kind = chart.kind,
    )
}

/// Writes the data of the charts, and which value of each key each case has.
fn data(charts: &[Chart], study: &Study) -> String {
    let chart = |chart: &Chart| {
        json!({
            "kind": chart.kind, "spec": chart.spec, "most_cases": chart.most_cases,
            "columns": columns(&chart.rows), "rows": cells(&chart.rows),
        })
    };
    let keys = study.keys.iter().map(|key| {
        let values = key.distinct();
        key.values.iter().map(|value| values.iter().position(|other| other == value)).collect::<Vec<_>>()
    });
    let data = json!({
        "cases": study.cases.len(),
        "keys": keys.collect::<Vec<_>>(),
        "ramp": RAMP,
        "charts": charts.iter().map(chart).collect::<Vec<_>>(),
    });
    // No text of the data ends the script that it stands in.
    let data = data.to_string().replace('<', "\\u003c");
    format!("<script type=\"application/json\" id=\"data\">{data}</script>\n")
}

/// Returns the names of the fields that some row has.
fn columns(rows: &[Value]) -> Vec<&str> {
    let mut columns: Vec<&str> = Vec::new();
    let mut last: Option<&Value> = None;
    for row in rows {
        let known =
            |last: &Value| last.as_object().map(serde_json::Map::len) == row.as_object().map(serde_json::Map::len);
        if !last.is_some_and(known) {
            let names = row.as_object().into_iter().flat_map(serde_json::Map::keys);
            names.for_each(|name| {
                if !columns.contains(&name.as_str()) {
                    columns.push(name);
                }
            });
        }
        last = Some(row);
    }
    columns
}

/// Returns the rows as lists, which are much shorter than objects.
fn cells(rows: &[Value]) -> Vec<Vec<&Value>> {
    let columns = columns(rows);
    rows.iter().map(|row| columns.iter().map(|name| &row[*name]).collect()).collect()
}
