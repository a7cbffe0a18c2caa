//! Patches: boxes of atoms on a periodic grid, and the ranks that they are on.
//!
//! A patch is on one rank, its home. Which patches a rank has follows from bisecting: the patches of a box are halved along
//! its longest side, as are its ranks, until one rank is left. Forces between the atoms of two patches are computed where
//! the patch is that has the lower place of both in each dimension. So a patch is needed on the home of itself and of
//! seven others: those one lower in some dimensions.

use super::Namd;

/// Lists of numbers by index.
#[derive(Debug)]
struct Lists<T> {
    /// The first of each list, then the total.
    begins: Vec<u32>,
    members: Vec<T>,
}

impl<T> Lists<T> {
    fn of(count: u32, mut list: impl FnMut(u32, &mut Vec<T>)) -> Self {
        let (mut begins, mut members) = (vec![0], Vec::new());
        for index in 0..count {
            list(index, &mut members);
            begins.push(members.len() as u32);
        }
        Lists { begins, members }
    }

    fn get(&self, index: u32) -> &[T] {
        let index = index as usize;
        &self.members[self.begins[index] as usize..self.begins[index + 1] as usize]
    }
}

/// Where patches are, and where they are needed.
#[derive(Debug)]
pub(super) struct Patches {
    homes: Vec<u32>,
    /// The patches of each rank.
    own: Lists<u32>,
    /// The patches of others that each rank needs.
    foreign: Lists<u32>,
    /// The other ranks that need each patch.
    needing: Lists<u32>,
}

impl Patches {
    /// Places the patches of a program.
    pub fn of(program: &Namd) -> Self {
        let count = program.patches();
        let place = |patch: u32| program.place(patch);
        let mut all: Vec<u32> = (0..count).collect();
        let mut homes = vec![0; count as usize];
        bisect(&mut all, 0, program.ranks, &place, &mut homes);
        let home = |patch: u32| homes[patch as usize];
        // The other patches of a cube of eight, of which this is the lowest or the highest.
        let cube = |patch: u32, is_lowest: bool| (1..8).map(move |corner| program.corner(patch, corner, is_lowest));
        let sorted = |members: &mut Vec<u32>, from: usize| {
            members[from..].sort_unstable();
            let mut kept = members.split_off(from);
            kept.dedup();
            members.append(&mut kept);
        };
        let mut by_home: Vec<u32> = (0..count).collect();
        by_home.sort_by_key(|&patch| home(patch));
        let mut rest = by_home.as_slice();
        let own = Lists::of(program.ranks, |rank, members| {
            let mine = rest.iter().take_while(|&&patch| home(patch) == rank).count();
            members.extend_from_slice(&rest[..mine]);
            rest = &rest[mine..];
        });
        let foreign = Lists::of(program.ranks, |rank, members| {
            let from = members.len();
            let others = own.get(rank).iter().flat_map(|&patch| cube(patch, true));
            members.extend(others.filter(|&patch| home(patch) != rank));
            sorted(members, from);
        });
        let needing = Lists::of(count, |patch, members| {
            let from = members.len();
            members.extend(cube(patch, false).map(home).filter(|&rank| rank != home(patch)));
            sorted(members, from);
        });
        Patches { homes, own, foreign, needing }
    }

    pub fn home(&self, patch: u32) -> u32 {
        self.homes[patch as usize]
    }

    pub fn own(&self, rank: u32) -> &[u32] {
        self.own.get(rank)
    }

    pub fn foreign(&self, rank: u32) -> &[u32] {
        self.foreign.get(rank)
    }

    pub fn needing(&self, patch: u32) -> &[u32] {
        self.needing.get(patch)
    }
}

/// Assigns the patches of a box to so many ranks from the first on.
fn bisect(patches: &mut [u32], first: u32, ranks: u32, place: &impl Fn(u32) -> [u32; 3], homes: &mut [u32]) {
    if ranks == 1 {
        return patches.iter().for_each(|&patch| homes[patch as usize] = first);
    }
    let extent = |axis: usize| {
        let places = || patches.iter().map(|&patch| place(patch)[axis]);
        places().max().unwrap_or(0) - places().min().unwrap_or(0)
    };
    // The first of the longest.
    let longest = (0..3).rev().max_by_key(|&axis| extent(axis)).unwrap_or(0);
    patches.sort_unstable_by_key(|&patch| (place(patch)[longest], patch));
    let lower = ranks / 2;
    let cut = patches.len() * lower as usize / ranks as usize;
    let (one, other) = patches.split_at_mut(cut);
    bisect(one, first, lower, place, homes);
    bisect(other, first + lower, ranks - lower, place, homes);
}
