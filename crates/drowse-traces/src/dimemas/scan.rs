//! Reads a file once: checks every line, and finds where each task's records are and what its collectives are.

use rustc_hash::FxHashMap;

use drowse_core::model::units::Time;
use drowse_core::workload::communicators::CommId;

use super::collectives::Collectives;
use super::comms::Comms;
use super::counts::Counts;
use super::header::Header;
use super::pending::{Key, Pending};
use super::record::{How, Line, Record};
use crate::error::{Place, TraceError};
use crate::files::{Extent, FNV_OFFSET, RankText, Spool, Stored, add_line};
use crate::info::{NotSimulated, TraceInfo};
use crate::line_error::LineError;
use crate::numbers::{number, rank};

/// A trace that was read once.
pub(super) struct Scanned {
    /// The records of each task, and the lines before them.
    pub tasks: Vec<(RankText, u64)>,
    pub spool: Option<Spool>,
    pub old: bool,
    pub comms: Comms,
    pub collectives: Collectives,
    pub info: TraceInfo,
    pub fingerprint: u64,
}

/// Reads a trace.
pub(super) fn scan(stored: Stored) -> Result<Scanned, TraceError> {
    let label = stored.text.label.clone();
    let at = |line, problem| TraceError::Line { place: Place { file: label.clone(), line }, problem };
    let (mut scan, mut fingerprint) = (None, FNV_OFFSET);
    let mut offset = 0;
    stored.text.for_each_line(stored.spool.as_ref(), |line, text| {
        fingerprint = add_line(fingerprint, text);
        let begin = offset;
        offset += text.len() as u64 + 1;
        let text = text.trim_ascii();
        let read = match &mut scan {
            None => Header::parse(text).map(|header| scan = Some(Scan::new(header))),
            Some(_) if text.is_empty() => Ok(()),
            Some(scan) => scan.read((line, begin), text),
        };
        read.map_err(|problem| at(line, problem))
    })?;
    let scan = scan.ok_or_else(|| TraceError::NoActions { file: label.clone() })?;
    scan.finish(stored, offset, fingerprint).map_err(|(line, problem)| at(line, problem))
}

/// What was read so far.
struct Scan {
    header: Header,
    comms: Comms,
    /// Where the records of each task begin: the offset and the line.
    begins: Vec<Option<(u64, u64)>>,
    /// Where they end.
    ends: Vec<u64>,
    current: Option<u32>,
    /// Whether a record was read.
    records: bool,
    pending: Pending,
    /// The calls of the current task in each communicator.
    calls: FxHashMap<CommId, u32>,
    collectives: Collectives,
    counts: Counts,
    computed: u64,
    /// The lines of the table of offsets.
    offsets: u32,
    /// The first line with a wrong offset, and what has another offset than it says.
    wrong_offset: Option<(u64, &'static str)>,
    /// The number of wrong offsets.
    wrong_offsets: u64,
}

impl Scan {
    fn new(header: Header) -> Self {
        let tasks = header.tasks as usize;
        Scan {
            header,
            comms: Comms::new(header.tasks),
            begins: vec![None; tasks],
            ends: vec![0; tasks],
            current: None,
            records: false,
            pending: Pending::default(),
            calls: FxHashMap::default(),
            collectives: Collectives::default(),
            counts: Counts::default(),
            computed: 0,
            offsets: 0,
            wrong_offset: None,
            wrong_offsets: 0,
        }
    }

    /// Reads a line after the header, with its number and offset.
    fn read(&mut self, (number, begin): (u64, u64), text: &[u8]) -> Result<(), LineError> {
        if let Some(rest) = text.strip_prefix(b"d:") {
            return self.definition(rest);
        }
        if let Some(rest) = text.strip_prefix(b"s:") {
            self.leave(begin);
            return self.offset((number, begin), rest);
        }
        let line = Line::parse(text, self.header.tasks, self.header.old)?;
        if self.current != Some(line.task) {
            self.leave(begin);
            self.enter(line.task, (begin, number))?;
        }
        self.counts.add(number, &line);
        if line.thread == 0 { self.record(number, &line) } else { Ok(()) }
    }

    /// Reads a definition, after its `d:`. All stand before the records, whose meaning they change.
    fn definition(&mut self, rest: &[u8]) -> Result<(), LineError> {
        if self.records {
            return Err(LineError::Record("is a definition after the first record; put it before all records".into()));
        }
        let mut fields = rest.split(|&byte| byte == b':').map(<[u8]>::trim_ascii);
        match fields.next() {
            Some(b"1") => {}
            // Files and windows.
            Some(b"2" | b"3") => return Ok(()),
            _ => return Err(LineError::Record("defines what Dimemas does not have; write `d:1:id:size:tasks`".into())),
        }
        let id = number(fields.next().unwrap_or_default(), "the communicator's id")?;
        let size = number(fields.next().unwrap_or_default(), "the size of the communicator")?;
        let tasks = fields.filter(|field| !field.is_empty());
        let tasks = tasks.map(|field| rank(field, "a task of the communicator", self.header.tasks));
        let tasks = tasks.collect::<Result<Vec<u32>, _>>()?;
        if tasks.len() as u64 != size {
            let listed = tasks.len();
            return Err(LineError::Record(format!(
                "names a size of {size} and lists {listed} tasks; correct one of them"
            )));
        }
        self.comms.define(id, tasks)
    }

