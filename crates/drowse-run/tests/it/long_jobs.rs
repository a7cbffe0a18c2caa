//! Extrapolated jobs of a log, against whole runs of them.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use drowse_experiment::{Case, Source};
use drowse_run::outcome::Outcome;
use drowse_run::request::RunRequest;
use drowse_tables::schema::{cases, jobs};

/// Returns a case of `examples/long-jobs-error.toml`, with some keys set.
fn case(keys: &[String]) -> Case {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/long-jobs-error.toml");
    let text = fs::read_to_string(&path).unwrap();
    let (text, _) = text.split_once("[sweep]").unwrap();
    let source = Source::new(&path, text.to_owned(), keys).unwrap_or_else(|error| panic!("{error}"));
    drowse_experiment::case(&Arc::new(source)).unwrap_or_else(|error| panic!("{error}"))
}

fn run(keys: &[String]) -> Outcome {
    RunRequest::new(&case(keys)).run().unwrap_or_else(|error| panic!("{error}")).case
}

/// Ten windows of a log in which jobs begin and end: run times, energy, and the time that links are on, as whole runs
/// have them, to a hundredth; those of each job to an iteration or two of its own; bytes to the last.
#[test]
fn ten_intervals_of_a_log() {
    let mut skipped = 0.0;
    for window in 0..10 {
        let [from, to] = [window, window + 1].map(|day| f64::from(day) / 1e3);
        let days = format!("scheduler.log.days=[{from}, {to}]");
        let [whole, part] = [Vec::new(), vec!["simulation.extrapolate.after=2".to_owned()]].map(|mut keys| {
            keys.push(days.clone());
            run(&keys)
        });
        let near = |column, bound: f64| {
            let [ours, theirs] = [&part, &whole].map(|outcome| outcome.summary.figures.number(column).unwrap());
            assert!((ours / theirs - 1.0).abs() <= bound, "{days}: {column:?}: {ours}, {theirs}");
        };
        near(cases::MAKESPAN_S, 0.01);
        near(cases::JOBS_RUN_MEAN_S, 0.01);
        near(cases::ENERGY_NETWORK_J, 0.01);
        // Samples are alike that spend no more than a hundredth of the time in other states.
        let [ours, theirs] =
            [&part, &whole].map(|outcome| outcome.summary.figures.number(cases::LINKS_ON_FRACTION).unwrap());
        assert!((ours - theirs).abs() <= 0.005 && theirs > 0.04, "{days}: on for {ours}, {theirs}");
        for (ours, theirs) in part.summary.jobs.iter().zip(&whole.summary.jobs) {
            assert_eq!(ours.text(jobs::JOB), theirs.text(jobs::JOB));
            let [time, whole] = [ours, theirs].map(|job| job.number(jobs::MAKESPAN_S).unwrap());
            assert!((time - whole).abs() < 2e-3, "{days}: {}: {time}, {whole}", ours.text(jobs::JOB));
        }
        let states: u64 = part.record.channels.iter().flat_map(|channel| channel.residency).map(|time| time.0).sum();
        assert_eq!(states, part.record.measured.0 * part.record.channels.len() as u64, "states of all channels");
        skipped += part.summary.figures.number(cases::EXTRAPOLATION_EXTRAPOLATED_S).unwrap();
    }
    assert!(skipped > 1.0, "{skipped} s of the run time of jobs are extrapolated");
}

/// Says how much was simulated, and is the same each time; without the key, nothing is said, and the case is another
/// one.
#[test]
fn results_say_what_was_simulated() {
    let days = "scheduler.log.days=[0, 0.001]".to_owned();
    let keys = [days.clone(), "simulation.extrapolate.within=0.01".to_owned()];
    let (once, again, whole) = (run(&keys), run(&keys), run(&[days]));
    assert_eq!(once.record, again.record);
    assert_eq!(once.summary.figures, again.summary.figures);
    let figure = |column| once.summary.figures.number(column).unwrap();
    let all: f64 = once.summary.jobs.iter().map(|job| job.number(jobs::MAKESPAN_S).unwrap()).sum();
    let [simulated, extrapolated] =
        [figure(cases::EXTRAPOLATION_SIMULATED_S), figure(cases::EXTRAPOLATION_EXTRAPOLATED_S)];
    assert!((simulated + extrapolated - all).abs() < 1e-9 && extrapolated > 0.0);
    let of_jobs: f64 = once.summary.jobs.iter().map(|job| job.number(jobs::EXTRAPOLATED_S).unwrap()).sum();
    assert!((of_jobs - extrapolated).abs() < 1e-9);
    assert!(figure(cases::EXTRAPOLATION_DIFFERENCE) <= 0.01);
    let warned = |outcome: &Outcome| {
        let mut warnings = outcome.summary.warnings().map(ToString::to_string);
        warnings.any(|warning| warning.contains("of the run time of jobs were simulated"))
    };
    assert!(warned(&once) && !warned(&whole));
    assert_eq!(whole.summary.figures.number(cases::EXTRAPOLATION_INTERVALS), None);
    assert_ne!(once.summary.identity.text(cases::CASE_ID), whole.summary.identity.text(cases::CASE_ID));
}
