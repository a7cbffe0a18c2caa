//! Reads the files of all ranks, and makes their program.

use rustc_hash::FxHashMap;

use super::linked::Linked;
use super::node::Node;
use super::read;
use super::{NAME, is_execution_trace};
use crate::error::{Place, TraceError};
use crate::files::{ByteFile, Found};
use crate::paraver::Program;
use crate::pytorch::member::{self, File};
use crate::pytorch::{Call, Definitions, Kind, PyTorchFormat, RankTrace, Step, UNNEEDED, assemble, json, order};

/// The name of the nodes that are calls of torch.distributed.
const CALL: &str = "record_param_comms";

/// The most calls of a file, and the most nodes of one that is linked.
const MOST: usize = 1 << 28;

const FORMAT: PyTorchFormat = PyTorchFormat {
    name: NAME,
    absent: "the file of a rank that takes part is not given; put the files of all ranks into one folder",
};

/// Reads what was found.
pub(super) fn load(found: Found) -> Result<Program, TraceError> {
    let label = found.label();
    let files = member::files(found, is_execution_trace)?;
    let mut traces = files.iter().map(rank).collect::<Result<Vec<_>, _>>()?;
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    member::set_ranks(&mut traces, &names, &label)?;
    assemble(traces, FORMAT, &label)
}

/// The calls of a file by the ids that the profiler has for them, too.
pub(crate) struct Calls {
    pub by_id: FxHashMap<i64, Call>,
    pub definitions: Definitions,
    pub hash: u64,
}

/// Reads the calls of a file, for the profiler's trace of the same rank.
pub(crate) fn calls(file: &ByteFile) -> Result<Calls, TraceError> {
    let mut by_id = FxHashMap::default();
    let mut take = |mut node: Node| {
        if node.name == CALL {
            node.complete_by_inputs();
            by_id.extend(node.record_function.map(|id| (id, node.call)));
        }
        Ok(())
    };
    let (definitions, hash) = json::read(file, read::File(&mut take))?;
    Ok(Calls { by_id, definitions, hash })
}

/// Reads the file of a rank.
fn rank(file: &File) -> Result<RankTrace, TraceError> {
    let (mut calls, mut nodes, mut linked) = (Vec::new(), 0_u64, Linked::default());
    let mut take = |mut node: Node| {
        nodes += 1;
        let mut place = None;
        if node.name == CALL || node.is_on_gpu() {
            node.complete_by_inputs();
        }
        if node.name == CALL {
            place = Some(calls.len() as u32);
            calls.push((node.id.unwrap_or_default(), node.call.clone()));
        }
        if nodes as usize > MOST {
            return Err("the file has more nodes than are read (268,435,456)".to_owned());
        }
        linked.take(node, place);
        Ok(())
    };
    let (definitions, hash) = json::read(&file.bytes, read::File(&mut take))?;
    let label = file.bytes.label().to_owned();
    let mut trace = RankTrace { label, definitions, hash, ..RankTrace::default() };
    let waits = calls.iter().filter(|(_, call)| call.kind() == Some(Kind::Nothing)).count() as u64;
    let called = calls.len() as u64 - waits;
    trace.counts.events.extend([(CALL, called), ("record_param_comms that moves nothing", waits)]);
    trace.counts.events.retain(|_, count| *count > 0);
    if linked.is_linked() {
        time(&mut trace, linked, calls);
    } else if called == 0 {
        return Err(TraceError::Other {
            place: Place { file: trace.label, line: 0 },
            what: "no node is a call of torch.distributed (record_param_comms); record a program that runs on several \
                   ranks"
                .to_owned(),
        });
    } else {
        trace.counts.approximated.insert(
            "calls come one after the other, and nothing is computed: execution traces \
                                          have no times. Add the profiler's traces (Kineto) to the folder",
            called,
        );
        list(&mut trace, calls);
    }
    Ok(trace)
}

/// Takes the times of a linked file.
fn time(trace: &mut RankTrace, linked: Linked, calls: Vec<(i64, Call)>) {
    let (kernels, nccl) = linked.kernels();
    trace.counts.events.extend([("kernel", kernels), ("kernel of NCCL", nccl)].into_iter().filter(|of| of.1 > 0));
    let calls: Vec<Call> = calls.into_iter().map(|(_, call)| call).collect();
    let moves = calls.iter().filter(|call| call.kind() != Some(Kind::Nothing) && !call.group.is_one()).count();
    let (recorded, communications) = linked.finish(&calls);
    let without = moves.saturating_sub(communications.len()) as u64;
    if without > 0 {
        trace.counts.left_out.insert("calls have no kernel in the file: they are left out", without);
    }
    let ordered = order(&recorded);
    if ordered.unneeded > 0 {
        trace.counts.approximated.insert(UNNEEDED, ordered.unneeded);
    }
    trace.recorded = recorded.end.abs_diff(recorded.begin);
    (trace.steps, trace.communications) = (ordered.steps, communications);
}

/// Takes the calls in the order of their ids, each after the one before it. Sends and receives that follow each other
/// go on together.
fn list(trace: &mut RankTrace, mut calls: Vec<(i64, Call)>) {
    calls.sort_by_key(|&(id, _)| id);
    let mut exchanges = false;
    for (_, call) in calls {
        let kind = call.kind();
        if kind == Some(Kind::Nothing) {
            continue;
        }
        let is_exchange = matches!(kind, Some(Kind::Send | Kind::Receive));
        match trace.communications.last_mut().filter(|_| is_exchange && exchanges) {
            Some(before) => before.push(call),
            None => trace.communications.push(vec![call]),
        }
        exchanges = is_exchange;
    }
    trace.steps =
        (0..trace.communications.len() as u32).flat_map(|place| [Step::Start(place), Step::Wait(place)]).collect();
}
