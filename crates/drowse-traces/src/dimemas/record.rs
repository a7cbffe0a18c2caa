//! A line of the body: `kind:task:thread:...`.

use drowse_core::model::units::Time;

use super::kind::Kind;
use crate::compute::picoseconds;
use crate::line_error::LineError;
use crate::numbers::{number, rank, size, wrong};

/// A line of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub task: u32,
    pub thread: u64,
    pub record: Record,
}

/// What a line holds. Communicators are by the ids of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Record {
    Noop,
    Event,
    /// A CPU burst.
    Burst(Time),
    GpuBurst(Time),
    Send {
        to: u32,
        bytes: u64,
        tag: u32,
        comm: u64,
        synchronous: bool,
        immediate: bool,
    },
    Receive {
        key: ReceiveKey,
        how: How,
    },
    Collective(Called),
    /// Waits for an immediate collective.
    WaitCollective {
        kind: Kind,
        comm: u64,
    },
    /// A file or one-sided operation.
    Other,
}

/// What a receive and its wait have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ReceiveKey {
    pub from: Option<u32>,
    pub tag: Option<u32>,
    pub comm: u64,
}

/// What a record of a receive does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    Block,
    Post,
    Wait,
}

/// A call of a collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Called {
    pub kind: Kind,
    pub immediate: bool,
    pub comm: u64,
    pub is_root: bool,
    pub sends: u64,
    pub receives: u64,
}

impl Line {
    /// Parses a line that is neither blank nor a definition nor an offset.
    pub fn parse(line: &[u8], tasks: u32, old: bool) -> Result<Self, LineError> {
        let fields: Fields = Fields::of(line);
        let kind = number(fields.at(0, "the kind of record")?, "the kind of record")?;
        let task = rank(fields.at(1, "the task")?, "the task", tasks)?;
        let thread = number(fields.at(2, "the thread")?, "the thread")?;
        let record = match kind {
            0 => Record::Noop,
            1 => Record::Burst(seconds(fields.at(3, "the time")?)?),
            11 => Record::GpuBurst(seconds(fields.at(3, "the time")?)?),
            2 => fields.send(tasks)?,
            3 => fields.receive(tasks)?,
            10 => fields.collective(old)?,
            20 => Record::Event,
            101..=107 | 301..=307 | 401..=404 | 501 => Record::Other,
            _ => {
                return Err(LineError::Record(format!(
                    "is a record of kind {kind}, which Dimemas does not have; correct or remove the line"
                )));
            }
        };
        Ok(Line { task, thread, record })
    }
}

/// The most fields of a line that mean something.
const MOST_FIELDS: usize = 12;

/// The fields of a line.
struct Fields<'a> {
    fields: [&'a [u8]; MOST_FIELDS],
    count: usize,
}

impl<'a> Fields<'a> {
    fn of(line: &'a [u8]) -> Self {
        let mut fields = [b"".as_slice(); MOST_FIELDS];
        let mut count = 0;
        for field in line.split(|&byte| byte == b':') {
            if let Some(place) = fields.get_mut(count) {
                *place = field.trim_ascii();
            }
            count += 1;
        }
        Fields { fields, count }
    }

