//! Laws of a cap on the power of the network: it is never exceeded, by what links have been recorded to do.

use drowse_core::measure::Record;
use drowse_core::measure::over_time::IntervalRecord;
use drowse_core::model::ids::ChannelId;
use drowse_core::power::ClassPolicy;
use drowse_experiment::System;
use drowse_run::outcome::Outcome;

use crate::finding::{Checked, holds};

/// Checks a run by itself, if it has a cap: the mean power of each interval, from the times that links spent in their
/// states and what they sent, is at most the cap. The governor's own account has no part in it.
pub fn check(run: &Outcome) -> Checked {
    let (system, record) = (&run.case.system, &run.record);
    let Some(cap) = &record.cap else { return Ok(()) };
    let within = cap.floor_nw <= cap.most_nw && cap.most_nw <= cap.cap_nw && cap.most_nw <= cap.all_nw;
    holds("what counts is from the floor to the cap", within, || format!("{cap:?}"))?;
    let limit = cap.cap_nw as f64 / 1e9;
    for interval in record.over_time.iter().flat_map(|over_time| &over_time.intervals) {
        let seconds = interval.length.seconds();
        let joules = joules(system, interval);
        // A packet counts as a whole when it begins, and rounding may move a flit to the next interval.
        let most = limit * seconds * (1.0 + 1e-9) + edge(system);
        holds("a cap is never exceeded over its window", joules <= most, || {
            format!("{} W from {} on for {}, the cap is {limit} W", joules / seconds, interval.from, interval.length)
        })?;
    }
    Ok(())
}

/// A cap that no link ever feels changes nothing, where nothing else sleeps.
pub fn check_unfelt(system: &System, under_cap: &Record, on: &Record) -> Checked {
    let Some(cap) = &under_cap.cap else { return Ok(()) };
    let all_capped = system
        .config
        .classes
        .iter()
        .zip(system.policy.classes())
        .all(|(class, policy)| class.states.is_none() || matches!(policy, ClassPolicy::Cap(_)));
    if cap.cap_nw < cap.all_nw || !all_capped {
        return Ok(());
    }
    holds("a cap above all changes no run", under_cap.makespan == on.makespan && cap.refused_ps == 0, || {
        format!("{:?} under the cap, {:?} without, {cap:?}", under_cap.makespan, on.makespan)
    })
}

/// Returns what switches and links took in an interval.
fn joules(system: &System, interval: &IntervalRecord) -> f64 {
    let (network, watts) = (&system.network, &system.watts.watts);
    let seconds = interval.length.seconds();
    let mut joules = (watts.switch * f64::from(network.switches()) + watts.switches.iter().sum::<f64>()) * seconds;
    for port in 0..network.ports() {
        let class = usize::from(network.channel_class(ChannelId(port)));
        let drawn = watts.of_port(network, network.port_switch(port as usize), class);
        joules += drawn.port * f64::from(system.config.classes[class].lanes) * seconds;
    }
    let mut channels = vec![0_u32; watts.classes.len()];
    (0..network.channels()).for_each(|channel| channels[watts.place_of(network, ChannelId(channel))] += 1);
    for (place, did) in interval.classes.iter().enumerate() {
        let (model, drawn) = (&system.config.classes[place % system.config.classes.len()], &watts.classes[place]);
        let all = f64::from(channels[place]) * seconds;
        let asleep: f64 = did.asleep.iter().map(|&time| time as f64 / 1e12).sum();
        let powers = model.powers();
        let sleeping: f64 = did.asleep.iter().zip(&powers[1..]).map(|(&time, power)| time as f64 / 1e12 * power).sum();
        joules += drawn.on * f64::from(model.lanes) * (all - asleep + sleeping);
        joules += drawn.per_bit * did.flits as f64 * system.config.switch.flit.0 as f64 * 8.0;
        joules += drawn.per_packet * did.packets as f64;
    }
    joules
}

/// Returns the energy of a packet and a flit on each channel.
fn edge(system: &System) -> f64 {
    let flit = system.config.switch.flit.0 as f64 * 8.0;
    let packet = flit * f64::from(system.config.switch.packet_flits);
    let channel = |channel: u32| {
        let watts = &system.watts.watts;
        let drawn = &watts.classes[watts.place_of(&system.network, ChannelId(channel))];
        drawn.per_packet + drawn.per_bit * (packet + flit)
    };
    (0..system.network.channels()).map(channel).sum()
}
