//! The figures that a question about cases may name: short words, columns of `cases.csv`, keys of the sweep.

use drowse_experiment::meant;
use drowse_tables::question::figure::{Form, of_word, words};
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

impl Figure {
    /// Finds a figure by its name, or says what is wrong and what to do.
    pub fn find(table: &Table, name: &str) -> Result<Self, (String, String)> {
        let word = of_word(name);
        let (column, form) = word.unwrap_or((name, Form::Value));
        let place = table.place(column).or_else(|| table.place(&format!("set.{column}")));
        let is_compared = table.columns().iter().any(|column| column.starts_with("relative."));
        let place = place.ok_or_else(|| match word {
            Some(_) if column.starts_with("relative.") && is_compared => (
                format!("`{name}` compares run times, and these cases have none: their traffic is open-loop"),
                "compare relative.network_w and relative.latency, such as relative.latency <= 1.05".into(),
            ),
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

    /// Returns whether another name is that of the same figure.
    pub fn is_same(&self, other: &Figure) -> bool {
        (self.column, self.form) == (other.column, other.form)
    }

    /// Returns half the width of the figure's 95 % confidence interval, where it is a mean over seeds.
    pub fn half_width(&self, table: &Table, row: usize) -> Option<f64> {
        table.sample(row, self.column).half_width()
    }

    /// Returns the figure of a case, where it has one.
    pub fn of(&self, table: &Table, row: usize) -> Option<f64> {
        table.number(row, Some(self.column)).map(|value| self.form.of(value))
    }
}

/// Proposes the nearest name.
fn nearest(table: &Table, name: &str) -> String {
    let columns = table.columns().iter().map(|column| column.strip_prefix("set.").unwrap_or(column));
    let words: Vec<&str> = words().collect();
    let known: Vec<&str> = words.iter().copied().chain(columns).collect();
    format!("{}short names: {}; all others are columns of cases.csv", meant(name, &known), words.join(", "))
}
