//! Follows the packets of forwarding tables: every pair of nodes has one path, whose channels depend on each other.
//!
//! The tables may be any, so the dependencies of all pairs are put together, and then looked through for a circle.

use crate::model::ids::NodeId;
use crate::routing::destination::Destination;
use crate::routing::router::Router;
use crate::topology::Network;
use crate::topology::graph::forwarding;

use super::Waiting;
use super::direct::{Direct, place};
use super::graph::Followed;
use super::trunks::Trunks;
use super::verdict::{Proof, Verdict};

/// Follows all packets.
pub fn check(network: &Network, trunks: &Trunks, router: &Router<'_>, vcs: u32) -> Result<Followed, Verdict> {
    let channels = (trunks.count() * vcs) as usize;
    let (mut used, mut direct) = (vec![false; channels], Direct::new(trunks, vcs, 0));
    follow_all(network, trunks, router, vcs, |held, channel, _| {
        used[channel as usize] = true;
        if let Some(held) = held {
            direct.depend(held, channel);
        }
    })
    .map_err(|(at, to)| Verdict::Stray { at, to })?;
    let dependencies = direct.count();
    let asked = direct.into_asked();
    let graph = Asked { trunks, vcs, words: super::direct::words(trunks, vcs), asked: &asked };
    match graph.longest_chain(channels) {
        Ok(longest) => {
            let count = used.iter().filter(|used| **used).count() as u64;
            let longest = if count == 0 { 0 } else { longest + 1 };
            let proof = Proof { channels: count, dependencies, longest, bubbles: 0 };
            Ok(Followed { proof, used, asked })
        }
        Err(circle) => {
            let goals = goals(network, trunks, router, vcs, &circle);
            let waiting =
                circle.iter().zip(goals).map(|(&channel, to)| Waiting::new(network, trunks, vcs, channel, to));
            Err(Verdict::Circle(waiting.collect()))
        }
    }
}

/// Calls `visit` with each channel that a packet of some pair of nodes takes, the one before it on its path, and the switch
/// that the packet goes to. Returns where a path has no output, and to which switch it leads.
fn follow_all(
    network: &Network,
    trunks: &Trunks,
    router: &Router<'_>,
    vcs: u32,
    mut visit: impl FnMut(Option<u32>, u32, u32),
) -> Result<(), (u32, u32)> {
    let lanes = forwarding(network).is_some_and(|tables| tables.lanes.is_some());
    // Without lanes, packets to a node go alike from where their paths meet: each switch is gone on from once.
    let mut last_to: Vec<Option<u32>> = vec![None; network.switches() as usize];
    for (to, &port) in (0..).zip(network.node_port.iter()) {
        let switch = network.port_switch(port as usize);
        let goal = Destination { switch, output: (port - network.first_port[switch as usize]) as u16 };
        for from in (0..network.nodes).filter(|&from| from != to) {
            let mut at = network.node_switch(NodeId(from)).0;
            let route = router.begin(at, from, 0);
            let mut held: Option<(u32, u8)> = None;
            while at != switch {
                let group = router.only_group(at, goal, route, || 0).ok_or((at, switch))?;
                let trunk = trunks.of_outputs(network.first_port[at as usize], group).next().ok_or((at, switch))?;
                let known = last_to[at as usize].replace(to) == Some(to) && !lanes;
                if known && held.is_none() {
                    break;
                }
                for vc in (0..vcs).filter(|vc| group.vcs >> vc & 1 == 1) {
                    let channel = trunk * vcs + vc;
                    match held {
                        None => visit(None, channel, switch),
                        Some((before, mask)) => (0..vcs)
                            .filter(|vc| mask >> vc & 1 == 1)
                            .for_each(|vc| visit(Some(before * vcs + vc), channel, switch)),
                    }
                }
                if known {
                    break;
                }
                (at, held) = (trunks.leads_to[trunk as usize], Some((trunk, group.vcs)));
            }
        }
    }
    Ok(())
}

/// Finds, for each channel of a circle, a switch that packets go to which hold it and ask for the next.
fn goals(network: &Network, trunks: &Trunks, router: &Router<'_>, vcs: u32, circle: &[u32]) -> Vec<u32> {
    let mut goals = vec![0; circle.len()];
    // No path strays: all have been followed before.
    let _ = follow_all(network, trunks, router, vcs, |held, channel, to| {
        let Some(place) = held.and_then(|held| circle.iter().position(|&it| it == held)) else { return };
        if circle[(place + 1) % circle.len()] == channel {
            goals[place] = to;
        }
    });
    goals
}

/// The dependencies of all pairs.
struct Asked<'a> {
    trunks: &'a Trunks,
    vcs: u32,
    words: usize,
    asked: &'a [u64],
}

/// How far the search has come with a channel.
#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    OnPath,
    /// Channels of the longest chain that begins with it, less one.
    Done(u32),
}

impl Asked<'_> {
    /// Returns the channels that are asked for from one.
    fn next(&self, channel: u32) -> impl Iterator<Item = u32> {
        let switch = self.trunks.leads_to[(channel / self.vcs) as usize];
        let words = &self.asked[channel as usize * self.words..][..self.words];
        let of_switch = self.trunks.of_switch(switch).flat_map(|trunk| (0..self.vcs).map(move |vc| (trunk, vc)));
        of_switch.filter_map(move |(trunk, vc)| {
            let place = place(self.trunks, self.vcs, trunk, vc);
            (words[place / 64] >> (place % 64) & 1 == 1).then_some(trunk * self.vcs + vc)
        })
    }

    /// Returns the channels of the longest chain, less one, or a circle.
    fn longest_chain(&self, channels: usize) -> Result<u32, Vec<u32>> {
        let mut state = vec![State::New; channels];
        let mut longest = 0;
        for start in 0..channels as u32 {
            if state[start as usize] != State::New {
                continue;
            }
            state[start as usize] = State::OnPath;
            // Each channel on the path, with those that are left to look at behind it and the longest chain behind it.
            let mut path: Vec<(u32, Vec<u32>, u32)> = vec![(start, self.next(start).collect(), 0)];
            while let Some((at, left, chain)) = path.last_mut() {
                let Some(next) = left.pop() else {
                    let (at, chain) = (*at, *chain);
                    state[at as usize] = State::Done(chain);
                    longest = longest.max(chain);
                    path.pop();
                    if let Some((_, _, before)) = path.last_mut() {
                        *before = (*before).max(chain + 1);
                    }
                    continue;
                };
                match state[next as usize] {
                    State::Done(behind) => *chain = (*chain).max(behind + 1),
                    State::New => {
                        state[next as usize] = State::OnPath;
                        path.push((next, self.next(next).collect(), 0));
                    }
                    State::OnPath => {
                        let begin = path.iter().position(|(channel, ..)| *channel == next).unwrap_or(0);
                        return Err(path[begin..].iter().map(|(channel, ..)| *channel).collect());
                    }
                }
            }
        }
        Ok(longest)
    }
}
