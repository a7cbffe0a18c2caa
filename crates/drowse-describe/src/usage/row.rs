//! The figures of `drowse usage`: shares of channels and cables, utilisation, and the bound of savings.

use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::Time;
use drowse_core::topology::Network;
use drowse_core::usage::Traffic;
use drowse_tables::Row;

use super::{Counted, Options, Usage};
use drowse_experiment::{Diagnostic, System};

/// How many of some links are used.
#[derive(Clone, Copy, Default)]
struct Share {
    used: u64,
    total: u64,
}

impl Share {
    fn count(&mut self, used: bool) {
        self.used += u64::from(used);
        self.total += 1;
    }

    fn push(self, row: &mut Row, name: &str) {
        row.push(format!("{name}.used"), self.used);
        row.push(format!("{name}.total"), self.total);
        row.push_some(format!("{name}.fraction"), ratio(self.used, self.total));
    }
}

/// Makes the row; a time that is too short, or a delay too long for it, is an error.
pub fn row(usage: &Usage<'_>, system: &System, options: &Options) -> Result<Row, Diagnostic> {
    let (network, sent) = (&*system.network, usage.account.sent());
    let all = [sent, usage.within].into_iter().fold(Traffic::default(), |mut all, more| {
        all += more;
        all
    });
    let mut row = Row::new();
    row.push("ranks", usage.matrix.ranks());
    row.push("nodes", usage.nodes);
    row.push("messages.count", all.messages);
    row.push("messages.bytes", all.bytes);
    row.push("network.messages", sent.messages);
    row.push("network.bytes", sent.bytes);
    row.push("network.packets", sent.packets);
    let hops = channels(network).filter(|&channel| !network.is_node_channel(channel));
    let hops = hops.fold(0u64, |hops, channel| hops.saturating_add(usage.account.of(channel).packets));
    row.push_some("network.mean_channels", ratio(hops, sent.packets));
    push_shares(&mut row, usage, system, options.counted);
    for (level, &packets) in usage.account.levels().iter().enumerate() {
        row.push(format!("levels.{level}.packets"), packets);
        row.push_some(format!("levels.{level}.packets_fraction"), ratio(packets, sent.packets));
    }
    let busiest = counted(system).map(|channel| needed(usage, system, channel)).max().unwrap_or(Time::ZERO);
    row.push("busiest_s", busiest.seconds());
    if let Some(time) = options.time {
        check_times(time, options.delay, busiest, system)?;
        push_bounds(&mut row, usage, system, options, time);
    }
    for (number, warning) in usage.warnings.iter().enumerate() {
        row.push(format!("warnings[{number}]"), warning.as_str());
    }
    Ok(row)
}

/// Adds how many channels, and how many cables, are used, and the same by class.
fn push_shares(row: &mut Row, usage: &Usage<'_>, system: &System, what: Counted) {
    let network = &*system.network;
    let (mut channels, mut cables) = (Share::default(), Share::default());
    let mut classes = vec![(Share::default(), 0u64); network.classes.len()];
    for channel in counted(system) {
        let traffic = usage.account.of(channel);
        let (class, bytes) = &mut classes[usize::from(network.channel_class(channel))];
        *bytes = bytes.saturating_add(traffic.bytes);
        channels.count(is_used(usage, channel));
        let opposite = opposite(network, channel);
        // A cable is counted with the lower of its two channels.
        let cable = (channel < opposite).then(|| is_used(usage, channel) || is_used(usage, opposite));
        cables_of(&mut cables, cable);
        match what {
            Counted::Channels => class.count(is_used(usage, channel)),
            Counted::Cables => cables_of(class, cable),
        }
    }
    channels.push(row, "channels");
    for (name, (share, bytes)) in network.classes.iter().zip(classes).filter(|(_, (share, _))| share.total > 0) {
        share.push(row, &format!("by_class.{name}"));
        row.push(format!("by_class.{name}.bytes"), bytes);
    }
    cables.push(row, "cables");
}

fn cables_of(share: &mut Share, cable: Option<bool>) {
    if let Some(used) = cable {
        share.count(used);
    }
}

/// Adds U and M of Totoni et al. 2014, sections 5 and 6: the share of the time that channels send for, and that used ones are switched
/// on and off; a channel that is left no time to sleep stays on.
fn push_bounds(row: &mut Row, usage: &Usage<'_>, system: &System, options: &Options, time: Time) {
    let switching = 2.0 * options.delay.unwrap_or(Time::ZERO).seconds();
    let on = |channel: ChannelId| {
        let other = opposite(&system.network, channel);
        let together = options.counted == Counted::Cables && is_used(usage, other);
        let switching = if is_used(usage, channel) || together { switching } else { 0.0 };
        (needed(usage, system, channel).seconds() + switching).min(time.seconds())
    };
    let (sum, total) = counted(system).fold((0.0, 0u64), |(sum, total), channel| (sum + on(channel), total + 1));
    row.push("time_s", time.seconds());
    row.push_some("delay_s", options.delay.map(Time::seconds));
    if total > 0 {
        let utilisation = sum / (total as f64 * time.seconds());
        row.push("utilisation", utilisation);
        row.push("savings_bound", 1.0 - utilisation);
    }
}

/// Refuses a time in which not all can be sent, and a delay of which two do not fit it (Totoni et al. 2014, section 6).
fn check_times(time: Time, delay: Option<Time>, busiest: Time, system: &System) -> Result<(), Diagnostic> {
    let refuse = |message: String, help: String| Err(system.keys.source().error(message, help));
    if time == Time::ZERO || busiest > time {
        let message = format!("in --time {time} the busiest channel cannot send its bytes: it needs {busiest}");
        return refuse(message, "give the time of all that is counted, such as that of all iterations".into());
    }
    match delay {
        Some(delay) if delay.0 >= time.0.div_ceil(2) => {
            let message = format!("--delay {delay} is no less than half of --time {time}: no channel could sleep");
            refuse(message, "give a delay below half the time; a channel is switched off and on once".into())
        }
        _ => Ok(()),
    }
}

/// Returns the channels that shares are taken of: those that the experiment lets sleep.
fn counted(system: &System) -> impl Iterator<Item = ChannelId> {
    let network = &*system.network;
    channels(network).filter(|&channel| system.channels.contains(network.channel_class(channel)))
}

fn channels(network: &Network) -> impl Iterator<Item = ChannelId> + use<> {
    (0..network.channels()).map(ChannelId)
}

/// Returns the time that a channel needs for its bytes.
fn needed(usage: &Usage<'_>, system: &System, channel: ChannelId) -> Time {
    let class = usize::from(system.network.channel_class(channel));
    system.config.classes[class].bandwidth.transfer_time(usage.account.of(channel).bytes)
}

fn is_used(usage: &Usage<'_>, channel: ChannelId) -> bool {
    usage.account.of(channel).packets > 0
}

/// Returns the other direction of a channel's link.
fn opposite(network: &Network, channel: ChannelId) -> ChannelId {
    match channel.0.checked_sub(network.ports()) {
        Some(node) => ChannelId(network.node_port[node as usize]),
        None => ChannelId(network.peer[channel.index()]),
    }
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
