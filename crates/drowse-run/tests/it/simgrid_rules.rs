//! A plain replay of traces by the rules of SimGrid's SMPI, to tell which of them make the difference to Drowse.
//!
//! Sends of less than 64 KiB are over at once for their sender. Their data leaves when the receive is posted, waits for
//! a latency, and then shares the links of both hosts with all other data, max-min fair; 5 % of a rate goes back as
//! acknowledgements. Reductions and barriers are linear, broadcasts binomial trees.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::path::Path;

use drowse_core::workload::operation::{Collective, Operation};
use drowse_traces::ComputeModel;

/// Seconds of the way through two links, and the bytes that each carries in a second.
const LATENCY: f64 = 100e-9;
const BANDWIDTH: f64 = 10e9;
/// The share of a rate that goes back as acknowledgements.
const BACK: f64 = 0.05;
/// SMPI's factors on latency and bandwidth of messages of so many bytes and more.
const FACTORS: [(u64, f64, f64); 9] = [
    (65_472, 11.6436, 0.940_694),
    (15_424, 3.48845, 0.697_866),
    (9_376, 2.59299, 0.58729),
    (5_776, 2.18796, 1.08739),
    (3_484, 1.88101, 0.77493),
    (1_426, 1.61075, 0.608_902),
    (732, 1.9503, 0.341_987),
    (257, 1.95341, 0.338_112),
    (0, 2.01467, 0.812_084),
];

/// Which of SimGrid's rules hold.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// SMPI's factors by size, none otherwise.
    pub factors: bool,
    /// Links are shared; otherwise a message has them for itself.
    pub shared: bool,
    /// Data leaves when its receive is posted; otherwise when it is sent.
    pub posted: bool,
}

/// What a rank does, collectives apart.
#[derive(Clone, Copy, Debug)]
enum Step {
    Compute(f64),
    /// To whom, in which context, how much.
    Send(usize, u32, u64),
    /// From whom, in which context, as which request.
    Post(usize, u32, u32),
    Wait(u32),
    WaitAll,
}

/// The context of collectives; those of the program are the tags.
const COLLECTIVE: u32 = u32::MAX;
/// The first request of a collective.
const OWN: u32 = 1 << 31;

#[derive(Clone, Copy, Debug)]
struct Message {
    from: usize,
    to: usize,
    bytes: u64,
    arrived: bool,
}

