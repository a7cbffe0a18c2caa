//! `job.repeat`: how often the ranks of a job run their program.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};

use crate::case::{JobSpec, Repeat};
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};

/// The word for a job that keeps the load up.
const UNTIL_OTHERS_END: &str = "until-others-end";

/// A number of runs, or the word, as it is written.
#[derive(Clone, Copy)]
pub struct Written(Repeat);

/// Returns how often a job runs its program.
pub fn resolve(written: Option<Written>, keys: &Keys, path: &str) -> Result<Repeat, Diagnostic> {
    match written.map_or(Repeat::Times(1), |Written(repeat)| repeat) {
        Repeat::Times(times) => Ok(Repeat::Times(super::in_range(Some(times), u32::MAX, keys, path)?.unwrap_or(1))),
        Repeat::UntilOthersEnd => Ok(Repeat::UntilOthersEnd),
    }
}

/// Refuses jobs that all wait for others to end, and one that does under a scheduler.
pub fn check(jobs: &[JobSpec], keys: &Keys, scheduled: bool) -> Result<(), Diagnostic> {
    let repeats = |job: &&JobSpec| job.repeat == Repeat::UntilOthersEnd;
    let Some(job) = jobs.iter().find(repeats) else { return Ok(()) };
    let path = join(&job.path, "repeat");
    if scheduled {
        let message = format!("`{path}` = \"{UNTIL_OTHERS_END}\" is for jobs without a scheduler");
        let help = "a scheduler starts jobs when others end: write repeat = 10, or count = 10, or remove [scheduler]";
        return Err(keys.error(&path, message, help));
    }
    if jobs.iter().all(|job| repeats(&job)) {
        let message = format!("every job has repeat = \"{UNTIL_OTHERS_END}\", so that the run would never end");
        return Err(keys.error(&path, message, "write a number for the jobs that are to be measured, or leave it out"));
    }
    Ok(())
}

impl JsonSchema for Written {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Repeat".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "type": "integer", "minimum": 1 }, { "const": UNTIL_OTHERS_END }] })
    }
}

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WrittenVisitor)
    }
}

struct WrittenVisitor;

impl Visitor<'_> for WrittenVisitor {
    type Value = Written;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a number of runs such as 10, or \"{UNTIL_OTHERS_END}\"")
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Written, E> {
        let wrong = |_| E::invalid_value(de::Unexpected::Signed(number), &self);
        u32::try_from(number).map(|times| Written(Repeat::Times(times))).map_err(wrong)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Written, E> {
        match text {
            UNTIL_OTHERS_END => Ok(Written(Repeat::UntilOthersEnd)),
            other => Err(E::invalid_value(de::Unexpected::Str(other), &self)),
        }
    }
}
