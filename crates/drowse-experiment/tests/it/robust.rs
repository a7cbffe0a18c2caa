//! Whatever is written in an experiment file, the answer is a case or a message, never a panic.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use drowse_experiment::{Source, network_bytes};
use proptest::prelude::*;

use crate::support::{NETWORK, TRAFFIC, root, wrong};

/// The largest network that is built: a larger one is no defect, but takes long.
const MOST_BYTES: u64 = 8 << 20;

/// Resolves what an experiment says; `path` is that of the example from which it comes.
fn resolve(path: &Path, text: String) {
    let Ok(source) = Source::new(path, text, &[]).map(Arc::new) else { return };
    if network_bytes(&source).is_ok_and(|bytes| bytes > MOST_BYTES) {
        return;
    }
    if let Err(error) = drowse_experiment::case(&source) {
        assert!(!error.to_string().is_empty());
    }
}

/// The text of an example, and its path.
fn example(which: prop::sample::Index) -> (PathBuf, String) {
    let paths = fs::read_dir(root("examples")).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect();
    paths.sort();
    let path = paths.swap_remove(which.index(paths.len()));
    let text = fs::read_to_string(&path).unwrap();
    (path, text)
}

proptest! {
    /// Cuts a piece out of an example and puts another in.
    #[test]
    fn damaged_examples(
        which in any::<prop::sample::Index>(),
        start in 0..1800usize,
        length in 0..40usize,
        piece in "[\"'\\[\\]{}=.,#\n\\-+0-9a-z_ µ]{0,12}",
    ) {
        let (path, text) = example(which);
        let boundary = |at: usize| (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap();
        let (start, end) = (boundary(start), boundary(start + length));
        resolve(&path, format!("{}{piece}{}", &text[..start], &text[end..]));
    }

    #[test]
    fn any_override(path in "[a-z.0-9]{0,20}", value in "\\PC{0,20}") {
        let text = format!("{NETWORK}{TRAFFIC}");
        if let Ok(source) = Source::new(Path::new("x.toml"), text, &[format!("{path}={value}")]) {
            let _ = drowse_experiment::system(&Arc::new(source));
        }
    }
}

#[test]
fn a_long_line_is_shown_around_the_place() {
    let text = format!("[network]\nkind = \"torus\"\ndims = [{}4, x]\n", "4, ".repeat(50_000));
    let message = wrong(&text);
    assert!(message.starts_with("x.toml:3:150012: error"), "{message}");
    assert!(message.len() < 500);
}

#[test]
fn deep_nesting_is_refused() {
    for text in [format!("{}a = 1", "a.".repeat(100_000)), format!("a = {}", "[".repeat(100_000))] {
        assert!(wrong(&text).contains("this is no TOML"));
    }
}
