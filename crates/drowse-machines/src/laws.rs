//! Laws that hold for any run, each from conservation or by definition.

use std::collections::HashSet;

use drowse_core::measure::{RankTimes, Record, Warning};
use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::Time;
use drowse_core::power::{ClassPolicy, LinkState, RuntimePolicy, TrunkPolicy, WidthPolicy};
use drowse_experiment::{Case, System, WorkloadSpec};
use drowse_run::cost::Cost;
use drowse_run::outcome::Outcome;
use drowse_run::summary::summarize;
use drowse_tables::Row;
use drowse_tables::schema::cases;

use crate::finding::{Checked, holds};
use crate::{answers, order};

/// Returns whether a job starts again until the run ends.
fn starts_again(record: &Record) -> bool {
    record.jobs.iter().any(|job| job.again)
}

/// Returns whether something goes on beside the jobs that end.
fn goes_on(record: &Record) -> bool {
    record.background.is_some() || starts_again(record)
}

/// Checks a run of a case by itself.
pub fn check(run: &Outcome) -> Checked {
    let (case, system, record) = (&run.case, &run.case.system, &run.record);
    check_delivery(case, record)?;
    check_states(system, record)?;
    check_trunks(system, record)?;
    order::check(system, record)?;
    answers::check(system, record)?;
    if matches!(case.workload, WorkloadSpec::Jobs(_)) {
        check_counts(system, record)?;
        check_busy(case, record)?;
        check_waits(case, record)?;
    }
    let figures = summarize(system, "", record, &Cost::default()).figures;
    check_finite(&figures)?;
    check_energy(system, record, &figures)?;
    check_joules(system, record, &figures)?;
    check_utilisation(system, record, &figures)
}

/// Nothing is lost: what is sent arrives, unless the run is given up.
fn check_delivery(case: &Case, record: &Record) -> Checked {
    let (injected, delivered) = (record.packets_injected, record.packets_delivered + answers::dropped(record));
    let text = || format!("{injected} packets injected, {delivered} delivered");
    match &case.workload {
        WorkloadSpec::Jobs(_) => {
            // Traffic beside jobs is on its way at the end.
            let left = record.background.as_ref().map_or(0, |run| run.packets_generated - run.packets_delivered);
            // So is anything of jobs that would start again.
            let left =
                if starts_again(record) || goes_on(record) && answers::under_way(record) { injected } else { left };
            let lost = injected.checked_sub(delivered);
            holds("deliveries = injections", lost.is_some_and(|lost| lost <= left), text)
        }
        WorkloadSpec::Traffic(traffic) => {
            let drained = !record.warnings.iter().any(|warning| matches!(warning, Warning::NotDrained { .. }));
            // A network that is not saturated drains, if there was time: what is left there is lost.
            let saturated = record.open_loop.is_some_and(|run| run.saturated || run.too_short);
            let all = traffic.drain && (drained || !saturated) && !answers::under_way(record);
            holds("deliveries = injections", if all { injected == delivered } else { delivered <= injected }, text)
        }
    }
}

/// The times in all states add up, and channels that may not sleep are on.
fn check_states(system: &System, record: &Record) -> Checked {
    for (index, channel) in record.channels.iter().enumerate() {
        let sum: u128 = channel.residency.iter().map(|time| u128::from(time.0)).sum();
        let text = || format!("channel {index} of {}: {channel:?}", record.measured);
        holds("the states of a channel take the measured time", sum == u128::from(record.measured.0), text)?;
        let class = system.network.channel_class(ChannelId(index as u32));
        let awake = channel.time_in(LinkState::On) == record.measured && channel.wakes == 0;
        let model = &system.config.classes[usize::from(class)];
        holds("channels that may not sleep are on", model.states.is_some() || awake, text)?;
        let lacking = LinkState::SLEEPS.into_iter().skip(model.sleep_states());
        let none = lacking.map(|sleep| channel.time_in(sleep)).all(|time| time == Time::ZERO);
        holds("channels are in no sleep state that their class lacks", none, text)?;
    }
    Ok(())
}

