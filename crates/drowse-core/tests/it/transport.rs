//! Nodes that answer each other: closed forms of one flow and of several, the public packet simulator of Ultra Ethernet
//! beside it, and laws that hold whatever the control.

use drowse_core::measure::{Record, TransportRecord};
use drowse_core::model::balance::{Balance, Hash, Order};
use drowse_core::model::config::{
    ClassModel, Config, FlowControl, Forwarding, OutputQueues, Queues, SwitchModel, VirtualChannels,
};
use drowse_core::model::transport::{
    Becn, Control, Dcqcn, MarkAt, Marking, Nscc, ReceiverCredit, Recovery, Retransmit, Transport,
};
use drowse_core::model::units::{BitRate, Bytes, Time};
use drowse_core::power::{LinkState, SleepState, SleepStates, StallTimer};
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Network, ThinTree, TopologySpec, Xgft};
use drowse_core::workload::Workload;

use crate::common::*;

/// A packet and an acknowledgement of the public simulator's runs, headers included.
const PACKET: u64 = 4_150;
const ACK: u64 = 64;
/// What 2,000,000 bytes of data are on the wire: 489 packets, and one of 2,010 bytes.
const MESSAGE: u64 = 489 * PACKET + 2_010;
const WIRE: u64 = 1_000_000;
const GIGABIT: u64 = 1_000_000_000;
/// The time of a byte at 100 Gb/s, in picoseconds.
const BYTE: u64 = 80;

const CREDIT: Control = Control::Credit(ReceiverCredit { packets: 4, rate_billionths: 990_000_000 });
const NSCC: Control = Control::Nscc(Nscc { target: None });
/// The paper's parameters at 40 Gb/s.
const DCQCN: Dcqcn = Dcqcn {
    notify_every: Time::from_us(50),
    cut_every: Time::from_us(50),
    alpha_every: Time::from_us(55),
    gain_bits: 8,
    rise_every: Time::from_us(55),
    rise_bytes: Bytes(10_000_000),
    fast_recoveries: 5,
    additive: BitRate(40_000_000),
    hyper: BitRate(400_000_000),
    least: BitRate(400_000_000),
};
const BECN: Control =
    Control::Becn(Becn { increase: 5, limit: 127, fall_every: Time(10_240_000), longest_gap: Time::from_ns(8_300) });

/// 16 nodes below three levels of switches with four ports each: the longest way has six links.
fn tree() -> Network {
    TopologySpec::Xgft(Xgft { children: vec![2, 2, 4], parents: vec![2, 2], links: Vec::new() }).build().unwrap()
}

/// One switch.
fn star(nodes: u32) -> Network {
    TopologySpec::ThinTree(ThinTree { down: nodes, up: nodes, levels: 1 }).build().unwrap()
}

/// Links of so many Gb/s and 1 us, switches that store packets and take no time, a clock that divides all times.
fn config(network: &Network, control: Control, gigabits: u64) -> Config {
    let wire = Time(WIRE);
    let class =
        ClassModel { bandwidth: BitRate(gigabits * GIGABIT), latency: wire, hop: wire, ..ClassModel::default() };
    let mut config = Config {
        switch: SwitchModel {
            clock: Time(BYTE * 100 / gigabits),
            flit: Bytes(2),
            packet_flits: (PACKET / 2) as u16,
            buffer_flits: u16::MAX,
            forwarding: Forwarding::StoreAndForward,
            queues: Queues::VirtualOutput,
            // Credits for a round trip of a link at 800 Gb/s.
            ..SwitchModel::with(VirtualChannels::any(2))
        },
        classes: vec![class; network.classes.len()],
        routing: RoutingKind::DModK,
        transport: Some(Transport { control, ack: Bytes(ACK), ack_every: Bytes(16_384), grace: false, recovery: None }),
        audit: true,
        ..Config::new(network)
    };
    config.node.eager_limit = Bytes(1 << 40);
    config
}

