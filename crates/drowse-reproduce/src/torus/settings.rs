//! All numbers of section 4.1 under each setting that the paper does not print: of the policy, and every other choice.
//!
//! A number that differs as usual has the setting as its cause under which it does not, and of several the one that meets
//! most numbers. What that setting does to the other numbers stands in the row of the cause. Where none meets it, the row
//! says how many were tried, and which comes nearest.

use super::choices::{CHOICES, Choice};
use super::generated::{self, Number};
use super::policy::{POLICIES, Policy};
use super::program::{Generated, PROGRAMS, Program};
use super::results::Results;
use super::rows::Figure;
use crate::cause::{self, Change};
use crate::comparison::{Comparison, Theirs};

/// A setting.
#[derive(Clone, Copy)]
enum Setting {
    Policy(&'static Policy),
    Choice(&'static Choice),
}

/// A setting and what it makes of the numbers, in their order; `None` where it was not run.
struct Judged {
    title: String,
    rows: Vec<Option<Comparison>>,
}

impl Setting {
    fn all() -> impl Iterator<Item = Setting> {
        POLICIES.iter().map(Setting::Policy).chain(CHOICES.iter().map(Setting::Choice))
    }

    fn title(self) -> String {
        match self {
            Setting::Policy(policy) => policy.title(),
            Setting::Choice(choice) => choice.name.to_owned(),
        }
    }

    /// Returns how a program is run with it, where it is.
    fn of(self, program: &'static Program) -> Option<Generated> {
        match self {
            Setting::Policy(policy) => Some(program.as_printed(Some(policy))),
            Setting::Choice(choice) => choice.of(program),
        }
    }

    /// Compares a number with the run that has this setting.
    fn compare(self, number: &Number, results: &Results) -> Option<Comparison> {
        number.compare(self.of(number.program)?, results)
    }

    /// Compares what is summed up of 256 nodes; programs that are not run with it are as usual.
    fn on_256(self, results: &Results) -> Vec<Comparison> {
        let run = |program: &'static Program| self.of(program).unwrap_or_else(|| program.as_printed(None));
        generated::on_256(run, results)
    }
}

impl Judged {
    fn of(setting: Setting, usual: &[Comparison], results: &Results) -> Self {
        let rows = generated::numbers().filter_map(|number| setting.compare(&number, results));
        let rows: Vec<Comparison> = rows.chain(setting.on_256(results)).collect();
        let row = |usual: &Comparison| rows.iter().find(|row| is_same(row, usual)).cloned();
        Judged { title: setting.title(), rows: usual.iter().map(row).collect() }
    }

    /// Counts the numbers that are met, and those that are met as usual and no longer; what was not run is as usual.
    fn counts(&self, usual: &[Comparison]) -> (usize, usize) {
        let counted = self.rows.iter().zip(usual).filter(|(_, usual)| counts(usual));
        let verdicts = counted.map(|(row, usual)| (row.as_ref().unwrap_or(usual).differs(), usual.differs()));
        let met = verdicts.clone().filter(|(differs, _)| !differs).count();
        (met, verdicts.filter(|&(differs, before)| differs && !before).count())
    }
}

fn is_same(row: &Comparison, other: &Comparison) -> bool {
    row.place == other.place && row.quantity == other.quantity
}

/// Returns whether a row counts as met where it is: no trivial answer would be.
fn counts(row: &Comparison) -> bool {
    matches!(row.theirs, Theirs::Found { .. })
}

/// Adds the rows of each choice, and those of causes, and gives numbers that differ their cause.
pub fn explain(comparisons: &mut Vec<Comparison>, results: &Results) {
    let numbers: Vec<Comparison> = generated::numbers()
        .filter_map(|number| number.compare(number.usual(), results))
        .chain(generated::on_256(|program| program.as_printed(None), results))
        .filter(|number| number.ours.is_some())
        .collect();
    let mut settings: Vec<Judged> = Setting::all().map(|setting| Judged::of(setting, &numbers, results)).collect();
    settings.retain(|setting| setting.rows.iter().any(Option::is_some));
    comparisons.extend(CHOICES.iter().flat_map(|choice| band(choice, &settings, &numbers, results)));
    settings.sort_by_key(|setting| std::cmp::Reverse(setting.counts(&numbers).0));
    for (place, number) in numbers.iter().enumerate().filter(|(_, number)| number.differs()) {
        match settings.iter().find(|setting| setting.rows[place].as_ref().is_some_and(|row| !row.differs())) {
            Some(setting) => comparisons.extend(of_cause(setting, place, &numbers)),
            None => say_tried(comparisons, number, &settings, place),
        }
    }
    let titles: Vec<String> = settings.into_iter().map(|setting| setting.title).collect();
    cause::find(comparisons, &titles.iter().map(|title| Change::Before(title)).collect::<Vec<_>>());
}

/// Makes the row of a number under the setting that is its cause.
fn of_cause(setting: &Judged, place: usize, numbers: &[Comparison]) -> Option<Comparison> {
    let row = setting.rows[place].as_ref()?;
    let counted = || numbers.iter().filter(|number| counts(number));
    let ((met, lost), usual) = (setting.counts(numbers), counted().filter(|number| !number.differs()).count());
    let all = counted().count();
    let how = format!(
        "of {all} numbers this setting meets {met} ({usual} are met as usual), and misses {lost} of those met as usual"
    );
    let place = format!("{}: {}", setting.title, row.place);
    Some(Comparison::own(place, row.quantity.clone(), row.unit, row.ours?, how))
}

/// Says in the row of a number how many settings were tried, and which comes nearest.
fn say_tried(comparisons: &mut [Comparison], number: &Comparison, settings: &[Judged], place: usize) {
    let Some(theirs) = number.theirs.value() else { return };
    let tried = settings.iter().filter_map(|setting| Some((setting.rows[place].as_ref()?.ours?, &setting.title)));
    let away = |ours: f64| (ours - theirs).abs();
    let Some((nearest, title)) = tried.clone().min_by(|a, b| away(a.0).total_cmp(&away(b.0))) else { return };
    let count = tried.count();
    for row in comparisons.iter_mut().filter(|row| is_same(row, number)) {
        row.how = format!("{}; tried: {count} other settings, nearest \"{title}\": {nearest:.3}", row.how).into();
    }
}

/// The networks on which choices are shown.
const NETWORKS: [&str; 6] = ["2D-4X", "2D-4X-PS", "1D-16X", "1D-16X-PS", "3D-4X", "3D-4X-PS"];

/// Makes the rows of a choice: run times and energies of the programs that it was run for, and how many numbers it meets.
fn band(choice: &'static Choice, settings: &[Judged], numbers: &[Comparison], results: &Results) -> Vec<Comparison> {
    let place = format!("Choice: {}", choice.name);
    let row = |network: &str, program: &'static Program, figure: Figure| {
        let run = results.find(network, &choice.of(program)?.into())?;
        let (quantity, place) = (format!("{} of {}", figure.quantity(), program.name), format!("{place}, {network}"));
        Some(Comparison::own(place, quantity, "1", figure.of(run, results)?, "512 tasks, all else as usual"))
    };
    let figures = |network: &'static str| {
        let programs = PROGRAMS.iter();
        programs.flat_map(move |program| [Figure::RunTime, Figure::Net].map(|figure| row(network, program, figure)))
    };
    let mut rows: Vec<Comparison> = NETWORKS.into_iter().flat_map(figures).flatten().collect();
    rows.extend(generated::paths(&place, |program| choice.of(program), results));
    let judged = settings.iter().find(|setting| setting.title == choice.name);
    rows.extend(judged.map(|setting| {
        let (met, lost) = setting.counts(numbers);
        let all = numbers.iter().filter(|number| counts(number)).count();
        let how = format!("of {all}, with all else as usual; of those met as usual it misses {lost}");
        Comparison::own(place.clone(), "numbers of section 4.1 that are met", "1", met as f64, how)
    }));
    rows
}

