//! A file has at most 600 lines, a function at most 100, tests included.

use super::finding::Finding;
use super::tree::Tree;
use crate::failure::Outcome;
use crate::rust::tokens::{Kind, Token, tokens};

const FILE: usize = 600;
const FUNCTION: usize = 100;

/// Finds files that are too long.
pub fn files(tree: &Tree) -> Outcome<Vec<Finding>> {
    let long = tree.rust().map(|(file, text)| (file, text.lines().count())).filter(|(_, lines)| *lines > FILE);
    let found = long.map(|(file, lines)| {
        let message = format!("{lines} lines: over {FILE}, it has two subjects; part them");
        Finding { key: file.to_owned(), extent: lines, file: file.to_owned(), line: FILE + 1, message }
    });
    Ok(found.collect())
}

/// Finds functions that are too long.
pub fn functions(tree: &Tree) -> Outcome<Vec<Finding>> {
    let mut found = Vec::new();
    for (file, text) in tree.rust() {
        for (name, line, lines) in lengths(&tokens(text).tokens).into_iter().filter(|(.., lines)| *lines > FUNCTION) {
            let message = format!("{name} has {lines} lines: over {FUNCTION}, part it");
            found.push(Finding { key: format!("{file} {name}"), extent: lines, file: file.to_owned(), line, message });
        }
    }
    Ok(found)
}

/// Returns each function with its line, and how many lines it has.
fn lengths<'a>(tokens: &[Token<'a>]) -> Vec<(&'a str, usize, usize)> {
    let mut found = Vec::new();
    for (at, pair) in tokens.windows(2).enumerate() {
        if pair[0].is("fn") && pair[1].kind == Kind::Word {
            let end = end_of_body(&tokens[at..]).unwrap_or(pair[0].line);
            found.push((pair[1].text, pair[0].line, end - pair[0].line + 1));
        }
    }
    found
}

/// Returns the line on which the body of a function ends; none if it has none.
fn end_of_body(tokens: &[Token]) -> Option<usize> {
    let (mut braces, mut others) = (0_usize, 0_usize);
    for token in tokens.iter().filter(|token| token.kind == Kind::Sign) {
        match token.text {
            "{" => braces += 1,
            "}" if braces <= 1 => return (braces == 1).then_some(token.line),
            "}" => braces -= 1,
            "(" | "[" if braces == 0 => others += 1,
            ")" | "]" if braces == 0 => others = others.saturating_sub(1),
            ";" if braces == 0 && others == 0 => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_601_lines_and_a_function_of_101_are_found() {
        let (at_most, over) = ("\n".repeat(FILE), "\n".repeat(FILE + 1));
        let found = files(&Tree::of(&[("a.rs", &at_most), ("b.rs", &over)])).unwrap();
        assert_eq!(
            found.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["b.rs:601: 601 lines: over 600, it has two subjects; part them"]
        );
        let function = |lines: usize| {
            format!("trait T {{\n  fn none(&self) -> [u8; 2];\n}}\nfn long() {{{}}}", "\n".repeat(lines - 1))
        };
        let found = functions(&Tree::of(&[("a.rs", &function(FUNCTION)), ("b.rs", &function(FUNCTION + 1))])).unwrap();
        assert_eq!(
            found.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["b.rs:4: long has 101 lines: over 100, part it"]
        );
    }
}
