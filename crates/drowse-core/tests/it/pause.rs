//! Priority flow control: when a sender stops and goes on, and how much room that takes.

use drowse_core::limits;
use drowse_core::model::config::{Config, FlowControl, PauseLevels, VirtualChannels};
use drowse_core::model::units::Time;
use drowse_core::topology::Network;
use drowse_core::workload::Workload;
use drowse_core::workload::traffic::{Count, Lengths, Pattern, Traffic};

use crate::common::*;
use crate::store_and_forward::cycles;

/// Lets senders pause at so many flits and go on at so many, with buffers that are just large enough.
fn pausing(network: &Network, pipeline: u64, xoff_flits: u16, xon_flits: u16) -> Config {
    let mut config = config(network, pipeline);
    config.switch.vcs = VirtualChannels::grid(0, 1);
    config.switch.buffer_flits = limits::pause_headroom(&config) as u16 + xoff_flits;
    config.switch.flow_control = FlowControl::Pause(PauseLevels { xoff_flits, xon_flits });
    config
}

/// A hop of 21 cycles and a wire of one bring 22 flits, a grant may come a cycle late, and there may be all of a packet but
/// a flit before, and a packet that has just begun.
#[test]
fn headroom() {
    let network = mesh(&[4], 1, 1);
    assert_eq!(limits::pause_headroom(&config(&network, 20)), 22 + 1 + 2 * 8);
}

/// With room for any flit, one packet is at an input at a time. A node sends the next once the last has left: its head
/// takes a cycle, its length 8, and word of that another. A switch sends the next after its own hop, the length and a cycle
/// of the wire, if it has been told to pause by then: after a hop of 2 cycles it has, 11 cycles later, and after one of 21
/// it has not.
#[test]
fn one_packet_at_a_time() {
    let network = mesh(&[4], 1, 1);
    for (pipeline, period) in [(1, 11), (20, 10)] {
        for (to, packets) in [(1, 1), (1, 2), (1, 10), (3, 10)] {
            let heads = 1 + (pipeline + 1) * (u64::from(to) + 1);
            let config = pausing(&network, pipeline, 1, 0);
            assert_eq!(cycles(&network, &config, to, packets), heads + 8 + (packets - 1) * period, "{pipeline} {to}");
        }
    }
}

/// Where no input ever holds what makes a sender pause, packets go as they do with credits for as much room.
#[test]
fn who_is_never_told_to_pause_sends_as_with_credits() {
    let network = torus(&[4, 4], 1, 2);
    let traffic = |pattern| Traffic {
        pattern,
        packets: Lengths::packets(1),
        load: 0.3,
        include_self: false,
        count: Count::Generated,
        warmup: Time(320_000),
        measure: Time(3_200_000),
        drain: true,
    };
    for pattern in [Pattern::Uniform, Pattern::Tornado] {
        let records = [FlowControl::Credits, FlowControl::Pause(PauseLevels { xoff_flits: 900, xon_flits: 800 })].map(
            |flow_control| {
                let mut config = config(&network, 3);
                (config.switch.flow_control, config.switch.buffer_flits) = (flow_control, 1_000);
                run(&network, &config, Workload::OpenLoop(traffic(pattern.clone())))
            },
        );
        assert_eq!(records[0], records[1]);
    }
}
