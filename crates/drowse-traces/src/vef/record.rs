//! A line of the body: a message, or one task's part of a collective.

use crate::line_error::LineError;
use crate::numbers::{number, rank, size};

/// The longest time, in nanoseconds; more is not simulated.
pub(super) const LONGEST_NS: u64 = 1_000_000_000_000_000;

/// What a record depends on, by the ids of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum On {
    Start,
    Sent(u64),
    Received(u64),
    Collective(u64),
}

/// A dependency: a time after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dependency {
    pub on: On,
    pub nanoseconds: u64,
}

/// A dependency in 16 bytes.
#[derive(Clone, Copy)]
pub(super) struct Packed {
    /// The kind in the upper two bits, over the time.
    kind: u64,
    id: u64,
}

/// Where the kind begins: above the longest time.
const KIND: u32 = 62;

impl Packed {
    /// Packs a dependency, whose time is not longer than the longest.
    pub const fn of(Dependency { on, nanoseconds }: Dependency) -> Self {
        let (kind, id) = match on {
            On::Start => (0, 0),
            On::Sent(id) => (1, id),
            On::Received(id) => (2, id),
            On::Collective(id) => (3, id),
        };
        Packed { kind: kind << KIND | nanoseconds, id }
    }

    /// Returns the dependency.
    pub const fn unpacked(self) -> Dependency {
        let on = match self.kind >> KIND {
            0 => On::Start,
            1 => On::Sent(self.id),
            2 => On::Received(self.id),
            _ => On::Collective(self.id),
        };
        Dependency { on, nanoseconds: self.kind & ((1 << KIND) - 1) }
    }
}

/// A message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Message {
    pub from: u32,
    pub to: u32,
    pub bytes: u64,
}

/// A task's part of a collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub call: u64,
    pub communicator: u64,
    pub operation: u64,
    pub task: u32,
    pub sends: u64,
    pub receives: u64,
}

/// A line of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Record {
    Message(u64, Message, Dependency),
    Part(Part, Dependency),
}

impl Record {
    /// Parses a line that is not blank.
    pub fn parse(line: &[u8], tasks: u32) -> Result<Self, LineError> {
        let mut fields = Fields(line);
        if let Some(id) = line.strip_prefix(b"G") {
            fields = Fields(id);
            let part = Part {
                call: number(fields.next("the collective's id", COLLECTIVE)?, "the collective's id")?,
                communicator: number(fields.next("the communicator", COLLECTIVE)?, "the communicator")?,
                operation: number(fields.next("the operation", COLLECTIVE)?, "the operation")?,
                task: rank(fields.next("the task", COLLECTIVE)?, "the task", tasks)?,
                sends: size(fields.next("the size sent", COLLECTIVE)?, "the size sent")?,
                receives: number(fields.next("the size received", COLLECTIVE)?, "the size received")?,
            };
            return Ok(Record::Part(part, fields.dependency(COLLECTIVE)?));
        }
        let id = number(fields.next("the id", MESSAGE)?, "the id")?;
        let message = Message {
            from: rank(fields.next("the sender", MESSAGE)?, "the sender", tasks)?,
            to: rank(fields.next("the receiver", MESSAGE)?, "the receiver", tasks)?,
            bytes: size(fields.next("the size", MESSAGE)?, "the size")?,
        };
        Ok(Record::Message(id, message, fields.dependency(MESSAGE)?))
    }
}

/// The grammar of a message.
const MESSAGE: &str = "id from to bytes dependency time onId";
/// The grammar of a part of a collective.
const COLLECTIVE: &str = "G<id> communicator operation task sent received dependency time onId";

/// The fields of a line that are left.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    /// Returns the next field.
    fn next(&mut self, argument: &'static str, form: &'static str) -> Result<&'a [u8], LineError> {
        let text = self.0.trim_ascii_start();
        let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
        let (field, rest) = text.split_at(end);
        self.0 = rest;
        let missing = || LineError::Record(format!("lacks {argument}; write it like `{form}`"));
        (!field.is_empty()).then_some(field).ok_or_else(missing)
    }

    /// Returns the last three fields.
    fn dependency(&mut self, form: &'static str) -> Result<Dependency, LineError> {
        let kind = number(self.next("the dependency", form)?, "the dependency")?;
        let nanoseconds = number(self.next("the time", form)?, "the time")?;
        let on = self.next("the id that it depends on", form)?;
        if nanoseconds > LONGEST_NS {
            return Err(LineError::TooLarge { what: "the time" });
        }
        let id = |field: &[u8]| number(field, "the id that it depends on");
        let on = match kind {
            0 => On::Start,
            1 => On::Sent(id(on)?),
            2 => On::Received(id(on)?),
            3 => On::Collective(id(on.strip_prefix(b"G").unwrap_or(on))?),
            _ => {
                return Err(LineError::Record(format!(
                    "the dependency is {kind}; it is 0 (independent), 1 (a send), 2 (a receipt) or 3 (a collective)"
                )));
            }
        };
        if !self.0.trim_ascii().is_empty() {
            return Err(LineError::Record(format!("has too many fields; write it like `{form}`")));
        }
        Ok(Dependency { on, nanoseconds })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_are_packed() {
        for on in [On::Start, On::Sent(u64::MAX), On::Received(0), On::Collective(7)] {
            for nanoseconds in [0, 1, LONGEST_NS] {
                let depends = Dependency { on, nanoseconds };
                assert_eq!(Packed::of(depends).unpacked(), depends);
            }
        }
        assert_eq!(size_of::<Packed>(), 16);
    }
}
