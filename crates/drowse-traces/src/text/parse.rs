//! Reads the operation of a line.

use drowse_core::model::units::Time;
use drowse_core::workload::check::check;
use drowse_core::workload::communicators::{ALL, CommId};
use drowse_core::workload::operation::{Collective, Operation, RequestId};
use drowse_core::workload::operation_kind::{CollectiveKind as Name, OperationKind as Kind};

use super::forms::{Form, find};
use super::head::Head;
use super::words::Words;
use super::wrong::Wrong;
use crate::error::shortened;

/// A tag; `None` takes any.
#[derive(Clone, Copy)]
struct Tag(Option<u32>);

/// What stands behind the operation and its first numbers, each after its word.
#[derive(Default)]
struct Options {
    tag: Option<Tag>,
    comm: Option<CommId>,
    request: Option<RequestId>,
    count: Option<u64>,
    compute: Option<Time>,
}

/// Reads the operation of a rank; the words begin behind its name.
pub(crate) fn operation(name: &str, mut words: Words, rank: u32, head: &Head) -> Result<Operation, Wrong> {
    let form = find(name).ok_or_else(|| Wrong::NoOperation { word: shortened(name) })?;
    words.expect(form.text);
    let operation = match form.kind {
        Kind::Iteration => Operation::Iteration,
        Kind::Compute => Operation::Compute(words.time()?),
        Kind::Send(mode) => {
            let (to, bytes) = (words.number("the receiver")?, words.size()?);
            let options = Options::read(&mut words, form, head)?;
            let (tag, comm) = options.fixed_tag(form.text)?;
            Operation::Send { to, tag, comm, mode, bytes }
        }
        Kind::Isend(mode) => {
            let (to, bytes) = (words.number("the receiver")?, words.size()?);
            let options = Options::read(&mut words, form, head)?;
            let (tag, comm) = options.fixed_tag(form.text)?;
            Operation::Isend { to, tag, comm, mode, bytes, request: options.request }
        }
        Kind::Recv => {
            let from = words.number_or_any("the sender")?;
            let (tag, comm, _) = Options::read(&mut words, form, head)?.any_tag();
            Operation::Recv { from, tag, comm }
        }
        Kind::Irecv => {
            let from = words.number_or_any("the sender")?;
            let (tag, comm, request) = Options::read(&mut words, form, head)?.any_tag();
            Operation::Irecv { from, tag, comm, request: needed(request, form.text)? }
        }
        Kind::Probe => {
            let from = words.number_or_any("the sender")?;
            let (tag, comm, _) = Options::read(&mut words, form, head)?.any_tag();
            Operation::Probe { from, tag, comm }
        }
        Kind::Wait => Operation::Wait { request: words.number("the request")? },
        Kind::WaitAny => Operation::WaitAny(requests(&mut words)?),
        Kind::WaitSome => Operation::WaitSome(requests(&mut words)?),
        Kind::WaitAll => Operation::WaitAll,
        Kind::Collective(name) => {
            let (collective, options) = collective(name, &mut words, form, head)?;
            Operation::Collective { comm: options.comm.unwrap_or(ALL), collective }
        }
        Kind::Icollective(name) => {
            let (collective, options) = collective(name, &mut words, form, head)?;
            let (comm, request) = (options.comm.unwrap_or(ALL), needed(options.request, form.text)?);
            Operation::Icollective { comm, request, collective: Box::new(collective) }
        }
    };
    words.end()?;
    check(&operation, rank, &head.communicators).map_err(|refused| Wrong::NotRunnable(refused.0))?;
    Ok(operation)
}

/// Returns the request, which must be given.
fn needed(request: Option<RequestId>, form: &'static str) -> Result<RequestId, Wrong> {
    request.ok_or(Wrong::Missing { what: "the request", form })
}

fn requests(words: &mut Words) -> Result<Box<[RequestId]>, Wrong> {
    let mut requests = Vec::new();
    while words.peek().is_some() {
        requests.push(words.number("a request")?);
    }
    Ok(requests.into())
}

fn collective(name: Name, words: &mut Words, form: &Form, head: &Head) -> Result<(Collective, Options), Wrong> {
    let rooted =
        matches!(name, Name::Bcast | Name::Reduce | Name::Gather | Name::Gatherv | Name::Scatter | Name::Scatterv);
    let listed =
        matches!(name, Name::Gatherv | Name::Scatterv | Name::Allgatherv | Name::Alltoallv | Name::ReduceScatter);
    let root = if rooted { words.number("the root")? } else { 0 };
    let sizes = if listed { words.sizes()? } else { Box::default() };
    let bytes = if listed || name == Name::Barrier { 0 } else { words.size()? };
    let options = Options::read(words, form, head)?;
    let (count, compute) = (options.count.unwrap_or(bytes), options.compute.unwrap_or_default());
    let collective = match name {
        Name::Barrier => Collective::Barrier,
        Name::Bcast => Collective::Bcast { root, bytes, count },
        Name::Reduce => Collective::Reduce { root, bytes, count, compute },
        Name::Allreduce => Collective::Allreduce { bytes, count, compute },
        Name::Gather => Collective::Gather { root, bytes },
        Name::Gatherv => Collective::Gatherv { root, bytes: sizes },
        Name::Scatter => Collective::Scatter { root, bytes },
        Name::Scatterv => Collective::Scatterv { root, bytes: sizes },
        Name::Allgather => Collective::Allgather { bytes },
        Name::Allgatherv => Collective::Allgatherv { bytes: sizes },
        Name::Alltoall => Collective::Alltoall { bytes },
        Name::Alltoallv => Collective::Alltoallv { bytes: sizes },
        Name::ReduceScatter => Collective::ReduceScatter { bytes: sizes, compute },
        Name::Scan => Collective::Scan { bytes, compute },
        Name::Exscan => Collective::Exscan { bytes, compute },
    };
    Ok((collective, options))
}

impl Options {
    /// Reads the options of a line. Each may stand once, if the form has it.
    fn read(words: &mut Words, form: &Form, head: &Head) -> Result<Self, Wrong> {
        let mut options = Options::default();
        while let Some(word) = words.next() {
            let surplus = || Wrong::Surplus { word: shortened(word), form: form.text };
            if !form.has(word) {
                return Err(surplus());
            }
            let fresh = match word {
                "tag" => options.tag.replace(Tag(words.number_or_any("the tag")?)).is_none(),
                "in" => options.comm.replace(head.communicator(words.word("the communicator")?)?).is_none(),
                "as" => options.request.replace(words.number("the request")?).is_none(),
                "count" => options.count.replace(words.count("the count")?).is_none(),
                _ => options.compute.replace(words.time()?).is_none(),
            };
            if !fresh {
                return Err(surplus());
            }
        }
        Ok(options)
    }

    fn tag(&self) -> Option<u32> {
        self.tag.map_or(Some(0), |Tag(tag)| tag)
    }

    /// Returns the tag of a send and the communicator.
    fn fixed_tag(&self, form: &'static str) -> Result<(u32, CommId), Wrong> {
        let tag = self.tag().ok_or(Wrong::Surplus { word: "any".into(), form })?;
        Ok((tag, self.comm.unwrap_or(ALL)))
    }

    /// Returns tag, communicator and request of a receive.
    fn any_tag(&self) -> (Option<u32>, CommId, Option<RequestId>) {
        (self.tag(), self.comm.unwrap_or(ALL), self.request)
    }
}
