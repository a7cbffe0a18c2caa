//! What the papers' networks save where ports, modules and chassis draw what meters have shown: their runs, kept in
//! docs/data, with other shares.

use std::error::Error;
use std::fs::File;
use std::path::Path;

use drowse_experiment::devices::{Saving, savings};
use drowse_tables::schema::torus;
use drowse_tables::schema::{
    Column, PERFBOUND_POLICIES, REPRODUCTION, Schema, TORUS_PROGRAMS, perfbound, reproduction,
};
use drowse_tables::{Row, csv};

/// The folder of the tables; full reproductions have written them.
const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/data");

type Failed = Box<dyn Error>;

/// What a paper assumes of a network.
#[derive(Clone, Copy)]
pub struct Shares {
    /// The links' share of the network's power.
    links: f64,
    /// The share of that which a link that sleeps does not draw.
    sleeps: f64,
    /// The network's share of the machine's power.
    pub machine: f64,
}

/// Andújar et al. 2019.
const ANDUJAR: Shares = Shares { links: 0.65, sleeps: 0.9, machine: 0.15 };
/// Saravanan and Carpenter 2018.
const SARAVANAN: Shares = Shares { links: 0.6, sleeps: 0.9, machine: 0.12 };
/// Totoni et al. 2014.
const TOTONI: Shares = Shares { links: 0.65, sleeps: 1.0, machine: 0.3 };

/// A mechanism of a paper on its network.
pub struct Mechanism {
    pub shares: Shares,
    pub name: &'static str,
    /// How much of what all sleeping links would save is saved.
    pub asleep: f64,
    /// By how much runs take longer; `None` where only usage was counted.
    pub slowdown: Option<f64>,
}

/// All mechanisms, and the switches whose parts are known.
pub struct Study {
    pub mechanisms: Vec<Mechanism>,
    pub switches: Vec<Saving<'static>>,
}

impl Shares {
    /// Returns the share of the network's power that sleeps with all links.
    pub fn sleepable(&self) -> f64 {
        self.links * self.sleeps
    }
}

impl Mechanism {
    /// Returns what the network saves where this share of it can sleep.
    pub fn saves(&self, sleepable: f64) -> f64 {
        self.asleep * sleepable
    }

    /// Returns the slowdown at which a machine saves nothing where this share of the network can sleep: it then draws all
    /// else for longer.
    pub fn bearable(&self, sleepable: f64) -> f64 {
        let saved = self.shares.machine * self.saves(sleepable);
        saved / (1.0 - saved)
    }
}

/// Reads the tables.
pub fn read() -> Result<Study, Failed> {
    let mut mechanisms = Vec::new();
    let programs = table(&TORUS_PROGRAMS, TORUS_PROGRAMS.file)?;
    for (network, name) in [("2D-4X", "on/off, 2D-4X"), ("1D-16X", "on/off, 1D-16X"), ("3D-4X", "on/off, 3D-4X")] {
        mechanisms.push(on_off(&programs, network, name).ok_or("no runs of a torus")?);
    }
    let policies = table(&PERFBOUND_POLICIES, PERFBOUND_POLICIES.file)?;
    for (policy, name) in [("perfbound", "PerfBound, 1 %"), ("dynamic-fastwake", "DynamicFastwake, 1 %")] {
        mechanisms.push(bounded(&policies, policy, name).ok_or("no runs of a policy")?);
    }
    let usage = table(&REPRODUCTION, "runtime_reproduction.csv")?;
    for (quantity, name) in [
        ("power of the machine saved on PERCS", "unused links off, MILC on PERCS"),
        ("power of the machine saved on the 6D torus", "unused links off, MILC on a 6D torus"),
    ] {
        mechanisms.push(unused(&usage, quantity, name).ok_or("no row of link usage")?);
    }
    Ok(Study { mechanisms, switches: savings() })
}

fn table(schema: &Schema, file: &str) -> Result<Vec<Row>, Failed> {
    Ok(csv::read(schema, File::open(Path::new(TABLES).join(file))?)?)
}

/// Programs as the paper has them, without our variations, whose names have what varies in parentheses.
fn on_off(rows: &[Row], network: &str, name: &'static str) -> Option<Mechanism> {
    let of = |row: &&Row, saving: bool| {
        row.text(torus::NETWORK) == network
            && row.text(torus::SAVING) == saving.to_string()
            && row.text(torus::COMPUTES) == "true"
            && !row.text(torus::PROGRAM).contains('(')
    };
    let mut pairs = Vec::new();
    for row in rows.iter().filter(|row| of(row, true)) {
        let same = |other: &&Row| of(other, false) && other.text(torus::PROGRAM) == row.text(torus::PROGRAM);
        let always = rows.iter().find(same)?;
        let quotient = |column: Column| Some(row.number(column)? / always.number(column)?);
        pairs.push((quotient(torus::W_NET)?, quotient(torus::MAKESPAN_S)?));
    }
    let shares = ANDUJAR;
    let asleep = mean(pairs.iter().map(|(power, _)| (1.0 - power) / shares.sleepable()))?;
    Some(Mechanism { shares, name, asleep, slowdown: Some(mean(pairs.iter().map(|(_, time)| time - 1.0))?) })
}

/// All programs on 64 ranks, with the bound that the paper recommends.
fn bounded(rows: &[Row], policy: &str, name: &'static str) -> Option<Mechanism> {
    let of = |row: &&Row| {
        row.text(perfbound::POLICY) == policy
            && row.number(perfbound::BOUND) == Some(0.01)
            && row.text(perfbound::CORRECTION) == "true"
            && row.number(perfbound::RANKS) == Some(64.0)
    };
    let shares = SARAVANAN;
    let of = |column: Column, value: fn(f64) -> f64| {
        mean(rows.iter().filter(of).filter_map(|row| row.number(column)).map(value))
    };
    let links = of(perfbound::ALL, |links| 1.0 - links)?;
    let slowdown = of(perfbound::TIME, |time| time - 1.0)?;
    Some(Mechanism { shares, name, asleep: links / shares.sleeps, slowdown: Some(slowdown) })
}

fn unused(rows: &[Row], quantity: &str, name: &'static str) -> Option<Mechanism> {
    let row = rows.iter().find(|row| row.text(reproduction::QUANTITY) == quantity)?;
    let shares = TOTONI;
    let asleep = row.number(reproduction::OURS)? / 100.0 / (shares.machine * shares.sleepable());
    Some(Mechanism { shares, name, asleep, slowdown: None })
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}
