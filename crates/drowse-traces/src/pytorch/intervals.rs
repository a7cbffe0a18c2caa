//! Sets of times as intervals that do not touch, in order.

/// A set of times. Each interval begins before it ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Intervals(Vec<(i64, i64)>);

impl Intervals {
    /// Makes the union of intervals in any order; empty ones do not count.
    pub fn union(mut intervals: Vec<(i64, i64)>) -> Self {
        intervals.retain(|(begin, end)| begin < end);
        intervals.sort_unstable();
        let mut kept: Vec<(i64, i64)> = Vec::new();
        for (begin, end) in intervals {
            match kept.last_mut() {
                Some(last) if begin <= last.1 => last.1 = last.1.max(end),
                _ => kept.push((begin, end)),
            }
        }
        Intervals(kept)
    }

    /// Returns the interval that holds a time, its begin left out and its end too.
    pub fn around(&self, time: i64) -> Option<(i64, i64)> {
        let place = self.0.partition_point(|interval| interval.1 <= time);
        self.0.get(place).copied().filter(|interval| interval.0 < time)
    }

    /// Returns the interval that holds a time, or ends at it.
    pub fn up_to(&self, time: i64) -> Option<(i64, i64)> {
        let place = self.0.partition_point(|interval| interval.1 < time);
        self.0.get(place).copied().filter(|interval| interval.0 < time)
    }

    /// Returns whether none of the times between two are in it.
    pub fn is_free(&self, begin: i64, end: i64) -> bool {
        let place = self.0.partition_point(|interval| interval.1 <= begin);
        self.0.get(place).is_none_or(|interval| interval.0 >= end)
    }

    /// Returns the times that are not in another set.
    pub fn without(&self, other: &Intervals) -> Self {
        let (mut kept, mut place) = (Vec::new(), 0);
        for &(mut begin, end) in &self.0 {
            while other.0.get(place).is_some_and(|taken| taken.1 <= begin) {
                place += 1;
            }
            let mut next = place;
            while let Some(&(from, to)) = other.0.get(next).filter(|taken| taken.0 < end) {
                if begin < from {
                    kept.push((begin, from));
                }
                begin = begin.max(to);
                next += 1;
            }
            if begin < end {
                kept.push((begin, end));
            }
        }
        Intervals(kept)
    }

    /// Returns the intervals in order.
    pub fn iter(&self) -> impl Iterator<Item = (i64, i64)> {
        self.0.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unions_and_differences() {
        let set = Intervals::union(vec![(5, 9), (0, 2), (2, 3), (7, 8), (4, 4)]);
        assert_eq!(set, Intervals(vec![(0, 3), (5, 9)]));
        assert_eq!(
            [set.around(0), set.around(1), set.around(3), set.around(6)],
            [None, Some((0, 3)), None, Some((5, 9))]
        );
        assert_eq!([set.up_to(3), set.up_to(5), set.up_to(9)], [Some((0, 3)), None, Some((5, 9))]);
        assert!(set.is_free(3, 5) && !set.is_free(2, 4) && !set.is_free(4, 6) && set.is_free(9, 99));
        let all = Intervals::union(vec![(-5, 20)]);
        assert_eq!(all.without(&set), Intervals(vec![(-5, 0), (3, 5), (9, 20)]));
        assert_eq!(set.without(&all), Intervals::default());
        assert_eq!(Intervals::union(vec![(0, 2), (4, 6)]).without(&Intervals::union(vec![(1, 5)])).0, [(0, 1), (5, 6)]);
    }

    /// Against sets of single times.
    #[test]
    fn random_sets() {
        let mut seed = 1_u64;
        let mut draw = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((seed >> 33) % below).cast_signed()
        };
        for _ in 0..300 {
            let mut set = || {
                let count = draw(6);
                Intervals::union((0..count).map(|_| (draw(30), draw(30))).collect())
            };
            let (one, other) = (set(), set());
            let has = |set: &Intervals, time: i64| set.iter().any(|(begin, end)| begin <= time && time < end);
            let rest = one.without(&other);
            for time in 0..30 {
                assert_eq!(has(&rest, time), has(&one, time) && !has(&other, time), "{one:?} {other:?}");
            }
        }
    }
}
