//! The cases of a folder as they are compared: labels, the keys of the sweep, figures, and what each is relative to.

use std::collections::HashMap;

use drowse_tables::interval::Sample;
use drowse_tables::names;
use drowse_tables::question::figure::says_what_runs;
use drowse_tables::schema::cases as columns;

use crate::baselines::{ALWAYS_ON, always_on, baselines, is_of_policy, labels, policies};
use crate::keys::{self, Key};
use crate::measures::{self, Measure};
use crate::results::Results;
use crate::table::Table;

/// The cases of a folder.
#[derive(Debug)]
pub struct Study {
    /// The keys that have more than one value.
    pub keys: Vec<Key>,
    /// The cases.
    pub cases: Vec<Case>,
    /// Figures beside energy.
    pub figures: Vec<Measure>,
    /// Energies, the one that says most first.
    pub energies: Vec<Measure>,
    /// What ratios are relative to, where every ratio has it: `always on` or the title of the baseline.
    pub baseline: Option<String>,
    /// The path of the key whose values have a panel each in charts.
    pub facet: Option<String>,
}

/// By which figures cases can be compared with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// By their ratios to the baseline: there is one, or each program has one.
    Ratios,
    /// By the figures themselves: they run the same, and have several baselines or none.
    Figures,
    /// Only those that run the same, by the figures themselves.
    WithinPrograms,
}

/// A case.
#[derive(Debug)]
pub struct Case {
    /// Its id, which other tables name.
    pub id: String,
    /// Its name in charts.
    pub label: String,
    /// Whether it has the oracle, which is no policy that can be built.
    pub is_oracle: bool,
    /// Whether its network did not accept the offered load; of a mean over seeds, with one of them.
    pub is_saturated: bool,
    /// What it runs: cases of the same number run the same.
    pub program: usize,
    /// The case that it is compared with; none where the baseline has no row.
    pub baseline: Option<usize>,
    /// Its warnings; of a mean over seeds each once, with the number of its cases.
    pub warnings: Vec<String>,
    /// The seeds that it is a mean over, as other rows of the same table name them; one without seeds.
    pub seeds: Vec<String>,
}

impl Study {
    /// Reads the cases.
    pub fn new(results: &Results) -> Self {
        let table = &results.cases;
        let keys = keys::of(table);
        let always_on = always_on(results, &keys);
        let baselines = baselines(results, &keys, &always_on);
        let labels = labels(results, &keys, &always_on);
        let named = baselines.iter().flatten().next().map(|&first| {
            let is_one = baselines.iter().flatten().all(|&other| other == first);
            match (baselines.iter().flatten().all(|&base| always_on[base]), is_one) {
                (true, _) => ALWAYS_ON.to_owned(),
                (false, true) => labels[first].clone(),
                (false, false) => "baseline".to_owned(),
            }
        });
        let programs = programs(&keys, table.len());
        let (figures, energies) = (measures::figures(table), measures::energies(table));
        let apart = || are_compared(&figures, &energies).then(|| results.manifest.baseline());
        let named = named.or_else(apart);
        let cases = (0..table.len()).map(|row| Case {
            id: table.named(row, "case_id").to_owned(),
            label: labels[row].clone(),
            is_oracle: policies(&keys).is_some_and(|key| names::is_oracle(&key.written[row])),
            is_saturated: table.named(row, columns::SATURATED.name) == "true",
            program: programs[row],
            baseline: baselines[row],
            warnings: warnings(table, row),
            seeds: seeds(table, row),
        });
        Study { cases: cases.collect(), figures, energies, baseline: named, keys, facet: None }
    }

    /// Returns a figure by its words.
    pub fn figure(&self, words: &str) -> Option<&Measure> {
        self.figures.iter().find(|measure| measure.words == words)
    }

    /// Returns the ratio of a case's figure to that of its baseline.
    pub fn ratio(&self, measure: &Measure, case: usize) -> Option<f64> {
        if let Some(ratios) = self.ratios(measure, case) {
            return Some(ratios.mean);
        }
        let base = measure.values[self.cases[case].baseline?]?;
        measure.values[case].map(|value| value / base).filter(|ratio| ratio.is_finite())
    }

    /// Returns the ratios of the cases of each seed to the baseline's of the same seed, where both have the same seeds.
    fn ratios(&self, measure: &Measure, case: usize) -> Option<Sample> {
        let Some(base) = self.cases[case].baseline else {
            return measure.ratios.get(case).copied().filter(|ratios| ratios.count > 0 && self.baseline.is_some());
        };
        let paired = self.cases[case].seeds.len() > 1 && self.cases[case].seeds == self.cases[base].seeds;
        let ratio =
            |(value, base): (&Option<f64>, &Option<f64>)| Some((*value)? / (*base)?).filter(|it| it.is_finite());
        let pairs = || measure.members[case].iter().zip(&measure.members[base]);
        paired.then(|| pairs().map(ratio).collect::<Option<Sample>>()).flatten()
    }