    /// Compares a line of the table of offsets with where the records of its task are, and the header with the first.
    fn offset(&mut self, (line, at): (u64, u64), rest: &[u8]) -> Result<(), LineError> {
        let mut fields = rest.split(|&byte| byte == b':').map(<[u8]>::trim_ascii);
        let task = rank(fields.next().unwrap_or_default(), "the task", self.header.tasks)?;
        let offset = number(fields.next().unwrap_or_default(), "the offset")?;
        self.offsets += 1;
        if self.offsets == 1 && self.header.table.is_some_and(|table| table != at) {
            self.add_wrong_offset(1, "the table of offsets");
        }
        if self.begins[task as usize].is_none_or(|(begin, _)| begin != offset) {
            self.add_wrong_offset(line, "its task's records");
        }
        Ok(())
    }

    /// Counts an offset that is not that of something.
    fn add_wrong_offset(&mut self, line: u64, of: &'static str) {
        self.wrong_offset.get_or_insert((line, of));
        self.wrong_offsets += 1;
    }

    /// Begins a task's records, which must be in one place.
    fn enter(&mut self, task: u32, begin: (u64, u64)) -> Result<(), LineError> {
        if let Some((_, line)) = self.begins[task as usize] {
            return Err(LineError::Record(format!(
                "belongs to task {task}, whose records began in line {line} and ended; put all records of a task \
                 together"
            )));
        }
        self.begins[task as usize] = Some(begin);
        self.current = Some(task);
        self.records = true;
        self.pending = Pending::default();
        self.calls.clear();
        self.computed = 0;
        Ok(())
    }

    /// Ends the records of the current task.
    fn leave(&mut self, end: u64) {
        if let Some(task) = self.current.take() {
            self.ends[task as usize] = end;
        }
    }

    /// Checks a record of the first thread of a task.
    fn record(&mut self, number: u64, line: &Line) -> Result<(), LineError> {
        match line.record {
            Record::Burst(time) | Record::GpuBurst(time) => {
                self.computed = self.computed.saturating_add(time.0);
                let (time, most) = (Time(self.computed), Time::LONGEST);
                if time > most {
                    return Err(LineError::ComputesTooLong { rank: line.task, time, most });
                }
            }
            Record::Send { to, tag, comm, .. } => {
                self.comms.message(comm, Some(tag), line.task, Some(to))?;
            }
            Record::Receive { key, how } => {
                self.comms.message(key.comm, key.tag, line.task, key.from)?;
                match how {
                    How::Block => {}
                    How::Post => drop(self.pending.start(Key::Receive(key))),
                    How::Wait => self.wait(Key::Receive(key)),
                }
            }
            Record::Collective(called) => {
                let (comm, member) = self.comms.collective(called.comm, line.task)?;
                if called.immediate {
                    self.pending.start(Key::Collective(called.kind, called.comm));
                }
                let call = self.calls.entry(comm).or_insert(0);
                *call += 1;
                self.collectives.add(comm, *call - 1, member, &called, (number, line.task))?;
            }
            Record::WaitCollective { kind, comm } => self.wait(Key::Collective(kind, comm)),
            Record::Noop | Record::Event | Record::Other => {}
        }
        Ok(())
    }

    /// Ends a request, if there is one.
    fn wait(&mut self, key: Key) {
        self.counts.odd_waits += u64::from(self.pending.end(key).is_none());
    }

    /// Compares the header with what the file holds, and makes the trace.
    fn finish(mut self, stored: Stored, length: u64, fingerprint: u64) -> Result<Scanned, (u64, LineError)> {
        self.leave(length);
        let wrong = |problem: String| {
            (1, LineError::Record(format!("{problem}: the file is cut off, or the header is wrong; copy it again")))
        };
        let held = self.begins.iter().flatten().count();
        if held != self.begins.len() {
            return Err(wrong(format!("names {} tasks, but the file holds records of {held}", self.header.tasks)));
        }
        if self.comms.defined() != self.header.communicators {
            let (named, held) = (self.header.communicators, self.comms.defined());
            return Err(wrong(format!("names {named} communicators, but the file defines {held}")));
        }
        if self.header.offsets && self.offsets != self.header.tasks {
            let (named, held) = (self.header.tasks, self.offsets);
            return Err(wrong(format!("says that offsets of {named} tasks follow, but there are {held}")));
        }
        let comms = &self.comms;
        self.collectives.check(|comm| comms.table().size(comm).unwrap_or_default())?;
        let count = self.wrong_offsets;
        let offsets = self.wrong_offset.map(|(line, of)| {
            format!(
                "{count} offsets are wrong and not used, as if the file had been changed: line {line} names another one \
                 than that of {of}"
            )
        });
        let threads = self.counts.threads;
        let mut info = self.counts.finish(self.header.tasks, offsets);
        info.not_simulated.extend(threads.map(|(line, occurrences)| NotSimulated {
            action: "thread".to_owned(),
            obstacle: "threads other than the first of their task communicate, and only the first is simulated",
            first: Place { file: stored.text.label.clone(), line },
            occurrences,
        }));
        let ends = self.begins.iter().flatten().zip(&self.ends);
        let tasks = ends.map(|(&(offset, line), &end)| {
            (stored.text.part(Extent { offset, length: end.saturating_sub(offset) }), line - 1)
        });
        Ok(Scanned {
            tasks: tasks.collect(),
            spool: stored.spool,
            old: self.header.old,
            comms: self.comms,
            collectives: self.collectives,
            info,
            fingerprint,
        })
    }
}
