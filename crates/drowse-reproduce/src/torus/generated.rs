//! Section 4.1 with as many tasks as the paper has. Its traces of 512 tasks are not there, so the programs are
//! generated, with the inputs that section 3.3 names.
//!
//! How long tasks compute, the sizes of Linpack and Random Access, where tasks are placed and how they gather from all
//! is not printed. Times and sizes are those of examples/andujar-set-a.toml. Graph500, the heaviest load, runs as its
//! communication alone, under each placement and each way to gather, and with an allocator whose latency is not hidden by
//! the packet before. All run under other settings of the policy (`policies.rs`) and other choices (`choices.rs`), too.

use drowse_tables::schema::cases as columns;

use super::closed_form;
use super::program::{
    ALLGATHERS, Allocation, Generated, HEAVIEST, PLACEMENTS, PROGRAMS, Program, RANDOM_ACCESS, TASKS, band,
};
use super::results::Results;
use super::rows::{Figure, PRINTED, Printed};
use super::table_2::TABLE_2;
use crate::comparison::{Comparison, Theirs};
use crate::trivial::Kind;

/// Run times of Random Access: "less than 1 % in the 2D torus and 3 % in the 1D torus".
const LESS_THAN: f64 = 1.01;
static ON_RING: Printed = Printed {
    network: "1D-16X",
    program: "MPIRA",
    computes: true,
    copies: 8,
    figure: Figure::RunTime,
    value: 1.03,
    open: 0.02,
};

/// A number of section 4.1, and the program that it is said of.
#[derive(Clone, Copy)]
pub struct Number {
    pub program: &'static Program,
    pub printed: &'static Printed,
}

/// Returns all of them: the energies of light loads, run times and energies of the heaviest, and a run time of Random
/// Access.
pub fn numbers() -> impl Iterator<Item = Number> {
    let of_program = |program: &'static Program| {
        let wanted = move |printed: &&Printed| {
            printed.computes != program.is_heaviest() && (program.is_heaviest() || printed.figure == Figure::Net)
        };
        let figures = [Figure::RunTime, Figure::Net, Figure::BreakEven].into_iter();
        let printed = figures.flat_map(|figure| PRINTED.iter().filter(move |printed| printed.figure == figure));
        let on_ring = (program == RANDOM_ACCESS).then_some(&ON_RING);
        on_ring.into_iter().chain(printed.filter(wanted)).map(move |printed| Number { program, printed })
    };
    PROGRAMS.iter().flat_map(of_program)
}

impl Number {
    /// Compares the paper's number with a run, named as if it were the usual one.
    pub fn compare(&self, run: Generated, results: &Results) -> Option<Comparison> {
        let found = results.find(self.printed.network, &run.into())?;
        self.printed.compare(place(self.program, self.printed.network), found, results)
    }

    /// Returns the usual run that it is compared with.
    pub fn usual(&self) -> Generated {
        Generated { computes: self.printed.computes, ..self.program.usual() }
    }
}

/// Makes the rows of all programs that were run.
pub fn comparisons(results: &Results) -> Vec<Comparison> {
    let printed = numbers().filter_map(|number| number.compare(number.usual(), results));
    let bands = [Allocation::Hidden, Allocation::NotHidden].into_iter().flat_map(|allocation| {
        ["2D-4X", "1D-16X"].into_iter().flat_map(move |network| band_of(network, allocation, results))
    });
    let on_256 = on_256(|program| program.as_printed(None), results);
    let paths = paths("Section 4.1", |program| Some(program.as_printed(None)), results);
    less_than(results).into_iter().chain(printed).chain(bands).chain(on_256).chain(paths).collect()
}

