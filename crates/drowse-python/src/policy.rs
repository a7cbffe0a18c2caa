//! Sleep policies that Python decides: by an object's methods, or by a function that was compiled to machine code.
//!
//! The simulation asks for timers several times in an idle period, so they are kept beside what is remembered of a
//! channel: Python is called when a period ends, and for its first one.

use std::mem;
use std::sync::Arc;

use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::Time;
use drowse_core::power::{Idle, SleepPolicy, Timers};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors::Raised;
use crate::known::be_known;
use crate::raises::Raises;

/// A policy that Python decides.
pub enum OwnPolicy {
    /// By methods.
    Called(Called),
    /// By machine code.
    Compiled(Compiled),
}

/// What is remembered of a channel.
#[derive(Clone)]
pub enum State {
    /// By a policy of methods.
    Called(Remembered),
    /// By one of machine code.
    Compiled(Words),
}

impl SleepPolicy for OwnPolicy {
    type State = State;

    fn start(&self, channel: ChannelId, class: u8) -> State {
        match self {
            OwnPolicy::Called(policy) => State::Called(policy.start(channel, class)),
            OwnPolicy::Compiled(policy) => State::Compiled(policy.start()),
        }
    }

    fn timers(&self, _class: u8, state: &State) -> Timers {
        match state {
            State::Called(remembered) => remembered.timers,
            State::Compiled(words) => words.timers(),
        }
    }

    fn idle_ended(&self, class: u8, state: &mut State, idle: Idle) {
        match (self, state) {
            (OwnPolicy::Called(policy), State::Called(remembered)) => policy.idle_ended(class, remembered, idle),
            (OwnPolicy::Compiled(policy), State::Compiled(words)) => policy.idle_ended(class, words, idle),
            // A channel keeps the policy that it began with.
            _ => {}
        }
    }
}

drowse_core::sleep_only!(OwnPolicy);

/// A policy that is an object with `start`, `timers` and `idle_ended`.
pub struct Called {
    object: Py<PyAny>,
    /// The names of link classes.
    classes: Vec<Py<PyString>>,
    /// Takes what it raises, and stops the run then.
    raises: Raises,
}

/// What is remembered of a channel.
#[derive(Clone)]
pub struct Remembered {
    /// Nothing once the policy has raised something.
    state: Option<Arc<Py<PyAny>>>,
    timers: Timers,
}

fn wrong_timers(timers: &Bound<'_, PyAny>) -> PyErr {
    let what = timers.repr().map(|text| text.to_string()).unwrap_or_default();
    PyTypeError::new_err(format!("`timers` returned {what}: return two times in picoseconds, None for never"))
}

impl Called {
    /// Makes a policy for a network with these link classes; what it raises stops the run.
    pub fn new(py: Python<'_>, object: Py<PyAny>, classes: &[String], raises: &Raises) -> Self {
        let classes = classes.iter().map(|class| PyString::new(py, class).unbind()).collect();
        Called { object, classes, raises: raises.clone() }
    }

    /// Keeps what was raised, and stops the run.
    fn give_up(&self, py: Python<'_>, error: PyErr, what: &str) {
        self.raises.keep(|| {
            // Python 3.10 has no notes.
            let _ = error.value(py).call_method1("add_note", (format!("raised by the sleep policy, {what}"),));
            error
        });
    }

    /// Asks for the timers of a state.
    fn after(&self, py: Python<'_>, class: u8, state: Bound<'_, PyAny>) -> PyResult<Remembered> {
        let timers = self.object.bind(py).call_method1("timers", (&self.classes[usize::from(class)], &state))?;
        let (shallow, deep): (Option<u64>, Option<u64>) = timers.extract().map_err(|_| wrong_timers(&timers))?;
        let [shallow, deep] = [shallow, deep].map(|timer| timer.map_or(Time::NEVER, Time));
        Ok(Remembered { state: Some(Arc::new(state.unbind())), timers: Timers { shallow, deep } })
    }

    /// Asks for what is remembered of a channel at the start.
    fn start(&self, channel: ChannelId, class: u8) -> Remembered {
        let ask = |py: Python<'_>| {
            let arguments = (channel.0, &self.classes[usize::from(class)]);
            let state = self.object.bind(py).call_method1("start", arguments)?;
            self.after(py, class, state)
        };
        be_known();
        Python::attach(|py| {
            ask(py).unwrap_or_else(|error| {
                self.give_up(py, error, &format!("at the start of channel {}", channel.0));
                Remembered { state: None, timers: Timers::NEVER }
            })
        })
    }

    /// Tells it that an idle period has ended.
    fn idle_ended(&self, class: u8, remembered: &mut Remembered, idle: Idle) {
        let Some(state) = remembered.state.take() else { return };
        be_known();
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
    name: String,
    /// Is told when it fails, and stops the run then.
    raises: Raises,
}

impl Words {
    fn timers(&self) -> Timers {
        // What is negative is at once, and the largest number is never.
        let time = |timer: i64| if timer == i64::MAX { Time::NEVER } else { Time(timer.max(0).unsigned_abs()) };
        let [shallow, deep] = self.timers.map(time);
        Timers { shallow, deep }
    }
}

impl Compiled {
    /// Makes a policy of the address of a function, which must be of the type [`Decide`] and outlive the policy.
    #[expect(unsafe_code, reason = "a function that another compiler made")]
    pub fn new(address: usize, (shallow, deep): (i64, i64), name: &str, raises: &Raises) -> Option<Self> {
        if address == 0 {
            return None;
        }
        // SAFETY: the caller says that a function of this type is there; `drowse.own` compiles it with this signature.
        let decide = unsafe { mem::transmute::<usize, Decide>(address) };
        Some(Compiled { decide, first: [shallow, deep], name: name.to_owned(), raises: raises.clone() })
    }

    fn start(&self) -> Words {
        Words { state: [0; 4], timers: self.first }
    }

    #[expect(unsafe_code, reason = "calls a function that another compiler made")]
    fn idle_ended(&self, class: u8, words: &mut Words, idle: Idle) {
        let [since, until] = [idle.since, idle.until].map(|time| i64::try_from(time.0).unwrap_or(i64::MAX));
        let (state, timers) = (words.state.as_mut_ptr(), words.timers.as_mut_ptr());
        // SAFETY: the function is of this type, and writes to the four words and the two timers only.
        if unsafe { (self.decide)(u32::from(class), state, since, until, timers) } != 1 {
            let text = format!(
                "error: the compiled policy `{}` did not return 1\nhelp: return 1 when the decision is made; numba \
                 prints what went wrong, and returns 0",
                self.name
            );
            self.raises.keep(|| PyErr::from(Raised::input(text)));
        }
    }
}
