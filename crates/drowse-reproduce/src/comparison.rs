//! One number of a paper beside ours, and the verdict.

use std::borrow::Cow;

use drowse_tables::Row;
use drowse_tables::schema::reproduction as columns;

use crate::trivial::{Kind, Trivial};

/// Compares one number.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The table, figure or section, and within it the network or program.
    pub place: String,
    /// What is compared.
    pub quantity: String,
    /// The unit; `1` for a ratio or share.
    pub unit: &'static str,
    /// The number of the paper.
    pub theirs: Theirs,
    /// The number that this version computes; `None` where it is not run.
    pub ours: Option<f64>,
    /// How it was computed, and why it may differ.
    pub how: Cow<'static, str>,
    /// What it would be if nothing worked.
    pub trivial: Trivial,
    /// What a difference comes from, where a run or arithmetic shows it.
    pub cause: Option<String>,
    /// Which choice was made by this number, so that it says nothing of it.
    pub fitted: Option<Cow<'static, str>>,
}

/// Said of a number that differs, and of which no run shows why.
const UNEXPLAINED: &str = "unexplained";

/// A number of a paper.
#[derive(Clone, Debug, PartialEq)]
pub enum Theirs {
    /// The number as it is printed; it follows from what the paper defines, so ours must be it.
    Printed(String),
    /// A number that the paper sets, and that our experiment takes from it. Ours must be it, but nothing is reproduced.
    Set(String),
    /// A number that the paper has found by simulation, and how far ours may lie from it, set before ours was known.
    /// The middle, where it prints a range.
    Found {
        /// The number.
        value: f64,
        /// The largest difference that is called `within`.
        tolerance: f64,
    },
    /// A limit that the paper gives in words: ours must lie below it.
    Below(f64),
    /// A limit that the paper gives in words: ours must lie above it.
    Above(f64),
    /// A number or limit that an answer without a model would meet as well. Ours may differ from it, but is never accepted:
    /// where it is met, it is shown.
    Shown(Box<Theirs>),
    /// Nothing: the number is ours alone.
    Nothing,
}

/// The verdict on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Equal,
    Within,
    Differs,
    Set,
    Shown,
    NotRun,
}

impl Verdict {
    const fn name(self) -> &'static str {
        match self {
            Verdict::Equal => "equal",
            Verdict::Within => "within",
            Verdict::Differs => "differs",
            Verdict::Set => "set",
            Verdict::Shown => "shown",
            Verdict::NotRun => "not run",
        }
    }
}

impl Comparison {
    /// Compares a number that must come out as it is printed. Unless it is told otherwise, its trivial answer is zero.
    pub fn printed(
        place: impl Into<String>,
        quantity: impl Into<String>,
        unit: &'static str,
        theirs: impl Into<String>,
        ours: f64,
        how: &'static str,
    ) -> Self {
        let (place, quantity, theirs) = (place.into(), quantity.into(), Theirs::Printed(theirs.into()));
        Comparison {
            place,
            quantity,
            theirs,
            trivial: Kind::Counted.trivial(),
            ..Comparison::own("", "", unit, ours, how)
        }
    }

    /// Makes a printed number one that the paper sets.
    pub fn set(self) -> Self {
        let theirs = match self.theirs {
            Theirs::Printed(theirs) => Theirs::Set(theirs),
            theirs => theirs,
        };
        Comparison { theirs, ..self }
    }

    /// Makes a row of a number that is ours alone.
    pub fn own(
        place: impl Into<String>,
        quantity: impl Into<String>,
        unit: &'static str,
        ours: f64,
        how: impl Into<Cow<'static, str>>,
    ) -> Self {
        let (place, quantity, theirs) = (place.into(), quantity.into(), Theirs::Nothing);
        let (ours, how, trivial) = (Some(ours), how.into(), Kind::Ours.trivial());
        Comparison { place, quantity, unit, theirs, ours, how, trivial, cause: None, fitted: None }
    }

    /// Makes a row that repeats a number one that is ours alone.
    pub fn without_verdict(self) -> Self {
        Comparison { theirs: Theirs::Nothing, trivial: Kind::Ours.trivial(), fitted: None, ..self }
    }

    /// Sets what it would be if nothing worked.
    pub fn with_trivial(self, trivial: impl Into<Trivial>) -> Self {
        Comparison { trivial: trivial.into(), ..self }
    }

