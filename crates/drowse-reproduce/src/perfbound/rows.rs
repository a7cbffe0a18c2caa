//! The rows of what was simulated: the paper's numbers program by program, what every program of ours gives, and the
//! means.

use std::path::Path;

use super::condition::{Condition, Programs};
use super::figure::Bounded::{DynamicFastwake, PerfBound};
use super::figure::{self, Figure, Sleep};
use super::measured::Curves;
use super::printed::{CHOSEN, LOOKED_FOR, PRINTED, Printed};
use super::runs;
use crate::comparison::{Comparison, Theirs};
use crate::programs::{PROGRAMS, Program};
use crate::trivial::{Kind, Trivial};

/// The traces and results of a reproduction.
struct Known<'a> {
    quick: bool,
    traces: &'a Path,
    curves: &'a [Curves],
}

/// Makes all rows.
pub fn comparisons(quick: bool, traces: &Path, curves: &[Curves]) -> Vec<Comparison> {
    let known = Known { quick, traces, curves };
    let mut comparisons: Vec<Comparison> = PRINTED.iter().filter_map(|printed| known.printed(printed)).collect();
    comparisons.extend(both_states(curves));
    comparisons.extend(means(curves));
    let own = |program| Figure::OF_ALL.into_iter().filter_map(|figure| known.own(program, figure)).collect::<Vec<_>>();
    comparisons.extend(runs::programs(quick).flat_map(own));
    comparisons
}

/// Makes the rows of another setting: the paper's numbers of programs that were run, and the means.
pub fn under(condition: &'static Condition, quick: bool, traces: &Path, curves: &[Curves]) -> Vec<Comparison> {
    let curves: Vec<Curves> = curves.iter().filter(|curves| curves.condition == condition).cloned().collect();
    let known = Known { quick, traces, curves: &curves };
    // Over all programs, or over none.
    let means = if condition.programs == Programs::All { means(&curves) } else { means_of_shared(&curves) };
    let rows = PRINTED.iter().filter_map(|printed| known.printed(printed)).chain(means);
    let rows = rows.chain(both_states(&curves).filter(|_| condition.programs == Programs::All));
    let run = rows.filter(|row| row.ours.is_some());
    run.map(|row| condition.name_row(row)).collect()
}

/// Makes the same rows of a change, which repeats numbers of the paper only to show what they come from: no verdicts.
pub fn changed(condition: &'static Condition, traces: &Path, curves: &[Curves]) -> Vec<Comparison> {
    under(condition, false, traces, curves).into_iter().map(Comparison::without_verdict).collect()
}

impl Known<'_> {
    /// Compares a number of the paper; `None` where the programs or cases that it takes are not run.
    fn printed(&self, printed: &Printed) -> Option<Comparison> {
        let Printed { program, place, figure, value, open } = *printed;
        let of_ours = PROGRAMS.iter().find(|of_ours| of_ours.name == program);
        let is_chosen = CHOSEN.contains(&(program, figure));
        let theirs = Theirs::found(value, open, &figure.kind().trivial());
        let place = format!("{place}, {program}");
        let row = match of_ours {
            Some(program) => self.comparison(program, figure, place, theirs),
            None => Some(no_trace(figure, place, theirs, not_run(program))),
        };
        if is_chosen { row.map(|row| row.fitted("how long it computes")) } else { row }
    }

    /// Makes a row of a program of ours, unless there is one beside a number of the paper, or it is only sketched.
    fn own(&self, program: &'static Program, figure: Figure) -> Option<Comparison> {
        let is_printed = PRINTED.iter().any(|printed| printed.program == program.name && printed.figure == figure);
        let is_printed = is_printed || program.sketch.is_some();
        let place = format!("Fig. 16, {}", program.name);
        (!is_printed).then(|| self.comparison(program, figure, place, Theirs::Nothing))?
    }

    /// Compares a figure of a program; `None` where the program or the cases that it takes are not run.
    fn comparison(
        &self,
        program: &'static Program,
        figure: Figure,
        place: String,
        theirs: Theirs,
    ) -> Option<Comparison> {
        let unswept = figure == Figure::AboveFront && !program.is_swept();
        if unswept || self.quick && !program.quick {
            return None;
        }
        let Some(curves) = self.curves.iter().find(|curves| curves.program == program) else {
            let file = program.trace(self.traces)?;
            let reason = format!("no trace: {} is not there; --traces DIR tells where traces are", file.display());
            return Some(no_trace(figure, place, theirs, reason));
        };
        let ours = Some(figure.of(curves)?);
        let how = generated(program) + &figure.reason(curves);
        Some(Comparison { ours, ..row(figure, place, theirs, how) })
    }
}

