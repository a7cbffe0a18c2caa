//! What policies save and cost, from the rows of cases and of jobs.

use std::collections::HashMap;

use drowse_tables::interval::Sample;
use drowse_tables::question::spread::Spread as OfPairs;
use drowse_tables::schema::{cases, jobs};

use super::asked::Asked;
use crate::results::Results;
use crate::table::Table as Cells;

/// The column of policies, and that of windows.
const POLICY: &str = "set.power.policy";
const WINDOW: &str = "set.scheduler.log";
/// The columns of the powers of parts.
const PARTS: [&str; 3] = [cases::POWER_LINKS_ALL_W.name, cases::POWER_SWITCHES_W.name, cases::POWER_NICS_W.name];

/// One policy in one window.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The window's number.
    pub window: usize,
    /// Whether the window was drawn.
    pub is_drawn: bool,
    /// Mean power of the network with all links on, in watts.
    pub on_w: f64,
    /// Mean power under the policy: of links, of switches without their links, and of NICs.
    pub parts_w: [f64; 3],
    /// What of it is saved for the same work: the energy that the network saves over the time of the window with all links
    /// on.
    pub saved_w: f64,
    /// Nodes that are busy longer, in the mean over that time.
    pub longer_nodes: f64,
    /// How much longer each job of several nodes runs, as a share, with its name.
    pub jobs: Vec<(f64, String)>,
}

/// By how much 95 % of pairs of cases differ by flows and by packets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Cases that were run by both.
    pub pairs: usize,
    /// In the share of the network's energy that is saved.
    pub saved: f64,
    /// In how much longer 95 % of the jobs of a case run at most, as a share.
    pub longer: f64,
}

/// How much longer jobs run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slower {
    /// Jobs of several nodes in all windows.
    pub jobs: usize,
    /// The mean.
    pub mean: f64,
    /// What 95 % of them keep.
    pub p95: f64,
    /// The most.
    pub worst: f64,
    /// The job that it is, and the number of its window.
    pub worst_job: Option<(String, usize)>,
}

/// What a policy does in some windows.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// The windows.
    pub cells: Vec<Cell>,
    /// How much longer jobs run in them.
    pub slower: Slower,
}

/// Returns the mean of values, and what is known of its error.
fn mean(values: impl Iterator<Item = f64>) -> Sample {
    values.collect()
}

impl Figures {
    fn of(cells: Vec<Cell>) -> Self {
        let all = cells.iter().flat_map(|cell| cell.jobs.iter().map(|(longer, job)| (*longer, job, cell.window)));
        let mut all: Vec<(f64, &String, usize)> = all.collect();
        all.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(other.1)));
        let rank = (all.len() * 95).div_ceil(100);
        let p95 = rank.checked_sub(1).and_then(|rank| all.get(rank)).map_or(0.0, |(longer, ..)| *longer);
        let slower = Slower {
            jobs: all.len(),
            mean: if all.is_empty() { 0.0 } else { mean(all.iter().map(|(longer, ..)| *longer)).mean },
            p95,
            worst: all.last().map_or(0.0, |(longer, ..)| *longer),
            worst_job: all.last().map(|(_, job, window)| ((*job).clone(), *window)),
        };
        Figures { cells, slower }
    }

    /// Returns the mean of a figure over the windows that were drawn; over all, where none was.
    pub fn mean_of(&self, figure: impl Fn(&Cell) -> f64) -> Sample {
        let has_drawn = self.cells.iter().any(|cell| cell.is_drawn);
        mean(self.cells.iter().filter(|cell| cell.is_drawn || !has_drawn).map(figure))
    }

    /// Returns what is saved, in watts.
    pub fn saved(&self) -> Sample {
        self.mean_of(|cell| cell.saved_w)
    }

    /// Returns what of the network's power is saved, as a share.
    pub fn saved_share(&self) -> f64 {
        let on = self.mean_of(|cell| cell.on_w).mean;
        if on > 0.0 { self.saved().mean / on } else { 0.0 }
    }
}

/// The rows of cases, by policy and window.
pub struct Table {
    names: Vec<String>,
    keys: HashMap<String, String>,
    cells: HashMap<(String, usize), Cell>,
    warnings: Vec<String>,
}

impl Table {
    /// Reads the tables of a folder.
    pub fn of(results: &Results, asked: &Asked) -> Self {
        let table = &results.cases;
        let mut read = Table { names: Vec::new(), keys: HashMap::new(), cells: HashMap::new(), warnings: Vec::new() };
        let of_jobs = results.jobs.as_ref().map(jobs_by_case).unwrap_or_default();
        let row_of: HashMap<&str, usize> =
            (0..table.len()).map(|row| (table.named(row, cases::CASE_ID.name), row)).collect();
        for row in 0..table.len() {
            let [policy, window] = [POLICY, WINDOW].map(|column| name_in(table.named(row, column)));
            let Some((policy, window)) = policy.zip(window) else { continue };
            let Some(window) = asked.windows.iter().position(|known| known.name == window) else { continue };
            let baseline = row_of.get(table.named(row, cases::RELATIVE_CASE_ID.name)).copied().unwrap_or(row);
            let Some(cell) = cell(results, (row, baseline), (window, asked), &of_jobs) else { continue };
            if !read.names.contains(&policy) {
                read.names.push(policy.clone());
                read.keys.insert(policy.clone(), table.named(row, POLICY).to_owned());
            }
            read.note_warnings(table, row);
            read.cells.insert((policy, window), cell);
        }
        read
    }

