//! Puts the nodes of a rank into the order in which the rank runs them.
//!
//! Ids decide first: the order of the graph that takes the lowest id of those that are ready. Communications that could
//! be taken for each other, those of one communicator, or with one peer and tag, start in this order, whatever else the
//! rank does, so that ranks with different times agree.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use drowse_core::workload::communicators::CommId;
use rustc_hash::FxHashMap;

use super::graph::{Does, Graph};

/// What a rank does next. Communications are known by the places of their nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Computes.
    Compute(u64),
    /// Starts a communication.
    Start(Does, u32),
    /// Starts one and waits for it at once.
    Do(Does),
    /// Waits until one has ended.
    Wait(u32),
    /// Waits for all that are under way.
    WaitAll,
}

/// The steps of a rank.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Ordered {
    pub steps: Vec<Step>,
    /// Waits for communications beside which the rank did, or could do, something else.
    pub approximated: u64,
}

/// What communications have in common that could be taken for each other.
#[derive(PartialEq, Eq, Hash)]
enum Like {
    Send(u32, u32),
    Receive(u32, u32),
    Collective(CommId),
}

/// What is known of the nodes while they are put into order.
struct Progress<'g> {
    graph: &'g Graph,
    /// The nodes in the order of ids, and where each is in it.
    sequence: Vec<u32>,
    turn: Vec<u32>,
    /// For each node: how many others it waits for, and which wait for its end.
    missing: Vec<u32>,
    waiting: Lists,
    /// The communication that may start when this one has started.
    next_like: FxHashMap<u32, u32>,
    state: Vec<State>,
    /// Ready, by their turns: communications, nodes of the two processors.
    communications: BinaryHeap<Reverse<u32>>,
    ready: [BinaryHeap<Reverse<u32>>; 2],
    /// What the processors run, and when that ends.
    running: [Option<(u64, u32)>; 2],
    /// Communications under way that something waits for, and when they started.
    under_way: FxHashMap<u32, u64>,
    /// The number of communications that were started and not waited for.
    open: u32,
    now: u64,
    ordered: Ordered,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Waits,
    Started,
    Ended,
}

/// Lists of nodes, one for each.
struct Lists {
    begins: Vec<u32>,
    entries: Vec<u32>,
}

impl Lists {
    /// Returns for each node those that depend on it.
    fn waiting(graph: &Graph) -> Self {
        let nodes = graph.len() as u32;
        let mut begins = vec![0_u32; graph.len() + 1];
        let all = || (0..nodes).flat_map(|place| graph.needs(place).iter().map(move |&needed| (needed, place)));
        all().for_each(|(needed, _)| begins[needed as usize + 1] += 1);
        for place in 0..graph.len() {
            begins[place + 1] += begins[place];
        }
        let (mut at, mut entries) = (begins.clone(), vec![0; begins[graph.len()] as usize]);
        for (needed, place) in all() {
            entries[at[needed as usize] as usize] = place;
            at[needed as usize] += 1;
        }
        Lists { begins, entries }
    }

    fn of(&self, place: u32) -> &[u32] {
        &self.entries[self.begins[place as usize] as usize..self.begins[place as usize + 1] as usize]
    }
}

/// Puts the nodes into order. Fails with a node that can never start.
pub(super) fn order(graph: &Graph) -> Result<Ordered, u32> {
    let waiting = Lists::waiting(graph);
    let sequence = by_id(graph, &waiting)?;
    let mut progress = Progress::new(graph, waiting, sequence);
    let mut turn = 0;
    loop {
        while progress.start() {}
        if progress.run() {
            continue;
        }
        // Everything before the first node that waits has started, so that one waits for communications only.
        while progress.sequence.get(turn).is_some_and(|&place| progress.state[place as usize] != State::Waits) {
            turn += 1;
        }
        let Some(&first) = progress.sequence.get(turn) else { break };
        for &needed in graph.needs(first) {
            progress.wait(needed);
        }
        debug_assert_eq!(progress.missing[first as usize], 0, "it waits for nothing else");
        turn += 1;
    }
    if progress.open > 0 {
        progress.ordered.steps.push(Step::WaitAll);
    }
    Ok(progress.ordered)
}

