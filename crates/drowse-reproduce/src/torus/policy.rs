//! Settings of the policy by which trunks shed ports. The paper takes the policy from its references and prints none of its
//! settings.

/// Settings of the policy.
#[derive(Debug, PartialEq, Eq)]
pub struct Policy {
    /// Which of them differ from the usual ones.
    what: &'static str,
    /// Their values.
    value: &'static str,
    /// The keys that they set in the policy.
    sets: &'static [&'static str],
}

const fn policy(what: &'static str, value: &'static str, sets: &'static [&'static str]) -> Policy {
    Policy { what, value, sets }
}

const THRESHOLDS: &str = "thresholds";
const WINDOW: &str = "window";
const BACKLOG: &str = "backlog";
const STEPS: &str = "ports a window";

/// All of them.
pub static POLICIES: [Policy; 12] = [
    policy(THRESHOLDS, "0.4, 0.16", &["on=0.4", "off=0.16"]),
    policy(THRESHOLDS, "0.2, 0.08", &["on=0.2", "off=0.08"]),
    policy(THRESHOLDS, "0.1, 0.04", &["on=0.1", "off=0.04"]),
    policy(THRESHOLDS, "0.05, 0.02", &["on=0.05", "off=0.02"]),
    policy(WINDOW, "1 us", &["window=\"1 us\""]),
    policy(WINDOW, "3 us", &["window=\"3 us\""]),
    policy(WINDOW, "30 us", &["window=\"30 us\""]),
    policy(WINDOW, "100 us", &["window=\"100 us\""]),
    policy(BACKLOG, "10 us", &["backlog=\"10 us\""]),
    policy(BACKLOG, "never", &["backlog=\"1 s\""]),
    policy(STEPS, "4", &["steps=4"]),
    policy(STEPS, "16", &["steps=16"]),
];

impl Policy {
    /// Returns the keys that it sets in the experiment.
    pub fn overrides(&self) -> Vec<String> {
        self.sets.iter().map(|set| format!("power.policy.{set}")).collect()
    }

    /// Returns its name.
    pub fn title(&self) -> String {
        format!("{} {}", self.what, self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `off` has to be below half of `on`.
    #[test]
    fn thresholds_can_be() {
        for policy in POLICIES.iter().filter(|policy| policy.what == THRESHOLDS) {
            let [on, off] = [0, 1].map(|i: usize| policy.sets[i].split_once('=').unwrap().1.parse::<f64>().unwrap());
            assert!(2.0 * off < on, "{}", policy.title());
        }
    }
}
