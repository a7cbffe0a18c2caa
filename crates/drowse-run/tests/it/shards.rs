//! Shards of a sweep, merged: the tables are those of one that was not sharded, to the byte.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use drowse_experiment::{Sweep, read_source};
use drowse_run::identity::BUILD;
use drowse_run::sweep::merge::{common, merge};
use drowse_run::sweep::shard::{self, Shard, ShardReport};
use drowse_run::sweep::status::{Counts, status};
use drowse_run::sweep::submission::{self, Submission};
use drowse_run::sweep::{self, Report, SweepError};
use drowse_run::sweep::{Wanted, Watch};
use tempfile::TempDir;

/// Twelve cases with three baselines, a cost, and one case in four that cannot finish: rank 1 of its trace waits for
/// ever. Exceptions and a title are in it, too, for the list of cases has all.
const SWEEP: &str = "title = \"Shards\"\n[network]\nkind = \"torus\"\ndims = [4]\n\
    [power]\npolicy = { kind = \"stall-timer\", deep = \"1 us\" }\n\
    [cost]\nsystem_power = \"1 MW\"\nnetwork = 0.3\nlinks = 0.7\nprice = 0.1234567891234567\nyears = 5.0\n\
    [[job]]\ntrace = \"good.ti\"\n\
    [sweep]\nbaseline = \"always-on\"\n\"network.trunk\" = [1, 2, 4]\n\
    \"power.policy.deep\" = { from = \"1 us\", to = \"100 us\", factor = 10 }\n\
    \"job.0.trace\" = [\"good.ti\", \"stuck.ti\"]\n\
    except = [{ \"job.0.trace\" = \"stuck.ti\", \"power.policy.deep\" = [\"1 us\", \"100 us\"] }]\n";
const GOOD: &str = "0 init\n0 compute 300000\n0 send 1 0 8\n0 finalize\n1 init\n1 recv 0 0 8\n1 finalize\n";
const STUCK: &str = "0 init\n0 recv 1 0 8\n0 finalize\n1 init\n1 recv 0 0 8\n1 finalize\n";

/// The cases, and the baselines: that of each network and trace. No case is the same as another.
const CASES: u64 = 12;
const ITEMS: u64 = CASES + 6;
const FAILED: u64 = 3;

struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let place = Place(tempfile::tempdir().unwrap());
        for (name, text) in [("x.toml", SWEEP), ("good.ti", GOOD), ("stuck.ti", STUCK)] {
            fs::write(place.path(name), text).unwrap();
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn with<T>(&self, sets: &[&str], act: impl FnOnce(&Sweep<'_>) -> T) -> T {
        let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
        let source = Arc::new(read_source(&self.path("x.toml"), &sets).unwrap());
        act(&Sweep::new(&source).unwrap())
    }

    fn whole(&self) -> BTreeMap<String, String> {
        self.with(&[], |sweep| sweep::run(sweep, &self.path("whole"), 2, &Wanted::rows(9), &Watch::default())).unwrap();
        tables(&self.path("whole"))
    }

    fn shard(&self, shard: Shard, out: &str) -> ShardReport {
        self.with(&[], |sweep| shard::run(sweep, &self.path(out), shard, 1, &Watch::default())).unwrap()
    }

    fn merge(&self, folders: &[&str], into: &str) -> Result<Report, SweepError> {
        let folders = self.paths(folders);
        merge(&common(&folders)?, &folders, &self.path(into), 2, &Wanted::rows(9), &Watch::default())
    }

    fn paths(&self, folders: &[&str]) -> Vec<PathBuf> {
        folders.iter().map(|folder| self.path(folder)).collect()
    }

    fn submission(&self, out: &str, shards: u64) -> Submission {
        self.with(&[], |sweep| submission::plan(sweep, &self.path(out), Some(shards), &Watch::default())).unwrap().1
    }
}

/// Returns all tables but those of machine times.
fn tables(folder: &Path) -> BTreeMap<String, String> {
    let read = |name: &str| (name.to_owned(), fs::read_to_string(folder.join(name)).unwrap());
    ["cases.csv", "jobs.csv", "failed.csv", "manifest.json"].map(read).into()
}

/// Returns the names of all files in a folder's `cases`.
fn stored(folder: &Path) -> BTreeSet<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    fs::read_dir(folder.join("cases")).unwrap().map(name).collect()
}

