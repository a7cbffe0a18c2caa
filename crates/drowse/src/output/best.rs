//! The answer of `drowse best`: a sentence and a table for each group, and the front of a single one.

use std::fmt::Write;

use drowse_report::Study;
use drowse_report::best::{Answer, Figure, Group, Missed, Question};
use drowse_tables::schema::cases;
use serde_json::{Map, Value, json};

use super::columns::Columns;
use super::number::Style;
use super::scale::Scale;
use super::wrap;

/// The most warnings that are shown.
const MOST_WARNINGS: usize = 3;
/// What stands between a number and its unit until lines are broken: none ends there.
const JOINT: char = '\u{1}';
/// The fewest columns for the names of cases.
const NARROWEST: usize = 16;

/// Lays out the answer.
pub fn text(study: &Study, question: &Question<'_>, answer: &Answer) -> String {
    let mut text = String::new();
    for group in &answer.groups {
        let _ = writeln!(text, "{}", paragraph(&sentence(study, question, answer, group)));
    }
    for (name, meaning) in &answer.meanings {
        let _ = writeln!(text, "{}", paragraph(&format!("{name}: {meaning}")));
    }
    let best: Vec<usize> = answer.groups.iter().filter_map(|group| group.best).collect();
    if !best.is_empty() {
        let label = |row: usize| (study.cases[row].label.clone(), row);
        let _ = write!(text, "\n{}", table(answer, &best.into_iter().map(label).collect::<Vec<_>>()));
    }
    if let [Group { front, .. }] = answer.groups.as_slice()
        && front.len() > 1
    {
        let time = answer.time.as_ref().map_or("time", |time| time.name.as_str());
        let said = format!("No case has both less {} and less {time} than one of these:", answer.goal.name);
        let _ = write!(text, "\n{}\n\n{}", paragraph(&said), table(answer, &told_once(study, answer, front)));
    }
    let chances = answer.groups.iter().flat_map(|group| chances(study, answer, group));
    let known = warnings(study, answer).into_iter().map(str::to_owned);
    for warning in chances.chain(close(answer)).chain(without_baselines(study, answer)).chain(known) {
        let _ = write!(text, "\n{}\n", paragraph(&format!("warning: {warning}")));
    }
    text
}

/// Breaks a paragraph into lines that all fit, however long a name is.
fn paragraph(text: &str) -> String {
    if text.chars().count() <= wrap::WIDTH {
        return text.replace(JOINT, " ");
    }
    let lines = wrap::hard(&text.replace(" %", &format!("{JOINT}%")), wrap::WIDTH - 2);
    lines.join("\n  ").replace(JOINT, " ")
}

/// Says which case of a group is the best.
fn sentence(study: &Study, question: &Question<'_>, answer: &Answer, group: &Group) -> String {
    let name = named(answer, group);
    let of = if name.is_empty() { name } else { format!("{name}: ") };
    let (goal, cases) = (&answer.goal, group.cases);
    let cases = if cases == 1 { "1 case".to_owned() } else { format!("{cases} cases") };
    if let Some(condition) = question.condition.filter(|_| group.keep == 0) {
        let nearest = group.nearest.as_ref().map(|(row, missed)| nearest(study, *row, missed));
        return format!("{of}no case keeps {condition} ({cases}){}.", nearest.unwrap_or_default());
    }
    let kept = question.condition.map_or_else(String::new, |text| format!(", {} of which keep {text}", group.keep));
    let Some(best) = group.best else { return format!("{of}no case has {} ({cases}{kept}).", goal.name) };
    let with = spread(goal, goal.of(best).unwrap_or_default(), goal.half_width(best));
    let mut said = format!("{of}least {}: {}, with {with}", goal.name, study.cases[best].label);
    if let Some(saved) = answer.saved.as_ref().and_then(|saved| saved.of(best)) {
        let _ = write!(said, ", {:.2} % energy saved", saved * 100.0);
    }
    if let Some(above) = above_oracle(goal, group) {
        let _ = write!(said, ", {:.2} % above the oracle", above * 100.0);
    }
    let equal = match group.equal {
        0 => String::new(),
        1 => ", 1 other is as good".to_owned(),
        others => format!(", {others} others are as good"),
    };
    format!("{said} ({cases}{kept}{equal}).")
}

/// Returns how much more the best case of a group has than the oracle, as a share.
fn above_oracle(goal: &Figure, group: &Group) -> Option<f64> {
    let oracle = group.oracle.filter(|&oracle| oracle > 0.0)?;
    Some(goal.of(group.best?)? / oracle - 1.0)
}

/// Says for which values a group is.
fn named(answer: &Answer, group: &Group) -> String {
    let value = |(path, word): (&String, &String)| {
        if word.is_empty() { format!("without {path}") } else { format!("{path} = {word}") }
    };
    answer.by.iter().zip(&group.words).map(value).collect::<Vec<_>>().join(", ")
}

/// Says which case comes nearest to a condition, and by how much it misses it.
fn nearest(study: &Study, row: usize, missed: &[Missed]) -> String {
    let miss = |Missed { figure, bound, value }: &Missed| {
        let by = shown(figure, (value - bound).abs());
        let side = if value > bound { "above" } else { "below" };
        let is_beyond = (value - bound).abs() > 0.0;
        let by = if is_beyond { format!("{by} {side} the bound") } else { "not beyond the bound".into() };
        format!("{} is {}, {by}", figure.name, shown(figure, *value))
    };
    let missed: Vec<String> = missed.iter().map(miss).collect();
    format!("; the nearest is {}: {}", study.cases[row].label, missed.join(", and "))
}

