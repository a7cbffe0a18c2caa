//! A cap on the power of a network: by hand to the picosecond, and never exceeded at any instant.
//!
//! A port of every bundle counts 1,000 nW more when it is on than when it sleeps.

use drowse_core::engine::{self, Progress, Simulation};
use drowse_core::measure::{ProbeOptions, Record};
use drowse_core::model::config::{Config, OutputQueues, Queues};
use drowse_core::model::units::Time;
use drowse_core::power::cap::Bundle;
use drowse_core::power::{Cap, CapRules, ClassPolicy, LinkState, Probe};
use drowse_core::topology::Network;
use drowse_core::workload::Workload;
use drowse_core::workload::traffic::Count;
use proptest::prelude::*;

use crate::common::*;
use crate::partitions::traffic;
use crate::sleeping::residency;

const US: u64 = 1_000_000;
const CLOCK: u64 = 1_600;
const ENTER: u64 = 2_880_000;
const WAKE: u64 = 4_480_000;
const PORT: u64 = 1_000;
const AT_OUTPUTS: Queues = Queues::Output(OutputQueues { room_flits: 32, speedup: 2, paths: 1 });

/// A cap under which so many ports may be on beyond one of each bundle.
fn cap(ports: u64) -> Cap {
    let (window, reaction) = (Time(10 * US), Time(US));
    let spare = ports * PORT;
    Cap { rules: CapRules { window, reaction, on: 650_000_000, cap: 50_000 + spare, spare, port: PORT, lanes: 1 } }
}

fn of_lanes(ports: u64, lanes: u8) -> Cap {
    Cap { rules: CapRules { lanes, ..cap(ports).rules } }
}

/// Lets the links between switches go off, but not those of nodes.
fn sleeping(network: &Network) -> Config {
    let mut config = config(network, 1);
    config.classes[0].states = None;
    config
}

/// Two switches with four nodes each and four links between them, as fast as those of nodes.
fn pair() -> (Network, Config) {
    let network = mesh(&[2], 4, 4);
    let config = sleeping(&network);
    (network, config)
}

fn run_capped(network: &Network, config: &Config, policy: Cap, workload: Workload) -> Record {
    run_with(network, config, &everywhere(network, ClassPolicy::Cap(policy)), workload)
}

/// Each node of the first switch sends so much to one of the second.
fn across(bytes: u64) -> Workload {
    let mut ranks: Vec<_> = (0..4).map(|rank| vec![send(rank + 4, bytes)]).collect();
    ranks.extend((0..4).map(|rank| vec![recv(rank)]));
    job(ranks, &[0, 1, 2, 3, 4, 5, 6, 7])
}

fn there(network: &Network) -> usize {
    channel_of(network, 0, 0, true)
}

fn back(network: &Network) -> usize {
    channel_of(network, 1, 0, false)
}

/// The bytes that a link sends in so many microseconds.
fn bytes(config: &Config, us: u64) -> u64 {
    config.classes[1].bandwidth.0 / 8 * us / 1_000_000
}

/// What the cap does not reach sleeps from the start, not from a window later; bundles have as much, by number.
#[test]
fn a_run_begins_under_the_cap() {
    let (network, mut config) = pair();
    for queues in [Queues::Input, AT_OUTPUTS] {
        config.switch.queues = queues;
        let record = run_capped(&network, &config, cap(3), job(vec![vec![compute(Time(100 * US))]], &[0]));
        let time = |first: usize, state| [0, 1, 2, 3].map(|place| record.channels[first + place].time_in(state).0 / US);
        assert_eq!(time(there(&network), LinkState::On), [100, 100, 100, 0]);
        assert_eq!(time(there(&network), LinkState::Deep), [0, 0, 0, 100]);
        assert_eq!(time(back(&network), LinkState::On), [100, 100, 0, 0]);
        assert_eq!(time(back(&network), LinkState::Deep), [0, 0, 100, 100]);
        let of_cap = record.cap.expect("there is a cap");
        assert_eq!((of_cap.windows, of_cap.commands, of_cap.refused_ps), (0, 0, 0));
        assert_eq!([of_cap.cap_nw, of_cap.floor_nw, of_cap.all_nw, of_cap.most_nw], [53_000, 50_000, 56_000, 53_000]);
    }
}

