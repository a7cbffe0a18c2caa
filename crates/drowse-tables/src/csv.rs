//! CSV files: a header of column names, one line a row, an empty cell for an absent value.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::io;

use crate::schema::{Column, Schema};
use crate::{Name, Row, Value, cells};

/// Why a table cannot be read or written.
///
/// ```
/// use drowse_tables::csv;
/// use drowse_tables::schema::{CASES, cases};
///
/// let rows = csv::read(&CASES, "case_id,makespan_s\n00ff,0.5\n01ff,\n".as_bytes())?;
/// assert_eq!((rows[0].text(cases::CASE_ID), rows[0].number(cases::MAKESPAN_S)), ("00ff".into(), Some(0.5)));
/// // An empty cell has no value.
/// assert_eq!(rows[1].get(cases::MAKESPAN_S), None);
/// let said = csv::read(&CASES, "makespan_s\nlong\n".as_bytes()).unwrap_err().to_string();
/// assert_eq!(said, "cases.csv: row 1, column `makespan_s`: `long` is no number");
/// # Ok::<(), csv::CsvError>(())
/// ```
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

/// Writes rows under one header: every column that any row has, in the schema's order.
pub fn write(schema: &Schema, rows: &[Row], to: impl io::Write) -> Result<(), CsvError> {
    let mut header = Header::new(schema);
    rows.iter().for_each(|row| header.add(row));
    write_under(schema, header.names(), rows.iter(), to)
}

/// Collects the columns of rows that are too many to be held at a time.
pub struct Header<'s> {
    schema: &'s Schema,
    /// The columns in the order in which they first came, with their number in it.
    seen: HashMap<String, usize>,
}

impl<'s> Header<'s> {
    /// Begins without columns.
    pub fn new(schema: &'s Schema) -> Self {
        Header { schema, seen: HashMap::new() }
    }

    /// Adds the columns of a row.
    pub fn add(&mut self, row: &Row) {
        for (name, _) in row.iter() {
            if !self.seen.contains_key(name) {
                self.seen.insert(name.to_owned(), self.seen.len());
            }
        }
    }

    /// Returns the name of the table's file.
    pub fn file(&self) -> &'static str {
        self.schema.file
    }

    /// Begins a table with all columns that were added.
    pub fn begin<W: io::Write>(&self, to: W) -> Result<Table<W>, CsvError> {
        Table::begin(self.schema, self.names(), to)
    }

    /// Returns the columns in the schema's order; without rows, all columns without a pattern.
    ///
    /// What a `*` stands for comes in the order of its first appearance.
    pub fn names(&self) -> Vec<&str> {
        if self.seen.is_empty() {
            return self.schema.plain().collect();
        }
        let mut columns: Vec<Seen<'_>> =
            self.seen.iter().map(|(name, &seen)| Seen { name, seen, place: self.schema.place(name) }).collect();
        columns.sort_by_key(|column| column.seen);
        let mut stars: HashMap<Option<(usize, &str)>, usize> = HashMap::new();
        for column in &columns {
            stars.entry(column.group()).or_insert(column.seen);
        }
        columns.sort_by_key(|column| match column.place {
            Some((group, _, own)) => (group, stars[&column.group()], own),
            None => (usize::MAX, column.seen, 0),
        });
        columns.into_iter().map(|column| column.name).collect()
    }
}

/// A column, when it was first seen, and its place in the schema.
struct Seen<'n> {
    name: &'n str,
    seen: usize,
    place: Option<(usize, &'n str, usize)>,
}

impl<'n> Seen<'n> {
    fn group(&self) -> Option<(usize, &'n str)> {
        self.place.map(|(group, star, _)| (group, star))
    }
}

/// A table that takes its rows one by one.
pub struct Table<W: io::Write> {
    schema: Schema,
    columns: Vec<String>,
    writer: csv::Writer<W>,
}

impl<W: io::Write> Table<W> {
    fn begin(schema: &Schema, columns: Vec<&str>, to: W) -> Result<Self, CsvError> {
        let file = schema.file;
        let mut writer = csv::Writer::from_writer(to);
        writer.write_record(&columns).map_err(|source| CsvError::Csv { file, source })?;
        Ok(Table { schema: *schema, columns: columns.into_iter().map(str::to_owned).collect(), writer })
    }

