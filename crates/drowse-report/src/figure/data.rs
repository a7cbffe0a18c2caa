//! The data of a chart after the steps that its specification asks for: those that our specifications use.

use serde_json::{Map, Value, json};

use crate::charts::Chart;

/// A row of data.
pub type Row = Map<String, Value>;

/// Returns what has marks and axes: of a chart in panels, what each panel has.
pub fn inner(spec: &Value) -> &Value {
    if spec["facet"].is_object() { &spec["spec"] } else { spec }
}

/// Shares rows among the panels of a chart, by the values of the key that has panels.
pub fn panels(spec: &Value, rows: Vec<Row>) -> Vec<(String, Vec<Row>)> {
    let Some(field) = spec["facet"]["field"].as_str() else { return vec![(String::new(), rows)] };
    let mut panels: Vec<(String, Vec<Row>)> = Vec::new();
    for row in rows {
        let name = row.get(field).map(text).unwrap_or_default();
        match panels.iter_mut().find(|(known, _)| *known == name) {
            Some((_, of)) => of.push(row),
            None => panels.push((name, vec![row])),
        }
    }
    // A number needs the name of its key.
    let title = spec["facet"]["title"].as_str().unwrap_or_default();
    let told = |name: String| {
        if name.starts_with(|c: char| c.is_ascii_digit() || c == '-') { format!("{title} {name}") } else { name }
    };
    panels.into_iter().map(|(name, rows)| (told(name), rows)).collect()
}

/// Returns the ends that a scale is given.
pub fn domain(scale: &Value) -> Option<[f64; 2]> {
    let end = |at: usize| scale["domain"][at].as_f64();
    Some([end(0)?, end(1)?])
}

/// Returns whether a choice is the one that a condition such as `figure == 'run_time'` asks for.
pub fn holds(spec: &Value, condition: &str) -> bool {
    let wanted = condition.split_once(" == ");
    wanted.is_none_or(|(name, value)| chosen(spec, name).as_deref() == Some(value.trim_matches('\'')))
}

/// Returns the value of a choice of a chart, by its name.
pub fn chosen(spec: &Value, name: &str) -> Option<String> {
    let params = spec["params"].as_array()?;
    let param = params.iter().find(|param| param["name"] == name)?;
    param["value"].as_str().map(str::to_owned)
}

/// Returns the rows of a chart after the steps of its specification and of one of its layers.
pub fn rows(chart: &Chart, layer: &Value) -> Vec<Row> {
    let steps = [&chart.spec["transform"], &layer["transform"]];
    let first = |row: &&Row| {
        let most = chart.most_cases.map_or(u64::MAX, |most| most as u64);
        row.get("n").and_then(Value::as_u64).is_none_or(|n| n < most)
    };
    let rows = chart.rows.iter().filter_map(Value::as_object).filter(first).cloned();
    steps.into_iter().filter_map(Value::as_array).flatten().fold(rows.collect(), |rows, step| apply(chart, step, rows))
}

/// Takes one step.
fn apply(chart: &Chart, step: &Value, mut rows: Vec<Row>) -> Vec<Row> {
    if let (Some(expression), Some(name)) = (step["calculate"].as_str(), step["as"].as_str()) {
        for row in &mut rows {
            let value = value(&chart.spec, expression, row);
            row.insert(name.into(), value);
        }
    } else if let Some(filter) = step["filter"].as_str() {
        // Rows without a value are left out where they are drawn.
        if let Some((field, param)) = filter.strip_prefix("datum.").and_then(|filter| filter.split_once(" == ")) {
            let wanted = chosen(&chart.spec, param);
            rows.retain(|row| row.get(field).and_then(Value::as_str) == wanted.as_deref());
        } else if filter == "!datum.oracle" {
            rows.retain(|row| !row.contains_key("oracle"));
        }
    }
    rows
}

/// Computes `datum[choice]`, `datum['field']`, `datum.field`, or a sum of these, texts and numbers.
fn value(spec: &Value, expression: &str, row: &Row) -> Value {
    // An end of an interval: `datum[choice + '_low']`.
    let inner = expression.strip_prefix("datum[").and_then(|rest| rest.strip_suffix("']"));
    if let Some((name, suffix)) = inner.filter(|inner| !inner.contains(']')).and_then(|inner| inner.split_once(" + '"))
    {
        let field = chosen(spec, name).map(|field| field + suffix).unwrap_or_default();
        return row.get(&field).cloned().unwrap_or_default();
    }
    let term = |term: &str| -> Value {
        let literal = |text: &str| text.strip_prefix('\'')?.strip_suffix('\'').map(str::to_owned);
        if let Some(text) = literal(term) {
            return json!(text);
        }
        let inner = term.strip_prefix("datum[").and_then(|rest| rest.strip_suffix(']'));
        let field = match inner {
            Some(name) => literal(name).or_else(|| chosen(spec, name)),
            None => term.strip_prefix("datum.").map(str::to_owned),
        };
        match field {
            Some(field) => row.get(&field).cloned().unwrap_or_default(),
            None => term.parse::<f64>().map_or(Value::Null, |number| json!(number)),
        }
    };
    let mut terms = expression.split(" + ").map(term);
    let first = terms.next().unwrap_or_default();
    terms.fold(first, |sum, next| match (sum.as_f64(), next.as_f64()) {
        (Some(sum), Some(next)) => json!(sum + next),
        _ => json!(text(&sum) + &text(&next)),
    })
}

/// Returns a value as words.
pub fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns the field of a channel of an encoding, such as `x`.
pub fn field<'s>(encoding: &'s Value, channel: &str) -> &'s str {
    encoding[channel]["field"].as_str().unwrap_or_default()
}

/// Returns the title of an axis.
pub fn title<'s>(encoding: &'s Value, channel: &str) -> &'s str {
    encoding[channel]["title"].as_str().unwrap_or_default()
}

/// Returns the words of what is chosen of this name.
pub fn words<'s>(spec: &'s Value, name: &str) -> Option<&'s str> {
    let params = spec["params"].as_array()?;
    let param = params.iter().find(|param| param["name"] == name)?;
    let place = param["bind"]["options"].as_array()?.iter().position(|option| *option == param["value"])?;
    param["bind"]["labels"][place].as_str()
}

/// Returns the number of a field.
pub fn number(row: &Row, field: &str) -> Option<f64> {
    row.get(field)?.as_f64()
}
