//! The formats of job logs, and what each is recognised by. A new one is a file with a reader, and a line here.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::job::{JobLog, Wrong};
use super::{batsim, json, sacct, sacct_json, swf};

/// A format of job logs.
pub struct Format {
    /// What it is called.
    pub name: &'static str,
    /// What it is recognised by, in words.
    pub sign: &'static str,
    is: fn(&Text<'_>) -> bool,
    /// Reads at most so many jobs of a text.
    pub(super) read: fn(&str, usize) -> Result<JobLog, Wrong>,
}

/// All formats.
pub const FORMATS: &[Format] = &[
    Format {
        name: "the Standard Workload Format",
        sign: "lines that begin with `;`, and lines of 18 numbers",
        is: is_swf,
        read: swf::parse,
    },
    Format {
        name: "text of sacct",
        sign: "a first line of names between `|`, among them `JobID` or `JobIDRaw`",
        is: is_sacct,
        read: sacct::parse,
    },
    Format {
        name: "JSON of sacct",
        sign: "the key `jobs` of a list whose items have `job_id`",
        is: is_sacct_json,
        read: sacct_json::parse,
    },
    Format {
        name: "a workload of Batsim",
        sign: "the keys `jobs`, and `nb_res` or `profiles`",
        is: is_batsim,
        read: batsim::parse,
    },
];

/// What a text is recognised by.
struct Text<'t> {
    /// The first line that is not blank.
    first: &'t str,
    /// The first word of the first line that is neither blank nor begins with `;`.
    word: &'t str,
    /// The keys of the object, where it is JSON.
    keys: Vec<String>,
}

fn is_swf(text: &Text<'_>) -> bool {
    text.first.starts_with(';') || text.word.parse::<f64>().is_ok()
}

fn is_sacct(text: &Text<'_>) -> bool {
    text.first.contains('|') && text.first.split('|').any(|name| ["JobID", "JobIDRaw"].contains(&name.trim()))
}

fn is_sacct_json(text: &Text<'_>) -> bool {
    text.has("jobs") && !text.has("nb_res") && !text.has("profiles")
}

fn is_batsim(text: &Text<'_>) -> bool {
    text.has("jobs") && (text.has("nb_res") || text.has("profiles"))
}

impl<'t> Text<'t> {
    /// Looks at a text. Where it begins like JSON, it must be JSON.
    fn new(text: &'t str) -> Result<Self, Wrong> {
        let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
        let first = lines().next().unwrap_or_default();
        let data = lines().find(|line| !line.starts_with(';')).unwrap_or_default();
        let keys = if first.starts_with('{') {
            json::read::<BTreeMap<String, &RawValue>>(text, 0)?.into_keys().collect()
        } else {
            Vec::new()
        };
        Ok(Text { first, word: data.split_ascii_whitespace().next().unwrap_or_default(), keys })
    }

    fn has(&self, key: &str) -> bool {
        self.keys.iter().any(|known| known == key)
    }
}

/// Returns the format of a text, or refuses it.
pub(super) fn of(text: &str) -> Result<&'static Format, Wrong> {
    let looked = Text::new(text)?;
    if looked.first.is_empty() {
        return Err(Wrong::new(&(0..0), "this log is empty", "write another file"));
    }
    let mut found = FORMATS.iter().filter(|format| (format.is)(&looked));
    match (found.next(), found.next()) {
        (Some(format), None) => Ok(format),
        (Some(one), Some(other)) => {
            let message = format!("this may be {} or {}", one.name, other.name);
            Err(Wrong::new(&first_line(text), message, "remove the signs of one of them"))
        }
        (None, _) => {
            let known: Vec<String> =
                FORMATS.iter().map(|format| format!("{} ({})", format.name, format.sign)).collect();
            let help = format!("write a log in one of these formats: {}", known.join("; "));
            Err(Wrong::new(&first_line(text), "this is no log of jobs that is known", help))
        }
    }
}

/// Returns where the first line that is not blank stands.
fn first_line(text: &str) -> std::ops::Range<usize> {
    let start = text.len() - text.trim_start().len();
    start..text[start..].find('\n').map_or(text.len(), |end| start + end)
}
