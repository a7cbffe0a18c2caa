//! Reads the files of all ranks, and makes their program.

use super::join::{Joined, join};
use super::read::{self, Counted, Kept};
use super::{NAME, is_kineto};
use crate::error::{Place, TraceError};
use crate::files::Found;
use crate::paraver::Program;
use crate::pytorch::member::{self, File};
use crate::pytorch::{RankTrace, assemble, json, order};

/// Reads what was found.
pub(super) fn load(found: Found) -> Result<Program, TraceError> {
    let label = found.label();
    let files = member::files(found, is_kineto)?;
    let mut traces = files.iter().map(rank).collect::<Result<Vec<_>, _>>()?;
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    member::set_ranks(&mut traces, &names, &label)?;
    assemble(traces, NAME, &label)
}

/// Reads the file of a rank.
fn rank(file: &File) -> Result<RankTrace, TraceError> {
    let (kept, hash) = json::read(&file.bytes, read::File)?;
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
        (unneeded, "communications end while the GPU computes or idles, and nothing says what needs them: they are \
                    waited for with the next of their stream, or at the end"),
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
