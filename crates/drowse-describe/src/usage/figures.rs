//! The figures of `drowse usage`: shares of channels and cables, utilisation, and the bound of savings.

use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::Time;
use drowse_core::topology::Network;
use drowse_core::usage::Traffic;
use drowse_experiment::{Case, Diagnostic, System};
use drowse_tables::schema::{Column, usage};
use drowse_tables::{Name, Row};

use super::count::Usage;
use super::options::{Counted, Options};

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

    /// Adds used, all and the share of used ones to a row.
    fn push(self, row: &mut Row, [used, total, fraction]: [Name; 3]) {
        row.push(used, self.used);
        row.push(total, self.total);
        row.push_some(fraction, ratio(self.used, self.total));
    }
}

/// Used, all and the share of used ones: of channels, of the channels of a class, of cables.
const CHANNELS: [Column; 3] = [usage::CHANNELS_USED, usage::CHANNELS_TOTAL, usage::CHANNELS_FRACTION];
const BY_CLASS: [Column; 3] = [usage::BY_CLASS_USED, usage::BY_CLASS_TOTAL, usage::BY_CLASS_FRACTION];
const CABLES: [Column; 3] = [usage::CABLES_USED, usage::CABLES_TOTAL, usage::CABLES_FRACTION];

/// Makes the row of `drowse usage`; a time that is too short, or a delay too long for it, is an error.
pub fn row(counted: &Usage<'_>, case: &Case, options: &Options) -> Result<Row, Diagnostic> {
    let system = &case.system;
    let (network, sent) = (&*system.network, counted.account.sent());
    let all = [sent, counted.within].into_iter().fold(Traffic::default(), |mut all, more| {
        all += more;
        all
    });
    let mut row = Row::new();
    row.push(usage::RANKS, counted.matrix.ranks());
    row.push(usage::NODES, counted.nodes);
    row.push(usage::MESSAGES_COUNT, all.messages);
    row.push(usage::MESSAGES_BYTES, all.bytes);
    row.push(usage::NETWORK_MESSAGES, sent.messages);
    row.push(usage::NETWORK_BYTES, sent.bytes);
    row.push(usage::NETWORK_PACKETS, sent.packets);
    let hops = channels(network).filter(|&channel| !network.is_node_channel(channel));
    let hops = hops.fold(0u64, |hops, channel| hops.saturating_add(counted.account.of(channel).packets));
    row.push_some(usage::NETWORK_MEAN_CHANNELS, ratio(hops, sent.packets));
    push_shares(&mut row, counted, system, options.counted);
    for (level, &packets) in counted.account.levels().iter().enumerate() {
        row.push(usage::LEVELS_PACKETS.of(level), packets);
        row.push_some(usage::LEVELS_PACKETS_FRACTION.of(level), ratio(packets, sent.packets));
    }
    let busiest = judged(system).map(|channel| needed(counted, system, channel)).max().unwrap_or(Time::ZERO);
    row.push(usage::BUSIEST_S, busiest.seconds());
    if let Some(time) = options.time {
        check_times(time, options.delay, busiest, system)?;
        push_bounds(&mut row, counted, system, options, time);
    }
    row.push_all(usage::WARNINGS, counted.warnings.iter().map(String::as_str));
    Ok(row)
}

/// Adds the shares of used channels and cables, and the same by class.
fn push_shares(row: &mut Row, counted: &Usage<'_>, system: &System, what: Counted) {
    let network = &*system.network;
    let (mut channels, mut cables) = (Share::default(), Share::default());
    let mut classes = vec![(Share::default(), 0u64); network.classes.len()];
    for channel in judged(system) {
        let traffic = counted.account.of(channel);
        let (class, bytes) = &mut classes[usize::from(network.channel_class(channel))];
        *bytes = bytes.saturating_add(traffic.bytes);
        channels.count(is_used(counted, channel));
        let opposite = opposite(network, channel);
        // A cable is counted with the lower of its two channels.
        let cable = (channel < opposite).then(|| is_used(counted, channel) || is_used(counted, opposite));
        cables_of(&mut cables, cable);
        match what {
            Counted::Channels => class.count(is_used(counted, channel)),
            Counted::Cables => cables_of(class, cable),
        }
    }
    channels.push(row, CHANNELS.map(Name::from));
    for (name, (share, bytes)) in network.classes.iter().zip(classes).filter(|(_, (share, _))| share.total > 0) {
        share.push(row, BY_CLASS.map(|column| column.of(name)));
        row.push(usage::BY_CLASS_BYTES.of(name), bytes);
    }
    cables.push(row, CABLES.map(Name::from));
}

fn cables_of(share: &mut Share, cable: Option<bool>) {
    if let Some(used) = cable {
        share.count(used);
    }
}

/// Adds U and M of Totoni et al. 2014, sections 5 and 6: the share of the time in which channels send, or used ones are
/// switched on and off, and its complement. A channel without time to sleep stays on.
fn push_bounds(row: &mut Row, counted: &Usage<'_>, system: &System, options: &Options, time: Time) {
    let switching = 2.0 * options.delay.unwrap_or(Time::ZERO).seconds();
    let on = |channel: ChannelId| {
        let other = opposite(&system.network, channel);
        let together = options.counted == Counted::Cables && is_used(counted, other);
        let switching = if is_used(counted, channel) || together { switching } else { 0.0 };
        (needed(counted, system, channel).seconds() + switching).min(time.seconds())
    };
    let (sum, total) = judged(system).fold((0.0, 0u64), |(sum, total), channel| (sum + on(channel), total + 1));
    row.push(usage::TIME_S, time.seconds());
    row.push_some(usage::DELAY_S, options.delay.map(Time::seconds));
    if total > 0 {
        let utilisation = sum / (total as f64 * time.seconds());
        row.push(usage::UTILISATION, utilisation);
        row.push(usage::SAVINGS_BOUND, 1.0 - utilisation);
    }
}

/// Refuses a time too short to send everything, and a delay of half the time or more (Totoni et al. 2014, section 6).
fn check_times(time: Time, delay: Option<Time>, busiest: Time, system: &System) -> Result<(), Diagnostic> {
    let refuse = |message: String, help: String| Err(system.keys.source().error(message, help));
    if time == Time::ZERO || busiest > time {
        let message = format!("--time {time} is too short: the busiest channel needs {busiest} for its bytes");
        return refuse(message, "give the time of everything that is counted, such as that of all iterations".into());
    }
    match delay {
        Some(delay) if delay.0 >= time.0.div_ceil(2) => {
            let message = format!("--delay {delay} is at least half of --time {time}: no channel could sleep");
            refuse(message, "give a delay below half the time, since a channel is switched off and on once".into())
        }
        _ => Ok(()),
    }
}

/// Returns the channels whose shares are counted: those that the experiment lets sleep.
fn judged(system: &System) -> impl Iterator<Item = ChannelId> {
    let network = &*system.network;
    channels(network).filter(|&channel| system.channels.contains(network.channel_class(channel)))
}

fn channels(network: &Network) -> impl Iterator<Item = ChannelId> + use<> {
    (0..network.channels()).map(ChannelId)
}

/// Returns the time that a channel needs for its bytes.
fn needed(counted: &Usage<'_>, system: &System, channel: ChannelId) -> Time {
    let class = usize::from(system.network.channel_class(channel));
    system.config.classes[class].bandwidth.transfer_time(counted.account.of(channel).bytes)
}

fn is_used(counted: &Usage<'_>, channel: ChannelId) -> bool {
    counted.account.of(channel).packets > 0
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
