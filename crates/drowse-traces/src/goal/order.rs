//! Puts the statements of a rank into the order in which the rank runs them.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::graph::{Does, Graph};

/// What a rank does next. Statements are known by their places in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Starts a statement.
    Start(Does, u32),
    /// Waits until a send or receive is complete.
    Wait(u32),
    /// Waits for all sends and receives.
    WaitAll,
}

/// The steps of a rank.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Ordered {
    pub steps: Vec<Step>,
    /// Waits while another statement waits for something else.
    pub approximated: u64,
}

/// What is known of the statements while they are put into order.
struct Progress<'g> {
    graph: &'g Graph,
    /// For each statement, how many ends and starts it waits for.
    missing: Vec<u32>,
    /// The statements that wait for the end, and for the start, of each.
    after_end: Vec<Vec<u32>>,
    after_start: Vec<Vec<u32>>,
    started: Vec<bool>,
    ended: Vec<bool>,
    /// For each statement, how many that it waits for have not started.
    unstarted: Vec<u32>,
    /// Sends and receives that have started, not ended, and are waited for.
    under_way: BTreeSet<u32>,
    /// Statements that wait for nothing but these.
    blocked: BTreeSet<u32>,
    /// Ready: sends and receives, and calculations.
    messages: BinaryHeap<Reverse<u32>>,
    calculations: BinaryHeap<Reverse<u32>>,
}

/// Puts the statements into order. Fails with a statement on a circle of dependencies.
pub(super) fn order(graph: &Graph) -> Result<Ordered, u32> {
    let mut progress = Progress::new(graph);
    let mut ordered = Ordered { steps: Vec::new(), approximated: 0 };
    loop {
        if let Some(Reverse(place)) = progress.messages.pop().or_else(|| progress.calculations.pop()) {
            ordered.steps.push(Step::Start(graph.statements[place as usize].does, place));
            progress.start(place);
            continue;
        }
        let Some(&first) = progress.blocked.first() else { break };
        let needed = progress.running(first);
        // Another may go on before all of these are complete.
        let requires = |other: u32| &graph.statements[other as usize].requires;
        let for_less = |&other: &u32| needed.iter().any(|needed| !requires(other).contains(needed));
        ordered.approximated += u64::from(progress.blocked.iter().any(for_less));
        for needed in needed {
            ordered.steps.push(Step::Wait(needed));
            progress.end(needed);
        }
    }
    if let Some(left) = progress.started.iter().position(|started| !started) {
        return Err(left as u32);
    }
    if progress.ended.contains(&false) {
        ordered.steps.push(Step::WaitAll);
    }
    Ok(ordered)
}

impl<'g> Progress<'g> {
    fn new(graph: &'g Graph) -> Self {
        let count = graph.statements.len();
        let mut progress = Progress {
            graph,
            missing: Vec::with_capacity(count),
            unstarted: Vec::new(),
            after_end: vec![Vec::new(); count],
            after_start: vec![Vec::new(); count],
            started: vec![false; count],
            ended: vec![false; count],
            under_way: BTreeSet::new(),
            blocked: BTreeSet::new(),
            messages: BinaryHeap::new(),
            calculations: BinaryHeap::new(),
        };
        for (place, statement) in (0..).zip(&graph.statements) {
            progress.missing.push((statement.requires.len() + statement.needs_started.len()) as u32);
            statement.requires.iter().for_each(|&needed| progress.after_end[needed as usize].push(place));
            statement.needs_started.iter().for_each(|&needed| progress.after_start[needed as usize].push(place));
        }
        progress.unstarted.clone_from(&progress.missing);
        let ready = (0..count as u32).filter(|&place| progress.missing[place as usize] == 0);
        ready.collect::<Vec<_>>().into_iter().for_each(|place| progress.is_ready(place));
        progress
    }

    fn is_ready(&mut self, place: u32) {
        match self.graph.statements[place as usize].does {
            Does::Calculate(_) => self.calculations.push(Reverse(place)),
            _ => self.messages.push(Reverse(place)),
        }
    }

    /// Notes that a statement has started; a calculation has ended by that.
    fn start(&mut self, place: u32) {
        self.started[place as usize] = true;
        let waiting = std::mem::take(&mut self.after_start[place as usize]);
        for &other in waiting.iter().chain(&self.after_end[place as usize]) {
            self.unstarted[other as usize] -= 1;
            if self.unstarted[other as usize] == 0 {
                self.blocked.insert(other);
            }
        }
        self.release(waiting);
        if let Does::Calculate(_) = self.graph.statements[place as usize].does {
            self.end(place);
        } else if !self.after_end[place as usize].is_empty() {
            self.under_way.insert(place);
        }
    }

