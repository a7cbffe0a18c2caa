//! Programs in which all ranks do as one of which there is a file, each in the process groups that it has in an even
//! grid of ranks.
//!
//! The operations of the one rank are in memory, and for each other the communicators that stand for those of the one.

use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_core::workload::communicators::{CommId, Communicators};
use drowse_core::workload::operation::{Operation, OperationSource, SourceError};
use rustc_hash::FxHashMap;

use super::assemble::{Assembly, PyTorchFormat, at, time, world};
use super::group::Members;
use super::rank::RankTrace;
use crate::compute::{ComputeModel, Computed};
use crate::counting::Counting;
use crate::error::{TraceError, shortened};
use crate::files::{FNV_OFFSET, fnv1a};
use crate::info::{Computing, TraceInfo};
use crate::line_error::LineError;
use crate::reader::Counted;

/// A program in which all ranks do alike.
pub(crate) struct Alike {
    ranks: u32,
    operations: Vec<Operation>,
    /// By communicator of the one rank, that of each rank; all ranks share others.
    comms: FxHashMap<CommId, Box<[CommId]>>,
    communicators: Arc<Communicators>,
    label: String,
    info: TraceInfo,
    fingerprint: u64,
    recorded: Time,
}

/// The most ranks times process groups: each takes up to 80 bytes.
const MOST_PLACES: u64 = 1 << 22;

/// The number of operations that are handed out at a time.
const BLOCK: usize = 128;

/// Makes a program in which all ranks do as that of one file.
pub(crate) fn assemble_alike(mut trace: RankTrace, format: PyTorchFormat) -> Result<Alike, TraceError> {
    let label = trace.label.clone();
    let ranks = world(std::slice::from_ref(&trace), &label)?;
    let origin = trace.rank.unwrap_or_default() as u32;
    let mut assembly = Assembly::new((ranks, vec![true; ranks as usize]), Some(origin), format);
    assembly.counts.add(std::mem::take(&mut trace.counts));
    let recorded = time(trace.recorded, &trace)?;
    let operations = assembly.program(origin, &trace)?;
    let comms = comms(&mut assembly, &label)?;
    let mut counting = Counting::default();
    operations.iter().for_each(|operation| counting.add(origin, operation));
    counting.end_rank(origin);
    assembly.calls.values_mut().for_each(|calls| *calls *= u64::from(ranks));
    let (mut info, communicators) = assembly.finish(counting);
    if let Computing::Picoseconds(time) = &mut info.compute {
        *time *= u128::from(ranks);
    }
    // All ranks call the same.
    info.different_collectives = None;
    let alike = format!("the file of rank {origin} stands for those of all {ranks} ranks");
    info.warnings = info.coverage.warnings().chain([alike]).collect();
    // The hash is not that of the file as a trace of one rank.
    let named = format.name.bytes().fold(FNV_OFFSET, fnv1a);
    let fingerprint = trace.hash.to_le_bytes().into_iter().fold(named, fnv1a);
    Ok(Alike { ranks, operations, comms, communicators: Arc::new(communicators), label, info, fingerprint, recorded })
}

/// Makes the communicators of all ranks of those of the one.
fn comms(assembly: &mut Assembly, label: &str) -> Result<FxHashMap<CommId, Box<[CommId]>>, TraceError> {
    let (ranks, known) = (assembly.ranks, std::mem::take(&mut assembly.known));
    let refuse = |what: String| TraceError::Other { place: at(label), what };
    if u64::from(ranks) * known.len() as u64 > MOST_PLACES {
        let groups = known.len();
        return Err(refuse(format!("names {groups} process groups in a job of {ranks} ranks, more than are read")));
    }
    let mut comms = FxHashMap::default();
    for ((name, members), comm) in known {
        let grid = Members { ranks: members, continued: false }.grid(ranks).map_err(|why| refuse(why.to_owned()))?;
        let mut by_begin: FxHashMap<u32, CommId> = FxHashMap::default();
        by_begin.insert(grid.begin(assembly.origin.unwrap_or_default()), comm);
        let mut of_ranks = Vec::with_capacity(ranks as usize);
        for rank in 0..ranks {
            let begin = grid.begin(rank);
            if let Some(&comm) = by_begin.get(&begin) {
                of_ranks.push(comm);
                continue;
            }
            let added = assembly.communicators.add(grid.members(begin)).map_err(|why| refuse(why.to_string()))?;
            if let Some(name) = &name {
                assembly.communicators.set_name(added, &shortened(name));
            }
            by_begin.insert(begin, added);
            of_ranks.push(added);
        }
        comms.insert(comm, of_ranks.into());
    }
    Ok(comms)
}

impl Counted for Alike {
    fn info(&self) -> &TraceInfo {
        &self.info
    }

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    fn recorded(&self) -> Option<Vec<Time>> {
        Some(vec![self.recorded; self.ranks as usize])
    }

    fn source(self: Arc<Self>, compute: ComputeModel) -> Box<dyn OperationSource> {
        let ranks = vec![(0, Computed::default()); self.ranks as usize];
        Box::new(AlikeSource { program: self, compute, ranks })
    }
}

/// The operations of all ranks.
struct AlikeSource {
    program: Arc<Alike>,
    compute: ComputeModel,
    /// For each rank, the next operation, and how long it has computed.
    ranks: Vec<(usize, Computed)>,
}

impl OperationSource for AlikeSource {
    fn ranks(&self) -> u32 {
        self.program.ranks
    }

    fn communicators(&self) -> Arc<Communicators> {
        Arc::clone(&self.program.communicators)
    }

    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        let Some((next, computed)) = self.ranks.get_mut(rank as usize) else { return Ok(()) };
        let program = &self.program;
        let refuse = |problem: LineError| SourceError(format!("{}: {problem}", program.label));
        let left = &program.operations[*next..];
        let taken = &left[..left.len().min(BLOCK)];
        *next += taken.len();
        for operation in taken {
            let mut operation = operation.clone();
            if let Operation::Compute(time) = &mut operation {
                let scaled = self.compute.scaled(*time);
                *time = scaled.ok_or_else(|| refuse(LineError::TooLarge { what: "a time between two calls" }))?;
                computed.add(rank, *time).map_err(refuse)?;
            }
            if let Some(comm) = operation.comm_mut()
                && let Some(of_ranks) = program.comms.get(comm)
            {
                *comm = of_ranks[rank as usize];
            }
            operations.push(operation);
        }
        Ok(())
    }

    fn warnings(&self) -> Vec<String> {
        self.program.info.warnings.clone()
    }
}