#[derive(Debug, Default)]
struct Rank {
    steps: VecDeque<Step>,
    /// The messages of requests that are pending.
    requests: HashMap<u32, usize>,
    end: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Event {
    /// A rank goes on.
    Goes(usize),
    /// The data of a message begins to use its links.
    Begins(usize),
    /// The data of a message has arrived, where links are not shared.
    Arrives(usize),
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct At(f64, u64, Event);

impl Eq for At {}

impl Ord for At {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.total_cmp(&self.0).then(other.1.cmp(&self.1))
    }
}

impl PartialOrd for At {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Data that uses links: its message, the bytes that are left, and its rate. A factor on its bandwidth makes it longer:
/// it takes its links as if it had none.
#[derive(Clone, Copy, Debug)]
struct Flow(usize, f64, f64);

struct Replay {
    rules: Rules,
    now: f64,
    ranks: Vec<Rank>,
    messages: Vec<Message>,
    /// Sends and receives that have found no partner, by sender, receiver and context.
    unmatched: HashMap<(usize, usize, u32), [VecDeque<usize>; 2]>,
    events: BinaryHeap<At>,
    put: u64,
    flows: Vec<Flow>,
}

/// Returns how long a trace takes, in seconds, with its computing times this factor.
pub fn run_time(trace: &Path, compute: f64, rules: Rules) -> f64 {
    let model = ComputeModel { scale: compute, ..ComputeModel::TEN_GIGAFLOPS };
    let mut source = drowse_traces::open(trace, model).unwrap();
    let count = source.ranks() as usize;
    let mut ranks: Vec<Rank> = (0..count).map(|_| Rank::default()).collect();
    let mut operations = Vec::new();
    for (number, rank) in ranks.iter_mut().enumerate() {
        loop {
            operations.clear();
            source.refill(number as u32, &mut operations).unwrap();
            if operations.is_empty() {
                break;
            }
            operations.iter().for_each(|operation| steps(operation, number, count, &mut rank.steps));
        }
    }
    let (messages, unmatched, events, flows) = (Vec::new(), HashMap::new(), BinaryHeap::new(), Vec::new());
    let mut replay = Replay { rules, now: 0.0, ranks, messages, unmatched, events, put: 0, flows };
    (0..count).for_each(|rank| replay.put(0.0, Event::Goes(rank)));
    replay.run();
    assert!(replay.ranks.iter().all(|rank| rank.steps.is_empty()), "a rank stands still");
    replay.ranks.iter().map(|rank| rank.end).fold(0.0, f64::max)
}

fn seconds(time: drowse_core::model::units::Time) -> f64 {
    time.0 as f64 * 1e-12
}

/// Translates an operation of a rank.
fn steps(operation: &Operation, rank: usize, ranks: usize, steps: &mut VecDeque<Step>) {
    const ONE: u32 = OWN - 1;
    match *operation {
        Operation::Iteration => {}
        Operation::Compute(time) => steps.push_back(Step::Compute(seconds(time))),
        Operation::Send { to, tag, bytes, .. } => {
            assert!(bytes < 65_536, "a send that waits for its receiver");
            steps.push_back(Step::Send(to as usize, tag, bytes));
        }
        Operation::Recv { from: Some(from), tag: Some(tag), .. } => {
            steps.extend([Step::Post(from as usize, tag, ONE), Step::Wait(ONE)]);
        }
        Operation::Irecv { from: Some(from), tag: Some(tag), request, .. } => {
            steps.push_back(Step::Post(from as usize, tag, request));
        }
        Operation::Wait { request } => steps.push_back(Step::Wait(request)),
        Operation::WaitAll => steps.push_back(Step::WaitAll),
        Operation::Collective { comm: 0, ref collective } => match *collective {
            Collective::Barrier => {
                to_one(0, 0, rank, ranks, steps);
                if rank == 0 {
                    steps.extend((1..ranks).map(|to| Step::Send(to, COLLECTIVE, 0)));
                } else {
                    steps.extend([Step::Post(0, COLLECTIVE, OWN), Step::Wait(OWN)]);
                }
            }
            Collective::Bcast { root, bytes, .. } => tree(root as usize, bytes, rank, ranks, steps),
            Collective::Reduce { root, bytes, compute, .. } => {
                to_one(root as usize, bytes, rank, ranks, steps);
                steps.push_back(Step::Compute(seconds(compute)));
            }
            Collective::Allreduce { bytes, compute, .. } => {
                to_one(0, bytes, rank, ranks, steps);
                tree(0, bytes, rank, ranks, steps);
                steps.push_back(Step::Compute(seconds(compute)));
            }
            ref other => panic!("{other:?} is in none of these traces"),
        },
        ref other => panic!("{other:?} is in none of these traces"),
    }
}

/// All send to a root, which takes what comes.
fn to_one(root: usize, bytes: u64, rank: usize, ranks: usize, steps: &mut VecDeque<Step>) {
    if rank != root {
        return steps.push_back(Step::Send(root, COLLECTIVE, bytes));
    }
    let others = || (0..ranks).filter(|&other| other != root);
    steps.extend(others().map(|from| Step::Post(from, COLLECTIVE, OWN + from as u32)));
    steps.extend(others().map(|from| Step::Wait(OWN + from as u32)));
}

/// A binomial tree.
fn tree(root: usize, bytes: u64, rank: usize, ranks: usize, steps: &mut VecDeque<Step>) {
    let relative = (rank + ranks - root) % ranks;
    let lowest = if relative == 0 { ranks.next_power_of_two() } else { 1 << relative.trailing_zeros() };
    if relative != 0 {
        steps.extend([Step::Post((relative - lowest + root) % ranks, COLLECTIVE, OWN), Step::Wait(OWN)]);
    }
    let mut mask = lowest / 2;
    while mask > 0 {
        if relative + mask < ranks {
            steps.push_back(Step::Send((relative + mask + root) % ranks, COLLECTIVE, bytes));
        }
        mask /= 2;
    }
}

impl Replay {
    fn put(&mut self, at: f64, event: Event) {
        self.put += 1;
        self.events.push(At(at, self.put, event));
    }

    /// Returns the factors on latency and bandwidth of a message.
    fn factors(&self, bytes: u64) -> [f64; 2] {
        let found = FACTORS.iter().find(|&&(from, ..)| bytes >= from).filter(|_| self.rules.factors);
        found.map_or([1.0; 2], |&(_, latency, bandwidth)| [latency, bandwidth])
    }

    fn run(&mut self) {
        loop {
            let event = self.events.peek().map_or(f64::INFINITY, |at| at.0);
            let flow = self.flows.iter().map(|flow| self.now + flow.1 / flow.2).fold(f64::INFINITY, f64::min);
            let next = event.min(flow);
            if next == f64::INFINITY {
                return;
            }
            let passed = next - self.now;
            self.now = next;
            let flows = self.flows.len();
            self.flows.iter_mut().for_each(|flow| flow.1 -= flow.2 * passed);
            // What takes less than a femtosecond has arrived.
            let done: Vec<usize> =
                self.flows.iter().filter(|flow| flow.1 <= flow.2 * 1e-15).map(|flow| flow.0).collect();
            self.flows.retain(|flow| flow.1 > flow.2 * 1e-15);
            let ended = self.flows.len() < flows;
            done.into_iter().for_each(|message| self.arrives(message));
            let mut begun = false;
            while self.events.peek().is_some_and(|at| at.0 <= next) {
                let Some(At(_, _, event)) = self.events.pop() else { break };
                begun |= matches!(event, Event::Begins(_));
                self.act(event);
            }
            if ended || begun {
                self.share();
            }
        }
    }

