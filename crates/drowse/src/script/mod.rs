//! Scripts that run the shards of a sweep on an engine that is there: one file per engine.
//!
//! Each is short, for a person to read and change. It runs the shards that lack cases, several at a time, then merges.

mod hyperqueue;
mod parallel;
mod quote;
mod slurm;

pub use quote::Unquotable;

use std::path::{Path, PathBuf};

use drowse_run::sweep::submission::Submission;
use quote::quoted;

/// What runs the shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// A job array, and a job that merges after it.
    Slurm,
    /// A task array.
    HyperQueue,
    /// GNU parallel, on this machine or over ssh.
    Parallel,
}

impl Engine {
    /// Returns the program that must be there.
    pub fn program(self) -> &'static str {
        match self {
            Engine::Slurm => "sbatch",
            Engine::HyperQueue => "hq",
            Engine::Parallel => "parallel",
        }
    }
}

/// What a script is about; all paths are absolute.
pub struct Work<'a> {
    /// The program.
    pub drowse: PathBuf,
    /// The experiment's file.
    pub file: PathBuf,
    /// The folder for results.
    pub out: PathBuf,
    /// Overrides of keys.
    pub sets: &'a [String],
    /// The shards to run.
    pub submission: Submission,
    /// Cores of a task.
    pub threads: usize,
    /// Options for the engine.
    pub options: &'a [String],
}

/// Writes the script of an engine; where nothing is missing, it only merges.
pub fn script(engine: Engine, work: &Work<'_>) -> Result<String, Unquotable> {
    let Submission { items, missing, of, shards } = &work.submission;
    let what = if *missing == 0 {
        format!("# All {items} cases and baselines are stored: writes the tables.\n\n{}\n", work.merge()?)
    } else {
        let tasks = if shards.len() == 1 { "1 task".into() } else { format!("{} tasks", shards.len()) };
        let what = format!(
            "# Runs {missing} of {items} cases and baselines in {tasks} ({of} shards), then writes the tables.\n\n"
        );
        what + &match engine {
            Engine::Slurm => slurm::script(work),
            Engine::HyperQueue => hyperqueue::script(work),
            Engine::Parallel => parallel::script(work),
        }?
    };
    Ok(format!("#!/bin/sh\n# Written by `drowse submit`: submit again to run what is then missing.\n{what}"))
}

impl Work<'_> {
    /// Returns the command that runs a shard; which one, and on how many threads, is written for the shell.
    fn shard(&self, shard: &str, threads: &str) -> Result<String, Unquotable> {
        let set = |set: &String| quoted(set).map(|set| format!(" --set {set}"));
        let sets: String = self.sets.iter().map(set).collect::<Result<_, _>>()?;
        let command = format!("{} sweep {}{sets}", path(&self.drowse)?, path(&self.file)?);
        Ok(format!("{command} \\\n    --out {} --shard {shard} --threads {threads}", path(&self.out)?))
    }

    /// Returns the command that merges.
    fn merge(&self) -> Result<String, Unquotable> {
        Ok(format!("exec {} merge {}", path(&self.drowse)?, path(&self.out)?))
    }

    /// Returns the options for the engine, each with a blank in front.
    fn options(&self) -> Result<String, Unquotable> {
        self.options.iter().map(|option| Ok(format!(" {}", quoted(option)?))).collect()
    }

    /// Returns the file for what a task prints, its name as the engine numbers tasks.
    fn log(&self, name: &str) -> Result<String, Unquotable> {
        let folder = self.out.join(LOGS);
        quoted(&format!("{}/{name}", text(&folder)?.replace('%', "%%")))
    }
}

/// The folder for what tasks print, in the folder for results.
pub const LOGS: &str = "logs";

/// Writes ascending numbers as an array is written, such as `1-3,7`.
fn array(work: &Work<'_>) -> String {
    let range = |(first, last)| if first == last { format!("{first}") } else { format!("{first}-{last}") };
    ranges(work).into_iter().map(range).collect::<Vec<_>>().join(",")
}

/// Returns the first and the last of each unbroken run of shards.
fn ranges(work: &Work<'_>) -> Vec<(u64, u64)> {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for &number in &work.submission.shards {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    ranges
}

fn path(path: &Path) -> Result<String, Unquotable> {
    quoted(text(path)?)
}

fn text(path: &Path) -> Result<&str, Unquotable> {
    path.to_str().ok_or_else(|| Unquotable(path.display().to_string()))
}
