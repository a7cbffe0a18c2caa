//! Prints how many flows a second are begun, solved and ended: `speed [NODES [CASE [SECONDS]]]`.
//!
//! NODES is 512 or 4096 (both without it); CASE is a part of the name of a case; each runs for so many seconds of CPU
//! time (2.5), or to its end. The network is a torus with dimension-order routing or a fat tree of three levels with
//! destination-modulo routing, both with links of 50 GB/s.

#![expect(clippy::print_stdout, reason = "what it measures is what it prints")]

mod network;
mod run;

use drowse_flows::Fairness;
use network::{Network, Torus, Tree};
use run::{Pattern, Solve, measure};

/// The cases: a name, whether on a tree, and what is sent.
const CASES: [(&str, bool, Pattern); 10] = [
    ("torus random", false, Pattern::Random { one_in: 1 }),
    ("torus light", false, Pattern::Random { one_in: 72 }),
    ("torus ring =", false, Pattern::Ring { is_spread: false }),
    ("torus ring ~", false, Pattern::Ring { is_spread: true }),
    ("torus a2a =", false, Pattern::AllToAll { is_spread: false }),
    ("torus a2a ~", false, Pattern::AllToAll { is_spread: true }),
    ("tree random", true, Pattern::Random { one_in: 1 }),
    ("tree ring ~", true, Pattern::Ring { is_spread: true }),
    ("tree a2a =", true, Pattern::AllToAll { is_spread: false }),
    ("tree a2a ~", true, Pattern::AllToAll { is_spread: true }),
];

fn main() {
    let mut words = std::env::args().skip(1);
    let nodes: Option<u32> = words.next().and_then(|word| word.parse().ok());
    let name = words.next().unwrap_or_default();
    let seconds: f64 = words.next().and_then(|word| word.parse().ok()).unwrap_or(2.5);
    println!("thousand flows per CPU second (rates that change in a solve)");
    println!(
        "{:<14}{:>6}  {:>16}{:>16}{:>16}{:>16}",
        "", "nodes", "by flow: local", "component", "full", "by port: local"
    );
    for side in [8, 16].into_iter().filter(|side| nodes.is_none_or(|nodes| nodes == side * side * side)) {
        for (case, is_tree, pattern) in CASES.into_iter().filter(|(case, ..)| case.contains(&name)) {
            let network: &dyn Network = if is_tree { &Tree { side } } else { &Torus { side } };
            let of = |solve, fairness| measure(network, pattern, solve, fairness, seconds);
            println!(
                "{case:<14}{:>6}  {:>16}{:>16}{:>16}{:>16}",
                side * side * side,
                of(Solve::Local, Fairness::Flow),
                of(Solve::Components, Fairness::Flow),
                of(Solve::Full, Fairness::Flow),
                of(Solve::Local, Fairness::Port),
            );
        }
    }
}