/// Returns what is said of programs that are generated.
fn generated(program: &Program) -> String {
    if let Some(published) = program.sketch {
        return format!("sketched by what is published: {published}; how long it computes is a round number; ");
    }
    if program.is_generated() { GENERATED.to_owned() } else { String::new() }
}

const GENERATED: &str = "generated, and computes for so long that Fig. 4 comes out: no other number was looked at; ";

/// Returns why a code is not run.
fn not_run(code: &str) -> String {
    let why = LOOKED_FOR.iter().find(|(name, _)| *name == code).map(|(_, why)| format!("; {why}"));
    format!("no trace of this code is at hand{}", why.unwrap_or_default())
}

fn no_trace(figure: Figure, place: String, theirs: Theirs, reason: String) -> Comparison {
    Comparison { ours: None, ..row(figure, place, theirs, reason) }
}

/// Makes a row whose number is yet to be found.
fn row(figure: Figure, place: String, theirs: Theirs, how: String) -> Comparison {
    let row = Comparison::own(place, figure.quantity(), figure.unit(), f64::NAN, how);
    Comparison { theirs, trivial: figure.kind().trivial(), ..row }
}

/// A figure over all programs with a trace that are swept, each once.
struct Mean {
    place: &'static str,
    quantity: &'static str,
    unit: &'static str,
    value: f64,
    /// How much its words leave open.
    open: f64,
    figure: Figure,
    over: fn(&[f64]) -> f64,
}

/// The paper's numbers over its fourteen programs.
const MEANS: [Mean; 11] = [
    Mean {
        place: "Abstract",
        quantity: "largest saving of PerfBound on edge links at 1 %",
        unit: "%",
        value: 70.0,
        open: 10.0,
        figure: Figure::Energy(PerfBound),
        over: |energies| 100.0 - energies.iter().copied().fold(100.0, f64::min),
    },
    Mean {
        place: "Section 6.3",
        quantity: "share of programs whose timers settle within 200 idle periods",
        unit: "1",
        value: 1.0,
        open: 0.1,
        figure: Figure::SettledWithin(200),
        over: mean,
    },
    Mean {
        place: "Section 7",
        quantity: "mean overhead of PerfBound at 1 %",
        unit: "%",
        value: 1.1,
        open: 0.5,
        figure: Figure::Overhead(PerfBound),
        over: mean,
    },
    Mean {
        place: "Section 7",
        quantity: "mean overhead of DynamicFastwake at 1 %",
        unit: "%",
        value: 1.4,
        open: 0.5,
        figure: Figure::Overhead(DynamicFastwake),
        over: mean,
    },
    Mean {
        place: "Section 7",
        quantity: "share of programs with an overhead of DynamicFastwake within a point of 1 %",
        unit: "1",
        value: 12.0 / 14.0,
        open: 0.1,
        figure: Figure::Overhead(DynamicFastwake),
        over: |overheads| share(overheads, |overhead| (overhead - 1.0).abs() < 1.0),
    },
    Mean {
        place: "Section 7",
        quantity: "share of programs of which deep sleep alone saves over 60 % at 1 % of overhead",
        unit: "1",
        value: 9.0 / 14.0,
        open: 0.15,
        figure: Figure::Alone(Sleep::Deep),
        over: |energies| share(energies, |energy| energy < 40.0),
    },
    Mean {
        place: "Section 7",
        quantity: "share of programs of which DynamicFastwake saves 70 % at 1 %",
        unit: "1",
        value: 6.0 / 14.0,
        open: 0.15,
        figure: Figure::Energy(DynamicFastwake),
        over: |energies| share(energies, |energy| energy <= 30.0),
    },
    Mean {
        place: "Section 7",
        quantity: "share of programs of which DynamicFastwake saves 40 to 70 % at 1 %",
        unit: "1",
        value: 6.0 / 14.0,
        open: 0.15,
        figure: Figure::Energy(DynamicFastwake),
        over: |energies| share(energies, |energy| energy > 30.0 && energy <= 60.0),
    },
    Mean {
        place: "Section 7",
        quantity: "share of programs with DynamicFastwake on or below the best stall timers at 1 %",
        unit: "1",
        value: 10.0 / 14.0,
        open: 0.15,
        figure: Figure::AboveFront,
        // What can be told apart in a figure.
        over: |distances| share(distances, |distance| distance <= 1.0),
    },
    Mean {
        place: "Section 7",
        quantity: "mean energy-delay product of DynamicFastwake below PerfBound's at 1 %",
        unit: "%",
        value: 10.0,
        open: 5.0,
        figure: Figure::LessEdp,
        over: mean,
    },
    Mean {
        place: "Section 7",
        quantity: "mean energy-delay product of uncorrected DynamicFastwake below PerfBound's at 1 %",
        unit: "%",
        value: 10.0,
        open: 5.0,
        figure: Figure::LessEdpUncorrected,
        over: mean,
    },
];

