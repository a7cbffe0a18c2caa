//! Nodes that answer each other: closed forms of one flow and of several, the public packet simulator of Ultra Ethernet
//! beside it, and laws that hold whatever the control.

use drowse_core::measure::{Record, TransportRecord};
use drowse_core::model::config::{ClassModel, Config, Forwarding, Queues, SwitchModel, VirtualChannels};
use drowse_core::model::transport::{Control, ReceiverCredit, Transport};
use drowse_core::model::units::{BitRate, Bytes, Time};
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Network, TopologySpec, Xgft};
use drowse_core::workload::Workload;

use crate::common::*;

/// The time of a byte at 100 Gb/s, in picoseconds.
const BYTE: u64 = 80;
/// A packet and an acknowledgement of the public simulator's runs, headers included.
const PACKET: u64 = 4_150;
const ACK: u64 = 64;
/// What 2,000,000 bytes of data are on the wire: 489 packets, and one of 2,010 bytes.
const MESSAGE: u64 = 489 * PACKET + 2_010;
const WIRE: u64 = 1_000_000;

/// 16 nodes below three levels of switches with four ports each: the longest way has six links.
fn network() -> Network {
    TopologySpec::Xgft(Xgft { children: vec![2, 2, 4], parents: vec![2, 2], links: Vec::new() }).build().unwrap()
}

/// Links of 100 Gb/s and 1 us, switches that store packets and take no time, a clock that divides all times.
fn config(network: &Network, control: Control) -> Config {
    let wire = Time(WIRE);
    let class = ClassModel { bandwidth: BitRate(100_000_000_000), latency: wire, hop: wire, ..ClassModel::default() };
    let mut config = Config {
        switch: SwitchModel {
            clock: Time(BYTE),
            flit: Bytes(2),
            packet_flits: (PACKET / 2) as u16,
            buffer_flits: u16::MAX,
            forwarding: Forwarding::StoreAndForward,
            queues: Queues::VirtualOutput,
            ..SwitchModel::with(VirtualChannels::any(1))
        },
        classes: vec![class; network.classes.len()],
        routing: RoutingKind::DModK,
        transport: Some(Transport { control, ack: Bytes(ACK), ack_every: Bytes(16_384), grace: false }),
        audit: true,
        ..Config::new(network)
    };
    config.node.eager_limit = Bytes(1 << 40);
    config
}

/// Messages from nodes to others, all at once.
fn flows(network: &Network, pairs: &[(u32, u32)], bytes: u64) -> Workload {
    let mut ranks = vec![Vec::new(); network.nodes as usize];
    for &(from, to) in pairs {
        ranks[from as usize].push(send(to, bytes));
        ranks[to as usize].push(recv(from));
    }
    job(ranks, &(0..network.nodes).collect::<Vec<_>>())
}

fn told(record: &Record) -> TransportRecord {
    record.transport.unwrap()
}

/// Ends with the last acknowledgement: the packets one after the other, one packet's time at each further link, the
/// wires both ways, and the acknowledgement at each link. The public simulator prints 176.2 us.
#[test]
fn one_flow() {
    let network = network();
    let hops = 6;
    let expected = MESSAGE * BYTE + (hops - 1) * PACKET * BYTE + 2 * hops * WIRE + hops * ACK * BYTE;
    assert_eq!(expected, 176_199_520);
    let credit = Control::Credit(ReceiverCredit { packets: 4, rate_billionths: 990_000_000 });
    for control in [Control::None, Control::Window(Bytes(1 << 30)), credit] {
        let record = run(&network, &config(&network, control), flows(&network, &[(0, 13)], MESSAGE));
        assert_eq!((told(&record).last_ack, told(&record).data), (Time(expected), 490), "{}", control.name());
    }
}
