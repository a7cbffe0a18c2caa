//! Load balancing from outside: flows by link as balls in bins, polarisation, flowlets between hashing and spraying, equal
//! shares, full bandwidth, and the order in which packets come.

use std::collections::BTreeSet;

use drowse_core::measure::{Record, Reordering};
use drowse_core::model::balance::{Balance, FlowOf, Hash, HashSeeds, Order};
use drowse_core::model::config::{
    Config, OutputQueues, Queues, SleepSelection, SwitchModel, TrunkChoice, VirtualChannels,
};
use drowse_core::model::unit::{FlowModel, Unit};
use drowse_core::model::units::{Bytes, Time};
use drowse_core::power::StallTimer;
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{
    Arrangement, Dragonfly, Graph, HyperX, Network, PerDimension, TableKind, ThinTree, Topology, TopologySpec,
};
use drowse_core::workload::Workload;
use drowse_core::workload::operation::Operation;
use drowse_core::workload::traffic::Count;

use crate::common::*;
use crate::partitions::{self, adaptive, traffic};

/// Bytes of a full packet.
const PACKET: u64 = 128;

const HASH: Balance = Balance::FlowHash(Hash { flow: FlowOf::Pair, seeds: HashSeeds::Own });

fn flowlet(gap: Time) -> Balance {
    Balance::Flowlet(Hash::default(), gap)
}

/// All kinds but that of the engine without one.
fn kinds() -> [Balance; 6] {
    let messages = Hash { flow: FlowOf::Message, seeds: HashSeeds::Own };
    [
        Balance::FlowHash(messages),
        HASH,
        flowlet(Time::from_ns(500)),
        Balance::SprayRandom,
        Balance::SprayRoundRobin,
        Balance::SprayQueue,
    ]
}

fn tree(arity: u32, levels: u32) -> Network {
    TopologySpec::ThinTree(ThinTree { down: arity, up: arity, levels }).build().unwrap()
}

/// Parameters of a tree whose links never sleep.
fn on_tree(network: &Network, balance: Balance) -> Config {
    let mut config = config(network, 5);
    config.routing = RoutingKind::Adaptive;
    config.switch = SwitchModel { balance, ..SwitchModel::with(VirtualChannels::any(1)) };
    config
}

/// Every node sends messages to another, which receives as many.
fn shifted(network: &Network, by: u32, messages: u32, bytes: u64) -> Workload {
    let nodes = network.nodes;
    let program = |node: u32| {
        let (to, from) = ((node + by) % nodes, (node + nodes - by) % nodes);
        let receives = (0..messages).map(|request| irecv(from, 0, request));
        let sends = (0..messages).map(|request| isend(to, 0, bytes, messages + request));
        let all: Vec<Operation> = receives.chain(sends).chain((0..2 * messages).map(wait)).collect();
        all
    };
    job((0..nodes).map(program).collect(), &(0..nodes).collect::<Vec<_>>())
}

/// Returns the packets on the channels that lead from a switch up to a higher level of a tree.
fn up(network: &Network, record: &Record, switch: u32) -> Vec<u64> {
    let higher = |&port: &u32| neighbour(network, port).is_some_and(|there| there > switch);
    ports(network, switch).filter(higher).map(|port| record.channels[port as usize].packets).collect()
}

/// Returns the distribution of the largest of `bins` bins into which `balls` fall at random: entry k is the probability
/// that it is at most k. By convolution: so many of the balls that are left fall into the next bin.
fn largest(balls: usize, bins: usize) -> Vec<f64> {
    let choose = |n: usize, k: usize| (0..k).fold(1.0, |all, i| all * (n - i) as f64 / (i + 1) as f64);
    let at_most = |most: usize| {
        let mut cases = vec![0.0; balls + 1];
        cases[0] = 1.0;
        for _ in 0..bins {
            let mut next = vec![0.0; balls + 1];
            for fallen in 0..=balls {
                for more in 0..=most.min(balls - fallen) {
                    next[fallen + more] += cases[fallen] * choose(balls - fallen, more);
                }
            }
            cases = next;
        }
        (0..balls).fold(cases[balls], |cases, _| cases / bins as f64)
    };
    (0..=balls).map(at_most).collect()
}

/// By hand: two balls in two bins fall into one bin in half of all cases.
#[test]
fn balls_in_bins_by_hand() {
    assert_eq!(largest(2, 2), [0.0, 0.5, 1.0]);
    assert!((largest(3, 3)[1] - 6.0 / 27.0).abs() < 1e-12);
}

