//! Finds the best case of a sweep without running all of them.
//!
//! The question is that of `[search]`, and the grid that of `[sweep]`. All values of a list are run; between the values
//! of a range it bisects, in rounds. Without a range it runs all cases. A round is what the stored results of those before it make it, so neither
//! threads nor interruptions change which cases are run. Cases are those of the sweep, with their ids and in its order:
//! a sweep in the same folder runs the others only.

mod cells;
mod judge;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use drowse_experiment::{Diagnostic, Dimension, Grid, Search, Sweep, Values};
use drowse_tables::question::figure::says_what_runs;
use drowse_tables::question::spread::Spread;

use super::case_list::{CaseList, Entry};
use super::error::SweepError;
use super::progress::{Progress, Watch};
use super::store::Store;
use super::tables::{self, Reader, Rows};
use super::work::{self, Cases};
use super::{Report, Wanted};
use crate::error::RunError;
use crate::files;
use crate::inputs::Traces;
use cells::{Cells, Known, Place};
use judge::{Judged, Measured};

/// The results of a search.
#[derive(Clone, Debug)]
pub struct Found {
    /// Those of its cases.
    pub report: Report,
    /// All cases of the sweep.
    pub grid: u64,
    /// Times that cases were chosen by the results of others.
    pub rounds: u64,
}

/// Searches in a folder for the best case, and runs what is missing of up to `most` cases; `shown` rows come back in the
/// report.
pub fn run(
    sweep: &Sweep<'_>,
    folder: &Path,
    threads: usize,
    most: u64,
    wanted: &Wanted<'_>,
    watch: &Watch<'_>,
) -> Result<Found, SweepError> {
    run_allowing(&[], sweep, folder, threads, most, wanted, watch)
}

/// Searches as [`run`] does, where figures may be off by these spreads, in the order of [`Search::figures`]: all places
/// that may be the best then are run.
pub fn run_allowing(
    spreads: &[Spread],
    sweep: &Sweep<'_>,
    folder: &Path,
    threads: usize,
    most: u64,
    wanted: &Wanted<'_>,
    watch: &Watch<'_>,
) -> Result<Found, SweepError> {
    let question = question(sweep).map_err(RunError::from)?;
    files::refuse_runs(folder)?;
    let (store, traces) = (Store::open(folder)?, Traces::default());
    let mut space = Space::new(sweep, question, spreads);
    let (mut all, mut ran, mut rounds) = (Cases::default(), 0, 0);
    loop {
        let places = space.cells.unknown(&space.known);
        let numbers: Vec<u64> = places.iter().flat_map(|place| space.cases(place)).collect();
        let cases = (all.numbers.len() + numbers.len()) as u64;
        if cases > most {
            return Err(SweepError::TooManyCases { cases, most });
        }
        let plan = work::plan_some(sweep, numbers.into_iter(), &traces, &store, watch)?;
        let round = CaseList::of(sweep, &plan.cases);
        watch.tell(Progress::Planned { done: plan.done, missing: plan.missing.len() as u64 });
        work::run(sweep, &traces, &store, &plan, threads, watch)?;
        space.judge(places, &round, &plan.cases.numbers, &store)?;
        ran += plan.missing.len() as u64;
        rounds += 1;
        all.add(plan.cases);
        list(sweep, &all).write(folder)?;
        if let Some(figure) = space.absent() {
            return Err(SweepError::NoFigure { figure, folder: folder.display().to_string() });
        }
        if !space.cells.halve(&space.known, |goal| limit(question, spreads, goal)) {
            break;
        }
    }
    let report = tables::make(&list(sweep, &all), folder, &store, wanted)?;
    let numbers = all.numbers_by_id();
    Ok(Found { report: Report { ran, numbers, ..report }, grid: sweep.cases(), rounds })
}

/// Returns the question of a sweep, or says that it has none.
fn question<'a>(sweep: &'a Sweep<'_>) -> Result<&'a Search, Diagnostic> {
    let Some(question) = &sweep.search else {
        let help = "write [search] with minimize = \"energy\" and where = \"slowdown <= 1%\", or run all cases by \
                    `drowse sweep FILE --out DIR`";
        return Err(sweep.error("this file has no [search]", help));
    };
    Ok(question)
}

/// Returns below what a corner of a cell may have so that a place beside it may be better than the best: both may be off.
fn limit(question: &Search, spreads: &[Spread], best: f64) -> f64 {
    let spread = spreads.first().copied().unwrap_or_default();
    let [least, largest] = spread.around(best);
    best + question.margin * best.abs() + (largest - least)
}

/// Lists the cases of a search in the order of the sweep.
fn list(sweep: &Sweep<'_>, cases: &Cases) -> CaseList {
    let mut list = CaseList::of(sweep, cases);
    list.searched = true;
    list
}

/// The grid that is searched, without its seeds, and what is known of it.
struct Space<'a> {
    grid: Grid<'a>,
    question: &'a Search,
    /// By how much its figures may be off.
    spreads: &'a [Spread],
    /// The dimensions of the grid that are no seeds.
    dimensions: Vec<usize>,
    /// The places of all seeds.
    seeds: Vec<Place>,
    /// What was measured at each place; `None` where the sweep leaves the place out.
    measured: BTreeMap<Place, Option<Measured>>,
    known: Known,
    cells: Cells,
}

