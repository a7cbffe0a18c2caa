//! Tables as Parquet, beside those in CSV, from which they are made: both say the same.

use std::fs::File;
use std::path::Path;

use drowse_tables::schema::{ALL, Schema};

use crate::files::{ExportError, remove};

/// Refuses what this program was built without.
pub fn check(wanted: bool) -> Result<(), ExportError> {
    if wanted && !cfg!(feature = "parquet") { Err(ExportError::NoParquet) } else { Ok(()) }
}

/// Writes each table of a folder as Parquet, too, if that is wanted. Parquet files of tables that were there before are
/// replaced or removed.
pub fn write(folder: &Path, wanted: bool) -> Result<(), ExportError> {
    for schema in ALL {
        let name = schema.file.replace(".csv", ".parquet");
        let csv = folder.join(schema.file);
        if wanted && csv.is_file() {
            let from = File::open(&csv).map_err(|error| ExportError::Io { path: csv.display().to_string(), error })?;
            write_table(schema, from, folder, &name)?;
        } else {
            remove(&folder.join(name))?;
        }
    }
    Ok(())
}

#[cfg(feature = "parquet")]
fn write_table(schema: &Schema, from: File, folder: &Path, name: &str) -> Result<(), ExportError> {
    let from = std::io::BufReader::new(from);
    crate::files::write_file(folder, name, |to| Ok(drowse_tables::parquet::from_csv(schema, from, to)?))
}

#[cfg(not(feature = "parquet"))]
fn write_table(_: &Schema, _: File, _: &Path, _: &str) -> Result<(), ExportError> {
    Err(ExportError::NoParquet)
}
