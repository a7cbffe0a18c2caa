//! Wakeups: at which edges the allocator of a switch examines blocked packets again.

use crate::power::Policy;

use crate::engine::event::queue::{Bucket, Wakeup, WakeupKind};
use crate::engine::partition::REMOTE;
use crate::engine::switch::outgoing::{LinkMessage, RemoteMessage};
use crate::engine::switch::rules::SelectionPath;
use crate::engine::switch::switches::Switches;

impl<P: Policy> Switches<'_, P> {
    /// Handles all wakeups of a bucket.
    pub fn wake_bucket<const FAST: bool>(&mut self, bucket: &mut Bucket) {
        // Usually at least one list is empty, and the check is cheaper than draining.
        if !bucket.inputs.is_empty() {
            bucket.inputs.drain(..).for_each(|reader| self.input_free::<FAST>(reader));
        }
        if !bucket.outputs.is_empty() {
            bucket.outputs.drain(..).for_each(|port| self.output_free::<FAST>(port));
        }
        if !bucket.wakeups.is_empty() {
            bucket.wakeups.drain(..).for_each(|wakeup| self.act_on(wakeup));
        }
    }

    /// Examines the heads that waited for a read port, which has sent its packet.
    #[inline]
    fn input_free<const FAST: bool>(&mut self, reader: u32) {
        let input = &mut self.buffers.read_ports[reader as usize];
        input.clear_wakeup();
        let (switch, first_bit, pending) = (input.switch, input.first_bit, std::mem::take(&mut input.pending));
        if !FAST && self.layout.by_output() {
            self.examine_all(switch, first_bit, pending);
        } else {
            self.work.examine_queues::<FAST>(self.layout.words, switch, first_bit, pending);
        }
        self.work.activate(switch, self.events.now.next);
    }

    /// Examines the queues for all outputs of some virtual channels of an input port.
    #[inline(never)]
    fn examine_all(&mut self, switch: u32, first_bit: u16, vcs: u8) {
        for queue in (0..1 << self.layout.queue_bits).step_by(1 << self.layout.vc_bits) {
            self.work.examine_queues::<false>(self.layout.words, switch, first_bit | queue, vcs);
        }
    }

    /// Examines the heads that wait for an output port, which may have become available.
    #[inline]
    fn output_free<const FAST: bool>(&mut self, port: u32) {
        let hot = &mut self.links.hot[port as usize];
        // An earlier wakeup has replaced this one.
        if hot.wakeup_at != self.events.now.number {
            return;
        }
        hot.wakeup_at = u64::MAX;
        if !FAST && self.rules.selection == SelectionPath::Random && self.is_full(port as usize) {
            return self.await_credit(port as usize);
        }
        if self.rules.stays_blocked {
            self.work.woken.push(port);
            // A head that waits alone cannot lose.
            if self.rules.skips_losers && self.several_wait::<FAST>(port as usize) {
                return self.note_woken_output::<FAST>(port);
            }
        }
        self.examine_waiting::<FAST>(port);
    }

    /// Notes an output for the allocator, which chooses among the heads that wait for it.
    #[inline]
    fn note_woken_output<const FAST: bool>(&mut self, port: u32) {
        let input = &self.buffers.read_ports[self.layout.reader::<FAST>(port << self.layout.queue_bits)];
        self.work.woken_of[input.switch as usize] |= 1 << (input.first_bit >> self.layout.queue_bits);
        self.work.activate(input.switch, self.events.now.next);
    }

    /// Schedules other wakeups for outputs that were woken at this edge, and for which heads still wait. One that is
    /// there already may be for a credit that overtook others at this edge.
    #[inline(never)]
    pub fn watch_woken(&mut self) {
        let (shared, now) = (self.rules.shared_vcs, self.events.now);
        while let Some(port) = self.work.woken.pop() {
            // Credits that are here already need no wakeup: nobody collects them while all who wait are at busy read ports.
            let hot = self.links.collect_credits(port as usize, now.time);
            let on = hot.is_on(now.time);
            // Who waits for an output that all may take is examined again anyway: once its read port is free, or at the
            // next edge, since it has lost. One that its trunk has turned off is watched once that turns it on.
            let can_be_had = on && hot.full_vcs() & shared != 0 && hot.free_at < now.next;
            let off = !on && hot.awake_at <= now.time;
            if !can_be_had && !off && self.links.some_wait(port as usize) {
                self.watch_available(port as usize);
            }
        }
    }

    /// Examines the heads that wait for an output port at this edge.
    #[inline(always)]
    pub fn examine_waiting<const FAST: bool>(&mut self, port: u32) {
        let switch = self.switch_of::<FAST>(port);
        self.mark_waiting::<FAST>(switch, port);
        self.work.activate(switch, self.events.now.next);
    }

    /// Marks the heads that wait for an output port of a switch, which is allocated at this edge, to be examined.
    #[inline(always)]
    pub fn mark_waiting<const FAST: bool>(&mut self, switch: u32, port: u32) {
        let words = if FAST { 1 } else { self.layout.words };
        for word in 0..words {
            self.work.examine[switch as usize * words + word] |= self.links.waiting(port as usize, word);
        }
    }

    fn act_on(&mut self, wakeup: Wakeup) {
        let port = self.partition.first_port[wakeup.switch as usize] + u32::from(wakeup.local);
        match wakeup.kind {
            WakeupKind::Retry => {}
            WakeupKind::Peer
            | WakeupKind::Decide
            | WakeupKind::More
            | WakeupKind::Fewer
            | WakeupKind::Wider
            | WakeupKind::Level
            | WakeupKind::Window => return self.outgoing.control.push((wakeup.kind, port, wakeup.vc)),
            WakeupKind::Packet => self.work.examine_queues::<false>(
                self.layout.words,
                wakeup.switch,
                wakeup.local << self.layout.vc_bits,
                1 << wakeup.vc,
            ),
        }
        self.work.activate(wakeup.switch, self.events.now.next);
    }

    /// Makes sure that the heads that wait for an output are examined in a bucket or before.
    #[inline]
    pub fn wake_output(&mut self, channel: usize, bucket: u64) {
        let hot = &mut self.links.hot[channel];
        if bucket < hot.wakeup_at {
            hot.wakeup_at = bucket;
            self.events.queue.put_output(bucket, channel as u32);
        }
    }

    /// Makes sure that an input queue is examined once its read port is free.
    #[inline]
    pub fn wake_read_port<const FAST: bool>(&mut self, place: u32) {
        let reader = self.layout.reader::<FAST>(place);
        let input = &mut self.buffers.read_ports[reader];
        if !input.set_wakeup() {
            // An arbiter grants at most one packet an edge, however short it is.
            let bucket = self.events.clock.last_by(input.busy_until).max(self.events.now.number + 1);
            self.events.queue.put_input(bucket, reader as u32);
        }
    }

    /// Returns the switch of a port.
    #[inline]
    pub fn switch_of<const FAST: bool>(&self, port: u32) -> u32 {
        self.buffers.read_ports[self.layout.reader::<FAST>(port << self.layout.queue_bits)].switch
    }

    /// Puts a wakeup for a port into the event queue.
    pub fn wake_port(&mut self, port: u32, bucket: u64, kind: WakeupKind) {
        self.tell_port(port, bucket, kind, 0);
    }

    fn tell_port(&mut self, port: u32, bucket: u64, kind: WakeupKind, ports: u8) {
        let switch = self.switch_of::<false>(port);
        let local = (port - self.partition.first_port[switch as usize]) as u16;
        self.events.queue.put_wakeup(bucket, Wakeup { switch, local, vc: ports, kind });
    }

    /// Sends a message to a port at the other end of a link, which may be [`REMOTE`].
    pub fn tell_other_end(&mut self, port: u32, at: u64, message: LinkMessage) {
        if port & REMOTE == 0 {
            self.put_message(port, at, message);
        } else {
            self.outgoing.messages.push(RemoteMessage { port: port & !REMOTE, at, message });
        }
    }

    /// Delivers a message from the other end of a port's link at the first edge from time `at` on.
    pub fn put_message(&mut self, port: u32, at: u64, message: LinkMessage) {
        let (kind, ports) = match message {
            LinkMessage::Woken => (WakeupKind::Peer, 0),
            LinkMessage::More(ports) => (WakeupKind::More, ports),
            LinkMessage::Fewer(ports) => (WakeupKind::Fewer, ports),
        };
        self.tell_port(self.partition.link(port), self.events.clock.first_from(at), kind, ports);
    }
}
