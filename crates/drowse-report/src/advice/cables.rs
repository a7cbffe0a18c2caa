//! Which cables and switches may sleep under a policy: from what each channel did, with the links on and asleep.

use std::collections::BTreeMap;

use drowse_tables::schema::channels as columns;

use crate::results::Results;
use crate::table::Table;

/// What a cable does, both directions together.
#[derive(Clone, Debug, PartialEq)]
pub struct Cable {
    /// Its ends.
    pub name: String,
    /// The class of its links.
    pub class: String,
    /// Whether it is that of a node.
    pub of_node: bool,
    /// What it saves in watts, in the mean over windows.
    pub saved_w: f64,
    /// The share of time that it sleeps, in the mean over windows and directions.
    pub asleep: f64,
    /// The least such share of a window.
    pub asleep_least: f64,
    /// Messages that waited for it to wake, in all windows.
    pub delayed: f64,
    /// Bytes that crossed it with all links on, in all windows.
    pub bytes: f64,
}

/// Cables of one class, between switches or of nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Class {
    /// The class of their links.
    pub name: String,
    /// Whether they are those of nodes.
    pub of_node: bool,
    /// How many they are.
    pub cables: usize,
    /// Those that nothing crossed with all links on.
    pub unused: usize,
    /// Those that sleep for half of the time or more.
    pub asleep_half: usize,
    /// The share of time that they sleep, in the mean.
    pub asleep: f64,
    /// What they save together, in watts.
    pub saved_w: f64,
    /// Messages that waited for them to wake.
    pub delayed: f64,
}

/// A switch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Switch {
    /// Its name.
    pub name: String,
    /// Its ports that have a link.
    pub ports: usize,
    /// The share of time that these sleep, in the mean.
    pub asleep: f64,
    /// What its ports save, in watts.
    pub saved_w: f64,
    /// Whether nothing crossed it in any window.
    pub is_unused: bool,
}

/// All of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cables {
    /// The cables, those that save most first.
    pub cables: Vec<Cable>,
    /// By class, likewise.
    pub classes: Vec<Class>,
    /// The switches, likewise.
    pub switches: Vec<Switch>,
}

/// A window with all links on, and under a policy.
pub struct Pair<'a> {
    /// With all links on.
    pub on: &'a Results,
    /// Under the policy.
    pub asleep: &'a Results,
    /// Whether its savings count in the mean.
    pub counts: bool,
}

/// What a channel does in a window.
struct Seen {
    key: (String, String),
    names: [String; 2],
    class: String,
    of_node: bool,
    switch: Option<String>,
    saved_w: f64,
    asleep: f64,
    delayed: f64,
    bytes: f64,
}

