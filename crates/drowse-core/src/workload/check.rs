//! Whether an operation can be run: refuses what names ranks, communicators or sizes that the job does not have.

use super::communicators::Communicators;
use super::operation::{MOST_BYTES, Operation, SourceError};
use super::operation_line::shown;

/// Refuses an operation of a rank that names ranks or communicators that the job does not have, a communicator without
/// the rank, lists of sizes for other numbers of ranks, and messages that are too long.
pub fn check(operation: &Operation, rank: u32, communicators: &Communicators) -> Result<(), SourceError> {
    let why = wrong(operation, rank, communicators);
    why.map_or(Ok(()), |why| Err(SourceError(format!("rank {rank} {why}: `{}`", shown(operation)))))
}

/// Returns what is wrong with an operation of a rank, if something is.
fn wrong(operation: &Operation, rank: u32, communicators: &Communicators) -> Option<String> {
    let bytes = operation.largest();
    if bytes > MOST_BYTES {
        return Some(format!("sends {bytes} B at once, and the most is {MOST_BYTES} B (32 GiB); send less"));
    }
    let comm = operation.comm()?;
    let Some(size) = communicators.size(comm) else {
        let count = communicators.count();
        return Some(format!("names communicator {comm}, but the job has {count}"));
    };
    if communicators.member(comm, rank).is_none() {
        return Some(format!("is not in communicator {}, which it names", communicators.name(comm)));
    }
    let name = || communicators.name(comm);
    let of = |comm| if comm == 0 { "the job".to_owned() } else { format!("communicator {}", name()) };
    if let Some(collective) = operation.called() {
        if let Some(root) = collective.root().filter(|&root| root >= size) {
            return Some(format!("names rank {root}, but {} has {size} ranks", of(comm)));
        }
        if let Some(sizes) = collective.sizes().filter(|sizes| sizes.len() != size as usize) {
            let given = sizes.len();
            return Some(format!("lists sizes for {given} ranks, but {} has {size}", of(comm)));
        }
    }
    let peer = operation.peer()?;
    if communicators.member(0, peer).is_none() {
        let ranks = communicators.size(0).unwrap_or_default();
        return Some(format!("names rank {peer}, but the job has {ranks} ranks"));
    }
    let is_outside = communicators.member(comm, peer).is_none();
    is_outside.then(|| format!("names rank {peer}, which is not in communicator {}", name()))
}

#[cfg(test)]
mod tests {
    use super::super::operation::{Collective, SendMode};
    use super::*;

    /// What is refused is named as its line.
    #[test]
    fn refusals_show_the_line_of_the_operation() {
        let mut communicators = Communicators::of(4);
        communicators.add(vec![0, 1]).unwrap();
        let why = |rank, operation: Operation| check(&operation, rank, &communicators).unwrap_err().0;
        let collective = |comm, collective| Operation::Collective { comm, collective };
        assert_eq!(why(0, Operation::send(4, 0, 5)), "rank 0 names rank 4, but the job has 4 ranks: `send 4 5`");
        let huge = Operation::isend(1, 7, 1 << 40, 3);
        assert_eq!(
            why(2, huge),
            "rank 2 sends 1099511627776 B at once, and the most is 34359738368 B (32 GiB); send less: \
             `isend 1 1099511627776 tag 7 as 3`"
        );
        assert_eq!(
            why(3, collective(2, Collective::Barrier)),
            "rank 3 names communicator 2, but the job has 2: `barrier in c2`"
        );
        assert_eq!(
            why(3, collective(1, Collective::Barrier)),
            "rank 3 is not in communicator 1, which it names: `barrier in c1`"
        );
        assert_eq!(
            why(1, collective(1, Collective::Gather { root: 2, bytes: 8 })),
            "rank 1 names rank 2, but communicator 1 has 2 ranks: `gather 2 8 in c1`"
        );
        let sizes = collective(0, Collective::Alltoallv { bytes: [1_000_000; 9].into() });
        assert_eq!(
            why(1, sizes),
            "rank 1 lists sizes for 9 ranks, but the job has 4: \
             `alltoallv 1000000 1000000 1000000 1000000 1000000 1000000 10…`"
        );
        let outside = Operation::Send { to: 2, tag: 0, comm: 1, mode: SendMode::Synchronous, bytes: 1 };
        assert_eq!(why(0, outside), "rank 0 names rank 2, which is not in communicator 1: `ssend 2 1 in c1`");
        assert_eq!(check(&Operation::recv(None, None), 3, &communicators), Ok(()));
    }
}