#[cfg(test)]
mod tests {
    use drowse_tables::Row;
    use drowse_tables::schema::cases as columns;

    use super::super::case::Case;
    use super::*;

    fn run(name: &str, program: Generated, time: f64) -> (Case, Row) {
        let mut row = Row::new();
        row.push(columns::MAKESPAN_S, time);
        row.push(columns::ENERGY_E_NET, time * 0.7);
        (Case::of(name, false, program.into()), row)
    }

    /// Graph500 takes as long on 2D-4X as on 3D-1X, and 1.2 times as long if tasks are placed at random, where the paper
    /// has 1.19: that is the cause. On 1D-16X it takes 1.1 times as long then, and the paper has 2.13.
    #[test]
    fn causes_by_hand() {
        let heaviest = &PROGRAMS[4];
        let (usual, random) = (heaviest.as_printed(None), CHOICES[1].of(heaviest).unwrap());
        let results = Results(vec![
            run("3D-1X", usual, 1.0),
            run("2D-4X", usual, 1.0),
            run("1D-16X", usual, 1.0),
            run("3D-1X", random, 2.0),
            run("2D-4X", random, 2.4),
            run("1D-16X", random, 2.2),
        ]);
        let mut rows = generated::comparisons(&results);
        explain(&mut rows, &results);
        let row = |place: &str, quantity: &str| {
            rows.iter().find(|row| row.place == place && row.quantity.starts_with(quantity)).unwrap()
        };
        let on = |network: &str| row(&format!("Section 4.1, Graph500 of 512 tasks, {network}"), "run time");
        assert_eq!(on("2D-4X").cause.as_deref(), Some("it does not differ as \"tasks at random\": 1.2000"));
        assert_eq!(on("1D-16X").cause, None);
        assert!(on("1D-16X").how.ends_with("; tried: 1 other settings, nearest \"tasks at random\": 1.100"));
        // Run times and energies on both, of which E_net on 2D-4X is met: 0.42 x 2 over 0.7 is 1.2, and 0.7 is not 0.86.
        let cause = row("tasks at random: Section 4.1, Graph500 of 512 tasks, 2D-4X", "run time");
        assert_eq!((cause.ours, &cause.theirs), (Some(1.2), &Theirs::Nothing));
        assert!(cause.how.ends_with("(0 are met as usual), and misses 0 of those met as usual"), "{}", cause.how);
        assert_eq!(row("Choice: tasks at random", "numbers").ours, Some(1.0));
        assert_eq!(row("Choice: tasks at random, 2D-4X", "run time").ours, Some(1.2));
    }
}
