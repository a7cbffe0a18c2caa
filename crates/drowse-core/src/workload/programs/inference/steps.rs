//! What the router, a rank of a prefill group and one of a decode group do.

use super::cost::Batch;
use super::plan::Group;
use super::{Inference, Pool, TOKEN};
use crate::model::units::Time;
use crate::workload::operation::Collective;
use crate::workload::programs::program::{Program, Steps};
use crate::workload::programs::writer::Writer;

/// Tags: prompts, keys and values.
const PROMPT: u32 = 0;
const KEYS: u32 = 1;

/// What a rank is.
enum Role<'a> {
    Router,
    /// A rank of a group that reads prompts: the number of the group, and its place there.
    Prefill(u32, u32),
    /// A rank of a group that makes answers: the group, its number among all, and its place there.
    Decode(&'a Group, u32, u32),
}

impl Inference {
    fn role(&self, rank: u32) -> Role<'_> {
        let (prefill, decode) = (self.serving.prefill, self.serving.decode);
        match rank.checked_sub(1) {
            None => Role::Router,
            Some(rank) if rank < prefill.ranks() => Role::Prefill(rank / prefill.tensor, rank % prefill.tensor),
            Some(rank) => {
                let rank = rank - prefill.ranks();
                let group = rank / decode.tensor;
                Role::Decode(&self.plan.groups[group as usize], group, rank % decode.tensor)
            }
        }
    }

    /// Returns the steps of a request or a batch: a first, halves of layers, and a last.
    fn steps_of_layers(&self) -> u64 {
        2 * u64::from(self.serving.model.layers)
    }

    /// Returns the first rank of a group of a pool.
    fn first(&self, is_decode: bool, group: u32) -> u32 {
        let (prefill, decode) = (self.serving.prefill, self.serving.decode);
        1 + if is_decode { prefill.ranks() + group * decode.tensor } else { group * prefill.tensor }
    }

    /// Waits for a request, and sends its prompt to a group.
    fn route(&self, number: u64, writer: &mut Writer<'_>) {
        let request = self.plan.requests[number as usize];
        writer.compute_for(request.gap);
        let prefill = self.serving.prefill;
        let first = self.first(false, (number % u64::from(prefill.groups)) as u32);
        (first..first + prefill.tensor).for_each(|to| writer.send(to, PROMPT, TOKEN * u64::from(request.prompt)));
    }

    /// Takes a step of reading a prompt: receives it, computes, and sends the keys and values.
    fn read(&self, group: u32, place: u32, step: u64, writer: &mut Writer<'_>) {
        let of_a_request = self.steps_of_layers() + 2;
        let number = u64::from(group) + step / of_a_request * u64::from(self.serving.prefill.groups);
        let prompt = self.plan.requests[number as usize].prompt;
        match (step % of_a_request).checked_sub(1) {
            None => writer.receive(0, PROMPT),
            Some(half) if half < self.steps_of_layers() => {
                self.compute(half, &Batch::prompt(prompt), self.serving.prefill, group, writer);
            }
            Some(_) => {
                let first = self.first(true, (number % u64::from(self.serving.decode.groups)) as u32);
                let parts = [self.serving.prefill.tensor, self.serving.decode.tensor];
                let bytes = self.keys_and_values(prompt);
                common(bytes, parts, place, |other, bytes| writer.send(first + other, KEYS, bytes));
            }
        }
    }

    /// Takes a step of making a token of each request of a batch: receives the keys and values of those that join, and
    /// computes.
    fn make(&self, group: &Group, number: u32, place: u32, step: u64, writer: &mut Writer<'_>) {
        let of_a_batch = self.steps_of_layers() + 1;
        let (step, within) = (step / of_a_batch, step % of_a_batch);
        let segment = group.segment(step);
        if let Some(half) = within.checked_sub(1) {
            let group = self.serving.prefill.groups + number;
            return self.compute(half, &segment.batch(step), self.serving.decode, group, writer);
        }
        let joining = if step == segment.first { segment.joining.clone() } else { 0..0 };
        for &request in &group.order[joining] {
            let first = self.first(false, request % self.serving.prefill.groups);
            let parts = [self.serving.decode.tensor, self.serving.prefill.tensor];
            let bytes = self.keys_and_values(self.plan.requests[request as usize].prompt);
            common(bytes, parts, place, |other, _| writer.receive(first + other, KEYS));
        }
    }

    /// Computes a half of a layer, and sums its activations over the group of this number.
    fn compute(&self, half: u64, batch: &Batch, pool: Pool, group: u32, writer: &mut Writer<'_>) {
        let time = self.serving.time(self.serving.half(half), batch, pool.tensor);
        writer.compute_part(0..time, self.plan.longest());
        if pool.tensor > 1 {
            let bytes = self.activations(batch.tokens);
            let count = bytes / u64::from(self.serving.element);
            writer.call_in(group, Collective::Allreduce { bytes, count, compute: Time::ZERO });
        }
    }
}

/// Calls with each of the second number of parts of so many bytes that one of the first number of parts has bytes in
/// common with, and with how many.
fn common(bytes: u64, [ours, others]: [u32; 2], place: u32, mut call: impl FnMut(u32, u64)) {
    let until = |part: u32, of: u32| (u128::from(bytes) * u128::from(part) / u128::from(of)) as u64;
    let first = u64::from(place) * u64::from(others) / u64::from(ours);
    let last = ((u64::from(place) + 1) * u64::from(others)).div_ceil(u64::from(ours));
    // At most as many as the others.
    for other in first as u32..last as u32 {
        let from = until(place, ours).max(until(other, others));
        let to = until(place + 1, ours).min(until(other + 1, others));
        call(other, to.saturating_sub(from));
    }
}

impl Steps for Inference {
    fn count(&self, rank: u32) -> u64 {
        let requests = u64::from(self.serving.requests);
        match self.role(rank) {
            Role::Router => requests,
            Role::Prefill(group, _) => {
                let groups = u64::from(self.serving.prefill.groups);
                let own = (requests + groups - 1).saturating_sub(group.into()) / groups;
                own * (self.steps_of_layers() + 2)
            }
            Role::Decode(group, ..) => group.steps() * (self.steps_of_layers() + 1),
        }
    }

    fn take(&self, rank: u32, step: u64, writer: &mut Writer<'_>) {
        debug_assert!(rank < self.ranks());
        match self.role(rank) {
            Role::Router => self.route(step, writer),
            Role::Prefill(group, place) => self.read(group, place, step, writer),
            Role::Decode(group, number, place) => self.make(group, number, place, step, writer),
        }
    }
}
