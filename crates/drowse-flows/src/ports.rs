//! The weights of flows where links are shared by input port.
//!
//! See the documentation of the crate for what they mean. They follow from the set of flows and the capacities alone,
//! never from rates, so they change only on the links of flows that come and go.

use crate::model::DENOMINATOR;
use crate::solver::Solver;
use crate::traffic::{Link, Member, NONE, Traffic, room};

/// The weight of a whole link of the greatest capacity. Divisible by all numbers up to 16, so that usual parts are
/// exact.
const WHOLE: u64 = 720_720 * 2_048;

/// A hop on its way against the stream, from the link that is divided to the source of its flow.
#[derive(Clone, Copy, Debug)]
struct Walker {
    member: Member,
    /// The hop on the link that it has come to.
    at: u32,
    group: u32,
}

/// Walkers that have come to one link, and how many parts the divided link has been cut into there.
#[derive(Clone, Copy, Debug)]
struct Branch {
    first: usize,
    end: usize,
    parts: u64,
}

/// What is known of each flow.
#[derive(Clone, Debug, Default)]
struct Demand {
    /// The weight that its user gave it.
    weight: u32,
    /// For how many reasons it has no rate: its links without capacity, and a cap of zero.
    stops: u32,
    is_marked: bool,
    /// Its guaranteed part of each of its links, as a weight.
    parts: Vec<u32>,
}

/// The guaranteed parts of flows, brought up to date before a solve.
#[derive(Clone, Debug)]
pub struct Ports {
    greatest: u64,
    demands: Vec<Demand>,
    marked_links: Vec<u32>,
    is_marked: Vec<bool>,
    marked_flows: Vec<u32>,
    /// While a branch is divided: the group of each link that leads to it, valid where the count of branches matches.
    groups: Vec<(u64, u32)>,
    branch: u64,
    walkers: Vec<Walker>,
    sorted: Vec<Walker>,
    sizes: Vec<usize>,
    branches: Vec<Branch>,
}

impl Ports {
    /// Makes this for links without flows; parts are relative to the greatest capacity.
    pub fn new(traffic: &Traffic) -> Self {
        let links = traffic.links.len();
        Ports {
            greatest: traffic.links.iter().map(|link| link.room).max().unwrap_or(0).max(u64::from(DENOMINATOR)),
            demands: Vec::new(),
            marked_links: Vec::new(),
            is_marked: vec![false; links],
            marked_flows: Vec::new(),
            groups: vec![(0, 0); links],
            branch: 0,
            walkers: Vec::new(),
            sorted: Vec::new(),
            sizes: Vec::new(),
            branches: Vec::new(),
        }
    }

    /// Takes note of a flow that has been inserted.
    pub fn insert(&mut self, traffic: &Traffic, id: u32, weight: u32) {
        let path = &traffic.paths[id as usize];
        if self.demands.len() < traffic.flows.len() {
            self.demands.resize(traffic.flows.len(), Demand::default());
        }
        let demand = &mut self.demands[id as usize];
        demand.weight = weight.max(1);
        demand.stops = u32::from(traffic.flows[id as usize].cap == 0);
        demand.stops += path.iter().filter(|step| traffic.links[step.link as usize].room == 0).count() as u32;
        demand.parts.clear();
        demand.parts.resize(path.len(), u32::MAX);
        if demand.stops == 0 {
            self.mark_links(traffic, id);
        }
    }

    /// Takes note of a flow that will be removed.
    pub fn remove(&mut self, traffic: &Traffic, id: u32) {
        if traffic.flows.get(id as usize).is_some_and(|flow| flow.is_alive) && self.demands[id as usize].stops == 0 {
            self.mark_links(traffic, id);
        }
    }

    /// Takes note of a cap that will change.
    pub fn set_cap(&mut self, traffic: &Traffic, id: u32, cap: u64) {
        self.stop(traffic, id, traffic.flows[id as usize].cap == 0, cap == 0);
    }

    /// Takes note of a capacity that will change.
    pub fn set_capacity(&mut self, traffic: &Traffic, link: u32, capacity: u64) {
        let Link { room: now, members, .. } = &traffic.links[link as usize];
        for member in members {
            self.stop(traffic, member.flow, *now == 0, capacity == 0);
        }
        if room(capacity) != *now {
            self.mark(link);
        }
    }

