//! Max-min rates that follow by hand.

use drowse_flows::{DENOMINATOR, Fairness, Hop, MAX_CAPACITY, Rates};

use crate::common::{Flow, solved};

/// 10 GB/s.
const FAST: u64 = 10_000_000_000 << 8;

fn by_flow(capacities: &[u64], flows: &[Flow]) -> Vec<u64> {
    solved(capacities, flows, Fairness::Flow)
}

#[test]
fn a_lone_flow_has_the_capacity() {
    for capacity in [1, 256, FAST, MAX_CAPACITY] {
        for fairness in [Fairness::Flow, Fairness::Port] {
            assert_eq!(solved(&[capacity, capacity], &[Flow::over(&[0, 1])], fairness), [capacity]);
        }
    }
}

#[test]
fn n_flows_share_a_link() {
    for n in 1..=40 {
        assert_eq!(by_flow(&[FAST], &vec![Flow::over(&[0]); n]), vec![FAST / n as u64; n]);
    }
}

#[test]
fn what_caps_leave_goes_to_the_others() {
    let flows = [Flow::over(&[0]).cap(10), Flow::over(&[0]).cap(50), Flow::over(&[0]), Flow::over(&[0])];
    assert_eq!(by_flow(&[100], &flows), [10, 30, 30, 30]);
    assert_eq!(by_flow(&[40], &flows), [10, 10, 10, 10]);
    assert_eq!(by_flow(&[39], &flows), [9, 9, 9, 9]);
    assert_eq!(by_flow(&[1_000], &flows), [10, 50, 470, 470]);
}

#[test]
fn caps_alone_leave_a_link_unused() {
    let flows = [Flow::over(&[0]).cap(10), Flow::over(&[0]).cap(20)];
    let mut rates = Rates::new(vec![100], Fairness::Flow);
    let ids = flows.map(|flow| flow.insert(&mut rates));
    rates.solve();
    assert_eq!(ids.map(|id| rates.rate(id)), [10, 20]);
    assert_eq!(rates.used(0), 30);
    assert_eq!(ids.map(|id| rates.bottleneck(id)), [None, None]);
}

#[test]
fn weights_divide_a_link() {
    let flows = [1, 2, 3].map(|weight| Flow::over(&[0]).weight(weight));
    assert_eq!(by_flow(&[600], &flows), [100, 200, 300]);
    assert_eq!(by_flow(&[605], &flows), [100, 201, 302]);
    assert_eq!(solved(&[600], &flows, Fairness::Port), [100, 200, 300]);
}

#[test]
fn senders_of_a_line_are_equal_by_flow() {
    // Links 0 and 1 lead along the line; 2 to 4 are those of the senders, 5 that of the receiver.
    let flows = [Flow::over(&[2, 0, 1, 5]), Flow::over(&[3, 0, 1, 5]), Flow::over(&[4, 1, 5])];
    assert_eq!(by_flow(&[FAST; 6], &flows), [FAST / 3; 3]);
}

#[test]
fn a_long_flow_meets_short_ones() {
    // The textbook's line: the long flow shares each link with one flow, one link is half as fast.
    let flows = [Flow::over(&[0, 1, 2]), Flow::over(&[0]), Flow::over(&[1]), Flow::over(&[2])];
    assert_eq!(by_flow(&[120, 60, 120], &flows), [30, 90, 30, 90]);
}

#[test]
fn incast_divides_the_last_link() {
    let flows: Vec<Flow> = (1..=64).map(|sender| Flow::over(&[sender, 0])).collect();
    for fairness in [Fairness::Flow, Fairness::Port] {
        assert_eq!(solved(&[FAST; 65], &flows, fairness), vec![FAST / 64; 64]);
    }
}

