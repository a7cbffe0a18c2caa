//! A shard: a partition of the network with its NICs and ranks, and its own event queue.
//!
//! A shard advances by a window of buckets and knows nothing of the others meanwhile. What leaves it goes into
//! mailboxes; the lookahead guarantees that it takes effect elsewhere after the window. Results depend neither on the
//! partitions nor on the thread of a shard.

use crate::engine::control::runtime::{self, Commands};
use crate::engine::control::trunks::Trunks;
use crate::engine::control::{paired, wakeups};
use crate::engine::parallel::mailbox::Mailbox;
use crate::model::ids::NodeId;
use crate::model::units::{Bytes, Time};
use crate::power::Policy;
use crate::power::runtime::{CommandKind, Notification, NotificationKind, Telling};
use crate::topology::{Geometry, Ideal};
use crate::workload::operation::SourceError;

use crate::engine::audit::Audit;
use crate::engine::endpoint::fabric::Fabric;
use crate::engine::endpoint::message::{Message, Purpose};
use crate::engine::endpoint::open_loop::{Counts, OpenLoop};
use crate::engine::endpoint::ranks::Ranks;
use crate::engine::endpoint::reporter::Reporter;
use crate::engine::event::later_events::LaterEvents;
use crate::engine::event::node::{NodeEvent, Phase};
use crate::engine::event::queue::Bucket;
use crate::engine::fabric::arrivals::Arrivals;
use crate::engine::fabric::flow::Flows;
use crate::engine::fabric::nic::Nics;
use crate::engine::fabric::{FlowFabric, IdealFabric, PacketFabric};
use crate::engine::link::snapshot::Snapshot;
use crate::engine::parallel::mailbox::Mailboxes;
use crate::engine::parallel::tally::Tally;
use crate::engine::parallel::window::{Report, Window};
use crate::engine::switch::scratch::Scratch;
use crate::engine::switch::switches::Switches;

/// Where messages come from.
pub struct Sources {
    /// From ranks that run programs.
    pub ranks: Option<Ranks>,
    /// From the clock.
    pub open_loop: Option<OpenLoop>,
}

/// Why a shard cannot go on: a rank's operations could not be had.
pub struct Trouble {
    /// When, and by which rank in the whole simulation; the first in this order ends the run.
    pub at: (u64, u32),
    /// What is wrong.
    pub error: SourceError,
}

/// Acts on the fabric of a shard, whichever it is.
macro_rules! on_fabric {
    ($shard:ident, $fabric:ident => $act:expr) => {
        match (&$shard.ideal, &mut $shard.flows) {
            (None, None) => {
                let $fabric = &mut $shard.fabric;
                $act
            }
            (None, Some(flows)) => {
                let $fabric = &mut FlowFabric::of(flows, &mut $shard.fabric);
                $act
            }
            (Some(ideal), _) => {
                let $fabric = &mut IdealFabric::of(*ideal, &mut $shard.fabric);
                $act
            }
        }
    };
}

/// A share of the simulation that advances by itself up to the end of a window.
pub struct Shard<'a, P: Policy> {
    /// Its NICs, switches and links; of an ideal network, nothing but the events and messages at its nodes.
    pub(crate) fabric: PacketFabric<'a, P>,
    /// The ideal network in place of these, if it is one.
    pub(super) ideal: Option<Ideal>,
    /// The flows in place of packets, if it is flows that move.
    pub(crate) flows: Option<Box<Flows>>,
    /// Its governed trunks.
    pub(crate) trunks: Trunks,
    /// Its sources of messages.
    pub(crate) sources: Sources,
    /// What it has counted.
    pub(crate) tally: Tally,
    /// In which order packets come to its nodes, where that counts.
    pub(crate) arrivals: Option<Box<Arrivals>>,
    /// What it has for others, and expects from them.
    pub(crate) mailboxes: Mailboxes,
    /// Why it cannot go on.
    pub(crate) trouble: Option<Trouble>,
    /// Its half, and that of the shards to which it has links: those of [`Coordinator::alternate`], or both the first.
    ///
    /// [`Coordinator::alternate`]: crate::engine::parallel::window::Coordinator::alternate
    halves: [usize; 2],
    scratch: Scratch,
    later: LaterEvents,
    /// Checks it after every bucket, when auditing.
    audit: Option<Audit>,
    /// The measured time of open-loop traffic.
    window: Option<(u64, u64)>,
    /// After which time it begins or ends; [`u64::MAX`] where neither is to come.
    next_measure: u64,
    /// It has begun.
    measuring: bool,
    /// What the channels did in it.
    pub(crate) measured: Option<Snapshot>,
}

