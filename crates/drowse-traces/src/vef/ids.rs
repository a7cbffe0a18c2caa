//! From the ids of a trace to places in a table. Ids usually count up from 0, which takes no memory.

use rustc_hash::FxHashMap;

/// The places of ids.
#[derive(Default)]
pub(super) struct Ids {
    /// The ids from 0 to here are at the place of their own number.
    dense: u32,
    others: FxHashMap<u64, u32>,
    length: u32,
}

impl Ids {
    /// Adds an id at the next place; false if it is there already.
    pub fn add(&mut self, id: u64) -> bool {
        if id < u64::from(self.dense) || self.others.contains_key(&id) {
            return false;
        }
        if id == u64::from(self.length) && self.dense == self.length {
            self.dense += 1;
        } else {
            self.others.insert(id, self.length);
        }
        self.length += 1;
        true
    }

    /// Returns the place of an id.
    pub fn place(&self, id: u64) -> Option<u32> {
        if id < u64::from(self.dense) { Some(id as u32) } else { self.others.get(&id).copied() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_in_and_out_of_order() {
        let mut ids = Ids::default();
        assert!([0, 1, 7, 3, 2].into_iter().all(|id| ids.add(id)));
        assert!([0, 1, 7, 3, 2].into_iter().all(|id| !ids.add(id)));
        assert_eq!([0, 1, 7, 3, 2, 4].map(|id| ids.place(id)), [Some(0), Some(1), Some(2), Some(3), Some(4), None]);
    }
}
