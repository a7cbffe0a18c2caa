//! Every example resolves, and says so in comments.

use std::fs;
use std::sync::Arc;

use drowse_experiment::{Sweep, load_case, load_system, read_source};

use crate::support::root;

#[test]
fn every_example_resolves() {
    let mut count = 0;
    for entry in fs::read_dir(root("examples")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            count += 1;
            let system = load_system(&path, &[]).unwrap_or_else(|error| panic!("{error}"));
            assert_ne!(Some(system.title.as_str()), path.file_stem().and_then(|stem| stem.to_str()), "has a title");
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.starts_with("# "), "{}: says first what it teaches", path.display());
            if text.contains("[sweep]") {
                let source = Arc::new(read_source(&path, &[]).unwrap());
                let sweep = Sweep::new(&source).unwrap_or_else(|error| panic!("{error}"));
                (0..sweep.cases()).for_each(|case| {
                    sweep.case(case).unwrap_or_else(|error| panic!("{error}"));
                });
            } else if text.contains("[traffic]") || text.contains("[[job]]") {
                load_case(&path, &[]).unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }
    assert!(count >= 8, "only {count} examples were found");
}