/// Returns the nodes in an order of the graph, always that of the lowest id which is ready.
fn by_id(graph: &Graph, waiting: &Lists) -> Result<Vec<u32>, u32> {
    let nodes = graph.len() as u32;
    let mut missing: Vec<u32> = (0..nodes).map(|place| graph.needs(place).len() as u32).collect();
    let mut ready: BinaryHeap<Reverse<u32>> =
        (0..nodes).filter(|&place| missing[place as usize] == 0).map(Reverse).collect();
    let mut sequence = Vec::with_capacity(graph.len());
    while let Some(Reverse(place)) = ready.pop() {
        sequence.push(place);
        for &waits in waiting.of(place) {
            missing[waits as usize] -= 1;
            if missing[waits as usize] == 0 {
                ready.push(Reverse(waits));
            }
        }
    }
    match missing.iter().position(|&missing| missing > 0) {
        Some(left) => Err(left as u32),
        None => Ok(sequence),
    }
}

impl<'g> Progress<'g> {
    fn new(graph: &'g Graph, waiting: Lists, sequence: Vec<u32>) -> Self {
        let nodes = graph.len();
        let mut progress = Progress {
            graph,
            turn: vec![0; nodes],
            sequence,
            missing: (0..nodes as u32).map(|place| graph.needs(place).len() as u32).collect(),
            waiting,
            next_like: FxHashMap::default(),
            state: vec![State::Waits; nodes],
            communications: BinaryHeap::new(),
            ready: [BinaryHeap::new(), BinaryHeap::new()],
            running: [None; 2],
            under_way: FxHashMap::default(),
            open: 0,
            now: 0,
            ordered: Ordered { steps: Vec::new(), approximated: 0 },
        };
        let mut last_like: FxHashMap<Like, u32> = FxHashMap::default();
        for turn in 0..nodes {
            let place = progress.sequence[turn];
            progress.turn[place as usize] = turn as u32;
            let like = match graph.does[place as usize] {
                Does::Send { to, tag, .. } => Like::Send(to, tag),
                Does::Receive { from, tag } => Like::Receive(from, tag),
                Does::Collective { comm, .. } => Like::Collective(comm),
                Does::Compute(..) | Does::Nothing => continue,
            };
            if let Some(before) = last_like.insert(like, place) {
                progress.next_like.insert(before, place);
                progress.missing[place as usize] += 1;
            }
        }
        for place in 0..nodes as u32 {
            if progress.missing[place as usize] == 0 {
                progress.is_ready(place);
            }
        }
        progress
    }

    /// Notes that a node waits for nothing.
    fn is_ready(&mut self, place: u32) {
        let turn = Reverse(self.turn[place as usize]);
        match self.graph.does[place as usize] {
            Does::Compute(processor, _) => self.ready[processor as usize].push(turn),
            _ => self.communications.push(turn),
        }
    }

    /// Starts what is ready and finds a free processor; returns whether there was something.
    fn start(&mut self) -> bool {
        let mut started = false;
        while let Some(Reverse(turn)) = self.communications.pop() {
            started = true;
            let place = self.sequence[turn as usize];
            match self.graph.does[place as usize] {
                Does::Nothing | Does::Compute(..) => self.end(place),
                does => self.communicate(place, does),
            }
        }
        for processor in 0..2 {
            if self.running[processor].is_none()
                && let Some(Reverse(turn)) = self.ready[processor].pop()
            {
                started = true;
                let place = self.sequence[turn as usize];
                self.state[place as usize] = State::Started;
                match self.graph.does[place as usize] {
                    Does::Compute(_, 0) => self.end(place),
                    Does::Compute(_, time) => self.running[processor] = Some((self.now.saturating_add(time), place)),
                    _ => {}
                }
            }
        }
        started
    }