impl<'a> Space<'a> {
    fn new(sweep: &'a Sweep<'_>, question: &'a Search, spreads: &'a [Spread]) -> Self {
        let grid = sweep.grid();
        let is_seed = |&number: &usize| grid.dimensions[number].values == Values::Seeds;
        let (seeds, dimensions): (Vec<usize>, Vec<usize>) = (0..grid.dimensions.len()).partition(is_seed);
        let seeds = seeds.iter().fold(vec![Place::new()], |places, &number| {
            let extended = |place: &Place| {
                let with = |value| place.iter().copied().chain([value]).collect();
                (0..grid.dimensions[number].count).map(with).collect::<Vec<Place>>()
            };
            places.iter().flat_map(extended).collect()
        });
        let bisected = |&number: &usize| {
            let dimension = &grid.dimensions[number];
            (dimension.count, Space::is_bisected(dimension, question))
        };
        let spans: Vec<(u64, bool)> = dimensions.iter().map(bisected).collect();
        let (measured, known, cells) = (BTreeMap::new(), Known::new(), Cells::default());
        let mut space = Space { grid, question, spreads, dimensions, seeds, measured, known, cells };
        let mut groups: HashMap<Place, usize> = HashMap::new();
        space.cells = Cells::cover(&spans, |place| {
            let next = groups.len();
            *groups.entry(space.group(place)).or_insert(next)
        });
        space
    }

    /// Returns whether a dimension is bisected, rather than run with all values.
    fn is_bisected(dimension: &Dimension, question: &Search) -> bool {
        let is_by = dimension.paths.iter().any(|path| question.is_by(path));
        dimension.values == Values::Numbers && dimension.count > 2 && !is_by
    }

    /// Returns what tells the answer of a place from others: values of the keys of `by`, and whether it is the oracle.
    fn group(&self, place: &Place) -> Place {
        let is_by = |&number: &usize| self.grid.dimensions[number].paths.iter().any(|path| self.question.is_by(path));
        let by = self.dimensions.iter().zip(place).filter(|(number, _)| is_by(number)).map(|(_, &value)| value);
        by.chain([u64::from(self.is_oracle(place))]).collect()
    }

    fn is_oracle(&self, place: &Place) -> bool {
        self.seeds.first().is_some_and(|seeds| self.grid.is_oracle(&self.whole(place, seeds)))
    }

    /// Returns a place of the grid, by its values without seeds and those of seeds.
    fn whole(&self, place: &Place, seeds: &Place) -> Place {
        let (mut place, mut seeds) = (place.iter(), seeds.iter());
        let value = |number| if self.dimensions.contains(&number) { place.next() } else { seeds.next() };
        (0..self.grid.dimensions.len()).map(value).map(|value| value.copied().unwrap_or(0)).collect()
    }

    /// Returns the cases of a place, one a seed.
    fn cases(&self, place: &Place) -> impl Iterator<Item = u64> {
        self.seeds.iter().filter_map(move |seeds| self.grid.case(&self.whole(place, seeds)))
    }

    /// Returns the name of a figure that no place has, although some have run to their end.
    fn absent(&self) -> Option<String> {
        let judged: Vec<&Judged> = self.known.values().flatten().filter(|judged| judged.finished).collect();
        let is_absent = |figure: &usize| !judged.is_empty() && judged.iter().all(|judged| !judged.has(*figure));
        let figure = (0..self.question.figures().count()).find(is_absent)?;
        self.question.figures().nth(figure).map(str::to_owned)
    }

    /// Judges places by the stored results of a round.
    fn judge(
        &mut self,
        places: Vec<Place>,
        round: &CaseList,
        numbers: &[u64],
        store: &Store,
    ) -> Result<(), SweepError> {
        let number_in_round: HashMap<u64, usize> = numbers.iter().copied().zip(0..).collect();
        let mut reader = Reader::new(round, store);
        for place in places {
            let mut rows = Vec::new();
            for case in self.cases(&place).filter_map(|case| number_in_round.get(&case)) {
                if let Rows::Finished { case, .. } = reader.rows(Entry::Case(*case))? {
                    rows.push(case);
                }
            }
            let is_left_out = self.cases(&place).next().is_none();
            let measured = (!is_left_out).then(|| Measured::of(self.question, &rows, self.is_oracle(&place)));
            self.measured.insert(place, measured);
        }
        self.judge_all();
        Ok(())
    }

    /// Judges all places anew: what is new may be the fastest, with which others are compared.
    fn judge_all(&mut self) {
        let mut shortest: BTreeMap<Place, f64> = BTreeMap::new();
        for (place, measured) in &self.measured {
            if let Some(seconds) = measured.as_ref().and_then(|measured| measured.shortest) {
                let least = shortest.entry(self.program(place)).or_insert(seconds);
                *least = least.min(seconds);
            }
        }
        let judged = |(place, measured): (&Place, &Option<Measured>)| {
            let shortest = shortest.get(&self.program(place)).copied().unwrap_or(f64::NAN);
            (
                place.clone(),
                measured.as_ref().map(|measured| Judged::of(self.question, self.spreads, measured, shortest)),
            )
        };
        self.known = self.measured.iter().map(judged).collect();
    }

    /// Returns what tells the programs of a place from others.
    fn program(&self, place: &Place) -> Place {
        let says = |&number: &usize| self.grid.dimensions[number].paths.iter().any(|path| says_what_runs(path));
        self.dimensions.iter().zip(place).filter(|(number, _)| says(number)).map(|(_, &value)| value).collect()
    }
}
