//! Notes on how the jobs of a run load the network: which start again, for how long how many ran, and for how long none
//! sent anything at the beginning and the end.

use drowse_run::outcome::Outcome;
use drowse_tables::schema::cases;

use crate::output::number::Style;

/// The most numbers of jobs that a note lists.
const MOST: usize = 4;

/// The least share of the run time without messages that is worth a note.
const WORTH_TELLING: f64 = 0.05;

/// Returns the notes.
pub fn notes(outcome: &Outcome) -> impl Iterator<Item = String> {
    let again = outcome.record.jobs.iter().filter(|job| job.again);
    let repetitions = again.map(|job| {
        let runs = if job.repetitions == 1 { "repetition" } else { "repetitions" };
        format!("{} repeats until others end: {} whole {runs}", job.name, Style::Count("").show(job.repetitions as f64))
    });
    repetitions.chain(shares(outcome)).chain(without_messages(outcome))
}

/// Says for which shares of the time how many jobs ran, where that is not always the same.
fn shares(outcome: &Outcome) -> Option<String> {
    let figures = &outcome.summary.figures;
    let shares: Vec<(&str, f64)> =
        figures.all(cases::JOBS_RUNNING_FRACTION).filter_map(|(jobs, share)| Some((jobs, share.number()?))).collect();
    let percent = |share: f64| format!("{} %", Style::Percent.show(100.0 * share));
    let mut parts: Vec<String> = Vec::new();
    for (jobs, share) in shares.iter().take(MOST) {
        let what = match (*jobs, parts.is_empty()) {
            ("1", true) => "1 job ran for".to_owned(),
            (jobs, true) => format!("{jobs} jobs ran for"),
            ("0", false) => "none".to_owned(),
            (jobs, false) => jobs.to_owned(),
        };
        let time = if parts.is_empty() { " of the time" } else { "" };
        let joint = if parts.is_empty() { "" } else { " for" };
        parts.push(format!("{what}{joint} {}{time}", percent(*share)));
    }
    let rest: f64 = shares.iter().skip(MOST).map(|(_, share)| share).sum();
    if shares.len() > MOST {
        parts.push(format!("fewer for {}", percent(rest)));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Says how much of the run time lies before the first and behind the last message, where that is much: links may sleep
/// there for nothing.
fn without_messages(outcome: &Outcome) -> Option<String> {
    let figures = &outcome.summary.figures;
    let before = figures.number(cases::MESSAGES_BEFORE_FRACTION)?;
    let after = figures.number(cases::MESSAGES_AFTER_FRACTION)?;
    let percent = |share: f64| Style::Percent.show(100.0 * share);
    (before + after >= WORTH_TELLING).then(|| {
        format!(
            "{} % of the run time lies before the first message between nodes, {} % behind the last",
            percent(before),
            percent(after)
        )
    })
}
