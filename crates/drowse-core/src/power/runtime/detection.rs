//! Termination detection: how nodes learn that all notifications have come (Totoni et al. 2014, section 4.1, step 5).
//!
//! The nodes form a binary tree. In a wave each tells its parent how many notifications it and the nodes below it have
//! sent and received, once its children have told it theirs. All notifications are sent before the first wave. So if the
//! root finds as many received as sent, none is on its way, although nodes have counted at different times. Then it
//! tells all nodes down the tree; else it asks again.
//!
//! The paper names no algorithm. This one takes the fewest messages that a wave can have, and as few waves as it can.

use super::notification::Says;
use crate::model::ids::NodeId;

/// The detection of a job.
#[derive(Clone, Debug)]
pub struct Detection {
    /// All nodes that send or receive, ascending. The children of the one at `p` are at `2 p + 1` and `2 p + 2`.
    nodes: Vec<NodeId>,
    /// Notifications sent.
    sent: u64,
    /// By node, those that have come.
    received: Vec<u64>,
    /// By node, its children that have yet to tell it in this wave.
    awaited: Vec<usize>,
    /// By node, what its children have told it in this wave.
    told: Vec<u64>,
    /// By node, what it has told its parent.
    tells: Vec<u64>,
    /// Nodes that know that all have come.
    knowing: usize,
}

/// A message: who sends, who receives, and what it says.
pub type Message = (NodeId, NodeId, Says);

impl Detection {
    /// Prepares the detection of so many notifications among two nodes or more, ascending.
    pub fn new(nodes: Vec<NodeId>, sent: u64) -> Self {
        let zeros = vec![0; nodes.len()];
        let mut detection = Detection {
            awaited: vec![0; nodes.len()],
            received: zeros.clone(),
            told: zeros.clone(),
            tells: zeros,
            nodes,
            sent,
            knowing: 0,
        };
        (0..detection.nodes.len()).for_each(|node| detection.awaited[node] = detection.children(node).len());
        detection
    }

    /// Begins the first wave: nodes without children count.
    pub fn begin(&mut self, messages: &mut Vec<Message>) {
        for node in 0..self.nodes.len() {
            if self.children(node).is_empty() {
                self.count(node, messages);
            }
        }
    }

    /// Acts on a message that has come; returns whether all nodes know now that all notifications have.
    pub fn hear(&mut self, (from, to, says): Message, messages: &mut Vec<Message>) -> bool {
        let [Ok(from), Ok(to)] = [from, to].map(|node| self.nodes.binary_search(&node)) else { return false };
        match says {
            Says::Used => self.received[to] += 1,
            Says::Counted => {
                self.told[to] += self.tells[from];
                self.awaited[to] -= 1;
                if self.awaited[to] == 0 {
                    self.count(to, messages);
                }
            }
            Says::Again | Says::Over => self.pass(to, says, messages),
        }
        self.knowing == self.nodes.len()
    }

    fn children(&self, node: usize) -> std::ops::Range<usize> {
        let end = self.nodes.len();
        (2 * node + 1).min(end)..(2 * node + 3).min(end)
    }

    /// A node counts, and tells its parent; the root decides.
    fn count(&mut self, node: usize, messages: &mut Vec<Message>) {
        let sum = self.received[node] + std::mem::take(&mut self.told[node]);
        self.awaited[node] = self.children(node).len();
        if let Some(before) = node.checked_sub(1) {
            self.tells[node] = sum;
            messages.push((self.nodes[node], self.nodes[before / 2], Says::Counted));
        } else {
            self.pass(node, if sum == self.sent { Says::Over } else { Says::Again }, messages);
        }
    }

    /// A node passes on what the root says, and acts on it.
    fn pass(&mut self, node: usize, says: Says, messages: &mut Vec<Message>) {
        let children = self.children(node);
        let is_leaf = children.is_empty();
        messages.extend(children.map(|child| (self.nodes[node], self.nodes[child], says)));
        match says {
            Says::Over => self.knowing += 1,
            _ if is_leaf => self.count(node, messages),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(count: u32) -> Vec<NodeId> {
        (0..count).map(|node| NodeId(10 * node)).collect()
    }

    /// Delivers messages in the order in which they are sent; returns their number, and how many waves there were.
    fn deliver(detection: &mut Detection, mut open: Vec<Message>, mut delayed: Vec<Message>) -> (usize, usize) {
        let (mut messages, mut waves) = (0, 1);
        detection.begin(&mut open);
        loop {
            assert!(!open.is_empty(), "nobody knows, and nothing is on its way");
            let next = open.remove(0);
            messages += usize::from(next.2 != Says::Used);
            let mut sent = Vec::new();
            let over = detection.hear(next, &mut sent);
            if sent.iter().any(|&(from, _, says)| from == NodeId(0) && says == Says::Again) {
                waves += 1;
                // What was on its way arrives before the next wave has.
                open.append(&mut delayed);
            }
            open.append(&mut sent);
            if over {
                assert!(open.is_empty() && delayed.is_empty());
                return (messages, waves);
            }
        }
    }

    /// Of n nodes, n - 1 tell their parents in a wave, and n - 1 are told by theirs.
    #[test]
    fn messages_in_closed_form() {
        for count in 2..40 {
            let used = vec![(NodeId(0), NodeId(10), Says::Used), (NodeId(10), NodeId(0), Says::Used)];
            let mut detection = Detection::new(nodes(count), 2);
            // All have come before any node counts.
            for &message in &used {
                assert!(!detection.hear(message, &mut Vec::new()));
            }
            let each = count as usize - 1;
            assert_eq!(deliver(&mut detection, Vec::new(), Vec::new()), (2 * each, 1), "{count} nodes");
            // One has not: a second wave finds it.
            let mut detection = Detection::new(nodes(count), 2);
            detection.hear(used[0], &mut Vec::new());
            assert_eq!(deliver(&mut detection, Vec::new(), vec![used[1]]), (4 * each, 2), "{count} nodes");
        }
    }

    /// The root never says that all have come while one has not.
    #[test]
    fn one_that_is_lost_is_never_over() {
        let mut detection = Detection::new(nodes(5), 1);
        let mut open = Vec::new();
        detection.begin(&mut open);
        for _ in 0..1_000 {
            let next = open.remove(0);
            assert_ne!(next.2, Says::Over);
            assert!(!detection.hear(next, &mut open));
        }
    }
}
