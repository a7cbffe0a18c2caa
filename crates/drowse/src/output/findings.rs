//! The findings of `drowse trace check`.

use std::fmt::Write as _;
use std::path::Path;

use drowse_run::trace::{Finding, Findings};
use serde_json::{Value, json};

use super::wrap;

/// Lays out findings, one a line.
pub fn lines(file: &Path, findings: &Findings) -> String {
    let mut text = String::new();
    for finding in &findings.first {
        let place = finding.place.as_ref().map_or_else(|| file.display().to_string(), ToString::to_string);
        let at = finding.at.map_or(String::new(), |at| format!("rank {}, operation {}: ", at.rank, at.operation));
        let _ = writeln!(text, "{place}: {at}{}", finding.what);
    }
    let more = findings.total.saturating_sub(findings.first.len() as u64);
    if more > 0 {
        let _ = writeln!(text, "and {more} more, which --most N prints");
    }
    let _ = writeln!(
        text,
        "{}",
        match findings.total {
            0 if findings.notes.is_empty() => "no finding: the ranks fit together".to_owned(),
            0 => "no finding in what is read; the warnings say what else there is".to_owned(),
            1 => "1 finding".to_owned(),
            total => format!("{total} findings"),
        }
    );
    for note in &findings.notes {
        let _ = writeln!(text, "{}", wrap::paragraph(&format!("warning: {note}")));
    }
    text
}

/// Returns findings as JSON.
pub fn json(findings: &Findings) -> Value {
    let finding = |finding: &Finding| {
        json!({
            "rank": finding.at.map(|at| at.rank),
            "operation": finding.at.map(|at| at.operation),
            "file": finding.place.as_ref().map(|place| &place.file),
            "line": finding.place.as_ref().map(|place| place.line),
            "finding": finding.what,
        })
    };
    let first: Vec<Value> = findings.first.iter().map(finding).collect();
    json!({
        "total": findings.total,
        "first": first,
        "largest_that_must_be_eager": findings.eager,
        "warnings": findings.notes,
    })
}
