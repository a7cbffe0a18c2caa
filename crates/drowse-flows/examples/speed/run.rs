//! Begins and ends flows in the order of time, and measures.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use drowse_flows::{Fairness, Hop, Rates};

use crate::network::Network;

/// 50 GB/s, in units of 2^-8 bytes per second.
const CAPACITY: u64 = 50_000_000_000 << 8;
/// A byte, in units of rate times picosecond.
const BYTE: u128 = 256 * 1_000_000_000_000;

/// Which rates are solved anew.
#[derive(Clone, Copy)]
pub enum Solve {
    Local,
    Components,
    Full,
}

/// What nodes send, one message after another.
#[derive(Clone, Copy)]
pub enum Pattern {
    /// One node in so many sends 64 KiB to 1 MiB to random nodes.
    Random { one_in: u32 },
    /// Each node sends 256 KiB to the next.
    Ring { is_spread: bool },
    /// In step i, each node sends 64 KiB to the i-th next.
    AllToAll { is_spread: bool },
}

/// A flow in progress; what is left of it is exact.
#[derive(Clone, Copy, Default)]
struct Flow {
    node: u32,
    left: u128,
    rate: u64,
    since: u64,
    version: u32,
}

/// The flows of a case, and when they end.
struct Run<'a> {
    network: &'a dyn Network,
    pattern: Pattern,
    random: u64,
    /// How many messages each node has sent.
    sent: Vec<u32>,
    flows: Vec<Flow>,
    /// Time, whether it is a start, flow or node, version of the flow.
    events: BinaryHeap<Reverse<(u64, bool, u32, u32)>>,
    path: Vec<u32>,
    hops: Vec<Hop>,
}

impl Run<'_> {
    fn draw(&mut self, end: u64) -> u64 {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33) % end
    }

    /// Returns where a node sends next, and how many bytes; nothing at its end.
    fn message(&mut self, node: u32) -> Option<(u32, u64)> {
        let nodes = self.network.nodes();
        let step = self.sent[node as usize];
        self.sent[node as usize] += 1;
        let (distance, size, is_spread) = match self.pattern {
            Pattern::Random { .. } => {
                (1 + self.draw(u64::from(nodes) - 1) as u32, (64 << 10) + self.draw(960 << 10), false)
            }
            Pattern::Ring { is_spread } => (1, 256 << 10, is_spread),
            Pattern::AllToAll { is_spread } => (step + 1, 64 << 10, is_spread),
        };
        let more = if is_spread { self.draw(50_000) } else { 0 };
        (distance < nodes).then_some(((node + distance) % nodes, size + more))
    }

    /// Begins the next message of a node.
    fn begin(&mut self, rates: &mut Rates, node: u32, now: u64) -> bool {
        let Some((to, size)) = self.message(node) else { return false };
        self.network.route(node, to, &mut self.path);
        self.hops.clear();
        self.hops.extend(self.path.iter().copied().map(Hop::whole));
        let id = rates.insert(&self.hops, 1, None);
        if self.flows.len() <= id as usize {
            self.flows.resize(id as usize + 1, Flow::default());
        }
        let version = self.flows[id as usize].version;
        self.flows[id as usize] = Flow { node, left: u128::from(size) * BYTE, rate: 0, since: now, version };
        true
    }

    /// Takes note of rates that have changed.
    fn update(&mut self, rates: &Rates, changed: &[u32], now: u64) {
        for &id in changed {
            let flow = &mut self.flows[id as usize];
            flow.left -= u128::from(flow.rate) * u128::from(now - flow.since);
            (flow.rate, flow.since, flow.version) = (rates.rate(id), now, flow.version + 1);
            if flow.rate > 0 {
                let end = now + flow.left.div_ceil(u128::from(flow.rate)) as u64;
                self.events.push(Reverse((end, false, id, flow.version)));
            }
        }
    }
}

/// Returns the CPU time of this process, in seconds; where the system does not tell, the time since the first call.
fn cpu_seconds() -> f64 {
    let told = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(
        || {
            static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
            START.get_or_init(std::time::Instant::now).elapsed().as_secs_f64()
        },
        |nanoseconds| nanoseconds / 1e9,
    )
}

/// Runs a case for some seconds or to its end. Returns the thousand flows a second and the mean number of rates that
/// change in a solve.
pub fn measure(network: &dyn Network, pattern: Pattern, solve: Solve, fairness: Fairness, seconds: f64) -> String {
    let mut rates = Rates::new(vec![CAPACITY; network.links() as usize], fairness);
    let nodes = network.nodes();
    let mut run = Run {
        network,
        pattern,
        random: 1,
        sent: vec![0; nodes as usize],
        flows: Vec::new(),
        events: BinaryHeap::new(),
        path: Vec::new(),
        hops: Vec::new(),
    };
    let one_in = if let Pattern::Random { one_in } = pattern { one_in } else { 1 };
    for node in (0..nodes).step_by(one_in as usize) {
        let is_spread = matches!(
            pattern,
            Pattern::Random { .. } | Pattern::Ring { is_spread: true } | Pattern::AllToAll { is_spread: true }
        );
        let start = if is_spread { run.draw(1_000_000) } else { 0 };
        run.events.push(Reverse((start, true, node, 0)));
    }
    let (mut ended, mut solves, mut changes) = (0_u64, 0_u64, 0_u64);
    let start = cpu_seconds();
    let mut changed = Vec::new();
    while let Some(Reverse((now, ..))) = run.events.peek().copied() {
        let mut is_new = false;
        while let Some(Reverse((time, is_start, id, version))) =
            run.events.peek().copied().filter(|next| next.0.0 == now)
        {
            run.events.pop();
            debug_assert_eq!(time, now);
            let mut node = id;
            if !is_start {
                if run.flows[id as usize].version != version {
                    continue;
                }
                run.flows[id as usize].version += 1;
                node = run.flows[id as usize].node;
                rates.remove(id);
                ended += 1;
            }
            run.begin(&mut rates, node, now);
            is_new = true;
        }
        if is_new {
            changed.clear();
            changed.extend_from_slice(match solve {
                Solve::Local => rates.solve(),
                Solve::Components => rates.solve_components(),
                Solve::Full => rates.solve_fully(),
            });
            run.update(&rates, &changed, now);
            (solves, changes) = (solves + 1, changes + changed.len() as u64);
        }
        if solves.is_multiple_of(16) && cpu_seconds() - start > seconds {
            break;
        }
    }
    let thousands = ended as f64 / (cpu_seconds() - start) / 1e3;
    format!("{thousands:.1} ({:.0})", changes as f64 / solves as f64)
}