/// Of every trunk that sheds ports, one port is on all the time.
fn check_trunks(system: &System, record: &Record) -> Checked {
    let network = &system.network;
    if record.channels.is_empty() {
        return Ok(());
    }
    let trunks = network.trunks();
    let mut always_on = vec![false; trunks.len()];
    for (port, first) in trunks.iter().enumerate() {
        always_on[first.index()] |= record.channels[port].time_in(LinkState::On) == record.measured;
    }
    for first in trunks.iter().enumerate().filter(|(port, first)| first.index() == *port).map(|(port, _)| port) {
        let class = usize::from(network.port_class[first]);
        let sheds = matches!(system.policy.classes()[class], ClassPolicy::Trunk(_));
        holds("a port of each trunk is on", !sheds || always_on[first], || format!("the trunk of port {first}"))?;
    }
    Ok(())
}

/// Every packet of a program is sent by one NIC, ejected once, and granted once by each switch on its path.
fn check_counts(system: &System, record: &Record) -> Checked {
    let network = &system.network;
    if network.channels() == 0 {
        return Ok(());
    }
    let (mut nics, mut ejected, mut granted, mut flits) = (0, 0, 0, [0, 0]);
    for (index, channel) in (0..).zip(&record.channels) {
        let of_node = network.is_node_channel(ChannelId(index));
        if index >= network.ports() {
            nics += channel.packets;
            flits[0] += channel.flits;
        } else {
            granted += channel.packets;
            ejected += if of_node { channel.packets } else { 0 };
            flits[1] += if of_node { channel.flits } else { 0 };
        }
    }
    // What is extrapolated is rounded down on each channel.
    if is_extrapolated(record) {
        return Ok(());
    }
    let complete = record.packets_injected == record.packets_delivered;
    let complete = complete && record.transport.is_none_or(|told| told.trimmed == 0);
    holds("the bytes that leave NICs arrive", !complete || flits[0] == flits[1], || format!("{flits:?} flits"))?;
    let counted = [nics, ejected, granted];
    let expected = [record.packets_injected, record.packets_delivered, record.hops];
    holds("channels count the packets that are injected, delivered and granted", counted == expected, || {
        format!("{counted:?} on channels, {expected:?} in all")
    })?;
    let last = record.jobs.iter().filter(|job| !job.again).map(|job| job.finish).max();
    // Of a window that outlives the program, the end may turn something on; both ends of a link may have to agree.
    let windows = (0..system.config.classes.len() as u8).filter_map(|class| system.policy.trunk_window(class));
    let later = windows.max().map_or(Time::ZERO, |window| Time(window.0.saturating_mul(2)));
    // Traffic beside jobs, and jobs that start again, go on for 64 cycles, from an edge of the clock on.
    let clock = system.config.switch.clock.0;
    let later = later + Time(if goes_on(record) { 65 * clock } else { 0 });
    // A notification of the runtime system that is a message may wake channels after the end.
    let mut rules = (0..system.config.classes.len() as u8).filter_map(|class| system.policy.runtime_rules(class));
    // So may an answer.
    let notified = rules.any(|rules| rules.notification.is_some()) || answers::under_way(record);
    let in_time = |last: Time| record.measured >= last && (notified || record.measured.saturating_sub(last) <= later);
    let ends = last == record.makespan && last.is_some_and(in_time);
    holds("the makespan is the end of the last rank", ends, || {
        format!("makespan {:?}, measured {}, last rank {last:?}", record.makespan, record.measured)
    })
}

