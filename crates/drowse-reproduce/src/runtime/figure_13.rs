//! Figure 13: the share of the machine's power that links save.
//!
//! The figure has no numbers; the text sums them up. What programs save on both networks is simulated for Figures 11 and
//! 12 (`section_6.rs`). Choices that the paper does not print, the grid of the 2D-Stencil's ranks and the ranks of CG, are
//! counted beside: basic saves what no route crosses.

use drowse_describe::usage::Options;
use drowse_run::sweep::SweepError;

use super::machines::{percs, stencil, usage};
use super::section_6::{DELAYS_US, LONGEST, Measured, Mode, NETWORKS, PROGRAMS, by_model, network, switch};
use super::shares::{LINKS_OF_MACHINE, Links, OF_MACHINE, found, limit, own, unused};
use crate::comparison::{Comparison, Theirs};
use crate::trivial::Kind;

/// Compares the figure; a quick reproduction has not run all programs, and leaves out what is said of them together.
pub fn compare(rows: &mut Vec<Comparison>, measured: &[Measured], quick: bool) -> Result<(), SweepError> {
    machine(rows, measured);
    for (network, grid) in NETWORKS.into_iter().flat_map(|network| OTHER_GRIDS.map(|grid| (network, grid))) {
        rows.push(of_other_grid(network, grid)?);
    }
    for ranks in OTHER_RANKS {
        rows.push(cg(ranks)?);
    }
    if !quick {
        rows.push(both_networks(measured));
        rows.extend(LONGEST.into_iter().flat_map(|program| of_the_model(rows, program)).collect::<Vec<_>>());
        for network in NETWORKS {
            let schedules = [saved(measured, PME, network, Mode::Scheduled), machine_by_model(rows, PME, network)];
            rows.extend(needs_a_schedule(network, saved(measured, PME, network, Mode::Basic), schedules));
        }
    }
    Ok(())
}

/// What was tried of NAMD without PME, which saves too little on PERCS.
const TRIED: &str = "; tried: NAMD on 2,048 to 65,536 ranks with one to two patches each, which use 35 to 43 % of the links of \
                     PERCS, and 38 % on 300 supernodes";

/// NAMD with PME, of which the paper says that basic is not enough.
const PME: &str = "NAMD_PME";

/// What a difference of NAMD's schedules may come from.
pub const BY_THE_MODEL: &str = "by the model with margin";

/// Returns what the paper's model says that a schedule saves, in percent of the machine's power.
fn machine_by_model(rows: &[Comparison], program: &str, network: &str) -> f64 {
    by_model(rows, program, network) * LINKS_OF_MACHINE
}

/// Returns what a program would save by the paper's model, which has one phase of messages in an iteration. NAMD has
/// several: a channel that is used in each is off in the longest gap between them only.
fn of_the_model(rows: &[Comparison], program: &str) -> [Comparison; 2] {
    NETWORKS.map(|network| {
        let how = "1 - U of the paper's model with the margin: one phase of computing and one of messages in an iteration; NAMD \
                   computes twice in a time step, and a channel is off once in an iteration here";
        let quantity = format!("{}, {BY_THE_MODEL}", scheduled(network));
        own(format!("Fig. 13, {program}"), quantity, machine_by_model(rows, program, network), how)
    })
}

/// Names what a schedule saves on a network.
fn scheduled(network: &str) -> String {
    format!("power of the machine saved on {network}, scheduled: \"around 20 %\"")
}

/// Compares the numbers of the text, each program at the shortest delay.
fn machine(rows: &mut Vec<Comparison>, measured: &[Measured]) {
    for row in measured.iter().filter(|row| row.mode != Mode::AlwaysOn && row.delay == DELAYS_US[0]) {
        let ours = row.saved * LINKS_OF_MACHINE;
        rows.push(if row.mode == Mode::Basic {
            basic(row.program, row.network, "", ours, if row.program == "NAMD" { TRIED } else { "" })
        } else {
            let row = own(format!("Fig. 13, {}", row.program), scheduled(row.network), ours, OF_A_SCHEDULE);
            found(row, AROUND_20, OF_MACHINE)
        });
    }
}

