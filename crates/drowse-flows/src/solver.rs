//! Solves rates anew: where something changed, in whole components, or everywhere.

use crate::check::Check;
use crate::fill::Filling;
use crate::level::Level;
use crate::traffic::{Traffic, room};

/// What a flow that is solved anew had before: in the last solve, and in the last round of this one.
#[derive(Clone, Copy, Debug)]
struct Before {
    rate: u64,
    round: (Level, u64, u32),
}

/// Links and flows with their rates, and what has changed since these were solved.
#[derive(Clone, Debug)]
pub struct Solver {
    traffic: Traffic,
    filling: Filling,
    check: Check,
    /// Counts solves, and rounds of solves, so that marks need not be wiped.
    epoch: u64,
    round: u64,
    pending: Vec<u32>,
    dirty: Vec<u32>,
    /// The flows that are solved anew, and what they had before.
    taken: Vec<u32>,
    before: Vec<Before>,
    /// The links to be checked in a round.
    suspects: Vec<u32>,
    changed: Vec<u32>,
}

impl Solver {
    /// Makes a solver without flows.
    pub fn new(traffic: Traffic) -> Self {
        Solver {
            traffic,
            filling: Filling::default(),
            check: Check::default(),
            epoch: 0,
            round: 0,
            pending: Vec::new(),
            dirty: Vec::new(),
            taken: Vec::new(),
            before: Vec::new(),
            suspects: Vec::new(),
            changed: Vec::new(),
        }
    }

    /// Returns the links and flows.
    pub fn traffic(&self) -> &Traffic {
        &self.traffic
    }

    /// Adds a flow as [`Traffic::insert`] does.
    pub fn insert(&mut self, add: impl FnOnce(&mut Traffic) -> u32) -> u32 {
        let id = add(&mut self.traffic);
        self.disturb(id);
        id
    }

    /// Removes a flow; nothing if there is none of this number.
    pub fn remove(&mut self, id: u32) {
        if self.traffic.flows.get(id as usize).is_some_and(|flow| flow.is_alive) {
            self.mark_links(id);
            self.traffic.remove(id);
        }
    }

    /// Changes the capacity of a link.
    pub fn set_capacity(&mut self, link: u32, capacity: u64) {
        self.traffic.links[link as usize].room = room(capacity);
        self.mark(link);
    }

    /// Changes the cap of a flow; `u64::MAX` stands for none.
    pub fn set_cap(&mut self, id: u32, cap: u64) {
        if self.traffic.flows[id as usize].cap != cap {
            self.traffic.flows[id as usize].cap = cap;
            self.disturb(id);
        }
    }

    /// Changes the weight of a flow.
    pub fn set_weight(&mut self, id: u32, weight: u32) {
        if self.traffic.flows[id as usize].weight != weight {
            self.traffic.flows[id as usize].weight = weight;
            self.disturb(id);
        }
    }

    /// Solves where something changed. Returns the flows whose rate is another now, by number.
    pub fn solve(&mut self) -> &[u32] {
        self.begin();
        for index in 0..self.dirty.len() {
            let link = self.dirty[index];
            if self.traffic.links[link as usize].decides == 0 {
                continue;
            }
            for place in 0..self.traffic.links[link as usize].members.len() {
                let flow = self.traffic.links[link as usize].members[place].flow;
                if self.traffic.flows[flow as usize].bottleneck == link {
                    self.take(flow);
                }
            }
        }
        self.round += 1;
        for index in 0..self.dirty.len() {
            self.suspect(self.dirty[index]);
        }
        loop {
            self.filling.fill(&mut self.traffic);
            self.suspect_changes();
            let known = self.taken.len();
            self.take_in_failing();
            if self.taken.len() == known {
                break;
            }
            self.round += 1;
        }
        self.finish()
    }

    /// Solves the components in which something changed, without checks. Returns what [`Solver::solve`] returns.
    ///
    /// A component is what flows and links reach each other, over links on which the caps of the flows do not fit.
    pub fn solve_components(&mut self) -> &[u32] {
        self.begin();
        self.round += 1;
        for index in 0..self.dirty.len() {
            self.take_members(self.dirty[index]);
        }
        let mut index = 0;
        while let Some(&id) = self.taken.get(index) {
            index += 1;
            for hop in 0..self.traffic.paths[id as usize].len() {
                let link = self.traffic.paths[id as usize][hop].link;
                if self.traffic.links[link as usize].checked != self.round && self.can_bind(link) {
                    self.take_members(link);
                }
            }
        }
        self.filling.fill(&mut self.traffic);
        self.finish()
    }

    /// Solves everything. Returns what [`Solver::solve`] returns.
    pub fn solve_fully(&mut self) -> &[u32] {
        self.begin();
        for id in 0..self.traffic.flows.len() as u32 {
            if self.traffic.flows[id as usize].is_alive {
                self.take(id);
            }
        }
        self.filling.fill(&mut self.traffic);
        self.finish()
    }

