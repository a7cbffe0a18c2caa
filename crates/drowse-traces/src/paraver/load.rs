//! Reads a file: its calls and messages.

use std::collections::BTreeMap;

use super::build::{Build, Program, Records};
use super::call::{Call, Message};
use super::calls::{
    APPLICATION, COLLECTIVE, COMMUNICATOR, FILES, ONE_SIDED, OTHER, POINT_TO_POINT, RECEIVED, ROOT, RUNNING, SENT,
};
use super::header::Header;
use crate::error::{Place, TraceError};
use crate::files::Stored;
use crate::line_error::LineError;
use crate::numbers::{number, size};

/// Reads a trace.
pub(super) fn load(stored: &Stored) -> Result<Program, TraceError> {
    let label = &stored.text.label;
    let at = |line, problem| TraceError::Line { place: Place { file: label.clone(), line }, problem };
    let mut file = None;
    let fingerprint = stored.read_lines(|line, text| match &mut file {
        None => Header::parse(text).map(|header| file = Some(File::new(header))),
        Some(_) if text.is_empty() || text[0] == b'#' => Ok(()),
        Some(file) => file.read(line, text),
    })?;
    let file = file.ok_or_else(|| TraceError::NoActions { file: label.clone() })?;
    let File { build, counts, others, threads, one_sided, files, .. } = file;
    let records = Records { counts, others, threads, one_sided, files };
    build.finish(label, fingerprint, records).map_err(|(line, problem)| at(line, problem))
}

/// What was read so far.
struct File {
    header: Header,
    build: Build,
    counts: BTreeMap<&'static str, u64>,
    others: u64,
    threads: Option<(u64, u64)>,
    one_sided: u64,
    files: u64,
}

/// The fields of a record.
struct Fields<'a> {
    fields: std::slice::Split<'a, u8, fn(&u8) -> bool>,
}

impl<'a> Fields<'a> {
    fn of(text: &'a [u8]) -> Self {
        let colon: fn(&u8) -> bool = |&byte| byte == b':';
        Fields { fields: text.split(colon) }
    }

    fn optional(&mut self) -> Option<&'a [u8]> {
        self.fields.next().map(<[u8]>::trim_ascii)
    }

    fn text(&mut self, what: &'static str) -> Result<&'a [u8], LineError> {
        self.optional().filter(|field| !field.is_empty()).ok_or_else(|| {
            LineError::Record(format!("lacks {what}; the line is cut off or not of a Paraver trace: copy it again"))
        })
    }

    fn number(&mut self, what: &'static str) -> Result<u64, LineError> {
        number(self.text(what)?, what)
    }
}

/// Who a record is of.
struct Object {
    /// The rank; `None` in another application than the first.
    rank: Option<u32>,
    thread: u64,
}

impl File {
    fn new(header: Header) -> Self {
        let build = Build::new(header.tasks);
        File { header, build, counts: BTreeMap::new(), others: 0, threads: None, one_sided: 0, files: 0 }
    }

    /// Reads a line after the header.
    fn read(&mut self, line: u64, text: &[u8]) -> Result<(), LineError> {
        let mut fields = Fields::of(text);
        match fields.optional().unwrap_or_default() {
            b"c" | b"C" => self.communicator(&mut fields),
            b"1" => {
                self.count("state");
                self.state(&mut fields)
            }
            b"2" => self.event(line, &mut fields),
            b"3" => self.message(line, &mut fields),
            _ => Err(LineError::Record(
                "is no record of a Paraver trace: these begin with 1 (state), 2 (events) or 3 (message)".into(),
            )),
        }
    }

    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    /// Reads `application:id:size:tasks`.
    fn communicator(&mut self, fields: &mut Fields) -> Result<(), LineError> {
        let application = fields.number("the application")?;
        let (id, size) = (fields.number("the communicator's id")?, fields.number("the size of the communicator")?);
        let mut tasks = Vec::new();
        let mut listed = 0;
        while let Some(task) = fields.optional().filter(|field| !field.is_empty()) {
            let task = number(task, "a task of the communicator")?;
            listed += 1;
            // Lists of several applications may be mixed up, and name tasks that the first one does not have.
            tasks.extend(task.checked_sub(1).filter(|&task| task < self.header.tasks.into()).map(|task| task as u32));
        }
        if listed != size {
            return Err(LineError::Record(format!(
                "names a size of {size} and lists {listed} tasks; correct one of them"
            )));
        }
        if application != 1 || tasks.is_empty() {
            return Ok(());
        }
        self.build.communicators.define(id, tasks)
    }