    /// Makes a number or limit that an answer without a model would meet one that is only shown.
    pub fn shown(self) -> Self {
        Comparison { theirs: self.theirs.shown(), ..self }
    }

    /// Says which choice was made by this number.
    pub fn fitted(self, choice: impl Into<Cow<'static, str>>) -> Self {
        Comparison { fitted: Some(choice.into()), ..self }
    }

    /// Says what a difference comes from.
    pub fn with_cause(self, cause: impl Into<String>) -> Self {
        Comparison { cause: Some(cause.into()), ..self }
    }

    /// Makes the row of `reproduction.csv`.
    pub fn row(&self, paper: &str) -> Row {
        let mut row = Row::new();
        row.push(columns::PAPER, paper);
        row.push(columns::PLACE, self.place.as_str());
        row.push(columns::QUANTITY, self.quantity.as_str());
        row.push(columns::UNIT, self.unit);
        row.push_some(columns::THEIRS, self.theirs.value());
        row.push_some(columns::RELATION, self.theirs.relation());
        row.push_some(columns::OURS, self.ours);
        row.push_some(columns::TOLERANCE, self.theirs.tolerance());
        row.push_some(columns::TRIVIAL, self.theirs.value().map(|_| self.trivial.text()));
        row.push_some(columns::VERDICT, self.verdict().map(Verdict::name));
        row.push_some(columns::FITTED, self.fitted.as_deref());
        row.push(columns::REASON, self.reason());
        row
    }

    /// Returns whether it is a number that must come out, and does not.
    pub fn is_wrong(&self) -> bool {
        matches!(self.theirs, Theirs::Printed(_) | Theirs::Set(_)) && self.differs()
    }

    /// Returns whether an answer that needs no model would be accepted, so that the row says nothing; or it names no such
    /// answer; or is only shown although it could be compared.
    pub fn is_blind(&self) -> bool {
        let mut answers = self.trivial.values().peekable();
        let is_silent = self.theirs.value().is_some() && answers.peek().is_none();
        is_silent || answers.any(|answer| self.theirs.meets(answer)) != matches!(self.theirs, Theirs::Shown(_))
    }

    /// Returns whether it is not the paper's number.
    pub fn differs(&self) -> bool {
        self.verdict() == Some(Verdict::Differs)
    }

    /// Returns the verdict; `None` where there is nothing to compare with.
    fn verdict(&self) -> Option<Verdict> {
        match self.ours {
            Some(ours) => self.theirs.judge(ours),
            None => Some(Verdict::NotRun),
        }
    }

    /// Returns how our number was computed, and what a difference comes from.
    fn reason(&self) -> String {
        if !self.differs() {
            return self.computed();
        }
        format!("{}; {}", self.computed(), self.cause.as_deref().unwrap_or(UNEXPLAINED))
    }

    /// Returns how our number was computed, and how it becomes the printed one, or why it is only shown.
    fn computed(&self) -> String {
        if let Theirs::Shown(_) = self.theirs {
            let met = self.trivial.only(|answer| self.theirs.meets(answer));
            return format!("{}; only shown, as this would be accepted, too: {}", self.how, met.text());
        }
        let (Theirs::Printed(theirs), Some(ours)) = (&self.theirs, self.ours) else { return self.how.to_string() };
        let decimals = decimals(theirs);
        let rounding = if decimals == 0 {
            "a whole number, so no tolerance".into()
        } else if rounded(ours, decimals) == *theirs {
            format!("rounded to {decimals} decimals")
        } else if cut(ours, decimals) == *theirs {
            format!("cut after {decimals} decimals, not rounded")
        } else {
            "tolerance: one unit of the last printed decimal".into()
        };
        format!("{}; {rounding}", self.how)
    }
}

impl Theirs {
    /// Returns a number that the paper has found by simulation, and of which its words leave so much open: half of the
    /// width of a range, a unit of the last printed digit, what can be read off a figure, or, for words such as "around
    /// 10 %", a width that was set before ours was known.
    ///
    /// This is the rule of all tolerances that are no arithmetic: what is left open, but no more than half of the number,
    /// and no more than half of the way to the nearest trivial answer. Where a trivial answer is the number, or lies
    /// nearer than what is left open reaches, the paper's words tell nothing apart from it, and the row is only shown.
    pub fn found(value: f64, open: f64, trivial: &Trivial) -> Self {
        let nearest = trivial.nearest(value);
        if nearest <= 0.0 || nearest < open {
            return Theirs::Found { value, tolerance: open }.shown();
        }
        Theirs::Found { value, tolerance: open.min(value.abs() / 2.0).min(nearest / 2.0) }
    }

