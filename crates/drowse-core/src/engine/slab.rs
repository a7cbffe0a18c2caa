//! A slab: things with numbers, which are used again.

use std::ops::{Index, IndexMut};

/// Things, each at the number that it was given; the last removed is the first used again.
///
/// Free numbers are a list of their own: to find one, no slot is loaded.
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

    /// Returns how many there are.
    pub fn live(&self) -> u32 {
        (self.slots.len() - self.free.len()) as u32
    }

    /// Returns all slots, those of things that were removed as well.
    #[inline]
    pub fn slots(&self) -> &[T] {
        &self.slots
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
