//! Tables as they were written by this or another version: columns by name, and none that must be there.

use std::collections::HashMap;
use std::path::PathBuf;

use csv::{ReaderBuilder, StringRecord};
use drowse_tables::interval::Sample;
use drowse_tables::schema::{Column, Schema, cases};
use drowse_tables::{Kind, Value, cells};

use crate::error::ReportError;
use crate::files::Files;

/// What helps against half a table.
const AGAIN: &str = "run the experiment again, or copy the file anew";

/// A table in memory.
#[derive(Debug)]
pub struct Table {
    columns: Vec<String>,
    rows: Vec<StringRecord>,
    /// Of means over seeds, what they are of.
    seeds: Option<Seeds>,
}

/// The rows that means are of.
#[derive(Debug)]
struct Seeds {
    rows: Box<Table>,
    /// Those of each mean.
    members: Vec<Vec<usize>>,
}

impl Table {
    /// Reads a table of a folder; none where there is no such file. Cells of known columns must hold what their schema
    /// says; columns that the schema does not know are texts.
    pub fn read(files: &Files, schema: &Schema) -> Result<Option<Self>, ReportError> {
        let Some((path, text)) = files.text(schema.file)? else { return Ok(None) };
        Self::parse(&path, &text, schema).map(Some)
    }

    fn parse(path: &PathBuf, text: &str, schema: &Schema) -> Result<Self, ReportError> {
        if !text.ends_with('\n') {
            return Err(ReportError::wrong(path, format!("is cut: its last line has no end; {AGAIN}")));
        }
        let mut reader = ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
        let failed = |error: csv::Error| ReportError::wrong(path, format!("is no table: {error}; {AGAIN}"));
        let columns: Vec<String> = reader.headers().map_err(failed)?.iter().map(str::to_owned).collect();
        let kinds: Vec<Kind> =
            columns.iter().map(|name| schema.column(name).map_or(Kind::Text, |column| column.kind)).collect();
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = read_back(record.map_err(failed)?);
            let line = record.position().map_or(0, csv::Position::line);
            if record.len() != columns.len() {
                let reason = format!("line {line} has {} cells instead of {}; {AGAIN}", record.len(), columns.len());
                return Err(ReportError::wrong(path, reason));
            }
            let bad = record.iter().zip(&kinds).position(|(cell, &kind)| !cell.is_empty() && !is_a(cell, kind));
            if let Some(column) = bad {
                let (cell, name, kind) = (&record[column], &columns[column], kinds[column].name());
                return Err(ReportError::wrong(
                    path,
                    format!("line {line}, column `{name}`: `{cell}` is no {kind}; {AGAIN}"),
                ));
            }
            rows.push(record);
        }
        Ok(Table { columns, rows, seeds: None })
    }

    /// Makes one row of all rows that differ in seeds only: numbers become their means, and what differs has no cell.
    pub fn over_seeds(self, schema: &Schema) -> Self {
        let of = |pattern: &Column| self.columns.iter().filter_map(|name| pattern.star(name)).collect::<Vec<_>>();
        if !of(&cases::SET).into_iter().any(is_seed) {
            return self;
        }
        let is_key = |name: &String| cases::SET.star(name).is_some_and(|path| !is_seed(path));
        let keys: Vec<usize> = (0..self.columns.len()).filter(|&column| is_key(&self.columns[column])).collect();
        // A baseline may have the values of a point of the sweep.
        let keys: Vec<usize> = keys.into_iter().chain(self.place(cases::BASELINE.name)).collect();
        let mut places: HashMap<Vec<&str>, usize> = HashMap::new();
        let mut members: Vec<Vec<usize>> = Vec::new();
        for row in 0..self.len() {
            let key = keys.iter().map(|&column| self.text(row, Some(column))).collect();
            let place = *places.entry(key).or_insert(members.len());
            if place == members.len() {
                members.push(Vec::new());
            }
            members[place].push(row);
        }
        if members.len() == self.len() {
            return self;
        }
        let mean = |rows: &Vec<usize>| {
            let cell = |(column, name): (usize, &String)| self.merged(schema, rows, column, name);
            self.columns.iter().enumerate().map(cell).collect()
        };
        let rows = members.iter().map(mean).collect();
        Table { columns: self.columns.clone(), rows, seeds: Some(Seeds { rows: Box::new(self), members }) }
    }

    /// Returns the cell of a row over seeds.
    fn merged(&self, schema: &Schema, rows: &[usize], column: usize, name: &str) -> String {
        let cells = || rows.iter().map(|&row| self.text(row, Some(column)));
        let first = cells().next().unwrap_or_default();
        match schema.column(name).map(|column| column.kind) {
            _ if is_seed(name.rsplit('.').next().unwrap_or_default()) => String::new(),
            _ if name == cases::CASE_ID.name || cells().all(|cell| cell == first) => first.to_owned(),
            Some(Kind::Integer | Kind::Float) => {
                let sample: Sample = rows.iter().filter_map(|&row| self.number(row, Some(column))).collect();
                if sample.count == 0 { String::new() } else { Value::Float(sample.mean).to_string() }
            }
            Some(Kind::Bool) => cells().any(|cell| cell == "true").to_string(),
            Some(Kind::Text) | None => String::new(),
        }
    }

    /// Returns the rows that a row stands for, in the table in which they are.
    pub fn members(&self, row: usize) -> (&Table, Vec<usize>) {
        match &self.seeds {
            Some(seeds) => (&seeds.rows, seeds.members[row].clone()),
            None => (self, vec![row]),
        }
    }

    /// Returns the numbers of a column that a row stands for.
    pub fn sample(&self, row: usize, column: usize) -> Sample {
        let (table, rows) = self.members(row);
        rows.iter().filter_map(|&row| table.number(row, Some(column))).collect()
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the names of the columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Returns the number of a column.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    /// Returns a cell; empty where it or its column is absent.
    pub fn text(&self, row: usize, column: Option<usize>) -> &str {
        column.and_then(|column| self.rows.get(row)?.get(column)).unwrap_or_default()
    }

    /// Returns the number in a cell; `None` where it is absent or none.
    pub fn number(&self, row: usize, column: Option<usize>) -> Option<f64> {
        self.text(row, column).parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// Returns a cell by the name of its column.
    pub fn named(&self, row: usize, column: &str) -> &str {
        self.text(row, self.place(column))
    }

    /// Returns the number in a cell by the name of its column.
    pub fn figure(&self, row: usize, column: &str) -> Option<f64> {
        self.number(row, self.place(column))
    }
}

/// Reads texts back from their cells.
fn read_back(record: StringRecord) -> StringRecord {
    if record.iter().all(|cell| cells::text(cell) == cell) { record } else { record.iter().map(cells::text).collect() }
}

/// Returns whether a key is a seed.
fn is_seed(path: &str) -> bool {
    path.rsplit('.').next() == Some("seed")
}

/// Returns whether a cell holds a value of a type; a number must be finite.
fn is_a(cell: &str, kind: Kind) -> bool {
    match kind.parse(cell) {
        Some(Value::Float(number)) => number.is_finite(),
        parsed => parsed.is_some(),
    }
}
