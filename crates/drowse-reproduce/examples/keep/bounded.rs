//! The studies of a bound that holds for whole programs: what they call their cases, and which figures are kept.

use std::error::Error;

use drowse_tables::schema::{Column, cases};

use crate::networks_policies_names::{APPLICATIONS, named, program, program_and_network};
use crate::{Names, Set, Study};

pub const STUDY: Study = Study {
    name: "bounded",
    headings: &["application", "network", "policy", "setting"],
    names,
    order: &APPLICATIONS,
    columns: &COLUMNS,
};
/// Rows of programs and networks by which nothing was chosen.
pub const OTHERS: Study = Study { name: "bounded_others", names: names_of_others, order: &SMALL, ..STUDY };

const COLUMNS: [Column; 4] =
    [cases::MAKESPAN_S, cases::RELATIVE_MAKESPAN, cases::RELATIVE_LINKS, cases::PATH_WAKING_FRACTION];

const POLICIES: [(&str, &str); 5] = [
    ("oracle", "oracle"),
    ("bounded", "bounded"),
    ("perfbound", "perfbound"),
    ("dynamic-fastwake", "dynamic-fastwake"),
    ("always-on", "always-on"),
];
const BOUNDS: [(&str, &str); 5] = [("0.005", "0.5 %"), ("0.01", "1 %"), ("0.02", "2 %"), ("0.05", "5 %"), ("", "")];
const DELAYS: [(&str, &str); 5] =
    [("0 ns", ""), ("1 ns", "1 ns"), ("2 ns", "2 ns"), ("3 ns", "3 ns"), ("4 ns", "4 ns")];

const SMALL: [&str; 9] = ["BT", "CG", "FT", "IS", "LU", "MG", "SP", "LULESH", "stencil"];
const NETWORKS: [(&str, &str); 6] = [
    ("[2, 4, 4]", "torus of 64"),
    ("torus", "torus of 32"),
    ("up = 2", "thin tree"),
    ("up = 4", "fat tree"),
    ("dragonfly", "dragonfly"),
    ("hyperx", "HyperX"),
];

fn names(set: &Set<'_>) -> Result<Names, Box<dyn Error>> {
    names_behind(program_and_network(&set("job"), &set("network"))?, set)
}

fn names_of_others(set: &Set<'_>) -> Result<Names, Box<dyn Error>> {
    names_behind([program(&set("job"), &SMALL)?, named(&set("network"), &NETWORKS)?], set)
}

/// Names application, network and policy of a case, and its bound or by how much its NICs are slower.
fn names_behind([application, network]: [&'static str; 2], set: &Set<'_>) -> Result<Names, Box<dyn Error>> {
    let policy = named(&set("power.policy"), &POLICIES)?;
    let delay = named(&set("node.nic_latency"), &DELAYS)?;
    let setting = if delay.is_empty() { named(&set("power.policy"), &BOUNDS)? } else { delay };
    Ok(vec![application, network, policy, setting])
}