/// A channel is on at least as long as it sends at its full bandwidth. What it sends last may outlive the run where there
/// is traffic beside jobs, or one that starts again: a packet that begins within a clock cycle of the end, and the end of the one before it. And a
/// packet that is being sent when a link narrows keeps its speed, though half of the lanes count as going to sleep from
/// then on.
fn check_busy(case: &Case, record: &Record) -> Checked {
    // Answers outlive the run, and what is sent again.
    if answers::under_way(record) {
        return Ok(());
    }
    let system = &case.system;
    let packet = u64::from(system.config.switch.packet_flits);
    for (index, channel) in (0..).zip(&record.channels) {
        let class = system.network.channel_class(ChannelId(index));
        let lanes = system.policy.lanes(class);
        // As often as it has widened, and to a single lane at the end.
        let narrowed = if lanes > 1 { channel.wakes + u64::from(lanes.ilog2()) } else { 0 };
        let last = if goes_on(record) { packet } else { 0 } + (narrowed * packet).div_ceil(2);
        let rate = u128::from(system.config.classes[usize::from(class)].bandwidth.0);
        let bits = u128::from(channel.flits.saturating_sub(last)) * u128::from(system.config.switch.flit.0) * 8;
        let busy = bits * 1_000_000_000_000 / rate;
        let on = u128::from(channel.time_in(LinkState::On).0);
        let cycle = if goes_on(record) { u128::from(system.config.switch.clock.0) } else { 0 };
        holds("a channel that sends is on", on + cycle >= busy, || {
            format!("channel {index} sent for {busy} ps and was on for {on} ps")
        })?;
    }
    Ok(())
}

/// What ranks wait for sums to their waiting, links that cannot sleep are no part of it, and all that a rank does sums to
/// the time from its start to its end.
fn check_waits(case: &Case, record: &Record) -> Checked {
    let sleeps = case.system.config.classes.iter().any(|class| class.states.is_some());
    for (number, rank) in record.ranks.iter().enumerate() {
        let RankTimes { sending, receiving, collectives, waits, .. } = rank.times;
        let text = || format!("rank {number}: {:?}", rank.times);
        holds("causes of waiting sum to it", waits.total() == sending + receiving + collectives, text)?;
        holds("no rank waits for sleep where none is", sleeps || waits.waking == Time::ZERO, text)?;
    }
    let of_ranks = record.jobs.iter().flat_map(|job| std::iter::repeat_n((job.start, job.again), job.ranks as usize));
    // A rank that is stopped has not come to the end of what led to it.
    let stopped = record.warnings.iter().any(|warning| matches!(warning, Warning::Stopped { .. }));
    for (number, (rank, (start, again))) in record.ranks.iter().zip(of_ranks).enumerate() {
        let text = || format!("rank {number} from {start}: {rank:?}");
        let lasted = rank.finish.saturating_sub(start);
        holds("a rank's times sum to its time", rank.times.total() == lasted, text)?;
        let ended = !again && !stopped;
        holds("what led to a rank's end sums to its time", !ended || rank.path.total() == lasted, text)?;
        holds("no path leads over sleep where none is", sleeps || rank.path.waking == Time::ZERO, text)?;
    }
    Ok(())
}

/// No figure is infinite or no number.
fn check_finite(figures: &Row) -> Checked {
    for (name, value) in figures.iter() {
        let finite = value.number().is_none_or(f64::is_finite);
        holds("figures are finite numbers", finite, || format!("{name} = {value}"))?;
    }
    Ok(())
}

/// Energy lies between that of channels that are all in their cheapest state and that of channels that are all on.
fn check_energy(system: &System, record: &Record, figures: &Row) -> Checked {
    let (mut least, mut weights) = (0.0, 0.0);
    let (mut least_joules, mut most_joules) = (0.0, 0.0);
    for (index, channel) in (0..).zip(&record.channels) {
        let class = system.network.channel_class(ChannelId(index));
        let watts = &system.watts.watts;
        let model = &system.config.classes[usize::from(class)];
        let watts = &watts.classes[watts.place_of(&system.network, ChannelId(index))];
        let cheapest = model.states.map_or(1.0, |states| {
            states.sleeps().map(|sleep| states.of(sleep).power).fold(states.transition.min(1.0), f64::min)
        });
        // A link between switches has two ports for its two channels, a node's link has one.
        let weight = f64::from(model.lanes) * if class == 0 { 0.5 } else { 1.0 };
        least += cheapest * weight;
        weights += weight;
        let idle = watts.on * f64::from(model.lanes) * record.measured.seconds();
        let bits = (channel.flits * system.config.switch.flit.0 * 8) as f64;
        let sent = bits * watts.per_bit + channel.packets as f64 * watts.per_packet;
        least_joules += idle * cheapest + sent;
        most_joules += idle + sent;
    }
    let law = "energy lies between all asleep and all awake";
    let within = |figure: f64, least: f64, most: f64| figure >= least * (1.0 - 1e-9) && figure <= most * (1.0 + 1e-9);
    if let Some(power) = figures.number(cases::ENERGY_W_PORTS) {
        let least = least / weights;
        holds(law, within(power, least, 1.0), || format!("a port draws {power}, not {least} to 1"))?;
    }
    if let Some(joules) = figures.number(cases::ENERGY_LINKS_ALL_J) {
        let text = || format!("links take {joules} J, not {least_joules} to {most_joules}");
        holds(law, within(joules, least_joules, most_joules), text)?;
    }
    Ok(())
}

