//! The figures of a case that people compare: their words, and one unit for all cases.

use drowse_tables::interval::Sample;

use crate::table::Table;
use crate::units;

/// The unit of a figure as its columns have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Seconds,
    Nanoseconds,
    Share,
    Joules,
    Count,
}

/// A figure: its name in data, its words, its heading in a narrow column, its columns, and their unit. All columns are
/// summed; those after the first may be absent.
struct Figure(&'static str, &'static str, &'static str, &'static [&'static str], Unit);

/// Shares of time in each sleep state; a table has as many as its links have.
const ASLEEP: &[&str] = &[
    "links.shallow_fraction",
    "links.deep_fraction",
    "links.third_fraction",
    "links.fourth_fraction",
    "links.fifth_fraction",
    "links.sixth_fraction",
];

/// The figures beside energy, in the order of the comparison.
const FIGURES: [Figure; 10] = [
    Figure("run_time", "run time", "run time", &["makespan_s"], Unit::Seconds),
    Figure("offered_load", "offered load", "offered load", &["load.offered"], Unit::Share),
    Figure("accepted_load", "accepted load", "accepted load", &["load.accepted"], Unit::Share),
    Figure("w_net", "power of the network (W_net)", "network power", &["energy.w_net"], Unit::Share),
    Figure("latency_mean", "packet latency, mean", "latency, mean", &["latency.packet.mean_ns"], Unit::Nanoseconds),
    Figure(
        "latency_p99",
        "packet latency, 99th percentile",
        "latency, 99th pct.",
        &["latency.packet.p99_ns"],
        Unit::Nanoseconds,
    ),
    Figure("on", "share of link time on", "links on", &["links.on_fraction"], Unit::Share),
    Figure("asleep", "share of link time asleep", "links asleep", ASLEEP, Unit::Share),
    Figure("delayed", "messages delayed by waking", "delayed messages", &["links.delayed_messages"], Unit::Count),
    Figure(
        "waking_path",
        "run time that waits for waking links",
        "waits for waking",
        &["path.waking_fraction"],
        Unit::Share,
    ),
];

/// Energies, the one that says most first.
const ENERGIES: [Figure; 5] = [
    Figure("energy_network", "energy of the network", "energy, network", &["energy.network_j"], Unit::Joules),
    Figure("energy_total", "energy of network and nodes", "energy, with nodes", &["energy.total_j"], Unit::Joules),
    Figure("energy_links", "energy of all links", "energy, links", &["energy.links.all_j"], Unit::Joules),
    Figure(
        "energy_mean_link",
        "mean energy of a link (as time at full power)",
        "energy, mean link",
        &["energy.links.all"],
        Unit::Seconds,
    ),
    Figure("e_net", "energy of the network (E_net)", "E_net", &["energy.e_net"], Unit::Seconds),
];

/// Returns the column of the ratio of a figure to that of the baseline.
fn relative(figure: &str) -> Option<&'static str> {
    Some(match figure {
        "run_time" => "relative.makespan",
        "energy_network" => "relative.network_j",
        "energy_total" => "relative.total_j",
        "energy_links" => "relative.links_j",
        "energy_mean_link" => "relative.links",
        "e_net" => "relative.e_net",
        _ => return None,
    })
}

/// A figure of all cases.
#[derive(Clone, Debug)]
pub struct Measure {
    /// Its name in data, with its unit.
    pub field: String,
    /// Its words.
    pub words: &'static str,
    /// Its heading in a narrow column.
    pub short: &'static str,
    /// The unit of its values; empty for a count.
    pub unit: &'static str,
    /// The value of each case, in this unit.
    pub values: Vec<Option<f64>>,
    /// Where cases are means over seeds, half the width of the 95 % confidence interval of each.
    pub half_widths: Vec<Option<f64>>,
    /// The values that each is the mean of.
    pub members: Vec<Vec<Option<f64>>>,
    /// What the table says of each case beside a baseline that has no row, with all seeds; empty where it does not.
    pub ratios: Vec<Sample>,
}

impl Measure {
    /// Returns the words without what stands in parentheses, as in a sentence.
    pub fn spoken(&self) -> &'static str {
        self.words.split(" (").next().unwrap_or(self.words)
    }

    /// Returns words and unit, as on an axis.
    pub fn title(&self) -> String {
        if self.unit.is_empty() { self.words.to_owned() } else { format!("{}, {}", self.words, self.unit) }
    }
}