/// With two of four links, four messages that fill four links take twice as long; with three, four thirds.
#[test]
fn run_time_is_that_of_the_links_that_are_left() {
    let (network, config) = pair();
    let run = |ports: u64| run_capped(&network, &config, cap(ports), across(bytes(&config, 400)));
    let took = |record: &Record| record.makespan.expect("a job").0;
    // Of six, all are on in both directions.
    let all = took(&run(6));
    assert!((400 * US..405 * US).contains(&all), "{all}");
    let half = run(1);
    assert!((800 * US..806 * US).contains(&took(&half)), "{}", took(&half));
    // 800 us are 80 windows, and perhaps one more. All but perhaps the last ask for all four and get two.
    let of_cap = half.cap.expect("there is a cap");
    assert!((80..=82).contains(&of_cap.windows) && of_cap.windows - of_cap.refused_windows <= 2, "{of_cap:?}");
    assert_eq!(of_cap.refused_ps % u128::from(10 * US), 0);
    assert!((158..=163).contains(&(of_cap.refused_ps / u128::from(10 * US))), "{of_cap:?}");
    // A link that the other direction had at the start comes after 18 us; two links work until then, and three from then on.
    let three = took(&run(2));
    let expected = 18 * US + (1_600 - 2 * 18) * US / 3;
    assert!((expected..expected + 8 * US).contains(&three), "{three}");
}

/// By hand: the first window ends at an edge, 10 us. A reaction and an edge later the idle direction's second link goes
/// off. Once it sleeps, and an edge later, the busy direction's third goes on.
#[test]
fn what_goes_on_waits_for_what_goes_off() {
    let (network, config) = pair();
    let record = run_capped(&network, &config, cap(2), across(bytes(&config, 400)));
    let end = record.measured.0;
    let off = 11 * US + CLOCK;
    let on = off + ENTER + CLOCK;
    let [second, third, fourth] = [1, 2, 3].map(|place| residency(&record, there(&network) + place));
    assert_eq!(second, [end, 0, 0, 0, 0]);
    assert_eq!(third, [end - on - WAKE, 0, 0, on, WAKE]);
    assert_eq!(fourth, [0, 0, 0, end, 0]);
    assert_eq!(residency(&record, back(&network) + 1), [off, ENTER, 0, end - off - ENTER, 0]);
    assert_eq!(record.cap.expect("there is a cap").commands, 2);
}

/// A link with a quarter of its lanes takes four times as long. One of four lanes is the floor; with one port's power to
/// divide, the direction that sends gets all lanes, and the other keeps one.
#[test]
fn lanes_under_a_cap() {
    let network = mesh(&[2], 1, 1);
    let config = sleeping(&network);
    let message = || job(vec![vec![send(1, bytes(&config, 400))], vec![recv(0)]], &[0, 1]);
    let took = |cap: Cap| run_capped(&network, &config, cap, message()).makespan.expect("a job").0;
    let alone = took(of_lanes(0, 4));
    assert!((1_600 * US..1_605 * US).contains(&alone), "{alone}");
    // Three quarters of a port: two lanes more, one for each direction at the start, and not two for one of them. Then the
    // other gives its lane up, and two go on.
    let three_quarters = Cap { rules: CapRules { spare: 3 * PORT / 4, ..of_lanes(0, 4).rules } };
    let record = run_capped(&network, &config, three_quarters, message());
    let (end, off) = (record.measured.0, 11 * US + CLOCK);
    let on = off + ENTER + CLOCK;
    assert_eq!(residency(&record, there(&network)), [end - on / 2 - WAKE / 2, 0, 0, on / 2, WAKE / 2]);
    // Two of its four lanes sleep until a third does.
    let asleep = (2 * (off + ENTER) + 3 * (end - off - ENTER)) / 4;
    assert_eq!(residency(&record, back(&network))[1..], [ENTER / 4, 0, asleep, 0]);
    // With half of the lanes for 18 us, and then with all.
    let took = record.makespan.expect("a job").0;
    assert!((409 * US..415 * US).contains(&took), "{took}");
}

/// Packets, whose links go off while they are under way, all arrive; the record is that of any number of partitions.
#[test]
fn the_same_in_any_partitions() {
    for (queues, both) in [(Queues::Input, false), (AT_OUTPUTS, false), (Queues::Input, true)] {
        let network = torus(&[4, 4], 3, 4);
        let mut config = Config { audit: false, ..sleeping(&network) };
        (config.switch.queues, config.sleep.both) = (queues, both);
        let policy = Cap { rules: CapRules { window: Time(US), ..cap(20).rules } };
        let policy = everywhere(&network, ClassPolicy::Cap(policy));
        let run = |partitions: usize| {
            let workload = traffic(0.6, Count::Generated);
            let mut simulation = Simulation::in_partitions(&network, &config, &policy, workload, partitions).unwrap();
            while simulation.advance(1_000).unwrap() != Progress::Done {}
            Record { events: 0, ..simulation.into_record() }
        };
        let whole = run(1);
        assert!(
            whole.cap.is_some_and(|cap| cap.commands > 20 && cap.refused_windows > 0),
            "{queues:?} {both}: {:?}",
            whole.cap
        );
        for partitions in [2, 3, 8] {
            assert!(run(partitions) == whole, "{partitions} partitions");
        }
    }
}

