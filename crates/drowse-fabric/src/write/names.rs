//! Names of switches and compute nodes as a format can have them: all different.

use std::collections::HashSet;

use crate::model::fabric::Fabric;

/// The names that are written.
pub(super) struct Names {
    /// Of switches.
    pub switches: Vec<String>,
    /// The compute nodes of each switch that are not named.
    pub counted: Vec<u32>,
    /// Those that are, with the number of their switch, switch by switch.
    pub named: Vec<(String, usize)>,
    pub notes: Vec<String>,
}

impl Names {
    /// Takes those names that the format can have, and replaces others.
    pub fn of(fabric: &Fabric, fits: impl Fn(&str) -> bool) -> Self {
        let graph = &fabric.graph;
        let mut used: HashSet<String> = HashSet::new();
        let mut replaced = 0;
        let mut switches = Vec::new();
        for number in 0..graph.nodes.len() {
            let name = graph.names.get(number).filter(|name| fits(name) && !used.contains(*name)).cloned();
            replaced += usize::from(name.is_none() && graph.names.get(number).is_some_and(|name| !name.is_empty()));
            let name = name.unwrap_or_else(|| {
                let mut name = format!("switch-{number}");
                // A name of another switch may look so.
                while used.contains(&name) || graph.names.contains(&name) {
                    name.push('x');
                }
                name
            });
            used.insert(name.clone());
            switches.push(name);
        }
        let mut names = Names { switches, counted: Vec::new(), named: Vec::new(), notes: Vec::new() };
        let (mut unnamed, mut first) = (0, 0);
        for (switch, &nodes) in graph.nodes.iter().enumerate() {
            let mut counted = 0;
            for name in
                (first..first + nodes as usize).map(|at| fabric.graph.node_names.get(at).map_or("", String::as_str))
            {
                if fits(name) && used.insert(name.to_owned()) {
                    names.named.push((name.to_owned(), switch));
                } else {
                    counted += 1;
                    unnamed += usize::from(!name.is_empty());
                }
            }
            first += nodes as usize;
            names.counted.push(counted);
        }
        if replaced > 0 {
            names.notes.push(format!(
                "switches whose names the format cannot have, and which are called by numbers: {replaced}"
            ));
        }
        if unnamed > 0 {
            names.notes.push(format!("compute nodes without a name of their own, which are counted only: {unnamed}"));
        }
        names
    }
}
