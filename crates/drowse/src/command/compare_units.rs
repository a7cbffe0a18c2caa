//! `drowse run --compare-units`: a case by packets and by flows.

use drowse_core::measure::ProbeOptions;
use drowse_experiment::Case;
use drowse_run::inputs::{self, Traces};
use drowse_run::outcome::Outcome;
use drowse_run::request::RunRequest;
use drowse_run::threads::Threads;
use drowse_run::units;

use super::Format;
use crate::failure::Failure;
use crate::output::{self, progress, units as compared};

/// Runs a case by both, side by side where there are two threads, and prints what differs.
pub fn execute(case: &Case, threads: Threads, format: Format) -> Result<(), Failure> {
    let (packets, flows) = (case.by_packets(), case.by_flows());
    // What flows refuse is told before packets have run.
    drowse_run::check(&flows, &inputs::open(&flows, &Traces::default())?)?;
    let bars = progress::Bars::new(2);
    let request = RunRequest {
        baseline: Some(&flows),
        probes: ProbeOptions { message_sizes: true, ..ProbeOptions::default() },
        threads,
        observer: &|side, progress| bars.show(side as usize, progress),
        ..RunRequest::new(&packets)
    };
    let outcomes = request.run()?;
    drop(bars);
    let Some(by_flows) = &outcomes.baseline else { return Ok(()) };
    let by_packets = &outcomes.case;
    let (subjects, title) = (units::compare(by_packets, by_flows), case.system.title.as_str());
    let notes = notes(by_packets, by_flows);
    match format {
        Format::Json => output::print(&format!("{:#}\n", compared::json(title, &subjects, &notes))),
        Format::Table => output::print_table(&compared::text(title, &subjects, &notes)),
    }
}

/// Returns the warnings of both, and says of which they are where one has them alone.
fn notes(packets: &Outcome, flows: &Outcome) -> Vec<String> {
    let [ours, theirs] =
        [packets, flows].map(|outcome| outcome.summary.warnings().map(ToString::to_string).collect::<Vec<String>>());
    let told = |warning: &String| {
        let by = if theirs.contains(warning) { "" } else { " by packets" };
        format!("warning{by}: {warning}")
    };
    let alone = theirs.iter().filter(|warning| !ours.contains(warning));
    ours.iter().map(told).chain(alone.map(|warning| format!("warning by flows: {warning}"))).collect()
}