impl Cables {
    /// Reads what channels did in windows.
    pub fn of(pairs: &[Pair<'_>]) -> Self {
        let counted = pairs.iter().filter(|pair| pair.counts).count();
        let (mut cables, mut switches) = (BTreeMap::new(), BTreeMap::new());
        for pair in pairs {
            // Where no window counts, all do.
            let share = if counted == 0 { 1.0 / pairs.len() as f64 } else { 1.0 / counted as f64 };
            let share = if pair.counts || counted == 0 { share } else { 0.0 };
            let seen = channels(pair);
            add_cables(&mut cables, &seen, share);
            add_switches(&mut switches, &seen, share);
        }
        let mut cables: Vec<Cable> = cables.into_values().collect();
        cables.sort_by(|one, other| other.saved_w.total_cmp(&one.saved_w));
        let mut switches: Vec<Switch> = switches.into_values().collect();
        switches.sort_by(|one: &Switch, other| other.saved_w.total_cmp(&one.saved_w));
        let classes = classes(&cables);
        Cables { cables, classes, switches }
    }
}

fn add_cables(cables: &mut BTreeMap<(String, String), Cable>, seen: &[Seen], share: f64) {
    let mut of_window: BTreeMap<&(String, String), (f64, usize)> = BTreeMap::new();
    for channel in seen {
        let cable = cables.entry(channel.key.clone()).or_insert_with(|| Cable {
            name: channel.names.join(" – "),
            class: channel.class.clone(),
            of_node: channel.of_node,
            saved_w: 0.0,
            asleep: 0.0,
            asleep_least: 1.0,
            delayed: 0.0,
            bytes: 0.0,
        });
        cable.saved_w += channel.saved_w * share;
        cable.delayed += channel.delayed;
        cable.bytes += channel.bytes;
        let both = of_window.entry(&channel.key).or_default();
        *both = (both.0 + channel.asleep, both.1 + 1);
    }
    for (key, (sum, count)) in of_window {
        let asleep = sum / count as f64;
        if let Some(cable) = cables.get_mut(key) {
            cable.asleep += asleep * share;
            cable.asleep_least = cable.asleep_least.min(asleep);
        }
    }
}

fn add_switches(switches: &mut BTreeMap<String, Switch>, seen: &[Seen], share: f64) {
    let mut of_window: BTreeMap<&String, (f64, f64, usize, f64)> = BTreeMap::new();
    for (name, channel) in seen.iter().filter_map(|channel| Some((channel.switch.as_ref()?, channel))) {
        let sums = of_window.entry(name).or_default();
        *sums = (sums.0 + channel.saved_w, sums.1 + channel.asleep, sums.2 + 1, sums.3 + channel.bytes);
    }
    for (name, (saved_w, asleep, ports, bytes)) in of_window {
        let new = || Switch { name: name.clone(), is_unused: true, ..Switch::default() };
        let switch = switches.entry(name.clone()).or_insert_with(new);
        switch.ports = ports;
        switch.saved_w += saved_w * share;
        switch.asleep += asleep / ports as f64 * share;
        switch.is_unused &= bytes <= 0.0;
    }
}

fn classes(cables: &[Cable]) -> Vec<Class> {
    let mut classes: Vec<Class> = Vec::new();
    for cable in cables {
        let place = classes.iter().position(|class| class.name == cable.class && class.of_node == cable.of_node);
        let place = place.unwrap_or_else(|| {
            classes.push(Class { name: cable.class.clone(), of_node: cable.of_node, ..Class::default() });
            classes.len() - 1
        });
        let class = &mut classes[place];
        class.cables += 1;
        class.unused += usize::from(cable.bytes <= 0.0);
        class.asleep_half += usize::from(cable.asleep >= 0.5);
        class.asleep += cable.asleep;
        class.saved_w += cable.saved_w;
        class.delayed += cable.delayed;
    }
    classes.iter_mut().for_each(|class| class.asleep /= class.cables as f64);
    classes.sort_by(|one, other| other.saved_w.total_cmp(&one.saved_w));
    classes
}

/// The columns of the time in which a channel can send, or is about to.
const AWAKE: [&str; 3] = [columns::ON_PS.name, columns::ENTERING_PS.name, columns::WAKING_PS.name];
/// The columns of the time in which it sleeps.
const ASLEEP: [&str; 6] = [
    columns::SHALLOW_PS.name,
    columns::DEEP_PS.name,
    columns::THIRD_PS.name,
    columns::FOURTH_PS.name,
    columns::FIFTH_PS.name,
    columns::SIXTH_PS.name,
];

/// Reads the channels of a window.
fn channels(pair: &Pair<'_>) -> Vec<Seen> {
    let (Some(on), Some(table)) = (&pair.on.channels, &pair.asleep.channels) else { return Vec::new() };
    let time = |table: &Table, row: usize, names: &[&str]| {
        names.iter().filter_map(|name| table.figure(row, name)).sum::<f64>()
    };
    let of = |row: usize| {
        let [awake, asleep] = [time(table, row, &AWAKE), time(table, row, &ASLEEP)];
        let seconds = time(on, row, &AWAKE) / 1e12;
        let joules = |table: &Table| table.figure(row, columns::ENERGY_J.name);
        let ends = [(columns::FROM, columns::FROM_NAME), (columns::TO, columns::TO_NAME)];
        let names = ends.map(|(end, name)| {
            let name = table.named(row, name.name);
            if name.is_empty() { table.named(row, end.name).to_owned() } else { name.to_owned() }
        });
        let is_switch = |column: &str| table.named(row, column) == "switch";
        let mut key = ends.map(|(end, _)| table.named(row, end.name).to_owned());
        key.sort();
        let [first, second] = key;
        let from = is_switch(columns::FROM_KIND.name);
        let number = || format!("switch {}", table.named(row, columns::FROM_SWITCH.name));
        let has_name = !table.named(row, columns::FROM_NAME.name).is_empty();
        let called = || names[0].rsplit_once(" [").map_or_else(|| names[0].clone(), |(switch, _)| switch.to_owned());
        Some(Seen {
            key: (first, second),
            class: table.named(row, columns::CLASS.name).to_owned(),
            of_node: !(from && is_switch(columns::TO_KIND.name)),
            switch: from.then(|| if has_name { called() } else { number() }),
            saved_w: (joules(on)? - joules(table)?) / seconds,
            asleep: if awake + asleep > 0.0 { asleep / (awake + asleep) } else { 0.0 },
            delayed: table.figure(row, columns::DELAYED_MESSAGES.name).unwrap_or(0.0),
            // With links that sleep, traffic goes by those that are awake.
            bytes: on.figure(row, columns::BYTES.name).unwrap_or(0.0),
            names,
        })
    };
    (0..table.len().min(on.len())).filter_map(of).collect()
}
