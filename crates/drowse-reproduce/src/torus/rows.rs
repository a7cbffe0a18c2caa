//! The rows of the comparison: exact numbers, those that the paper found, and ours alone.

use std::path::Path;

use drowse_tables::Row;
use drowse_tables::schema::cases as columns;

use super::again;
use super::case::{Case, Work};
use super::cases;
use super::closed_form;
use super::results::{Results, ports_on};
use super::table_2::{TABLE_2, Torus};
use crate::comparison::{Comparison, Theirs};
use crate::programs::PROGRAMS;
use crate::trivial::Kind;

/// A figure of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Figure {
    /// Run time, reference network = 1.
    RunTime,
    /// `E_net`, reference network = 1.
    Net,
    /// `E_cluster` with nodes that draw half of their power when idle, reference network = 1.
    Cluster,
    /// Mean ports of a trunk that are on.
    PortsOn,
    /// The share of its power that an idle node may draw for the cluster to need no more than with the reference
    /// network.
    BreakEven,
}

/// A number of the paper.
pub(super) struct Printed {
    pub network: &'static str,
    pub program: &'static str,
    /// As it was traced, or its communication alone, so many copies on each node.
    pub computes: bool,
    pub copies: u32,
    pub figure: Figure,
    pub value: f64,
    /// How much its words leave open.
    pub open: f64,
}

/// A light load: Linpack, of which section 4.1 says that it gives what NAMD, GROMACS and nearly MPI Random Access give.
const fn light(network: &'static str, figure: Figure, value: f64, open: f64) -> Printed {
    Printed { network, program: "LINPACK", computes: true, copies: 1, figure, value, open }
}

/// The heaviest load: Graph500, eight tasks on a node of 64, fewer on those of 256. There is no trace of it: the one in
/// `traces`, of scale 14, is one rank that computes for 100 of 102 ms.
const fn heavy(network: &'static str, copies: u32, figure: Figure, value: f64, open: f64) -> Printed {
    Printed { network, program: "Graph500", computes: false, copies, figure, value, open }
}

/// Section 4.1. Where it gives a range, the number is its middle, and half its width is left open. Network energy of
/// Graph500 is what it says of savings; on 1D-16X it says of run time "208 - 218 %, depending on the case". Its cluster
/// needs less energy where omega_Snodes is "lower than 0.2 - 0.4, depending on the case": more where power is saved.
///
/// Energies are printed to one percent. Run times and energies of light loads without power saving are those of an idle
/// network, so that they are only shown.
pub(super) static PRINTED: [Printed; 22] = [
    light("2D-4X", Figure::RunTime, 1.0, 0.01),
    light("2D-4X", Figure::Net, 0.715, 0.01),
    light("2D-4X-PS", Figure::RunTime, 1.0, 0.01),
    light("2D-4X-PS", Figure::Net, 0.50, 0.01),
    light("1D-16X", Figure::RunTime, 1.0, 0.01),
    light("1D-16X", Figure::Net, 0.43, 0.01),
    light("1D-16X-PS", Figure::RunTime, 1.0, 0.01),
    light("1D-16X-PS", Figure::Net, 0.32, 0.01),
    light("3D-4X", Figure::RunTime, 1.0, 0.01),
    light("3D-4X", Figure::Net, 0.777, 0.01),
    light("3D-4X-PS", Figure::RunTime, 1.0, 0.01),
    light("3D-4X-PS", Figure::Net, 0.50, 0.01),
    heavy("2D-4X", 8, Figure::RunTime, 1.19, 0.05),
    heavy("2D-4X", 8, Figure::Net, 0.86, 0.05),
    heavy("2D-4X", 8, Figure::BreakEven, 0.2, 0.1),
    heavy("2D-4X-PS", 8, Figure::RunTime, 1.19, 0.05),
    heavy("2D-4X-PS", 8, Figure::Net, 0.69, 0.02),
    heavy("2D-4X-PS", 8, Figure::BreakEven, 0.4, 0.1),
    heavy("1D-16X", 8, Figure::RunTime, 2.13, 0.05),
    heavy("1D-16X-PS", 8, Figure::RunTime, 2.13, 0.05),
    heavy("3D-4X", 1, Figure::RunTime, 1.015, 0.005),
    heavy("3D-4X-PS", 1, Figure::RunTime, 1.015, 0.005),
];

