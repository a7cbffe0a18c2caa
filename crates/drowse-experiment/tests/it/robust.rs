//! Whatever is written in an experiment file, the answer is a case or a message, never a panic.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use drowse_experiment::Source;
use proptest::prelude::*;

use crate::support::{NETWORK, TRAFFIC, root, wrong};

fn resolve(text: String) {
    if let Ok(source) = Source::new(Path::new("x.toml"), text, &[])
        && let Err(error) = drowse_experiment::case(&Arc::new(source))
    {
        assert!(!error.to_string().is_empty());
    }
}

proptest! {
    /// Cuts a piece out of an example and puts another in; no digits, so that no network becomes huge.
    #[test]
    fn damaged_examples(start in 0..1800usize, length in 0..40usize, piece in "[\"'\\[\\]{}=.,#\n\\-a-z_ µ]{0,12}") {
        let text = fs::read_to_string(root("examples/cg-torus.toml")).unwrap();
        let boundary = |at: usize| (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap();
        let (start, end) = (boundary(start), boundary(start + length));
        resolve(format!("{}{piece}{}", &text[..start], &text[end..]));
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
