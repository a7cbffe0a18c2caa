//! Reads the operations of a rank, line by line.

use drowse_core::model::units::Time;
use drowse_core::workload::operation::{Collective, Operation};

use super::head::Head;
use super::parse::operation;
use super::words::Words;
use super::wrong::Wrong;
use crate::compute::ComputeModel;

/// Reads the lines of a rank, in order.
#[derive(Clone, Default)]
pub(crate) struct LineReader {
    /// How long the rank has computed so far.
    computed: Time,
}

impl LineReader {
    /// Returns the operation of a line.
    pub fn line(
        &mut self,
        head: &Head,
        rank: u32,
        line: &[u8],
        compute: &ComputeModel,
    ) -> Result<Option<Operation>, Wrong> {
        let mut words = Words::of(line)?;
        let Some(name) = words.next() else { return Ok(None) };
        let mut operation = operation(name, words, rank, head)?;
        if let Some(time) = time(&mut operation) {
            let most = Time::LONGEST;
            *time = compute.scaled(*time).ok_or(Wrong::ComputesTooLong { time: *time, most })?;
            self.computed = self.computed.saturating_add(*time);
            if self.computed > most {
                return Err(Wrong::ComputesTooLong { time: self.computed, most });
            }
        }
        Ok(Some(operation))
    }
}

/// Returns the time that an operation computes, to be changed.
fn time(operation: &mut Operation) -> Option<&mut Time> {
    let collective = match operation {
        Operation::Compute(time) => return Some(time),
        Operation::Collective { collective, .. } => collective,
        Operation::Icollective { collective, .. } => collective,
        _ => return None,
    };
    match collective {
        Collective::Reduce { compute, .. }
        | Collective::Allreduce { compute, .. }
        | Collective::ReduceScatter { compute, .. }
        | Collective::Scan { compute, .. }
        | Collective::Exscan { compute, .. } => Some(compute),
        _ => None,
    }
}
