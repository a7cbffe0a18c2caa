//! Rings.

use super::{Channels, Lane, relay};
use crate::workload::operation::Operation;

/// What one rank sends and receives in a step of one channel; nothing where that has come to its end.
struct Step {
    to: u32,
    from: u32,
    sent: Option<u64>,
    receives: bool,
}

/// Takes a step of all channels at once.
fn take(steps: &[Step], tag: u32, operations: &mut Vec<Operation>) {
    let numbered = || (0..).zip(steps);
    let channels = steps.len() as u32;
    let tag = |channel: u32| (channel << 24) ^ tag;
    for (channel, step) in numbered().filter(|(_, step)| step.receives) {
        operations.push(Operation::irecv(step.from, tag(channel), channel));
    }
    for (channel, step) in numbered() {
        operations.extend(step.sent.map(|bytes| Operation::isend(step.to, tag(channel), bytes, channels + channel)));
    }
    for (channel, step) in numbered() {
        operations.extend(step.receives.then_some(Operation::Wait { request: channel }));
        operations.extend(step.sent.map(|_| Operation::Wait { request: channels + channel }));
    }
}

impl Channels<'_> {
    /// Goes around the rings. In each round, `steps` blocks pass a rank in a channel, the first being that of `first`
    /// places ahead, each next one of a place less. `chunk` says how many bytes of the block of a place a channel moves
    /// in a round; `None` if it has come to its end.
    fn around(
        &self,
        rounds: u32,
        steps: u32,
        first: u32,
        chunk: &dyn Fn(u32, u32, u32) -> Option<u64>,
        operations: &mut Vec<Operation>,
    ) {
        let size = self.size;
        let mut tag = 0;
        for round in 0..rounds {
            for step in 0..steps {
                let of = |channel: u32| {
                    let place = self.place(self.rank, channel);
                    let block = (place + first + size - step % size) % size;
                    Step {
                        to: self.at(place + 1, channel),
                        from: self.at(place + size - 1, channel),
                        sent: chunk(channel, round, block),
                        receives: chunk(channel, round, (block + size - 1) % size).is_some(),
                    }
                };
                take(&(0..self.channels).map(of).collect::<Vec<_>>(), tag, operations);
                tag += 1;
            }
        }
    }

    /// Combines data around the rings, and passes the result around. In a round, each rank has a chunk.
    pub fn allreduce_by_ring(&self, bytes: u64, count: u64, operations: &mut Vec<Operation>) {
        let (size, element) = (u64::from(self.size), bytes / count.max(1));
        let most = (self.chunk() / element.max(1)).max(1).saturating_mul(size);
        let chunk = |channel: u32, round: u32, block: u32| {
            let all = self.share(count, channel);
            let left = all.saturating_sub(u64::from(round) * most).min(most);
            let mine = left / size + u64::from(u64::from(block) < left % size);
            (left > 0 || (channel, round) == (0, 0)).then_some(mine * element)
        };
        let rounds = self.share(count, 0).div_ceil(most).max(1) as u32;
        self.around(rounds, 2 * (self.size - 1), 0, &chunk, operations);
    }

    /// Passes the block of each rank around the rings.
    pub fn allgather(&self, block: &dyn Fn(u32) -> u64, operations: &mut Vec<Operation>) {
        self.blocks_around(block, 0, operations);
    }

    /// Combines the block of each rank around the rings; each ends at its rank.
    pub fn reduce_scatter(&self, block: &dyn Fn(u32) -> u64, operations: &mut Vec<Operation>) {
        self.blocks_around(block, self.size - 1, operations);
    }

    fn blocks_around(&self, block: &dyn Fn(u32) -> u64, first: u32, operations: &mut Vec<Operation>) {
        let most = self.chunk();
        let chunk = |channel: u32, round: u32, place: u32| {
            let all = self.share(block(self.at(place, channel)), channel);
            let left = all.saturating_sub(u64::from(round).saturating_mul(most)).min(most);
            (left > 0 || (channel, round) == (0, 0)).then_some(left)
        };
        let largest = (0..self.size).map(|rank| self.share(block(rank), 0)).max().unwrap_or(0);
        let rounds = largest.div_ceil(most).max(1) as u32;
        self.around(rounds, self.size - 1, first, &chunk, operations);
    }

    /// Passes the data of a root along the rings to all ranks.
    pub fn bcast(&self, root: u32, bytes: u64, operations: &mut Vec<Operation>) {
        relay(&self.chains(root, bytes, 0), operations);
    }

    /// Combines the data of all ranks along the rings, which end at a root.
    pub fn reduce(&self, root: u32, bytes: u64, operations: &mut Vec<Operation>) {
        relay(&self.chains(root, bytes, 1), operations);
    }

    /// Cuts each ring into a chain that begins so many places behind a root.
    fn chains(&self, root: u32, bytes: u64, behind: u32) -> Vec<Lane> {
        let size = self.size;
        let chain = |channel: u32| {
            let share = self.share(bytes, channel);
            let place = self.place(self.rank, channel);
            let from_first = (place + 2 * size - self.place(root, channel) - behind) % size;
            let [next, last] = [place + 1, place + size - 1].map(|place| self.at(place, channel));
            let (from, to) = ((from_first > 0).then_some(last), (from_first + 1 < size).then_some(next));
            // Twice the steps: a rank far down the chain waits for all before it.
            (share > 0 || channel == 0).then(|| Lane { from, to, segments: self.cut(share, 2 * (size - 1)) })
        };
        (0..self.channels).filter_map(chain).collect()
    }
}
