//! A bundle: parallel links between two switches, or the lanes of a link; and what a governor knows of it.

use crate::model::ids::ChannelId;

/// What goes off and on together by numbers: parallel links, or the lanes of a link. Where the two channels of a link
/// sleep together, those of both directions.
///
/// ```
/// use drowse_core::model::ids::ChannelId;
/// use drowse_core::power::cap::Bundle;
///
/// // Four parallel links of 3 nW, and a link of 3 nW with four lanes.
/// let links = Bundle { channel: ChannelId(0), back: None, most: 4, doubles: false, port: 3 };
/// let lanes = Bundle { doubles: true, ..links };
/// // One port costs nothing: it is part of the floor.
/// assert_eq!([1, 2, 3, 4].map(|on| links.cost(on)), [0, 3, 6, 9]);
/// // A lane draws 3/4 nW, and sums are rounded up.
/// assert_eq!([1, 2, 4].map(|on| lanes.cost(on)), [0, 1, 3]);
/// assert_eq!((links.fitting(3), lanes.fitting(3)), (3, 4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bundle {
    /// The channel of its first port: its number.
    pub channel: ChannelId,
    /// That of the other direction, where both sleep together.
    pub back: Option<ChannelId>,
    /// Its ports or lanes.
    pub most: u32,
    /// These are lanes of one link, which are halved and doubled.
    pub doubles: bool,
    /// What a port draws more when on than asleep, in nanowatts; where these are lanes, all of them together.
    pub port: u64,
}

impl Bundle {
    /// Returns what so many ports or lanes cost beyond the first, in nanowatts.
    pub fn cost(&self, on: u32) -> u64 {
        let more = u128::from(self.port) * u128::from(on.saturating_sub(1));
        let cost = if self.doubles { more.div_ceil(u128::from(self.most.max(1))) } else { more };
        u64::try_from(cost).unwrap_or(u64::MAX)
    }

    /// Returns the next larger number that can be on.
    pub fn next(&self, on: u32) -> Option<u32> {
        Some(if self.doubles { 2 * on } else { on + 1 }).filter(|&next| next <= self.most)
    }

    /// Returns the least number that can be on and is not below another one, or all.
    pub fn fitting(&self, on: u32) -> u32 {
        let on = on.clamp(1, self.most);
        if self.doubles { on.next_power_of_two().min(self.most) } else { on }
    }

    /// Returns the directions of its links.
    pub fn channels(&self) -> impl Iterator<Item = ChannelId> + use<> {
        std::iter::once(self.channel).chain(self.back)
    }
}