    /// Marks a flow and its links as changed.
    fn disturb(&mut self, id: u32) {
        let flow = &mut self.traffic.flows[id as usize];
        if !flow.is_pending {
            flow.is_pending = true;
            self.pending.push(id);
        }
        self.mark_links(id);
    }

    /// Marks the links of a flow as changed.
    fn mark_links(&mut self, id: u32) {
        for hop in 0..self.traffic.paths[id as usize].len() {
            self.mark(self.traffic.paths[id as usize][hop].link);
        }
    }

    /// Marks a link as changed.
    fn mark(&mut self, link: u32) {
        let place = &mut self.traffic.links[link as usize];
        if !place.is_dirty {
            place.is_dirty = true;
            self.dirty.push(link);
        }
    }

    /// Begins a solve with the flows that have changed.
    fn begin(&mut self) {
        self.epoch += 1;
        self.taken.clear();
        self.before.clear();
        self.filling.begin();
        self.suspects.clear();
        for index in 0..self.pending.len() {
            let id = self.pending[index];
            if self.traffic.flows[id as usize].is_pending {
                self.traffic.flows[id as usize].is_pending = false;
                self.take(id);
            }
        }
    }

    /// Takes in a flow to be solved anew.
    fn take(&mut self, id: u32) {
        let flow = &mut self.traffic.flows[id as usize];
        if flow.taken == self.epoch {
            return;
        }
        flow.taken = self.epoch;
        flow.slot = self.taken.len() as u32;
        self.taken.push(id);
        self.before.push(Before { rate: flow.rate, round: (flow.level, flow.rate, flow.bottleneck) });
        for step in &self.traffic.paths[id as usize] {
            let link = &mut self.traffic.links[step.link as usize];
            if link.touched != self.epoch {
                link.touched = self.epoch;
                link.left = link.room.cast_signed() - link.load.cast_signed();
                link.weight = 0;
            }
        }
        self.filling.open(&mut self.traffic, id);
    }

    /// Takes in all flows on a link, once in a solve by components.
    fn take_members(&mut self, link: u32) {
        self.traffic.links[link as usize].checked = self.round;
        for place in 0..self.traffic.links[link as usize].members.len() {
            self.take(self.traffic.links[link as usize].members[place].flow);
        }
    }

    /// Returns whether the caps of the flows on a link may exceed its capacity.
    fn can_bind(&self, link: u32) -> bool {
        let link = &self.traffic.links[link as usize];
        let mut left = u128::from(link.room);
        for member in &link.members {
            let share = u128::from(self.traffic.step(*member).share);
            let wanted = share * u128::from(self.traffic.flows[member.flow as usize].cap);
            match left.checked_sub(wanted) {
                Some(rest) => left = rest,
                None => return true,
            }
        }
        false
    }

    /// Marks a link to be checked in this round.
    fn suspect(&mut self, link: u32) {
        let place = &mut self.traffic.links[link as usize];
        if place.checked != self.round {
            place.checked = self.round;
            self.suspects.push(link);
        }
    }

    /// Marks the links of flows that this round has changed.
    fn suspect_changes(&mut self) {
        for index in 0..self.filling.filled().len() {
            let id = self.filling.filled()[index] as usize;
            let flow = &self.traffic.flows[id];
            let now = (flow.level, flow.rate, flow.bottleneck);
            let before = &mut self.before[flow.slot as usize].round;
            if now != *before {
                *before = now;
                for hop in 0..self.traffic.paths[id].len() {
                    self.suspect(self.traffic.paths[id][hop].link);
                }
            }
        }
    }

    /// Checks the suspects, and takes in the flows that break a condition.
    fn take_in_failing(&mut self) {
        for index in 0..self.suspects.len() {
            let link = self.suspects[index];
            if let Some(level) = self.check.failing_level(&self.traffic, link, self.epoch) {
                for place in 0..self.traffic.links[link as usize].members.len() {
                    let flow = self.traffic.links[link as usize].members[place].flow;
                    if self.traffic.flows[flow as usize].level >= level {
                        self.take(flow);
                    }
                }
            }
        }
        self.suspects.clear();
    }

    /// Ends a solve: what was solved is what holds now.
    fn finish(&mut self) -> &[u32] {
        self.pending.clear();
        for link in self.dirty.drain(..) {
            self.traffic.links[link as usize].is_dirty = false;
        }
        self.changed.clear();
        for (&id, before) in self.taken.iter().zip(&self.before) {
            let rate = self.traffic.flows[id as usize].rate;
            if rate == before.rate {
                continue;
            }
            self.changed.push(id);
            for step in &self.traffic.paths[id as usize] {
                let (link, share) = (&mut self.traffic.links[step.link as usize], u64::from(step.share));
                link.load = link.load.wrapping_add(share * rate).wrapping_sub(share * before.rate);
            }
        }
        self.changed.sort_unstable();
        &self.changed
    }
}
