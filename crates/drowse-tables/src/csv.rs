//! CSV files: a header of column names, one line a row, an empty cell for an absent value.

use std::borrow::Borrow;
use std::collections::HashSet;
use std::io;

use crate::Row;
use crate::schema::Schema;

/// Why a table cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum CsvError {
    /// The file is no CSV, or cannot be read or written.
    #[error("{file}: {source}")]
    Csv {
        /// The table's file name.
        file: &'static str,
        /// What went wrong.
        source: csv::Error,
    },
    /// The header names a column that the schema does not have.
    #[error("{file}: no column is named `{column}`; was the file written by another version?")]
    UnknownColumn {
        /// The table's file name.
        file: &'static str,
        /// The unknown column.
        column: String,
    },
    /// A cell holds no value of its column's type.
    #[error("{file}: row {row}, column `{column}`: `{cell}` is no {expected}")]
    BadCell {
        /// The table's file name.
        file: &'static str,
        /// The row, from 1, the header not counted.
        row: usize,
        /// The column.
        column: String,
        /// What the cell holds.
        cell: String,
        /// What it should hold.
        expected: &'static str,
    },
}

/// Writes rows under one header: the columns in the order in which the rows first have them.
pub fn write(schema: &Schema, rows: &[Row], to: impl io::Write) -> Result<(), CsvError> {
    write_under(schema, &header(rows), rows, to)
}

/// Writes rows one by one as they come, under a header of all the schema's columns, which must have no pattern.
pub fn write_long(schema: &Schema, rows: impl Iterator<Item = Row>, to: impl io::Write) -> Result<(), CsvError> {
    let header: Vec<&str> = schema.columns.iter().map(|column| column.name).collect();
    write_under(schema, &header, rows, to)
}

fn write_under<R: Borrow<Row>>(
    schema: &Schema,
    header: &[&str],
    rows: impl IntoIterator<Item = R>,
    to: impl io::Write,
) -> Result<(), CsvError> {
    let failed = |source| CsvError::Csv { file: schema.file, source };
    let mut writer = csv::Writer::from_writer(to);
    writer.write_record(header).map_err(failed)?;
    for row in rows {
        let cell = |name: &&str| row.borrow().get(name).map(ToString::to_string).unwrap_or_default();
        writer.write_record(header.iter().map(cell)).map_err(failed)?;
    }
    writer.flush().map_err(|error| failed(error.into()))
}

/// Reads all rows back; each value has the type that the schema says.
pub fn read(schema: &Schema, from: impl io::Read) -> Result<Vec<Row>, CsvError> {
    let failed = |source| CsvError::Csv { file: schema.file, source };
    let mut reader = csv::Reader::from_reader(from);
    let mut columns = Vec::new();
    for name in reader.headers().map_err(failed)? {
        let unknown = || CsvError::UnknownColumn { file: schema.file, column: name.to_owned() };
        columns.push((name.to_owned(), schema.column(name).ok_or_else(unknown)?.kind));
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(failed)?;
        let mut row = Row::new();
        for ((name, kind), cell) in columns.iter().zip(&record).filter(|(_, cell)| !cell.is_empty()) {
            let bad = || CsvError::BadCell {
                file: schema.file,
                row: rows.len() + 1,
                column: name.clone(),
                cell: cell.to_owned(),
                expected: kind.name(),
            };
            row.push(name.as_str(), kind.parse(cell).ok_or_else(bad)?);
        }
        rows.push(row);
    }
    Ok(rows)
}

/// Gives every column that any row has, in the order of their first appearance.
fn header(rows: &[Row]) -> Vec<&str> {
    let mut seen = HashSet::new();
    rows.iter().flat_map(Row::iter).map(|(name, _)| name).filter(|&name| seen.insert(name)).collect()
}
