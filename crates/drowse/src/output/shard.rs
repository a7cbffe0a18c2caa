//! What `drowse sweep --shard` prints: what it has run, and what comes next.

use std::path::Path;

use drowse_run::sweep::shard::{Shard, ShardReport};
use serde_json::{Value, json};

/// Says what a shard has run.
pub fn text(shard: Shard, report: &ShardReport, folder: &Path) -> String {
    let ShardReport { all, items, ran, .. } = report;
    let failed = if report.failed > 0 { format!(", {} could not finish", report.failed) } else { String::new() };
    format!(
        "shard {shard}: {items} of {all} cases and baselines, {ran} run now{failed}\n\
         `drowse merge {}` writes the tables when all shards are done\n",
        folder.display()
    )
}

/// Returns the counts.
pub fn json(shard: Shard, report: &ShardReport) -> Value {
    let ShardReport { all, items, ran, failed, .. } = report;
    json!({ "shard": shard.to_string(), "all": all, "items": items, "ran": ran, "failed": failed })
}
