//! What the channels of a shard have done, kept from the end of the measured time until the record of the run is made.

use crate::measure::ChannelRecord;
use crate::power::{LinkState, Policy};
use crate::units::Time;

use super::channel::Channels;

/// What all channels of a shard have done, in their order; small where none of them may sleep.
pub enum Snapshot {
    /// Some may sleep.
    Sleeping(Vec<ChannelRecord>),
    /// None may: the measured time, and each channel's packets and flits.
    Awake(Time, Vec<(u64, u64)>),
}

impl Snapshot {
    /// Takes down what channels have done up to time `t`.
    pub fn new<P: Policy>(channels: &mut Channels<P>, t: u64) -> Self {
        let all = 0..channels.hot.len();
        if !channels.accounts.is_empty() {
            return Snapshot::Sleeping(all.map(|channel| channels.record(channel, t)).collect());
        }
        let mut on = Time::ZERO;
        let sent = all.map(|channel| {
            let record = channels.record(channel, t);
            on = record.residency[LinkState::On as usize];
            (record.packets, record.flits)
        });
        let sent = sent.collect();
        Snapshot::Awake(on, sent)
    }

    /// Gives the records of the channels.
    pub fn into_records(self) -> Vec<ChannelRecord> {
        match self {
            Snapshot::Sleeping(records) => records,
            Snapshot::Awake(on, sent) => {
                let mut residency = [Time::ZERO; 5];
                residency[LinkState::On as usize] = on;
                let record = |(packets, flits)| ChannelRecord { residency, packets, flits, ..ChannelRecord::default() };
                sent.into_iter().map(record).collect()
            }
        }
    }
}
