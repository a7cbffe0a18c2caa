//! From the record of a run to one row of figures.
//!
//! All sums over channels and ranks are integers in 128 bits, divided once, so a figure does not depend on the order of
//! summing. A figure that does not apply is absent.

use drowse_core::measure::{Histogram, Record};
use drowse_core::model::units::Time;
use drowse_core::power::LinkState;
use drowse_tables::{Row, json};
use serde_json::Value as Json;

use crate::cost;
use crate::failures;
use crate::identity::VERSION;
use crate::jobs;
use crate::run::Cost;
use crate::runtime;
use crate::totals::{ClassTotals, Joules, Powers, Totals};
use drowse_experiment::System;

/// The figures of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// What was measured.
    pub figures: Row,
    /// The figures' ratios to those of a baseline, if there is one.
    pub relative: Row,
    /// The figures of each job; none for open-loop traffic.
    pub jobs: Vec<Row>,
    /// Warnings, version, seed and the name of the case.
    pub identity: Row,
    /// What the run cost the machine; differs from run to run.
    pub engine: Row,
}

impl Summary {
    /// Returns the row of `cases.csv`: everything that the same experiment gives again, bit by bit.
    pub fn case_row(&self) -> Row {
        let mut row = self.figures.clone();
        row.append(self.relative.clone());
        row.append(self.identity.clone());
        row
    }

    /// Returns the row of `engine.csv`.
    pub fn engine_row(&self) -> Row {
        let mut row = Row::new();
        row.push_some("case_id", self.identity.get("case_id").cloned());
        row.append(self.engine.clone());
        row
    }

    /// Returns all figures as nested objects.
    pub fn to_json(&self) -> Json {
        let mut row = self.figures.clone();
        row.append(self.relative.clone());
        row.append(self.engine.clone());
        let mut json = json::from_row(&row);
        if let Json::Object(object) = &mut json {
            // A list without elements has no column, but a reader of JSON expects it.
            object.insert("warnings".into(), Json::Array(Vec::new()));
            if !self.jobs.is_empty() {
                object.insert("jobs".into(), self.jobs.iter().map(json::from_row).collect());
            }
            if let Json::Object(identity) = json::from_row(&self.identity) {
                object.extend(identity);
            }
        }
        json
    }
}

/// Makes the figures of a run.
pub fn summarize(system: &System, case_id: &str, record: &Record, cost: &Cost) -> Summary {
    let totals = ClassTotals::of(&system.network, &record.channels);
    let mut figures = Row::new();
    figures.push_some("makespan_s", record.makespan.map(Time::seconds));
    push_network(&mut figures, system);
    push_packets(&mut figures, record);
    let running = running_fraction(record);
    figures.push_some("ranks.running_fraction", running);
    // An ideal network has no channels that could sleep or draw power.
    if system.network.channels() > 0 {
        push_links(&mut figures, system, record, &totals);
        push_energy(&mut figures, system, record, &totals, running);
    }
    if let Some(runtime) = &record.runtime {
        runtime::push(&mut figures, runtime);
    }
    if let Some(model) = &system.cost {
        cost::push(&mut figures, model);
    }
    Summary {
        figures,
        relative: Row::new(),
        jobs: jobs::rows(record),
        identity: identity(system, case_id, record),
        engine: engine(record, cost),
    }
}

fn push_network(row: &mut Row, system: &System) {
    let network = &system.network;
    row.push("network.nodes", network.nodes);
    row.push("network.switches", network.switches());
    row.push("network.links", network.links());
    row.push("network.switch_links", network.switch_links());
    row.push("network.ports", system.ports());
}

fn push_packets(row: &mut Row, record: &Record) {
    row.push("packets.injected", record.packets_injected);
    row.push("packets.delivered", record.packets_delivered);
    row.push("packets.hops", record.hops);
    push_latency(row, "packet", &record.packet_latency);
    push_latency(row, "message", &record.message_latency);
    if let Some(open_loop) = &record.open_loop {
        row.push("load.offered", open_loop.generated_flits as f64 / open_loop.capacity_flits);
        row.push("load.accepted", open_loop.delivered_flits as f64 / open_loop.capacity_flits);
        row.push("saturated", open_loop.saturated);
    }
}

fn push_latency(row: &mut Row, of: &str, histogram: &Histogram) {
    let nanoseconds = Time::nanoseconds;
    row.push_some(format!("latency.{of}.mean_ns"), histogram.mean().map(|picoseconds| picoseconds / 1e3));
    row.push_some(format!("latency.{of}.p50_ns"), histogram.quantile(50, 100).map(nanoseconds));
    row.push_some(format!("latency.{of}.p99_ns"), histogram.quantile(99, 100).map(nanoseconds));
    row.push_some(format!("latency.{of}.max_ns"), histogram.max().map(nanoseconds));
}

