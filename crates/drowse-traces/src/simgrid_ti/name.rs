//! The table of actions: name, kind and grammar.

/// The kind of an action, known before its arguments are parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Init,
    Finalize,
    /// `comm_size`, `comm_split`, `comm_dup`, `location`: no effect.
    NoEffect,
    Compute,
    Sleep,
    Send,
    Isend,
    Recv,
    Irecv,
    SendRecv,
    Wait,
    WaitAll,
    Poll,
    Barrier,
    Bcast,
    Reduce,
    Allreduce,
    Scan,
    Exscan,
    Alltoall,
    Alltoallv,
    Gather,
    Gatherv,
    Allgather,
    Allgatherv,
    Scatter,
    Scatterv,
    ReduceScatter,
    /// SMPI writes it, but not even `SimGrid` can replay it.
    NotReplayable,
    /// A collective that SMPI writes and `SimGrid` cannot replay.
    NotReplayableCollective,
}

/// The name of an action, as an index into the table of actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ActionName(u8);

/// Name, kind and grammar. Frequent actions come first, because the table is searched from the front; [`ActionName::find`]
/// knows the places of the first six.
const ACTIONS: &[(&str, Kind, &str)] = &[
    ("compute", Kind::Compute, "compute flops"),
    ("send", Kind::Send, "send to tag count [datatype]"),
    ("isend", Kind::Isend, "isend to tag count [datatype]"),
    ("recv", Kind::Recv, "recv from tag count [datatype]"),
    ("irecv", Kind::Irecv, "irecv from tag count [datatype]"),
    ("wait", Kind::Wait, "wait from to tag"),
    ("waitall", Kind::WaitAll, "waitall [count]"),
    ("sendRecv", Kind::SendRecv, "sendRecv sendcount to recvcount from [sendtype [recvtype]]"),
    ("allreduce", Kind::Allreduce, "allreduce count flops [datatype]"),
    ("bcast", Kind::Bcast, "bcast count [root [datatype]]"),
    ("barrier", Kind::Barrier, "barrier"),
    ("reduce", Kind::Reduce, "reduce count flops [root [datatype]]"),
    ("test", Kind::Poll, "test from to tag"),
    ("testall", Kind::Poll, "testall"),
    ("testany", Kind::Poll, "testany"),
    ("testsome", Kind::Poll, "testsome"),
    ("iprobe", Kind::Poll, "iprobe"),
    ("alltoall", Kind::Alltoall, "alltoall sendcount recvcount [sendtype recvtype]"),
    ("alltoallv", Kind::Alltoallv, "alltoallv sendsize sendcounts.. recvsize recvcounts.. [sendtype recvtype]"),
    ("allgather", Kind::Allgather, "allgather sendcount recvcount [sendtype recvtype]"),
    ("allgatherv", Kind::Allgatherv, "allgatherv sendcount recvcounts.. [sendtype recvtype]"),
    ("gather", Kind::Gather, "gather sendcount recvcount [root [sendtype recvtype]]"),
    ("gatherv", Kind::Gatherv, "gatherv sendcount recvcounts.. [root [sendtype recvtype]]"),
    ("scatter", Kind::Scatter, "scatter sendcount recvcount [root [sendtype recvtype]]"),
    ("scatterv", Kind::Scatterv, "scatterv sendcounts.. recvcount [root [sendtype recvtype]]"),
    ("reducescatter", Kind::ReduceScatter, "reducescatter recvcounts.. flops [datatype]"),
    ("scan", Kind::Scan, "scan count flops [datatype]"),
    ("exscan", Kind::Exscan, "exscan count flops [datatype]"),
    ("Ssend", Kind::Send, "Ssend to tag count [datatype]"),
    ("Issend", Kind::Isend, "Issend to tag count [datatype]"),
    ("init", Kind::Init, "init [1]"),
    ("finalize", Kind::Finalize, "finalize"),
    ("sleep", Kind::Sleep, "sleep seconds"),
    ("comm_size", Kind::NoEffect, "comm_size ranks"),
    ("comm_split", Kind::NoEffect, "comm_split"),
    ("comm_dup", Kind::NoEffect, "comm_dup"),
    ("location", Kind::NoEffect, "location file line"),
    ("waitany", Kind::NotReplayable, "waitany"),
    ("waitsome", Kind::NotReplayable, "waitsome"),
    ("start", Kind::NotReplayable, "start"),
    ("startall", Kind::NotReplayable, "startall"),
    ("probe", Kind::NotReplayable, "probe"),
    ("put", Kind::NotReplayable, "put"),
    ("get", Kind::NotReplayable, "get"),
    ("accumulate", Kind::NotReplayable, "accumulate"),
    ("alltoallw", Kind::NotReplayableCollective, "alltoallw"),
    ("ibarrier", Kind::NotReplayableCollective, "ibarrier"),
    ("ibcast", Kind::NotReplayableCollective, "ibcast"),
    ("ireduce", Kind::NotReplayableCollective, "ireduce"),
    ("iallreduce", Kind::NotReplayableCollective, "iallreduce"),
    ("iscan", Kind::NotReplayableCollective, "iscan"),
    ("iexscan", Kind::NotReplayableCollective, "iexscan"),
    ("ialltoall", Kind::NotReplayableCollective, "ialltoall"),
    ("ialltoallv", Kind::NotReplayableCollective, "ialltoallv"),
    ("ialltoallw", Kind::NotReplayableCollective, "ialltoallw"),
    ("igather", Kind::NotReplayableCollective, "igather"),
    ("igatherv", Kind::NotReplayableCollective, "igatherv"),
    ("iallgather", Kind::NotReplayableCollective, "iallgather"),
    ("iallgatherv", Kind::NotReplayableCollective, "iallgatherv"),
    ("iscatter", Kind::NotReplayableCollective, "iscatter"),
    ("iscatterv", Kind::NotReplayableCollective, "iscatterv"),
    ("ireducescatter", Kind::NotReplayableCollective, "ireducescatter"),
];

