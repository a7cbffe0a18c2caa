//! The laws of the code, checked: `cargo xtask tidy`. A file a law, and a line in [`LAWS`].
//!
//! What breaks a law and is known stands in `xtask/tidy/known.txt` with its extent, which may only shrink: what is new fails, and so
//! does a line that says more than there is. `--lower` brings the file down to what there is.

use crate::failure::{Failure, Outcome};
use crate::repository::{read, write};

use finding::Finding;
use tree::Tree;

mod circles;
mod crates;
mod finding;
mod folders;
mod generators;
mod imports;
mod known;
mod length;
mod literals;
mod markdown;
mod tree;
mod words;

/// A law: its word in `known.txt`, and what finds all that break it.
struct Law {
    name: &'static str,
    check: fn(&Tree) -> Outcome<Vec<Finding>>,
}

const LAWS: &[Law] = &[
    Law { name: "crates", check: crates::check },
    Law { name: "folders", check: folders::check },
    Law { name: "circle", check: circles::check },
    Law { name: "file", check: length::files },
    Law { name: "function", check: length::functions },
    Law { name: "literal", check: literals::check },
    Law { name: "word", check: words::check },
    Law { name: "markdown", check: markdown::check },
    Law { name: "generator", check: generators::check },
];

const KNOWN: &str = "xtask/tidy/known.txt";

/// Checks all laws and prints what breaks them. With `--lower`, known faults that are less than they were are written down so.
pub fn run(arguments: &[String]) -> Outcome {
    let lowers = match arguments {
        [] => false,
        [flag] if flag == "--lower" => true,
        _ => return Err(Failure::usage("usage: cargo xtask tidy [--lower]")),
    };
    let tree = Tree::read()?;
    let mut found = Vec::new();
    for law in LAWS {
        found.extend((law.check)(&tree)?.into_iter().map(|finding| (law.name, finding)));
    }
    let said = read(KNOWN)?;
    let known = known::parse(&said)?;
    if lowers {
        write(KNOWN, known::lowered(&said, &found)?)?;
        return Ok(());
    }
    let faults = known::faults(&known, &found);
    for fault in &faults {
        println!("{fault}");
    }
    for law in LAWS {
        let extents = known.iter().filter(|line| line.law == law.name).map(|line| line.extent);
        println!("{}: {} known, {} in all", law.name, extents.clone().count(), extents.sum::<usize>());
    }
    if faults.is_empty() { Ok(()) } else { Err(Failure::new(format!("{} faults", faults.len()))) }
}
