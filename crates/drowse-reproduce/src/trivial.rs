//! The answers that need no model, and that no row may accept.

/// What gives the first answer of most rows.
pub const ON: &str = "links always on";
/// What gives the second.
pub const IDLE: &str = "an idle network";

/// What a row would say if nothing worked: links always on, an idle network, nothing counted.
///
/// A row that accepts one of them cannot tell a right result from none, so a tolerance is smaller than the way to each.
#[derive(Clone, Debug, PartialEq)]
pub enum Trivial {
    /// Each number, and what gives it.
    Answers(Vec<(f64, &'static str)>),
    /// There is none, and why.
    None(&'static str),
}

impl Trivial {
    /// Makes one answer.
    pub fn answer(value: f64, gives: &'static str) -> Self {
        Trivial::Answers(vec![(value, gives)])
    }

    /// Makes some answers.
    pub fn answers(answers: &[(f64, &'static str)]) -> Self {
        Trivial::Answers(answers.to_vec())
    }

    /// Returns the numbers.
    pub fn values(&self) -> impl Iterator<Item = f64> {
        let answers = match self {
            Trivial::Answers(answers) => answers.as_slice(),
            Trivial::None(_) => &[],
        };
        answers.iter().map(|&(value, _)| value)
    }

    /// Returns whether one of them is this number.
    pub fn gives(&self, number: f64) -> bool {
        self.values().any(|answer| answer.total_cmp(&number).is_eq())
    }

    /// Returns the text of its column: each number with three decimals at most.
    pub fn text(&self) -> String {
        match self {
            Trivial::Answers(answers) => {
                let answers: Vec<String> =
                    answers.iter().map(|(value, gives)| format!("{gives}: {}", short(*value))).collect();
                answers.join("; ")
            }
            Trivial::None(why) => format!("none: {why}"),
        }
    }
}

fn short(value: f64) -> String {
    format!("{value:.3}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_answers() {
        let both = Trivial::answers(&[(100.0, "links always on"), (1.0 / 3.0, "an idle network")]);
        assert_eq!(both.text(), "links always on: 100; an idle network: 0.333");
        assert_eq!(both.values().count(), 2);
        assert!(both.gives(100.0) && both.gives(1.0 / 3.0) && !both.gives(0.333));
        let none = Trivial::None("the paper's number is that of links always on");
        assert_eq!(none.text(), "none: the paper's number is that of links always on");
        assert_eq!(none.values().next(), None);
    }
}
