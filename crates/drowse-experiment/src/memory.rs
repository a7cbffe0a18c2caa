//! What memory a network and its simulation need, estimated before it is asked for.
//!
//! A system that has promised more memory than it has kills the program that uses it, without a word. The estimates
//! count what grows with the network, and were set by the largest resident memory of runs at next to no load on a
//! torus of 9.4 million ports and a tree of 2.9 million, which they meet within a twentieth; traces, packets and
//! messages come on top.

use drowse_core::model::balance::Balance;
use drowse_core::power::Policy;

use crate::System;
use crate::machine;

/// Bytes of the tables of a network and of the lists that it is built from, per port.
const TABLES_PER_PORT: u64 = 20;
/// Bytes of a simulation per channel: times, credits, the event queue's share, what is kept for the result.
const ENGINE_PER_CHANNEL: u64 = 130;
/// Bytes more where some channel may sleep: its account, and more to tell in the result.
const SLEEP_PER_CHANNEL: u64 = 100;
/// Bytes of a simulation per port and virtual channel.
const ENGINE_PER_QUEUE: u64 = 12;
/// Bytes of a read port of an input.
const ENGINE_PER_READER: u64 = 16;
/// Bytes of the flowlets that a switch remembers.
const FLOWLETS_PER_SWITCH: u64 = 16 << 10;

/// Estimates the bytes that building a network of so many ports needs.
pub fn of_tables(ports: u64) -> u64 {
    ports.saturating_mul(TABLES_PER_PORT)
}

/// Estimates the bytes that the simulation of a system under a policy needs, the network left out.
pub fn of_simulation(system: &System, policy: &impl Policy) -> u64 {
    let (network, switch) = (&system.network, &system.config.switch);
    let mut classes = (0..).zip(&system.config.classes);
    let may_sleep = classes.any(|(class, model)| model.states.is_some() && policy.may_sleep(class));
    // Each port has a bit for each input queue of its switch; the first word is the channel's.
    let queues = switch.queues_of_port(network.radix());
    let waiting = switch.queues_of_switch(network.radix()).div_ceil(64).saturating_sub(1) * 8;
    let port = ENGINE_PER_QUEUE * queues + ENGINE_PER_READER * u64::from(switch.input_speedup) + waiting;
    let channel = ENGINE_PER_CHANNEL + if may_sleep { SLEEP_PER_CHANNEL } else { 0 };
    // The queues of an output are a port of their own.
    let ports = u64::from(network.ports());
    let outputs = if switch.output_queues().is_some() { ports } else { 0 };
    let flowlets = if matches!(switch.balance, Balance::Flowlet(..)) { FLOWLETS_PER_SWITCH } else { 0 };
    (u64::from(network.channels()) + outputs) * channel
        + (ports + outputs) * port
        + u64::from(network.switches()) * flowlets
}

/// Says why so many bytes cannot be had; `None` where they can, or where the system does not tell.
pub fn lack(needed: u64, what: &str) -> Option<String> {
    // Not worth asking the system, once for each of a sweep's many small cases.
    const LITTLE: u64 = 64 << 20;
    if needed < LITTLE {
        return None;
    }
    machine::available_bytes().and_then(|available| lack_of(needed, available, what))
}

fn lack_of(needed: u64, available: u64, what: &str) -> Option<String> {
    let gigabytes = |bytes: u64| format!("{:.1} GB", bytes as f64 / 1e9);
    (needed > available).then(|| {
        format!(
            "{what} needs about {} of memory, and this machine has {} left",
            gigabytes(needed),
            gigabytes(available)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_numbers_are_told() {
        assert_eq!(lack_of(5, 5, "the network"), None);
        let text = lack_of(52_000_000_000, 15_960_000_000, "the network");
        let expected = "the network needs about 52.0 GB of memory, and this machine has 16.0 GB left";
        assert_eq!(text.as_deref(), Some(expected));
    }
}
