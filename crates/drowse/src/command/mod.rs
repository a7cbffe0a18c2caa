//! The subcommands.

mod advise;
mod best;
mod catalogue;
mod compare_units;
mod completions;
pub mod devices;
mod formats;
mod man;
mod merge;
mod network;
mod network_convert;
mod picture_file;
mod plot;
mod python;
mod report;
mod reproduce;
mod rerun;
mod run;
mod schema;
mod search;
mod show;
pub mod states;
mod status;
mod submit;
mod sweep;
mod table;
mod timeline;
mod to_file;
mod trace;
mod usage;
mod verify;

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use drowse_experiment::Kinds;

use crate::failure::Failure;
use crate::output::colour::Color;
use drowse_run::identity::VERSION_AND_BUILD;

/// Simulate HPC interconnection networks whose links sleep
///
/// Which network, with which link power policy, runs an application at what speed and for how much energy?
#[derive(Debug, Parser)]
#[command(name = "drowse", version, long_version = VERSION_AND_BUILD, max_term_width = 80, arg_required_else_help = true, after_help = EXAMPLES)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,

    /// Colour tables and messages; `auto` is on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN", hide_possible_values = true)]
    color: Color,
}

const EXAMPLES: &str = "Examples:
  drowse run examples/cg-torus.toml --baseline always-on
  drowse run examples/cg-torus.toml --set power.policy.deep=\"10 us\" --details
  drowse run examples/cg-torus.toml --out results --table waiting
  drowse sweep examples/stall-timer-sweep.toml --out sweep
  drowse rerun results
  drowse best sweep --minimize energy
  drowse report sweep -o report.html
  drowse network examples/torus-2d-4x.toml
  drowse trace info traces/cg.A.64.tar.zst
  drowse usage examples/usage-torus.toml
  drowse advise fabric.topo --jobs month.swf --price 0.25
  drowse reproduce torus

Exit codes:
  0  done
  1  a job or a case of a sweep could not finish, a routing may deadlock, or a
     reproduced number is wrong
  2  bad input
  3  the machine failed
  130  stopped by Ctrl-C";

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Arguments),
    Sweep(sweep::Arguments),
    Search(search::Arguments),
    Rerun(rerun::Arguments),
    Submit(submit::Arguments),
    Status(status::Arguments),
    Merge(merge::Arguments),
    Network(network::Arguments),
    Trace(trace::Arguments),
    Usage(usage::Arguments),
    Best(best::Arguments),
    Advise(advise::Arguments),
    Show(show::Arguments),
    Report(report::Arguments),
    Plot(plot::Arguments),
    Table(table::Arguments),
    Reproduce(reproduce::Arguments),
    States(states::Arguments),
    Devices(devices::Arguments),
    Schema(schema::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// How a result is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A table to read.
    #[default]
    Table,
    /// JSON, its keys those of the result tables.
    Json,
}

/// Runs the command that was given, whose experiments may name these kinds; `program` is started to run it again.
pub fn execute(cli: Cli, kinds: &Kinds, program: PathBuf) -> Result<(), Failure> {
    cli.color.choose();
    match cli.command {
        Command::Run(arguments) => run::execute(&arguments, kinds),
        Command::Sweep(arguments) => sweep::execute(&arguments, kinds),
        Command::Search(arguments) => search::execute(&arguments, kinds),
        Command::Rerun(arguments) => rerun::execute(&arguments, kinds),
        Command::Submit(arguments) => submit::execute(&arguments, kinds, program),
        Command::Status(arguments) => status::execute(&arguments),
        Command::Merge(arguments) => merge::execute(&arguments),
        Command::Network(arguments) => network::execute(&arguments, kinds),
        Command::Trace(arguments) => trace::execute(&arguments),
        Command::Usage(arguments) => usage::execute(&arguments, kinds),
        Command::Best(arguments) => best::execute(&arguments),
        Command::Advise(arguments) => advise::execute(&arguments, kinds),
        Command::Show(arguments) => show::execute(&arguments),
        Command::Report(arguments) => report::execute(&arguments),
        Command::Plot(arguments) => plot::execute(&arguments),
        Command::Table(arguments) => table::execute(&arguments),
        Command::Reproduce(arguments) => reproduce::execute(&arguments),
        Command::States(arguments) => states::execute(&arguments),
        Command::Devices(arguments) => devices::execute(&arguments),
        Command::Schema(arguments) => schema::execute(&arguments, kinds),
        Command::Completions(arguments) => completions::execute(&arguments),
        Command::Man(arguments) => man::execute(&arguments),
    }
}
