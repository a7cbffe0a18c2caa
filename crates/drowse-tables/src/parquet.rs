//! Parquet files, compressed by zstd: what a CSV file holds, in the types that the schema says.
//!
//! Whole numbers are signed integers of 64 bits, numbers are doubles, texts are UTF-8 with a dictionary; an absent
//! value is null. The metadata of a file say of each column its unit, its meaning and the version that first had it, by
//! keys such as `makespan_s.unit`.

use std::io;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError as FileError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{Type, TypePtr};

use crate::csv::{CsvError, Reader};
use crate::schema::{Column, Schema};
use crate::{Kind, Value};

/// Rows that are held at a time; a reader takes as many at once.
const GROUP: usize = 1 << 17;

/// Why a table cannot be written as Parquet.
#[derive(Debug, thiserror::Error)]
pub enum ParquetError {
    /// The CSV file cannot be read.
    #[error(transparent)]
    Csv(#[from] CsvError),
    /// The Parquet file cannot be written.
    #[error("{file} as Parquet: {source}")]
    File {
        /// The table's file name.
        file: &'static str,
        /// What went wrong.
        source: FileError,
    },
}

/// Writes the table of a CSV file as Parquet.
pub fn from_csv(schema: &Schema, from: impl io::Read, to: impl io::Write + Send) -> Result<(), ParquetError> {
    let file = schema.file;
    let mut reader = Reader::begin(schema, from)?;
    let failed = |source| ParquetError::File { file, source };
    let fields = fields(&reader.columns).map_err(failed)?;
    let properties = properties(&reader.columns).map_err(failed)?;
    let mut writer = SerializedFileWriter::new(to, fields, Arc::new(properties)).map_err(failed)?;
    loop {
        let mut group: Vec<Cells> = reader.columns.iter().map(|(_, column)| Cells::new(column.kind)).collect();
        let rows = fill(&mut group, &mut reader)?;
        if rows > 0 {
            write_group(&mut writer, &group).map_err(failed)?;
        }
        if rows < GROUP {
            break;
        }
    }
    writer.close().map_err(failed)?;
    Ok(())
}

/// The names of columns, and what the schema says of them.
type Columns = [(String, &'static Column)];

/// Describes the columns.
fn fields(columns: &Columns) -> Result<TypePtr, FileError> {
    let field = |(name, column): &(String, &Column)| {
        let (physical, logical) = match column.kind {
            Kind::Integer => (Physical::INT64, None),
            Kind::Float => (Physical::DOUBLE, None),
            Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Kind::Bool => (Physical::BOOLEAN, None),
        };
        let builder = Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL);
        builder.with_logical_type(logical).build().map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<_, _>>()?;
    Type::group_type_builder("table").with_fields(fields).build().map(Arc::new)
}

/// Says how the file is written, and what its columns mean.
fn properties(columns: &Columns) -> Result<WriterProperties, FileError> {
    let said = columns.iter().flat_map(|(name, column)| {
        let facts = [("unit", column.unit), ("meaning", column.meaning), ("since", column.since)];
        facts.map(|(fact, text)| KeyValue::new(format!("{name}.{fact}"), text.to_owned()))
    });
    Ok(WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_created_by(concat!("drowse ", env!("CARGO_PKG_VERSION")).into())
        .set_key_value_metadata(Some(said.collect()))
        .build())
}

/// Reads rows into columns until these are full; returns how many.
fn fill(group: &mut [Cells], reader: &mut Reader<impl io::Read>) -> Result<usize, CsvError> {
    for rows in 0..GROUP {
        let Some(row) = reader.next()? else { return Ok(rows) };
        group.iter_mut().zip(row).for_each(|(cells, value)| cells.add(value));
    }
    Ok(GROUP)
}

fn write_group<W: io::Write + Send>(writer: &mut SerializedFileWriter<W>, columns: &[Cells]) -> Result<(), FileError> {
    let mut group = writer.next_row_group()?;
    for cells in columns {
        if let Some(mut column) = group.next_column()? {
            cells.write(&mut column)?;
            column.close()?;
        }
    }
    group.close().map(|_| ())
}

/// The values of a column, and which rows have one.
struct Cells {
    /// 1 for a row with a value, 0 for one without.
    present: Vec<i16>,
    values: Values,
}

/// Values of one type.
enum Values {
    Integer(Vec<i64>),
    Float(Vec<f64>),
    Text(Vec<ByteArray>),
    Bool(Vec<bool>),
}

impl Cells {
    fn new(kind: Kind) -> Self {
        let values = match kind {
            Kind::Integer => Values::Integer(Vec::new()),
            Kind::Float => Values::Float(Vec::new()),
            Kind::Text => Values::Text(Vec::new()),
            Kind::Bool => Values::Bool(Vec::new()),
        };
        Cells { present: Vec::new(), values }
    }

    /// Adds the cell of a row.
    fn add(&mut self, value: Option<Value>) {
        self.present.push(i16::from(value.is_some()));
        match (&mut self.values, value) {
            // Times end at 10^18 ps, and nothing else comes near to the end of the range.
            (Values::Integer(all), Some(Value::Integer(one))) => all.push(i64::try_from(one).unwrap_or(i64::MAX)),
            (Values::Float(all), Some(Value::Float(one))) => all.push(one),
            (Values::Text(all), Some(Value::Text(one))) => all.push(one.into_bytes().into()),
            (Values::Bool(all), Some(Value::Bool(one))) => all.push(one),
            // A reader gives the type of the column.
            (_, _) => {}
        }
    }

    fn write(&self, column: &mut SerializedColumnWriter<'_>) -> Result<(), FileError> {
        let present = Some(self.present.as_slice());
        match &self.values {
            Values::Integer(values) => column.typed::<Int64Type>().write_batch(values, present, None),
            Values::Float(values) => column.typed::<DoubleType>().write_batch(values, present, None),
            Values::Text(values) => column.typed::<ByteArrayType>().write_batch(values, present, None),
            Values::Bool(values) => column.typed::<BoolType>().write_batch(values, present, None),
        }?;
        Ok(())
    }
}
