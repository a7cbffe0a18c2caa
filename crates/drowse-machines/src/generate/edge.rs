//! The links of a graph that is drawn.

/// A link of a graph: the switches that it joins, its class, and how many it stands for.
pub struct Edge {
    pub ends: [u64; 2],
    pub class: Option<&'static str>,
    pub links: u64,
}

/// Returns the name of a switch in the files that are drawn here.
pub fn name(switch: u64) -> String {
    format!("s{switch}")
}
