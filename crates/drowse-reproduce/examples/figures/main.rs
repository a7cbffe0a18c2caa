//! Makes the documentation's pages of results, and their figures.
//!
//! `cargo run --release -p drowse-reproduce --example figures -- docs` writes them into docs. The same bytes each time:
//! no times, no dates, and no logarithm of the system's library.

mod bounded;
mod bounded_figure;
#[expect(clippy::unwrap_used, reason = "cases are fixed: one that cannot run is a mistake in this file")]
#[path = "../../../drowse-core/tests/it/collective_cases.rs"]
mod collective_cases;
mod collectives;
#[expect(clippy::unwrap_used, reason = "the file is ours: a row that is missing or no number is a mistake there")]
#[expect(dead_code, reason = "pages show kept runs, and run no case")]
mod full_load;
mod idling;
mod idling_figure;
#[expect(clippy::unwrap_used, reason = "the file is ours: a field that is no number is a mistake there")]
#[path = "../../../drowse-twin/tests/it/kept.rs"]
mod kept;
#[expect(clippy::unwrap_used, reason = "the file is ours: a row that is missing or no number is a mistake there")]
#[path = "../../../drowse-core/tests/it/kept_runs.rs"]
mod kept_runs;
mod low_diameter;
mod networks;
mod networks_policies;
mod networks_policies_choice;
mod networks_policies_figure;
mod networks_policies_page;
mod numbers;
mod parallel;
#[expect(clippy::unwrap_used, reason = "cases are fixed: one that cannot run is a mistake in this file")]
#[expect(dead_code, reason = "pages show kept runs, and run no case")]
#[path = "../../../drowse-core/tests/it/peer_cases.rs"]
mod peer_cases;
mod peers;
mod peers_figure;
mod perfbound;
mod perfbound_bands_figure;
mod perfbound_figure;
mod perfbound_page;
mod perfbound_statements;
mod plot;
mod runtime;
mod runtime_figure;
mod stall_timer;
mod stall_timer_figure;
mod stall_timer_page;
mod thin_trees;
mod thin_trees_figure;
mod told;
mod torus;
mod torus_choices_figure;
mod torus_cluster_figure;
mod torus_figure;
mod training;

use std::error::Error;
use std::fs;
use std::path::Path;

use peer_cases::Peer;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).ok_or("give the folder to write to, such as docs")?;
    let folder = Path::new(&folder);
    fs::create_dir_all(folder)?;

    let programs = bounded::read()?;
    fs::write(folder.join("bounded.md"), bounded::page(&programs)?)?;
    fs::write(folder.join("bounded.svg"), bounded_figure::draw(&programs)?)?;

    fs::write(folder.join("collectives.md"), collectives::page())?;

    networks::draw(&folder.join("networks"))?;

    let [torus, trees, low_diameter] =
        [Peer::TORUS, Peer::TREES, Peer::LOW_DIAMETER].map(|peers| peers::curves(&peers));
    fs::write(folder.join("peers.md"), peers::page(&torus, &trees) + &low_diameter::section(&low_diameter))?;
    fs::write(folder.join("peers-torus.svg"), peers_figure::draw(&torus)?)?;
    fs::write(folder.join("peers-trees.svg"), peers_figure::draw(&trees)?)?;
    fs::write(folder.join("peers-low-diameter.svg"), peers_figure::draw(&low_diameter)?)?;

    let idle = idling::run()?;
    let rows = perfbound_page::rows()?;
    fs::write(folder.join("perfbound.md"), perfbound_page::page(&rows, &idle)?)?;
    fs::write(folder.join("perfbound-bands.svg"), perfbound_bands_figure::draw(&rows)?)?;
    fs::write(folder.join("perfbound-idle.svg"), idling_figure::pairs(&idle)?)?;
    fs::write(folder.join("perfbound-timers.svg"), idling_figure::settling(&idle)?)?;
    fs::write(folder.join("perfbound.svg"), perfbound_figure::draw(&perfbound::programs()?)?)?;

    let usage = runtime::run()?;
    fs::write(folder.join("runtime.md"), usage.page()?)?;
    fs::write(folder.join("runtime.svg"), runtime_figure::draw(&usage)?)?;

    let torus = torus::read()?;
    fs::write(folder.join("torus.md"), torus.page()?)?;
    fs::write(folder.join("torus.svg"), torus_figure::draw(&torus)?)?;
    fs::write(folder.join("torus-choices.svg"), torus_choices_figure::draw(&torus)?)?;
    fs::write(folder.join("torus-cluster.svg"), torus_cluster_figure::draw(&torus)?)?;

    fs::write(folder.join("thin-trees.md"), thin_trees::page()?)?;
    fs::write(folder.join("thin-trees.svg"), thin_trees_figure::draw()?)?;

    fs::write(folder.join("training.md"), training::page()?)?;

    let study = networks_policies::read()?;
    fs::write(folder.join("networks-policies.md"), networks_policies_page::page(&study)?)?;
    fs::write(folder.join("networks-policies.svg"), networks_policies_figure::draw(&study)?)?;

    let study = stall_timer::run()?;
    fs::write(folder.join("stall-timer.md"), stall_timer_page::page(&study)?)?;
    fs::write(folder.join("stall-timer.svg"), stall_timer_figure::draw(&study)?)?;
    Ok(())
}
