//! Random messages in waves: senders and receivers are drawn at random. A rank sends all its messages of a wave, then
//! receives all of that wave, and only then begins its next one. There is no barrier between waves. Waves of one message
//! make a chain as long as luck has it; in one large wave all messages are independent.

use super::steps::{Program, Steps, Writer};
use crate::model::rng::{Purpose, Stream};
use crate::workload::graph::{GraphError, MOST_RANKS, check};

/// The most messages of an iteration, since the list of them is kept.
const MOST_MESSAGES: u32 = 1 << 24;

/// Ranks that send random messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waves {
    ranks: u32,
    messages: u32,
    /// The messages of a wave.
    wave: u32,
    bytes: u64,
    seed: u64,
}

impl Waves {
    /// Makes the program of so many messages in waves of `wave` messages; every iteration has the same ones.
    pub fn new(ranks: u32, messages: u32, wave: u32, bytes: u64, seed: u64) -> Result<Self, GraphError> {
        check("ranks", ranks, 2..=MOST_RANKS)?;
        check("messages", messages, 1..=MOST_MESSAGES)?;
        check("wave", wave, 1..=MOST_MESSAGES)?;
        Ok(Waves { ranks, messages, wave, bytes, seed })
    }

    /// Returns the sender and the receiver of each message.
    fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        let mut stream = Stream::new(self.seed, Purpose::Waves, 0);
        let ranks = self.ranks;
        (0..self.messages).map(move |_| {
            let (from, other) = (stream.below(ranks), stream.below(ranks - 1));
            (from, other + u32::from(other >= from))
        })
    }
}

impl Program for Waves {
    fn ranks(&self) -> u32 {
        self.ranks
    }

    fn messages(&self) -> u64 {
        self.messages.into()
    }

    fn largest(&self) -> u64 {
        self.bytes
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(Lists::of(self))
    }
}

/// The messages of each rank in the order of its steps.
#[derive(Debug)]
struct Lists {
    /// The index of each rank's first step, then the total.
    begins: Vec<u32>,
    steps: Vec<Step>,
    bytes: u64,
}

/// One message of a rank.
#[derive(Clone, Copy, Debug, Default)]
struct Step {
    peer: u32,
    sends: bool,
}

impl Lists {
    fn of(waves: &Waves) -> Self {
        let mut begins = vec![0; waves.ranks as usize + 1];
        for (from, to) in waves.pairs() {
            begins[from as usize + 1] += 1;
            begins[to as usize + 1] += 1;
        }
        for rank in 0..waves.ranks as usize {
            begins[rank + 1] += begins[rank];
        }
        let mut next = begins.clone();
        let mut steps = vec![Step::default(); 2 * waves.messages as usize];
        let mut add = |rank: u32, step| {
            let place = &mut next[rank as usize];
            steps[*place as usize] = step;
            *place += 1;
        };
        let mut pairs = waves.pairs().peekable();
        let mut wave = Vec::new();
        while pairs.peek().is_some() {
            wave.clear();
            wave.extend(pairs.by_ref().take(waves.wave as usize));
            wave.iter().for_each(|&(from, to)| add(from, Step { peer: to, sends: true }));
            wave.iter().for_each(|&(from, to)| add(to, Step { peer: from, sends: false }));
        }
        Lists { begins, steps, bytes: waves.bytes }
    }
}

impl Steps for Lists {
    /// A computation, and the messages.
    fn count(&self, rank: u32) -> u64 {
        let rank = rank as usize;
        1 + u64::from(self.begins[rank + 1] - self.begins[rank])
    }

    fn take(&self, rank: u32, step: u64, writer: &mut Writer<'_>) {
        let Some(before) = step.checked_sub(1) else { return writer.compute() };
        let Step { peer, sends } = self.steps[self.begins[rank as usize] as usize + before as usize];
        if sends { writer.send(peer, 0, self.bytes) } else { writer.receive(peer, 0) }
    }
}
