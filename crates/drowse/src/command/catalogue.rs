//! What commands that list a catalogue have in common: its forms.

use clap::{Args, ValueEnum};
use serde_json::Value;

use crate::failure::Failure;
use crate::output;

/// How a catalogue is printed.
#[derive(Debug, Args)]
pub struct Printed {
    /// Print a list, JSON or a page in Markdown
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

/// What is printed.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    /// A list
    #[default]
    List,
    /// JSON
    Json,
    /// A page in Markdown
    Markdown,
}

impl Printed {
    /// Prints one of the forms.
    pub fn print(&self, list: fn() -> String, page: fn() -> String, json: fn() -> Value) -> Result<(), Failure> {
        output::print(&match self.format {
            Format::List => list(),
            Format::Markdown => page(),
            Format::Json => format!("{:#}\n", json()),
        })
    }
}