    /// Returns a number that the paper has found by simulation, as it is printed: a unit of its last digit is left open.
    pub fn digits(printed: &str, trivial: &Trivial) -> Self {
        let unit = if decimals(printed) == 0 { 1.0 } else { last_unit(printed) };
        Theirs::found(number(printed), unit, trivial)
    }

    /// Makes it one that is only shown.
    pub fn shown(self) -> Self {
        Theirs::Shown(Box::new(self))
    }

    /// Judges a number; `None` where there is nothing to compare with.
    fn judge(&self, ours: f64) -> Option<Verdict> {
        let within = match self {
            Theirs::Printed(theirs) => return Some(judge(theirs, ours)),
            Theirs::Set(theirs) => (ours - number(theirs)).abs() <= EXACT * number(theirs).abs(),
            Theirs::Shown(theirs) => theirs.accepts(ours),
            Theirs::Found { value, tolerance } => (ours - value).abs() <= *tolerance,
            Theirs::Below(limit) => ours < *limit,
            Theirs::Above(limit) => ours > *limit,
            Theirs::Nothing => return None,
        };
        Some(match (within, self) {
            (false, _) => Verdict::Differs,
            (true, Theirs::Set(_)) => Verdict::Set,
            (true, Theirs::Shown(_)) => Verdict::Shown,
            (true, _) => Verdict::Within,
        })
    }

    /// Returns whether ours would be accepted as the paper's number.
    fn accepts(&self, ours: f64) -> bool {
        matches!(self.judge(ours), Some(Verdict::Equal | Verdict::Within | Verdict::Set))
    }

    /// Returns whether ours lies within the tolerance or limit, be it accepted or only shown.
    pub fn meets(&self, ours: f64) -> bool {
        self.compared().accepts(ours)
    }

    /// Returns the number or limit itself of one that is only shown.
    pub fn compared(&self) -> &Theirs {
        if let Theirs::Shown(theirs) = self { theirs } else { self }
    }

    /// Returns the number or limit.
    pub fn value(&self) -> Option<f64> {
        match self.compared() {
            Theirs::Printed(theirs) | Theirs::Set(theirs) => Some(number(theirs)),
            Theirs::Found { value, .. } => Some(*value),
            Theirs::Below(limit) | Theirs::Above(limit) => Some(*limit),
            Theirs::Shown(_) | Theirs::Nothing => None,
        }
    }

    /// Returns how ours must lie to it.
    fn relation(&self) -> Option<&'static str> {
        match self.compared() {
            Theirs::Printed(_) | Theirs::Set(_) | Theirs::Found { .. } => Some("="),
            Theirs::Below(_) => Some("<"),
            Theirs::Above(_) => Some(">"),
            Theirs::Shown(_) | Theirs::Nothing => None,
        }
    }

    /// Returns how far ours may lie from it.
    pub fn tolerance(&self) -> Option<f64> {
        match self.compared() {
            Theirs::Printed(theirs) => Some(last_unit(theirs)),
            Theirs::Set(_) => Some(0.0),
            Theirs::Found { tolerance, .. } => Some(*tolerance),
            Theirs::Below(_) | Theirs::Above(_) | Theirs::Shown(_) | Theirs::Nothing => None,
        }
    }
}

/// What arithmetic of floats may add to a number that is set, as a share.
const EXACT: f64 = 1e-9;

/// Judges our number by the decimals that the paper prints; one unit of the last of them is tolerated.
///
/// Papers round (0.47 for 0.46875) and cut (0.428 for 0.42857); what either gives is equal. A whole number is a count.
fn judge(theirs: &str, ours: f64) -> Verdict {
    let decimals = decimals(theirs);
    if rounded(ours, decimals) == theirs && decimals > 0 || cut(ours, decimals) == theirs {
        // A count that is no whole number is never equal to one.
        if decimals == 0 && ours.fract() != 0.0 { Verdict::Differs } else { Verdict::Equal }
    } else if (ours - number(theirs)).abs() <= last_unit(theirs) {
        Verdict::Within
    } else {
        Verdict::Differs
    }
}

/// Returns one unit of the last printed decimal; 0 for a count.
fn last_unit(theirs: &str) -> f64 {
    match decimals(theirs) {
        0 => 0.0,
        decimals => number(&format!("1e-{decimals}")),
    }
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}

