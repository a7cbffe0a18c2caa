//! The catalogue of devices, as tables and as a page.

use std::fmt::Write;

use drowse_core::model::units::BitRate;
use drowse_experiment::devices::{Amount, Counting, Device, Medium, Module, PortPower, Saving, catalogue, savings};

use super::columns::Columns;
use super::wrap;

/// Lists all devices in tables that fit a terminal, each with its source and how well it is known.
pub fn list() -> String {
    let all = catalogue();
    let mut list = String::from("SWITCHES (power.watts.device)\n\n");
    all.device.iter().for_each(|device| of_switch(&mut list, device));
    list.push_str("PORTS of these switches, in watts\n\n");
    let _ = writeln!(list, "{}", ports());
    list.push_str("TRAFFIC: energies of each crossing of a port; a hop through a switch is two\n\n");
    let _ = writeln!(list, "{}", traffic());
    list.push_str("WHAT SLEEPS when all links of a full switch do, by these numbers\n\n");
    let _ = writeln!(list, "{}", saved());
    list.push_str("MODULES (link.module), one end, in watts\n\n");
    let mut modules = Columns::new(4, words(&["name", "form", "rate", "medium", "typical", "most", "mark"]));
    all.module.iter().for_each(|module| modules.row(of_module(module)));
    let _ = writeln!(list, "{modules}");
    for module in &all.module {
        paragraph(&mut list, &format!("{}: {}", module.name, module.source));
    }
    list.push_str("\nNICS, in watts\n\n");
    let mut nics = Columns::new(2, words(&["name", "rate", "typical", "most", "standby", "mark"]));
    for nic in &all.nic {
        let [typical, most] = [nic.power.typical, nic.power.max].map(watts);
        nics.row(vec![nic.name.clone(), rate(nic.rate), typical, most, watts(nic.standby), nic.mark.word().into()]);
    }
    let _ = writeln!(list, "{nics}");
    for nic in &all.nic {
        paragraph(&mut list, &format!("{}: {}; {}", nic.name, nic.what, nic.source));
    }
    list.push_str("\nMEDIA (link.medium)\n\n");
    let mut media = Columns::new(2, words(&["medium", "what it is"]));
    Medium::ALL.iter().for_each(|(_, word, what)| media.row(words(&[word, what])));
    let _ = write!(list, "{media}");
    list
}

const PORTS: [&str; 6] = ["switch", "rate", "medium", "port on", "module", "link up"];
const TRAFFIC: [&str; 6] = ["switch", "rate", "medium", "pJ/bit", "nJ/packet", "counting"];
const SAVED: [&str; 7] = ["switch", "rate", "medium", "ports", "port on", "stays", "sleeps"];

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

fn paragraph(list: &mut String, text: &str) {
    let _ = writeln!(list, "{}", wrap::paragraph(text));
}

/// Says what a switch is made of.
fn of_switch(list: &mut String, device: &Device) {
    let _ = writeln!(list, "{}", device.name);
    for line in [device.what.clone(), parts(device), format!("source: {} ({})", device.source, device.mark.word())] {
        let _ = writeln!(list, "  {}", wrap::lines(&line, wrap::WIDTH - 4).join("\n    "));
    }
    list.push('\n');
}

/// Says what is known of the chassis and the cages of a switch.
fn parts(device: &Device) -> String {
    let power = match device.whole.0 {
        Some(whole) => format!("{whole} W as a whole; its parts are unknown"),
        None => format!("chassis: {}", with_watts(device.base)),
    };
    let cages = device.ports.iter().map(|cages| {
        let rates: Vec<String> = cages.rates.iter().copied().map(rate).collect();
        let links = if cages.links > 1 { format!(" of {} links", cages.links) } else { String::new() };
        let limit = cages.module_limit.0.map(|limit| format!(", modules up to {limit} W")).unwrap_or_default();
        let rates = if rates.is_empty() { "unknown rates".into() } else { rates.join(", ") };
        format!("{} ports{links} (form {}): {rates}{limit}", cages.count, cages.form.word())
    });
    format!("{power}; {}", cages.collect::<Vec<String>>().join("; "))
}

fn with_watts(amount: Amount) -> String {
    amount.0.map_or_else(|| "unknown".into(), |watts| format!("{watts:.1} W"))
}

fn watts(amount: Amount) -> String {
    amount.0.map_or_else(|| "unknown".into(), |watts| format!("{watts:.2}"))
}

fn rate(rate: BitRate) -> String {
    format!("{}G", rate.0 as f64 / 1e9)
}

/// Returns what all ports draw.
fn ports() -> Columns {
    let mut table = Columns::new(3, words(&PORTS));
    for (device, port) in all_ports() {
        let mut row = port_row(device, port);
        row.extend([port.on, port.plugged, port.up].map(watts));
        table.row(row);
    }
    table
}

/// Returns the energies of all ports; one with both countings has a row for each.
fn traffic() -> Columns {
    let mut table = Columns::new(3, words(&TRAFFIC));
    for (device, port) in all_ports() {
        let by = |(counting, word)| Some((port.energies(device.counting, counting)?, word));
        let known = [(Counting::Payload, "payload"), (Counting::Published, "published")].into_iter().filter_map(by);
        let mut known = known.peekable();
        if known.peek().is_none() {
            let mut row = port_row(device, port);
            row.extend(words(&["unknown", "unknown", ""]));
            table.row(row);
        }
        for (energies, word) in known {
            let scaled = |amount: Amount, by: f64| watts(Amount(amount.0.map(|joules| joules * by)));
            let mut row = port_row(device, port);
            row.extend([scaled(energies.per_bit, 1e12), scaled(energies.per_packet, 1e9), word.to_owned()]);
            table.row(row);
        }
    }
    table
}

