//! The commands of the runtime system: which channels a shard turns off and on, and what it tells of them.
//!
//! Commands take effect at an edge, after everything that happens by that edge. So the coordinator knows all that they
//! are to follow from, for any number of partitions: it ends each window before the next command.

use std::sync::Arc;

use crate::engine::link::account::LinkNotification;
use crate::engine::switch::switches::Switches;
use crate::model::ids::ChannelId;
use crate::model::units::Time;
use crate::power::Policy;
use crate::power::runtime::{CommandKind, Notification, NotificationKind};

/// Commands that take effect after everything that happens by an edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commands {
    /// The number of the edge.
    pub edge: u64,
    /// The commands.
    pub list: Arc<[CommandKind]>,
}

/// Turns a channel of the whole network, if it is in this partition, off or on.
pub fn command<P: Policy>(switches: &mut Switches<P>, channel: ChannelId, on: bool) {
    let Some(channel) = switches.partition.local_channel(switches.network, channel) else { return };
    let (channel, now) = (channel as usize, switches.events.now);
    if !on {
        return switches.links.let_sleep(channel, now.time);
    }
    if !switches.links.keep_on(channel, now.time) {
        return;
    }
    let awake_at = switches.links.hot[channel].awake_at;
    // A NIC does not wait for a channel that sleeps without waking it.
    if channel < switches.partition.ports() as usize && switches.links.some_wait(channel) {
        let awake = switches.events.clock.first_from(awake_at);
        switches.wake_output(channel, awake.max(now.number + 1));
    } else {
        switches.links.begin_idle(channel, awake_at);
    }
}

/// Acts on a command of a governor to all channels that it governs in this partition.
pub fn command_all<P: Policy>(switches: &mut Switches<P>, what: impl Fn(&mut Switches<P>, ChannelId)) {
    let network = switches.network;
    let policy = switches.links.policy;
    let governed = |channel: &ChannelId| policy.governor(network.channel_class(*channel)).is_some();
    for channel in (0..network.channels()).map(ChannelId).filter(governed) {
        what(switches, channel);
    }
}

/// Lets a channel, if it is in this partition, lose a share of its time from its next idle period on.
pub fn allow<P: Policy>(switches: &mut Switches<P>, channel: ChannelId, billionths: u32) {
    if let Some(local) = switches.partition.local_channel(switches.network, channel) {
        switches.links.allow(local as usize, billionths);
    }
}

/// Moves what has been noted of channels to the events that the runtime system is told of.
pub fn take_notifications<P: Policy>(switches: &mut Switches<P>, events: &mut Vec<Notification>) {
    let (partition, network) = (&switches.partition, switches.network);
    for LinkNotification { channel, at, idle_since } in switches.links.notifications.drain(..) {
        let channel = partition.channel_id(network, channel as u32);
        let what = match idle_since {
            None => NotificationKind::Woken { channel },
            Some(since) => NotificationKind::Gap { channel, since: Time(since) },
        };
        events.push(Notification { at: Time(at), what });
    }
}
