//! The twin on the cases of two other simulators: in their mode, with exactly their switch, and in ours.

use drowse_core::model::config::Config;
use drowse_core::model::units::Time;
use drowse_core::power::Timers;
use drowse_core::routing::RoutingKind;
use drowse_core::topology::Network;
use drowse_core::workload::traffic::Traffic;
use drowse_twin::peers::twin_runs::{Mode, found};
use drowse_twin::peers::{CYCLE, Ours, Peer};
use drowse_twin::policy::Policy;
use drowse_twin::{Outcome, cut_through, flits};

/// Runs the twin.
pub fn run(peer: Peer, mode: Mode, load: f64, seed: u64) -> Ours {
    match mode {
        Mode::Theirs => in_their_mode(peer, load, seed),
        Mode::Ours => in_our_mode(peer, load, seed, peer.short_cycles()),
    }
}

/// Runs the twin in a peer's mode. There, our wires, hops and arbiters have no effect, and outputs up on trees are
/// selected as in the peer.
fn in_their_mode(peer: Peer, load: f64, seed: u64) -> Ours {
    let (warmup, measure) = peer.their_cycles();
    let (network, mut config, traffic) = peer.settings(load, measure);
    let traffic = Traffic { warmup: Time(CYCLE * warmup), ..traffic };
    config.seed = seed;
    if Peer::LOW_DIAMETER.contains(&peer) {
        // Four virtual channels: one per hop between switches; the last hop to the node may use any.
        config.switch.vcs.any = 4 - config.switch.vcs.hop;
    }
    if config.routing == RoutingKind::Random {
        config.routing = RoutingKind::Adaptive;
    }
    let run = match peer {
        Peer::BookSim | Peer::BookSimTree4096 | Peer::BookSimDragonfly => flits::wormhole,
        Peer::Caminos
        | Peer::CaminosAdaptive
        | Peer::CaminosTree64
        | Peer::CaminosTree4096
        | Peer::CaminosDragonfly
        | Peer::CaminosSlimFly
        | Peer::CaminosHyperX => flits::output_queued,
    };
    point(&run(&network, &config, &traffic).unwrap(), load, measure, network.nodes)
}

/// Runs the twin as [`Peer::with_their_switch`] runs the fast engine.
pub fn with_their_switch(peer: Peer, load: f64) -> f64 {
    let latency = |seed| {
        let (network, config, traffic) = peer.settings_of_their_switch(load, seed);
        in_our_mode_with(&network, &config, &traffic, load).latency
    };
    Peer::SEEDS.map(latency).iter().sum::<f64>() / Peer::SEEDS.len() as f64
}

/// Runs the twin as [`Peer::ours`] runs the fast engine.
pub fn in_our_mode(peer: Peer, load: f64, seed: u64, cycles: u64) -> Ours {
    let (network, mut config, traffic) = peer.settings(load, cycles);
    config.seed = seed;
    in_our_mode_with(&network, &config, &traffic, load)
}

fn in_our_mode_with(network: &Network, config: &Config, traffic: &Traffic, load: f64) -> Ours {
    let policies = vec![Policy::Timers(Timers::NEVER); network.classes.len()];
    let outcome = cut_through::run(network, config, &policies, traffic).unwrap();
    point(&outcome, load, traffic.measure.0 / CYCLE, network.nodes)
}

fn point(outcome: &Outcome, load: f64, cycles: u64, nodes: u32) -> Ours {
    let accepted = outcome.delivered_flits as f64 / (cycles as f64 * f64::from(nodes));
    let latencies: u128 = outcome.packet_latencies.iter().map(|&latency| u128::from(latency)).sum();
    let mean = latencies as f64 / outcome.packet_latencies.len() as f64;
    found(accepted, mean / CYCLE as f64, load)
}
