//! Section 4.2: sets of programs that a scheduler starts, drawn at random and repeated with other seeds.
//!
//! A set has fifteen jobs of 128, 256 and 512 tasks of the programs of section 4.1, on nodes of 8 cores. Graph500, which
//! loads networks most, is its communication alone, as in section 4.1: in the paper nodes wait for it most of the time.

use drowse_tables::interval::Sample;
use drowse_tables::schema::{cases as columns, torus as of_table};
use drowse_tables::{Name, Row};

use super::again;
use super::case::{Case, Work};
use super::results::{self, Results, ports_on};
use super::rows::Figure;
use super::set::{SETS, Set};
use super::table_2::{TABLE_2, Torus};
use crate::comparison::{Comparison, Theirs};

/// The runs of a set on a network: each figure by seed.
struct Runs {
    makespan: Vec<f64>,
    running: Vec<f64>,
    e_net: Vec<f64>,
    /// `E_cluster` of nodes that draw nothing when idle, and that draw all.
    e_cluster: [Vec<f64>; 2],
    w_net: Vec<f64>,
    ports_on: Vec<f64>,
}

/// What the paper says of a set.
struct Printed {
    set: &'static str,
    network: &'static str,
    figure: Figure,
    value: f64,
    /// How much its words leave open; infinite where it is a limit that is exceeded.
    open: f64,
}

/// What the paper calls a significant penalty is more than set A's "no significant" one, of which 0.02 is left open.
const fn penalty(set: &'static str, network: &'static str) -> Printed {
    printed(set, network, Figure::RunTime, 1.02, f64::INFINITY)
}

const fn printed(set: &'static str, network: &'static str, figure: Figure, value: f64, open: f64) -> Printed {
    Printed { set, network, figure, value, open }
}

/// Run times of 2D-4X without penalty in set A, +10 % and +15 % in B and C; of 1D-16X +4.5 %, and "execution times of 150 %"
/// and 170 %; energy of 2D-4X-PS "60 - 64 %". A cluster needs less energy with 2D-4X "when omega_Snodes < 0.7 and < 0.45",
/// with 1D-16X below 0.15, with 3D-4X below 0.45. On 256 nodes set A has no significant penalty, B and C have one, and save
/// energy of the network "in excess of 30 %", which is read as 30 to 40 %.
const PRINTED: [Printed; 19] = [
    printed("A", "2D-4X", Figure::RunTime, 1.0, 0.02),
    printed("A", "1D-16X", Figure::RunTime, 1.045, 0.02),
    printed("B", "2D-4X", Figure::RunTime, 1.10, 0.05),
    printed("B", "2D-4X", Figure::BreakEven, 0.7, 0.1),
    printed("B", "2D-4X-PS", Figure::Net, 0.62, 0.02),
    printed("B", "1D-16X", Figure::RunTime, 1.5, 0.15),
    printed("B", "1D-16X", Figure::BreakEven, 0.15, 0.05),
    printed("C", "2D-4X", Figure::RunTime, 1.15, 0.05),
    printed("C", "2D-4X", Figure::BreakEven, 0.45, 0.1),
    printed("C", "2D-4X-PS", Figure::Net, 0.62, 0.02),
    printed("C", "1D-16X", Figure::RunTime, 1.7, 0.15),
    printed("C", "1D-16X", Figure::BreakEven, 0.15, 0.05),
    printed("B", "3D-4X", Figure::BreakEven, 0.45, 0.1),
    printed("C", "3D-4X", Figure::BreakEven, 0.45, 0.1),
    printed("A", "3D-4X", Figure::RunTime, 1.0, 0.02),
    penalty("B", "3D-4X"),
    penalty("C", "3D-4X"),
    printed("B", "3D-4X-PS", Figure::Net, 0.65, 0.05),
    printed("C", "3D-4X-PS", Figure::Net, 0.65, 0.05),
];

/// Makes the rows of all sets that were run: the paper's numbers, and run time and energy of each network.
pub fn comparisons(results: &Results) -> Vec<Comparison> {
    let of_paper = PRINTED.iter().flat_map(|printed| {
        let usual = printed.compare(printed.set, results);
        let changed =
            SETS.iter().filter_map(|set| Some((set.name, set.name.strip_prefix(printed.set)?.strip_prefix(", ")?)));
        let again: Vec<(&str, Comparison)> =
            changed.filter_map(|(set, change)| Some((change, printed.compare(set, results)?))).collect();
        usual.into_iter().flat_map(|usual| again::explained(usual, &again)).collect::<Vec<_>>()
    });
    let own = SETS.iter().flat_map(|set| networks().filter_map(move |network| own(set, network, results)).flatten());
    of_paper.chain(own).collect()
}

