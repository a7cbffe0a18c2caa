//! The study of flows beside packets: what it calls its cases, and which figures are kept.

use std::error::Error;

use drowse_tables::schema::cases;

use crate::networks_policies_names::{APPLICATIONS, named, program_and_network};
use crate::{Names, Set, Study};

pub const STUDY: Study = Study {
    name: "flows_error",
    headings: &["application", "network", "policy", "queues", "unit"],
    names,
    order: &APPLICATIONS,
    columns: &[cases::MAKESPAN_S, cases::ENERGY_NETWORK_J],
};

const POLICIES: [(&str, &str); 4] =
    [("always-on", "always on"), ("stall-timer", "timers"), ("perfbound", "PerfBound"), ("trunk", "trunk")];
const QUEUES: [(&str, &str); 2] = [("virtual-output", "virtual-output"), ("input", "input")];
const UNITS: [(&str, &str); 2] = [("packet", "packet"), ("flow", "flow")];

fn names(set: &Set<'_>) -> Result<Names, Box<dyn Error>> {
    let [application, network] = program_and_network(&set("job"), &set("network"))?;
    let policy = named(&set("power.policy"), &POLICIES)?;
    let [queues, unit] = [named(&set("switch.queues"), &QUEUES)?, named(&set("simulation.unit"), &UNITS)?];
    Ok(vec![application, network, policy, queues, unit])
}
