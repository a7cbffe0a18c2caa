//! Collective operations by an algorithm that the user names.

use super::member::Member;
use super::pipeline::Segments;
use super::trees::{binary, binomial, chain, in_order_binomial};
use super::{allgather, allreduce, alltoall, barrier, bcast, gather, reduce, reduce_scatter, scatter};
use crate::workload::algorithms::{
    Algorithms, Allgather, Allreduce, Alltoall, Barrier, Bcast, Gather, Reduce, ReduceScatter, Scatter,
};
use crate::workload::operation::{Collective, Operation};

/// Appends what `member` does in a collective operation, by the algorithm that is named for it; returns false where
/// there is none.
pub(super) fn expand(
    algorithms: &Algorithms,
    collective: &Collective,
    member: Member,
    operations: &mut Vec<Operation>,
) -> bool {
    let by = Named { member, segment: algorithms.segment };
    match *collective {
        Collective::Barrier => algorithms.barrier.map(|named| by.barrier(named, operations)),
        Collective::Bcast { root, bytes, count } => {
            algorithms.bcast.map(|named| by.bcast(named, (root, bytes, count), operations))
        }
        Collective::Reduce { root, bytes, .. } => {
            algorithms.reduce.map(|named| by.reduce(named, root, bytes, operations))
        }
        Collective::Allreduce { bytes, count, .. } => {
            algorithms.allreduce.map(|named| by.allreduce(named, bytes, count, operations))
        }
        Collective::Gather { root, bytes } => algorithms.gather.map(|named| {
            let algorithm = match named {
                Gather::Linear => gather::Algorithm::Linear,
                Gather::Binomial => gather::Algorithm::Binomial,
            };
            gather::by(algorithm, member, root, bytes, operations);
        }),
        Collective::Scatter { root, bytes } => algorithms.scatter.map(|named| match named {
            Scatter::Linear => scatter::linear(member, root, bytes, operations),
            Scatter::Binomial => scatter::binomial(member, root, bytes, operations),
        }),
        Collective::Allgather { bytes } => {
            algorithms.allgather.map(|named| by.allgather(named, &|_| bytes, operations))
        }
        Collective::Allgatherv { ref bytes } => {
            algorithms.allgather.map(|named| by.allgather(named, &|rank| bytes[rank as usize], operations))
        }
        Collective::Alltoall { bytes } => algorithms.alltoall.map(|named| match named {
            Alltoall::Linear => alltoall::linear(member, bytes, operations),
            Alltoall::Pairwise => alltoall::pairwise(member, |_| bytes, operations),
            Alltoall::Bruck => alltoall::bruck(member, bytes, operations),
        }),
        Collective::ReduceScatter { ref bytes, .. } => algorithms.reduce_scatter.map(|named| match named {
            ReduceScatter::RecursiveHalving => reduce_scatter::recursive_halving(member, bytes, operations),
            ReduceScatter::Ring => reduce_scatter::ring(member, bytes, operations),
        }),
        _ => None,
    }
    .is_some()
}

/// One rank, and how it cuts data.
struct Named {
    member: Member,
    segment: Option<u64>,
}

impl Named {
    fn barrier(&self, named: Barrier, operations: &mut Vec<Operation>) {
        match named {
            Barrier::RecursiveDoubling if self.member.size.is_power_of_two() => {
                barrier::recursive_doubling(self.member, operations);
            }
            _ => barrier::dissemination(self.member, operations),
        }
    }

    fn bcast(&self, named: Bcast, (root, bytes, count): (u32, u64, u64), operations: &mut Vec<Operation>) {
        if self.member.size < 2 {
            return;
        }
        let segments = Segments::new(bytes, self.segment);
        match named {
            Bcast::Linear => scatter::linear(self.member, root, bytes, operations),
            Bcast::Binomial => bcast::along(binomial, self.member, root, segments, operations),
            Bcast::Binary => bcast::along(binary, self.member, root, segments, operations),
            Bcast::Chain => bcast::along(chain, self.member, root, segments, operations),
            Bcast::SplitBinary => {
                let segment = self.segment.unwrap_or(bytes / 2).max(1);
                bcast::split_binary(self.member, root, bytes, count, segment, operations);
            }
        }
    }

    fn reduce(&self, named: Reduce, root: u32, bytes: u64, operations: &mut Vec<Operation>) {
        let tree = match named {
            Reduce::Linear => None,
            Reduce::Binomial => Some((in_order_binomial as reduce::Tree, self.segment)),
            Reduce::Binary => Some((binary as reduce::Tree, self.segment)),
            Reduce::Chain => Some((chain as reduce::Tree, self.segment)),
        };
        reduce::along(tree, self.member, root, bytes, operations);
    }

    fn allreduce(&self, named: Allreduce, bytes: u64, count: u64, operations: &mut Vec<Operation>) {
        if self.member.size < 2 {
            return;
        }
        let count = count.max(1);
        match named {
            Allreduce::RecursiveDoubling => allreduce::recursive_doubling(self.member, bytes, operations),
            Allreduce::Ring => allreduce::ring(self.member, bytes, count, 1, operations),
            Allreduce::ReduceBcast => allreduce::reduce_bcast(self.member, bytes, count, operations),
            Allreduce::Rabenseifner => allreduce::rabenseifner(self.member, bytes, count, operations),
        }
    }

    fn allgather(&self, named: Allgather, block: allgather::Block, operations: &mut Vec<Operation>) {
        let size = self.member.size;
        match named {
            Allgather::RecursiveDoubling if size.is_power_of_two() => {
                allgather::recursive_doubling(self.member, block, operations);
            }
            Allgather::NeighbourExchange if size.is_multiple_of(2) => {
                allgather::neighbour_exchange(self.member, block, operations);
            }
            Allgather::RecursiveDoubling | Allgather::Bruck => allgather::bruck(self.member, block, operations),
            Allgather::NeighbourExchange | Allgather::Ring => allgather::ring(self.member, block, operations),
        }
    }
}
