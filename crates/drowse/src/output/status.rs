//! The table of `drowse status`: all cases, and those of each shard.

use drowse_run::sweep::shard::Shard;
use drowse_run::sweep::status::{Counts, Status};
use serde_json::{Value, json};

use super::columns::Columns;
use super::wrap;

/// Lays out the counts.
pub fn table(status: &Status) -> String {
    let header = ["shard", "state", "all", "stored", "failed", "missing"].map(str::to_owned).to_vec();
    let mut columns = Columns::new(2, header);
    for (shard, &(begun, counts)) in &status.shards {
        columns.row(row(shard.to_string(), state(begun, counts), counts));
    }
    columns.row(row("all".into(), state(true, status.all), status.all));
    let of = match (status.cases, status.baselines) {
        (1, 0) => "1 case".into(),
        (cases, 0) => format!("{cases} cases"),
        (cases, 1) => format!("{cases} cases and 1 baseline"),
        (cases, baselines) => format!("{cases} cases and {baselines} baselines"),
    };
    format!("{}\n\n{columns}\n{of}\n", wrap::paragraph(&status.title))
}

/// Says how far a shard is; whether it still runs, its engine knows.
fn state(begun: bool, counts: Counts) -> &'static str {
    match (begun, counts.missing()) {
        (_, 0) => "done",
        (true, _) => "begun",
        (false, _) => "not begun",
    }
}

fn row(name: String, state: &str, counts: Counts) -> Vec<String> {
    let Counts { items, stored, failed } = counts;
    let numbers = [items, stored, failed, counts.missing()].map(|count| count.to_string());
    [name, state.to_owned()].into_iter().chain(numbers).collect()
}

/// Returns the counts.
pub fn json(status: &Status) -> Value {
    let counts = |counts: Counts| {
        let Counts { items, stored, failed } = counts;
        json!({ "all": items, "stored": stored, "failed": failed, "missing": counts.missing() })
    };
    let of_shard = |(shard, &(begun, of)): (&Shard, &(bool, Counts))| {
        let (name, state) = (shard.to_string(), state(begun, of));
        json!({ "shard": name, "state": state, "counts": counts(of) })
    };
    json!({
        "title": status.title,
        "cases": status.cases,
        "baselines": status.baselines,
        "counts": counts(status.all),
        "shards": status.shards.iter().map(of_shard).collect::<Vec<Value>>(),
    })
}
