//! The twin, a second simulator, finds what the engine has found of open-loop traffic, wherever it models a machine.

use drowse_core::measure::Record;
use drowse_core::model::balance::{Balance, Order};
use drowse_core::model::config::{ClassModel, Config, SleepSelection};
use drowse_core::model::ids::ChannelId;
use drowse_core::model::transport::Control;
use drowse_core::model::units::Time;
use drowse_core::power::{ClassPolicy, SleepPolicy, Timers, Trunk};
use drowse_core::topology::geometry::graph::Routes;
use drowse_core::topology::{Geometry, Network};
use drowse_core::workload::traffic::Traffic;
use drowse_experiment::{Case, System, WorkloadSpec};
use drowse_twin::policy::Policy;
use drowse_twin::{compare, cut_through};

use crate::finding::{Checked, Finding, holds};

/// The twin visits every channel at every clock edge: a long run of a large network would take most of the time of all.
const MOST_VISITS: u64 = if cfg!(debug_assertions) { 1_000_000 } else { 20_000_000 };

/// The engine does not examine a trunk while packets wait for it and none goes. The twin does, which differs where waiting
/// makes trunks grow: not where it never lasts so long.
const NEVER_REACHED: Time = Time(1_000_000_000_000);

/// Checks the record of a case against the twin's, if that models the case.
pub fn check(case: &Case, record: &Record) -> Checked {
    let System { network, config, .. } = &case.system;
    let Some((traffic, policies)) = modelled(case) else { return Ok(()) };
    if visits(network, traffic, config.switch.clock) > MOST_VISITS || compare::gave_up(traffic, record) {
        return Ok(());
    }
    let law = "the twin finds the same";
    match cut_through::run(network, config, &policies, traffic) {
        Ok(twin) => {
            let difference = compare::difference(record, &twin);
            holds(law, difference.is_none(), || difference.unwrap_or_default())
        }
        Err(error) => Err(Finding { law, text: error.to_string() }),
    }
}

/// Returns the traffic of a case and the twin's policy of each class; `None` where the twin does not model all of it.
fn modelled(case: &Case) -> Option<(&Traffic, Vec<Policy>)> {
    let System { network, config, policy, .. } = &case.system;
    let WorkloadSpec::Traffic(traffic) = &case.workload else { return None };
    let routed = match &network.geometry {
        Geometry::Ideal(_) => false,
        // The twin routes by itself, and not by tables of others.
        Geometry::Graph(tables) => !matches!(tables.routes, Routes::Forwarding(_)),
        _ => true,
    };
    if !config.unit.is_packet() || !routed || !sprays_or_adapts(config) || !answers_simply(config) {
        return None;
    }
    let models = policy.classes().iter().zip(&config.classes).zip(0..);
    let policies = models.map(|((policy, model), class)| twins(policy, model, class, network));
    let policies: Vec<Policy> = policies.collect::<Option<_>>()?;
    let sleeps = || config.classes.iter().filter_map(|class| class.states);
    // Trunks that wake in no time, and links that do so at both ends and coalesce, act at other times in the twin; policies
    // that learn divide by the time of a wake.
    let at_once = sleeps().any(|states| states.sleeps().any(|sleep| states.of(sleep).wake == Time::ZERO));
    let by_timers = |policy: &Policy| matches!(policy, Policy::Timers(_) | Policy::Further(..) | Policy::Table(_));
    if at_once && (config.sleep.both || !policies.iter().all(by_timers)) {
        return None;
    }
    // Not compared either: a sprayed packet whose output is taken may wake another for those that come after it, and the
    // engine looks at these only when it looks at the packet.
    let avoids_sleep = config.sleep.selection != SleepSelection::Blind && sleeps().next().is_some();
    if !config.switch.balance.is_adaptive() && avoids_sleep {
        return None;
    }
    // Not compared yet: a case of several states beside a class that coalesces differs, and the cause is not known.
    let several = sleeps().any(|states| !states.further.all().is_empty());
    (!config.sleep.both || !several).then_some((traffic, policies))
}

