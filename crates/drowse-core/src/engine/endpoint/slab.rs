//! A slab: things with numbers, which are used again.

use std::ops::{Index, IndexMut};

/// Things, each at the number that it was given; the last removed is the first used again.
#[derive(Debug)]
pub struct Slab<T> {
    slots: Vec<T>,
    free: Vec<u32>,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Slab { slots: Vec::new(), free: Vec::new() }
    }
}

impl<T> Slab<T> {
    /// Adds one, and returns its number.
    #[inline]
    pub fn insert(&mut self, thing: T) -> u32 {
        if let Some(id) = self.free.pop() {
            self.slots[id as usize] = thing;
            return id;
        }
        self.slots.push(thing);
        self.slots.len() as u32 - 1
    }

    /// Removes one.
    #[inline]
    pub fn remove(&mut self, id: u32) {
        self.free.push(id);
    }

    /// Returns how many there have been at once.
    pub fn slots(&self) -> usize {
        self.slots.len()
    }
}

impl<T> Index<u32> for Slab<T> {
    type Output = T;
    #[inline]
    fn index(&self, id: u32) -> &T {
        &self.slots[id as usize]
    }
}

impl<T> IndexMut<u32> for Slab<T> {
    #[inline]
    fn index_mut(&mut self, id: u32) -> &mut T {
        &mut self.slots[id as usize]
    }
}