/// Marks as the public simulator does: from 20 to 80 % of the bandwidth-delay product.
fn marked(mut config: Config) -> Config {
    config.switch.marking = Some(Marking {
        kmin: Bytes(37_350),
        kmax: Bytes(145_250),
        pmax_billionths: 1_000_000_000,
        at: MarkAt::Dequeue,
        waking: true,
        victims: true,
    });
    config
}

/// Drops what has no room, and sends it again.
fn lossy(mut config: Config, flow_control: FlowControl, retransmit: Retransmit) -> Config {
    config.switch.flow_control = flow_control;
    if let Some(transport) = &mut config.transport {
        transport.recovery = Some(Recovery { retransmit, timeout: Time::from_us(100) });
    }
    config
}

/// Messages from nodes to others, all at once.
fn flows(network: &Network, pairs: &[(u32, u32)], bytes: u64) -> Workload {
    let mut ranks = vec![Vec::new(); network.nodes as usize];
    for (request, &(from, to)) in (0..).zip(pairs) {
        ranks[from as usize].push(isend(to, 0, bytes, request));
        ranks[to as usize].push(irecv(from, 0, request));
    }
    for (request, &(from, to)) in (0..).zip(pairs) {
        ranks[from as usize].push(wait(request));
        ranks[to as usize].push(wait(request));
    }
    job(ranks, &(0..network.nodes).collect::<Vec<_>>())
}

fn told(record: &Record) -> TransportRecord {
    record.transport.unwrap()
}

/// Ends with the last acknowledgement: the packets one after the other, one packet's time at each further link, the
/// wires both ways, and the acknowledgement at each link. To all digits that the public simulator prints, at four
/// speeds.
#[test]
fn one_flow() {
    let network = tree();
    let printed = [(100, 176.2, 1), (200, 94.0998, 4), (400, 53.0499, 4), (800, 32.5249, 4)];
    for (gigabits, theirs, digits) in printed {
        let (hops, byte) = (6, BYTE * 100 / gigabits);
        let expected = MESSAGE * byte + (hops - 1) * PACKET * byte + 2 * hops * WIRE + hops * ACK * byte;
        for control in [Control::None, Control::Window(Bytes(1 << 30)), CREDIT, NSCC] {
            let config = marked(config(&network, control, gigabits));
            let record = run(&network, &config, flows(&network, &[(0, 13)], MESSAGE));
            assert_eq!((told(&record).last_ack, told(&record).data), (Time(expected), 490), "{}", control.name());
            let unit = 10f64.powi(-digits);
            assert!((expected as f64 / 1e6 - theirs).abs() <= unit / 2.0 + 1e-9, "{gigabits} Gb/s: {theirs}");
        }
    }
}

/// A window of so many packets goes out at once; its last packet asks for an acknowledgement, which comes a round trip
/// later.
#[test]
fn windows_take_round_trips() {
    let network = tree();
    for packets in [1, 2, 7] {
        let mut config = config(&network, Control::Window(Bytes(packets * PACKET)), 100);
        if let Some(transport) = &mut config.transport {
            transport.ack_every = Bytes(1 << 30);
        }
        let nic = Time::from_ns(40);
        config.node.nic_latency = nic;
        let windows = 10;
        let record = run(&network, &config, flows(&network, &[(0, 13)], windows * packets * PACKET));
        let round_trip = 6 * (PACKET + ACK) * BYTE + 12 * WIRE + 4 * nic.0;
        let expected = windows * ((packets - 1) * PACKET * BYTE + round_trip);
        let told = told(&record);
        assert_eq!((told.last_ack, told.acks, told.data), (Time(expected), windows, windows * packets));
        assert_eq!(told.round_trip_sum, Time(windows * round_trip));
    }
}

