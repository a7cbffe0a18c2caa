//! A program that stands for jobs of which only the time is known: ranks compute and exchange in turns, so that a share
//! of their time goes to communication. It is an assumption, not the model of an application.
//!
//! In each exchange, every rank sends to the same core of a node that is further on by 1, 2, 4 and so on in turn, below the
//! number of nodes, and receives from as far back: the pattern of dissemination barriers (Hensgen, Finkel and Manber
//! 1988), which reaches neighbours and far nodes.

use crate::model::units::Time;

use super::operation::{MOST_BYTES, Operation, OperationSource, SourceError};

/// What ranks compute and send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchanges {
    /// The nodes of the job, at least two.
    pub nodes: u32,
    /// Ranks of each node.
    pub cores: u32,
    /// How long each rank computes in all.
    pub computing: Time,
    /// How often ranks exchange.
    pub count: u32,
    /// What a rank sends in each exchange.
    pub bytes: u64,
}

/// How a time is divided: parts per million of it, and exchanges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Division {
    /// The time that goes to communication, in parts per million of all.
    pub sending_ppm: u32,
    /// Exchanges, or more: all distances are taken equally often, and a rank sends [`MOST_BYTES`] at once at most.
    pub exchanges: u32,
}

/// How long it takes to exchange once over each distance, with messages of a size, and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// What a rank sends in each exchange.
    pub bytes: u64,
    /// The first round.
    pub first: Time,
    /// Each that follows on another.
    pub next: Time,
}

impl Division {
    /// Returns how much of a time goes to communication.
    pub fn sending(&self, time: Time) -> Time {
        Time((u128::from(time.0) * u128::from(self.sending_ppm.min(1_000_000)) / 1_000_000) as u64)
    }

    /// Returns the rounds of a job on so many nodes.
    pub fn rounds(&self, nodes: u32) -> u32 {
        self.exchanges.div_ceil(distances(nodes)).max(1)
    }
}

/// Returns over how many distances ranks of so many nodes exchange.
pub fn distances(nodes: u32) -> u32 {
    nodes.saturating_sub(1).checked_ilog2().unwrap_or(0) + 1
}

impl Exchanges {
    /// Makes one round without computing.
    pub fn round(nodes: u32, cores: u32, bytes: u64) -> Self {
        Exchanges { nodes, cores, computing: Time::ZERO, count: distances(nodes), bytes }
    }

    /// Divides the time of a job on so many nodes of so many cores: its messages are as much longer than those of a round
    /// as its communication takes longer.
    pub fn fitted(nodes: u32, cores: u32, time: Time, division: Division, round: Round) -> Self {
        let sending = division.sending(time);
        let size = |rounds: u32| {
            let taken = u128::from(round.first.0) + u128::from(round.next.0) * u128::from(rounds - 1);
            // On a network on which messages take no time, size does not matter.
            let bytes = (u128::from(round.bytes) * u128::from(sending.0)).checked_div(taken);
            bytes.unwrap_or(u128::from(round.bytes))
        };
        let rounds = division.rounds(nodes);
        let pieces = size(rounds).div_ceil(u128::from(MOST_BYTES)).max(1);
        let most = u32::MAX / distances(nodes);
        let rounds = u32::try_from(u128::from(rounds) * pieces).unwrap_or(most).min(most);
        let bytes = size(rounds).min(u128::from(MOST_BYTES)) as u64;
        Exchanges { nodes, cores, computing: time - sending, count: rounds * distances(nodes), bytes }
    }

    /// Returns how many nodes further on ranks send in an exchange.
    fn distance(&self, number: u32) -> u32 {
        1 << (number % distances(self.nodes))
    }

    /// Returns how long a rank computes before an exchange: all such parts together are the whole time.
    fn part(&self, number: u32) -> Time {
        let until = |parts: u32| u128::from(self.computing.0) * u128::from(parts) / u128::from(self.count);
        Time((until(number + 1) - until(number)) as u64)
    }

    /// Returns the number of ranks.
    pub fn ranks(&self) -> u32 {
        self.nodes * self.cores
    }

