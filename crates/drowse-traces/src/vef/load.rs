//! Reads a file and checks that its records belong together.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use drowse_core::workload::communicators::{ALL, CommId, Communicators};

use super::calls::{Call, OPERATIONS};
use super::header::Header;
use super::ids::Ids;
use super::order::{self, Graph, Node, Ordered, Parent};
use super::program::Program;
use super::record::{Dependency, Message, On, Packed, Part, Record};
use crate::error::{Place, TraceError};
use crate::files::Stored;
use crate::info::{Computing, Coverage, Messages, Noted, TraceInfo};
use crate::line_error::LineError;
use crate::numbers::{number, rank};

/// Reads a trace.
pub(super) fn load(stored: &Stored) -> Result<Program, TraceError> {
    let label = &stored.text.label;
    let mut file = None;
    let fingerprint = stored.read_lines(|_, text| match &mut file {
        _ if text.is_empty() => Ok(()),
        None => Header::parse(text).map(|header| file = Some(File::new(header))),
        Some(file) => file.read(text),
    })?;
    let file = file.ok_or_else(|| TraceError::NoActions { file: label.clone() })?;
    let line_of = |record| line_of(stored, record);
    file.finish(label, fingerprint, &line_of).map_err(|(record, problem)| {
        let line = record.map_or(1, line_of);
        TraceError::Line { place: Place { file: label.clone(), line }, problem }
    })
}

/// Returns the line of a record: reads the file again, since lines are only asked for where something is wrong.
fn line_of(stored: &Stored, record: u32) -> u64 {
    let (mut before, mut found) = (0, 1);
    // The header is not a record.
    let read = stored.read_lines(|line, text| {
        if !text.is_empty() && !text.starts_with(b"C") {
            if before == u64::from(record) + 1 {
                found = line;
            }
            before += 1;
        }
        Ok(())
    });
    read.map_or(1, |_| found)
}

/// What was read so far.
struct File {
    header: Header,
    communicators: Communicators,
    comm_of: FxHashMap<u64, CommId>,
    messages: Vec<Message>,
    message_ids: Ids,
    /// The record of each message and of each part.
    message_records: Vec<u32>,
    part_records: Vec<u32>,
    parts: Vec<Part>,
    call_ids: Ids,
    /// The parts of each collective, in the order of the file.
    call_parts: Vec<Vec<u32>>,
    /// The records, and what each depends on, by id.
    nodes: Vec<Node>,
    depends: Vec<Packed>,
}

/// The collectives, and the call and the rank in its communicator of each part.
type Called = (Vec<Call>, Vec<(u32, u32)>);

/// A problem and its record; `None` for the header.
type Located = (Option<u32>, LineError);

impl File {
    fn new(header: Header) -> Self {
        let communicators = Communicators::of(header.tasks);
        File {
            header,
            communicators,
            comm_of: FxHashMap::default(),
            messages: Vec::new(),
            message_ids: Ids::default(),
            message_records: Vec::new(),
            part_records: Vec::new(),
            parts: Vec::new(),
            call_ids: Ids::default(),
            call_parts: Vec::new(),
            nodes: Vec::new(),
            depends: Vec::new(),
        }
    }

    /// Reads a line after the header.
    fn read(&mut self, text: &[u8]) -> Result<(), LineError> {
        if let Some(rest) = text.strip_prefix(b"C") {
            return self.communicator(rest);
        }
        let record = self.nodes.len() as u32;
        if record == u32::MAX {
            return Err(LineError::Record("is one record too many; the most is 4,294,967,295".into()));
        }
        let (node, depends) = match Record::parse(text, self.header.tasks)? {
            Record::Message(id, message, depends) => {
                if !self.message_ids.add(id) {
                    return Err(LineError::Record(format!("message {id} is there twice; give each its own id")));
                }
                self.messages.push(message);
                self.message_records.push(record);
                (Node::Message(self.messages.len() as u32 - 1), depends)
            }
            Record::Part(part, depends) => {
                let place = self.parts.len() as u32;
                self.parts.push(part);
                self.part_records.push(record);
                if self.call_ids.add(part.call) {
                    self.call_parts.push(Vec::new());
                }
                let call = self.call_ids.place(part.call).unwrap_or_default();
                self.call_parts[call as usize].push(place);
                (Node::Part(place), depends)
            }
        };
        self.nodes.push(node);
        self.depends.push(Packed::of(depends));
        Ok(())
    }

    /// Reads a communicator, after its `C`.
    fn communicator(&mut self, rest: &[u8]) -> Result<(), LineError> {
        let mut fields = rest.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
        let id = number(fields.next().unwrap_or_default(), "the communicator's id")?;
        if self.comm_of.contains_key(&id) {
            return Err(LineError::Record(format!("communicator {id} is there twice; give each its own id")));
        }
        let tasks = fields.map(|field| rank(field, "a task of the communicator", self.header.tasks));
        let tasks = tasks.collect::<Result<Vec<u32>, _>>()?;
        let all = tasks.len() == self.header.tasks as usize && (0..).zip(&tasks).all(|(place, &task)| place == task);
        let comm = if all {
            ALL
        } else {
            let added = self.communicators.add(tasks);
            added.map_err(|error| LineError::Record(format!("{error}; correct the list of tasks")))?
        };
        self.comm_of.insert(id, comm);
        Ok(())
    }

