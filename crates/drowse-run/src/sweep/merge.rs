//! Merges the stored cases of several folders into one, and writes the tables; or those of one folder's shards.
//!
//! Nothing is run, and neither the experiment's file nor its traces are needed. A case that is there is not copied
//! again, so a merge that was stopped goes on, and one that is done again changes nothing.

use std::iter;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::case_list::CaseList;
use super::error::SweepError;
use super::progress::{Progress, Watch};
use super::store::Store;
use super::{Report, Wanted, tables};
use crate::{files, pool};

/// Merges folders that have a list in common into one, which may be among them.
pub fn merge(
    list: &CaseList,
    folders: &[PathBuf],
    into: &Path,
    threads: usize,
    wanted: &Wanted<'_>,
    watch: &Watch<'_>,
) -> Result<Report, SweepError> {
    list.refuse_other_build(folders.first().map_or(into, PathBuf::as_path))?;
    files::refuse_runs(into)?;
    refuse_other(list, into)?;
    let store = Store::open(into)?;
    list.write(into)?;
    let others: Vec<Store> =
        folders.iter().filter(|folder| *folder != into).map(|folder| Store::view(folder)).collect();
    let (items, seen) = (list.items(), AtomicU64::new(0));
    let (copied, missing) = (AtomicU64::new(0), AtomicU64::new(0));
    pool::for_each(&items, threads, |id| -> Result<(), SweepError> {
        watch.cancel.check()?;
        match collect(&store, &others, id)? {
            Found::There => {}
            Found::Copied => drop(copied.fetch_add(1, Ordering::Relaxed)),
            Found::Nowhere => drop(missing.fetch_add(1, Ordering::Relaxed)),
        }
        watch.tell(Progress::Checked(seen.fetch_add(1, Ordering::Relaxed) + 1));
        Ok(())
    })?;
    let missing = missing.into_inner();
    if missing > 0 {
        let folder = into.display().to_string();
        let damaged = iter::once(&store).chain(&others).flat_map(Store::damaged).collect();
        return Err(SweepError::Incomplete { missing, items: items.len() as u64, folder, damaged });
    }
    let report = tables::make(list, into, &store, wanted)?;
    Ok(Report { copied: Some(copied.into_inner()), ..report })
}

/// Reads the list of cases that all folders have.
pub fn common(folders: &[PathBuf]) -> Result<CaseList, SweepError> {
    let mut lists = folders.iter().map(|folder| (folder, CaseList::read(folder)));
    let Some((ours, first)) = lists.next() else { return Err(SweepError::NoSweep { folder: String::new() }) };
    let first = first?;
    for (theirs, list) in lists {
        if let Some(difference) = first.difference(&list?) {
            let [ours, theirs] = [ours, theirs].map(|folder| folder.display().to_string());
            return Err(SweepError::OtherSweep { ours, theirs, difference });
        }
    }
    Ok(first)
}

/// Refuses to merge into the folder of another sweep.
fn refuse_other(list: &CaseList, into: &Path) -> Result<(), SweepError> {
    match CaseList::read(into) {
        Err(SweepError::NoSweep { .. }) => Ok(()),
        Err(error) => Err(error),
        Ok(there) => match list.difference(&there) {
            None => Ok(()),
            Some(difference) => {
                let (ours, theirs) = ("the folders to merge".into(), into.display().to_string());
                Err(SweepError::OtherSweep { ours, theirs, difference })
            }
        },
    }
}

/// Where a case was found.
enum Found {
    /// In the folder into which others are merged.
    There,
    /// In another, from which it was copied.
    Copied,
    Nowhere,
}

/// Finds a case, and copies it if it is in another folder only.
fn collect(store: &Store, others: &[Store], id: &str) -> Result<Found, SweepError> {
    if let Some(stored) = store.get(id)? {
        store.keep(stored);
        return Ok(Found::There);
    }
    for other in others {
        if let Some(stored) = store.copy(other, id)? {
            store.keep(stored);
            return Ok(Found::Copied);
        }
    }
    Ok(Found::Nowhere)
}