/// Four flows to one node: its link is busy from the first packet on. Credits reach that bound within 1 %, the window of
/// Ultra Ethernet within 3 % where packets are cut short, as in the public simulator (661.5 and 674.2 us).
#[test]
fn four_to_one() {
    let network = tree();
    let pairs = [(0, 15), (4, 15), (8, 15), (12, 15)];
    // The nearest sender's first packet passes two switches; then 1,960 packets follow each other, and the last answer goes
    // farthest.
    let bound = 3 * (PACKET * BYTE + WIRE) + 4 * MESSAGE * BYTE + WIRE + 6 * (WIRE + ACK * BYTE);
    for (control, flow_control, most) in [
        (Control::None, FlowControl::Credits, 1.001),
        (CREDIT, FlowControl::Credits, 1.01),
        (CREDIT, FlowControl::Trim, 1.01),
        (NSCC, FlowControl::Trim, 1.03),
    ] {
        let mut config = marked(config(&network, control, 100));
        config.switch.vcs = VirtualChannels::any(1);
        config.switch.queues = Queues::Output(OutputQueues { room_flits: u16::MAX, speedup: 4, paths: 1 });
        if flow_control == FlowControl::Trim {
            config = lossy(config, flow_control, Retransmit::Selective);
        }
        let record = run(&network, &config, flows(&network, &pairs, MESSAGE));
        let ratio = told(&record).last_ack.0 as f64 / bound as f64;
        // The crossbar takes a little time, which the bound does not have.
        assert!((1.0..=most).contains(&ratio), "{}: {ratio}", control.name());
        assert_eq!(told(&record).data, 4 * 490);
        if flow_control == FlowControl::Credits {
            assert_eq!((told(&record).dropped, told(&record).trimmed, told(&record).resent), (0, 0, 0));
        } else {
            assert!(told(&record).trimmed > 50, "{:?}", told(&record));
        }
    }
}

/// Two flows fill one link: its queue grows by a packet for each that leaves, and is gone when both have sent all. With a
/// step at k packets, all but about k at the beginning and k at the end are marked.
#[test]
fn a_step_marks_what_is_above() {
    let network = star(3);
    for at in [MarkAt::Dequeue, MarkAt::Enqueue] {
        let mut config = config(&network, Control::None, 100);
        let (kmin, packets) = (10, 100);
        config.switch.buffer_flits = u16::MAX;
        config.switch.packet_flits = 64;
        config.switch.marking = Some(Marking {
            kmin: Bytes(kmin * 128),
            kmax: Bytes(kmin * 128),
            pmax_billionths: 0,
            at,
            waking: true,
            victims: true,
        });
        let record = run(&network, &config, flows(&network, &[(0, 2), (1, 2)], packets * 128));
        let (told, above) =
            (told(&record), if at == MarkAt::Dequeue { 2 * packets - 2 * kmin } else { 2 * (packets - kmin) });
        assert_eq!(told.data, 2 * packets);
        assert!(told.marked.abs_diff(above) <= 4, "{at:?}: {} of {above}", told.marked);
    }
}

/// Whatever the control and however packets are lost, each comes once: what is sent comes, is of no use, or is lost.
#[test]
fn every_packet_comes_once() {
    let network = tree();
    let pairs: Vec<(u32, u32)> =
        (0..16).flat_map(|node| [(node, (node / 4 * 4 + 5) % 16), (node, 15 - node)]).collect();
    let (packets, bytes) = (60, 60 * PACKET);
    for control in [Control::None, Control::Window(Bytes(20 * PACKET)), NSCC, CREDIT, BECN] {
        for (flow_control, retransmit) in [
            (FlowControl::Credits, None),
            (FlowControl::Drop, Some(Retransmit::Selective)),
            (FlowControl::Drop, Some(Retransmit::GoBackN)),
            (FlowControl::Trim, Some(Retransmit::Selective)),
            (FlowControl::Trim, Some(Retransmit::GoBackN)),
        ] {
            let mut config = marked(config(&network, control, 100));
            config.switch.buffer_flits = 5 * config.switch.packet_flits;
            if let Some(retransmit) = retransmit {
                config = lossy(config, flow_control, retransmit);
            }
            let record = run(&network, &config, flows(&network, &pairs, bytes));
            let told = told(&record);
            let what = || format!("{} {flow_control:?} {retransmit:?}: {told:?}", control.name());
            assert_eq!(told.data, 32 * packets, "{}", what());
            let answers = told.acks + told.notifications + told.credits;
            assert_eq!(record.packets_injected, told.data + told.resent + answers, "{}", what());
            // Answers are lost, too.
            let lost = record.packets_injected - record.packets_delivered;
            assert_eq!(lost, told.dropped, "{}", what());
            if retransmit.is_none() {
                assert_eq!((told.resent, told.superfluous, told.timeouts, lost), (0, 0, 0, 0), "{}", what());
            } else {
                assert!(told.resent > 0 && told.dropped + told.trimmed > 0, "{}", what());
            }
        }
    }
}

