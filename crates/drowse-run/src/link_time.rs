//! How the channels of each link class spend an interval of a run: they send, are on and idle, change their state, or
//! sleep.

use drowse_core::measure::over_time::IntervalRecord;
use drowse_core::power::LinkState;

/// Channel time in an interval, in picoseconds summed over the channels of a class. The parts sum to the whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkTime {
    /// From the first bit of a packet to its last.
    pub sending: u128,
    /// On without sending.
    pub idle: u128,
    /// Going to sleep.
    pub entering: u128,
    /// Asleep, however deep.
    pub asleep: u128,
    /// Waking.
    pub waking: u128,
}

impl LinkTime {
    /// Returns the time of all channels.
    pub fn whole(&self) -> u128 {
        let LinkTime { sending, idle, entering, asleep, waking } = *self;
        sending + idle + entering + asleep + waking
    }

    /// Returns the shares of the whole, in the order of the fields; `None` where there is no time.
    pub fn shares(&self) -> Option<[f64; 5]> {
        let LinkTime { sending, idle, entering, asleep, waking } = *self;
        let whole = self.whole();
        let share = |part: u128| part as f64 / whole as f64;
        (whole > 0).then(|| [sending, idle, entering, asleep, waking].map(share))
    }
}

/// Returns the times of each of so many classes, from what channels did that draw alike: `channels` says how many these
/// are, in the order of their watts, which begin with those of each class.
pub fn by_class(classes: usize, channels: &[u64], interval: &IntervalRecord) -> Vec<LinkTime> {
    let mut times = vec![LinkTime::default(); classes];
    for (place, (&channels, done)) in channels.iter().zip(&interval.classes).enumerate() {
        let time = &mut times[place % classes];
        let of = |state: LinkState| done.asleep[state as usize - 1];
        let (entering, waking) = (of(LinkState::Entering), of(LinkState::Waking));
        let off = done.asleep.iter().sum::<u128>();
        let on = (u128::from(channels) * u128::from(interval.length.0)).saturating_sub(off);
        // Times of lanes are rounded, and what is sent after the end may be in the last interval.
        let sending = done.sending.min(on);
        time.sending += sending;
        time.idle += on - sending;
        time.entering += entering;
        time.asleep += off - entering - waking;
        time.waking += waking;
    }
    times
}

#[cfg(test)]
mod tests {
    use drowse_core::measure::over_time::ClassInterval;
    use drowse_core::model::units::Time;

    use super::*;

    /// Two groups of a class, of three channels and of one, and a class of two: 100 ps each.
    #[test]
    fn groups_of_a_class_add_up() {
        let did = |sending, [entering, shallow, deep, waking]: [u128; 4]| ClassInterval {
            asleep: [entering, shallow, deep, waking, 0, 0, 0, 4],
            sending,
            ..ClassInterval::default()
        };
        let classes = vec![did(50, [10, 20, 30, 40]), did(170, [0; 4]), did(96, [1, 0, 0, 2])];
        let interval = IntervalRecord { length: Time(100), classes, ..IntervalRecord::default() };
        let times = by_class(2, &[3, 2, 1], &interval);
        // The last 93 ps of the one channel are all that it is on.
        let first = LinkTime { sending: 50 + 93, idle: 300 - 104 - 50, entering: 11, asleep: 58, waking: 42 };
        assert_eq!(times, [first, LinkTime { sending: 170, idle: 26, asleep: 4, ..LinkTime::default() }]);
        assert_eq!(times.iter().map(LinkTime::whole).collect::<Vec<_>>(), [400, 200]);
        assert_eq!(times[1].shares(), Some([0.85, 0.13, 0.0, 0.02, 0.0]));
        assert_eq!(LinkTime::default().shares(), None);
    }
}
