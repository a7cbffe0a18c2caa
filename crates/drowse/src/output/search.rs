//! What `drowse search` prints: the answer, and how many cases it took.

use std::fmt::Write;

use drowse_report::Study;
use drowse_report::best::verify::Verified;
use drowse_report::best::{Answer, Question};
use drowse_run::sweep::search::Found;
use serde_json::{Value, json};

use super::{best, sweep, verify, wrap};

/// Lays out the answer of a search.
pub fn text(
    study: &Study,
    question: &Question<'_>,
    answer: &Answer,
    found: &Found,
    verified: Option<&Verified>,
) -> String {
    let Found { report, grid, rounds } = found;
    let mut text = best::text(study, question, answer);
    if let Some(verified) = verified {
        text += &verify::text(answer, verified);
    }
    let cases = sweep::counts(report.cases, report.baselines);
    let share = report.cases as f64 / *grid as f64 * 100.0;
    let rounds = if *rounds == 1 { "1 round".to_owned() } else { format!("{rounds} rounds") };
    let took = format!("{cases} of a grid of {grid} ({share:.1} %) in {rounds}, {} run now", report.ran);
    // Writing into a text cannot fail.
    let _ = writeln!(text, "\n{}", wrap::paragraph(&took));
    for file in &report.files {
        let _ = writeln!(text, "{}", file.display());
    }
    text
}

/// Returns the answer and the counts as JSON.
pub fn json(study: &Study, answer: &Answer, found: &Found, verified: Option<&Verified>) -> Value {
    let search = json!({ "grid": found.grid, "rounds": found.rounds });
    let mut json =
        json!({ "answer": best::json(study, answer), "sweep": sweep::json(&found.report), "search": search });
    if let Some(verified) = verified {
        json["verified"] = verify::json(verified);
    }
    json
}
