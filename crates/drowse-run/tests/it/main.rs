//! Integration tests of runs, sweeps, summaries and tables on disk.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::float_cmp, reason = "closed forms on small whole numbers are exact")]

mod applications;
mod background;
mod bound;
mod build;
mod cancel;
mod caps;
mod chakra;
mod collection;
mod coverage;
mod dimemas;
mod expected;
mod export;
mod folder;
mod formats;
mod governor;
#[path = "../../src/identity/hash.rs"]
mod hash;
mod identity;
mod intervals;
mod job_logs;
mod jobs;
mod joules;
mod loggops;
mod long_jobs;
mod meter;
mod money;
mod mutated;
mod paths;
mod policy_by;
mod power_models;
mod probes;
mod processes;
mod run;
mod run_times;
mod runtime;
mod scheduled_joules;
mod scheduler;
mod search;
mod several_formats;
mod shards;
mod shipped;
mod simgrid;
mod simgrid_rules;
mod summary;
mod summary_jobs;
mod support;
mod sweep_run;
mod threads;
mod timelines;
mod trace;
mod wait_tables;
mod waking;
mod whose_watts;

/// Returns a stored file whose text was changed with the checksum that it would have.
fn resealed(text: &str) -> Vec<u8> {
    let (_, rest) = text.split_once("\",").unwrap();
    drowse_run::files::sealed::seal(format!("{{{rest}").as_bytes())
}

/// Returns the target of a new file.
fn target(path: &std::path::Path) -> drowse_run::files::target::Target {
    use drowse_run::files::target::{Guard, Target};
    Target::of(path, Guard::default()).unwrap()
}
