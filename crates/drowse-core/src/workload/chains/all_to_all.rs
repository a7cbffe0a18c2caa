//! All-to-all, one message after the other: a rank sends to all others, in order, and then receives.
//!
//! In groups, it does so among the ranks of its own group: consecutive ones.

use serde::{Deserialize, Serialize};

use super::steps::{Program, Steps, Writer};
use crate::workload::graph::{GraphError, MOST_RANKS, check};

/// Ranks that send to all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllToAll {
    ranks: u32,
    /// The ranks of a group.
    group: u32,
    bytes: u64,
    order: Order,
}

/// The order in which a rank takes the others, for sends and for receives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// First to the next rank. All ranks send to different ones at a time.
    #[default]
    FromNext,
    /// First to the first rank. All ranks send to the same one at a time.
    FromZero,
}

impl AllToAll {
    /// Makes the program in which ranks send a message of `bytes` bytes to every other of their group.
    pub fn new(ranks: u32, groups: u32, bytes: u64, order: Order) -> Result<Self, GraphError> {
        check("ranks", ranks, 1..=MOST_RANKS)?;
        check("groups", groups, 1..=ranks)?;
        if !ranks.is_multiple_of(groups) {
            let reason = format!("write a number that divides the {ranks} ranks");
            return Err(GraphError { key: "groups", value: groups.to_string(), reason });
        }
        Ok(AllToAll { ranks, group: ranks / groups, bytes, order })
    }
}

impl Program for AllToAll {
    fn ranks(&self) -> u32 {
        self.ranks
    }

    fn messages(&self) -> u64 {
        u64::from(self.ranks) * u64::from(self.group - 1)
    }

    fn largest(&self) -> u64 {
        self.bytes
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(*self)
    }
}

impl Steps for AllToAll {
    /// A computation, all sends and all receives.
    fn count(&self, _: u32) -> u64 {
        1 + 2 * u64::from(self.group - 1)
    }

    fn take(&self, rank: u32, step: u64, writer: &mut Writer<'_>) {
        let others = self.group - 1;
        let (first, own, all) = (rank / self.group * self.group, rank % self.group, self.group);
        // Below twice the number of ranks.
        #[expect(clippy::cast_possible_truncation, reason = "steps are fewer than 2^29")]
        match step as u32 {
            0 => writer.compute(),
            step if step <= others => {
                let to = match self.order {
                    Order::FromNext => (own + step) % all,
                    Order::FromZero => all_but(own, step - 1),
                };
                writer.send(first + to, 0, self.bytes);
            }
            step => {
                let from = match self.order {
                    Order::FromNext => (own + all - (step - others)) % all,
                    Order::FromZero => all_but(own, step - others - 1),
                };
                writer.receive(first + from, 0);
            }
        }
    }
}

/// Returns the rank at a place among all but one.
fn all_but(own: u32, place: u32) -> u32 {
    place + u32::from(place >= own)
}
