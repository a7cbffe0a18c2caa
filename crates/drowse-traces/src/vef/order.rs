//! Puts the records of a trace into one order, so that each task's part of it is a program that runs to its end.
//!
//! Records, ends of parts of collectives, and gates (all that a collective waits for has begun) are the vertices of a
//! graph. They are taken one by one, each after all that it follows: first with the order of the file within each task,
//! and if that has a circle, without it. Complexity: O(n log n).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use drowse_core::workload::communicators::CommId;

use super::calls::{Call, Waits};
use super::program::{Does, Step};
use super::record::{LONGEST_NS, Message};

/// What a record is, by the places of messages and parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Message(u32),
    Part(u32),
}

/// What a record depends on, and how many nanoseconds it comes after that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parent {
    Start { at: u64 },
    Sent { record: u32, after: u64 },
    Received { message: u32, after: u64 },
    Ended { part: u32, after: u64 },
}

/// The records of a trace, by their places.
pub(super) struct Graph<'a> {
    pub tasks: u32,
    pub nodes: &'a [Node],
    pub parents: &'a [Parent],
    pub messages: &'a [Message],
    pub message_records: &'a [u32],
    pub part_records: &'a [u32],
    pub part_tasks: Vec<u32>,
    /// The call of each part, and the rank in its communicator.
    pub parts: &'a [(u32, u32)],
    pub calls: &'a [Call],
    pub call_parts: &'a [Vec<u32>],
}

/// Programs, and what they approximate.
pub(super) struct Ordered {
    pub tasks: Vec<Vec<Step>>,
    pub computed_ns: u128,
    /// Records that depend on an event before another wait of their task.
    pub after_waits: u64,
    /// Records that follow one that begins later.
    pub delayed: u64,
    /// Whether the order of the file could not be kept.
    pub reordered: bool,
}

/// Why there is no order, and at which record.
pub(super) struct Stuck {
    pub record: u32,
    pub problem: String,
}

/// Orders the records.
pub(super) fn order(graph: &Graph<'_>) -> Result<Ordered, Stuck> {
    match Walk::new(graph, true).run()? {
        Ok(ordered) => Ok(ordered),
        Err(_) => Walk::new(graph, false).run()?.map_err(|record| Stuck {
            record,
            problem: "can never begin: it depends on records that depend on it; correct the ids of the dependencies"
                .to_owned(),
        }),
    }
}

/// The state of a task on a network without delay.
#[derive(Clone, Copy, Default)]
struct Now {
    at: u64,
    /// How often it has waited.
    waits: u32,
}

/// Takes the records one by one.
struct Walk<'a> {
    graph: &'a Graph<'a>,
    /// Whether tasks keep the order of the file.
    of_file: bool,
    following: Following,
    /// The earliest begin of each vertex; when it began, once it was taken.
    times: Vec<u64>,
    now: Vec<Now>,
    /// How often the task of each record had waited when that began.
    waits: Vec<u32>,
    /// The messages that tasks have received for a record that depends on them, if others do, too.
    received: FxHashMap<u32, Now>,
    /// The ends of parts, once their task has waited for them.
    ended: Vec<Option<Now>>,
    /// How many records depend on the receipt of a message: none, one, or more.
    wanted: Vec<u8>,
    /// How many collectives each rank of a communicator has called, and the number of each collective there.
    called: FxHashMap<(CommId, u32), u32>,
    numbers: Vec<Option<u32>>,
    ordered: Ordered,
}

impl<'a> Walk<'a> {
    fn new(graph: &'a Graph<'a>, of_file: bool) -> Self {
        let mut wanted = vec![0_u8; graph.messages.len()];
        for parent in graph.parents {
            if let Parent::Received { message, .. } = *parent {
                wanted[message as usize] = wanted[message as usize].saturating_add(1);
            }
        }
        let following = Following::new(graph, of_file);
        let tasks = graph.tasks as usize;
        Walk {
            graph,
            of_file,
            times: vec![0; following.vertices()],
            following,
            now: vec![Now::default(); tasks],
            waits: vec![0; graph.nodes.len()],
            received: FxHashMap::default(),
            ended: vec![None; graph.parts.len()],
            wanted,
            called: FxHashMap::default(),
            numbers: vec![None; graph.calls.len()],
            ordered: Ordered {
                tasks: steps(graph, of_file).into_iter().map(Vec::with_capacity).collect(),
                computed_ns: 0,
                after_waits: 0,
                delayed: 0,
                reordered: !of_file,
            },
        }
    }