/// Compares what basic saves, with a choice that is named after the quantity, and told.
fn basic(program: &str, network: &str, choice: &str, ours: f64, told: &str) -> Comparison {
    if let Some((_, says, theirs)) = APART.iter().find(|(name, ..)| *name == program) {
        let quantity = format!("power of the machine saved on {network}, basic: {says}{choice}");
        let row = own(format!("Fig. 13, {program}"), quantity, ours, format!("the same shares of power{told}"));
        return limit(row, theirs.clone(), OF_MACHINE).shown();
    }
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

/// Programs of which the paper says something else: of ISAM, which sends nothing, that almost all of the power of links can
/// be saved, 19.5 % of the machine's; of NAMD with PME that basic cannot save much, so less than the 10 % that it calls
/// significant. An idle network, or links always on, do so as well.
const APART: [(&str, &str, Theirs); 2] = [
    ("ISAM", "\"almost all of the network power\"", Theirs::Above(19.0)),
    (PME, "\"cannot save much\"", Theirs::Below(ON_TORUS_AROUND.0)),
];

/// "Usually more than 15% for PERCS and around 10% for 6D Torus"; and with a schedule "around 20%", as much as an idle
/// network saves.
const ON_PERCS_MORE_THAN: f64 = 15.0;
const ON_TORUS_AROUND: (f64, f64) = (10.0, 3.0);
const AROUND_20: (f64, f64) = (20.0, 3.0);

/// Grids of as many ranks as the 2D-Stencil has beside 64 x 64: the paper prints none.
const OTHER_GRIDS: [[u32; 2]; 2] = [[128, 32], [32, 128]];

/// Ranks of CG beside 4,096, a supernode for 1,024: the paper gives that number with MILC.
const OTHER_RANKS: [u32; 4] = [1_024, 2_048, 8_192, 16_384];

/// Names ranks after a quantity.
fn of_ranks(ranks: u32) -> String {
    format!("{} ranks", thousands(ranks))
}

/// Writes a number with a comma before its last three digits.
fn thousands(number: u32) -> String {
    format!("{},{:03}", number / 1_000, number % 1_000)
}

/// Returns the names of other numbers of ranks: what a difference of CG may come from.
pub fn other_ranks() -> [String; OTHER_RANKS.len()] {
    OTHER_RANKS.map(of_ranks)
}

/// Counts what basic saves of CG on more or fewer ranks.
fn cg(ranks: u32) -> Result<Comparison, SweepError> {
    let app = format!("{{ kind = \"cg\", class = \"C\", ranks = {ranks} }}");
    let counted = usage(&percs(ranks / 1_024), &app, &[switch(NETWORKS[0])], &Options::default())?;
    let ours = unused(&counted, Links::Channels) * LINKS_OF_MACHINE;
    let told = "; counted: the paper does not print the ranks of CG, and the row above has 4,096";
    let row = basic("CG", NETWORKS[0], &format!(", {}", of_ranks(ranks)), ours, told);
    // A band, of which each is ours alone.
    Ok(Comparison::own(row.place, row.quantity, row.unit, ours, row.how))
}

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
    let counted = usage(&network(network_name), &stencil(&grid), &[switch(network_name)], &Options::default())?;
    let ours = unused(&counted, Links::Channels) * LINKS_OF_MACHINE;
    let told = "; counted: the paper does not print the grid of ranks, and the row above has 64 x 64";
    let row = basic(PROGRAMS[0].0, network_name, &format!(", {}", named(grid)), ours, told);
    let cause = format!("with {}, a row of its own, it does not differ", named(OTHER_GRIDS[0]));
    Ok(row.with_cause(cause))
}

/// Compares what the paper says of both networks together. An idle network saves as much of both, and links always on
/// nothing, so that neither meets it for any program.
fn both_networks(measured: &[Measured]) -> Comparison {
    let names = PROGRAMS.iter().map(|&(name, _)| name).filter(|&name| APART.iter().all(|(apart, ..)| *apart != name));
    let pairs: Vec<[f64; 2]> =
        names.map(|name| NETWORKS.map(|network| saved(measured, name, network, Mode::Basic))).collect();
    let how = format!(
        "\"usually more than 15% for PERCS and around 10% for 6D Torus\": more than half of the programs; ours are {}, without \
         ISAM and NAMD_PME, of which the paper says otherwise",
        pairs.len()
    );
    let row = Comparison::own("Fig. 13", "share of programs of which basic does both", "1", meet_both(&pairs), how);
    let trivial = OF_MACHINE.trivial().becomes(|saved| meet_both(&[[saved; 2]]));
    Comparison { theirs: Theirs::Above(0.5), ..row.with_trivial(trivial) }
}

/// Returns the percentage of the machine's power that a program saves at the shortest delay.
fn saved(measured: &[Measured], program: &str, network: &str, mode: Mode) -> f64 {
    let of =
        |row: &&Measured| (row.program, row.network, row.mode, row.delay) == (program, network, mode, DELAYS_US[0]);
    measured.iter().find(of).map_or(f64::NAN, |row| row.saved * LINKS_OF_MACHINE)
}

/// Compares what a schedule saves of NAMD with PME beyond basic: "around 20 %" less what is "not much"; simulated, and by
/// the model.
fn needs_a_schedule(network: &str, basic: f64, schedules: [f64; 2]) -> [Comparison; 2] {
    let how = "\"in the case of NAMD_PME, the basic approach cannot save much and the scheduling approach is required\": around \
               20 % less at most 10 %; nothing is gained if links are always on, or all off by basic already";
    let quantity = format!("saved on {network} by a schedule more than by basic");
    let more = |name: &str, scheduled: f64| {
        Comparison::own(format!("Fig. 13, {PME}"), format!("{quantity}{name}"), "points", scheduled - basic, how)
    };
    let [simulated, modelled] = schedules;
    let row = limit(more("", simulated), Theirs::Above(10.0), Kind::Change);
    [row, more(&format!(", {BY_THE_MODEL}"), modelled)]
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

    /// Of 20 % by a schedule and 2 % by basic, 18 points; nothing saved, or all of it, is no difference.
    #[test]
    fn what_a_schedule_adds_by_hand() {
        let [simulated, modelled] = needs_a_schedule("PERCS", 2.0, [11.0, 20.0]);
        assert!(simulated.differs() && (simulated.ours.unwrap() - 9.0).abs() < 1e-12);
        assert!(simulated.theirs.meets(modelled.ours.unwrap()) && modelled.quantity.ends_with(BY_THE_MODEL));
        for saved in [0.0, 19.5] {
            assert!(needs_a_schedule("PERCS", saved, [saved; 2])[0].differs());
        }
        assert!(!simulated.is_blind() && !simulated.is_rigid());
    }

    #[test]
    fn ranks_by_name() {
        assert_eq!(other_ranks(), ["1,024 ranks", "2,048 ranks", "8,192 ranks", "16,384 ranks"]);
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