/// Returns whether packets take any output that is free, or are sprayed, and nodes take them in any order.
fn sprays_or_adapts(config: &Config) -> bool {
    use Balance::{Adaptive, SprayQueue, SprayRandom, SprayRoundRobin};
    let balance = matches!(config.switch.balance, Adaptive | SprayRandom | SprayRoundRobin | SprayQueue);
    balance && config.node.order != Order::InSequence
}

/// Returns whether nodes do not answer, or by a control that has no clock of its own.
fn answers_simply(config: &Config) -> bool {
    config.transport.is_none_or(|transport| matches!(transport.control, Control::None | Control::Window(_)))
}

/// Returns the twin's policy of a class, if it has it.
fn twins(policy: &ClassPolicy, model: &ClassModel, class: u8, network: &Network) -> Option<Policy> {
    if model.states.is_none() {
        return Some(Policy::Timers(Timers::NEVER));
    }
    let grows = |trunk: &Trunk| trunk.backlog < NEVER_REACHED;
    match policy {
        ClassPolicy::StallTimer(timers) => Some(Policy::Timers(*timers)),
        ClassPolicy::StallTimers(_) => {
            let memory = policy.start(ChannelId(0), class);
            let further = policy.further_timers(class, &memory).0.to_vec();
            Some(Policy::Further(policy.timers(class, &memory), further))
        }
        ClassPolicy::Table(table) => {
            Some(Policy::Table((0..network.channels()).map(|channel| table.of(ChannelId(channel))).collect()))
        }
        ClassPolicy::Coalescing(coalescing) => Some(Policy::Coalescing(coalescing.limits)),
        ClassPolicy::Oracle(_) => Some(Policy::Oracle),
        ClassPolicy::Predictive(predictive) => {
            Some(Policy::Predictive(predictive.weight().into(), Some(predictive.watchdog())))
        }
        ClassPolicy::PerfBound(perfbound) => Some(Policy::PerfBound(perfbound.learning)),
        ClassPolicy::DynamicFastwake(fastwake) => Some(Policy::DynamicFastwake(fastwake.learning())),
        ClassPolicy::Trunk(trunk) => (!grows(trunk)).then_some(Policy::Trunk(*trunk)),
        ClassPolicy::Width(width) => (!grows(&width.thresholds)).then_some(Policy::Width(*width)),
        ClassPolicy::RandomTimer(_)
        | ClassPolicy::Standby(_)
        | ClassPolicy::Cap(_)
        | ClassPolicy::Runtime(_)
        | ClassPolicy::Bounded(_)
        | ClassPolicy::Other(_) => None,
    }
}

/// Returns how often the twin looks at a channel until the window ends.
fn visits(network: &Network, traffic: &Traffic, clock: Time) -> u64 {
    let edges = traffic.warmup.saturating_add(traffic.measure).0 / clock.0.max(1);
    edges.saturating_mul(u64::from(network.channels()) + u64::from(network.nodes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::tests::ran;

    const TRAFFIC: &str = "
        [network]
        kind = \"torus\"
        dims = [4]
        [power]
        policy = { kind = \"KIND\" }
        [traffic]
        load = 0.2
        warmup = \"10 cycles\"
        measure = \"300 cycles\"
        drain = false
    ";

    #[test]
    fn a_record_that_differs_is_found() {
        let mut run = ran(&TRAFFIC.replace("KIND", "immediate"));
        assert_eq!(check(&run.case, &run.record), Ok(()));
        run.record.channels[3].wakes += 1;
        let found = check(&run.case, &run.record).map_err(|finding| finding.law);
        assert_eq!(found, Err("the twin finds the same"));
    }

    #[test]
    fn what_the_twin_lacks_is_not_compared() {
        assert!(modelled(&ran(&TRAFFIC.replace("KIND", "predictive")).case).is_some());
        assert!(modelled(&ran(crate::laws::tests::JOB).case).is_none());
    }
}
