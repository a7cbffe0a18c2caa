//! Numbers in the prose of a page, taken from the kept rows of a reproduction.
//!
//! - `{{ours PLACE|QUANTITY|DECIMALS}}` and `{{theirs ...}}`: a number of a row. `*, CG` is any place of the program CG.
//! - `{{more PLACE|QUANTITY|DECIMALS}}`: by how many percent ours is more than 1.
//! - `{{list QUANTITY|<=|LIMIT}}` and `|>|`: the programs whose number is at most, or above, a limit.
//! - `{{count QUANTITY|<=|LIMIT}}`: how many they are, of how many.

use std::error::Error;

use drowse_tables::Row;
use drowse_tables::schema::{Column, reproduction};

/// Puts the numbers into a text.
pub fn fill(text: &str, rows: &[Row]) -> Result<String, Box<dyn Error>> {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("{{") {
        let (asked, after) = behind.split_once("}}").ok_or("`{{` without `}}`")?;
        filled.push_str(before);
        filled.push_str(&number(asked, rows).ok_or_else(|| format!("there is no number for {{{{{asked}}}}}"))?);
        rest = after;
    }
    Ok(filled + rest)
}

fn number(asked: &str, rows: &[Row]) -> Option<String> {
    let (kind, asked) = asked.split_once(' ')?;
    let [a, b, c] = <[&str; 3]>::try_from(asked.split('|').collect::<Vec<_>>()).ok()?;
    let shown = |value: f64| Some(format!("{value:.decimals$}", decimals = c.parse::<usize>().ok()?));
    match kind {
        "ours" => shown(find(rows, a, b, reproduction::OURS)?),
        "theirs" => shown(find(rows, a, b, reproduction::THEIRS)?),
        "more" => shown(100.0 * (find(rows, a, b, reproduction::OURS)? - 1.0)),
        "list" => Some(listed(&chosen(rows, a, b, c)?.0)),
        "count" => chosen(rows, a, b, c).map(|(names, of)| format!("{} of {of}", names.len())),
        _ => None,
    }
}

fn find(rows: &[Row], place: &str, quantity: &str, column: Column) -> Option<f64> {
    let is_there = |of: &str| place.strip_prefix('*').map_or(of == place, |end| of.ends_with(end));
    let row = rows.iter().find(|row| {
        row.text(reproduction::QUANTITY) == quantity
            && is_there(&row.text(reproduction::PLACE))
            && row.number(column).is_some()
    })?;
    row.number(column)
}

/// Returns the programs whose number fits, in the order of the page, and the number of all that have one.
fn chosen(rows: &[Row], quantity: &str, relation: &str, limit: &str) -> Option<(Vec<String>, usize)> {
    let limit: f64 = limit.parse().ok()?;
    let fits = |value: f64| if relation == "<=" { value <= limit } else { value > limit };
    let of = |name: &String| find(rows, &format!("*, {name}"), quantity, reproduction::OURS);
    let all: Vec<String> = programs(rows).into_iter().filter(|name| of(name).is_some()).collect();
    let names = all.iter().filter(|name| of(name).is_some_and(fits)).cloned().collect();
    Some((names, all.len()))
}

/// Returns the programs that have been run, in the order of the reproduction.
pub fn programs(rows: &[Row]) -> Vec<String> {
    let mut programs: Vec<String> = Vec::new();
    for row in rows.iter().filter(|row| row.number(reproduction::OURS).is_some()) {
        if let Some(name) = row.text(reproduction::PLACE).strip_prefix("Fig. 16, ")
            && !programs.iter().any(|known| known == name)
        {
            programs.push(name.to_owned());
        }
    }
    programs
}

/// Returns a number of a program of ours.
pub fn of_program(rows: &[Row], program: &str, quantity: &str) -> Option<f64> {
    find(rows, &format!("*, {program}"), quantity, reproduction::OURS)
}

/// Returns the verdict of a row; that on a number by which a choice was made is marked.
pub fn verdict(row: &Row) -> String {
    let mark = if row.get(reproduction::FITTED).is_some() { ", fitted" } else { "" };
    row.text(reproduction::VERDICT) + mark
}

/// Returns how a number was computed, and which choice was made by it.
pub fn reason(row: &Row) -> String {
    let choice = row.text(reproduction::FITTED);
    let choice = if choice.is_empty() { choice } else { format!("; this number chose {choice}") };
    row.text(reproduction::REASON) + &choice
}

/// Tells in a paragraph how many numbers of a paper have each verdict; those by which a choice was made are apart.
pub fn verdicts(rows: &[Row]) -> String {
    let (fitted, rows): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.get(reproduction::FITTED).is_some());
    let count =
        |rows: &[&Row], verdict: &str| rows.iter().filter(|row| row.text(reproduction::VERDICT) == verdict).count();
    let unexplained = rows.iter().filter(|row| row.text(reproduction::REASON).ends_with("; unexplained")).count();
    let follow = rows.iter().filter(|row| row.text(reproduction::REASON).contains("; follows from ")).count();
    let follow = if follow == 0 { "; ".to_owned() } else { format!(" and {follow} follow from others;\n") };
    let [equal, within, differs, shown, not_run] =
        ["equal", "within", "differs", "shown", "not run"].map(|verdict| count(&rows, verdict));
    let apart = if fitted.is_empty() {
        String::new()
    } else {
        let (all, differs) = (fitted.len(), count(&fitted, "differs"));
        format!(
            "\nNot counted are {all} *fitted* ones, by which a setting was chosen, or that follow from it; differ: {differs}."
        )
    };
    format!(
        "Equal: {equal} numbers; within: {within}; differ: {differs}, of which {unexplained} are unexplained{follow}only shown: {shown}; \
         not run: {not_run}.{apart}\n"
    )
}

/// Shows a number with as many decimals as it has, two at most.
pub fn shown(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn listed(names: &[String]) -> String {
    match names {
        [] => "none".into(),
        [name] => name.clone(),
        [names @ .., last] => format!("{} and {last}", names.join(", ")),
    }
}
