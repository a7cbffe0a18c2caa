//! Which algorithm Open MPI 4.1 chooses by ranks and bytes.
//!
//! Operations are assumed to be commutative. Where an algorithm has too few elements to cut, it gives way to the one
//! that Open MPI takes instead. Scans, and gathers and scatters of several sizes, have no rule: they are linear.

mod tables;

use crate::model::units::Bytes;
use crate::workload::algorithms::{
    Algorithms, Allgather, Allreduce, Alltoall, Alltoallv, Barrier, Bcast, Gather, Reduce, ReduceScatter, Scatter,
};
use crate::workload::member::power_of_two_below;
use crate::workload::operation::Collective;
use tables::{Row, Table};

/// Names the algorithm of a collective operation among `size` ranks, unless one is named. What these rules choose is
/// not cut into segments.
pub(super) fn complete(algorithms: &Algorithms, collective: &Collective, size: u32) -> Algorithms {
    let named = *algorithms;
    let whole = Algorithms { segment: Some(Bytes(Algorithms::WHOLE)), ..named };
    match *collective {
        Collective::Barrier if named.barrier.is_none() => Algorithms { barrier: Some(barrier(size)), ..whole },
        Collective::Bcast { bytes, count, .. } if named.bcast.is_none() => {
            Algorithms { bcast: Some(bcast(size, bytes, count)), ..whole }
        }
        Collective::Reduce { bytes, count, .. } if named.reduce.is_none() => {
            Algorithms { reduce: Some(reduce(size, bytes, count)), ..whole }
        }
        Collective::Allreduce { bytes, count, .. } if named.allreduce.is_none() => {
            Algorithms { allreduce: Some(allreduce(size, bytes, count)), ..whole }
        }
        Collective::Gather { bytes, .. } if named.gather.is_none() => {
            Algorithms { gather: Some(gather(size, bytes)), ..whole }
        }
        Collective::Scatter { bytes, .. } if named.scatter.is_none() => {
            Algorithms { scatter: Some(scatter(size, bytes)), ..whole }
        }
        Collective::Allgather { bytes } if named.allgather.is_none() => {
            Algorithms { allgather: Some(allgather(size, bytes)), ..whole }
        }
        Collective::Allgatherv { ref bytes } if named.allgather.is_none() => {
            Algorithms { allgather: Some(allgatherv(size, sum(bytes))), ..whole }
        }
        Collective::Alltoall { bytes } if named.alltoall.is_none() => {
            Algorithms { alltoall: Some(alltoall(size, bytes)), ..whole }
        }
        Collective::Alltoallv { .. } if named.alltoallv.is_none() => {
            Algorithms { alltoallv: Some(alltoallv(size)), ..whole }
        }
        Collective::ReduceScatter { ref bytes, .. } if named.reduce_scatter.is_none() => {
            Algorithms { reduce_scatter: Some(reduce_scatter(size, sum(bytes))), ..whole }
        }
        _ => named,
    }
}

fn sum(bytes: &[u64]) -> u64 {
    bytes.iter().copied().fold(0, u64::saturating_add)
}

/// Returns what stands before the first bound above a number. The last bound is above all.
fn below<T: Copy>(row: Row<T>, number: u64) -> T {
    let (choices, last) = (row, row.len() - 1);
    choices.iter().find(|&&(bound, _)| number < bound).map_or(choices[last].1, |&(_, choice)| choice)
}

fn at<T: Copy>(table: Table<T>, size: u32, bytes: u64) -> T {
    let row = table.iter().find(|&&(bound, _)| u64::from(size) < bound).unwrap_or(&table[table.len() - 1]);
    below(row.1, bytes)
}

pub(super) fn barrier(size: u32) -> Barrier {
    below(tables::BARRIER, u64::from(size))
}

/// Fewer elements than ranks are not scattered.
pub(super) fn bcast(size: u32, bytes: u64, count: u64) -> Bcast {
    match at(tables::BCAST, size, bytes) {
        Bcast::ScatterAllgather if count < u64::from(size) => Bcast::LinearNonblocking,
        choice => choice,
    }
}

/// Fewer elements than a power of two of ranks are not halved.
pub(super) fn reduce(size: u32, bytes: u64, count: u64) -> Reduce {
    match at(tables::REDUCE, size, bytes) {
        Reduce::Rabenseifner if count < u64::from(power_of_two_below(size)) => Reduce::Linear,
        choice => choice,
    }
}

/// Fewer elements than a power of two of ranks are not halved, and fewer than ranks not cut into blocks.
pub(super) fn allreduce(size: u32, bytes: u64, count: u64) -> Allreduce {
    match at(tables::ALLREDUCE, size, bytes) {
        Allreduce::RabenseifnerDoubling if count < u64::from(power_of_two_below(size)) => Allreduce::Linear,
        Allreduce::Ring if count < u64::from(size) => Allreduce::RecursiveDoubling,
        choice => choice,
    }
}

pub(super) fn gather(size: u32, block: u64) -> Gather {
    at(tables::GATHER, size, block)
}

pub(super) fn scatter(size: u32, block: u64) -> Scatter {
    at(tables::SCATTER, size, block)
}

pub(super) fn allgather(size: u32, block: u64) -> Allgather {
    at(tables::ALLGATHER, size, block)
}

pub(super) fn allgatherv(size: u32, bytes: u64) -> Allgather {
    at(tables::ALLGATHERV, size, bytes / u64::from(size))
}

pub(super) fn alltoall(size: u32, block: u64) -> Alltoall {
    at(tables::ALLTOALL, size, block)
}

pub(super) fn alltoallv(size: u32) -> Alltoallv {
    below(tables::ALLTOALLV, u64::from(size))
}

pub(super) fn reduce_scatter(size: u32, bytes: u64) -> ReduceScatter {
    at(tables::REDUCE_SCATTER, size, bytes)
}