    /// Compares the numbers of the header with what the file holds.
    fn check_counts(&self) -> Result<(), Located> {
        let counts = [
            ("messages", self.header.messages, self.messages.len()),
            ("communicators", self.header.communicators, self.comm_of.len()),
            ("collectives", self.header.collectives, self.call_parts.len()),
            ("parts of collectives", self.header.parts, self.parts.len()),
        ];
        match counts.into_iter().find(|&(_, named, held)| named != held as u64) {
            None => Ok(()),
            Some((what, named, held)) => Err((
                None,
                LineError::Record(format!(
                    "names {named} {what}, but the file holds {held}: it is cut off, or the header is wrong; copy it \
                     again or correct the header"
                )),
            )),
        }
    }

    /// Makes the programs. `line_of` returns the line of a record.
    fn finish(mut self, label: &str, fingerprint: u64, line_of: &dyn Fn(u32) -> u64) -> Result<Program, Located> {
        self.check_counts()?;
        let (calls, parts) = self.calls()?;
        let parents = self.parents(&calls)?;
        self.messages.shrink_to_fit();
        self.nodes.shrink_to_fit();
        let graph = Graph {
            tasks: self.header.tasks,
            nodes: &self.nodes,
            parents: &parents,
            messages: &self.messages,
            message_records: &self.message_records,
            part_records: &self.part_records,
            part_tasks: self.parts.iter().map(|part| part.task).collect(),
            parts: &parts,
            calls: &calls,
            call_parts: &self.call_parts,
        };
        let ordered = order::order(&graph).map_err(|stuck| (Some(stuck.record), LineError::Record(stuck.problem)))?;
        let info = self.info(&ordered, &parents, line_of);
        Ok(Program {
            tasks: ordered.tasks,
            messages: self.messages,
            parts,
            calls,
            communicators: Arc::new(self.communicators),
            label: label.to_owned(),
            info,
            fingerprint,
        })
    }

    /// Finds what each record depends on.
    fn parents(&mut self, calls: &[Call]) -> Result<Vec<Parent>, Located> {
        let depends = std::mem::take(&mut self.depends);
        let independent = depends.iter().map(|&packed| packed.unpacked()).filter(|depends| depends.on == On::Start);
        let begin = independent.map(|depends| depends.nanoseconds).min().unwrap_or(0);
        let mut parents = Vec::with_capacity(depends.len());
        for (record, packed) in (0..).zip(depends) {
            parents.push(self.parent(record, packed.unpacked(), begin, calls)?);
        }
        Ok(parents)
    }

    /// Makes the collectives, and returns the call and the rank in the communicator of each part. Sorts the parts of
    /// each collective by rank.
    fn calls(&mut self) -> Result<Called, Located> {
        let mut places = vec![(0, 0); self.parts.len()];
        let mut calls = Vec::new();
        let mut call_parts = std::mem::take(&mut self.call_parts);
        for (number, of_call) in (0..).zip(&mut call_parts) {
            let first = of_call.first().map_or(0, |&part| part as usize);
            let (id, communicator) = (self.parts[first].call, self.parts[first].communicator);
            let wrong = |part: u32, problem| (self.record_of(part), LineError::Record(problem));
            let comm = *self.comm_of.get(&communicator).ok_or_else(|| {
                wrong(
                    first as u32,
                    format!("communicator {communicator} is not there; add its line `C{communicator} tasks`"),
                )
            })?;
            for &part in &*of_call {
                let Part { task, communicator: other, .. } = self.parts[part as usize];
                if other != communicator {
                    return Err(wrong(
                        part,
                        format!("G{id} is in communicator {other} here and in {communicator} before"),
                    ));
                }
                let member = self.communicators.member(comm, task).ok_or_else(|| {
                    wrong(part, format!("task {task} is not in communicator {communicator}; correct one of them"))
                })?;
                places[part as usize] = (number, member.rank);
            }
            of_call.sort_by_key(|&part| places[part as usize].1);
            if let Some(twice) = of_call.windows(2).find(|pair| places[pair[0] as usize] == places[pair[1] as usize]) {
                let task = self.parts[twice[1] as usize].task;
                return Err(wrong(
                    twice[1],
                    format!("task {task} takes part in G{id} twice; give each collective its own id"),
                ));
            }
            let size = self.communicators.size(comm).unwrap_or_default();
            if of_call.len() != size as usize {
                let held = of_call.len();
                return Err(wrong(
                    first as u32,
                    format!(
                        "{held} tasks take part in G{id}, but communicator {communicator} has {size}; add the others"
                    ),
                ));
            }
            let parts: Vec<&Part> = of_call.iter().map(|&part| &self.parts[part as usize]).collect();
            let call = Call::new(comm, &parts).map_err(|problem| (self.record_of(first as u32), problem))?;
            calls.push(call);
        }
        self.call_parts = call_parts;
        Ok((calls, places))
    }

