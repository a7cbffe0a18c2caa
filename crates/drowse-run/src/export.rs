//! Writes the tables of a run into a folder, and the manifest: what made them.
//!
//! With a baseline, each table holds the rows of both cases; `case_id` tells them apart.

use std::io::Write;
use std::path::Path;

use drowse_tables::schema::{CASES, CHANNELS, ENGINE, JOBS, RANKS, SWITCHES, cases, ranks};
use drowse_tables::{Row, csv};
use serde_json::json;

use crate::channel_tables::{channel_rows, switch_rows};
use crate::files::{ExportError, write_file};
use crate::identity::{BUILD, VERSION};
use crate::inputs::TraceFile;
use crate::outcome::Outcome;
use crate::probe_tables;

/// Writes all tables and the manifest into a folder that was prepared; files of earlier runs are replaced.
pub fn write(folder: &Path, outcomes: &[&Outcome]) -> Result<(), ExportError> {
    let rows: Vec<Row> = outcomes.iter().map(|outcome| outcome.case_row()).collect();
    let engine: Vec<Row> = outcomes.iter().map(|outcome| outcome.summary.engine_row()).collect();
    write_file(folder, CASES.file, |file| Ok(csv::write(&CASES, &rows, file)?))?;
    write_file(folder, ENGINE.file, |file| Ok(csv::write(&ENGINE, &engine, file)?))?;
    let of_channels = || outcomes.iter().flat_map(|outcome| channel_rows(outcome));
    write_file(folder, CHANNELS.file, |file| Ok(csv::write_long(&CHANNELS, of_channels(), file)?))?;
    let of_switches = || outcomes.iter().flat_map(|outcome| switch_rows(outcome));
    write_file(folder, SWITCHES.file, |file| Ok(csv::write_long(&SWITCHES, of_switches(), file)?))?;
    let jobs = || outcomes.iter().flat_map(|outcome| outcome.job_rows());
    write_file(folder, JOBS.file, |file| Ok(csv::write_long(&JOBS, jobs(), file)?))?;
    let of_ranks = || outcomes.iter().flat_map(|outcome| rank_rows(outcome));
    write_file(folder, RANKS.file, |file| Ok(csv::write_long(&RANKS, of_ranks(), file)?))?;
    probe_tables::write(folder, outcomes)?;
    write_file(folder, "manifest.json", |file| {
        let path = || folder.join("manifest.json").display().to_string();
        writeln!(file, "{:#}", manifest(outcomes)).map_err(|error| ExportError::Io { path: path(), error })
    })
}

fn rank_rows(outcome: &Outcome) -> impl Iterator<Item = Row> {
    let names = outcome.record.jobs.iter().flat_map(|job| (0..job.ranks).map(|rank| (job.name.as_str(), rank)));
    outcome.record.ranks.iter().zip(names).map(|(record, (job, rank))| {
        let mut row = Row::new();
        row.push(ranks::CASE_ID, outcome.case_id());
        row.push(ranks::JOB, job);
        row.push(ranks::RANK, rank);
        row.push(ranks::NODE, record.node);
        row.push(ranks::FINISH_PS, record.finish.0);
        row.push(ranks::RUNNING_PS, record.times.computing.0);
        row.push(ranks::OVERHEAD_PS, record.times.overhead.0);
        row.push(ranks::SENDING_PS, record.times.sending.0);
        row.push(ranks::RECEIVING_PS, record.times.receiving.0);
        row.push(ranks::COLLECTIVES_PS, record.times.collectives.0);
        row.push(ranks::MESSAGES, record.messages);
        row.push(ranks::BYTES, record.bytes);
        row
    })
}

/// Describes what made the tables, so that they can be made again.
fn manifest(outcomes: &[&Outcome]) -> serde_json::Value {
    let case = |outcome: &&Outcome| {
        let trace = |file: &TraceFile| json!({ "file": file.name, "bytes": file.bytes });
        json!({
            (cases::CASE_ID.name): outcome.case_id().to_string(),
            "seed": outcome.case.system.config.seed,
            "title": outcome.case.system.title,
            "always_on": outcome.case.is_always_on(),
            "experiment": outcome.case.experiment,
            "traces": outcome.traces.iter().map(trace).collect::<Vec<_>>(),
        })
    };
    json!({ "version": VERSION, "build": BUILD, "cases": outcomes.iter().map(case).collect::<Vec<_>>() })
}
