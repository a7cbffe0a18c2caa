//! The conditions under which programs run: four settings, and the choices that the paper leaves open.
//!
//! The paper's programs idle longer than ours, and its simulator moves whole messages. Its Fig. 6 has the idle periods of BT
//! clustered around 1 ms. Ours, as traced, are most often 0.1 ms long (edge links, periods of over 20 us); with 9 times the
//! computation, the least whole factor, the bin of most periods is that of 1 ms. This factor is chosen on that number
//! alone, and every other number judges it. The paper does not say how its switches queue packets either: in the last setting
//! those for different outputs do not wait behind each other.

/// A condition.
#[derive(Debug, PartialEq, Eq)]
pub struct Condition {
    /// What is chosen; none for the settings.
    pub choice: Option<&'static str>,
    /// Its name, or the choice's value.
    pub name: &'static str,
    /// The keys that it sets in the experiment.
    pub sets: &'static [&'static str],
    /// The keys that it adds to the policies that keep a bound.
    pub policy: &'static str,
}

const fn setting(name: &'static str, sets: &'static [&'static str]) -> Condition {
    Condition { choice: None, name, sets, policy: "" }
}

const fn choice(choice: &'static str, name: &'static str, sets: &'static [&'static str]) -> Condition {
    Condition { choice: Some(choice), name, sets, policy: "" }
}

const fn of_policy(choice: &'static str, name: &'static str, policy: &'static str) -> Condition {
    Condition { choice: Some(choice), name, sets: &[], policy }
}

/// All that the page shows in full.
pub static AS_TRACED: Condition = setting("as traced", &[]);

/// The same programs nearer to the paper's, and on other switches.
pub static SETTINGS: [Condition; 3] = [
    setting("idle scale", &["job.0.compute.scale=9.0"]),
    setting("idle scale and granularity", &["job.0.compute.scale=9.0", "switch.packet=\"60 kB\""]),
    setting("a queue for each output", &[QUEUE_FOR_EACH_OUTPUT]),
];

const QUEUE_FOR_EACH_OUTPUT: &str = "switch.queues=\"virtual-output\"";

const RUNS: &str = "runs of a program";
/// The largest number of idle periods that can be.
const LATE_REFRESH: &str = ", refresh = 65535";

const ENTRY: &str = "entry to wake of deep sleep";

/// What the paper does not print: one choice each, all else as traced.
pub static CHOICES: [Condition; 22] = [
    choice("packet", "9 kB", &["switch.packet=\"9 kB\""]),
    choice("packet", "60 kB", &["switch.packet=\"60 kB\""]),
    choice("queues of a port", "2", &["switch.vcs.any=2"]),
    choice("queues of a port", "4", &["switch.vcs.any=4"]),
    choice("queues of a port", "8", &["switch.vcs.any=8"]),
    choice("queues of a port", "one for each output", &[QUEUE_FOR_EACH_OUTPUT]),
    choice("uplinks of a rack", "2", &["network.uplinks=2"]),
    of_policy("split of the bound", "equal", ", split = \"equal\""),
    of_policy("split of the bound", "local", ", split = \"local\""),
    of_policy("correction", "off", ", correction = false"),
    of_policy("correction", "by deep wakes", ", compares = \"deep-wakes\""),
    choice(RUNS, "40", &["job.0.repeat=40"]),
    Condition {
        choice: Some(RUNS),
        name: "40, a refresh after 65,535",
        sets: &["job.0.repeat=40"],
        policy: LATE_REFRESH,
    },
    of_policy("idle periods to a refresh", "1,000", ", refresh = 1000"),
    choice("computation", "x 2", &["job.0.compute.scale=2.0"]),
    choice("computation", "x 4", &["job.0.compute.scale=4.0"]),
    choice("computation", "x 9", &["job.0.compute.scale=9.0"]),
    choice("computation", "x 16", &["job.0.compute.scale=16.0"]),
    choice("computation and packet", "x 4, 60 kB", &["job.0.compute.scale=4.0", "switch.packet=\"60 kB\""]),
    choice(ENTRY, "1.84 us to 5.52 us", &[STATES_OF_LONG_WAKE]),
    choice(ENTRY, "3.68 us to 3.68 us", &[STATES_OF_EVEN]),
    choice(ENTRY, "5.52 us to 1.84 us", &[STATES_OF_SHORT_WAKE]),
];

/// The sum of both times is the paper's, 7.36 us.
const STATES_OF_LONG_WAKE: &str =
    r#"power.states={ preset = "saravanan-2018", deep = { enter = "1840 ns", wake = "5520 ns" } }"#;
const STATES_OF_EVEN: &str =
    r#"power.states={ preset = "saravanan-2018", deep = { enter = "3680 ns", wake = "3680 ns" } }"#;
const STATES_OF_SHORT_WAKE: &str =
    r#"power.states={ preset = "saravanan-2018", deep = { enter = "5520 ns", wake = "1840 ns" } }"#;

impl Condition {
    /// Returns the place of its rows among the bands.
    pub fn band(&self) -> String {
        let choice = self.choice.map(|choice| format!("{choice}, ")).unwrap_or_default();
        format!("Band: {choice}{}", self.name)
    }
}
