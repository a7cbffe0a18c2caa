//! Process groups become communicators.
//!
//! A rank's group of a name is the one that its own metadata defines, else the one of the JSON file, else the ranks
//! that name it. The empty name and `0` are all ranks, unless they are defined.

use std::collections::{BTreeMap, BTreeSet};

use drowse_core::workload::communicators::{ALL, CommId, Communicators};
use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::files::Groups;
use crate::error::shortened;

/// A process group as metadata of PyTorch defines it.
#[derive(Deserialize)]
pub(super) struct Defined {
    pub pg_name: String,
    /// Its ranks; all if there are none.
    pub ranks: Vec<u32>,
}

/// What one rank says of process groups.
#[derive(Default)]
pub(super) struct Named {
    pub defined: FxHashMap<String, Vec<u32>>,
    pub used: BTreeSet<String>,
}

/// The communicators of groups.
pub(super) struct Resolved {
    pub communicators: Communicators,
    /// By rank and name: the communicator, and whether it was inferred.
    ranks: Vec<FxHashMap<String, (CommId, bool)>>,
}

/// Reads the groups that a metadata node lists: JSON, which Python printed as a text in a list.
pub(super) fn defined(values: &str) -> Option<Vec<Defined>> {
    let (begin, end) = (values.find("[{")?, values.rfind("}]")?);
    let json = values.get(begin..end + 2)?;
    serde_json::from_str(json).ok().or_else(|| serde_json::from_str(&json.replace("\\\"", "\"")).ok())
}

/// Makes the communicators of all groups that are used. Fails with a rank and what is wrong there.
pub(super) fn resolve(ranks: &[Named], listed: Option<&Groups>) -> Result<Resolved, (u32, String)> {
    let total = ranks.len() as u32;
    let mut users: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (rank, named) in (0..).zip(ranks) {
        named.used.iter().for_each(|name| users.entry(name).or_default().push(rank));
    }
    let mut communicators = Communicators::of(total);
    let mut known: BTreeMap<(&str, Vec<u32>), CommId> = BTreeMap::new();
    let mut resolved = Vec::with_capacity(ranks.len());
    for (rank, named) in (0..).zip(ranks) {
        let mut of_rank = FxHashMap::default();
        for name in &named.used {
            let defined = named.defined.get(name).or_else(|| listed?.get(name));
            let is_all = name.is_empty() || name == "0" || defined.is_some_and(Vec::is_empty);
            if is_all && defined.is_none_or(Vec::is_empty) {
                of_rank.insert(name.clone(), (ALL, false));
                continue;
            }
            let members = defined.unwrap_or(&users[name.as_str()]);
            let short = shortened(name);
            if !members.contains(&rank) {
                return Err((
                    rank,
                    format!("names process group `{short}`, whose ranks are {members:?}, without {rank}"),
                ));
            }
            let comm = match known.get(&(name.as_str(), members.clone())) {
                Some(&comm) => comm,
                None => communicators
                    .add(members.clone())
                    .map_err(|why| (rank, format!("process group `{short}`: {why}")))?,
            };
            known.insert((name, members.clone()), comm);
            of_rank.insert(name.clone(), (comm, defined.is_none()));
        }
        resolved.push(of_rank);
    }
    Ok(Resolved { communicators, ranks: resolved })
}

impl Resolved {
    /// Returns the communicator of a rank's group, and whether it was inferred from which ranks name it.
    pub fn group(&self, rank: u32, name: &str) -> (CommId, bool) {
        self.ranks[rank as usize].get(name).copied().unwrap_or((ALL, false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(used: &[&str], defined: &[(&str, &[u32])]) -> Named {
        Named {
            defined: defined.iter().map(|(name, ranks)| ((*name).to_owned(), ranks.to_vec())).collect(),
            used: used.iter().map(|name| (*name).to_owned()).collect(),
        }
    }

    #[test]
    fn groups_are_defined_listed_or_inferred() {
        let ranks = [
            named(&["", "1", "7"], &[("1", &[0, 2])]),
            named(&["0", "5"], &[]),
            named(&["1", "5", "7"], &[("1", &[0, 2])]),
        ];
        let listed = Groups::from([("7".to_owned(), vec![2, 0])]);
        let found = resolve(&ranks, Some(&listed)).unwrap();
        assert_eq!([found.group(0, ""), found.group(1, "0")], [(ALL, false); 2]);
        assert_eq!(found.group(0, "1"), found.group(2, "1"));
        assert_eq!(found.communicators.rank(found.group(0, "7").0, 0), Some(2));
        let (inferred, is) = found.group(2, "5");
        assert!(is && found.communicators.rank(inferred, 1) == Some(2));
    }

    /// Each half of the ranks calls its own group 1.
    #[test]
    fn ranks_may_give_one_name_to_several_groups() {
        let of = |ranks: &'static [u32]| named(&["1"], &[("1", ranks)]);
        let found = resolve(&[of(&[0, 1]), of(&[0, 1]), of(&[2, 3]), of(&[2, 3])], None).unwrap();
        assert!(found.group(0, "1").0 == found.group(1, "1").0 && found.group(0, "1").0 != found.group(2, "1").0);
        let without = resolve(&[of(&[0]), of(&[0])], None).err().unwrap();
        assert_eq!(without, (1, "names process group `1`, whose ranks are [0], without 1".to_owned()));
        assert!(resolve(&[of(&[0, 9])], None).err().unwrap().1.contains("holds rank 9"));
    }

    #[test]
    fn metadata_of_pytorch() {
        let found = defined(
            r#"['[{"pg_name": "0", "pg_desc": "default_pg", "ranks": []}, {"pg_name": "2", "ranks": [0, 1]}]']"#,
        );
        let found: Vec<_> = found.unwrap().into_iter().map(|group| (group.pg_name, group.ranks)).collect();
        assert_eq!(found, [("0".to_owned(), vec![]), ("2".to_owned(), vec![0, 1])]);
        assert!(defined("[1, 2]").is_none());
    }
}
