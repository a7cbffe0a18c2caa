//! The first line: `#DIMEMAS:"name":1,offset:tasks(threads of each),communicators[,accelerators..]`.

use super::MARK;
use crate::line_error::LineError;
use crate::numbers::number;

/// The most tasks that are read.
const MOST_TASKS: u64 = 1 << 20;

/// What the first line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub tasks: u32,
    pub communicators: u64,
    /// Whether lines at the end name the offset of each task.
    pub offsets: bool,
    /// The offset of the first of them, if it is named.
    pub table: Option<u64>,
    /// Whether an old program wrote it, for which operation 13 is a scan.
    pub old: bool,
}

impl Header {
    /// Parses the first line.
    pub fn parse(line: &[u8]) -> Result<Self, LineError> {
        let form = "a header is `#DIMEMAS:\"name\":1,offset:tasks(threads of each),communicators`";
        let wrong = |what: &str| LineError::Record(format!("{what}; {form}"));
        let rest = line.strip_prefix(MARK).ok_or_else(|| wrong("is no header of a Dimemas trace"))?.trim_ascii();
        // A quoted name may contain colons.
        let rest = match rest.strip_prefix(b"\"") {
            Some(quoted) => {
                let end = quoted.iter().position(|&byte| byte == b'"');
                &quoted[end.ok_or_else(|| wrong("has a name without an end"))? + 1..]
            }
            None => &rest[rest.iter().position(|&byte| byte == b':').unwrap_or(rest.len())..],
        };
        let rest = rest.strip_prefix(b":").ok_or_else(|| wrong("lacks a colon after the name"))?;
        let colon = rest.iter().position(|&byte| byte == b':').ok_or_else(|| wrong("lacks the tasks"))?;
        let (table, tasks) = (&rest[..colon], &rest[colon + 1..]);
        let mut table = table.split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
        let offsets = match number(table.next().unwrap_or_default(), "the mark of the offset table")? {
            0 => false,
            1 => true,
            _ => return Err(wrong("has an offset table that is neither 0 nor 1")),
        };
        let table = table.next().filter(|_| offsets).map(|field| number(field, "the offset of the offset table"));
        let open =
            tasks.iter().position(|&byte| byte == b'(').ok_or_else(|| wrong("lacks the threads of each task"))?;
        let close = tasks.iter().position(|&byte| byte == b')').ok_or_else(|| wrong("lacks a closing bracket"))?;
        let count = number(tasks[..open].trim_ascii(), "the number of tasks")?;
        let threads = tasks.get(open + 1..close).unwrap_or_default();
        let mut listed = 0;
        for threads in threads.split(|&byte| byte == b',') {
            number(threads.trim_ascii(), "the number of threads of a task")?;
            listed += 1;
        }
        if count == 0 || count > MOST_TASKS {
            return Err(LineError::Record(format!("names {count} tasks; a trace has from 1 to {MOST_TASKS}")));
        }
        if listed != count {
            return Err(wrong(&format!("names {count} tasks and the threads of {listed}")));
        }
        let mut more = tasks[close + 1..].split(|&byte| byte == b',').skip(1).map(<[u8]>::trim_ascii);
        let communicators = more.next().map_or(Ok(0), |field| number(field, "the number of communicators"))?;
        let table = table.transpose()?;
        Ok(Header { tasks: count as u32, communicators, offsets, table, old: more.next().is_none() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_all_times() {
        let of = |line: &str| Header::parse(line.as_bytes());
        let new = Header { tasks: 3, communicators: 9, offsets: true, table: Some(354_785), old: false };
        assert_eq!(of("#DIMEMAS:\"a:b.dim\":1,354785:3(1,2,1),9,0,0         "), Ok(new));
        assert_eq!(
            of("#DIMEMAS:x.dim:0:3(1,2,1),0"),
            Ok(Header { communicators: 0, offsets: false, table: None, old: true, ..new })
        );
        assert_eq!(of("#DIMEMAS:\"x\":0,0:3(1,2,1)").unwrap().communicators, 0);
        for wrong in ["", "#DIMEMAS:", "#DIMEMAS:\"x:0:1(1),0", "#DIMEMAS:x:0:1,0", "#DIMEMAS:x:0:2(1),0"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
        for wrong in [
            "#DIMEMAS:x:2:1(1),0",
            "#DIMEMAS:x:0:0(),0",
            "#DIMEMAS:x:0:1)1(,0",
            "#DIMEMAS:x:0:9999999(1),0",
            "#DIMEMAS:x:1,a:1(1),0",
        ] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }
}