impl<'a, P: Policy> Shard<'a, P> {
    /// Creates a shard in which nothing has happened.
    pub(crate) fn new(
        switches: Switches<'a, P>,
        trunks: Trunks,
        nics: Nics,
        sources: Sources,
        mailboxes: Mailboxes,
        audit: Option<Audit>,
    ) -> Self {
        // Beside ranks, it is measured as long as these run.
        let window = sources.open_loop.as_ref().filter(|_| sources.ranks.is_none()).map(OpenLoop::window);
        Shard {
            scratch: Scratch::new(switches.network.radix() as usize),
            later: LaterEvents::default(),
            ideal: match switches.network.geometry {
                Geometry::Ideal(ideal) => Some(ideal),
                _ => None,
            },
            fabric: PacketFabric { switches, nics },
            flows: None,
            trunks,
            sources,
            tally: Tally::default(),
            arrivals: None,
            mailboxes,
            trouble: None,
            halves: [0; 2],
            audit,
            window,
            next_measure: window.map_or(u64::MAX, |(start, _)| start),
            measuring: false,
            measured: None,
        }
    }

    /// Returns whether it is checked after every bucket.
    pub(crate) fn is_audited(&self) -> bool {
        self.audit.is_some()
    }

    /// Makes it one of a half that takes turns with the other, to which all its links lead that leave its partition.
    pub(crate) fn join_half(&mut self, half: usize) {
        self.halves = [half, 1 - half];
    }

    /// Reports its progress; what lies in its outboxes counts as not yet done.
    pub fn report(&mut self) -> Report {
        let soonest = self.mailboxes.soonest();
        let outboxes =
            if soonest == u64::MAX { u64::MAX } else { self.fabric.switches.events.clock.first_from(soonest) };
        let flows = self.flows.as_ref().is_some_and(|flows| flows.live() > 0);
        let mut next = [u64::MAX; 2];
        next[self.halves[1]] = outboxes;
        let own = &mut next[self.halves[0]];
        *own = self.fabric.switches.events.queue.next().map_or(*own, |bucket| bucket.min(*own));
        Report {
            next,
            events: self.tally.events,
            counts: self.counts(),
            failed: self.trouble.is_some(),
            busy: self.fabric.switches.buffers.packets.live() > 0 || soonest != u64::MAX || flows,
            moves: !self.fabric.switches.events.queue.switches_rest() || soonest != u64::MAX || flows,
            notifications: self.take_events(),
            outstanding: self
                .ranks()
                .filter(|ranks| ranks.notes_ends())
                .map_or_else(Vec::new, |_| self.fabric.switches.events.outstanding.counts().to_vec()),
            ends: self.ranks_mut().map_or_else(Vec::new, Ranks::take_ends),
            audited: self.audit.as_ref().map_or([0; 3], |_| {
                // Where nodes answer, what they hold has been counted as delivered.
                let arrivals = self.arrivals.as_ref().filter(|_| self.fabric.nics.transports.is_none());
                let held = arrivals.map_or(0, |arrivals| arrivals.held());
                let in_flight =
                    u64::from(self.fabric.switches.buffers.packets.live()) + self.mailboxes.packets() + held;
                let dropped = self.fabric.switches.dropper.as_ref().map_or(0, |dropper| dropper.dropped);
                [self.fabric.nics.injected, self.tally.packets_delivered + dropped, in_flight]
            }),
        }
    }

    /// Handles all buckets of a window, once the mailbox of all other shards has been received.
    ///
    /// # Panics
    ///
    /// Panics when an audited run breaks a law of the audit: that is a defect of ours.
    pub fn advance(&mut self, window: &Window) {
        if let (true, Some(open_loop)) = (window.stop_traffic, &mut self.sources.open_loop) {
            open_loop.stop();
        }
        if let (Some(starts), Some(ranks)) = (&window.starts, &mut self.sources.ranks) {
            starts.iter().for_each(|start| ranks.start_job(&mut self.fabric.switches.events, start));
        }
        if let (Some(restarts), Some(ranks)) = (&window.restarts, &mut self.sources.ranks) {
            restarts.iter().for_each(|restart| ranks.start_again(&mut self.fabric.switches.events, restart));
        }
        self.mailboxes.begin_window();
        if let Some(commands) = &window.commands {
            self.act_on(commands);
        }
        let end = window.ends[self.halves[0]];
        // Others rely on it that this shard gets there; a shard alone has long windows, and somebody may wait for its report.
        let until = if self.mailboxes.has_others() { u64::MAX } else { window.until };
        while let Some(edge) = self.fabric.switches.events.queue.next().filter(|&edge| edge < end) {
            if self.tally.events >= until {
                break;
            }
            self.measure(edge * self.fabric.switches.events.clock.period());
            if let Err(trouble) = self.step(edge) {
                self.trouble = Some(trouble);
                return;
            }
        }
        if let Some(audit) = &mut self.audit {
            audit.check(&self.fabric.switches);
        }
    }

