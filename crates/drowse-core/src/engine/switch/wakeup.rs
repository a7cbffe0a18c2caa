//! Alarms: at which edges the allocator of a switch looks at packets that wait.

use crate::power::Policy;

use crate::engine::event::queue::{Bucket, Wakeup, WakeupKind};
use crate::engine::switch::switches::Switches;

impl<P: Policy> Switches<'_, P> {
    /// Acts on all alarms of a bucket.
    pub fn wake_bucket<const FAST: bool>(&mut self, bucket: &mut Bucket) {
        // Seldom is there something in all three, and an empty list is seen sooner than drained.
        if !bucket.inputs.is_empty() {
            bucket.inputs.drain(..).for_each(|reader| self.input_free::<FAST>(reader));
        }
        if !bucket.outputs.is_empty() {
            bucket.outputs.drain(..).for_each(|port| self.output_free::<FAST>(port));
        }
        if !bucket.alarms.is_empty() {
            bucket.alarms.drain(..).for_each(|alarm| self.act_on(alarm));
        }
    }

    /// Lets the allocator look at the heads that have waited for a read port, which has sent its packet.
    #[inline]
    fn input_free<const FAST: bool>(&mut self, reader: u32) {
        let input = &mut self.inputs[reader as usize];
        input.clear_alarm();
        let (switch, first_bit, pending) = (input.switch, input.first_bit, std::mem::take(&mut input.pending));
        self.examine_queues::<FAST>(switch, first_bit, pending);
        self.activate(switch);
    }

    /// Lets the allocator look at the heads that wait for an output port, which may have become available.
    #[inline]
    fn output_free<const FAST: bool>(&mut self, port: u32) {
        let hot = &mut self.channels.hot[port as usize];
        // An alarm that an earlier one has replaced finds nothing to do.
        if hot.alarm != self.now.number {
            return;
        }
        hot.alarm = u64::MAX;
        let switch = self.switch_of::<FAST>(port);
        let words = if FAST { 1 } else { self.words };
        for word in 0..words {
            self.examine[switch as usize * words + word] |= self.channels.waiting(port as usize, word);
        }
        self.activate(switch);
    }

    fn act_on(&mut self, alarm: Wakeup) {
        let port = self.part.first_port[alarm.switch as usize] + u32::from(alarm.local);
        match alarm.kind {
            WakeupKind::Retry => {}
            WakeupKind::Peer => return self.peer_woken(port as usize),
            WakeupKind::Decide | WakeupKind::More | WakeupKind::Fewer | WakeupKind::Wider | WakeupKind::Window => {
                return self.trunks.alarms.push((alarm.kind, port));
            }
            WakeupKind::Packet => {
                self.examine_queues::<false>(alarm.switch, alarm.local << self.vc_bits, 1 << alarm.vc)
            }
        }
        self.activate(alarm.switch);
    }

    /// Makes sure that the allocator looks at those who wait for an output in a bucket or before.
    #[inline]
    pub fn wake_output(&mut self, channel: usize, bucket: u64) {
        let hot = &mut self.channels.hot[channel];
        if bucket < hot.alarm {
            hot.alarm = bucket;
            self.wheel.put_output(bucket, channel as u32);
        }
    }

    /// Makes sure that the allocator looks at an input queue once its read port is free.
    #[inline]
    pub fn wake_input<const FAST: bool>(&mut self, place: u32) {
        let reader = self.reader::<FAST>(place);
        let input = &mut self.inputs[reader];
        if !input.set_alarm() {
            // An arbiter grants at most one packet an edge, however short it is.
            let bucket = self.clock.last_by(input.busy_until).max(self.now.number + 1);
            self.wheel.put_input(bucket, reader as u32);
        }
    }

    /// Returns the switch of a port.
    #[inline]
    pub fn switch_of<const FAST: bool>(&self, port: u32) -> u32 {
        self.inputs[self.reader::<FAST>(port << self.vc_bits)].switch
    }
}