/// Returns what nodes draw, rank by rank: each is busy and waits on one core, and an accelerator does as the ranks of its
/// node do in the mean.
fn node_joules(system: &System, record: &Record) -> f64 {
    let (watts, seconds) = (system.watts.watts.node, record.measured.seconds());
    let used: HashSet<u32> = match record.cores {
        Some(_) => (0..system.network.nodes).collect(),
        None => record.ranks.iter().map(|rank| rank.node).collect(),
    };
    let all = used.len() as f64 * seconds;
    let sum = |of: fn(&RankTimes) -> f64| {
        record.ranks.iter().map(|rank| of(&rank.times)).sum::<f64>() / f64::from(system.cores)
    };
    let busy = sum(|times| (times.computing + times.overhead).seconds());
    let waits = sum(|times| (times.sending + times.receiving + times.collectives).seconds());
    // Nodes without a job draw what is free or off in place of what is idle.
    let free = watts.free.unwrap_or(watts.idle);
    let [on, off] =
        record.free_nodes.map_or([0.0; 2], |times| [times.on, times.off].map(|picoseconds| picoseconds as f64 / 1e12));
    let processors = watts.idle * (all - busy - waits - on - off)
        + watts.busy * busy
        + watts.wait.unwrap_or(watts.idle) * waits
        + free * on
        + watts.off.unwrap_or(free) * off;
    let accelerators = watts.accelerator.map_or(0.0, |each| {
        let count = f64::from(each.per_node.unwrap_or(system.cores));
        count * (each.idle * (all - off - busy - waits) + each.compute * busy + each.communicate * waits)
    });
    processors + accelerators
}

/// The joules of channels, switches, NICs and nodes, each counted by itself, are those of the whole.
fn check_joules(system: &System, record: &Record, figures: &Row) -> Checked {
    let Some(links) = figures.number(cases::ENERGY_LINKS_ALL_J) else { return Ok(()) };
    let (watts, seconds) = (&system.watts.watts, record.measured.seconds());
    let (mut channels, mut ports) = (0.0, 0.0);
    for (index, channel) in (0..).zip(&record.channels) {
        let class = usize::from(system.network.channel_class(ChannelId(index)));
        let model = &system.config.classes[class];
        let drawn = &watts.classes[watts.place_of(&system.network, ChannelId(index))];
        let lanes = f64::from(model.lanes);
        for state in LinkState::ALL {
            let share = match (state, model.states) {
                (LinkState::On, _) | (_, None) => 1.0,
                (LinkState::Entering | LinkState::Waking, Some(states)) => states.transition,
                (sleep, Some(states)) => states.of(sleep).power,
            };
            channels += drawn.on * lanes * share * channel.time_in(state).seconds();
        }
        channels += drawn.per_bit * (channel.flits * system.config.switch.flit.0 * 8) as f64;
        channels += drawn.per_packet * channel.packets as f64;
        // The channels of NICs come last, and a NIC is no port of a switch.
        if index < system.network.ports() {
            let switch = system.network.port_switch(index as usize);
            ports += watts.of_port(&system.network, switch, class).port * lanes;
        }
    }
    let chassis = watts.switch * f64::from(system.network.switches()) + watts.switches.iter().sum::<f64>();
    let switches = (chassis + ports) * seconds;
    let nics = watts.nic * f64::from(system.network.nodes) * seconds;
    let nodes: Option<f64> = record.makespan.map(|_| node_joules(system, record));
    let law = "the joules of the parts sum to the whole";
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(b.abs());
    holds(law, near(links, channels), || format!("links take {links} J, their channels {channels}"))?;
    let network = figures.number(cases::ENERGY_NETWORK_J).unwrap_or_default();
    let parts = channels + switches + nics;
    holds(law, near(network, parts), || format!("the network takes {network} J, its parts {parts}"))?;
    let total = figures.number(cases::ENERGY_TOTAL_J);
    let whole = nodes.map(|nodes| parts + nodes);
    let same = total.is_some() == whole.is_some() && total.zip(whole).is_none_or(|(total, whole)| near(total, whole));
    holds(law, same, || format!("all takes {total:?} J, the parts {whole:?}"))
}

