//! The cases of a folder as they are compared: labels, the keys of the sweep, figures, and what each is relative to.

use drowse_tables::interval::Sample;

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
}

/// A case.
#[derive(Debug)]
pub struct Case {
    /// Its id, which other tables name.
    pub id: String,
    /// Its name in charts.
    pub label: String,
    /// The kind of its policy, where the sweep sets it.
    pub policy: Option<String>,
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
        let named = baselines.iter().flatten().next().map(|&first| {
            if always_on[first] { "always on".to_owned() } else { label(results, &keys, &always_on, first) }
        });
        let (figures, energies) = (measures::figures(table), measures::energies(table));
        let apart = || are_compared(&figures, &energies).then(|| results.manifest.baseline());
        let named = named.or_else(apart);
        let cases = (0..table.len()).map(|row| Case {
            id: table.named(row, "case_id").to_owned(),
            label: label(results, &keys, &always_on, row),
            policy: policies(&keys).map(|key| kind(&key.values[row]).to_owned()),
            baseline: baselines[row],
            warnings: warnings(table, row),
            seeds: seeds(table, row),
        });
        Study { cases: cases.collect(), figures, energies, baseline: named, keys }
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

    /// Returns whether cases are means over seeds.
    pub fn is_over_seeds(&self) -> bool {
        self.cases.iter().any(|case| case.seeds.len() > 1)
    }

    /// Returns whether a case has the oracle, which is no policy that can be built.
    pub fn is_oracle(&self, case: usize) -> bool {
        self.cases[case].policy.as_deref() == Some("oracle")
    }

    /// Returns the case of an id.
    pub fn of_id(&self, id: &str) -> Option<usize> {
        self.cases.iter().position(|case| case.id == id)
    }
}

/// Returns the key of policies, if the sweep sets whole policies or their kind.
fn policies(keys: &[Key]) -> Option<&Key> {
    keys.iter().find(|key| ["power.policy", "power.policy.kind"].contains(&key.path.as_str()))
}

/// Returns the kind in the shown value of a policy.
fn kind(value: &str) -> &str {
    value.split(',').next().unwrap_or_default()
}

/// Returns which cases have links that never sleep.
fn always_on(results: &Results, keys: &[Key]) -> Vec<bool> {
    let table = &results.cases;
    let of_policy = policies(keys);
    let in_manifest = |row: usize| {
        let id = table.named(row, "case_id");
        results.manifest.cases.iter().any(|case| case.id == id && case.always_on)
    };
    (0..table.len())
        .map(|row| in_manifest(row) || of_policy.is_some_and(|key| kind(&key.values[row]) == "always-on"))
        .collect()
}

/// Finds the baseline of each case: of a run, the second case; of a sweep, the case that is always on and has the same
/// other values.
fn baselines(results: &Results, keys: &[Key], always_on: &[bool]) -> Vec<Option<usize>> {
    let rows = results.cases.len();
    if keys.is_empty() {
        return vec![(rows == 2).then_some(1); rows];
    }
    let others: Vec<&Key> = keys.iter().filter(|key| !key.path.starts_with("power.policy")).collect();
    let rest = |row: usize| others.iter().map(|key| key.values[row].as_str()).collect::<Vec<_>>();
    let references: std::collections::HashMap<Vec<&str>, usize> =
        (0..rows).rev().filter(|&row| always_on[row]).map(|row| (rest(row), row)).collect();
    let found: Vec<Option<usize>> = (0..rows).map(|row| references.get(&rest(row)).copied()).collect();
    // Ratios of some cases only could not be compared with those of the others.
    if found.iter().all(Option::is_some) { found } else { vec![None; rows] }
}

/// Returns whether the table says of all cases what their run time and their energy are beside a baseline.
fn are_compared(figures: &[Measure], energies: &[Measure]) -> bool {
    let run_time = figures.iter().find(|measure| measure.words == "run time");
    let all = |measure: &Measure| measure.ratios.iter().all(|ratios| ratios.count > 0);
    run_time.is_some_and(all) && energies.first().is_some_and(all)
}

/// Returns the name of a case: its values, or what it is in a run.
fn label(results: &Results, keys: &[Key], always_on: &[bool], row: usize) -> String {
    if !keys.is_empty() {
        return keys.iter().map(|key| key.label(row)).collect::<Vec<_>>().join(" · ");
    }
    let id = results.cases.named(row, "case_id");
    let title = results.manifest.cases.iter().find(|case| case.id == id).map(|case| case.title.clone());
    match row {
        0 => "this case".into(),
        _ if always_on[row] => "always on".into(),
        _ => title.filter(|title| *title != results.title()).unwrap_or_else(|| "baseline".into()),
    }
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