    /// Returns the number of operations of all ranks.
    pub fn operations(&self) -> u64 {
        4 * u64::from(self.count) * u64::from(self.ranks())
    }
}

/// The operations of such a program.
#[derive(Clone, Debug)]
pub struct Exchanging {
    program: Exchanges,
    /// By rank: the exchanges that it has begun.
    begun: Vec<u32>,
}

impl Exchanging {
    /// Begins a program.
    pub fn new(program: Exchanges) -> Self {
        Exchanging { program, begun: vec![0; program.ranks() as usize] }
    }
}

impl OperationSource for Exchanging {
    fn ranks(&self) -> u32 {
        self.program.ranks()
    }

    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        let Some(begun) = self.begun.get_mut(rank as usize) else { return Ok(()) };
        let number = *begun;
        if number < self.program.count {
            *begun += 1;
            let Exchanges { nodes, cores, bytes, .. } = self.program;
            let (node, core) = (u64::from(rank / cores), rank % cores);
            let on = u64::from(self.program.distance(number));
            let of_node = |node: u64| (node % u64::from(nodes)) as u32 * cores + core;
            let (to, from) = (of_node(node + on), of_node(node + u64::from(nodes) - on));
            operations.push(Operation::Compute(self.program.part(number)));
            operations.push(Operation::irecv(from, number, 0));
            operations.push(Operation::isend(to, number, bytes, 1));
            operations.push(Operation::WaitAll);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000_000_000;

    /// A round over the two distances of four nodes takes 2 s with 10 GB a message, and 1 s where another goes before it.
    /// In 100 s, a fifth of the time are 20 s: 5 rounds, which take 6 s with 10 GB, so messages are as much larger.
    #[test]
    fn a_share_of_the_time_is_sent() {
        let division = Division { sending_ppm: 200_000, exchanges: 9 };
        let round = Round { bytes: 10_000_000_000, first: Time(2 * SECOND), next: Time(SECOND) };
        let made = Exchanges::fitted(4, 2, Time(100 * SECOND), division, round);
        assert_eq!((made.computing, made.count, made.bytes), (Time(80 * SECOND), 10, 200_000_000_000 / 6));
        // Ten times as long, a rank would send 333 GB at once: a message has 2^35 bytes at most, so there are ten times as
        // many rounds, which take 51 s with 10 GB.
        let made = Exchanges::fitted(4, 2, Time(1_000 * SECOND), division, round);
        assert_eq!((made.computing, made.count), (Time(800 * SECOND), 100));
        assert_eq!(made.bytes, MOST_BYTES.min(2_000_000_000_000 / 51));
        // Where messages take no time, all the time is computed that is not sent.
        let round = Round { first: Time::ZERO, next: Time::ZERO, ..round };
        let made = Exchanges::fitted(2, 2, Time(100 * SECOND), division, round);
        assert_eq!((made.computing, made.count, made.bytes), (Time(80 * SECOND), 9, 10_000_000_000));
    }

    /// What one rank sends to another in an exchange, the other expects of it, and parts add up.
    #[test]
    fn ranks_agree() {
        for nodes in 2..=9 {
            let program = Exchanges { nodes, cores: 3, computing: Time(100), count: 7, bytes: 5 };
            let mut source = Exchanging::new(program);
            let (mut sent, mut expected) = (Vec::new(), Vec::new());
            for rank in 0..source.ranks() {
                let (mut computed, mut operations) = (0, Vec::new());
                while source.refill(rank, &mut operations).is_ok() && !operations.is_empty() {
                    for operation in operations.drain(..) {
                        match operation {
                            Operation::Compute(time) => computed += time.0,
                            Operation::Isend { to, tag, .. } => sent.push((rank, to, tag)),
                            Operation::Irecv { from: Some(from), tag: Some(tag), .. } => {
                                expected.push((from, rank, tag));
                            }
                            _ => {}
                        }
                    }
                }
                assert_eq!(computed, 100);
            }
            sent.sort_unstable();
            expected.sort_unstable();
            assert_eq!((sent.len(), sent.iter().all(|(from, to, _)| from != to)), (7 * 3 * nodes as usize, true));
            assert_eq!(sent, expected);
        }
    }
}
