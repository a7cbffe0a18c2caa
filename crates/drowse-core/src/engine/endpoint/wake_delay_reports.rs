//! Reports of ranks to a governor: by how much wakes of links have delayed them.

use crate::model::units::Time;
use crate::power::runtime::{Notification, NotificationKind};

/// After so long a rank reports again although it is not delayed by more than before: it has caught up, or time has passed
/// in which it could have been delayed further.
const AGAIN: u64 = Time::from_us(100).0;

/// Collects reports.
#[derive(Clone, Debug, Default)]
pub struct WakeDelayReports {
    /// The wake delay of each rank when it reported last, and when that was.
    told: Vec<Option<(u64, u64)>>,
    /// Reports since they were last taken.
    pub events: Vec<Notification>,
}

impl WakeDelayReports {
    /// Notes the wake delay of a rank at time `t`. Ranks have places here beside their numbers.
    pub fn note(&mut self, place: usize, rank: u32, wake_delay: u64, t: u64) {
        if place >= self.told.len() {
            self.told.resize(place + 1, None);
        }
        let told = &mut self.told[place];
        if told.is_none_or(|(before, at)| wake_delay > before || t >= at + AGAIN) {
            *told = Some((wake_delay, t));
            self.tell(t, NotificationKind::WakeDelay { rank, wake_delay: Time(wake_delay) });
        }
    }

    /// Reports that a rank has ended.
    pub fn finished(&mut self, rank: u32, t: u64) {
        self.tell(t, NotificationKind::Finished { rank });
    }

    fn tell(&mut self, at: u64, what: NotificationKind) {
        self.events.push(Notification { at: Time(at), what });
    }
}
