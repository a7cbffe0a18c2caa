//! Routing on networks of groups: a minimal route takes one link between groups, a non-minimal one leads by a third.
//!
//! Which trunks lead from a group to another is read off the wiring.

use drowse_core::topology::groups::{Groups, Local};

use crate::net::{Net, Trip, number};

/// Parallel links from a switch of one group to a switch of another: ports side by side.
type Gateway = Vec<usize>;

impl Net<'_> {
    /// Returns the ports towards the intermediate group or the target. Within a group, they lead to the target. To
    /// another group, they are a trunk of this switch, or lead towards a switch with one. The packet's number selects
    /// anew at each switch.
    pub fn on_groups(&self, groups: &Groups, switch: usize, trip: Trip) -> Vec<usize> {
        let group = |switch: usize| groups.group(switch as u32) as usize;
        let (target, number) = (self.target(trip), number(trip, switch) as u32 as usize);
        let goal = trip.via.unwrap_or(group(target));
        if goal == group(switch) {
            return self.within_group(groups, switch, target, number);
        }
        let gateways = self.gateways(groups, group(switch), goal);
        let own: Vec<&Gateway> = gateways.iter().filter(|gateway| self.switch(gateway[0]) == switch).collect();
        if !own.is_empty() {
            return own[number % own.len()].clone();
        }
        let at = self.switch(gateways[number % gateways.len()][0]);
        self.within_group(groups, switch, at, number >> 16)
    }

    /// Returns the trunks from a group to another, in the order of their ports.
    fn gateways(&self, groups: &Groups, from: usize, to: usize) -> Vec<Gateway> {
        let group = |switch: usize| groups.group(switch as u32) as usize;
        let size = groups.size as usize;
        let mut found: Vec<Gateway> = Vec::new();
        for switch in from * size..(from + 1) * size {
            for port in self.leading(switch, |next| group(next) == to) {
                match found.last_mut().filter(|last| last.last().is_some_and(|last| self.is_beside(*last, port))) {
                    Some(last) => last.push(port),
                    None => found.push(vec![port]),
                }
            }
        }
        found
    }

    /// Returns whether two ports of a switch follow each other and lead to the same switch.
    fn is_beside(&self, port: usize, next: usize) -> bool {
        let same = |of: &dyn Fn(usize) -> Option<usize>| of(port) == of(next);
        port + 1 == next && same(&|port| Some(self.switch(port))) && same(&|port| self.leads_to(port))
    }

    /// Returns the ports towards another switch of the group. Where several shortest paths lead there, `choice` selects
    /// the dimension to correct first, or the switch between two leaves or two spines.
    fn within_group(&self, groups: &Groups, switch: usize, to: usize, choice: usize) -> Vec<usize> {
        let size = groups.size as usize;
        let (first, here, there) = (switch / size * size, switch % size, to % size);
        let next = match &groups.local {
            Local::LeafSpine { leaves, spines } => {
                let (leaves, spines) = (*leaves as usize, *spines as usize);
                match (here < leaves, there < leaves) {
                    (true, true) => leaves + choice % spines,
                    (false, false) => choice % leaves,
                    _ => there,
                }
            }
            Local::Lattice(lattice) => {
                let mut stride = 1;
                let mut corrected = Vec::new();
                for size in lattice.dims.iter().map(|&size| size as usize) {
                    let [from, to] = [here, there].map(|switch| switch / stride % size);
                    corrected.push((from != to).then(|| here - from * stride + to * stride));
                    stride *= size;
                }
                let dimensions = corrected.len();
                let in_order = (0..dimensions).filter_map(|d| corrected[(choice + d) % dimensions]);
                in_order.take(1).next().unwrap_or(there)
            }
        };
        self.leading(switch, |other| other == first + next)
    }
}
