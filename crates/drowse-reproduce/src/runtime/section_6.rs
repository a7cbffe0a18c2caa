//! Section 6, Figures 11 to 13: savings of the runtime system by the delay of switching, simulated, beside the paper's
//! model.
//!
//! The figures have no numbers; the text sums them up. Programs of 4,096 ranks compute for 30 ms and then send, as the
//! model assumes. What an iteration saves is what a run of more iterations has saved more than one of fewer, so that
//! learning does not count.

use drowse_core::model::units::Time;
use drowse_describe::usage::Options as UsageOptions;
use drowse_experiment::System;
use drowse_run::run::Run;
use drowse_run::summary::Summary;
use drowse_run::sweep::SweepError;
use drowse_tables::Row;
use drowse_tables::schema::{cases as columns, usage as usage_columns};

use super::machines::{EXPERIMENT, grid, percs, usage};
use super::shares::{LINKS_OF_MACHINE, Links, OF_MACHINE, found, limit, own, unused};
use crate::cases::{self, Planned};
use crate::comparison::{Comparison, Theirs};
use crate::options::{Observer, Options};

/// The programs, 4,096 ranks each; sizes of messages do not matter much, as no program uses a tenth of the network.
const PROGRAMS: [(&str, &str); 6] = [
    ("2D-Stencil", r#"kind = "stencil", dims = [64, 64], bytes = "8 KiB""#),
    ("3D-Stencil", r#"kind = "stencil", dims = [16, 16, 16], bytes = "8 KiB""#),
    ("4D-Stencil", r#"kind = "stencil", dims = [8, 8, 8, 8], bytes = "8 KiB""#),
    ("MILC", r#"kind = "milc", dims = [8, 8, 8, 8], local = [4, 4, 4, 4]"#),
    ("CG", r#"kind = "cg", class = "S", ranks = 4096"#),
    ("MG", r#"kind = "mg", class = "A", ranks = 4096"#),
];

/// Computation of an iteration, in microseconds; communication adds little.
const COMPUTE_US: u64 = 30_000;
/// Delays of going off and of going on, in microseconds, up to near half of an iteration, less the margins: there both
/// take all of the gap, as in the paper's model.
const DELAYS_US: [u64; 6] = [10, 1_000, 2_500, 5_000, 10_000, 13_000];
/// Programs of many messages, which take long to simulate: two delays do.
const LONG: [&str; 2] = ["CG", "MG"];
/// The margin of the paper before and after each use, in microseconds.
const MARGIN_US: u64 = 1_000;
/// Iterations of the shorter and the longer run.
const ITERATIONS: [u32; 2] = [8, 14];

/// How the runtime system switches links off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    AlwaysOn,
    Basic,
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

const NETWORKS: [&str; 2] = ["PERCS", "6D torus"];

fn network(name: &str) -> String {
    if name == NETWORKS[0] { percs(4) } else { grid(&[2, 2, 2, 2, 2, 4]) }
}

/// Sets the switches' keys: packets so long that a message is a few.
fn switch(name: &str) -> &'static str {
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

    fn row(&self, _: &System, _: &Run, summary: &Summary) -> Row {
        let mut row = Row::new();
        for column in [columns::MAKESPAN_S, columns::LINKS_DEEP_FRACTION] {
            row.copy(column, &summary.figures);
        }
        row
    }
}

/// The savings and the time of an iteration.
struct Measured {
    program: &'static str,
    network: &'static str,
    mode: Mode,
    delay: u64,
    /// Percent of the links' power.
    saved: f64,
    /// Seconds.
    iteration: f64,
}

/// Simulates all programs, and compares.
pub fn compare(rows: &mut Vec<Comparison>, options: &Options<'_>, observer: Observer<'_>) -> Result<(), SweepError> {
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
    machine(rows, &measured);
    for (network, grid) in NETWORKS.into_iter().flat_map(|network| OTHER_GRIDS.map(|grid| (network, grid))) {
        rows.push(of_other_grid(network, grid)?);
    }
    if !options.quick {
        rows.push(both_networks(&measured));
    }
    rows.extend(margin());
    Ok(())
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
                cases.extend(ITERATIONS.map(|iterations| Case { program, app, network, mode, delay, iterations }));
            }
        }
    }
    cases
}

/// Returns the delays at which a program is simulated.
fn delays(quick: bool, program: &str) -> &'static [u64] {
    match (quick, LONG.contains(&program)) {
        (true, _) => &DELAYS_US[..1],
        (false, true) => &DELAYS_US[..2],
        (false, false) => &DELAYS_US,
    }
}

/// Subtracts the savings of the shorter run from those of the longer one.
fn measure(case: &Case, rows: &[Row]) -> Option<Measured> {
    let [fewer, more] = rows else { return None };
    let time = |row: &Row| row.number(columns::MAKESPAN_S);
    let off = |row: &Row| Some(row.number(columns::LINKS_DEEP_FRACTION)? * time(row)?);
    let passed = time(more)? - time(fewer)?;
    Some(Measured {
        program: case.program,
        network: case.network,
        mode: case.mode,
        delay: case.delay,
        saved: 100.0 * (off(more)? - off(fewer)?) / passed,
        iteration: passed / f64::from(ITERATIONS[1] - ITERATIONS[0]),
    })
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
        let quantity = |what: &str| format!("power of links of {network_name} saved, {what}, delay {delay} us");
        rows.push(own(&*place, quantity("model"), model(*delay)?, how));
        let how = "the same with the margin of 1 ms added to the delay, before and after each use";
        rows.push(own(&*place, quantity("model with margin"), model(delay + MARGIN_US)?, how));
    }
    Ok(())
}

