//! The fast engine equals the twin in every record. Random machines do so in `drowse-machines`.

use drowse_core::engine;
use drowse_core::workload::Workload;
use drowse_twin::{compare, cut_through};

use crate::experiments::Experiment;

/// Runs both and compares their records.
pub fn check(experiment: &Experiment) {
    let network = experiment.network();
    let config = experiment.config(&network);
    let traffic = experiment.traffic(&network);
    let policy = experiment.policy(&network).unwrap();
    let fast = engine::run(&network, &config, &policy, Workload::OpenLoop(traffic.clone())).unwrap().unwrap();
    assert!(!compare::gave_up(&traffic, &fast), "not drained");
    let twin = cut_through::run(&network, &config, &experiment.policies(&network), &traffic).unwrap();
    assert_eq!(compare::difference(&fast, &twin), None);
}
