//! Tables for Python, as streams of Arrow: readers take them without a copy.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Float64Builder, Int64Builder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field, Schema as ArrowSchema};
use drowse_tables::csv::Header;
use drowse_tables::schema::{self, Schema};
use drowse_tables::{Kind, Row, Value};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};

use crate::errors::Raised;

/// Names of the capsules that hold streams and schemas, by Arrow's PyCapsule interface.
const STREAM: &std::ffi::CStr = c"arrow_array_stream";
const SCHEMA: &std::ffi::CStr = c"arrow_schema";

/// A table.
#[pyclass(frozen)]
#[derive(Clone)]
pub struct Table {
    file: &'static str,
    rows: RecordBatch,
}

/// Returns the names of all tables that there are: those of their files without ending.
#[pyfunction]
pub fn table_names() -> Vec<&'static str> {
    schema::ALL.iter().map(|schema| name_of(schema)).collect()
}

/// Returns the name of a table.
pub fn name_of(schema: &Schema) -> &'static str {
    schema.file.strip_suffix(".csv").unwrap_or(schema.file)
}

/// Finds a table by its name.
pub fn of_name(name: &str) -> Result<&'static Schema, Raised> {
    let found = schema::ALL.iter().find(|schema| name_of(schema) == name);
    found.copied().ok_or_else(|| Raised::input(format!("error: there is no table `{name}`")))
}

impl Table {
    /// Makes a table of rows, which all have only columns without a pattern.
    pub fn long(schema: &Schema, rows: impl Iterator<Item = Row>) -> Result<Self, Raised> {
        Table::with(schema, schema.plain().map(str::to_owned).collect(), rows)
    }

    /// Makes a table of all columns that the rows have.
    pub fn wide(schema: &Schema, rows: &[Row]) -> Result<Self, Raised> {
        let mut header = Header::new(schema);
        rows.iter().for_each(|row| header.add(row));
        let names = header.names().into_iter().map(str::to_owned).collect();
        Table::with(schema, names, rows.iter().cloned())
    }

    fn with(schema: &Schema, names: Vec<String>, rows: impl Iterator<Item = Row>) -> Result<Self, Raised> {
        let unknown = |name: &str| Raised::fault(format!("error: {} has no column `{name}`", schema.file));
        let mut columns: Vec<(String, Cells)> = Vec::with_capacity(names.len());
        let mut fields = Vec::with_capacity(names.len());
        for name in names {
            let column = schema.column(&name).ok_or_else(|| unknown(&name))?;
            let facts = [("unit", column.unit), ("meaning", column.meaning), ("since", column.since)];
            let facts: HashMap<_, _> =
                facts.into_iter().map(|(fact, text)| (fact.to_owned(), text.to_owned())).collect();
            fields.push(Field::new(&name, type_of(column.kind), true).with_metadata(facts));
            columns.push((name, Cells::new(column.kind)));
        }
        let mut count = 0;
        for row in rows {
            count += 1;
            // Most cells come in the order of the columns.
            let mut in_order = row.iter().peekable();
            for (name, cells) in &mut columns {
                let next = in_order.next_if(|(next, _)| next == name).map(|(_, value)| value);
                cells.add(next.or_else(|| row.get(name)));
            }
        }
        let arrays = columns.into_iter().map(|(_, cells)| cells.finish()).collect();
        let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(count));
        let rows = RecordBatch::try_new_with_options(Arc::new(ArrowSchema::new(fields)), arrays, &options);
        Ok(Table { file: schema.file, rows: rows.map_err(|error| failed(&error))? })
    }

    fn place(&self, name: &str) -> PyResult<usize> {
        self.rows.schema().index_of(name).map_err(|_| PyKeyError::new_err(name.to_owned()))
    }
}

fn failed(error: &ArrowError) -> Raised {
    Raised::fault(format!("error: a table cannot be made: {error}"))
}

const fn type_of(kind: Kind) -> DataType {
    match kind {
        Kind::Integer => DataType::Int64,
        Kind::Float => DataType::Float64,
        Kind::Text => DataType::Utf8,
        Kind::Bool => DataType::Boolean,
    }
}

/// The values of a column that is being filled.
enum Cells {
    Integer(Int64Builder),
    Float(Float64Builder),
    Text(StringBuilder),
    Bool(BooleanBuilder),
}

impl Cells {
    fn new(kind: Kind) -> Self {
        match kind {
            Kind::Integer => Cells::Integer(Int64Builder::new()),
            Kind::Float => Cells::Float(Float64Builder::new()),
            Kind::Text => Cells::Text(StringBuilder::new()),
            Kind::Bool => Cells::Bool(BooleanBuilder::new()),
        }
    }

