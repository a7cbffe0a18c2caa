//! Parses one line into an [`Action`].

use super::action::{Action, Data, RequestKey};
use super::context::LineContext;
use super::datatype::Datatype;
use super::fields::Fields;
use super::name::{ActionName, Kind};
use crate::compute::picoseconds;
use crate::error::shortened;
use crate::files::{FirstColumn, first_column};
use crate::line_error::LineError;
use crate::numbers::{split_field, split_number};

/// A line that holds an action.
pub(crate) struct Parsed {
    /// The line's number in the user's file.
    pub line: u64,
    pub name: ActionName,
    pub action: Action,
}

/// Parses a line with its first column. Returns `None` for blank lines and comments. An error includes the line's
/// number.
pub(crate) fn parse_line(
    number: u64,
    line: &[u8],
    column: FirstColumn,
    context: LineContext,
) -> Result<Option<Parsed>, (u64, LineError)> {
    let (line, rest) = match column {
        FirstColumn::Rank => {
            let Some((rank, rest)) = first_column(line) else { return Ok(None) };
            let expected = context.rank;
            match rank {
                Ok(found) if found == expected => {}
                Ok(found) => return Err((number, LineError::WrongRank { found, expected })),
                // The index lists the file; the user has not named it.
                Err(_) => return Err((number, LineError::NoRank)),
            }
            (number, rest)
        }
        FirstColumn::LineNumber => {
            let Some((digits, rest)) = split_field(line) else { return Ok(None) };
            (split_number(digits).map_or(number, |(line, _)| line), rest)
        }
    };
    match parse_action(rest, context) {
        Ok((name, action)) => Ok(Some(Parsed { line, name, action })),
        Err(problem) => Err((line, problem)),
    }
}

/// Parses what follows the rank on a line.
pub fn parse_action(text: &[u8], context: LineContext) -> Result<(ActionName, Action), LineError> {
    let (word, rest) = split_field(text).ok_or(LineError::NoAction)?;
    let name = ActionName::find(word).ok_or_else(|| LineError::UnknownAction { found: quoted(word) })?;
    let mut fields = Fields::new(name, rest);
    let action = parse_arguments(name, &mut fields, context)?;
    Ok((name, action))
}

/// Parses the arguments of an action.
fn parse_arguments(name: ActionName, fields: &mut Fields, context: LineContext) -> Result<Action, LineError> {
    Ok(match name.kind() {
        Kind::Compute => Action::Compute { flops: fields.amount("the number of operations")? },
        Kind::Send => {
            let (to, tag, data) = sent(fields, context)?;
            Action::Send { to, tag, data }
        }
        Kind::Isend => {
            let (to, tag, data) = sent(fields, context)?;
            Action::Isend { to, tag, data }
        }
        Kind::Recv => {
            let (from, tag) = received(fields, context)?;
            Action::Recv { from, tag }
        }
        Kind::Irecv => {
            let (from, tag) = received(fields, context)?;
            Action::Irecv { from, tag }
        }
        Kind::SendRecv => {
            let count = fields.amount("the send count")?;
            let to = fields.rank("the receiver", context)?;
            fields.integer("the receive count")?;
            let from = fields.rank_or_any("the sender", context)?;
            Action::SendRecv { to, data: data(count, fields.datatype(context)?)?, from }
        }
        Kind::Wait if fields.is_empty() => Action::WaitNewest,
        Kind::Wait => Action::Wait(waited(fields)?),
        Kind::WaitAll => Action::WaitAll,
        Kind::Poll => Action::Poll,
        Kind::Init => Action::Init { default: if fields.is_empty() { Datatype::BYTE } else { Datatype::DOUBLE } },
        Kind::Finalize => Action::Finalize,
        Kind::NoEffect => Action::NoEffect,
        Kind::Sleep => {
            let time = picoseconds(fields.seconds("the time in seconds")? * 1e12);
            Action::Sleep { time: time.ok_or(LineError::TooLarge { what: "the time" })? }
        }
        Kind::NotReplayable | Kind::NotReplayableCollective => Action::NotReplayable,
        _ => parse_collective(name, fields, context)?,
    })
}