/// Makes all rows.
pub fn comparisons(quick: bool, traces: &Path, results: &Results) -> Vec<Comparison> {
    let mut comparisons: Vec<Comparison> = TABLE_2.iter().filter_map(|torus| exact(torus, results)).collect();
    for printed in &PRINTED {
        let usual = of_paper(printed, quick, traces, results);
        let again = faster(printed, results, |place, run| printed.compare(place, run, results));
        comparisons.extend(usual.into_iter().flat_map(|usual| again::explained(usual, &again)));
    }
    comparisons.extend(implied(results));
    for (torus, saving) in
        TABLE_2.iter().filter(|torus| torus.ratio.is_some()).flat_map(|torus| [(torus, false), (torus, true)])
    {
        for computes in [true, false] {
            comparisons.extend(means(torus, saving, computes, results));
        }
        comparisons.extend(uniform(torus, saving, results));
    }
    comparisons
}

/// Compares `E_net` without power saving, in seconds, over the run time: the port ratio, of whatever program.
fn exact(torus: &Torus, results: &Results) -> Option<Comparison> {
    let ratio = torus.ratio?;
    let runs = results.0.iter().filter(|(case, _)| case.torus == torus && !case.saving);
    let ratios: Vec<f64> = runs
        .filter_map(|(_, row)| Some(row.number(columns::ENERGY_E_NET)? / row.number(columns::MAKESPAN_S)?))
        .collect();
    let farthest = ratios
        .iter()
        .copied()
        .max_by(|a, b| (a - torus.port_ratio()).abs().total_cmp(&(b - torus.port_ratio()).abs()))?;
    let comparison = Comparison::printed(
        format!("Section 2.2, {}", torus.name),
        "E_net over run time without power saving, reference network = 1",
        "1",
        ratio,
        farthest,
        "the port ratio, for every port is on; of all programs the one that is farthest from it",
    );
    Some(comparison.with_trivial(Kind::PortRatio))
}

/// Compares a number of the paper; `None` where a quick reproduction leaves it out.
fn of_paper(printed: &Printed, quick: bool, traces: &Path, results: &Results) -> Option<Comparison> {
    let program = PROGRAMS.iter().find(|of_ours| of_ours.name == printed.program)?;
    let torus = printed.torus()?;
    let place = format!("Section 4.1, {}, {}", program.name, printed.network);
    let work = Work::Program { program, computes: printed.computes, copies: printed.copies };
    if let Some(run) = results.find(printed.network, &work) {
        return printed.compare(place, run, results);
    }
    let file = program.trace(traces)?;
    if file.exists() || !cases::is_run(quick, torus.nodes(), program) {
        return None;
    }
    let how = format!("no trace: {} is not there; --traces DIR tells where traces are", file.display());
    Some(printed.row(place, torus, None, how))
}

/// Names how long tasks of a traced program compute, where that is not as traced.
const FASTER: [&str; 2] = ["a tenth of the computing", "3 % of the computing"];

/// Makes the row of a number with each shorter time for which the traced program computes.
fn faster(
    printed: &Printed,
    results: &Results,
    row: impl Fn(String, &(Case, Row)) -> Option<Comparison>,
) -> Vec<(&'static str, Comparison)> {
    let again = FASTER.into_iter().zip(cases::PERCENT_OF_COMPUTING).filter_map(|(name, percent)| {
        let program = PROGRAMS.iter().find(|program| program.name == printed.program).filter(|_| printed.computes)?;
        let run = results.find(printed.network, &Work::Faster { program, percent })?;
        Some((name, row(String::new(), run)?))
    });
    again.collect()
}