    /// Handles one bucket.
    fn step(&mut self, edge: u64) -> Result<(), Trouble> {
        self.fabric.switches.events.now = self.fabric.switches.events.clock.edge(edge);
        let mut bucket = self.fabric.switches.events.queue.take(edge);
        self.tally.events += bucket.at_switches() as u64;
        if bucket.is_for_nodes() {
            self.handle_nodes(&mut bucket)?;
            self.fabric.switches.events.queue.take_added_arrivals(&mut bucket.arrivals);
        }
        // Many buckets of programs are for nodes only, and few of these wake outputs at once.
        if bucket.at_switches() + self.fabric.switches.work.active_len > 0 || self.fabric.switches.at_once.some_woken()
        {
            if self.fabric.switches.rules.fast_path {
                self.step_switches::<true>(&mut bucket);
            } else {
                self.step_all_switches(&mut bucket);
            }
        }
        self.fabric.switches.events.queue.give_back(bucket);
        if P::PROBES {
            self.name_waiting();
        }
        if !self.fabric.switches.outgoing.ejected.is_empty() {
            self.deliver_ejected();
        }
        if !self.fabric.switches.rules.fast_path {
            paired::tell_peers(&mut self.fabric.switches);
        }
        if self.mailboxes.has_others() {
            self.mailboxes.pack(&mut self.fabric.switches, &mut self.fabric.nics);
        }
        Ok(())
    }

    /// Handles arrivals and wakeups at switches, and allocates.
    fn step_switches<const FAST: bool>(&mut self, bucket: &mut Bucket) {
        if !bucket.arrivals.is_empty() {
            if !FAST && self.fabric.switches.links.paired {
                paired::received(&mut self.fabric.switches, &bucket.arrivals);
            }
            self.fabric.switches.arrive_all::<FAST>(&bucket.arrivals);
            bucket.arrivals.clear();
        }
        // There is something else than arrivals.
        if bucket.at_switches() > 0 {
            self.fabric.switches.wake_bucket::<FAST>(bucket);
        }
        if !FAST {
            if self.flows.is_some() {
                self.act_on_trunks();
            } else {
                wakeups::act(&mut self.trunks, &mut self.fabric.switches);
            }
            // After what other ends of links tell, as all requests.
            self.fabric.switches.recheck_coalescing();
            self.fabric.switches.examine_woken();
        }
        self.tally.events += self.fabric.switches.work.active_len as u64;
        self.fabric.switches.allocate_all::<FAST>(&mut self.scratch);
        if !self.fabric.switches.work.woken.is_empty() {
            self.fabric.switches.watch_woken();
        }
        if !FAST {
            wakeups::watch_used(&mut self.trunks, &mut self.fabric.switches);
        }
    }

    /// Steps switches that the fast path does not do. Out of line, so that it costs that path no registers.
    #[inline(never)]
    fn step_all_switches(&mut self, bucket: &mut Bucket) {
        self.step_switches::<false>(bucket);
    }

    /// Handles the node events of a bucket in order, those included that they cause within it.
    fn handle_nodes(&mut self, bucket: &mut Bucket) -> Result<(), Trouble> {
        let Bucket { nodes, sources, .. } = bucket;
        // Latest first, so that the next is taken from the end.
        nodes.sort_unstable_by(|a, b| b.cmp(a));
        self.tally.events += sources.len() as u64;
        if !sources.is_empty() {
            self.handle_nodes_before(nodes, NodeEvent::new(self.fabric.switches.events.now.time, Phase::Generate, 0))?;
            sources.sort_unstable();
            for source in sources.drain(..) {
                if let Some(open_loop) = &mut self.sources.open_loop {
                    on_fabric!(self, fabric => open_loop.generate(fabric, source));
                }
            }
            self.put_added_nodes(nodes);
        }
        self.handle_nodes_before(nodes, NodeEvent::LAST)
    }