/// Compares the numbers of Figure 13 in the text: the share of the machine's power that links save.
fn machine(rows: &mut Vec<Comparison>, measured: &[Measured]) {
    for row in measured.iter().filter(|row| row.mode != Mode::AlwaysOn && row.delay == DELAYS_US[0]) {
        let ours = row.saved * LINKS_OF_MACHINE;
        rows.push(if row.mode == Mode::Basic {
            basic(row.program, row.network, "", ours, "")
        } else {
            let quantity = format!("power of the machine saved on {}, scheduled: \"around 20 %\"", row.network);
            let row = own(format!("Fig. 13, {}", row.program), quantity, ours, OF_A_SCHEDULE);
            found(row, AROUND_20, OF_MACHINE)
        });
    }
}

/// Compares what basic saves, with a choice that is named after the quantity, and told.
fn basic(program: &str, network: &str, choice: &str, ours: f64, told: &str) -> Comparison {
    let (says, how) =
        if network == NETWORKS[0] { ("\"usually more than 15 %\"", ON_PERCS) } else { ("\"around 10 %\"", ON_TORUS) };
    let quantity = format!("power of the machine saved on {network}, basic: {says}{choice}");
    let row = own(format!("Fig. 13, {program}"), quantity, ours, format!("{how}{told}"));
    if network == NETWORKS[0] {
        limit(row, Theirs::Above(ON_PERCS_MORE_THAN), OF_MACHINE).shown()
    } else {
        found(row, ON_TORUS_AROUND, OF_MACHINE)
    }
}

/// "Usually more than 15% for PERCS and around 10% for 6D Torus"; and with a schedule "around 20%", as much as an idle
/// network saves.
const ON_PERCS_MORE_THAN: f64 = 15.0;
const ON_TORUS_AROUND: (f64, f64) = (10.0, 3.0);
const AROUND_20: (f64, f64) = (20.0, 3.0);

/// Grids of as many ranks as the 2D-Stencil has beside 64 x 64: the paper prints none.
const OTHER_GRIDS: [[u32; 2]; 2] = [[128, 32], [32, 128]];

/// Names a grid after a quantity.
fn named([columns, rows]: [u32; 2]) -> String {
    format!("{columns} x {rows} ranks")
}

/// Returns the names of the other grids: what a difference of the 2D-Stencil may come from.
pub fn other_grids() -> [String; OTHER_GRIDS.len()] {
    OTHER_GRIDS.map(named)
}

/// Compares what basic saves of another grid of ranks: the links that no route crosses, which are counted.
fn of_other_grid(network_name: &str, grid: [u32; 2]) -> Result<Comparison, SweepError> {
    let counted = usage(
        &network(network_name),
        &super::machines::stencil(&grid),
        &[switch(network_name)],
        &UsageOptions::default(),
    )?;
    let ours = unused(&counted, Links::Channels) * LINKS_OF_MACHINE;
    let told = "; counted: the paper does not print the grid of ranks, and the row above has 64 x 64";
    let row = basic(PROGRAMS[0].0, network_name, &format!(", {}", named(grid)), ours, told);
    let cause = format!("with {}, a row of its own, it does not differ", named(OTHER_GRIDS[0]));
    Ok(row.with_cause(cause))
}

/// Compares what the paper says of both networks together. An idle network saves as much of both, and links always on
/// nothing, so that neither meets it for any program.
fn both_networks(measured: &[Measured]) -> Comparison {
    let saved = |program: &str, network: &str| {
        let of = |row: &&Measured| (row.program, row.network, row.mode) == (program, network, Mode::Basic);
        measured.iter().find(of).map_or(f64::NAN, |row| row.saved * LINKS_OF_MACHINE)
    };
    let pairs = PROGRAMS.map(|(program, _)| NETWORKS.map(|network| saved(program, network)));
    let how =
        "\"usually more than 15% for PERCS and around 10% for 6D Torus\": more than half of the programs; ours are six";
    let row = Comparison::own("Fig. 13", "share of programs of which basic does both", "1", meet_both(&pairs), how);
    let trivial = OF_MACHINE.trivial().becomes(|saved| meet_both(&[[saved; 2]]));
    Comparison { theirs: Theirs::Above(0.5), ..row.with_trivial(trivial) }
}

