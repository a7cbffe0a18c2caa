//! What the paper defines or works out: Table 2, the bounds of section 5.1, the network and sleep states of sections 2
//! and 3, and the arithmetic of section 6.3.

use std::num::NonZeroU8;
use std::path::Path;
use std::sync::Arc;

use drowse_core::model::ids::{ChannelId, NodeId};
use drowse_core::model::units::Time;
use drowse_core::power::bins::{self, BINS};
use drowse_core::power::bound::{Bound, Fraction, Messages, Split};
use drowse_core::power::{Learning, SleepStates};
use drowse_core::routing::{Router, route, walk};
use drowse_core::topology::Network;

use super::runs::EXPERIMENT;
use super::savings;
use crate::comparison::{Comparison, Theirs};
use crate::trivial::Kind;
use drowse_experiment::{Diagnostic, Source, System};

/// The bound of the paper's examples, 1 %.
const BILLIONTHS: u32 = 10_000_000;

/// A node that T sends to: its number in our network, where T is node 0 of the first rack, and the messages.
const DESTINATIONS: [(u32, u32); 3] = [(1, 500), (8, 400), (32, 100)];

/// A row of Table 2: the link, as a step on the route to a destination; the counters, and their proportions.
struct Printed {
    link: &'static str,
    to: usize,
    step: usize,
    counters: [&'static str; 4],
    proportions: [&'static str; 3],
}

const TABLE_2: [Printed; 9] = [
    // In its caption "50 %, 40 % and 10 %": one unit of 0.1 is the way to nothing.
    printed("T to L0_0", (0, 0), ["1000", "500", "400", "100"], ["0.50", "0.40", "0.10"]),
    printed("L0_0 to S_0", (0, 1), ["500", "500", "0", "0"], ["1.0", "0", "0"]),
    printed("L0_0 to L1_0", (1, 1), ["500", "0", "400", "100"], ["0", "0.8", "0.2"]),
    printed("L1_0 to L0_1", (1, 2), ["400", "0", "400", "0"], ["0", "1.0", "0"]),
    printed("L0_1 to S_1", (1, 3), ["400", "0", "400", "0"], ["0", "1.0", "0"]),
    printed("L1_0 to L2", (2, 2), ["100", "0", "0", "100"], ["0", "0", "1.0"]),
    printed("L2 to L1_1", (2, 3), ["100", "0", "0", "100"], ["0", "0", "1.0"]),
    printed("L1_1 to L0_2", (2, 4), ["100", "0", "0", "100"], ["0", "0", "1.0"]),
    printed("L0_2 to S_2", (2, 5), ["100", "0", "0", "100"], ["0", "0", "1.0"]),
];

const fn printed(
    link: &'static str,
    (to, step): (usize, usize),
    counters: [&'static str; 4],
    proportions: [&'static str; 3],
) -> Printed {
    Printed { link, to, step, counters, proportions }
}

/// Compares them all.
pub fn comparisons() -> Result<Vec<Comparison>, Diagnostic> {
    let source = Source::new(Path::new("experiment.toml"), EXPERIMENT.to_owned(), &[])?;
    let system = drowse_experiment::system(&Arc::new(source))?;
    let mut comparisons = Vec::new();
    compare_states(&mut comparisons, &system);
    compare_network(&mut comparisons, &system);
    compare_table_2(&mut comparisons, &system);
    compare_splits(&mut comparisons, &system.network);
    compare_learning(&mut comparisons, &system);
    comparisons.extend(savings::comparisons()?);
    Ok(comparisons)
}

/// Compares the times and powers of the sleep states.
fn compare_states(comparisons: &mut Vec<Comparison>, system: &System) {
    // All classes have the same states.
    let states = system.config.classes[0].states;
    let number = |of: fn(&SleepStates) -> f64| states.as_ref().map_or(f64::NAN, of);
    let us = |of: fn(&SleepStates) -> Time| states.as_ref().map_or(f64::NAN, |states| of(states).nanoseconds() / 1e3);
    let [wake, enter] = [us(|states| states.deep.wake), us(|states| states.deep.enter)];
    let mut compare = |quantity, unit, theirs, ours| {
        comparisons.push(Comparison::printed("Section 3", quantity, unit, theirs, ours, RESOLVED).set());
    };
    compare("wake from deep sleep", "us", "4.48", wake);
    compare("enter deep sleep", "us", "2.88", enter);
    compare("wake from fast wake", "us", "0.25", us(|states| states.shallow.wake));
    compare("power on, entering and waking", "%", "100", 100.0 * number(|states| states.transition));
    compare("power in fast wake", "%", "60", 100.0 * number(|states| states.shallow.power));
    compare("power in deep sleep", "%", "10", 100.0 * number(|states| states.deep.power));
    let how = "the paper leaves out the decimals";
    comparisons.push(about("Section 6.1", "enter deep sleep and wake", "us", (7.0, 0.5), enter + wake, how));
}

/// Compares bandwidths, hops and latency.
fn compare_network(comparisons: &mut Vec<Comparison>, system: &System) {
    let network = &system.network;
    for (class, theirs) in ["20", "40", "100"].into_iter().enumerate() {
        let (name, ours) = (&network.classes[class], system.config.classes[class].bandwidth.0 as f64 / 1e9);
        let quantity = format!("bandwidth of links of class {name}");
        comparisons.push(Comparison::printed("Section 3", quantity, "Gb/s", theirs, ours, RESOLVED).set());
    }
    for (hop, class, theirs) in [("the first hop", 0, "320"), ("a subsequent hop", 1, "80")] {
        let ours = system.config.classes[class].hop.nanoseconds();
        comparisons
            .push(Comparison::printed("Section 3", format!("latency of {hop}"), "ns", theirs, ours, RESOLVED).set());
    }
    for (level, ((to, _), theirs)) in DESTINATIONS.into_iter().zip(["2", "4", "6"]).enumerate() {
        let (quantity, ours) = (format!("links crossed up to level {level}"), f64::from(hops(network, to)));
        comparisons.push(Comparison::printed(
            "Section 5.1",
            quantity,
            "links",
            theirs,
            ours,
            "counted in the built network",
        ));
    }
    let mut latency = 0.0;
    route::longest(network, |class, channels| {
        latency += f64::from(channels) * system.config.classes[usize::from(class)].hop.nanoseconds();
    });
    let how = "\"about 1 us\"; 320 ns to and from a node, 80 ns for each of four hops between switches";
    comparisons.push(about("Section 3", "latency of the longest route", "us", (1.0, 0.1), latency / 1e3, how));
}

/// Compares the counters of Table 2 with those along the routes of our network, and the bound that is worked out of
/// them.
fn compare_table_2(comparisons: &mut Vec<Comparison>, system: &System) {
    let router = Router::new(&system.network, &system.config);
    let paths = DESTINATIONS.map(|(node, _)| {
        let mut path = Vec::new();
        walk::walk(&system.network, &router, NodeId(0), NodeId(node), 0, |channel| path.push(channel));
        path
    });
    let all = count(&paths, 0, 0).0;
    for Printed { link, to, step, counters, proportions } in TABLE_2 {
        let (levels, messages) = count(&paths, to, step);
        let place = format!("Table 2, {link}");
        let mut compare = |quantity: String, unit, theirs: &str, ours, if_all| {
            let comparison = Comparison::printed(place.as_str(), quantity, unit, theirs, ours, COUNTED);
            let kind = if theirs == "0" { Kind::NotCounted { all: if_all } } else { Kind::Counted };
            comparisons.push(comparison.with_trivial(kind));
        };
        let total: u32 = levels.iter().sum();
        compare("messages".into(), "messages", counters[0], f64::from(total), 0.0);
        for ((theirs, level), (ours, if_all)) in counters.iter().skip(1).zip(0..).zip(levels.into_iter().zip(all)) {
            compare(format!("to level {level}"), "messages", theirs, f64::from(ours), f64::from(if_all));
        }
        let sent: u32 = all.iter().sum();
        for ((theirs, level), (ours, if_all)) in proportions.iter().zip(0..).zip(levels.into_iter().zip(all)) {
            let [ours, if_all] = [(ours, total), (if_all, sent)].map(|(part, of)| f64::from(part) / f64::from(of));
            compare(format!("proportion to level {level}"), "1", theirs, ours, if_all);
        }
        if link == "L0_0 to L1_0" {
            let ours = local(Split::Ratio, &messages);
            let place = "Section 5.1, L0_0 to L1_0";
            comparisons.push(Comparison::printed(place, "local bound l", "1", "0.00233", ours, WORKED_OUT));
        }
    }
}

/// Counts the messages that cross a step of a route, by the level that they reach, and as a channel of the policy does.
fn count(paths: &[Vec<ChannelId>; 3], to: usize, step: usize) -> ([u32; 3], Messages) {
    let (mut levels, mut messages) = ([0; 3], Messages::default());
    let channel = paths[to].get(step);
    for (path, (_, count)) in
        paths.iter().zip(DESTINATIONS).filter(|(path, _)| channel.is_some_and(|c| path.contains(c)))
    {
        levels[path.len() / 2 - 1] += count;
        (0..count).for_each(|_| messages.add(path.len() as u8));
    }
    (levels, messages)
}

/// Returns the channels between node 0 and another.
fn hops(network: &Network, to: u32) -> u32 {
    let mut hops = 0;
    route::minimal(network, NodeId(0), NodeId(to), |_, channels| hops += channels);
    hops
}

/// Compares the bound of 1 % split equally.
fn compare_splits(comparisons: &mut Vec<Comparison>, network: &Network) {
    let mut longest = 0;
    route::longest(network, |_, channels| longest += channels);
    let Some(hops) = NonZeroU8::new(longest as u8) else { return };
    let part = 100.0 * local(Split::Equal { hops }, &Messages::default());
    let whole = 100.0 * local(Split::Local, &Messages::default());
    let mut compare = |quantity, theirs, ours| {
        comparisons.push(Comparison::printed("Section 5.1", quantity, "%", theirs, ours, WORKED_OUT));
    };
    compare("local bound, split among six links", "0.166", part);
    compare("overhead of two links with it", "0.33", f64::from(self::hops(network, DESTINATIONS[0].0)) * part);
    compare("overhead of six links with the whole bound each", "6", f64::from(longest) * whole);
}

fn local(split: Split, messages: &Messages) -> f64 {
    let Fraction { numerator, denominator } = Bound { billionths: BILLIONTHS, split }.local(messages);
    numerator as f64 / denominator as f64
}

/// Compares the histogram and its refresh.
fn compare_learning(comparisons: &mut Vec<Comparison>, system: &System) {
    let mut longest = 0;
    route::longest(&system.network, |_, channels| longest += channels);
    let mut compare = |quantity, unit, theirs, ours, how| {
        comparisons.push(Comparison::printed("Section 6.3", quantity, unit, theirs, ours, how).set());
    };
    let [shortest, last] = [0, BINS].map(|edge| bins::edge(edge).nanoseconds());
    let refresh = f64::from(Learning::REFRESH.get());
    compare("bins of the histogram", "bins", "100", BINS as f64, "as the policy has them");
    compare("lower edge of the first bin", "us", "1", shortest / 1e3, "as the policy has it");
    compare("upper edge of the last bin", "ms", "100", last / 1e6, "as the policy has it");
    compare("idle periods between refreshes", "periods", "20000", refresh, "as the policy has it");
    // A wake from deep sleep, of which the paper leaves out the decimals.
    let wake = system.config.classes[0].states.as_ref().map_or(f64::NAN, |states| states.deep.wake.nanoseconds() / 1e6);
    let [worst, one_us] = [wake, 1e-3].map(|delay| f64::from(longest) * refresh * delay);
    let how = "six wakes of 4.48 us for each; the paper says \"at 4 us\": the tolerance is 1 us for each";
    let quantity = "all idle periods up to a refresh delayed on six links";
    comparisons.push(about("Section 6.3", quantity, "ms", (480.0, one_us), worst, how));
}

/// Compares a number that is worked out, and that the paper rounds in words.
fn about(
    place: &str,
    quantity: &str,
    unit: &'static str,
    (value, open): (f64, f64),
    ours: f64,
    how: &'static str,
) -> Comparison {
    let trivial = Kind::Counted.trivial();
    let theirs = Theirs::found(value, open, &trivial);
    Comparison { theirs, trivial, ..Comparison::own(place, quantity, unit, ours, how) }
}

const RESOLVED: &str = "resolved from the experiment";
const COUNTED: &str = "messages from one node to three, counted along the routes of the built network";
const WORKED_OUT: &str = "worked out by the policy";
