//! What the names of regions tell of calls.

use drowse_core::workload::operation::SendMode;

/// A region of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Region {
    /// Of the program itself.
    Program,
    /// A call that sends in a mode, if it sends.
    Call(SendMode),
    /// A call that sends and receives at once.
    Exchange,
    /// A call whose communication an archive may not hold.
    Unheld,
}

impl Region {
    /// Returns what a region of a name is.
    pub fn named(name: &str) -> Self {
        let Some(call) = name.strip_prefix("MPI_") else { return Region::Program };
        match call {
            "Sendrecv" | "Sendrecv_replace" => Region::Exchange,
            "Ssend" | "Issend" => Region::Call(SendMode::Synchronous),
            "Bsend" | "Ibsend" => Region::Call(SendMode::Buffered),
            "Rsend" | "Irsend" => Region::Call(SendMode::Ready),
            "Iallgather"
            | "Iallgatherv"
            | "Iallreduce"
            | "Ialltoall"
            | "Ialltoallv"
            | "Ialltoallw"
            | "Ibarrier"
            | "Ibcast"
            | "Iexscan"
            | "Igather"
            | "Igatherv"
            | "Ireduce"
            | "Ireduce_scatter"
            | "Ireduce_scatter_block"
            | "Iscan"
            | "Iscatter"
            | "Iscatterv"
            | "Put"
            | "Get"
            | "Accumulate"
            | "Rput"
            | "Rget"
            | "Raccumulate"
            | "Get_accumulate"
            | "Fetch_and_op"
            | "Compare_and_swap" => Region::Unheld,
            _ if call.starts_with("Neighbor_") || call.starts_with("Ineighbor_") => Region::Unheld,
            _ => Region::Call(SendMode::Standard),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_calls_do() {
        assert_eq!(Region::named("main"), Region::Program);
        assert_eq!(Region::named("MPI_Issend"), Region::Call(SendMode::Synchronous));
        assert_eq!(Region::named("MPI_Isend"), Region::Call(SendMode::Standard));
        assert_eq!(Region::named("MPI_Ineighbor_alltoall"), Region::Unheld);
    }
}
