//! What is said of cases that packets have verified.

use std::fmt::Write;

use drowse_report::best::Answer;
use drowse_report::best::verify::Verified;
use drowse_tables::question::spread::Spread;
use serde_json::{Map, Value, json};

use super::wrap;

/// Says which figures come from what, and by how much flows are off.
pub fn text(answer: &Answer, verified: &Verified) -> String {
    let Verified { pairs, drawn, cases, pending, by_flows, .. } = verified;
    let mut said = format!(
        "All figures above are by packets. Of {cases} cases by flows, {pairs} were run by packets, too: {drawn} drawn, the \
         others because they might be the answer or on the front. Figures of 95 % of these differ by at most {}.",
        spreads(verified).join(", ")
    );
    for (group, by_flows) in answer.groups.iter().zip(by_flows).filter(|_| answer.groups.len() == 1) {
        let _ = match by_flows {
            Some(name) if group.keep > 0 => write!(said, " By flows alone the answer would be {name}."),
            Some(name) => write!(said, " By flows alone {name} would keep the condition."),
            None => write!(said, " By flows alone no case would keep the condition."),
        };
    }
    // Writing into a text cannot fail.
    if !pending.is_empty() {
        let _ = write!(
            said,
            " warning: {} more might be the answer and have no result by packets: `drowse search` with this question \
             runs them.",
            pending.len()
        );
    }
    format!("\n{}\n", wrap::paragraph(&said))
}

/// Returns the spread of each figure in words.
fn spreads(verified: &Verified) -> Vec<String> {
    let of = |(name, Spread { by, is_share }): &(String, Spread)| {
        let unit = if *is_share { "%" } else { "points" };
        format!("{:.2} {unit} in {name}", by * 100.0)
    };
    verified.spreads.iter().map(of).collect()
}

/// Returns it as JSON.
pub fn json(verified: &Verified) -> Value {
    let spread = |(name, Spread { by, is_share }): &(String, Spread)| {
        (name.clone(), json!({ "by": by, "of": if *is_share { "value" } else { "difference" } }))
    };
    let Verified { spreads, pairs, drawn, cases, pending, by_flows } = verified;
    json!({
        "unit": "packet",
        "pairs": pairs,
        "drawn": drawn,
        "cases_by_flows": cases,
        "spread_95": spreads.iter().map(spread).collect::<Map<_, _>>(),
        "best_by_flows": by_flows,
        "pending": pending,
    })
}
