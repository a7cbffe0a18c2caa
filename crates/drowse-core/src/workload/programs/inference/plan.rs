//! Which requests a decode group serves in which step, planned as if messages took no time.
//!
//! Prefill groups take requests in the order in which they come. At each of its steps a decode group takes up those whose
//! prompts have been read, in that order, as long as its batch has room (continuous batching; Yu et al. 2022, Orca). A
//! request leaves with its last token.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::Serving;
use super::cost::Batch;
use super::draw::{gap, stream};
use crate::model::units::Time;

/// The longest time that a rank may compute or wait for requests: an hour, in picoseconds.
pub(super) const LONGEST: u64 = 3_600_000_000_000_000;

/// A request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// The time since the one before.
    pub gap: Time,
    /// Tokens of the prompt.
    pub prompt: u32,
    /// Steps that it takes part in.
    pub output: u32,
}

/// The requests, and the steps of each decode group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub requests: Vec<Request>,
    pub groups: Vec<Group>,
    longest: u64,
}

/// The steps of a decode group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Group {
    /// The requests in the order in which they join.
    pub order: Vec<u32>,
    segments: Vec<Segment>,
    steps: u64,
}

/// Steps with the same requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    /// The number of the first.
    pub first: u64,
    /// Those of the order that join before it.
    pub joining: Range<usize>,
    /// Requests of the batch.
    requests: u32,
    /// Tokens of all of them before the first step.
    context: u64,
}

impl Segment {
    /// Returns what a step computes: each makes the context of the next longer by a token of each request.
    pub fn batch(&self, step: u64) -> Batch {
        Batch::step(self.requests, self.context + u64::from(self.requests) * (step - self.first))
    }
}

impl Group {
    /// Returns the number of steps.
    pub const fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns the segment of a step.
    pub fn segment(&self, step: u64) -> &Segment {
        &self.segments[self.segments.partition_point(|segment| segment.first <= step) - 1]
    }
}

impl Plan {
    pub fn new(serving: &Serving) -> Self {
        let mut stream = stream(serving.seed);
        let request = |_| Request {
            gap: gap(serving.gap, &mut stream),
            prompt: serving.lengths.draw(serving.prompt, &mut stream),
            output: serving.lengths.draw(serving.output, &mut stream),
        };
        let requests: Vec<Request> = (0..serving.requests).map(request).collect();
        let (read, mut longest) = read(serving, &requests);
        let mut groups = Vec::with_capacity(serving.decode.groups as usize);
        for group in 0..serving.decode.groups {
            let mut waiting: Vec<(u64, u32)> = (group..serving.requests)
                .step_by(serving.decode.groups as usize)
                .map(|r| (read[r as usize], r))
                .collect();
            waiting.sort_unstable();
            let (group, computed) = serve(serving, &requests, &waiting);
            longest = longest.max(computed);
            groups.push(group);
        }
        let mut plan = Plan { requests, groups, longest };
        plan.longest = longest.max(plan.waits());
        plan
    }

    /// Returns how long the router waits for requests, in picoseconds.
    pub fn waits(&self) -> u64 {
        self.requests.iter().fold(0, |sum: u64, request| sum.saturating_add(request.gap.0))
    }

    /// Returns the longest time that a rank computes, or that the router waits for requests, in picoseconds.
    pub const fn longest(&self) -> u64 {
        self.longest
    }
}

/// Returns when each prompt has been read, and the longest time that a group computes.
fn read(serving: &Serving, requests: &[Request]) -> (Vec<u64>, u64) {
    let groups = serving.prefill.groups as usize;
    let mut free = vec![0u64; groups];
    let mut computed = vec![0u64; groups];
    let mut now = 0u64;
    let mut read = Vec::with_capacity(requests.len());
    for (number, request) in requests.iter().enumerate() {
        now = now.saturating_add(request.gap.0);
        let time = serving.whole(&Batch::prompt(request.prompt), serving.prefill.tensor);
        let group = number % groups;
        free[group] = free[group].max(now).saturating_add(time);
        computed[group] = computed[group].saturating_add(time);
        read.push(free[group]);
    }
    (read, computed.into_iter().max().unwrap_or(0))
}

/// Plans the steps of a decode group for requests with the times at which they can join, and returns how long it computes.
fn serve(serving: &Serving, requests: &[Request], waiting: &[(u64, u32)]) -> (Group, u64) {
    let mut group = Group { order: waiting.iter().map(|&(_, request)| request).collect(), ..Group::default() };
    // The steps after which requests leave, with the tokens that they have by then.
    let mut leaving = BinaryHeap::<Reverse<(u64, u64)>>::new();
    let (mut now, mut computed, mut context, mut joined) = (0u64, 0u64, 0u64, 0);
    while joined < waiting.len() || !leaving.is_empty() {
        let before = leaving.len();
        while let Some(&Reverse((last, tokens))) = leaving.peek() {
            if last > group.steps {
                break;
            }
            leaving.pop();
            context -= tokens;
        }
        let is_shorter = leaving.len() < before;
        let first = joined;
        while let Some(&(ready, request)) = waiting.get(joined) {
            if leaving.len() >= serving.batch as usize || (ready > now && !leaving.is_empty()) {
                break;
            }
            now = now.max(ready);
            let Request { prompt, output, .. } = requests[request as usize];
            // The first token of the answer is there.
            let tokens = u64::from(prompt) + 1;
            context += tokens;
            leaving.push(Reverse((group.steps + u64::from(output), tokens + u64::from(output))));
            joined += 1;
        }
        if leaving.is_empty() {
            break;
        }
        if is_shorter || joined > first {
            let requests = leaving.len() as u32;
            group.segments.push(Segment { first: group.steps, joining: first..joined, requests, context });
        }
        let time = serving.whole(&Batch::step(leaving.len() as u32, context), serving.decode.tensor);
        (now, computed) = (now.saturating_add(time), computed.saturating_add(time));
        context += leaving.len() as u64;
        group.steps += 1;
        if computed > LONGEST {
            break;
        }
    }
    (group, computed)
}
