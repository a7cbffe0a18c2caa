//! Tori whose trunks shed ports: the tables of `drowse reproduce torus`, as they are kept in docs/data.

use std::error::Error;
use std::fs::File;
use std::path::Path;

use drowse_core::power::model::PowerModel;
use drowse_tables::schema::{Column, REPRODUCTION, Schema, TORUS_LOADS, TORUS_PROGRAMS, TORUS_SETS, torus};
use drowse_tables::{Row, csv};

/// The folder of the tables; the full reproduction has written them.
const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/data");
/// The rows of the reproduction among them.
const COMPARISON: &str = "torus_reproduction.csv";

/// All that is drawn and told.
pub struct Study {
    /// The rows of the reproduction.
    pub comparison: Vec<Row>,
    /// Programs by network.
    pub programs: Vec<Row>,
    /// Means over the draws of sets of programs, by network.
    pub sets: Vec<Row>,
    loads: Vec<Row>,
}

/// What loads a network.
pub enum Load {
    /// A program as the table names it, and whether it computes.
    Program(&'static str, bool),
    /// A set of programs.
    Set(&'static str),
}

/// Reads the tables.
pub fn read() -> Result<Study, Box<dyn Error>> {
    let table = |schema: &Schema, file: &str| -> Result<Vec<Row>, Box<dyn Error>> {
        Ok(csv::read(schema, File::open(Path::new(TABLES).join(file))?)?)
    };
    Ok(Study {
        comparison: table(&REPRODUCTION, COMPARISON)?,
        programs: table(&TORUS_PROGRAMS, TORUS_PROGRAMS.file)?,
        sets: table(&TORUS_SETS, TORUS_SETS.file)?,
        loads: table(&TORUS_LOADS, TORUS_LOADS.file)?,
    })
}

impl Study {
    /// Returns a figure of a network under uniform traffic by the load, in percent.
    pub fn curve(&self, network: &str, saving: bool, figure: Column) -> Vec<(f64, f64)> {
        let chosen = |row: &&Row| row.text(torus::NETWORK) == network && row.text(torus::SAVING) == saving.to_string();
        let points = self.loads.iter().filter(chosen);
        points.filter_map(|row| Some((100.0 * row.number(torus::OFFERED)?, row.number(figure)?))).collect()
    }

    /// Returns `E_cluster` of a network, relative to the reference network of its size, by the share of its power that
    /// an idle node draws: the quotient of two sums that are linear in it. Of sets, those at the ends are kept, and the
    /// reference network's are those of its means.
    pub fn cluster(&self, network: &str, saving: bool, load: &Load) -> Vec<(f64, f64)> {
        let rows = match load {
            Load::Program(..) => &self.programs,
            Load::Set(_) => &self.sets,
        };
        let chosen = |row: &&Row| match load {
            Load::Program(name, computes) => {
                row.text(torus::PROGRAM) == *name && row.text(torus::COMPUTES) == computes.to_string()
            }
            Load::Set(name) => row.text(torus::SET) == *name,
        };
        let is = |row: &&Row| row.text(torus::NETWORK) == network && row.text(torus::SAVING) == saving.to_string();
        let Some(row) = rows.iter().filter(chosen).find(is) else { return Vec::new() };
        let of_its_size = |other: &&Row| is_reference(other) && other.number(torus::NODES) == row.number(torus::NODES);
        let Some(to) = rows.iter().filter(chosen).find(of_its_size).and_then(ends) else { return Vec::new() };
        let of = match (row.number(torus::RELATIVE_E_CLUSTER_0), row.number(torus::RELATIVE_E_CLUSTER_1)) {
            (Some(none), Some(all)) => Some([none * to[0], all * to[1]]),
            _ => ends(row),
        };
        let at = |[none, all]: [f64; 2], omega: f64| none + omega * (all - none);
        let omegas = (0..=20).map(|step| f64::from(step) / 20.0);
        of.map_or_else(Vec::new, |of| omegas.map(|omega| (omega, at(of, omega) / at(to, omega))).collect())
    }

    /// Returns how long Graph500 alone takes on 2D-4X and 1D-16X with each choice that is not printed, by its title: the
    /// policy is as usual, and saves no power.
    pub fn choices(&self) -> Vec<(String, (f64, f64))> {
        let alone = |row: &&Row| {
            let is_alone = row.text(torus::COMPUTES) == "false" && row.text(torus::SAVING) == "false";
            is_alone && row.text(torus::PROGRAM).starts_with("Graph500, 512 tasks")
        };
        let on = |network: &str, title: &str| {
            let is_it = |row: &&Row| row.text(torus::NETWORK) == network && row.text(torus::PROGRAM) == title;
            self.programs.iter().filter(alone).find(is_it)?.number(torus::RELATIVE_MAKESPAN)
        };
        let titles = self.programs.iter().filter(alone).filter(|row| row.text(torus::NETWORK) == "2D-4X");
        let point = |title: String| Some((on("2D-4X", &title)?, on("1D-16X", &title)?)).map(|point| (title, point));
        titles.map(|row| row.text(torus::PROGRAM)).filter_map(point).collect()
    }
}

/// Returns `E_cluster` in seconds of the power of the reference cluster, of nodes that draw nothing and all when idle,
/// by section 2.2: the network draws 15 % of the power of the cluster.
fn ends(row: &Row) -> Option<[f64; 2]> {
    let model = PowerModel::default();
    let (time, running) = (row.number(torus::MAKESPAN_S)?, row.number(torus::RUNNING_FRACTION)?);
    let network = model.network * row.number(torus::W_NET)?;
    Some([running, 1.0].map(|nodes| time * (network + (1.0 - model.network) * nodes)))
}

/// Whether a row is of a network that others are relative to.
pub fn is_reference(row: &Row) -> bool {
    row.text(torus::NETWORK).ends_with("-1X")
}