/// Compares the ports on of a light load with what the paper's energies say of them.
fn implied(results: &Results) -> Vec<Comparison> {
    let light = PRINTED.iter().filter(|printed| printed.computes && printed.figure == Figure::Net);
    let of_saving = light.filter_map(|printed| {
        let torus = TABLE_2.iter().find(|torus| Some(torus.name) == printed.network.strip_suffix("-PS"))?;
        let program = PROGRAMS.iter().find(|program| program.name == printed.program)?;
        let run = results.find(printed.network, &Work::Program { program, computes: true, copies: 1 })?;
        let row = |place, run: &_| implied_by(printed, torus, place, run);
        let usual = row(format!("Section 4.1, LINPACK, {}", printed.network), run);
        Some(again::explained(usual, &faster(printed, results, |place, run| Some(row(place, run)))))
    });
    of_saving.flatten().collect()
}

/// Compares the ports on in a run with what an energy says of them.
fn implied_by(printed: &Printed, torus: &Torus, place: String, run: &(Case, Row)) -> Comparison {
    let at = |w_net: f64| (100.0 * closed_form::ports_on(torus, w_net)).round() / 100.0;
    let how = format!("theirs is what E_net = {} means at a run time of 1; {}", printed.value, Figure::Net.reason(run));
    let (value, open) = (at(printed.value), at(printed.value + printed.open) - at(printed.value));
    let implied = Printed { figure: Figure::PortsOn, value, open, ..*printed };
    implied.row(place, torus, ports_on(run), how)
}

/// Returns the means over all programs, each once on each node.
fn means(torus: &Torus, saving: bool, computes: bool, results: &Results) -> Vec<Comparison> {
    let chosen = |(case, _): &&(Case, Row)| {
        let work = matches!(case.work, Work::Program { computes: of, copies: 1, .. } if of == computes);
        case.torus == torus && case.saving == saving && work
    };
    let runs: Vec<&(Case, Row)> = results.0.iter().filter(chosen).collect();
    let Some((case, _)) = runs.first() else { return Vec::new() };
    let what = if computes { "as traced" } else { "communication alone" };
    let figures = [Figure::RunTime, Figure::Net, Figure::Cluster, Figure::PortsOn];
    let mean = |figure: Figure| {
        let values: Vec<f64> = runs.iter().filter_map(|run| figure.of(run, results)).collect();
        let how = format!("mean of {} programs, a rank on each node; torus_programs.csv has each", values.len());
        Comparison::own(
            format!("Programs {what}, {}", case.name()),
            figure.quantity(),
            figure.unit(),
            values.iter().sum::<f64>() / values.len() as f64,
            how,
        )
    };
    figures.into_iter().filter(|&figure| saving || figure != Figure::PortsOn).map(mean).collect()
}

/// Returns the rows of uniform traffic.
fn uniform(torus: &Torus, saving: bool, results: &Results) -> Vec<Comparison> {
    let runs = results.0.iter().filter(|(case, _)| case.torus == torus && case.saving == saving);
    let loads = runs.filter_map(|run| match run.0.work {
        Work::Uniform { percent } if [10, 50, 90].contains(&percent) => Some((percent, run)),
        _ => None,
    });
    let rows = loads.flat_map(|(percent, run)| {
        let place = format!("Uniform traffic, {percent} %, {}", run.0.name());
        let how = "200 us after 200 us; torus_loads.csv has all loads";
        let figure = |quantity: &str, unit, value: Option<f64>| {
            value.map(|value| Comparison::own(place.clone(), quantity, unit, value, how))
        };
        [
            figure("accepted load", "1", run.1.number(columns::LOAD_ACCEPTED)),
            figure("mean latency of packets", "ns", run.1.number(columns::LATENCY_PACKET_MEAN_NS)),
            figure("W_net", "1", run.1.number(columns::ENERGY_W_NET)),
            figure("ports of a trunk on", "ports", ports_on(run).filter(|_| saving)),
        ]
    });
    rows.flatten().collect()
}

