//! Asks the processor to load what will soon be needed.
//!
//! Of the core only this is `unsafe`, which pays: a load in its place, kept from being optimised away, takes more
//! instructions and makes the processor wait for it.

#![expect(unsafe_code, reason = "prefetching is an intrinsic; measured in docs/tried.md")]

/// Begins to load the cache line in which an entry of a table begins. An entry that does not exist does no harm.
#[inline]
pub fn prefetch<T>(table: &[T], index: usize) {
    line(table.as_ptr().wrapping_add(index).cast());
}

/// Begins to load both cache lines of an entry of a table. An entry that does not exist does no harm.
#[inline]
pub fn prefetch_both<T>(table: &[T], index: usize) {
    let entry: *const i8 = table.as_ptr().wrapping_add(index).cast();
    line(entry);
    line(entry.wrapping_add(64));
}

#[inline]
fn line(address: *const i8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has the instruction, which has no effect that a program could see, whatever the
    // address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}