/// Utilisation times capacity is what was sent.
fn check_utilisation(system: &System, record: &Record, figures: &Row) -> Checked {
    for (class, name) in system.network.classes.iter().enumerate() {
        let Some(used) = figures.number(cases::LINKS_BY_CLASS_UTILISATION.of(name)) else { continue };
        let of_class = |index: u32| usize::from(system.network.channel_class(ChannelId(index))) == class;
        let channels = (0..).zip(&record.channels).filter(|(index, _)| of_class(*index));
        let (count, flits) =
            channels.fold((0_u32, 0), |(count, flits), (_, channel)| (count + 1, flits + channel.flits));
        let bytes = (flits * system.config.switch.flit.0) as f64;
        let rate = system.config.classes[class].bandwidth.0 as f64 / 8.0;
        let carried = used * rate * record.measured.seconds() * f64::from(count);
        holds("utilisation times capacity is what was sent", (carried - bytes).abs() <= 1e-9 * bytes, || {
            format!("class {name}: {carried} B by its utilisation, {bytes} B by its flits")
        })?;
    }
    Ok(())
}

/// Returns whether some of the run time of jobs was not simulated.
pub fn is_extrapolated(record: &Record) -> bool {
    record.extrapolation.as_ref().is_some_and(|of| !of.skipped.is_empty())
}

/// Sleep changes when a program's messages travel, and neither their number nor their sizes.
pub fn check_same_program(case: &Case, asleep: &Record, on: &Record) -> Checked {
    let law = "sleep changes no message";
    let rules = || {
        case.system.policy.classes().iter().filter_map(|class| match class {
            ClassPolicy::Runtime(runtime) => Some(runtime.rules),
            _ => None,
        })
    };
    let commanded = rules().next().is_some();
    // Notifications of switches come on top.
    let notifies = rules().any(|rules| rules.notification.is_some());
    // When a scheduler starts a job, and so where, depends on when others end.
    let scheduled = case.scheduler.is_some();
    // Of traffic beside jobs there is more the longer they run.
    let more = case.background.is_some() || starts_again(on) || answers::under_way(on);
    let (with, without) = (asleep.packets_delivered, on.packets_delivered);
    let same = with == without || notifies && with > without;
    holds(law, scheduled || more || same, || format!("{with} packets, {without} when all links are on"))?;
    let again = on.jobs.iter().flat_map(|job| std::iter::repeat_n(job.again, job.ranks as usize));
    let ranks = asleep.ranks.iter().zip(&on.ranks).zip(again).enumerate();
    for (index, ((a, b), _)) in ranks.filter(|(_, (_, again))| !again) {
        let sent = (a.messages, a.bytes) == (b.messages, b.bytes) && (scheduled || a.node == b.node);
        // The runtime system's calls take time.
        let same = sent && (commanded || a.times.computing == b.times.computing);
        holds(law, same, || format!("rank {index}: {a:?}, {b:?} when all links are on"))?;
    }
    Ok(())
}

