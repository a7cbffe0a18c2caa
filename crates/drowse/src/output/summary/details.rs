//! The table of `drowse run --details`: all figures.

use std::collections::{BTreeMap, BTreeSet};

use drowse_core::measure::{Histogram, Record};
use drowse_experiment::{LeftOut, System};
use drowse_run::outcome::Outcome;
use drowse_tables::Row;
use drowse_tables::schema::{Column, cases, engine, jobs};

use super::costs::{CAP, COSTS, LIMITS, OVER_TIME};
use super::sections::Section;
use super::wakes::add_wakes;
use super::{Baseline, NODES, sheet};
use crate::output::number::Style;
use crate::output::sheet::Sheet;

/// A line: its label, its figure, how that is shown, and its ratio to the baseline.
type Line<'a> = (&'a str, Column, Style, Option<Column>);

/// The heading of the first group, behind which those of jobs come.
const RUN: &str = "run";
/// The heading of latencies, behind which their histograms come.
const LATENCY: &str = "latency";
/// The heading of what ranks wait for, behind which their time by kind of operation comes.
const WAITS: &str = "what ranks wait for (share of the makespan, in the mean)";
/// The heading of energies with those of nodes, and of what the simulation took.
const CLUSTER: &str = "relative energy of network and nodes (E_cluster), by what an idle node draws";
const SIMULATION: &str = "simulation";
/// The most columns of a histogram in a line.
const SPREAD: usize = 8;
const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The lines, by headed groups; a figure that does not apply leaves no line.
const GROUPS: &[(&str, &[Line<'static>])] = &[
    (
        RUN,
        &[
            ("makespan", cases::MAKESPAN_S, Style::Seconds, Some(cases::RELATIVE_MAKESPAN)),
            ("of it before the first message", cases::MESSAGES_BEFORE_FRACTION, Style::Percent, None),
            ("of it behind the last message", cases::MESSAGES_AFTER_FRACTION, Style::Percent, None),
            ("operations that ranks ran", cases::RANKS_OPERATIONS, Style::Count(""), None),
            ("load offered", cases::LOAD_OFFERED, Style::Percent, None),
            ("load accepted", cases::LOAD_ACCEPTED, Style::Percent, None),
        ],
    ),
    (
        "how ranks spend the makespan, in the mean",
        &[
            ("computing (Run_task)", cases::RANKS_RUNNING_FRACTION, Style::Percent, None),
            ("busy with messages", cases::RANKS_OVERHEAD_FRACTION, Style::Percent, None),
            ("waiting for messages", cases::RANKS_RECEIVING_FRACTION, Style::Percent, None),
            ("waiting until sends are complete", cases::RANKS_SENDING_FRACTION, Style::Percent, None),
            ("in collective operations", cases::RANKS_COLLECTIVES_FRACTION, Style::Percent, None),
        ],
    ),
    (
        WAITS,
        &[
            ("partners that work", cases::RANKS_WAIT_PARTNER_WORKING_FRACTION, Style::Percent, None),
            ("partners that wait, too", cases::RANKS_WAIT_PARTNER_WAITING_FRACTION, Style::Percent, None),
            ("the network", cases::RANKS_WAIT_NETWORK_FRACTION, Style::Percent, None),
            ("the memory of their nodes", cases::RANKS_WAIT_MEMORY_FRACTION, Style::Percent, None),
            ("waking links, also before", cases::RANKS_WAIT_WAKING_FRACTION, Style::Percent, None),
        ],
    ),
    (
        "jobs under the scheduler",
        &[
            ("core time held (utilisation)", cases::JOBS_UTILISATION, Style::Percent, None),
            ("wait, mean", cases::JOBS_WAIT_MEAN_S, Style::Seconds, None),
            ("wait, longest", cases::JOBS_WAIT_MAX_S, Style::Seconds, None),
            ("run time, mean", cases::JOBS_RUN_MEAN_S, Style::Seconds, None),
            ("slowdown by waiting, mean", cases::JOBS_SLOWDOWN_MEAN, Style::Plain(""), None),
            ("slowdown by waiting, largest", cases::JOBS_SLOWDOWN_MAX, Style::Plain(""), None),
            ("node time without a job, on", cases::JOBS_NODES_FREE_FRACTION, Style::Percent, None),
            ("node time without a job, off", cases::JOBS_NODES_OFF_FRACTION, Style::Percent, None),
            ("nodes turned on again", cases::JOBS_NODES_RESUMES, Style::Plain(""), None),
        ],
    ),
    (
        "what the makespan consists of (critical path)",
        &[
            ("ranks compute", cases::PATH_COMPUTING_FRACTION, Style::Percent, None),
            ("ranks are busy with messages", cases::PATH_OVERHEAD_FRACTION, Style::Percent, None),
            ("messages go through memory", cases::PATH_MEMORY_FRACTION, Style::Percent, None),
            ("messages go through the network", cases::PATH_NETWORK_FRACTION, Style::Percent, None),
            ("messages wait for waking links", cases::PATH_WAKING_FRACTION, Style::Percent, None),
        ],
    ),
    (
        "network",
        &[
            ("nodes", cases::NETWORK_NODES, Style::Count(""), None),
            ("switches", cases::NETWORK_SWITCHES, Style::Count(""), None),
            ("links between switches", cases::NETWORK_SWITCH_LINKS, Style::Count(""), None),
            ("switch ports", cases::NETWORK_PORTS, Style::Count(""), None),
            ("packets delivered", cases::PACKETS_DELIVERED, Style::Count(""), None),
            ("hops", cases::PACKETS_HOPS, Style::Count(""), None),
            ("packets out of order", cases::REORDERING_PACKETS, Style::Count(""), None),
            ("farthest ahead of a missing packet", cases::REORDERING_MOST_PACKETS, Style::Count(""), None),
            ("held for those before them", cases::REORDERING_HELD_PACKETS, Style::Count(""), None),
            ("how long, mean", cases::REORDERING_HOLD_MEAN_NS, Style::Nanoseconds, None),
        ],
    ),
    (
        "what nodes answer",
        &[
            ("acknowledgements", cases::TRANSPORT_ACKS, Style::Count(""), None),
            ("packets marked", cases::TRANSPORT_MARKED_FRACTION, Style::Percent, None),
            ("notifications of them", cases::TRANSPORT_NOTIFICATIONS, Style::Count(""), None),
            ("credits and requests", cases::TRANSPORT_CREDITS, Style::Count(""), None),
            ("senders slowed down", cases::TRANSPORT_CUTS, Style::Count(""), None),
            ("packets dropped", cases::TRANSPORT_DROPPED, Style::Count(""), None),
            ("packets cut short", cases::TRANSPORT_TRIMMED, Style::Count(""), None),
            ("packets sent again", cases::TRANSPORT_RESENT, Style::Count(""), None),
            ("packets of no use", cases::TRANSPORT_SUPERFLUOUS, Style::Count(""), None),
            ("nothing came in time", cases::TRANSPORT_TIMEOUTS, Style::Count(""), None),
            ("round trip, mean", cases::TRANSPORT_ROUND_TRIP_MEAN_NS, Style::Nanoseconds, None),
            ("round trip, longest", cases::TRANSPORT_ROUND_TRIP_MAX_NS, Style::Nanoseconds, None),
            ("of the mean, links woke", cases::TRANSPORT_WAKING_MEAN_NS, Style::Nanoseconds, None),
        ],
    ),
    (
        LATENCY,
        &[
            ("packet, mean", cases::LATENCY_PACKET_MEAN_NS, Style::Nanoseconds, None),
            ("packet, median", cases::LATENCY_PACKET_P50_NS, Style::Nanoseconds, None),
            ("packet, 99 %", cases::LATENCY_PACKET_P99_NS, Style::Nanoseconds, None),
            ("packet, largest", cases::LATENCY_PACKET_MAX_NS, Style::Nanoseconds, None),
            ("message, mean", cases::LATENCY_MESSAGE_MEAN_NS, Style::Nanoseconds, None),
            ("message, median", cases::LATENCY_MESSAGE_P50_NS, Style::Nanoseconds, None),
            ("message, 99 %", cases::LATENCY_MESSAGE_P99_NS, Style::Nanoseconds, None),
            ("message, largest", cases::LATENCY_MESSAGE_MAX_NS, Style::Nanoseconds, None),
        ],
    ),
    (
        "traffic beside the jobs",
        &[
            ("load offered", cases::BACKGROUND_LOAD_OFFERED, Style::Percent, None),
            ("load accepted", cases::BACKGROUND_LOAD_ACCEPTED, Style::Percent, None),
            ("packets delivered", cases::BACKGROUND_PACKETS_DELIVERED, Style::Count(""), None),
            ("packet, mean", cases::BACKGROUND_LATENCY_PACKET_MEAN_NS, Style::Nanoseconds, None),
            ("packet, median", cases::BACKGROUND_LATENCY_PACKET_P50_NS, Style::Nanoseconds, None),
            ("packet, 99 %", cases::BACKGROUND_LATENCY_PACKET_P99_NS, Style::Nanoseconds, None),
            ("message, mean", cases::BACKGROUND_LATENCY_MESSAGE_MEAN_NS, Style::Nanoseconds, None),
        ],
    ),
    (
        "link states (share of channel time)",
        &[
            ("on", cases::LINKS_ON_FRACTION, Style::Percent, None),
            ("entering sleep", cases::LINKS_ENTERING_FRACTION, Style::Percent, None),
            ("shallow sleep", cases::LINKS_SHALLOW_FRACTION, Style::Percent, None),
            ("deep sleep", cases::LINKS_DEEP_FRACTION, Style::Percent, None),
            ("third sleep state", cases::LINKS_THIRD_FRACTION, Style::Percent, None),
            ("fourth sleep state", cases::LINKS_FOURTH_FRACTION, Style::Percent, None),
            ("fifth sleep state", cases::LINKS_FIFTH_FRACTION, Style::Percent, None),
            ("sixth sleep state", cases::LINKS_SIXTH_FRACTION, Style::Percent, None),
            ("waking", cases::LINKS_WAKING_FRACTION, Style::Percent, None),
            ("wakes", cases::LINKS_WAKES, Style::Count(""), None),
            ("messages delayed by waking", cases::LINKS_DELAYED_MESSAGES, Style::Count(""), None),
            ("total wait of these, not of those behind", cases::LINKS_TIME_LOST_S, Style::Seconds, None),
            ("mean wait of one of these", cases::LINKS_TIME_LOST_PER_MESSAGE_NS, Style::Nanoseconds, None),
        ],
    ),
    (
        "runtime system in command of links",
        &[
            ("iterations", cases::RUNTIME_ITERATIONS, Style::Count(""), None),
            ("pattern known at", cases::RUNTIME_LEARNED_S, Style::Seconds, None),
            ("times learned anew", cases::RUNTIME_RELEARNED, Style::Count(""), None),
            ("notifications", cases::RUNTIME_NOTIFICATIONS, Style::Count(""), None),
            ("messages to detect that all have come", cases::RUNTIME_DETECTING, Style::Count(""), None),
            ("channels commanded", cases::RUNTIME_CHANNELS_COMMANDED, Style::Count(""), None),
            ("channels known to be used", cases::RUNTIME_CHANNELS_MARKED, Style::Count(""), None),
            ("channels woken by packets", cases::RUNTIME_WOKEN, Style::Count(""), None),
            ("iteration, learned from", cases::RUNTIME_ITERATION_LEARNED_S, Style::Seconds, None),
            ("iteration, under command", cases::RUNTIME_ITERATION_AFTER_S, Style::Seconds, None),
            ("turned down at", cases::RUNTIME_TURNED_DOWN_S, Style::Seconds, None),
        ],
    ),
    (
        "energy",
        &[
            ("links of nodes", cases::ENERGY_LINKS_NODE_J, Style::Joules, None),
            (
                "links between switches",
                cases::ENERGY_LINKS_SWITCH_J,
                Style::Joules,
                Some(cases::RELATIVE_LINKS_SWITCH_J),
            ),
            ("all links", cases::ENERGY_LINKS_ALL_J, Style::Joules, Some(cases::RELATIVE_LINKS_J)),
            ("switches without their links", cases::ENERGY_SWITCHES_J, Style::Joules, None),
            ("NICs", cases::ENERGY_NICS_J, Style::Joules, None),
            (
                "network: links, switches and NICs",
                cases::ENERGY_NETWORK_J,
                Style::Joules,
                Some(cases::RELATIVE_NETWORK_J),
            ),
            (NODES, cases::ENERGY_NODES_J, Style::Joules, Some(cases::RELATIVE_NODES_J)),
            ("network and nodes", cases::ENERGY_TOTAL_J, Style::Joules, Some(cases::RELATIVE_TOTAL_J)),
        ],
    ),
    (
        "mean power",
        &[
            ("links of nodes", cases::POWER_LINKS_NODE_W, Style::Watts, None),
            ("links between switches", cases::POWER_LINKS_SWITCH_W, Style::Watts, None),
            ("all links", cases::POWER_LINKS_ALL_W, Style::Watts, None),
            ("switches without their links", cases::POWER_SWITCHES_W, Style::Watts, None),
            ("NICs", cases::POWER_NICS_W, Style::Watts, None),
            ("network: links, switches and NICs", cases::POWER_NETWORK_W, Style::Watts, None),
            (NODES, cases::POWER_NODES_W, Style::Watts, None),
            ("network and nodes", cases::POWER_TOTAL_W, Style::Watts, None),
        ],
    ),
    ("limits of energy and price, where those of NICs or nodes are known only", LIMITS),
    ("cap", CAP),
    ("power over time", OVER_TIME),
    ("cost", COSTS),
    (
        "relative power (share of the maximum) and energy (seconds of it)",
        &[
            ("power of a port (W_ports)", cases::ENERGY_W_PORTS, Style::Percent, None),
            ("power of the network (W_net)", cases::ENERGY_W_NET, Style::Percent, None),
            ("energy of the network (E_net)", cases::ENERGY_E_NET, Style::Seconds, Some(cases::RELATIVE_E_NET)),
            ("mean of a link between switches", cases::ENERGY_LINKS_SWITCH, Style::Seconds, None),
            ("mean of a link", cases::ENERGY_LINKS_ALL, Style::Seconds, Some(cases::RELATIVE_LINKS)),
            ("mean of a link x makespan", cases::ENERGY_EDP, Style::Plain("s2"), Some(cases::RELATIVE_EDP)),
        ],
    ),
    (
        "energy of the whole system over its life, in money",
        &[
            ("links' share of it", cases::COST_LINKS_FRACTION, Style::Percent, None),
            ("with links as in the baseline", cases::COST_LIFETIME, Style::Plain(""), None),
            ("share that is saved", cases::COST_SAVED_FRACTION, Style::Percent, None),
            ("saved", cases::COST_SAVED, Style::Plain(""), None),
            ("total cost", cases::COST_TOTAL, Style::Plain(""), None),
        ],
    ),
];

const ENGINE: &[Line<'static>] = &[
    ("events", engine::ENGINE_EVENTS, Style::Count(""), None),
    ("hops per CPU second", engine::ENGINE_HOPS_PER_S, Style::Plain("1/s"), None),
    ("time", engine::ENGINE_WALL_S, Style::Seconds, None),
    ("peak memory", engine::ENGINE_PEAK_RSS_BYTES, Style::Bytes, None),
    ("processes", engine::ENGINE_PROCESSES, Style::Count(""), None),
    ("windows between them", engine::ENGINE_WINDOWS, Style::Count(""), None),
    ("effects that crossed", engine::ENGINE_EFFECTS, Style::Count(""), None),
    ("sent to each other", engine::ENGINE_BYTES, Style::Bytes, None),
];

/// Lays out the figures of some sections of a case, beside those of a baseline if there is one.
pub fn table(outcome: &Outcome, baseline: Option<&Baseline<'_>>, sections: &[Section]) -> String {
    let mut sheet = sheet(outcome, baseline);
    let outcomes: Vec<&Outcome> = std::iter::once(outcome).chain(baseline.map(|baseline| baseline.outcome)).collect();
    let rows: Vec<Row> = outcomes.iter().map(|outcome| outcome.figures()).collect();
    let engines: Vec<Row> = outcomes.iter().map(|outcome| outcome.summary.engine.clone()).collect();
    let left_out = outcome.case.system.watts.left_out;
    let wanted = |heading: &str| Section::wants(sections, heading);
    for (heading, lines) in GROUPS.iter().filter(|(heading, _)| wanted(heading)) {
        sheet.group(heading);
        let named: Vec<Line> = lines.iter().map(|line| named(*line, &outcome.case.system)).collect();
        add_lines(&mut sheet, &named, &rows, left_out);
        match *heading {
            RUN => add_jobs(&mut sheet, &outcomes),
            LATENCY => add_spreads(&mut sheet, &outcomes),
            WAITS => {
                add_operations(&mut sheet, &outcomes);
                add_wakes(&mut sheet, outcome);
            }
            _ => {}
        }
    }
    if wanted(CLUSTER) {
        add_cluster(&mut sheet, &rows);
    }
    if wanted(SIMULATION) {
        sheet.varying_group(SIMULATION);
        add_lines(&mut sheet, ENGINE, &engines, left_out);
    }
    super::add_notes(&mut sheet, outcome, baseline);
    super::add_device(&mut sheet, outcome);
    sheet.to_string()
}

/// The sleep states of links, lightest first.
const SLEEPS: [Column; 6] = [
    cases::LINKS_SHALLOW_FRACTION,
    cases::LINKS_DEEP_FRACTION,
    cases::LINKS_THIRD_FRACTION,
    cases::LINKS_FOURTH_FRACTION,
    cases::LINKS_FIFTH_FRACTION,
    cases::LINKS_SIXTH_FRACTION,
];

/// Returns a line that calls a sleep state as the experiment does, where all classes of links call it so.
fn named<'a>(line: Line<'a>, system: &'a System) -> Line<'a> {
    let (_, column, style, ratio) = line;
    let Some(place) = SLEEPS.iter().position(|&sleep| sleep == column) else { return line };
    let mut names = system.state_names.iter().filter(|names| !names.is_empty()).map(|names| names.get(place));
    match names.next().flatten() {
        Some(name) if !["shallow", "deep"].contains(&name.as_str()) && names.all(|other| other == Some(name)) => {
            (name, column, style, ratio)
        }
        _ => line,
    }
}

fn add_lines(sheet: &mut Sheet, lines: &[Line<'_>], rows: &[Row], left_out: LeftOut) {
    for &(label, column, style, ratio) in lines {
        let values: Vec<Option<f64>> = rows.iter().map(|row| row.number(column)).collect();
        let ratio = ratio.and_then(|ratio| rows.first()?.number(ratio));
        if super::is_unknown(column, &values, left_out) {
            sheet.words(label, vec![super::UNKNOWN.to_owned(); values.len()]);
        } else {
            sheet.line(super::of_nodes(label, rows), style, &values, ratio);
        }
    }
}

/// A histogram of a record.
type OfRecord = fn(&Record) -> &Histogram;

/// Adds the histograms of latencies, a line each.
fn add_spreads(sheet: &mut Sheet, outcomes: &[&Outcome]) {
    let kinds: [(&str, OfRecord); 2] = [
        ("packet, smallest to largest (log)", |record| &record.packet_latency),
        ("message, smallest to largest (log)", |record| &record.message_latency),
    ];
    for (label, of) in kinds {
        let lines: Vec<String> =
            outcomes.iter().map(|outcome| sparkline(&of(&outcome.record).spread(SPREAD))).collect();
        // One column would say nothing.
        if lines.iter().any(|line| line.chars().count() > 1) {
            sheet.words(label, lines);
        }
    }
}

/// Draws counts as bars of eight heights, and none as a dot.
fn sparkline(counts: &[u64]) -> String {
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let bar = |&count: &u64| match count {
        0 => '·',
        count => HEIGHTS[((u128::from(count) * 8).div_ceil(u128::from(most)) - 1) as usize],
    };
    counts.iter().map(bar).collect()
}

/// Adds makespan and running share of each job, where there are several, beside those of the baseline's jobs of the
/// same names.
fn add_jobs(sheet: &mut Sheet, outcomes: &[&Outcome]) {
    let rows: Vec<Vec<Row>> = outcomes.iter().map(|outcome| outcome.jobs()).collect();
    let Some(first) = rows.first().filter(|jobs| jobs.len() > 1) else { return };
    for (heading, figure, style, ratio) in [
        ("makespan of each job, from its start", jobs::MAKESPAN_S, Style::Seconds, Some(jobs::RELATIVE_MAKESPAN)),
        ("repetitions of each job", jobs::REPETITIONS, Style::Count(""), None),
        ("wait of each job", jobs::WAIT_S, Style::Seconds, None),
        ("ranks running of each job", jobs::RUNNING_FRACTION, Style::Percent, None),
    ] {
        // Most run their program once.
        let all_once = figure == jobs::REPETITIONS && first.iter().all(|job| job.number(figure) == Some(1.0));
        sheet.group(heading);
        for job in first.iter().filter(|_| !all_once) {
            let same = |of: &&Row| of.get(jobs::JOB) == job.get(jobs::JOB);
            let values: Vec<Option<f64>> =
                rows.iter().map(|of_case| of_case.iter().find(same)?.number(figure)).collect();
            let ratio = ratio.and_then(|ratio| job.number(ratio));
            sheet.line(job.text(jobs::JOB), style, &values, ratio);
        }
    }
}

/// Adds the time of all ranks by kind of operation, where it was counted: the mean share of the makespan.
fn add_operations(sheet: &mut Sheet, outcomes: &[&Outcome]) {
    let shares: Vec<_> = outcomes.iter().map(|outcome| outcome.by_operation()).collect();
    sheet.group("what ranks spend the makespan in, by kind of operation");
    let kinds: BTreeSet<_> = shares.iter().flat_map(BTreeMap::keys).copied().collect();
    for kind in kinds {
        let values: Vec<Option<f64>> = shares.iter().map(|shares| shares.get(&kind).copied()).collect();
        sheet.line(kind.1, Style::Percent, &values, None);
    }
}

/// Adds the energy of network and nodes for each power that an idle node draws.
fn add_cluster(sheet: &mut Sheet, rows: &[Row]) {
    sheet.group(CLUSTER);
    let Some(first) = rows.first() else { return };
    for (idle, _) in first.all(cases::ENERGY_E_CLUSTER) {
        let name = cases::ENERGY_E_CLUSTER.of(idle);
        let values: Vec<Option<f64>> = rows.iter().map(|row| row.number(&name)).collect();
        let ratio = match values.as_slice() {
            [Some(ours), Some(theirs)] if *theirs > 0.0 => Some(ours / theirs),
            _ => None,
        };
        let label = format!("idle node {:.0} %", idle.parse::<f64>().unwrap_or_default() * 100.0);
        sheet.line(label, Style::Seconds, &values, ratio);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each heading has a section; none falls to another by its beginning.
    #[test]
    fn every_heading_has_a_section() {
        for (heading, _) in GROUPS {
            assert_ne!(Section::of(heading), Section::All, "{heading}");
        }
        let of = |heading: &str| Section::of(heading);
        assert_eq!([of(RUN), of("runtime system in command of links")], [Section::Run, Section::Runtime]);
        assert_eq!([of(CLUSTER), of(SIMULATION)], [Section::Energy, Section::Engine]);
        assert!(Section::wants(&[Section::Links], "link states (share of channel time)"));
        assert!(!Section::wants(&[Section::Links], RUN) && Section::wants(&[Section::All], RUN));
    }

    #[test]
    fn the_most_has_the_highest_bar() {
        assert_eq!(sparkline(&[1, 0, 400, 800, 799]), "▁·▄██");
        assert_eq!(sparkline(&[]), "");
    }
}
