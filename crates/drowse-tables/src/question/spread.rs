//! By how much figures of one kind of run are off from those of another.

/// How far a figure may be from the value that another run of the same case gives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spread {
    /// The largest distance.
    pub by: f64,
    /// Whether it is a share of the value, rather than the distance itself.
    pub is_share: bool,
}

impl Spread {
    /// Returns the spread that the given share of all pairs of values keep: of few pairs, that of the worst. A pair is
    /// what may be off, and what it should be. Pairs of which the second value is 0 have no share, and are left out.
    ///
    /// ```
    /// use drowse_tables::question::spread::Spread;
    ///
    /// let pairs: Vec<(f64, f64)> = (1..=40).map(|n| (100.0 + f64::from(n), 100.0)).collect();
    /// // 38 of 40 pairs are 95 %.
    /// assert_eq!(Spread::of_pairs(&pairs, 0.95, true), Spread { by: 0.38, is_share: true });
    /// // 95 % of three pairs is more than two: the worst counts.
    /// assert_eq!(Spread::of_pairs(&pairs[..3], 0.95, false), Spread { by: 3.0, is_share: false });
    /// assert_eq!(Spread { by: 0.1, is_share: true }.around(-20.0), [-22.0, -18.0]);
    /// ```
    pub fn of_pairs(pairs: &[(f64, f64)], share: f64, is_share: bool) -> Self {
        let distance = |&(one, other): &(f64, f64)| {
            let distance = (one - other).abs();
            if is_share { distance / other.abs() } else { distance }
        };
        let mut distances: Vec<f64> = pairs.iter().map(distance).filter(|distance| distance.is_finite()).collect();
        distances.sort_by(f64::total_cmp);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count of pairs")]
        let rank = (distances.len() as f64 * share).ceil() as usize;
        let by = rank.checked_sub(1).and_then(|rank| distances.get(rank)).copied().unwrap_or(0.0);
        Spread { by, is_share }
    }

    /// Returns the least and the largest value that a figure may have.
    pub fn around(self, value: f64) -> [f64; 2] {
        let by = if self.is_share { self.by * value.abs() } else { self.by };
        [value - by, value + by]
    }
}
