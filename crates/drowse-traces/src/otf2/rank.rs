//! Makes the program of a rank of its events.

use drowse_core::model::units::Time;
use drowse_core::workload::operation::{MOST_BYTES, Operation, RequestId, SendMode};
use rustc_hash::FxHashMap;

use super::events::{Collective, Event, Message};
use super::members::Members;
use super::regions::Region;

/// What stands in a program where its operation is not known yet, or where there is none.
const NOTHING: Operation = Operation::Compute(Time::ZERO);

/// The program of a rank, and what is said of it.
#[derive(Default)]
pub(super) struct Rank {
    pub operations: Vec<Operation>,
    /// The collectives: their places among the operations, and their requests, if they have one.
    pub collectives: Vec<(usize, Collective, Option<RequestId>)>,
    /// Picoseconds from the first event to the last.
    pub recorded: u64,
    pub computed: u64,
    pub messages: u64,
    pub bytes: u64,
    /// Receives and collectives that are never found complete.
    pub unfinished: u64,
    /// Operations on communicators and windows.
    pub handles: u64,
    /// Calls whose communication is not in the archive.
    pub unheld: u64,
}

/// The events of a rank as they are read.
pub(super) struct Reading<'a> {
    pub rank: Rank,
    number: u32,
    members: &'a Members,
    regions: &'a FxHashMap<u32, Region>,
    ticks_per_second: u64,
    first: Option<u64>,
    now: u64,
    /// How deep in calls of MPI it is, the outermost call, and when the last one ended.
    depth: u32,
    call: Region,
    outside: u64,
    /// Whether the call has communicated.
    has_communicated: bool,
    /// The send of an exchange.
    exchange: Option<RequestId>,
    next: RequestId,
    sends: FxHashMap<u64, RequestId>,
    /// Receives and collectives that are not complete: their places and requests.
    posted: FxHashMap<u64, (usize, RequestId)>,
}

impl<'a> Reading<'a> {
    pub fn new(number: u32, members: &'a Members, regions: &'a FxHashMap<u32, Region>, ticks_per_second: u64) -> Self {
        Reading {
            rank: Rank::default(),
            number,
            members,
            regions,
            ticks_per_second,
            first: None,
            now: 0,
            depth: 0,
            call: Region::Program,
            outside: 0,
            has_communicated: false,
            exchange: None,
            next: 0,
            sends: FxHashMap::default(),
            posted: FxHashMap::default(),
        }
    }

    /// Reads an event. The error says what is wrong.
    pub fn event(&mut self, ticks: u64, event: Event) -> Result<(), String> {
        if event == Event::Other {
            return Ok(());
        }
        let first = *self.first.get_or_insert(ticks);
        let passed = ticks.checked_sub(first).ok_or("goes back in time; copy all files again")?;
        let now = u128::from(passed) * 1_000_000_000_000 / u128::from(self.ticks_per_second.max(1));
        let now = u64::try_from(now).ok().filter(|&now| now <= Time::LONGEST.0);
        self.now = now.ok_or("runs for longer than is simulated; check the clock of the archive")?;
        match event {
            Event::Enter(region) => self.enter(region),
            Event::Leave(region) => self.leave(region),
            Event::CollectiveBegin => {}
            event => {
                self.has_communicated = true;
                if self.depth == 0 {
                    self.compute();
                }
                self.communicate(event)?;
            }
        }
        Ok(())
    }

    /// Ends the program.
    pub fn finish(mut self) -> Rank {
        if self.depth == 0 {
            self.compute();
        }
        for (place, _) in self.posted.into_values() {
            self.rank.operations[place] = NOTHING;
            self.rank.unfinished += 1;
        }
        self.rank.recorded = self.now;
        self.rank.operations.shrink_to_fit();
        self.rank.collectives.sort_unstable_by_key(|&(place, ..)| place);
        self.rank
    }

    fn region(&self, region: u32) -> Region {
        self.regions.get(&region).copied().unwrap_or(Region::Program)
    }

    fn enter(&mut self, region: u32) {
        let region = self.region(region);
        if region == Region::Program {
            return;
        }
        if self.depth == 0 {
            self.compute();
            (self.call, self.has_communicated) = (region, false);
        }
        self.depth += 1;
    }

    fn leave(&mut self, region: u32) {
        if self.region(region) == Region::Program || self.depth == 0 {
            return;
        }
        self.depth -= 1;
        if self.depth > 0 {
            return;
        }
        self.rank.unheld += u64::from(self.call == Region::Unheld && !self.has_communicated);
        let exchange = self.exchange.take();
        self.rank.operations.extend(exchange.map(|request| Operation::Wait { request }));
        (self.call, self.outside) = (Region::Program, self.now);
    }

