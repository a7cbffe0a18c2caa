//! The table of `drowse run`.

use drowse_run::compare::Outcome;
use drowse_tables::{Row, Value};

use super::number::Style;
use super::sheet::Sheet;

/// A line: its label, the figure's name, how it is shown, and the name of its ratio to the baseline.
type Line = (&'static str, &'static str, Style, &'static str);

/// The lines, by headed groups; a figure that does not apply leaves no line.
const GROUPS: &[(&str, &[Line])] = &[
    (
        "run",
        &[
            ("makespan", "makespan_s", Style::Seconds, "relative.makespan"),
            ("ranks running (Run_task)", "ranks.running_fraction", Style::Percent, ""),
            ("load offered", "load.offered", Style::Percent, ""),
            ("load accepted", "load.accepted", Style::Percent, ""),
        ],
    ),
    (
        "network",
        &[
            ("nodes", "network.nodes", Style::Count(""), ""),
            ("switches", "network.switches", Style::Count(""), ""),
            ("links between switches", "network.switch_links", Style::Count(""), ""),
            ("switch ports", "network.ports", Style::Count(""), ""),
            ("packets delivered", "packets.delivered", Style::Count(""), ""),
            ("hops", "packets.hops", Style::Count(""), ""),
        ],
    ),
    (
        "latency",
        &[
            ("packet, mean", "latency.packet.mean_ns", Style::Nanoseconds, ""),
            ("packet, median", "latency.packet.p50_ns", Style::Nanoseconds, ""),
            ("packet, 99 %", "latency.packet.p99_ns", Style::Nanoseconds, ""),
            ("packet, largest", "latency.packet.max_ns", Style::Nanoseconds, ""),
            ("message, mean", "latency.message.mean_ns", Style::Nanoseconds, ""),
            ("message, median", "latency.message.p50_ns", Style::Nanoseconds, ""),
            ("message, 99 %", "latency.message.p99_ns", Style::Nanoseconds, ""),
            ("message, largest", "latency.message.max_ns", Style::Nanoseconds, ""),
        ],
    ),
    (
        "link states (share of channel time)",
        &[
            ("on", "links.on_fraction", Style::Percent, ""),
            ("entering sleep", "links.entering_fraction", Style::Percent, ""),
            ("shallow sleep", "links.shallow_fraction", Style::Percent, ""),
            ("deep sleep", "links.deep_fraction", Style::Percent, ""),
            ("waking", "links.waking_fraction", Style::Percent, ""),
            ("wakes", "links.wakes", Style::Count(""), ""),
            ("messages delayed by waking", "links.delayed_messages", Style::Count(""), ""),
            ("time that these lost", "links.time_lost_s", Style::Seconds, ""),
            ("mean of it", "links.time_lost_per_message_ns", Style::Nanoseconds, ""),
        ],
    ),
    (
        "runtime system in command of links",
        &[
            ("iterations", "runtime.iterations", Style::Count(""), ""),
            ("pattern known at", "runtime.learned_s", Style::Seconds, ""),
            ("times learned anew", "runtime.relearned", Style::Count(""), ""),
            ("notifications", "runtime.notifications", Style::Count(""), ""),
            ("channels commanded", "runtime.channels_commanded", Style::Count(""), ""),
            ("channels known to be used", "runtime.channels_marked", Style::Count(""), ""),
            ("channels woken by packets", "runtime.woken", Style::Count(""), ""),
            ("iteration, learned from", "runtime.iteration_learned_s", Style::Seconds, ""),
            ("iteration, under command", "runtime.iteration_after_s", Style::Seconds, ""),
            ("turned down at", "runtime.turned_down_s", Style::Seconds, ""),
        ],
    ),
    (
        "power and energy (power: share of the maximum; energy: seconds of it)",
        &[
            ("power of a port (W_ports)", "energy.w_ports", Style::Percent, ""),
            ("power of the network (W_net)", "energy.w_net", Style::Percent, ""),
            ("energy of the network (E_net)", "energy.e_net", Style::Seconds, "relative.e_net"),
            ("energy of links between switches", "energy.links.switch", Style::Seconds, ""),
            ("energy of all links", "energy.links.all", Style::Seconds, "relative.links"),
            ("energy of all links, in joules", "energy.links.all_j", Style::Plain("J"), ""),
            ("energy of all links x makespan", "energy.edp", Style::Plain("s2"), "relative.edp"),
        ],
    ),
    (
        "energy of the whole system over its life, in money",
        &[
            ("links' share of it", "cost.links_fraction", Style::Percent, ""),
            ("with links as in the baseline", "cost.lifetime", Style::Plain(""), ""),
            ("share that is saved", "cost.saved_fraction", Style::Percent, ""),
            ("saved", "cost.saved", Style::Plain(""), ""),
            ("total cost", "cost.total", Style::Plain(""), ""),
        ],
    ),
];

const ENGINE: &[Line] = &[
    ("events", "engine.events", Style::Count(""), ""),
    ("hops per CPU second", "engine.hops_per_s", Style::Plain("1/s"), ""),
    ("time", "engine.wall_s", Style::Seconds, ""),
    ("peak memory", "engine.peak_rss_bytes", Style::Bytes, ""),
];

/// Lays out the figures of a case, beside those of a baseline and its name if there is one.
pub fn table(outcome: &Outcome, baseline: Option<(&Outcome, &str)>) -> String {
    let mut columns = vec!["this case".to_owned()];
    columns.extend(baseline.map(|(_, name)| name.to_owned()));
    let mut sheet = Sheet::new(&outcome.case.system.title, columns);
    let outcomes: Vec<&Outcome> = std::iter::once(outcome).chain(baseline.map(|(baseline, _)| baseline)).collect();
    let rows: Vec<&Row> = outcomes.iter().map(|outcome| &outcome.summary.figures).collect();
    let engines: Vec<&Row> = outcomes.iter().map(|outcome| &outcome.summary.engine).collect();
    for (heading, lines) in GROUPS {
        sheet.group(heading);
        add_lines(&mut sheet, lines, &rows, &outcome.summary.relative);
        if *heading == "run" {
            add_jobs(&mut sheet, &outcomes);
        }
    }
    add_cluster(&mut sheet, &rows);
    sheet.group("simulation");
    add_lines(&mut sheet, ENGINE, &engines, &Row::new());
    add_notes(&mut sheet, outcome, baseline);
    sheet.to_string()
}

fn add_lines(sheet: &mut Sheet, lines: &[Line], rows: &[&Row], relative: &Row) {
    for (label, name, style, ratio) in lines {
        let values: Vec<Option<f64>> = rows.iter().map(|row| row.number(name)).collect();
        sheet.line(*label, *style, &values, relative.number(ratio));
    }
}

/// Adds the makespan and running share of each job, where there are several; those of a baseline beside the same names.
fn add_jobs(sheet: &mut Sheet, outcomes: &[&Outcome]) {
    let Some(jobs) = outcomes.first().map(|outcome| &outcome.summary.jobs).filter(|jobs| jobs.len() > 1) else {
        return;
    };
    for (heading, figure, style) in [
        ("makespan of each job, from its start", "makespan_s", Style::Seconds),
        ("ranks running of each job", "running_fraction", Style::Percent),
    ] {
        sheet.group(heading);
        for job in jobs {
            let value = |outcome: &&Outcome| {
                let same = outcome.summary.jobs.iter().find(|other| other.get("job") == job.get("job"));
                same.and_then(|same| same.number(figure))
            };
            let values: Vec<Option<f64>> = outcomes.iter().map(value).collect();
            let ratio = job.number("relative.makespan").filter(|_| figure == "makespan_s");
            let label = job.get("job").map(Value::to_string).unwrap_or_default();
            sheet.line(label, style, &values, ratio);
        }
    }
}

/// Adds the energy of network and nodes for each power that an idle node draws.
fn add_cluster(sheet: &mut Sheet, rows: &[&Row]) {
    sheet.group("energy of network and nodes (E_cluster), by what an idle node draws");
    let Some(first) = rows.first() else { return };
    for (idle, _) in first.list("energy.e_cluster") {
        let name = format!("energy.e_cluster[{idle}]");
        let values: Vec<Option<f64>> = rows.iter().map(|row| row.number(&name)).collect();
        let ratio = match values.as_slice() {
            [Some(ours), Some(theirs)] if *theirs > 0.0 => Some(ours / theirs),
            _ => None,
        };
        let label = format!("idle node {:.0} %", idle.parse::<f64>().unwrap_or_default() * 100.0);
        sheet.line(label, Style::Seconds, &values, ratio);
    }
}

fn add_notes(sheet: &mut Sheet, outcome: &Outcome, baseline: Option<(&Outcome, &str)>) {
    let identity = &outcome.summary.identity;
    let text = |name: &str| identity.get(name).map(Value::to_string).unwrap_or_default();
    sheet.note(format!("drowse {}, seed {}, case {}", text("version"), text("seed"), text("case_id")));
    for (_, warning) in identity.list("warnings") {
        sheet.note(format!("warning: {warning}"));
    }
    if let Some((baseline, name)) = baseline {
        for (_, warning) in baseline.summary.identity.list("warnings") {
            sheet.note(format!("warning of {name}: {warning}"));
        }
    }
}
