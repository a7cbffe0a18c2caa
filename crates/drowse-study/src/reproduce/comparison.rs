//! One number of a paper beside ours, and what is to be thought of it.

use drowse_tables::Row;

/// Compares one number.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The table, figure or section, and within it the network.
    pub place: String,
    /// What is compared.
    pub quantity: String,
    /// The unit; `1` for a ratio or share.
    pub unit: &'static str,
    /// The number as the paper prints it.
    pub theirs: String,
    /// The number that this version computes.
    pub ours: f64,
    /// How it was had.
    pub how: &'static str,
}

/// What is to be thought of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Equal,
    Within,
    Differs,
}

impl Verdict {
    const fn name(self) -> &'static str {
        match self {
            Verdict::Equal => "equal",
            Verdict::Within => "within",
            Verdict::Differs => "differs",
        }
    }
}

impl Comparison {
    /// Makes the row of `reproduction.csv`.
    pub fn row(&self, paper: &str) -> Row {
        let (verdict, tolerance) = judge(&self.theirs, self.ours);
        let mut row = Row::new();
        row.push("paper", paper);
        row.push("place", self.place.as_str());
        row.push("quantity", self.quantity.as_str());
        row.push("unit", self.unit);
        row.push("theirs", number(&self.theirs));
        row.push("ours", self.ours);
        row.push("tolerance", tolerance);
        row.push("verdict", verdict.name());
        row.push("reason", self.reason());
        row
    }

    /// Says how our number was had, and how it becomes the printed one.
    fn reason(&self) -> String {
        let decimals = decimals(&self.theirs);
        let rounding = if decimals == 0 {
            "a whole number, so no tolerance".into()
        } else if rounded(self.ours, decimals) == self.theirs {
            format!("rounded to {decimals} decimals")
        } else if cut(self.ours, decimals) == self.theirs {
            format!("cut after {decimals} decimals, not rounded")
        } else {
            "tolerance: one unit of the last printed decimal".into()
        };
        format!("{}; {rounding}", self.how)
    }
}

/// Judges our number by the decimals that the paper prints, and gives the tolerance: one unit of the last of them.
///
/// Papers round (0.47 for 0.46875) and cut (0.428 for 0.42857); what either gives is equal. A whole number is a count.
fn judge(theirs: &str, ours: f64) -> (Verdict, f64) {
    let decimals = decimals(theirs);
    let tolerance = if decimals == 0 { 0.0 } else { number(&format!("1e-{decimals}")) };
    let verdict = if rounded(ours, decimals) == theirs && decimals > 0 || cut(ours, decimals) == theirs {
        // A count that is no whole number is never equal to one.
        if decimals == 0 && ours.fract() != 0.0 { Verdict::Differs } else { Verdict::Equal }
    } else if (ours - number(theirs)).abs() <= tolerance {
        Verdict::Within
    } else {
        Verdict::Differs
    };
    (verdict, tolerance)
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
        let verdict = |theirs, ours| judge(theirs, ours).0;
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
        let verdict = |theirs, ours| judge(theirs, ours).0;
        assert_eq!(verdict("448", 448.0), Verdict::Equal);
        assert_eq!(verdict("448", 448.4), Verdict::Differs);
        assert_eq!(verdict("448", 447.0), Verdict::Differs);
        assert_eq!(verdict("448", f64::NAN), Verdict::Differs);
    }
}
