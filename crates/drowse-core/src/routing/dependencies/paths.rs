//! Follows the packets of drawn paths: every path must lead to its destination and find a class of virtual channels for
//! each hop.

use crate::routing::destination::Destination;
use crate::routing::router::Router;
use crate::topology::Network;
use crate::topology::geometry::graph::paths::Paths;

use super::direct::Direct;
use super::graph::Followed;
use super::hops::Stray;
use super::rules;
use super::trunks::Trunks;
use super::verdict::Proof;

/// Follows all paths.
pub fn check(
    network: &Network,
    trunks: &Trunks,
    router: &Router<'_>,
    vcs: u32,
    paths: &Paths,
) -> Result<Followed, Stray> {
    let ends = rules::destinations(network, router.kind);
    let mut seen = Seen {
        bounds: Bounds { vcs, longest: paths.longest },
        used: vec![false; (trunks.count() * vcs) as usize],
        direct: Direct::new(trunks, vcs, 0),
        longest: 0,
    };
    for &to in &ends {
        for from in ends.iter().filter(|from| from.switch != to.switch) {
            for path in 0..paths.each {
                // Of 16 random bits, those that draw this path.
                let random = (path * (1 << 16)).div_ceil(paths.each) as u16;
                let route = paths.draw(from.switch, random);
                follow(network, trunks, router, Path { from: from.switch, to, route }, &mut seen)?;
            }
        }
    }
    let channels = seen.used.iter().filter(|used| **used).count() as u64;
    let proof = Proof { channels, dependencies: seen.direct.count(), longest: seen.longest, bubbles: 0 };
    Ok(Followed { proof, used: seen.used, asked: seen.direct.into_asked() })
}

/// What has been seen so far.
struct Seen<'a> {
    bounds: Bounds,
    used: Vec<bool>,
    direct: Direct<'a>,
    /// Channels of the longest path.
    longest: u32,
}

/// What paths may have.
#[derive(Clone, Copy)]
struct Bounds {
    /// Virtual channels of a channel.
    vcs: u32,
    /// Channels of a path.
    longest: u32,
}

/// A path that packets of a route number take from a switch.
#[derive(Clone, Copy)]
struct Path {
    from: u32,
    to: Destination,
    route: u16,
}

/// Follows one path.
fn follow(
    network: &Network,
    trunks: &Trunks,
    router: &Router<'_>,
    path: Path,
    seen: &mut Seen<'_>,
) -> Result<(), Stray> {
    let (Path { from, to, route }, Bounds { vcs, longest }) = (path, seen.bounds);
    let (mut at, mut held) = (from, Vec::new());
    for hop in 0.. {
        if at == to.switch {
            break;
        }
        let group = router.only_group(at, to, route, || hop).filter(|group| group.vcs != 0 && hop < longest);
        let group = group.ok_or(Stray(at, to.switch))?;
        let trunk = trunks.of_outputs(network.first_port[at as usize], group).next().ok_or(Stray(at, to.switch))?;
        let asked: Vec<u32> = (0..vcs).filter(|vc| group.vcs >> vc & 1 == 1).map(|vc| trunk * vcs + vc).collect();
        for &channel in &asked {
            seen.used[channel as usize] = true;
            held.iter().for_each(|&held| seen.direct.depend(held, channel));
        }
        seen.longest = seen.longest.max(hop + 1);
        (at, held) = (trunks.leads_to[trunk as usize], asked);
    }
    Ok(())
}
