//! `cargo xtask pages`: the form of all pages, and that pages agree where they say the same.

use crate::failure::{Failure, Outcome};
use crate::repository::{files, read};

mod claims;
pub mod form;

/// Checks all pages; where files are named, the form of these only.
pub fn run(arguments: &[String]) -> Outcome {
    let pages = if arguments.is_empty() {
        files()?.into_iter().filter(|file| is_ours(file)).collect()
    } else {
        arguments.to_vec()
    };
    let mut found = 0;
    for page in &pages {
        for (line, fault) in form::faults(&read(page)?) {
            println!("{page}:{line}: {fault}");
            found += 1;
        }
    }
    if arguments.is_empty() {
        for difference in claims::differences(&|page| read(page))? {
            println!("{difference}");
            found += 1;
        }
    }
    if found == 0 { Ok(()) } else { Err(Failure::new("")) }
}

/// Whether a file is a page, and not one of others, nor one from which a page of `docs` is made, which is checked itself.
pub fn is_ours(file: &str) -> bool {
    let others = ["crates/drowse-report/assets/", "crates/drowse-reproduce/examples/figures/"];
    file.ends_with(".md") && !others.iter().any(|folder| file.starts_with(folder))
}