/// Parses the arguments of a collective.
fn parse_collective(name: ActionName, fields: &mut Fields, context: LineContext) -> Result<Action, LineError> {
    let ranks = context.ranks as usize;
    Ok(match name.kind() {
        Kind::Bcast => {
            let (count, root) = (fields.amount("the count")?, fields.root(context)?);
            Action::Bcast { data: data(count, fields.datatype(context)?)?, root }
        }
        Kind::Reduce => {
            let (count, flops) = (fields.amount("the count")?, fields.amount("the number of operations")?);
            let root = fields.root(context)?;
            Action::Reduce { data: data(count, fields.datatype(context)?)?, flops, root }
        }
        kind @ (Kind::Allreduce | Kind::Scan | Kind::Exscan) => {
            let (count, flops) = (fields.amount("the count")?, fields.amount("the number of operations")?);
            let data = data(count, fields.datatype(context)?)?;
            match kind {
                Kind::Scan => Action::Scan { data, flops },
                Kind::Exscan => Action::Exscan { data, flops },
                _ => Action::Allreduce { data, flops },
            }
        }
        Kind::Alltoall | Kind::Allgather => {
            let counts = (fields.amount("the send count")?, fields.amount("the receive count")?);
            let (send, receive) = pair(counts, fields, context)?;
            match name.kind() {
                Kind::Alltoall => Action::Alltoall { send, receive },
                _ => Action::Allgather { send, receive },
            }
        }
        Kind::Gather | Kind::Scatter => {
            let counts = (fields.amount("the send count")?, fields.amount("the receive count")?);
            let root = fields.root(context)?;
            let (send, receive) = pair(counts, fields, context)?;
            match name.kind() {
                Kind::Gather => Action::Gather { send, receive, root },
                _ => Action::Scatter { send, receive, root },
            }
        }
        Kind::Alltoallv if fields.left() >= 2 + 2 * ranks => {
            fields.amount("the size of the send buffer")?;
            let send_counts = fields.amounts("a send count", context.ranks)?;
            fields.amount("the size of the receive buffer")?;
            let receive_counts = fields.amounts("a receive count", context.ranks)?;
            let (send_datatype, receive_datatype) = (fields.datatype(context)?, fields.datatype(context)?);
            check_sizes(&send_counts, send_datatype)?;
            Action::Alltoallv { send_counts, send_datatype, receive_counts, receive_datatype }
        }
        Kind::Gatherv if fields.left() > ranks => {
            let count = fields.amount("the send count")?;
            let receive_counts = fields.amounts("a receive count", context.ranks)?;
            let root = fields.root(context)?;
            let send = data(count, fields.datatype(context)?)?;
            let receive_datatype = fields.datatype(context)?;
            check_sizes(&receive_counts, receive_datatype)?;
            Action::Gatherv { send, receive_counts, receive_datatype, root }
        }
        Kind::Allgatherv if fields.left() > ranks => {
            let count = fields.amount("the send count")?;
            let receive_counts = fields.amounts("a receive count", context.ranks)?;
            let (send_datatype, receive_datatype) = gathered_datatypes(fields, context)?;
            check_sizes(&receive_counts, receive_datatype)?;
            Action::Allgatherv { send: data(count, send_datatype)?, receive_counts, receive_datatype }
        }
        Kind::Scatterv if fields.left() > ranks => {
            let send_counts = fields.amounts("a send count", context.ranks)?;
            let count = fields.amount("the receive count")?;
            let root = fields.root(context)?;
            let send_datatype = fields.datatype(context)?;
            check_sizes(&send_counts, send_datatype)?;
            Action::Scatterv { send_counts, send_datatype, receive: data(count, fields.datatype(context)?)?, root }
        }
        Kind::ReduceScatter if fields.left() > ranks => {
            let counts = fields.amounts("a receive count", context.ranks)?;
            let flops = fields.amount("the number of operations")?;
            let datatype = fields.datatype(context)?;
            check_sizes(&counts, datatype)?;
            Action::ReduceScatter { counts, datatype, flops }
        }
        // A list of counts that is too short belongs to a communicator of fewer ranks.
        Kind::Alltoallv | Kind::Gatherv | Kind::Allgatherv | Kind::Scatterv | Kind::ReduceScatter => {
            fields.amount("the first count")?;
            Action::OtherCommunicator
        }
        _ => Action::Barrier,
    })
}

/// Parses `to tag count [datatype]`, or the old `to count`.
fn sent(fields: &mut Fields, context: LineContext) -> Result<(u32, u32, Data), LineError> {
    let to = fields.rank("the receiver", context)?;
    let old = fields.is_last();
    let tag = if old { 0 } else { fields.tag()? };
    let count = fields.amount("the count")?;
    Ok((to, tag, data(count, fields.datatype(context)?)?))
}

/// Parses `from tag count [datatype]`, or the old `from count`.
fn received(fields: &mut Fields, context: LineContext) -> Result<(Option<u32>, Option<u32>), LineError> {
    let from = fields.rank_or_any("the sender", context)?;
    let old = fields.is_last();
    let tag = if old { Some(0) } else { fields.tag_or_any()? };
    fields.integer("the count")?;
    fields.datatype(context)?;
    Ok((from, tag))
}

/// Parses `from to tag` of a wait.
fn waited(fields: &mut Fields) -> Result<RequestKey, LineError> {
    let from = fields.integer("the sender")?;
    let to = fields.integer("the receiver")?;
    let tag = fields.tag_or_any()?;
    // A peer that is not a rank names no request, which is as harmless as naming a complete request.
    Ok(RequestKey { from: u32::try_from(from).ok(), to: u32::try_from(to).unwrap_or(u32::MAX), tag })
}

/// Parses `[sendtype recvtype]` after two counts.
fn pair(counts: (u64, u64), fields: &mut Fields, context: LineContext) -> Result<(Data, Data), LineError> {
    let send = data(counts.0, fields.datatype(context)?)?;
    Ok((send, data(counts.1, fields.datatype(context)?)?))
}

/// Parses the fields after the counts of an `allgatherv`, as SimGrid's replay does: up to two datatypes, or
/// displacements after at most one datatype.
fn gathered_datatypes(fields: &mut Fields, context: LineContext) -> Result<(Datatype, Datatype), LineError> {
    match fields.left() {
        0..=2 => Ok((fields.datatype(context)?, fields.datatype(context)?)),
        left if left > context.ranks as usize => fields.datatype(context).map(|datatype| (datatype, datatype)),
        _ => Ok((context.default, context.default)),
    }
}

/// Makes an amount of data.
fn data(count: u64, datatype: Datatype) -> Result<Data, LineError> {
    Ok(Data { count, datatype, bytes: datatype.size_of(count)? })
}

/// Checks that each of several amounts can be sent at once.
fn check_sizes(counts: &[u64], datatype: Datatype) -> Result<(), LineError> {
    datatype.size_of(counts.iter().copied().max().unwrap_or(0)).map(drop)
}

/// Quotes a field in a message.
fn quoted(field: &[u8]) -> String {
    shortened(&String::from_utf8_lossy(field))
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