impl ActionName {
    /// The number of actions.
    pub const COUNT: usize = ACTIONS.len();

    /// Finds an action by its name, which is not case-sensitive.
    pub fn find(field: &[u8]) -> Option<Self> {
        // Nearly all lines have one of these, as SMPI writes them.
        let index = match field {
            b"compute" => 0,
            b"send" => 1,
            b"isend" => 2,
            b"recv" => 3,
            b"irecv" => 4,
            b"wait" => 5,
            _ => ACTIONS.iter().position(|(name, ..)| field.eq_ignore_ascii_case(name.as_bytes()))?,
        };
        Some(ActionName(index as u8))
    }

    /// Returns all actions.
    pub fn all() -> impl Iterator<Item = ActionName> {
        (0..ACTIONS.len()).map(|index| ActionName(index as u8))
    }

    /// Returns the position in the table, for counting.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the name as SMPI writes it.
    pub const fn text(self) -> &'static str {
        ACTIONS[self.0 as usize].0
    }

    /// Returns the grammar of the action, without the rank.
    pub const fn form(self) -> &'static str {
        ACTIONS[self.0 as usize].2
    }

    /// Returns whether all ranks take part in the action.
    pub const fn is_collective(self) -> bool {
        use Kind::{
            Allgather, Allgatherv, Allreduce, Alltoall, Alltoallv, Barrier, Bcast, Exscan, Gather, Gatherv,
            NotReplayableCollective, Reduce, ReduceScatter, Scan, Scatter, Scatterv,
        };
        matches!(
            self.kind(),
            Barrier
                | Bcast
                | Reduce
                | Allreduce
                | Scan
                | Exscan
                | Alltoall
                | Alltoallv
                | Gather
                | Gatherv
                | Allgather
                | Allgatherv
                | Scatter
                | Scatterv
                | ReduceScatter
                | NotReplayableCollective
        )
    }

    /// Returns whether the action is a send that completes only after its receive has been posted.
    pub fn is_synchronous_send(self) -> bool {
        ["Ssend", "Issend"].contains(&self.text())
    }

    /// Returns the kind of the action.
    pub(crate) const fn kind(self) -> Kind {
        ACTIONS[self.0 as usize].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_not_case_sensitive() {
        for name in ActionName::all() {
            assert_eq!(ActionName::find(name.text().as_bytes()), Some(name));
            assert_eq!(ActionName::find(name.text().to_uppercase().as_bytes()), Some(name));
            assert!(name.form().starts_with(name.text()));
        }
        assert_eq!(ActionName::find(b"isend "), None);
        assert_eq!(ActionName::find(b""), None);
    }
}
