//! What was built has a name of its own: a hash of the sources.

use std::fs;
use std::path::{Path, PathBuf};

use drowse_run::identity::BUILD;
use tempfile::TempDir;

#[path = "../../build/sources.rs"]
mod sources;

const CRATES: [&str; 6] =
    ["drowse-flows", "drowse-core", "drowse-traces", "drowse-tables", "drowse-experiment", "drowse-run"];

/// Makes crates of two files each, their folders named so.
fn crates(named: impl Fn(&str) -> String) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for name in CRATES {
        let folder = root.path().join(named(name)).join("src/deep");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("a.rs"), format!("//! {name}\n")).unwrap();
        fs::write(folder.with_file_name("lib.rs"), "mod deep;\n").unwrap();
    }
    root
}

/// Returns the hash of the crates beside one.
fn hash(own: &Path) -> u64 {
    sources::fingerprint(&sources::folders(own, "1.2.3").unwrap()).unwrap()
}

#[test]
fn a_build_is_named_by_the_sources_here() {
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    assert_eq!(BUILD, format!("{:016x}", hash(&own)), "the build script has not run again after a change");
}

#[test]
fn every_source_counts_and_the_place_does_not() {
    let clone = crates(str::to_owned);
    let own = clone.path().join("drowse-run");
    let first = hash(&own);
    let published = crates(|name| format!("{name}-1.2.3"));
    assert_eq!(hash(&published.path().join("drowse-run-1.2.3")), first, "a registry names its folders otherwise");
    for name in CRATES {
        let file = clone.path().join(name).join("src/deep/a.rs");
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, text.replace('\n', "\r\n")).unwrap();
        assert_eq!(hash(&own), first, "{name}: ends of lines are those of the machine");
        fs::write(&file, format!("{text}//\n")).unwrap();
        assert_ne!(hash(&own), first, "{name}");
        fs::rename(&file, file.with_file_name("b.rs")).unwrap();
        fs::write(file.with_file_name("b.rs"), &text).unwrap();
        assert_ne!(hash(&own), first, "{name}: a name is part of the sources");
        fs::rename(file.with_file_name("b.rs"), &file).unwrap();
        assert_eq!(hash(&own), first, "{name}");
        fs::write(file.with_file_name(".a.rs.swp"), "a").unwrap();
        assert_eq!(hash(&own), first, "{name}: hidden files are no sources");
    }
}

#[test]
fn sources_that_are_missing_end_the_build() {
    let clone = crates(str::to_owned);
    fs::remove_dir_all(clone.path().join("drowse-traces")).unwrap();
    let error = sources::folders(&clone.path().join("drowse-run"), "1.2.3").unwrap_err().to_string();
    assert!(error.contains("drowse-traces-1.2.3"), "{error}");
}