/// Returns the share of pairs of savings on PERCS and on the torus that are as the paper says of both.
fn meet_both(pairs: &[[f64; 2]]) -> f64 {
    let (around, open) = ON_TORUS_AROUND;
    let is_met =
        |&&[on_percs, on_torus]: &&[f64; 2]| on_percs > ON_PERCS_MORE_THAN && (on_torus - around).abs() <= open;
    pairs.iter().filter(is_met).count() as f64 / pairs.len() as f64
}

const ON_PERCS: &str = "links draw 65 % of a network that draws 30 % of the machine; \"usually\" leaves room for programs like \
                        CG, which sends over a third of the links";
const ON_TORUS: &str =
    "the same shares of power; as for MG of section 3.1 two cables in dimensions of 2, of which one is used";
const OF_A_SCHEDULE: &str = "the same shares of power; the paper's \"around 20 %\" is more than all links draw, 19.5 %";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_row_of_the_machine_is_met_by_a_trivial_answer() {
        let measured =
            |network, mode| Measured { program: "MILC", network, mode, delay: 10, saved: 81.5, iteration: 0.03 };
        let modes =
            NETWORKS.into_iter().flat_map(|network| [Mode::Basic, Mode::Scheduled].map(|mode| measured(network, mode)));
        let mut rows = Vec::new();
        machine(&mut rows, &modes.collect::<Vec<_>>());
        assert_eq!(rows.len(), 4);
        for row in rows {
            assert!(!row.is_blind(), "{}: {}", row.place, row.quantity);
        }
        let both = both_networks(&[]);
        assert_eq!(both.trivial.text(), "links always on: 0; an idle network: 0");
        assert!(!both.is_blind());
    }

    /// Of five programs, two do both: one saves too little of PERCS, one too much of the torus, and one nothing.
    #[test]
    fn programs_that_do_both_by_hand() {
        let pairs = [[16.0, 10.0], [15.1, 12.9], [15.0, 10.0], [16.0, 13.1], [0.0, 0.0]];
        assert!((meet_both(&pairs) - 0.4).abs() < 1e-12);
        assert!(meet_both(&[[19.5, 19.5]]) < 0.5);
    }

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

    /// Links draw 0.30 x 0.65 = 19.5 % of the machine: 60 % of them are 11.7 % of it. Only the shortest delay counts.
    #[test]
    fn the_machine_by_hand() {
        let measured =
            |network, mode, delay| Measured { program: "MILC", network, mode, delay, saved: 60.0, iteration: 0.03 };
        let mut rows = Vec::new();
        let all = [
            measured("PERCS", Mode::AlwaysOn, 10),
            measured("PERCS", Mode::Basic, 10),
            measured("6D torus", Mode::Basic, 10),
            measured("PERCS", Mode::Scheduled, 10),
            measured("PERCS", Mode::Scheduled, 1_000),
        ];
        machine(&mut rows, &all);
        let quantities: Vec<(&str, &Theirs)> = rows.iter().map(|row| (&*row.quantity, &row.theirs)).collect();
        let found = |value, tolerance| Theirs::Found { value, tolerance };
        let expected = [
            ("power of the machine saved on PERCS, basic: \"usually more than 15 %\"", &Theirs::Above(15.0).shown()),
            ("power of the machine saved on 6D torus, basic: \"around 10 %\"", &found(10.0, 3.0)),
            ("power of the machine saved on PERCS, scheduled: \"around 20 %\"", &found(20.0, 3.0).shown()),
        ];
        assert_eq!(quantities, expected);
        assert!(rows.iter().all(|row| (row.ours.unwrap() - 11.7).abs() < 1e-9));
        assert_eq!(rows[1].trivial.text(), "links always on: 0; an idle network: 19.5");
    }

    /// On the torus 64 x 64 ranks leave more links unused than 128 x 32, of which the short side fits a dimension less
    /// often; both are told, and neither is chosen in silence.
    #[test]
    fn the_band_of_grids() {
        let saved = |grid| of_other_grid(NETWORKS[1], grid).unwrap();
        let [even, other] = [[64, 64], [128, 32]].map(saved);
        assert!(even.quantity.ends_with(", 64 x 64 ranks") && other.quantity.ends_with(", 128 x 32 ranks"));
        assert!(other.ours.unwrap() < even.ours.unwrap());
        assert!(even.differs() && !other.differs() && !even.is_blind());
    }
}
