//! Reports of ranks to a governor: by how much they are late because links woke.

use crate::model::units::Time;
use crate::power::runtime::{Notification, NotificationKind};

/// After so long a rank reports again although it is not later than before: it has caught up, or time has passed in which
/// it could have been later.
const AGAIN: u64 = Time::from_us(100).0;

/// Collects reports.
#[derive(Clone, Debug, Default)]
pub struct LateReports {
    /// By how much each rank was late when it reported last, and when that was.
    told: Vec<Option<(u64, u64)>>,
    /// Reports since they were last taken.
    pub events: Vec<Notification>,
}

impl LateReports {
    /// Notes at time `t` that a rank is late by so much. Ranks have places here beside their numbers.
    pub fn note(&mut self, place: usize, rank: u32, late: u64, t: u64) {
        if place >= self.told.len() {
            self.told.resize(place + 1, None);
        }
        let told = &mut self.told[place];
        if told.is_none_or(|(before, at)| late > before || t >= at + AGAIN) {
            *told = Some((late, t));
            self.tell(t, NotificationKind::Late { rank, late: Time(late) });
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