    /// Computes until now.
    fn compute(&mut self) {
        let time = self.now.saturating_sub(self.outside);
        if time > 0 {
            self.rank.operations.push(Operation::Compute(Time(time)));
            self.rank.computed += time;
        }
        self.outside = self.now;
    }

    fn request(&mut self) -> RequestId {
        self.next = self.next.wrapping_add(1);
        self.next
    }

    fn mode(&self) -> SendMode {
        if let Region::Call(mode) = self.call { mode } else { SendMode::Standard }
    }

    /// Starts a send.
    fn start_send(&mut self, message: Message) -> Result<RequestId, String> {
        let (comm, to) = self.members.peer(message.communicator, self.number, message.peer)?;
        let (request, mode) = (self.request(), self.mode());
        let Message { tag, bytes, .. } = message;
        self.count(bytes)?;
        self.rank.operations.push(Operation::Isend { to, tag, comm, mode, bytes, request: Some(request) });
        Ok(request)
    }

    fn count(&mut self, bytes: u64) -> Result<(), String> {
        if bytes > MOST_BYTES {
            return Err(format!("sends {bytes} B at once, and the most is {MOST_BYTES} B (32 GiB)"));
        }
        self.rank.messages += 1;
        self.rank.bytes = self.rank.bytes.saturating_add(bytes);
        Ok(())
    }

    fn communicate(&mut self, event: Event) -> Result<(), String> {
        match event {
            Event::Send(message) if self.call == Region::Exchange => {
                self.exchange = Some(self.start_send(message)?);
            }
            Event::Send(Message { peer, communicator, tag, bytes }) => {
                let (comm, to) = self.members.peer(communicator, self.number, peer)?;
                self.count(bytes)?;
                self.rank.operations.push(Operation::Send { to, tag, comm, mode: self.mode(), bytes });
            }
            Event::Isend(message, id) => {
                let request = self.start_send(message)?;
                self.sends.insert(id, request);
            }
            Event::IsendComplete(id) => {
                let request = self.sends.remove(&id);
                self.rank.operations.extend(request.map(|request| Operation::Wait { request }));
            }
            Event::IrecvRequest(id) | Event::IcollectiveRequest(id) => {
                let request = self.request();
                self.posted.insert(id, (self.rank.operations.len(), request));
                self.rank.operations.push(NOTHING);
            }
            Event::Recv(message) => {
                let (comm, from) = self.members.peer(message.communicator, self.number, message.peer)?;
                self.rank.operations.push(Operation::Recv { from: Some(from), tag: Some(message.tag), comm });
            }
            Event::Irecv(message, id) => self.complete_receive(message, id)?,
            Event::Cancelled(id) => {
                self.sends.remove(&id);
                self.rank.unfinished += u64::from(self.posted.remove(&id).is_some());
            }
            Event::CollectiveEnd(collective) if collective.operation >= HANDLES => self.rank.handles += 1,
            Event::CollectiveEnd(collective) => {
                self.rank.collectives.push((self.rank.operations.len(), collective, None));
                self.rank.operations.push(NOTHING);
            }
            Event::IcollectiveComplete(collective, id) => {
                if let Some((place, request)) = self.posted.remove(&id) {
                    if collective.operation >= HANDLES {
                        self.rank.handles += 1;
                    } else {
                        self.rank.collectives.push((place, collective, Some(request)));
                        self.rank.operations.push(Operation::Wait { request });
                    }
                }
            }
            Event::Enter(_) | Event::Leave(_) | Event::CollectiveBegin | Event::Other => {}
        }
        Ok(())
    }

    /// Waits for a receive, of which the message is known only now.
    fn complete_receive(&mut self, message: Message, id: u64) -> Result<(), String> {
        let (comm, from) = self.members.peer(message.communicator, self.number, message.peer)?;
        let (from, tag) = (Some(from), Some(message.tag));
        match self.posted.remove(&id) {
            Some((place, request)) => {
                self.rank.operations[place] = Operation::Irecv { from, tag, comm, request };
                self.rank.operations.push(Operation::Wait { request });
            }
            // Where a recording began after the receive was posted.
            None => self.rank.operations.push(Operation::Recv { from, tag, comm }),
        }
        Ok(())
    }
}

/// The first operation of `OTF2_CollectiveOp` that moves no data: it makes a communicator, a window or a file.
const HANDLES: u8 = 17;
