//! Weights of the workloads: how often a site runs each.

use std::str::FromStr;

use super::workloads::NAMES;

/// A weight for each workload, in the paper's order; the paper has 1 for all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights([f64; NAMES.len()]);

impl Default for Weights {
    fn default() -> Self {
        Weights([1.0; NAMES.len()])
    }
}

impl Weights {
    /// Returns the weight of a workload.
    pub(crate) fn of(&self, name: &str) -> f64 {
        NAMES.iter().position(|&known| known == name).map_or(0.0, |index| self.0[index])
    }

    /// Returns whether a workload counts; one that does not is not run.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.of(name) > 0.0
    }

    /// Returns whether they are the paper's.
    pub(crate) fn are_equal(&self) -> bool {
        self.0.iter().all(|weight| weight.to_bits() == self.0[0].to_bits())
    }

    /// Names those that are not 1.
    pub(crate) fn text(&self) -> String {
        let weights = NAMES.iter().zip(&self.0).filter(|(_, weight)| weight.to_bits() != 1.0_f64.to_bits());
        let named: Vec<String> = weights.map(|(name, weight)| format!("{name} {weight}")).collect();
        if named.is_empty() { "all weights are 1".into() } else { format!("weights 1, but {}", named.join(", ")) }
    }
}

/// Reads weights such as `AA=0,BU=2.5`; those of workloads that are not named are 1.
impl FromStr for Weights {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut weights = Weights::default();
        let mut named = [false; NAMES.len()];
        for part in text.split(',') {
            let (name, value) =
                part.split_once('=').ok_or_else(|| format!("write `{part}` as NAME=WEIGHT, such as AA=0"))?;
            let index = NAMES.iter().position(|&known| known == name);
            let index =
                index.ok_or_else(|| format!("there is no workload `{name}`; there are {}", NAMES.join(", ")))?;
            if std::mem::replace(&mut named[index], true) {
                return Err(format!("`{name}` has two weights"));
            }
            let weight = value.parse().ok().filter(|weight| (0.0..=1e6).contains(weight));
            weights.0[index] = weight.ok_or_else(|| format!("`{value}` is no number from 0 to 1000000"))?;
        }
        if weights.0.iter().all(|&weight| weight <= 0.0) {
            return Err("all weights are 0".into());
        }
        Ok(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Weights, String> {
        text.parse()
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "as written")]
    fn weights_are_those_that_are_written() {
        let weights = read("AA=0,BU=2.5").unwrap();
        assert_eq!(["AA", "BU", "R4"].map(|name| weights.of(name)), [0.0, 2.5, 1.0]);
        assert_eq!(weights.text(), "weights 1, but AA 0, BU 2.5");
        assert!(!weights.are_equal());
        assert_eq!(["AA", "BU"].map(|name| weights.has(name)), [false, true]);
        assert!(read("M2=1").unwrap().are_equal());
        assert_eq!(Weights::default().text(), "all weights are 1");
    }

    #[test]
    fn wrong_weights() {
        let zero = NAMES.map(|name| format!("{name}=0")).join(",");
        for (text, message) in [
            ("AA", "write `AA` as NAME=WEIGHT, such as AA=0"),
            ("", "write `` as NAME=WEIGHT, such as AA=0"),
            ("AB=1", "there is no workload `AB`; there are AA, BI, BU, M2, M3, W2, W3, R1, R2, R3, R4"),
            ("AA=1,AA=2", "`AA` has two weights"),
            ("AA=-1", "`-1` is no number from 0 to 1000000"),
            ("AA=NaN", "`NaN` is no number from 0 to 1000000"),
            (&zero, "all weights are 0"),
        ] {
            assert_eq!(read(text).unwrap_err(), message);
        }
    }
}
