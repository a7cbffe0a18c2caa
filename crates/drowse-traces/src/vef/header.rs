//! The first line: `VEF<version> tasks messages communicators collectives parts onlySend [more]`.

use crate::line_error::LineError;
use crate::numbers::number;

/// The most tasks that are read.
const MOST_TASKS: u64 = 1 << 20;

/// The numbers of the first line.
pub(super) struct Header {
    pub tasks: u32,
    pub messages: u64,
    pub communicators: u64,
    pub collectives: u64,
    /// The records of collectives: one per task that takes part.
    pub parts: u64,
    /// Whether no message depends on a receipt; `None` where the header does not say.
    pub only_sends: Option<bool>,
    /// What follows, whose meaning is not known.
    pub more: String,
}

impl Header {
    /// Parses the first line.
    pub fn parse(line: &[u8]) -> Result<Self, LineError> {
        let mut fields = line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).skip(1);
        let mut next = |argument: &'static str| match fields.next() {
            Some(field) => number(field, argument),
            None => Err(LineError::Record(format!(
                "lacks {argument}; a header is `VEF3 tasks messages communicators collectives parts onlySend`"
            ))),
        };
        let tasks = next("the number of tasks")?;
        let (messages, communicators) = (next("the number of messages")?, next("the number of communicators")?);
        let (collectives, parts) = (next("the number of collectives")?, next("the number of parts of collectives")?);
        let only_sends = match fields.next().map(<[u8]>::to_ascii_uppercase).as_deref() {
            None => None,
            Some(b"TRUE" | b"1") => Some(true),
            Some(b"FALSE" | b"0") => Some(false),
            Some(other) => {
                let found = crate::error::shortened(&String::from_utf8_lossy(other));
                return Err(LineError::Record(format!("onlySend is `{found}`; write TRUE or FALSE")));
            }
        };
        let more: Vec<_> = fields.map(String::from_utf8_lossy).collect();
        if tasks == 0 || tasks > MOST_TASKS {
            return Err(LineError::Record(format!("names {tasks} tasks; a trace has from 1 to {MOST_TASKS}")));
        }
        let tasks = tasks as u32;
        Ok(Header { tasks, messages, communicators, collectives, parts, only_sends, more: more.join(" ") })
    }
}