#[test]
fn the_union_of_shards_is_the_serial_sweep() {
    let place = Place::new();
    let whole = place.whole();
    assert!(whole["cases.csv"].contains("relative.makespan") && whole["cases.csv"].contains("cost"));
    for of in [1, 2, 7, 64] {
        // One folder for all.
        let reports: Vec<ShardReport> = Shard::all(of).map(|shard| place.shard(shard, &format!("one-{of}"))).collect();
        assert_eq!(reports.iter().map(|report| report.ran).sum::<u64>(), ITEMS, "nothing twice: {of}");
        assert_eq!(reports.iter().map(|report| report.failed).sum::<u64>(), FAILED * 2, "with the baselines");
        assert!(!place.path(&format!("one-{of}/cases.csv")).exists(), "tables come by merging");
        let report = place.merge(&[&format!("one-{of}")], &format!("one-{of}")).unwrap();
        assert_eq!((report.cases, report.copied, report.failed), (CASES, Some(0), FAILED * 2));
        assert_eq!(tables(&place.path(&format!("one-{of}"))), whole, "{of} shards");
        // A folder for each.
        let folders: Vec<String> = (1..=of).map(|number| format!("own-{of}-{number}")).collect();
        Shard::all(of).zip(&folders).for_each(|(shard, folder)| drop(place.shard(shard, folder)));
        let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
        let report = place.merge(&folders, &format!("own-{of}")).unwrap();
        assert_eq!(report.copied, Some(ITEMS));
        assert_eq!(tables(&place.path(&format!("own-{of}"))), whole, "{of} shards in folders of their own");
        assert_eq!(stored(&place.path(&format!("own-{of}"))), stored(&place.path("whole")));
    }
}

#[test]
fn shards_work_at_once_in_one_folder() {
    let place = Place::new();
    let whole = place.whole();
    // Each twice, as where a task is submitted again while the first one runs.
    thread::scope(|scope| {
        for shard in Shard::all(3).chain(Shard::all(2)).chain(Shard::all(3)) {
            let place = &place;
            scope.spawn(move || place.shard(shard, "out"));
        }
    });
    assert_eq!(stored(&place.path("out")), stored(&place.path("whole")), "and no file that is not whole");
    place.merge(&["out"], "out").unwrap();
    assert_eq!(tables(&place.path("out")), whole);
}

#[test]
fn a_merge_goes_on_and_can_be_done_again() {
    let place = Place::new();
    let whole = place.whole();
    Shard::all(2).for_each(|shard| drop(place.shard(shard, &format!("{}", shard.number))));
    assert!(matches!(place.merge(&["1"], "all"), Err(SweepError::Incomplete { items: ITEMS, .. })));
    let first = stored(&place.path("all"));
    assert!(!first.is_empty() && !place.path("all/cases.csv").exists(), "what is there is kept");
    // As if it had been killed: one file is not whole under its name, others under names of their own.
    fs::write(place.path("all/cases").join(first.first().unwrap()), "{ \"version\": ").unwrap();
    for left in ["all/cases/.x.json.1-2.partial", "all/.cases.csv.1-2.partial"] {
        fs::write(place.path(left), "half").unwrap();
    }
    let report = place.merge(&["1", "2"], "all").unwrap();
    assert_eq!(report.copied, Some(ITEMS - first.len() as u64 + 1));
    assert_eq!((tables(&place.path("all")), stored(&place.path("all"))), (whole.clone(), stored(&place.path("whole"))));
    assert!(!place.path("all/.cases.csv.1-2.partial").exists());
    for folders in [&["1", "2"][..], &["all"], &["2", "all", "1"]] {
        assert_eq!(place.merge(folders, "all").unwrap().copied, Some(0));
        assert_eq!(tables(&place.path("all")), whole);
    }
    // A sweep takes what was merged, and a folder of a sweep can be merged.
    assert_eq!(
        place
            .with(&[], |sweep| sweep::run(sweep, &place.path("all"), 1, &Wanted::rows(9), &Watch::default()))
            .unwrap()
            .ran,
        0
    );
    assert_eq!(place.merge(&["whole"], "copy").unwrap().copied, Some(ITEMS));
    assert_eq!(tables(&place.path("copy")), whole);
}

#[test]
fn folders_of_other_sweeps_and_builds_are_refused() {
    let place = Place::new();
    let sharded = |sets: &[&str], out: &str| {
        place
            .with(sets, |sweep| shard::run(sweep, &place.path(out), Shard { of: 9, number: 1 }, 1, &Watch::default()))
            .unwrap();
    };
    let difference = |theirs: &str| match place.merge(&["ours", theirs], "all") {
        Err(SweepError::OtherSweep { difference, .. }) => difference,
        other => panic!("{:?}", other.map(|_| ())),
    };
    sharded(&[], "ours");
    sharded(&["network.trunk=2"], "fewer");
    sharded(&["seed=7"], "seed");
    assert_eq!(difference("fewer"), "it has 4 cases instead of 12");
    assert_eq!(difference("seed"), "the experiments differ");
    fs::write(place.path("good.ti"), GOOD.replace("300000", "300001")).unwrap();
    sharded(&[], "trace");
    assert_eq!(difference("trace"), "the traces of its cases differ");
    assert!(!place.path("all").exists(), "nothing was written");
    // Into the folder of another sweep.
    assert!(matches!(place.merge(&["ours"], "seed"), Err(SweepError::OtherSweep { .. })));
    // By another build: the list of cases, or a case.
    let file = place.path("ours/plan.json");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, crate::resealed(&text.replace(BUILD, "0123456789abcdef"))).unwrap();
    assert!(matches!(place.merge(&["ours"], "all"), Err(SweepError::OtherBuild { .. })));
    fs::write(&file, text).unwrap();
    let name = stored(&place.path("ours")).pop_first().unwrap();
    let file = place.path("ours/cases").join(name);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, crate::resealed(&text.replace(BUILD, "0123456789abcdef"))).unwrap();
    let error = place.merge(&["ours"], "all").unwrap_err().to_string();
    assert!(error.starts_with(&file.display().to_string()) && error.contains("build 0123456789abcdef"), "{error}");
}

