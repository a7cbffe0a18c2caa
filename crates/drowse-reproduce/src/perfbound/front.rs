//! Curves of run time against energy: which points are best, and what a curve costs at a run time.

/// A run time and an energy, both relative to links always on.
pub type Point = (f64, f64);

/// With links always on.
pub const ALWAYS_ON: Point = (1.0, 1.0);

/// Returns the points of which no other is at least as good in both and better in one, fastest first; of equal ones the
/// first.
pub fn front(points: &[Point]) -> Vec<Point> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut front: Vec<Point> = Vec::new();
    for point in sorted {
        if front.last().is_none_or(|best| point.1 < best.1) {
            front.push(point);
        }
    }
    front
}

/// Returns the energy of a front at a run time, on the straight line between its points; behind the last what that has.
pub fn energy_at(front: &[Point], time: f64) -> Option<f64> {
    let after = front.partition_point(|point| point.0 <= time);
    let before = *front.get(after.checked_sub(1)?)?;
    let Some(after) = front.get(after) else { return Some(before.1) };
    Some(before.1 + (after.1 - before.1) * (time - before.0) / (after.0 - before.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_is_what_nothing_beats() {
        let points = [(1.1, 0.5), (1.0, 1.0), (1.1, 0.6), (1.2, 0.5), (1.05, 0.8), (1.04, 0.9), (1.3, 0.4)];
        assert_eq!(front(&points), [(1.0, 1.0), (1.04, 0.9), (1.05, 0.8), (1.1, 0.5), (1.3, 0.4)]);
        assert_eq!(front(&[]), []);
    }

    #[test]
    fn energies_lie_on_the_lines_between() {
        let front = [(1.0, 1.0), (1.25, 0.5), (1.5, 0.25)];
        for (time, energy) in [(1.0, 1.0), (1.125, 0.75), (1.25, 0.5), (1.375, 0.375), (9.0, 0.25)] {
            assert_eq!(energy_at(&front, time), Some(energy), "{time}");
        }
        assert_eq!(energy_at(&front, 0.99), None, "faster than any point");
        assert_eq!(energy_at(&[], 1.0), None);
    }
}
