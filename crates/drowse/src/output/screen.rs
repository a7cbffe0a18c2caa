//! A run on one screen: lines of at most 80 columns. Cells are shades or bars, so that they can be read without colour;
//! colours are those of charts.

use drowse_describe::palette::{ASLEEP, BUSY};
use drowse_report::screen::{Cells, Group, Screen, Strip};

use super::colour;
use super::wrap::{self, WIDTH};

/// Shades of shares: none, up to a quarter, a half, three quarters, and all.
const SHADES: [char; 5] = ['·', '░', '▒', '▓', '█'];
/// Heights of bars.
const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// The widest name of a strip.
const NAME: usize = 16;

/// Lays out a screen.
pub fn text(screen: &Screen, in_colour: bool) -> String {
    let mut lines = vec![bold(&cut(&screen.title, WIDTH), in_colour)];
    for [value, words, note] in &screen.figures {
        let note = if note.is_empty() { String::new() } else { format!(" ({note})") };
        let line = format!("{value} {words}{note}");
        lines.extend(wrap::hard(&line, WIDTH - 2).into_iter().map(|line| format!("  {line}")));
    }
    lines.push(String::new());
    lines.push(cut(&format!("case: {}", screen.case), WIDTH));
    if screen.groups.is_empty() {
        lines.push("no table of channels or power is here: `drowse run --out` writes them".into());
    }
    for group in &screen.groups {
        lines.push(bold(&cut(&group.heading, WIDTH), in_colour));
        lines.extend(group.strips.iter().map(|strip| line(group, strip, in_colour)));
        if group.more > 0 {
            lines.push(format!("  and {} more", group.more));
        }
    }
    if screen.groups.iter().any(|group| group.cells != Cells::Power) {
        let [none, first, second, third, all] = SHADES;
        lines.push(format!("{none} none  {first} to 25 %  {second} to 50 %  {third} to 75 %  {all} to 100 %"));
    }
    lines.join("\n") + "\n"
}

/// Lays out a strip.
fn line(group: &Group, strip: &Strip, in_colour: bool) -> String {
    let name = cut(&strip.name, NAME);
    let cells: String =
        strip.cells.iter().map(|cell| cell.map_or(' ', |share| character(group.cells, share))).collect();
    let painted = match group.cells {
        Cells::Asleep if in_colour => colour::painted(&cells, ASLEEP),
        Cells::Busy if in_colour => colour::painted(&cells, BUSY),
        _ => cells,
    };
    format!("  {name:NAME$} {painted} {}", strip.note)
}

/// Returns the character of a share.
#[expect(clippy::cast_sign_loss, reason = "shares are not negative")]
fn character(cells: Cells, share: f64) -> char {
    let steps = if cells == Cells::Power { &HEIGHTS[..] } else { &SHADES[1..] };
    // What is next to nothing has no shade.
    if cells != Cells::Power && share < 0.005 {
        return SHADES[0];
    }
    let place = (share * steps.len() as f64 - 1e-9).floor().max(0.0) as usize;
    steps[place.min(steps.len() - 1)]
}

fn bold(text: &str, in_colour: bool) -> String {
    if in_colour { colour::bold(text) } else { text.to_owned() }
}

/// Cuts a text to so many letters.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most { text.to_owned() } else { text.chars().take(most - 1).chain(['…']).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_shades_and_heights() {
        let shades: String =
            [0.0, 0.1, 0.25, 0.26, 0.6, 1.0].map(|share| character(Cells::Asleep, share)).iter().collect();
        assert_eq!(shades, "·░░▒▓█");
        let heights: String = [0.0, 0.5, 1.0].map(|share| character(Cells::Power, share)).iter().collect();
        assert_eq!(heights, "▁▄█");
    }
}
