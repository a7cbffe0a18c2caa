//! The answer of `drowse best`: a sentence and a table for each group, and the front of a single one.

use std::fmt::Write;

use drowse_report::best::{Answer, Figure, Group, Question};
use drowse_report::{Results, Study};
use drowse_tables::schema::cases;
use serde_json::{Map, Value, json};

use super::columns::Columns;
use super::number::Style;
use super::scale::Scale;
use super::wrap;

/// The most warnings that are shown.
const MOST_WARNINGS: usize = 3;

/// Lays out the answer.
pub fn text(results: &Results, study: &Study, question: &Question<'_>, answer: &Answer) -> String {
    let mut text = String::new();
    for group in &answer.groups {
        let _ = writeln!(text, "{}", wrap::paragraph(&sentence(results, study, question, answer, group)));
    }
    let best: Vec<usize> = answer.groups.iter().filter_map(|group| group.best).collect();
    if !best.is_empty() {
        let label = |row: usize| (study.cases[row].label.clone(), row);
        let _ = write!(text, "\n{}", table(results, answer, best.into_iter().map(label)));
    }
    if let [Group { front, .. }] = answer.groups.as_slice()
        && front.len() > 1
    {
        let time = answer.time.as_ref().map_or("time", |time| time.name.as_str());
        let _ = write!(text, "\nNo case has both less {} and less {time} than one of these:\n\n", answer.goal.name);
        let _ = write!(text, "{}", table(results, answer, told_once(results, study, answer, front).into_iter()));
    }
    for group in &answer.groups {
        for warning in chances(study, answer, group) {
            let _ = write!(text, "\n{}\n", wrap::paragraph(&format!("warning: {warning}")));
        }
    }
    for warning in warnings(study, answer) {
        let _ = write!(text, "\n{}\n", wrap::paragraph(&format!("warning: {warning}")));
    }
    text
}

/// Says which case of a group is the best.
fn sentence(results: &Results, study: &Study, question: &Question<'_>, answer: &Answer, group: &Group) -> String {
    let values: Vec<String> =
        answer.by.iter().zip(&group.values).map(|(path, value)| format!("{path} = {value}")).collect();
    let of = if values.is_empty() { String::new() } else { format!("{}: ", values.join(", ")) };
    let (goal, cases) = (&answer.goal, group.cases);
    let cases = if cases == 1 { "1 case".to_owned() } else { format!("{cases} cases") };
    if let Some(condition) = question.condition.filter(|_| group.keep == 0) {
        return format!("{of}no case keeps {condition} ({cases}).");
    }
    let kept = question.condition.map_or_else(String::new, |text| format!(", {} of which keep {text}", group.keep));
    let Some(best) = group.best else { return format!("{of}no case has {} ({cases}{kept}).", goal.name) };
    let value = goal.of(&results.cases, best).unwrap_or_default();
    let with = spread(goal, value, goal.half_width(&results.cases, best));
    let mut said = format!("{of}least {}: {}, with {with}", goal.name, study.cases[best].label);
    if let Some(saved) = answer.saved.as_ref().and_then(|saved| saved.of(&results.cases, best)) {
        let _ = write!(said, ", {:.2} % energy saved", saved * 100.0);
    }
    if let Some(oracle) = group.oracle.filter(|&oracle| oracle > 0.0) {
        let _ = write!(said, ", {:.2} % above the oracle", (value / oracle - 1.0) * 100.0);
    }
    let equal = match group.equal {
        0 => String::new(),
        1 => ", 1 other is as good".to_owned(),
        others => format!(", {others} others are as good"),
    };
    format!("{said} ({cases}{kept}{equal}).")
}

/// Names the first of all cases of a front that are equal in both figures, and says how many more there are.
fn told_once(results: &Results, study: &Study, answer: &Answer, front: &[usize]) -> Vec<(String, usize)> {
    let both = |row: usize| {
        let time = answer.time.as_ref().and_then(|time| time.of(&results.cases, row));
        (answer.goal.of(&results.cases, row), time)
    };
    let named = |equal: &[usize]| {
        let label = &study.cases[equal[0]].label;
        let label = if equal.len() == 1 { label.clone() } else { format!("{label}, and {} equal", equal.len() - 1) };
        (label, equal[0])
    };
    front.chunk_by(|&one, &other| both(one) == both(other)).map(named).collect()
}