/// Compares the numbers over all programs: larger runs of the same programs are left out, and so are programs without a
/// trace, generated or not.
fn means(curves: &[Curves]) -> Vec<Comparison> {
    let swept: Vec<&Curves> = curves.iter().filter(|curves| is_in_means(curves.program)).collect();
    let names: Vec<&str> = swept.iter().map(|curves| curves.program.name).collect();
    let how = if names.is_empty() {
        "no trace of any of the programs; --traces DIR tells where traces are".to_owned()
    } else {
        format!("over {} programs of ours, not the paper's fourteen: {}", names.len(), names.join(", "))
    };
    let compare = |mean: &Mean| {
        let values: Vec<f64> = swept.iter().filter_map(|curves| mean.figure.of(curves)).collect();
        let ours = (!values.is_empty()).then(|| (mean.over)(&values));
        mean.compare(mean.quantity.into(), ours, how.clone())
    };
    let mut rows: Vec<Comparison> = MEANS.iter().map(compare).collect();
    rows.extend(MEANS.iter().filter(|mean| mean.is_mean()).flat_map(|mean| mean.beside(&swept)));
    rows.extend(MEANS.iter().filter(|mean| !mean.is_mean()).filter_map(|mean| mean.of_shared(&swept)));
    rows
}

/// Returns those of the rows that are over the programs that the paper has, too, where these were run.
fn means_of_shared(curves: &[Curves]) -> Vec<Comparison> {
    let is_shared = |row: &Comparison| row.quantity.ends_with(SHARED);
    let rows = if curves.len() < 2 { Vec::new() } else { means(curves) };
    rows.into_iter().filter(is_shared).collect()
}

/// The end of the names of numbers over the programs that the paper has, too.
const SHARED: &str = ", shared programs";

impl Mean {
    /// Compares it.
    fn compare(&self, quantity: String, ours: Option<f64>, how: String) -> Comparison {
        let trivial = self.trivial();
        let theirs = Theirs::found(self.value, self.open, &trivial);
        Comparison { theirs, ours, trivial, ..Comparison::own(self.place, quantity, self.unit, f64::NAN, how) }
    }

    /// Returns what it is if all programs give a trivial answer.
    fn trivial(&self) -> Trivial {
        self.figure.kind().trivial().becomes(|answer| (self.over)(&[answer]))
    }

    /// Returns whether it is a mean, and no share of programs.
    fn is_mean(&self) -> bool {
        self.quantity.starts_with("mean ")
    }

