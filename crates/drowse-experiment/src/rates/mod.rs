//! Series of prices and of carbon intensities, from files: what a kWh costs or emits by the time of day.
//!
//! A format is recognised by the names of its columns, whatever the file is called.

mod clock;
mod decimal;
mod electricity_maps;
mod entsoe;
mod formats;
mod local_time;
mod own;
mod simgrid;
mod steps;
mod table;

use std::path::Path;

use drowse_core::power::rate::Steps;

pub use clock::moment;
pub use own::seconds;
pub use steps::{Gap, Times};

use crate::diagnostic::Diagnostic;
use crate::machine::is_bad_input;
use crate::source::{Source, read_text};

/// What is wrong with a part of a file, and what to do.
type Wrong = (std::ops::Range<usize>, String, String);

/// What a series is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Money for a kWh.
    Price,
    /// Grams of CO2 for a kWh.
    Carbon,
}

/// Which of the series of a file is read, where it has several.
#[derive(Clone, Copy, Debug, Default)]
pub struct Choice<'a> {
    /// Emissions of plants alone, without those of building them and of their fuel.
    pub direct: bool,
    /// The host of a file of SimGrid.
    pub host: Option<&'a str>,
}

/// A series, and how its times are written.
#[derive(Clone, Debug)]
pub struct Series {
    /// The steps.
    pub steps: Steps,
    /// Whether times are those of a calendar.
    pub times: Times,
    /// Where values hold for longer than usual, so that lines may be missing.
    pub gap: Option<Gap>,
    /// The keys beside `file` that its format takes.
    pub keys: &'static [&'static str],
}

/// Reads a series. The first error is of a file that cannot be read, and whether the machine is to blame; the second of
/// what is in it.
pub fn read(file: &Path, meaning: Meaning, choice: Choice<'_>) -> Result<Result<Series, Diagnostic>, (String, bool)> {
    let text = read_text(file).map_err(|error| {
        let message = format!("the series {} cannot be read: {error}", file.display());
        (message, !is_bad_input(&error))
    })?;
    let at = |(span, message, help): Wrong| match Source::new(file, text.clone(), &[]) {
        Ok(source) => source.error_at(&span, message, help),
        Err(diagnostic) => diagnostic,
    };
    Ok(formats::read(&text, meaning, choice).map_err(at))
}