    /// Reads `processor:application:task:thread`.
    fn object(&self, fields: &mut Fields) -> Result<Object, LineError> {
        fields.number("the processor")?;
        let application = fields.number("the application")?;
        let (task, thread) = (fields.number("the task")?, fields.number("the thread")?);
        if application != 1 {
            if application == 0 || application > self.header.applications {
                let applications = self.header.applications;
                return Err(LineError::Record(format!(
                    "names application {application}, but the header has {applications}, from 1; correct one of them"
                )));
            }
            return Ok(Object { rank: None, thread });
        }
        let rank = task.checked_sub(1).filter(|&rank| rank < self.header.tasks.into());
        let rank = rank.ok_or_else(|| {
            let tasks = self.header.tasks;
            LineError::Record(format!("names task {task}, but the header has {tasks}, from 1; correct one of them"))
        })?;
        Ok(Object { rank: Some(rank as u32), thread })
    }

    /// Returns a time in picoseconds.
    fn time(&self, fields: &mut Fields) -> Result<u64, LineError> {
        let time = fields.number("the time")?;
        time.checked_mul(self.header.unit).ok_or(LineError::TooLarge { what: "the time" })
    }

    /// Reads a state: `object:begin:end:state`.
    fn state(&mut self, fields: &mut Fields) -> Result<(), LineError> {
        let object = self.object(fields)?;
        let (begin, end) = (self.time(fields)?, self.time(fields)?);
        let state = fields.number("the state")?;
        match object.rank {
            Some(rank) if object.thread == 1 && state == RUNNING => self.build.runs(rank, begin, end),
            Some(_) => {}
            None => self.others += 1,
        }
        Ok(())
    }

    /// Reads events: `object:time:type:value[:type:value...]`.
    fn event(&mut self, line: u64, fields: &mut Fields) -> Result<(), LineError> {
        self.count("event");
        let object = self.object(fields)?;
        let time = self.time(fields)?;
        let mut call: Option<(u64, u64)> = None;
        let (mut sends, mut receives, mut is_root, mut communicator) = (0, 0, false, 1);
        while let Some(kind) = fields.optional() {
            let (kind, value) = (number(kind, "the type of an event")?, fields.number("the value of an event")?);
            match kind {
                POINT_TO_POINT | COLLECTIVE | OTHER => call = Some((kind, value)),
                ONE_SIDED => {
                    call = Some((kind, value));
                    self.one_sided += u64::from(object.rank.is_some() && value != 0);
                }
                FILES => self.files += u64::from(object.rank.is_some() && value != 0),
                APPLICATION if value == 0 && object.thread == 1 => {
                    if let Some(rank) = object.rank {
                        self.build.end_rank(rank, time);
                    }
                }
                SENT => sends = value,
                RECEIVED => receives = value,
                ROOT => is_root = value != 0,
                COMMUNICATOR => communicator = value,
                _ => {}
            }
        }
        let Some(rank) = object.rank else {
            self.others += 1;
            return Ok(());
        };
        let Some((kind, value)) = call else {
            if object.thread == 1 {
                self.build.lives(rank, time);
            }
            return Ok(());
        };
        if object.thread != 1 {
            self.threads.get_or_insert((line, 0)).1 += 1;
            return Ok(());
        }
        if value == 0 {
            return self.build.end_call(rank, time);
        }
        let (begin, end, has_send, has_receive) = (time, u64::MAX, false, false);
        self.build.begin_call(
            rank,
            Call { line, begin, end, kind, value, sends, receives, is_root, communicator, has_send, has_receive },
        )
    }

    /// Reads a message: the sender, its logical and physical time, the same of the receiver, size and tag.
    fn message(&mut self, line: u64, fields: &mut Fields) -> Result<(), LineError> {
        self.count("message");
        let sender = self.object(fields)?;
        let (sent, _left) = (self.time(fields)?, self.time(fields)?);
        let receiver = self.object(fields)?;
        let (posted, received) = (self.time(fields)?, self.time(fields)?);
        // It is waited for after it is posted.
        let received = received.max(posted.saturating_add(1));
        let bytes = size(fields.text("the size")?, "the size")?;
        let tag = fields.number("the tag")?;
        let tag = u32::try_from(tag).map_err(|_| LineError::TooLarge { what: "the tag" })?;
        let (Some(from), Some(to)) = (sender.rank, receiver.rank) else {
            self.others += 1;
            return Ok(());
        };
        if sender.thread != 1 || receiver.thread != 1 {
            self.threads.get_or_insert((line, 0)).1 += 1;
            return Ok(());
        }
        let (send_call, receive_call) = (0, 0);
        self.build.messages.push(Message { from, to, tag, bytes, sent, posted, received, send_call, receive_call });
        Ok(())
    }
}
