//! A file of stall timers: what `policy = { kind = "table", file = "timers.csv" }` names.
//!
//! Lines of CSV with a header: `class` or `channel` (the number in `channels.csv`), `shallow` and `deep`. Timers are
//! times with their units, or empty for a sleep state that is not used. A line for a channel overrides one for its
//! class. Channels without a line stay on.

use std::ops::Range;
use std::path::Path;

use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::{Quantity, Time};
use drowse_core::power::{LinkTimers, Timers};
use drowse_core::topology::Network;

use super::stall_timer::{never_reached, timers};
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::machine::is_bad_input;
use crate::source::{Source, read_text};
use crate::wording::meant;

/// The columns that a table may have.
const COLUMNS: [&str; 4] = ["class", "channel", "shallow", "deep"];

/// A word of the file and where it stands.
type Word<'t> = (&'t str, Range<usize>);

/// What is wrong with a word, and what to do.
type Wrong = (Range<usize>, String, String);

/// Reads the timers of all channels of a network.
pub fn read(file: &Path, path: &str, keys: &Keys, network: &Network) -> Result<LinkTimers, Diagnostic> {
    let text = read_text(file).map_err(|error| {
        let message = format!("the table of timers {} cannot be read: {error}", file.display());
        let help = "write the name of a CSV file with the columns class or channel, shallow, deep";
        Diagnostic { machine: !is_bad_input(&error), ..keys.error(path, message, help) }
    })?;
    let source = Source::new(file, text.clone(), &[])?;
    table(&text, network).map_err(|(span, message, help)| source.error_at(&span, message, help))
}

fn table(text: &str, network: &Network) -> Result<LinkTimers, Wrong> {
    let mut lines = lines(text).filter(|(line, _)| !line.trim().is_empty());
    let Some((header, start)) = lines.next() else {
        return Err((0..0, "the table of timers is empty".into(), "begin it with a line class,shallow,deep".into()));
    };
    let columns = words(header, start).map(column).collect::<Result<Vec<_>, Wrong>>()?;
    if !columns.contains(&0) && !columns.contains(&1) {
        let help = "name the channels by a column class or channel";
        return Err((start..start + header.len(), "the table does not say whose timers these are".into(), help.into()));
    }
    let mut by_class = vec![Timers::NEVER; network.classes.len()];
    let mut by_channel = vec![None; network.channels() as usize];
    for (line, start) in lines {
        let row = Row::read(line, start, &columns)?;
        match row.channel(network)? {
            Some(channel) => by_channel[channel] = Some(row.timers),
            None => by_class[row.class(network)?] = row.timers,
        }
    }
    let class = |channel: usize| usize::from(network.channel_class(ChannelId(channel as u32)));
    let timers = by_channel.iter().enumerate().map(|(channel, own)| own.unwrap_or(by_class[class(channel)]));
    Ok(LinkTimers::new(timers.collect()))
}

/// One line of the table.
struct Row<'t> {
    names: [Option<Word<'t>>; 2],
    timers: Timers,
    span: Range<usize>,
}

impl<'t> Row<'t> {
    fn read(line: &'t str, start: usize, columns: &[usize]) -> Result<Self, Wrong> {
        let span = start..start + line.len();
        let cells: Vec<Word> = words(line, start).collect();
        if cells.len() != columns.len() {
            let message = format!("{} values for {} columns", cells.len(), columns.len());
            return Err((span, message, "write one value per column; leave a timer empty that is not used".into()));
        }
        let cell = |wanted: usize| {
            let place = columns.iter().position(|&column| column == wanted)?;
            cells.get(place).cloned().filter(|(word, _)| !word.is_empty())
        };
        let time = |wanted| cell(wanted).map(time).transpose();
        let timers = timers(time(2)?, time(3)?);
        if let Some(message) = never_reached(timers) {
            return Err((span, message, "both run from the start of the idle period: make shallow shorter".into()));
        }
        Ok(Row { names: [cell(0), cell(1)], timers, span })
    }

    /// Returns the channel that the line names, if it does.
    fn channel(&self, network: &Network) -> Result<Option<usize>, Wrong> {
        let Some((word, span)) = &self.names[1] else { return Ok(None) };
        let channels = network.channels();
        match word.parse::<u32>() {
            Ok(channel) if channel < channels => Ok(Some(channel as usize)),
            _ => {
                let help = format!("write a number of channels.csv, 0 to {}", channels.saturating_sub(1));
                Err((span.clone(), format!("`{word}` is no channel of this network"), help))
            }
        }
    }

    /// Returns the class that the line names.
    fn class(&self, network: &Network) -> Result<usize, Wrong> {
        let Some((word, span)) = &self.names[0] else {
            let help = "write a class or a channel's number".into();
            return Err((self.span.clone(), "this line does not say whose timers these are".into(), help));
        };
        network.classes.iter().position(|class| class == word).ok_or_else(|| {
            let known: Vec<&str> = network.classes.iter().map(String::as_str).collect();
            let help = format!("{}its classes: {}", meant(word, &known), known.join(", "));
            (span.clone(), format!("this network has no links of class \"{word}\""), help)
        })
    }
}

fn column((word, span): Word<'_>) -> Result<usize, Wrong> {
    COLUMNS.iter().position(|column| *column == word).ok_or_else(|| {
        let help = format!("{}its columns are: {}", meant(word, &COLUMNS), COLUMNS.join(", "));
        (span, format!("a table of timers has no column `{word}`"), help)
    })
}

fn time((word, span): Word<'_>) -> Result<Time, Wrong> {
    let help = || "write a time with its unit, such as 50 us, or nothing for a sleep that is not used".to_string();
    Time::read(word).map_err(|message| (span, message, help()))
}

/// Returns the lines of a text and where each starts.
fn lines(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let here = start;
        start += line.len();
        (line.trim_end_matches(['\n', '\r']), here)
    })
}

/// Returns the words of a line between commas, without the blanks and quotes around them, and where each stands.
fn words(line: &str, start: usize) -> impl Iterator<Item = Word<'_>> {
    let mut from = start;
    line.split(',').map(move |cell| {
        let word = cell.trim().trim_matches('"');
        let at = from + cell.find(word).unwrap_or_default();
        from += cell.len() + 1;
        (word, at..at + word.len())
    })
}
