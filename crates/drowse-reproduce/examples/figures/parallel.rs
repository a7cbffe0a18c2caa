//! Several runs at a time.

use std::sync::Mutex;
use std::thread::{self, ScopedJoinHandle};

/// Runs at the same time: the pages are made on small machines, too.
const THREADS: usize = 2;

/// Applies a function to all items, two at a time, and returns the results in the items' order.
pub fn map<T: Sync, R: Send>(items: &[T], function: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let waiting = Mutex::new(items.iter().enumerate());
    // A closure of its own, so that the lock is released before the item is worked on. Poisoned, it ends the work: the
    // panic that did it is passed on by the join below.
    let next = || waiting.lock().ok().and_then(|mut items| items.next());
    let work = || std::iter::from_fn(next).map(|(index, item)| (index, function(item))).collect::<Vec<_>>();
    let mut results: Vec<(usize, R)> = thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        let parts = threads.into_iter().map(ScopedJoinHandle::join);
        parts.flat_map(|part| part.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    results.sort_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result).collect()
}
