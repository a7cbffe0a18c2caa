//! The study of networks and policies: which figures of its cases are kept.

use drowse_tables::schema::cases;

use crate::Study;
use crate::networks_policies_names::{APPLICATIONS, names};

pub const STUDY: Study = Study {
    name: "networks_policies",
    headings: &["application", "network", "policy"],
    names: |set| names(&set("job"), &set("network"), &set("power.policy")).map(Vec::from),
    order: &APPLICATIONS,
    columns: &[
        cases::MAKESPAN_S,
        cases::RELATIVE_MAKESPAN,
        cases::ENERGY_NETWORK_J,
        cases::RELATIVE_NETWORK_J,
        cases::ENERGY_TOTAL_J,
        cases::RELATIVE_TOTAL_J,
        cases::PATH_WAKING_FRACTION,
    ],
};
