//! Open-loop messages of one or two lengths.

use drowse_core::measure::Record;
use drowse_core::model::units::{Bytes, Time};
use drowse_core::topology::Network;
use drowse_core::workload::Workload;
use drowse_core::workload::traffic::{Count, Length, Lengths, Pattern, Traffic};

use crate::common::*;

const CYCLE: u64 = 1_600;

fn run_lengths(network: &Network, packets: Lengths, load: f64, cycles: u64) -> Record {
    let (pattern, count) = (Pattern::Uniform, Count::Generated);
    let (warmup, measure) = (Time::ZERO, Time(CYCLE * cycles));
    let traffic = Traffic { pattern, packets, load, include_self: false, count, warmup, measure, drain: true };
    let mut config = config(network, 3);
    config.audit = false;
    run(network, &config, Workload::OpenLoop(traffic))
}

/// Returns the number of long messages, which follows from the lengths and the sum of flits.
fn long_messages(record: &Record, short: u64, long: u64) -> u64 {
    let (flits, messages) = (record.open_loop.unwrap().generated_flits, record.message_latency.count());
    assert_eq!((flits - short * messages) % (long - short), 0);
    (flits - short * messages) / (long - short)
}

/// In each cycle, a node generates a message with probability p, and it is long with probability s, all independent. So
/// the flits generated in n node cycles have the mean n p E[L], with p E[L] = load, and the variance n (p E[L^2] -
/// load^2); of m messages, m s are long, with the variance m s (1 - s). Four standard deviations each.
#[test]
fn load_and_share_are_as_requested() {
    let network = mesh(&[4, 4], 1, 1);
    let (short, long) = (Length::Bytes(Bytes(16)), Length::Packets(4));
    for share in [0.0, 0.1, 0.5, 1.0] {
        let lengths = Lengths::Two { short, long, share };
        let (load, cycles) = (0.2, 40_000);
        let record = run_lengths(&network, lengths, load, cycles);
        let open_loop = record.open_loop.unwrap();
        let n = (cycles * 16) as f64;
        assert!((open_loop.capacity_flits - n).abs() < 1e-6 * n, "a flit a cycle and node");
        let (mean, square) = (1.0 - share + 32.0 * share, 1.0 - share + 32.0 * 32.0 * share);
        let deviation = (n * (load / mean * square - load * load)).sqrt();
        let flits = open_loop.generated_flits as f64;
        assert!((flits - n * load).abs() < 4.0 * deviation, "share {share}: {flits} flits, {}", n * load);
        let messages = record.message_latency.count() as f64;
        let long_ones = long_messages(&record, 1, 32);
        let long = long_ones as f64;
        let deviation = (messages * share * (1.0 - share)).sqrt();
        assert!((long - messages * share).abs() <= 4.0 * deviation, "share {share}: {long} of {messages}");
        assert!(!open_loop.saturated, "all generated messages are delivered: {open_loop:?}");
        assert_eq!(record.packet_latency.count(), record.message_latency.count() + 3 * long_ones);
    }
}

/// If messages are so rare that they do not meet, each takes a wire, two hops of four cycles and its own flits, to the
/// picosecond.
#[test]
fn lone_messages_take_the_time_of_their_length() {
    let network = mesh(&[2], 1, 1);
    // 20 flits make two full packets and one of four; 8 bytes are one flit.
    let (short, long) = (Length::Bytes(Bytes(8)), Length::Bytes(Bytes(20 * 16 - 3)));
    let record = run_lengths(&network, Lengths::Two { short, long, share: 0.4 }, 0.000_2, 400_000);
    let messages = record.message_latency.count();
    let long = long_messages(&record, 1, 20);
    assert!(long > 3 && messages - long > 3, "{long} of {messages}");
    let cycles = (messages - long) * (1 + 8 + 1) + long * (1 + 8 + 20);
    assert_eq!(record.message_latency.sum(), u128::from(cycles * CYCLE));
    assert_eq!(record.message_latency.max(), Some(Time((1 + 8 + 20) * CYCLE)));
    assert_eq!(record.packet_latency.count(), messages + 2 * long);
    assert_eq!(record.hops, 2 * record.packets_delivered);
}

/// Packets shorter than the longest count with their own flits, also in the accepted load.
#[test]
fn short_packets_count_their_own_flits() {
    let network = mesh(&[2], 1, 1);
    let record = run_lengths(&network, Lengths::One(Length::Bytes(Bytes(3 * 16))), 0.3, 20_000);
    let open_loop = record.open_loop.unwrap();
    // Packets in the network at the end of the window are missing.
    let missing = open_loop.generated_flits - open_loop.delivered_flits;
    assert!(missing < 100 && open_loop.generated_flits > 10_000, "{open_loop:?}");
}

/// At full load with messages of one flit, every node makes one in each cycle of the window, from the first on.
#[test]
fn full_load_is_a_flit_in_every_cycle() {
    let network = mesh(&[2], 1, 3);
    for warmup in [0, 1, 40] {
        let traffic = Traffic {
            pattern: Pattern::Complement,
            packets: Lengths::One(Length::Bytes(Bytes(16))),
            load: 1.0,
            include_self: false,
            count: Count::Generated,
            warmup: Time(warmup * CYCLE),
            measure: Time(500 * CYCLE),
            drain: false,
        };
        let record = run(&network, &config(&network, 1), Workload::OpenLoop(traffic));
        assert_eq!(record.open_loop.unwrap().generated_flits, 6 * 500, "after {warmup} cycles");
    }
}
