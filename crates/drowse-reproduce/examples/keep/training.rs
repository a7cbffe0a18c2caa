//! The study of training on links that sleep: what it calls its cases, and which figures are kept.

use std::error::Error;

use drowse_tables::schema::cases;

use crate::networks_policies_names::named;
use crate::{Names, Set, Study};

pub const STUDY: Study = Study {
    name: "training_links",
    headings: &["model", "accelerators", "network", "policy", "wake"],
    names,
    order: &[],
    columns: &[
        cases::RELATIVE_MAKESPAN,
        cases::RELATIVE_NETWORK_J,
        cases::LINKS_SHALLOW_FRACTION,
        cases::LINKS_DEEP_FRACTION,
    ],
};

const MODELS: [(&str, &str); 2] = [("70b", "70B"), ("8b", "8B")];
/// Replicas for data parallelism tell the number of accelerators.
const ACCELERATORS: [(&str, &str); 4] = [("64", "512"), ("16", "512"), ("8", "64"), ("2", "64")];
const NETWORKS: [(&str, &str); 4] =
    [("dragonfly-plus", "dragonfly+"), ("torus", "torus"), ("tree", "tree"), ("xgft", "tree")];
/// Policies, and how long a timer's wake takes.
const POLICIES: [(&str, [&str; 2]); 11] = [
    ("oracle", ["oracle", ""]),
    ("runtime", ["runtime", ""]),
    ("perfbound", ["perfbound", ""]),
    ("dynamic-fastwake", ["dynamic-fastwake", ""]),
    ("trunk", ["trunk", ""]),
    ("width", ["width", ""]),
    ("shallow = \"1 us\"", ["timer of 1 us (fast wake)", "340 ns"]),
    ("deep = \"20 us\"", ["timer of 20 us", "5.5 us"]),
    ("deep = \"1 ms\"", ["timer of 1 ms", "30.5 us"]),
    ("deep = \"5 ms\"", ["timer of 5 ms", "1 ms"]),
    ("deep = \"20 ms\"", ["timer of 20 ms", "10 ms"]),
];

/// Names model, number of accelerators, network, policy and wake of a case.
fn names(set: &Set<'_>) -> Result<Names, Box<dyn Error>> {
    let rails = set("job.0.placement").contains("rails");
    let network = if rails { "tree with rails" } else { named(&set("network"), &NETWORKS)? };
    let [policy, wake] = named(&set("power.policy"), &POLICIES)?;
    let accelerators = named(&set("job.0.app.data"), &ACCELERATORS)?;
    Ok(vec![named(&set("job.0.app.model"), &MODELS)?, accelerators, network, policy, wake])
}
