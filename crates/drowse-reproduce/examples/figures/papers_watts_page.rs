//! The page on what the papers' networks save by measured watts.

use std::fmt::Write;

use drowse_experiment::devices::Saving;

use crate::idling;
use crate::papers_watts::{Mechanism, Study};

const TEXT: &str = include_str!("papers_watts_text.md");

/// Writes the page.
pub fn page(study: &Study, idle: &idling::Study) -> String {
    let best = study.switches.iter().map(Saving::sleepable).fold(0.0, f64::max);
    let most = |of: &dyn Fn(&Mechanism) -> f64| percent(study.mechanisms.iter().map(of).fold(0.0, f64::max));
    let pays = |sleepable: &dyn Fn(&Mechanism) -> f64| {
        let timed = study.mechanisms.iter().filter_map(|it| Some((it, it.slowdown?)));
        let (all, pays) = timed.fold((0, 0), |(all, pays), (it, slowdown)| {
            (all + 1, pays + u32::from(slowdown < it.bearable(sleepable(it))))
        });
        format!("{pays} of {all}")
    };
    let values = [
        ("saves", savings(study)),
        ("pays", payments(study, best)),
        ("parts", parts(study)),
        ("idle", idle_times(idle)),
        ("most_paper", most(&|it| it.saves(it.shares.sleepable()))),
        ("most_measured", most(&|it| it.saves(best))),
        ("best", percent(best)),
        ("pay_paper", pays(&|it| it.shares.sleepable())),
        ("pay_measured", pays(&|_| best)),
    ];
    values.iter().fold(TEXT.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
}

fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent.abs() < 9.95 { format!("{percent:.1} %") } else { format!("{percent:.0} %") }
}

fn named(switch: &Saving<'_>) -> String {
    let gigabits = switch.rate.0 as f64 / 1e9;
    format!("{}, {} {gigabits} Gb/s", switch.device.name, switch.medium.word())
}

/// A column for each mechanism: what was asleep, and what the network saves by the paper's shares and by each switch.
fn savings(study: &Study) -> String {
    let columns = |of: &dyn Fn(&Mechanism) -> String| study.mechanisms.iter().map(of).collect::<Vec<_>>();
    let row = |name: &str, cells: Vec<String>| format!("| {name} | {} |", cells.join(" | "));
    let mut rows = vec![
        row("", columns(&|it| it.name.to_owned())),
        format!("|---|{}", "---:|".repeat(study.mechanisms.len())),
        row("asleep", columns(&|it| percent(it.asleep))),
        row("saved by the paper's shares", columns(&|it| percent(it.saves(it.shares.sleepable())))),
    ];
    let by = |switch: &Saving<'_>| row(&named(switch), columns(&|it| percent(it.saves(switch.sleepable()))));
    rows.extend(study.switches.iter().map(by));
    rows.join("\n")
}

/// A row for each mechanism that was simulated: the slowdown, and at which one a machine saves nothing.
fn payments(study: &Study, best: f64) -> String {
    let mut table = String::from(
        "| mechanism | network's share of the machine | slowdown | borne by the paper's shares | borne by the best \
         measured |\n|---|---:|---:|---:|---:|\n",
    );
    for (it, slowdown) in study.mechanisms.iter().filter_map(|it| Some((it, it.slowdown?))) {
        let shares = [it.shares.machine, slowdown, it.bearable(it.shares.sleepable()), it.bearable(best)].map(percent);
        let _ = writeln!(table, "| {} | {} |", it.name, shares.join(" | "));
    }
    table.trim_end().to_owned()
}

/// A row for each switch: what has to be off to save half of its power.
fn parts(study: &Study) -> String {
    let mut table =
        String::from("| switch, full | sleeps with its links | stays in modules | chassis |\n|---|---:|---:|---:|\n");
    for switch in &study.switches {
        let whole = switch.whole();
        let stays = (f64::from(switch.ports) * switch.on / whole - switch.sleepable()).max(0.0);
        let shares = [switch.sleepable(), stays, switch.base / whole].map(percent);
        let _ = writeln!(table, "| {} | {} |", named(switch), shares.join(" | "));
    }
    table.trim_end().to_owned()
}

/// A row for each time: the share of the idle time of edge links that lies in longer periods.
fn idle_times(idle: &idling::Study) -> String {
    let names: Vec<&str> = idle.idling.iter().map(|program| program.name).collect();
    let mut table = format!("| longer than | {} |\n|---|{}\n", names.join(" | "), "---:|".repeat(names.len()));
    for (bin, length) in [(20, "10 us"), (40, "100 us"), (60, "1 ms"), (80, "10 ms")] {
        let shares = idle.idling.iter().map(|program| percent(program.time_in_longer(bin)));
        let _ = writeln!(table, "| {length} | {} |", shares.collect::<Vec<_>>().join(" | "));
    }
    table.trim_end().to_owned()
}
