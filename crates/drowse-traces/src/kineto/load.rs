//! Reads the files of all ranks, and makes their program.

use std::collections::BTreeMap;

use super::join::{Joined, join};
use super::read::{self, Counted, Kept};
use super::{NAME, is_kineto};
use crate::error::{Place, TraceError, shortened};
use crate::execution_trace::{self, Calls, is_execution_trace};
use crate::files::Found;
use crate::paraver::Program;
use crate::pytorch::member::{self, File};
use crate::pytorch::{Alike, PyTorchFormat, RankTrace, UNNEEDED, assemble, assemble_alike, json, order};
use crate::registry::Head;

const FORMAT: PyTorchFormat = PyTorchFormat {
    name: NAME,
    absent: "the file of a rank that takes part is not given; put the files of all ranks into one folder, or let one \
             stand for all: --trace-format kineto-one-rank",
};

/// Reads what was found.
pub(super) fn load(found: Found) -> Result<Program, TraceError> {
    let label = found.label();
    let files = member::files(found, |head| is_kineto(head) || is_execution_trace(head))?;
    let (calls, files): (Vec<File>, Vec<File>) =
        files.into_iter().partition(|file| is_execution_trace(&Head::new(&file.head, &file.name)));
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let by_name = member::number_ranks(&names);
    let called = calls_of_ranks(&calls, &label)?;
    let mut traces = Vec::with_capacity(files.len());
    for (place, file) in files.iter().enumerate() {
        let rank = by_name.as_ref().map(|ranks| ranks[place]);
        traces.push(read_rank(file, rank, &called)?);
    }
    member::set_ranks(&mut traces, &names, &label)?;
    if let Some((rank, file)) = called.iter().find(|(rank, _)| traces.iter().all(|trace| trace.rank != Some(**rank))) {
        let what = format!("is the execution trace of rank {rank}, whose profiler's trace is not given; add it");
        return Err(TraceError::Other { place: Place { file: file.bytes.label().to_owned(), line: 0 }, what });
    }
    assemble(traces, FORMAT, &label)
}

/// Reads what was found, one rank's file, for all ranks, as a format of a name.
pub(super) fn load_one(found: Found, name: &'static str) -> Result<Alike, TraceError> {
    let label = found.label();
    let files = member::files(found, is_kineto)?;
    let [file] = &files[..] else {
        let what =
            format!("holds {} files of PyTorch's profiler, and one is to stand for all ranks; name it", files.len());
        return Err(TraceError::Other { place: Place { file: label, line: 0 }, what });
    };
    assemble_alike(read_rank(file, None, &BTreeMap::new())?, PyTorchFormat { name, ..FORMAT })
}

/// Returns the execution traces beside the profiler's, by rank: the number by which their names differ.
fn calls_of_ranks<'f>(files: &'f [File], label: &str) -> Result<BTreeMap<u64, &'f File>, TraceError> {
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    if names.is_empty() {
        return Ok(BTreeMap::new());
    }
    let ranks = member::number_ranks(&names).ok_or_else(|| TraceError::Other {
        place: Place { file: label.to_owned(), line: 0 },
        what: "the names of execution traces do not differ in one number from 0 on, which is their rank; name them \
               et-0.json, et-1.json and so on"
            .to_owned(),
    })?;
    Ok(ranks.into_iter().zip(files).collect())
}

/// Completes the calls of a file by those of the execution trace of its rank. Returns the hash of that.
fn complete(kept: &mut Kept, file: &File, other: &File) -> Result<u64, TraceError> {
    let Calls { by_id, definitions, hash } = execution_trace::calls(&other.bytes)?;
    for record in &mut kept.records {
        let Some((id, call)) = record.record_function.and_then(|id| Some((id, by_id.get(&id)?))) else { continue };
        if let (Some(one), Some(two)) = (&record.call.name, &call.name)
            && one != two
        {
            let (one, two) = (shortened(one), shortened(two));
            let what = format!(
                "call {id} (rf_id) is {two}, and {one} in {}: they are not of one run; keep those of one run",
                file.bytes.label()
            );
            return Err(TraceError::Other { place: Place { file: other.bytes.label().to_owned(), line: 0 }, what });
        }
        record.call.complete(call);
    }
    kept.definitions.complete(definitions);
    Ok(hash)
}

/// Reads the file of a rank, which its name tells if it does not; and the execution trace of the rank, if there is one.
fn read_rank(file: &File, by_name: Option<u64>, called: &BTreeMap<u64, &File>) -> Result<RankTrace, TraceError> {
    let (mut kept, mut hash) = json::read(&file.bytes, read::File)?;
    if let Some(other) = kept.rank.or(by_name).and_then(|rank| called.get(&rank)) {
        hash ^= complete(&mut kept, file, other)?.rotate_left(1);
    }
    let joined = join(&kept);
    let label = file.bytes.label().to_owned();
    if joined.recorded.activities.is_empty() {
        return Err(TraceError::Other {
            place: Place { file: label, line: 0 },
            what: "nothing ran on a GPU, and no call of torch.distributed is recorded; record with \
                   ProfilerActivity.CUDA"
                .to_owned(),
        });
    }
    let ordered = order(&joined.recorded);
    let mut trace = RankTrace {
        label,
        rank: kept.rank,
        world: kept.world,
        steps: ordered.steps,
        recorded: joined.recorded.end.abs_diff(joined.recorded.begin),
        hash,
        ..RankTrace::default()
    };
    count(&mut trace, &kept, &joined, ordered.unneeded);
    trace.definitions = kept.definitions;
    trace.communications = joined.communications;
    Ok(trace)
}

/// Says what the file holds, what is approximated and what is left out.
fn count(trace: &mut RankTrace, kept: &Kept, joined: &Joined, unneeded: u64) {
    let Counted { kernels, copies, memsets, nccl, records, waits, peer_copies, own_collectives, without_duration } =
        kept.counts;
    let counts = &mut trace.counts;
    let events = [
        ("kernel", kernels),
        ("gpu_memcpy", copies),
        ("gpu_memset", memsets),
        ("kernel of NCCL", nccl),
        ("record_param_comms", records - waits),
        ("record_param_comms that moves nothing", waits),
    ];
    counts.events.extend(events.into_iter().filter(|&(_, count)| count > 0));
    let approximated = [
        (unneeded, UNNEEDED),
        (peer_copies, "copies from GPU to GPU count as computing"),
        (own_collectives, "kernels have names of collectives that are not NCCL's: they count as computing"),
        (joined.by_host, "calls have no kernels in the file: they are made when the host makes them"),
    ];
    let left_out = [
        (joined.without_kernel, "calls have no kernel in the file: they are left out"),
        (without_duration, "events have no duration: they take no time"),
    ];
    let some = |notes: &[(u64, &'static str)]| -> Vec<(&'static str, u64)> {
        notes.iter().filter(|(count, _)| *count > 0).map(|&(count, what)| (what, count)).collect()
    };
    counts.approximated.extend(some(&approximated));
    counts.left_out.extend(some(&left_out));
}
