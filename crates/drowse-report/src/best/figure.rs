//! The figures that a question about cases may name: short words, columns of `cases.csv`, keys of the sweep.

use drowse_experiment::meant;
use drowse_tables::schema::CASES;

use crate::table::Table;

/// A figure of each case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Its name, as it was written.
    pub name: String,
    /// The unit of its values; `1` for a ratio.
    pub unit: &'static str,
    column: usize,
    form: Form,
}

/// What a word makes of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Value,
    /// What it is above 1.
    Above,
    /// What it is below 1.
    Below,
}

/// Words for figures, the column of each, and what it makes of it.
const WORDS: [(&str, &str, Form); 8] = [
    ("energy", "energy.network_j", Form::Value),
    ("slowdown", "relative.makespan", Form::Above),
    ("job-slowdown", "relative.jobs_makespan_max", Form::Above),
    ("saved", "relative.network_j", Form::Below),
    ("edp", "energy.edp", Form::Value),
    ("time", "makespan_s", Form::Value),
    ("latency", "latency.message.mean_ns", Form::Value),
    ("power", "power.network_w", Form::Value),
];

impl Figure {
    /// Finds a figure by its name, or says what is wrong and what to do.
    pub fn find(table: &Table, name: &str) -> Result<Self, (String, String)> {
        let word = WORDS.iter().find(|(word, ..)| *word == name);
        let (column, form) = word.map_or((name, Form::Value), |&(_, column, form)| (column, form));
        let place = table.place(column).or_else(|| table.place(&format!("set.{column}")));
        let place = place.ok_or_else(|| match word {
            Some(_) if column.starts_with("relative.") => (
                format!("`{name}` needs a baseline, and these cases have none"),
                "write baseline = \"always-on\" into [sweep], and run the sweep again: only baselines are missing"
                    .into(),
            ),
            Some(_) => (format!("these cases have no `{name}`: there is no column `{column}`"), String::new()),
            None => (format!("no figure is named `{name}`"), nearest(table, name)),
        })?;
        let figure = Figure {
            name: name.to_owned(),
            unit: if form == Form::Value { CASES.column(column).map_or("", |column| column.unit) } else { "1" },
            column: place,
            form,
        };
        if (0..table.len()).all(|row| figure.of(table, row).is_none()) {
            return Err((format!("`{name}` is no number in any case"), "name a figure".into()));
        }
        Ok(figure)
    }

    /// Returns half the width of the figure's 95 % confidence interval, where it is a mean over seeds.
    pub fn half_width(&self, table: &Table, row: usize) -> Option<f64> {
        table.sample(row, self.column).half_width()
    }

    /// Returns the figure of a case, where it has one.
    pub fn of(&self, table: &Table, row: usize) -> Option<f64> {
        let value = table.number(row, Some(self.column))?;
        Some(match self.form {
            Form::Value => value,
            Form::Above => value - 1.0,
            Form::Below => 1.0 - value,
        })
    }
}

/// Proposes the nearest name.
fn nearest(table: &Table, name: &str) -> String {
    let words = WORDS.iter().map(|(word, ..)| *word);
    let columns = table.columns().iter().map(|column| column.strip_prefix("set.").unwrap_or(column));
    let known: Vec<&str> = words.clone().chain(columns).collect();
    let words: Vec<&str> = words.collect();
    format!("{}short names: {}; all others are columns of cases.csv", meant(name, &known), words.join(", "))
}
