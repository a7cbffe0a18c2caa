//! Which channels a workload uses, and how much, without simulating it (Totoni et al. 2014, sections 3 and 5).
//!
//! Messages between ranks become packets between nodes, which are followed from switch to switch by the routing of the
//! simulator ([`crate::routing::walk`]). There is no time: what is counted is what an application sends in all, or in
//! one of its iterations. Where all packets between two nodes take the same path, that is exact; where they have the
//! choice, up to [`MOST_ROUTES`] of them are followed, each by its own random number, and the rest is divided among
//! their routes.

mod account;
mod matrix;
mod sender;

pub use account::Account;
pub use matrix::Matrix;
pub use sender::Sender;

use std::ops::AddAssign;

use crate::model::config::SwitchModel;

/// The most routes between two nodes that are followed: enough that non-minimal routes by random groups miss next to no
/// channel.
pub const MOST_ROUTES: u64 = 256;
/// The most routes in all of what every rank sends to every other, which takes some seconds; one of each pair of nodes
/// in any case.
const MOST_ROUTES_TO_ALL: u64 = 1 << 25;

/// An amount of traffic. What does not fit 64 bits, some ten exabytes, stays at their largest number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// The number of messages.
    pub messages: u64,
    /// The sum of their sizes.
    pub bytes: u64,
    /// The packets that they make.
    pub packets: u64,
}

impl Traffic {
    /// Counts messages of one size.
    pub fn of(messages: u64, bytes: u64, switch: &SwitchModel) -> Self {
        let packets = switch.message_flits(bytes).div_ceil(u64::from(switch.packet_flits));
        Traffic { messages: 1, bytes, packets }.times(messages)
    }

    /// Returns the same so many times.
    #[must_use]
    pub fn times(self, times: u64) -> Self {
        let Traffic { messages, bytes, packets } = self;
        let [messages, bytes, packets] = [messages, bytes, packets].map(|amount| amount.saturating_mul(times));
        Traffic { messages, bytes, packets }
    }

    /// Returns share `index` of `shares`, which together are the whole and differ by one at most.
    fn share(self, index: u64, shares: u64) -> Self {
        let upto = |whole: u64, index: u64| (u128::from(whole) * u128::from(index) / u128::from(shares)) as u64;
        let share = |whole: u64| upto(whole, index + 1) - upto(whole, index);
        Traffic { messages: share(self.messages), bytes: share(self.bytes), packets: share(self.packets) }
    }
}

impl AddAssign for Traffic {
    fn add_assign(&mut self, other: Traffic) {
        self.messages = self.messages.saturating_add(other.messages);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.packets = self.packets.saturating_add(other.packets);
    }
}