    fn record_of(&self, part: u32) -> Option<u32> {
        self.part_records.get(part as usize).copied()
    }

    /// Returns the task of a record.
    fn task(&self, node: Node) -> u32 {
        match node {
            Node::Message(message) => self.messages[message as usize].from,
            Node::Part(part) => self.parts[part as usize].task,
        }
    }

    /// Finds what a record depends on. Independent records count from `begin`.
    fn parent(&self, record: u32, depends: Dependency, begin: u64, calls: &[Call]) -> Result<Parent, Located> {
        let task = self.task(self.nodes[record as usize]);
        let wrong = |problem| (Some(record), LineError::Record(problem));
        let message = |id: u64| {
            let place = self.message_ids.place(id);
            place.ok_or_else(|| wrong(format!("depends on message {id}, which is not there; correct the id")))
        };
        let after = depends.nanoseconds;
        Ok(match depends.on {
            On::Start => Parent::Start { at: after - begin },
            On::Sent(id) => {
                let place = message(id)?;
                let Message { from, .. } = self.messages[place as usize];
                if from != task {
                    return Err(wrong(format!(
                        "depends on the sending of message {id}, which task {from} sends and not task {task}; correct \
                         the id, or make it dependency 2"
                    )));
                }
                Parent::Sent { record: self.message_records[place as usize], after }
            }
            On::Received(id) => {
                let place = message(id)?;
                let Message { to, .. } = self.messages[place as usize];
                if to != task {
                    return Err(wrong(format!(
                        "depends on the receipt of message {id}, which task {to} receives and not task {task}; correct \
                         the id, or make it dependency 1"
                    )));
                }
                Parent::Received { message: place, after }
            }
            On::Collective(id) => {
                let call = self.call_ids.place(id);
                let call =
                    call.ok_or_else(|| wrong(format!("depends on G{id}, which is not there; correct the id")))?;
                let member = self.communicators.member(calls[call as usize].comm, task);
                let part = member.and_then(|member| self.call_parts[call as usize].get(member.rank as usize));
                let part = *part.ok_or_else(|| {
                    wrong(format!("depends on G{id}, in which task {task} takes no part; correct the id"))
                })?;
                Parent::Ended { part, after }
            }
        })
    }

    /// Counts what the trace holds.
    fn info(&self, ordered: &Ordered, parents: &[Parent], line_of: &dyn Fn(u32) -> u64) -> TraceInfo {
        let mut operations = BTreeMap::new();
        let mut collectives = BTreeMap::new();
        if !self.messages.is_empty() {
            operations.insert("message".to_owned(), self.messages.len() as u64);
        }
        for part in &self.parts {
            let name =
                usize::try_from(part.operation).ok().and_then(|place| OPERATIONS.get(place)).unwrap_or(&"unknown");
            *operations.entry((*name).to_owned()).or_insert(0) += 1;
            *collectives.entry((*name).to_owned()).or_insert(0) += 1;
        }
        let bytes = self.messages.iter().fold(0_u64, |sum, message| sum.saturating_add(message.bytes));
        let coverage = self.coverage(ordered);
        let mut warnings: Vec<String> = coverage.warnings().collect();
        if ordered.reordered {
            warnings.push(
                "the tasks cannot run in the order of the file, so its records were put in the order of their times"
                    .to_owned(),
            );
        }
        let received = |(node, parent)| matches!((node, parent), (&Node::Message(_), &Parent::Received { .. }));
        if self.header.only_sends == Some(true)
            && let Some(record) = self.nodes.iter().zip(parents).position(received)
        {
            warnings.push(format!(
                "the header says that no message depends on a receipt (onlySend), but that of line {} does",
                line_of(record as u32)
            ));
        }
        if !self.header.more.is_empty() {
            let more = crate::error::shortened(&self.header.more);
            warnings.push(format!(
                "the header ends with `{more}`, whose meaning is not known: times are taken as nanoseconds, and all wrong in another unit"
            ));
        }
        TraceInfo {
            format: super::NAME,
            ranks: self.header.tasks,
            operations,
            messages: Messages { count: self.messages.len() as u64, bytes },
            collectives,
            compute: Computing::Picoseconds(ordered.computed_ns * 1_000),
            coverage,
            warnings,
            not_simulated: Vec::new(),
            different_collectives: None,
        }
    }

    /// Says how much of the trace is exact.
    fn coverage(&self, ordered: &Ordered) -> Coverage {
        let waited = "records depend on an event before another wait of their task: they come after that wait";
        let delayed = "records follow one of their task that begins later: they begin with that one";
        let approximated: Vec<Noted> =
            [Noted::some(ordered.after_waits, waited), Noted::some(ordered.delayed, delayed)]
                .into_iter()
                .flatten()
                .collect();
        let others: u64 = approximated.iter().map(|noted| noted.count).sum();
        Coverage { simulated: self.nodes.len() as u64 - others, approximated, ignored: Vec::new() }
    }
}
