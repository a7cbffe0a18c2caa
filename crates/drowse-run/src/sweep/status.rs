//! How many cases of a sweep are stored, from the files alone: works while others run, and changes nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::error::SweepError;
use super::shard::Shard;
use super::store::{State, Store};
use super::{merge, notes};

/// How many cases of a sweep are stored.
#[derive(Clone, Debug)]
pub struct Status {
    /// The title of the experiment, or the name of its file.
    pub title: String,
    /// Cases of the sweep.
    pub cases: u64,
    /// Baselines that are none of the cases.
    pub baselines: u64,
    /// Of all cases and baselines, each once.
    pub all: Counts,
    /// Files that are not as they were written; their cases are missing.
    pub damaged: Vec<String>,
    /// Of each shard, where shards have begun; whether it is among those that have.
    pub shards: BTreeMap<Shard, (bool, Counts)>,
}

/// Numbers of cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All.
    pub items: u64,
    /// Those that are stored.
    pub stored: u64,
    /// Those of the stored that could not finish.
    pub failed: u64,
}

impl Counts {
    /// Returns those that are not stored.
    pub fn missing(self) -> u64 {
        self.items - self.stored
    }

    fn add(&mut self, state: &State) {
        self.items += 1;
        self.stored += u64::from(*state != State::Missing);
        self.failed += u64::from(matches!(state, State::Failed(_)));
    }
}

/// Counts what is stored in folders of one sweep.
pub fn status(folders: &[PathBuf]) -> Result<Status, SweepError> {
    let list = merge::common(folders)?;
    let stores: Vec<Store> = folders.iter().map(|folder| Store::view(folder)).collect();
    let mut begun = BTreeSet::new();
    for folder in folders {
        begun.extend(notes::read(folder)?);
    }
    let divisions: BTreeSet<u64> = begun.iter().map(|shard| shard.of).collect();
    let every = divisions.iter().flat_map(|&of| Shard::all(of));
    let mut shards: BTreeMap<_, _> = every.map(|shard| (shard, (begun.contains(&shard), Counts::default()))).collect();
    let mut all = Counts::default();
    for (item, id) in (0..).zip(list.items()) {
        let state = state(&stores, id)?;
        all.add(&state);
        for &of in &divisions {
            if let Some((_, counts)) = shards.get_mut(&Shard::with(item, of)) {
                counts.add(&state);
            }
        }
    }
    Ok(Status {
        cases: list.ids.len() as u64,
        baselines: list.others.len() as u64,
        title: list.title,
        all,
        damaged: stores.iter().flat_map(Store::damaged).collect(),
        shards,
    })
}

/// Returns the state of a case, as the first folder has it that has one.
fn state(stores: &[Store], id: &str) -> Result<State, SweepError> {
    for store in stores {
        let state = store.glance(id)?;
        if state != State::Missing {
            return Ok(state);
        }
    }
    Ok(State::Missing)
}