/// Returns in what two records differ; the number of events depends on the partitions.
pub fn difference(a: &Record, b: &Record) -> Option<String> {
    if *a == (Record { events: a.events, ..b.clone() }) {
        return None;
    }
    let differs = a.channels.iter().zip(&b.channels).enumerate().find(|(_, (a, b))| a != b);
    if let Some((index, (a, b))) = differs {
        return Some(format!("channel {index}: {a:?}, {b:?}"));
    }
    let fields = |record: &Record| {
        [
            ("makespan", format!("{:?}", record.makespan)),
            ("measured", format!("{:?}", record.measured)),
            ("packets", format!("{:?}", (record.packets_injected, record.packets_delivered, record.hops))),
            ("packet latency", format!("{:?}", record.packet_latency)),
            ("message latency", format!("{:?}", record.message_latency)),
            ("ranks", format!("{:?}", record.ranks)),
            ("jobs", format!("{:?}", record.jobs)),
            ("open loop", format!("{:?}", record.open_loop)),
            ("background", format!("{:?}", record.background)),
            ("runtime", format!("{:?}", record.runtime)),
            ("cap", format!("{:?}", record.cap)),
            ("warnings", format!("{:?}", record.warnings)),
            ("channels", record.channels.len().to_string()),
        ]
    };
    let differs = fields(a).into_iter().zip(fields(b)).find(|(a, b)| a != b);
    Some(differs.map_or_else(|| "another field".to_owned(), |((name, a), (_, b))| format!("{name}: {a}, {b}")))
}