    /// Starts a communication.
    fn communicate(&mut self, place: u32, does: Does) {
        self.ordered.steps.push(Step::Start(does, place));
        self.state[place as usize] = State::Started;
        self.open += 1;
        if !self.waiting.of(place).is_empty() {
            self.under_way.insert(place, self.now);
        }
        if let Some(&like) = self.next_like.get(&place) {
            self.release(like);
        }
    }

    /// Lets time pass until a processor has ended something; returns false if none runs.
    fn run(&mut self) -> bool {
        let Some(end) = self.running.iter().flatten().map(|&(end, _)| end).min() else { return false };
        let time = end - self.now;
        match self.ordered.steps.last_mut() {
            Some(Step::Compute(before)) => *before = before.saturating_add(time),
            _ => self.ordered.steps.push(Step::Compute(time)),
        }
        self.now = end;
        for processor in 0..2 {
            if let Some((at, place)) = self.running[processor]
                && at == end
            {
                self.running[processor] = None;
                self.end(place);
            }
        }
        true
    }

    /// Waits for a communication, if it is under way.
    fn wait(&mut self, place: u32) {
        let Some(started) = self.under_way.remove(&place) else { return };
        let was_alone = self.now == started && self.under_way.is_empty();
        self.ordered.approximated += u64::from(!was_alone);
        match self.ordered.steps.last_mut() {
            Some(last) if matches!(*last, Step::Start(_, other) if other == place) => {
                *last = Step::Do(self.graph.does[place as usize]);
            }
            _ => self.ordered.steps.push(Step::Wait(place)),
        }
        self.open -= 1;
        self.end(place);
    }

    /// Notes that a node has ended.
    fn end(&mut self, place: u32) {
        self.state[place as usize] = State::Ended;
        for at in self.waiting.begins[place as usize]..self.waiting.begins[place as usize + 1] {
            self.release(self.waiting.entries[at as usize]);
        }
    }