/// Eight flows leave each leaf of a tree by eight up-links: flows by link are balls in bins. The largest number, in the
/// mean over leaves and seeds, is that of the closed form.
#[test]
fn flows_by_link_are_balls_in_bins() {
    let network = tree(8, 2);
    let mut config = on_tree(&network, HASH);
    config.audit = false;
    let (mut sum, mut count) = (0, 0);
    for seed in 0..60 {
        config.seed = seed;
        let record = run(&network, &config, shifted(&network, 8, 1, 4 * PACKET));
        for leaf in 0..8 {
            let loads = up(&network, &record, leaf);
            assert_eq!((loads.len(), loads.iter().sum::<u64>()), (8, 8 * 4));
            assert!(loads.iter().all(|packets| packets % 4 == 0), "whole flows: {loads:?}");
            sum += loads.iter().max().unwrap() / 4;
            count += 1;
        }
    }
    let at_most = largest(8, 8);
    // E[x] = sum of P(x > k), E[x^2] = sum of (2 k + 1) P(x > k).
    let mean: f64 = at_most.iter().map(|p| 1.0 - p).sum();
    let square: f64 = at_most.iter().enumerate().map(|(k, p)| (2 * k + 1) as f64 * (1.0 - p)).sum();
    let deviation = (square - mean * mean).sqrt() / f64::from(count).sqrt();
    let found = sum as f64 / f64::from(count);
    assert!((found - mean).abs() < 4.0 * deviation, "{found}, not {mean} to within {}", 4.0 * deviation);
}

/// Three levels of switches with two links up each. With equal seeds a switch of the second level gets the flows whose
/// hash has named the link to it, and the same hash names one of its own links: half of the links to the third level
/// stay unused. With seeds of their own none does.
#[test]
fn equal_seeds_polarise() {
    let network = tree(2, 3);
    for (seeds, unused) in [(HashSeeds::Equal, 4), (HashSeeds::Own, 0)] {
        let hash = Hash { flow: FlowOf::Message, seeds };
        let config = on_tree(&network, Balance::FlowHash(hash));
        let record = run(&network, &config, shifted(&network, 4, 64, PACKET));
        let second: Vec<u64> = (4..8).flat_map(|switch| up(&network, &record, switch)).collect();
        assert_eq!(second.len(), 8);
        assert_eq!(second.iter().filter(|&&packets| packets == 0).count(), unused, "{seeds:?}: {second:?}");
        assert_eq!(second.iter().sum::<u64>(), 8 * 64);
    }
}

/// Networks of every geometry with a choice, and their parameters.
fn machines() -> Vec<(Network, Config)> {
    let three = tree(3, 3);
    let torus = torus(&[4, 4], 2, 2);
    let of = |network: &Network, routing| {
        let mut config = Config { routing, audit: true, ..Config::new(network) };
        config.switch = SwitchModel::with(VirtualChannels::usual(network, routing));
        config.classes[1..].iter_mut().for_each(|class| class.states = Some(STATES));
        config
    };
    let hyperx = HyperX { dims: vec![3, 3], widths: PerDimension::All(2), nodes: 2 };
    let hyperx = TopologySpec::HyperX(hyperx).build().unwrap();
    let graph = Graph::of(&tree(3, 2), TableKind::of(RoutingKind::Minimal, 3), |_| true).build().unwrap();
    vec![
        (three.clone(), on_tree(&three, Balance::Adaptive)),
        (torus.clone(), adaptive(&torus, 5)),
        (torus.clone(), of(&torus, RoutingKind::DimensionOrder)),
        (hyperx.clone(), of(&hyperx, RoutingKind::Minimal)),
        (hyperx.clone(), of(&hyperx, RoutingKind::Ugal)),
        (graph.clone(), of(&graph, RoutingKind::Minimal)),
    ]
}

fn sleeps(network: &Network, config: &Config, timer: Time) -> StallTimer {
    assert!(config.classes[1].states.is_some());
    StallTimer::uniform(network.classes.len(), None, Some(timer))
}

