//! Running sweeps: the tables do not depend on threads, nor on how often a sweep was stopped.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use drowse_experiment::{Sweep, load_case};
use drowse_run::identity::BUILD;
use drowse_run::request::RunRequest;
use drowse_run::sweep::{self, Observer, Progress, Report, SweepError};
use drowse_run::sweep::{Wanted, Watch};
use drowse_run::{export, files};
use drowse_tables::csv;
use drowse_tables::schema::{CASES, ENGINE, FAILED, JOBS, STATISTICS, cases as cases_schema};
use tempfile::TempDir;

use crate::support::{NETWORK, TRAFFIC};

/// Two trunks and three loads on a small torus whose links sleep.
const SWEEP: &str = "[power]\npolicy = { kind = \"stall-timer\", deep = \"100 ns\" }\n[sweep]\n\
                     \"network.trunk\" = [1, 2]\n\"traffic.load\" = { from = 0.1, to = 0.3, step = 0.1 }\n";

/// An experiment in a folder of its own, and a place for its results.
struct Place(TempDir);

impl Place {
    fn new(text: &str) -> Self {
        let place = Place(tempfile::tempdir().unwrap());
        place.write("x.toml", text);
        place
    }

    fn small() -> Self {
        Place::new(&format!("{NETWORK}{TRAFFIC}{SWEEP}"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn run(&self, out: &str, threads: usize) -> Result<Report, SweepError> {
        self.run_watched(out, threads, &|_| {})
    }

    fn run_watched(&self, out: &str, threads: usize, observer: Observer<'_>) -> Result<Report, SweepError> {
        let source = std::sync::Arc::new(drowse_experiment::read_source(&self.path("x.toml"), &[]).unwrap());
        sweep::run(&Sweep::new(&source).unwrap(), &self.path(out), threads, &Wanted::rows(100), &Watch::new(observer))
    }
}

/// Returns all tables but those of machine times.
fn tables(folder: &Path) -> BTreeMap<String, String> {
    let names = ["cases.csv", "jobs.csv", "failed.csv", "manifest.json"];
    let read = |name: &str| Some((name.to_owned(), fs::read_to_string(folder.join(name)).ok()?));
    names.iter().filter_map(|name| read(name)).collect()
}

fn stored(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder.join("cases")).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn one_row_a_case_in_order_whatever_the_threads() {
    let place = Place::small();
    let report = place.run("one", 1).unwrap();
    assert_eq!((report.cases, report.ran, report.failed, report.files.len()), (6, 6, 0, 4));
    place.run("two", 2).unwrap();
    assert_eq!(tables(&place.path("one")), tables(&place.path("two")));
    let rows = csv::read(&CASES, fs::File::open(place.path("one/cases.csv")).unwrap()).unwrap();
    let values = |name: &str| rows.iter().map(|row| row.get(name).unwrap().to_string()).collect::<Vec<_>>();
    assert_eq!(values("set.network.trunk"), ["1", "1", "1", "2", "2", "2"]);
    assert_eq!(values("set.traffic.load"), ["0.1", "0.2", "0.3", "0.1", "0.2", "0.3"]);
    assert_eq!(rows, report.first);
    // A report shows as many cases as it is asked for.
    let source = std::sync::Arc::new(drowse_experiment::read_source(&place.path("x.toml"), &[]).unwrap());
    let few =
        sweep::run(&Sweep::new(&source).unwrap(), &place.path("one"), 1, &Wanted::rows(2), &Watch::default()).unwrap();
    assert_eq!(few.first, rows[..2]);
    // From outside: a wider trunk has more ports, and nodes offer what they are told to.
    assert_eq!(values("network.ports"), ["80", "80", "80", "144", "144", "144"]);
    for row in &rows {
        let load: f64 = row.get("set.traffic.load").unwrap().to_string().parse().unwrap();
        assert!((row.number("load.offered").unwrap() - load).abs() < 0.05);
    }
}

#[test]
fn a_row_is_that_of_the_case_run_alone() {
    let place = Place::small();
    place.run("all", 2).unwrap();
    let sets = ["network.trunk=2", "traffic.load=0.2"].map(str::to_owned);
    let case = load_case(&place.path("x.toml"), &sets).unwrap();
    let outcome = RunRequest::new(&case).run().unwrap().case;
    files::prepare(&place.path("alone")).unwrap();
    export::write(&place.path("alone"), &[&outcome]).unwrap();
    let lines =
        |name: &str| fs::read_to_string(place.path(name)).unwrap().lines().map(str::to_owned).collect::<Vec<_>>();
    let (all, alone) = (lines("all/cases.csv"), lines("alone/cases.csv"));
    assert_eq!(all[0], format!("name,set.network.trunk,set.traffic.load,{}", alone[0]));
    assert_eq!(all[5], format!("trunk 2 · load 0.2,2,0.2,{}", alone[1]));
}

#[test]
fn a_stopped_sweep_goes_on_where_it_was() {
    let place = Place::small();
    place.run("whole", 2).unwrap();
    let folder = place.path("stopped");
    place.run("stopped", 2).unwrap();
    assert_eq!(place.run("stopped", 2).unwrap().ran, 0, "nothing is missing");
    let files = stored(&folder);
    assert_eq!(files.len(), 6);
    // As if it had been killed: two cases missing, one half-written, one just begun, no tables.
    let text = fs::read_to_string(&files[1]).unwrap();
    fs::write(&files[1], &text[..text.len() / 2]).unwrap();
    fs::write(&files[3], "").unwrap();
    fs::remove_file(&files[0]).unwrap();
    fs::remove_file(&files[2]).unwrap();
    fs::remove_file(folder.join("cases.csv")).unwrap();
    let report = place.run("stopped", 1).unwrap();
    assert_eq!(report.damaged, [&files[1], &files[3]].map(|file| file.display().to_string()));
    assert_eq!(report.ran, 4);
    assert_eq!(tables(&folder), tables(&place.path("whole")));
    assert_eq!(stored(&folder), files);
}

/// An engine that was mended gives other results under the same names.
#[test]
fn results_of_two_builds_do_not_mix() {
    let place = Place::small();
    place.run("out", 2).unwrap();
    let file = &stored(&place.path("out"))[2];
    let text = fs::read_to_string(file).unwrap();
    let line = format!("  \"build\": \"{BUILD}\",\n");
    for (other, theirs) in [("  \"build\": \"0123456789abcdef\",\n", "build 0123456789abcdef"), ("", "build unknown")] {
        let changed = text.replace(&line, other);
        assert_ne!(changed, text);
        let changed = crate::resealed(&changed);
        fs::write(file, &changed).unwrap();
        let error = place.run("out", 2).unwrap_err().to_string();
        assert!(error.contains(theirs) && error.contains(BUILD), "{error}");
        assert!(error.starts_with(&file.display().to_string()), "{error}");
        assert_eq!(fs::read(file).unwrap(), changed, "what was there stays");
    }
    fs::write(file, text).unwrap();
    assert_eq!(place.run("out", 2).unwrap().ran, 0);
}

#[test]
fn more_values_run_only_the_new_cases() {
    let place = Place::small();
    place.run("out", 2).unwrap();
    place.write("x.toml", &format!("{NETWORK}{TRAFFIC}{}", SWEEP.replace("0.3, step", "0.4, step")));
    let report = place.run("out", 2).unwrap();
    assert_eq!((report.cases, report.ran), (8, 2));
}

#[test]
fn cases_that_are_the_same_are_run_once() {
    let place = Place::new(&format!("{NETWORK}{TRAFFIC}[sweep]\ntitle = [\"a\", \"b\"]\nseed = [1, 2]\n"));
    let report = place.run("out", 2).unwrap();
    assert_eq!((report.cases, report.ran), (4, 2));
    assert_eq!(fs::read_to_string(place.path("out/cases.csv")).unwrap().lines().count(), 5);
    assert_eq!(fs::read_to_string(place.path("out/engine.csv")).unwrap().lines().count(), 3);
}

/// The values of the sweep stand in every table, so that no table needs another to be read. Of cases that are one run,
/// each has its jobs; the machine has paid once.
#[test]
fn every_table_has_the_values_of_the_sweep() {
    let place = Place::new(&format!("{COMPARED}title = [\"a\", \"b\"]\n"));
    place.run("out", 2).unwrap();
    let labels = |schema| {
        let of = |row: &drowse_tables::Row| {
            row.all(cases_schema::SET).map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>()
        };
        rows_of(&place, schema, "out").iter().map(of).collect::<Vec<_>>()
    };
    let of_cases = labels(&CASES);
    assert_eq!(of_cases.len(), 8);
    assert_eq!(of_cases[3], ["network.trunk=1", "power.policy.deep=10 us", "title=b"]);
    assert_eq!(labels(&JOBS), of_cases);
    let firsts: Vec<_> = of_cases.into_iter().step_by(2).collect();
    assert_eq!(labels(&ENGINE), firsts);
}

#[test]
fn a_case_that_cannot_finish_does_not_stop_the_others() {
    let place = Place::new(&format!(
        "{NETWORK}[[job]]\ntrace = \"\"\n[sweep]\n\"job.0.trace\" = [\"stuck.ti\", \"good.ti\"]\n"
    ));
    place.write("good.ti", "0 init\n0 send 1 0 8\n0 finalize\n1 init\n1 recv 0 0 8\n1 finalize\n");
    place.write("stuck.ti", "0 init\n0 recv 1 0 8\n0 finalize\n1 init\n1 recv 0 0 8\n1 finalize\n");
    for ran in [2, 0] {
        let report = place.run("out", 2).unwrap();
        assert_eq!((report.cases, report.ran, report.failed), (2, ran, 1), "it is not tried again");
        assert!(report.first_error.unwrap().starts_with("deadlock at"));
    }
    let failed = csv::read(&FAILED, fs::File::open(place.path("out/failed.csv")).unwrap()).unwrap();
    assert_eq!(failed.len(), 1);
    assert_eq!(failed[0].get("set.job.0.trace").unwrap().to_string(), "stuck.ti");
    for table in ["cases", "jobs", "engine"] {
        assert_eq!(fs::read_to_string(place.path(&format!("out/{table}.csv"))).unwrap().lines().count(), 2, "{table}");
    }
    // The trace is mended, its name and length are the same: another case.
    place.write("stuck.ti", "0 init\n0 send 1 0 8\n0 finalize\n1 init\n1 recv 0 0 8\n1 finalize\n");
    let report = place.run("out", 2).unwrap();
    assert_eq!((report.ran, report.failed), (1, 0));
    assert!(!place.path("out/failed.csv").exists());
}

/// A file that goes away during a sweep is no result of the case, and no reason to leave the others out.
#[test]
fn a_case_that_cannot_be_run_now_does_not_stop_the_others() {
    let place = Place::new(&format!(
        "{NETWORK}[[job]]\ntrace = \"x.ti\"\n[sweep]\n\"job.0.placement\" = [\"gone.txt\", \"good.txt\"]\n"
    ));
    place.write("x.ti", "0 init\n0 send 1 0 8\n0 finalize\n1 init\n1 recv 0 0 8\n1 finalize\n");
    [("gone.txt", "1\n2\n"), ("good.txt", "1\n3\n")].iter().for_each(|(name, text)| place.write(name, text));
    let gone = place.path("gone.txt");
    let observer = |progress| {
        if matches!(progress, Progress::Planned { .. }) {
            fs::remove_file(&gone).unwrap();
        }
    };
    let error = place.run_watched("out", 1, &observer).map(|report| report.ran).unwrap_err().to_string();
    assert!(error.contains("gone.txt") && error.contains("this is case 1 of 2"), "{error}");
    assert_eq!(stored(&place.path("out")).len(), 1, "the other case is stored");
    place.write("gone.txt", "1\n2\n");
    let report = place.run("out", 1).unwrap();
    assert_eq!((report.cases, report.ran, report.failed), (2, 1, 0));
}

/// So that no long case is left for the end, when the other threads have nothing to do.
#[test]
fn the_longest_case_runs_first() {
    let place = Place::new(&format!("{NETWORK}{TRAFFIC}[sweep]\n\"traffic.load\" = [0.1, 0.4, 0.2]\n"));
    let order = std::sync::Mutex::new(Vec::new());
    let observer = |progress| {
        let Progress::Running(running) = progress else { return };
        let mut order: std::sync::MutexGuard<'_, Vec<PathBuf>> = order.lock().unwrap();
        if running.ran as usize > order.len() {
            let new = stored(&place.path("out")).into_iter().find(|file| !order.contains(file));
            order.extend(new);
        }
    };
    place.run_watched("out", 1, &observer).unwrap();
    let load = |file: &PathBuf| {
        let text = fs::read_to_string(file).unwrap();
        ["0.1", "0.2", "0.4"].into_iter().find(|load| text.contains(&format!("load = {load}\\n"))).unwrap()
    };
    assert_eq!(order.into_inner().unwrap().iter().map(load).collect::<Vec<_>>(), ["0.4", "0.2", "0.1"]);
}

#[test]
fn a_wrong_case_is_found_before_anything_runs() {
    let place =
        Place::new(&format!("{NETWORK}{TRAFFIC}[sweep]\nseed = [1, 2]\n\"switch.buffer\" = [\"16 KiB\", \"1 B\"]\n"));
    assert!(matches!(place.run("out", 2), Err(SweepError::Run(_))));
    assert_eq!(stored(&place.path("out")), [] as [PathBuf; 0]);
}

#[test]
fn two_sweeps_do_not_work_in_one_folder() {
    let place = Place::small();
    fs::create_dir(place.path("out")).unwrap();
    let lock = fs::File::create(place.path("out/.lock")).unwrap();
    lock.lock().unwrap();
    assert!(matches!(place.run("out", 1), Err(SweepError::Busy { .. })));
    drop(lock);
    assert_eq!(place.run("out", 1).unwrap().ran, 6);
}

#[test]
fn networks_of_different_classes_share_one_table() {
    let place = Place::new(&format!("{NETWORK}{TRAFFIC}[sweep]\n\"network.dims\" = [[4], [4, 2]]\n"));
    place.run("out", 1).unwrap();
    let text = fs::read_to_string(place.path("out/cases.csv")).unwrap();
    let header: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let at = |name: &str| header.iter().position(|column| *column == name).unwrap();
    let dim = |dim: u32| at(&format!("links.by_class.dim-{dim}.on_fraction"));
    // The columns of a class stay together, and come before those that follow in the schema.
    assert!(at("links.by_class.dim-0.waking_fraction") < dim(1) && dim(1) < at("links.wakes"));
    let rows = csv::read(&CASES, text.as_bytes()).unwrap();
    let ones: Vec<_> = rows.iter().map(|row| row.number("links.by_class.dim-1.on_fraction")).collect();
    assert_eq!(ones, [None, Some(1.0)]);
}

/// A stencil on a small torus, two trunks and two stall timers.
const COMPARED: &str = "[network]\nkind = \"torus\"\ndims = [4]\n[power]\npolicy = { kind = \"stall-timer\", deep = \"1 us\" }\n\
     [[job]]\napp = { kind = \"stencil\", dims = [2, 2], bytes = \"1 KiB\", compute = \"20 us\", iterations = 3 }\n\
     [sweep]\n\"network.trunk\" = [1, 2]\n\"power.policy.deep\" = [\"1 us\", \"10 us\"]\n";

fn rows_of(place: &Place, schema: &drowse_tables::schema::Schema, out: &str) -> Vec<drowse_tables::Row> {
    csv::read(schema, fs::File::open(place.path(out).join(schema.file)).unwrap()).unwrap()
}

/// The oracle is `drowse run --baseline always-on`, which keeps both records at once.
#[test]
fn a_case_is_compared_with_the_baseline_of_its_own_point() {
    let place = Place::new(&format!("{COMPARED}baseline = \"always-on\"\n"));
    let report = place.run("out", 2).unwrap();
    assert_eq!((report.cases, report.baselines, report.ran), (4, 2, 6), "one baseline for each trunk");
    assert_eq!(place.run("out", 1).unwrap().ran, 0);
    let (rows, jobs) = (rows_of(&place, &CASES, "out"), rows_of(&place, &JOBS, "out"));
    assert_eq!((rows.len(), jobs.len()), (6, 6), "baselines have rows, too");
    let names: Vec<String> = rows.iter().map(|row| row.text("name")).collect();
    let expected = ["always on", "deep 1 us", "deep 10 us"];
    let expected: Vec<String> =
        [1, 2].iter().flat_map(|trunk| expected.map(|word| format!("trunk {trunk} · {word}"))).collect();
    assert_eq!(names, expected, "a baseline stands before the first of its cases");
    for base in [0, 3] {
        assert_eq!((rows[base].text("baseline"), rows[base].get("set.power.policy.deep")), ("true".into(), None));
        let sets = [format!("network.trunk={}", base / 3 + 1), "power.policy.deep=1 us".into()];
        let case = load_case(&place.path("x.toml"), &sets).unwrap().always_on();
        let alone = RunRequest::new(&case).run().unwrap().case.summary;
        assert_eq!(rows[base].get("energy.network_j"), alone.figures.get("energy.network_j"));
        for ratio in ["relative.makespan", "relative.network_j", "relative.jobs_makespan_max"] {
            assert_eq!(rows[base].number(ratio), Some(1.0), "{ratio}");
        }
        assert!((base..base + 3).all(|row| rows[row].text("relative.case_id") == rows[base].text("case_id")));
    }
    let is_case = |place: &usize| ![0, 3].contains(place);
    let rows: Vec<_> = (0..6).filter(is_case).map(|place| rows[place].clone()).collect();
    let jobs: Vec<_> = (0..6).filter(is_case).map(|place| jobs[place].clone()).collect();
    let points = [("1", "1 us"), ("1", "10 us"), ("2", "1 us"), ("2", "10 us")];
    for ((row, job), (trunk, deep)) in rows.iter().zip(&jobs).zip(points) {
        let sets = [format!("network.trunk={trunk}"), format!("power.policy.deep={deep}")];
        let case = load_case(&place.path("x.toml"), &sets).unwrap();
        let always_on = case.always_on();
        let request = RunRequest { baseline: Some(&always_on), ..RunRequest::new(&case) };
        let outcome = request.run().unwrap().case;
        let relative: Vec<_> = outcome.relative.figures.iter().collect();
        assert!(relative.len() > 5);
        relative.iter().for_each(|(name, value)| assert_eq!(row.get(name), Some(*value), "{name}"));
        assert_eq!(job.get("relative.makespan"), outcome.relative.jobs[0].get("relative.makespan"));
        // Links that no rank uses sleep all the time: the energy is another than that of the baseline.
        assert_ne!(row.number("relative.network_j"), Some(1.0));
    }
}

/// PerfBound has other rules of how packets meet channels that sleep; with all on there is nothing to meet.
#[test]
fn policies_share_a_baseline() {
    let policies = "{ kind = \"stall-timer\", deep = \"1 us\" }, { kind = \"perfbound\", bound = 0.01 }, \
                    { kind = \"always-on\" }";
    let sweep = format!("[sweep]\n\"power.policy\" = [{policies}]\nbaseline = \"always-on\"\n");
    let place = Place::new(&format!("{NETWORK}{TRAFFIC}{sweep}"));
    let report = place.run("out", 2).unwrap();
    assert_eq!((report.cases, report.baselines, report.ran), (3, 0, 3), "the last case is the baseline of all");
}

/// Without a run time there is no slowdown: the powers and latencies of both runs, by hand.
#[test]
fn open_loop_traffic_is_compared_by_power_and_latency() {
    let place = Place::new(&format!("{NETWORK}{TRAFFIC}{SWEEP}baseline = \"always-on\"\n"));
    assert_eq!(place.run("out", 2).unwrap().baselines, 6);
    let rows = rows_of(&place, &CASES, "out");
    let rows: Vec<_> = rows.into_iter().filter(|row| row.get("baseline").is_none()).collect();
    assert_eq!(rows.len(), 6);
    let points = [1, 2].into_iter().flat_map(|trunk| ["0.1", "0.2", "0.3"].map(|load| (trunk, load)));
    for (row, (trunk, load)) in rows.iter().zip(points) {
        let sets = [format!("network.trunk={trunk}"), format!("traffic.load={load}")];
        let awake = load_case(&place.path("x.toml"), &sets).unwrap().always_on();
        let awake = RunRequest::new(&awake).run().unwrap().case.summary.figures;
        for (ratio, figure) in
            [("relative.network_w", "power.network_w"), ("relative.latency", "latency.message.mean_ns")]
        {
            let [ours, theirs] = [row, &awake].map(|row| row.number(figure).unwrap());
            assert_eq!(row.number(ratio), Some(ours / theirs), "{ratio}");
        }
        assert!(row.number("relative.latency").unwrap() > 1.0 && row.number("relative.makespan").is_none());
    }
}

#[test]
fn a_baseline_that_is_a_case_is_run_once_and_equals_itself() {
    let place = Place::new(&format!("{COMPARED}baseline = {{ \"network.trunk\" = 1 }}\n"));
    let report = place.run("out", 2).unwrap();
    assert_eq!((report.cases, report.baselines, report.ran), (4, 0, 4));
    let rows = rows_of(&place, &CASES, "out");
    let ratio = |row: usize| rows[row].number("relative.makespan").unwrap();
    assert_eq!((ratio(0), ratio(1)), (1.0, 1.0));
    for row in [2, 3] {
        let [ours, theirs] = [row, row - 2].map(|row| rows[row].number("makespan_s").unwrap());
        assert_eq!(ratio(row), ours / theirs);
    }
}

/// What cases are compared with changes no case: the stored ones are taken.
#[test]
fn another_baseline_runs_only_what_is_missing() {
    let place = Place::new(COMPARED);
    assert_eq!(place.run("out", 2).unwrap().ran, 4);
    place.write("x.toml", &format!("{COMPARED}baseline = \"always-on\"\n"));
    assert_eq!(place.run("out", 2).unwrap().ran, 2);
    place.run("fresh", 2).unwrap();
    assert_eq!(tables(&place.path("out")), tables(&place.path("fresh")));
}

/// By hand from cases.csv: four seeds of two loads, one row a load.
#[test]
fn several_seeds_are_one_row_with_mean_and_interval() {
    let sweep = "[sweep]\nseed = { from = 1, to = 4, step = 1 }\n\"traffic.load\" = [0.1, 0.3]\n";
    let place = Place::new(&format!("{NETWORK}{TRAFFIC}{sweep}"));
    let report = place.run("out", 2).unwrap();
    let (rows, means) = (rows_of(&place, &CASES, "out"), rows_of(&place, &STATISTICS, "out"));
    assert_eq!((rows.len(), means.len(), report.points_count), (8, 2, 2));
    assert_eq!(means, report.points);
    for (load, mean) in ["0.1", "0.3"].into_iter().zip(&means) {
        assert_eq!((mean.text("set.traffic.load"), mean.get("set.seed")), (load.to_owned(), None));
        assert_eq!((mean.number("cases"), mean.number("failed")), (Some(4.0), Some(0.0)));
        assert!(mean.get("seed.mean").is_none() && mean.get("network.nodes.half_width").unwrap().number() == Some(0.0));
        for figure in ["latency.packet.mean_ns", "load.accepted", "packets.hops"] {
            let values: Vec<f64> = rows
                .iter()
                .filter(|row| row.text("set.traffic.load") == load)
                .map(|row| row.number(figure).unwrap())
                .collect();
            let average = values.iter().sum::<f64>() / 4.0;
            let squares: f64 = values.iter().map(|value| (value - average) * (value - average)).sum();
            assert!(squares > 0.0, "seeds differ");
            // Student's quantile for three degrees of freedom, from a printed table.
            let expected = 3.182_446 * (squares / 3.0 / 4.0).sqrt();
            let of = |name: &str| mean.number(format!("{figure}.{name}")).unwrap();
            assert!((of("mean") / average - 1.0).abs() < 1e-12, "{figure}");
            assert!((of("half_width") / expected - 1.0).abs() < 1e-6, "{figure}");
            assert_eq!(of("n"), 4.0);
        }
    }
    place.write("x.toml", &format!("{NETWORK}{TRAFFIC}{}", sweep.replace("to = 4", "to = 1")));
    place.run("out", 1).unwrap();
    assert!(!place.path("out/statistics.csv").exists(), "one seed has no spread");
}

/// Tables with and without names have the same ids and results, and cases are called by their names.
#[test]
fn a_name_changes_no_result() {
    let policies = |names: [&str; 2]| {
        let [one, other] = names;
        format!(
            "[sweep]\n\"power.policy\" = [{{ {one}kind = \"immediate\" }}, {{ {other}kind = \"stall-timer\", deep = \"1 us\" }}]\n"
        )
    };
    let rows = |sweep: String| {
        let place = Place::new(&format!("{NETWORK}{TRAFFIC}{sweep}"));
        place.run("out", 2).unwrap();
        rows_of(&place, &CASES, "out")
    };
    let plain = rows(policies(["", ""]));
    let named = rows(policies(["name = \"at once\", ", ""]));
    let of = |rows: &[drowse_tables::Row], column: &str| rows.iter().map(|row| row.text(column)).collect::<Vec<_>>();
    assert_eq!(of(&plain, "name"), ["immediate", "stall-timer"]);
    assert_eq!(of(&named, "name"), ["at once", "stall-timer"]);
    assert_eq!(of(&plain, "case_id"), of(&named, "case_id"));
    assert_eq!(of(&plain, "energy.network_j"), of(&named, "energy.network_j"));
}

/// A baseline that sets a key which no case varies has its own name, and is apart in the means over seeds.
#[test]
fn a_baseline_beside_its_point() {
    let sweep = "[sweep]\nbaseline = { \"network.trunk\" = 2 }\nseed = [1, 2]\n\"traffic.load\" = [0.1, 0.2]\n";
    let place = Place::new(&format!("{NETWORK}{TRAFFIC}{sweep}"));
    let report = place.run("out", 2).unwrap();
    assert_eq!((report.cases, report.baselines), (4, 4));
    let of =
        |schema, column: &str| rows_of(&place, schema, "out").iter().map(|row| row.text(column)).collect::<Vec<_>>();
    let names: BTreeSet<String> = of(&CASES, "name").into_iter().collect();
    assert_eq!(names.len(), 8, "no two are the same: {names:?}");
    assert!(names.contains("seed 1 · load 0.1") && names.contains("seed 1 · load 0.1 · baseline"), "{names:?}");
    assert_eq!(of(&STATISTICS, "name"), ["load 0.1 · baseline", "load 0.1", "load 0.2 · baseline", "load 0.2"]);
    assert_eq!(of(&STATISTICS, "cases"), ["2", "2", "2", "2"]);
}
