//! What ranks report to a governor, and when: whenever they go on, and while they wait for a message that is late.

use super::ranks::Ranks;

impl Ranks {
    /// Lets ranks report to a governor by how much they are late.
    pub fn report_lateness(&mut self) {
        self.late_reports = Some(Box::default());
    }

    /// Notes by how much a rank that goes on at time `t` is late.
    #[cold]
    pub(super) fn note_lateness(&mut self, number: u32, t: u64) {
        let place = self.positions[number as usize] as usize;
        let late = self.ranks[place].late();
        if let Some(reports) = &mut self.late_reports {
            reports.note(place, number, late, t);
        }
    }

    /// Notes at time `t` by how much a message is late, part of which has come: if its receiver waits, that may be for it.
    pub fn note_late_message(&mut self, to: u32, late: u64, t: u64) {
        let place = self.positions[to as usize] as usize;
        if let Some(reports) = &mut self.late_reports
            && self.ranks[place].waits_for_another()
        {
            reports.note(place, to, late.max(self.ranks[place].late()), t);
        }
    }
}
