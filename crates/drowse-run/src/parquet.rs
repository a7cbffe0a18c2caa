//! Tables as Parquet, beside those in CSV, from which they are made: both say the same.

#[cfg(feature = "parquet")]
use std::fs::File;

use drowse_tables::schema::{ALL, Schema};

use crate::files::{ExportError, ResultFiles};

/// Refuses what this program was built without.
pub fn check(wanted: bool) -> Result<(), ExportError> {
    if wanted && !cfg!(feature = "parquet") { Err(ExportError::NoParquet) } else { Ok(()) }
}

/// Writes each table that was written as Parquet, too, if that is wanted. Parquet files of an earlier run are replaced or
/// removed.
pub fn write(files: &mut ResultFiles<'_>, wanted: bool) -> Result<(), ExportError> {
    for schema in ALL {
        let name = schema.file.replace(".csv", ".parquet");
        match files.read(schema.file)?.filter(|_| wanted) {
            Some(from) => write_table(schema, from, files, &name)?,
            None => files.without(&name),
        }
    }
    Ok(())
}

#[cfg(feature = "parquet")]
fn write_table(schema: &Schema, from: File, files: &mut ResultFiles<'_>, name: &str) -> Result<(), ExportError> {
    let from = std::io::BufReader::new(from);
    files.write(name, |to| Ok(drowse_tables::parquet::from_csv(schema, from, to)?))
}

#[cfg(not(feature = "parquet"))]
fn write_table(_: &Schema, _: std::fs::File, _: &mut ResultFiles<'_>, _: &str) -> Result<(), ExportError> {
    Err(ExportError::NoParquet)
}
