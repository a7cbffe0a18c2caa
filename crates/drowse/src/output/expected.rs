//! What a run will move, and how long that takes by packets and by flows, before it starts.

use std::time::Duration;

use drowse_run::expected::{Expected, HOPS_PER_S, MESSAGES_PER_S};
use indicatif::HumanDuration;

/// A run by packets is called long from so many seconds on.
const LONG: f64 = 3_600.0;

/// Says that packets will take long, if they will, and how long flows would take.
pub fn long(expected: &Expected) -> Option<String> {
    (expected.packets_s() > LONG).then(|| {
        format!(
            "this run moves {}; write [simulation] unit = \"flow\" for messages as a whole, or take a part of it",
            counts(expected)
        )
    })
}

/// Counts what is moved, with the times that this takes.
pub fn counts(expected: &Expected) -> String {
    let Expected { messages, packets, hops } = *expected;
    format!(
        "about {} messages in {} packets over {} hops: on one core {} by packets ({} million hops a second), {} by flows \
         ({} thousand messages a second)",
        number(messages),
        number(packets),
        number(hops),
        cost(expected.packets_s()),
        HOPS_PER_S / 1e6,
        cost(expected.flows_s()),
        MESSAGES_PER_S / 1e3
    )
}

/// Writes the time of a computation that is only estimated.
pub fn cost(seconds: f64) -> String {
    if seconds < 1.0 { "less than a second".into() } else { shown(seconds) }
}

/// Writes the time of a computation.
pub fn shown(seconds: f64) -> String {
    HumanDuration(Duration::from_secs_f64(seconds.clamp(0.0, 1e9))).to_string()
}

/// Writes a number with three digits and a word for its size.
fn number(number: f64) -> String {
    const WORDS: [(f64, &str); 5] =
        [(1e15, " quadrillion"), (1e12, " trillion"), (1e9, " billion"), (1e6, " million"), (1e3, " thousand")];
    let (unit, word) = WORDS.into_iter().find(|(unit, _)| number >= *unit).unwrap_or((1.0, ""));
    let value = number / unit;
    let digits = if word.is_empty() || value >= 100.0 { 0 } else { 1 + usize::from(value < 10.0) };
    format!("{value:.digits$}{word}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        let numbers = [0.0, 12.4, 1_234.0, 65_280.0, 2.5e8, 4.5e12].map(number);
        assert_eq!(numbers, ["0", "12", "1.23 thousand", "65.3 thousand", "250 million", "4.50 trillion"]);
    }

    /// An hour at 3 million hops a second is 10.8 billion hops.
    #[test]
    fn only_long_runs_by_packets_are_told() {
        let of = |hops| Expected { messages: 6e4, packets: 1e9, hops };
        assert_eq!(long(&of(1.0e10)), None);
        let told = long(&of(2.16e10)).unwrap_or_default();
        assert_eq!(
            told,
            "this run moves about 60.0 thousand messages in 1.00 billion packets over 21.6 billion hops: on one core 2 hours \
             by packets (3 million hops a second), 3 seconds by flows (20 thousand messages a second); write [simulation] \
             unit = \"flow\" for messages as a whole, or take a part of it"
        );
    }
}