    /// Takes all records; an inner error names the first one that never begins.
    fn run(mut self) -> Result<Result<Ordered, u32>, Stuck> {
        let records = self.graph.nodes.len();
        let mut left = std::mem::take(&mut self.following.left);
        let mut ready = BinaryHeap::new();
        for (vertex, _) in (0_u32..).zip(&left).filter(|(_, left)| **left == 0) {
            self.times[vertex as usize] = self.own_time(vertex);
            ready.push(Reverse((self.key(vertex), vertex)));
        }
        let mut taken = 0;
        while let Some(Reverse((_, vertex))) = ready.pop() {
            taken += 1;
            let at = self.take(vertex)?;
            self.times[vertex as usize] = at;
            for place in self.following.range(vertex) {
                let next = self.following.next[place];
                let time = &mut self.times[next as usize];
                *time = (*time).max(at);
                left[next as usize] -= 1;
                if left[next as usize] == 0 {
                    self.times[next as usize] = self.times[next as usize].max(self.own_time(next));
                    ready.push(Reverse((self.key(next), next)));
                }
            }
        }
        if taken == left.len() {
            return Ok(Ok(self.ordered));
        }
        Ok(Err(left[..records].iter().position(|&left| left > 0).unwrap_or(0) as u32))
    }

    /// Returns when a record that can begin does so by its own dependency.
    fn own_time(&self, vertex: u32) -> u64 {
        let Some(parent) = self.graph.parents.get(vertex as usize) else { return 0 };
        match *parent {
            Parent::Start { at } => at,
            Parent::Sent { record, after } => self.times[record as usize].saturating_add(after),
            Parent::Received { message, after } => {
                let record = self.graph.message_records[message as usize];
                self.times[record as usize].saturating_add(after)
            }
            Parent::Ended { part, after } => self.times[self.following.end(part)].saturating_add(after),
        }
    }

    /// Returns what decides which of several vertices is taken first.
    fn key(&self, vertex: u32) -> u64 {
        if (vertex as usize) >= self.graph.nodes.len() {
            return 0;
        }
        if self.of_file { u64::from(vertex) + 1 } else { self.times[vertex as usize].saturating_add(1) }
    }

    /// Takes a vertex, and returns when it begins.
    fn take(&mut self, vertex: u32) -> Result<u64, Stuck> {
        let Some(&node) = self.graph.nodes.get(vertex as usize) else {
            let at = self.times[vertex as usize];
            if let Some(part) = self.following.part(vertex)
                && self.of_file
            {
                self.end(part, at);
            }
            return Ok(at);
        };
        let task = match node {
            Node::Message(message) => self.graph.messages[message as usize].from,
            Node::Part(part) => self.graph.part_tasks[part as usize],
        };
        let (since, after) = self.wait_for(task, self.graph.parents[vertex as usize]);
        let now = &mut self.now[task as usize];
        let wanted = since.at.saturating_add(after);
        let begin = wanted.max(now.at);
        let nanoseconds = begin - now.at;
        if since.waits != now.waits {
            self.ordered.after_waits += 1;
        } else if wanted < now.at {
            self.ordered.delayed += 1;
        }
        if begin > LONGEST_NS {
            let problem = "begins after more than 1,000,000 s, and no more are simulated; correct the times".to_owned();
            return Err(Stuck { record: vertex, problem });
        }
        now.at = begin;
        self.waits[vertex as usize] = now.waits;
        self.ordered.computed_ns += u128::from(nanoseconds);
        let does = match node {
            Node::Message(message) => Does::Send(message),
            Node::Part(part) if self.of_file => Does::Call(part),
            Node::Part(part) => Does::Start(part),
        };
        self.ordered.tasks[task as usize].push(Step { nanoseconds, does });
        match node {
            Node::Message(message) if self.wanted[message as usize] == 0 => {
                let to = self.graph.messages[message as usize].to;
                self.ordered.tasks[to as usize].push(Step { nanoseconds: 0, does: Does::Post(message) });
            }
            Node::Message(_) => {}
            Node::Part(part) => self.number(vertex, part)?,
        }
        Ok(begin)
    }

    /// Lets a task wait for what a record depends on, unless it has; returns when that was, and the time after it.
    fn wait_for(&mut self, task: u32, parent: Parent) -> (Now, u64) {
        match parent {
            Parent::Start { at } => (Now::default(), at),
            Parent::Sent { record, after } => {
                (Now { at: self.times[record as usize], waits: self.waits[record as usize] }, after)
            }
            Parent::Received { message, after } => {
                if let Some(&since) = self.received.get(&message) {
                    return (since, after);
                }
                let sent = self.times[self.graph.message_records[message as usize] as usize];
                let since = self.wait(task, sent, Does::Receive(message));
                if self.wanted[message as usize] > 1 {
                    self.received.insert(message, since);
                }
                (since, after)
            }
            Parent::Ended { part, after } => {
                if let Some(since) = self.ended[part as usize] {
                    return (since, after);
                }
                let at = self.times[self.following.end(part)];
                let since = self.wait(task, at, Does::Await(part));
                self.ended[part as usize] = Some(since);
                (since, after)
            }
        }
    }

    /// Lets a task wait until a time.
    fn wait(&mut self, task: u32, until: u64, does: Does) -> Now {
        self.ordered.tasks[task as usize].push(Step { nanoseconds: 0, does });
        let now = &mut self.now[task as usize];
        *now = Now { at: now.at.max(until), waits: now.waits + 1 };
        *now
    }