impl Printed {
    /// Returns its network, which saves power or not.
    fn torus(&self) -> Option<&'static Torus> {
        TABLE_2.iter().find(|torus| self.network.trim_end_matches("-PS") == torus.name)
    }

    /// Compares it with a run on its network.
    pub fn compare(&self, place: String, run: &(Case, Row), results: &Results) -> Option<Comparison> {
        Some(self.row(place, self.torus()?, self.figure.of(run, results), self.figure.reason(run)))
    }

    /// Makes its row.
    fn row(&self, place: String, torus: &Torus, ours: Option<f64>, how: String) -> Comparison {
        let trivial = self.figure.kind(torus, self.network.ends_with("-PS")).trivial();
        let theirs = Theirs::found(self.value, self.open, &trivial);
        let row = Comparison::own(place, self.figure.quantity(), self.figure.unit(), f64::NAN, how);
        Comparison { theirs, ours, trivial, ..row }
    }
}

impl Figure {
    /// Returns its kind on a network that saves power, or saves none: by that it has trivial answers.
    pub fn kind(self, torus: &Torus, saving: bool) -> Kind {
        let on = torus.port_ratio();
        match self {
            Figure::RunTime => Kind::RunTime,
            Figure::PortsOn => Kind::PortsOn { links: torus.links() },
            Figure::Net => Kind::NetEnergy { on, idle: if saving { closed_form::power(torus, 1.0) } else { on } },
            Figure::BreakEven => Kind::BreakEven,
            // The paper prints none.
            Figure::Cluster => Kind::Ours,
        }
    }

    pub fn of(self, run: &(Case, Row), results: &Results) -> Option<f64> {
        match self {
            Figure::RunTime => results.relative(run, columns::MAKESPAN_S),
            Figure::Net => results.relative(run, columns::ENERGY_E_NET),
            Figure::Cluster => results.relative(run, columns::ENERGY_E_CLUSTER.of("0.5")),
            Figure::PortsOn => ports_on(run),
            Figure::BreakEven => results.break_even(run),
        }
    }

    pub fn quantity(self) -> String {
        match self {
            Figure::RunTime => "run time, reference network = 1".into(),
            Figure::Net => "E_net, reference network = 1".into(),
            Figure::Cluster => "E_cluster at omega_Snodes = 0.5, reference network = 1".into(),
            Figure::PortsOn => "ports of a trunk on".into(),
            Figure::BreakEven => "omega_Snodes up to which the cluster needs less energy".into(),
        }
    }

    const fn unit(self) -> &'static str {
        match self {
            Figure::PortsOn => "ports",
            _ => "1",
        }
    }

    /// Returns how it was computed, and why it may differ.
    pub fn reason(self, run: &(Case, Row)) -> String {
        let (case, row) = run;
        let what = match case.work {
            Work::Program { computes: true, .. } => {
                "64 ranks as traced, a rank on each node; the paper has 512 tasks".into()
            }
            Work::Program { copies, .. } => {
                format!("{copies} of 64 ranks on each node, without computation; the paper has 512 tasks that compute")
            }
            Work::Generated(program) => {
                let how = if program.computes { "" } else { ", without computation" };
                format!("generated{how}; how long tasks compute, and sizes, are ours")
            }
            Work::Faster { percent, .. } => {
                format!("64 ranks, a rank on each node, which compute for {percent} % of the time that was traced")
            }
            Work::Set(_) | Work::Uniform { .. } => String::new(),
        };
        let w_net = row.number(columns::ENERGY_W_NET).unwrap_or(f64::NAN);
        match self {
            Figure::Net if case.saving => format!(
                "W_net {w_net:.4}; with the permanent ports alone {:.4}; {what}",
                closed_form::power(case.torus, 1.0)
            ),
            Figure::Net => format!("the port ratio times the run time; {what}"),
            Figure::BreakEven => format!("E_cluster is linear in omega_Snodes; {what}"),
            Figure::RunTime | Figure::Cluster | Figure::PortsOn => what,
        }
    }
}

