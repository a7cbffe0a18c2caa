//! Policies of other crates: who makes one puts in how it is run, since the simulation is compiled for its type.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use drowse_core::power::{ClassPolicy, Other, Policy, WithOther};

use crate::error::RunError;
use crate::processes::Peers;
use crate::progress::Progress;
use crate::simulate::{Prepared, Run, Runs, Sample};

/// Makes the policy of a link class from one of another crate; `kind` is the word that selects it. What
/// [`PolicyKeys::policy`](drowse_experiment::PolicyKeys::policy) of its keys returns.
///
/// In an experiment whose classes have policies of two other types, the second is refused.
pub fn own_policy<P>(kind: &'static str, policy: P) -> ClassPolicy
where
    P: Policy + Send + Sync + 'static,
    P::State: Send,
{
    let inside: Box<dyn Runs> = Box::new(Own(policy));
    ClassPolicy::Other(Other { kind, inside: Arc::new(inside) })
}

/// A policy of another crate.
struct Own<P>(P);

impl<P> Runs for Own<P>
where
    P: Policy + Send + Sync + 'static,
    P::State: Send,
{
    fn run(&self, prepared: &Prepared<'_>, progress: &mut dyn FnMut(Progress)) -> Result<Run, RunError> {
        prepared.run_under(&all::<P>(prepared)?, progress)
    }

    fn run_in_processes(
        &self,
        prepared: &Prepared<'_>,
        peers: &mut dyn Peers,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Option<Run>, RunError> {
        prepared.in_processes(&all::<P>(prepared)?, peers, progress)
    }

    fn sample(&self, prepared: &Prepared<'_>, limit: Duration) -> Result<Sample, RunError> {
        prepared.sampled(&all::<P>(prepared)?, limit)
    }

    fn policy(&self) -> &dyn Any {
        &self.0
    }
}

/// Returns the policies of all classes; those of other crates are of one type.
fn all<'a, P: Policy + 'static>(prepared: &Prepared<'a>) -> Result<WithOther<'a, P>, RunError> {
    let system = &prepared.case.system;
    let find = |other: &'a Other| other.inside.downcast_ref::<Box<dyn Runs>>()?.policy().downcast_ref::<P>();
    WithOther::new(&system.policy, find).map_err(|other| {
        let message = format!("`{}` is a second policy that is not Drowse's own", other.kind);
        system.keys.error("power", message, "let all other classes have one of Drowse's policies").into()
    })
}
