//! Every algorithm of collective operations against its closed form: the page.

use std::fmt::Write;

use drowse_core::model::config::NodeModel;
use drowse_core::model::units::Bytes;

use crate::collective_cases::Named;
use crate::parallel;

const RANKS: u32 = 8;

/// One algorithm: large data sent eagerly and by the usual limit, in units of S / B, and rounds of small data.
struct Row {
    named: Named,
    large: Option<[f64; 2]>,
    small: f64,
}

/// Runs all algorithms and writes the page.
pub fn page() -> String {
    let rows = parallel::map(&Named::all(), |&named| {
        let large = named
            .large(RANKS)
            .map(|_| [Bytes(1 << 40), NodeModel::default().eager_limit].map(|limit| named.run_large(RANKS, limit)));
        Row { named, large, small: named.run_small(RANKS) }
    });
    let mut table = "| operation | algorithm | large: bound | eager | ratio | rendezvous | ratio | small: rounds | ours | ratio |\n\
                     |---|---|---|---:|---:|---:|---:|---|---:|---:|\n"
        .to_owned();
    for row in &rows {
        let (operation, algorithm) = row.named.words();
        let _ = write!(table, "| `{operation}` | `{algorithm}` |");
        let _ = match (row.named.large(RANKS), row.large) {
            (Some(form), Some([eager, usual])) => write!(
                table,
                " {} = {:.3} | {eager:.3} | {:.2} | {usual:.3} | {:.2} |",
                form.0,
                form.1,
                eager / form.1,
                usual / form.1
            ),
            _ => write!(table, " | | | | |"),
        };
        let form = row.named.small(RANKS);
        let _ = writeln!(table, " {} = {} | {:.3} | {:.2} |", form.0, form.1, row.small, row.small / form.1);
    }
    let worst = |of: &dyn Fn(&Row) -> Option<f64>| rows.iter().filter_map(of).fold(0.0_f64, f64::max);
    let eager = worst(&|row| Some(row.large?[0] / row.named.large(RANKS)?.1));
    let small = worst(&|row| Some(row.small / row.named.small(RANKS).1));
    include_str!("collectives_text.md")
        .replace("<table>\n", &table)
        .replace("<eager>", &format!("{eager:.2}"))
        .replace("<small>", &format!("{small:.2}"))
}
