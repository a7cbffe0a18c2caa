//! What a shard does with packets that reach their nodes.

use crate::engine::endpoint::message::Purpose;
use crate::engine::endpoint::single::Single;
use crate::engine::event::node::{NodeEvent, Phase};
use crate::engine::parallel::shard::Shard;
use crate::engine::switch::outgoing::Ejected;
use crate::model::units::Time;
use crate::power::Policy;

impl<P: Policy> Shard<'_, P> {
    /// Counts the packets whose last bits have been scheduled at this edge for their messages.
    pub(super) fn deliver_ejected(&mut self) {
        if self.fabric.nics.transports.is_some() {
            return self.keep_ejected();
        }
        let mut ejected = std::mem::take(&mut self.fabric.switches.outgoing.ejected);
        if let Some(arrivals) = &mut self.arrivals {
            arrivals.take_in(&mut ejected, &mut self.fabric.switches.outgoing.came);
        }
        for packet in ejected.drain(..) {
            self.tally.packets_delivered += 1;
            let packet = Ejected { at: packet.at + self.fabric.nics.nic_latency, ..packet };
            match self.fabric.nics.messages.singles.take(packet.message) {
                Some(single) => self.deliver_single(single, &packet),
                None => self.deliver(&packet),
            }
        }
        self.fabric.switches.outgoing.ejected = ejected;
    }

    /// Counts the only packet of a message of open-loop traffic, as [`Shard::deliver`] does.
    fn deliver_single(&mut self, single: Single, &Ejected { flits, at, .. }: &Ejected) {
        let Some(open_loop) = &mut self.sources.open_loop else { return };
        if open_loop.deliver(single.measured, 1, u64::from(flits), at) {
            let latency = Time(at - single.created);
            open_loop.latencies.iter_mut().for_each(|latencies| latencies.add(latency));
            self.count_size(Purpose::Load, u64::from(single.bytes), latency);
        }
    }

    /// Acts on a packet of a message whose last bit is delivered at its time, the NIC's latency included.
    pub(super) fn deliver(&mut self, packet: &Ejected) {
        let &Ejected { message: id, first, flits, at, wake_delay } = packet;
        let waking = self.fabric.nics.messages.waking(id);
        let message = &mut self.fabric.nics.messages[id];
        message.packets_left -= 1;
        message.done_at = message.done_at.max(at);
        let slept = wake_delay.saturating_sub(waking);
        let is_later = slept > message.slept;
        message.slept = message.slept.max(slept);
        if message.packets_left == 0 {
            self.mailboxes.forget(message);
        }
        let complete = message.packets_left == 0;
        let latency = Time(at - message.created);
        if let (Purpose::Load, Some(open_loop)) = (message.purpose, &mut self.sources.open_loop) {
            let counts = open_loop.deliver(message.measured, 1, u64::from(flits), at);
            if counts {
                open_loop.latencies[0].add(latency);
            }
            if complete {
                let (bytes, latency) = (message.bytes, Time(message.done_at - message.created));
                if counts {
                    open_loop.latencies[1].add(latency);
                    self.count_size(Purpose::Load, bytes, latency);
                }
                self.fabric.nics.messages.remove(id);
            }
            return;
        }
        if message.measured {
            self.tally.latencies[0].add(latency);
            if complete {
                let (purpose, bytes, latency) =
                    (message.purpose, message.bytes, Time(message.done_at - message.created));
                self.tally.latencies[1].add(latency);
                self.count_size(purpose, bytes, latency);
            }
        }
        if is_later {
            self.report_delayed_message(id);
        }
        let message = &self.fabric.nics.messages[id];
        if complete {
            self.fabric.switches.events.put_node(message.event(Phase::Delivered, id));
        } else if first && message.purpose.is_eager() {
            self.fabric.switches.events.put_node(NodeEvent { time: at, ..message.event(Phase::Arrived, id) });
        }
    }

    /// Reports to a governor, if there is one, the wake delay of a message of which a packet has come.
    #[cold]
    fn report_delayed_message(&mut self, id: u32) {
        if let Some(ranks) = &mut self.sources.ranks {
            let messages = &self.fabric.nics.messages;
            let wake_delay = messages.chain(id).sent.total_wake_delay().saturating_add(messages[id].slept);
            ranks.note_delayed_message(messages[id].to_rank, wake_delay, self.fabric.switches.events.now.time);
        }
    }

    /// Counts a message that has been delivered by its size, where a probe wants it; that beside ranks does not count.
    #[inline(always)]
    pub(super) fn count_size(&mut self, purpose: Purpose, bytes: u64, latency: Time) {
        let beside = purpose == Purpose::Load && self.sources.ranks.is_some();
        if P::PROBES && self.fabric.switches.links.policy.counts_sizes() && !beside {
            self.tally.message_sizes.add(bytes, latency);
        }
    }
}