/// Flowlets that never end are flows, and those that end at once are packets.
#[test]
fn flowlets_lie_between_hashing_and_spraying() {
    for (network, config) in machines() {
        for selection in [SleepSelection::LeastDelay, SleepSelection::Awake, SleepSelection::Blind] {
            let policy = sleeps(&network, &config, Time::from_us(2));
            let of = |balance| {
                let mut config = config.clone();
                (config.switch.balance, config.sleep.selection) = (balance, selection);
                run_with(&network, &config, &policy, traffic(0.3, Count::Generated))
            };
            let (flows, packets) = (of(HASH), of(Balance::SprayRandom));
            assert!(of(flowlet(Time::NEVER)) == flows, "an endless gap: {selection:?}, {:?}", network.classes);
            assert!(of(flowlet(Time::ZERO)) == packets, "no gap: {selection:?}, {:?}", network.classes);
            assert!(flows != packets, "hashing and spraying differ: {:?}", network.classes);
        }
    }
}

/// A record is equal in 1, 2, 3 and more partitions, for each kind and either order, with links that sleep and without.
#[test]
fn partitions_change_nothing() {
    for (number, (network, config)) in machines().into_iter().enumerate() {
        for (kind, balance) in kinds().into_iter().enumerate() {
            let mut config = config.clone();
            config.switch.balance = balance;
            config.node.order = [Order::Any, Order::InSequence][(number + kind) % 2];
            config.sleep.selection =
                [SleepSelection::LeastDelay, SleepSelection::Awake, SleepSelection::Blind][(number + kind) % 3];
            let timer = if kind % 2 == 0 { Time::from_us(1) } else { Time::NEVER };
            let policy = sleeps(&network, &config, timer);
            partitions::check(&network, &config, &policy, || traffic(0.4, Count::Generated));
            let [whole, eighths] = [1, 8].map(|partitions| {
                let record = run_in(partitions, &network, &config, &policy, shifted(&network, 5, 3, 10 * PACKET));
                assert_eq!(record.packets_injected, u64::from(network.nodes) * 30);
                assert_eq!(record.packets_delivered, record.packets_injected, "{balance:?}");
                without_events(record)
            });
            assert!(whole == eighths, "8 partitions: {balance:?}, {:?}", network.classes);
        }
    }
}

/// Queues of their own for each output: packets choose as they come.
#[test]
fn queues_for_outputs_are_chosen_on_arrival() {
    for (network, mut config) in machines() {
        config.switch.queues = Queues::VirtualOutput;
        for balance in kinds().into_iter().filter(|balance| !balance.remembers()) {
            config.switch.balance = balance;
            let policy = sleeps(&network, &config, Time::from_us(1));
            partitions::check(&network, &config, &policy, || traffic(0.4, Count::Generated));
        }
    }
}

/// Packets that choose in turn are spread over the links of a trunk to within one, and n links carry n times what one
/// does.
#[test]
fn turns_spread_evenly() {
    let (messages, packets) = (4, 200);
    let time_over = |links: u32| {
        let network = mesh(&[2], links, 4);
        let mut config = config(&network, 1);
        config.switch.balance = if links > 1 { Balance::SprayRoundRobin } else { Balance::Adaptive };
        config.node.eager_limit = Bytes(u64::MAX);
        let programs = |node: u32| match node {
            0..4 => (0..messages).map(|_| send(node + 4, packets * PACKET)).collect(),
            _ => (0..messages).map(|_| recv(node - 4)).collect::<Vec<_>>(),
        };
        let record = run(&network, &config, job((0..8).map(programs).collect(), &[0, 1, 2, 3, 4, 5, 6, 7]));
        let trunk = ports(&network, 0).filter(|&port| neighbour(&network, port).is_some());
        let counts: Vec<u64> = trunk.map(|port| record.channels[port as usize].packets).collect();
        assert_eq!((counts.len(), counts.iter().sum()), (links as usize, 4 * messages * packets));
        if links > 1 {
            assert!(counts.iter().max().unwrap() - counts.iter().min().unwrap() <= 1, "{counts:?}");
        }
        record.makespan.unwrap().0 as f64
    };
    let alone = time_over(1);
    for links in [2, 3, 4] {
        let times = alone / time_over(links);
        assert!((times / f64::from(links) - 1.0).abs() < 0.04, "{links} links carry {times} times as much");
    }
}