    /// Adds the cell of a row; an absent value is null.
    fn add(&mut self, value: Option<&Value>) {
        match (self, value) {
            // Times end at 10^18 ps, and nothing else comes near to the end of the range.
            (Cells::Integer(all), Some(Value::Integer(one))) => {
                all.append_value(i64::try_from(*one).unwrap_or(i64::MAX));
            }
            (Cells::Integer(all), _) => all.append_null(),
            (Cells::Float(all), one) => all.append_option(one.and_then(Value::number)),
            (Cells::Text(all), Some(Value::Text(one))) => all.append_value(one),
            (Cells::Text(all), _) => all.append_null(),
            (Cells::Bool(all), Some(Value::Bool(one))) => all.append_value(*one),
            (Cells::Bool(all), _) => all.append_null(),
        }
    }

    fn finish(self) -> ArrayRef {
        match self {
            Cells::Integer(mut all) => Arc::new(all.finish()),
            Cells::Float(mut all) => Arc::new(all.finish()),
            Cells::Text(mut all) => Arc::new(all.finish()),
            Cells::Bool(mut all) => Arc::new(all.finish()),
        }
    }
}

#[pymethods]
impl Table {
    /// Makes a table again of the columns of one that was pickled.
    #[new]
    fn new(name: &str, columns: &Bound<'_, PyDict>) -> PyResult<Self> {
        let schema = of_name(name)?;
        let mut rows: Vec<Row> = Vec::new();
        let mut names = Vec::new();
        for (name, values) in columns {
            let name: String = name.extract()?;
            let kind = schema.column(&name).ok_or_else(|| PyKeyError::new_err(name.clone()))?.kind;
            for (index, value) in values.try_iter()?.enumerate() {
                if index == rows.len() {
                    rows.push(Row::new());
                }
                rows[index].push_some(drowse_tables::Name::read(name.clone()), value_of(kind, &value?)?);
            }
            names.push(name);
        }
        Ok(Table::with(schema, names, rows.into_iter())?)
    }

    fn __len__(&self) -> usize {
        self.rows.num_rows()
    }

    /// The name of the table.
    #[getter]
    fn name(&self) -> &'static str {
        self.file.strip_suffix(".csv").unwrap_or(self.file)
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.rows.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The unit and the meaning of a column.
    fn describe(&self, column: &str) -> PyResult<(String, String)> {
        let schema = self.rows.schema();
        let facts = schema.field(self.place(column)?).metadata();
        let fact = |name: &str| facts.get(name).cloned().unwrap_or_default();
        Ok((fact("unit"), fact("meaning")))
    }

    /// The values of a column as a list; an absent value is None.
    fn values<'py>(&self, py: Python<'py>, column: &str) -> PyResult<Bound<'py, PyList>> {
        let array = self.rows.column(self.place(column)?);
        match array.data_type() {
            DataType::Int64 => PyList::new(py, array.as_primitive::<Int64Type>().iter().collect::<Vec<_>>()),
            DataType::Float64 => PyList::new(py, array.as_primitive::<Float64Type>().iter().collect::<Vec<_>>()),
            DataType::Boolean => PyList::new(py, array.as_boolean().iter().collect::<Vec<_>>()),
            _ => PyList::new(py, array.as_string::<i32>().iter().collect::<Vec<_>>()),
        }
    }

    /// The numbers of a column where they lie, for numpy; None for texts and truths, and where a value is absent.
    fn numbers(&self, column: &str) -> PyResult<Option<Column>> {
        let values = self.rows.column(self.place(column)?);
        let is_number = matches!(values.data_type(), DataType::Int64 | DataType::Float64);
        Ok((is_number && values.null_count() == 0).then(|| Column { values: Arc::clone(values) }))
    }

    /// The stream of Arrow's PyCapsule interface.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A producer may ignore what is asked for, and readers cast what they get.
        drop(requested_schema);
        let batches = RecordBatchIterator::new([Ok(self.rows.clone())], self.rows.schema());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), STREAM)
    }

    /// The schema of Arrow's PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.rows.schema().as_ref()).map_err(|error| failed(&error))?;
        PyCapsule::new_with_value(py, schema, SCHEMA)
    }
}

/// Reads a value of a column.
fn value_of(kind: Kind, value: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
    Ok(match kind {
        Kind::Integer => value.extract::<Option<u64>>()?.map(Value::Integer),
        Kind::Float => value.extract::<Option<f64>>()?.map(Value::Float),
        Kind::Text => value.extract::<Option<String>>()?.map(Value::Text),
        Kind::Bool => value.extract::<Option<bool>>()?.map(Value::Bool),
    })
}

/// The numbers of a column, which numpy reads where they lie.
#[pyclass(frozen)]
pub struct Column {
    values: ArrayRef,
}

#[pymethods]
impl Column {
    /// Where the numbers lie, by numpy's protocol; they cannot be written.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (kind, start) = match self.values.data_type() {
            DataType::Int64 => ("<i8", self.values.as_primitive::<Int64Type>().values().as_ptr() as usize),
            _ => ("<f8", self.values.as_primitive::<Float64Type>().values().as_ptr() as usize),
        };
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", (self.values.len(),))?;
        interface.set_item("typestr", kind)?;
        interface.set_item("data", (start, true))?;
        Ok(interface)
    }
}
