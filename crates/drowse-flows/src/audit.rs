//! Checks rates against their definition: for tests, and for runs that are audited.

use crate::rates::Rates;

impl Rates {
    /// Returns what the rates break of their definition, as last solved; nothing if they keep it. Solves all of them.
    ///
    /// A full solve changes no rate; no link carries more than its capacity; each flow is at its cap, or has a
    /// bottleneck.
    pub fn broken(&mut self) -> Option<String> {
        let before: Vec<u64> = self.traffic().flows.iter().map(|flow| flow.rate).collect();
        if let Some(&flow) = self.solve_fully().first() {
            let (was, is) = (before[flow as usize], self.rate(flow));
            return Some(format!("flow {flow} has a rate of {was}, and {is} if all flows are solved"));
        }
        let traffic = self.traffic();
        if let Some((link, of)) = (0..).zip(&traffic.links).find(|(_, link)| link.load > link.room) {
            return Some(format!("link {link} carries {}, its capacity is {}", of.load, of.room));
        }
        let alive = (0..).zip(&traffic.flows).filter(|(_, flow)| flow.is_alive);
        let unbound = |&(flow, of): &(u32, &crate::traffic::Flow)| of.rate != of.cap && self.bottleneck(flow).is_none();
        let mut without = alive.filter(unbound).filter(|(flow, _)| !traffic.paths[*flow as usize].is_empty());
        without.next().map(|(flow, of)| format!("flow {flow} has a rate of {} and no bottleneck", of.rate))
    }
}