/// Names the first of all cases of a front that are equal in both figures, and says how many more there are.
fn told_once(study: &Study, answer: &Answer, front: &[usize]) -> Vec<(String, usize)> {
    let both = |row: usize| (answer.goal.of(row), answer.time.as_ref().and_then(|time| time.of(row)));
    let named = |equal: &[usize]| {
        let label = &study.cases[equal[0]].label;
        let label = if equal.len() == 1 { label.clone() } else { format!("{label}, and {} equal", equal.len() - 1) };
        (label, equal[0])
    };
    front.chunk_by(|&one, &other| both(one) == both(other)).map(named).collect()
}

/// Lays out cases with their names, a row each; names that leave no room for the figures go on in lines below.
fn table(answer: &Answer, rows: &[(String, usize)]) -> Columns {
    let others = answer.time.iter().chain(&answer.saved).filter(|figure| **figure != answer.goal);
    let figures: Vec<&Figure> = std::iter::once(&answer.goal).chain(others).collect();
    let scale = |figure: &&Figure| Scale::of(rows.iter().filter_map(|&(_, row)| figure.of(row)), style(figure));
    let scales: Vec<Scale> = figures.iter().map(scale).collect();
    let cells = |row: usize| {
        let cell = |(figure, scale): (&&Figure, &Scale)| scale.cell((figure.of(row), figure.half_width(row)));
        figures.iter().zip(&scales).map(cell).collect::<Vec<String>>()
    };
    let lay = |width: usize| {
        let header = std::iter::once("case".to_owned()).chain(figures.iter().map(|figure| figure.name.clone()));
        let mut columns = Columns::new(1, header.collect());
        for (label, row) in rows {
            let mut lines = wrap::hard(label, width).into_iter();
            let first = lines.next().unwrap_or_default();
            columns.row(std::iter::once(first).chain(cells(*row)).collect());
            lines.for_each(|line| columns.row(vec![format!("  {line}")]));
        }
        columns
    };
    let whole = lay(usize::MAX);
    let excess = whole.width().saturating_sub(wrap::WIDTH);
    let longest = rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
    // Two columns are for the indentation of lines below.
    if excess == 0 { whole } else { lay(longest.saturating_sub(excess + 2).max(NARROWEST)) }
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
    if group.is_mixed {
        told.push("these cases run different programs: ask for an answer for each, by --by job or its like".to_owned());
    }
    let open = group.open.bounds.iter();
    told.extend(open.map(|name| format!("the bound on {name} lies within the 95 % interval of the answer")));
    told
}

/// Says that baselines are no candidates where their rows are absent.
fn without_baselines(study: &Study, answer: &Answer) -> Option<String> {
    let has_none = answer.saved.is_some() && study.cases.iter().all(|case| case.baseline.is_none());
    let told = "the baselines of these cases have no rows, so that none is a candidate: an older version has written the \
                tables";
    has_none.then(|| told.to_owned())
}

/// Says which answers chance may have put in their order.
fn close(answer: &Answer) -> Option<String> {
    let &(one, other) = answer.close.first()?;
    let [one, other] = [one, other].map(|group| named(answer, &answer.groups[group]));
    let more = match answer.close.len() - 1 {
        0 => String::new(),
        more => format!(", and so do {more} more pairs"),
    };
    Some(format!("the answers for {one} and for {other} differ by less than their 95 % intervals{more}"))
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
    let joint = if unit.is_empty() { String::new() } else { JOINT.to_string() };
    format!("{}{joint}{unit}", style.show(value * factor))
}

/// Returns how a figure is shown.
fn style(figure: &Figure) -> Style {
    match figure.unit {
        "s" => Style::Seconds,
        "ns" => Style::Nanoseconds,
        "J" => Style::Joules,
        "W" => Style::Watts,
        "money" => Style::Money,
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
pub fn json(study: &Study, answer: &Answer) -> Value {
    let case = |row: usize| {
        let mut case = json!({ cases::CASE_ID.name: study.cases[row].id, "label": study.cases[row].label });
        for figure in std::iter::once(&answer.goal).chain(&answer.time).chain(&answer.saved) {
            case[figure.name.as_str()] = json!(figure.of(row));
            if let Some(half_width) = figure.half_width(row) {
                case[format!("{}.half_width", figure.name)] = json!(half_width);
            }
        }
        case
    };
    let group = |group: &Group| {
        let by: Map<_, _> = answer.by.iter().cloned().zip(group.values.iter().map(|value| json!(value))).collect();
        let missed = |Missed { figure, bound, value }: &Missed| json!({ "figure": figure.name, "value": value, "bound": bound, "by": (value - bound).abs() });
        let nearest = group.nearest.as_ref().map(|(row, all)| {
            let mut nearest = case(*row);
            nearest["missed"] = all.iter().map(missed).collect();
            nearest
        });
        json!({
            "by": by,
            "cases": group.cases,
            "keep": group.keep,
            "best": group.best.map(case),
            "equal": group.equal,
            "nearest": nearest,
            "front": group.front.iter().map(|&row| case(row)).collect::<Vec<_>>(),
            "oracle": group.oracle,
            "mixed": group.is_mixed,
            "overlapping": group.open.rivals.iter().map(|&row| study.cases[row].id.as_str()).collect::<Vec<_>>(),
            "unsure": group.open.bounds,
        })
    };
    let meanings: Map<_, _> = answer.meanings.iter().map(|(name, meaning)| (name.clone(), json!(meaning))).collect();
    json!({
        "minimize": answer.goal.name,
        "compared": meanings,
        "groups": answer.groups.iter().map(group).collect::<Vec<_>>(),
        "close": answer.close,
    })
}