/// Returns the figures that some case has; one that is 0 everywhere says nothing. Power stands for the energy of
/// open-loop traffic, which has none.
pub fn figures(table: &Table) -> Vec<Measure> {
    let has_energy = table.place("makespan_s").is_some();
    FIGURES
        .iter()
        .filter(|figure| figure.0 != "w_net" || !has_energy)
        .filter_map(|figure| measure(table, figure))
        .collect()
}

/// Returns the energies that some case has.
///
/// A mean over links is compared only where all cases have as many links; else it would make more links look cheap.
pub fn energies(table: &Table) -> Vec<Measure> {
    let links = table.place("network.links");
    let alike = (0..table.len()).all(|row| table.text(row, links) == table.text(0, links));
    let fair = |figure: &&Figure| alike || figure.0 != "energy_mean_link";
    ENERGIES.iter().filter(fair).filter_map(|figure| measure(table, figure)).collect()
}

/// Returns the sum of some columns of a row; `None` where the first has no number.
fn summed(table: &Table, row: usize, places: &[Option<usize>]) -> Option<f64> {
    let (&first, others) = places.split_first()?;
    Some(table.number(row, first)? + others.iter().filter_map(|&place| table.number(row, place)).sum::<f64>())
}

fn measure(table: &Table, &Figure(field, words, short, columns, unit): &Figure) -> Option<Measure> {
    let places: Vec<Option<usize>> = columns.iter().map(|name| table.place(name)).collect();
    let value = |row| summed(table, row, &places);
    let raw: Vec<Option<f64>> = (0..table.len()).map(value).collect();
    let largest = raw.iter().flatten().copied().fold(0.0, f64::max);
    if largest == 0.0 {
        return None;
    }
    let ratio = relative(field).and_then(|name| table.place(name));
    let ratios = (0..table.len()).map(|row| ratio.map_or_else(Sample::default, |ratio| table.sample(row, ratio)));
    let ratios = ratios.collect();
    let (factor, unit, suffix) = scale(unit, largest);
    let field = if suffix.is_empty() { field.to_owned() } else { format!("{field}_{suffix}") };
    let values = raw.into_iter().map(|value| value.map(|value| value * factor)).collect();
    let of = |row: usize| {
        let (table, rows) = table.members(row);
        let value = |row: &usize| summed(table, *row, &places);
        rows.iter().map(|row| value(row).map(|value| value * factor)).collect()
    };
    let members: Vec<Vec<Option<f64>>> = (0..table.len()).map(of).collect();
    let half_widths = members.iter().map(|values| values.iter().flatten().copied().collect::<Sample>().half_width());
    Some(Measure { field, words, short, unit, values, half_widths: half_widths.collect(), members, ratios })
}

/// Returns the factor to a unit that fits the largest value, the unit, and its name in data.
fn scale(unit: Unit, largest: f64) -> (f64, &'static str, &'static str) {
    let of_time = |picoseconds: f64| {
        let unit = units::time((largest * picoseconds).max(1e3));
        (picoseconds / unit.size, unit.name, unit.field)
    };
    match unit {
        Unit::Seconds => of_time(1e12),
        Unit::Nanoseconds => of_time(1e3),
        Unit::Share => (100.0, "%", "percent"),
        Unit::Joules => {
            let unit = units::energy(largest);
            (1.0 / unit.size, unit.name, unit.field)
        }
        Unit::Count => (1.0, "", ""),
    }
}
