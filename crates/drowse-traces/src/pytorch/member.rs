//! The JSON files of a trace, each of one rank: a file alone, or all of a folder or an archive, perhaps compressed.

use std::collections::BTreeSet;
use std::path::Path;

use super::rank::RankTrace;
use crate::error::{Place, TraceError};
use crate::files::{self, ByteFile, Found};
use crate::registry::Head;

/// Endings of compressed files.
const PACKED: [&str; 3] = [".gz", ".zst", ".xz"];

/// A file of a rank.
pub(crate) struct File {
    /// Its name, without folders.
    pub name: String,
    pub bytes: ByteFile,
    /// The first bytes.
    pub head: Vec<u8>,
}

/// Returns whether a name is that of a JSON file, perhaps compressed.
fn is_json(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let name = PACKED.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
    let hidden = name.rsplit('/').next().is_some_and(|name| name.starts_with('.'));
    Path::new(name).extension().is_some_and(|ending| ending == "json") && !hidden
}

/// Returns whether the one file, or a JSON file of a folder or archive, has a head of a form.
pub(crate) fn any(found: &Found, is: fn(&Head) -> bool) -> Result<bool, TraceError> {
    if let Some(head) = found.single_head()? {
        return Ok(is(&Head::new(&head, &found.label())));
    }
    for name in found.members()?.iter().filter(|name| is_json(name)) {
        if is(&Head::new(&files::unpacked_head(found, name)?, name)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the files with heads of a form, in the order of their names.
pub(crate) fn files(found: Found, is: fn(&Head) -> bool) -> Result<Vec<File>, TraceError> {
    let single = found.single_head()?;
    if let Some(head) = single {
        let name = found.label().rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        return Ok(vec![File { name, bytes: ByteFile::alone(found.into_single()?), head }]);
    }
    let (mut names, mut heads) = (Vec::new(), Vec::new());
    for name in found.members()?.into_iter().filter(|name| is_json(name)) {
        let head = files::unpacked_head(&found, &name)?;
        if is(&Head::new(&head, &name)) {
            if found.leads_out(&name) {
                return Err(TraceError::OutsideLink { file: found.member(&name).label });
            }
            names.push(name);
            heads.push(head);
        }
    }
    let all = files::unpacked_members(found, &names)?;
    let files = names.into_iter().zip(heads).zip(all).map(|((name, head), bytes)| File { name, bytes, head });
    Ok(files.collect())
}

/// Sets the ranks of files that do not tell them, by their names, and puts the files into the order of ranks. Fails
/// where two have one rank.
pub(crate) fn set_ranks(traces: &mut [RankTrace], names: &[&str], label: &str) -> Result<(), TraceError> {
    let refuse = |what: String| TraceError::Other { place: Place { file: label.to_owned(), line: 0 }, what };
    if traces.iter().any(|trace| trace.rank.is_none()) {
        let ranks = number_ranks(names).ok_or_else(|| {
            refuse(
                "the files do not say of which rank they are, and their names do not differ in one number from 0 on; \
                 name them rank-0.json, rank-1.json and so on"
                    .to_owned(),
            )
        })?;
        traces.iter_mut().zip(ranks).for_each(|(trace, rank)| trace.rank = Some(rank));
    }
    traces.sort_by_key(|trace| trace.rank);
    match traces.windows(2).find(|pair| pair[0].rank == pair[1].rank) {
        Some([one, other]) => Err(refuse(format!(
            "{} and {} are both of rank {}; keep one of them",
            one.label,
            other.label,
            one.rank.unwrap_or_default()
        ))),
        _ => Ok(()),
    }
}

/// Returns the ranks of files that do not tell them: the one number by which their names differ, from 0 on; `None`
/// where there is no such number, or more than one.
pub(crate) fn number_ranks(names: &[&str]) -> Option<Vec<u64>> {
    if names.len() == 1 {
        return Some(vec![0]);
    }
    let numbers: Vec<Vec<u64>> = names.iter().map(|name| numbers(name)).collect();
    let columns = numbers.iter().map(Vec::len).min()?;
    let ranks = |column: usize| -> Option<Vec<u64>> {
        let of: Vec<u64> = numbers.iter().map(|numbers| numbers[column]).collect();
        let set: BTreeSet<u64> = of.iter().copied().collect();
        (set.len() == of.len() && set.last() == Some(&(of.len() as u64 - 1))).then_some(of)
    };
    let mut found = (0..columns).filter_map(ranks);
    found.next().filter(|first| found.all(|other| other == *first))
}

/// Returns the whole numbers in a name.
fn numbers(name: &str) -> Vec<u64> {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let parts = name.split(|letter: char| !letter.is_ascii_digit());
    parts.filter(|part| !part.is_empty()).map(|part| part.parse().unwrap_or(u64::MAX)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_json_files() {
        assert!(["a.json", "a.pt.trace.json.gz", "a/rank-0.JSON.zst"].into_iter().all(is_json));
        assert!(!["a.et", "a.json.txt", "._a.json", "a/._b.json", "a.gz", "json"].into_iter().any(is_json));
    }

    #[test]
    fn ranks_are_numbers_in_names() {
        assert_eq!(number_ranks(&["whatever.json"]), Some(vec![0]));
        assert_eq!(number_ranks(&["et_1.json", "et_0.json"]), Some(vec![1, 0]));
        assert_eq!(number_ranks(&["rank-1.Apr_03_18.1102.json", "rank-0.Apr_03_18.1188.json"]), Some(vec![1, 0]));
        assert_eq!(number_ranks(&["a_1.json", "a_2.json"]), None);
        assert_eq!(number_ranks(&["a.json", "b.json"]), None);
        assert_eq!(number_ranks(&["0_1.json", "1_0.json"]), None);
        assert_eq!(number_ranks(&["0_0.json", "1_1.json"]), Some(vec![0, 1]));
        assert_eq!(number_ranks(&[]), None);
    }
}
