//! Laws that hold for any run, each from conservation or by definition.

use drowse_core::measure::{Record, Warning};
use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::Time;
use drowse_core::power::{ClassPolicy, LinkState, TrunkPolicy};
use drowse_experiment::{Case, System, WorkloadSpec};
use drowse_run::run::Run;
use drowse_run::summary::summarize;
use drowse_tables::Row;
use drowse_tables::schema::cases;

use crate::examine::Finding;

type Checked = Result<(), Finding>;

/// Fails unless something holds.
fn holds(law: &'static str, whether: bool, text: impl FnOnce() -> String) -> Checked {
    if whether { Ok(()) } else { Err(Finding { law, text: text() }) }
}

/// Checks a run of a case by itself.
pub fn check(case: &Case, run: &Run) -> Checked {
    let (system, record) = (&case.system, &run.record);
    check_delivery(case, record)?;
    check_states(system, record)?;
    if matches!(case.workload, WorkloadSpec::Jobs(_)) {
        check_counts(system, record)?;
        check_busy(system, record)?;
    }
    let figures = summarize(system, "", record, &run.cost).figures;
    check_finite(&figures)?;
    check_energy(system, record, &figures)
}

/// Nothing is lost: what is sent arrives, unless the run is given up.
fn check_delivery(case: &Case, record: &Record) -> Checked {
    let (injected, delivered) = (record.packets_injected, record.packets_delivered);
    let text = || format!("{injected} packets injected, {delivered} delivered");
    match &case.workload {
        WorkloadSpec::Jobs(_) => holds("deliveries = injections", injected == delivered, text),
        WorkloadSpec::Traffic(traffic) => {
            let drained = !record.warnings.iter().any(|warning| matches!(warning, Warning::NotDrained { .. }));
            // A network that is not saturated drains: what is left there is lost.
            let saturated = record.open_loop.is_some_and(|run| run.saturated);
            let all = traffic.drain && (drained || !saturated);
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
        let sleeps = system.config.classes[usize::from(class)].states.is_some();
        holds("channels that may not sleep are on", sleeps || awake, text)?;
    }
    Ok(())
}

/// Every packet of a program is sent by one NIC, ejected once, and granted once by each switch on its path.
fn check_counts(system: &System, record: &Record) -> Checked {
    let network = &system.network;
    if network.channels() == 0 {
        return Ok(());
    }
    let (mut nics, mut ejected, mut granted) = (0, 0, 0);
    for (index, channel) in (0..).zip(&record.channels) {
        let of_node = network.is_node_channel(ChannelId(index));
        if index >= network.ports() {
            nics += channel.packets;
        } else {
            granted += channel.packets;
            ejected += if of_node { channel.packets } else { 0 };
        }
    }
    let counted = [nics, ejected, granted];
    let expected = [record.packets_injected, record.packets_delivered, record.hops];
    holds("channels count the packets that are injected, delivered and granted", counted == expected, || {
        format!("{counted:?} on channels, {expected:?} in all")
    })?;
    let last = record.ranks.iter().map(|rank| rank.finish).max();
    // Of a window that outlives the program, the end may turn something on; both ends of a link may have to agree.
    let windows = (0..system.config.classes.len() as u8).filter_map(|class| system.policy.trunk_window(class));
    let later = windows.max().map_or(Time::ZERO, |window| Time(window.0.saturating_mul(2)));
    let ends = last == record.makespan
        && last.is_some_and(|last| record.measured >= last && record.measured.saturating_sub(last) <= later);
    holds("the makespan is the end of the last rank", ends, || {
        format!("makespan {:?}, measured {}, last rank {last:?}", record.makespan, record.measured)
    })
}

/// A channel is on at least as long as it sends at its full bandwidth.
fn check_busy(system: &System, record: &Record) -> Checked {
    for (index, channel) in (0..).zip(&record.channels) {
        let class = system.network.channel_class(ChannelId(index));
        let rate = u128::from(system.config.classes[usize::from(class)].bandwidth.0);
        let bits = u128::from(channel.flits) * u128::from(system.config.switch.flit.0) * 8;
        let busy = bits * 1_000_000_000_000 / rate;
        let on = u128::from(channel.time_in(LinkState::On).0);
        holds("a channel that sends is on", on >= busy, || {
            format!("channel {index} sent for {busy} ps and was on for {on} ps")
        })?;
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
    let (mut least_joules, mut most_joules) = (Some(0.0), Some(0.0));
    for (index, channel) in (0..).zip(&record.channels) {
        let class = system.network.channel_class(ChannelId(index));
        let (model, watts) = (&system.config.classes[usize::from(class)], &system.watts[usize::from(class)]);
        let cheapest = model.states.map_or(1.0, |states| {
            [states.shallow.power, states.deep.power, states.transition, 1.0].into_iter().fold(1.0, f64::min)
        });
        // A link between switches has two ports for its two channels, a node's link has one.
        let weight = f64::from(model.lanes) * if class == 0 { 0.5 } else { 1.0 };
        least += cheapest * weight;
        weights += weight;
        let idle = watts.on.map(|on| on * f64::from(model.lanes) * record.measured.seconds());
        let bits = (channel.flits * system.config.switch.flit.0 * 8) as f64 * watts.per_bit.unwrap_or(0.0);
        least_joules = least_joules.zip(idle).map(|(sum, idle)| sum + idle * cheapest + bits);
        most_joules = most_joules.zip(idle).map(|(sum, idle)| sum + idle + bits);
    }
    let law = "energy lies between all asleep and all awake";
    let within = |figure: f64, least: f64, most: f64| figure >= least * (1.0 - 1e-9) && figure <= most * (1.0 + 1e-9);
    if let Some(power) = figures.number(cases::ENERGY_W_PORTS) {
        let least = least / weights;
        holds(law, within(power, least, 1.0), || format!("a port draws {power}, not {least} to 1"))?;
    }
    if let (Some(joules), Some(least), Some(most)) =
        (figures.number(cases::ENERGY_LINKS_ALL_J), least_joules, most_joules)
    {
        holds(law, within(joules, least, most), || format!("links take {joules} J, not {least} to {most}"))?;
    }
    Ok(())
}

/// Sleep changes when a program's messages travel, and neither their number nor their sizes.
pub fn check_same_program(case: &Case, asleep: &Record, on: &Record) -> Checked {
    let law = "sleep changes no message";
    let commanded = case.system.policy.classes().iter().any(|class| matches!(class, ClassPolicy::Runtime(_)));
    holds(law, asleep.packets_delivered == on.packets_delivered, || {
        format!("{} packets, {} when all links are on", asleep.packets_delivered, on.packets_delivered)
    })?;
    for (index, (a, b)) in asleep.ranks.iter().zip(&on.ranks).enumerate() {
        let sent = (a.node, a.messages, a.bytes) == (b.node, b.messages, b.bytes);
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
            ("runtime", format!("{:?}", record.runtime)),
            ("warnings", format!("{:?}", record.warnings)),
            ("channels", record.channels.len().to_string()),
        ]
    };
    let differs = fields(a).into_iter().zip(fields(b)).find(|(a, b)| a != b);
    Some(differs.map_or_else(|| "another field".to_owned(), |((name, a), (_, b))| format!("{name}: {a}, {b}")))
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use drowse_core::measure::ProbeOptions;
    use drowse_experiment::Source;
    use drowse_run::inputs::{self, Traces};
    use drowse_run::run;
    use drowse_run::threads::Share;

    use super::*;

    const JOB: &str = "
        [network]
        kind = \"torus\"
        dims = [4]
        [power]
        policy = { kind = \"stall-timer\", deep = \"1 us\" }
        watts = { on = 1.0, per_bit = 1e-12 }
        [job]
        app = { kind = \"all-to-all\", ranks = 4, bytes = \"1 KiB\", iterations = 3, compute = \"50 us\" }
    ";

    fn ran(text: &str) -> (Case, Run) {
        let source = Source::new(Path::new("x.toml"), text.to_owned(), &[]).unwrap_or_else(|error| panic!("{error}"));
        let case = drowse_experiment::case(&Arc::new(source)).unwrap_or_else(|error| panic!("{error}"));
        let inputs = inputs::open(&case, &Traces::default()).unwrap_or_else(|error| panic!("{error}"));
        let run = run::run_on(Share::ONE, ProbeOptions::default(), &case, &inputs, &mut |_| ());
        (case, run.unwrap_or_else(|error| panic!("{error}")))
    }

    /// Returns the law that a run breaks after a change.
    fn broken(change: impl FnOnce(&mut Case, &mut Record)) -> Option<&'static str> {
        let (mut case, mut run) = ran(JOB);
        change(&mut case, &mut run.record);
        check(&case, &run).err().map(|finding| finding.law)
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
            sending.residency = [Time::ZERO, Time::ZERO, Time::ZERO, record.measured, Time::ZERO];
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
        let endless = |case: &mut Case, _: &mut Record| case.system.watts[0].per_bit = Some(f64::INFINITY);
        assert_eq!(broken(endless), Some("figures are finite numbers"));
    }

    #[test]
    fn records_differ_in_any_field_but_events() {
        let (_, run) = ran(JOB);
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
        let (case, run) = ran(JOB);
        let mut other = run.record.clone();
        assert_eq!(check_same_program(&case, &run.record, &other), Ok(()));
        other.ranks[2].bytes += 1;
        assert_eq!(check_same_program(&case, &run.record, &other).map_err(|f| f.law), Err("sleep changes no message"));
    }
}
