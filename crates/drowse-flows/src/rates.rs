//! The rates of flows: what users of the crate see.

use crate::model::{DENOMINATOR, Fairness, Hop};
use crate::ports::Ports;
use crate::solver::Solver;
use crate::traffic::{NONE, Traffic};

/// Links, the flows on them, and the rates of these flows.
///
/// Rates and capacities are in units of 2^-8 bytes per second. Links are numbered from 0; flows have the numbers that
/// [`Rates::insert`] returns. A number of neither is a bug of the caller and panics, as an index of a slice does.
/// Changes take effect in [`Rates::solve`], all that happened at one instant together.
#[derive(Clone, Debug)]
pub struct Rates {
    solver: Solver,
    /// Where links are shared by port.
    ports: Option<Ports>,
}

impl Rates {
    /// Makes links of these capacities, at most [`MAX_CAPACITY`](crate::MAX_CAPACITY) each, without flows.
    pub fn new(capacities: Vec<u64>, fairness: Fairness) -> Self {
        let traffic = Traffic::new(capacities);
        let ports = (fairness == Fairness::Port).then(|| Ports::new(&traffic));
        Rates { solver: Solver::new(traffic), ports }
    }

    /// Adds a flow and returns its number; numbers of removed flows are used again. Its rate is 0 until the next solve.
    ///
    /// `hops` are the links of its path in order. If the flow is split, they are all its links in any order, each once,
    /// with the parts of the flow that take them; it then counts as an input port of its own where only a part of it
    /// comes or goes on. [`Rates::insert_split`] tells the ports. `weight` is at least 1 (0 counts as 1), and so is a
    /// share: of two flows of one bottleneck, one of weight 2 has twice the rate. A flow without links has its cap as
    /// its rate; without a cap, `u64::MAX`.
    ///
    /// The weights times the shares of all flows on a link must fit in 64 bits: 800,000 flows if weights are as large
    /// as they can be.
    pub fn insert(&mut self, hops: &[Hop], weight: u32, cap: Option<u64>) -> u32 {
        let is_whole = |hop: usize| hops[hop].share == DENOMINATOR;
        let before = |hop: usize| if hop > 0 && is_whole(hop) && is_whole(hop - 1) { hop as u32 - 1 } else { NONE };
        self.add(hops, before, weight, cap)
    }

    /// Adds a split flow as [`Rates::insert`] does; `inputs` has, for each hop, the hop that leads to it, by its place
    /// in `hops`, or nothing where the flow comes from its own source. Where several lead to one, any of them will do.
    ///
    /// What leads back to a hop without an end, or is no place of a hop, is not followed.
    pub fn insert_split(&mut self, hops: &[Hop], inputs: &[Option<u32>], weight: u32, cap: Option<u64>) -> u32 {
        let input = |hop: usize| inputs.get(hop).copied().flatten().filter(|input| (*input as usize) < hops.len());
        let has_end = |hop: usize| {
            let mut at = Some(hop);
            for _ in 0..hops.len() {
                at = at.and_then(|hop| input(hop).map(|input| input as usize));
            }
            at.is_none()
        };
        let before = |hop: usize| if has_end(hop) { input(hop).unwrap_or(NONE) } else { NONE };
        self.add(hops, before, weight, cap)
    }

    /// Adds a flow; `before` says which hop leads to each.
    fn add(&mut self, hops: &[Hop], before: impl Fn(usize) -> u32, weight: u32, cap: Option<u64>) -> u32 {
        let id = self.solver.insert(|traffic| traffic.insert(hops, before, weight, cap));
        if let Some(ports) = &mut self.ports {
            ports.insert(self.solver.traffic(), id, weight);
        }
        id
    }

    /// Removes a flow. Nothing happens if it has been removed before.
    pub fn remove(&mut self, flow: u32) {
        if let Some(ports) = &mut self.ports {
            ports.remove(self.solver.traffic(), flow);
        }
        self.solver.remove(flow);
    }

    /// Sets the capacity of a link. At 0, the flows on it have rate 0.
    pub fn set_capacity(&mut self, link: u32, capacity: u64) {
        if let Some(ports) = &mut self.ports {
            ports.set_capacity(self.solver.traffic(), link, capacity);
        }
        self.solver.set_capacity(link, capacity);
    }

    /// Sets the cap of a flow. A flow with a cap of 0 waits: it has rate 0.
    pub fn set_cap(&mut self, flow: u32, cap: Option<u64>) {
        let cap = cap.unwrap_or(u64::MAX);
        if let Some(ports) = &mut self.ports {
            ports.set_cap(self.solver.traffic(), flow, cap);
        }
        self.solver.set_cap(flow, cap);
    }

    /// Solves rates where something has changed. Returns the flows whose rate is another now, in the order of their
    /// numbers.
    ///
    /// The time taken follows from how many rates change, and not from how many flows or links there are.
    pub fn solve(&mut self) -> &[u32] {
        self.weigh();
        self.solver.solve()
    }

    /// Does what [`Rates::solve`] does, for all flows that something that changed can reach over links.
    pub fn solve_components(&mut self) -> &[u32] {
        self.weigh();
        self.solver.solve_components()
    }

    /// Does what [`Rates::solve`] does, for all flows.
    pub fn solve_fully(&mut self) -> &[u32] {
        self.weigh();
        self.solver.solve_fully()
    }

    /// Returns the rate of a flow, as last solved.
    pub fn rate(&self, flow: u32) -> u64 {
        self.solver.traffic().flows[flow as usize].rate
    }

    /// Returns the sum of the rates on a link, as last solved, rounded up where flows are split.
    pub fn used(&self, link: u32) -> u64 {
        self.solver.traffic().links[link as usize].load.div_ceil(u64::from(DENOMINATOR))
    }

    /// Returns the flows on a link, in no particular order.
    pub fn flows_on(&self, link: u32) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.solver.traffic().links[link as usize].members.iter().map(|member| member.flow)
    }

    /// Returns the link that decided the rate of a flow, as last solved: the first of its path that is full and on
    /// which no flow has more per weight. Nothing if that is its cap.
    ///
    /// Looks at all flows on the links of its path.
    pub fn bottleneck(&self, flow: u32) -> Option<u32> {
        let traffic = self.solver.traffic();
        traffic.flows.get(flow as usize).filter(|flow| flow.bottleneck != NONE)?;
        traffic.paths[flow as usize].iter().map(|step| step.link).find(|link| traffic.decides(*link, flow))
    }

    /// Returns links and flows.
    pub(crate) fn traffic(&self) -> &Traffic {
        self.solver.traffic()
    }

    /// Brings the weights of flows up to date.
    fn weigh(&mut self) {
        if let Some(ports) = &mut self.ports {
            ports.update(&mut self.solver);
        }
    }
}