    fn end(&mut self, place: u32) {
        self.ended[place as usize] = true;
        self.under_way.remove(&place);
        let waiting = std::mem::take(&mut self.after_end[place as usize]);
        self.release(waiting);
    }

    fn release(&mut self, waiting: Vec<u32>) {
        for place in waiting {
            self.missing[place as usize] -= 1;
            if self.missing[place as usize] == 0 {
                self.blocked.remove(&place);
                self.is_ready(place);
            }
        }
    }

    /// Returns the sends and receives under way that a statement requires.
    fn running(&self, place: u32) -> Vec<u32> {
        let requires = &self.graph.statements[place as usize].requires;
        let running: BTreeSet<u32> =
            requires.iter().copied().filter(|needed| self.under_way.contains(needed)).collect();
        running.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEND: Does = Does::Send { to: 1, tag: 0, bytes: 8 };
    const RECEIVE: Does = Does::Receive { from: Some(1), tag: None };

    fn graph(statements: &[(Does, &[u32], &[u32])]) -> Graph {
        let mut graph = Graph::default();
        for &(does, requires, needs_started) in statements {
            graph.add(None, does);
            let statement = graph.statements.last_mut().expect("it was added");
            (statement.requires, statement.needs_started) = (requires.to_vec(), needs_started.to_vec());
        }
        graph
    }

    fn steps(statements: &[(Does, &[u32], &[u32])]) -> Vec<Step> {
        order(&graph(statements)).expect("no circle").steps
    }

    #[test]
    fn what_is_ready_starts_messages_first() {
        let calculate = Does::Calculate(5);
        let found = steps(&[(calculate, &[], &[]), (SEND, &[], &[]), (RECEIVE, &[], &[])]);
        let start = |does, place| Step::Start(does, place);
        assert_eq!(found, [start(SEND, 1), start(RECEIVE, 2), start(calculate, 0), Step::WaitAll]);
    }

    #[test]
    fn ends_are_waited_for_and_starts_are_not() {
        let calculate = Does::Calculate(5);
        let start = |does, place| Step::Start(does, place);
        let found = steps(&[(RECEIVE, &[], &[]), (calculate, &[], &[0]), (SEND, &[0, 1], &[])]);
        assert_eq!(found, [start(RECEIVE, 0), start(calculate, 1), Step::Wait(0), start(SEND, 2), Step::WaitAll]);
    }

    /// Two receives that two sends answer: whichever came first would be answered first.
    #[test]
    fn waits_that_time_would_order_are_counted() {
        let both = graph(&[(RECEIVE, &[], &[]), (RECEIVE, &[], &[]), (SEND, &[0, 1], &[])]);
        assert_eq!(order(&both).expect("no circle").approximated, 0);
        let each = graph(&[(RECEIVE, &[], &[]), (RECEIVE, &[], &[]), (SEND, &[0], &[]), (SEND, &[1], &[])]);
        assert_eq!(order(&each).expect("no circle").approximated, 1);
    }

    /// Each calculation waits for a receive of its own. Looking at all of them at each wait would take minutes.
    #[test]
    fn many_waits_at_once() {
        let count = 50_000;
        let mut graph = Graph::default();
        for _ in 0..count {
            graph.add(None, RECEIVE);
        }
        for place in 0..count {
            graph.add(None, Does::Calculate(5));
            graph.statements[(count + place) as usize].requires.push(place);
        }
        let ordered = order(&graph).expect("no circle");
        assert_eq!((ordered.steps.len(), ordered.approximated), (3 * count as usize, u64::from(count) - 1));
        assert_eq!(ordered.steps[count as usize..][..2], [Step::Wait(0), Step::Start(Does::Calculate(5), count)]);
    }

    #[test]
    fn a_circle_is_found() {
        let circle = graph(&[(SEND, &[], &[]), (RECEIVE, &[2], &[]), (SEND, &[1], &[])]);
        assert_eq!(order(&circle), Err(1));
        assert_eq!(order(&graph(&[(SEND, &[], &[0])])), Err(0));
    }
}
