//! Process groups: which ranks take part in a call.
//!
//! A call names its group, says how large it is, and lists its ranks, but for those of long lists. Files define
//! groups, too (`pg_config`, `## process_group:init ##`).

use std::collections::BTreeMap;

use serde::Deserialize;

use super::value::{List, Value};

/// What a call says of its group.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Group {
    pub name: Option<String>,
    pub size: Option<u64>,
    /// The ranks that are listed, and whether others are left out.
    pub ranks: Vec<i64>,
    pub is_cut: bool,
    /// The first rank, and the distance of two.
    pub start: Option<i64>,
    pub stride: Option<i64>,
}

/// A group that a file defines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Definition {
    size: Option<u64>,
    /// All ranks if there are none.
    ranks: List,
}

/// The groups that a file defines, by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Definitions(BTreeMap<String, Definition>);

/// The ranks of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Members {
    pub ranks: Vec<u32>,
    /// Whether they follow from the first of a list that is cut.
    pub continued: bool,
}

/// A group as JSON defines it.
#[derive(Deserialize)]
pub(crate) struct Defined {
    #[serde(default)]
    pg_name: Value,
    #[serde(default)]
    pg_size: Value,
    #[serde(default)]
    group_size: Value,
    #[serde(default)]
    ranks: Value,
}

/// Why the ranks of a group are not known.
const UNKNOWN: &str = "the file does not say which ranks its process group has; record with PyTorch 2.3 or later";

/// The most ranks of a job.
pub(crate) const MOST_RANKS: u64 = 1 << 20;

/// Groups of ranks with even steps, which together have all ranks of a job once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    count: u32,
    stride: u32,
}

impl Members {
    /// Returns the grid of which these are a group. Fails where they are none.
    pub fn grid(&self, ranks: u32) -> Result<Grid, &'static str> {
        const UNEVEN: &str = "its process group is no part of an even grid of ranks, so one rank's file does not tell \
                              the groups of others; give the files of all ranks";
        let count = self.ranks.len() as u32;
        let [first, ..] = self.ranks[..] else { return Err(UNEVEN) };
        let stride = self.ranks.get(1).map_or(Some(1), |second| second.checked_sub(first)).filter(|&stride| stride > 0);
        let stride = stride.ok_or(UNEVEN)?;
        let block = count.checked_mul(stride).filter(|block| ranks.is_multiple_of(*block)).ok_or(UNEVEN)?;
        let is_even = self.ranks.iter().zip(0..).all(|(&member, place)| member == first + place * stride);
        if !is_even || first % block >= stride {
            return Err(UNEVEN);
        }
        Ok(Grid { count, stride })
    }
}

impl Grid {
    /// Returns the first rank of the group that has a rank.
    pub fn begin(self, rank: u32) -> u32 {
        let block = self.count * self.stride;
        rank / block * block + rank % self.stride
    }

    /// Returns the ranks of the group that begins with a rank.
    pub fn members(self, begin: u32) -> Vec<u32> {
        (0..self.count).map(|place| begin + place * self.stride).collect()
    }
}

impl Definitions {
    /// Adds groups that JSON defines.
    pub fn add(&mut self, defined: Vec<Defined>) {
        for Defined { pg_name, pg_size, group_size, ranks } in defined {
            let Some(name) = pg_name.text() else { continue };
            let size = pg_size.count().or(group_size.count());
            self.0.insert(name, Definition { size, ranks: ranks.list().unwrap_or_default() });
        }
    }

    /// Adds those of another file which this one does not define.
    pub fn complete(&mut self, other: Definitions) {
        for (name, definition) in other.0 {
            self.0.entry(name).or_insert(definition);
        }
    }

    /// Returns the number of ranks of the largest group that has all, if one is defined.
    pub fn all(&self) -> Option<u64> {
        self.0
            .values()
            .filter(|group| group.ranks.numbers.is_empty() && !group.ranks.is_cut)
            .find_map(|group| group.size)
    }
}

