//! Places in a picture.

use std::f64::consts::TAU;
use std::ops::{Add, Mul, Sub};

/// A place, or a way from one to another, in pixels; y grows downwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

impl Point {
    /// Makes a point.
    pub const fn new(x: f64, y: f64) -> Self {
        Point { x, y }
    }

    /// Returns the point of a circle of radius 1 after this share of a turn, clockwise from the top.
    pub fn after_turn(share: f64) -> Self {
        let quarters = (share * 4.0).round();
        let angle = (share - quarters / 4.0) * TAU;
        let (sin, cos) = sine_and_cosine(angle);
        match (quarters as i64).rem_euclid(4) {
            0 => Point::new(sin, -cos),
            1 => Point::new(cos, sin),
            2 => Point::new(-sin, cos),
            _ => Point::new(-cos, -sin),
        }
    }

    /// Returns the length of a way.
    pub fn length(self) -> f64 {
        (self.x * self.x + self.y * self.y).sqrt()
    }

    /// Returns the way of length 1 to the left of a way; none where that has no length.
    #[must_use]
    pub fn left(self) -> Self {
        let length = self.length();
        if length == 0.0 { Point::new(0.0, 0.0) } else { Point::new(self.y / length, -self.x / length) }
    }

    /// Returns the way of the same direction and length 1.
    #[must_use]
    pub fn direction(self) -> Self {
        let left = self.left();
        Point::new(-left.y, left.x)
    }
}

impl Add for Point {
    type Output = Point;

    fn add(self, other: Point) -> Point {
        Point::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Point {
    type Output = Point;

    fn sub(self, other: Point) -> Point {
        Point::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f64> for Point {
    type Output = Point;

    fn mul(self, factor: f64) -> Point {
        Point::new(self.x * factor, self.y * factor)
    }
}

/// Sums the series of sine and cosine for an angle of at most an eighth of a turn: the same on every system, which
/// those of its mathematical library are not.
fn sine_and_cosine(angle: f64) -> (f64, f64) {
    let (mut term, mut sums) = (1.0, [1.0, 0.0, 0.0, 0.0]);
    for power in 1..18u32 {
        term *= angle / f64::from(power);
        sums[power as usize % 4] += term;
    }
    (sums[1] - sums[3], sums[0] - sums[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_circle_is_round() {
        for step in -50..150 {
            let share = f64::from(step) / 97.0;
            let (point, angle) = (Point::after_turn(share), share * TAU);
            assert!((point - Point::new(angle.sin(), -angle.cos())).length() < 1e-14, "{share}");
        }
        assert_eq!(Point::after_turn(0.25), Point::new(1.0, 0.0));
        assert_eq!(
            (Point::new(0.0, -2.0).left(), Point::new(0.0, -2.0).direction()),
            (Point::new(-1.0, 0.0), Point::new(0.0, -1.0))
        );
    }
}