/// Returns `Run_task`; absent without ranks, or when nothing took any time.
fn running_fraction(record: &Record) -> Option<f64> {
    let makespan = record.makespan.filter(|makespan| makespan.0 > 0)?;
    let running: u128 = record.ranks.iter().map(|rank| u128::from(rank.running.0)).sum();
    let available = u128::from(makespan.0) * record.ranks.len() as u128;
    (available > 0).then(|| running as f64 / available as f64)
}

fn push_links(row: &mut Row, system: &System, record: &Record, totals: &ClassTotals) {
    let sleeping = totals.sum(|class| system.channels.contains(class));
    // A run of no time has no shares of it.
    let lasted = record.measured.0 > 0;
    if lasted {
        push_fractions(row, "links", &sleeping);
    }
    for (name, totals) in system.network.classes.iter().zip(&totals.0) {
        let prefix = format!("links.by_class.{name}");
        if lasted {
            push_fractions(row, &prefix, totals);
        }
        push_wakes(row, &prefix, totals);
    }
    push_wakes(row, "links", &sleeping);
    let per_message = |messages: u64| sleeping.time_lost as f64 / messages as f64 / 1e3;
    let messages = Some(sleeping.delayed_messages).filter(|&messages| messages > 0);
    row.push_some("links.time_lost_per_message_ns", messages.map(per_message));
    row.push("links.bounded_by_oracle", !system.policy.holds_messages_back());
}

fn push_wakes(row: &mut Row, prefix: &str, totals: &Totals) {
    row.push(format!("{prefix}.wakes"), totals.wakes);
    row.push(format!("{prefix}.delayed_messages"), totals.delayed_messages);
    row.push(format!("{prefix}.time_lost_s"), totals.time_lost as f64 / 1e12);
}

fn push_fractions(row: &mut Row, prefix: &str, totals: &Totals) {
    let time: u128 = totals.residency.iter().sum();
    for state in LinkState::ALL {
        let share = totals.residency[state as usize] as f64 / time as f64;
        row.push(format!("{prefix}.{}_fraction", state.name()), share);
    }
}

fn push_energy(row: &mut Row, system: &System, record: &Record, totals: &ClassTotals, running: Option<f64>) {
    let powers = Powers::of(system, totals);
    let model = &system.model;
    let ports = system.ports();
    let Some(makespan) = record.makespan.map(Time::seconds) else {
        row.push("energy.w_ports", powers.port);
        row.push("energy.w_net", model.w_net(powers.port, ports));
        push_joules(row, &Joules::of(system, totals));
        return;
    };
    // Without a rank's run time there are no nodes' figures, and the network's do not depend on it.
    let energy = model.energy(powers.port, ports, running.unwrap_or(0.0), makespan);
    row.push("energy.w_ports", energy.w_ports);
    row.push("energy.w_net", energy.w_net);
    row.push("energy.e_net", energy.e_net);
    let mut push_list = |name: &str, values: &[f64]| {
        for (idle, &value) in model.idle_node.iter().zip(values).filter(|_| running.is_some()) {
            row.push(format!("energy.{name}[{idle:?}]"), value);
        }
    };
    push_list("w_nodes", &energy.w_nodes);
    push_list("w_cluster", &energy.w_cluster);
    push_list("e_cluster", &energy.e_cluster);
    row.push("energy.links.node", powers.node * makespan);
    row.push("energy.links.switch", powers.switch * makespan);
    row.push("energy.links.all", powers.all * makespan);
    push_joules(row, &Joules::of(system, totals));
    row.push("energy.edp", powers.all * makespan * makespan);
    for (idle, &energy) in model.idle_node.iter().zip(&energy.e_cluster).filter(|_| running.is_some()) {
        row.push(format!("energy.edp_cluster[{idle:?}]"), energy * makespan);
    }
}

fn push_joules(row: &mut Row, joules: &Joules) {
    row.push_some("energy.links.node_j", joules.node);
    row.push_some("energy.links.switch_j", joules.switch);
    row.push_some("energy.links.all_j", joules.all);
}

fn identity(system: &System, case_id: &str, record: &Record) -> Row {
    let mut row = Row::new();
    let warnings = record.warnings.iter().map(ToString::to_string).chain(failures::warning(system));
    for (index, warning) in warnings.enumerate() {
        row.push(format!("warnings[{index}]"), warning);
    }
    row.push("version", VERSION);
    row.push("seed", system.config.seed);
    row.push("case_id", case_id);
    row
}

fn engine(record: &Record, cost: &Cost) -> Row {
    let mut row = Row::new();
    row.push("engine.events", record.events);
    row.push_some("engine.hops_per_s", cost.cpu_s.map(|seconds| record.hops as f64 / seconds));
    row.push("engine.wall_s", cost.wall_s);
    row.push_some("engine.cpu_s", cost.cpu_s);
    row.push_some("engine.peak_rss_bytes", cost.peak_rss_bytes);
    row
}