    /// Counts one reason to stop, which was there and will be there.
    fn stop(&mut self, traffic: &Traffic, id: u32, was: bool, will: bool) {
        let stops = &mut self.demands[id as usize].stops;
        let had = *stops;
        *stops = had + u32::from(will) - u32::from(was);
        if (had == 0) != (*stops == 0) {
            self.mark_links(traffic, id);
        }
    }

    /// Marks the links of a flow, and the flow itself.
    fn mark_links(&mut self, traffic: &Traffic, id: u32) {
        for step in &traffic.paths[id as usize] {
            self.mark(step.link);
        }
        self.mark_flow(id);
    }

    /// Marks a link to be divided anew.
    fn mark(&mut self, link: u32) {
        if !std::mem::replace(&mut self.is_marked[link as usize], true) {
            self.marked_links.push(link);
        }
    }

    /// Marks a flow of which a part has changed.
    fn mark_flow(&mut self, id: u32) {
        if !std::mem::replace(&mut self.demands[id as usize].is_marked, true) {
            self.marked_flows.push(id);
        }
    }

    /// Divides the links on which flows have come or gone, and sets the weights of the flows on them.
    pub fn update(&mut self, solver: &mut Solver) {
        while let Some(link) = self.marked_links.pop() {
            self.is_marked[link as usize] = false;
            self.divide(solver.traffic(), link);
        }
        while let Some(id) = self.marked_flows.pop() {
            let demand = &mut self.demands[id as usize];
            demand.is_marked = false;
            if solver.traffic().flows[id as usize].is_alive {
                let part = if demand.stops > 0 { 1 } else { demand.parts.iter().copied().min().unwrap_or(1) };
                solver.set_weight(id, part.saturating_mul(demand.weight));
            }
        }
    }

    /// Divides a link among the flows on it that want to send: at each merge on the way to it in equal parts.
    fn divide(&mut self, traffic: &Traffic, link: u32) {
        self.walkers.clear();
        for &member in &traffic.links[link as usize].members {
            if self.demands[member.flow as usize].stops == 0 {
                self.walkers.push(Walker { member, at: member.hop, group: 0 });
            }
        }
        let room = traffic.links[link as usize].room;
        self.branches.push(Branch { first: 0, end: self.walkers.len(), parts: 1 });
        while let Some(branch) = self.branches.pop() {
            match branch.end - branch.first {
                0 => {}
                1 => self.set_part(traffic, self.walkers[branch.first].member, room, branch.parts),
                _ => self.split(traffic, branch),
            }
        }
    }

    /// Parts a branch by the links that lead to it; a flow whose source is here is a port of its own.
    fn split(&mut self, traffic: &Traffic, branch: Branch) {
        self.branch += 1;
        self.sizes.clear();
        let walkers = &mut self.walkers[branch.first..branch.end];
        for walker in walkers.iter_mut() {
            let path = &traffic.paths[walker.member.flow as usize];
            walker.at = if walker.at == NONE { NONE } else { path[walker.at as usize].before };
            let fresh = self.sizes.len() as u32;
            walker.group = fresh;
            if walker.at != NONE {
                let group = &mut self.groups[path[walker.at as usize].link as usize];
                if group.0 != self.branch {
                    *group = (self.branch, fresh);
                }
                walker.group = group.1;
            }
            match self.sizes.get_mut(walker.group as usize) {
                Some(size) => *size += 1,
                None => self.sizes.push(1),
            }
        }
        let parts = branch.parts.saturating_mul(self.sizes.len() as u64);
        let mut end = branch.first;
        for size in &mut self.sizes {
            let first = end;
            end += *size;
            self.branches.push(Branch { first, end, parts });
            *size = first;
        }
        self.sorted.clear();
        self.sorted.extend_from_slice(walkers);
        for walker in &self.sorted {
            let place = &mut self.sizes[walker.group as usize];
            self.walkers[*place] = *walker;
            *place += 1;
        }
    }

    /// Sets a flow's part of a link of which it gets one of so many equal parts.
    fn set_part(&mut self, traffic: &Traffic, member: Member, room: u64, parts: u64) {
        let pieces = u128::from(parts) * u128::from(traffic.step(member).share);
        let whole = u128::from(WHOLE) * u128::from(DENOMINATOR) * u128::from(room) / u128::from(self.greatest);
        let part = u32::try_from((whole / pieces).max(1)).unwrap_or(u32::MAX);
        let known = &mut self.demands[member.flow as usize].parts[member.hop as usize];
        if *known != part {
            *known = part;
            self.mark_flow(member.flow);
        }
    }
}
