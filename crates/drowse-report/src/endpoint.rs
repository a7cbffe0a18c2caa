//! The ends of channels, as `channels.csv` writes them: in columns `from_kind`, `from_switch`, `from_node` (and the
//! same with `to`), or in a sentence `from`, such as `switch 3 port 1` or `node 5`.

use crate::table::Table;

/// An end of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Endpoint {
    /// A switch, by its number.
    Switch(usize),
    /// A node, by its number.
    Node(usize),
}

/// Reads one end of each channel of a table.
#[derive(Debug)]
pub struct Endpoints {
    sentence: Option<usize>,
    kind: Option<usize>,
    switch: Option<usize>,
    node: Option<usize>,
}

impl Endpoints {
    /// Finds the columns of an end: `from` or `to`.
    pub fn new(table: &Table, end: &str) -> Self {
        let column =
            |part: &str| table.place(&format!("{end}_{part}")).or_else(|| table.place(&format!("{end}.{part}")));
        Endpoints { sentence: table.place(end), kind: column("kind"), switch: column("switch"), node: column("node") }
    }

    /// Reads the end of a row; `None` where it is not told.
    pub fn of(&self, table: &Table, row: usize) -> Option<Endpoint> {
        let number = |column| table.text(row, column).parse().ok();
        let is_node = table.text(row, self.kind) == "node";
        match (number(self.switch), number(self.node)) {
            (_, Some(node)) if is_node => Some(Endpoint::Node(node)),
            (Some(switch), _) => Some(Endpoint::Switch(switch)),
            (None, Some(node)) => Some(Endpoint::Node(node)),
            (None, None) => sentence(table.text(row, self.sentence)),
        }
    }
}

/// Reads `node N` or `switch S port P`.
fn sentence(text: &str) -> Option<Endpoint> {
    let mut words = text.split(' ');
    match (words.next()?, words.next()?.parse().ok()?) {
        ("node", node) => Some(Endpoint::Node(node)),
        ("switch", switch) => Some(Endpoint::Switch(switch)),
        _ => None,
    }
}
