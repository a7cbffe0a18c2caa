//! A folder of results on one screen, in plain data: the answer, and strips of cells: links over time or one beside the
//! other, and power over time.

mod links;
mod over_time;

use crate::error::ReportError;
use crate::headline::headlines;
use crate::results::Results;
use crate::study::Study;

/// The cells of a strip.
pub const CELLS: usize = 40;
/// The most strips of a group.
const MOST: usize = 6;

/// What a screen shows.
#[derive(Debug)]
pub struct Screen {
    /// The title of the experiment.
    pub title: String,
    /// The case that is shown.
    pub case: String,
    /// The figures that one sees first: each its value with its unit, what it is, and of what.
    pub figures: Vec<[String; 3]>,
    /// Strips that belong together.
    pub groups: Vec<Group>,
}

/// Strips that belong together.
#[derive(Debug)]
pub struct Group {
    /// What they show.
    pub heading: String,
    /// What the cells are.
    pub cells: Cells,
    /// The strips.
    pub strips: Vec<Strip>,
    /// How many more there are.
    pub more: usize,
}

/// What the cells of a strip are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cells {
    /// Shares of time asleep.
    Asleep,
    /// How busy links are, as a share of the busiest.
    Busy,
    /// Powers, as shares of the highest of the strip.
    Power,
}

/// A line of cells.
#[derive(Debug)]
pub struct Strip {
    /// What it is of.
    pub name: String,
    /// Shares from 0 to 1; none where nothing is known.
    pub cells: Vec<Option<f64>>,
    /// What it is as a whole.
    pub note: String,
}

/// Makes the screen of a case: the one with this name, or the first.
pub fn of(results: &Results, case: Option<&str>) -> Result<Screen, ReportError> {
    let study = Study::new(results);
    let place = match case {
        None => 0,
        Some(name) => study.cases.iter().position(|case| case.label == name).ok_or_else(|| {
            let names: Vec<&str> = study.cases.iter().take(20).map(|case| case.label.as_str()).collect();
            let more = study.cases.len().saturating_sub(names.len());
            let more = if more > 0 { format!(", and {more} more") } else { String::new() };
            ReportError::wrong(&results.folder, format!("has no case `{name}`; it has: {}{more}", names.join("; ")))
        })?,
    };
    let groups = [over_time::asleep(results, &study, place), over_time::power(results, &study, place)];
    let mut groups: Vec<Group> = groups.into_iter().flatten().collect();
    groups.extend(links::groups(results, &study, place, groups.iter().any(|group| group.cells == Cells::Asleep)));
    for group in &mut groups {
        group.more = group.strips.len().saturating_sub(MOST);
        group.strips.truncate(MOST);
    }
    let figures = headlines(&study).into_iter().map(|headline| [headline.value, headline.words, headline.note]);
    Ok(Screen { title: results.title(), case: study.cases[place].label.clone(), figures: figures.collect(), groups })
}

/// Values in cells of a strip: sums and their weights.
#[derive(Clone, Debug)]
struct Means(Vec<[f64; 2]>);

impl Means {
    fn new() -> Self {
        Means(vec![[0.0, 0.0]; CELLS])
    }

    /// Adds a value that holds from one place of the strip to another, both shares of its length.
    fn add(&mut self, from: f64, to: f64, value: f64) {
        let cells = CELLS as f64;
        for (cell, sums) in self.0.iter_mut().enumerate() {
            let (low, high) = (cell as f64 / cells, (cell + 1) as f64 / cells);
            let overlap = high.min(to) - low.max(from);
            if overlap > 0.0 {
                sums[0] += value * overlap;
                sums[1] += overlap;
            }
        }
    }

    /// Returns the mean of each cell.
    fn means(&self) -> Vec<Option<f64>> {
        self.0.iter().map(|[sum, weight]| (*weight > 0.0).then(|| sum / weight)).collect()
    }

    /// Returns the mean of all.
    fn mean(&self) -> f64 {
        let sum = |of: usize| self.0.iter().map(|sums| sums[of]).sum::<f64>();
        sum(0) / sum(1).max(f64::MIN_POSITIVE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_shared_among_the_cells_that_they_lie_in() {
        let mut means = Means::new();
        // The first cell and half of the second are 1, the rest of the second is 0; of the others nothing is known.
        let cell = 1.0 / CELLS as f64;
        means.add(0.0, 1.5 * cell, 1.0);
        means.add(1.5 * cell, 2.0 * cell, 0.0);
        let found = means.means();
        assert!((found[0].unwrap() - 1.0).abs() < 1e-9 && (found[1].unwrap() - 0.5).abs() < 1e-9);
        assert!(found[2..].iter().all(Option::is_none));
        assert!((means.mean() - 0.75).abs() < 1e-9);
    }
}
