//! Networks of groups: switches that are joined closely within a group, and groups that are joined each with each by
//! global links. Dragonfly, Dragonfly+, PERCS and Cascade are of this kind; what they share is here.
//!
//! Switches are numbered group by group. The ports of a switch: those to its group, then the global ones, then the
//! nodes'.

use super::lattice::Lattice;

/// How the switches of a group are joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Local {
    /// Each with all that differ from it in one coordinate; with one dimension, each with each.
    Lattice(Lattice),
    /// Each leaf, which come first, with each spine.
    LeafSpine {
        /// Switches with nodes and without global links.
        leaves: u32,
        /// Switches with global links and without nodes.
        spines: u32,
    },
}

/// A trunk from one group to another: usually one link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gateway {
    /// The switch within its group.
    pub switch: u32,
    /// The first port, relative to the switch's first.
    pub port: u16,
    /// Parallel links.
    pub links: u16,
    /// The switch at the other end within its group.
    pub far: u32,
}

/// What routing needs of a network of groups.
#[derive(Clone, Debug)]
pub struct Groups {
    /// Number of groups.
    pub count: u32,
    /// Switches of a group.
    pub size: u32,
    /// How they are joined.
    pub local: Local,
    /// By pair of groups, from and to: the first of its gateways; and one more entry.
    first_gateway: Vec<u32>,
    gateways: Vec<Gateway>,
}

impl Local {
    /// Returns the number of switches of a group.
    pub fn switches(&self) -> u32 {
        match self {
            Local::Lattice(lattice) => lattice.switches(),
            Local::LeafSpine { leaves, spines } => leaves + spines,
        }
    }

    /// Returns the ports of a switch to others of its group.
    pub fn ports(&self, switch: u32) -> u32 {
        match self {
            Local::Lattice(lattice) => lattice.ports(),
            Local::LeafSpine { leaves, spines } => {
                if switch < *leaves {
                    *spines
                } else {
                    *leaves
                }
            }
        }
    }

    /// Returns whether a switch has nodes.
    pub fn has_nodes(&self, switch: u32) -> bool {
        !matches!(self, Local::LeafSpine { leaves, .. } if switch >= *leaves)
    }

    /// Returns the most links between two switches with nodes, between one with nodes and one with global links, and
    /// between two with global links.
    pub fn longest(&self) -> [u32; 3] {
        match self {
            Local::Lattice(lattice) => [lattice.dims.iter().filter(|&&size| size > 1).count() as u32; 3],
            Local::LeafSpine { .. } => [2, 1, 2],
        }
    }

    /// Returns how many paths routing has the choice of between two switches.
    pub fn choices(&self) -> u32 {
        match self {
            Local::Lattice(lattice) => lattice.dims.len() as u32,
            Local::LeafSpine { leaves, spines } => *leaves.max(spines),
        }
    }

    /// Returns whether there is only one shortest path, by one link, between any two switches.
    pub fn has_one_path(&self) -> bool {
        match self {
            Local::Lattice(lattice) => lattice.dims.len() == 1 && lattice.widths == [1],
            Local::LeafSpine { leaves, spines } => *leaves.max(spines) == 1,
        }
    }

    /// Returns the trunk, first port and number, towards another switch of the group; `choice` selects among paths as
    /// long.
    #[inline]
    pub fn towards(&self, at: u32, to: u32, choice: u32) -> (u32, u32) {
        match self {
            Local::Lattice(lattice) => {
                let dimensions = lattice.dims.len();
                lattice.towards(at, to, if dimensions == 1 { 0 } else { choice as usize % dimensions })
            }
            Local::LeafSpine { leaves, spines } => match (at < *leaves, to < *leaves) {
                (true, true) => (choice % spines, 1),
                (true, false) => (to - leaves, 1),
                (false, true) => (to, 1),
                (false, false) => (choice % leaves, 1),
            },
        }
    }
}

impl Groups {
    /// Returns the group of a switch.
    #[inline]
    pub fn group(&self, switch: u32) -> u32 {
        switch / self.size
    }

    /// Returns the trunks from one group to another.
    #[inline]
    pub fn gateways(&self, from: u32, to: u32) -> &[Gateway] {
        let pair = (from * self.count + to) as usize;
        &self.gateways[self.first_gateway[pair] as usize..self.first_gateway[pair + 1] as usize]
    }

