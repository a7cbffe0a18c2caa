//! The cases: which there are, and what each puts into the experiment.

use std::path::Path;

use drowse_core::measure::ProbeOptions;
use drowse_tables::Row;

use super::condition::{AS_TRACED, CHOICES, COMPUTATION, Condition, SETTINGS, SIZES};
use super::measured::{self, Curves, Measured};
use super::setting::{Setting, settings, settings_nearer, settings_of_bands, settings_of_sketches};
use crate::cases::{self, Planned};
use crate::options::{Observer, Options};
use crate::programs::{PROGRAMS, Program};
use drowse_experiment::{Case, Diagnostic};
use drowse_run::error::RunError;
use drowse_run::outcome::Outcome;
use drowse_run::sweep::SweepError;

/// The experiment; each case sets its own keys in it.
pub const EXPERIMENT: &str = include_str!("experiment.toml");

/// The racks of the paper's cluster. All nodes of the network have a rank, for a channel that carries nothing never
/// learns.
const RACKS: u32 = 8;

/// One case of a program that can be run.
struct OfProgram<'a> {
    condition: &'static Condition,
    program: &'static Program,
    traces: &'a Path,
    setting: Setting,
}

/// Runs all cases of the programs that are generated or whose traces are in the folder, and returns them by program.
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

/// Returns a case of a program.
pub fn case(
    condition: &'static Condition,
    program: &'static Program,
    traces: &Path,
    setting: Setting,
) -> Result<Case, Diagnostic> {
    cases::resolve(&OfProgram { condition, program, traces, setting })
}

/// Returns the programs that a reproduction runs, those with a trace where it is there.
pub fn programs(quick: bool) -> impl Iterator<Item = &'static Program> {
    PROGRAMS.iter().filter(move |program| program.quick || !quick)
}

/// Returns the settings of a program as traced.
pub fn settings_of(program: &Program, quick: bool) -> Vec<Setting> {
    if program.sketch.is_some() { settings_of_sketches() } else { settings(quick, program.is_swept()) }
}

/// Returns the cases of a program after those of another, as traced first. The conditions change traces, so that programs
/// that are generated are run once.
fn plan(quick: bool, traces: &Path) -> Vec<OfProgram<'_>> {
    let present: Vec<&Program> = programs(quick).filter(|program| program.is_there(traces)).collect();
    let mut planned = Vec::new();
    let mut add = |condition, program, settings: Vec<Setting>| {
        planned.extend(settings.into_iter().map(|setting| OfProgram { condition, program, traces, setting }));
    };
    for program in &present {
        add(&AS_TRACED, program, settings_of(program, quick));
    }
    let mut add_all = |condition: &'static Condition, settings: fn(bool) -> Vec<Setting>| {
        for program in present.iter().filter(|program| condition.is_for(program)) {
            let is_sketched = program.sketch.is_some();
            add(condition, program, if is_sketched { settings_of_sketches() } else { settings(quick) });
        }
    };
    SETTINGS.iter().for_each(|condition| add_all(condition, settings_nearer));
    if !quick {
        CHOICES.iter().for_each(|condition| add_all(condition, |_| settings_of_bands()));
        COMPUTATION.iter().chain(&SIZES).for_each(|condition| add_all(condition, settings_nearer));
    }
    planned
}

impl Planned for OfProgram<'_> {
    fn experiment(&self) -> &'static str {
        EXPERIMENT
    }

    fn overrides(&self) -> Vec<String> {
        let mut overrides = vec![
            format!("network.nodes_per_rack={}", self.program.ranks / RACKS),
            format!("job=[{}]", self.program.job(self.traces, true)),
        ];
        overrides.extend(self.condition.sets.iter().map(|&set| set.to_owned()));
        overrides.extend(self.setting.overrides(self.condition.policy));
        overrides
    }

    fn wanted(&self) -> ProbeOptions {
        ProbeOptions { timers: self.setting.records_timers(), ..ProbeOptions::default() }
    }

    fn row(&self, outcome: &Outcome) -> Row {
        measured::row(outcome)
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
            let program = &PROGRAMS[0];
            OfProgram { condition: &AS_TRACED, program, traces: Path::new(""), setting }.wanted().timers
        };
        assert!(wanted(Setting::PerfBound { bound: 10 }));
        assert!(!wanted(Setting::PerfBound { bound: 20 }) && !wanted(Setting::AlwaysOn));
    }
}
