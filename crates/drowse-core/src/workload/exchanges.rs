//! A program that stands for jobs of which only the time is known: ranks compute and exchange in turns, so that a share
//! of their time goes to communication. It is an assumption, not the model of an application.
//!
//! In each exchange, every rank sends to the same core of a node that is further on by 1, 2, 4 and so on in turn, below the
//! number of nodes, and receives from as far back: the pattern of dissemination barriers (Hensgen, Finkel and Manber
//! 1988), which reaches neighbours and far nodes.

use crate::model::units::{BitRate, Time};

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
    /// The time that the link of a node is busy, in parts per million of all.
    pub sending_ppm: u32,
    /// Exchanges, or more where a rank would send more than [`MOST_BYTES`] at once.
    pub exchanges: u32,
}

impl Exchanges {
    /// Divides the time of a job on so many nodes of so many cores, whose links have a bandwidth.
    pub fn new(nodes: u32, cores: u32, time: Time, division: Division, bandwidth: BitRate) -> Self {
        let sending = u128::from(time.0) * u128::from(division.sending_ppm.min(1_000_000)) / 1_000_000;
        let of_rank = sending * u128::from(bandwidth.0) / (8 * 1_000_000_000_000 * u128::from(cores.max(1)));
        let least = of_rank.div_ceil(u128::from(MOST_BYTES));
        let count = u32::try_from(least).unwrap_or(u32::MAX).max(division.exchanges).max(1);
        let bytes = (of_rank / u128::from(count)).min(u128::from(MOST_BYTES)) as u64;
        Exchanges { nodes, cores, computing: Time(time.0 - sending as u64), count, bytes }
    }

    /// Returns how many nodes further on ranks send in an exchange.
    fn distance(&self, number: u32) -> u32 {
        let doublings = self.nodes.saturating_sub(1).checked_ilog2().unwrap_or(0) + 1;
        1 << (number % doublings)
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

    /// 100 s on links of 80 Gb/s: a fifth of it is 20 s, in which two ranks of a node send 200 GB.
    #[test]
    fn a_share_of_the_time_is_sent() {
        let division = Division { sending_ppm: 200_000, exchanges: 10 };
        let made = Exchanges::new(4, 2, Time(100 * SECOND), division, BitRate(80_000_000_000));
        assert_eq!((made.computing, made.count, made.bytes), (Time(80 * SECOND), 10, 10_000_000_000));
        // Ten times as long, a rank would send 100 GB at once: a message has 2^35 bytes at most.
        let made = Exchanges::new(4, 2, Time(1_000 * SECOND), division, BitRate(80_000_000_000));
        assert_eq!((made.count, made.bytes), (30, 1_000_000_000_000 / 30));
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