    fn act(&mut self, event: Event) {
        match event {
            Event::Goes(rank) => self.go(rank),
            Event::Arrives(message) => self.arrives(message),
            Event::Begins(message) => {
                let bytes = self.messages[message].bytes;
                if bytes == 0 {
                    self.arrives(message);
                } else if self.rules.shared {
                    let [_, factor] = self.factors(bytes);
                    self.flows.push(Flow(message, bytes as f64 / factor, 0.0));
                } else {
                    let [_, factor] = self.factors(bytes);
                    self.put(self.now + bytes as f64 / (BANDWIDTH * factor), Event::Arrives(message));
                }
            }
        }
    }

    fn arrives(&mut self, message: usize) {
        self.messages[message].arrived = true;
        self.go(self.messages[message].to);
    }

    /// Lets a rank do what it can; one that computes goes on at an event.
    fn go(&mut self, rank: usize) {
        if self.now < self.ranks[rank].end {
            return;
        }
        while let Some(&step) = self.ranks[rank].steps.front() {
            let arrived = |message: &usize| self.messages[*message].arrived;
            let requests = &self.ranks[rank].requests;
            let waits = match step {
                Step::Wait(request) => !requests.get(&request).is_none_or(arrived),
                Step::WaitAll => !requests.values().all(arrived),
                _ => false,
            };
            if waits {
                return;
            }
            self.ranks[rank].steps.pop_front();
            self.ranks[rank].end = self.now;
            match step {
                Step::Compute(time) if time > 0.0 => {
                    self.ranks[rank].end += time;
                    return self.put(self.now + time, Event::Goes(rank));
                }
                Step::Compute(_) => {}
                Step::Send(to, context, bytes) => _ = self.meet(rank, to, context, Some(bytes)),
                Step::Post(from, context, request) => {
                    let message = self.meet(from, rank, context, None);
                    self.ranks[rank].requests.insert(request, message);
                }
                Step::Wait(request) => _ = self.ranks[rank].requests.remove(&request),
                Step::WaitAll => self.ranks[rank].requests.clear(),
            }
        }
    }

    /// Matches a send of some bytes, or a receive, with the first of its partners; returns the message.
    fn meet(&mut self, from: usize, to: usize, context: u32, bytes: Option<u64>) -> usize {
        let waiting = self.unmatched.entry((from, to, context)).or_default();
        let [mine, theirs] = if bytes.is_some() { [0, 1] } else { [1, 0] };
        let met = waiting[theirs].pop_front();
        let message = met.unwrap_or(self.messages.len());
        if met.is_none() {
            waiting[mine].push_back(message);
            self.messages.push(Message { from, to, bytes: 0, arrived: false });
        }
        if let Some(bytes) = bytes {
            self.messages[message].bytes = bytes;
        }
        if if self.rules.posted { met.is_some() } else { bytes.is_some() } {
            let [factor, _] = self.factors(self.messages[message].bytes);
            self.put(self.now + LATENCY * factor, Event::Begins(message));
        }
        message
    }

    /// Shares the links max-min fair: all rates grow alike until a link is full.
    fn share(&mut self) {
        let hosts = self.ranks.len();
        let uses = |message: Message| {
            [(message.from, 1.0), (hosts + message.to, 1.0), (message.to, BACK), (hosts + message.from, BACK)]
        };
        let (mut free, mut weights) = (vec![BANDWIDTH; 2 * hosts], vec![0.0; 2 * hosts]);
        for flow in &self.flows {
            uses(self.messages[flow.0]).iter().for_each(|&(link, weight)| weights[link] += weight);
        }
        let mut growing: Vec<usize> = (0..self.flows.len()).collect();
        while !growing.is_empty() {
            let level = |link: usize| free[link] / weights[link];
            let used: Vec<[(usize, f64); 4]> =
                growing.iter().map(|&place| uses(self.messages[self.flows[place].0])).collect();
            let narrowest =
                |links: &[(usize, f64); 4]| links.iter().map(|&(link, _)| level(link)).fold(f64::MAX, f64::min);
            let rates: Vec<f64> = used.iter().map(narrowest).collect();
            let least = rates.iter().copied().fold(f64::MAX, f64::min);
            let fixed: Vec<usize> = (0..growing.len()).filter(|&i| rates[i] <= least * (1.0 + 1e-12)).collect();
            for &i in &fixed {
                self.flows[growing[i]].2 = least;
                for (link, weight) in used[i] {
                    free[link] -= least * weight;
                    weights[link] -= weight;
                }
            }
            let mut place = 0;
            growing.retain(|_| {
                place += 1;
                fixed.binary_search(&(place - 1)).is_err()
            });
        }
    }
}
