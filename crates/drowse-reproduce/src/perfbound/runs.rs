//! The cases: which there are, and what each puts into the experiment. All take an hour of one core.

use std::path::{Path, PathBuf};

use drowse_core::measure::ProbeOptions;
use drowse_tables::Row;

use super::condition::{AS_TRACED, CHOICES, Condition, SETTINGS};
use super::measured::{self, Curves, Measured};
use super::setting::{ONE_PERCENT, Setting, settings, settings_nearer, settings_of_bands};
use crate::cases::{self, Planned};
use crate::options::{Observer, Options};
use crate::programs::{PROGRAMS, Program};
use drowse_experiment::{Case, Diagnostic, System};
use drowse_run::error::RunError;
use drowse_run::run::Run;
use drowse_run::summary::Summary;
use drowse_run::sweep::SweepError;

/// The experiment; each case sets its own keys in it.
pub const EXPERIMENT: &str = include_str!("experiment.toml");

/// The racks of the paper's cluster. All nodes of the network have a rank, for a channel that carries nothing never
/// learns.
const RACKS: u32 = 8;

/// One case of a program whose trace is there.
struct OfProgram {
    condition: &'static Condition,
    program: &'static Program,
    trace: PathBuf,
    setting: Setting,
}

/// Runs all cases of the programs whose traces are in the folder, and returns them by program.
pub fn run(options: &Options<'_>, traces: &Path, observer: Observer<'_>) -> Result<Vec<Curves>, SweepError> {
    let planned = plan(options.quick, traces);
    let rows = cases::run(&planned, options, observer)?;
    let measured = rows.iter().map(Measured::of_row).collect::<Option<Vec<_>>>();
    let measured = measured.ok_or_else(|| RunError::Machine("a figure of a case is missing".into()))?;
    let cases: Vec<(&OfProgram, Measured)> = planned.iter().zip(measured).collect();
    let of_program = |cases: &[(&OfProgram, Measured)]| {
        let settings = cases.iter().map(|(case, measured)| (case.setting, *measured));
        Some(Curves { condition: cases[0].0.condition, ..Curves::new(cases[0].0.program, settings.collect())? })
    };
    let alike = |a: &(&OfProgram, Measured), b: &(&OfProgram, Measured)| {
        a.0.program == b.0.program && a.0.condition == b.0.condition
    };
    Ok(cases.chunk_by(alike).filter_map(of_program).collect())
}

/// Returns the case of a program under PerfBound at 1 %.
pub fn at_one_percent(
    condition: &'static Condition,
    program: &'static Program,
    trace: PathBuf,
) -> Result<Case, Diagnostic> {
    cases::resolve(&OfProgram { condition, program, trace, setting: Setting::PerfBound { bound: ONE_PERCENT } })
}

/// Returns the programs that a reproduction runs where their traces are there.
pub fn programs(quick: bool) -> impl Iterator<Item = &'static Program> {
    PROGRAMS.iter().filter(move |program| program.quick || !quick)
}

/// Returns the cases of a program after those of another, as traced first.
fn plan(quick: bool, traces: &Path) -> Vec<OfProgram> {
    let present: Vec<(&Program, PathBuf)> = programs(quick)
        .map(|program| (program, traces.join(program.file)))
        .filter(|(_, trace)| trace.exists())
        .collect();
    let mut planned = Vec::new();
    let mut add = |condition, (program, trace): &(&'static Program, PathBuf), settings: Vec<Setting>| {
        let case = |setting| OfProgram { condition, program, trace: trace.clone(), setting };
        planned.extend(settings.into_iter().map(case));
    };
    for program in &present {
        add(&AS_TRACED, program, settings(quick, program.0.is_swept()));
    }
    for condition in &SETTINGS {
        for program in present.iter().filter(|(program, _)| program.is_swept()) {
            add(condition, program, settings_nearer(quick));
        }
    }
    for condition in CHOICES.iter().filter(|_| !quick) {
        for program in present.iter().filter(|(program, _)| program.is_shared()) {
            add(condition, program, settings_of_bands());
        }
    }
    planned
}

impl Planned for OfProgram {
    fn experiment(&self) -> &'static str {
        EXPERIMENT
    }

    fn overrides(&self) -> Vec<String> {
        let Program { ranks, repeat, compute, .. } = self.program;
        let trace = toml::Value::from(self.trace.to_string_lossy().into_owned());
        let mut overrides = vec![
            format!("network.nodes_per_rack={}", ranks / RACKS),
            format!("job.0.trace={trace}"),
            format!("job.0.ranks={ranks}"),
            format!("job.0.repeat={repeat}"),
            format!("job.0.compute={compute}"),
        ];
        overrides.extend(self.condition.sets.iter().map(|&set| set.to_owned()));
        overrides.extend(self.setting.overrides(self.condition.policy));
        overrides
    }

    fn wanted(&self) -> ProbeOptions {
        ProbeOptions { timers: self.setting.records_timers(), ..ProbeOptions::default() }
    }

    fn row(&self, system: &System, run: &Run, summary: &Summary) -> Row {
        measured::row(system, run, summary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quick_look_runs_four_programs() {
        let names = |quick| programs(quick).map(|program| program.name).collect::<Vec<_>>();
        assert_eq!(names(true), ["SP", "LINPACK", "EP", "CoMD"]);
        assert_eq!(names(false).len(), PROGRAMS.len());
    }

    #[test]
    fn timers_are_recorded_where_they_are_shown() {
        let wanted = |setting| {
            OfProgram { condition: &AS_TRACED, program: &PROGRAMS[0], trace: PathBuf::new(), setting }.wanted().timers
        };
        assert!(wanted(Setting::PerfBound { bound: 10 }));
        assert!(!wanted(Setting::PerfBound { bound: 20 }) && !wanted(Setting::AlwaysOn));
    }
}
