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

impl Division {
    /// Returns how much of a time goes to communication.
    pub fn sending(self, time: Time) -> Time {
        Time((u128::from(time.0) * u128::from(self.sending_ppm.min(1_000_000)) / 1_000_000) as u64)
    }

    /// Returns the exchanges of a job on so many nodes, each distance equally often.
    pub fn exchanges(self, nodes: u32) -> u32 {
        self.exchanges.next_multiple_of(distances(nodes)).max(distances(nodes))
    }
}

/// Returns over how many distances ranks of so many nodes exchange.
pub fn distances(nodes: u32) -> u32 {
    nodes.saturating_sub(1).checked_ilog2().unwrap_or(0) + 1
}

impl Exchanges {
    /// Returns a program that takes another time where this one takes `own`: ranks compute and send so much more or less,
    /// in pieces where that is too much for a message.
    #[must_use]
    pub fn of_time(&self, own: Time, time: Time, division: Division) -> Self {
        let bytes = u128::from(self.bytes) * u128::from(time.0) / u128::from(own.0.max(1));
        let most = u32::MAX / self.count.max(1);
        let pieces = u32::try_from(bytes.div_ceil(u128::from(MOST_BYTES))).unwrap_or(most).clamp(1, most);
        let bytes = (bytes / u128::from(pieces)).min(u128::from(MOST_BYTES)) as u64;
        Exchanges { computing: time - division.sending(time), count: self.count * pieces, bytes, ..*self }
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

    /// A program that takes 50 s, of which a fifth are ten exchanges of 10 GB, takes twice the time with 20 GB. In 1,000 s a
    /// rank would send 200 GB at once, and a message has 34.4 GB at most: so there are six times as many exchanges.
    #[test]
    fn a_program_of_another_time() {
        let division = Division { sending_ppm: 200_000, exchanges: 9 };
        let computing = Time(40 * SECOND);
        let program = Exchanges { nodes: 4, cores: 2, computing, count: division.exchanges(4), bytes: 10_000_000_000 };
        assert_eq!(program.count, 10, "five for each of two distances");
        let twice = program.of_time(Time(50 * SECOND), Time(100 * SECOND), division);
        assert_eq!(twice, Exchanges { computing: Time(80 * SECOND), bytes: 20_000_000_000, ..program });
        let long = program.of_time(Time(50 * SECOND), Time(1_000 * SECOND), division);
        assert_eq!((long.computing, long.count, long.bytes), (Time(800 * SECOND), 60, 200_000_000_000 / 6));
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
