//! The Internet Topology Zoo (Knight et al. 2011): its networks are read, and what of them is not is said.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use drowse_experiment::{Diagnostic, Source, System};

fn read(file: &Path) -> Result<System, Diagnostic> {
    let name = file.file_name().unwrap().to_string_lossy();
    let text = format!("[network]\nkind = \"graph\"\nfile = \"{name}\"\n");
    let source = Source::new(&file.with_file_name("x.toml"), text, &[])?;
    drowse_experiment::system(&Arc::new(source))
}

/// Reads all GraphML files of the folder that `DROWSE_TOPOLOGY_ZOO` names; at least 94 of 100 must be read.
#[test]
fn all_of_the_zoo() {
    let Ok(folder) = std::env::var("DROWSE_TOPOLOGY_ZOO") else { return };
    let is_graph = |path: &std::path::PathBuf| path.extension().is_some_and(|ending| ending == "graphml" || ending == "xml");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(is_graph).collect();
    files.sort();
    let mut refused = 0;
    for file in &files {
        match read(file) {
            Ok(system) => println!("{}: {} switches, {:?}", file.display(), system.network.switches(), system.notes),
            Err(error) => {
                refused += 1;
                println!("{error}");
            }
        }
    }
    println!("{} of {} read", files.len() - refused, files.len());
    assert!(!files.is_empty() && 100 * refused <= 6 * files.len(), "{refused} of {} are refused", files.len());
}

#[test]
fn perf() {
    let Ok(folder) = std::env::var("PERF") else { return };
    for entry in fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().path();
        let start = std::time::Instant::now();
        let told = read(&file).map(|system| format!("{:?} {}", system.notes, system.network.switches())).unwrap_or_else(|error| error.to_string());
        println!("{:?} {} {}", start.elapsed(), file.display(), told.chars().take(700).collect::<String>());
    }
}
