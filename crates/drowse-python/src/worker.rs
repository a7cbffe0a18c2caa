//! Work that takes long, on a thread of its own: the calling thread waits without Python's lock, and now and then looks
//! at its signals and passes on how far the work has come.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::{self, Builder};
use std::time::Duration;

use drowse_run::cancel::Cancel;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::errors::Raised;

/// How often signals are looked at.
const TICK: Duration = Duration::from_millis(50);

thread_local! {
    /// On a thread of work, where it has panicked.
    static PANICKED: RefCell<Option<String>> = const { RefCell::new(None) };
    /// Whether this is a thread of work.
    static WORKS: RefCell<bool> = const { RefCell::new(false) };
}

/// Lets panics of work say nothing: what they say is raised.
pub fn keep_panics_quiet() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if WORKS.with(|works| *works.borrow()) {
            let place = panic.location().map(ToString::to_string);
            PANICKED.with(|panicked| *panicked.borrow_mut() = place);
        } else {
            usual(panic);
        }
    }));
}

/// What work says of how far it has come.
pub struct Said<P> {
    latest: Mutex<Option<P>>,
}

impl<P> Said<P> {
    /// Replaces what was said before.
    pub fn say(&self, what: P) {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(what);
    }

    fn take(&self) -> Option<P> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Does work, and calls `progress` with what it says. What Ctrl-C or `progress` raises stops the work, and is raised.
pub fn supervise<'py, T, E, P>(
    py: Python<'py>,
    progress: Option<&Bound<'py, PyAny>>,
    work: impl FnOnce(&Cancel, &Said<P>) -> Result<T, E> + Send,
) -> PyResult<T>
where
    T: Send,
    E: Into<Raised> + Send,
    P: IntoPyObject<'py> + Send,
{
    let (cancel, said) = (Cancel::default(), Said { latest: Mutex::new(None) });
    let (ended, woken) = (Mutex::new(false), Condvar::new());
    let mut interrupted = None;
    let done = thread::scope(|scope| {
        let worker = Builder::new().name("drowse".into()).spawn_scoped(scope, || {
            let done = quietly(|| work(&cancel, &said));
            *ended.lock().unwrap_or_else(PoisonError::into_inner) = true;
            woken.notify_all();
            done
        });
        let worker = worker.map_err(|error| Raised::new("MachineError", format!("error: no thread: {error}")))?;
        while !py.detach(|| wait(&ended, &woken)) {
            if interrupted.is_none() {
                interrupted = look(py, progress, &said).err();
                interrupted.iter().for_each(|_| cancel.cancel());
            }
        }
        // It has ended, but for its last steps, which do not need Python.
        py.detach(|| worker.join()).unwrap_or_else(|panic| Err(fault(panic.as_ref())))
    });
    if let Some(error) = interrupted {
        return Err(error);
    }
    if let (Some(progress), Some(last)) = (progress, said.take()) {
        progress.call1((last,))?;
    }
    Ok(done?)
}

/// Waits for a tick; returns whether the work has ended.
fn wait(ended: &Mutex<bool>, woken: &Condvar) -> bool {
    let ended = ended.lock().unwrap_or_else(PoisonError::into_inner);
    *woken.wait_timeout_while(ended, TICK, |ended| !*ended).unwrap_or_else(PoisonError::into_inner).0
}

/// Looks at signals, and passes on what was said.
fn look<'py, P: IntoPyObject<'py>>(
    py: Python<'py>,
    progress: Option<&Bound<'py, PyAny>>,
    said: &Said<P>,
) -> PyResult<()> {
    py.check_signals()?;
    let Some((progress, what)) = progress.and_then(|progress| Some((progress, said.take()?))) else { return Ok(()) };
    progress.call1((what,)).map(drop)
}

/// Does work; a panic becomes an error.
fn quietly<T, E: Into<Raised>>(work: impl FnOnce() -> Result<T, E>) -> Result<T, Raised> {
    WORKS.with(|works| *works.borrow_mut() = true);
    match panic::catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => done.map_err(Into::into),
        Err(panic) => Err(fault(panic.as_ref())),
    }
}

/// Returns the error of a panic.
fn fault(panic: &(dyn Any + Send)) -> Raised {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    let place = PANICKED.with(|panicked| panicked.borrow_mut().take()).unwrap_or_else(|| "an inner thread".into());
    Raised::fault(format!(
        "error: drowse panicked at {place}: {text}\nhelp: this is a defect of drowse; please report it"
    ))
}

/// Panics: tests of the package see what becomes of a defect.
#[pyfunction(name = "panic")]
pub fn fail(py: Python<'_>, text: &str) -> PyResult<()> {
    supervise(py, None, |_, _: &Said<u64>| -> Result<(), Raised> { panic!("{text}") })
}