    /// Returns what stands beside a mean over all programs: that over the programs that the paper has, too, and both
    /// medians, of which the paper prints none.
    fn beside(&self, swept: &[&Curves]) -> Vec<Comparison> {
        let shared: Vec<&Curves> = swept.iter().copied().filter(|curves| curves.program.is_shared()).collect();
        let of = |curves: &[&Curves]| curves.iter().filter_map(|curves| self.figure.of(curves)).collect::<Vec<f64>>();
        let (all, of_shared) = (of(swept), of(&shared));
        if of_shared.is_empty() {
            return Vec::new();
        }
        let names: Vec<&str> = shared.iter().map(|curves| curves.program.name).collect();
        let how = format!("over the programs that the paper has, too: {}", names.join(", "));
        let over_shared = self.compare(self.quantity.to_owned() + SHARED, Some(mean(&of_shared)), how.clone());
        let quantity = self.quantity.replacen("mean ", "median ", 1);
        let own = |quantity: String, values: Vec<f64>, how: String| {
            Comparison::own(self.place, quantity, self.unit, median(values), how)
        };
        vec![
            over_shared,
            own(quantity.clone(), all, "over all programs of ours".into()),
            own(quantity + SHARED, of_shared, how),
        ]
    }

    /// Returns what stands beside a number over all programs that is no mean: that over the programs that the paper
    /// has, too.
    fn of_shared(&self, swept: &[&Curves]) -> Option<Comparison> {
        let shared = swept.iter().filter(|curves| curves.program.is_shared());
        let values: Vec<f64> = shared.filter_map(|curves| self.figure.of(curves)).collect();
        let how = format!("over {} programs that the paper has, too", values.len());
        let ours = (!values.is_empty()).then(|| (self.over)(&values))?;
        Some(Comparison::own(self.place, self.quantity.to_owned() + SHARED, self.unit, ours, how))
    }
}

/// Compares what section 4.4 says of most applications: that they save "between 50 % to 80 % link energy at an overhead of
/// 1 %" under the best stall timers of both sleep states.
fn both_states(curves: &[Curves]) -> Option<Comparison> {
    let swept = curves.iter().filter(|curves| is_in_means(curves.program));
    let saved: Vec<f64> = swept.filter_map(|curves| Some(100.0 - figure::both(curves)?)).collect();
    let mut shown: Vec<String> = saved.iter().map(|saved| format!("{saved:.0}")).collect();
    let last = shown.pop()?;
    let most = |saved: &[f64]| share(saved, |saved| (50.0..=80.0).contains(&saved));
    let quantity = "share of programs that save 50 to 80 % under the best stall timers at 1 %, \"most\"";
    let how = format!("edge links; they save {} and {last} %", shown.join(", "));
    let row = Comparison::own("Section 4.4", quantity, "1", most(&saved), how);
    let trivial = Kind::Saved { idle: 90.0 }.trivial().becomes(|saved| most(&[saved]));
    Some(Comparison { theirs: Theirs::Above(0.5), ..row }.with_trivial(trivial))
}

/// Returns whether a program is in the numbers over all programs.
fn is_in_means(program: &Program) -> bool {
    program.is_swept() && !program.is_generated()
}

/// Returns the median; of an even number the mean of the two in the middle.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { values[middle - 1].midpoint(values[middle]) }
}

