//! `network.routing = "first-link"`: packets take shortest ways, and of several the link that the network names first.

use std::collections::VecDeque;

use drowse_core::topology::{Forwarding, Graph, NetworkError, TableRouting};

/// The first of the links on shortest ways.
pub struct FirstLink;

impl TableRouting for FirstLink {
    const WORD: &'static str = "first-link";
    const ABOUT: &'static str = "By a shortest way, and of several by the link that the network names first.";

    fn tables(graph: &Graph) -> Result<Forwarding, NetworkError> {
        let switches = graph.nodes.len();
        // By switch: its neighbours with the port to each, and the first port of its nodes, which follow its links.
        let (mut links, mut first_node) = (vec![Vec::new(); switches], vec![0; switches]);
        for (trunk, ports) in graph.trunks.iter().zip(graph.first_ports()) {
            let [a, b] = trunk.ends.map(|end| end as usize);
            for (here, there, port) in [(a, b, ports[0]), (b, a, ports[1])] {
                links[here].push((there, port));
                first_node[here] += trunk.links as u16;
            }
        }
        let mut outputs = Vec::new();
        for (home, &nodes) in graph.nodes.iter().enumerate() {
            let towards = towards(home, &links);
            for node in 0..nodes as u16 {
                outputs.extend_from_slice(&towards);
                let at_home = outputs.len() - switches + home;
                outputs[at_home] = first_node[home] + node;
            }
        }
        Ok(Forwarding { outputs, lanes: None })
    }
}

/// Returns the port by which each switch sends to one, by a search that begins there.
fn towards(home: usize, links: &[Vec<(usize, u16)>]) -> Vec<u16> {
    let mut distance = vec![usize::MAX; links.len()];
    distance[home] = 0;
    let mut found = VecDeque::from([home]);
    while let Some(at) = found.pop_front() {
        for &(next, _) in &links[at] {
            if distance[next] == usize::MAX {
                distance[next] = distance[at] + 1;
                found.push_back(next);
            }
        }
    }
    let nearer = |at: usize| links[at].iter().find(|(next, _)| distance[*next] < distance[at]);
    (0..links.len()).map(|at| nearer(at).map_or(Forwarding::NOWHERE, |(_, port)| *port)).collect()
}
