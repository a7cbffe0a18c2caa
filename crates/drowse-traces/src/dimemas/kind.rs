//! The kinds of collectives.

/// A kind of collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    Barrier,
    Bcast,
    Gather,
    Gatherv,
    Scatter,
    Scatterv,
    Allgather,
    Allgatherv,
    Alltoall,
    Alltoallv,
    Reduce,
    Allreduce,
    ReduceScatter,
    ReduceScatterBlock,
    Scan,
    Alltoallw,
}

/// The kinds by their numbers, with their names, alone and where they are immediate.
const KINDS: [(Kind, &str, &str); 16] = [
    (Kind::Barrier, "barrier", "ibarrier"),
    (Kind::Bcast, "bcast", "ibcast"),
    (Kind::Gather, "gather", "igather"),
    (Kind::Gatherv, "gatherv", "igatherv"),
    (Kind::Scatter, "scatter", "iscatter"),
    (Kind::Scatterv, "scatterv", "iscatterv"),
    (Kind::Allgather, "allgather", "iallgather"),
    (Kind::Allgatherv, "allgatherv", "iallgatherv"),
    (Kind::Alltoall, "alltoall", "ialltoall"),
    (Kind::Alltoallv, "alltoallv", "ialltoallv"),
    (Kind::Reduce, "reduce", "ireduce"),
    (Kind::Allreduce, "allreduce", "iallreduce"),
    (Kind::ReduceScatter, "reduce_scatter", "ireduce_scatter"),
    (Kind::ReduceScatterBlock, "reduce_scatter_block", "ireduce_scatter_block"),
    (Kind::Scan, "scan", "iscan"),
    (Kind::Alltoallw, "alltoallw", "ialltoallw"),
];

impl Kind {
    /// Returns the kind of a number, and whether it is immediate.
    pub fn of(number: u64, old: bool) -> Option<(Self, bool)> {
        if old && number == 13 {
            return Some((Kind::Scan, false));
        }
        let place = usize::try_from(number).ok().filter(|&place| place < 2 * KINDS.len())?;
        Some((KINDS[place % KINDS.len()].0, place >= KINDS.len()))
    }

    /// Returns the name.
    pub const fn name(self, immediate: bool) -> &'static str {
        let (_, name, immediate_name) = KINDS[self as usize];
        if immediate { immediate_name } else { name }
    }

    /// Returns whether one rank is the root.
    pub const fn has_root(self) -> bool {
        matches!(self, Kind::Bcast | Kind::Gather | Kind::Gatherv | Kind::Scatter | Kind::Scatterv | Kind::Reduce)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_their_numbers() {
        for (number, (kind, name, immediate)) in (0..).zip(KINDS) {
            assert_eq!(kind as usize as u64, number);
            assert_eq!(
                (Kind::of(number, false), Kind::of(number + 16, false)),
                (Some((kind, false)), Some((kind, true)))
            );
            assert_eq!((kind.name(false), kind.name(true)), (name, immediate));
        }
        assert_eq!((Kind::of(32, false), Kind::of(u64::MAX, true)), (None, None));
        assert_eq!(Kind::of(13, true), Some((Kind::Scan, false)));
    }
}