/// Makes the rows of `torus_sets.csv`.
pub fn rows(results: &Results) -> impl Iterator<Item = Row> {
    SETS.iter().flat_map(move |set| networks().filter_map(move |network| row(set, network, results)))
}

/// A network, which saves power or not.
type Network = (&'static Torus, bool);

fn networks() -> impl Iterator<Item = Network> {
    TABLE_2.iter().flat_map(|torus| [(torus, false), (torus, true)])
}

fn row(set: &Set, network: Network, results: &Results) -> Option<Row> {
    let (runs, reference) = (Runs::of(set, network, results)?, Runs::reference(set, network.0, results)?);
    let mut row = Row::new();
    row.push(of_table::NETWORK, network.0.name);
    row.push(of_table::NODES, network.0.nodes());
    row.push(of_table::SAVING, network.1);
    row.push(of_table::SET, set.name);
    row.push(of_table::SEEDS, runs.makespan.len() as u64);
    row.push(of_table::MAKESPAN_S, mean(&runs.makespan));
    row.push(of_table::RUNNING_FRACTION, mean(&runs.running));
    let mut relative = |column, half, of: fn(&Runs) -> &[f64]| {
        let (ratio, interval) = ratio(of(&runs), of(&reference));
        row.push(column, ratio);
        row.push_some(half, interval);
    };
    relative(of_table::RELATIVE_MAKESPAN, of_table::RELATIVE_MAKESPAN_HALF, |runs| &runs.makespan);
    relative(of_table::RELATIVE_E_NET, of_table::RELATIVE_E_NET_HALF, |runs| &runs.e_net);
    relative(of_table::RELATIVE_E_CLUSTER_0, of_table::RELATIVE_E_CLUSTER_0_HALF, |runs| &runs.e_cluster[0]);
    relative(of_table::RELATIVE_E_CLUSTER_1, of_table::RELATIVE_E_CLUSTER_1_HALF, |runs| &runs.e_cluster[1]);
    row.push(of_table::BREAK_EVEN, runs.break_even(&reference));
    row.push(of_table::W_NET, mean(&runs.w_net));
    row.push(of_table::PORTS_ON, mean(&runs.ports_on));
    Some(row)
}

fn own(set: &Set, network: Network, results: &Results) -> Option<[Comparison; 2]> {
    network.0.ratio?;
    let (runs, reference) = (Runs::of(set, network, results)?, Runs::reference(set, network.0, results)?);
    let figure = |quantity: &str, of: fn(&Runs) -> &[f64]| {
        let (ratio, half) = ratio(of(&runs), of(&reference));
        let how = format!("torus_sets.csv has all; {}", runs.how(half));
        Comparison::own(place(set.name, &network.0.named(network.1)), quantity, "1", ratio, how)
    };
    Some([
        figure("mean run time, reference network = 1", |runs| &runs.makespan),
        figure("mean E_net, reference network = 1", |runs| &runs.e_net),
    ])
}

fn place(set: &str, network: &str) -> String {
    format!("Section 4.2, set {set}, {network}")
}

fn mean(values: &[f64]) -> f64 {
    values.iter().copied().collect::<Sample>().mean
}

/// Returns the ratio of two means, and half of its 95 % interval where there are several seeds.
///
/// With the same seed the scheduler draws alike on both networks, so that values are taken in pairs: the interval is that
/// of the mean distance from the line of this ratio (Cochran 1977, *Sampling Techniques*, 6.3).
fn ratio(of: &[f64], to: &[f64]) -> (f64, Option<f64>) {
    let ratio = mean(of) / mean(to);
    let distances = of.iter().zip(to).map(|(of, to)| of - ratio * to).collect::<Sample>();
    (ratio, distances.half_width().map(|half| half / mean(to)))
}

impl Runs {
    fn of(set: &Set, (torus, saving): Network, results: &Results) -> Option<Self> {
        let is_it = |case: &Case| {
            let of_set = matches!(&case.work, Work::Set(drawn) if drawn.set == set);
            of_set && case.torus == torus && case.saving == saving
        };
        let runs: Vec<_> = results.0.iter().filter(|(case, _)| is_it(case)).collect();
        let of = |figure: Name| runs.iter().map(|(_, row)| row.number(&figure)).collect::<Option<Vec<f64>>>();
        let cluster = |idle: &str| of(columns::ENERGY_E_CLUSTER.of(idle));
        let found = Runs {
            makespan: of(columns::MAKESPAN_S.into())?,
            running: of(columns::RANKS_RUNNING_FRACTION.into())?,
            e_net: of(columns::ENERGY_E_NET.into())?,
            e_cluster: [cluster("0.0")?, cluster("1.0")?],
            w_net: of(columns::ENERGY_W_NET.into())?,
            ports_on: runs.iter().map(|run| ports_on(run)).collect::<Option<_>>()?,
        };
        Some(found).filter(|runs| !runs.makespan.is_empty())
    }

    fn reference(set: &Set, torus: &Torus, results: &Results) -> Option<Self> {
        let reference = TABLE_2.iter().find(|other| other.is_reference_of(torus))?;
        Runs::of(set, (reference, false), results)
    }

    /// Returns the share of its power that an idle node may draw for the cluster to need less energy than with the
    /// reference network: 1 if it always does, 0 if it never does.
    fn break_even(&self, reference: &Runs) -> f64 {
        let [none, all] = [0, 1].map(|idle: usize| mean(&self.e_cluster[idle]) - mean(&reference.e_cluster[idle]));
        results::break_even(none, all)
    }

    fn how(&self, half: Option<f64>) -> String {
        let interval = half.map_or_else(String::new, |half| format!("95 %: +- {half:.3}; "));
        let seeds = self.makespan.len();
        format!("{interval}{seeds} seeds; generated; how long tasks compute, and sizes, are ours")
    }
}

impl Printed {
    /// Compares it with a set: its own, or that with something changed.
    fn compare(&self, set: &str, results: &Results) -> Option<Comparison> {
        let set = SETS.iter().find(|other| other.name == set)?;
        let network = networks().find(|(torus, saving)| torus.named(*saving) == self.network)?;
        let (runs, reference) = (Runs::of(set, network, results)?, Runs::reference(set, network.0, results)?);
        let (ours, half) = match self.figure {
            Figure::RunTime => ratio(&runs.makespan, &reference.makespan),
            Figure::Net => ratio(&runs.e_net, &reference.e_net),
            Figure::BreakEven => (runs.break_even(&reference), None),
            Figure::Cluster | Figure::PortsOn => return None,
        };
        let trivial = self.figure.kind(network.0, network.1).trivial();
        let theirs = if self.open.is_infinite() {
            Theirs::Above(self.value)
        } else {
            Theirs::found(self.value, self.open, &trivial)
        };
        let row = Comparison::own(place(self.set, self.network), self.figure.quantity(), "1", ours, runs.how(half));
        Some(Comparison { theirs, trivial, ..row })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use toml::{Table, Value};

    use super::super::program::PROGRAMS;
    use super::super::set::{Drawn, drawn};
    use super::*;

    /// Returns the jobs of an experiment: the application and how many of it there are. Graph500 alone does not compute.
    fn jobs(text: &str, heaviest_computes: bool) -> Vec<(Table, i64)> {
        let experiment: Table = text.parse().unwrap();
        let job = |job: &Value| {
            let mut app = job["app"].as_table().unwrap().clone();
            if app["kind"].as_str() == Some("graph500") && heaviest_computes {
                app.insert("compute".into(), "0 us".into());
            }
            (app, job.get("count").map_or(1, |count| count.as_integer().unwrap()))
        };
        experiment["job"].as_array().unwrap().iter().map(job).collect()
    }

    /// Fifteen jobs each, those of the examples, but that Graph500 does not compute.
    #[test]
    fn sets_are_those_of_the_examples() {
        for set in SETS.iter().filter(|set| set.is_usual()) {
            let name = format!("../../examples/andujar-set-{}.toml", set.name.to_lowercase());
            let example = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap();
            let ours = jobs(&Drawn { set, seed: 1 }.overrides(&TABLE_2[0])[0], false);
            assert_eq!(ours, jobs(&example, true));
            assert_eq!(ours.iter().map(|(_, count)| count).sum::<i64>(), 15, "set {}", set.name);
        }
    }

    #[test]
    fn each_set_has_each_seed() {
        let of = |name: &str| drawn(64, 9).filter(|drawn| drawn.set.name == name).count();
        assert_eq!([of("A"), of("C"), of("C, communication alone"), drawn(64, 0).count()], [9, 9, 5, 0]);
        // Three as usual, five scattered.
        assert_eq!(drawn(256, 9).count(), 27 + 25);
        let alone = Drawn { set: &SETS[4], seed: 1 }.overrides(&TABLE_2[0]);
        assert_eq!(alone[0].matches("compute = \"0 us\"").count(), 9, "three programs of three sizes");
        assert_eq!(
            Drawn { set: &SETS[1], seed: 7 }.overrides(&TABLE_2[0])[1..],
            ["seed=7", "scheduler.allocation=\"linear\""]
        );
        let job = SETS[2].job(&PROGRAMS[4], 128, 3);
        assert!(job.contains("compute = \"0 us\" }, count = 3 }"), "{job}");
        let scattered = Drawn { set: &SETS[9], seed: 1 }.overrides(&TABLE_2[0]);
        assert!(scattered[0].contains("compute = \"500 us\""), "a tenth of LINPACK's: {}", scattered[0]);
        assert!(scattered.contains(&"scheduler.allocation=\"random\"".to_owned()) && scattered.len() == 6);
    }

    /// A run of set B of so much time and network energy, and energies of the cluster.
    fn run(name: &str, seed: u32, time: f64, e_net: f64, e_cluster: [f64; 2]) -> (Case, Row) {
        let mut row = Row::new();
        for (column, value) in [
            (columns::MAKESPAN_S, time),
            (columns::RANKS_RUNNING_FRACTION, 0.5),
            (columns::ENERGY_E_NET, e_net),
            (columns::ENERGY_W_NET, 0.6),
            (columns::LINKS_DEEP_FRACTION, 0.25),
        ] {
            row.push(column, value);
        }
        row.push(columns::ENERGY_E_CLUSTER.of("0.0"), e_cluster[0]);
        row.push(columns::ENERGY_E_CLUSTER.of("1.0"), e_cluster[1]);
        (Case::of(name, false, Work::Set(Drawn { set: &SETS[1], seed })), row)
    }

    /// By hand: 3 and 7 over 2 and 4 are 5/3; they lie 1/3 below and above that line, so that the mean distance has an
    /// interval of 12.706 / 3, and the ratio a third of it. With nodes that draw nothing the cluster needs 1.5 instead of
    /// 2, with those that draw all 4 instead of 3.5: the same at a half.
    #[test]
    fn ratios_by_hand() {
        let results = Results(vec![
            run("3D-1X", 1, 2.0, 1.0, [1.0, 3.0]),
            run("3D-1X", 2, 4.0, 1.0, [3.0, 4.0]),
            run("2D-4X", 1, 3.0, 0.5, [1.0, 4.0]),
            run("2D-4X", 2, 7.0, 0.7, [2.0, 4.0]),
        ]);
        let rows: Vec<Row> = rows(&results).collect();
        assert_eq!(rows.iter().map(|row| row.text(of_table::NETWORK)).collect::<Vec<_>>(), ["3D-1X", "2D-4X"]);
        let is = |column, expected: f64| {
            let number = rows[1].number(column).unwrap();
            assert!((number - expected).abs() < 1e-9, "{number}, {expected}");
        };
        is(of_table::SEEDS, 2.0);
        is(of_table::MAKESPAN_S, 5.0);
        is(of_table::RELATIVE_MAKESPAN, 5.0 / 3.0);
        is(of_table::RELATIVE_MAKESPAN_HALF, 12.706_204_736_174_7 / 9.0);
        is(of_table::RELATIVE_E_NET, 0.6);
        is(of_table::BREAK_EVEN, 0.5);
        is(of_table::PORTS_ON, 3.0);
        let comparisons = comparisons(&results);
        let ours = |quantity: &str| {
            let is_it =
                |row: &&Comparison| row.place == "Section 4.2, set B, 2D-4X" && row.quantity.starts_with(quantity);
            comparisons.iter().find(is_it).unwrap()
        };
        assert_eq!((ours("run time").ours, ours("omega_Snodes").ours), (Some(5.0 / 3.0), Some(0.5)));
        assert_eq!(ours("run time").theirs, Theirs::Found { value: 1.1, tolerance: 0.05 });
        assert!(comparisons.iter().all(|row| !row.is_blind() && !row.is_rigid()));
    }

    /// A cluster that always needs less, and one that never does.
    #[test]
    fn where_clusters_do_not_break_even() {
        let at = |e_cluster| {
            let results = Results(vec![run("3D-1X", 1, 1.0, 1.0, [2.0, 3.0]), run("2D-4X", 1, 1.0, 1.0, e_cluster)]);
            rows(&results).nth(1).unwrap().number(of_table::BREAK_EVEN)
        };
        assert_eq!([at([1.9, 2.9]), at([2.1, 3.1]), at([2.0, 3.0])], [Some(1.0), Some(0.0), Some(0.0)]);
    }

    #[test]
    fn no_number_of_the_paper_accepts_a_trivial_answer() {
        let all = ["3D-1X", "2D-4X", "1D-16X", "4D-1X", "3D-4X"];
        let runs = all.iter().flat_map(|name| SETS.iter().map(move |set| (name, set)));
        let made = |(name, set): (&&str, &'static Set)| {
            let (_, row) = run(name, 1, 1.0, 1.0, [1.0, 1.0]);
            [false, true].map(|saving| (Case::of(name, saving, Work::Set(Drawn { set, seed: 1 })), row.clone()))
        };
        let results = Results(runs.flat_map(made).collect());
        let printed: Vec<Comparison> =
            PRINTED.iter().filter_map(|printed| printed.compare(printed.set, &results)).collect();
        assert_eq!(printed.len(), PRINTED.len());
        assert!(printed.iter().all(|row| !row.is_blind() && !row.is_rigid()));
    }
}