#[cfg(test)]
pub mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use drowse_experiment::Source;
    use drowse_run::request::RunRequest;
    use drowse_tables::{Name, Value};

    use super::*;

    pub const JOB: &str = "
        [network]
        kind = \"torus\"
        dims = [4]
        [power]
        policy = { kind = \"stall-timer\", deep = \"1 us\" }
        watts = { on = 1.0, per_bit = 1e-12 }
        [job]
        app = { kind = \"all-to-all\", ranks = 4, bytes = \"1 KiB\", iterations = 3, compute = \"50 us\" }
    ";

    /// Runs an experiment.
    pub fn ran(text: &str) -> Outcome {
        let source = Source::new(Path::new("x.toml"), text.to_owned(), &[]).unwrap_or_else(|error| panic!("{error}"));
        let case = drowse_experiment::case(&Arc::new(source)).unwrap_or_else(|error| panic!("{error}"));
        RunRequest::new(&case).run().unwrap_or_else(|error| panic!("{error}")).case
    }

    /// Returns the law that a run breaks after a change.
    fn broken(change: impl FnOnce(&mut Case, &mut Record)) -> Option<&'static str> {
        let mut run = ran(JOB);
        change(&mut run.case, &mut run.record);
        check(&run).err().map(|finding| finding.law)
    }

    /// Every law finds the smallest fault of its kind.
    #[test]
    fn each_law_finds_what_breaks_it() {
        assert_eq!(broken(|_, _| ()), None);
        assert_eq!(broken(|_, record| record.packets_delivered -= 1), Some("deliveries = injections"));
        let states = Some("the states of a channel take the measured time");
        assert_eq!(broken(|_, record| record.channels[0].residency[3].0 += 1), states);
        // The last channels are those of NICs, which do not sleep here.
        let asleep = |_: &mut Case, record: &mut Record| {
            let nic = record.channels.last_mut().expect("a NIC");
            nic.residency[0].0 -= 1;
            nic.residency[3].0 += 1;
        };
        assert_eq!(broken(asleep), Some("channels that may not sleep are on"));
        let counts = Some("channels count the packets that are injected, delivered and granted");
        assert_eq!(broken(|_, record| record.hops += 1), counts);
        assert_eq!(broken(|_, record| record.channels[0].packets += 1), counts);
        let end = |_: &mut Case, record: &mut Record| record.makespan = record.makespan.map(|end| end + Time(1));
        assert_eq!(broken(end), Some("the makespan is the end of the last rank"));
        let busy = |_: &mut Case, record: &mut Record| {
            let sending = record.channels.iter_mut().find(|channel| channel.packets > 0).expect("a packet");
            sending.residency = [Time::ZERO; LinkState::COUNT];
            sending.residency[LinkState::Deep as usize] = record.measured;
        };
        assert_eq!(broken(busy), Some("a channel that sends is on"));
        // Channels enter sleep and wake at twice their full power, and sleep saves nothing.
        let costly = |case: &mut Case, _: &mut Record| {
            let classes = case.system.config.classes.iter_mut();
            classes.filter_map(|class| class.states.as_mut()).for_each(|states| {
                (states.transition, states.deep.power) = (2.0, 1.0);
            });
        };
        assert_eq!(broken(costly), Some("energy lies between all asleep and all awake"));
        let endless = |case: &mut Case, _: &mut Record| case.system.watts.watts.classes[0].per_bit = f64::INFINITY;
        assert_eq!(broken(endless), Some("figures are finite numbers"));
    }

    /// Joules that are not those of the parts, and a utilisation of other bytes, are found.
    #[test]
    fn figures_that_do_not_follow_from_the_record_are_found() {
        let run = ran(JOB);
        let figures = summarize(&run.case.system, "", &run.record, &Cost::default()).figures;
        let changed = |name: Name| {
            let mut row = Row::new();
            for (known, value) in figures.iter() {
                let more = if known == name.as_ref() { 1e-6 } else { 0.0 };
                let value = value.number().map_or_else(|| value.clone(), |number| Value::from(number * (1.0 + more)));
                row.push(Name::read(known.to_owned()), value);
            }
            row
        };
        let joules = |figures: &Row| check_joules(&run.case.system, &run.record, figures).map_err(|found| found.law);
        assert_eq!(joules(&figures), Ok(()));
        for name in [cases::ENERGY_LINKS_ALL_J, cases::ENERGY_NETWORK_J, cases::ENERGY_TOTAL_J] {
            assert_eq!(joules(&changed(name.into())), Err("the joules of the parts sum to the whole"), "{}", name.name);
        }
        let used = changed(cases::LINKS_BY_CLASS_UTILISATION.of("dim-0"));
        let found = check_utilisation(&run.case.system, &run.record, &used).map_err(|found| found.law);
        assert_eq!(found, Err("utilisation times capacity is what was sent"));
    }

    /// By hand: 100 packets of 128 B take 12.8 ns each at 10 GB/s. The run ends while the last two are sent, one of them for
    /// less than a clock cycle of 1.6 ns (seed 73754).
    #[test]
    fn the_last_two_packets_may_outlive_a_run_with_traffic_beside_it() {
        let holds = |text: &str, on: u64| {
            let mut run = ran(text);
            let channel = &mut run.record.channels[0];
            (channel.packets, channel.flits, channel.residency[0]) = (100, 800, Time(on));
            check_busy(&run.case, &run.record).is_ok()
        };
        let beside = format!("{JOB}\n[traffic]\npattern = \"uniform\"\nload = 0.1");
        assert!(holds(&beside, 99 * 12_800 - 1_600) && !holds(&beside, 99 * 12_800 - 1_601));
        assert!(holds(JOB, 100 * 12_800) && !holds(JOB, 100 * 12_800 - 1));
    }

    #[test]
    fn records_differ_in_any_field_but_events() {
        let run = ran(JOB);
        let differs = |change: fn(&mut Record)| {
            let mut other = run.record.clone();
            change(&mut other);
            difference(&run.record, &other).is_some()
        };
        assert!(!differs(|record| record.events += 1));
        assert!(differs(|record| record.hops += 1));
        assert!(differs(|record| record.channels[1].wakes += 1));
        assert!(differs(|record| record.ranks[0].finish.0 += 1));
        assert!(differs(|record| record.jobs[0].finish.0 += 1));
        assert!(differs(|record| record.warnings.push(Warning::Saturated)));
        assert!(differs(|record| record.channels.clear()));
    }

    #[test]
    fn a_message_more_is_another_program() {
        let run = ran(JOB);
        let mut other = run.record.clone();
        assert_eq!(check_same_program(&run.case, &run.record, &other), Ok(()));
        other.ranks[2].bytes += 1;
        assert_eq!(
            check_same_program(&run.case, &run.record, &other).map_err(|f| f.law),
            Err("sleep changes no message")
        );
    }
}
