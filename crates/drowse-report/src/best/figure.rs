//! The figures that a question about cases may name: short words, columns of `cases.csv`, keys of the sweep.

use drowse_experiment::meant;
use drowse_tables::interval::Sample;
use drowse_tables::question::figure::{Form, of_word, words};
use drowse_tables::schema::CASES;

use crate::study::Study;
use crate::table::Table;

/// A figure of each case.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Its name, as it was written.
    pub name: String,
    /// The unit of its values; `1` for a ratio.
    pub unit: &'static str,
    column: usize,
    form: Form,
    values: Vec<Option<f64>>,
    half_widths: Vec<Option<f64>>,
}

impl Figure {
    /// Finds a figure by its name, or says what is wrong and what to do.
    pub fn find(table: &Table, study: &Study, name: &str) -> Result<Self, (String, String)> {
        let (column, form) = of_word(name).unwrap_or((name, Form::Value));
        let place = table.place(column).or_else(|| table.place(&format!("set.{column}")));
        let place = place.ok_or_else(|| absent(table, name))?;
        let samples = samples(table, study, place, form);
        if samples.iter().all(|sample| sample.count == 0) {
            return Err((format!("`{name}` is no number in any case"), "name a figure".into()));
        }
        let value = |sample: &Sample| (sample.count > 0).then_some(sample.mean);
        Ok(Figure {
            name: name.to_owned(),
            unit: if form == Form::Value { CASES.column(column).map_or("", |column| column.unit) } else { "1" },
            column: place,
            form,
            values: samples.iter().map(value).collect(),
            half_widths: samples.iter().map(Sample::half_width).collect(),
        })
    }

    /// Returns whether another name is that of the same figure.
    pub fn is_same(&self, other: &Figure) -> bool {
        (self.column, self.form) == (other.column, other.form)
    }

    /// Returns whether it is a ratio to something, which cases that run other programs have, too.
    pub fn is_ratio(&self) -> bool {
        self.form != Form::Value || self.unit == "1"
    }

    /// Returns half the width of the figure's 95 % confidence interval, where it is a mean over seeds.
    pub fn half_width(&self, row: usize) -> Option<f64> {
        self.half_widths[row]
    }

    /// Returns the figure of a case, where it has one.
    pub fn of(&self, row: usize) -> Option<f64> {
        self.values[row]
    }
}

/// Returns the figure of each case, with all of its seeds.
fn samples(table: &Table, study: &Study, column: usize, form: Form) -> Vec<Sample> {
    let numbers = |row: usize| {
        let (table, rows) = table.members(row);
        rows.iter().map(|&row| table.number(row, Some(column))).collect::<Vec<_>>()
    };
    let mean = |row: usize| table.sample(row, column).mean;
    let fastest = |row: usize| {
        let candidates = (0..table.len()).filter(|&other| {
            let is_rival = !study.is_oracle(other) && study.cases[other].program == study.cases[row].program;
            is_rival && table.sample(other, column).count > 0
        });
        candidates.min_by(|&one, &other| mean(one).total_cmp(&mean(other)))
    };
    let programs = study.cases.iter().map(|case| case.program).max().map_or(0, |most| most + 1);
    let mut leasts: Vec<Option<Option<usize>>> = vec![None; programs];
    let sample = |row: usize| {
        if form != Form::AboveLeast {
            return numbers(row).into_iter().flatten().map(|value| form.of(value, 1.0)).collect();
        }
        let Some(least) = *leasts[study.cases[row].program].get_or_insert_with(|| fastest(row)) else {
            return Sample::default();
        };
        // Seed by seed where both have the same seeds, or else against the mean.
        let theirs = if study.cases[row].seeds == study.cases[least].seeds { numbers(least) } else { Vec::new() };
        let ours = numbers(row);
        let theirs = theirs.into_iter().chain(std::iter::repeat(Some(mean(least))));
        ours.into_iter().zip(theirs).filter_map(|(ours, theirs)| Some(form.of(ours?, theirs?))).collect()
    };
    (0..table.len()).map(sample).collect()
}

/// Says why no case has a figure of this name, and what to do.
fn absent(table: &Table, name: &str) -> (String, String) {
    let Some((column, _)) = of_word(name) else {
        return (format!("no figure is named `{name}`"), nearest(table, name));
    };
    let is_compared = table.columns().iter().any(|column| column.starts_with("relative."));
    let is_open_loop = is_compared && !table.columns().iter().any(|column| column == "makespan_s");
    match column {
        "makespan_s" | "relative.makespan" | "relative.jobs_makespan_max" if is_open_loop => (
            format!("`{name}` compares run times, and these cases have none: their traffic is open-loop"),
            "compare relative.network_w and relative.latency, such as relative.latency <= 1.05".into(),
        ),
        column if column.starts_with("relative.") && !is_compared => (
            format!("`{name}` needs a baseline, and these cases have none"),
            "write baseline = \"always-on\" into [sweep], and run the sweep again: only baselines are missing".into(),
        ),
        column => {
            let help = "name a figure that these cases have: the first line of cases.csv lists them";
            (format!("these cases have no `{name}`: there is no column `{column}`"), help.into())
        }
    }
}

/// Proposes the nearest name.
fn nearest(table: &Table, name: &str) -> String {
    let columns = table.columns().iter().map(|column| column.strip_prefix("set.").unwrap_or(column));
    let words: Vec<&str> = words().collect();
    let known: Vec<&str> = words.iter().copied().chain(columns).collect();
    format!("{}short names: {}; all others are columns of cases.csv", meant(name, &known), words.join(", "))
}
