//! What the study of networks and policies calls its networks, policies and applications.

use std::error::Error;

const NETWORKS: [(&str, &str); 6] = [
    ("torus", "torus"),
    ("thin-tree", "thin tree"),
    ("racks", "racks"),
    ("percs-64", "PERCS"),
    ("dragonfly", "dragonfly"),
    ("slim-fly-64", "Slim Fly"),
];
const POLICIES: [(&str, &str); 12] = [
    ("oracle", "oracle"),
    ("immediate", "immediate"),
    ("deep = \"100 us\", shallow", "timers of 1 us and 100 us"),
    ("shallow = \"1 us\"", "timer of 1 us (shallow)"),
    ("stall-timer", "timer of 100 us (deep)"),
    ("coalescing", "coalescing"),
    ("predictive", "predictive"),
    ("perfbound", "perfbound"),
    ("dynamic-fastwake", "dynamic-fastwake"),
    ("trunk", "trunk"),
    ("width", "width"),
    ("runtime", "runtime"),
];
/// The applications, in the order of the sweep.
pub const APPLICATIONS: [&str; 13] =
    ["BT", "CG", "CoMD", "EP", "FT", "HPL", "IS", "LU", "LULESH", "MG", "stencil", "Llama 8B", "Llama 70B"];

/// Names application, network and policy of a case by the values of these keys in the sweep.
pub fn names(job: &str, network: &str, policy: &str) -> Result<[&'static str; 3], Box<dyn Error>> {
    let [application, network] = program_and_network(job, network)?;
    Ok([application, network, named(policy, &POLICIES)?])
}

/// Names application and network of a case by the values of these keys in the sweep.
pub fn program_and_network(job: &str, network: &str) -> Result<[&'static str; 2], Box<dyn Error>> {
    Ok([program(job, &APPLICATIONS)?, named(network, &NETWORKS)?])
}

/// Returns which of some applications a job runs.
pub fn program(job: &str, applications: &[&'static str]) -> Result<&'static str, Box<dyn Error>> {
    let is_it = |name: &&&str| job.contains(&format!("name = \"{name}\""));
    applications.iter().find(is_it).copied().ok_or_else(|| format!("{job} has no name here").into())
}

/// Returns the name that comes with the first of some words in a text.
pub fn named<T: Copy>(text: &str, names: &[(&str, T)]) -> Result<T, Box<dyn Error>> {
    let found = names.iter().find(|(word, _)| text.contains(word));
    found.map(|(_, name)| *name).ok_or_else(|| format!("{text} has no name here").into())
}