    fn note_warnings(&mut self, table: &Cells, row: usize) {
        let columns = table.columns().iter().filter(|column| column.starts_with("warnings["));
        for warning in columns.map(|column| table.named(row, column)).filter(|text| !text.is_empty()) {
            if !self.warnings.iter().any(|known| known == warning) {
                self.warnings.push(warning.to_owned());
            }
        }
    }

    /// Returns the names of policies, in their order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the keys of a policy.
    pub fn keys(&self, name: &str) -> String {
        self.keys.get(name).cloned().unwrap_or_default()
    }

    /// Returns whether a policy is the oracle.
    pub fn is_oracle(&self, name: &str) -> bool {
        drowse_tables::names::is_oracle(&self.keys(name))
    }

    /// Returns whether a policy lets no link sleep.
    pub fn is_always_on(&self, name: &str) -> bool {
        drowse_tables::names::is_always_on(&self.keys(name))
    }

    /// Returns whether there is a case.
    pub fn has(&self, name: &str, window: usize) -> bool {
        self.cells.contains_key(&(name.to_owned(), window))
    }

    /// Returns the warnings of all cases, each once.
    pub fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    /// Returns what a policy does in some windows.
    pub fn figures(&self, name: &str, is_wanted: impl Fn(usize) -> bool) -> Figures {
        let mut cells: Vec<Cell> = self
            .cells
            .iter()
            .filter(|((known, window), _)| known == name && is_wanted(*window))
            .map(|(_, cell)| cell.clone())
            .collect();
        cells.sort_by_key(|cell| cell.window);
        Figures::of(cells)
    }

    /// Returns how far these cases, by flows, differ from those by packets; what is always on is no pair.
    pub fn spread(&self, packets: &Table) -> Spread {
        let pairs: Vec<(&Cell, &Cell)> = self
            .cells
            .iter()
            .filter(|((name, _), _)| !self.is_always_on(name))
            .filter_map(|(key, cell)| Some((cell, packets.cells.get(key)?)))
            .collect();
        let of = |figure: fn(&Cell) -> f64| {
            let values: Vec<(f64, f64)> = pairs.iter().map(|(ours, theirs)| (figure(ours), figure(theirs))).collect();
            OfPairs::of_pairs(&values, 0.95, false).by
        };
        let longer = |cell: &Cell| Figures::of(vec![cell.clone()]).slower.p95;
        Spread { pairs: pairs.len(), saved: of(|cell| cell.saved_w / cell.on_w), longer: of(longer) }
    }
}

/// Returns the name in a value of a sweep, which is a table.
fn name_in(value: &str) -> Option<String> {
    let table = format!("value = {value}").parse::<toml::Table>().ok()?;
    Some(table.get("value")?.get("name")?.as_str()?.to_owned())
}

/// Returns the keys of a value of a sweep without its name.
pub fn without_name(value: &str) -> String {
    let parsed = format!("value = {value}").parse::<toml::Table>().ok();
    let Some(toml::Value::Table(mut table)) = parsed.and_then(|mut table| table.remove("value")) else {
        return value.to_owned();
    };
    table.remove("name");
    toml::Value::Table(table).to_string()
}

/// The rows of jobs of each case.
fn jobs_by_case(table: &Cells) -> HashMap<String, Vec<usize>> {
    let mut rows: HashMap<String, Vec<usize>> = HashMap::new();
    for row in 0..table.len() {
        rows.entry(table.named(row, jobs::CASE_ID.name).to_owned()).or_default().push(row);
    }
    rows
}

/// Reads a case beside its baseline.
fn cell(
    results: &Results,
    (row, baseline): (usize, usize),
    (window, asked): (usize, &Asked),
    of_jobs: &HashMap<String, Vec<usize>>,
) -> Option<Cell> {
    let table = &results.cases;
    let [joules, on_joules] = [row, baseline].map(|row| table.figure(row, cases::ENERGY_NETWORK_J.name));
    let time = table.figure(baseline, cases::MAKESPAN_S.name).filter(|&time| time > 0.0)?;
    let rows = of_jobs.get(table.named(row, cases::CASE_ID.name)).map(Vec::as_slice).unwrap_or_default();
    let (mut longer_nodes, mut of_several) = (0.0, Vec::new());
    if let Some(jobs_table) = &results.jobs {
        for &row in rows {
            let of = |column: &str| jobs_table.figure(row, column);
            let (Some(nodes), Some(time)) = (of(jobs::NODES.name), of(jobs::MAKESPAN_S.name)) else { continue };
            let ratio = of(jobs::RELATIVE_MAKESPAN.name).unwrap_or(1.0);
            longer_nodes += nodes * time * (1.0 - 1.0 / ratio);
            if nodes > 1.5 {
                of_several.push((ratio - 1.0, jobs_table.named(row, jobs::JOB.name).to_owned()));
            }
        }
    }
    let is_drawn = asked.windows.get(window).is_some_and(|window| !window.is_busiest);
    Some(Cell {
        window,
        is_drawn,
        on_w: on_joules? / time,
        parts_w: PARTS.map(|part| table.figure(row, part).unwrap_or(0.0)),
        saved_w: (on_joules? - joules?) / time,
        longer_nodes: longer_nodes / time,
        jobs: of_several,
    })
}
