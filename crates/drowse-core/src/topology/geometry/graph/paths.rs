//! The k shortest loopless paths between every two switches with nodes (Yen 1971), as tables that follow a path hop by
//! hop.
//!
//! A path is a sequence of switches; parallel links count as one. Yen's method finds each further path as the shortest
//! that leaves one of those found at some switch of it, by a search (A*, Hart et al. 1968) that knows how far every
//! switch is from the destination where nothing is closed. Among paths as long, those that are found first are taken;
//! searches begin with another neighbour for each pair, so that all links get their share.

use super::adjacency::{Adjacency, Neighbour};
use super::distances::Distances;
use crate::model::config::VirtualChannels;
use crate::model::rng;
use crate::topology::error::NetworkError;

/// The most paths between two switches.
pub const MAX_PATHS: u32 = 64;

/// The paths of all pairs of switches with nodes.
#[derive(Clone, Debug)]
pub struct Paths {
    /// Paths of each pair; where there are fewer, they come several times.
    pub each: u32,
    /// The most channels of a path.
    pub longest: u32,
    /// The place of each switch among those with nodes; [`NONE`] elsewhere.
    place: Vec<u32>,
    /// How many there are.
    sources: u32,
    /// By destination, source, path and hop: the neighbour to go to, among those of the switch.
    hops: Vec<u16>,
}

/// No switch, no neighbour.
const NONE: u32 = u32::MAX;

impl Paths {
    /// The most channels of a path: each is on virtual channels of its own.
    pub const MAX_HOPS: u32 = VirtualChannels::MAX as u32;
    /// The most paths of a network.
    pub const MOST: u64 = 1 << 24;

    /// Finds the paths of a connected graph.
    pub fn new(adjacency: &Adjacency, nodes: &[u32], each: u32) -> Result<Self, NetworkError> {
        let with_nodes: Vec<u32> =
            (0..).zip(nodes).filter(|(_, nodes)| **nodes > 0).map(|(switch, _)| switch).collect();
        let sources = with_nodes.len() as u64;
        check(sources, each)?;
        let mut place = vec![NONE; nodes.len()];
        (0..).zip(&with_nodes).for_each(|(number, &switch)| place[switch as usize] = number);
        let mut paths = Paths { each, longest: 0, place, sources: sources as u32, hops: Vec::new() };
        paths.hops.reserve_exact((sources * sources * u64::from(each) * u64::from(Self::MAX_HOPS)) as usize);
        let distances = Distances::new(adjacency, nodes);
        let mut yen = Yen::new(adjacency);
        for &to in &with_nodes {
            for &from in &with_nodes {
                let found = if from == to { vec![Vec::new()] } else { yen.paths(&distances, from, to, each as usize) };
                paths.add(&found, from, to)?;
            }
        }
        paths.pack();
        Ok(paths)
    }

    /// Returns what a packet remembers of the path that is drawn for it, by 16 random bits, at its source switch.
    #[inline]
    pub fn draw(&self, from: u32, random: u16) -> u16 {
        let path = (u32::from(random) * self.each) >> 16;
        (self.place[from as usize] * self.each + path) as u16
    }

    /// Returns the neighbours that a packet goes to which remembers a path, by their places among those of the switch
    /// it is at.
    #[inline]
    pub fn hops(&self, route: u16, to: u32) -> &[u16] {
        let pair = self.place[to as usize] as usize * (self.sources * self.each) as usize + usize::from(route);
        &self.hops[pair * self.longest as usize..][..self.longest as usize]
    }

    /// Adds the paths of a pair.
    fn add(&mut self, found: &[Vec<u16>], from: u32, to: u32) -> Result<(), NetworkError> {
        for path in (0..self.each as usize).map(|number| &found[number % found.len()]) {
            let length = path.len() as u32;
            if length > Self::MAX_HOPS {
                let what = format!("a path from switch {from} to switch {to} has {length} channels");
                let cure = "packets take other VCs with each channel, of at most 8: write fewer paths, or routing = \"up-down\"";
                return Err(NetworkError::Refused { key: "network.paths".into(), what, cure: cure.into() });
            }
            self.longest = self.longest.max(length);
            self.hops.extend(path);
            self.hops.extend((length..Self::MAX_HOPS).map(|_| u16::MAX));
        }
        Ok(())
    }

    /// Leaves out what no path uses of the room for its hops.
    fn pack(&mut self) {
        let (each, longest) = (Self::MAX_HOPS as usize, self.longest as usize);
        let paths = self.hops.len() / each;
        for path in 0..paths {
            self.hops.copy_within(path * each..path * each + longest, path * longest);
        }
        self.hops.truncate(paths * longest);
        self.hops.shrink_to_fit();
    }
}

/// Refuses what does not fit the tables, or the 16 bits in which packets remember their path.
fn check(sources: u64, each: u32) -> Result<(), NetworkError> {
    let refuse = |value: String, most: u64| {
        let cure = format!("write at most {most}, or another routing");
        let what = format!("{each} paths between every two of {sources} switches {value}");
        Err(NetworkError::Refused { key: "network.paths".into(), what, cure })
    };
    if !(1..=MAX_PATHS).contains(&each) {
        return refuse("are none or too many".into(), u64::from(MAX_PATHS));
    }
    let most = ((1 << 16) / sources).min(Paths::MOST / (sources * sources));
    if u64::from(each) > most {
        return if most == 0 {
            let what = format!("{sources} switches with nodes are too many for tables of paths");
            let cure = "write another routing, such as \"minimal\"".into();
            Err(NetworkError::Refused { key: "network.routing".into(), what, cure })
        } else {
            refuse("are too many".into(), most)
        };
    }
    Ok(())
}