    /// Returns half the width of the 95 % confidence interval of a ratio.
    pub fn ratio_half_width(&self, measure: &Measure, case: usize) -> Option<f64> {
        self.ratios(measure, case)?.half_width()
    }

    /// Returns whether the values of a key have a panel each in charts.
    pub fn is_facet(&self, path: &str) -> bool {
        self.facet.as_deref() == Some(path)
    }

    /// Returns whether cases are means over seeds.
    pub fn is_over_seeds(&self) -> bool {
        self.cases.iter().any(|case| case.seeds.len() > 1)
    }

    /// Returns whether a case has the oracle, which is no policy that can be built.
    pub fn is_oracle(&self, case: usize) -> bool {
        self.cases[case].is_oracle
    }

    /// Returns the cases with the oracle that a case can be compared with: all but their policy is the same.
    pub fn oracles_of(&self, case: usize) -> impl Iterator<Item = usize> {
        let others = || self.keys.iter().filter(|key| !is_of_policy(&key.path));
        let is_same = move |key: &Key, oracle: usize| {
            let [ours, theirs] = [case, oracle].map(|case| key.written[case].as_str());
            ours == theirs || ours.is_empty() || theirs.is_empty()
        };
        (0..self.cases.len()).filter(move |&oracle| self.is_oracle(oracle) && others().all(|key| is_same(key, oracle)))
    }

    /// Returns whether a row is none of the sweep's points, but what these are compared with, and has no value of a key.
    pub fn lacks(&self, key: &str, case: usize) -> bool {
        let key = self.keys.iter().find(|known| known.path == key);
        key.is_some_and(|key| key.written[case].is_empty() && self.cases[case].baseline == Some(case))
    }

    /// Returns by which figures cases can be compared.
    pub fn comparison(&self) -> Comparison {
        let programs = self.cases.iter().map(|case| case.program).max().unwrap_or(0) + 1;
        let mut known: Vec<Option<Option<usize>>> = vec![None; programs];
        let is_alone = |case: &Case| *known[case.program].get_or_insert(case.baseline) == case.baseline;
        match (self.baseline.is_some() && self.cases.iter().all(is_alone), programs) {
            (true, _) => Comparison::Ratios,
            (false, 1) => Comparison::Figures,
            (false, _) => Comparison::WithinPrograms,
        }
    }

    /// Returns the case of an id.
    pub fn of_id(&self, id: &str) -> Option<usize> {
        self.cases.iter().position(|case| case.id == id)
    }
}

/// Numbers what each case runs, in the order of first appearance.
fn programs(keys: &[Key], rows: usize) -> Vec<usize> {
    let keys: Vec<&Key> = keys.iter().filter(|key| says_what_runs(&key.path)).collect();
    let mut known: HashMap<Vec<&str>, usize> = HashMap::new();
    let of = |row: usize| {
        let next = known.len();
        *known.entry(keys.iter().map(|key| key.written[row].as_str()).collect()).or_insert(next)
    };
    (0..rows).map(of).collect()
}

/// Returns whether the table says of all cases what their run time and their energy are beside a baseline.
fn are_compared(figures: &[Measure], energies: &[Measure]) -> bool {
    let run_time = figures.iter().find(|measure| measure.words == "run time");
    let all = |measure: &Measure| measure.ratios.iter().all(|ratios| ratios.count > 0);
    run_time.is_some_and(all) && energies.first().is_some_and(all)
}

/// Returns the warnings of a row, or of those that it stands for.
fn warnings(table: &Table, row: usize) -> Vec<String> {
    let (table, rows) = table.members(row);
    let columns: Vec<usize> =
        (0..table.columns().len()).filter(|&column| table.columns()[column].starts_with("warnings[")).collect();
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for &row in &rows {
        for text in columns.iter().map(|&column| table.text(row, Some(column))).filter(|text| !text.is_empty()) {
            match counted.iter_mut().find(|(known, _)| *known == text) {
                Some((_, count)) => *count += 1,
                None => counted.push((text, 1)),
            }
        }
    }
    let told = |(text, count): (&str, usize)| match rows.len() {
        1 => text.to_owned(),
        all => format!("{count} of {all} seeds: {text}"),
    };
    counted.into_iter().map(told).collect()
}

/// Returns the seeds of the rows that a row stands for.
fn seeds(table: &Table, row: usize) -> Vec<String> {
    let (table, rows) = table.members(row);
    rows.iter().map(|&row| table.named(row, "seed").to_owned()).collect()
}
