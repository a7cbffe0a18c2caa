//! What the paper defines or works out: Table 2, the bounds of section 5.1, the network and sleep states of sections 2
//! and 3, and the arithmetic of sections 6.3 and 7.

use std::num::NonZeroU8;
use std::path::Path;
use std::sync::Arc;

use drowse_core::model::ids::NodeId;
use drowse_core::model::units::Time;
use drowse_core::power::bins::{self, BINS};
use drowse_core::power::bound::{Bound, Fraction, Messages, Split};
use drowse_core::power::{Learning, SleepStates};
use drowse_core::routing::route;
use drowse_core::topology::Network;

use super::runs::EXPERIMENT;
use crate::comparison::{Comparison, Theirs};
use drowse_experiment::{Diagnostic, Source, System};

/// The bound of the paper's examples, 1 %.
const BILLIONTHS: u32 = 10_000_000;

/// A node that T sends to: its number in our network, where T is node 0 of the first rack, and the messages.
const DESTINATIONS: [(&str, u32, u32); 3] = [("S_0", 1, 500), ("S_1", 8, 400), ("S_2", 32, 100)];

/// A row of Table 2: the link, the destinations whose messages cross it, the counters, and their proportions.
struct Printed {
    link: &'static str,
    to: &'static [&'static str],
    counters: [&'static str; 4],
    proportions: [&'static str; 3],
}

const TABLE_2: [Printed; 9] = [
    printed("T to L0_0", &["S_0", "S_1", "S_2"], ["1000", "500", "400", "100"], ["0.5", "0.4", "0.1"]),
    printed("L0_0 to S_0", &["S_0"], ["500", "500", "0", "0"], ["1.0", "0", "0"]),
    printed("L0_0 to L1_0", &["S_1", "S_2"], ["500", "0", "400", "100"], ["0", "0.8", "0.2"]),
    printed("L1_0 to L0_1", &["S_1"], ["400", "0", "400", "0"], ["0", "1.0", "0"]),
    printed("L0_1 to S_1", &["S_1"], ["400", "0", "400", "0"], ["0", "1.0", "0"]),
    printed("L1_0 to L2", &["S_2"], ["100", "0", "0", "100"], ["0", "0", "1.0"]),
    printed("L2 to L1_1", &["S_2"], ["100", "0", "0", "100"], ["0", "0", "1.0"]),
    printed("L1_1 to L0_2", &["S_2"], ["100", "0", "0", "100"], ["0", "0", "1.0"]),
    printed("L0_2 to S_2", &["S_2"], ["100", "0", "0", "100"], ["0", "0", "1.0"]),
];

const fn printed(
    link: &'static str,
    to: &'static [&'static str],
    counters: [&'static str; 4],
    proportions: [&'static str; 3],
) -> Printed {
    Printed { link, to, counters, proportions }
}

/// Compares them all.
pub fn comparisons() -> Result<Vec<Comparison>, Diagnostic> {
    let source = Source::new(Path::new("experiment.toml"), EXPERIMENT.to_owned(), &[])?;
    let system = drowse_experiment::system(&Arc::new(source))?;
    let mut comparisons = Vec::new();
    compare_states(&mut comparisons, &system);
    compare_network(&mut comparisons, &system);
    compare_table_2(&mut comparisons, &system.network);
    compare_splits(&mut comparisons, &system.network);
    compare_learning(&mut comparisons, &system);
    compare_savings(&mut comparisons);
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
        comparisons.push(Comparison::printed("Section 3", quantity, unit, theirs, ours, RESOLVED));
    };
    compare("wake from deep sleep", "us", "4.48", wake);
    compare("enter deep sleep", "us", "2.88", enter);
    compare("wake from fast wake", "us", "0.25", us(|states| states.shallow.wake));
    compare("power on, entering and waking", "%", "100", 100.0 * number(|states| states.transition));
    compare("power in fast wake", "%", "60", 100.0 * number(|states| states.shallow.power));
    compare("power in deep sleep", "%", "10", 100.0 * number(|states| states.deep.power));
    comparisons.push(Comparison {
        place: "Section 6.1".into(),
        quantity: "enter deep sleep and wake".into(),
        unit: "us",
        theirs: Theirs::Found { value: 7.0, tolerance: 0.5 },
        ours: Some(enter + wake),
        how: "the paper leaves out the decimals".into(),
    });
}

/// Compares bandwidths, hops and latency.
fn compare_network(comparisons: &mut Vec<Comparison>, system: &System) {
    let network = &system.network;
    for (class, theirs) in ["20", "40", "100"].into_iter().enumerate() {
        let (name, ours) = (&network.classes[class], system.config.classes[class].bandwidth.0 as f64 / 1e9);
        let quantity = format!("bandwidth of links of class {name}");
        comparisons.push(Comparison::printed("Section 3", quantity, "Gb/s", theirs, ours, RESOLVED));
    }
    for (level, ((_, to, _), theirs)) in DESTINATIONS.into_iter().zip(["2", "4", "6"]).enumerate() {
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
    comparisons.push(Comparison {
        place: "Section 3".into(),
        quantity: "latency of the longest route".into(),
        unit: "us",
        theirs: Theirs::Found { value: 1.0, tolerance: 0.1 },
        ours: Some(latency / 1e3),
        how: "\"about 1 us\"; 320 ns to and from a node, 80 ns for each of four hops between switches".into(),
    });
}

/// Compares the counters of Table 2 with those along the routes of our network, and the bound that is worked out of
/// them.
fn compare_table_2(comparisons: &mut Vec<Comparison>, network: &Network) {
    for Printed { link, to, counters, proportions } in TABLE_2 {
        let (levels, messages) = count(network, to);
        let total: u32 = levels.iter().sum();
        let place = format!("Table 2, {link}");
        let ours = [total, levels[0], levels[1], levels[2]];
        for ((name, theirs), ours) in
            ["messages", "to level 0", "to level 1", "to level 2"].iter().zip(counters).zip(ours)
        {
            comparisons.push(Comparison::printed(place.as_str(), *name, "messages", theirs, f64::from(ours), COUNTED));
        }
        for ((level, theirs), ours) in (0..3).zip(proportions).zip(levels) {
            let ours = f64::from(ours) / f64::from(total);
            comparisons.push(Comparison::printed(
                place.as_str(),
                format!("proportion to level {level}"),
                "1",
                theirs,
                ours,
                COUNTED,
            ));
        }
        if link == "L0_0 to L1_0" {
            let ours = local(Split::Ratio, &messages);
            comparisons.push(Comparison::printed(
                "Section 5.1, L0_0 to L1_0",
                "local bound l",
                "1",
                "0.00233",
                ours,
                WORKED_OUT,
            ));
        }
    }
}

/// Counts the messages to some destinations by the level that they reach, and as a channel of the policy does.
fn count(network: &Network, to: &[&str]) -> ([u32; 3], Messages) {
    let (mut levels, mut messages) = ([0; 3], Messages::default());
    for (_, node, count) in DESTINATIONS.into_iter().filter(|(name, ..)| to.contains(name)) {
        let hops = hops(network, node);
        levels[hops as usize / 2 - 1] += count;
        (0..count).for_each(|_| messages.add(hops as u8));
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
    compare("overhead of two links with it", "0.33", 2.0 * part);
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
        comparisons.push(Comparison::printed("Section 6.3", quantity, unit, theirs, ours, how));
    };
    let [shortest, last] = [0, BINS].map(|edge| bins::edge(edge).nanoseconds());
    let refresh = f64::from(Learning::REFRESH.get());
    compare("bins of the histogram", "bins", "100", BINS as f64, "as the policy has them");
    compare("lower edge of the first bin", "us", "1", shortest / 1e3, "as the policy has it");
    compare("upper edge of the last bin", "ms", "100", last / 1e6, "as the policy has it");
    compare("idle periods between refreshes", "periods", "20000", refresh, "as the policy has it");
    let worst = f64::from(longest) * refresh * 4e-3;
    compare("all idle periods up to a refresh delayed on six links, by 4 us", "ms", "480", worst, WORST);
}

/// Compares what section 7 makes of its results.
fn compare_savings(comparisons: &mut Vec<Comparison>) {
    let mut compare = |quantity, unit, theirs, ours, how| {
        comparisons.push(Comparison::printed("Section 7", quantity, unit, theirs, ours, how));
    };
    let links = 0.12 * 0.60;
    let saved = 0.70 * links;
    compare("links, share of the system's energy", "1", "0.072", links, "12 % x 60 %");
    compare("saved on links, share of the system's energy", "1", "0.05", saved, "70 % of it");
    let net = saved - 0.01 * (1.0 - links);
    compare("saved in all, share of the system's energy", "1", "0.04", net, "less 1 % of all but the links");
    let gain = 0.10 * links;
    let rest = 0.003 * (1.0 - links);
    compare("DynamicFastwake over PerfBound", "1", "0.004", gain - rest, "10 % of links, less 0.3 % of the rest");
    compare("saved in four years", "million USD", "3.2", 0.04 * 80.0, "4 % of 80 million USD");
    compare(
        "the same, over PerfBound",
        "million USD",
        "0.57",
        gain * 80.0,
        "0.72 % of 80 million USD, without the 0.3 %",
    );
}

const RESOLVED: &str = "resolved from the experiment";
const COUNTED: &str = "messages from one node to three, counted along the routes of the built network";
const WORKED_OUT: &str = "worked out by the policy";
const WORST: &str = "6 x 20,000 x 4 us, as the paper; with 4.48 us it is 538 ms";
