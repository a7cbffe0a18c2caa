//! The groups of a rank: lists of ranks of the job.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::comm_calls::EMPTY_GROUP;
use super::functions::id;

/// Ranks of the job, in the order of their ranks in the group.
pub(crate) type Group = Arc<[u32]>;

/// The groups of a rank by their numbers.
#[derive(Default)]
pub(crate) struct Groups(FxHashMap<u16, Group>);

impl Groups {
    /// Returns a group; `None` if its ranks are not known.
    pub fn get(&self, group: u16) -> Option<Group> {
        if group == EMPTY_GROUP { Some(Arc::default()) } else { self.0.get(&group).cloned() }
    }

    /// Keeps a group, or forgets it if its ranks are not known.
    pub fn set(&mut self, number: u16, group: Option<Group>) {
        match group {
            Some(group) => drop(self.0.insert(number, group)),
            None => drop(self.0.remove(&number)),
        }
    }

    /// Makes a group of two.
    pub fn combine(&self, function: u16, [first, second]: [u16; 2]) -> Option<Group> {
        let (first, second) = (self.get(first)?, self.get(second)?);
        let of = |group: &Group| group.iter().copied().collect::<FxHashSet<u32>>();
        Some(match function {
            id::GROUP_UNION => {
                let known = of(&first);
                first.iter().chain(second.iter().filter(|rank| !known.contains(rank))).copied().collect()
            }
            id::GROUP_INTERSECTION => {
                let other = of(&second);
                first.iter().copied().filter(|rank| other.contains(rank)).collect()
            }
            _ => {
                let other = of(&second);
                first.iter().copied().filter(|rank| !other.contains(rank)).collect()
            }
        })
    }

    /// Makes a group of ranks of another, or of all but these.
    pub fn choose(&self, group: u16, ranks: &[i32], included: bool) -> Option<Group> {
        let group = self.get(group)?;
        let member = |&rank: &i32| group.get(usize::try_from(rank).ok()?).copied();
        let chosen: Option<Vec<u32>> = ranks.iter().map(member).collect();
        let chosen = chosen?;
        if included {
            return Some(chosen.into());
        }
        let chosen: FxHashSet<u32> = chosen.into_iter().collect();
        Some(group.iter().copied().filter(|rank| !chosen.contains(rank)).collect())
    }

    /// Makes a group of ranks of another, or of all but these, by first rank, last rank and stride.
    pub fn ranges(&self, group: u16, ranges: &[i32], included: bool) -> Option<Group> {
        let most = self.get(group)?.len();
        let mut ranks = Vec::new();
        for range in ranges.chunks(3) {
            let &[first, last, stride] = range else { return None };
            let (first, last, stride) = (i64::from(first), i64::from(last), i64::from(stride));
            let steps = (last - first).checked_div(stride)?;
            for step in 0..=steps {
                if ranks.len() >= most {
                    return None;
                }
                ranks.push(i32::try_from(first + step * stride).ok()?);
            }
        }
        self.choose(group, &ranks, included)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_groups() {
        let mut groups = Groups::default();
        groups.set(3, Some([10, 11, 12, 13].into()));
        groups.set(4, Some([13, 20].into()));
        let combined = |function| groups.combine(function, [3, 4]).map(|group| group.to_vec());
        assert_eq!(combined(id::GROUP_UNION), Some(vec![10, 11, 12, 13, 20]));
        assert_eq!(combined(id::GROUP_INTERSECTION), Some(vec![13]));
        assert_eq!(combined(id::GROUP_DIFFERENCE), Some(vec![10, 11, 12]));
        assert_eq!(groups.choose(3, &[2, 0], true).as_deref(), Some([12, 10].as_slice()));
        assert_eq!(groups.choose(3, &[2, 0], false).as_deref(), Some([11, 13].as_slice()));
        assert_eq!(groups.choose(3, &[4], true), None);
        assert_eq!(groups.ranges(3, &[3, 1, -2], true).as_deref(), Some([13, 11].as_slice()));
        assert_eq!(groups.ranges(3, &[0, 3, 2], false).as_deref(), Some([11, 13].as_slice()));
        assert_eq!(groups.ranges(3, &[0, 2_000_000_000, 1], true), None);
        assert_eq!(groups.ranges(3, &[0, 1, 0], true), None);
        assert_eq!(groups.get(EMPTY_GROUP).as_deref(), Some([].as_slice()));
        assert_eq!(groups.get(9), None);
    }
}