    /// Returns whether the links of each group lead to the groups after it as those of the others do, so that groups
    /// can be renumbered round a circle.
    pub fn are_alike(&self) -> bool {
        let next = |group: u32| (group + 1) % self.count;
        let mut pairs = (0..self.count).flat_map(|from| (0..self.count).map(move |to| (from, to)));
        pairs.all(|(from, to)| self.gateways(from, to) == self.gateways(next(from), next(to)))
    }

    /// Returns the trunk, first port and number, from a switch towards another one by the fewest global links.
    #[inline]
    pub fn towards(&self, at: u32, to: u32, choice: u32) -> (u32, u32) {
        let (from, goal) = (self.group(at), self.group(to));
        if from == goal {
            return self.local.towards(at % self.size, to % self.size, choice);
        }
        self.towards_group(at, goal, choice)
    }

    /// Returns the trunk, first port and number, from a switch towards another group: its own global link if it has one
    /// there, else the path to one of those that have, which `choice` selects.
    #[inline]
    pub fn towards_group(&self, at: u32, goal: u32, choice: u32) -> (u32, u32) {
        let (from, here) = (self.group(at), at % self.size);
        let gateways = self.gateways(from, goal);
        let own = own(gateways, here);
        if !own.is_empty() {
            return own[choice as usize % own.len()].trunk();
        }
        let gateway = &gateways[choice as usize % gateways.len()];
        // Other bits of the number, so that all paths to a gateway are taken.
        self.local.towards(here, gateway.switch, choice >> 16)
    }

    /// Returns `visit` every trunk that [`Groups::towards_group`] may give, whatever the choice; some come more than
    /// once.
    pub fn all_towards_group(&self, at: u32, goal: u32, mut visit: impl FnMut((u32, u32))) {
        let (from, here) = (self.group(at), at % self.size);
        let gateways = self.gateways(from, goal);
        let own = own(gateways, here);
        own.iter().for_each(|gateway| visit(gateway.trunk()));
        for gateway in gateways.iter().filter(|_| own.is_empty()) {
            (0..self.local.choices()).for_each(|choice| visit(self.local.towards(here, gateway.switch, choice)));
        }
    }

    /// Returns `visit` every trunk that [`Groups::towards`] may give, whatever the choice; some come more than once.
    pub fn all_towards(&self, at: u32, to: u32, mut visit: impl FnMut((u32, u32))) {
        let (from, goal) = (self.group(at), self.group(to));
        if from != goal {
            return self.all_towards_group(at, goal, visit);
        }
        let (here, there) = (at % self.size, to % self.size);
        (0..self.local.choices()).for_each(|choice| visit(self.local.towards(here, there, choice)));
    }
}

impl Gateway {
    fn trunk(&self) -> (u32, u32) {
        (u32::from(self.port), u32::from(self.links))
    }
}

/// Returns those gateways that are a switch's own.
fn own(gateways: &[Gateway], switch: u32) -> &[Gateway] {
    let first = gateways.partition_point(|gateway| gateway.switch < switch);
    let count = gateways[first..].partition_point(|gateway| gateway.switch == switch);
    &gateways[first..first + count]
}

impl Groups {
    /// Sorts the gateways by pair of groups, links side by side that join the same switches as one.
    pub(in crate::topology) fn new(count: u32, local: Local, mut found: Vec<(u32, Gateway)>) -> Self {
        found.sort_by_key(|(pair, gateway)| (*pair, gateway.switch, gateway.port));
        let pairs = (count * count) as usize;
        let (mut first_gateway, mut gateways) = (Vec::with_capacity(pairs + 1), Vec::<Gateway>::new());
        let mut last = None;
        for (pair, gateway) in found {
            first_gateway.resize(pair as usize + 1, gateways.len() as u32);
            match gateways.last_mut() {
                Some(before)
                    if last == Some(pair)
                        && (before.switch, before.far, before.port + before.links)
                            == (gateway.switch, gateway.far, gateway.port) =>
                {
                    before.links += 1;
                }
                _ => gateways.push(gateway),
            }
            last = Some(pair);
        }
        first_gateway.resize(pairs + 1, gateways.len() as u32);
        Groups { count, size: local.switches(), local, first_gateway, gateways }
    }
}