fn all_ports() -> impl Iterator<Item = (&'static Device, &'static PortPower)> {
    catalogue().device.iter().flat_map(|device| device.port.iter().map(move |port| (device, port)))
}

fn port_row(device: &Device, port: &PortPower) -> Vec<String> {
    vec![device.name.clone(), rate(port.rate), port.medium.word().to_owned()]
}

/// Returns what sleeps of each switch.
fn saved() -> Columns {
    let mut table = Columns::new(3, words(&SAVED));
    savings().iter().for_each(|saving| table.row(saved_row(saving)));
    table
}

fn saved_row(saving: &Saving<'_>) -> Vec<String> {
    vec![
        saving.device.name.clone(),
        rate(saving.rate),
        saving.medium.word().to_owned(),
        saving.ports.to_string(),
        format!("{:.2} W", saving.on),
        format!("{:.2} W", saving.stays),
        format!("{:.1} %", 100.0 * saving.sleepable()),
    ]
}

fn of_module(module: &Module) -> Vec<String> {
    let links = if module.links > 1 { format!("{} x {}", module.links, rate(module.rate)) } else { rate(module.rate) };
    let mut row = vec![module.name.clone(), module.form.word().to_owned(), links, module.medium.word().to_owned()];
    row.extend([module.power.typical, module.power.max].map(watts));
    row.push(module.mark.word().to_owned());
    row
}

const HEAD: &str = "# Devices

<!-- Generated by `drowse devices --format markdown`. Do not edit: change the catalogue in the code. -->

`drowse devices` prints these tables. `power.watts.device` takes the name of a switch, `link.module` that of a module,
and `link.medium` a medium ([how they are counted](../model/watts.md)). A file with `[[device]]` and `[[module]]` tables
of your own, named by `power.watts.devices`, has the same form as the tables of the program
(`crates/drowse-experiment/src/devices/data`).

Each number is *measured* and published, *stated* in a manual or data sheet, or *claimed* by a vendor's talk or the
press. What nobody has published is *unknown*. It is refused, and not guessed, but for a data rate without numbers of
its own, at which ports draw what they do at the nearest one.

## Switches

";

/// Returns a page with all devices.
pub fn page() -> String {
    let all = catalogue();
    let mut page = HEAD.to_owned();
    page.push_str("| name | what | parts | source | mark |\n|---|---|---|---|---|\n");
    for device in &all.device {
        let (name, what, source) = (&device.name, &device.what, &device.source);
        let _ = writeln!(page, "| `{name}` | {what} | {} | {source} | {} |", parts(device), device.mark.word());
    }
    page.push_str(
        "\n## Ports\n\nWatts of each port: while it is on, of its module whatever the port does, and what a link \
                   adds that is up.\n\n",
    );
    markdown(&mut page, &ports(), 3);
    page.push_str(
        "\n## Traffic\n\nEnergies of each crossing of a port; a hop through a switch is two. *Payload*: for \
                   packets of their real length.\n*Published*: as published, for data rates that count headers.\n\n",
    );
    markdown(&mut page, &traffic(), 3);
    page.push_str(
        "\n## What sleeps\n\nAll links of a full switch sleep: what stays of each port, and the share of the whole \
                   switch that sleeps.\n\n",
    );
    markdown(&mut page, &saved(), 3);
    page.push_str("\n## Modules\n\n| name | form | rate | medium | typical, W | most, W | mark | source |\n");
    page.push_str("|---|---|---|---|---:|---:|---|---|\n");
    for module in &all.module {
        let cells = of_module(module).join(" | ");
        let _ = writeln!(page, "| {cells} | {} |", module.source);
    }
    page.push_str("\n## NICs\n\n| name | what | rate | typical, W | most, W | standby, W | mark | source |\n");
    page.push_str("|---|---|---|---:|---:|---:|---|---|\n");
    for nic in &all.nic {
        let [typical, most, standby] = [nic.power.typical, nic.power.max, nic.standby].map(watts);
        let (name, what, rate) = (&nic.name, &nic.what, rate(nic.rate));
        let (mark, source) = (nic.mark.word(), &nic.source);
        let _ = writeln!(page, "| {name} | {what} | {rate} | {typical} | {most} | {standby} | {mark} | {source} |");
    }
    page.push_str("\n## Media\n\n| `link.medium` | what it is |\n|---|---|\n");
    for (_, word, what) in Medium::ALL {
        let _ = writeln!(page, "| `{word}` | {what} |");
    }
    page
}

/// Adds a table of columns, of which the first few are flush left.
fn markdown(page: &mut String, table: &Columns, left: usize) {
    for (index, row) in table.rows().iter().enumerate() {
        let _ = writeln!(page, "| {} |", row.join(" | "));
        if index == 0 {
            let marks = (0..row.len()).map(|column| if column < left { "---" } else { "---:" });
            let _ = writeln!(page, "|{}|", marks.collect::<Vec<&str>>().join("|"));
        }
    }
}
