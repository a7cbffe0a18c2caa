//! Runs a case under a policy of Python, and names that policy in its result.

use std::sync::Mutex;

use drowse_core::model::units::Time;
use drowse_run::identity::case_id_under;
use drowse_run::outcome::Outcome;
use drowse_run::request::{Outcomes, RunRequest};
use drowse_run::threads::Threads;
use drowse_tables::schema::cases::CASE_ID;
use drowse_tables::{Name, Row};
use pyo3::prelude::*;

use crate::errors::Raised;
use crate::policy::{Called, Compiled};

/// A policy of one's own, its name, and a hash of what its decisions depend on.
#[derive(FromPyObject)]
pub struct Own(Decider, String, String);

/// What decides.
#[derive(FromPyObject)]
enum Decider {
    /// The address of a function of machine code, and the first timers.
    Compiled((usize, i64, i64)),
    /// An object with methods.
    Called(Py<PyAny>),
}

impl Own {
    /// Runs a request under the policy, and its baseline under its own; keeps what the policy raises.
    pub fn run(&self, request: &RunRequest<'_>, raised: &Mutex<Option<PyErr>>) -> Result<Outcomes, Raised> {
        let mut case = match &self.0 {
            Decider::Compiled(function) => self.compiled(request, *function),
            Decider::Called(object) => called(request, object, raised),
        }?;
        self.name(&mut case)?;
        let baseline = request.baseline.map(|case| RunRequest { case, baseline: None, ..request.clone() }.run());
        Ok(Outcomes::compared(case, baseline.transpose()?.map(|outcomes| outcomes.case)))
    }

    fn compiled(
        &self,
        request: &RunRequest<'_>,
        (address, shallow, deep): (usize, i64, i64),
    ) -> Result<Outcome, Raised> {
        let none = || Raised::input("error: a compiled policy has no function");
        let policy = Compiled::new(address, (shallow, deep), &request.cancel).ok_or_else(none)?;
        let outcome = request.run_under(&policy);
        if policy.has_failed() {
            let name = &self.1;
            let help = "return 1 when the decision is made; numba prints what went wrong, and returns 0";
            return Err(Raised::input(format!("error: the compiled policy `{name}` did not return 1\nhelp: {help}")));
        }
        Ok(outcome?)
    }

    /// Makes the policy a part of the case's id and of its experiment, which cannot be run without Python.
    fn name(&self, outcome: &mut Outcome) -> Result<(), Raised> {
        let Own(decider, name, source) = self;
        let kind = if matches!(decider, Decider::Called(_)) { "python" } else { "python-compiled" };
        let id = case_id_under(&outcome.summary.case_id(), &[kind, name, source].join(" "));
        let mut identity = Row::new();
        for (column, value) in outcome.summary.identity.iter() {
            if column == CASE_ID.name {
                identity.push(CASE_ID, id.as_str());
            } else {
                identity.push(Name::read(column.to_owned()), value.clone());
            }
        }
        outcome.summary.identity = identity;
        let mut experiment: toml::Table = toml::from_str(&outcome.case.experiment).map_err(defect)?;
        let power = experiment.entry("power").or_insert_with(|| toml::Table::new().into());
        if let Some(power) = power.as_table_mut() {
            let own = [("kind", kind), ("name", name), ("source", source)];
            let own = own.map(|(key, value)| (key.to_owned(), toml::Value::from(value)));
            power.insert("policy".into(), toml::Table::from_iter(own).into());
        }
        outcome.case.experiment = toml::to_string(&experiment).map_err(defect)?;
        Ok(())
    }
}

fn defect(error: impl std::fmt::Display) -> Raised {
    Raised::fault(format!("error: the policy cannot be named in the experiment: {error}"))
}

/// Runs a request under a policy of methods.
///
/// It runs on this thread, which is known to Python all the while: else each call would make it known and forget it.
fn called(request: &RunRequest<'_>, object: &Py<PyAny>, raised: &Mutex<Option<PyErr>>) -> Result<Outcome, Raised> {
    let request = RunRequest { threads: Threads::ONE, ..request.clone() };
    Python::attach(|py| {
        let classes = &request.case.system.network.classes;
        let policy = Called::new(py, object.clone_ref(py), classes, &request.cancel);
        let outcome = py.detach(|| request.run_under(&policy));
        *raised.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = policy.raised();
        Ok(outcome?)
    })
}

/// Reads a time, in picoseconds.
#[pyfunction]
pub fn picoseconds(time: &str) -> PyResult<u64> {
    let read: Result<Time, _> = time.parse();
    Ok(read.map_err(|error| Raised::input(format!("error: {error}")))?.0)
}