    /// Handles those of some node events, the latest first, that come before a certain one, and those that they cause.
    fn handle_nodes_before(&mut self, nodes: &mut Vec<NodeEvent>, end: NodeEvent) -> Result<(), Trouble> {
        while let Some(event) = self.later.next_before(nodes, end) {
            self.tally.events += 1;
            self.handle_node(event).map_err(|error| Trouble { at: (event.time, event.at), error })?;
            if P::PROBES {
                self.name_waiting();
            }
            if self.fabric.switches.links.extrapolation.is_some() {
                self.extrapolate(event.time);
            }
            self.put_added_nodes(nodes);
        }
        Ok(())
    }

    /// Puts node events that have been caused in the present bucket into their places among those that are left.
    #[inline]
    fn put_added_nodes(&mut self, nodes: &mut Vec<NodeEvent>) {
        while let Some(event) = self.fabric.switches.events.queue.take_added_node() {
            self.later.put(nodes, event);
        }
    }

    fn handle_node(&mut self, event: NodeEvent) -> Result<(), SourceError> {
        let t = event.time;
        match (event.phase, &mut self.sources.ranks) {
            (Phase::Nic, _) => self.fabric.nics.wake_up(&mut self.fabric.switches, event.at, t),
            (Phase::Delivered, _) => self.delivered(event.data, t),
            (Phase::Packet, _) => self.packet_came(event.at, event.data, t),
            (Phase::Flow | Phase::Rates, _) => self.move_flows(event.phase, t),
            (Phase::Extrapolated, _) => self.look_at_job(event.at, event.data, t),
            (Phase::Peer, _) => paired::node_received(&mut self.fabric.switches, event.at, event.data, t),
            (_, Some(ranks)) => return on_fabric!(self, fabric => ranks.handle(fabric, event)),
            (phase, _) => debug_assert!(false, "{phase:?} does not belong to this workload"),
        }
        Ok(())
    }

    /// Acts on a message that has arrived whole.
    fn delivered(&mut self, id: u32, t: u64) {
        let message = self.fabric.nics.messages[id];
        if matches!(message.purpose, Purpose::Notification(_)) {
            return self.notified(id, t);
        }
        // On a network with packets, latencies have been counted when the last packet was scheduled.
        let whole = self.moves_whole();
        let latency = Time(t - message.created);
        if let (Purpose::Load, Some(open_loop)) = (message.purpose, &mut self.sources.open_loop) {
            self.fabric.nics.messages.remove(id);
            let (packets, flits) = self.fabric.nics.segment(message.bytes);
            if open_loop.deliver(message.measured, packets, flits, t) && whole {
                open_loop.latencies[1].add(latency);
                self.count_size(Purpose::Load, message.bytes, latency);
            }
        } else if let Some(ranks) = &mut self.sources.ranks {
            on_fabric!(self, fabric => ranks.delivered(fabric, id, t));
            if message.from_node != message.to_node {
                let [first, last] = self.tally.between_nodes;
                self.tally.between_nodes = [first.min(message.created), last.max(t)];
                if message.measured && whole {
                    self.tally.latencies[1].add(latency);
                    self.count_size(message.purpose, message.bytes, latency);
                }
            }
        }
    }

    /// Tells the runtime system of a notification that has come.
    fn notified(&mut self, id: u32, t: u64) {
        let Message { tag: job, order: round, from_node, to_node, purpose, .. } = self.fabric.nics.messages[id];
        self.fabric.nics.messages.remove(id);
        if let (Purpose::Notification(says), Some(reporter)) = (purpose, self.reporter()) {
            let telling = Telling { job, round, from: NodeId(from_node), to: NodeId(to_node), says };
            reporter.events.push(Notification { at: Time(t), what: NotificationKind::Notified(telling) });
        }
    }

    /// Returns what has been counted of open-loop traffic.
    pub(crate) fn counts(&self) -> Counts {
        self.sources.open_loop.as_ref().map_or(Counts::NOTHING, |open_loop| open_loop.counts)
    }

    /// Returns what reports ranks to the runtime system, if there is one.
    pub(crate) fn reporter(&mut self) -> Option<&mut Reporter> {
        self.ranks_mut().and_then(|ranks| ranks.reporter.as_deref_mut())
    }