/// What is to be on of links at an instant is never more than the cap lets, by the states that a probe has seen: a second
/// account, which knows nothing of the governor.
fn check_every_instant(network: &Network, config: &Config, policy: &Cap, workload: Workload) -> Record {
    let options = ProbeOptions { timeline: true, ..ProbeOptions::default() };
    let measured = match &workload {
        Workload::OpenLoop(traffic) => Some(Time::ZERO..traffic.warmup.saturating_add(traffic.measure)),
        _ => None,
    };
    let everywhere = everywhere(network, ClassPolicy::Cap(*policy));
    let probe = Probe::new(&everywhere, options, &config.classes, measured);
    let mut simulation = Simulation::new(network, config, &probe, workload).unwrap();
    while simulation.advance(10_000).unwrap() != Progress::Done {}
    let (record, states) = simulation.into_record_and_states();
    let bundles = engine::bundles(network, &config.classes, config.sleep.both, policy);
    let mut changes: Vec<(Time, bool, i64)> = Vec::new();
    let mut spent = -(bundles.iter().map(|bundle| bundle.port.cast_signed()).sum::<i64>());
    for Bundle { channel, back, most, .. } in &bundles {
        for first in std::iter::once(channel).chain(back) {
            // The ports of these networks' trunks are consecutive.
            for channel in first.0..first.0 + most {
                let mut draws = 0;
                for change in &states[channel as usize].seen.changes {
                    let now = if change.state == LinkState::Deep { 0 } else { PORT.cast_signed() };
                    changes.push((change.time, now > draws, now - draws));
                    draws = now;
                }
            }
        }
    }
    // At one instant, what goes off does before what goes on.
    changes.sort_unstable();
    for (time, _, change) in changes {
        spent += change;
        assert!(time == Time::ZERO || spent <= policy.rules.spare.cast_signed(), "{spent} nW at {time}");
    }
    record
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// On random tori, whose packets meet links that come and go: nothing is lost, and the cap holds at every instant.
    #[test]
    fn never_exceeded(
        dims in prop::sample::select(vec![vec![2], vec![4], vec![3, 3], vec![2, 4]]),
        trunk in 2u32..=4,
        ports in 0u64..24,
        window in 500u64..12_000,
        reaction in 2u64..400,
        load in 0.1f64..0.9,
        both in any::<bool>(),
        at_outputs in any::<bool>(),
    ) {
        let network = torus(&dims, trunk, 2);
        let mut config = sleeping(&network);
        config.sleep.both = both;
        config.switch.queues = if at_outputs { AT_OUTPUTS } else { Queues::Input };
        let (window, reaction) = (Time(window * 1_000), Time(reaction * 1_000));
        let policy = Cap { rules: CapRules { window, reaction, ..cap(ports).rules } };
        let record = check_every_instant(&network, &config, &policy, traffic(load, Count::Generated));
        prop_assert_eq!(record.packets_injected, record.packets_delivered);
        let of_cap = record.cap.expect("there is a cap");
        prop_assert!(of_cap.most_nw <= of_cap.cap_nw);
    }
}

/// A cap has what it needs, or says what lacks.
#[test]
fn what_a_cap_needs() {
    let refused = |network: &Network, policy: &Cap| {
        let idle = job(vec![vec![compute(Time(US))]], &[0]);
        let policy = everywhere(network, ClassPolicy::Cap(*policy));
        Simulation::new(network, &sleeping(network), &policy, idle).err().map(|error| error.key)
    };
    let rules = cap(1).rules;
    let network = mesh(&[2], 4, 1);
    assert_eq!(refused(&network, &cap(1)), None);
    assert_eq!(
        refused(&network, &Cap { rules: CapRules { reaction: Time(1_599), ..rules } }),
        Some("power.policy.reaction")
    );
    let long = CapRules { reaction: Time(11 * US), ..rules };
    assert_eq!(refused(&network, &Cap { rules: long }), Some("power.policy.reaction"));
    let alone = mesh(&[2], 1, 1);
    assert_eq!(refused(&alone, &cap(1)), Some("power.policy"));
    assert_eq!(refused(&alone, &of_lanes(1, 4)), None);
}
