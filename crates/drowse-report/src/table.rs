//! Tables as they were written by this or another version: columns by name, and none that must be there.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use csv::{ReaderBuilder, StringRecord};
use drowse_tables::schema::Schema;
use drowse_tables::{Kind, Value};

use crate::error::ReportError;

/// What helps against half a table.
const AGAIN: &str = "run the experiment again, or copy the file anew";

/// A table in memory.
#[derive(Debug)]
pub struct Table {
    columns: Vec<String>,
    rows: Vec<StringRecord>,
}

impl Table {
    /// Reads a table of a folder; none where there is no such file. Cells of known columns must hold what their schema
    /// says; columns that the schema does not know are texts.
    pub fn read(folder: &Path, schema: &Schema) -> Result<Option<Self>, ReportError> {
        let path = folder.join(schema.file);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                return Err(ReportError::wrong(path, format!("is no text: {AGAIN}")));
            }
            Err(error) => return Err(ReportError::Unreadable { path, error }),
        };
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
            let record = record.map_err(failed)?;
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
        Ok(Table { columns, rows })
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

/// Returns whether a cell holds a value of a type; a number must be finite.
fn is_a(cell: &str, kind: Kind) -> bool {
    match kind.parse(cell) {
        Some(Value::Float(number)) => number.is_finite(),
        parsed => parsed.is_some(),
    }
}
