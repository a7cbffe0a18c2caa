//! Writes the tables of a run into a folder.
//!
//! Each file is written under another name and renamed when it is whole, so that a reader never sees half a table.
//! With a baseline, each table holds the rows of both cases; `case_id` tells them apart.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use drowse_core::model::ids::{ChannelId, NodeId, PortId};
use drowse_core::power::LinkState;
use drowse_core::topology::{End, Network};
use drowse_tables::Row;
use drowse_tables::csv::{self, CsvError};
use drowse_tables::schema::{CASES, CHANNELS, ENGINE, JOBS, RANKS};
use serde_json::json;

use crate::compare::Outcome;
use crate::identity::VERSION;
use crate::jobs;
use crate::probe_tables;

/// Why tables cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The folder cannot be made, or a file in it cannot be written.
    #[error("{path}: cannot be written: {error}")]
    Io {
        /// The folder or file.
        path: String,
        /// What the system said.
        error: io::Error,
    },
    /// A table cannot be written.
    #[error(transparent)]
    Csv(#[from] CsvError),
}

/// Makes a folder for tables if needed, and tries whether a file can be written there.
pub fn prepare(folder: &Path) -> Result<(), ExportError> {
    let failed = |error| ExportError::Io { path: folder.display().to_string(), error };
    fs::create_dir_all(folder).map_err(failed)?;
    let trial = partial(folder, "trial");
    File::create(&trial).and_then(|_| fs::remove_file(&trial)).map_err(failed)
}

/// Writes all tables and the manifest into a folder that was prepared; files of earlier runs are replaced.
pub fn write(folder: &Path, outcomes: &[&Outcome]) -> Result<(), ExportError> {
    let cases: Vec<Row> = outcomes.iter().map(|outcome| outcome.summary.case_row()).collect();
    let engine: Vec<Row> = outcomes.iter().map(|outcome| outcome.summary.engine_row()).collect();
    write_file(folder, CASES.file, |file| Ok(csv::write(&CASES, &cases, file)?))?;
    write_file(folder, ENGINE.file, |file| Ok(csv::write(&ENGINE, &engine, file)?))?;
    let channels = || outcomes.iter().flat_map(|outcome| channel_rows(outcome));
    write_file(folder, CHANNELS.file, |file| Ok(csv::write_long(&CHANNELS, channels(), file)?))?;
    let jobs = || outcomes.iter().flat_map(|outcome| job_rows(outcome));
    write_file(folder, JOBS.file, |file| Ok(csv::write_long(&JOBS, jobs(), file)?))?;
    let ranks = || outcomes.iter().flat_map(|outcome| rank_rows(outcome));
    write_file(folder, RANKS.file, |file| Ok(csv::write_long(&RANKS, ranks(), file)?))?;
    probe_tables::write(folder, outcomes)?;
    write_file(folder, "manifest.json", |file| {
        let path = || folder.join("manifest.json").display().to_string();
        writeln!(file, "{:#}", manifest(outcomes)).map_err(|error| ExportError::Io { path: path(), error })
    })
}

/// Returns the name under which a file is written until it is whole.
fn partial(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!(".{name}.{}.partial", std::process::id()))
}

/// Writes a file under another name, then renames it.
pub fn write_file(
    folder: &Path,
    name: &str,
    write: impl FnOnce(&mut NewFile) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let mut file = NewFile::create(folder, name)?;
    write(&mut file)?;
    file.finish()
}

/// A file that has another name until it is whole; if it never is, it is removed.
pub struct NewFile {
    path: PathBuf,
    partial: PathBuf,
    file: BufWriter<File>,
}

impl NewFile {
    /// Begins a file.
    pub fn create(folder: &Path, name: &str) -> Result<Self, ExportError> {
        let (path, partial) = (folder.join(name), partial(folder, name));
        match File::create(&partial) {
            Ok(file) => Ok(NewFile { path, partial, file: BufWriter::new(file) }),
            Err(error) => Err(ExportError::Io { path: path.display().to_string(), error }),
        }
    }

    /// Returns the file its name: it is whole.
    pub fn finish(mut self) -> Result<(), ExportError> {
        let renamed = self.file.flush().and_then(|()| fs::rename(&self.partial, &self.path));
        renamed.map_err(|error| ExportError::Io { path: self.path.display().to_string(), error })
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // Once it is renamed there is nothing to remove. The first error is the one to tell; a file that cannot be
        // removed either adds nothing to it.
        let _ = fs::remove_file(&self.partial);
    }
}

fn channel_rows(outcome: &Outcome) -> impl Iterator<Item = Row> {
    let network = &outcome.case.system.network;
    outcome.record.channels.iter().enumerate().map(move |(index, channel)| {
        let id = ChannelId(index as u32);
        let mut row = Row::new();
        row.push("case_id", outcome.case_id());
        row.push("channel", id.0);
        row.push("from", end_name(network, source(network, id)));
        row.push("to", end_name(network, network.target(id)));
        row.push("class", network.classes[usize::from(network.channel_class(id))].as_str());
        for state in LinkState::ALL {
            row.push(format!("{}_ps", state.name()), channel.time_in(state).0);
        }
        row.push("wakes", channel.wakes);
        row.push("delayed_messages", channel.delayed_messages);
        row.push("time_lost_ps", channel.time_lost.0);
        row.push("packets", channel.packets);
        row.push("flits", channel.flits);
        row
    })
}

/// Returns the end that sends on a channel: the port of the same number, or behind the ports a node.
pub fn source(network: &Network, channel: ChannelId) -> End {
    match channel.0.checked_sub(network.ports()) {
        Some(node) => End::Node(NodeId(node)),
        None => End::Port(PortId(channel.0)),
    }
}

pub fn end_name(network: &Network, end: End) -> String {
    match end {
        End::Node(node) => format!("node {}", node.0),
        End::Port(port) => {
            let switch = network.port_switch(port.index());
            format!("switch {switch} port {}", port.0 - network.first_port[switch as usize])
        }
    }
}

fn job_rows(outcome: &Outcome) -> impl Iterator<Item = Row> {
    outcome.summary.jobs.iter().map(|job| jobs::table_row(outcome.case_id(), job))
}

fn rank_rows(outcome: &Outcome) -> impl Iterator<Item = Row> {
    let names = outcome.record.jobs.iter().flat_map(|job| (0..job.ranks).map(|rank| (job.name.as_str(), rank)));
    outcome.record.ranks.iter().zip(names).map(|(record, (job, rank))| {
        let mut row = Row::new();
        row.push("case_id", outcome.case_id());
        row.push("job", job);
        row.push("rank", rank);
        row.push("node", record.node);
        row.push("finish_ps", record.finish.0);
        row.push("running_ps", record.running.0);
        row.push("messages", record.messages);
        row.push("bytes", record.bytes);
        row
    })
}

/// Says what made the tables, so that it can be made again.
fn manifest(outcomes: &[&Outcome]) -> serde_json::Value {
    let case = |outcome: &&Outcome| {
        let trace = |file: &crate::inputs::TraceFile| json!({ "file": file.name, "bytes": file.bytes });
        json!({
            "case_id": outcome.case_id().to_string(),
            "seed": outcome.case.system.config.seed,
            "title": outcome.case.system.title,
            "always_on": outcome.case.is_always_on(),
            "experiment": outcome.case.experiment,
            "traces": outcome.traces.iter().map(trace).collect::<Vec<_>>(),
        })
    };
    json!({ "version": VERSION, "cases": outcomes.iter().map(case).collect::<Vec<_>>() })
}
