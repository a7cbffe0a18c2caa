//! What all specifications have in common: size, fonts, colours.

use std::collections::HashMap;

use drowse_describe::palette::{GROUPS, RAMP};
use drowse_picture::Marker;
use serde_json::{Value, json};

/// Writes times in microseconds, on an axis, in the unit that fits each.
pub const US_LABELS: &str = "datum.value >= 1e6 ? format(datum.value / 1e6, '~g') + ' s' : datum.value >= 1e3 ? \
     format(datum.value / 1e3, '~g') + ' ms' : datum.value >= 1 ? format(datum.value, '~g') + ' us' : \
     format(datum.value * 1e3, '~g') + ' ns'";
/// Writes large numbers of a scale of colours with a prefix, and others as they are.
const NUMBER_LABELS: &str = "abs(datum.value) >= 1e4 ? format(datum.value, '~s') : format(datum.value, ',~g')";
/// Lengths of dashes and gaps in turn; a whole line first.
pub const DASHES: [&[f64]; 6] =
    [&[], &[6.0, 3.0], &[2.0, 2.5], &[10.0, 3.0, 2.0, 3.0], &[14.0, 4.0], &[6.0, 2.0, 2.0, 2.0, 2.0, 2.0]];
/// About the width of a letter of a legend, and that of its mark with the room beside it, in pixels.
const LETTER: usize = 7;
const MARK: usize = 34;
/// The room for a legend in the narrowest chart of a wide screen.
const LEGEND: usize = 470;
/// The widest label of a bar.
const LABEL: usize = 320;

/// How to move in a chart over time.
pub const HOW_TO_ZOOM: &str = "Drag to move; Alt and the wheel, or two fingers, to zoom; double click to see all.";

/// Begins a specification of the data of this name.
pub fn new(data: &str, height: u32) -> Value {
    let symbols = Marker::ALL.map(Marker::name);
    json!({
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "data": { "name": data },
        "width": "container",
        "height": height,
        "autosize": { "type": "fit-x", "contains": "padding" },
        "config": {
            "background": "white",
            "font": "system-ui, sans-serif",
            "range": { "category": GROUPS, "symbol": symbols, "heatmap": RAMP, "ramp": RAMP },
            "axis": texts(json!({ "gridColor": "#ddd", "domainColor": "#888", "tickColor": "#888", "labelLimit": LABEL })),
            "axisX": { "tickCount": 7 },
            "legend": texts(json!({
                "orient": "bottom", "direction": "horizontal", "columns": 2, "labelLimit": LEGEND, "symbolStrokeWidth": 2,
                "padding": 10,
            })),
            "view": { "stroke": null },
            "point": { "size": 70, "filled": true },
        },
    })
}

/// Returns the dashes of series as Vega has them.
pub fn dashes() -> Value {
    DASHES.iter().map(|dash| if dash.is_empty() { json!([1, 0]) } else { json!(dash) }).collect()
}

/// Adds the fonts and colours of texts.
fn texts(mut of: Value) -> Value {
    for part in ["label", "title"] {
        of[format!("{part}FontSize")] = json!(12);
        of[format!("{part}FontWeight")] = json!("normal");
        of[format!("{part}Color")] = json!("#222");
    }
    of
}

/// Makes names of a case differ: a second one gets a number. Bars of one name would be one.
pub fn distinct(names: impl IntoIterator<Item = (usize, String)>) -> Vec<String> {
    let mut known: HashMap<(usize, String), usize> = HashMap::new();
    let differing = names.into_iter().map(|(case, name)| {
        let count = known.entry((case, name.clone())).or_default();
        *count += 1;
        if *count == 1 { name } else { format!("{name} ({count})") }
    });
    differing.collect()
}

