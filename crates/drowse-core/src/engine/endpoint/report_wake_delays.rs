//! Reports the wake delays of ranks to a governor: whenever a rank goes on, and while it waits for a delayed message.

use super::ranks::Ranks;

impl Ranks {
    /// Lets ranks report their wake delays to a governor.
    pub fn report_wake_delays(&mut self) {
        self.wake_delay_reports = Some(Box::default());
    }

    /// Notes the wake delay of a rank that goes on at time `t`.
    #[cold]
    pub(super) fn note_wake_delay(&mut self, number: u32, t: u64) {
        let place = self.positions[number as usize] as usize;
        let wake_delay = self.ranks[place].wake_delay();
        if let Some(reports) = &mut self.wake_delay_reports {
            reports.note(place, number, wake_delay, t);
        }
    }

    /// Notes at time `t` the wake delay of a message of which part has come: if its receiver waits, that may be for it.
    pub fn note_delayed_message(&mut self, to: u32, wake_delay: u64, t: u64) {
        let place = self.positions[to as usize] as usize;
        if let Some(reports) = &mut self.wake_delay_reports
            && self.ranks[place].waits_for_another()
        {
            reports.note(place, to, wake_delay.max(self.ranks[place].wake_delay()), t);
        }
    }
}