    /// Returns a field.
    fn at(&self, place: usize, argument: &'static str) -> Result<&'a [u8], LineError> {
        let field = self.fields.get(place).filter(|field| place < self.count && !field.is_empty());
        field.copied().ok_or_else(|| {
            LineError::Record(format!("lacks {argument}; the line is cut off or not of a Dimemas trace: copy it again"))
        })
    }

    /// Returns the place of the field after the peer: new traces name its thread, too.
    fn after_peer(&self) -> Result<usize, LineError> {
        match self.count {
            8 => Ok(4),
            9 => Ok(5),
            count => Err(LineError::Record(format!(
                "has {count} fields; a send or receive has 8 or 9: kind, task, thread, peer, its thread (in new \
                 traces), bytes, tag, communicator and sync"
            ))),
        }
    }

    fn send(&self, tasks: u32) -> Result<Record, LineError> {
        let next = self.after_peer()?;
        let to = rank(self.at(3, "the receiver")?, "the receiver", tasks)?;
        let bytes = size(self.at(next, "the size")?, "the size")?;
        let tag = tag(self.at(next + 1, "the tag")?)?;
        let comm = number(self.at(next + 2, "the communicator")?, "the communicator")?;
        let sync = number(self.at(next + 3, "the sync flag")?, "the sync flag")?;
        if sync > 3 {
            return Err(LineError::Record(format!("sync is {sync}; for a send it is from 0 to 3")));
        }
        Ok(Record::Send { to, bytes, tag, comm, synchronous: sync & 1 != 0, immediate: sync & 2 != 0 })
    }

    fn receive(&self, tasks: u32) -> Result<Record, LineError> {
        let next = self.after_peer()?;
        let from = match self.at(3, "the sender")? {
            b"-1" => None,
            field => Some(rank(field, "the sender", tasks)?),
        };
        size(self.at(next, "the size")?, "the size")?;
        let tag = match self.at(next + 1, "the tag")? {
            b"-1" => None,
            field => Some(tag(field)?),
        };
        let comm = number(self.at(next + 2, "the communicator")?, "the communicator")?;
        let how = match number(self.at(next + 3, "the type")?, "the type")? {
            0 => How::Block,
            1 => How::Post,
            2 | 3 => How::Wait,
            other => {
                return Err(LineError::Record(format!("the type is {other}; for a receive it is from 0 to 3")));
            }
        };
        Ok(Record::Receive { key: ReceiveKey { from, tag, comm }, how })
    }

    fn collective(&self, old: bool) -> Result<Record, LineError> {
        let operation = number(self.at(3, "the operation")?, "the operation")?;
        let (kind, immediate) = Kind::of(operation, old).ok_or_else(|| {
            LineError::Record(format!("operation {operation} is no collective; they are 0 (barrier) to 31"))
        })?;
        let comm = number(self.at(4, "the communicator")?, "the communicator")?;
        let is_root = number(self.at(5, "the root flag")?, "the root flag")? != 0;
        // Sizes of vectors may be more than can be sent to one rank.
        let sends = number(self.at(7, "the bytes sent")?, "the bytes sent")?;
        let receives = number(self.at(8, "the bytes received")?, "the bytes received")?;
        let waits = immediate && self.count > 9 && self.at(9, "the sync flag")? == b"2";
        Ok(if waits {
            Record::WaitCollective { kind, comm }
        } else {
            Record::Collective(Called { kind, immediate, comm, is_root, sends, receives })
        })
    }
}

/// Parses a tag.
fn tag(field: &[u8]) -> Result<u32, LineError> {
    u32::try_from(number(field, "the tag")?).map_err(|_| wrong(field, "the tag", "a number from 0 to 4294967295"))
}

/// Parses seconds, usually with nine decimals.
fn seconds(field: &[u8]) -> Result<Time, LineError> {
    let bad = || wrong(field, "the time", "a number of seconds that is not negative");
    let too_large = LineError::TooLarge { what: "the time" };
    let (whole, decimals) = match field.iter().position(|&byte| byte == b'.') {
        Some(point) => (&field[..point], &field[point + 1..]),
        None => (field, b"".as_slice()),
    };
    let digits = !whole.is_empty() && [whole, decimals].iter().all(|part| part.iter().all(u8::is_ascii_digit));
    if digits && whole.len() <= 7 && decimals.len() <= 12 {
        let value = |digits: &[u8]| digits.iter().fold(0_u64, |sum, digit| sum * 10 + u64::from(digit - b'0'));
        let fraction = value(decimals) * 10_u64.pow(12 - decimals.len() as u32);
        let time = Time(value(whole) * 1_000_000_000_000 + fraction);
        return if time > Time::LONGEST { Err(too_large) } else { Ok(time) };
    }
    let value: f64 = std::str::from_utf8(field).ok().and_then(|text| text.parse().ok()).ok_or_else(bad)?;
    if value.is_nan() || value < 0.0 {
        return Err(bad());
    }
    picoseconds(value * 1e12).ok_or(too_large)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_exact() {
        let of = |text: &str| seconds(text.as_bytes()).map(|time| time.0);
        assert_eq!(of("0.088160735"), Ok(88_160_735_000));
        assert_eq!(of("3"), Ok(3_000_000_000_000));
        assert_eq!(of("1e-3"), Ok(1_000_000_000));
        assert_eq!(of("999999.999999999"), Ok(999_999_999_999_999_000));
        assert_eq!(of("0.0000000000001234"), Ok(0));
        for wrong in ["", ".", "-1", "nan", "1.2.3", "x", "1e999", "9999999"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }
}
