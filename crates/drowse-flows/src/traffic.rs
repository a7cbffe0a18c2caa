//! Links, flows, and which flow is on which link.
//!
//! All numbers of a link are in units of rate times [`DENOMINATOR`], so that shares of a flow are integers.

use crate::level::Level;
use crate::model::{DENOMINATOR, Hop, MAX_CAPACITY};

/// Stands for no link.
pub const NONE: u32 = u32::MAX;

/// A flow on a link: the flow, and which of its hops this is.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    pub flow: u32,
    pub hop: u32,
}

/// A hop of a flow.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub link: u32,
    /// The part of the flow that takes this link, of [`DENOMINATOR`].
    pub share: u32,
    /// The place of the flow among the members of the link.
    place: u32,
    /// The hop that leads here; [`NONE`] where the flow comes from its own source.
    pub before: u32,
}

/// A link: its capacity and the flows on it.
#[derive(Clone, Debug)]
pub struct Link {
    pub members: Vec<Member>,
    /// The capacity.
    pub room: u64,
    /// The sum of the rates on it that have been solved.
    pub load: u64,
    /// The sum of the shares of all flows on it: more than rounding leaves in all.
    pub shares: u64,
    /// How many rates it has decided.
    pub decides: u32,
    /// In a solve: the capacity left by the flows that have a rate. Below zero where the capacity has become less.
    pub left: i64,
    /// In a solve: the weight of the flows that have no rate.
    pub weight: u64,
    /// The last solve in which a flow on it was solved anew.
    pub touched: u64,
    /// The last round in which it was to be checked, and the last in which flows on it were opened.
    pub checked: u64,
    pub reached: u64,
    /// Whether something on it has changed since the last solve.
    pub is_dirty: bool,
}

/// A flow: its limits, its rate and what decided it.
#[derive(Clone, Copy, Debug)]
pub struct Flow {
    pub level: Level,
    pub rate: u64,
    /// `u64::MAX`: none.
    pub cap: u64,
    /// The last solve in which it was solved anew.
    pub taken: u64,
    pub weight: u32,
    /// Its place among the flows that are solved anew.
    pub slot: u32,
    /// The link that decided its rate; [`NONE`]: its cap, or nothing has yet.
    pub bottleneck: u32,
    pub is_alive: bool,
    /// Whether it must be solved anew.
    pub is_pending: bool,
    /// In a solve: whether it has no rate.
    pub is_open: bool,
}

/// All links and flows.
#[derive(Clone, Debug)]
pub struct Traffic {
    pub links: Vec<Link>,
    pub flows: Vec<Flow>,
    /// The hops of each flow, kept beside it because most passes over flows do not need them.
    pub paths: Vec<Vec<Step>>,
    free: Vec<u32>,
}

impl Traffic {
    /// Makes links of these capacities without flows.
    pub fn new(capacities: Vec<u64>) -> Self {
        let links = capacities.into_iter().map(|capacity| Link {
            members: Vec::new(),
            room: room(capacity),
            load: 0,
            shares: 0,
            decides: 0,
            left: 0,
            weight: 0,
            touched: 0,
            checked: 0,
            reached: 0,
            is_dirty: false,
        });
        Traffic { links: links.collect(), flows: Vec::new(), paths: Vec::new(), free: Vec::new() }
    }

    /// Adds a flow whose rate is not known yet; `before` says which hop leads to each.
    /// A hop without a share counts as one of the least share.
    pub fn insert(&mut self, hops: &[Hop], before: impl Fn(usize) -> u32, weight: u32, cap: Option<u64>) -> u32 {
        let id = self.free.pop().unwrap_or_else(|| {
            self.paths.push(Vec::new());
            self.flows.len() as u32
        });
        let flow = Flow {
            level: Level::ZERO,
            rate: 0,
            cap: cap.unwrap_or(u64::MAX),
            taken: 0,
            weight: weight.max(1),
            slot: 0,
            bottleneck: NONE,
            is_alive: true,
            is_pending: false,
            is_open: false,
        };
        match self.flows.get_mut(id as usize) {
            Some(place) => *place = flow,
            None => self.flows.push(flow),
        }
        let path = &mut self.paths[id as usize];
        path.clear();
        for (index, hop) in hops.iter().enumerate() {
            let share = hop.share.max(1);
            let link = &mut self.links[hop.link as usize];
            path.push(Step { link: hop.link, share, place: link.members.len() as u32, before: before(index) });
            link.members.push(Member { flow: id, hop: index as u32 });
            link.shares += u64::from(share);
        }
        id
    }

    /// Removes a flow; its number is used again.
    pub fn remove(&mut self, id: u32) {
        let Flow { rate, bottleneck, .. } = self.flows[id as usize];
        if bottleneck != NONE {
            self.links[bottleneck as usize].decides -= 1;
        }
        for index in 0..self.paths[id as usize].len() {
            let step = self.paths[id as usize][index];
            let link = &mut self.links[step.link as usize];
            link.load -= u64::from(step.share) * rate;
            link.shares -= u64::from(step.share);
            link.members.swap_remove(step.place as usize);
            if let Some(moved) = link.members.get(step.place as usize) {
                self.paths[moved.flow as usize][moved.hop as usize].place = step.place;
            }
        }
        self.paths[id as usize].clear();
        self.flows[id as usize].is_alive = false;
        self.flows[id as usize].is_pending = false;
        self.free.push(id);
    }

    /// Returns whether a link decides the rate of a flow: what is left at the flow's level is no more than that level.
    pub fn decides(&self, link: u32, id: u32) -> bool {
        let level = self.flows[id as usize].level;
        let (mut rest, mut weight) = (self.links[link as usize].room, 0);
        for member in &self.links[link as usize].members {
            let (flow, share) = (&self.flows[member.flow as usize], u64::from(self.step(*member).share));
            if flow.level < level {
                rest = rest.saturating_sub(share * flow.rate);
            } else {
                weight += share * u64::from(flow.weight);
            }
        }
        weight > 0 && Level { rest, weight } <= level
    }

    /// Returns the hop that a member of a link is.
    pub fn step(&self, member: Member) -> Step {
        self.paths[member.flow as usize][member.hop as usize]
    }
}

/// Returns the capacity of a link in the units of its sums.
pub fn room(capacity: u64) -> u64 {
    capacity.min(MAX_CAPACITY) * u64::from(DENOMINATOR)
}
