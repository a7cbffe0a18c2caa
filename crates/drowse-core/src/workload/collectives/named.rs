//! Collective operations by an algorithm that is named.

use super::hierarchical::Hierarchy;
use super::nccl::Channels;
use super::pipeline::Segments;
use super::rooted::Rooted;
use super::trees::{binary, binomial, chain, in_order_binomial, knomial};
use super::{
    allgather, allreduce, alltoall, alltoallv, barrier, bcast, butterfly, gather, messages, rabenseifner, reduce,
    reduce_scatter, scatter, scatter_allgather,
};
use crate::model::units::Time;
use crate::workload::algorithms::{
    Algorithms, Allgather, Allreduce, Alltoall, Alltoallv, Barrier, Bcast, Gather, Reduce, ReduceScatter, Scatter,
};
use crate::workload::by_node::Groups;
use crate::workload::member::Member;
use crate::workload::operation::{Collective, Operation};

/// Appends what `member` does in a collective operation, by the algorithm that is named for it; returns false where
/// there is none.
pub(super) fn expand(
    algorithms: &Algorithms,
    collective: &Collective,
    member: Member,
    groups: Option<&Groups>,
    operations: &mut Vec<Operation>,
) -> bool {
    let rules = Algorithms { rules: algorithms.rules, ..Algorithms::default() };
    let channels = algorithms.channels.unwrap_or(1);
    let by = Named { member, segment: algorithms.segment.map(|segment| segment.0), channels, groups, rules };
    match *collective {
        Collective::Barrier => algorithms.barrier.map(|named| by.barrier(named, operations)),
        Collective::Bcast { root, bytes, count } => {
            algorithms.bcast.map(|named| by.bcast(named, Rooted { root, bytes, count }, operations))
        }
        Collective::Reduce { root, bytes, count, .. } => {
            algorithms.reduce.map(|named| by.reduce(named, Rooted { root, bytes, count }, operations))
        }
        Collective::Allreduce { bytes, count, .. } => {
            algorithms.allreduce.map(|named| by.allreduce(named, bytes, count, operations))
        }
        Collective::Gather { root, bytes } => algorithms.gather.map(|named| by.gather(named, root, bytes, operations)),
        Collective::Scatter { root, bytes } => algorithms.scatter.map(|named| match named {
            Scatter::Linear => scatter::linear(member, root, bytes, operations),
            Scatter::LinearNonblocking => scatter::linear_nonblocking(member, root, bytes, operations),
            Scatter::Binomial => scatter::binomial(member, root, bytes, operations),
            Scatter::BinomialLargestFirst => scatter::binomial_largest_first(member, root, bytes, operations),
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
        Collective::Alltoallv { ref bytes } => algorithms.alltoallv.map(|named| match named {
            Alltoallv::Linear => alltoallv::linear(member, bytes, operations),
            Alltoallv::Pairwise => alltoallv::expand(member, bytes, operations),
        }),
        Collective::ReduceScatter { ref bytes, .. } => {
            algorithms.reduce_scatter.map(|named| by.reduce_scatter(named, bytes, operations))
        }
        _ => None,
    }
    .is_some()
}

/// One rank, how it cuts data, and the rules for what an algorithm is made of.
struct Named<'a> {
    member: Member,
    segment: Option<u64>,
    channels: u32,
    /// The ranks by node; each on a node of its own if there is none.
    groups: Option<&'a Groups>,
    rules: Algorithms,
}

impl Named<'_> {
    /// Follows the nodes; a root leads its own.
    fn by_nodes(&self, root: Option<u32>, run: impl FnOnce(&Hierarchy)) {
        let Member { rank, size } = self.member;
        match self.groups {
            Some(groups) => run(&Hierarchy::new(groups, &self.rules, rank, root)),
            None => run(&Hierarchy::new(&Groups::apart(size), &self.rules, rank, root)),
        }
    }

    /// Cuts data for a pipeline.
    fn pipeline(&self, bytes: u64) -> Segments {
        Segments::new(bytes, Some(self.segment.unwrap_or(Algorithms::SEGMENT)))
    }

    /// Returns the segments of halves down a binary tree; halves shorter than a segment that is named are not sent.
    fn of_halves(&self, bytes: u64) -> Option<u64> {
        match self.segment {
            Some(segment) => Some(segment).filter(|&segment| segment != Algorithms::WHOLE),
            // The smaller half has a third of all at least, where it has anything.
            None => Some(Algorithms::SEGMENT).filter(|segment| bytes / 3 >= *segment),
        }
    }

    /// Follows the channels of NCCL.
    fn by_channels(&self, run: impl FnOnce(Channels)) {
        let (Member { rank, size }, channels, chunk) = (self.member, self.channels, self.segment);
        match self.groups {
            Some(groups) => run(Channels { groups, rank, size, channels, chunk }),
            None => run(Channels { groups: &Groups::apart(size), rank, size, channels, chunk }),
        }
    }

    fn barrier(&self, named: Barrier, operations: &mut Vec<Operation>) {
        match named {
            Barrier::RecursiveDoubling if self.member.size.is_power_of_two() => {
                barrier::recursive_doubling(self.member, operations);
            }
            Barrier::RecursiveDoubling | Barrier::Dissemination => barrier::dissemination(self.member, operations),
            Barrier::FoldedDoubling => barrier::folded_doubling(self.member, operations),
            Barrier::Linear => barrier::linear(self.member, operations),
            Barrier::Tree => barrier::tree(self.member, operations),
            Barrier::Hierarchical => self.by_nodes(None, |nodes| nodes.barrier(operations)),
        }
    }

    fn bcast(&self, named: Bcast, data: Rooted, operations: &mut Vec<Operation>) {
        let (member, Rooted { root, bytes, count }) = (self.member, data);
        if member.size < 2 {
            return;
        }
        let segments = Segments::new(bytes, self.segment);
        match named {
            Bcast::Linear => scatter::linear(member, root, bytes, operations),
            Bcast::LinearNonblocking => scatter::linear_nonblocking(member, root, bytes, operations),
            Bcast::Binomial => bcast::along(binomial, member, root, segments, operations),
            Bcast::Knomial => bcast::along(knomial, member, root, segments, operations),
            Bcast::Binary => bcast::along(binary, member, root, self.pipeline(bytes), operations),
            Bcast::Chain => bcast::along(chain, member, root, self.pipeline(bytes), operations),
            Bcast::SplitBinary => bcast::split_binary(member, data, self.of_halves(bytes), operations),
            Bcast::ScatterAllgather => scatter_allgather::doubling(member, root, bytes, count, operations),
            Bcast::Hierarchical => self.by_nodes(Some(root), |nodes| nodes.bcast(root, bytes, count, operations)),
            Bcast::NcclRing => self.by_channels(|channels| channels.bcast(root, bytes, operations)),
            Bcast::ScatterAllgatherRing => scatter_allgather::ring(member, root, bytes, count, operations),
        }
    }

    fn reduce(&self, named: Reduce, data: Rooted, operations: &mut Vec<Operation>) {
        let (member, Rooted { root, bytes, count }) = (self.member, data);
        let tree = match named {
            Reduce::InOrderBinary => {
                return reduce::in_order(member, root, self.pipeline(bytes), bytes, operations);
            }
            Reduce::Rabenseifner => return rabenseifner::reduce(member, root, bytes, count.max(1), operations),
            Reduce::Hierarchical => {
                return self.by_nodes(Some(root), |nodes| nodes.reduce(root, bytes, count, operations));
            }
            Reduce::NcclRing => return self.by_channels(|channels| channels.reduce(root, bytes, operations)),
            Reduce::Linear => None,
            Reduce::Binomial => Some((in_order_binomial as reduce::Tree, Segments::new(bytes, self.segment))),
            Reduce::Binary => Some((binary as reduce::Tree, self.pipeline(bytes))),
            Reduce::Chain => Some((chain as reduce::Tree, self.pipeline(bytes))),
        };
        reduce::along(tree, member, root, bytes, operations);
    }

    fn allreduce(&self, named: Allreduce, bytes: u64, count: u64, operations: &mut Vec<Operation>) {
        let member = self.member;
        if member.size < 2 {
            return;
        }
        let count = count.max(1);
        match named {
            Allreduce::RecursiveDoubling => allreduce::recursive_doubling(member, bytes, operations),
            Allreduce::Ring => allreduce::ring(member, bytes, count, 1, operations),
            Allreduce::ReduceBcast => {
                let compute = Time::ZERO;
                messages(&self.rules, &Collective::Reduce { root: 0, bytes, count, compute }, member, None, operations);
                // Both halves may use the same tags. They do not mix, because every rank completes the first half
                // before the second.
                messages(&self.rules, &Collective::Bcast { root: 0, bytes, count }, member, None, operations);
            }
            Allreduce::Linear => {
                let data = Rooted { root: 0, bytes, count };
                self.reduce(Reduce::Linear, data, operations);
                self.bcast(Bcast::LinearNonblocking, data, operations);
            }
            Allreduce::Rabenseifner => allreduce::rabenseifner(member, bytes, count, operations),
            Allreduce::Hierarchical => self.by_nodes(None, |nodes| nodes.allreduce(bytes, count, operations)),
            Allreduce::NcclRing => self.by_channels(|channels| channels.allreduce_by_ring(bytes, count, operations)),
            Allreduce::DoubleBinaryTree => {
                self.by_channels(|channels| channels.allreduce_by_tree(bytes, count, operations));
            }
            Allreduce::RabenseifnerDoubling => rabenseifner::allreduce(member, bytes, count, operations),
        }
    }

    fn gather(&self, named: Gather, root: u32, bytes: u64, operations: &mut Vec<Operation>) {
        let algorithm = match named {
            Gather::Linear => gather::Algorithm::Linear,
            Gather::LinearSync => gather::Algorithm::LinearSync(self.segment.unwrap_or(bytes)),
            Gather::Binomial => gather::Algorithm::Binomial,
        };
        gather::by(algorithm, self.member, root, bytes, operations);
    }

    fn allgather(&self, named: Allgather, block: allgather::Block, operations: &mut Vec<Operation>) {
        let member = self.member;
        match named {
            Allgather::RecursiveDoubling if member.size.is_power_of_two() => {
                allgather::recursive_doubling(member, block, operations);
            }
            Allgather::NeighbourExchange if member.size.is_multiple_of(2) => {
                allgather::neighbour_exchange(member, block, operations);
            }
            Allgather::RecursiveDoubling | Allgather::Bruck => allgather::bruck(member, block, operations),
            Allgather::NeighbourExchange | Allgather::Ring => allgather::ring(member, block, operations),
            Allgather::Hierarchical => self.by_nodes(None, |nodes| nodes.allgather(block, operations)),
            Allgather::NcclRing => self.by_channels(|channels| channels.allgather(block, operations)),
            Allgather::GatherBcast => {
                let blocks: Box<[u64]> = (0..member.size).map(block).collect();
                let bytes = blocks.iter().copied().fold(0, u64::saturating_add);
                messages(&self.rules, &Collective::Gatherv { root: 0, bytes: blocks }, member, None, operations);
                // All blocks are one element of a type that describes them.
                messages(&self.rules, &Collective::Bcast { root: 0, bytes, count: 1 }, member, None, operations);
            }
        }
    }

    fn reduce_scatter(&self, named: ReduceScatter, bytes: &[u64], operations: &mut Vec<Operation>) {
        let member = self.member;
        match named {
            ReduceScatter::RecursiveHalving => reduce_scatter::recursive_halving(member, bytes, operations),
            ReduceScatter::Ring => reduce_scatter::ring(member, bytes, operations),
            ReduceScatter::Butterfly => butterfly::expand(member, bytes, operations),
            ReduceScatter::Hierarchical => {
                self.by_nodes(None, |nodes| nodes.reduce_scatter(&|rank| bytes[rank as usize], operations));
            }
            ReduceScatter::NcclRing => {
                self.by_channels(|channels| channels.reduce_scatter(&|rank| bytes[rank as usize], operations));
            }
            ReduceScatter::ReduceScatterv => {
                let all = bytes.iter().copied().fold(0, u64::saturating_add);
                if all == 0 {
                    return;
                }
                let reduce = Collective::Reduce { root: 0, bytes: all, count: all, compute: Time::ZERO };
                messages(&self.rules, &reduce, member, None, operations);
                let scatter = Collective::Scatterv { root: 0, bytes: bytes.into() };
                messages(&self.rules, &scatter, member, None, operations);
            }
        }
    }
}
