//! The twin's runs on the cases of two other simulators, stored in a file because the twin is slow.

use super::cases::{Ours, Peer};

/// The switch that the twin simulates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The peer's, over the peer's warm-up and window.
    Theirs,
    /// The fast engine's.
    Ours,
}

/// Returns the mean of the kept runs at a point.
pub fn kept(peer: Peer, mode: Mode, offered: f64) -> Ours {
    let runs = runs(peer, mode, offered);
    let mean = |of: fn(&Ours) -> f64| runs.iter().map(of).sum::<f64>() / runs.len() as f64;
    found(mean(|run| run.accepted), mean(|run| run.latency), offered)
}

/// Returns the kept runs at a point, one for each seed.
///
/// # Panics
///
/// If what is kept are no numbers, as a test does then.
pub fn runs(peer: Peer, mode: Mode, offered: f64) -> Vec<Ours> {
    let point = format!("{peer:?},{mode:?},{offered},");
    let rows = include_str!("../../data/twin_curves.csv").lines().filter(|line| line.starts_with(&point));
    let run = |row: &str| {
        let fields: Vec<&str> = row.split(',').collect();
        let [accepted, latency] = [4, 5].map(|field| fields[field].parse().unwrap());
        found(accepted, latency, offered)
    };
    rows.map(run).collect()
}

/// Returns the mean and the standard deviation of latencies.
pub fn spread(latencies: impl Iterator<Item = f64> + Clone) -> [f64; 2] {
    let count = latencies.clone().count() as f64;
    let mean = latencies.clone().sum::<f64>() / count;
    let squares: f64 = latencies.map(|latency| (latency - mean) * (latency - mean)).sum();
    [mean, (squares / (count - 1.0)).sqrt()]
}

/// Makes a point from the results at an offered load.
pub fn found(accepted: f64, latency: f64, load: f64) -> Ours {
    Ours { accepted, latency, saturated: accepted < 0.95 * load }
}
