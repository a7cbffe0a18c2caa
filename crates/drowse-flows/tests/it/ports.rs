//! Rates by input port that follow by hand.

use drowse_flows::{DENOMINATOR, Fairness, Hop, Rates};

use crate::common::{Flow, solved};

/// A capacity that all parts here divide.
const WHOLE: u64 = 720_720 * 256;

fn by_port(links: usize, flows: &[Flow]) -> Vec<u64> {
    solved(&vec![WHOLE; links], flows, Fairness::Port)
}

/// Returns the flows of a line of switches to a receiver behind the last: so many senders at each switch, the farthest
/// first. Link 0 leads to the receiver, link i to the i-th last switch.
fn line(senders: &[u32]) -> (usize, Vec<Flow>) {
    let switches = senders.len() as u32;
    let mut link = switches;
    let mut flows = Vec::new();
    for (switch, &senders) in (0..switches).rev().zip(senders) {
        for _ in 0..senders {
            let path: Vec<u32> = std::iter::once(link).chain((0..=switch).rev()).collect();
            flows.push(Flow::over(&path));
            link += 1;
        }
    }
    (link as usize, flows)
}

#[test]
fn a_parking_lot_halves_at_each_merge() {
    let (links, flows) = line(&[1, 1, 1]);
    assert_eq!(by_port(links, &flows), [4, 4, 2].map(|part| WHOLE / part));
    let (links, flows) = line(&[1, 1, 1, 1]);
    assert_eq!(by_port(links, &flows), [8, 8, 4, 2].map(|part| WHOLE / part));
}

#[test]
fn eight_senders_on_three_switches() {
    // Three ports at the last switch, four at each switch before, and three sources at the first.
    let (links, flows) = line(&[3, 3, 2]);
    assert_eq!(by_port(links, &flows), [36, 36, 36, 12, 12, 12, 3, 3].map(|part| WHOLE / part));
    // The nearest end first, then the next, as packets show it.
    assert_eq!(by_port(links, &flows[..6]), [12, 12, 12, 4, 4, 4].map(|part| WHOLE / part));
    assert_eq!(by_port(links, &flows[..3]), [3, 3, 3].map(|part| WHOLE / part));
}

#[test]
fn merges_that_lead_elsewhere_do_not_count() {
    // The first flow shares link 0 with a flow that then leaves it: at link 1 there are two ports of one flow each.
    let flows = [Flow::over(&[2, 0, 1]), Flow::over(&[3, 0, 4]), Flow::over(&[5, 1])];
    assert_eq!(by_port(6, &flows), [2, 2, 2].map(|part| WHOLE / part));
}

#[test]
fn a_port_has_one_part_however_many_flows_it_has() {
    // Nine flows come to link 0 over link 1, one comes over link 2.
    let mut flows: Vec<Flow> = (3..12).map(|source| Flow::over(&[source, 1, 0])).collect();
    flows.push(Flow::over(&[2, 0]));
    let mut parts = vec![WHOLE / 18; 9];
    parts.push(WHOLE / 2);
    assert_eq!(by_port(12, &flows), parts);
}

#[test]
fn what_a_port_does_not_use_goes_to_the_others() {
    let mut flows: Vec<Flow> = (3..12).map(|source| Flow::over(&[source, 1, 0])).collect();
    flows.push(Flow::over(&[2, 0]).cap(WHOLE / 4));
    let mut parts = vec![WHOLE / 12; 9];
    parts.push(WHOLE / 4);
    assert_eq!(by_port(12, &flows), parts);
}

#[test]
fn a_port_whose_flows_wait_is_none() {
    for asleep in [false, true] {
        let (links, flows) = line(&[1, 1, 1]);
        let mut rates = Rates::new(vec![WHOLE; links], Fairness::Port);
        let ids: Vec<u32> = flows.iter().map(|flow| flow.insert(&mut rates)).collect();
        let all = |rates: &Rates| ids.iter().map(|id| rates.rate(*id)).collect::<Vec<_>>();
        rates.solve();
        if asleep {
            rates.set_capacity(flows[2].hops[0].link, 0);
        } else {
            rates.set_cap(ids[2], Some(0));
        }
        rates.solve();
        assert_eq!(all(&rates), [WHOLE / 2, WHOLE / 2, 0]);
        rates.set_capacity(flows[2].hops[0].link, WHOLE);
        rates.set_cap(ids[2], None);
        assert_eq!(rates.solve().len(), 3);
        assert_eq!(all(&rates), [4, 4, 2].map(|part| WHOLE / part));
    }
}

#[test]
fn a_split_flow_comes_to_each_link_by_a_port() {
    // Half of the flow comes to link 3 over link 1, as a flow of another source does; the rest of link 3 is the
    // third's.
    let half = DENOMINATOR / 2;
    let hops =
        [Hop::whole(0), Hop { link: 1, share: half }, Hop { link: 2, share: half }, Hop { link: 3, share: half }];
    let rates_of = |inputs: [Option<u32>; 4]| {
        let mut rates = Rates::new(vec![4 * WHOLE, WHOLE, WHOLE, WHOLE, WHOLE, WHOLE], Fairness::Port);
        let split = rates.insert_split(&hops, &inputs, 1, None);
        let others = [Flow::over(&[4, 1, 3]), Flow::over(&[5, 3])].map(|flow| flow.insert(&mut rates));
        rates.solve();
        [rates.rate(split) / 2, rates.rate(others[0]), rates.rate(others[1])]
    };
    assert_eq!(rates_of([None, Some(0), Some(0), Some(1)]), [4, 4, 2].map(|part| WHOLE / part));
    // As a port of its own, it is one of three.
    assert_eq!(rates_of([None, Some(0), Some(0), None]), [3, 3, 3].map(|part| WHOLE / part));
    // What has no end, or is no hop, is no port either.
    assert_eq!(rates_of([None, Some(0), Some(0), Some(3)]), [3, 3, 3].map(|part| WHOLE / part));
    assert_eq!(rates_of([None, Some(0), Some(0), Some(9)]), [3, 3, 3].map(|part| WHOLE / part));
}

/// The example of the documentation of the crate, of which equal parts by port have several solutions.
#[test]
fn where_equal_parts_are_not_unique_rates_are() {
    // Link 0 is shared; 1 to 8 are those of the flows g. Sources 9 and up make ports.
    let capacities: Vec<u64> = [vec![32_000], vec![10_000; 8], vec![1_000_000; 40]].concat();
    let path_of_f: Vec<u32> = std::iter::once(9).chain(1..=8).chain([10, 0]).collect();
    let mut flows = vec![Flow::over(&path_of_f), Flow::over(&[11, 10, 0])];
    for g in 1..=8 {
        flows.push(Flow::over(&[12 + 2 * g, 30 + g, g, 0]));
        flows.push(Flow::over(&[13 + 2 * g, 30 + g, g]));
    }
    let rates = solved(&capacities, &flows, Fairness::Port);
    flows.reverse();
    let mut other = solved(&capacities, &flows, Fairness::Port);
    other.reverse();
    assert_eq!(rates, other);
    assert!((1_778..4_000).contains(&rates[0]), "{rates:?}");
    assert!((3_000..3_556).contains(&rates[2]), "{rates:?}");
}
