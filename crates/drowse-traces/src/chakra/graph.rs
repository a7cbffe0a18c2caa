//! The graph of one rank.

use drowse_core::workload::communicators::CommId;

/// What a node does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Does {
    /// Nothing that takes time.
    Nothing,
    /// Computes on a processor: a number of picoseconds or operations.
    Compute(Processor, u64),
    Send {
        to: u32,
        tag: u32,
        bytes: u64,
    },
    Receive {
        from: u32,
        tag: u32,
    },
    /// Calls a collective, by its place among those that differ, in a communicator.
    Collective {
        comm: CommId,
        which: u32,
    },
}

/// The processors of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Processor {
    Host,
    Device,
}

/// The nodes of a rank, by ascending ids.
#[derive(Default)]
pub(super) struct Graph {
    pub ids: Vec<u64>,
    /// Where the nodes are in the file.
    pub offsets: Vec<u64>,
    pub does: Vec<Does>,
    /// Where the dependencies of each node begin among all, and where the last end.
    begins: Vec<u32>,
    needs: Vec<u32>,
    /// Dependencies on nodes that the file does not hold.
    pub absent: u64,
}

/// A node as it was read: its id, where it is, what it does, and the range of its dependencies among all.
pub(super) struct Unsorted {
    pub id: u64,
    pub offset: u64,
    pub does: Does,
    pub begin: usize,
    pub end: usize,
}

impl Graph {
    /// Makes a graph of nodes in any order; `needs` are their dependencies by id. Fails with an id that comes twice, and
    /// where it does.
    pub fn new(mut nodes: Vec<Unsorted>, needs: &[u64]) -> Result<Self, (u64, u64)> {
        nodes.sort_unstable_by_key(|node| (node.id, node.offset));
        if let Some(twice) = nodes.windows(2).find(|pair| pair[0].id == pair[1].id) {
            return Err((twice[1].id, twice[1].offset));
        }
        let mut graph = Graph { ids: nodes.iter().map(|node| node.id).collect(), ..Graph::default() };
        for node in &nodes {
            graph.begins.push(graph.needs.len() as u32);
            graph.does.push(node.does);
            graph.offsets.push(node.offset);
            let first = graph.needs.len();
            for needed in &needs[node.begin..node.end] {
                match graph.ids.binary_search(needed) {
                    Ok(place) => graph.needs.push(place as u32),
                    Err(_) => graph.absent += 1,
                }
            }
            graph.needs[first..].sort_unstable();
            let mut kept = first;
            for place in first..graph.needs.len() {
                if place == first || graph.needs[place] != graph.needs[kept - 1] {
                    graph.needs[kept] = graph.needs[place];
                    kept += 1;
                }
            }
            graph.needs.truncate(kept);
        }
        graph.begins.push(graph.needs.len() as u32);
        Ok(graph)
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns the places of the nodes that a node depends on, ascending.
    pub fn needs(&self, place: u32) -> &[u32] {
        &self.needs[self.begins[place as usize] as usize..self.begins[place as usize + 1] as usize]
    }
}
