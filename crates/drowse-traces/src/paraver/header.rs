//! The first line:
//! `#Paraver (date):time[_ns]:nodes[(processors)]:applications:tasks(threads:node,...)[,communicators]:...`.

use super::MARK;
use crate::line_error::LineError;
use crate::numbers::number;

/// The most tasks that are read.
const MOST_TASKS: u64 = 1 << 20;

/// What the first line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// The tasks of the first application.
    pub tasks: u32,
    pub applications: u64,
    /// Picoseconds of a unit of time.
    pub unit: u64,
}

impl Header {
    /// Parses the first line.
    pub fn parse(line: &[u8]) -> Result<Self, LineError> {
        let form = "a header is `#Paraver (date):time_ns:nodes(processors):applications:tasks(threads:node,...)`";
        let wrong = |what: &str| LineError::Record(format!("{what}; {form}"));
        let rest = line.strip_prefix(MARK).ok_or_else(|| wrong("is no header of a Paraver trace"))?;
        let date = rest.iter().position(|&byte| byte == b')').ok_or_else(|| wrong("has no date in brackets"))?;
        let mut fields = outer(&rest[date + 1..]).skip(1).map(<[u8]>::trim_ascii);
        let mut next = |what: &str| fields.next().ok_or_else(|| wrong(&format!("lacks {what}")));
        let time = next("the time")?;
        let (digits, unit) = match time.strip_suffix(b"_ns") {
            Some(digits) => (digits, 1_000),
            None => (time, 1_000_000),
        };
        number(digits, "the time")?;
        next("the nodes")?;
        let applications = number(next("the number of applications")?, "the number of applications")?;
        let first = next("the tasks of the first application")?;
        let bracket = first.iter().position(|&byte| byte == b'(').ok_or_else(|| wrong("lacks the threads of tasks"))?;
        let tasks = number(first[..bracket].trim_ascii(), "the number of tasks")?;
        if tasks == 0 || tasks > MOST_TASKS {
            return Err(LineError::Record(format!("names {tasks} tasks; a trace has from 1 to {MOST_TASKS}")));
        }
        let close = first.iter().position(|&byte| byte == b')').unwrap_or(first.len());
        let threads = first.get(bracket + 1..close).unwrap_or_default();
        let listed = threads.split(|&byte| byte == b',').count() as u64;
        if listed != tasks {
            return Err(wrong(&format!("names {tasks} tasks and the threads of {listed}")));
        }
        Ok(Header { tasks: tasks as u32, applications, unit })
    }
}

/// Splits a text at colons that are not in brackets.
fn outer(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut depth = 0_i64;
    text.split(move |&byte| {
        depth += i64::from(byte == b'(') - i64::from(byte == b')');
        byte == b':' && depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_with_one_and_several_applications() {
        let of = |line: &str| Header::parse(line.as_bytes());
        let one = Header { tasks: 2, applications: 1, unit: 1_000 };
        assert_eq!(of("#Paraver (20/11/2026 at 21:35):256_ns:1(8):1:2(1:1,1:1),9"), Ok(one));
        let two = Header { tasks: 1, applications: 2, unit: 1_000_000 };
        assert_eq!(of("#Paraver (1/1/22 at 16:37):16:0:2:1(4:1):2(1:1,1:1),14"), Ok(two));
        for wrong in ["", "#Paraver", "#Paraver (a):x:1:1:1(1:1)", "#Paraver (a):5:1:1", "#Paraver (a):5:1:1:2(1:1)"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
        for wrong in ["#Paraver (a):5:1:1:0()", "#Paraver (a):5:1:1:9999999(1:1)", "#Paraver (a):5:1:1:1)1:1("] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }
}
