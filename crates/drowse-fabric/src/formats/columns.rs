//! The columns of a list of edges: what its header says, or what goes without one.

use std::ops::Range;

use crate::model::attributes::Links;
use crate::model::wrong::{Word, Wrong, shown};
use drowse_tables::nearest::meant;

/// What a column says of a link beside its two ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    Class,
    /// How many parallel links there are.
    Links,
    /// With the unit of bare numbers, if the header gives one.
    Bandwidth(Option<String>),
    Latency(Option<String>),
    /// Nothing of the network.
    Aside,
}

/// The columns of a list behind the two ends of each link.
#[derive(Debug)]
pub(crate) struct Columns(Vec<Column>);

/// What lines there are.
pub(crate) const HELP: &str = "write A B [CLASS [LINKS]] for links, switch A [NODES], or node N A";
/// The names of columns in headers.
const NAMES: [&str; 5] = ["class", "links", "bandwidth", "latency", "-"];
/// What stands for a value that a line does not give.
const NONE: &str = "-";

impl Columns {
    /// Reads a header, which begins at a byte of the file: `a b class links`.
    pub fn read(header: &str, start: usize) -> Result<Self, Wrong> {
        let words: Vec<Word> = header
            .split_whitespace()
            .map(|word| (word, start + (word.as_ptr() as usize - header.as_ptr() as usize)))
            .map(|(word, at)| (word, at..at + word.len()))
            .collect();
        let [("a", _), ("b", _), rest @ ..] = &words[..] else {
            let span = start..start + header.trim_end().len();
            return Err(Wrong::new(
                &span,
                "the first two columns are the ends of a link",
                "write `# columns: a b ...`",
            ));
        };
        Columns::named(rest)
    }

    /// Reads the names of columns behind the two ends.
    pub fn named(rest: &[Word<'_>]) -> Result<Self, Wrong> {
        let columns = rest.iter().map(Column::read).collect::<Result<Vec<Column>, Wrong>>()?;
        let twice =
            |at: usize| columns[at] != Column::Aside && columns[..at].iter().any(|column| column.is_same(&columns[at]));
        match (0..columns.len()).find(|&at| twice(at)) {
            Some(at) => Err(Wrong::new(
                &rest[at].1,
                format!("there are two columns `{}`", shown(rest[at].0)),
                "write each once",
            )),
            None => Ok(Columns(columns)),
        }
    }

    /// Returns the columns of a line without a header: a class that is no number, and a number of links behind it.
    pub fn plain(more: &[Word<'_>], line: &Range<usize>) -> Result<Self, Wrong> {
        match more {
            [] => Ok(Columns(Vec::new())),
            [(word, span), ..] if is_number(word) => {
                let message = format!("the number `{}` may be links, a bandwidth or a weight", shown(word));
                let help = "say which by a line before all links: `# columns: a b links`, or bandwidth(Gb/s), or -";
                Err(Wrong::new(span, message, help))
            }
            [_] => Ok(Columns(vec![Column::Class])),
            [_, _] => Ok(Columns(vec![Column::Class, Column::Links])),
            _ => Err(Wrong::new(line, "this line has too few or too many words", HELP)),
        }
    }

    /// Returns the values of a line with their columns, those that it gives.
    pub fn of<'c, 'w, 't>(
        &'c self,
        more: &'w [Word<'t>],
        line: &Range<usize>,
    ) -> Result<impl Iterator<Item = (&'c Column, &'w Word<'t>)>, Wrong> {
        if more.len() != self.0.len() {
            let message =
                format!("this line has {} words, and the header {} columns", more.len() + 2, self.0.len() + 2);
            return Err(Wrong::new(line, message, "write all columns; - stands for what is not known"));
        }
        Ok(self.0.iter().zip(more).filter(|(_, (word, _))| *word != NONE))
    }
}

impl Column {
    fn read((word, span): &Word<'_>) -> Result<Self, Wrong> {
        let (name, unit) = match word.strip_suffix(')').and_then(|word| word.split_once('(')) {
            Some((name, unit)) => (name, Some(unit)),
            None => (*word, None),
        };
        let column = match (name, unit) {
            ("class", None) => Column::Class,
            ("links", None) => Column::Links,
            (NONE, None) => Column::Aside,
            ("bandwidth", unit) => Column::Bandwidth(unit.map(str::to_owned)),
            ("latency", unit) => Column::Latency(unit.map(str::to_owned)),
            _ => {
                let message = format!("`{}` is no column that is known here", shown(word));
                let help = format!(
                    "{}known: class, links, bandwidth(Gb/s), latency(us), the units as needed, - for none of these",
                    meant(name, &NAMES)
                );
                return Err(Wrong::new(span, message, help));
            }
        };
        // A unit that there is not is told here rather than at the first link.
        column
            .set(&mut Links::default(), &("1", span.clone()))
            .or_else(|wrong| if unit.is_some() { Err(wrong) } else { Ok(()) })?;
        Ok(column)
    }

    /// Returns whether two columns say the same of a link, whatever their units.
    fn is_same(&self, other: &Column) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// Sets what the column says of a link to a value.
    pub fn set(&self, links: &mut Links, value: &Word<'_>) -> Result<(), Wrong> {
        let measured = |name: &str, unit: &Option<String>, links: &mut Links| match unit {
            Some(unit) => links.set(name, &(&format!("{} {unit}", value.0), value.1.clone())),
            None => links.set(name, value),
        };
        match self {
            Column::Class => links.set("class", value),
            Column::Links => links.set("links", value),
            Column::Bandwidth(unit) => measured("bandwidth", unit, links),
            Column::Latency(unit) => measured("latency", unit, links),
            Column::Aside => Ok(()),
        }
    }
}

/// Returns whether a word is a number, or begins as one.
fn is_number(word: &str) -> bool {
    let digits = word.trim_start_matches(['+', '-', '.']);
    digits.starts_with(|c: char| c.is_ascii_digit())
}
