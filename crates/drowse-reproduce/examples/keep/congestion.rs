//! The study of congestion control on links that sleep: what it calls its cases, and which figures are kept.

use std::error::Error;

use drowse_tables::schema::cases;

use crate::networks_policies_names::named;
use crate::{Names, Set, Study};

pub const STUDY: Study = Study {
    name: "congestion_sleep",
    headings: &["traffic", "control", "policy", "wake"],
    names,
    order: &[],
    columns: &[cases::RELATIVE_MAKESPAN, cases::RELATIVE_NETWORK_J, cases::MAKESPAN_S, cases::TRANSPORT_CUTS],
};

const TRAFFIC: [(&str, &str); 5] = [
    ("all-to-one", "incast"),
    ("permutation", "permutation"),
    ("butterfly", "all-reduce"),
    ("transformer", "training step"),
    ("\"cg\"", "CG"),
];
const CONTROLS: [(&str, &str); 8] = [
    ("grace", "nscc grace"),
    ("60 us", "nscc target 60 us"),
    ("none", "none"),
    ("window", "window"),
    ("dcqcn", "dcqcn"),
    ("becn", "becn"),
    ("nscc", "nscc"),
    ("credit", "credit"),
];
const POLICIES: [(&str, &str); 4] =
    [("100 us", "timer 100 us"), ("10 us", "timer 10 us"), ("perfbound", "PerfBound"), ("trunk", "trunk")];
const WAKES: [(&str, &str); 3] =
    [("wake = \"300 ns\"", "0.3 us"), ("wake = \"50 us\"", "50 us"), ("wake = \"5 us\"", "5 us")];

fn names(set: &Set<'_>) -> Result<Names, Box<dyn Error>> {
    let control = named(&set("transport"), &CONTROLS)?;
    let policy = named(&set("power.policy"), &POLICIES)?;
    Ok(vec![named(&set("job.0.app"), &TRAFFIC)?, control, policy, named(&set("power.states"), &WAKES)?])
}