    /// Writes a row, whose columns must all be of the schema; those that the header does not have are left out.
    pub fn add(&mut self, row: &Row) -> Result<(), CsvError> {
        debug_assert_eq!(unknown(&self.schema, row), None, "no column of {}", self.schema.file);
        // Most cells come in the order of the columns.
        let mut in_order = row.iter().peekable();
        let cell = |name: &String| {
            let value = in_order.next_if(|(next, _)| next == name).map(|(_, value)| value).or_else(|| row.get(name));
            value.map(cell_of).unwrap_or_default()
        };
        let written = self.writer.write_record(self.columns.iter().map(cell));
        written.map_err(|source| CsvError::Csv { file: self.schema.file, source })
    }

    /// Ends the table, and returns what it was written to.
    pub fn finish(self) -> Result<W, CsvError> {
        let failed = |source: io::Error| CsvError::Csv { file: self.schema.file, source: source.into() };
        self.writer.into_inner().map_err(|error| failed(error.into_error()))
    }
}

/// Returns the first name of a row that is not a column of a table.
fn unknown<'r>(schema: &Schema, row: &'r Row) -> Option<&'r str> {
    row.iter().map(|(name, _)| name).find(|name| schema.column(name).is_none())
}

/// Writes rows one by one as they come, under a header of all the schema's columns without a pattern. Rows have no
/// others.
pub fn write_long(schema: &Schema, rows: impl Iterator<Item = Row>, to: impl io::Write) -> Result<(), CsvError> {
    write_under(schema, schema.plain().collect(), rows, to)
}

fn write_under(
    schema: &Schema,
    columns: Vec<&str>,
    mut rows: impl Iterator<Item = impl Borrow<Row>>,
    to: impl io::Write,
) -> Result<(), CsvError> {
    let mut table = Table::begin(schema, columns, to)?;
    rows.try_for_each(|row| table.add(row.borrow()))?;
    table.finish().map(|_| ())
}

/// Reads all rows back; each value has the type that the schema says.
pub fn read(schema: &Schema, from: impl io::Read) -> Result<Vec<Row>, CsvError> {
    let mut reader = Reader::begin(schema, from)?;
    let mut rows = Vec::new();
    while let Some(cells) = reader.next()? {
        let mut row = Row::new();
        for ((name, _), value) in reader.columns.iter().zip(cells) {
            row.push_some(Name::of(name), value);
        }
        rows.push(row);
    }
    Ok(rows)
}

/// Returns the cell of a value.
fn cell_of(value: &Value) -> String {
    match value {
        Value::Text(text) => cells::cell(text).into_owned(),
        other => other.to_string(),
    }
}

/// A table that is read row by row.
pub(crate) struct Reader<R> {
    file: &'static str,
    /// The names of its columns, and what the schema says of them.
    pub columns: Vec<(String, &'static Column)>,
    reader: csv::Reader<R>,
    record: csv::StringRecord,
    /// The number of the row that was read last, from 1.
    row: usize,
}

impl<R: io::Read> Reader<R> {
    /// Reads the header.
    pub fn begin(schema: &Schema, from: R) -> Result<Self, CsvError> {
        let file = schema.file;
        let mut reader = csv::Reader::from_reader(from);
        let mut columns = Vec::new();
        for name in reader.headers().map_err(|source| CsvError::Csv { file, source })? {
            let unknown = || CsvError::UnknownColumn { file, column: name.to_owned() };
            columns.push((name.to_owned(), schema.column(name).ok_or_else(unknown)?));
        }
        Ok(Reader { file, columns, reader, record: csv::StringRecord::new(), row: 0 })
    }

    /// Reads the next row: a value for each column that has one; `None` behind the last row.
    pub fn next(&mut self) -> Result<Option<Vec<Option<Value>>>, CsvError> {
        let read = self.reader.read_record(&mut self.record);
        if !read.map_err(|source| CsvError::Csv { file: self.file, source })? {
            return Ok(None);
        }
        self.row += 1;
        let value = |((name, column), cell): (&(String, &Column), &str)| {
            let bad = || CsvError::BadCell {
                file: self.file,
                row: self.row,
                column: name.clone(),
                cell: cell.to_owned(),
                expected: column.kind.name(),
            };
            if cell.is_empty() { Ok(None) } else { column.kind.parse(cells::text(cell)).map(Some).ok_or_else(bad) }
        };
        self.columns.iter().zip(&self.record).map(value).collect::<Result<_, _>>().map(Some)
    }
}
