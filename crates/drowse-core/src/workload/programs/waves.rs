//! Random messages in waves: senders and receivers are drawn at random. A rank sends all its messages of a wave, then
//! receives all of that wave, and only then begins its next one. There is no barrier between waves. Waves of one message
//! make a chain as long as luck has it; in one large wave all messages are independent.

use serde::Deserialize;

use super::error::{MOST_RANKS, ProgramError, check};
use super::keys::{Given, Parts, ProgramKeys};
use super::program::{Program, Steps};
use super::writer::Writer;
use crate::model::rng::{Purpose, Stream};
use crate::model::units::Bytes;

/// The most messages of an iteration, since the list of them is kept.
const MOST_MESSAGES: u32 = 1 << 24;

/// Ranks that send random messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Waves {
    /// Ranks, at least 2.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [64]), range(min = 2)))]
    ranks: u32,
    /// Messages of all ranks in an iteration.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [4096])))]
    #[cfg_attr(feature = "schema", schemars(extend("x-hint" = "the messages of an iteration")))]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 16_777_216)))]
    messages: u32,
    /// Messages of a wave; with 1, each waits for the one before wherever they share a rank.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [64]), extend("x-hint" = "the messages of a wave")))]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 16_777_216)))]
    wave: u32,
    /// Size of each message.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = ["1 KiB"])))]
    bytes: Bytes,
    #[serde(skip)]
    seed: u64,
}

impl Waves {
    /// Makes the program of so many messages in waves of `wave` messages; every iteration has the same ones.
    pub fn new(ranks: u32, messages: u32, wave: u32, bytes: u64, seed: u64) -> Result<Self, ProgramError> {
        check("ranks", ranks, 2..=MOST_RANKS)?;
        check("messages", messages, 1..=MOST_MESSAGES)?;
        check("wave", wave, 1..=MOST_MESSAGES)?;
        Ok(Waves { ranks, messages, wave, bytes: Bytes(bytes), seed })
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

impl ProgramKeys for Waves {
    const KIND: &'static str = "random-waves";
    const ABOUT: &'static str =
        "Messages between random ranks, in waves: a rank ends a wave before it begins its next one.";

    fn parts(self, given: Given) -> Result<Parts, ProgramError> {
        Ok(given.iterated(Waves::new(self.ranks, self.messages, self.wave, self.bytes.0, given.seed)?))
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
        self.bytes.0
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
        Lists { begins, steps, bytes: waves.bytes.0 }
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
