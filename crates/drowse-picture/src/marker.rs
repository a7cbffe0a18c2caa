//! Marks of points, which can be told apart without colour.

use crate::picture::{Form, Place};

/// A mark of a point. All have about the same area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// A circle.
    Circle,
    /// A square.
    Square,
    /// A triangle that points up.
    Up,
    /// A square on a corner.
    Diamond,
    /// A cross of two bars.
    Cross,
    /// A triangle that points down.
    Down,
    /// A triangle that points to the right.
    Right,
    /// A triangle that points to the left.
    Left,
}

impl Marker {
    /// All, in the order in which series take them.
    pub const ALL: [Marker; 8] = [
        Marker::Circle,
        Marker::Square,
        Marker::Up,
        Marker::Diamond,
        Marker::Cross,
        Marker::Down,
        Marker::Right,
        Marker::Left,
    ];

    /// Returns the mark of the series of this number.
    pub fn of(number: usize) -> Self {
        Self::ALL[number % Self::ALL.len()]
    }

    /// Returns its name in Vega.
    pub fn name(self) -> &'static str {
        match self {
            Marker::Circle => "circle",
            Marker::Square => "square",
            Marker::Up => "triangle-up",
            Marker::Diamond => "diamond",
            Marker::Cross => "cross",
            Marker::Down => "triangle-down",
            Marker::Right => "triangle-right",
            Marker::Left => "triangle-left",
        }
    }

    /// Returns the mark around a place, in the size of a circle of this radius.
    pub fn form(self, at: Place, radius: f64) -> Form {
        let corners: &[Place] = match self {
            Marker::Circle => return Form::Circle(at, radius),
            Marker::Square => &[[-0.88, -0.88], [0.88, -0.88], [0.88, 0.88], [-0.88, 0.88]],
            Marker::Up => &[[0.0, -1.25], [1.2, 0.85], [-1.2, 0.85]],
            Marker::Diamond => &[[0.0, -1.3], [1.3, 0.0], [0.0, 1.3], [-1.3, 0.0]],
            Marker::Cross => &[
                [-0.4, -1.2],
                [0.4, -1.2],
                [0.4, -0.4],
                [1.2, -0.4],
                [1.2, 0.4],
                [0.4, 0.4],
                [0.4, 1.2],
                [-0.4, 1.2],
                [-0.4, 0.4],
                [-1.2, 0.4],
                [-1.2, -0.4],
                [-0.4, -0.4],
            ],
            Marker::Down => &[[0.0, 1.25], [1.2, -0.85], [-1.2, -0.85]],
            Marker::Right => &[[1.25, 0.0], [-0.85, 1.2], [-0.85, -1.2]],
            Marker::Left => &[[-1.25, 0.0], [0.85, 1.2], [0.85, -1.2]],
        };
        Form::Area(corners.iter().map(|[x, y]| [at[0] + x * radius, at[1] + y * radius]).collect())
    }
}