/// Lets a chart zoom in a time that begins with a field; charts of the same field and unit zoom together.
pub fn zoom_in_time(spec: &mut Value, from: &str) {
    spec["usermeta"] = json!({ "time": format!("zoom_{from}") });
    let zoom = json!({
        "name": "zoom", "bind": "scales",
        "select": { "type": "interval", "encodings": ["x"], "zoom": "wheel![event.altKey || event.ctrlKey]" },
    });
    spec["params"].as_array_mut().into_iter().for_each(|params| params.push(zoom.clone()));
}

/// Returns the colours of a figure from dark for little to bright for much.
pub fn ramp(field: &str) -> Value {
    json!({
        "field": field, "type": "quantitative", "title": null,
        "legend": { "gradientLength": 220, "tickCount": 3, "labelExpr": NUMBER_LABELS },
    })
}

/// Sets as many columns of a legend as its longest name leaves room for; no name is cut.
pub fn fit_legend<'n>(spec: &mut Value, names: impl IntoIterator<Item = &'n str>) {
    let longest = names.into_iter().map(|name| name.chars().count()).max().unwrap_or(0);
    spec["config"]["legend"]["columns"] = json!((LEGEND / (longest * LETTER + MARK)).clamp(1, 5));
}

/// Makes a scale of named colours.
pub fn colours(pairs: &[(&str, &str)]) -> Value {
    let (names, colours): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
    json!({ "domain": names, "range": colours })
}

/// Makes a list to choose from: the field that a chart shows, by its words.
pub fn choice(name: &str, words: &str, options: &[(String, String)]) -> Value {
    let (fields, labels): (Vec<_>, Vec<_>) = options.iter().cloned().unzip();
    let select = json!({ "input": "select", "name": format!("{words} "), "options": fields, "labels": labels });
    json!({ "name": name, "value": fields[0], "bind": select })
}

/// Makes the lines of a tooltip of fields and their titles.
pub fn tooltip(lines: &[(&str, &str)]) -> Value {
    lines.iter().map(|(field, title)| json!({ "field": field, "title": title })).collect()
}

/// Returns the channel that colours marks by a field.
pub fn coloured(encoding: &Value) -> Option<&'static str> {
    ["color", "stroke"].into_iter().find(|channel| encoding[*channel]["field"].is_string())
}

/// Adds bars of the confidence intervals of what is drawn as `y`; its layer becomes one of several.
pub fn add_intervals(spec: &mut Value) {
    let Some(steps) = spec["transform"].as_array_mut() else { return };
    let Some(place) = steps.iter().position(|step| step["as"] == "y") else { return };
    let of = |end: &str| match steps[place]["calculate"].as_str().and_then(|text| text.strip_suffix("']")) {
        Some(field) => format!("{field}_{end}']"),
        None => steps[place]["calculate"].as_str().unwrap_or_default().replace(']', &format!(" + '_{end}']")),
    };
    let ends = ["low", "high"].map(|end| json!({ "calculate": of(end), "as": format!("y_{end}") }));
    ends.into_iter().rev().for_each(|end| steps.insert(place + 1, end));
    if spec["layer"].is_null() {
        let only = json!({ "mark": spec["mark"].take(), "encoding": spec["encoding"].take() });
        spec.as_object_mut().into_iter().for_each(|fields| fields.retain(|_, value| !value.is_null()));
        spec["layer"] = json!([only]);
    }
    let Some(layers) = spec["layer"].as_array_mut() else { return };
    let Some(main) = layers.iter().find(|layer| coloured(&layer["encoding"]).is_some()) else { return };
    let Some(colour) = coloured(&main["encoding"]) else { return };
    let mut encoding =
        json!({ "x": main["encoding"]["x"], "y": main["encoding"]["y"], colour: main["encoding"][colour] });
    encoding["y"]["field"] = json!("y_low");
    encoding["y2"] = json!({ "field": "y_high" });
    layers.push(json!({
        "transform": [{ "filter": "isValid(datum.y_low)" }],
        "mark": { "type": "rule", "strokeWidth": 1.5, "clip": true },
        "encoding": encoding,
    }));
}
