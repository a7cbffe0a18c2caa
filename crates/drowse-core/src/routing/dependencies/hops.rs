//! Follows the packets of a low-diameter network hop by hop: the classes of virtual channels must rise along every
//! path.
//!
//! A packet that has taken so many hops may be at many switches, and at one switch after different numbers of hops.
//! Packets that head for one goal are followed together, from all switches where they may begin to, in the order of
//! hops.

use crate::model::routing_kind::RoutingKind;
use crate::routing::low_diameter::{self, Goal};
use crate::routing::port_group::PortGroup;
use crate::routing::router::Router;
use crate::routing::vcs::HopVcs;
use crate::topology::Network;

use super::direct::Direct;
use super::graph::Followed;
use super::rules;
use super::trunks::Trunks;
use super::verdict::Proof;

/// The packets of a low-diameter network, as far as they have been followed.
pub struct Hops<'a> {
    network: &'a Network,
    kind: RoutingKind,
    trunks: &'a Trunks,
    vcs: u32,
    classes: HopVcs,
    /// The most channels that a packet may take.
    longest: u32,
    direct: Direct<'a>,
    used: Vec<bool>,
    /// How many classes have been used.
    used_classes: u32,
    /// By switch: the numbers of hops, one bit each, after which packets to the goal may be there.
    at: Vec<u16>,
    /// By switch: those after which packets may be there that decide for a non-minimal route.
    may_deviate: Vec<u16>,
    /// By switch: those after which packets may have come to their intermediate switch or group there.
    deviated: Vec<u16>,
}

/// Packets at the first switch to the second have no class for their next hop.
pub struct Stray(pub u32, pub u32);

impl<'a> Hops<'a> {
    /// Starts with no packet.
    pub fn new(network: &'a Network, trunks: &'a Trunks, router: &Router<'_>, vcs: u32, longest: u32) -> Self {
        let switches = network.switches() as usize;
        Hops {
            network,
            kind: router.kind,
            trunks,
            vcs,
            classes: router.hop_vcs,
            longest,
            direct: Direct::new(trunks, vcs, switches * (longest as usize + 1)),
            used: vec![false; (trunks.count() * vcs) as usize],
            used_classes: 0,
            at: vec![0; switches],
            may_deviate: vec![0; switches],
            deviated: vec![0; switches],
        }
    }

    /// Follows all packets.
    pub fn check(mut self) -> Result<Followed, Stray> {
        let sources: Vec<u32> = rules::destinations(self.network, self.kind).iter().map(|to| to.switch).collect();
        if self.kind == RoutingKind::Progressive {
            // After the first hop of a minimal route, packets may deviate.
            self.follow_minimal(&sources)?;
        }
        if self.kind != RoutingKind::Minimal {
            sources.iter().for_each(|&source| self.may_deviate[source as usize] |= 1);
            self.follow_non_minimal()?;
        }
        self.follow_minimal(&sources)?;
        let channels = self.used.iter().filter(|used| **used).count() as u64;
        let proof = Proof { channels, dependencies: self.direct.count(), longest: self.used_classes, bubbles: 0 };
        Ok(Followed { proof, used: self.used, asked: self.direct.into_asked() })
    }

    /// Follows the packets that go straight to their destination: from the start, or from their intermediate place.
    fn follow_minimal(&mut self, sources: &[u32]) -> Result<(), Stray> {
        for &to in sources {
            for switch in 0..self.network.switches() {
                let away = self.place(switch) != self.place(to);
                self.at[switch as usize] = if away { self.deviated[switch as usize] } else { 0 };
            }
            // Valiant routing leads only those straight that need no intermediate place.
            let places = self.places();
            for &source in sources {
                if self.kind != RoutingKind::Valiant || places < 3 || self.place(source) == self.place(to) {
                    self.at[source as usize] |= 1;
                }
            }
            self.follow(Goal::Switch(to))?;
            for switch in 0..self.network.switches() {
                if self.kind == RoutingKind::Progressive && places > 2 && self.place(switch) != self.place(to) {
                    self.may_deviate[switch as usize] |= self.at[switch as usize] & 2;
                    self.direct.keep(self.state(switch, 1));
                }
            }
        }
        Ok(())
    }

    /// Follows the packets on non-minimal routes up to their intermediate switch or group.
    fn follow_non_minimal(&mut self) -> Result<(), Stray> {
        let places = self.places();
        for by in (0..places).filter(|_| places > 2) {
            for switch in 0..self.network.switches() {
                let away = self.place(switch) != by;
                self.at[switch as usize] = if away { self.may_deviate[switch as usize] } else { 0 };
            }
            self.follow(low_diameter::goal_of(self.network, by))?;
            for switch in 0..self.network.switches() {
                if self.place(switch) == by {
                    self.deviated[switch as usize] |= self.at[switch as usize];
                    (0..=self.longest).for_each(|hop| self.direct.keep(self.state(switch, hop)));
                }
            }
        }
        Ok(())
    }

    /// Follows the packets to a goal from where they are in `at`.
    fn follow(&mut self, goal: Goal) -> Result<(), Stray> {
        self.direct.next_destination();
        for switch in 0..self.network.switches() {
            let begins = self.at[switch as usize];
            (0..=self.longest).filter(|hop| begins >> hop & 1 == 1).for_each(|hop| {
                self.direct.restore(self.state(switch, hop));
            });
        }
        for hop in 0..=self.longest {
            for switch in 0..self.network.switches() {
                let arrived = match goal {
                    Goal::Switch(to) => to == switch,
                    Goal::Group(group) => self.place(switch) == group,
                };
                if self.at[switch as usize] >> hop & 1 == 1 && !arrived {
                    self.go_on(switch, goal, hop)?;
                }
            }
        }
        Ok(())
    }

    /// Takes the next hop of the packets at a switch that have taken `hop` hops.
    fn go_on(&mut self, switch: u32, goal: Goal, hop: u32) -> Result<(), Stray> {
        let (vcs, mask) = (self.vcs, self.classes.mask(hop));
        if hop >= self.longest || mask == 0 {
            let (Goal::Switch(to) | Goal::Group(to)) = goal;
            return Err(Stray(switch, to));
        }
        self.used_classes = self.used_classes.max(hop + 1);
        let mut groups: Vec<PortGroup> = Vec::new();
        low_diameter::all_next_hops(self.network, switch, goal, |group| groups.push(group));
        groups.sort_unstable_by_key(|group| group.first);
        groups.dedup();
        let first_port = self.network.first_port[switch as usize];
        for trunk in groups.into_iter().flat_map(|group| self.trunks.of_outputs(first_port, group)) {
            let channels = (0..vcs).filter(|vc| mask >> vc & 1 == 1).map(|vc| trunk * vcs + vc);
            self.direct.ask(self.state(switch, hop), switch, channels.clone());
            let next = self.trunks.leads_to[trunk as usize];
            self.at[next as usize] |= 1 << (hop + 1);
            for channel in channels {
                self.used[channel as usize] = true;
                self.direct.come(self.state(next, hop + 1), channel);
            }
        }
        Ok(())
    }

    fn state(&self, switch: u32, hop: u32) -> usize {
        (switch * (self.longest + 1) + hop) as usize
    }

    /// Returns what non-minimal routes lead by: the number of a group, or of a switch.
    fn place(&self, switch: u32) -> u32 {
        low_diameter::place(self.network, switch)
    }

    fn places(&self) -> u32 {
        low_diameter::places(self.network)
    }
}
