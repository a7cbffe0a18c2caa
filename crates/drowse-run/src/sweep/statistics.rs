//! Means of the figures of a sweep over its seeds: a row for all cases that have the same values but for seeds.

use std::collections::HashMap;

use drowse_tables::interval::Sample;
use drowse_tables::names;
use drowse_tables::schema::{cases, statistics};
use drowse_tables::{Kind, Name, Row, Value};
use serde_json::Value as Json;

use super::case_list::CaseList;

/// The points of a sweep over several seeds.
pub(crate) struct Statistics {
    /// The figures, in the order of their first appearance.
    figures: Vec<String>,
    indexes: HashMap<String, usize>,
    /// The points, in the order of their first cases.
    points: Vec<Point>,
    places: HashMap<Vec<String>, usize>,
    /// What a baseline is called that its values do not tell from a point.
    baseline: String,
}

/// The cases of a point.
#[derive(Default)]
struct Point {
    is_baseline: bool,
    values: Vec<(String, Value)>,
    cases: u64,
    failed: u64,
    saturated: u64,
    warned: u64,
    /// By the number of the figure.
    samples: Vec<Sample>,
}

impl Statistics {
    /// Begins without cases; `None` where no seed has several values.
    pub fn of(list: &CaseList) -> Option<Self> {
        let many = |values: &Json| values.as_array().is_some_and(|values| values.len() > 1);
        let several = list.set.iter().any(|(path, values)| is_seed(path) && many(values));
        several.then(|| Statistics {
            figures: Vec::new(),
            indexes: HashMap::new(),
            points: Vec::new(),
            places: HashMap::new(),
            baseline: list.baseline.clone(),
        })
    }

    /// Adds a case that has finished.
    pub fn add(&mut self, row: &Row) {
        let place = self.place(row);
        for (name, value) in row.iter().filter(|(name, value)| is_figure(name, value)) {
            let index = self.index(name);
            let samples = &mut self.points[place].samples;
            if samples.len() <= index {
                samples.resize(index + 1, Sample::default());
            }
            value.number().into_iter().for_each(|number| samples[index].add(number));
        }
        let point = &mut self.points[place];
        point.cases += 1;
        point.saturated += u64::from(row.get(cases::SATURATED) == Some(&Value::Bool(true)));
        point.warned += u64::from(row.all(cases::WARNINGS).next().is_some());
    }

    /// Adds a case that could not finish.
    pub fn add_failed(&mut self, row: &Row) {
        let place = self.place(row);
        self.points[place].failed += 1;
    }

    /// Returns the number of points.
    pub fn count(&self) -> usize {
        self.points.len()
    }

    /// Returns a row a point.
    pub fn rows(&self) -> impl Iterator<Item = Row> {
        self.points.iter().zip(self.names()).map(|(point, name)| self.row(point, name))
    }

    /// Names the points.
    fn names(&self) -> Vec<String> {
        let paths = self.points.first().map_or(&[][..], |point| point.values.as_slice());
        let paths: Vec<&str> = paths.iter().map(|(path, _)| path.as_str()).collect();
        let texts: Vec<Vec<String>> =
            self.points.iter().map(|point| point.values.iter().map(|(_, value)| value.to_string()).collect()).collect();
        let of_key = |key: usize| texts.iter().map(|texts| texts[key].as_str()).collect();
        let values: Vec<Vec<&str>> = (0..paths.len()).map(of_key).collect();
        let mark = |point: &Point| point.is_baseline.then_some(self.baseline.as_str());
        names::of_cases(&paths, &values, &self.points.iter().map(mark).collect::<Vec<_>>())
    }

    fn row(&self, point: &Point, name: String) -> Row {
        let mut row = Row::new();
        row.push(statistics::NAME, name);
        point.values.iter().for_each(|(path, value)| row.push(cases::SET.of(path), value.clone()));
        row.push_some(statistics::BASELINE, point.is_baseline.then_some(true));
        row.push(statistics::CASES, point.cases);
        row.push(statistics::FAILED, point.failed);
        row.push(statistics::SATURATED, point.saturated);
        row.push(statistics::WARNED, point.warned);
        for (figure, sample) in self.figures.iter().zip(&point.samples).filter(|(_, sample)| sample.count > 0) {
            row.push(statistics::MEAN.of(figure), sample.mean);
            row.push_some(statistics::HALF_WIDTH.of(figure), sample.half_width());
            row.push(statistics::COUNT.of(figure), sample.count);
        }
        row
    }

    /// Returns the number of the point of a case.
    fn place(&mut self, row: &Row) -> usize {
        let values = || row.all(cases::SET).filter(|(path, _)| !is_seed(path));
        let is_baseline = row.get(cases::BASELINE).is_some();
        // Beside the values of a point there may be those of a baseline, which are the same or fewer.
        let mark = is_baseline.then(String::new);
        let key = mark.into_iter().chain(values().map(|(path, value)| format!("{path}={value}"))).collect();
        *self.places.entry(key).or_insert_with(|| {
            let values = values().map(|(path, value)| (path.to_owned(), value.clone())).collect();
            self.points.push(Point { is_baseline, values, ..Point::default() });
            self.points.len() - 1
        })
    }

    /// Returns the number of a figure.
    fn index(&mut self, name: &str) -> usize {
        if let Some(&index) = self.indexes.get(name) {
            return index;
        }
        self.figures.push(name.to_owned());
        self.indexes.insert(name.to_owned(), self.figures.len() - 1);
        self.figures.len() - 1
    }
}

/// Returns the mean of a figure of a point, and half the width of its interval.
pub fn of_figure(row: &Row, figure: &str) -> (Option<f64>, Option<f64>) {
    let number = |name: Name| row.number(name);
    (number(statistics::MEAN.of(figure)), number(statistics::HALF_WIDTH.of(figure)))
}

/// Returns whether a key of a sweep is a seed.
fn is_seed(path: &str) -> bool {
    path.rsplit('.').next() == Some("seed")
}

/// Returns whether a cell is a number that is measured.
fn is_figure(name: &str, value: &Value) -> bool {
    matches!(value.kind(), Kind::Integer | Kind::Float) && name != cases::SEED.name && !cases::SET.matches(name)
}
