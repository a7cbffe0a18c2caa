//! Tables of links whose first line names the columns: `source,target,bandwidth(Gb/s)`.
//!
//! Commas, semicolons, tabs or blanks separate the values. Which column is a bandwidth is what the first line says, and
//! never guessed: a `weight` may be one, or a length, or a cost.

use std::collections::HashMap;
use std::ops::Range;

use super::columns::Columns;
use super::words;
use crate::model::attributes::Links;
use crate::model::vertices::Vertices;
use crate::model::wrong::{Word, Wrong, shown};
use crate::recognise::text::{Text, words as words_of};

/// Names of the two columns of ends.
const ENDS: [[&str; 2]; 5] =
    [["source", "target"], ["from", "to"], ["src", "dst"], ["fromnodeid", "tonodeid"], ["a", "b"]];
const HELP: &str = "write source,target,bandwidth(Gb/s),latency(us),links,class as far as there are such, - for others";

/// Commas or semicolons, the same number in each line, or a first line that names columns.
pub(crate) fn sign(text: &Text<'_>) -> bool {
    let separated = |sign: char| {
        let count = |line: &str| line.matches(sign).count();
        let first = count(text.first());
        first > 0 && text.lines.iter().all(|line| count(line) == first)
    };
    separated(',') || separated(';') || has_head(text)
}

/// Returns whether the first line names columns: words that no other line has.
fn has_head(text: &Text<'_>) -> bool {
    let head = words_of(text.first());
    let is_head = |names: &[&str; 2]| head.len() >= 2 && (0..2).all(|at| head[at].eq_ignore_ascii_case(names[at]));
    let mut rest = text.lines.iter().skip(1).flat_map(|line| words_of(line));
    ENDS[..4].iter().any(is_head) && text.lines.len() > 1 && rest.all(|word| !head.contains(&word))
}

/// Reads a table.
pub(crate) fn parse(text: &str) -> Result<Vertices, Wrong> {
    let lines =
        || words::lines(text).filter(|(line, _)| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    let Some((first, _)) = lines().next() else {
        return Err(Wrong::new(&(0..0), "this table is empty", HELP));
    };
    let separator = [',', ';', '\t'].into_iter().find(|sign| first.contains(*sign));
    let mut table: Option<Table> = None;
    let mut vertices = Vertices::default();
    let mut linked: HashMap<[usize; 2], Range<usize>> = HashMap::new();
    for (line, span) in lines() {
        let cells = cells(line, span.start, separator)?;
        let line = span.start..span.start + line.trim_end().len();
        let Some(table) = &table else {
            table = Some(Table::read(&cells, &line)?);
            continue;
        };
        let (ends, links) = table.link(&cells, &line)?;
        let ends = ends.map(|end| vertices.named(&end));
        let pair = [ends[0].min(ends[1]), ends[0].max(ends[1])];
        if linked.insert(pair, line.clone()).is_some() {
            let message = "these two are linked by a line before this one";
            return Err(Wrong::new(
                &line,
                message,
                "write each pair once; parallel links by their number, in a column links",
            ));
        }
        vertices.link(ends, &line, links)?;
    }
    Ok(vertices)
}

/// The columns of a table.
struct Table {
    ends: [usize; 2],
    columns: Columns,
    number: usize,
}

impl Table {
    /// Reads the first line.
    fn read(head: &[Word<'_>], line: &Range<usize>) -> Result<Self, Wrong> {
        let find = |name: &str| head.iter().position(|(cell, _)| cell.eq_ignore_ascii_case(name));
        let ends = ENDS.iter().find_map(|[a, b]| Some([find(a)?, find(b)?]));
        let ends = ends.ok_or_else(|| Wrong::new(line, "this first line names no columns source and target", HELP))?;
        let names: Vec<String> = Self::others(ends, head).map(|(name, _)| usual(name)).collect();
        let places = Self::others(ends, head).map(|(_, span)| span.clone());
        let rest: Vec<Word<'_>> = names.iter().map(String::as_str).zip(places).collect();
        let columns =
            Columns::named(&rest).map_err(|wrong| match rest.iter().find(|(_, span)| *span == wrong.span) {
                Some((name, _)) if wrong.message.contains("is no column") => {
                    let message = format!("nothing says what the column `{}` is of a link", shown(name));
                    Wrong { message, help: HELP.to_owned(), ..wrong }
                }
                _ => wrong,
            })?;
        Ok(Table { ends, columns, number: head.len() })
    }

    /// Returns the cells of a line but for the ends.
    fn others<'c, 't>(ends: [usize; 2], cells: &'c [Word<'t>]) -> impl Iterator<Item = &'c Word<'t>> {
        cells.iter().enumerate().filter(move |(at, _)| !ends.contains(at)).map(|(_, cell)| cell)
    }

    /// Reads a line.
    fn link<'t>(&self, cells: &[Word<'t>], line: &Range<usize>) -> Result<([Word<'t>; 2], Links), Wrong> {
        if cells.len() != self.number {
            let message = format!("this line has {} values, and the first line {} names", cells.len(), self.number);
            return Err(Wrong::new(line, message, "write a value for each column; - stands for what is not known"));
        }
        let ends = self.ends.map(|at| cells[at].clone());
        if let Some((_, span)) = ends.iter().find(|(name, _)| name.is_empty()) {
            return Err(Wrong::new(span, "this end of a link has no name", "write one"));
        }
        let rest: Vec<Word<'t>> = Self::others(self.ends, cells).cloned().collect();
        let mut links = Links::default();
        for (column, value) in self.columns.of(&rest, line)?.filter(|(_, (value, _))| !value.is_empty()) {
            column.set(&mut links, value)?;
        }
        Ok((ends, links))
    }
}

/// Returns the usual name of a column that others call a capacity, a speed or a delay.
fn usual(name: &str) -> String {
    const NAMES: [(&str, &str); 3] = [("capacity", "bandwidth"), ("speed", "bandwidth"), ("delay", "latency")];
    let (plain, unit) = name.split_at(name.find('(').unwrap_or(name.len()));
    let known = NAMES.iter().find(|(other, _)| *other == plain.trim()).map_or(plain.trim(), |(_, usual)| usual);
    format!("{known}{unit}")
}

/// Returns the values of a line, without blanks and quotes around them.
fn cells(line: &str, start: usize, separator: Option<char>) -> Result<Vec<Word<'_>>, Wrong> {
    let line = line.trim_end_matches(['\r', '\n']);
    let Some(sign) = separator else { return Ok(words::of(line, start).collect()) };
    let place = |cell: &str| start + (cell.as_ptr() as usize - line.as_ptr() as usize);
    let cell = |raw: &'_ str| {
        let trimmed = raw.trim();
        let plain = trimmed.strip_prefix('"').and_then(|cell| cell.strip_suffix('"')).unwrap_or(trimmed);
        let at = place(plain);
        if plain.contains('"') {
            let message = format!("`{}` has a quote within it", shown(plain));
            return Err(Wrong::new(&(at..at + plain.len()), message, "write values without quotes and separators"));
        }
        Ok(at..at + plain.len())
    };
    let places = line.split(sign).map(cell).collect::<Result<Vec<Range<usize>>, Wrong>>()?;
    Ok(places.into_iter().map(|span| (&line[span.start - start..span.end - start], span)).collect())
}
