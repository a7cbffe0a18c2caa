//! Where a credit returns: it is noted with its time, and collected when somebody next looks at the channel.

use crate::engine::event::NONE;
use crate::power::Policy;

use super::channel::{Channel, Credit};
use super::credit_pool::CreditPool;
use super::links::Links;
use super::pause::Pauses;

impl<P: Policy> Links<'_, P> {
    /// Collects the credits that have returned by time `t`, and returns the channel.
    #[inline]
    #[expect(clippy::needless_bitwise_bool, reason = "no predictor could guess the branches")]
    pub fn collect_credits(&mut self, channel: usize, t: u64) -> &Channel {
        let hot = &mut self.hot[channel];
        let due = hot.credit_at[0] <= t;
        hot.take_first(due, self.packet_flits);
        // Where there is a list, both places before it are taken.
        if (hot.credit_at[0] <= t) | ((hot.credit_head != NONE) & (hot.credit_at[1] == u64::MAX)) {
            collect_more(&mut self.pauses, &mut self.credits, channel, hot, t, self.packet_flits);
        }
        hot
    }

    /// Notes a credit that reaches the channel's sender at time `at`; returns whether the sender must be woken. `now`
    /// is the time of the present edge.
    ///
    /// It must where it waits for credits, and where the credit overtakes others: a sender that waits for a credit
    /// under way must learn of one that returns before it.
    #[inline(always)]
    pub fn return_credit(&mut self, channel: usize, vc: u8, flits: u16, at: u64, now: u64) -> bool {
        let hot = &mut self.hot[channel];
        let wanted = hot.has(Channel::WANTS_CREDIT);
        hot.flags &= !Channel::WANTS_CREDIT;
        if hot.keep(at, flits, vc) { wanted } else { self.list_credit(channel, at, flits, vc, now) || wanted }
    }

    /// Inserts a credit behind others; returns whether it overtakes some.
    #[inline(never)]
    fn list_credit(&mut self, channel: usize, at: u64, flits: u16, vc: u8, now: u64) -> bool {
        self.collect_credits(channel, now);
        if let Some(overtakes) = self.note_leaving(channel, vc, flits, at) {
            return overtakes;
        }
        let hot = &mut self.hot[channel];
        !hot.keep(at, flits, vc) && self.credits.put(hot, Credit { at, next: NONE, flits, vc })
    }

    /// Returns when the next credit returns, if one is under way.
    #[inline]
    pub fn next_credit(&self, channel: usize) -> Option<u64> {
        let first = || Some(self.hot[channel].credit_at[0]).filter(|&at| at != u64::MAX);
        if self.pauses(channel) { self.next_word(channel) } else { first() }
    }

    /// Returns all credits of a channel that are under way: virtual channel and flits. There are none where senders
    /// pause.
    pub fn credits_under_way(&self, channel: usize) -> impl Iterator<Item = (u8, u16)> {
        let hot = &self.hot[channel];
        let mut next = hot.credit_head;
        let listed = std::iter::from_fn(move || {
            let credit = *self.credits.slots.get(next as usize)?;
            next = credit.next;
            Some(credit)
        });
        let kept = [0, 1].into_iter().filter_map(|place| hot.kept(place));
        kept.chain(listed).map(|credit| (credit.vc, credit.flits))
    }
}

/// Collects what there is beyond the first credit of a channel; `full` is a full packet.
#[inline(never)]
fn collect_more(
    pauses: &mut Option<Pauses>,
    credits: &mut CreditPool,
    channel: usize,
    hot: &mut Channel,
    t: u64,
    full: u16,
) {
    if !pauses.as_mut().is_some_and(|pauses| pauses.collect(channel, hot, t, full)) {
        credits.collect(hot, t, full);
    }
}
