//! `cargo xtask book`: runs every command and every file that README.md and the pages of docs/start and docs/how-to show, compares
//! what they print and the pictures that they make, checks the form of all pages and the links of the book, and builds it.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::failure::{Failure, Outcome};
use crate::pages;
use crate::process::{command, drowse, is_same, run as go, tool};
use crate::repository::{files, read, write};

use shown::Page;

mod links;
mod shown;
mod told;

const SHOWN: &str = "docs/shown";

/// Checks the book. `--update` writes what the commands print and draw into the pages.
pub fn run(arguments: &[String]) -> Outcome {
    let (updates, rest) = match arguments {
        [flag, rest @ ..] if flag == "--update" => (true, rest),
        rest => (false, rest),
    };
    let drowse = drowse(rest.first())?;
    pages::run(&[])?;
    let scratch = tempfile::tempdir()?;
    let programs = scratch.path().join("bin");
    fs::create_dir(&programs)?;
    symlink(&drowse, programs.join("drowse"))?;
    let path = env::var("PATH")
        .map_or_else(|_| programs.display().to_string(), |path| format!("{}:{path}", programs.display()));
    let mut made = BTreeSet::new();
    for page in files()?.into_iter().filter(|file| is_run(file)) {
        println!("{page}");
        let here = scratch.path().join(page.replace('/', "-"));
        fs::create_dir(&here)?;
        go(command("cp", ["-r", "examples"]).arg(&here))?;
        symlink(env::current_dir()?.join("traces"), here.join("traces"))?;
        let text = read(&page)?;
        let new = Page { name: &page, here: &here, path: &path }.filled(&text)?;
        compare(updates, Path::new(&page), &new)?;
        for picture in links::pictures(&text) {
            compare(updates, &Path::new(SHOWN).join(picture), &read(here.join(picture))?)?;
            made.insert(picture.to_owned());
        }
    }
    for picture in fs::read_dir(SHOWN)? {
        let picture = picture?.file_name().to_string_lossy().into_owned();
        if !made.contains(&picture) {
            return Err(Failure::new(format!("{SHOWN}/{picture}: no page makes this picture")));
        }
    }
    links::check(&files()?)?;
    go(&mut command(tool("mdbook")?, ["build", "docs"]))
}

/// Whether the commands of a page are run.
fn is_run(file: &str) -> bool {
    let is_shown =
        |folder: &str| file.strip_prefix(folder).is_some_and(|name| name.ends_with(".md") && !name.contains('/'));
    file == "README.md" || is_shown("docs/start/") || is_shown("docs/how-to/")
}

/// A file that pages show is as it should be, or is made so.
fn compare(updates: bool, old: &Path, new: &str) -> Outcome {
    if updates {
        if let Some(folder) = old.parent() {
            fs::create_dir_all(folder)?;
        }
        write(old, new)
    } else if is_same(old, new)? {
        Ok(())
    } else {
        Err(Failure::new(format!(
            "{}: what the commands print has changed: look, then cargo xtask book --update",
            old.display()
        )))
    }
}
