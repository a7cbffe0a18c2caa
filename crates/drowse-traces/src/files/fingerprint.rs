//! A hash of what a trace says, to tell traces apart that have the same name and length.

use super::{LineBlock, LineCursor, SCAN_BYTES, TraceFiles};
use crate::error::TraceError;

impl TraceFiles {
    /// Hashes the lines of all ranks.
    pub fn fingerprint(&self) -> Result<u64, TraceError> {
        let mut hash = FNV_OFFSET;
        let mut block = LineBlock::default();
        for rank in 0..self.texts.len() as u32 {
            let mut cursor = LineCursor::default();
            while self.next_lines(rank, &mut cursor, &mut block, SCAN_BYTES)? {
                for (_, line) in block.lines() {
                    hash = line.iter().chain(b"\n").fold(hash, |hash, &byte| fnv1a(hash, byte));
                }
            }
            // The end of a rank is no end of a line.
            hash = fnv1a(hash, 0);
        }
        Ok(hash)
    }
}

/// The start and the step of the 64-bit FNV-1a hash: short, and fixed for all time.
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

fn fnv1a(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
}
