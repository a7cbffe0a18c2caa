//! Channels that never sleep are those that may not sleep, and the oracle, which judges a run by hindsight, changes none.

use drowse_core::measure::Record;
use drowse_core::model::config::SleepRules;
use drowse_core::model::units::Time;
use drowse_core::power::{ByClass, ClassPolicy, LinkState, Oracle, SleepStates, Timers};
use drowse_experiment::Case;

use crate::finding::{Checked, Finding};
use crate::{answers, laws};

/// Checks a case against its record with links that may not sleep. Takes what runs a case.
pub fn check<E>(case: &Case, on: &Record, run: impl Fn(&Case) -> Result<Record, E>) -> Result<Checked, E> {
    let never = with(case, |_| ClassPolicy::StallTimer(Timers::NEVER));
    let never = run(&never)?;
    if let Some(difference) = laws::difference(on, &never) {
        return Ok(Err(Finding { law: "links that never sleep are links that may not sleep", text: difference }));
    }
    // Answers wake links after the end, and runs with sleep are measured until then.
    if answers::under_way(on) {
        return Ok(Ok(()));
    }
    let oracle = with(case, |states| ClassPolicy::Oracle(Oracle::new(states)));
    let oracle = without_sleep(run(&oracle)?);
    let law = "the oracle changes nothing that is sent";
    Ok(laws::difference(&without_sleep(on.clone()), &oracle).map_or(Ok(()), |text| Err(Finding { law, text })))
}

/// Returns a case whose channels may sleep as before, by other policies.
fn with(case: &Case, policy: impl Fn(SleepStates) -> ClassPolicy) -> Case {
    let mut case = case.clone();
    case.system.config.sleep = SleepRules::default();
    let classes = case.system.config.classes.iter();
    let policies = classes.map(|class| class.states.map_or(ClassPolicy::StallTimer(Timers::NEVER), &policy));
    case.system.policy = ByClass::new(policies.collect());
    case
}

/// Removes what channels did while they did not send.
fn without_sleep(mut record: Record) -> Record {
    for channel in &mut record.channels {
        (channel.residency, channel.wakes) = ([Time::ZERO; LinkState::COUNT], 0);
    }
    record
}
