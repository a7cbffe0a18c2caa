//! `drowse submit`: the missing cases of a sweep, on an engine for many machines.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf, absolute};
use std::process::Command;
use std::sync::Arc;

use clap::Args;
use drowse_experiment::{Kinds, Sweep, read_source};
use drowse_run::files::{self, ExportError};
use drowse_run::sweep::{Watch, submission};

use crate::failure::Failure;
use crate::output;
use crate::output::sweep_progress::SweepBar;
use crate::script::{self, Engine, LOGS, Unquotable, Work};

/// Run what is missing of a sweep on a cluster
///
/// Writes a short script, DIR/submit.sh, and runs it. It runs the shards of the sweep that lack cases, then merges: by a
/// Slurm job array and a job that depends on it, by HyperQueue, or by GNU parallel. Submit again after tasks were
/// preempted or killed, when none is left in the queue: only what is missing is run.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Experiment file
    file: PathBuf,

    /// Folder for the tables and for finished cases, which all machines see
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    #[command(flatten)]
    engine: EngineArguments,

    /// Replace a key of the file, such as network.trunk=2; a key of the sweep gets this one value (can be repeated)
    #[arg(long = "set", value_name = "PATH=VALUE")]
    overrides: Vec<String>,

    /// Print the script; nothing is written or submitted
    #[arg(long)]
    dry_run: bool,

    /// Tasks, each a shard with many cases [default: 64, or as many as there are cases]
    #[arg(long, value_name = "N")]
    tasks: Option<NonZeroUsize>,

    /// Cores of a task, which are cases that it runs at a time
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,

    /// Pass an option to sbatch, hq submit or parallel, such as --time=1:00:00 (can be repeated)
    #[arg(long = "option", value_name = "OPTION", allow_hyphen_values = true)]
    options: Vec<String>,
}

/// The engine, one of them.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct EngineArguments {
    /// Submit a job array and a job that merges to Slurm
    #[arg(long)]
    slurm: bool,

    /// Submit a task array to HyperQueue, and wait for it
    #[arg(long)]
    hq: bool,

    /// Run GNU parallel on this machine, or with its options over ssh
    #[arg(long)]
    parallel: bool,
}

const EXAMPLES: &str = "Examples:
  drowse submit sweep.toml --out results --slurm --option=--time=1:00:00 --dry-run
  drowse submit sweep.toml --out results --slurm --tasks 16 --threads 4
  drowse submit sweep.toml --out results --parallel";

/// The name of the script.
const SCRIPT: &str = "submit.sh";

/// Runs the command; tasks start `program`.
pub fn execute(arguments: &Arguments, kinds: &Kinds, program: PathBuf) -> Result<(), Failure> {
    let engine = match &arguments.engine {
        EngineArguments { slurm: true, .. } => Engine::Slurm,
        EngineArguments { hq: true, .. } => Engine::HyperQueue,
        EngineArguments { .. } => Engine::Parallel,
    };
    check(arguments, engine)?;
    let source = Arc::new(read_source(&arguments.file, &arguments.overrides)?);
    let sweep = Sweep::of(&source, kinds.clone()).map_err(|diagnostic| Failure::Run(diagnostic.into()))?;
    let bar = SweepBar::new(sweep.cases());
    let tasks = arguments.tasks.map(|tasks| tasks.get() as u64);
    let planned = submission::plan(&sweep, &arguments.out, tasks, &Watch::new(&|progress| bar.show(&progress)));
    drop(bar);
    let (list, submission) = planned.map_err(Failure::of_sweep)?;
    let work = Work {
        drowse: program,
        file: whole(&arguments.file)?,
        out: whole(&arguments.out)?,
        sets: &arguments.overrides,
        submission,
        threads: arguments.threads.get(),
        options: &arguments.options,
    };
    let text = script::script(engine, &work).map_err(|Unquotable(text)| {
        Failure::Refused(format!("error: no script can hold {text:?}\nhelp: use names without such characters"))
    })?;
    if arguments.dry_run {
        return output::print(&text);
    }
    submission::prepare(&list, &arguments.out).map_err(Failure::of_sweep)?;
    run(&work.out, &text)
}

/// Refuses what cannot be submitted, before any case is looked at.
fn check(arguments: &Arguments, engine: Engine) -> Result<(), Failure> {
    if let Some(option) = arguments.options.iter().find(|option| !option.starts_with('-')) {
        let help = "write it with its dashes and its value in one, such as --option=--time=1:00:00";
        return Err(Failure::Refused(format!("error: `{option}` is no option\nhelp: {help}")));
    }
    let program = engine.program();
    if !arguments.dry_run && !on_path(program, env::var_os("PATH").as_deref()) {
        let help = "log in where it is installed, or print the script by --dry-run";
        return Err(Failure::Refused(format!("error: the program `{program}` is not on the PATH\nhelp: {help}")));
    }
    Ok(())
}

fn on_path(program: &str, path: Option<&OsStr>) -> bool {
    path.is_some_and(|path| env::split_paths(path).any(|folder| folder.join(program).is_file()))
}

/// Makes a path absolute: tasks start in other folders.
fn whole(path: &Path) -> Result<PathBuf, Failure> {
    absolute(path).map_err(|error| Failure::Refused(format!("{}: error: no path: {error}", path.display())))
}

/// Writes the script, and runs it.
fn run(folder: &Path, text: &str) -> Result<(), Failure> {
    let path = folder.join(SCRIPT);
    let failed = |error: io::Error| Failure::Export(ExportError::Io { path: path.display().to_string(), error });
    fs::create_dir_all(folder.join(LOGS)).map_err(failed)?;
    files::write_whole(folder, SCRIPT, text.as_bytes()).map_err(Failure::Export)?;
    let status = Command::new("sh").arg(&path).status().map_err(failed)?;
    match status.code() {
        Some(0) => Ok(()),
        code => {
            let code = code.and_then(|code| u8::try_from(code).ok());
            Err(Failure::Script { script: path.display().to_string(), code })
        }
    }
}