    /// Returns its ranks; none without jobs.
    pub(crate) fn ranks(&self) -> Option<&Ranks> {
        self.sources.ranks.as_ref()
    }

    /// Returns its ranks, to change them.
    pub(crate) fn ranks_mut(&mut self) -> Option<&mut Ranks> {
        self.sources.ranks.as_mut()
    }

    /// Begins or ends to measure open-loop traffic, where that is due before something happens at time `t`.
    #[inline]
    pub(crate) fn measure(&mut self, t: u64) {
        if t > self.next_measure {
            self.measure_due(t);
        }
    }

    #[cold]
    fn measure_due(&mut self, t: u64) {
        let Some((start, end)) = self.window else { return };
        if !self.measuring {
            self.measuring = true;
            self.next_measure = end;
            self.count_flows(start);
            self.trunks.count_from(&mut self.fabric.switches.links, start);
        }
        if t > end {
            self.next_measure = u64::MAX;
            self.measured = Some(self.snapshot(end));
        }
    }

    /// Returns what all channels have done up to time `t`.
    pub(crate) fn snapshot(&mut self, t: u64) -> Snapshot {
        self.count_flows(t);
        let first = self.fabric.switches.partition.link(0);
        self.trunks.snapshot(&mut self.fabric.switches.links, first, t)
    }

    /// Returns the mailbox for another shard, to be taken between two windows.
    pub fn outbox(&mut self, to: usize) -> &mut Mailbox {
        self.mailboxes.outbox(to)
    }

    /// Takes the mailboxes that are not empty, each with the shard that it is for.
    pub fn take_outboxes(&mut self) -> impl Iterator<Item = (usize, Mailbox)> {
        self.mailboxes.take()
    }

    /// Receives the mailbox of another shard, and leaves it empty.
    pub fn receive(&mut self, mailbox: &mut Mailbox) {
        self.mailboxes.receive(mailbox, &mut self.fabric.switches, &mut self.fabric.nics);
    }

    /// Acts on the commands of the runtime system.
    fn act_on(&mut self, commands: &Commands) {
        self.fabric.switches.events.now = self.fabric.switches.events.clock.edge(commands.edge);
        for &order in &*commands.list {
            match order {
                CommandKind::Channel { channel, on } => runtime::command(&mut self.fabric.switches, channel, on),
                CommandKind::Notify { telling, bytes }
                    if self.fabric.switches.partition.all_nodes.contains(telling.from.0) =>
                {
                    self.send_notification(commands.edge + 1, telling, bytes);
                }
                CommandKind::Notify { .. } => {}
                CommandKind::All { on } => {
                    runtime::command_all(&mut self.fabric.switches, |switches, channel| {
                        runtime::command(switches, channel, on);
                    });
                }
                CommandKind::Allow { billionths } => {
                    runtime::command_all(&mut self.fabric.switches, |switches, channel| {
                        runtime::allow(switches, channel, billionths);
                    });
                }
                CommandKind::Level { channel, on } => self.trunks.level(&mut self.fabric.switches, channel, on),
                order => self.reporter().into_iter().for_each(|reporter| reporter.command(order)),
            }
        }
    }

    /// Sends a notification of the runtime system at an edge.
    fn send_notification(&mut self, edge: u64, telling: Telling, bytes: Bytes) {
        let t = self.fabric.switches.events.clock.edge(edge).time;
        let Telling { job, round, from, to, says } = telling;
        let sequence = self.fabric.nics.next_sequence(from.0);
        let id = self.fabric.nics.messages.insert(Message {
            created: t,
            bytes: bytes.0,
            to_node: to.0,
            tag: job,
            order: round,
            arrived: true,
            ..Message::new(from.0, sequence, Purpose::Notification(says))
        });
        on_fabric!(self, fabric => fabric.send(id, t));
    }

    /// Takes the notifications for the runtime system.
    fn take_events(&mut self) -> Vec<Notification> {
        let mut events = self.reporter().map_or_else(Vec::new, |reporter| std::mem::take(&mut reporter.events));
        if let Some(reports) = self.ranks_mut().and_then(|ranks| ranks.wake_delay_reports.as_mut()) {
            events.append(&mut reports.events);
        }
        runtime::take_notifications(&mut self.fabric.switches, &mut events);
        self.trunks.take_told(&mut events);
        events
    }
}
