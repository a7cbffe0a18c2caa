//! `drowse show`, and the sections of `drowse run --details`: a run on one screen.

use std::fs;

use crate::support::{drowse_in, ping};

/// Returns the mean share of time asleep of the channels of a class, by hand from the table.
fn asleep(table: &str, class: &str) -> f64 {
    let cells = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let names = cells(table.lines().next().unwrap());
    let place = |name: &str| names.iter().position(|column| column == name).unwrap();
    let states = ["shallow_ps", "deep_ps", "on_ps", "entering_ps", "waking_ps"].map(place);
    let rows: Vec<Vec<String>> = table.lines().map(cells).filter(|row| row[place("class")] == class).collect();
    let share = |row: &Vec<String>| {
        let times = states.map(|state| row[state].parse::<f64>().unwrap());
        (times[0] + times[1]) / times.iter().sum::<f64>()
    };
    rows.iter().map(share).sum::<f64>() / rows.len() as f64
}

#[test]
fn a_run_fits_on_a_screen_with_and_without_colour() {
    let folder = ping();
    let run = |arguments: &[&str]| drowse_in(folder.path(), arguments);
    assert_eq!(run(&["run", "ping.toml", "--out", "run"]).code, Some(0));
    let shown = run(&["show", "run"]);
    assert_eq!((shown.code, shown.stderr.as_str()), (Some(0), ""));
    let table = fs::read_to_string(folder.path().join("run/channels.csv")).unwrap();
    let note = format!("{:.1} % asleep", asleep(&table, "dim-0") * 100.0);
    assert!(shown.stdout.lines().any(|line| line.starts_with("  dim-0 ") && line.ends_with(&note)), "{}", shown.stdout);
    assert!(shown.stdout.contains("share of time asleep, channel by channel"));
    // The same in colour, but for the codes of colours.
    let coloured = run(&["show", "run", "--color", "always"]).stdout;
    let parts: Vec<&str> = coloured.split('\u{1b}').collect();
    assert!(parts.len() > 3 && !shown.stdout.contains('\u{1b}'));
    let plain: String =
        parts[0].to_owned() + &parts[1..].iter().map(|part| part.split_once('m').unwrap().1).collect::<String>();
    assert_eq!(plain, shown.stdout);
    // Over time, where that was recorded.
    let over_time = ["run", "ping.toml", "--timeline", "table", "--table", "power", "--out", "run", "--force"];
    assert_eq!(run(&over_time).code, Some(0));
    let shown = run(&["show", "run"]).stdout;
    assert!(shown.contains("links asleep, from 0 to") && shown.contains("power, from 0 to"), "{shown}");
    assert!(shown.lines().count() <= 24 && shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    let refused = run(&["show", "run", "--case", "joy"]);
    insta::assert_snapshot!(refused.stderr, @"error: run: has no case `joy`; it has: this case");
}

#[test]
fn details_are_chosen_by_section() {
    let folder = ping();
    let run = |arguments: &[&str]| drowse_in(folder.path(), &[&["run", "ping.toml"], arguments].concat());
    let headings = |text: &str| {
        let lines: Vec<&str> = text.lines().collect();
        let is_heading = |at: usize| !lines[at].starts_with(' ') && lines[at + 1].starts_with("  ");
        (1..lines.len() - 1)
            .filter(|&at| lines[at - 1].is_empty() && is_heading(at))
            .map(|at| lines[at].to_owned())
            .collect::<Vec<_>>()
    };
    let some = headings(&run(&["--details", "links,latency"]).stdout);
    assert_eq!(some[..2], ["latency", "link states (share of channel time)"]);
    let all = headings(&run(&["--details"]).stdout);
    assert!(all.len() > some.len() && some.iter().all(|heading| all.contains(heading)), "{all:?}");
    let refused = run(&["--details", "joy"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("joy") && refused.stderr.contains("links") && refused.stderr.contains("engine"));
}
