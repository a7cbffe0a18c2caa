//! Conditions on figures, such as `slowdown <= 1% and links.wakes < 1000`.

use crate::best::figure::Figure;
use crate::error::ReportError;
use crate::table::Table;

/// What cases must keep.
#[derive(Debug)]
pub struct Condition(Vec<Term>);

#[derive(Debug)]
struct Term {
    figure: Figure,
    relation: Relation,
    bound: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    AtMost,
    Below,
    AtLeast,
    Above,
    Equal,
    Unequal,
}

/// Longer signs first, since shorter ones are their beginnings.
const RELATIONS: [(&str, Relation); 6] = [
    ("<=", Relation::AtMost),
    (">=", Relation::AtLeast),
    ("!=", Relation::Unequal),
    ("<", Relation::Below),
    (">", Relation::Above),
    ("=", Relation::Equal),
];

const HELP: &str = "write conditions such as slowdown <= 1% and links.wakes < 1000";

/// A text that is read from its beginning.
struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Condition {
    /// Reads a condition; a message names the column of the text.
    pub fn parse(text: &str, table: &Table) -> Result<Self, ReportError> {
        let mut reader = Reader { text, at: 0 };
        let mut terms = Vec::new();
        loop {
            terms.push(reader.term(table)?);
            let start = reader.skip();
            match reader.word() {
                "" if reader.rest().is_empty() => return Ok(Condition(terms)),
                "and" => {}
                _ => return Err(reader.error(start, "`and` or the end is wanted here", HELP)),
            }
        }
    }

    /// Returns whether a case keeps all terms; a figure that it lacks is not kept.
    pub fn holds(&self, table: &Table, row: usize) -> bool {
        let holds =
            |term: &Term| term.figure.of(table, row).is_some_and(|value| term.relation.holds(value, term.bound));
        self.0.iter().all(holds)
    }
}

impl Condition {
    /// Returns the figures of a case that keep their bounds, or not, by less than half the width of their intervals.
    pub fn unsure(&self, table: &Table, row: usize) -> impl Iterator<Item = &Figure> {
        let is_unsure = move |term: &&Term| {
            let (value, half_width) = (term.figure.of(table, row), term.figure.half_width(table, row));
            value.zip(half_width).is_some_and(|(value, half_width)| (value - term.bound).abs() < half_width)
        };
        self.0.iter().filter(is_unsure).map(|term| &term.figure)
    }
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Skips blanks, and returns the place behind them.
    fn skip(&mut self) -> usize {
        self.at += self.rest().len() - self.rest().trim_start().len();
        self.at
    }

    /// Takes all up to a blank or a sign.
    fn word(&mut self) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || "<>=!".contains(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn term(&mut self, table: &Table) -> Result<Term, ReportError> {
        let start = self.skip();
        let name = self.word();
        if name.is_empty() {
            return Err(self.error(start, "the name of a figure is wanted here", HELP));
        }
        let figure = Figure::find(table, name).map_err(|(message, help)| self.error(start, &message, &help))?;
        let start = self.skip();
        let found = RELATIONS.iter().find(|(sign, _)| self.rest().starts_with(sign));
        let &(sign, relation) =
            found.ok_or_else(|| self.error(start, "one of <=, <, >=, >, = and != is wanted here", HELP))?;
        self.at += sign.len();
        let start = self.skip();
        let number = self.word();
        let (digits, factor) = number.strip_suffix('%').map_or((number, 1.0), |digits| (digits, 100.0));
        let bound = digits.parse().ok().filter(|bound: &f64| bound.is_finite());
        let bound = bound.ok_or_else(|| self.error(start, "a number is wanted here", "write 0.01 or 1%"))?;
        Ok(Term { figure, relation, bound: bound / factor })
    }

    /// Makes an error that points into the text.
    fn error(&self, start: usize, message: &str, help: &str) -> ReportError {
        let column = self.text[..start].chars().count();
        let help = if help.is_empty() { String::new() } else { format!("\nhelp: {help}") };
        let point = format!("  {}\n  {}^", self.text, " ".repeat(column));
        ReportError::Question(format!("--where:{}: error: {message}\n{point}{help}", column + 1))
    }
}

impl Relation {
    #[expect(clippy::float_cmp, reason = "a user asks for exactly this number")]
    fn holds(self, value: f64, bound: f64) -> bool {
        match self {
            Relation::AtMost => value <= bound,
            Relation::Below => value < bound,
            Relation::AtLeast => value >= bound,
            Relation::Above => value > bound,
            Relation::Equal => value == bound,
            Relation::Unequal => value != bound,
        }
    }
}
