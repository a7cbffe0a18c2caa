//! Credits under way behind the first two of their channel.

use crate::engine::event::NONE;

use super::channel::{Channel, Credit};

/// Credits under way behind the first two of their channel: all channels' lists in one slab, ordered by time.
#[derive(Debug)]
pub struct CreditPool {
    pub(super) slots: Vec<Credit>,
    /// The first free slot; free slots are a list.
    free: u32,
}

impl CreditPool {
    pub(super) fn new() -> Self {
        CreditPool { slots: Vec::new(), free: NONE }
    }

    /// Takes all credits of a channel that have come back by time `t`, after one has been taken.
    #[inline(never)]
    pub(super) fn collect(&mut self, hot: &mut Channel, t: u64, full: u16) {
        loop {
            if hot.credit_head != NONE {
                self.advance(hot);
            }
            if hot.credit_at[0] > t {
                return;
            }
            hot.take_first(true, full);
        }
    }

    /// Moves the first credit of a channel's list, which is not empty, to the channel.
    fn advance(&mut self, hot: &mut Channel) {
        let slot = hot.credit_head;
        let credit = self.slots[slot as usize];
        self.slots[slot as usize].next = self.free;
        self.free = slot;
        hot.credit_head = credit.next;
        hot.keep_again(credit);
    }

    /// Inserts a credit among those of a channel that has two; returns whether it overtakes others, as happens with
    /// several read ports, where packets leave an input port side by side.
    #[inline(never)]
    pub(super) fn put(&mut self, hot: &mut Channel, credit: Credit) -> bool {
        let Some(second) = hot.kept(1) else {
            // It comes before the only one.
            let first = hot.kept(0);
            hot.credit_at[0] = u64::MAX;
            hot.keep_again(credit);
            first.map(|first| hot.keep_again(first));
            return true;
        };
        if credit.at >= second.at {
            return self.append(hot, credit);
        }
        // The second goes to the head of the list; those that are left are put in order again.
        let slot = self.insert(Credit { next: hot.credit_head, ..second });
        if hot.credit_head == NONE {
            hot.credit_tail = slot;
        }
        hot.credit_head = slot;
        hot.credit_at[1] = u64::MAX;
        if !hot.keep_again(credit) {
            self.put(hot, credit);
        }
        true
    }

    /// Inserts a credit into a channel's list; returns whether it overtakes others.
    fn append(&mut self, hot: &mut Channel, credit: Credit) -> bool {
        let slot = self.insert(credit);
        if hot.credit_head == NONE {
            (hot.credit_head, hot.credit_tail) = (slot, slot);
            return false;
        }
        let slots = &mut self.slots;
        if slots[hot.credit_tail as usize].at <= credit.at {
            slots[hot.credit_tail as usize].next = slot;
            hot.credit_tail = slot;
            return false;
        }
        if slots[hot.credit_head as usize].at > credit.at {
            slots[slot as usize].next = hot.credit_head;
            hot.credit_head = slot;
            return true;
        }
        let mut before = hot.credit_head;
        while slots[slots[before as usize].next as usize].at <= credit.at {
            before = slots[before as usize].next;
        }
        slots[slot as usize].next = slots[before as usize].next;
        slots[before as usize].next = slot;
        true
    }

    fn insert(&mut self, credit: Credit) -> u32 {
        let slot = self.free;
        if let Some(place) = self.slots.get_mut(slot as usize) {
            self.free = place.next;
            *place = credit;
            return slot;
        }
        self.slots.push(credit);
        self.slots.len() as u32 - 1
    }
}