/// Returns the mean.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn share(values: &[f64], of: fn(f64) -> bool) -> f64 {
    values.iter().filter(|&&value| of(value)).count() as f64 / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perfbound::measured::Measured;
    use crate::perfbound::setting::{Setting, settings};

    /// In full and without a trace, for a quick reproduction leaves programs out. Those that are generated need none.
    #[test]
    fn no_row_accepts_links_always_on_or_an_idle_network() {
        let generated = ["NAMD", "GROMACS", "MILC", "WRF"].map(curves_of);
        let known = Known { quick: false, traces: Path::new("nowhere"), curves: &generated };
        let rows: Vec<Comparison> = PRINTED.iter().filter_map(|printed| known.printed(printed)).collect();
        assert_eq!(rows.len(), PRINTED.len());
        for row in rows.into_iter().chain(means(&[])) {
            assert!(!row.is_blind(), "{}: {}", row.place, row.quantity);
        }
    }

    /// Returns what the row of a quantity makes of values.
    fn over(quantity: &str, values: &[f64]) -> f64 {
        let row = MEANS.iter().find(|mean| mean.quantity == quantity).unwrap_or_else(|| panic!("{quantity}"));
        (row.over)(values)
    }

    /// Of programs that need 40, 25 and 90 % of the energy, one saves 75 %; nothing is saved where all need more.
    #[test]
    fn the_largest_saving_is_that_of_the_least_energy() {
        let largest = |energies: &[f64]| over("largest saving of PerfBound on edge links at 1 %", energies).round();
        assert_eq!([largest(&[40.0, 25.0, 90.0]), largest(&[103.0])].map(|saving| saving as i64), [75, 0]);
    }

    /// Every share is of four programs, at and around its bounds.
    #[test]
    fn shares_count_programs() {
        for (quantity, values, quarters) in [
            ("share of programs with an overhead of DynamicFastwake within a point of 1 %", [0.1, 1.9, 2.1, -0.1], 2.0),
            (
                "share of programs of which deep sleep alone saves over 60 % at 1 % of overhead",
                [39.9, 40.0, 90.0, 95.0],
                1.0,
            ),
            ("share of programs of which DynamicFastwake saves 70 % at 1 %", [10.0, 29.0, 30.0, 31.0], 3.0),
            ("share of programs of which DynamicFastwake saves 40 to 70 % at 1 %", [30.0, 31.0, 60.0, 61.0], 2.0),
            (
                "share of programs with DynamicFastwake on or below the best stall timers at 1 %",
                [-3.0, 1.0, 1.1, 4.0],
                2.0,
            ),
        ] {
            assert!((over(quantity, &values) - quarters / 4.0).abs() < 1e-12, "{quantity}");
        }
        for mean in MEANS.iter().filter(|mean| mean.quantity.starts_with("mean ")) {
            assert!(((mean.over)(&[1.0, 2.0, 6.0]) - 3.0).abs() < 1e-12, "{}", mean.quantity);
        }
    }

    /// All cases of a program, which saves and loses nothing but under stall timers.
    fn curves_of(name: &str) -> Curves {
        let program = PROGRAMS.iter().find(|program| program.name == name).unwrap();
        let measured = Measured { settled: Some(1.0), ..Measured::ONE };
        let slept = Measured { makespan: 1.1, edge: 0.5, ..measured };
        let case = |setting| (setting, if matches!(setting, Setting::Timers { .. }) { slept } else { measured });
        let cases = settings(false, program.is_swept()).into_iter().map(case);
        Curves::new(program, cases.collect()).unwrap()
    }

    /// A number of the paper takes the place of the row of ours; larger runs are not swept, so they have no row of the
    /// best timers.
    #[test]
    fn each_figure_of_a_program_has_one_row() {
        let (sp, larger) = (curves_of("SP"), curves_of("CG, 256 ranks"));
        let rows = comparisons(false, Path::new("nowhere"), &[sp, larger]);
        let count = |name: &str, figure: Figure| {
            let of_name = |row: &&Comparison| row.place.ends_with(&format!(", {name}")) && row.ours.is_some();
            rows.iter().filter(of_name).filter(|row| row.quantity == figure.quantity()).count()
        };
        for figure in Figure::OF_ALL {
            assert_eq!(count("SP", figure), 1, "{figure:?}");
            assert_eq!(count("CG, 256 ranks", figure), usize::from(figure != Figure::AboveFront), "{figure:?}");
        }
    }

    #[test]
    fn medians_by_hand() {
        for (values, middle) in [(vec![3.0, 1.0, 2.0], 2.0), (vec![4.0, 1.0, 2.0, 9.0], 3.0)] {
            assert!((median(values) - middle).abs() < 1e-12, "{middle}");
        }
    }

    #[test]
    fn a_quick_look_leaves_programs_out_and_not_their_figures() {
        let all = [curves_of("SP"), curves_of("BT"), curves_of("CG, 256 ranks")];
        let known = |quick| Known { quick, traces: Path::new("nowhere"), curves: &all };
        for (quick, index, figure, is_there) in [
            (true, 0, Figure::AboveFront, true),
            (true, 0, Figure::Oracle, true),
            (true, 1, Figure::Oracle, false),
            (true, 2, Figure::AboveFront, false),
            (false, 1, Figure::AboveFront, true),
            (false, 2, Figure::Oracle, true),
            (false, 2, Figure::AboveFront, false),
        ] {
            let row = known(quick).comparison(all[index].program, figure, "Fig. 16".into(), Theirs::Nothing);
            assert_eq!(row.is_some(), is_there, "{} {figure:?}, quick {quick}", all[index].program.name);
        }
    }
}
