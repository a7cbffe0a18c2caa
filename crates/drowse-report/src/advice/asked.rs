//! What is asked of an advice.

/// What was asked, beside what the tables say.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// The machine, in words.
    pub machine: String,
    /// The job log, in words.
    pub log: String,
    /// The windows of the log, in the order of their numbers.
    pub windows: Vec<Window>,
    /// The largest share by which 95 % of jobs may run longer.
    pub bound: f64,
    /// What a kWh costs, and what it emits in grams of CO2; where that is known.
    pub price: Option<f64>,
    /// Grams of CO2 for a kWh.
    pub carbon: Option<f64>,
    /// The energy of the building for that of the machine.
    pub pue: f64,
    /// What a node draws that runs longer, in watts.
    pub node_watts: f64,
    /// Policies that were not asked, and why.
    pub refused: Vec<(String, String)>,
    /// What was assumed, a sentence each.
    pub assumed: Vec<String>,
    /// Where results and experiment are.
    pub folder: String,
}

/// A part of the log that was simulated.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    /// Its name in the tables.
    pub name: String,
    /// Whether it is one of the busiest, rather than drawn.
    pub is_busiest: bool,
    /// When it begins, in days of the log.
    pub day: f64,
    /// How long it is, in milliseconds.
    pub milliseconds: f64,
    /// Jobs that run when it begins, and their nodes.
    pub jobs: u32,
    /// The nodes that they hold.
    pub nodes: u32,
}
