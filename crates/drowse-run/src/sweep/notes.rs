//! Which shards have begun in a folder: an empty file each, `shards/K-of-N`, so that they can be told apart later.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;

use super::share::Shard;
use crate::files::ExportError;

/// The folder of the notes.
const FOLDER: &str = "shards";

/// Notes that a shard has begun.
pub fn write(folder: &Path, shard: Shard) -> Result<(), ExportError> {
    let notes = folder.join(FOLDER);
    let path = notes.join(format!("{}-of-{}", shard.number, shard.of));
    let written = fs::create_dir_all(&notes).and_then(|()| File::create(&path));
    written.map(drop).map_err(|error| ExportError::Io { path: path.display().to_string(), error })
}

/// Returns the shards that have begun.
pub fn read(folder: &Path) -> Result<BTreeSet<Shard>, ExportError> {
    let notes = folder.join(FOLDER);
    let failed = |error| ExportError::Io { path: notes.display().to_string(), error };
    let entries = match fs::read_dir(&notes) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(BTreeSet::new()),
        entries => entries.map_err(failed)?,
    };
    let mut shards = BTreeSet::new();
    for entry in entries {
        let name = entry.map_err(failed)?.file_name();
        shards.extend(name.to_str().and_then(|name| name.replace("-of-", "/").parse::<Shard>().ok()));
    }
    Ok(shards)
}
