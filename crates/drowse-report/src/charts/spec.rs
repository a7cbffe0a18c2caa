//! What all specifications have in common: size, fonts, colours.

use serde_json::{Value, json};

/// The palette of Okabe and Ito, which colour-blind people can tell apart, without what is faint on white or on black.
pub const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c8c8c"];
/// Grey for what is not data.
pub const GREY: &str = "#8c8c8c";

/// Begins a specification of the data of this name.
pub fn new(data: &str, height: u32) -> Value {
    json!({
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "data": { "name": data },
        "width": "container",
        "height": height,
        "autosize": { "type": "fit-x", "contains": "padding" },
        "config": {
            "background": "white",
            "font": "system-ui, sans-serif",
            "range": { "category": COLOURS, "heatmap": { "scheme": "viridis" }, "ramp": { "scheme": "viridis" } },
            "axis": { "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "labelColor": "#222", "titleColor": "#222", "gridColor": "#ddd", "domainColor": "#888", "tickColor": "#888", "labelLimit": 260 },
            "axisX": { "tickCount": 7 },
            "legend": { "orient": "bottom", "direction": "horizontal", "columns": 2, "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "labelColor": "#222", "titleColor": "#222", "labelLimit": 190, "symbolStrokeWidth": 2 },
            "header": { "labelFontSize": 12, "titleFontSize": 12, "labelColor": "#222", "titleColor": "#222" },
            "view": { "stroke": null },
            "point": { "size": 70, "filled": true },
        },
    })
}

/// Makes a scale of named colours.
pub fn colours(pairs: &[(&str, &str)]) -> Value {
    let (names, colours): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
    json!({ "domain": names, "range": colours })
}

/// Makes a list to choose from: the field that a chart shows, by its words.
pub fn choice(name: &str, words: &str, options: &[(String, String)]) -> Value {
    let (fields, labels): (Vec<_>, Vec<_>) = options.iter().cloned().unzip();
    json!({ "name": name, "value": fields[0], "bind": { "input": "select", "name": format!("{words} "), "options": fields, "labels": labels } })
}

/// Makes the lines of a tooltip of fields and their titles.
pub fn tooltip(lines: &[(&str, &str)]) -> Value {
    lines.iter().map(|(field, title)| json!({ "field": field, "title": title })).collect()
}