/// The rate of one sender under DCQCN in floating point, where each of its packets is marked with a chance, and acts on it at
/// once: a second implementation, of one flow and without a network. Bits a second in the mean over some seconds.
fn rate_under_marks(chance: f64, line: f64, seconds: f64) -> f64 {
    let (packet, period, notify) = (8_000.0, 55e-6, 50e-6);
    let mut bits = (1..).map(|draw: u64| (draw.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 11) as f64 / (1u64 << 53) as f64);
    let mut to_mark = || (1.0 - bits.next().unwrap()).ln() / (1.0 - chance).ln() * packet;
    let (mut t, mut current, mut target, mut alpha) = (0.0, line / 4.0, line / 4.0, 0.1);
    let (mut left, mut sent, mut since_rise, mut notified) = (to_mark(), 0.0, 0.0, false);
    let (mut alpha_at, mut rise_at, mut cut_at, mut rises) = (period, period, -1.0, [0; 2]);
    while t < seconds {
        let marked_at = t + left / current;
        let next = f64::min(marked_at, f64::min(alpha_at, rise_at));
        let passed = (next - t) * current;
        (t, left, sent, since_rise) = (next, left - passed, sent + passed, since_rise + passed);
        let mut rise = |of: usize, current: &mut f64, rises: &mut [u32; 2]| {
            rises[of] += 1;
            target += if rises[0].max(rises[1]) < 5 { 0.0 } else { 40e6 };
            target = target.min(line);
            *current = f64::midpoint(*current, target);
        };
        if since_rise >= 80e6 {
            since_rise -= 80e6;
            rise(1, &mut current, &mut rises);
        }
        if next >= marked_at {
            left = to_mark();
            if t - cut_at >= notify {
                (notified, target, cut_at, rises, since_rise, rise_at) = (true, current, t, [0; 2], 0.0, t + period);
                current *= 1.0 - alpha / 2.0;
            }
        } else if next >= alpha_at {
            alpha_at += period;
            alpha += (f64::from(u8::from(std::mem::take(&mut notified))) - alpha) / 256.0;
        } else {
            rise_at += period;
            rise(0, &mut current, &mut rises);
        }
    }
    sent / t
}

/// At the fixed point of DCQCN each of N flows has an Nth of the link, so that the chance of a mark, and the queue that
/// causes it, follow. The published equations let cuts follow each other at once; a receiver that notifies once in 50 us
/// does not, so that rates rise longer and queues are longer: by the equations four flows have 41.8 KB.
#[test]
fn dcqcn_rests_where_rates_are_fair() {
    let line = 40.0 * GIGABIT as f64;
    let (flows_of, packets) = (4, 800_000);
    let chance = (0..14).fold((1e-4_f64, 2e-2_f64), |(least, most), _| {
        let chance = (least * most).sqrt();
        let is_fast = rate_under_marks(chance, line, 2.0) > line / f64::from(flows_of);
        if is_fast { (chance, most) } else { (least, chance) }
    });
    let expected = 5_000.0 + 195_000.0 * chance.0 / 0.01;
    let network = star(5);
    let run = |senders: u32| {
        let mut config = config(&network, Control::Dcqcn(DCQCN), 40);
        config.switch.forwarding = Forwarding::CutThrough;
        config.switch.marking = Some(Marking {
            kmin: Bytes(5_000),
            kmax: Bytes(200_000),
            pmax_billionths: 10_000_000,
            at: MarkAt::Dequeue,
            waking: true,
            victims: true,
        });
        config.switch.flit = Bytes(10);
        config.switch.packet_flits = 100;
        config.switch.clock = Time(2_000);
        config.audit = false;
        let pairs: Vec<(u32, u32)> = (0..senders).map(|sender| (sender, 4)).collect();
        let told = told(&self::run(&network, &config, flows(&network, &pairs, packets * 1_000)));
        told.round_trip_sum.seconds() / told.round_trips as f64
    };
    let queue = (run(flows_of) - run(1)) * line / 8.0;
    assert!((0.9..1.1).contains(&(queue / expected)), "{flows_of} flows: {queue} bytes, {expected} by rates alone");
}