fn decimals(text: &str) -> usize {
    text.split_once('.').map_or(0, |(_, decimals)| decimals.len())
}

fn rounded(value: f64, decimals: usize) -> String {
    format!("{value:.decimals$}")
}

/// Cuts a number after some decimals; nine more are looked at, so that 0.29 is not taken for 0.28999999999999998.
fn cut(value: f64, decimals: usize) -> String {
    let long = format!("{value:.digits$}", digits = decimals + 9);
    // What is no number is shorter.
    long[..long.len().saturating_sub(9)].trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_decides() {
        let verdict = |theirs, ours| judge(theirs, ours);
        assert_eq!(verdict("0.428", 192.0 / 448.0), Verdict::Equal, "cut");
        assert_eq!(verdict("0.47", 960.0 / 2048.0), Verdict::Equal, "rounded");
        assert_eq!(verdict("0.29", 0.29), Verdict::Equal);
        assert_eq!(verdict("0.428", 0.4279), Verdict::Equal, "rounded");
        assert_eq!(verdict("0.428", 0.4272), Verdict::Within);
        assert_eq!(verdict("0.428", 0.4295), Verdict::Differs);
        assert_eq!(verdict("0.428", 0.4265), Verdict::Differs);
    }

    #[test]
    fn counts_are_equal_or_differ() {
        let verdict = |theirs, ours| judge(theirs, ours);
        assert_eq!(verdict("448", 448.0), Verdict::Equal);
        assert_eq!(verdict("448", 448.4), Verdict::Differs);
        assert_eq!(verdict("448", 447.0), Verdict::Differs);
        assert_eq!(verdict("448", f64::NAN), Verdict::Differs);
    }

    #[test]
    fn what_is_found_is_within_or_differs() {
        let comparison = |theirs, ours| Comparison {
            place: "Fig. 1".into(),
            quantity: "overhead".into(),
            unit: "%",
            theirs,
            ours,
            how: "simulated".into(),
            trivial: Kind::Change.trivial(),
            cause: None,
            fitted: None,
        };
        let found = |ours| comparison(Theirs::Found { value: 1.0, tolerance: 0.5 }, ours);
        for (ours, verdict) in [(Some(1.5), "within"), (Some(1.0), "within"), (Some(1.6), "differs"), (None, "not run")]
        {
            let row = found(ours).row("paper");
            assert_eq!(row.get(columns::VERDICT).map(ToString::to_string).as_deref(), Some(verdict));
            assert_eq!((row.number(columns::OURS), row.number(columns::TOLERANCE)), (ours, Some(0.5)));
            let why = if verdict == "differs" { "simulated; unexplained" } else { "simulated" };
            assert_eq!(row.text(columns::REASON), why);
            assert!(!found(ours).is_wrong(), "only numbers that must come out are wrong");
        }
        let own = comparison(Theirs::Nothing, Some(2.0)).row("paper");
        assert_eq!(
            (own.get(columns::THEIRS), own.get(columns::TOLERANCE), own.get(columns::VERDICT)),
            (None, None, None)
        );
        assert!(comparison(Theirs::Printed("2".into()), Some(3.0)).is_wrong());
    }

    /// 3/7 is 0.42857: 0.43 rounded, 0.428 cut. 0.22 is neither as 0.3. 0.5 differs from that.
    #[test]
    fn reasons_tell_how_our_number_becomes_the_printed_one() {
        for (theirs, ours, how) in [
            ("7", 7.0, "counted; a whole number, so no tolerance"),
            ("0.43", 3.0 / 7.0, "counted; rounded to 2 decimals"),
            ("0.428", 3.0 / 7.0, "counted; cut after 3 decimals, not rounded"),
            ("0.3", 0.22, "counted; tolerance: one unit of the last printed decimal"),
            ("0.3", 0.5, "counted; tolerance: one unit of the last printed decimal; unexplained"),
        ] {
            let row = Comparison::printed("Table 1", "ports", "1", theirs, ours, "counted").row("paper");
            assert_eq!(row.text(columns::REASON), how);
        }
    }

    #[test]
    fn limits_are_strict() {
        let verdict = |theirs: Theirs, ours| theirs.judge(ours);
        assert_eq!(verdict(Theirs::Below(75.0), 74.99), Some(Verdict::Within));
        assert_eq!(verdict(Theirs::Below(75.0), 75.0), Some(Verdict::Differs));
        assert_eq!(verdict(Theirs::Above(15.0), 15.01), Some(Verdict::Within));
        assert_eq!(verdict(Theirs::Above(15.0), 12.7), Some(Verdict::Differs));
        assert_eq!(verdict(Theirs::Above(15.0), 15.0), Some(Verdict::Differs));
        assert_eq!(verdict(Theirs::Above(15.0), f64::NAN), Some(Verdict::Differs));
        assert_eq!(verdict(Theirs::Below(15.0), f64::NAN), Some(Verdict::Differs));
    }

    #[test]
    fn a_row_that_accepts_a_trivial_answer_is_blind() {
        let row = |theirs: Theirs, idle| Comparison {
            theirs,
            ..Comparison::own("Fig. 1", "saved", "%", 5.0, "simulated").with_trivial(Kind::Saved { idle })
        };
        let around_one = |tolerance| Theirs::Found { value: 1.0, tolerance };
        assert!(row(around_one(1.0), 9.0).is_blind());
        assert!(!row(around_one(0.9), 9.0).is_blind());
        assert!(row(around_one(0.9), 1.5).is_blind(), "the second answer");
        assert!(row(Theirs::Printed("0".into()), 9.0).is_blind());
        assert!(!row(Theirs::Printed("3".into()), 9.0).is_blind());
        assert!(row(Theirs::Below(75.0), 95.0).is_blind() && row(Theirs::Above(75.0), 95.0).is_blind());
        assert!(!row(Theirs::Above(75.0), 70.0).is_blind());
        assert!(!row(Theirs::Nothing, 9.0).is_blind(), "nothing is accepted");
        assert!(row(around_one(0.9), 9.0).with_trivial(Kind::Ours).is_blind(), "it names no answer");
    }

    /// What a trivial answer would meet can differ, and is never within; what none would meet must not be only shown.
    #[test]
    fn a_row_that_is_only_shown() {
        let row = |theirs: Theirs, ours| {
            let own =
                Comparison::own("Fig. 1", "saved", "%", ours, "simulated").with_trivial(Kind::Saved { idle: 9.0 });
            Comparison { theirs, ..own }.shown()
        };
        let reason = "simulated; only shown, as this would be accepted, too: links always on: 0; an idle network: 9";
        for (ours, verdict, reason) in
            [(74.0, "shown", reason.to_owned()), (75.0, "differs", format!("{reason}; unexplained"))]
        {
            let row = row(Theirs::Below(75.0), ours);
            assert!(!row.is_blind() && !row.is_rigid());
            let row = row.row("paper");
            assert_eq!((row.text(columns::VERDICT).as_str(), row.text(columns::RELATION).as_str()), (verdict, "<"));
            assert_eq!((row.text(columns::REASON), row.number(columns::THEIRS)), (reason, Some(75.0)));
        }
        assert!(row(Theirs::Found { value: 5.0, tolerance: 1.0 }, 5.0).is_blind());
    }

    /// Of a number between 0 and 9: what is left open, half of it, half of the way to 9; and of one near 9.
    #[test]
    fn the_rule_of_tolerances() {
        let trivial = Kind::Saved { idle: 9.0 }.trivial();
        let found = |value, open| Theirs::found(value, open, &trivial);
        for (value, open, tolerance) in
            [(4.0, 0.5, 0.5), (4.0, 3.9, 2.0), (1.0, 0.9, 0.5), (8.0, 1.0, 0.5), (8.0, 0.1, 0.1)]
        {
            assert_eq!(found(value, open), Theirs::Found { value, tolerance });
        }
        assert_eq!(found(8.0, 1.1), Theirs::Found { value: 8.0, tolerance: 1.1 }.shown());
        assert_eq!(found(0.0, 0.0), Theirs::Found { value: 0.0, tolerance: 0.0 }.shown());
        let digits = |printed| Theirs::digits(printed, &trivial).tolerance();
        assert_eq!([digits("4.4"), digits("3.18"), digits("3")], [Some(0.1), Some(0.01), Some(1.0)]);
    }

    #[test]
    fn what_was_fitted_is_said() {
        let row = Comparison::printed("Table 1", "ports", "1", "7", 7.0, "counted");
        assert_eq!(row.row("paper").get(columns::FITTED), None);
        assert_eq!(row.fitted("the size").row("paper").text(columns::FITTED), "the size");
    }
}
