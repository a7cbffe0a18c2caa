//! Sleep policies that Python decides: by an object's methods, or by a function that was compiled to machine code.
//!
//! The simulation asks for timers several times in an idle period, so they are kept beside what is remembered of a
//! channel: Python is called when a period ends, and for its first one.

use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::Time;
use drowse_core::power::{Idle, SleepPolicy, Timers};
use drowse_run::cancel::Cancel;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// A policy that is an object with `start`, `timers` and `idle_ended`.
pub struct Called {
    object: Py<PyAny>,
    /// The names of link classes.
    classes: Vec<Py<PyString>>,
    /// What it has raised first.
    raised: Mutex<Option<PyErr>>,
    /// Stops the run once it has raised something.
    cancel: Cancel,
}

/// What is remembered of a channel.
#[derive(Clone)]
pub struct Remembered {
    /// Nothing once the policy has raised something.
    state: Option<Arc<Py<PyAny>>>,
    timers: Timers,
}

impl Called {
    /// Makes a policy for a network with these link classes; what it raises stops the run.
    pub fn new(py: Python<'_>, object: Py<PyAny>, classes: &[String], cancel: &Cancel) -> Self {
        let classes = classes.iter().map(|class| PyString::new(py, class).unbind()).collect();
        Called { object, classes, raised: Mutex::new(None), cancel: cancel.clone() }
    }

    /// Returns what it has raised.
    pub fn raised(self) -> Option<PyErr> {
        self.raised.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what was raised, and stops the run.
    fn give_up(&self, py: Python<'_>, error: PyErr, what: &str) {
        let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
        if raised.is_none() {
            // Python 3.10 has no notes.
            let _ = error.value(py).call_method1("add_note", (format!("raised by the sleep policy, {what}"),));
            *raised = Some(error);
        }
        self.cancel.cancel();
    }

    /// Asks for the timers of a state.
    fn after(&self, py: Python<'_>, class: u8, state: Bound<'_, PyAny>) -> PyResult<Remembered> {
        let timers = self.object.bind(py).call_method1("timers", (&self.classes[usize::from(class)], &state))?;
        let (shallow, deep): (Option<u64>, Option<u64>) = timers.extract()?;
        let [shallow, deep] = [shallow, deep].map(|timer| timer.map_or(Time::NEVER, Time));
        Ok(Remembered { state: Some(Arc::new(state.unbind())), timers: Timers { shallow, deep } })
    }
}

impl SleepPolicy for Called {
    type State = Remembered;

    fn start(&self, channel: ChannelId, class: u8) -> Remembered {
        let ask = |py: Python<'_>| {
            let arguments = (channel.0, &self.classes[usize::from(class)]);
            let state = self.object.bind(py).call_method1("start", arguments)?;
            self.after(py, class, state)
        };
        Python::attach(|py| {
            ask(py).unwrap_or_else(|error| {
                self.give_up(py, error, &format!("at the start of channel {}", channel.0));
                Remembered { state: None, timers: Timers::NEVER }
            })
        })
    }

    fn timers(&self, _class: u8, remembered: &Remembered) -> Timers {
        remembered.timers
    }

    fn idle_ended(&self, class: u8, remembered: &mut Remembered, idle: Idle) {
        let Some(state) = remembered.state.take() else { return };
        Python::attach(|py| {
            let arguments = (&self.classes[usize::from(class)], state.bind(py), idle.since.0, idle.until.0);
            let next = self.object.bind(py).call_method1("idle_ended", arguments);
            match next.and_then(|next| self.after(py, class, next)) {
                Ok(next) => *remembered = next,
                Err(error) => self.give_up(py, error, &format!("at {} ps", idle.until.0)),
            }
        });
    }
}

drowse_core::sleep_only!(Called);

/// What a compiled policy remembers of a channel, and its timers.
#[derive(Clone, Copy)]
pub struct Words {
    state: [i64; 4],
    timers: [i64; 2],
}

/// The decision of a compiled policy; returns 1 if it was made.
type Decide = unsafe extern "C" fn(u32, *mut i64, i64, i64, *mut i64) -> i32;

/// A policy that is a function of machine code.
pub struct Compiled {
    decide: Decide,
    first: [i64; 2],
    /// Whether it has failed, and what stops the run then.
    failed: Mutex<bool>,
    cancel: Cancel,
}

impl Compiled {
    /// Makes a policy of the address of a function, which must be of the type [`Decide`] and outlive the policy.
    #[expect(unsafe_code, reason = "a function that another compiler made")]
    pub fn new(address: usize, (shallow, deep): (i64, i64), cancel: &Cancel) -> Option<Self> {
        if address == 0 {
            return None;
        }
        // SAFETY: the caller says that a function of this type is there; `drowse.own` compiles it with this signature.
        let decide = unsafe { mem::transmute::<usize, Decide>(address) };
        Some(Compiled { decide, first: [shallow, deep], failed: Mutex::new(false), cancel: cancel.clone() })
    }

    /// Returns whether it has failed.
    pub fn has_failed(&self) -> bool {
        *self.failed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SleepPolicy for Compiled {
    type State = Words;

    fn start(&self, _channel: ChannelId, _class: u8) -> Words {
        Words { state: [0; 4], timers: self.first }
    }

    fn timers(&self, _class: u8, words: &Words) -> Timers {
        // What is negative is at once, and the largest number is never.
        let time = |timer: i64| if timer == i64::MAX { Time::NEVER } else { Time(timer.max(0).unsigned_abs()) };
        let [shallow, deep] = words.timers.map(time);
        Timers { shallow, deep }
    }

    #[expect(unsafe_code, reason = "calls a function that another compiler made")]
    fn idle_ended(&self, class: u8, words: &mut Words, idle: Idle) {
        let [since, until] = [idle.since, idle.until].map(|time| i64::try_from(time.0).unwrap_or(i64::MAX));
        let (state, timers) = (words.state.as_mut_ptr(), words.timers.as_mut_ptr());
        // SAFETY: the function is of this type, and writes to the four words and the two timers only.
        if unsafe { (self.decide)(u32::from(class), state, since, until, timers) } != 1 {
            *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = true;
            self.cancel.cancel();
        }
    }
}

drowse_core::sleep_only!(Compiled);
