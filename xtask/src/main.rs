//! Tasks of those who change Drowse: `cargo xtask TASK`. A file or folder a task, and a line each in [`TASKS`].

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a task says what it does and finds")]
#![expect(clippy::unnecessary_wraps, reason = "all tasks, and all laws, are functions of one type")]
#![expect(clippy::format_push_string, clippy::format_collect, reason = "texts are small")]
#![expect(clippy::case_sensitive_file_extension_comparisons, reason = "names of our files are in small letters")]

use std::env;
use std::process::ExitCode;

use failure::{Failure, Outcome};

mod bare;
mod book;
mod examples;
mod failure;
mod fuzz;
mod identity;
mod instructions;
mod kill;
mod long;
mod machines;
mod marked;
mod mutants;
mod networks;
mod pages;
mod papers;
mod process;
mod repository;
mod rust;
mod shares;
mod soak;
mod supply;
mod tidy;
mod update;
mod wheel;

/// What can be done with the repository.
struct Task {
    name: &'static str,
    arguments: &'static str,
    help: &'static str,
    run: fn(&[String]) -> Outcome,
}

const fn task(name: &'static str, arguments: &'static str, run: fn(&[String]) -> Outcome, help: &'static str) -> Task {
    Task { name, arguments, help, run }
}

/// All tasks, in the order in which they are listed.
#[rustfmt::skip]
const TASKS: &[Task] = &[
    task("tidy", "[--lower]", tidy::run, "laws of the code: imports, lengths, words, column names, pages' generators"),
    task("pages", "[FILE...]", pages::run, "tables, blocks and lines of all pages, and what several of them say"),
    task("book", "[--update] [DROWSE]", book::run, "runs what the pages show, and builds the book; --update writes it anew"),
    task("update", "", update::run, "makes all that pages show anew: outputs, pictures, numbers, references"),
    task("instructions", "[EXAMPLES|--record|--runs DROWSE]", instructions::run, "instructions of a packet-hop and of a flow; --record and --runs write new counts; --page prints their page"),
    task("papers", "[--update|--full]", papers::run, "the papers' numbers and verdicts; --update keeps the new ones, --full runs all (an hour)"),
    task("examples", "[DROWSE]", examples::run, "runs every example network and experiment, and a sweep again with one thread"),
    task("threads", "[DROWSE]", examples::threads, "the same bytes with 1, 2, 3 and 8 threads"),
    task("builds", "", examples::builds, "the same bytes twice, and from debug and release builds"),
    task("identity", "OLD NEW", identity::run, "the same tables of all examples by two builds"),
    task("networks", "", networks::run, "lists small networks of every kind under every routing, for soak and shares"),
    task("soak", "[DROWSE [CYCLES]]", soak::run, "loads these networks, awake and asleep, for so many cycles times nodes"),
    task("shares", "[DROWSE [--record]|--page]", shares::run, "who gets how much of a hot node's link; --record runs all networks"),
    task("machines", "[FROM COUNT]", machines::run, "random machines in audit mode, for hours; a test examines the first hundred"),
    task("fuzz", "[TARGET [SECONDS]]", fuzz::run, "changed files, guided by the code that they reach; --list, --keep [TARGET], --unpack"),
    task("mutants", "[FOLDER K/N|--list]", mutants::run, "which small faults in a folder the tests notice: every N-th from the K-th"),
    task("kill", "[DROWSE]", kill::run, "sweeps that are killed or have no room, and damaged results"),
    task("static", "", bare::run, "builds a binary that needs no library, and runs it where there is nothing else"),
    task("wheel", "[PYTHON...]", wheel::run_task, "builds and checks the wheel and the source distribution, and runs the package from it"),
    task("long", "[STEP...]", long::run, "before a release: what takes hours; mutants only where it is named"),
    task("supply", "", supply::run, "licences, sources and use of dependencies, packages, the toolchain"),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let done = match arguments.split_first() {
        None => {
            list();
            Ok(())
        }
        Some((name, rest)) => perform(name, rest),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if !failure.message.is_empty() {
                eprintln!("{}", failure.message);
            }
            ExitCode::from(failure.code)
        }
    }
}

fn perform(name: &str, arguments: &[String]) -> Outcome {
    let task = TASKS.iter().find(|task| task.name == name);
    let task = task.ok_or_else(|| Failure::usage(format!("no such task: {name}; cargo xtask lists them")))?;
    env::set_current_dir(repository::root()?)?;
    (task.run)(arguments)
}

fn list() {
    for task in TASKS {
        let call = format!("{} {}", task.name, task.arguments);
        println!("cargo xtask {call:<43} {}", task.help);
    }
}
