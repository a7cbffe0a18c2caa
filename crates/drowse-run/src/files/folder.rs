//! A folder that a user names for results: what is there is lost only if the program has made it. Tables of another
//! experiment are replaced only where the user says so.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use drowse_tables::checksums::{self, Checksums};
use drowse_tables::schema::{ALL, NETWORK, Schema, TRACE};
use serde_json::Value as Json;

use super::error::ExportError;
use crate::manifest;

/// The longest header of a table that is read, in bytes: more than a sweep of as many keys as there are has.
const HEADER_BYTES: u64 = 1 << 20;

/// Files beside the tables, and keys that they have if the program has written them.
const OF_JSON: [(&str, &[&str]); 2] =
    [(manifest::FILE, &["version", "build", "cases"]), ("host.json", &["system", "threads", "folders"])];

/// Timelines of runs.
const TIMELINES: [&str; 8] = [
    "timeline.prv",
    "timeline.pcf",
    "timeline.row",
    "timeline.perfetto.json",
    "timeline-baseline.prv",
    "timeline-baseline.pcf",
    "timeline-baseline.row",
    "timeline-baseline.perfetto.json",
];

/// What may become of the files in a folder.
#[derive(Clone, Copy, Debug, Default)]
pub struct Over<'a> {
    /// The title of the experiment whose tables are written; `None` if tables of any may be replaced.
    pub title: Option<&'a str>,
    /// Whether timelines are written, too.
    pub timelines: bool,
    /// Whether all files are replaced; `None` where a user cannot say so.
    pub force: Option<bool>,
}

/// Refuses a folder in which results would replace files that the program has not written, or tables of another
/// experiment: one with another title.
pub fn refuse(folder: &Path, over: &Over<'_>) -> Result<(), ExportError> {
    if over.force == Some(true) || !folder.is_dir() {
        return Ok(());
    }
    let by_force =
        |what: &str| if over.force.is_some() { format!(", or --force to replace {what}") } else { String::new() };
    if let Some(name) = first_foreign(folder, over.timelines) {
        let reason = format!("is there already, and Drowse has not written it; give another folder{}", by_force("it"));
        return Err(ExportError::Kept { path: folder.join(name).display().to_string(), reason });
    }
    let other = over.title.and_then(|ours| title(folder).filter(|theirs| theirs != ours));
    let Some(other) = other else { return Ok(()) };
    let reason = format!("holds the tables of another experiment, `{other}`; give another folder{}", by_force("them"));
    Err(ExportError::Kept { path: folder.display().to_string(), reason })
}

/// Finds a file that is called as one of the program's, and that the program has not written.
fn first_foreign(folder: &Path, timelines: bool) -> Option<String> {
    let sums = Checksums::read(folder);
    let is_listed = |name: &str| matches!(&sums, Ok(Some(sums)) if sums.has(name));
    // Commands that write results write neither of these two tables, and users call files so.
    let schemas: Vec<&Schema> =
        ALL.into_iter().filter(|schema| ![NETWORK.file, TRACE.file].contains(&schema.file)).collect();
    let unlike = schemas.iter().filter(|schema| !header_fits(folder, schema));
    let mut tables: Vec<String> = unlike.map(|schema| schema.file.to_owned()).collect();
    tables.extend(ALL.into_iter().map(|schema| schema.file.replace(".csv", ".parquet")));
    tables.extend(TIMELINES.iter().filter(|_| timelines).map(|&name| name.to_owned()));
    let foreign_json = |(name, keys): &(&'static str, &[&str])| {
        fs::read(folder.join(name)).is_ok_and(|text| {
            let json: Json = serde_json::from_slice(&text).unwrap_or_default();
            !text.is_empty() && !keys.iter().all(|key| json.get(key).is_some())
        })
    };
    tables.extend(OF_JSON.into_iter().filter(foreign_json).map(|(name, _)| name.to_owned()));
    // Where only the list is damaged, the rest says whose it is.
    let no_list = sums.is_err() && !folder.join(manifest::FILE).is_file();
    tables.extend(no_list.then(|| checksums::FILE.to_owned()));
    tables.into_iter().find(|name| folder.join(name).is_file() && !is_listed(name))
}

/// Returns whether a table has the columns of the program's, is not there, or has nothing in it.
fn header_fits(folder: &Path, schema: &Schema) -> bool {
    let mut line = Vec::new();
    let Ok(file) = File::open(folder.join(schema.file)) else { return true };
    if BufReader::new(file.take(HEADER_BYTES)).read_until(b'\n', &mut line).is_err() {
        return false;
    }
    let line = String::from_utf8_lossy(&line);
    // A sweep puts the values of its keys before the columns of each table.
    let known = |name: &str| name.starts_with("set.") || schema.column(name).is_some();
    let names = line.trim_end_matches(['\r', '\n']);
    names.is_empty() || names.split(',').all(|name| known(name.trim_matches('"')))
}

/// Returns the title of the experiment of a run, if its manifest is there.
fn title(folder: &Path) -> Option<String> {
    let json: Json = serde_json::from_slice(&fs::read(folder.join(manifest::FILE)).ok()?).ok()?;
    Some(json.get("cases")?.get(0)?.get("title")?.as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVER: Over<'_> = Over { title: None, timelines: false, force: Some(false) };

    fn said(folder: &Path, over: &Over<'_>) -> String {
        refuse(folder, over).err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn files_that_the_program_has_not_written_stay() {
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        assert_eq!(said(folder.path(), &OVER), "");
        assert_eq!(said(&folder.path().join("new"), &OVER), "");
        write("notes.csv", "a,b\n");
        write("trace.csv", "a,b\n");
        assert_eq!(said(folder.path(), &OVER), "");
        for (name, text) in [
            ("cases.csv", "case,patients\n1,2\n"),
            ("power.csv", "time,watts\n"),
            ("ranks.parquet", "PAR1"),
            ("manifest.json", "{\"name\": \"page\"}"),
            ("host.json", "[1, 2]"),
            ("checksums.json", "none"),
        ] {
            write(name, text);
            let refused = said(folder.path(), &OVER);
            assert!(refused.contains(name) && refused.contains("--force"), "{name}: {refused}");
            assert!(!said(folder.path(), &Over { force: None, ..OVER }).contains("--force"));
            assert_eq!(said(folder.path(), &Over { force: Some(true), ..OVER }), "");
            fs::remove_file(folder.path().join(name)).unwrap();
        }
        write("timeline.prv", "#Paraver");
        assert_eq!(said(folder.path(), &OVER), "");
        assert!(said(folder.path(), &Over { timelines: true, ..OVER }).contains("timeline.prv"));
    }

    #[test]
    fn tables_of_the_program_are_replaced_if_they_are_of_the_same_experiment() {
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("cases.csv", "name,set.power.policy.deep,makespan_s,links.by_class.node.wakes,energy.links.all_j\n");
        write("ranks.csv", "");
        write("manifest.json", "{\"version\": \"1\", \"build\": \"b\", \"cases\": [{\"title\": \"One\"}]}");
        let titled = |title| Over { title: Some(title), ..OVER };
        assert_eq!(said(folder.path(), &OVER), "");
        assert_eq!(said(folder.path(), &titled("One")), "");
        let refused = said(folder.path(), &titled("Two"));
        assert!(refused.contains("holds the tables of another experiment, `One`"), "{refused}");
    }
}
