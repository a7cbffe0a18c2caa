//! From what ranks send to what nodes send.

use rustc_hash::FxHashMap;

use super::{Account, MOST_ROUTES, MOST_ROUTES_TO_ALL, Matrix, Traffic};
use crate::model::config::SwitchModel;
use crate::model::ids::NodeId;
use crate::workload::programs::{Communication, Flow};

/// Collects what the ranks of one job send; ranks of a node are asked together, so that each pair of nodes is walked
/// once.
#[derive(Debug)]
pub struct Sender<'a> {
    placement: &'a [NodeId],
    switch: &'a SwitchModel,
    /// The ranks, those of a node side by side.
    by_node: Vec<u32>,
    /// What goes to each node from the one whose ranks are asked.
    to_nodes: FxHashMap<NodeId, Traffic>,
    /// What is sent within nodes.
    within: Traffic,
}

impl<'a> Sender<'a> {
    /// Takes the node of each rank.
    pub fn new(placement: &'a [NodeId], switch: &'a SwitchModel) -> Self {
        let mut by_node: Vec<u32> = (0..placement.len() as u32).collect();
        by_node.sort_by_key(|&rank| placement[rank as usize]);
        Sender { placement, switch, by_node, to_nodes: FxHashMap::default(), within: Traffic::default() }
    }

    /// Returns what has been sent to other ranks of the same node.
    pub fn within(&self) -> Traffic {
        self.within
    }

    /// Asks all ranks what they send, by a function that gives it flow by flow, and counts it so many times.
    pub fn send<E>(
        &mut self,
        times: u64,
        account: &mut Account<'_>,
        matrix: &mut Matrix,
        mut flows: impl FnMut(u32, &mut dyn FnMut(Flow)) -> Result<(), E>,
    ) -> Result<(), E> {
        let Sender { placement, switch, by_node, to_nodes, within } = self;
        for ranks in by_node.chunk_by(|&a, &b| placement[a as usize] == placement[b as usize]) {
            for &rank in ranks {
                flows(rank, &mut |flow| {
                    if flow.to != rank {
                        let traffic = Traffic::of(flow.messages.saturating_mul(times), flow.bytes, switch);
                        *to_nodes.entry(placement[flow.to as usize]).or_default() += traffic;
                        matrix.add(rank, flow.to, traffic);
                    }
                })?;
            }
            let from = placement[ranks[0] as usize];
            *within += to_nodes.remove(&from).unwrap_or_default();
            // The order of hashing shows nowhere: sums do not depend on it.
            to_nodes.drain().for_each(|(to, traffic)| account.send(from, to, traffic, MOST_ROUTES));
        }
        Ok(())
    }

    /// Counts so many iterations of a program whose messages are all sent at once.
    pub fn send_at_once(
        &mut self,
        program: &dyn Communication,
        times: u64,
        account: &mut Account<'_>,
        matrix: &mut Matrix,
    ) {
        let Ok(()) = self.send(times, account, matrix, |rank, visit| {
            program.flows(rank, visit);
            Ok::<(), std::convert::Infallible>(())
        });
        if let Some(bytes) = program.to_all() {
            self.send_to_all(Traffic::of(times, bytes, self.switch), account, matrix);
        }
    }

    /// Counts what each rank sends to each other alike, node by node.
    fn send_to_all(&mut self, traffic: Traffic, account: &mut Account<'_>, matrix: &mut Matrix) {
        let Sender { placement, by_node, within, .. } = self;
        let nodes: Vec<(NodeId, u64)> = by_node
            .chunk_by(|&a, &b| placement[a as usize] == placement[b as usize])
            .map(|ranks| (placement[ranks[0] as usize], ranks.len() as u64))
            .collect();
        let pairs = nodes.len() as u64 * nodes.len() as u64;
        let routes = (MOST_ROUTES_TO_ALL / pairs).clamp(1, MOST_ROUTES);
        for &(from, senders) in &nodes {
            *within += traffic.times(senders * (senders - 1));
            for &(to, receivers) in nodes.iter().filter(|(to, _)| *to != from) {
                account.send(from, to, traffic.times(senders * receivers), routes);
            }
        }
        matrix.add_to_all(placement.len() as u32, traffic);
    }
}
