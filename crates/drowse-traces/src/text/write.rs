//! Writes a program of any origin as a trace of Drowse's own format. Reading it gives the same operations.

use std::io::{self, Write};

use drowse_core::workload::communicators::{CommId, Communicators};
use drowse_core::workload::operation::OperationSource;

use super::outline::{MAGIC, VERSION};
use crate::write_error::WriteError;

/// Writes a program, rank after rank, in blocks.
pub fn write(source: &mut dyn OperationSource, out: &mut (impl Write + ?Sized)) -> Result<(), WriteError> {
    let communicators = source.communicators();
    writeln!(out, "{MAGIC} {VERSION}\nranks {}", source.ranks())?;
    for comm in 1..communicators.count() {
        declare(comm, &communicators, out)?;
    }
    let mut operations = Vec::new();
    for rank in 0..source.ranks() {
        writeln!(out, "rank {rank}")?;
        loop {
            operations.clear();
            source.refill(rank, &mut operations)?;
            if operations.is_empty() {
                break;
            }
            operations.iter().try_for_each(|operation| writeln!(out, "{operation}"))?;
        }
    }
    Ok(())
}

/// Writes a communicator; consecutive ranks as a range.
fn declare(comm: CommId, communicators: &Communicators, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    write!(out, "communicator c{comm}")?;
    let size = communicators.size(comm).unwrap_or(0);
    let mut ranks = (0..size).filter_map(|rank| communicators.rank(comm, rank)).peekable();
    while let Some(first) = ranks.next() {
        let mut last = first;
        while let Some(next) = ranks.next_if(|&next| Some(next) == last.checked_add(1)) {
            last = next;
        }
        if first == last { write!(out, " {first}")? } else { write!(out, " {first}-{last}")? }
    }
    writeln!(out)
}