/// A permutation on a full fat tree whose switches take in packets as fast as they come: sprayed, every node sends at
/// nearly the rate of its link. Hashed, the slowest needs as long as the fullest link.
#[test]
fn spraying_reaches_full_bandwidth() {
    let (network, packets) = (tree(4, 2), 400);
    let run_by = |balance, seed| {
        let mut config = on_tree(&network, balance);
        config.switch.queues = Queues::Output(OutputQueues { room_flits: 512, speedup: 4, paths: 1 });
        (config.node.eager_limit, config.seed, config.audit) = (Bytes(u64::MAX), seed, false);
        let transfer = config.classes[0].bandwidth.transfer_time(PACKET).0;
        let record = run(&network, &config, shifted(&network, 4, 1, packets * PACKET));
        let most = (0..network.ports() as usize).map(|port| record.channels[port].packets).max().unwrap();
        (record.makespan.unwrap().0 as f64, most, transfer as f64)
    };
    let mut shared = 0;
    for seed in 0..4 {
        for balance in [Balance::SprayRoundRobin, Balance::SprayQueue] {
            let (time, most, transfer) = run_by(balance, seed);
            assert!(time < 1.1 * packets as f64 * transfer, "{balance:?}: {}", time / transfer);
            assert!(most <= packets + packets / 20, "{balance:?}: {most}");
        }
        let (time, most, transfer) = run_by(HASH, seed);
        assert_eq!(most % packets, 0, "whole flows share a link");
        assert!(time >= most as f64 * transfer && time < 1.1 * most as f64 * transfer, "{most}: {}", time / transfer);
        shared += u64::from(most > packets);
    }
    // Four flows over four links, on each of four leaves: all alone with a probability of (4! / 4^4)^4 = 8e-5.
    assert_eq!(shared, 4);
}

/// What goes by one path comes in order, and then it does not matter who wants it so. What is sprayed does not, and all
/// that has come too early is held.
#[test]
fn order_is_counted_and_kept() {
    let network = tree(4, 2);
    let of = |balance, order| {
        let mut config = on_tree(&network, balance);
        config.node.order = order;
        run(&network, &config, shifted(&network, 5, 20, 7 * PACKET))
    };
    let flows = of(HASH, Order::Any);
    assert_eq!(flows.reordering, Some(Reordering::default()));
    assert_eq!(of(HASH, Order::InSequence), flows);
    assert_eq!(of(Balance::Adaptive, Order::Any).reordering, None);
    for balance in [Balance::SprayRandom, Balance::SprayRoundRobin] {
        let (any, kept) = (of(balance, Order::Any), of(balance, Order::InSequence));
        let (loose, held) = (any.reordering.unwrap(), kept.reordering.unwrap());
        assert!(loose.packets > 0 && loose.most > 0 && loose.held == 0, "{loose:?}");
        // Nothing of the network knows who waits for what: the same packets come at the same times.
        assert_eq!((held.packets, held.most), (loose.packets, loose.most));
        assert!(held.held > 0 && held.hold_time > Time::ZERO);
        assert_eq!(kept.packets_delivered, any.packets_delivered);
        assert!(kept.makespan >= any.makespan);
    }
}

/// A node sends a packet now and then: where packets avoid what sleeps, the sprayed ones keep to the link that is on, and
/// three of four sleep. Where they do not, they wake all.
#[test]
fn sparse_spraying_wakes_one_link() {
    let network = tree(4, 2);
    let pause = Time::from_us(20);
    let ping = |_| [compute(pause), send(1, PACKET)];
    // All links are on at first.
    let all_sleep = compute(Time::from_us(200));
    let programs = vec![
        std::iter::once(all_sleep).chain((0..64).flat_map(ping)).collect(),
        (0..64).map(|_| recv(0)).collect::<Vec<_>>(),
    ];
    let links_used = |balance, selection| {
        let mut config = on_tree(&network, balance);
        config.sleep.selection = selection;
        let policy = StallTimer::uniform(network.classes.len(), None, Some(Time::from_us(50)));
        let record = run_with(&network, &config, &policy, job(programs.clone(), &[0, 15]));
        up(&network, &record, 0).iter().filter(|&&packets| packets > 0).count()
    };
    for balance in [flowlet(Time::from_us(10)), Balance::SprayRandom, Balance::SprayRoundRobin, Balance::SprayQueue] {
        assert_eq!(links_used(balance, SleepSelection::Awake), 1, "{balance:?}");
        assert_eq!(links_used(balance, SleepSelection::LeastDelay), 1, "{balance:?}");
        assert_eq!(links_used(balance, SleepSelection::Blind), 4, "{balance:?}");
    }
    assert_eq!(links_used(HASH, SleepSelection::Awake), 1);
}