#[cfg(test)]
mod tests {
    use drowse_tables::schema::Column;
    use drowse_tables::schema::cases::ENERGY_W_NET as W_NET;

    use super::*;

    /// In full and without a run, for a quick reproduction leaves rows out.
    #[test]
    fn no_row_accepts_an_idle_network_or_one_that_saves_nothing() {
        let nowhere = Path::new("nowhere");
        let rows = |printed| of_paper(printed, false, nowhere, &Results(Vec::new()));
        let rows: Vec<Comparison> = PRINTED.iter().filter_map(rows).collect();
        assert_eq!(rows.len(), PRINTED.len());
        for row in rows {
            assert!(!row.is_blind(), "{}: {}", row.place, row.quantity);
        }
    }

    /// A run of a network with some figures.
    fn run(name: &str, saving: bool, work: &Work, figures: &[(Column, f64)]) -> (Case, Row) {
        let mut row = Row::new();
        figures.iter().for_each(|&(column, value)| row.push(column, value));
        (Case::of(name, saving, work.clone()), row)
    }

    fn work(name: &str, computes: bool, copies: u32) -> Work {
        let program = PROGRAMS.iter().find(|program| program.name == name).unwrap();
        Work::Program { program, computes, copies }
    }

    fn assert_near(ours: Option<f64>, expected: f64) {
        assert!(ours.is_some_and(|ours| (ours - expected).abs() < 1e-9), "{ours:?} is not {expected}");
    }

    /// The port ratio of 2D-4X is 320 / 448, 0.714: 0.70 is farther from it than 0.72, in whatever order. A run with
    /// power saving does not count, nor does one of another network.
    #[test]
    fn the_ratio_that_is_farthest_is_shown() {
        let of = |name, saving, ratio: f64| {
            let figures = [(columns::ENERGY_E_NET, 2.0 * ratio), (columns::MAKESPAN_S, 2.0)];
            run(name, saving, &work("EP", true, 1), &figures)
        };
        let torus = TABLE_2.iter().find(|torus| torus.name == "2D-4X").unwrap();
        for ratios in [[0.70, 0.72], [0.72, 0.70]] {
            let mut runs = ratios.map(|ratio| of("2D-4X", false, ratio)).to_vec();
            runs.extend([of("2D-4X", true, 0.1), of("1D-16X", false, 0.1)]);
            assert_near(exact(torus, &Results(runs)).unwrap().ours, 0.70);
        }
    }

