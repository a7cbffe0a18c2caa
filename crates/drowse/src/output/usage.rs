//! The table of `drowse usage`.

use std::path::PathBuf;

use drowse_tables::Row;

use super::number::Style;
use super::sheet::Sheet;

/// Lays out what a workload uses.
pub fn table(title: &str, row: &Row, files: &[PathBuf]) -> String {
    let mut sheet = Sheet::new(title, vec![String::new()]);
    add_workload(&mut sheet, row);
    add_shares(&mut sheet, row);
    add_levels(&mut sheet, row);
    add_bounds(&mut sheet, row);
    row.list("warnings").for_each(|(_, warning)| sheet.note(format!("warning: {warning}")));
    files.iter().for_each(|file| sheet.note(file.display().to_string()));
    sheet.to_string()
}

fn add_workload(sheet: &mut Sheet, row: &Row) {
    sheet.group("workload");
    let mut line = |label: &str, style, name: &str| sheet.line(label, style, &[row.number(name)], None);
    line("ranks", Style::Count(""), "ranks");
    line("nodes with ranks", Style::Count(""), "nodes");
    line("messages", Style::Count(""), "messages.count");
    line("bytes", Style::Bytes, "messages.bytes");
    line("messages between nodes", Style::Count(""), "network.messages");
    line("bytes between nodes", Style::Bytes, "network.bytes");
    line("packets", Style::Count(""), "network.packets");
    line("channels between switches on a packet's way, mean", Style::Plain(""), "network.mean_channels");
}

fn add_shares(sheet: &mut Sheet, row: &Row) {
    sheet.group("used of all");
    share(sheet, row, "channels", "channels");
    share(sheet, row, "cables", "cables");
    for (name, _) in row.iter() {
        if let Some(class) = name.strip_prefix("by_class.").and_then(|rest| rest.strip_suffix(".fraction")) {
            share(sheet, row, class, &format!("by_class.{class}"));
        }
    }
}

/// Adds a share, with what it is made of in its label.
fn share(sheet: &mut Sheet, row: &Row, label: &str, name: &str) {
    let [used, total, fraction] = ["used", "total", "fraction"].map(|part| row.number(&format!("{name}.{part}")));
    let Some((used, total)) = used.zip(total) else { return };
    let [used, total] = [used, total].map(|count| Style::Count("").show(count));
    sheet.line(format!("{label}, {used} of {total}"), Style::Percent, &[fraction], None);
}

fn add_levels(sheet: &mut Sheet, row: &Row) {
    sheet.group("packets that reach a level of switches");
    for (name, share) in row.iter() {
        if let Some(level) = name.strip_prefix("levels.").and_then(|rest| rest.strip_suffix(".packets_fraction")) {
            sheet.line(format!("level {level}"), Style::Percent, &[share.number()], None);
        }
    }
}

fn add_bounds(sheet: &mut Sheet, row: &Row) {
    sheet.group("time");
    let mut line = |label: &str, style, name: &str| sheet.line(label, style, &[row.number(name)], None);
    line("the busiest channel needs", Style::Seconds, "busiest_s");
    line("given", Style::Seconds, "time_s");
    line("to switch a channel off or on", Style::Seconds, "delay_s");
    line("utilisation", Style::Percent, "utilisation");
    line("power that could be saved at most", Style::Percent, "savings_bound");
}