#[test]
fn lists_that_make_no_sense_are_refused() {
    let place = Place::new();
    place.shard(Shard { of: 9, number: 1 }, "out");
    let file = place.path("out/plan.json");
    let text = fs::read_to_string(&file).unwrap();
    let longer = text.replacen("\"ids\":[", "\"ids\":[\"0\",", 1);
    let wrong = [&text[..text.len() / 2], "", "[]", "{}", &longer].map(|wrong| wrong.as_bytes().to_owned());
    for wrong in wrong.into_iter().chain([crate::resealed(&longer)]) {
        fs::write(&file, wrong).unwrap();
        assert!(matches!(place.merge(&["out"], "out"), Err(SweepError::BrokenList { .. })));
    }
    // It is written anew by the next that works there.
    place.shard(Shard { of: 9, number: 2 }, "out");
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
}

#[test]
fn status_counts_from_files_alone() {
    let place = Place::new();
    let count = |folders: &[&str]| status(&place.paths(folders)).unwrap();
    place.shard(Shard { of: 2, number: 2 }, "out");
    let begun = count(&["out"]);
    assert_eq!((begun.title.as_str(), begun.cases, begun.baselines), ("Shards", CASES, ITEMS - CASES));
    let [first, second] = [1, 2].map(|number| begun.shards[&Shard { of: 2, number }]);
    assert_eq!((first.0, second.0), (false, true));
    assert_eq!((first.1.stored, second.1.missing()), (0, 0));
    assert_eq!(begun.all.stored, second.1.items);
    assert_eq!(begun.all.items, first.1.items + second.1.items);
    // Without locks: another works there, and nothing may be written.
    let lock = fs::File::create(place.path("out/.lock")).unwrap();
    lock.lock().unwrap();
    let files = || fs::read_dir(place.path("out")).unwrap().count();
    let before = files();
    assert_eq!(count(&["out"]).all, begun.all);
    assert_eq!(files(), before);
    drop(lock);
    place.shard(Shard { of: 2, number: 1 }, "other");
    assert_eq!(count(&["out", "other"]).all, Counts { items: ITEMS, stored: ITEMS, failed: FAILED * 2 });
    place.whole();
    assert!(count(&["whole"]).shards.is_empty(), "no shard is known");
    assert!(matches!(status(&place.paths(&["nowhere"])), Err(SweepError::NoSweep { .. })));
}

#[test]
fn only_shards_that_lack_cases_are_submitted() {
    let place = Place::new();
    let all = place.submission("out", 4);
    assert_eq!((all.items, all.missing, all.of), (ITEMS, ITEMS, 4));
    assert_eq!(all.shards, BTreeSet::from([1, 2, 3, 4]));
    assert!(!place.path("out").exists(), "planning writes nothing");
    place.shard(Shard { of: 4, number: 3 }, "out");
    assert_eq!(place.submission("out", 4).shards, BTreeSet::from([1, 2, 4]));
    [1, 2, 4].into_iter().for_each(|number| drop(place.shard(Shard { of: 4, number }, "out")));
    assert_eq!((place.submission("out", 4).missing, place.submission("out", 4).shards), (0, BTreeSet::new()));
    fs::remove_file(place.path("out/cases").join(stored(&place.path("out")).pop_first().unwrap())).unwrap();
    let again = place.submission("out", 1_000);
    assert_eq!((again.missing, again.of, again.shards.len()), (1, ITEMS, 1), "no more shards than cases");
    let number = again.shards.first().copied().unwrap();
    assert_eq!(place.shard(Shard { of: again.of, number }, "out").ran, 1);
}

/// A sweep and its shards do not work in one folder at a time, where the file system has locks.
#[test]
fn a_sweep_waits_for_its_shards() {
    let place = Place::new();
    place.shard(Shard { of: 2, number: 1 }, "out");
    let lock = fs::File::create(place.path("out/.lock")).unwrap();
    lock.lock_shared().unwrap();
    place.shard(Shard { of: 2, number: 2 }, "out");
    assert!(matches!(place.merge(&["out"], "out"), Err(SweepError::Busy { .. })));
    let run = || place.with(&[], |sweep| sweep::run(sweep, &place.path("out"), 1, &Wanted::rows(9), &Watch::default()));
    assert!(matches!(run(), Err(SweepError::Busy { .. })));
    drop(lock);
    assert_eq!(run().unwrap().ran, 0);
}
