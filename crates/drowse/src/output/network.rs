//! The table of `drowse network`.

use drowse_tables::schema::{Column, network as columns};
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
    add_shape(&mut sheet, row);
    row.all(columns::WARNINGS).for_each(|(_, warning)| sheet.note(format!("warning: {warning}")));
    sheet.to_string()
}

fn add_counts(sheet: &mut Sheet, row: &Row) {
    sheet.group("network");
    let mut count = |label: &str, value: Option<f64>| sheet.line(label, Style::Count(""), &[value], None);
    count("nodes", row.number(columns::NODES));
    count("switches", row.number(columns::SWITCHES));
    for (level, switches) in row.all(columns::LEVELS_SWITCHES) {
        count(&format!("switches of level {level}"), switches.number());
    }
    count("ports of a switch", row.number(columns::RADIX));
    count("ports of the network", row.number(columns::PORTS));
    count("links", row.number(columns::LINKS_ALL));
    count("links between switches", row.number(columns::LINKS_SWITCH));
    if row.number(columns::TRUNKS_WIDEST).is_some_and(|links| links > 1.0) {
        count("trunks", row.number(columns::TRUNKS_ALL));
        count("links of the widest trunk", row.number(columns::TRUNKS_WIDEST));
    }
    count("channels between switches", row.number(columns::CHANNELS_SWITCH));
    for (class, links) in row.all(columns::LINKS_BY_CLASS) {
        count(&format!("links of class {class}"), links.number());
    }
    if let Some(ratio) = row.number(columns::PORT_RATIO) {
        sheet.words("ports, reference network = 1", vec![truncated(ratio)]);
    }
}

fn add_failed(sheet: &mut Sheet, row: &Row) {
    if row.number(columns::FAILED_LINKS).is_none() {
        return;
    }
    sheet.group("faults (the counts above are without them)");
    let mut count = |label: &str, column: Column| sheet.line(label, Style::Count(""), &[row.number(column)], None);
    count("links between switches", columns::FAILED_LINKS);
    count("switches", columns::FAILED_SWITCHES);
    count("nodes, the others are renumbered", columns::FAILED_NODES);
}

fn add_distances(sheet: &mut Sheet, row: &Row) {
    if row.number(columns::DIAMETER).is_none() {
        return;
    }
    sheet.group("distances (channels between switches)");
    sheet.line(
        "switches of the sample that was measured",
        Style::Count(""),
        &[row.number(columns::DISTANCE_SOURCES)],
        None,
    );
    sheet.line("diameter", Style::Count(""), &[row.number(columns::DIAMETER)], None);
    sheet.line("mean over all pairs of nodes", Style::Plain(""), &[row.number(columns::MEAN_DISTANCE)], None);
    sheet.line(
        "mean over pairs of different nodes",
        Style::Plain(""),
        &[row.number(columns::MEAN_DISTANCE_DISTINCT)],
        None,
    );
}

fn add_bisection(sheet: &mut Sheet, row: &Row) {
    let exact = row.get(columns::BISECTION_EXACT) == Some(&Value::Bool(true));
    sheet.group(if exact { "bisection" } else { "bisection (an upper bound: the best cut found)" });
    sheet.line("links", Style::Count(""), &[row.number(columns::BISECTION_LINKS)], None);
    sheet.line("bandwidth, one direction", Style::Rate, &[row.number(columns::BISECTION_BYTES_PER_S)], None);
}

fn add_memory(sheet: &mut Sheet, row: &Row) {
    sheet.group("memory of a run (estimated; without traces, packets and messages)");
    sheet.line("network", Style::Bytes, &[row.number(columns::MEMORY_NETWORK_BYTES)], None);
    sheet.line("simulation", Style::Bytes, &[row.number(columns::MEMORY_SIMULATION_BYTES)], None);
}

/// Deviations that are shown; the others are counted, and all stand in the JSON.
const DEVIATIONS: usize = 12;

/// Adds which regular network a graph is, and the cables that differ.
fn add_shape(sheet: &mut Sheet, row: &Row) {
    let Some(shape) = row.get(columns::SHAPE) else { return };
    let deviations: Vec<String> = row.all(columns::SHAPE_DEVIATIONS).map(|(_, line)| line.to_string()).collect();
    if deviations.is_empty() {
        return sheet.note(format!("shape: {shape}"));
    }
    let places = if deviations.len() == 1 { "one place".to_owned() } else { format!("{} places", deviations.len()) };
    sheet.note(format!("shape: {shape}, but for what differs in {places}:"));
    deviations.iter().take(DEVIATIONS).for_each(|line| sheet.note(format!("  {line}")));
    if let Some(more) = deviations.len().checked_sub(DEVIATIONS).filter(|&more| more > 0) {
        sheet.note(format!("  and {more} more (--format json)"));
    }
}

fn add_costs(sheet: &mut Sheet, row: &Row) {
    sheet.group("cost of the switches (Navaridas et al. 2010)");
    let mut count = |label: &str, column: Column| sheet.line(label, Style::Count(""), &[row.number(column)], None);
    count("ports of each switch", columns::SWITCH_PORTS);
    count("each costs 1", columns::COST_CONSTANT);
    count("each costs its ports", columns::COST_LINEAR);
    count("each costs its ports squared", columns::COST_QUADRATIC);
}

/// Adds a line for each time of a hop, with the classes that have it.
fn add_hops(sheet: &mut Sheet, row: &Row) {
    let mut times: Vec<([Option<f64>; 2], Vec<&str>)> = Vec::new();
    for (class, written) in row.all(columns::HOP_WRITTEN_NS) {
        let time = [written.number(), row.number(columns::HOP_ROUNDED_NS.of(class))];
        match times.iter_mut().find(|(known, _)| *known == time) {
            Some((_, classes)) => classes.push(class),
            None => times.push((time, vec![class])),
        }
    }
    let one = times.len() == 1;
    for ([written, rounded], classes) in times {
        let onto = if one { "onto any link".into() } else { format!("onto {}", shortened(&classes)) };
        sheet.group("time of a hop");
        sheet.line(onto, Style::Nanoseconds, &[written], None);
        sheet.line("in whole clock cycles", Style::Nanoseconds, &[rounded], None);
    }
}

/// Joins the names of link classes; of many, the first and the last.
fn shortened(classes: &[&str]) -> String {
    match classes {
        [first, .., last] if classes.len() > 4 => format!("{first} to {last} ({} classes)", classes.len()),
        _ => classes.join(", "),
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
