//! The operations by name, and how they are written.

use drowse_core::workload::operation::{Operation, SendMode};
use drowse_core::workload::operation_kind::{CollectiveKind as Name, OperationKind as Kind};

/// Name, meaning and form. Frequent operations come first, because the table is searched from the front.
const FORMS: &[(&str, Kind, &str)] = &[
    ("compute", Kind::Compute, "compute TIME"),
    ("send", Kind::Send(SendMode::Standard), "send RANK SIZE [tag N] [in COMM]"),
    ("isend", Kind::Isend(SendMode::Standard), "isend RANK SIZE [tag N] [in COMM] [as REQUEST]"),
    ("recv", Kind::Recv, "recv RANK|any [tag N|any] [in COMM]"),
    ("irecv", Kind::Irecv, "irecv RANK|any [tag N|any] [in COMM] as REQUEST"),
    ("wait", Kind::Wait, "wait REQUEST"),
    ("waitall", Kind::WaitAll, "waitall"),
    ("waitany", Kind::WaitAny, "waitany [REQUEST...]"),
    ("waitsome", Kind::WaitSome, "waitsome [REQUEST...]"),
    ("probe", Kind::Probe, "probe RANK|any [tag N|any] [in COMM]"),
    ("iteration", Kind::Iteration, "iteration"),
    ("barrier", Kind::Collective(Name::Barrier), "barrier [in COMM]"),
    ("bcast", Kind::Collective(Name::Bcast), "bcast ROOT SIZE [count N] [in COMM]"),
    ("reduce", Kind::Collective(Name::Reduce), "reduce ROOT SIZE [count N] [compute TIME] [in COMM]"),
    ("allreduce", Kind::Collective(Name::Allreduce), "allreduce SIZE [count N] [compute TIME] [in COMM]"),
    ("gather", Kind::Collective(Name::Gather), "gather ROOT SIZE [in COMM]"),
    ("gatherv", Kind::Collective(Name::Gatherv), "gatherv ROOT SIZE... [in COMM]"),
    ("scatter", Kind::Collective(Name::Scatter), "scatter ROOT SIZE [in COMM]"),
    ("scatterv", Kind::Collective(Name::Scatterv), "scatterv ROOT SIZE... [in COMM]"),
    ("allgather", Kind::Collective(Name::Allgather), "allgather SIZE [in COMM]"),
    ("allgatherv", Kind::Collective(Name::Allgatherv), "allgatherv SIZE... [in COMM]"),
    ("alltoall", Kind::Collective(Name::Alltoall), "alltoall SIZE [in COMM]"),
    ("alltoallv", Kind::Collective(Name::Alltoallv), "alltoallv SIZE... [in COMM]"),
    ("reduce-scatter", Kind::Collective(Name::ReduceScatter), "reduce-scatter SIZE... [compute TIME] [in COMM]"),
    ("scan", Kind::Collective(Name::Scan), "scan SIZE [compute TIME] [in COMM]"),
    ("exscan", Kind::Collective(Name::Exscan), "exscan SIZE [compute TIME] [in COMM]"),
    ("ssend", Kind::Send(SendMode::Synchronous), "ssend RANK SIZE [tag N] [in COMM]"),
    ("bsend", Kind::Send(SendMode::Buffered), "bsend RANK SIZE [tag N] [in COMM]"),
    ("rsend", Kind::Send(SendMode::Ready), "rsend RANK SIZE [tag N] [in COMM]"),
    ("issend", Kind::Isend(SendMode::Synchronous), "issend RANK SIZE [tag N] [in COMM] [as REQUEST]"),
    ("ibsend", Kind::Isend(SendMode::Buffered), "ibsend RANK SIZE [tag N] [in COMM] [as REQUEST]"),
    ("irsend", Kind::Isend(SendMode::Ready), "irsend RANK SIZE [tag N] [in COMM] [as REQUEST]"),
    ("ibarrier", Kind::Icollective(Name::Barrier), "ibarrier [in COMM] as REQUEST"),
    ("ibcast", Kind::Icollective(Name::Bcast), "ibcast ROOT SIZE [count N] [in COMM] as REQUEST"),
    ("ireduce", Kind::Icollective(Name::Reduce), "ireduce ROOT SIZE [count N] [compute TIME] [in COMM] as REQUEST"),
    ("iallreduce", Kind::Icollective(Name::Allreduce), "iallreduce SIZE [count N] [compute TIME] [in COMM] as REQUEST"),
    ("igather", Kind::Icollective(Name::Gather), "igather ROOT SIZE [in COMM] as REQUEST"),
    ("igatherv", Kind::Icollective(Name::Gatherv), "igatherv ROOT SIZE... [in COMM] as REQUEST"),
    ("iscatter", Kind::Icollective(Name::Scatter), "iscatter ROOT SIZE [in COMM] as REQUEST"),
    ("iscatterv", Kind::Icollective(Name::Scatterv), "iscatterv ROOT SIZE... [in COMM] as REQUEST"),
    ("iallgather", Kind::Icollective(Name::Allgather), "iallgather SIZE [in COMM] as REQUEST"),
    ("iallgatherv", Kind::Icollective(Name::Allgatherv), "iallgatherv SIZE... [in COMM] as REQUEST"),
    ("ialltoall", Kind::Icollective(Name::Alltoall), "ialltoall SIZE [in COMM] as REQUEST"),
    ("ialltoallv", Kind::Icollective(Name::Alltoallv), "ialltoallv SIZE... [in COMM] as REQUEST"),
    (
        "ireduce-scatter",
        Kind::Icollective(Name::ReduceScatter),
        "ireduce-scatter SIZE... [compute TIME] [in COMM] as REQUEST",
    ),
    ("iscan", Kind::Icollective(Name::Scan), "iscan SIZE [compute TIME] [in COMM] as REQUEST"),
    ("iexscan", Kind::Icollective(Name::Exscan), "iexscan SIZE [compute TIME] [in COMM] as REQUEST"),
];

/// Finds an operation by its name: what it does, and how it is written.
pub(crate) fn find(word: &str) -> Option<(Kind, &'static str)> {
    FORMS.iter().find(|(name, ..)| *name == word).map(|&(_, kind, form)| (kind, form))
}

/// Returns the name of an operation.
pub(crate) fn name(operation: &Operation) -> &'static str {
    name_of(Kind::of(operation))
}

/// Returns the name of a kind of operation.
pub fn name_of(kind: Kind) -> &'static str {
    FORMS.iter().find(|(_, known, _)| *known == kind).map_or("", |(name, ..)| name)
}