    /// Which rows there are: a quick look has no network of 256 nodes, and a program whose trace is there, but which was
    /// not run, has none.
    #[test]
    fn rows_without_a_run() {
        let rows = |quick, traces: &Path| {
            PRINTED.iter().filter_map(|printed| of_paper(printed, quick, traces, &Results(Vec::new()))).count()
        };
        let nowhere = Path::new("nowhere");
        assert_eq!([rows(false, nowhere), rows(true, nowhere)], [22, 16]);
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("hpl.64.tar.zst"), "").unwrap();
        assert_eq!([rows(false, folder.path()), rows(true, folder.path())], [10, 8], "those of Graph500 are left");
    }

    /// The least power of 2D-4X is 0.649 x 320 / 448 = 0.4636, and 0.7143 is its most.
    #[test]
    fn rows_of_the_paper_by_hand() {
        let light = work("LINPACK", true, 1);
        let heavy = work("Graph500", false, 8);
        let figures = |time: f64, net: f64| [(columns::MAKESPAN_S, time), (columns::ENERGY_E_NET, net), (W_NET, 0.5)];
        let results = Results(vec![
            run("3D-1X", false, &light, &figures(2.0, 2.0)),
            run("3D-1X", false, &heavy, &figures(4.0, 8.0)),
            run("2D-4X", false, &light, &figures(2.5, 1.5)),
            run("2D-4X", true, &light, &figures(3.0, 1.25)),
            run("2D-4X", false, &heavy, &figures(5.0, 6.0)),
            run("2D-4X", true, &heavy, &figures(6.0, 5.0)),
        ]);
        let traced = "64 ranks as traced, a rank on each node; the paper has 512 tasks";
        let alone = "8 of 64 ranks on each node, without computation; the paper has 512 tasks that compute";
        let saving = "W_net 0.5000; with the permanent ports alone 0.4636; ";
        let ratio = "the port ratio times the run time; ";
        let never = "a program that never sends: 1";
        let between = "the reference network: 1; ports always on: 0.714; an idle network: 0.464";
        let all_on = "the reference network: 1; ports always on: 0.714; an idle network: 0.714";
        for (network, program, figure, ours, trivial, how) in [
            ("2D-4X", "LINPACK", Figure::RunTime, 1.25, never, traced.to_owned()),
            ("2D-4X", "LINPACK", Figure::Net, 0.75, all_on, format!("{ratio}{traced}")),
            ("2D-4X-PS", "LINPACK", Figure::RunTime, 1.5, never, traced.to_owned()),
            ("2D-4X-PS", "LINPACK", Figure::Net, 0.625, between, format!("{saving}{traced}")),
            ("2D-4X", "Graph500", Figure::RunTime, 1.25, never, alone.to_owned()),
            ("2D-4X", "Graph500", Figure::Net, 0.75, all_on, format!("{ratio}{alone}")),
            ("2D-4X-PS", "Graph500", Figure::RunTime, 1.5, never, alone.to_owned()),
            ("2D-4X-PS", "Graph500", Figure::Net, 0.625, between, format!("{saving}{alone}")),
        ] {
            let printed = PRINTED
                .iter()
                .find(|printed| printed.network == network && printed.program == program && printed.figure == figure);
            let row = of_paper(printed.unwrap(), false, Path::new("nowhere"), &results).unwrap();
            assert_near(row.ours, ours);
            assert_eq!(row.place, format!("Section 4.1, {program}, {network}"));
            assert_eq!((row.trivial.text(), &*row.how), (trivial.to_owned(), &*how), "{network}, {program}");
        }
    }

    /// Above its least power, 0.4636, 2D-4X needs 0.0836 for each of 3 ports: 0.50 is 1.44 ports, 0.51 is 1.56. 1D-16X
    /// needs 0.01045 for each of 15 above 0.2719: 0.32 is 5.61 ports, 0.33 is 6.56.
    #[test]
    fn ports_that_the_paper_implies_by_hand() {
        let of = |name, deep: f64| run(name, true, &work("LINPACK", true, 1), &[(columns::LINKS_DEEP_FRACTION, deep)]);
        let rows = implied(&Results(vec![of("2D-4X", 0.5), of("1D-16X", 0.75)]));
        let expected = [("2D-4X-PS", 1.44, 0.12, 2.0, "4"), ("1D-16X-PS", 5.61, 0.95, 4.0, "16")];
        assert_eq!(rows.len(), expected.len());
        for (row, (network, value, within, ours, most)) in rows.iter().zip(expected) {
            assert_eq!(row.place, format!("Section 4.1, LINPACK, {network}"));
            let Theirs::Found { value: theirs, tolerance } = row.theirs else { panic!("{:?}", row.theirs) };
            assert_near(Some(theirs), value);
            assert_near(Some(tolerance), within);
            assert_near(row.ours, ours);
            assert_eq!((row.quantity.as_str(), row.unit), ("ports of a trunk on", "ports"));
            assert_eq!(row.trivial.text(), format!("an idle network: 1; ports always on: {most}"));
        }
    }

    /// Two programs that take 1.2 and 1.4 times as long as on the reference network; other runs do not count.
    #[test]
    fn means_by_hand() {
        let of = |name, saving, work: &Work, time: f64| {
            let deep = if saving { 0.5 } else { 0.0 };
            let figures = [
                (columns::MAKESPAN_S, time),
                (columns::ENERGY_E_NET, 2.0 * time),
                (columns::LINKS_DEEP_FRACTION, deep),
            ];
            run(name, saving, work, &figures)
        };
        let (ep, cg, alone) = (work("EP", true, 1), work("CG", true, 1), work("CG", false, 1));
        let eight = work("Graph500", true, 8);
        let results = Results(vec![
            of("3D-1X", false, &ep, 1.0),
            of("3D-1X", false, &cg, 2.0),
            of("3D-1X", false, &alone, 1.0),
            of("3D-1X", false, &eight, 1.0),
            of("1D-16X", false, &ep, 9.0),
            of("2D-4X", false, &eight, 9.0),
            of("2D-4X", false, &alone, 9.0),
            of("2D-4X", false, &ep, 1.2),
            of("2D-4X", false, &cg, 2.8),
            of("2D-4X", true, &ep, 1.6),
            of("2D-4X", true, &cg, 3.6),
        ]);
        let torus = TABLE_2.iter().find(|torus| torus.name == "2D-4X").unwrap();
        let of_rows = |saving, computes| means(torus, saving, computes, &results);
        let (on, saving) = (of_rows(false, true), of_rows(true, true));
        assert_eq!([on.len(), saving.len(), of_rows(true, false).len()], [3, 4, 0]);
        assert_near(on[0].ours, 1.3);
        assert_near(on[1].ours, 1.3);
        assert_near(saving[0].ours, 1.7);
        assert_near(saving[3].ours, 2.0);
        assert_near(of_rows(false, false)[0].ours, 9.0);
        assert_eq!((&*on[0].place, &*saving[3].place), ("Programs as traced, 2D-4X", "Programs as traced, 2D-4X-PS"));
        assert_eq!(of_rows(false, false)[0].place, "Programs communication alone, 2D-4X");
        assert_eq!(on[0].how, "mean of 2 programs, a rank on each node; torus_programs.csv has each");
        let quantities: Vec<&str> = saving.iter().map(|row| &*row.quantity).collect();
        let expected = [
            "run time, reference network = 1",
            "E_net, reference network = 1",
            "E_cluster at omega_Snodes = 0.5, reference network = 1",
            "ports of a trunk on",
        ];
        assert_eq!(quantities, expected);
    }

    /// Loads of 10, 50 and 90 % have rows, of this network and with or without power saving.
    #[test]
    fn rows_of_uniform_traffic() {
        let of = |name, saving, percent: u32| {
            let figures = [
                (columns::LOAD_ACCEPTED, f64::from(percent) / 100.0),
                (columns::LATENCY_PACKET_MEAN_NS, 500.0),
                (W_NET, 0.5),
                (columns::LINKS_DEEP_FRACTION, 0.25),
            ];
            run(name, saving, &Work::Uniform { percent }, &figures)
        };
        let results = Results(vec![
            of("1D-16X", false, 10),
            of("2D-4X", false, 10),
            of("2D-4X", false, 20),
            of("2D-4X", false, 90),
            of("2D-4X", true, 50),
        ]);
        let torus = TABLE_2.iter().find(|torus| torus.name == "2D-4X").unwrap();
        let rows = |saving| {
            let row = |row: Comparison| (row.place, row.quantity, row.ours.unwrap());
            uniform(torus, saving, &results).into_iter().map(row).collect::<Vec<_>>()
        };
        let row =
            |place: &str, quantity: &str, ours: f64| (format!("Uniform traffic, {place}"), quantity.to_owned(), ours);
        let of_load = |place: &str, load| {
            vec![
                row(place, "accepted load", load),
                row(place, "mean latency of packets", 500.0),
                row(place, "W_net", 0.5),
            ]
        };
        assert_eq!(rows(false), [of_load("10 %, 2D-4X", 0.1), of_load("90 %, 2D-4X", 0.9)].concat());
        let mut saving = of_load("50 %, 2D-4X-PS", 0.5);
        saving.push(row("50 %, 2D-4X-PS", "ports of a trunk on", 3.0));
        assert_eq!(rows(true), saving);
    }
}
