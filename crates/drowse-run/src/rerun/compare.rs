//! Compares the files of two folders to the byte, and names the first cell that differs.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, ErrorKind, Result as IoResult};
use std::path::Path;

use drowse_tables::csv;
use drowse_tables::schema::cases::CASE_ID;
use drowse_tables::schema::{self, ENGINE, SPANS, Schema};

use crate::files::ExportError;
use crate::{host, manifest};

/// A file of both folders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The name of the file, within its folder.
    pub file: String,
    /// What has become of it.
    pub verdict: Verdict,
}

/// What has become of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is the same to the byte.
    Equal,
    /// It differs, here first.
    Differs(String),
    /// It was not compared.
    NotCompared(&'static str),
}

/// Compares all files that a run or a sweep writes.
pub fn folders(old: &Path, new: &Path, same_build: bool) -> Result<Vec<Compared>, ExportError> {
    let mut names = BTreeSet::new();
    for folder in [old, new] {
        let failed = |error| ExportError::Io { path: folder.display().to_string(), error };
        for entry in fs::read_dir(folder).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name().to_string_lossy().into_owned();
            if name == manifest::FILE || table(&name).is_some() || name.starts_with("timeline") {
                names.insert(name);
            }
        }
    }
    let compared = names.into_iter().map(|file| {
        let verdict = if file == ENGINE.file || file == host::FILE {
            Verdict::NotCompared("differs from run to run")
        } else if file == manifest::FILE && !same_build {
            Verdict::NotCompared("names another build")
        } else if (table(&file).is_none() && file != manifest::FILE) || file == SPANS.file {
            Verdict::NotCompared("is not made again; `drowse run --timeline` writes it")
        } else {
            difference(&old.join(&file), &new.join(&file), table(&file))?.map_or(Verdict::Equal, Verdict::Differs)
        };
        Ok(Compared { file, verdict })
    });
    compared.collect()
}

fn table(name: &str) -> Option<&'static Schema> {
    schema::ALL.into_iter().find(|schema| schema.file == name)
}

/// Returns the first difference of two files.
fn difference(old: &Path, new: &Path, schema: Option<&Schema>) -> Result<Option<String>, ExportError> {
    let failed = |path: &Path, error| ExportError::Io { path: path.display().to_string(), error };
    let open = |path: &Path| match File::open(path) {
        Ok(file) => Ok(Some(BufReader::new(file))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(path, error)),
    };
    let (mut theirs, mut ours) = match (open(old)?, open(new)?) {
        (Some(theirs), Some(ours)) => (theirs, ours),
        (None, _) => return Ok(Some("is not among the old results".into())),
        (_, None) => return Ok(Some("is not made any more".into())),
    };
    let mut header = Vec::new();
    for number in 1_u64.. {
        let was = line(&mut theirs).map_err(|error| failed(old, error))?;
        let is = line(&mut ours).map_err(|error| failed(new, error))?;
        if was != is {
            let cell = schema.filter(|_| number > 1).and_then(|schema| cell(schema, &header, &was, &is));
            return Ok(Some(cell.map_or_else(|| format!("line {number}"), |cell| format!("line {number}, {cell}"))));
        }
        if was.is_empty() {
            break;
        }
        if number == 1 {
            header = was;
        }
    }
    Ok(None)
}

/// Reads a line with its end; empty after the last.
fn line(from: &mut impl BufRead) -> IoResult<Vec<u8>> {
    let mut line = Vec::new();
    from.read_until(b'\n', &mut line)?;
    Ok(line)
}

/// Names the first cell that differs, and its case; `None` where the lines are no rows of one table.
fn cell(schema: &Schema, header: &[u8], was: &[u8], is: &[u8]) -> Option<String> {
    let row = |line: &[u8]| csv::read(schema, [header, line].concat().as_slice()).ok()?.into_iter().next();
    let (was, is) = (row(was)?, row(is)?);
    let names = was.iter().chain(is.iter()).map(|(name, _)| name);
    let name = names.into_iter().find(|name| was.get(name) != is.get(name))?;
    let shown = |row: &drowse_tables::Row| match row.text(name) {
        text if text.is_empty() => "absent".to_owned(),
        text => text,
    };
    Some(format!("case {}, column `{name}`: was {}, is {}", was.text(CASE_ID), shown(&was), shown(&is)))
}
