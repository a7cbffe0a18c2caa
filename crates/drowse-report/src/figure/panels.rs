//! Panels side by side with the same scales: one, or one for each value of a key.

use drowse_picture::{Anchor, Layer};

use super::frame::{Area, Look, Panel, fit, room_below, room_left};
use super::scale::{Scale, whole};

/// The height of a panel as a share of its width, and of a panel that is alone.
const SLIM: f64 = 0.62;
const ALONE: f64 = 0.5;
/// The least width of a panel, as a multiple of the size of the font.
const NARROWEST: f64 = 16.0;
/// The most panels side by side.
const MOST: usize = 4;

/// Panels of one size.
#[derive(Debug)]
pub struct Panels {
    columns: usize,
    rows: usize,
    font: f64,
    /// The height of what is within the axes of a panel.
    inner: f64,
    left: f64,
    below: f64,
    /// The room above each panel for its name.
    above: f64,
}

impl Panels {
    /// Arranges so many panels; `named` says whether a name stands above each.
    pub fn new(count: usize, named: bool, look: Look, x: &Scale, y: &Scale) -> Self {
        let fit = whole(look.width / (NARROWEST * look.font)).clamp(1, MOST);
        let columns = count.clamp(1, fit);
        // Four are two rows of two rather than one and a rest.
        let columns = count.max(1).div_ceil(count.max(1).div_ceil(columns));
        let rows = count.max(1).div_ceil(columns);
        let inner = look.width / columns as f64 * if columns == 1 { ALONE } else { SLIM };
        Panels {
            columns,
            rows,
            font: look.font,
            inner,
            left: room_left(y, inner, look.font),
            below: room_below(x, look.font),
            above: if named { look.font * 1.8 } else { look.font * 0.6 },
        }
    }

    /// Returns the height that all need.
    pub fn height(&self) -> f64 {
        self.rows as f64 * (self.inner + self.above + self.font * 1.6) + self.below + self.font * -0.6
    }

    /// Draws the axes of each panel, and what is in it.
    pub fn draw(
        &self,
        layers: &mut Vec<Layer>,
        area: Area,
        names: &[String],
        [x, y]: [&Scale; 2],
        fill: impl Fn(usize, &Panel<'_>, &mut Vec<Layer>),
    ) {
        let font = self.font;
        let (first, gap) = (area.left + self.left, font * 1.2);
        let right = area.right - font * 0.8;
        let wide = (right - first - gap * (self.columns - 1) as f64) / self.columns as f64;
        let mut words = Layer::new("names");
        let count = names.len().max(1);
        for number in 0..count {
            let (column, row) = (number % self.columns, number / self.columns);
            let top = area.top + self.above + row as f64 * (self.inner + self.above + font * 1.6);
            let left = first + column as f64 * (wide + gap);
            let inside = Area { left, top, right: left + wide, bottom: top + self.inner };
            let panel = Panel { area: inside, x, y };
            panel.draw_axes(layers, font, [number + self.columns >= count, column == 0]);
            if let Some(name) = names.get(number).filter(|name| !name.is_empty()) {
                words.text(fit(name, font, wide), [left + wide / 2.0, top - font * 0.9], font, Anchor::Middle);
            }
            fill(number, &panel, layers);
        }
        let bottom = area.top + self.rows as f64 * (self.inner + self.above + font * 1.6) - font * 1.6;
        let middle = f64::midpoint(first, right);
        words.text(fit(&x.title, font, area.width()), [middle, bottom + font * 2.5], font, Anchor::Middle);
        let centre = f64::midpoint(area.top + self.above, bottom);
        let title = fit(&y.title, font, bottom - area.top + self.above);
        words.upright(title, [area.left + font * 0.7, centre], font);
        layers.push(words);
    }
}
