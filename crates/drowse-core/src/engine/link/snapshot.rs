//! What the channels of a shard have done, kept from the end of the measured time until the record of the run is made.
//!
//! It comes on top of the whole simulation, when that is largest. So it is packed: a number takes as many bytes as it
//! needs, and zeros at the end take none.

use serde::{Deserialize, Serialize};

use crate::measure::ChannelRecord;
use crate::model::units::Time;

/// What all channels of a shard have done, in their order.
#[derive(Serialize, Deserialize)]
pub struct Snapshot {
    /// The measured time.
    measured: Time,
    channels: usize,
    /// For each channel, how many of its [`numbers`] there are up to the last that is not 0, and these.
    packed: Vec<u8>,
}

/// The numbers of a channel: what only some have comes last.
const NUMBERS: usize = 13;

impl Snapshot {
    /// Keeps what channels have done in the measured time.
    pub fn new(measured: Time, records: impl Iterator<Item = ChannelRecord>) -> Self {
        let mut snapshot = Snapshot { measured, channels: 0, packed: Vec::new() };
        for record in records {
            debug_assert_eq!(
                record.residency.iter().map(|time| time.0).sum::<u64>(),
                measured.0,
                "states of a channel"
            );
            let numbers = numbers(&record);
            let count = numbers.iter().rposition(|&number| number != 0).map_or(0, |last| last + 1);
            snapshot.channels += 1;
            snapshot.packed.push(count as u8);
            numbers[..count].iter().for_each(|&number| pack(&mut snapshot.packed, number));
        }
        snapshot
    }

    /// Returns the records of the channels.
    pub fn into_records(self) -> impl ExactSizeIterator<Item = ChannelRecord> {
        let (measured, mut bytes) = (self.measured, self.packed.into_iter());
        (0..self.channels).map(move |_| {
            let mut numbers = [0; NUMBERS];
            let count = bytes.next().unwrap_or(0);
            numbers[..usize::from(count)].fill_with(|| unpack(&mut bytes));
            record(measured, numbers)
        })
    }
}

/// Returns the numbers of a record; the time in the state on follows from the others.
fn numbers(record: &ChannelRecord) -> [u64; NUMBERS] {
    let ChannelRecord { residency: [_, entering, shallow, deep, waking, further @ ..], .. } = *record;
    let [third, fourth, fifth, sixth] = further.map(|time| time.0);
    let ChannelRecord { packets, flits, wakes, delayed_messages, time_lost, .. } = *record;
    let (entering, shallow, deep, waking, lost) = (entering.0, shallow.0, deep.0, waking.0, time_lost.0);
    [packets, flits, entering, shallow, deep, waking, wakes, delayed_messages, lost, third, fourth, fifth, sixth]
}

/// Builds a record from its numbers.
fn record(measured: Time, numbers: [u64; NUMBERS]) -> ChannelRecord {
    let [packets, flits, entering, shallow, deep, waking, wakes, delayed_messages, time_lost, further @ ..] = numbers;
    let on = measured.0 - (entering + shallow + deep + waking + further.iter().sum::<u64>());
    let [third, fourth, fifth, sixth] = further;
    let residency = [on, entering, shallow, deep, waking, third, fourth, fifth, sixth].map(Time);
    ChannelRecord { residency, wakes, delayed_messages, time_lost: Time(time_lost), packets, flits }
}

/// Appends a number, seven bits a byte, the lowest first; the highest bit of a byte says that more follow.
#[inline]
fn pack(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number off.
fn unpack(bytes: &mut impl Iterator<Item = u8>) -> u64 {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = bytes.next().unwrap_or(0);
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return number;
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Numbers of all lengths, 0 as often as any other.
    fn number() -> impl Strategy<Value = u64> {
        (any::<u64>(), 0..=64u32).prop_map(|(bits, length)| bits.checked_shr(64 - length).unwrap_or(0))
    }

    fn a_record(measured: Time) -> impl Strategy<Value = ChannelRecord> {
        (prop::array::uniform8(number()), prop::array::uniform5(number())).prop_map(move |(asleep, others)| {
            let asleep = asleep.map(|time| Time(time % (measured.0 / 8 + 1)));
            let on = Time(measured.0 - asleep.iter().map(|time| time.0).sum::<u64>());
            let [entering, shallow, deep, waking, third, fourth, fifth, sixth] = asleep;
            let [packets, flits, wakes, delayed_messages, lost] = others;
            let residency = [on, entering, shallow, deep, waking, third, fourth, fifth, sixth];
            ChannelRecord { residency, wakes, delayed_messages, time_lost: Time(lost), packets, flits }
        })
    }

    proptest! {
        #[test]
        fn gives_back_what_it_was_given(
            (measured, records) in number().prop_map(Time).prop_flat_map(|measured| {
                (Just(measured), prop::collection::vec(a_record(measured), 0..20))
            })
        ) {
            let snapshot = Snapshot::new(measured, records.iter().copied());
            prop_assert_eq!(snapshot.into_records().collect::<Vec<_>>(), records);
        }
    }

    #[test]
    fn idle_channels_take_a_byte_and_busy_ones_few() {
        let mut idle = ChannelRecord::default();
        idle.residency[0] = Time(1_000_000);
        let busy = ChannelRecord { packets: 100, flits: 800, ..idle };
        assert_eq!(Snapshot::new(Time(1_000_000), [idle; 7].into_iter()).packed.len(), 7);
        assert_eq!(Snapshot::new(Time(1_000_000), [busy; 7].into_iter()).packed.len(), 7 * 4);
    }
}
