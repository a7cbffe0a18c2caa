//! The fast engine equals the twin in every record: latencies, hops, wakes, and the time of every channel in every
//! state. Arbiters resolve ties by documented pointers and draws, so there are no exceptions.
//!
//! `PROPTEST_CASES` sets the number of experiments.

use drowse_core::engine;
use drowse_core::measure::{Histogram, Record, Warning};
use drowse_core::model::units::Time;
use drowse_core::workload::Workload;
use drowse_twin::cut_through;
use proptest::prelude::*;

use crate::cases::proptest_config;
use crate::experiments::{Experiment, bubbles, experiment, paired, policies, progressive, trunks};

/// Runs the fast engine. Returns `None` if it refuses the parameters, or gives up the drain, which the twin never does.
fn fast(experiment: &Experiment) -> Option<Record> {
    let network = experiment.network();
    let traffic = experiment.traffic(&network);
    let drain = traffic.drain;
    let policy = experiment.policy(&network)?;
    let run = engine::run(&network, &experiment.config(&network), &policy, Workload::OpenLoop(traffic));
    let record = run.ok()?.unwrap();
    // A network that is not saturated drains, if there was time: what is left there is lost.
    let left = record.warnings.iter().any(|warning| matches!(warning, Warning::NotDrained { .. }));
    let gave_up = drain && left && record.open_loop.is_some_and(|run| run.saturated || run.too_short);
    (!gave_up).then_some(record)
}

fn histogram(latencies: &[u64]) -> Histogram {
    let mut histogram = Histogram::default();
    latencies.iter().for_each(|&latency| histogram.add(Time(latency)));
    histogram
}

/// Runs both and compares their records.
pub fn check(experiment: &Experiment) -> Result<(), TestCaseError> {
    let fast = fast(experiment);
    prop_assume!(fast.is_some(), "refused or not drained");
    let fast = fast.unwrap();
    let network = experiment.network();
    let traffic = experiment.traffic(&network);
    let policies = experiment.policies(&network);
    let twin = cut_through::run(&network, &experiment.config(&network), &policies, &traffic).unwrap();
    prop_assert_eq!(fast.packets_injected, twin.injected, "packets injected");
    prop_assert_eq!(fast.packets_delivered, twin.delivered, "packets delivered");
    prop_assert_eq!(fast.hops, twin.hops, "hops");
    let sums = [&twin.packet_latencies, &twin.message_latencies].map(|all| all.iter().map(|&t| u128::from(t)).sum());
    prop_assert_eq!([fast.packet_latency.sum(), fast.message_latency.sum()], sums, "latencies, packets and messages");
    prop_assert!(fast.packet_latency == histogram(&twin.packet_latencies), "distribution of packet latencies");
    prop_assert!(fast.message_latency == histogram(&twin.message_latencies), "distribution of message latencies");
    let loads = fast.open_loop.unwrap();
    prop_assert_eq!(loads.generated_flits, twin.generated_flits, "flits generated");
    prop_assert_eq!(loads.delivered_flits, twin.delivered_flits, "flits delivered");
    prop_assert_eq!(fast.channels.len(), twin.channels.len());
    for (id, (fast, twin)) in fast.channels.iter().zip(&twin.channels).enumerate() {
        prop_assert_eq!(fast, twin, "channel {}", id);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..proptest_config(256) })]

    #[test]
    fn fast_engine_equals_twin(experiment in experiment()) {
        check(&experiment)?;
    }

    #[test]
    fn progressive_equals_twin(experiment in progressive()) {
        check(&experiment)?;
    }

    #[test]
    fn policies_equal_twin(experiment in policies()) {
        check(&experiment)?;
    }

    #[test]
    fn paired_channels_equal_twin(experiment in paired()) {
        check(&experiment)?;
    }

    #[test]
    fn trunks_and_widths_equal_twin(experiment in trunks()) {
        check(&experiment)?;
    }

    #[test]
    fn bubbles_equal_twin(experiment in bubbles()) {
        check(&experiment)?;
    }
}
