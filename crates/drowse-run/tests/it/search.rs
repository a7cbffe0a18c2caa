//! Searches: the answer is that of all cases, and does not depend on threads, nor on what was stored before.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use drowse_experiment::{Sweep, read_source};
use drowse_run::sweep::search::{self, Found};
use drowse_run::sweep::{self, SweepError};
use drowse_run::sweep::{Wanted, Watch};
use drowse_tables::schema::{CASES, cases};
use drowse_tables::{Row, csv};
use tempfile::TempDir;

/// Light traffic on eight nodes, two trunks and eighty timers: a longer timer draws more power, and delays less.
const GRID: &str = "[network]\nkind = \"torus\"\ndims = [4, 2]\n[power]\n\
    policy = { kind = \"stall-timer\", deep = \"1 us\" }\n\
    [traffic]\nload = 0.01\nwarmup = \"1000 cycles\"\nmeasure = \"20000 cycles\"\n\
    [sweep]\nbaseline = \"always-on\"\n\"network.trunk\" = [1, 2]\n\
    \"power.policy.deep\" = { from = \"0.5 us\", to = \"40 us\", step = \"0.5 us\" }\n";

struct Place(TempDir);

impl Place {
    fn new(text: &str) -> Self {
        let place = Place(tempfile::tempdir().unwrap());
        fs::write(place.path("x.toml"), text).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn with<T>(&self, act: impl FnOnce(&Sweep<'_>) -> T) -> T {
        let source = Arc::new(read_source(&self.path("x.toml"), &[]).unwrap());
        act(&Sweep::new(&source).unwrap())
    }

    fn search(&self, out: &str, threads: usize) -> Result<Found, SweepError> {
        self.with(|sweep| search::run(sweep, &self.path(out), threads, 1_000, &Wanted::default(), &Watch::default()))
    }
}

fn rows(folder: &Path) -> Vec<Row> {
    csv::read(&CASES, fs::File::open(folder.join("cases.csv")).unwrap()).unwrap()
}

fn files(folder: &Path) -> Vec<String> {
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    ["cases.csv", "jobs.csv", "manifest.json", "plan.json"].map(read).to_vec()
}

/// Returns the case with least power whose messages take so many nanoseconds at most.
fn best(rows: &[Row], bound: f64) -> Option<String> {
    let keeps = |row: &&Row| row.number(cases::LATENCY_MESSAGE_MEAN_NS).unwrap() <= bound;
    let power = |row: &&Row| row.number(cases::POWER_NETWORK_W).unwrap();
    let least = rows.iter().filter(keeps).min_by(|a, b| power(a).total_cmp(&power(b)));
    least.map(|row| row.text(cases::CASE_ID))
}

/// For bounds from what the shortest timer costs to what no timer costs: the best of all 160 cases, found with a quarter
/// of them at most.
#[test]
fn the_answer_of_the_grid_by_a_fraction_of_its_cases() {
    let place = Place::new(GRID);
    place.with(|sweep| sweep::run(sweep, &place.path("grid"), 2, &Wanted::rows(0), &Watch::default())).unwrap();
    let grid = rows(&place.path("grid"));
    let mut answers = BTreeSet::new();
    for bound in [150, 200, 400, 500, 700, 1_000, 1_500, 2_000, 3_000, 4_000, 5_000, 9_000] {
        let text = format!("{GRID}[search]\nminimize = \"power\"\nwhere = \"latency <= {bound}\"\n");
        fs::write(place.path("x.toml"), text).unwrap();
        let out = format!("search-{bound}");
        let found = place.search(&out, 2).unwrap();
        let searched = rows(&place.path(&out));
        assert_eq!(best(&searched, bound.into()), best(&grid, bound.into()), "{bound} ns");
        assert_eq!((found.grid, found.report.cases + found.report.baselines), (160, searched.len() as u64));
        assert!(found.report.cases <= 40, "{} cases for {bound} ns", found.report.cases);
        // The rows are those of the sweep, in its order.
        let mut rest = grid.iter();
        assert!(searched.iter().all(|row| rest.any(|other| other == row)), "{bound} ns");
        answers.extend(best(&grid, bound.into()));
    }
    assert!(answers.len() >= 6, "the bounds ask for different cases: {answers:?}");
}

#[test]
fn neither_threads_nor_stops_change_it_and_a_sweep_goes_on() {
    let place = Place::new(&format!("{GRID}[search]\nminimize = \"power\"\nwhere = \"latency <= 700\"\n"));
    let first = place.search("one", 1).unwrap();
    let whole = files(&place.path("one"));
    place.search("three", 3).unwrap();
    assert_eq!(files(&place.path("three")), whole);
    // Some cases were lost, and the tables with them.
    let stored = || fs::read_dir(place.path("three/cases")).unwrap().map(|entry| entry.unwrap().path());
    let lost: Vec<PathBuf> = stored().filter(|path| path.to_string_lossy().ends_with("3.json")).collect();
    lost.iter().for_each(|path| fs::remove_file(path).unwrap());
    fs::remove_file(place.path("three/cases.csv")).unwrap();
    let again = place.search("three", 2).unwrap();
    assert_eq!((again.report.ran, again.report.cases), (lost.len() as u64, first.report.cases));
    assert_eq!(files(&place.path("three")), whole);
    let report =
        place.with(|sweep| sweep::run(sweep, &place.path("three"), 2, &Wanted::rows(0), &Watch::default())).unwrap();
    assert_eq!(report.ran, report.cases + report.baselines - first.report.ran);
    // And back: all is stored, and nothing is run.
    assert_eq!(place.search("three", 2).unwrap().report.ran, 0);
    assert_eq!(files(&place.path("three")), whole);
}

/// Seeds are one place: each is run, and a condition is on their mean.
#[test]
fn seeds_and_answers_by_key() {
    let text = "[network]\nkind = \"torus\"\ndims = [4]\n[power]\npolicy = { kind = \"stall-timer\", deep = \"1 us\" }\n\
        [traffic]\nload = 0.3\nwarmup = \"100 cycles\"\nmeasure = \"1000 cycles\"\n[sweep]\nseed = [1, 2, 3]\n\
        \"traffic.load\" = { from = 0.02, to = 0.6, step = 0.02 }\n\"network.trunk\" = [1, 2]\n\
        [search]\nminimize = \"power\"\nwhere = \"load.accepted >= 0.25\"\nby = [\"trunk\"]\nmargin = 0.0\n";
    let place = Place::new(text);
    let found = place.search("out", 2).unwrap();
    assert_eq!((found.grid, found.report.cases % 3), (180, 0));
    assert!(found.report.cases < 120, "{}", found.report.cases);
    let rows = rows(&place.path("out"));
    for trunk in ["1", "2"] {
        let of = |load: &str| {
            let at = |row: &&Row| {
                row.text(cases::SET.of("network.trunk")) == trunk && row.text(cases::SET.of("traffic.load")) == load
            };
            rows.iter().filter(at).count()
        };
        // The load that is accepted is about that which is offered.
        assert!(["0.24", "0.26", "0.28"].iter().filter(|load| of(load) == 3).count() >= 2, "trunk {trunk}");
    }
}

#[test]
fn lists_are_run_with_all_values() {
    let listed =
        GRID.replace("{ from = \"0.5 us\", to = \"40 us\", step = \"0.5 us\" }", "[\"1 us\", \"9 us\", \"80 us\"]");
    let found = Place::new(&format!("{listed}[search]\nminimize = \"power\"\n")).search("out", 1).unwrap();
    assert_eq!((found.report.cases, found.grid, found.rounds), (6, 6, 1));
}

#[test]
fn questions_that_have_no_answer() {
    let told = |text: &str| Place::new(text).search("out", 1).map(|_| ()).unwrap_err().to_string();
    assert!(
        told(GRID).starts_with("x.toml: error: this file has no [search]")
            || told(GRID).contains("this file has no [search]")
    );
    let told_of = told(&format!("{GRID}[search]\nminimize = \"time\"\n"));
    assert!(told_of.starts_with("error: no case has the figure `time`, which [search] asks for\n"), "{told_of}");
    let place = Place::new(&format!("{GRID}[search]\nminimize = \"power\"\n"));
    let few = place
        .with(|sweep| search::run(sweep, &place.path("out"), 1, 7, &Wanted::default(), &Watch::default()))
        .unwrap_err()
        .to_string();
    assert!(few.contains("and up to 7 are run"), "{few}");
    assert!(fs::read_dir(place.path("out/cases")).unwrap().count() >= 6, "the cases of the first round are kept");
}

/// A stencil on two trunks under forty timers. Slowdown is against the fastest of all, which is a baseline: the search
/// finds the least energy of all rows that keep the bound, those of baselines included.
#[test]
fn slowdown_of_the_fastest_is_against_all_that_have_run() {
    let text = "[network]\nkind = \"torus\"\ndims = [4, 2]\n[power]\n\
        policy = { kind = \"stall-timer\", deep = \"1 us\" }\n\
        [[job]]\napp = { kind = \"stencil\", dims = [4, 2], bytes = \"64 KiB\", compute = \"300 us\", iterations = 3 }\n\
        [sweep]\nbaseline = \"always-on\"\n\"network.trunk\" = [1, 2]\n\
        \"power.policy.deep\" = { from = \"1 us\", to = \"40 us\", step = \"1 us\" }\n";
    let place = Place::new(text);
    place.with(|sweep| sweep::run(sweep, &place.path("grid"), 2, &Wanted::rows(0), &Watch::default())).unwrap();
    let grid = rows(&place.path("grid"));
    let seconds = |row: &Row| row.number(cases::MAKESPAN_S).unwrap();
    let fastest = grid.iter().map(seconds).fold(f64::INFINITY, f64::min);
    let least = |rows: &[Row], bound: f64| {
        let kept = rows.iter().filter(|row| seconds(row) / fastest - 1.0 <= bound);
        let joules = |row: &&Row| row.number(cases::ENERGY_NETWORK_J).unwrap();
        kept.min_by(|a, b| joules(a).total_cmp(&joules(b))).map(|row| row.text(cases::CASE_ID))
    };
    let mut answers = BTreeSet::new();
    for bound in [0.0, 0.05, 0.5, 5.0] {
        let search = format!("[search]\nwhere = \"slowdown-of-fastest <= {bound}\"\nmargin = 0.05\n");
        fs::write(place.path("x.toml"), format!("{text}{search}")).unwrap();
        let out = format!("search-{bound}");
        place.search(&out, 2).unwrap();
        assert_eq!(least(&rows(&place.path(&out)), bound), least(&grid, bound), "{bound}");
        answers.extend(least(&grid, bound));
    }
    assert!(answers.len() > 1, "the bounds ask for different cases: {answers:?}");
}