/// Of several links to one node, each marked packet brings a notification, which raises the index by five; it falls by one
/// each 10.24 us. Where it holds its ground, 19,531 notifications come in a second for each flow, whatever the load. (No
/// index reaches the limit, at which notifications do nothing.)
#[test]
fn notifications_balance_what_time_undoes() {
    let network = star(4);
    let gaps = Becn { increase: 5, limit: 1_270, fall_every: Time(10_240_000), longest_gap: Time::from_us(83) };
    let mut config = config(&network, Control::Becn(gaps), 100);
    config.switch.packet_flits = 1_044;
    config.switch.marking = Some(Marking {
        kmin: Bytes(40_000),
        kmax: Bytes(40_000),
        pmax_billionths: 0,
        at: MarkAt::Enqueue,
        waking: true,
        victims: false,
    });
    config.audit = false;
    let record = run(&network, &config, flows(&network, &[(0, 3), (1, 3), (2, 3)], 400_000_000));
    let seconds = record.makespan.unwrap().seconds();
    let rate = told(&record).notifications as f64 / seconds / 3.0;
    // The flows end one after the other, and nobody is notified before the queue is there.
    assert!((0.95..1.05).contains(&(rate / 19_531.0)), "{rate}");
}

/// Round trips of a window of one packet have no queues: what they take beyond an idle network is that links woke. With
/// grace, a window that follows delay is what it is without sleep.
#[test]
fn wakes_are_told() {
    let network = tree();
    let state = SleepState { power: 0.1, enter: Time::ZERO, wake: Time::from_us(5) };
    let policy = StallTimer::uniform(network.classes.len(), None, Some(Time::from_us(1)));
    let sleeping = |control, grace| {
        let mut config = marked(config(&network, control, 100));
        config.classes[1..].iter_mut().for_each(|class| class.states = Some(SleepStates::new(state, state)));
        config.transport.iter_mut().for_each(|transport| transport.grace = grace);
        config
    };
    let config = sleeping(Control::Window(Bytes(PACKET)), false);
    let record = run_with(&network, &config, &policy, flows(&network, &[(0, 13)], 20 * PACKET));
    let told = told(&record);
    let round_trip = 6 * (PACKET + ACK) * BYTE + 12 * WIRE;
    assert_eq!(told.round_trip_sum, Time(20 * round_trip) + told.waking);
    // Four links between switches each way, all of which sleep when packet and answer come.
    assert_eq!(told.waking, Time::from_us(20 * 8 * 5));
    let end = |grace| {
        let workload = flows(&network, &[(0, 13)], MESSAGE);
        self::told(&run_with(&network, &sleeping(NSCC, grace), &policy, workload)).last_ack
    };
    let (taken, excused) = (end(false), end(true));
    assert!(excused.0 * 2 < taken.0, "a wake is taken for congestion: {taken} and {excused} with grace");
}

/// A node's link idles once its last packet has left, and sleeps a timer later, until an answer wakes it or the run ends.
#[test]
fn links_of_nodes_sleep_after_the_last_packet() {
    let network = tree();
    let mut config = config(&network, Control::Window(Bytes(10 * PACKET)), 100);
    let state = SleepState { power: 0.1, enter: Time::ZERO, wake: Time::from_us(5) };
    config.classes[0].states = Some(SleepStates::new(state, state));
    let policy = StallTimer::uniform(network.classes.len(), None, Some(Time::from_us(1)));
    let record = run_with(&network, &config, &policy, flows(&network, &[(0, 13)], 2 * PACKET));
    let channel = &record.channels[network.ports() as usize];
    // Two packets leave at once, and nothing after them.
    let busy = Time(2 * PACKET * BYTE) + Time::from_us(1);
    assert_eq!(channel.time_in(LinkState::Deep), Time(record.measured.0 - busy.0));
}

