//! Section 4.2, Fig. 6: how long edge links idle under LINPACK and BT, with links always on.
//!
//! The figure is a heat map of idle periods and the next ones, of which the text tells where most periods lie and which hold
//! most of the idle time. Bins are those of the policy, twenty for each decade, from 1 us on.

use std::collections::BTreeMap;
use std::path::Path;

use drowse_core::measure::ProbeOptions;
use drowse_core::measure::probe::{Tally, idle_edges};
use drowse_core::model::ids::ChannelId;
use drowse_experiment::Case;
use drowse_run::error::RunError;
use drowse_run::request::RunRequest;

use super::condition::{AS_TRACED, Condition, SETTINGS};
use super::runs;
use super::setting::Setting;
use crate::comparison::{Comparison, Theirs};
use crate::programs::{PROGRAMS, Program};
use crate::trivial::Kind;

/// The idle periods of 1 us and more of all edge links, by their bins.
#[derive(Clone, Debug, Default)]
struct Idling(BTreeMap<u8, Tally>);

/// The program, and where most of its periods lie, in microseconds.
const CLUSTERS: [(&str, f64); 2] = [("LINPACK", 10.0), ("BT", 1_000.0)];

/// Makes the rows of the programs whose traces are there, as traced and in the other settings; quickly only as traced.
pub fn comparisons(quick: bool, traces: &Path) -> Result<Vec<Comparison>, RunError> {
    let conditions = std::iter::once(&AS_TRACED).chain(SETTINGS.iter().filter(|_| !quick));
    let mut rows = Vec::new();
    for condition in conditions {
        rows.extend(of_condition(condition, quick, traces)?);
    }
    Ok(rows)
}

fn of_condition(condition: &'static Condition, quick: bool, traces: &Path) -> Result<Vec<Comparison>, RunError> {
    let mut known: Vec<(&str, f64, Idling)> = Vec::new();
    for (name, cluster) in CLUSTERS {
        let is_run = |program: &&Program| program.name == name && (program.quick || !quick) && program.is_there(traces);
        if let Some(program) = PROGRAMS.iter().find(is_run) {
            known.push((name, cluster, idling(&runs::case(condition, program, traces, Setting::AlwaysOn)?)?));
        }
    }
    let mut rows: Vec<Comparison> = known.iter().map(|(name, cluster, idling)| most(name, *cluster, idling)).collect();
    rows.extend(known.iter().filter(|(name, ..)| *name == "LINPACK").flat_map(|(.., idling)| of_linpack(idling)));
    if let [(.., linpack), (.., bt)] = &known[..] {
        rows.push(beside(linpack, bt));
    }
    let is_chosen = |row: &Comparison| condition.sets.contains(&IDLE_SCALE) && row.place == "Fig. 6, BT";
    let chosen = |row: Comparison| if is_chosen(&row) { row.fitted("the idle scale") } else { row };
    Ok(rows.into_iter().map(chosen).map(|row| condition.name_row(row)).collect())
}

/// The key that the number of BT has chosen.
const IDLE_SCALE: &str = "job.0.compute.scale=9.0";

/// Compares where most periods lie. On the figure's axes a half or the double of a time can be told.
fn most(name: &str, cluster: f64, idling: &Idling) -> Comparison {
    let trivial = Kind::Time.trivial();
    let theirs = Theirs::found(cluster, cluster / 2.0, &trivial);
    let ours = idling.most_frequent().unwrap_or(f64::NAN);
    let quantity = "most frequent idle period of edge links, links always on";
    Comparison { theirs, ..Comparison::own(format!("Fig. 6, {name}"), quantity, "us", ours, idling.told()) }
        .with_trivial(trivial)
}

/// Compares what the text says of LINPACK's periods.
fn of_linpack(idling: &Idling) -> [Comparison; 2] {
    let row = |quantity: &str, ours: f64| {
        let row = Comparison::own("Fig. 6, LINPACK", quantity, "%", 100.0 * ours, idling.told());
        // More than half, for "the majority" and "most of": which all would be, too.
        Comparison { theirs: Theirs::Above(50.0).shown(), ..row }.with_trivial(Kind::Share)
    };
    [
        row("idle periods of 5 to 20 us, \"the majority\"", idling.share(5.0, 20.0, |tally| tally.count as f64)),
        row(
            "idle time in periods of over 10 ms, \"most\"",
            idling.share(1e4, f64::INFINITY, |tally| tally.idle as f64),
        ),
    ]
}

