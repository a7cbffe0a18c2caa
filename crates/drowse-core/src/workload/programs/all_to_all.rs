//! All-to-all: every rank sends one message to every other.
//!
//! In the order of the program, a rank sends to all others, one after the other, and then receives. In groups, it does so
//! among the ranks of its own group: consecutive ones.

use serde::{Deserialize, Serialize};

use super::error::{MOST_RANKS, ProgramError, check};
use super::flow::{Communication, Flow};
use super::keys::{Given, Order, Parts, ProgramKeys};
use super::program::{Program, Steps};
use super::writer::Writer;
use crate::model::units::Bytes;

/// Ranks that send to all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllToAll {
    ranks: u32,
    /// The ranks of a group.
    group: u32,
    bytes: u64,
    destinations: Destinations,
}

/// The order in which a rank takes the others, for sends and for receives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Destinations {
    /// First to the next rank. All ranks send to different ones at a time.
    #[default]
    FromNext,
    /// First to the first rank. All ranks send to the same one at a time.
    FromZero,
}

impl AllToAll {
    /// Makes the program in which every rank sends a message of `bytes` bytes to every other.
    pub fn new(ranks: u32, bytes: u64) -> Result<Self, ProgramError> {
        AllToAll::in_groups(ranks, 1, bytes, Destinations::FromNext)
    }

    /// Makes the program in which ranks send a message of `bytes` bytes to every other of their group.
    pub fn in_groups(ranks: u32, groups: u32, bytes: u64, destinations: Destinations) -> Result<Self, ProgramError> {
        check("ranks", ranks, 1..=MOST_RANKS)?;
        check("groups", groups, 1..=ranks)?;
        if !ranks.is_multiple_of(groups) {
            let reason = format!("write a number that divides the {ranks} ranks");
            return Err(ProgramError::out_of_range("groups", groups, reason));
        }
        Ok(AllToAll { ranks, group: ranks / groups, bytes, destinations })
    }
}

impl Communication for AllToAll {
    fn ranks(&self) -> u32 {
        self.ranks
    }

    fn flows(&self, rank: u32, visit: &mut dyn FnMut(Flow)) {
        if self.to_all().is_none() {
            let (first, own) = (rank / self.group * self.group, rank % self.group);
            let others = (1..self.group).map(|ahead| first + (own + ahead) % self.group);
            others.for_each(|to| visit(Flow { to, messages: 1, bytes: self.bytes }));
        }
    }

    fn to_all(&self) -> Option<u64> {
        (self.group == self.ranks).then_some(self.bytes)
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
                let to = match self.destinations {
                    Destinations::FromNext => (own + step) % all,
                    Destinations::FromZero => all_but(own, step - 1),
                };
                writer.send(first + to, 0, self.bytes);
            }
            step => {
                let from = match self.destinations {
                    Destinations::FromNext => (own + all - (step - others)) % all,
                    Destinations::FromZero => all_but(own, step - others - 1),
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

/// The keys of an all-to-all.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AllToAllKeys {
    /// Ranks.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [64])))]
    ranks: u32,
    /// Size of each message.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = ["8 KiB"])))]
    bytes: Bytes,
    /// In which order an iteration sends its messages; `program`: to one rank after the other, and then ranks receive.
    #[cfg_attr(feature = "schema", schemars(extend("default" = "phases")))]
    order: Option<Order>,
    /// Groups of consecutive ranks, each of which sends among itself.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 1), range(min = 1)))]
    groups: Option<u32>,
    /// The order in which a rank sends to the others (`order = "program"`).
    #[cfg_attr(feature = "schema", schemars(extend("default" = "from-next")))]
    destinations: Option<Destinations>,
}

impl ProgramKeys for AllToAllKeys {
    const KIND: &'static str = "all-to-all";
    const ABOUT: &'static str = "Every rank sends to every other.";

    fn parts(self, given: Given) -> Result<Parts, ProgramError> {
        let AllToAllKeys { ranks, bytes, order, groups, destinations } = self;
        if destinations.is_some() && order.unwrap_or_default() == Order::Phases {
            let what = "orders sends, and all are sent at once";
            return Err(ProgramError::wrong("destinations", what, "leave it out, or write order = \"program\", too"));
        }
        let destinations = destinations.unwrap_or_default();
        Ok(given.ordered(order, AllToAll::in_groups(ranks, groups.unwrap_or(1), bytes.0, destinations)?))
    }
}