    /// Ends a part of a collective for which its task waits where it calls it.
    fn end(&mut self, part: u32, at: u64) {
        let now = &mut self.now[self.graph.part_tasks[part as usize] as usize];
        *now = Now { at: now.at.max(at), waits: now.waits + 1 };
        self.ended[part as usize] = Some(*now);
    }

    /// Checks that all ranks of a communicator call its collectives in the same order.
    fn number(&mut self, record: u32, part: u32) -> Result<(), Stuck> {
        let (call, rank) = self.graph.parts[part as usize];
        let called = self.called.entry((self.graph.calls[call as usize].comm, rank)).or_insert(0);
        let number = *self.numbers[call as usize].get_or_insert(*called);
        let same = number == *called;
        *called += 1;
        let problem = "comes in another order than at other tasks of its communicator; call collectives in the same \
                       order everywhere";
        if same { Ok(()) } else { Err(Stuck { record, problem: problem.to_owned() }) }
    }
}

/// Returns how many steps each task has, at most.
fn steps(graph: &Graph<'_>, of_file: bool) -> Vec<usize> {
    let mut steps = vec![0; graph.tasks as usize];
    for &node in graph.nodes {
        match node {
            Node::Message(message) => {
                let Message { from, to, .. } = graph.messages[message as usize];
                steps[from as usize] += 1;
                steps[to as usize] += 1;
            }
            // It is called, or started and waited for.
            Node::Part(part) => steps[graph.part_tasks[part as usize] as usize] += if of_file { 1 } else { 2 },
        }
    }
    steps
}

/// Which vertices follow which: those of vertex `v` are `next[first[v]..first[v + 1]]`. Records come first, then the
/// ends of parts, then the gates of collectives.
struct Following {
    first: Vec<u32>,
    next: Vec<u32>,
    /// How many vertices come before each.
    left: Vec<u32>,
    records: usize,
    parts: usize,
}

impl Following {
    fn new(graph: &Graph<'_>, of_file: bool) -> Self {
        let (records, parts) = (graph.nodes.len(), graph.parts.len());
        let vertices = records + parts + graph.calls.len();
        let (mut first, mut left) = (vec![0_u32; vertices + 1], vec![0_u32; vertices]);
        edges(graph, of_file, |from, to| {
            first[from as usize + 1] += 1;
            left[to as usize] += 1;
        });
        for vertex in 0..vertices {
            first[vertex + 1] += first[vertex];
        }
        let mut place = first.clone();
        let mut next = vec![0; first[vertices] as usize];
        edges(graph, of_file, |from, to| {
            next[place[from as usize] as usize] = to;
            place[from as usize] += 1;
        });
        Following { first, next, left, records, parts }
    }

    fn vertices(&self) -> usize {
        self.first.len() - 1
    }

    fn range(&self, vertex: u32) -> std::ops::Range<usize> {
        self.first[vertex as usize] as usize..self.first[vertex as usize + 1] as usize
    }

    /// Returns the vertex of the end of a part.
    fn end(&self, part: u32) -> usize {
        self.records + part as usize
    }

    /// Returns the part whose end a vertex is.
    fn part(&self, vertex: u32) -> Option<u32> {
        let part = (vertex as usize).checked_sub(self.records)?;
        (part < self.parts).then_some(part as u32)
    }
}

/// Calls `edge` with each vertex and one that follows it.
fn edges(graph: &Graph<'_>, of_file: bool, mut edge: impl FnMut(u32, u32)) {
    let end = |part: u32| graph.nodes.len() as u32 + part;
    let gate = |call: u32| (graph.nodes.len() + graph.parts.len()) as u32 + call;
    // The last record of each task, or the last part of each task and communicator.
    let mut last: FxHashMap<(CommId, u32), u32> = FxHashMap::default();
    for ((record, &node), parent) in (0_u32..).zip(graph.nodes).zip(graph.parents) {
        match *parent {
            Parent::Start { .. } => {}
            Parent::Sent { record: from, .. } => edge(from, record),
            Parent::Received { message, .. } => edge(graph.message_records[message as usize], record),
            Parent::Ended { part, .. } => edge(end(part), record),
        }
        let (key, then) = match node {
            Node::Message(message) => (of_file.then(|| (0, graph.messages[message as usize].from)), record),
            Node::Part(part) => {
                let comm = graph.calls[graph.parts[part as usize].0 as usize].comm;
                let task = graph.part_tasks[part as usize];
                edge(record, end(part));
                if of_file { (Some((0, task)), end(part)) } else { (Some((comm, task)), record) }
            }
        };
        if let Some(before) = key.and_then(|key| last.insert(key, then)) {
            edge(before, record);
        }
    }
    for ((call, of_call), parts) in (0_u32..).zip(graph.calls).zip(graph.call_parts) {
        let waits = of_call.kind.waits();
        let is_root = |part: u32| graph.parts[part as usize].1 == of_call.root;
        for &part in parts {
            let record = graph.part_records[part as usize];
            if waits != Waits::ForRoot || is_root(part) {
                edge(record, gate(call));
            }
            if waits == Waits::All || is_root(part) == (waits == Waits::AtRoot) {
                edge(gate(call), end(part));
            }
        }
    }
}
