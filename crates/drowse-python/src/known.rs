//! Threads that Python knows while they live.
//!
//! Where Python does not know a thread, each call makes it known and forgets it, which takes ten times as long as the call.

use pyo3::ffi;

thread_local! {
    static KNOWN: Known = Known::new();
}

/// Makes Python know this thread until it ends. It must not hold Python's lock for another reason.
pub fn be_known() {
    KNOWN.with(|_| ());
}

/// What Python remembers of this thread.
struct Known {
    ensured: ffi::PyGILState_STATE,
    saved: *mut ffi::PyThreadState,
}

impl Known {
    #[expect(unsafe_code, reason = "the wrapper of these calls has no form that outlives a call")]
    fn new() -> Self {
        // SAFETY: the interpreter runs, since it has called this module and waits for it; the lock is given back at once.
        unsafe {
            let ensured = ffi::PyGILState_Ensure();
            Known { ensured, saved: ffi::PyEval_SaveThread() }
        }
    }
}

impl Drop for Known {
    #[expect(unsafe_code, reason = "what `new` has taken")]
    fn drop(&mut self) {
        // SAFETY: both are of this thread, which is joined before the interpreter can end.
        unsafe {
            ffi::PyEval_RestoreThread(self.saved);
            ffi::PyGILState_Release(self.ensured);
        }
    }
}
