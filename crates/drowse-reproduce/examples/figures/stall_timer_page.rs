//! The page on stall timers.

use std::fmt::Write;

use crate::stall_timer::{Figures, Study};

/// Writes the page.
pub fn page(study: &Study) -> Result<String, String> {
    let mut page = text(study)?;
    page.push_str("\n## The numbers\n\n");
    page.push_str("| stall timer | makespan | slowdown | deep sleep, share of channel time | wakes | W_net ");
    page.push_str("| E_net, relative | E_cluster, relative |\n|---|---|---|---|---|---|---|---|\n");
    for point in &study.points {
        let timer = format!("{} us", point.microseconds);
        push_row(&mut page, &timer, &point.figures, [point.slowdown, point.network, point.cluster]);
    }
    push_row(&mut page, "always on", &study.always_on, [0.0, 1.0, 1.0]);
    Ok(page)
}

/// Puts the numbers into the text, so that it cannot differ from the table.
fn text(study: &Study) -> Result<String, String> {
    let [one, fifty, hundred, thousand] = [study.at(1)?, study.at(50)?, study.at(100)?, study.at(1_000)?];
    let [network, cluster] = [study.least(|point| point.network)?, study.least(|point| point.cluster)?];
    let long = study.points.iter().filter(|point| point.microseconds >= 200).map(|point| point.cluster);
    Ok(format!(
        include_str!("stall_timer_text.md"),
        slowdown_1 = 100.0 * one.slowdown,
        slowdown_50 = 100.0 * fifty.slowdown,
        slowdown_100 = 100.0 * hundred.slowdown,
        slowdown_1000 = 100.0 * thousand.slowdown,
        wakes_1 = one.figures.wakes,
        wakes_50 = fifty.figures.wakes,
        wakes_100 = hundred.figures.wakes,
        wakes_1000 = thousand.figures.wakes,
        deep_1 = 100.0 * one.figures.deep,
        network_50 = fifty.network,
        network_100 = hundred.network,
        deep_1000 = 100.0 * thousand.figures.deep,
        power_1 = one.figures.network_power,
        power_1000 = thousand.figures.network_power,
        least_network = network.microseconds,
        network = network.network,
        least_cluster = cluster.microseconds,
        cluster = cluster.cluster,
        network_share = 100.0 * study.always_on.network_share,
        saved_network_1 = 100.0 * (1.0 - one.network),
        saved_cluster_1 = 100.0 * (1.0 - one.cluster),
        cluster_low = long.clone().fold(f64::INFINITY, f64::min),
        cluster_high = long.fold(f64::NEG_INFINITY, f64::max),
    ))
}

/// Adds a line; the relative figures are slowdown, `E_net` and `E_cluster`.
fn push_row(page: &mut String, timer: &str, figures: &Figures, [slowdown, network, cluster]: [f64; 3]) {
    let _ = writeln!(
        page,
        "| {timer} | {:.2} ms | {:.2} % | {:.2} % | {:.0} | {:.3} | {network:.4} | {cluster:.4} |",
        1e3 * figures.makespan,
        100.0 * slowdown,
        100.0 * figures.deep,
        figures.wakes,
        figures.network_power,
    );
}
