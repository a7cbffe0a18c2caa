//! Records what leads to moments of ranks, where a probe wants that: what ended each wait, and which messages came late
//! because links woke.

use crate::measure::critical_messages::Cause;
use crate::measure::wakes::{CauseLog, DelayedMessage};
use crate::model::units::Time;

use super::chain::Sent;
use super::message::{Message, Purpose};
use super::rank::PROGRAM;
use super::ranks::Ranks;

impl Ranks {
    /// Records causes from now on.
    pub fn record_causes(&mut self) {
        self.causes = Some(Box::default());
    }

    /// Takes what was recorded.
    pub fn take_causes(&mut self) -> CauseLog {
        self.causes.take().map(|log| *log).unwrap_or_default()
    }

    /// Records what has ended the wait of an activity at time `t`.
    #[cold]
    pub(super) fn note_cause(&mut self, number: u32, activity: u32, sent: Sent, t: u64) {
        let rank = self.rank(number);
        let other = sent.by().filter(|&rank| rank != number);
        let partner = if activity == PROGRAM { rank.ended_by() } else { other };
        let Some(by) = sent.by() else { return };
        self.put_cause(Cause {
            rank: number,
            activity: u16::try_from(activity).unwrap_or(u16::MAX),
            at: Time(t),
            by,
            by_activity: sent.activity,
            sent: Time(sent.at),
            partner,
        });
    }

    /// Records that the program starts a collective beside it at time `t`.
    #[cold]
    pub(super) fn note_beside(&mut self, number: u32, started: u32, t: u64) {
        let activity = u16::try_from(started).unwrap_or(u16::MAX);
        let (at, sent) = (Time(t), Time(t));
        self.put_cause(Cause { rank: number, activity, at, by: number, by_activity: 0, sent, partner: None });
    }

    fn put_cause(&mut self, cause: Cause) {
        self.causes.iter_mut().for_each(|log| log.add(cause));
    }

    /// Records a message that links have delayed and that comes at time `t`.
    #[cold]
    pub(super) fn note_delayed(&mut self, message: &Message, t: u64) {
        let Message { from_node, sequence, from_rank, to_rank, created, slept, purpose, .. } = *message;
        let bytes = match purpose {
            Purpose::ReadyToSend { bytes, .. } => bytes,
            _ => message.bytes,
        };
        let (sent, came, delayed) = (Time(created), Time(t), Time(slept));
        let (name, is_control) = ((from_node, sequence), !purpose.has_data());
        let message = DelayedMessage { name, from_rank, to_rank, bytes, is_control, sent, came, delayed };
        self.causes.iter_mut().for_each(|log| log.delayed.push(message));
    }
}