/// Lays out cases with their names, a row each.
fn table(results: &Results, answer: &Answer, rows: impl Iterator<Item = (String, usize)>) -> Columns {
    let others = answer.time.iter().chain(&answer.saved).filter(|figure| **figure != answer.goal);
    let figures: Vec<&Figure> = std::iter::once(&answer.goal).chain(others).collect();
    let header = std::iter::once("case".to_owned()).chain(figures.iter().map(|figure| figure.name.clone()));
    let mut columns = Columns::new(1, header.collect());
    let rows: Vec<(String, usize)> = rows.collect();
    let scale =
        |figure: &&Figure| Scale::of(rows.iter().filter_map(|&(_, row)| figure.of(&results.cases, row)), style(figure));
    let scales: Vec<Scale> = figures.iter().map(scale).collect();
    for (label, row) in &rows {
        let values = |figure: &Figure| (figure.of(&results.cases, *row), figure.half_width(&results.cases, *row));
        let cells = figures.iter().zip(&scales).map(|(figure, scale)| scale.cell(values(figure)));
        columns.row(std::iter::once(label.clone()).chain(cells).collect());
    }
    columns
}

/// Says what several seeds leave open of the answer for a group.
fn chances(study: &Study, answer: &Answer, group: &Group) -> Vec<String> {
    let mut told = Vec::new();
    if let Some(&first) = group.open.rivals.first() {
        let (goal, name) = (&answer.goal.name, &study.cases[first].label);
        let others = match group.open.rivals.len() {
            1 => format!("the 95 % interval of {name} overlaps"),
            many => format!("the 95 % intervals of {many} cases, such as {name}, overlap"),
        };
        told.push(format!("{others} that of the least {goal}: more seeds would tell which is less"));
    }
    let open = group.open.bounds.iter();
    told.extend(open.map(|name| format!("the bound on {name} lies within the 95 % interval of the answer")));
    told
}

/// Shows a value with its unit, and half the width of its interval where it is a mean over seeds.
fn spread(figure: &Figure, value: f64, half_width: Option<f64>) -> String {
    match half_width {
        Some(half_width) => format!("{} ± {}", shown(figure, value), shown(figure, half_width)),
        None => shown(figure, value),
    }
}

/// Shows a value with its unit.
fn shown(figure: &Figure, value: f64) -> String {
    let style = style(figure);
    let (factor, unit) = style.unit(value);
    format!("{} {unit}", style.show(value * factor)).trim_end().to_owned()
}

/// Returns how a figure is shown.
fn style(figure: &Figure) -> Style {
    match figure.unit {
        "s" => Style::Seconds,
        "ns" => Style::Nanoseconds,
        "J" => Style::Joules,
        "W" => Style::Watts,
        "1" => Style::Percent,
        unit => Style::Plain(unit),
    }
}

/// Returns what to know of the best cases, and of what is concluded from them.
fn warnings<'s>(study: &'s Study, answer: &Answer) -> Vec<&'s str> {
    let mut warnings: Vec<&str> = Vec::new();
    for best in answer.groups.iter().filter_map(|group| group.best) {
        for warning in &study.cases[best].warnings {
            if warnings.len() < MOST_WARNINGS && !warnings.contains(&warning.as_str()) {
                warnings.push(warning);
            }
        }
    }
    warnings
}

/// Returns the answer as JSON.
pub fn json(results: &Results, study: &Study, answer: &Answer) -> Value {
    let case = |row: usize| {
        let mut case = json!({ cases::CASE_ID.name: study.cases[row].id, "label": study.cases[row].label });
        for figure in std::iter::once(&answer.goal).chain(&answer.time).chain(&answer.saved) {
            case[figure.name.as_str()] = json!(figure.of(&results.cases, row));
            if let Some(half_width) = figure.half_width(&results.cases, row) {
                case[format!("{}.half_width", figure.name)] = json!(half_width);
            }
        }
        case
    };
    let group = |group: &Group| {
        let by: Map<_, _> = answer.by.iter().cloned().zip(group.values.iter().map(|value| json!(value))).collect();
        json!({
            "by": by,
            "cases": group.cases,
            "keep": group.keep,
            "best": group.best.map(case),
            "equal": group.equal,
            "front": group.front.iter().map(|&row| case(row)).collect::<Vec<_>>(),
            "oracle": group.oracle,
            "overlapping": group.open.rivals.iter().map(|&row| study.cases[row].id.as_str()).collect::<Vec<_>>(),
            "unsure": group.open.bounds,
        })
    };
    json!({ "minimize": answer.goal.name, "groups": answer.groups.iter().map(group).collect::<Vec<_>>() })
}