#[test]
fn a_trunk_carries_as_many_flows_as_it_has_ports() {
    for ports in 1..=8 {
        let capacities = |flows: u64| [vec![ports * FAST], vec![FAST; flows as usize]].concat();
        let flows = |flows: u64| (1..=flows as u32).map(|link| Flow::over(&[link, 0])).collect::<Vec<_>>();
        for fairness in [Fairness::Flow, Fairness::Port] {
            assert_eq!(solved(&capacities(ports), &flows(ports), fairness), vec![FAST; ports as usize]);
            let part = ports * FAST / (ports + 1);
            assert_eq!(solved(&capacities(ports + 1), &flows(ports + 1), fairness), vec![part; ports as usize + 1]);
        }
    }
}

#[test]
fn a_flow_without_links_has_its_cap() {
    let mut rates = Rates::new(vec![], Fairness::Flow);
    let capped = rates.insert(&[], 1, Some(77));
    let free = rates.insert(&[], 1, None);
    assert_eq!(rates.solve(), [capped, free]);
    assert_eq!((rates.rate(capped), rates.rate(free)), (77, u64::MAX));
}

#[test]
fn nothing_goes_over_a_link_that_sleeps() {
    for fairness in [Fairness::Flow, Fairness::Port] {
        let mut rates = Rates::new(vec![100, 100], fairness);
        let (long, short) = (Flow::over(&[0, 1]).insert(&mut rates), Flow::over(&[0]).insert(&mut rates));
        rates.solve();
        assert_eq!((rates.rate(long), rates.rate(short)), (50, 50));
        rates.set_capacity(1, 0);
        assert_eq!(rates.solve(), [long, short]);
        assert_eq!((rates.rate(long), rates.rate(short)), (0, 100));
        assert_eq!((rates.bottleneck(long), rates.bottleneck(short)), (Some(1), Some(0)));
        rates.set_capacity(1, 30);
        assert_eq!(rates.solve(), [long, short]);
        assert_eq!((rates.rate(long), rates.rate(short)), (30, 70));
    }
}

#[test]
fn a_flow_waits_while_its_cap_is_zero() {
    for fairness in [Fairness::Flow, Fairness::Port] {
        let mut rates = Rates::new(vec![90], fairness);
        let ids = [0, 1, 2].map(|_| Flow::over(&[0]).insert(&mut rates));
        rates.set_cap(ids[1], Some(0));
        rates.solve();
        assert_eq!(ids.map(|id| rates.rate(id)), [45, 0, 45]);
        rates.set_cap(ids[1], None);
        rates.solve();
        assert_eq!(ids.map(|id| rates.rate(id)), [30, 30, 30]);
    }
}

#[test]
fn a_split_flow_takes_a_part_of_each_path() {
    let half = DENOMINATOR / 2;
    let split = Flow {
        hops: vec![Hop::whole(0), Hop { link: 1, share: half }, Hop { link: 2, share: half }, Hop::whole(3)],
        weight: 1,
        cap: None,
    };
    // Alone it is as fast as its sender. A flow on one path leaves it twice what that path has left for it.
    assert_eq!(by_flow(&[100, 60, 60, 100], std::slice::from_ref(&split)), [100]);
    assert_eq!(by_flow(&[100, 60, 60, 100], &[split.clone(), Flow::over(&[1]).cap(30)]), [60, 30]);
    assert_eq!(by_flow(&[100, 60, 60, 100], &[split, Flow::over(&[1])]), [40, 40]);
}

#[test]
fn what_happens_at_one_instant_is_solved_once() {
    let mut rates = Rates::new(vec![100, 100], Fairness::Flow);
    let first = Flow::over(&[0, 1]).insert(&mut rates);
    let gone = Flow::over(&[0]).insert(&mut rates);
    rates.remove(gone);
    assert_eq!(rates.solve(), [first]);
    assert_eq!(rates.rate(first), 100);
    // One flow takes the place of another: nobody else notices.
    let old = Flow::over(&[0]).insert(&mut rates);
    rates.solve();
    rates.remove(old);
    let new = Flow::over(&[0]).insert(&mut rates);
    assert_eq!(rates.solve(), [new]);
    assert_eq!((rates.rate(first), rates.rate(new)), (50, 50));
    rates.remove(new);
    rates.remove(new);
    assert_eq!(rates.solve(), [first]);
    assert_eq!(rates.solve(), [0; 0]);
}
