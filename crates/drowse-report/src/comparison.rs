//! The columns that compare the cases: one unit and as many decimals in each column.

use drowse_experiment::meant;

use crate::error::ReportError;
use crate::measures::Measure;
use crate::number::{decimals, fixed};
use crate::results::Results;
use crate::study::Study;

/// Energies that are compared; more could not be read.
const MOST_ENERGIES: usize = 2;

/// A column: its heading, its unit, and its values.
pub struct Column {
    /// Its heading.
    pub heading: String,
    /// Its heading in a narrow column.
    pub short: String,
    /// The whole words.
    pub words: String,
    /// Its unit; empty for a count or a plain number.
    pub unit: String,
    /// The value of each case.
    pub values: Vec<Option<f64>>,
    /// Half the width of the 95 % confidence interval of each, where they are means over seeds.
    pub half_widths: Vec<Option<f64>>,
    /// How many decimals are shown.
    pub decimals: usize,
}

impl Column {
    /// Shows a value, with half the width of its interval behind this sign; `None` where it is absent.
    pub fn cell(&self, case: usize, sign: &str) -> Option<String> {
        let value = fixed(self.values[case]?, self.decimals);
        Some(match self.half_widths[case] {
            Some(half_width) => format!("{value} {sign} {}", fixed(half_width, self.decimals)),
            None => value,
        })
    }
}

/// Chooses the columns: each energy and the run time have their ratio to the baseline behind them.
pub fn columns(study: &Study) -> Vec<Column> {
    let mut columns = Vec::new();
    let energies = study.energies.iter().take(MOST_ENERGIES).map(|measure| (measure, true));
    // What is not on is asleep, but for the little time between.
    let sleeps = study.figure("share of link time asleep").is_some();
    let told = |measure: &&Measure| !(sleeps && measure.words == "share of link time on");
    let (first, rest): (Vec<_>, Vec<_>) =
        study.figures.iter().filter(told).partition(|measure| measure.words == "run time");
    let figures = first.into_iter().map(|measure| (measure, true));
    for (measure, ratio) in figures.chain(energies).chain(rest.into_iter().map(|measure| (measure, false))) {
        columns.push(column(measure));
        let ratios: Vec<Option<f64>> = (0..study.cases.len()).map(|case| study.ratio(measure, case)).collect();
        if let Some(base) = study.baseline.as_deref().filter(|_| ratio && ratios.iter().any(Option::is_some)) {
            let unit = format!("{base} = 1");
            let half_widths = (0..study.cases.len()).map(|case| study.ratio_half_width(measure, case)).collect();
            columns.push(Column { unit, values: ratios, half_widths, decimals: 3, ..column(measure) });
        }
    }
    columns
}

fn column(measure: &Measure) -> Column {
    Column {
        heading: measure.spoken().to_owned(),
        short: measure.short.to_owned(),
        words: measure.words.to_owned(),
        unit: measure.unit.to_owned(),
        decimals: shown_decimals(&measure.values, &measure.half_widths),
        values: measure.values.clone(),
        half_widths: measure.half_widths.clone(),
    }
}

/// Returns the decimals of a column: where values are whole, intervals need not be.
fn shown_decimals(values: &[Option<f64>], half_widths: &[Option<f64>]) -> usize {
    decimals(&[values, half_widths].concat())
}

/// Finds columns of cases.csv by their names.
pub fn named(results: &Results, names: &[String]) -> Result<Vec<Column>, ReportError> {
    let table = &results.cases;
    let column = |name: &String| {
        let Some(place) = table.place(name) else {
            let known: Vec<&str> = table.columns().iter().map(String::as_str).collect();
            let reason = format!("has no column `{name}`; {}its first line has all names", meant(name, &known));
            return Err(ReportError::wrong(results.folder.join("cases.csv"), reason));
        };
        let values: Vec<Option<f64>> = (0..table.len()).map(|row| table.number(row, Some(place))).collect();
        if values.iter().all(Option::is_none) {
            let reason = format!("the column `{name}` has no numbers");
            return Err(ReportError::wrong(results.folder.join("cases.csv"), reason));
        }
        let half_widths: Vec<Option<f64>> = (0..table.len()).map(|row| table.sample(row, place).half_width()).collect();
        let decimals = shown_decimals(&values, &half_widths);
        let (heading, short, words) = (name.clone(), name.clone(), name.clone());
        Ok(Column { heading, short, words, unit: String::new(), values, half_widths, decimals })
    };
    names.iter().map(column).collect()
}