/// Compares both: the most frequent periods of BT hold much of its idle time, those of LINPACK do not.
fn beside(linpack: &Idling, bt: &Idling) -> Comparison {
    let [of_linpack, of_bt] = [linpack, bt].map(|idling| 100.0 * idling.time_in_cluster());
    let quantity = "idle time in periods of half to double the most frequent, more than LINPACK's";
    let how = format!("{of_bt:.1} % of BT's, {of_linpack:.1} % of LINPACK's");
    let row = Comparison::own("Fig. 6, BT and LINPACK", quantity, "points", of_bt - of_linpack, how);
    Comparison { theirs: Theirs::Above(0.0), ..row }.with_trivial(Kind::Change)
}

impl Idling {
    /// Returns the microseconds from which on the bin with most periods lies.
    fn most_frequent(&self) -> Option<f64> {
        let most = self.0.iter().max_by_key(|(_, tally)| tally.count)?;
        Some(from(*most.0))
    }

    /// Returns the share of the periods in bins from one time on to before another, in microseconds.
    fn share(&self, low: f64, high: f64, of: fn(&Tally) -> f64) -> f64 {
        let sum = |low: f64, high: f64| {
            let inside = self.0.iter().filter(|&(&bin, _)| (low..high).contains(&from(bin)));
            inside.map(|(_, tally)| of(tally)).sum::<f64>()
        };
        sum(low, high) / sum(0.0, f64::INFINITY)
    }

    /// Returns the share of the idle time in periods of half to double the most frequent.
    fn time_in_cluster(&self) -> f64 {
        let most = self.most_frequent().unwrap_or(f64::NAN);
        self.share(most / 2.0, most * 2.0, |tally| tally.idle as f64)
    }

    /// Tells which share of the periods lies in which decade.
    fn told(&self) -> String {
        let decade = |low: f64| format!("{:.0} %", 100.0 * self.share(low, 10.0 * low, |tally| tally.count as f64));
        let [us, tens, hundreds, ms] = [1.0, 10.0, 100.0, 1e3].map(decade);
        format!(
            "{us} of the periods of 1 us and more are shorter than 10 us, {tens} than 100 us, {hundreds} than 1 ms, {ms} than 10 ms"
        )
    }
}

/// Returns the lower edge of a bin in microseconds.
fn from(bin: u8) -> f64 {
    idle_edges(Some(bin)).0.nanoseconds() / 1e3
}

/// Runs a case, and returns the idle periods of its edge links.
fn idling(case: &Case) -> Result<Idling, RunError> {
    let probes = ProbeOptions { idle_periods: true, ..ProbeOptions::default() };
    let run = RunRequest { probes, ..RunRequest::new(case) }.run()?.case;
    let network = &case.system.network;
    let edges = (0..).map(ChannelId).zip(&run.seen).filter(|&(channel, _)| network.is_node_channel(channel));
    let mut idling = Idling::default();
    for (&bin, &tally) in edges.flat_map(|(_, seen)| &seen.periods) {
        bin.iter().for_each(|&bin| idling.0.entry(bin).or_default().add(tally));
    }
    Ok(idling)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bins of 1 us, 10 us and 100 us: six short periods, three of 10 us, one of 100 us.
    fn by_hand() -> Idling {
        let tally = |count, idle| Tally { count, idle };
        Idling([(0, tally(6, 6)), (20, tally(3, 30)), (40, tally(1, 100))].into())
    }

    #[test]
    fn shares_by_hand() {
        let idling = by_hand();
        assert_eq!(idling.most_frequent(), Some(1.0));
        let near = |share: f64, expected: f64| assert!((share - expected).abs() < 1e-12, "{share}, not {expected}");
        near(idling.share(5.0, 20.0, |tally| tally.count as f64), 0.3);
        near(idling.share(50.0, f64::INFINITY, |tally| tally.idle as f64), 100.0 / 136.0);
        near(idling.time_in_cluster(), 6.0 / 136.0);
        assert!(
            idling
                .told()
                .starts_with("60 % of the periods of 1 us and more are shorter than 10 us, 30 % than 100 us, 10 %")
        );
        assert_eq!(Idling::default().most_frequent(), None);
    }

    /// No row accepts an idle network, and each has its verdict changed by other periods.
    #[test]
    fn rows_can_fail() {
        let (short, long) = (by_hand(), Idling([(20, Tally { count: 9, idle: 90 })].into()));
        let rows =
            [most("LINPACK", 10.0, &short), most("LINPACK", 10.0, &long), beside(&short, &long), beside(&long, &short)];
        assert_eq!(rows.each_ref().map(Comparison::differs), [true, false, false, true]);
        assert!(rows.iter().chain(&of_linpack(&short)).all(|row| !row.is_blind() && !row.is_rigid()));
    }
}