    /// Notes that a node waits for one less.
    fn release(&mut self, place: u32) {
        self.missing[place as usize] -= 1;
        if self.missing[place as usize] == 0 {
            self.is_ready(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph::{Processor, Unsorted};
    use super::*;

    const SEND: Does = Does::Send { to: 1, tag: 0, bytes: 8 };
    const RECEIVE: Does = Does::Receive { from: 1, tag: 0 };
    const CALL: Does = Does::Collective { comm: 0, which: 0 };

    fn host(time: u64) -> Does {
        Does::Compute(Processor::Host, time)
    }

    fn device(time: u64) -> Does {
        Does::Compute(Processor::Device, time)
    }

    fn ordered(nodes: &[(u64, Does, &[u64])]) -> Result<Ordered, u32> {
        let (mut unsorted, mut needs) = (Vec::new(), Vec::new());
        for &(id, does, of) in nodes {
            let begin = needs.len();
            needs.extend_from_slice(of);
            unsorted.push(Unsorted { id, offset: 0, does, begin, end: needs.len() });
        }
        order(&Graph::new(unsorted, &needs).unwrap())
    }

    fn steps(nodes: &[(u64, Does, &[u64])]) -> Vec<Step> {
        ordered(nodes).unwrap().steps
    }

    #[test]
    fn a_chain_blocks() {
        let chain = [(3, device(5), &[9_u64][..]), (9, SEND, &[]), (4, RECEIVE, &[3]), (5, device(7), &[4])];
        assert_eq!(steps(&chain), [Step::Do(SEND), Step::Compute(5), Step::Do(RECEIVE), Step::Compute(7)]);
        assert_eq!(ordered(&chain).unwrap().approximated, 0);
    }

    /// The gradient of a layer is reduced while the layer before it computes.
    #[test]
    fn communication_goes_on_beside_computing() {
        let backward =
            [(1, device(5), &[][..]), (2, CALL, &[1]), (3, device(6), &[1]), (4, CALL, &[3]), (5, device(1), &[2, 4])];
        let expected = [
            Step::Compute(5),
            Step::Start(CALL, 1),
            Step::Compute(6),
            Step::Start(CALL, 3),
            Step::Wait(1),
            Step::Wait(3),
            Step::Compute(1),
        ];
        assert_eq!(steps(&backward), expected);
    }

    /// The two processors work at the same time, one node each.
    #[test]
    fn processors_overlap() {
        let both =
            [(1, host(10), &[][..]), (2, device(4), &[]), (3, device(9), &[]), (4, SEND, &[2]), (5, SEND, &[1, 3])];
        let expected = [Step::Compute(4), Step::Start(SEND, 3), Step::Compute(9), Step::Start(SEND, 4), Step::WaitAll];
        assert_eq!(steps(&both), expected);
    }

    /// Whatever is ready first, calls of one communicator keep the order of ids where the graph leaves it open.
    #[test]
    fn calls_keep_their_order() {
        let of = |one: u64, other: u64| {
            let second = Does::Collective { comm: 0, which: 1 };
            let nodes = [(1, host(one), &[][..]), (2, device(other), &[]), (3, CALL, &[1]), (4, second, &[2])];
            let calls = steps(&nodes).into_iter().filter_map(|step| match step {
                Step::Start(Does::Collective { which, .. }, _) | Step::Do(Does::Collective { which, .. }) => {
                    Some(which)
                }
                _ => None,
            });
            calls.collect::<Vec<_>>()
        };
        assert_eq!([of(1, 9), of(9, 1)], [[0, 1], [0, 1]]);
    }

    #[test]
    fn a_circle_is_found() {
        assert_eq!(ordered(&[(1, SEND, &[]), (2, RECEIVE, &[3]), (3, SEND, &[2])]), Err(1));
        assert_eq!(ordered(&[(1, SEND, &[1])]), Err(0));
    }

    /// In random graphs every node runs once, after those that it depends on.
    #[test]
    fn random_graphs_run_whole() {
        let mut seed = 1_u64;
        let mut draw = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..500 {
            let count = 1 + draw(12);
            let mut nodes = Vec::new();
            for id in 0..count {
                let tag = draw(2) as u32;
                let does = match draw(6) {
                    0 => Does::Nothing,
                    1 => Does::Send { to: 1, tag, bytes: id },
                    2 => Does::Receive { from: 1, tag },
                    3 => Does::Collective { comm: tag, which: id as u32 },
                    4 => host(draw(4)),
                    _ => device(draw(4)),
                };
                let needs: Vec<u64> = (0..id).filter(|_| draw(3) == 0).collect();
                nodes.push((id, does, needs));
            }
            let borrowed: Vec<_> = nodes.iter().map(|(id, does, needs)| (*id, *does, needs.as_slice())).collect();
            let steps = steps(&borrowed);
            let (mut started, mut ended) = (0_usize, 0_usize);
            for step in &steps {
                match step {
                    Step::Start(..) => started += 1,
                    Step::Do(_) => (started, ended) = (started + 1, ended + 1),
                    Step::Wait(place) => {
                        assert!(steps.iter().any(|step| matches!(step, Step::Start(_, other) if other == place)));
                        ended += 1;
                    }
                    Step::Compute(_) | Step::WaitAll => {}
                }
            }
            let communications = nodes.iter().filter(|(_, does, _)| !matches!(does, Does::Nothing | Does::Compute(..)));
            assert_eq!(started, communications.count());
            assert_eq!(ended < started, steps.last() == Some(&Step::WaitAll));
            let of = |processor| {
                nodes.iter().filter_map(move |(_, does, _)| match does {
                    Does::Compute(on, time) if *on == processor => Some(*time),
                    _ => None,
                })
            };
            let computed: u64 = steps.iter().map(|step| if let Step::Compute(time) = step { *time } else { 0 }).sum();
            let (host, device): (u64, u64) = (of(Processor::Host).sum(), of(Processor::Device).sum());
            assert!(computed >= host.max(device) && computed <= host + device);
        }
    }
}