/// Makes the rows of what the heaviest load measures: where its critical path passes its time on the reference networks.
pub fn paths(place: &str, run: impl Fn(&'static Program) -> Option<Generated>, results: &Results) -> Vec<Comparison> {
    let parts = [("memory of nodes", columns::PATH_MEMORY_FRACTION), ("network", columns::PATH_NETWORK_FRACTION)];
    let references = TABLE_2.iter().filter(|torus| torus.ratio.is_none());
    let of_network = references.filter_map(|torus| results.find(torus.name, &run(HEAVIEST)?.into()));
    let rows = of_network.flat_map(|(case, row)| {
        parts.iter().filter_map(move |&(name, share)| {
            let place = format!("{place}, Graph500 of {TASKS} tasks, {}", case.torus.name);
            let quantity = format!("share of the critical path in the {name}");
            let how = "communication alone: messages within a node take the memory, all others the network";
            Some(Comparison::own(place, quantity, "1", row.number(share)?, how))
        })
    });
    rows.collect()
}

/// Compares what section 4.1 sums up of 256 nodes: "energy savings at network level of up to 50 % that translate into 5 %
/// to 40 % at system level", over all programs and all shares of power that an idle node draws.
pub fn on_256(run: impl Fn(&'static Program) -> Generated, results: &Results) -> Vec<Comparison> {
    let network = "3D-4X-PS";
    let runs = PROGRAMS.iter().filter_map(|program| results.find(network, &run(program).into()));
    let runs: Vec<_> = runs.collect();
    let saved = |figure: &str| {
        let figure =
            if figure.is_empty() { columns::ENERGY_E_NET.into() } else { columns::ENERGY_E_CLUSTER.of(figure) };
        let relative = runs.iter().filter_map(|run| results.relative(run, figure.clone()));
        relative.map(|relative| 100.0 * (1.0 - relative)).collect::<Vec<f64>>()
    };
    let cluster: Vec<f64> = ["0.0", "1.0"].into_iter().flat_map(saved).collect();
    let most = |saved: &[f64]| saved.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = |saved: &[f64]| saved.iter().copied().fold(f64::INFINITY, f64::min);
    let how = "over the five programs of 512 tasks, Graph500 as its communication alone";
    let Some((case, _)) = runs.first() else { return Vec::new() };
    // Of a cluster whose nodes draw nothing when idle, the network is all.
    let saved_by = |net: f64| 100.0 * (1.0 - net);
    let kind =
        Kind::NetSaved { on: saved_by(case.torus.port_ratio()), idle: saved_by(closed_form::power(case.torus, 1.0)) };
    let row = |quantity: &str, value: f64, open: f64, ours: f64| {
        let trivial = kind.trivial();
        let theirs = Theirs::found(value, open, &trivial);
        let place = format!("Section 4.1, 256 nodes, {network}");
        Comparison { theirs, trivial, ..Comparison::own(place, quantity, "%", ours, how) }
    };
    vec![
        row("E_net saved at most", 50.0, 1.0, most(&saved(""))),
        row("E_cluster saved at least", 5.0, 2.0, least(&cluster)),
        row("E_cluster saved at most", 40.0, 5.0, most(&cluster)),
    ]
}

/// Makes the row of a limit that a program keeps which never sends, so that it is only shown.
fn less_than(results: &Results) -> Option<Comparison> {
    let network = "2D-4X";
    let run = results.find(network, &RANDOM_ACCESS.usual().into())?;
    let ours = Figure::RunTime.of(run, results)?;
    let how = Figure::RunTime.reason(run);
    let row = Comparison::own(place(RANDOM_ACCESS, network), Figure::RunTime.quantity(), "1", ours, how);
    Some(Comparison { theirs: Theirs::Below(LESS_THAN), ..row.with_trivial(Kind::RunTime) }.shown())
}

fn place(program: &Program, network: &str) -> String {
    format!("Section 4.1, {} of {TASKS} tasks, {network}", program.name)
}

/// Makes the rows of the least and the most run time of Graph500 over all placements and ways to gather.
fn band_of(network: &str, allocation: Allocation, results: &Results) -> Vec<Comparison> {
    let runs = band(allocation).into_iter().filter_map(|program| {
        let run = results.find(network, &program.into())?;
        Some((Figure::RunTime.of(run, results)?, program))
    });
    let mut runs: Vec<(f64, Generated)> = runs.collect();
    if runs.len() < PLACEMENTS.len() * ALLGATHERS.len() {
        // A quick look has some of them, which are no band.
        return Vec::new();
    }
    runs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let row = |what: &str, &(time, program): &(f64, Generated)| {
        let (placements, algorithms) = (PLACEMENTS.len(), ALLGATHERS.len());
        let gathers = program.allgather.unwrap_or("by Open MPI's rules");
        let how =
            format!("{placements} placements, {algorithms} ways to gather; here {}, {gathers}", program.placement);
        let (how, hidden) = if allocation == Allocation::Hidden {
            (how, "")
        } else {
            (format!("{how}; switch.allocator.overlap = false"), ", allocation not hidden")
        };
        let place = format!("{}, not printed{hidden}", place(HEAVIEST, network));
        Comparison::own(place, format!("{}, {what}", Figure::RunTime.quantity()), "1", time, how)
    };
    let ends = [("least", runs.first()), ("most", runs.last())];
    ends.into_iter().filter_map(|(what, run)| run.map(|run| row(what, run))).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use drowse_tables::Row;
    use drowse_tables::schema::cases as columns;

    use super::super::case::{Case, Work};
    use super::super::policy::POLICIES;
    use super::super::program::works;
    use super::*;

    /// The programs are those of the example of set A.
    #[test]
    fn programs_are_those_of_the_example() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/andujar-set-a.toml");
        let example = std::fs::read_to_string(path).unwrap();
        for (program, tasks) in PROGRAMS.iter().flat_map(|program| [128, 256, 512].map(|tasks| (program, tasks))) {
            let app = format!("{}\n", program.app(tasks, 100));
            assert!(
                example.contains(&app) && (app.contains(&format!("ranks = {tasks}")) || app.contains('[')),
                "{app}"
            );
        }
    }

    #[test]
    fn what_is_run() {
        let policies = 5 * POLICIES.len();
        assert_eq!([works(64).len(), works(256).len()], [5 + 2 * 3 * 5 + policies, 5 + 1 + policies]);
        assert!(works(256).iter().all(|program| program.placement == "linear" && program.allgather.is_none()));
        let titles: Vec<String> = works(64).iter().map(Generated::title).collect();
        for (number, title) in [
            (5, "Graph500, 512 tasks"),
            (19, "Graph500, 512 tasks (random, bruck)"),
            (20, "Graph500, 512 tasks (allocation not hidden)"),
            (35, "NAMD, 512 tasks (thresholds 0.4, 0.16)"),
        ] {
            assert_eq!(titles[number], title);
        }
        let of_size = |nodes| TABLE_2.iter().find(|torus| torus.nodes() == nodes).unwrap();
        let alone = works(256)[5].overrides(of_size(256));
        assert!(alone.contains(&"node.cores=2".into()) && alone[1].contains("compute = \"0 us\""), "{alone:?}");
        assert_eq!(works(64)[20].overrides(of_size(64)).pop().unwrap(), "switch.allocator.overlap=false");
        assert_eq!(works(64)[19].overrides(of_size(64)).pop().unwrap(), "job.0.collectives.allgather=\"bruck\"");
        let anew = Generated { allocation: Allocation::OneAtATime, ..PROGRAMS[0].usual() }.overrides(of_size(256));
        let keys = [
            "switch.allocator={ kind = \"three-stage\" }",
            "switch.clock=\"6400 ps\"",
            "switch.hop_latency=\"48400 ps\"",
        ];
        assert!(anew.ends_with(&keys.map(str::to_owned)), "4D-1X: 4 cycles of 1.6 ns, 24 of them and 10 ns: {anew:?}");
        let longer = Generated { pace: 1_000, ..PROGRAMS[0].usual() };
        assert!(longer.overrides(of_size(64))[1].ends_with("compute = \"4 ms\" }"));
        assert_eq!(longer.title(), "NAMD, 512 tasks (1000 % of the computing)");
    }

    fn run(name: &str, program: Generated, time: f64) -> (Case, Row) {
        let mut row = Row::new();
        row.push(columns::MAKESPAN_S, time);
        row.push(columns::ENERGY_E_NET, time / 2.0);
        (Case::of(name.trim_end_matches("-PS"), name.ends_with("-PS"), program.into()), row)
    }

    /// Graph500 alone takes 2, and 3 on 2D-4X: 1.5. Placed at random, by Bruck's way, it takes 1 and 3, which is the most of
    /// the band, and 2 and 4 with all between.
    #[test]
    fn rows_by_hand() {
        let alone = works(64)[5];
        let random = works(64)[19];
        let between = works(64)
            .into_iter()
            .take(19)
            .skip(6)
            .flat_map(|run_so| [run("3D-1X", run_so, 2.0), run("2D-4X", run_so, 4.0)]);
        let ends = [
            run("3D-1X", alone, 2.0),
            run("2D-4X", alone, 3.0),
            run("3D-1X", random, 1.0),
            run("2D-4X", random, 3.0),
            run("3D-1X", PROGRAMS[3].usual(), 4.0),
            run("2D-4X", PROGRAMS[3].usual(), 4.04),
            run("1D-16X", PROGRAMS[3].usual(), 4.16),
        ];
        let results = Results(ends.into_iter().chain(between).collect());
        let rows = comparisons(&results);
        let ours = |place: &str, quantity: &str| {
            let row = rows.iter().find(|row| row.place == place && row.quantity.starts_with(quantity)).unwrap();
            (row.ours.unwrap(), row.theirs.clone())
        };
        let (time, theirs) = ours("Section 4.1, Graph500 of 512 tasks, 2D-4X", "run time");
        assert_eq!((time, theirs), (1.5, Theirs::Found { value: 1.19, tolerance: 0.05 }));
        let (time, theirs) = ours("Section 4.1, MPIRA of 512 tasks, 2D-4X", "run time");
        assert_eq!((time, theirs), (1.01, Theirs::Below(1.01).shown()));
        let (time, theirs) = ours("Section 4.1, MPIRA of 512 tasks, 1D-16X", "run time");
        // Half of the way to a program that never sends.
        let within = theirs.tolerance().unwrap() - 0.015;
        assert!(within.abs() < 1e-12);
        assert_eq!((time, theirs.value()), (1.04, Some(1.03)));
        let band = "Section 4.1, Graph500 of 512 tasks, 2D-4X, not printed";
        let ends = ["least", "most"].map(|end| {
            let row = rows.iter().find(|row| row.place == band && row.quantity.ends_with(end)).unwrap();
            (row.ours.unwrap(), row.how.to_string())
        });
        let how = |choice| format!("3 placements, 5 ways to gather; here {choice}");
        assert_eq!(ends, [(1.5, how("linear, by Open MPI's rules")), (3.0, how("random, bruck"))]);
        assert!(rows.iter().all(|row| !row.is_blind()));
        assert_eq!(rows.len(), 9, "three of Graph500, three of Random Access and one energy more, and two ends");
        let some = Results(results.0.into_iter().filter(|(case, _)| case.work != Work::from(works(64)[7])).collect());
        assert_eq!(comparisons(&some).len(), 7, "a band needs all of its runs");
    }
}
