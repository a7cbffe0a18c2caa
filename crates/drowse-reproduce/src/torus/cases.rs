//! Which cases are run.

use std::num::NonZeroU32;
use std::path::Path;

use drowse_run::sweep::SweepError;
use drowse_tables::Row;

use super::case::{Case, Work};
use super::choices;
use super::program::{self, Generated};
use super::set;
use super::table_2::{TABLE_2, Torus};
use crate::cases;
use crate::options::{Observer, Options};
use crate::programs::{PROGRAMS, Program};

/// Programs of 64 ranks, those of the paper first; on the networks of 256 nodes four copies of each lie side by side.
const ON_64: [&str; 11] = ["LINPACK", "Graph500", "EP", "CoMD", "LULESH", "CG", "MG", "BT", "LU", "FT", "IS"];
const ON_256: [&str; 4] = ["LINPACK", "Graph500", "EP", "CG"];
/// Those of a quick reproduction, on the networks of 64 nodes alone.
const QUICK: [&str; 3] = ["LINPACK", "Graph500", "EP"];
/// The program that the paper loads its networks most with, and of which as many tasks as the paper has are on a node.
const HEAVIEST: &str = "Graph500";
/// The traced program that the paper has, too, and how long it may have computed on its machine: ours made the trace with
/// one core for all ranks.
const LIGHTEST: &str = "LINPACK";
pub const PERCENT_OF_COMPUTING: [u32; 2] = [10, 3];

/// Loads of uniform traffic, in percent.
const PERCENT: [u32; 10] = [5, 10, 20, 30, 40, 50, 60, 70, 80, 90];

/// Runs all cases whose traces are in the folder.
pub fn run(options: &Options<'_>, traces: &Path, observer: Observer<'_>) -> Result<Vec<(Case, Row)>, SweepError> {
    let planned = plan(options, traces);
    let rows = cases::run(&planned, options, observer)?;
    Ok(planned.into_iter().zip(rows).collect())
}

fn plan(options: &Options<'_>, traces: &Path) -> Vec<Case> {
    let quick = options.quick;
    let seeds = options.seeds.map_or(if quick { 0 } else { set::SEEDS }, NonZeroU32::get);
    let works = |nodes: u32| {
        let programs = programs(quick, nodes).filter(|program| program.is_there(traces));
        let loads = PERCENT.into_iter().filter(move |&percent| !quick || nodes == 64 && percent == 10);
        let generated = match (quick, nodes) {
            (true, 64) => choices::quick().collect(),
            (true, _) => Vec::new(),
            (false, _) => each_once(program::works(nodes).into_iter().chain(choices::works())),
        };
        let programs =
            programs.flat_map(|program| loads_of(program, quick)).chain(generated.into_iter().map(Work::Generated));
        let loads = loads.map(|percent| Work::Uniform { percent });
        programs.chain(set::drawn(nodes, seeds).map(Work::Set)).chain(loads).collect::<Vec<_>>()
    };
    let on = |torus: &'static Torus, work: &Work| {
        let savings: &[bool] = if torus.aggregation > 1 { &[false, true] } else { &[false] };
        let case = |&saving| Case { torus, saving, work: work.clone(), traces: traces.to_owned() };
        let is_run = |&&saving: &&bool| work.is_run(saving) && !(quick && saving && matches!(work, Work::Generated(_)));
        savings.iter().filter(is_run).map(case).collect::<Vec<_>>()
    };
    TABLE_2
        .iter()
        .flat_map(|torus| works(torus.nodes()).iter().flat_map(|work| on(torus, work)).collect::<Vec<_>>())
        .collect()
}

/// Leaves out what was there before.
fn each_once(runs: impl Iterator<Item = Generated>) -> Vec<Generated> {
    let mut all: Vec<Generated> = Vec::new();
    for run in runs {
        if !all.contains(&run) {
            all.push(run);
        }
    }
    all
}

fn programs(quick: bool, nodes: u32) -> impl Iterator<Item = &'static Program> {
    PROGRAMS.iter().filter(move |program| is_run(quick, nodes, program))
}

/// Returns whether a program is run on the networks of so many nodes where its trace is there.
pub fn is_run(quick: bool, nodes: u32, program: &Program) -> bool {
    let names: &[&str] = match (quick, nodes) {
        (true, 64) => &QUICK,
        (true, _) => &[],
        (false, 64) => &ON_64,
        (false, _) => &ON_256,
    };
    names.contains(&program.name)
}

/// Returns a program as it was traced, and its communication alone.
fn loads_of(program: &'static Program, quick: bool) -> Vec<Work> {
    let alone = |copies| Work::Program { program, computes: false, copies };
    let mut works = vec![Work::Program { program, computes: true, copies: 1 }, alone(1)];
    works.extend((program.name == HEAVIEST).then(|| alone(8)));
    let faster = PERCENT_OF_COMPUTING.into_iter().filter(|_| !quick && program.name == LIGHTEST);
    works.extend(faster.map(|percent| Work::Faster { program, percent }));
    works
}
