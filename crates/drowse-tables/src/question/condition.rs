//! Conditions on figures, such as `slowdown <= 1% and links.wakes < 1000`.

use super::figure::Form;
use crate::schema::CASES;

/// A figure, and what it must keep.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// The name of the figure.
    pub figure: String,
    /// The byte of the text at which the term begins.
    pub start: usize,
    relation: Relation,
    /// The number that the figure is compared with.
    pub bound: f64,
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

/// Why a text is no condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongCondition {
    /// The byte of the text that is wrong.
    pub start: usize,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

impl WrongCondition {
    fn at(start: usize, message: impl Into<String>, help: impl Into<String>) -> Self {
        WrongCondition { start, message: message.into(), help: help.into() }
    }
}

/// Reads a condition: terms joined by `and`.
///
/// ```
/// use drowse_tables::question::condition::parse;
///
/// let terms = parse("slowdown <= 1% and links.wakes < 1000").map_err(|wrong| wrong.message)?;
/// assert_eq!((terms[0].figure.as_str(), terms[0].bound), ("slowdown", 0.01));
/// // The bound itself is kept by `<=`, not by `<`.
/// assert!(terms[0].holds(0.01) && !terms[1].holds(1000.0));
/// let wrong = parse("slowdown about 1%").unwrap_err();
/// assert_eq!((wrong.start, wrong.message.as_str()), (9, "one of <=, <, >=, >, = and != is wanted here"));
/// # Ok::<(), String>(())
/// ```
pub fn parse(text: &str) -> Result<Vec<Term>, WrongCondition> {
    let mut reader = Reader { text, at: 0 };
    let mut terms = Vec::new();
    loop {
        terms.push(reader.term()?);
        let start = reader.skip();
        match reader.word() {
            "" if reader.rest().is_empty() => return Ok(terms),
            "and" => {}
            word => return Err(behind(start, word, terms.last())),
        }
    }
}

/// Says what is wrong with a word behind a term.
fn behind(start: usize, word: &str, last: Option<&Term>) -> WrongCondition {
    match last.filter(|_| is_unit(word)) {
        Some(term) => with_unit(start, &term.figure),
        None => WrongCondition::at(start, "`and` or the end is wanted here", HELP),
    }
}

/// Says what is wrong with a word that is no number.
fn no_number(start: usize, word: &str, figure: &str) -> WrongCondition {
    let digits = word.trim_end_matches(|c: char| c.is_alphabetic());
    if digits.parse::<f64>().is_ok() && is_unit(&word[digits.len()..]) {
        return with_unit(start, figure);
    }
    WrongCondition::at(start, "a number is wanted here", "write 0.01 or 1%")
}

/// Units that people write behind figures.
const UNITS: [&str; 16] = ["%", "s", "ms", "us", "ns", "ps", "J", "uJ", "mJ", "kJ", "MJ", "W", "kW", "MW", "Wh", "kWh"];

/// Returns whether a word is meant as a unit.
fn is_unit(word: &str) -> bool {
    UNITS.contains(&word)
}

/// Says in which unit a figure is compared.
fn with_unit(start: usize, name: &str) -> WrongCondition {
    let (column, form) = super::figure::column(name);
    let unit = CASES.column(column).map_or("", |column| column.unit);
    let help = match unit {
        _ if form != Form::Value => format!("`{name}` is a share: write 0.01 or 1%"),
        "" | "1" => format!("`{name}` has no unit: write a number"),
        unit => format!("`{name}` is in {unit}: write the number alone"),
    };
    WrongCondition::at(start, "numbers have no unit here", help)
}

impl Term {
    /// Returns whether a figure keeps the term.
    #[expect(clippy::float_cmp, reason = "a user asks for exactly this number")]
    pub fn holds(&self, value: f64) -> bool {
        match self.relation {
            Relation::AtMost => value <= self.bound,
            Relation::Below => value < self.bound,
            Relation::AtLeast => value >= self.bound,
            Relation::Above => value > self.bound,
            Relation::Equal => value == self.bound,
            Relation::Unequal => value != self.bound,
        }
    }

    /// Returns whether some figure from the least to the largest keeps the term.
    pub fn may_hold(&self, [least, largest]: [f64; 2]) -> bool {
        match self.relation {
            Relation::AtMost | Relation::Below => self.holds(least),
            Relation::AtLeast | Relation::Above => self.holds(largest),
            Relation::Equal => least <= self.bound && self.bound <= largest,
            Relation::Unequal => self.holds(least) || self.holds(largest),
        }
    }

    /// Returns whether all figures from the least to the largest keep the term.
    pub fn surely_holds(&self, [least, largest]: [f64; 2]) -> bool {
        let apart = self.bound < least || largest < self.bound;
        self.holds(least) && self.holds(largest) && (self.relation != Relation::Unequal || apart)
    }

    /// Returns how far a figure is from keeping the term; `None` where it keeps it. What is absent is without end away.
    pub fn violation(&self, value: Option<f64>) -> Option<f64> {
        match value {
            Some(value) if self.holds(value) => None,
            Some(value) => Some((value - self.bound).abs()),
            None => Some(f64::INFINITY),
        }
    }
}

/// A text that is read from its beginning.
struct Reader<'t> {
    text: &'t str,
    at: usize,
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

    fn term(&mut self) -> Result<Term, WrongCondition> {
        let start = self.skip();
        let figure = self.word().to_owned();
        if figure.is_empty() {
            return Err(WrongCondition::at(start, "the name of a figure is wanted here", HELP));
        }
        let sign_at = self.skip();
        let found = RELATIONS.iter().find(|(sign, _)| self.rest().starts_with(sign));
        let message = "one of <=, <, >=, >, = and != is wanted here";
        let &(sign, relation) = found.ok_or_else(|| WrongCondition::at(sign_at, message, HELP))?;
        self.at += sign.len();
        let number_at = self.skip();
        let number = self.word();
        let (digits, factor) = number.strip_suffix('%').map_or((number, 1.0), |digits| (digits, 100.0));
        let bound = digits.parse().ok().filter(|bound: &f64| bound.is_finite());
        let bound = bound.ok_or_else(|| no_number(number_at, number, &figure))?;
        Ok(Term { figure, start, relation, bound: bound / factor })
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    /// Whether a term may hold, and surely holds, from 1 to 3.
    #[test]
    fn figures_that_are_known_to_a_spread() {
        let both = |text: &str| {
            let term = &parse(text).unwrap()[0];
            (term.may_hold([1.0, 3.0]), term.surely_holds([1.0, 3.0]))
        };
        let cases = ["x <= 3", "x < 3", "x <= 0.9", "x >= 1", "x > 1", "x > 3", "x = 2", "x = 4", "x != 2", "x != 4"];
        let expected = [
            (true, true),
            (true, false),
            (false, false),
            (true, true),
            (true, false),
            (false, false),
            (true, false),
            (false, false),
            (true, false),
            (true, true),
        ];
        assert_eq!(cases.map(both), expected);
    }
}
