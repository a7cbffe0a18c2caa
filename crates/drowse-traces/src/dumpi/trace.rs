//! An open DUMPI trace.

use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_core::workload::operation::OperationSource;

use super::layout::MAGIC;
use super::meta;
use super::names::rank_of;
use super::reading::RankFile;
use super::scan::scan;
use super::source::DumpiSource;
use super::survey::Survey;
use super::survey_files::survey_files;
use crate::compute::ComputeModel;
use crate::error::TraceError;
use crate::files::{ByteFile, Found, by_rank};
use crate::info::TraceInfo;
use crate::reader::Reader;

/// What this format is, for messages.
pub(crate) const ABOUT: &str = "SST DUMPI traces (a folder or an archive with PREFIX-0000.bin, PREFIX-0001.bin, ...)";

/// An open DUMPI trace.
#[derive(Clone)]
pub(crate) struct DumpiTrace {
    pub files: Arc<Vec<RankFile>>,
    pub survey: Arc<Survey>,
    /// What it holds, if one pass could tell.
    info: Option<Arc<TraceInfo>>,
    /// A hash of all calls.
    fingerprint: u64,
}

/// Returns whether what was found is a DUMPI trace, one rank's file of one, or its description.
pub(crate) fn recognises(found: &Found) -> Result<bool, TraceError> {
    if found.single_head()?.is_some_and(|head| head.starts_with(&MAGIC)) || meta::of(found).is_some() {
        return Ok(true);
    }
    match found.members()?.iter().find(|name| rank_of(name).is_some()) {
        Some(name) => Ok(found.member_head(name)?.starts_with(&MAGIC)),
        None => Ok(false),
    }
}

/// Opens the trace that was found, and reads it once.
pub(crate) fn open(found: Found) -> Result<Arc<dyn Reader>, TraceError> {
    let files = Arc::new(files(found)?.into_iter().map(RankFile::open).collect::<Result<Vec<_>, _>>()?);
    let (survey, fingerprint, scan) = survey_files(&files)?;
    let info = scan.map(|scan| Arc::new(scan.finish(&files, &survey)));
    Ok(Arc::new(DumpiTrace { files, survey: Arc::new(survey), info, fingerprint }))
}

/// Returns the files of all ranks in order.
fn files(found: Found) -> Result<Vec<ByteFile>, TraceError> {
    if let Some(meta) = meta::of(&found) {
        return meta.files();
    }
    let names = found.members()?;
    let Some(ranks) = by_rank(&found, &names, rank_of)? else {
        return Ok(vec![ByteFile::alone(found.into_single()?)]);
    };
    let texts: Vec<_> = ranks.iter().map(|name| found.member(name)).collect();
    let spool = match found {
        Found::Archive(archive) => Some(Arc::new(archive.spool)),
        _ => None,
    };
    Ok(texts.into_iter().map(|text| ByteFile::new(text, spool.clone())).collect())
}

impl Reader for DumpiTrace {
    fn ranks(&self) -> u32 {
        self.files.len() as u32
    }

    fn info(&self) -> Result<TraceInfo, TraceError> {
        match &self.info {
            Some(info) => Ok(info.as_ref().clone()),
            None => scan(&self.files, &self.survey),
        }
    }

    fn fingerprint(&self) -> Result<u64, TraceError> {
        Ok(self.fingerprint)
    }

    fn recorded(&self) -> Option<Vec<Time>> {
        self.survey.ranks.iter().map(|rank| rank.recorded).collect()
    }

    fn operations(&self, compute: ComputeModel) -> Box<dyn OperationSource> {
        Box::new(DumpiSource::new(&self.files, &self.survey, compute))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::files::look_at;

    /// Opens a trace of the tests.
    fn opened(name: &str) -> (Vec<RankFile>, Survey, Option<TraceInfo>) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/dumpi").join(name);
        let files = files(look_at(&path).unwrap()).unwrap();
        let files: Vec<_> = files.into_iter().map(|file| RankFile::open(file).unwrap()).collect();
        let (survey, _, counted) = survey_files(&files).unwrap();
        let info = counted.map(|scan| scan.finish(&files, &survey));
        (files, survey, info)
    }

    #[test]
    fn one_pass_counts_what_two_count() {
        for name in ["testtrace", "is.S.16.tar.gz"] {
            let (files, survey, info) = opened(name);
            assert_eq!(info, Some(scan(&files, &survey).unwrap()), "{name}");
        }
    }
}
