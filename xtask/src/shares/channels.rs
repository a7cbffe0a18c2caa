//! Shares of a link, from the table of channels.

use std::collections::{BTreeMap, HashMap};

use crate::failure::{Failure, Outcome};

/// A table of channels by the names of its columns.
struct Channels<'a> {
    columns: HashMap<&'a str, usize>,
    rows: Vec<Vec<&'a str>>,
}

impl<'a> Channels<'a> {
    fn read(csv: &'a str) -> Self {
        let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let head = lines.next().unwrap_or_default();
        Self { columns: head.into_iter().zip(0..).collect(), rows: lines.collect() }
    }

    fn cell(&self, row: &[&'a str], column: &str) -> Outcome<&'a str> {
        let cell = self.columns.get(column).and_then(|at| row.get(*at));
        cell.copied().ok_or_else(|| Failure::new(format!("channels.csv has no {column}")))
    }

    fn number(&self, row: &[&'a str], column: &str) -> Outcome<f64> {
        let cell = self.cell(row, column)?;
        if cell.is_empty() { Ok(0.0) } else { cell.parse().map_err(|_| Failure::new(format!("{column}: {cell}"))) }
    }
}

/// Least, mean and most of some shares.
struct Spread {
    shares: Vec<f64>,
}

impl Spread {
    fn least(&self) -> f64 {
        self.shares.iter().copied().fold(f64::INFINITY, f64::min)
    }

    fn most(&self) -> f64 {
        self.shares.iter().copied().fold(0.0, f64::max)
    }

    fn cells(&self) -> String {
        if self.shares.is_empty() {
            return ",,".to_owned();
        }
        let mean = self.shares.iter().sum::<f64>() / self.shares.len() as f64;
        format!("{:.3},{mean:.3},{:.3}", self.least(), self.most())
    }
}

/// Returns the shares of node 0's link, where all send to it: those of the other nodes at its switch in equal parts of what the link
/// sends among all input ports that send to it; those of all nodes in equal parts among all nodes, which are max-min fair where no
/// other link is as loaded.
pub fn hot_spot(csv: &str) -> Outcome<String> {
    let channels = Channels::read(csv);
    let mut sent: BTreeMap<u64, (f64, &str)> = BTreeMap::new();
    let mut ports: HashMap<&str, f64> = HashMap::new();
    let (mut home, mut got) = ("", 0.0);
    for row in &channels.rows {
        let cell = |column| channels.cell(row, column);
        let packets = channels.number(row, "packets")?;
        let from_node = cell("from_kind")? == "node";
        if from_node && cell("from_node")? != "0" {
            let node = cell("from_node")?.parse().map_err(|_| Failure::new("channels.csv: a node without a number"))?;
            sent.insert(node, (packets, cell("to_switch")?));
        }
        if cell("to_kind")? == "switch" && !(from_node && cell("from_node")? == "0") && packets > 0.0 {
            *ports.entry(cell("to_switch")?).or_default() += 1.0;
        }
        if cell("to_kind")? == "node" && cell("to_node")? == "0" {
            (home, got) = (cell("from_switch")?, packets);
        }
    }
    let at_home = ports.get(home).copied().unwrap_or(0.0);
    let beside = sent.values().filter(|(_, by)| *by == home).map(|(packets, _)| packets * at_home / got);
    let all = sent.values().map(|(packets, _)| packets * sent.len() as f64 / got);
    let (beside, all) = (Spread { shares: beside.collect() }, Spread { shares: all.collect() });
    Ok(format!("{},{}", beside.cells(), all.cells()))
}

/// Returns the least and the greatest load that a node injects, and how many inject nothing.
pub fn injected(csv: &str) -> Outcome<String> {
    let channels = Channels::read(csv);
    let mut shares = Vec::new();
    for row in &channels.rows {
        if channels.cell(row, "from_kind")? == "node" {
            shares.push(channels.number(row, "utilisation")?);
        }
    }
    let nothing = shares.iter().filter(|share| **share == 0.0).count();
    let spread = Spread { shares };
    Ok(format!("{:.4},{:.4},{nothing}", spread.least(), spread.most()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two switches; nodes 0 and 1 at the first, node 2 at the second.
    const CSV: &str = "from_kind,from_node,from_switch,to_kind,to_node,to_switch,packets,utilisation
node,0,,switch,,0,0,0
node,1,,switch,,0,30,0.25
node,2,,switch,,1,10,0.125
switch,,1,switch,,0,10,0.1
switch,,0,node,0,,40,0.5
";

    #[test]
    fn shares_by_hand() {
        // Two ports share 40 packets at home: node 1 has 30 of 20. All nodes: 30 and 10 of 20.
        assert_eq!(hot_spot(CSV).unwrap(), "1.500,1.500,1.500,0.500,1.000,1.500");
        assert_eq!(injected(CSV).unwrap(), "0.0000,0.2500,1");
    }

    #[test]
    fn a_node_alone_at_its_switch_has_no_neighbours() {
        let csv = CSV.replace("node,1,,switch,,0,30", "node,1,,switch,,1,30");
        assert!(hot_spot(&csv).unwrap().starts_with(",,,"));
    }
}
