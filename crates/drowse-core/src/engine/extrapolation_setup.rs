//! What does not go with iterations that are extrapolated is refused by name.

use crate::model::config::Config;
use crate::model::extrapolate::Extrapolate;
use crate::power::Policy;
use crate::topology::{Geometry, Network};
use crate::workload::{Job, Workload};

use super::setup_error::SetupError;

/// What to do instead.
const INSTEAD: &str = "or leave out simulation.extrapolate";

/// Refuses what does not go with iterations that are extrapolated, if some may be.
pub fn check<P: Policy>(network: &Network, config: &Config, policy: &P, workload: &Workload) -> Result<(), SetupError> {
    if config.unit.extrapolates().is_none() {
        return Ok(());
    }
    if matches!(network.geometry, Geometry::Ideal(_)) {
        return refuse(
            "simulation.extrapolate",
            "an ideal network has no links that jobs could share: take another network",
        );
    }
    if P::PROBES {
        let what = "tables and timelines of what links and ranks do need all iterations: leave these out";
        return refuse("simulation.extrapolate", what);
    }
    check_policy(config, policy)?;
    check_workload(workload)
}

/// Returns by which rules iterations are extrapolated, if some may be: a policy that learns is given time to.
pub fn rules<P: Policy>(config: &Config, policy: &P) -> Option<Extrapolate> {
    let rules = config.unit.extrapolates()?;
    let learns_for = sleeping(config).map(|class| policy.learns_for(class)).max().unwrap_or(0);
    Some(Extrapolate { after: rules.after.max(learns_for), ..rules })
}

/// Returns the classes of channels that may sleep.
fn sleeping(config: &Config) -> impl Iterator<Item = u8> {
    (0..).zip(&config.classes).filter(|(_, class)| class.states.is_some()).map(|(class, _)| class)
}

fn refuse(key: &'static str, what: &str) -> Result<(), SetupError> {
    Err(SetupError { key, reason: format!("{what}, {INSTEAD}") })
}

fn check_policy<P: Policy>(config: &Config, policy: &P) -> Result<(), SetupError> {
    if sleeping(config).any(|class| policy.cap(class).is_some()) {
        return refuse(
            "power.policy",
            "a cap gives out its watts by windows, which go on in times that are extrapolated",
        );
    }
    if sleeping(config).any(|class| policy.trunk_window(class).is_some()) {
        return refuse("power.policy", "trunks are examined by windows, which go on in times that are extrapolated");
    }
    if sleeping(config).any(|class| policy.runtime_rules(class).is_some()) {
        return refuse("power.policy", "the runtime system learns each iteration, and none may be extrapolated");
    }
    Ok(())
}

fn check_workload(workload: &Workload) -> Result<(), SetupError> {
    match workload {
        Workload::OpenLoop(_) => {
            refuse("simulation.extrapolate", "traffic that is drawn has no iterations: write [[job]] tables")
        }
        Workload::Beside(..) => {
            refuse("simulation.extrapolate", "traffic beside jobs disturbs their iterations: leave it out")
        }
        Workload::Jobs(jobs) | Workload::Scheduled(jobs, _) if jobs.iter().any(starts_again) => refuse(
            "simulation.extrapolate",
            "a job that repeats until others end has no end of its own: write a number",
        ),
        Workload::Jobs(_) | Workload::Scheduled(..) => Ok(()),
    }
}

fn starts_again(job: &Job) -> bool {
    job.source.repetitions().is_none()
}
