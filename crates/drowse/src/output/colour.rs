//! Colour on a terminal: titles and headings are bold, warnings yellow, errors red. Nothing else is coloured, so that
//! figures look the same everywhere.

use std::io;

use anstream::{AutoStream, ColorChoice};
use clap::ValueEnum;

const BOLD: &str = "\u{1b}[1m";
const YELLOW: &str = "\u{1b}[33m";
const RED: &str = "\u{1b}[1;31m";
const PLAIN: &str = "\u{1b}[0m";

/// When output has colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// Decides for the whole program.
    pub fn choose(self) {
        let choice = match self {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        choice.write_global();
    }
}

/// Returns whether stdout takes colour.
pub fn of_stdout() -> bool {
    AutoStream::choice(&io::stdout()) != ColorChoice::Never
}

/// Returns whether stderr takes colour.
pub fn of_stderr() -> bool {
    AutoStream::choice(&io::stderr()) != ColorChoice::Never
}

/// Makes a text bold.
pub fn bold(text: &str) -> String {
    format!("{BOLD}{text}{PLAIN}")
}

/// Paints a text in a colour such as `#3fba84`: the nearest of the 216 that terminals have.
pub fn painted(text: &str, colour: &str) -> String {
    // Each part has six steps: 0, 95, 135, 175, 215 and 255.
    let step = |part: u8| match part {
        0..=47 => 0,
        48..=114 => 1,
        _ => (u16::from(part) - 35) / 40,
    };
    let [red, green, blue] = drowse_describe::palette::channels(colour).map(step);
    format!("\u{1b}[38;5;{}m{text}{PLAIN}", 16 + 36 * red + 6 * green + blue)
}

/// Colours a table: its title, its headings (lines that others follow indented), warnings.
pub fn table(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let is_heading = |number: usize, line: &str| {
        let starts = number == 0 || lines[number - 1].is_empty();
        let indented = lines.get(number + 1).is_some_and(|next| next.starts_with("  "));
        !line.starts_with(' ') && (number == 0 || starts && indented)
    };
    let mut coloured = String::with_capacity(text.len() + 100);
    for (number, line) in lines.iter().enumerate() {
        let style = if line.starts_with("warning") {
            YELLOW
        } else if !line.is_empty() && is_heading(number, line) {
            BOLD
        } else {
            ""
        };
        let end = if style.is_empty() { "" } else { PLAIN };
        [style, line, end, "\n"].iter().for_each(|part| coloured.push_str(part));
    }
    if !text.ends_with('\n') {
        coloured.pop();
    }
    coloured
}

/// Colours the first word of a message: `error:` or `warning:`.
pub fn message(text: &str) -> String {
    for (word, style) in [("error:", RED), ("warning:", YELLOW)] {
        if let Some(rest) = text.strip_prefix(word) {
            return format!("{style}{word}{PLAIN}{rest}");
        }
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_headings_and_warnings_are_coloured() {
        let text = "Title\n4 nodes\n\nrun\n  time  1 s\n\na note\nwarning: no\n";
        let coloured = "\u{1b}[1mTitle\u{1b}[0m\n4 nodes\n\n\u{1b}[1mrun\u{1b}[0m\n  time  1 s\n\na note\n\
                        \u{1b}[33mwarning: no\u{1b}[0m\n";
        assert_eq!(table(text), coloured);
        assert_eq!(message("error: no"), "\u{1b}[1;31merror:\u{1b}[0m no");
        assert_eq!(message("x.toml: error: no"), "x.toml: error: no");
    }
}
