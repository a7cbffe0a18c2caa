//! The search for an order of all escape channels in which every packet asks for later ones only.
//!
//! Each channel has a rank, 0 at first. For every destination, the packets to it are followed from all switches that
//! have nodes, farthest first, through all that they may hold and have crossed; at each switch it is known which of the
//! escape channels that they may have come by, adaptive hops since then included, ranks highest. Whatever they ask for
//! is raised above it. When all destinations have been gone through without a change, the ranks are such an order. If
//! there is none, some channel is to be raised above one that was raised, over others, because of it: that is the
//! cycle.
//!
//! A pass takes time in proportion to the states of all destinations; few passes are needed, as each carries ranks
//! along whole paths. Memory grows with the states of one destination only.

use crate::routing::candidates::Candidates;
use crate::routing::destination::Destination;
use crate::routing::port_group::PortGroup;
use crate::topology::Network;

use super::direct::Direct;
use super::graph::Followed;
use super::rules::Rules;
use super::trunks::Trunks;
use super::verdict::Proof;

/// No packet comes to this state.
const UNREACHED: u32 = u32::MAX;
/// No escape channel.
const NOTHING: u32 = u32::MAX - 1;

/// Why there is no order.
#[derive(Debug)]
pub enum Obstacle {
    /// These channels wait in a circle, each with the switch that the packets go to which hold it and ask for the next.
    Circle(Vec<(u32, u32)>),
    /// At the first switch, packets to the second have no escape output, or an output that leads them no nearer.
    Stray(u32, u32),
}

/// The rings that a bubble keeps from filling up: each counts as one channel, which a packet may ask for while it holds
/// it.
#[derive(Debug)]
struct Bubbles {
    vcs: u32,
    /// The virtual channels on which they do.
    mask: u8,
    /// By trunk: the first of its ring.
    rings: Vec<Option<u32>>,
}

impl Bubbles {
    /// Returns the channel that stands for a channel's ring.
    fn ring(&self, channel: u32) -> Option<u32> {
        let (trunk, vc) = (channel / self.vcs, channel % self.vcs);
        let ring = self.rings[trunk as usize].filter(|_| self.mask >> vc & 1 == 1);
        ring.map(|first| first * self.vcs + self.mask.trailing_zeros())
    }
}

/// The order as far as it is found. Channel `trunk * vcs + vc` is that virtual channel of a trunk.
pub struct Order<'a, R> {
    network: &'a Network,
    trunks: &'a Trunks,
    rules: &'a R,
    vcs: u32,
    /// How many sets of crossed datelines there may be.
    memories: usize,
    bubbles: Bubbles,
    /// [Paths need not be the shortest](Rules::has_long_paths), and packets wait for any of their outputs.
    all_wait: bool,
    used: Vec<bool>,
    rank: Vec<u32>,
    /// Because of which channel a channel was raised last, by packets to which switch.
    raised_by: Vec<(u32, u32)>,
    changed: bool,
    /// Switches in the order of their distance from the destination.
    near_first: Vec<u32>,
    distance: Vec<u32>,
    /// By state of a packet, its switch and datelines crossed: the highest of the escape channels that it may have come
    /// by.
    held: Vec<u32>,
    /// Counts dependencies in the first pass.
    direct: Option<Direct<'a>>,
}

impl<'a, R: Rules> Order<'a, R> {
    /// Starts with all channels alike.
    pub fn new(network: &'a Network, trunks: &'a Trunks, rules: &'a R, vcs: u32) -> Self {
        let switches = network.switches() as usize;
        let memories = trunks.memories();
        let channels = (trunks.count() * vcs) as usize;
        Order {
            network,
            trunks,
            rules,
            vcs,
            memories,
            bubbles: Bubbles { vcs, mask: rules.bubble(), rings: trunks.rings() },
            all_wait: rules.has_long_paths(),
            used: vec![false; channels],
            rank: vec![0; channels],
            raised_by: vec![(NOTHING, 0); channels],
            changed: true,
            near_first: Vec::with_capacity(switches),
            distance: vec![0; switches],
            held: vec![UNREACHED; switches * memories],
            direct: Some(Direct::new(trunks, vcs, switches * memories)),
        }
    }

    /// Searches the order.
    pub fn search(mut self) -> Result<Followed, Obstacle> {
        let destinations = self.rules.destinations();
        let (mut found, mut dependencies, mut asked) = (Candidates::new(), 0, Vec::new());
        while std::mem::take(&mut self.changed) {
            for &to in &destinations {
                self.follow(&destinations, to, &mut found)?;
            }
            // Later passes see the same packets again.
            if let Some(direct) = self.direct.take() {
                (dependencies, asked) = (direct.count(), direct.into_asked());
            }
        }
        let mut bubbles: Vec<u32> = (0..self.used.len() as u32)
            .filter(|&channel| self.used[channel as usize])
            .filter_map(|channel| self.bubbles.ring(channel))
            .collect();
        bubbles.sort_unstable();
        bubbles.dedup();
        let longest = self.rank.iter().max().filter(|_| self.used.contains(&true)).map(|highest| highest + 1);
        let channels = self.used.iter().filter(|used| **used).count() as u64;
        let proof = Proof { channels, dependencies, longest: longest.unwrap_or(0), bubbles: bubbles.len() as u64 };
        Ok(Followed { proof, used: self.used, asked })
    }

