//! The table of `drowse network`.

use drowse_tables::{Row, Value};

use super::number::Style;
use super::sheet::Sheet;

/// Lays out the description of a network.
pub fn table(title: &str, row: &Row) -> String {
    let mut sheet = Sheet::new(title, vec![String::new()]);
    add_counts(&mut sheet, row);
    add_failed(&mut sheet, row);
    add_distances(&mut sheet, row);
    add_bisection(&mut sheet, row);
    add_costs(&mut sheet, row);
    add_hops(&mut sheet, row);
    add_memory(&mut sheet, row);
    sheet.to_string()
}

fn add_counts(sheet: &mut Sheet, row: &Row) {
    sheet.group("network");
    let mut count = |label: &str, name: &str| sheet.line(label, Style::Count(""), &[row.number(name)], None);
    count("nodes", "nodes");
    count("switches", "switches");
    for (name, _) in row.iter() {
        if let Some(level) = name.strip_prefix("levels.").and_then(|rest| rest.strip_suffix(".switches")) {
            count(&format!("switches, level {level}"), name);
        }
    }
    count("ports of a switch", "radix");
    count("ports of the network", "ports");
    count("links", "links.all");
    count("links between switches", "links.switch");
    if row.number("trunks.widest").is_some_and(|links| links > 1.0) {
        count("trunks", "trunks.all");
        count("links of the widest", "trunks.widest");
    }
    count("channels between switches", "channels.switch");
    for (name, _) in row.iter() {
        if let Some(class) = name.strip_prefix("links.by_class.") {
            count(&format!("links, {class}"), name);
        }
    }
    if let Some(ratio) = row.number("port_ratio") {
        sheet.words("ports, reference network = 1", vec![truncated(ratio)]);
    }
}

fn add_failed(sheet: &mut Sheet, row: &Row) {
    if row.number("failed.links").is_none() {
        return;
    }
    sheet.group("failed (counts above are of what is left)");
    let mut count = |label: &str, name: &str| sheet.line(label, Style::Count(""), &[row.number(name)], None);
    count("links between switches", "failed.links");
    count("switches", "failed.switches");
    count("nodes, those left are numbered anew", "failed.nodes");
}

fn add_distances(sheet: &mut Sheet, row: &Row) {
    if row.number("diameter").is_none() {
        return;
    }
    sheet.group("distances (channels between switches)");
    sheet.line("measured from switches, a sample", Style::Count(""), &[row.number("distance_sources")], None);
    sheet.line("diameter", Style::Count(""), &[row.number("diameter")], None);
    sheet.line("mean, a node with itself included", Style::Plain(""), &[row.number("mean_distance")], None);
    sheet.line("mean, different nodes", Style::Plain(""), &[row.number("mean_distance_distinct")], None);
}

fn add_bisection(sheet: &mut Sheet, row: &Row) {
    let exact = row.get("bisection.exact") == Some(&Value::Bool(true));
    sheet.group(if exact { "bisection" } else { "bisection (the best cut found: an upper bound)" });
    sheet.line("links", Style::Count(""), &[row.number("bisection.links")], None);
    sheet.line("bandwidth, one direction", Style::Rate, &[row.number("bisection.bytes_per_s")], None);
}

fn add_memory(sheet: &mut Sheet, row: &Row) {
    sheet.group("memory of a run (estimates; without traces, packets and messages)");
    sheet.line("network", Style::Bytes, &[row.number("memory.network_bytes")], None);
    sheet.line("simulation", Style::Bytes, &[row.number("memory.simulation_bytes")], None);
}

fn add_costs(sheet: &mut Sheet, row: &Row) {
    sheet.group("cost of the switches (Navaridas et al. 2010)");
    let mut count = |label: &str, name: &str| sheet.line(label, Style::Count(""), &[row.number(name)], None);
    count("ports of each switch", "switch_ports");
    count("each costs 1", "cost.constant");
    count("each costs its ports", "cost.linear");
    count("each costs its ports squared", "cost.quadratic");
}

/// Adds a line for each time of a hop, with the classes that have it.
fn add_hops(sheet: &mut Sheet, row: &Row) {
    let mut times: Vec<([Option<f64>; 2], Vec<&str>)> = Vec::new();
    for (name, written) in row.iter() {
        if let Some(class) = name.strip_prefix("hop.").and_then(|rest| rest.strip_suffix(".written_ns")) {
            let time = [written.number(), row.number(&format!("hop.{class}.rounded_ns"))];
            match times.iter_mut().find(|(known, _)| *known == time) {
                Some((_, classes)) => classes.push(class),
                None => times.push((time, vec![class])),
            }
        }
    }
    for ([written, rounded], classes) in times {
        sheet.group("time of a hop");
        sheet.line(format!("onto {}", classes.join(", ")), Style::Nanoseconds, &[written], None);
        sheet.line("in whole clock cycles", Style::Nanoseconds, &[rounded], None);
    }
}

/// Cuts a ratio after three decimals, as Andújar et al. 2019 prints it in Table 2: 192/448 is .428 there.
fn truncated(ratio: f64) -> String {
    let (whole, decimals) = (ratio.trunc(), (ratio.fract() * 1000.0).floor());
    format!("{whole:.0}.{decimals:03.0}")
}

#[cfg(test)]
mod tests {
    use super::truncated;

    #[test]
    fn ratios_are_cut_as_in_table_2() {
        assert_eq!([320.0 / 448.0, 192.0 / 448.0, 1792.0 / 2304.0].map(truncated), ["0.714", "0.428", "0.777"]);
        assert_eq!([1.0, 1.5].map(truncated), ["1.000", "1.500"]);
    }
}
