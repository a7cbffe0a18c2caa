//! The table of `drowse usage`.

use std::path::PathBuf;

use drowse_tables::Row;
use drowse_tables::schema::{Column, usage as columns};

use super::number::Style;
use super::sheet::Sheet;

/// Lays out the channels that a workload uses.
pub fn table(title: &str, row: &Row, files: &[PathBuf]) -> String {
    let mut sheet = Sheet::new(title, vec![String::new()]);
    add_workload(&mut sheet, row);
    add_shares(&mut sheet, row);
    add_levels(&mut sheet, row);
    add_bounds(&mut sheet, row);
    row.all(columns::WARNINGS).for_each(|(_, warning)| sheet.note(format!("warning: {warning}")));
    files.iter().for_each(|file| sheet.note(file.display().to_string()));
    sheet.to_string()
}

fn add_workload(sheet: &mut Sheet, row: &Row) {
    sheet.group("workload");
    let mut line = |label: &str, style, column: Column| sheet.line(label, style, &[row.number(column)], None);
    line("ranks", Style::Count(""), columns::RANKS);
    line("nodes with ranks", Style::Count(""), columns::NODES);
    line("messages", Style::Count(""), columns::MESSAGES_COUNT);
    line("bytes", Style::Bytes, columns::MESSAGES_BYTES);
    line("messages between nodes", Style::Count(""), columns::NETWORK_MESSAGES);
    line("bytes between nodes", Style::Bytes, columns::NETWORK_BYTES);
    line("packets", Style::Count(""), columns::NETWORK_PACKETS);
    line("channels between switches on a route, mean", Style::Plain(""), columns::NETWORK_MEAN_CHANNELS);
}

fn add_shares(sheet: &mut Sheet, row: &Row) {
    sheet.group("used of all");
    let of = |columns: [Column; 3]| columns.map(|column| row.number(column));
    share(sheet, "channels", of([columns::CHANNELS_USED, columns::CHANNELS_TOTAL, columns::CHANNELS_FRACTION]));
    share(sheet, "cables", of([columns::CABLES_USED, columns::CABLES_TOTAL, columns::CABLES_FRACTION]));
    for (class, fraction) in row.all(columns::BY_CLASS_FRACTION) {
        let [used, total] =
            [columns::BY_CLASS_USED, columns::BY_CLASS_TOTAL].map(|column| row.number(column.of(class)));
        share(sheet, class, [used, total, fraction.number()]);
    }
}

/// Adds a share, with its numerator and denominator in the label.
fn share(sheet: &mut Sheet, label: &str, [used, total, fraction]: [Option<f64>; 3]) {
    let Some((used, total)) = used.zip(total) else { return };
    let [used, total] = [used, total].map(|count| Style::Count("").show(count));
    sheet.line(format!("{label}, {used} of {total}"), Style::Percent, &[fraction], None);
}

fn add_levels(sheet: &mut Sheet, row: &Row) {
    sheet.group("packets that reach a level of switches");
    for (level, share) in row.all(columns::LEVELS_PACKETS_FRACTION) {
        sheet.line(format!("level {level}"), Style::Percent, &[share.number()], None);
    }
}

fn add_bounds(sheet: &mut Sheet, row: &Row) {
    sheet.group("time");
    let mut line = |label: &str, style, column: Column| sheet.line(label, style, &[row.number(column)], None);
    line("needed by the busiest channel", Style::Seconds, columns::BUSIEST_S);
    line("given", Style::Seconds, columns::TIME_S);
    line("to switch a channel off or on", Style::Seconds, columns::DELAY_S);
    line("utilisation", Style::Percent, columns::UTILISATION);
    line("power that could be saved at most", Style::Percent, columns::SAVINGS_BOUND);
}
