//! Prints our latency curves beside those of two other simulators, as a Markdown table.
//!
//! `cargo run --release -p drowse-core --example peers` makes docs/peers.md.

#![expect(clippy::print_stdout, reason = "printing is what this example is for")]

#[path = "../tests/it/peer_cases.rs"]
mod peer_cases;

use peer_cases::Peer;

fn main() {
    println!("{}", include_str!("peers_head.md").trim_end());
    for peer in Peer::ALL {
        println!("\n## {}\n", peer.name());
        println!("| offered load | their latency, cycles | ours | difference | they accept | we accept |");
        println!("|---|---|---|---|---|---|");
        for point in peer.curve() {
            let ours = peer.ours(point.offered, 10_000);
            let difference = 100.0 * (ours.latency / point.latency - 1.0);
            let latency = if ours.saturated { "saturated".into() } else { format!("{:.2}", ours.latency) };
            let difference = if ours.saturated { "-".into() } else { format!("{difference:+.1} %") };
            println!(
                "| {} | {:.2} | {latency} | {difference} | {:.3} | {:.3} |",
                point.offered, point.latency, point.accepted, ours.accepted
            );
        }
    }
}
