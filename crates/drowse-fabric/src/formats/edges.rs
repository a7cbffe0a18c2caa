//! A list of edges, the plainest file of a graph. A line each:
//!
//! ```text
//! # columns: a b class links      what the columns of links are, if they have more than two or a class
//! A B [CLASS [LINKS]]             links between two switches; one if no number is given, of class link if none is
//! switch A [NODES]                a switch, and how many compute nodes it has
//! node N A                        a compute node on a switch, one at a time
//! ```
//!
//! Words are separated by blanks. `#` begins a comment. Nothing is guessed: a number in the third column needs the
//! header, a pair of switches that stands twice is refused, and so are names that other formats would have.

use std::collections::HashMap;
use std::ops::Range;

use super::columns::{Column, Columns, HELP};
use super::words;
use crate::model::attributes::Links;
use crate::model::vertices::Vertices;
use crate::model::wrong::{Word, Wrong, shown};
use crate::recognise::text::Text;

/// Reads a list of edges.
pub(crate) fn parse(text: &str) -> Result<Vertices, Wrong> {
    let mut list = List::default();
    for (line, span) in words::lines(text) {
        if let Some(header) = header(line) {
            list.head(header, &span)?;
            continue;
        }
        let words: Vec<Word> = words::of(line.split('#').next().unwrap_or_default(), span.start).collect();
        if let Some((_, first)) = words.first() {
            let span = first.start..words[words.len() - 1].1.end;
            list.read(&words, &span)?;
        }
    }
    list.check_classes()?;
    Ok(list.vertices)
}

/// Returns whether a text is a list of edges whose header says what its columns are.
pub(crate) fn has_header(text: &Text<'_>) -> bool {
    text.whole.lines().any(|line| header(line).is_some())
}

/// Returns what stands behind `# columns:`, if a line is a header.
fn header(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("columns:")
}

/// What has been read of a list.
#[derive(Default)]
struct List<'t> {
    vertices: Vertices,
    /// What a header says, and whether links have been read.
    columns: Option<Columns>,
    has_links: bool,
    /// The pairs of switches that are linked, and what the line says: the class, and whether it gives a number.
    linked: HashMap<[usize; 2], Vec<(Option<String>, bool)>>,
    /// Where each class is named first.
    classes: HashMap<&'t str, Range<usize>>,
}

impl<'t> List<'t> {
    fn head(&mut self, header: &str, line: &Range<usize>) -> Result<(), Wrong> {
        let end = line.end;
        let span = end - header.len()..end - (header.len() - header.trim_end().len());
        if self.has_links || self.columns.is_some() {
            let message = "this header stands behind links, or behind another header";
            return Err(Wrong::new(&span, message, "write one, before all links"));
        }
        self.columns = Some(Columns::read(header, span.start)?);
        Ok(())
    }

    fn read(&mut self, words: &[Word<'t>], span: &Range<usize>) -> Result<(), Wrong> {
        match words {
            [("switch", _), name] => {
                check_name(name)?;
                self.vertices.named(name);
            }
            [("switch", _), name, nodes] => {
                check_name(name)?;
                let switch = self.vertices.named(name);
                if self.vertices.says_nodes(switch) {
                    let message = format!("the nodes of `{}` have been given before", shown(name.0));
                    return Err(Wrong::new(span, message, "write each switch once"));
                }
                self.vertices.set(switch, "nodes", nodes)?;
            }
            [("node", _), name, switch] => {
                check_name(name)?;
                check_name(switch)?;
                if self.vertices.has(name.0) {
                    let message = format!("`{}` has been named before", shown(name.0));
                    return Err(Wrong::new(&name.1, message, "give each node a name of its own"));
                }
                let ends = [self.vertices.named(switch), self.vertices.named(name)];
                self.vertices.set(ends[1], "kind", &("node", name.1.clone()))?;
                self.vertices.link(ends, span, Links::default())?;
            }
            [("switch" | "node", _), ..] | [_] => return Err(Wrong::new(span, WORDS, HELP)),
            [a, b, more @ ..] => self.link([a, b], more, span)?,
            [] => {}
        }
        Ok(())
    }

    fn link(&mut self, ends: [&Word<'t>; 2], more: &[Word<'t>], span: &Range<usize>) -> Result<(), Wrong> {
        self.has_links = true;
        check_name(ends[0])?;
        check_name(ends[1])?;
        let plain;
        let columns = if let Some(columns) = &self.columns {
            columns
        } else {
            plain = Columns::plain(more, span)?;
            &plain
        };
        let mut links = Links::default();
        let (mut class, mut counted): (Option<String>, bool) = (None, false);
        for (column, value) in columns.of(more, span)? {
            match column {
                Column::Class => {
                    check_name(value)?;
                    self.classes.entry(value.0).or_insert_with(|| value.1.clone());
                    class = Some(value.0.to_owned());
                }
                Column::Links => counted = true,
                // A bandwidth or a latency makes a class, too.
                Column::Bandwidth(_) | Column::Latency(_) => {
                    class = Some(class.take().unwrap_or_default() + " " + value.0);
                }
                Column::Aside => {}
            }
            column.set(&mut links, value)?;
        }
        let numbers = [self.vertices.named(ends[0]), self.vertices.named(ends[1])];
        self.check_pair(numbers, ends, (class, counted), span)?;
        self.vertices.link(numbers, span, links)
    }

    /// Refuses a pair of switches that is linked before, unless both lines tell the numbers of links of two classes.
    fn check_pair(
        &mut self,
        [a, b]: [usize; 2],
        names: [&Word<'_>; 2],
        said: (Option<String>, bool),
        span: &Range<usize>,
    ) -> Result<(), Wrong> {
        let before = self.linked.entry([a.min(b), a.max(b)]).or_default();
        if before.iter().any(|(class, counted)| *class == said.0 || !counted || !said.1) {
            let [a, b] = names.map(|(name, _)| shown(name));
            let message = format!("`{a}` and `{b}` are linked by a line before this one");
            let help =
                "write each pair once, not in both directions; parallel links by their number: `# columns: a b links`";
            return Err(Wrong::new(span, message, help));
        }
        before.push(said);
        Ok(())
    }

    /// Refuses a class that is also a switch: then the line lists neighbours.
    fn check_classes(&self) -> Result<(), Wrong> {
        let both = self.classes.iter().filter(|(class, _)| self.vertices.has(class));
        match both.min_by_key(|(_, span)| span.start) {
            Some((class, span)) => {
                let message = format!("`{}` is the class of a link here, and a switch elsewhere", shown(class));
                Err(Wrong::new(span, message, "write one link a line, A B; give classes names of their own"))
            }
            None => Ok(()),
        }
    }
}

const WORDS: &str = "this line has too few or too many words";

/// Refuses a name that is rather a part of another format.
fn check_name((name, span): &Word<'_>) -> Result<(), Wrong> {
    const SIGNS: &[char] = &['=', '[', ']', '{', '}', '"', ',', ';', '<', '>', '(', ')', '|', '\'', '`', '\\'];
    let begins = |c: char| c.is_alphanumeric() || c == '_';
    let message = match name.chars().find(|sign| SIGNS.contains(sign)) {
        Some(sign) => format!("`{}` is no name here: it has `{sign}`", shown(name)),
        None if !name.starts_with(begins) => format!("`{}` is no name here", shown(name)),
        None => return Ok(()),
    };
    let help =
        "names begin with a letter or digit and have none of = [ ] { } ( ) < > \" ' , ; |; lines of links are A B";
    Err(Wrong::new(span, message, help))
}
