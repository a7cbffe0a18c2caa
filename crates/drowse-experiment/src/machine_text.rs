//! The machine of an experiment as TOML, to write another experiment with it.

use std::path::{Path, absolute};
use std::sync::Arc;

use toml::{Table, Value};

use super::case::System;
use super::kinds::Kinds;
use super::load::{LoadError, read_network};
use super::source::Source;
use super::sweep::Sweep;

/// Sections that say what runs, or how cases are chosen.
const OTHERS: [&str; 7] = ["job", "traffic", "scheduler", "sweep", "search", "simulation", "title"];
/// Keys of `[network]` that name files.
const FILES: [&str; 4] = ["file", "tables", "service_levels", "lane_maps"];

impl Kinds {
    /// Reads the machine of an experiment, or of a file that describes a network, and returns its sections as well: with
    /// overrides put in and files named from the root, so that they mean the same wherever they are written.
    pub fn load_machine(&self, path: &Path, overrides: &[String]) -> Result<(Table, System), LoadError> {
        let source = Arc::new(read_network(path, overrides)?);
        let system = self.system(&source)?;
        let text = Sweep::of(&source, self.clone())?.experiment;
        let mut sections: Table = text.parse().unwrap_or_default();
        OTHERS.into_iter().for_each(|name| drop(sections.remove(name)));
        if let Some(Value::Table(network)) = sections.get_mut("network") {
            FILES.into_iter().for_each(|key| name_from_root(network, key, &source));
        }
        if let Some(Value::Table(watts)) = sections.get_mut("power").and_then(|power| power.get_mut("watts")) {
            name_from_root(watts, "devices", &source);
        }
        Ok((sections, system))
    }
}

/// Names the file of a key from the root, if the key names one.
fn name_from_root(table: &mut Table, key: &str, source: &Source) {
    let Some(file) = table.get(key).and_then(Value::as_str) else { return };
    let Ok(file) = absolute(source.resolve(file)) else { return };
    table.insert(key.into(), file.display().to_string().into());
}
