//! What ranks wait for: partners, the network, and links that wake.

use drowse_core::measure::{Record, Waits};
use drowse_core::model::units::{Bytes, Time};
use drowse_core::power::StallTimer;
use drowse_core::topology::Network;
use drowse_core::workload::operation::Operation;

use crate::common::*;

/// A wake of a link that sleeps deeply.
const WAKE: Time = STATES.deep.wake;
/// Long enough for every link to sleep.
const PAUSE: Time = Time::from_us(30);

/// Runs a program on a ring of four switches whose links are always on, and on one where they sleep at once.
fn awake_and_asleep(ranks: &[Vec<Operation>], nodes: &[u32], eager_limit: u64) -> [Record; 2] {
    let network: Network = torus(&[4], 1, 1);
    let mut config = config(&network, 3);
    config.node.eager_limit = Bytes(eager_limit);
    let classes = network.classes.len();
    let sleeps = StallTimer::uniform(classes, None, Some(Time::ZERO));
    [StallTimer::always_on(classes), sleeps]
        .map(|policy| run_with(&network, &config, &policy, job(ranks.to_vec(), nodes)))
}

fn waits(record: &Record, rank: usize) -> Waits {
    record.ranks[rank].times.waits
}

/// Checks that a rank waits for so many wakes, and else for the same as where links are always on.
fn wakes_of([on, asleep]: &[Record; 2], rank: usize, wakes: u64) {
    let waking = Time(WAKE.0 * wakes);
    assert_eq!(waits(asleep, rank), Waits { waking, ..waits(on, rank) }, "rank {rank}");
}

/// The message is late for three links that wake; the partner is late because it computes; and both.
#[test]
fn a_delayed_message_and_a_delayed_partner() {
    for (own, partner_working) in [(PAUSE, Time::ZERO), (Time::ZERO, PAUSE), (Time::from_us(10), Time::from_us(20))] {
        let ranks = [vec![compute(PAUSE), send(1, 16)], vec![compute(own), recv(0)]];
        let records = awake_and_asleep(&ranks, &[0, 1], u64::MAX);
        let carried = records[0].ranks[1].finish - PAUSE;
        assert_eq!(waits(&records[0], 1), Waits { partner_working, network: carried, ..Waits::default() });
        wakes_of(&records, 1, 3);
        wakes_of(&records, 0, 0);
    }
}

/// A large message asks, is answered and comes, each over three links that wake; its sender waits for the first six, and
/// for its own link.
#[test]
fn a_large_message() {
    let ranks = [vec![compute(PAUSE), send(1, 16)], vec![recv(0)]];
    let records = awake_and_asleep(&ranks, &[0, 1], 0);
    assert_eq!(waits(&records[0], 1).partner_working, PAUSE);
    wakes_of(&records, 1, 9);
    wakes_of(&records, 0, 7);
    // A receiver that computes is a late partner, and by then the request has come.
    let ranks = [vec![send(1, 16)], vec![compute(PAUSE), recv(0)]];
    let records = awake_and_asleep(&ranks, &[0, 1], 0);
    assert_eq!(waits(&records[0], 0).partner_working, PAUSE);
    wakes_of(&records, 1, 6);
    wakes_of(&records, 0, 4);
}

/// What a partner waits for because links wake, the next rank waits for, too, and the one after that.
#[test]
fn wakes_go_on() {
    let forward = |from: u32| vec![recv(from), compute(PAUSE), send(from + 2, 16)];
    let ranks = [vec![compute(PAUSE), send(1, 16)], forward(0), forward(1), vec![recv(2)]];
    let records = awake_and_asleep(&ranks, &[0, 1, 2, 3], u64::MAX);
    for rank in 0..4 {
        wakes_of(&records, rank as usize, 3 * rank);
    }
    // The second computes while the last waits, and waited itself before that.
    let [on, _] = &records;
    let carried = waits(on, 1).network;
    let (partner_waiting, partner_working) = (PAUSE + carried + PAUSE + carried, PAUSE);
    assert_eq!(waits(on, 3), Waits { partner_waiting, partner_working, network: carried, ..Waits::default() });
}

/// A rank that is late by wakes waits less for one that is not; what comes as late as itself costs it nothing more.
#[test]
fn a_delay_that_is_made_up_for() {
    // Rank 2 shares the node of rank 1, and so no link.
    let ranks = [
        vec![compute(PAUSE), send(1, 16)],
        vec![recv(0), recv(2), compute(PAUSE), send(2, 16)],
        vec![compute(PAUSE + PAUSE), send(1, 16), recv(1)],
    ];
    let records = awake_and_asleep(&ranks, &[0, 1, 1], u64::MAX);
    let [on, asleep] = &records;
    assert_eq!(on.makespan, asleep.makespan);
    let delay = Time(3 * WAKE.0);
    let Waits { partner_working, .. } = waits(on, 1);
    let partner_working = partner_working - delay;
    assert_eq!(waits(asleep, 1), Waits { waking: delay, partner_working, ..waits(on, 1) });
    wakes_of(&records, 2, 0);
}
