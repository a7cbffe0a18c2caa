//! PerfBound and DynamicFastwake against fixed stall timers: the curves of `drowse reproduce perfbound`, as they are
//! kept in docs/data.

use std::error::Error;
use std::fs::File;
use std::path::Path;

use drowse_tables::schema::{Column, PERFBOUND_HYBRID, PERFBOUND_POLICIES, PERFBOUND_STALL, Schema, perfbound};
use drowse_tables::{Row, csv};

/// The folder of the tables; the full reproduction has written them.
pub const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/data");

/// An overhead and the energy of edge links, both in percent of links always on.
pub type Point = (f64, f64);

/// The curves of one program.
pub struct Program {
    /// Its name.
    pub name: String,
    /// Deep sleep alone, by its stall timer.
    pub deep: Vec<Point>,
    /// The best of all stall timers, fastest first.
    pub front: Vec<Point>,
    /// The bounds and points of PerfBound.
    pub perfbound: Vec<(f64, Point)>,
    /// The bounds and points of DynamicFastwake.
    pub fastwake: Vec<(f64, Point)>,
    /// The energy of the oracle.
    pub oracle: f64,
}

/// Reads the programs over whose stall timers was swept.
pub fn programs() -> Result<Vec<Program>, Box<dyn Error>> {
    let (stall, hybrid, policies) = (read(&PERFBOUND_STALL)?, read(&PERFBOUND_HYBRID)?, read(&PERFBOUND_POLICIES)?);
    let mut names: Vec<String> = stall.iter().map(|row| row.text(perfbound::PROGRAM)).collect();
    names.dedup();
    names.into_iter().map(|name| Program::new(name, [&stall, &hybrid, &policies])).collect()
}

impl Program {
    fn new(name: String, tables: [&[Row]; 3]) -> Result<Self, Box<dyn Error>> {
        let [stall, hybrid, policies] = tables.map(|table| {
            let rows = table.iter().filter(|row| row.text(perfbound::PROGRAM) == name);
            rows.collect::<Vec<_>>()
        });
        let chosen = |rows: &[&Row], column: Column, value: &str| -> Result<Vec<Point>, String> {
            rows.iter().filter(|row| row.text(column) == value).map(|row| point(row)).collect()
        };
        let bounded = |policy: &str| -> Result<Vec<(f64, Point)>, String> {
            let corrected =
                |row: &&&Row| row.text(perfbound::POLICY) == policy && row.text(perfbound::CORRECTION) == "true";
            let rows = policies.iter().filter(corrected);
            rows.map(|row| Ok((number(row, perfbound::BOUND)?, point(row)?))).collect()
        };
        let mut front = chosen(&hybrid, perfbound::FRONT, "true")?;
        front.push((0.0, 100.0));
        front.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
        let oracle = chosen(&policies, perfbound::POLICY, "oracle")?.first().map_or(0.0, |point| point.1);
        Ok(Program {
            deep: chosen(&stall, perfbound::SLEEP, "deep")?,
            front,
            perfbound: bounded("perfbound")?,
            fastwake: bounded("dynamic-fastwake")?,
            oracle,
            name,
        })
    }
}

fn read(schema: &Schema) -> Result<Vec<Row>, Box<dyn Error>> {
    Ok(csv::read(schema, File::open(Path::new(TABLES).join(schema.file))?)?)
}

fn number(row: &Row, column: Column) -> Result<f64, String> {
    row.number(column).ok_or_else(|| format!("a row has no {}", column.name))
}

fn point(row: &Row) -> Result<Point, String> {
    Ok((100.0 * (number(row, perfbound::TIME)? - 1.0), 100.0 * number(row, perfbound::EDGE)?))
}
