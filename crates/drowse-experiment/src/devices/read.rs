//! A user's file of devices: what `power.watts.devices` names.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use serde_json::Value;

use super::check::first_wrong;
use super::model::Catalogue;
use super::tables::catalogue;
use crate::diagnostic::Diagnostic;
use crate::document;
use crate::keys::Keys;
use crate::machine::is_bad_input;
use crate::node::Node;
use crate::source::{Source, read_text};

/// Reads a file of devices and modules; those of the program follow. `path` is the key that names it.
pub fn read(file: &Path, path: &str, keys: &Keys) -> Result<Catalogue, Diagnostic> {
    let text = read_text(file).map_err(|error| {
        let message = format!("the devices {} cannot be read: {error}", file.display());
        let help = "write the name of a TOML file with [[device]] and [[module]] tables";
        Diagnostic { machine: !is_bad_input(&error), ..keys.error(path, message, help) }
    })?;
    let source = Arc::new(Source::new(file, text, &[])?);
    let table = document::parse_table(&source)?;
    // No schema knows these keys, so that errors show no examples.
    let nothing: Box<dyn FnOnce() -> Value + Send + Sync> = Box::new(|| Value::Null);
    let keys = Keys::new(Arc::clone(&source), &table, Arc::new(LazyLock::new(nothing)));
    let mut read: Catalogue = Node::root(table).read(&keys)?;
    if let Some(wrong) = first_wrong(&read) {
        return Err(keys.error(&wrong.path, wrong.message, wrong.help));
    }
    // A device of the file stands for one of the program that has its name.
    read.device.extend(catalogue().device.iter().cloned());
    read.module.extend(catalogue().module.iter().cloned());
    Ok(read)
}
