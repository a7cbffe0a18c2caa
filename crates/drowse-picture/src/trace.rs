//! The way of a pen along a form, for what knows lines and curves only.

use ttf_parser::OutlineBuilder;

use crate::picture::{Form, Place};

/// How far the ends of the handles of a quarter of a circle lie from its ends, as a share of the radius.
const QUARTER: f32 = 0.552_285;

/// Follows a form with a pen.
pub fn trace(form: &Form, pen: &mut impl OutlineBuilder) {
    let place = |[x, y]: Place| (x as f32, y as f32);
    match form {
        Form::Line(places) => follow(places, pen),
        Form::Area(places) => {
            follow(places, pen);
            pen.close();
        }
        Form::Curve([from, towards, to]) => {
            let ((x0, y0), (x, y), (x1, y1)) = (place(*from), place(*towards), place(*to));
            pen.move_to(x0, y0);
            pen.quad_to(x, y, x1, y1);
        }
        Form::Circle(at, radius) => circle(place(*at), *radius as f32, pen),
        Form::Rectangle([x, y], [width, height]) => {
            follow(&[[*x, *y], [x + width, *y], [x + width, y + height], [*x, y + height]], pen);
            pen.close();
        }
    }
}

fn follow(places: &[Place], pen: &mut impl OutlineBuilder) {
    for (number, [x, y]) in places.iter().enumerate() {
        let (x, y) = (*x as f32, *y as f32);
        if number == 0 { pen.move_to(x, y) } else { pen.line_to(x, y) }
    }
}

fn circle((x, y): (f32, f32), radius: f32, pen: &mut impl OutlineBuilder) {
    let handle = radius * QUARTER;
    pen.move_to(x + radius, y);
    let ends = [(0.0, 1.0), (-1.0, 0.0), (0.0, -1.0), (1.0, 0.0)];
    let mut from: (f32, f32) = (1.0, 0.0);
    for to in ends {
        let at = |(a, b): (f32, f32), (c, d): (f32, f32)| (x + a * radius + c * handle, y + b * radius + d * handle);
        let ((x1, y1), (x2, y2), (x3, y3)) = (at(from, to), at(to, from), at(to, (0.0, 0.0)));
        pen.curve_to(x1, y1, x2, y2, x3, y3);
        from = to;
    }
    pen.close();
}