/// Records do not depend on partitions, whatever nodes answer and switches drop.
#[test]
fn partitions_change_nothing() {
    let network = tree();
    let pairs: Vec<(u32, u32)> = (0..16).flat_map(|node| [(node, (node * 7 + 3) % 16), (node, 15 - node)]).collect();
    let policy = StallTimer::uniform(network.classes.len(), Some(Time::from_ns(500)), Some(Time::from_us(3)));
    for (control, trims) in [(NSCC, true), (CREDIT, true), (BECN, false), (NSCC, false)] {
        let mut config = marked(config(&network, control, 100));
        config.classes.iter_mut().for_each(|class| class.states = Some(STATES));
        config.routing = RoutingKind::Adaptive;
        config.switch.balance = Balance::SprayRandom;
        config.node.order = Order::InSequence;
        config.switch.buffer_flits = 6 * config.switch.packet_flits;
        if let (Some(marking), Control::Becn(_)) = (&mut config.switch.marking, control) {
            // Packets of several inputs that come at one edge do not find each other.
            (marking.at, marking.kmin, marking.kmax) = (MarkAt::Enqueue, Bytes(2 * PACKET), Bytes(2 * PACKET));
        }
        if trims {
            config = lossy(config, FlowControl::Trim, Retransmit::Selective);
        }
        let run = |partitions| {
            without_events(run_in(partitions, &network, &config, &policy, flows(&network, &pairs, 40 * PACKET)))
        };
        let whole = run(1);
        assert_eq!(told(&whole).data, 32 * 40);
        for partitions in [2, 3, 8] {
            assert!(run(partitions) == whole, "{partitions} partitions, {}, trims: {trims}", control.name());
        }
    }
}

/// What contradicts itself is refused by its key.
#[test]
fn contradictions_are_refused() {
    let network = tree();
    let refused = |config: &Config, key: &str| {
        let policy = StallTimer::always_on(network.classes.len());
        let workload = flows(&network, &[(0, 1)], PACKET);
        let error = drowse_core::engine::run(&network, config, &policy, workload).map(|_| ()).unwrap_err();
        assert_eq!(error.key, key, "{error}");
    };
    let plain = config(&network, NSCC, 100);
    refused(&plain, "transport.control");
    let plain = marked(plain);
    refused(&Config { transport: None, ..plain.clone() }, "switch.marking");
    let with = |change: fn(&mut Config)| {
        let mut config = plain.clone();
        change(&mut config);
        config
    };
    refused(&with(|config| config.switch.queues = Queues::Input), "switch.queues");
    refused(&with(|config| config.switch.flow_control = FlowControl::Drop), "transport.retransmit");
    refused(&with(|config| config.switch.marking.as_mut().unwrap().victims = false), "switch.marking.victims");
    refused(&with(|config| config.transport.as_mut().unwrap().ack = Bytes(9_000)), "transport.ack");
    refused(&with(|config| config.switch.padding = true), "transport");
    let window = Control::Window(Bytes(100));
    refused(
        &Config { transport: Some(Transport { control: window, ..plain.transport.unwrap() }), ..plain.clone() },
        "transport.control.size",
    );
    let spraying = lossy(
        with(|config| {
            config.routing = RoutingKind::Adaptive;
            config.switch.balance = Balance::SprayRandom;
        }),
        FlowControl::Drop,
        Retransmit::GoBackN,
    );
    refused(&spraying, "transport.retransmit");
    let mut hashed = spraying;
    hashed.switch.balance = Balance::FlowHash(Hash::default());
    let workload = flows(&network, &[(0, 1)], PACKET);
    assert!(told(&run(&network, &hashed, workload)).data == 1);
}
