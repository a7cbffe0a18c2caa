//! Our latency curves beside those of two other simulators: the runs, and the page's tables.

use std::fmt::Write;

use drowse_twin::peers::engine_runs::{self, Run};
use drowse_twin::peers::twin_runs::{self, Mode};
use drowse_twin::peers::{Ours, Peer, Point};

/// A peer's curve, and what we find at its points.
pub struct Curve {
    /// The other simulator.
    pub peer: Peer,
    /// By offered load.
    pub points: Vec<Found>,
}

/// What there is at one offered load.
pub struct Found {
    /// The peer's point.
    pub theirs: Point,
    /// The fast engine's.
    pub ours: Ours,
    /// The fast engine's with the switch of CAMINOS.
    pub with_their_switch: Option<Ours>,
    /// The twin's in the peer's mode.
    pub twin: Ours,
    /// The twin's in our mode, and the fast engine's over as many cycles.
    pub twin_and_ours: [Ours; 2],
}

/// Takes the runs of the fast engine and of the twin at all points of some peers from their files.
pub fn curves(peers: &[Peer]) -> Vec<Curve> {
    let found = |peer: Peer, theirs: Point| {
        let load = theirs.offered;
        let [twin, twin_in_ours] = [Mode::Theirs, Mode::Ours].map(|mode| twin_runs::kept(peer, mode, load));
        Found {
            theirs,
            ours: engine_runs::kept(peer, Run::Long, load),
            with_their_switch: (!peer.is_booksim()).then(|| engine_runs::kept(peer, Run::TheirSwitch, load)),
            twin,
            twin_and_ours: [twin_in_ours, engine_runs::kept(peer, Run::Short, load)],
        }
    };
    let curve = |&peer: &Peer| Curve { peer, points: peer.curve().into_iter().map(|at| found(peer, at)).collect() };
    peers.iter().map(curve).collect()
}

/// Writes the page.
pub fn page() -> String {
    include_str!("peers_head.md").replace("{seeds}", &seeds_table())
}

/// Writes the page of the curves of tori and trees.
pub fn curves_page(torus: &[Curve], trees: &[Curve]) -> String {
    let mut page = include_str!("peers_torus.md").to_owned();
    torus.iter().for_each(|curve| push_table(&mut page, curve));
    page.push('\n');
    page.push_str(include_str!("peers_trees.md").trim_end());
    page.push('\n');
    trees.iter().for_each(|curve| push_table(&mut page, curve));
    page
}

/// Writes the rows of the points at which many seeds are compared.
fn seeds_table() -> String {
    let points = Peer::TREES.into_iter().chain(Peer::LOW_DIAMETER).flat_map(|peer| {
        let curve = peer.curve().into_iter().filter(move |point| !peer.seeds(point.offered).is_empty());
        curve.map(move |point| (peer, point))
    });
    let row = |(peer, point): (Peer, Point)| {
        let seeds = peer.seeds(point.offered);
        let theirs = peer.mean(point.offered).latency;
        let [_, their_deviation] = twin_runs::spread(seeds.iter().map(|point| point.latency));
        let runs = twin_runs::runs(peer, Mode::Theirs, point.offered);
        let [twin, twin_deviation] = twin_runs::spread(runs.iter().map(|run| run.latency));
        let ours = engine_runs::kept(peer, Run::TheirSwitch, point.offered).latency;
        let [twin_differs, we_differ] = [twin, ours].map(|latency| 100.0 * (latency / theirs - 1.0));
        format!(
            "| {} | {} | {} | {:.1} | {theirs:.1} ± {their_deviation:.1} | {twin:.1} ± {twin_deviation:.1} \
             ({twin_differs:+.1} %) | {ours:.1} ({we_differ:+.1} %) |",
            peer.name(),
            point.offered,
            seeds.len(),
            point.latency,
        )
    };
    points.map(row).collect::<Vec<String>>().join("\n")
}

/// Writes the table of a curve.
pub fn push_table(page: &mut String, curve: &Curve) {
    let _ = writeln!(page, "\n### {}\n", curve.peer.name());
    let (switch, accepts, lines) = if curve.peer.is_booksim() {
        ("", "", "|---|---|---|---|---|---|---|")
    } else {
        (" ours, their switch |", " with their switch |", "|---|---|---|---|---|---|---|---|---|")
    };
    let _ = writeln!(
        page,
        "| offered load | their latency, cycles | twin in their mode |{switch} ours | they accept | twin |{accepts} we accept |\n{lines}"
    );
    for Found { theirs, ours, with_their_switch, twin, .. } in &curve.points {
        let beside = |latency: f64| {
            let permille = (1000.0 * (latency / theirs.latency - 1.0)).round();
            // Adding zero takes the sign from a zero.
            format!("{latency:.2} ({:+.1} %)", permille / 10.0 + 0.0)
        };
        let ours_beside = if ours.saturated { "saturated".into() } else { beside(ours.latency) };
        let [latency, accepted] = with_their_switch.as_ref().map_or([String::new(), String::new()], |ours| {
            [format!(" {} |", beside(ours.latency)), format!(" {:.3} |", ours.accepted)]
        });
        let _ = writeln!(
            page,
            "| {} | {:.2} | {} |{latency} {ours_beside} | {:.3} | {:.3} |{accepted} {:.3} |",
            theirs.offered,
            theirs.latency,
            beside(twin.latency),
            theirs.accepted,
            twin.accepted,
            ours.accepted
        );
    }
    let equal = |found: &&Found| found.twin_and_ours[0].latency.total_cmp(&found.twin_and_ours[1].latency).is_eq();
    let _ = writeln!(
        page,
        "\nOver {} cycles, the twin in our mode has the engine's mean latency, to the last digit, at {} of these {} loads.",
        curve.peer.short_cycles(),
        curve.points.iter().filter(equal).count(),
        curve.points.len()
    );
}
