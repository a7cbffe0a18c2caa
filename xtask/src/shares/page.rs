//! The tables of the page on fairness.

use std::fmt::Write as _;

use crate::marked::fill;

/// What is known of one kind of queues and arbiters, over all networks.
struct Row<'a> {
    queues: &'a str,
    arbiters: &'a str,
    beside: Extent,
    all: Extent,
}

/// Least, mean and most over networks, and in how many the least is below what is few.
#[derive(Default)]
struct Extent {
    count: usize,
    sum: f64,
    least: f64,
    most: f64,
    below: usize,
}

impl Extent {
    fn note(&mut self, cells: &[&str], few: f64) {
        let number = |at: usize| cells.get(at).and_then(|cell| cell.parse::<f64>().ok()).unwrap_or(0.0);
        let (low, mean, high) = (number(0), number(1), number(2));
        self.least = if self.count == 0 { low } else { self.least.min(low) };
        self.most = if self.count == 0 { high } else { self.most.max(high) };
        self.count += 1;
        self.sum += mean;
        self.below += usize::from(low < few);
    }
}

/// Returns the page with its tables made of what is recorded.
pub fn filled(page: &str, recorded: &str, hyperx: &str) -> String {
    let cells: Vec<Vec<&str>> = recorded.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let rows = rows(&cells);
    let parts = [
        ("<!-- shares of neighbours", table(&rows, |row| &row.beside, "networks below 0.9")),
        ("<!-- shares of all nodes", table(&rows, |row| &row.all, "networks where some get less than half")),
        ("<!-- shares of a HyperX", of_hyperx(hyperx)),
        ("<!-- shares of less than half", less_than_half(&cells)),
    ];
    fill(page, "<!-- end of shares", &parts)
}

fn rows<'a>(cells: &[Vec<&'a str>]) -> Vec<Row<'a>> {
    let mut rows: Vec<Row> = Vec::new();
    for line in cells {
        let [_, _, queues, arbiters, shares @ ..] = &line[..] else { continue };
        let at = rows.iter().position(|row| row.queues == *queues && row.arbiters == *arbiters).unwrap_or_else(|| {
            rows.push(Row { queues, arbiters, beside: Extent::default(), all: Extent::default() });
            rows.len() - 1
        });
        if !shares[0].is_empty() {
            rows[at].beside.note(shares, 0.9);
        }
        rows[at].all.note(&shares[3..], 0.5);
    }
    rows
}

fn table(rows: &[Row], of: for<'a> fn(&'a Row) -> &'a Extent, last: &str) -> String {
    let mut table = format!("\n| queues | arbiters | least | mean | most | {last} |\n|---|---|---:|---:|---:|---:|\n");
    for row in rows {
        let Extent { count, sum, least, most, below } = of(row);
        let mean = sum / *count as f64;
        let _ = writeln!(
            table,
            "| `{}` | `{}` | {least:.2} | {mean:.2} | {most:.2} | {below} of {count} |",
            row.queues, row.arbiters
        );
    }
    table + "\n"
}

fn of_hyperx(csv: &str) -> String {
    let mut rows: Vec<(&str, String)> = Vec::new();
    for line in csv.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let [_, arbiters, least, most, nothing] = cells[..] else { continue };
        let number = |cell: &str| cell.parse::<f64>().unwrap_or(f64::NAN);
        let said = format!(" | {:.3} to {:.3}, {nothing}", number(least), number(most));
        match rows.iter_mut().find(|(name, _)| *name == arbiters) {
            Some((_, row)) => *row += &said,
            None => rows.push((arbiters, said)),
        }
    }
    let mut table = "\n| arbiters | `input` queues | `virtual-output` | `output` |\n|---|---:|---:|---:|\n".to_owned();
    for (arbiters, said) in rows {
        let _ = writeln!(table, "| `{arbiters}`{said} |");
    }
    table + "\n"
}

/// The networks in which some node gets less than half although the oldest packet goes first.
fn less_than_half(cells: &[Vec<&str>]) -> String {
    let mut table = "\n| network, routing | least | most |\n|---|---:|---:|\n".to_owned();
    for line in cells {
        let [network, routing, "input", "age", _, _, _, least, _, most] = line[..] else { continue };
        let (least, most) = (least.parse::<f64>().unwrap_or(f64::NAN), most.parse::<f64>().unwrap_or(f64::NAN));
        if least < 0.5 {
            let _ = writeln!(table, "| `{network}`, {routing} | {least:.2} | {most:.2} |");
        }
    }
    table + "\n"
}
