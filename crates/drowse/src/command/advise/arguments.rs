//! The options of `drowse advise`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use drowse_core::model::units::Time;

use crate::command::network::Dump;
use crate::command::to_file::Force;

/// Advise which links of a machine may sleep, by its network and its job log
///
/// Asks flows for every policy in short windows of the log, the busiest and some that are drawn, and checks those that
/// save most by packets. Prints what may sleep under which policy, what that saves and what it costs, and writes a page
/// of it. Every finished case is kept, so an advice that was stopped continues when it is asked for again.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The machine: a file that describes its network, such as a dump of a fabric; or an experiment file (.toml), of which
    /// all but what runs counts
    pub file: PathBuf,

    #[command(flatten)]
    pub dump: Dump,

    /// Its job log: of the Standard Workload Format, or of sacct
    #[arg(long, value_name = "LOG")]
    pub jobs: PathBuf,

    /// What its jobs run: an experiment file whose [[job]] tables are programs [default: an exchange with neighbours is
    /// assumed]
    #[arg(long, value_name = "FILE")]
    pub programs: Option<PathBuf>,

    /// What a kWh costs
    #[arg(long, value_name = "PRICE", value_parser = amount)]
    pub price: Option<f64>,

    /// Grams of CO2 that a kWh emits
    #[arg(long, value_name = "GRAMS", value_parser = amount)]
    pub carbon: Option<f64>,

    /// The energy of the building for that of the machine, from 1
    #[arg(long, value_name = "PUE", value_parser = pue)]
    pub pue: Option<f64>,

    /// By how much 95 % of jobs may run longer at most
    #[arg(long, value_name = "SHARE", default_value = "1%", value_parser = share)]
    pub slowdown: f64,

    /// How many of the busiest windows are simulated, which packets check, too
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub busiest: u32,

    /// How many windows are drawn, over which savings are a mean
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(2..=1_000))]
    pub drawn: u32,

    /// How long a window is
    #[arg(long, value_name = "TIME", default_value = "20 ms", value_parser = window)]
    pub window: Time,

    /// Decides which windows are drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Where the log counts processors: how many of them are a node [default: what the log says]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub processors_per_node: Option<u32>,

    /// The names of the nodes in the order of their numbers, such as n[01-96] [default: those of the machine's file]
    #[arg(long, value_name = "HOSTS")]
    pub nodes: Option<String>,

    /// Replace a key of the machine, such as power.watts.device="nexus-9336c-fx2" (can be repeated)
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub overrides: Vec<String>,

    /// The page to write
    #[arg(long, value_name = "FILE", default_value = "advice.html")]
    pub out: PathBuf,

    /// Folder for finished cases and tables [default: the page's name without its ending]
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,

    #[command(flatten)]
    pub force: Force,

    /// Cases that run at a time [default: all cores]; the advice does not depend on it
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
}

const EXAMPLES: &str = "Examples:
  drowse advise fabric.topo --tables fabric.lft --jobs month.swf --price 0.25
  drowse advise machine.toml --jobs sacct.txt --programs programs.toml --slowdown 0.5%";

fn amount(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "write a number from 0 on, such as 0.25".into())
}

fn pue(text: &str) -> Result<f64, String> {
    amount(text).ok().filter(|&pue| pue >= 1.0).ok_or_else(|| "write a number from 1 on, such as 1.3".into())
}

/// Reads a share, such as `1%` or `0.01`.
fn share(text: &str) -> Result<f64, String> {
    let (digits, factor) = text.strip_suffix('%').map_or((text, 1.0), |digits| (digits, 100.0));
    let share = amount(digits.trim_end()).ok().map(|share| share / factor).filter(|&share| share < 1.0);
    share.ok_or_else(|| "write a share below 1, such as 1% or 0.01".into())
}

/// Reads the length of a window.
fn window(text: &str) -> Result<Time, String> {
    const RANGE: std::ops::RangeInclusive<Time> = Time::from_us(100)..=Time::from_us(10_000_000);
    let time = text.parse::<Time>().ok().filter(|time| RANGE.contains(time) && time.0 % 1_000_000 == 0);
    time.ok_or_else(|| "write whole microseconds from 100 us to 10 s, such as \"20 ms\"".into())
}
