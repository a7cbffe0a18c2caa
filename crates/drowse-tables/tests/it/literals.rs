//! Names of columns are written down in the schema only.

use std::fs;
use std::path::{Path, PathBuf};

use drowse_tables::schema::ALL;

/// Folders of sources that read and write rows.
const FOLDERS: [&str; 5] =
    ["drowse-run/src", "drowse-describe/src", "drowse-reproduce/src", "drowse-reproduce/examples", "drowse/src"];

#[test]
fn no_source_has_the_name_of_a_column_as_a_literal() {
    // A name of one word is also that of other things.
    let names: Vec<&str> = ALL.iter().flat_map(|schema| schema.columns).map(|column| column.name).collect();
    let quoted = |name: &&str| name.contains(['.', '_']) && !name.contains('*');
    let literals: Vec<String> = names.into_iter().filter(quoted).map(|name| format!("\"{name}\"")).collect();
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for file in FOLDERS.iter().flat_map(|folder| sources(&crates.join(folder))) {
        let text = fs::read_to_string(&file).unwrap();
        let written = literals.iter().filter(|literal| text.contains(literal.as_str()));
        found.extend(written.map(|literal| format!("{}: {literal}", file.display())));
    }
    assert!(found.is_empty(), "use the constants of drowse_tables::schema: {found:#?}");
}

/// Returns all sources below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_source = |path: &Path| path.extension().is_some_and(|extension| extension == "rs");
    paths
        .flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] })
        .filter(|path| is_source(path))
        .collect()
}
