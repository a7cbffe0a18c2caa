//! Policies that Python holds, as a kind of policy that experiments name: `power.policy.kind = "python"`.

use std::collections::BTreeMap;
use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_experiment::{Diagnostic, Kinds, PYTHON, Place};
use drowse_run::own_policy;
use pyo3::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::errors::Raised;
use crate::policy::{Called, Compiled, OwnPolicy};
use crate::raises::Raises;

/// The policies that an experiment of Python brings along, by what identifies them.
pub type Own = BTreeMap<String, Decider>;

/// What decides.
#[derive(Debug, FromPyObject)]
pub enum Decider {
    /// The address of a function of machine code, and the first timers.
    Compiled((usize, i64, i64)),
    /// An object with methods.
    Called(Py<PyAny>),
}

/// What says which policy is meant.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OwnKeys {
    /// The name of its class or function.
    code: String,
    /// A hash of all that its decisions depend on: its source, its parameters, its version.
    source: String,
    /// Its parameters, to be read.
    #[serde(default)]
    #[expect(dead_code, reason = "they are a part of `source`")]
    parameters: BTreeMap<String, Value>,
    /// What its author calls it.
    #[expect(dead_code, reason = "it is a part of `source`")]
    version: Option<Value>,
}

/// Returns the kinds that an experiment may name, its own policies among them.
pub fn kinds(own: &Arc<Own>, raises: &Raises) -> Kinds {
    let (own, raises) = (Arc::clone(own), raises.clone());
    Kinds::default().policy_by::<OwnKeys, _>(PYTHON, move |keys, place, class| {
        let decider = own.get(&keys.source).ok_or_else(|| not_here(keys, place))?;
        let policy = match decider {
            Decider::Compiled((address, shallow, deep)) => {
                let compiled = Compiled::new(*address, (*shallow, *deep), &keys.code, &raises);
                OwnPolicy::Compiled(compiled.ok_or_else(|| not_here(keys, place))?)
            }
            Decider::Called(object) => Python::attach(|py| {
                OwnPolicy::Called(Called::new(py, object.clone_ref(py), &class.network.classes, &raises))
            }),
        };
        Ok(own_policy(PYTHON, policy))
    })
}

fn not_here(keys: &OwnKeys, place: &Place<'_>) -> Diagnostic {
    let OwnKeys { code, source, .. } = keys;
    let message = format!("the policy `{code}` ({source}) is written in Python, and is not given here");
    place.error("source", message, format!("give that very `{code}` in `policies=[...]`; another one is refused"))
}

/// Reads a time, in picoseconds.
#[pyfunction]
pub fn picoseconds(time: &str) -> PyResult<u64> {
    let read: Result<Time, _> = time.parse();
    Ok(read.map_err(|error| Raised::input(format!("error: {error}")))?.0)
}
