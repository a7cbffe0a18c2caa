//! Formats with a file per rank, which its name tells.

use super::found::Found;
use crate::error::TraceError;

/// Returns the names of the files of ranks 0, 1, ..., or `None` where one file stands alone. `rank_of` tells the prefix
/// and the rank of a file's name. All are of one trace, and no rank is missing.
pub(crate) fn by_rank<'n>(
    found: &Found,
    names: &'n [String],
    rank_of: fn(&str) -> Option<(&str, u32)>,
) -> Result<Option<Vec<&'n str>>, TraceError> {
    let file = || found.label();
    let mut ranks: Vec<(&str, u32, &str)> =
        names.iter().filter_map(|name| rank_of(name).map(|(prefix, rank)| (prefix, rank, name.as_str()))).collect();
    if ranks.len() <= 1 && found.single_head()?.is_some() {
        return Ok(None);
    }
    ranks.sort_unstable();
    if let (Some((first, ..)), Some((last, ..))) = (ranks.first(), ranks.last())
        && first != last
    {
        return Err(TraceError::SeveralTraces { file: file(), found: format!("{first}, {last}") });
    }
    if let Some((expected, &(_, highest, _))) = (0..).zip(&ranks).find(|&(expected, &(_, rank, _))| rank != expected) {
        return Err(TraceError::MissingRankFile { file: file(), rank: expected, highest });
    }
    if let Some(&(.., name)) = ranks.iter().find(|&&(.., name)| found.leads_out(name)) {
        return Err(TraceError::OutsideLink { file: found.member(name).label });
    }
    Ok(Some(ranks.into_iter().map(|(.., name)| name).collect()))
}