impl Group {
    /// Takes from another description of the group what this one lacks.
    pub fn complete(&mut self, other: &Group) {
        if self.name.is_none() {
            self.name.clone_from(&other.name);
        }
        self.size = self.size.or(other.size);
        self.start = self.start.or(other.start);
        self.stride = self.stride.or(other.stride);
        if self.ranks.is_empty() || self.is_cut && !other.ranks.is_empty() && !other.is_cut {
            self.ranks.clone_from(&other.ranks);
            self.is_cut = other.is_cut;
        }
    }

    /// Sets the ranks that are listed.
    pub fn set_ranks(&mut self, list: Option<List>) {
        if let Some(list) = list {
            (self.ranks, self.is_cut) = (list.numbers, list.is_cut);
        }
    }

    /// Returns whether it has one rank, which talks to nobody.
    pub fn is_one(&self) -> bool {
        self.size == Some(1) || self.size.is_none() && self.ranks.len() == 1 && !self.is_cut
    }

    /// Returns the highest rank that it lists.
    pub fn highest(&self) -> u64 {
        self.ranks.iter().filter_map(|&rank| u64::try_from(rank).ok()).max().unwrap_or_default()
    }

    /// Returns its ranks among so many, if this one is among them.
    pub(super) fn members(&self, definitions: &Definitions, rank: u32, ranks: u32) -> Result<Members, &'static str> {
        let (list, continued) = self.listed(definitions, ranks)?;
        let members: Option<Vec<u32>> =
            list.into_iter().map(|rank| u32::try_from(rank).ok().filter(|&rank| rank < ranks)).collect();
        let members = members.ok_or("its process group has ranks that the job does not have; check world_size")?;
        if !members.contains(&rank) {
            return Err("its process group does not have the rank that calls it; check the file's rank");
        }
        Ok(Members { ranks: members, continued })
    }

    /// Returns the ranks that are listed anywhere, and whether they were continued.
    fn listed(&self, definitions: &Definitions, ranks: u32) -> Result<(Vec<i64>, bool), &'static str> {
        let defined = self.name.as_ref().and_then(|name| definitions.0.get(name));
        let size = self.size.or(defined.and_then(|defined| defined.size));
        let fits = |list: &[i64]| !list.is_empty() && size.is_none_or(|size| size == list.len() as u64);
        if !self.is_cut && fits(&self.ranks) {
            return Ok((self.ranks.clone(), false));
        }
        if let Some(defined) = defined.filter(|defined| !defined.ranks.is_cut && fits(&defined.ranks.numbers)) {
            return Ok((defined.ranks.numbers.clone(), false));
        }
        if size.is_some_and(|size| size > u64::from(ranks)) {
            return Err("its process group is larger than the job; check world_size");
        }
        if size.is_none_or(|size| size == u64::from(ranks)) && (size.is_some() || self.ranks.is_empty()) {
            return Ok(((0..i64::from(ranks)).collect(), false));
        }
        let size = size.and_then(|size| i64::try_from(size).ok()).ok_or(UNKNOWN)?;
        let steps = |start: i64, stride: i64| -> Option<Vec<i64>> {
            (0..size).map(|place| place.checked_mul(stride)?.checked_add(start)).collect()
        };
        if let (Some(start), Some(stride)) = (self.start, self.stride) {
            return Ok((steps(start, stride).ok_or(UNKNOWN)?, false));
        }
        // A list that is cut goes on with the same steps, where it has one step.
        let [first, second, ..] = self.ranks[..] else { return Err(UNKNOWN) };
        let stride = second.checked_sub(first).ok_or(UNKNOWN)?;
        let is_even = self.ranks.windows(2).all(|pair| pair[1].checked_sub(pair[0]) == Some(stride));
        if !is_even || stride == 0 {
            return Err(
                "the list of its process group is cut off, and its ranks have no even steps; the file does not \
                        say which they are",
            );
        }
        Ok((steps(first, stride).ok_or(UNKNOWN)?, true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(name: &str, size: u64, ranks: &[i64], is_cut: bool) -> Group {
        Group { name: Some(name.to_owned()), size: Some(size), ranks: ranks.to_vec(), is_cut, ..Group::default() }
    }

    fn definitions(json: &str) -> Definitions {
        let mut definitions = Definitions::default();
        definitions.add(serde_json::from_str(json).unwrap());
        definitions
    }

    fn members(group: &Group, json: &str) -> Result<(Vec<u32>, bool), &'static str> {
        group.members(&definitions(json), 0, 64).map(|members| (members.ranks, members.continued))
    }

    #[test]
    fn lists_are_whole_defined_or_continued() {
        assert_eq!(members(&group("1", 2, &[0, 9], false), "[]"), Ok((vec![0, 9], false)));
        let cut = group("1", 4, &[0, 8], true);
        assert_eq!(members(&cut, "[]"), Ok((vec![0, 8, 16, 24], true)));
        let defined = r#"[{"pg_name": "1", "pg_size": 4, "ranks": [0, 8, 32, 40]}]"#;
        assert_eq!(members(&cut, defined), Ok((vec![0, 8, 32, 40], false)));
        let started = Group { start: Some(0), stride: Some(2), ..group("1", 3, &[], false) };
        assert_eq!(members(&started, "[]"), Ok((vec![0, 2, 4], false)));
        // All ranks.
        assert_eq!(members(&group("0", 64, &[0, 1, 2], true), "[]").unwrap().0.len(), 64);
        assert_eq!(members(&Group::default(), "[]").unwrap().0.len(), 64);
        let all = r#"[{"pg_name": "0", "ranks": [], "group_size": 64}]"#;
        assert_eq!(definitions(all).all(), Some(64));
        assert_eq!(members(&Group { name: Some("0".to_owned()), ..Group::default() }, all).unwrap().0.len(), 64);
    }

    /// Eight ranks in a grid of 2 x 2 x 2.
    #[test]
    fn groups_of_a_grid() {
        let of = |ranks: &[u32], rank: u32| {
            let members = Members { ranks: ranks.to_vec(), continued: false };
            members.grid(8).map(|grid| grid.members(grid.begin(rank)))
        };
        assert_eq!([of(&[0, 1], 5), of(&[0, 2], 5), of(&[0, 4], 5)], [Ok(vec![4, 5]), Ok(vec![5, 7]), Ok(vec![1, 5])]);
        assert_eq!(
            [of(&[5, 7], 0), of(&[2, 3], 2), of(&[0, 2, 4, 6], 3)],
            [Ok(vec![0, 2]), Ok(vec![2, 3]), Ok(vec![1, 3, 5, 7])]
        );
        assert_eq!(of(&[0, 1, 2, 3, 4, 5, 6, 7], 6), Ok((0..8).collect()));
        for uneven in [&[0, 3][..], &[1, 2], &[0, 1, 3, 4], &[0, 1, 2], &[2, 1], &[4, 4], &[]] {
            assert!(of(uneven, 1).unwrap_err().contains("even grid"), "{uneven:?}");
        }
    }

    #[test]
    fn what_is_not_told_is_not_guessed() {
        assert!(members(&group("1", 4, &[0, 8, 9], true), "[]").unwrap_err().contains("no even steps"));
        assert!(members(&group("1", 4, &[0], true), "[]").unwrap_err().contains("which ranks"));
        assert!(members(&group("1", 2, &[1, 2], false), "[]").unwrap_err().contains("does not have the rank"));
        assert!(members(&group("1", 65, &[], false), "[]").unwrap_err().contains("larger than the job"));
        assert!(members(&group("1", 2, &[0, 64], false), "[]").unwrap_err().contains("does not have"));
        assert!(members(&group("1", 2, &[0, -1], false), "[]").unwrap_err().contains("does not have"));
        let far = Group { start: Some(i64::MAX), stride: Some(i64::MAX), ..group("1", 3, &[], false) };
        assert!(members(&far, "[]").is_err());
    }
}