    /// Follows all packets to a destination; every switch with a destination is a source, too.
    fn follow(&mut self, sources: &[Destination], to: Destination, found: &mut Candidates) -> Result<(), Obstacle> {
        self.measure_distances(to.switch);
        self.held.fill(UNREACHED);
        self.direct.iter_mut().for_each(Direct::next_destination);
        for source in sources {
            self.held[source.switch as usize * self.memories] = NOTHING;
        }
        for place in (1..self.near_first.len()).rev() {
            let at = self.near_first[place];
            for crossed in 0..self.memories {
                let held = self.held[at as usize * self.memories + crossed];
                if held != UNREACHED {
                    self.rules.candidates(at, to, crossed as u16, found);
                    self.go_on(at, to, crossed, held, found)?;
                }
            }
        }
        Ok(())
    }

    /// Finds the outputs that packets of a state request, and follows them over each.
    fn go_on(
        &mut self,
        at: u32,
        to: Destination,
        crossed: usize,
        held: u32,
        found: &Candidates,
    ) -> Result<(), Obstacle> {
        let (state, vcs) = (at as usize * self.memories + crossed, self.vcs);
        let escapes = self.escapes(at, found);
        if escapes.is_empty() || found.escape.vcs == 0 {
            return Err(Obstacle::Stray(at, to.switch));
        }
        let mask = found.escape.vcs;
        let channels = move |trunk: u32| bits(mask).map(move |vc| trunk * vcs + vc);
        if let Some(direct) = &mut self.direct {
            direct.ask(state, at, escapes.iter().copied().flat_map(channels));
        }
        for trunk in escapes {
            let next = self.next_state(at, to, trunk, crossed)?;
            for channel in channels(trunk) {
                self.used[channel as usize] = true;
                self.direct.iter_mut().for_each(|direct| direct.come(next, channel));
                let ring = self.bubbles.ring(channel);
                if ring.is_none() || ring != Some(held) {
                    self.raise(ring.unwrap_or(channel), held, to.switch)?;
                }
                self.come(next, ring.unwrap_or(channel));
            }
        }
        // Where the channels of a ring count as one, how far a packet has come along it is lost; that it has gone over
        // adaptive channels in between cannot be held against it then, and need not, as it has left the ring as a
        // whole.
        let remembered = if self.bubbles.mask == 0 { held } else { NOTHING };
        for group in if self.all_wait { &[] } else { found.adaptive() } {
            for trunk in self.trunks_of(at, *group) {
                let next = self.next_state(at, to, trunk, crossed)?;
                self.come(next, remembered);
            }
        }
        Ok(())
    }

    /// Raises a channel above one that packets hold which ask for it.
    fn raise(&mut self, channel: u32, held: u32, to: u32) -> Result<(), Obstacle> {
        if held == NOTHING || self.rank[channel as usize] > self.rank[held as usize] {
            return Ok(());
        }
        let mut circle = vec![(held, to)];
        let mut back = held;
        while back != channel {
            let (by, packets_to) = self.raised_by[back as usize];
            if by == NOTHING {
                self.rank[channel as usize] = self.rank[held as usize] + 1;
                self.raised_by[channel as usize] = (held, to);
                self.changed = true;
                return Ok(());
            }
            circle.push((by, packets_to));
            back = by;
        }
        circle.reverse();
        Err(Obstacle::Circle(circle))
    }

    /// Adds a state of packets that last held an escape channel, or none.
    fn come(&mut self, state: usize, held: u32) {
        let height = |held: u32| match held {
            UNREACHED => 0,
            NOTHING => 1,
            channel => u64::from(self.rank[channel as usize]) + 2,
        };
        if height(held) > height(self.held[state]) {
            self.held[state] = held;
        }
    }

    /// Returns the state of a packet at the end of a trunk that it takes.
    fn next_state(&self, at: u32, to: Destination, trunk: u32, crossed: usize) -> Result<usize, Obstacle> {
        let next = self.trunks.leads_to[trunk as usize] as usize;
        if self.distance[next] >= self.distance[at as usize] {
            return Err(Obstacle::Stray(at, to.switch));
        }
        Ok(next * self.memories + (crossed | usize::from(self.trunks.crosses[trunk as usize])))
    }

    /// Returns the trunks that a packet may wait for.
    fn escapes(&self, at: u32, found: &Candidates) -> Vec<u32> {
        if !self.all_wait {
            return self.trunks_of(at, found.escape).collect();
        }
        found.all().flat_map(|group| self.trunks_of(at, group)).collect()
    }

    fn trunks_of(&self, at: u32, group: PortGroup) -> std::ops::Range<u32> {
        self.trunks.of_outputs(self.network.first_port[at as usize], group)
    }

    /// Finds how far all switches are from a destination, by the paths that packets take.
    fn measure_distances(&mut self, to: u32) {
        const FAR: u32 = u32::MAX;
        if self.all_wait {
            let left = |at: u32| self.rules.left(at, to);
            self.near_first = (0..self.network.switches()).filter(|&at| left(at).is_some()).collect();
            self.near_first.sort_by_key(|&at| left(at));
            self.distance = (0..self.network.switches()).map(|at| left(at).unwrap_or(FAR)).collect();
            return;
        }
        self.distance.fill(FAR);
        self.distance[to as usize] = 0;
        self.near_first.clear();
        self.near_first.push(to);
        let mut next = 0;
        while let Some(&switch) = self.near_first.get(next) {
            next += 1;
            // Links lead in both directions.
            for trunk in self.trunks.of_switch(switch) {
                let neighbour = self.trunks.leads_to[trunk as usize];
                if self.distance[neighbour as usize] == FAR {
                    self.distance[neighbour as usize] = self.distance[switch as usize] + 1;
                    self.near_first.push(neighbour);
                }
            }
        }
    }
}

/// Returns the numbers of the bits that are set.
fn bits(mask: u8) -> impl Iterator<Item = u32> {
    let rest = |mask: &u8| Some(mask & (mask - 1)).filter(|&rest| rest != 0);
    std::iter::successors(Some(mask).filter(|&mask| mask != 0), rest).map(u8::trailing_zeros)
}
