//! Section 6, Figures 11 and 12: savings of the runtime system by the delay of switching, simulated, beside the paper's
//! model.
//!
//! The figures have no numbers; the text sums them up. Programs of 4,096 ranks compute for 30 ms and then send, as the
//! model assumes. What an iteration saves is what a run of more iterations has saved more than one of fewer, so that
//! learning does not count.

use drowse_core::model::units::Time;
use drowse_describe::usage::Options as UsageOptions;
use drowse_run::outcome::Outcome;
use drowse_run::sweep::SweepError;
use drowse_tables::Row;
use drowse_tables::schema::{cases as columns, usage as usage_columns};

use super::machines::{EXPERIMENT, grid, percs, usage};
use super::shares::{Links, own, unused};
use crate::cases::{self, Planned};
use crate::comparison::Comparison;
use crate::options::{Observer, Options};

/// The programs, 4,096 ranks each, NAMD on STMV; sizes of messages do not matter much, as no program uses a tenth of the network.
pub const PROGRAMS: [(&str, &str); 9] = [
    ("2D-Stencil", r#"kind = "stencil", dims = [64, 64], bytes = "8 KiB""#),
    ("3D-Stencil", r#"kind = "stencil", dims = [16, 16, 16], bytes = "8 KiB""#),
    ("4D-Stencil", r#"kind = "stencil", dims = [8, 8, 8, 8], bytes = "8 KiB""#),
    ("MILC", r#"kind = "milc", dims = [8, 8, 8, 8], local = [4, 4, 4, 4]"#),
    ("CG", r#"kind = "cg", class = "S", ranks = 4096"#),
    ("MG", r#"kind = "mg", class = "A", ranks = 4096"#),
    ("NAMD", r#"kind = "namd", ranks = 4096, patches = [26, 13, 13], pme = 0"#),
    ("NAMD_PME", r#"kind = "namd", ranks = 4096, patches = [26, 13, 13], pme = 4"#),
    ("ISAM", r#"kind = "isam", ranks = 4096"#),
];

/// Computation of an iteration, in microseconds; communication adds little.
const COMPUTE_US: u64 = 30_000;
/// Delays of going off and of going on, in microseconds, up to near half of an iteration, less the margins: there both
/// take all of the gap, as in the paper's model.
pub const DELAYS_US: [u64; 6] = [10, 1_000, 2_500, 5_000, 10_000, 13_000];
/// Programs of many messages, which take long to simulate: two delays do, or one.
const LONG: [&str; 2] = ["CG", "MG"];
pub const LONGEST: [&str; 2] = ["NAMD", "NAMD_PME"];
/// The margin of the paper before and after each use, in microseconds.
const MARGIN_US: u64 = 1_000;
/// Iterations of the shorter and the longer run, and of the programs that take longest: the schedule begins with the
/// fifth.
const ITERATIONS: [u32; 2] = [8, 14];
const FEW_ITERATIONS: [u32; 2] = [6, 8];

/// How the runtime system switches links off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Not at all.
    AlwaysOn,
    /// Those that no route crosses.
    Basic,
    /// The others between their uses, too.
    Scheduled,
}

/// One run.
struct Case {
    program: &'static str,
    app: &'static str,
    network: &'static str,
    mode: Mode,
    delay: u64,
    iterations: u32,
}

/// Both networks, by their names in rows.
pub const NETWORKS: [&str; 2] = ["PERCS", "6D torus"];

/// Returns the network of a name, for 4,096 ranks.
pub fn network(name: &str) -> String {
    if name == NETWORKS[0] { percs(4) } else { grid(&[2, 2, 2, 2, 2, 4]) }
}

/// Sets the switches' keys: packets so long that a message is a few.
pub fn switch(name: &str) -> &'static str {
    if name == NETWORKS[0] {
        r#"switch={ flit = "64 B", packet = "2 KiB", buffer = "64 KiB" }"#
    } else {
        r#"switch={ vcs = { escape = 2 }, flit = "64 B", packet = "2 KiB", buffer = "64 KiB" }"#
    }
}

impl Planned for Case {
    fn experiment(&self) -> &'static str {
        EXPERIMENT
    }

    fn overrides(&self) -> Vec<String> {
        let Case { app, iterations, delay, .. } = self;
        let policy = match self.mode {
            Mode::AlwaysOn => "kind = \"always-on\"".to_owned(),
            Mode::Basic => "kind = \"runtime\", mode = \"basic\"".to_owned(),
            Mode::Scheduled => format!("kind = \"runtime\", mode = \"scheduled\", margin = \"{MARGIN_US} us\""),
        };
        vec![
            format!("network={}", network(self.network)),
            switch(self.network).to_owned(),
            format!("job.0.app={{ {app}, compute = \"{COMPUTE_US} us\", iterations = {iterations} }}"),
            format!("power.policy={{ {policy} }}"),
            format!("power.states={{ deep = {{ power = 0.0, enter = \"{delay} us\", wake = \"{delay} us\" }} }}"),
        ]
    }

    fn row(&self, outcome: &Outcome) -> Row {
        let mut row = Row::new();
        for column in [columns::MAKESPAN_S, columns::LINKS_DEEP_FRACTION] {
            row.copy(column, &outcome.summary.figures);
        }
        row
    }
}

/// The savings and the time of an iteration.
pub struct Measured {
    /// The program.
    pub program: &'static str,
    /// The network.
    pub network: &'static str,
    /// How the runtime system switches links off.
    pub mode: Mode,
    /// The delay of going off, and of going on, in microseconds.
    pub delay: u64,
    /// Percent of the links' power.
    pub saved: f64,
    /// Seconds.
    pub iteration: f64,
}

/// Simulates all programs, compares them, and returns what they save.
pub fn compare(
    rows: &mut Vec<Comparison>,
    options: &Options<'_>,
    observer: Observer<'_>,
) -> Result<Vec<Measured>, SweepError> {
    let planned = plan(options.quick);
    let results = cases::run(&planned, options, observer)?;
    let pairs = planned.chunks(2).zip(results.chunks(2));
    let measured: Vec<Measured> = pairs.filter_map(|(cases, rows)| measure(&cases[0], rows)).collect();
    for row in measured.iter().filter(|row| row.mode != Mode::AlwaysOn) {
        simulated(rows, row, slower(row, &measured));
    }
    for (program, app) in PROGRAMS.iter().filter(|(name, _)| measured.iter().any(|row| row.program == *name)) {
        for network in NETWORKS {
            modelled(rows, program, app, network, options.quick)?;
        }
    }
    rows.extend(margin());
    Ok(measured)
}

/// Returns the rows of the margin, which the paper takes from how regularly programs ran on a Blue Gene/P.
fn margin() -> [Comparison; 2] {
    let place = "Section 6";
    let set = Comparison::printed(place, "margin before and after each use", "ms", "1", MARGIN_US as f64 / 1e3, "set");
    // A simulation without noise has none, so that there is nothing to compare.
    let quantity = "error of predicted times of messages, \"usually less than 200 us\"";
    let measured = Comparison::own(place, quantity, "us", f64::NAN, "measured on a Blue Gene/P");
    [set.set(), Comparison { ours: None, ..measured }]
}

/// Returns how many percent longer an iteration is than with links always on.
fn slower(row: &Measured, measured: &[Measured]) -> f64 {
    let same = |other: &&Measured| other.program == row.program && other.network == row.network;
    let on = measured.iter().filter(|other| other.mode == Mode::AlwaysOn).find(same);
    on.map_or(f64::NAN, |on| 100.0 * (row.iteration / on.iteration - 1.0))
}

/// Plans two runs of each, one after the other.
fn plan(quick: bool) -> Vec<Case> {
    let programs = PROGRAMS.into_iter().filter(|(name, _)| !quick || *name == "2D-Stencil");
    let scheduled = |&delay| (Mode::Scheduled, delay);
    let mut cases = Vec::new();
    for (program, app) in programs {
        let delays = delays(quick, program).iter().map(scheduled);
        let modes: Vec<(Mode, u64)> =
            [(Mode::AlwaysOn, 0), (Mode::Basic, DELAYS_US[0])].into_iter().chain(delays).collect();
        for network in NETWORKS {
            for &(mode, delay) in &modes {
                cases.extend(iterations(program).map(|iterations| Case {
                    program,
                    app,
                    network,
                    mode,
                    delay,
                    iterations,
                }));
            }
        }
    }
    cases
}

/// Returns the delays at which a program is simulated.
fn delays(quick: bool, program: &str) -> &'static [u64] {
    if quick || LONGEST.contains(&program) {
        &DELAYS_US[..1]
    } else if LONG.contains(&program) {
        &DELAYS_US[..2]
    } else {
        &DELAYS_US
    }
}

/// Returns the iterations of the shorter and the longer run of a program.
fn iterations(program: &str) -> [u32; 2] {
    if LONGEST.contains(&program) { FEW_ITERATIONS } else { ITERATIONS }
}

/// Subtracts the savings of the shorter run from those of the longer one.
fn measure(case: &Case, rows: &[Row]) -> Option<Measured> {
    let [fewer, more] = rows else { return None };
    let time = |row: &Row| row.number(columns::MAKESPAN_S);
    let off = |row: &Row| Some(row.number(columns::LINKS_DEEP_FRACTION)? * time(row)?);
    let passed = time(more)? - time(fewer)?;
    let [fewer_iterations, more_iterations] = iterations(case.program);
    Some(Measured {
        program: case.program,
        network: case.network,
        mode: case.mode,
        delay: case.delay,
        saved: 100.0 * (off(more)? - off(fewer)?) / passed,
        iteration: passed / f64::from(more_iterations - fewer_iterations),
    })
}

/// Returns what the paper's model says of a program at the shortest delay, with the margin, in percent of the links' power.
pub fn by_model(rows: &[Comparison], program: &str, network: &str) -> f64 {
    let (place, quantity) = (figure(network, program), modelled_as(network, "model with margin", DELAYS_US[0]));
    rows.iter().find(|row| row.place == place && row.quantity == quantity).and_then(|row| row.ours).unwrap_or(f64::NAN)
}

fn modelled_as(network: &str, what: &str, delay: u64) -> String {
    format!("power of links of {network} saved, {what}, delay {delay} us")
}

fn figure(network: &str, program: &str) -> String {
    format!("Fig. {}, {program}", if network == NETWORKS[0] { 11 } else { 12 })
}

/// Adds the rows of a run whose iterations are so many percent longer than with links always on.
fn simulated(rows: &mut Vec<Comparison>, measured: &Measured, slower: f64) {
    let Measured { program, network, delay, saved, .. } = *measured;
    let place = figure(network, program);
    if measured.mode == Mode::Basic {
        let how =
            "4,096 ranks, 128 nodes; simulated: links that no route crosses are off, once two iterations are learned";
        rows.push(own(place, format!("power of links of {network} saved, basic"), saved, how));
        return;
    }
    let how = "simulated: links that are used are off between their uses, too, but for 1 ms before and after";
    rows.push(own(&*place, format!("power of links of {network} saved, scheduled, delay {delay} us"), saved, how));
    let how = "against the same with all links on: two calls of 20 us, and what waits for links";
    rows.push(own(place, format!("longer iterations on {network}, scheduled, delay {delay} us"), slower, how));
}

/// Adds the rows of the paper's model: `U = z / (n B t) + 2 p d / t`; and the same with the margin as a part of the
/// delay.
fn modelled(
    rows: &mut Vec<Comparison>,
    program: &str,
    app: &str,
    network_name: &str,
    quick: bool,
) -> Result<(), SweepError> {
    let place = figure(network_name, program);
    let app = format!("{{ {app} }}");
    let counted = usage(&network(network_name), &app, &[switch(network_name)], &UsageOptions::default())?;
    let how = "counted as for section 3.1, without simulation, by channel: what basic must save";
    rows.push(own(&*place, format!("links of {network_name} unused"), unused(&counted, Links::Channels), how));
    let model = |delay: u64| {
        let (time, delay) = (Some(Time::from_us(COMPUTE_US)), Some(Time::from_us(delay)));
        let options = UsageOptions { time, delay, ..UsageOptions::default() };
        let row = usage(&network(network_name), &app, &[switch(network_name)], &options)?;
        Ok::<_, SweepError>(100.0 * row.number(usage_columns::SAVINGS_BOUND).unwrap_or(f64::NAN))
    };
    for delay in delays(quick, program) {
        let how = "1 - U of the paper's model, without a margin: what no schedule can pass";
        let quantity = |what: &str| modelled_as(network_name, what, *delay);
        rows.push(own(&*place, quantity("model"), model(*delay)?, how));
        let how = "the same with the margin of 1 ms added to the delay, before and after each use";
        rows.push(own(&*place, quantity("model with margin"), model(delay + MARGIN_US)?, how));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight iterations take 2 s, of which half are off; fourteen 5 s, of which four fifths are: 3 of 3 s more, six
    /// iterations of half a second.
    #[test]
    fn what_more_iterations_save_by_hand() {
        let row = |makespan: f64, off: f64| {
            let mut row = Row::new();
            row.push(columns::MAKESPAN_S, makespan);
            row.push(columns::LINKS_DEEP_FRACTION, off);
            row
        };
        let case = Case { program: "CG", app: "", network: "PERCS", mode: Mode::Basic, delay: 10, iterations: 8 };
        let measured = measure(&case, &[row(2.0, 0.5), row(5.0, 0.8)]).unwrap();
        assert!((measured.saved - 100.0).abs() < 1e-9 && (measured.iteration - 0.5).abs() < 1e-12);
        let half = measure(&case, &[row(2.0, 0.5), row(5.0, 0.5)]).unwrap();
        assert!((half.saved - 50.0).abs() < 1e-9);
        assert!(measure(&case, &[row(2.0, 0.5)]).is_none());
    }

    /// Iterations of 30 ms always on become 33 ms; those of other programs, networks and modes take other times.
    #[test]
    fn longer_iterations_are_those_of_the_same_program_and_network() {
        let measured =
            |program, network, mode, iteration| Measured { program, network, mode, delay: 10, saved: 0.0, iteration };
        let all = [
            measured("MG", "PERCS", Mode::AlwaysOn, 0.010),
            measured("MILC", "6D torus", Mode::AlwaysOn, 0.020),
            measured("MILC", "PERCS", Mode::Basic, 0.025),
            measured("MILC", "PERCS", Mode::AlwaysOn, 0.030),
            measured("MILC", "PERCS", Mode::Scheduled, 0.033),
        ];
        assert!((slower(&all[4], &all) - 10.0).abs() < 1e-9);
        assert!(slower(&all[4], &all[..3]).is_nan(), "nothing is known of it always on");
    }
}
