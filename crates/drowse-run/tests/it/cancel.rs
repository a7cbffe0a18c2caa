//! Runs and sweeps that another thread stops.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use drowse_experiment::{Case, Sweep};
use drowse_machines::process::in_each;
use drowse_run::cancel::Cancel;
use drowse_run::error::RunError;
use drowse_run::processes::Peers;
use drowse_run::request::RunRequest;
use drowse_run::sweep::{self, Progress, SweepError, Wanted, Watch};
use drowse_run::threads::{Share, Threads};

use crate::support::case;

/// Traffic that would be measured for an hour of simulated time: a run that only ends when it is cancelled.
fn endless() -> Case {
    case(
        "[network]\nkind = \"torus\"\ndims = [4, 4]\n\
         [traffic]\npattern = \"uniform\"\nload = 0.1\nwarmup = \"0 us\"\nmeasure = \"3600 s\"\n",
    )
}

/// Before the run, and after so many reports of its progress, on threads and partitions of every kind.
#[test]
fn a_run_ends_when_it_is_cancelled() {
    let case = endless();
    let turns = Threads::shared(Share { threads: 1, partitions: 2, oversubscribed: false });
    for threads in [Threads::ONE, Threads::exactly(2), Threads::exactly(3), turns] {
        for after in [0, 1, 3] {
            let (cancel, reports) = (Cancel::default(), AtomicU64::new(0));
            let count = || {
                if reports.fetch_add(1, Ordering::Relaxed) == after {
                    cancel.cancel();
                }
            };
            count();
            let observer = |_, _| count();
            let request = RunRequest { threads, observer: &observer, cancel: cancel.clone(), ..RunRequest::new(&case) };
            assert!(matches!(request.run(), Err(RunError::Cancelled)));
            assert_eq!(reports.load(Ordering::Relaxed), after + 1, "nothing is run after it");
        }
    }
}

/// From a thread that does not run: with several threads there is no report for some tenths of a second.
#[test]
fn a_run_ends_when_another_thread_cancels_it() {
    let (case, baseline) = (endless(), endless());
    let cancel = Cancel::default();
    let (threads, baseline) = (Threads::exactly(4), Some(&baseline));
    let request = RunRequest { baseline, threads, cancel: cancel.clone(), ..RunRequest::new(&case) };
    thread::scope(|scope| {
        let run = scope.spawn(|| request.run());
        cancel.cancel();
        assert!(matches!(run.join().unwrap(), Err(RunError::Cancelled)));
    });
}

/// If one of the processes is cancelled, all end.
#[test]
fn processes_end_when_one_is_cancelled() {
    let case = endless();
    let ended = in_each(3, |mut process| {
        let cancel = Cancel::default();
        let of_this = process.number() == 1;
        let observer = |_, _| {
            if of_this {
                cancel.cancel();
            }
        };
        let request = RunRequest { observer: &observer, cancel: cancel.clone(), ..RunRequest::new(&case) };
        matches!(request.run_in_processes(&mut process), Err(RunError::Cancelled))
    });
    assert_eq!(ended, [true; 3]);
}

/// The cases that have finished are stored, and the next call runs the others.
#[test]
fn a_sweep_keeps_what_has_finished() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.toml");
    let text = "[network]\nkind = \"torus\"\ndims = [4, 4]\n\
                [traffic]\npattern = \"uniform\"\nload = 0.1\nwarmup = \"0 us\"\nmeasure = \"20 us\"\n\
                [sweep]\nseed = [1, 2, 3, 4, 5, 6]\n";
    std::fs::write(&file, text).unwrap();
    let source = std::sync::Arc::new(drowse_experiment::read_source(&file, &[]).unwrap());
    let sweep = Sweep::new(&source).unwrap();
    let out = folder.path().join("out");
    let run = |watch: &Watch<'_>| sweep::run(&sweep, &out, 1, &Wanted::rows(9), watch);
    for (checked, ran) in [(Some(3), 0), (None, 2)] {
        let cancel = Cancel::default();
        let observer = |progress| match progress {
            Progress::Checked(cases) if Some(cases) == checked => cancel.cancel(),
            Progress::Running(running) if running.ran == 2 => cancel.cancel(),
            _ => {}
        };
        let error = run(&Watch { cancel: cancel.clone(), ..Watch::new(&observer) }).map(|report| report.cases);
        assert!(matches!(error, Err(SweepError::Run(RunError::Cancelled))));
        let stored = std::fs::read_dir(out.join("cases")).map_or(0, |files| {
            files.filter(|file| file.as_ref().unwrap().path().extension().is_some_and(|end| end == "json")).count()
        });
        assert_eq!(stored, ran);
        assert!(!out.join("cases.csv").exists(), "no table is written");
    }
    assert_eq!(run(&Watch::default()).unwrap().ran, 4);
}
