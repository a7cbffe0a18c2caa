//! Cases that flows have found, run again by packets: for `drowse search`, `drowse sweep` and `drowse best`.

use std::collections::HashSet;
use std::path::Path;

use drowse_experiment::{Search, Sweep};
use drowse_report::Results;
use drowse_report::best::Question;
use drowse_report::best::verify::{Verified, verify};
use drowse_run::sweep::{Report, Watch, verify as by_packets};
use drowse_tables::question::spread::Spread;
use drowse_tables::schema::CASES;

use crate::failure::Failure;

/// What packets have verified.
pub struct Verification {
    /// How far flows are off, and what is left.
    pub verified: Verified,
    /// The cases that were run by packets.
    pub report: Report,
}

/// Returns the question of a search.
pub fn asked(search: &Search) -> Question<'_> {
    Question { minimize: &search.minimize, condition: search.condition.as_deref(), by: &search.by }
}

/// Runs cases by packets until no other may be the answer to a question, and so many more as are drawn. `numbers` are
/// those of the cases by flows, which are in `folder`.
pub fn run(
    sweep: &Sweep<'_>,
    numbers: &[(String, u64)],
    folder: &Path,
    (question, drawn): (&Question<'_>, usize),
    threads: usize,
    watch: &Watch<'_>,
) -> Result<Verification, Failure> {
    let flows = Results::read(folder).map_err(Failure::Report)?;
    let into = by_packets::folder(folder);
    let mut asked: HashSet<String> = HashSet::new();
    let (mut report, mut ran): (Option<Report>, u64) = (None, 0);
    loop {
        let has_some = |report: &&Report| report.cases + report.baselines > report.failed;
        let packets = report.as_ref().filter(has_some).map(|_| read(&into)).transpose()?.flatten();
        let verified = verify(&flows, packets.as_ref(), question, drawn).map_err(Failure::Report)?;
        let before = asked.len();
        asked.extend(verified.pending.iter().cloned());
        // What packets cannot finish has no figures, however often it is asked for.
        if let Some(report) = report.as_ref().filter(|_| asked.len() == before) {
            return Ok(Verification { verified, report: Report { ran, ..report.clone() } });
        }
        let wanted: Vec<u64> = numbers.iter().filter(|(id, _)| asked.contains(id)).map(|(_, number)| *number).collect();
        let made = by_packets::run(sweep, &wanted, &into, threads, watch).map_err(Failure::of_sweep)?;
        ran += made.ran;
        report = Some(made);
    }
}

/// Reads the cases by packets of a folder; `None` where there are none.
pub fn read(folder: &Path) -> Result<Option<Results>, Failure> {
    let is_there = folder.join(CASES.file).exists();
    is_there.then(|| Results::read(folder).map_err(Failure::Report)).transpose()
}

/// Returns the spreads of the figures of a search, in their order.
pub fn spreads(verified: &Verified, figures: impl Iterator<Item = impl AsRef<str>>) -> Vec<Spread> {
    figures.map(|name| verified.spread(name.as_ref())).collect()
}