/// A burst that one link would carry for long wakes the others.
#[test]
fn bursts_wake_more_links() {
    let network = tree(4, 2);
    for selection in [SleepSelection::Awake, SleepSelection::LeastDelay] {
        for balance in [Balance::SprayRandom, Balance::SprayRoundRobin, Balance::SprayQueue] {
            let mut config = on_tree(&network, balance);
            config.sleep.selection = selection;
            let policy = StallTimer::uniform(network.classes.len(), None, Some(Time::from_us(50)));
            let record = run_with(&network, &config, &policy, shifted(&network, 4, 1, 2_000 * PACKET));
            let used: BTreeSet<usize> = (0..4)
                .map(|leaf| up(&network, &record, leaf).iter().filter(|&&packets| packets > 100).count())
                .collect();
            assert_eq!(used, BTreeSet::from([4]), "{selection:?}, {balance:?}");
        }
    }
}

/// Flows that are hashed take the links that packets take; sprayed, each is split evenly.
#[test]
fn flows_take_the_links_of_packets() {
    let network = tree(4, 3);
    for seed in 0..5 {
        for seeds in [HashSeeds::Own, HashSeeds::Equal] {
            let hash = Hash { flow: FlowOf::Message, seeds };
            let [packets, flows] = [Unit::Packet, Unit::Flow(FlowModel::default())].map(|unit| {
                let mut config = on_tree(&network, Balance::FlowHash(hash));
                (config.unit, config.seed, config.audit) = (unit, seed, false);
                let record = run(&network, &config, shifted(&network, 21, 3, 40 * PACKET));
                record.channels.iter().map(|channel| channel.packets).collect::<Vec<_>>()
            });
            assert_eq!(packets, flows);
        }
    }
    let mut config = on_tree(&network, Balance::SprayRandom);
    (config.unit, config.audit) = (Unit::Flow(FlowModel::default()), false);
    let record = run(&network, &config, shifted(&network, 16, 1, 64 * PACKET));
    // Four flows of 64 packets over the four up-links of each leaf.
    (0..16).for_each(|leaf| assert_eq!(up(&network, &record, leaf), [64; 4]));
    let refused = |balance, order, key: &str| {
        let mut config = on_tree(&network, balance);
        (config.unit, config.node.order) = (Unit::Flow(FlowModel::default()), order);
        let policy = StallTimer::always_on(network.classes.len());
        let result = drowse_core::engine::run(&network, &config, &policy, shifted(&network, 1, 1, PACKET));
        assert_eq!(result.map(|_| ()).unwrap_err().key, key);
    };
    refused(flowlet(Time::from_us(1)), Order::Any, "switch.balance");
    refused(Balance::Adaptive, Order::InSequence, "node.order");
    refused(Balance::Adaptive, Order::Counted, "node.order");
}

/// What contradicts itself is refused by its key.
#[test]
fn contradictions_are_refused() {
    let tree = tree(3, 2);
    let refused = |network: &Network, config: &Config, says: &str| {
        let policy = StallTimer::always_on(network.classes.len());
        let workload = shifted(network, 1, 1, PACKET);
        let error = drowse_core::engine::run(network, config, &policy, workload).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    };
    let mut packed = on_tree(&tree, HASH);
    packed.switch.trunks = TrunkChoice::Packed;
    refused(&tree, &packed, "spreads them over all");
    let mut by_output = on_tree(&tree, Balance::SprayRoundRobin);
    by_output.switch.queues = Queues::VirtualOutput;
    refused(&tree, &by_output, "depends on the order of packets");
    let mut drawn = on_tree(&tree, HASH);
    drawn.routing = RoutingKind::Random;
    refused(&tree, &drawn, "draws the path of each packet");
    drawn.routing = RoutingKind::DModK;
    refused(&tree, &drawn, "no choice");
    let dragonfly = Dragonfly { p: 2, a: 4, h: 2, groups: 5, arrangement: Arrangement::Palmtree };
    let dragonfly = TopologySpec::Dragonfly(dragonfly).build().unwrap();
    let mut config = Config::new(&dragonfly);
    config.switch.balance = HASH;
    refused(&dragonfly, &config, "draws the path of each packet");
}
