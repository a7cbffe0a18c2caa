//! One page of HTML with everything in it: answer, filters, comparison, charts, and the scripts that draw them.

mod comparison;
pub mod frame;
pub mod html;
mod vega;

use std::fmt::Write;

use serde_json::{Value, json};

use crate::charts::{self, Chart};
use crate::error::ReportError;
use crate::results::Results;
use crate::study::Study;
use crate::{answer, page::html::escaped};

const SCRIPT: &str = include_str!("../../assets/page.js");
/// Warnings that the page shows; all are in cases.csv.
const MOST_WARNINGS: usize = 5;
/// Values of a key that can be chosen one by one.
const MOST_VALUES: usize = 60;

/// Makes the page of a folder of results.
pub fn page(results: &Results) -> Result<String, ReportError> {
    let study = Study::new(results);
    let charts = charts::of(results, &study);
    let mut page = frame::head(&results.title());
    let answer = answer::sentences(&study);
    if !answer.is_empty() {
        // Writing into a text cannot fail.
        let _ = writeln!(page, "<p class=\"answer\">{}</p>", escaped(&answer));
    }
    let _ = writeln!(page, "<p class=\"about\">{}</p>", escaped(&about(results, &study)));
    page += "<button id=\"theme\" type=\"button\" hidden>dark or light</button>\n</header>\n";
    page += &warnings(&study);
    page += &filters(&study);
    page += &comparison::table(&study);
    page += "<div class=\"charts\">\n";
    charts.iter().for_each(|chart| page += &card(chart));
    page += "</div>\n</main>\n";
    page += "<noscript><p>The charts need JavaScript; the numbers above do not.</p></noscript>\n";
    page += &data(&charts, &study);
    let libraries = vega::scripts()?;
    for script in libraries.iter().map(String::as_str).chain([SCRIPT]) {
        let _ = write!(page, "<script>\n{}\n</script>\n", script.trim_end());
    }
    Ok(page + "</body>\n</html>\n")
}

/// Says what the page shows, and of what version.
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
    if !results.manifest.version.is_empty() {
        let _ = write!(text, ". Drowse {}", results.manifest.version);
    }
    if !results.manifest.build.is_empty() {
        let _ = write!(text, ", build {}", results.manifest.build);
    }
    text + &watts(results)
}

/// Says whose watts the energies are, each once.
fn watts(results: &Results) -> String {
    let mut different: Vec<&str> = Vec::new();
    for row in 0..results.cases.len() {
        let watts = results.cases.named(row, "energy.watts");
        if !watts.is_empty() && !different.contains(&watts) {
            different.push(watts);
        }
    }
    if different.is_empty() { String::new() } else { format!(". Watts: {}", different.join(" | ")) }
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
fn card(chart: &Chart) -> String {
    format!(
        "<figure class=\"card{}\" id=\"{kind}\">\n<figcaption><h2>{}</h2><p>{}</p></figcaption>\n\
         <div class=\"chart\" data-chart=\"{kind}\"></div>\n<p class=\"note\" hidden></p>\n</figure>\n",
        if chart.wide { " wide" } else { "" },
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
