//! A list of edges, the plainest file of a graph. A line each:
//!
//! ```text
//! A B [CLASS] [LINKS]     links between two switches; one if no number is given, of class link if none is
//! switch A [NODES]        a switch, and how many compute nodes it has
//! node N A                a compute node on a switch, one at a time
//! ```
//!
//! Words are separated by blanks. `#` begins a comment. Class names do not begin with a digit. Lines for the same two
//! switches add up.

use std::ops::Range;

use super::attributes::Links;
use super::vertices::Vertices;
use super::{Word, Wrong};

/// Reads a list of edges.
pub(super) fn parse(text: &str) -> Result<Vertices, Wrong> {
    let mut vertices = Vertices::default();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let words: Vec<Word> = words(line, start).collect();
        start += line.len();
        if let Some((_, first)) = words.first() {
            let span = first.start..words[words.len() - 1].1.end;
            read_line(&words, &span, &mut vertices)?;
        }
    }
    Ok(vertices)
}

fn read_line(words: &[Word<'_>], span: &Range<usize>, vertices: &mut Vertices) -> Result<(), Wrong> {
    let is_number = |word: &Word| word.0.starts_with(|c: char| c.is_ascii_digit());
    match words {
        [("switch", _), name] => {
            vertices.named(name);
        }
        [("switch", _), name, nodes] => {
            let switch = vertices.named(name);
            vertices.set(switch, "nodes", nodes)?;
        }
        [("node", _), name, switch] => {
            if vertices.has(name.0) {
                let message = format!("`{}` has been named before", name.0);
                return Err(Wrong::new(&name.1, message, "give each node a name of its own"));
            }
            let ends = [vertices.named(switch), vertices.named(name)];
            vertices.set(ends[1], "kind", &("node", name.1.clone()))?;
            vertices.link(ends, span, Links::default())?;
        }
        [("switch" | "node", _), ..] => {
            return Err(Wrong::new(span, "this line has too few or too many words", HELP));
        }
        [a, b, more @ ..] if more.len() <= 2 => {
            let mut links = Links::default();
            match more {
                [] => {}
                [count] if is_number(count) => links.set("links", count)?,
                [class] => links.set("class", class)?,
                [class, count, ..] => {
                    if is_number(class) {
                        return Err(Wrong::new(&class.1, format!("`{}` is no class of links", class.0), HELP));
                    }
                    links.set("class", class)?;
                    links.set("links", count)?;
                }
            }
            let ends = [vertices.named(a), vertices.named(b)];
            vertices.link(ends, span, links)?;
        }
        _ => return Err(Wrong::new(span, "this line has too few or too many words", HELP)),
    }
    Ok(())
}

const HELP: &str = "write A B [CLASS] [LINKS] for links, switch A [NODES], or node N A";

/// Returns the words of a line up to a comment, and where each stands.
fn words(line: &str, start: usize) -> impl Iterator<Item = Word<'_>> {
    let text = line.split('#').next().unwrap_or_default();
    text.split_whitespace().map(move |word| {
        // A word is a part of the line.
        let at = start + (word.as_ptr() as usize - line.as_ptr() as usize);
        (word, at..at + word.len())
    })
}
