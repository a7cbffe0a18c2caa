//! Whether a row can fail: ours is moved past what is tolerated, and the verdict must change.

use crate::comparison::{Comparison, Theirs};

/// The step past the tolerance, as a share of the paper's number.
const LITTLE: f64 = 1e-6;
/// The smallest number of which that share is taken.
const LEAST: f64 = 1e-3;

impl Comparison {
    /// Returns whether the verdict hangs on nothing, so that the row says nothing.
    ///
    /// The paper's own number must be accepted, and one a little further than the tolerance must not; nor must ours, where
    /// it is accepted, and is moved away by the tolerance and a little. A limit has no tolerance: one side of it is
    /// accepted. What is only shown can differ as well.
    pub fn is_rigid(&self) -> bool {
        let Some(value) = self.theirs.value() else { return false };
        let little = LITTLE * value.abs().max(LEAST);
        let accepts = |ours: f64| self.theirs.meets(ours);
        match *self.theirs.compared() {
            Theirs::Shown(_) | Theirs::Nothing => false,
            Theirs::Below(limit) => !accepts(limit - little) || accepts(limit + little),
            Theirs::Above(limit) => !accepts(limit + little) || accepts(limit - little),
            Theirs::Printed(_) | Theirs::Set(_) | Theirs::Found { .. } => {
                let past = self.theirs.tolerance().unwrap_or_default() + little;
                let moved = |ours: f64| accepts(ours) && accepts(ours + past.copysign(ours - value));
                !accepts(value) || accepts(value + past) || accepts(value - past) || self.ours.is_some_and(moved)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(theirs: Theirs, ours: f64) -> Comparison {
        Comparison { theirs, ..Comparison::own("Fig. 1", "saved", "%", ours, "simulated") }
    }

    /// Printed numbers, counts, cut ones, ranges and limits; ours accepted or not.
    #[test]
    fn rows_that_can_fail() {
        let printed = |text: &str| Theirs::Printed(text.into());
        for (theirs, ours) in [
            (printed("0.428"), 3.0 / 7.0),
            (printed("0.47"), 0.46875),
            (printed("448"), 448.0),
            (printed("0"), 0.0),
            (printed("0.3"), 0.9),
            (Theirs::Set("4.48".into()), 4.48),
            (Theirs::Found { value: 1.1, tolerance: 0.5 }, 1.5),
            (Theirs::Found { value: 1.1, tolerance: 0.5 }, 9.0),
            (Theirs::Below(75.0), 48.0),
            (Theirs::Above(15.0), 12.0),
        ] {
            assert!(!row(theirs.clone(), ours).is_rigid(), "{theirs:?}, {ours}");
        }
    }

    #[test]
    fn rows_that_cannot() {
        for theirs in [
            Theirs::Found { value: 1.0, tolerance: f64::INFINITY },
            Theirs::Found { value: 1.0, tolerance: -0.1 },
            Theirs::Found { value: f64::NAN, tolerance: 0.1 },
            Theirs::Printed("1.0.0".into()),
            Theirs::Above(f64::NEG_INFINITY),
            Theirs::Below(f64::NAN),
        ] {
            assert!(row(theirs.clone(), 1.0).is_rigid(), "{theirs:?}");
        }
        let shown = |tolerance| row(Theirs::Found { value: 1.0, tolerance }.shown(), 1.0);
        assert!(!row(Theirs::Nothing, 1.0).is_rigid() && !shown(0.1).is_rigid());
        assert!(shown(f64::INFINITY).is_rigid());
    }
}
