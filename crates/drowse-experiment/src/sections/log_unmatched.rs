//! What `[[job]]` tables name, and no job that is run has: mostly typing errors.

use std::collections::BTreeSet;

use super::log_cut::CutJob;
use super::log_map::{Template, is_match};
use crate::job_log::About;
use crate::wording::meant;

/// Returns a note for each account, name and executable of a program that no job has.
pub fn notes(templates: &[Template], jobs: &[CutJob]) -> Vec<String> {
    let accounts = all(jobs, |about| about.account.as_deref());
    let names = all(jobs, |about| about.name.as_deref());
    let executables: BTreeSet<u64> = jobs.iter().filter_map(|job| job.job.about.executable).collect();
    let mut notes = Vec::new();
    for selects in templates.iter().map(|template| &template.selects) {
        let unknown = selects.accounts.iter().filter(|account| !accounts.contains(account.as_str()));
        notes.extend(unknown.map(|account| note("account", account, &accounts)));
        let unknown = selects.names.iter().filter(|pattern| !names.iter().any(|name| is_match(pattern, name)));
        notes.extend(unknown.map(|pattern| note("name", pattern, &names)));
        let unknown = selects.executables.iter().filter(|number| !executables.contains(number));
        notes.extend(unknown.map(|number| format!("no job that is run has the executable {number}")));
    }
    notes
}

/// Returns all that the log says of one kind, once each.
fn all(jobs: &[CutJob], of: fn(&About) -> Option<&str>) -> BTreeSet<&str> {
    jobs.iter().filter_map(|job| of(&job.job.about)).collect()
}

/// Says what no job has, and what may have been meant.
fn note(kind: &str, written: &str, known: &BTreeSet<&str>) -> String {
    let known: Vec<&str> = known.iter().copied().collect();
    let proposal = match meant(written.trim_matches('*'), &known).trim_end() {
        "" if known.is_empty() => format!("; the log says no {kind} at all"),
        "" => String::new(),
        proposal => format!("; {proposal}"),
    };
    format!("no job that is run has the {kind} \"{written}\"{proposal}")
}
