//! One name for one thing, and the name of the field: `xtask/tidy/words.txt` lists words that Drowse does not use.

use std::collections::BTreeMap;

use super::finding::Finding;
use super::generators;
use super::tree::Tree;
use crate::failure::{Failure, Outcome};
use crate::repository::read;
use crate::rust::tokens::{Kind, tokens};

const LIST: &str = "xtask/tidy/words.txt";

/// Pages that say what was: names of old versions are right there.
const HISTORY: [&str; 2] = ["CHANGELOG.md", "docs/tried.md"];

/// Where a word is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In identifiers and prose.
    Word,
    /// In identifiers.
    Name,
    /// As a phrase of prose.
    Prose,
    /// At the beginning of a documentation comment.
    Begins,
}

#[derive(Debug)]
struct Avoided<'a> {
    place: Place,
    text: &'a str,
    say: &'a str,
}

/// Finds words that should be others, a finding for each word of a file.
pub fn check(tree: &Tree) -> Outcome<Vec<Finding>> {
    let list = read(LIST)?;
    Ok(find(tree, &parse(&list)?))
}

fn parse(list: &str) -> Outcome<Vec<Avoided<'_>>> {
    let lines = list.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let parsed = lines.map(|(at, line)| {
        let cells: Vec<&str> = line.split(" | ").collect();
        let place = match cells.first() {
            Some(&"word") => Some(Place::Word),
            Some(&"name") => Some(Place::Name),
            Some(&"prose") => Some(Place::Prose),
            Some(&"begins") => Some(Place::Begins),
            _ => None,
        };
        match (place, &cells[..]) {
            (Some(place), [_, text, say]) => Ok(Avoided { place, text, say }),
            _ => Err(Failure::new(format!("{LIST}:{}: write it as: word, name, prose or begins | text | say", at + 1))),
        }
    });
    parsed.collect()
}

fn find(tree: &Tree, list: &[Avoided]) -> Vec<Finding> {
    let mut found = BTreeMap::new();
    for (file, text) in tree.rust().filter(|(file, _)| !file.starts_with("xtask/")) {
        let source = tokens(text);
        for token in source.tokens.iter().filter(|token| token.kind == Kind::Word) {
            let parts = parts(token.text);
            for avoided in list.iter().filter(|avoided| matches!(avoided.place, Place::Word | Place::Name)) {
                if parts.iter().any(|part| part == avoided.text) {
                    note(&mut found, file, token.line, avoided);
                }
            }
        }
        let mut last = None;
        for comment in &source.comments {
            let begins = comment.documents && last != Some(comment.line - 1);
            last = Some(comment.line);
            prose(&mut found, file, comment.line, comment.text, begins, list);
        }
    }
    let generated = generators::pages(tree);
    for (page, text) in tree.pages().filter(|(page, _)| !generated.contains_key(*page) && !HISTORY.contains(page)) {
        for (at, line) in text.lines().enumerate() {
            prose(&mut found, page, at + 1, line, false, list);
        }
    }
    found.into_values().collect()
}

/// Looks through a line of prose.
fn prose(found: &mut BTreeMap<String, Finding>, file: &str, line: usize, text: &str, begins: bool, list: &[Avoided]) {
    for avoided in list {
        let is_there = match avoided.place {
            Place::Word => text.split(|c: char| !c.is_alphanumeric()).any(|word| word.to_lowercase() == avoided.text),
            Place::Prose => text.contains(avoided.text),
            Place::Begins => {
                begins && text.trim_start().strip_prefix(avoided.text).is_some_and(|rest| rest.starts_with(' '))
            }
            Place::Name => false,
        };
        if is_there {
            note(found, file, line, avoided);
        }
    }
}

fn note(found: &mut BTreeMap<String, Finding>, file: &str, line: usize, avoided: &Avoided) {
    let key = format!("{file} {}", avoided.text);
    let message = format!("\"{}\": say instead: {}", avoided.text, avoided.say);
    let finding = Finding { key: key.clone(), extent: 0, file: file.to_owned(), line, message };
    found.entry(key).or_insert(finding).extent += 1;
}

/// Returns the words of an identifier, in small letters.
fn parts(identifier: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut was_small = false;
    for c in identifier.chars() {
        if c == '_' || (c.is_uppercase() && was_small) {
            parts.push(String::new());
        }
        was_small = c.is_lowercase() || c.is_ascii_digit();
        if c != '_'
            && let Some(part) = parts.last_mut()
        {
            part.extend(c.to_lowercase());
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str =
        "word | strand | activity\nname | late | wake delay\nprose | the same of | it\nbegins | Gives | Returns\n";

    fn said(file: &str, text: &str) -> Vec<String> {
        let found = find(&Tree::of(&[(file, text)]), &parse(LIST).unwrap());
        found.iter().map(|finding| format!("{finding} ({})", finding.extent)).collect()
    }

    #[test]
    fn names_comments_and_beginnings_are_found() {
        let text =
            "/// Gives it.\n/// Gives more.\nfn f() { StrandOf(late_by) } // A strand is late.\n// the same of all\n";
        assert_eq!(
            said("a.rs", text),
            [
                "a.rs:1: \"Gives\": say instead: Returns (1)",
                "a.rs:3: \"late\": say instead: wake delay (1)",
                "a.rs:3: \"strand\": say instead: activity (2)",
                "a.rs:4: \"the same of\": say instead: it (1)",
            ]
        );
    }

    #[test]
    fn words_that_only_contain_one_are_not() {
        assert_eq!(said("a.rs", "fn latest() { stranded; \"strand\" }"), Vec::<String>::new());
    }

    #[test]
    fn pages_are_read_and_history_is_not() {
        assert_eq!(said("a.md", "No Strand.\n"), ["a.md:1: \"strand\": say instead: activity (1)"]);
        assert_eq!(said("CHANGELOG.md", "No strand.\n"), Vec::<String>::new());
    }
}