/// Yen's method, with what its searches need.
struct Yen<'a> {
    adjacency: &'a Adjacency,
    /// Counts searches.
    search: u32,
    /// By switch: the last search in which no path may lead there, because it has been there or the search from it is
    /// done.
    closed: Vec<u32>,
    /// By switch: where the search came from, to which of the neighbours there.
    came: Vec<(u32, u16)>,
    /// Switches to go on from, how the search came there, and the channels so far, by how many more than the least
    /// they have and need.
    open: Vec<Vec<Open>>,
}

#[derive(Clone, Copy)]
struct Open {
    at: u32,
    from: u32,
    by: u16,
    channels: u32,
}

/// A path as the neighbours to go to, each among those of its switch.
type Path = Vec<u16>;

impl<'a> Yen<'a> {
    fn new(adjacency: &'a Adjacency) -> Self {
        let switches = adjacency.switches() as usize;
        Yen { adjacency, search: 0, closed: vec![0; switches], came: vec![(NONE, 0); switches], open: Vec::new() }
    }

    /// Finds so many paths between two switches, the shortest first; fewer where there are no more.
    fn paths(&mut self, distances: &Distances, from: u32, to: u32, count: usize) -> Vec<Path> {
        let mut paths = vec![self.shortest(distances, &[], &[], from, to)];
        // Each with the place where it leaves the path that it was found from: before that it has nothing new.
        let mut candidates: Vec<(Path, usize)> = Vec::new();
        let mut leaves = 0;
        while paths.len() < count {
            let Some(last) = paths.last().cloned() else { break };
            let mut at: Vec<u32> = vec![from];
            for (place, &neighbour) in last.iter().enumerate() {
                let spur = at[place];
                if place >= leaves {
                    let shared = |path: &&Path| path.len() > place && path[..place] == last[..place];
                    let taken: Vec<u16> = paths.iter().filter(shared).map(|path| path[place]).collect();
                    let rest = self.shortest(distances, &at[..place], &taken, spur, to);
                    let path: Path = last[..place].iter().copied().chain(rest.iter().copied()).collect();
                    if !rest.is_empty() && !candidates.iter().any(|(known, _)| *known == path) {
                        candidates.push((path, place));
                    }
                }
                at.push(self.adjacency.of(spur)[usize::from(neighbour)].to);
            }
            let Some(next) = (0..candidates.len()).min_by_key(|&i| candidates[i].0.len()) else { break };
            let (path, place) = candidates.remove(next);
            paths.push(path);
            leaves = place;
        }
        paths
    }

    /// Finds a shortest path that avoids some switches, and some neighbours of its first; an empty one where there is
    /// none.
    fn shortest(&mut self, distances: &Distances, avoided: &[u32], taken: &[u16], from: u32, to: u32) -> Path {
        self.search += 1;
        let (search, left) = (self.search, distances.of(to));
        avoided.iter().for_each(|&switch| self.closed[switch as usize] = search);
        self.open.iter_mut().for_each(Vec::clear);
        let least = u32::from(left[from as usize]);
        self.open(0, Open { at: from, from: NONE, by: 0, channels: 0 });
        let mut more = 0;
        while let Some(open) = self.open.get_mut(more) {
            let Some(Open { at, from: back, by, channels }) = open.pop() else {
                more += 1;
                continue;
            };
            if std::mem::replace(&mut self.closed[at as usize], search) == search {
                continue;
            }
            self.came[at as usize] = (back, by);
            if at == to {
                return self.path_to(to, from);
            }
            let neighbours = self.adjacency.of(at);
            let first = rng::mix(u64::from(from) << 32 | u64::from(to)) as usize % neighbours.len().max(1);
            for place in (first..neighbours.len()).chain(0..first) {
                let Neighbour { to: next, .. } = neighbours[place];
                let is_taken = at == from && taken.contains(&(place as u16));
                if self.closed[next as usize] != search && !is_taken {
                    let needs = channels + 1 + u32::from(left[next as usize]);
                    if next == to && (needs - least) as usize == more {
                        self.came[to as usize] = (at, place as u16);
                        return self.path_to(to, from);
                    }
                    let next = Open { at: next, from: at, by: place as u16, channels: channels + 1 };
                    self.open((needs - least) as usize, next);
                }
            }
        }
        Vec::new()
    }

    fn open(&mut self, more: usize, next: Open) {
        if self.open.len() <= more {
            self.open.resize_with(more + 1, Vec::new);
        }
        self.open[more].push(next);
    }

    /// Returns the path on which the search came from one switch to another.
    fn path_to(&self, mut at: u32, from: u32) -> Path {
        let mut path = Path::new();
        while at != from {
            let (back, by) = self.came[at as usize];
            path.push(by);
            at = back;
        }
        path.reverse();
        path
    }
}
