//! Draws lists of sleep states, and fits what else is drawn to them.

use drowse_experiment::SINGLE_STATES;
use toml::{Table, Value};

use super::{int, put, table};
use crate::draw::{self, Draw};

/// States of which only times are published, as codes.
const EXIT_CODES: [(&str, u64); 2] = [("pcie-l0s", 64_000), ("pcie-l1", 1_000_000)];

/// Draws a list of one to six states, in the order of their times to wake; each draws less than the one before.
pub fn draw(draw: &mut Draw) -> Table {
    let count = draw.within(1..=6);
    let mut powers: Vec<u64> = (0..count).map(|_| draw.within(0..=1000)).collect();
    powers.sort_unstable_by(|one, other| other.cmp(one));
    let mut wake = draw.scaled(0..=200_000);
    let mut states = Table::new();
    let watts = draw.chance(30);
    let mut list: Vec<Value> = Vec::new();
    for (place, power) in (0..count).zip(powers) {
        let mut state = table([("name", format!("state-{place}").into())]);
        if place == 0 && draw.chance(20) {
            let (preset, shortest) = draw.pick(&EXIT_CODES);
            let code = draw.below(4);
            wake = shortest << code;
            put(&mut state, "preset", preset);
            put(&mut state, "exit_code", int(code));
        } else if place > 1 && place + 1 == count && draw.chance(30) {
            put(&mut state, "cmis", codes(draw));
        } else {
            if draw.chance(20) {
                // What a preset lacks is written, and no link goes down here.
                put(&mut state, "preset", draw.pick(&SINGLE_STATES.map(|state| state.name)));
                put(&mut state, "keeps_link", true);
            }
            put(&mut state, "wake", draw::time(wake));
        }
        if !state.contains_key("cmis") {
            put(&mut state, "enter", draw.time(0..=500_000));
        }
        if watts {
            put(&mut state, "parts", parts(draw, place, count));
        } else {
            put(&mut state, "power", power as f64 / 1e3);
        }
        list.push(state.into());
        wake += draw.scaled(0..=2_000_000);
    }
    put(&mut states, "list", list);
    if watts {
        let watts = [("serdes", 2.0.into()), ("module", 9.0.into()), ("module_low", 1.5.into()), ("port", 1.0.into())];
        put(&mut states, "part_watts", table(watts));
    }
    if draw.chance(30) {
        put(&mut states, "transition", draw.share());
    }
    states
}

/// Draws the codes of a module that takes milliseconds: longer ones take too long to simulate with some policies.
fn codes(draw: &mut Draw) -> Table {
    let mut codes = Table::new();
    for key in ["pwr_up", "pwr_dn", "dp_init", "dp_deinit", "tx_turn_on", "tx_turn_off"] {
        put(&mut codes, key, int(draw.below(2)));
    }
    if draw.chance(30) {
        put(&mut codes, "training", draw.time(0..=1_000_000));
    }
    codes
}

/// Draws what the parts of a link draw asleep: less in later states, as policies with two timers ask.
fn parts(draw: &mut Draw, place: u64, count: u64) -> Table {
    let mut parts = table([("serdes", ((count - place) as f64 / 8.0).into())]);
    if place + 1 == count && draw.chance(50) {
        put(&mut parts, "module", "low-power");
        put(&mut parts, "port", 0.5);
    }
    parts
}

/// Takes away timers of states that some class does not have, and lets links go down where both directions do.
pub fn fit(draw: &mut Draw, keys: &mut Table) {
    let both = keys.get("directions").and_then(Value::as_str) == Some("both");
    let mut classes = keys.remove("class");
    let of_classes = classes.iter().filter_map(Value::as_array).flatten().filter_map(Value::as_table);
    let least = of_classes.map(states_of).fold(states_of(keys), usize::min);
    if both && draw.chance(50) {
        take_down(keys);
    }
    shorten(keys, least);
    if classes.is_none() {
        name_state(draw, keys);
    }
    if let Some(Value::Array(tables)) = &mut classes {
        tables.iter_mut().filter_map(Value::as_table_mut).for_each(|table| shorten(table, least));
    }
    keys.extend(classes.map(|classes| ("class".to_owned(), classes)));
}

/// Returns how many states a table has; where it says nothing, two, as there are at least.
fn states_of(table: &Table) -> usize {
    table.get("states").and_then(|states| states.get("list")).and_then(Value::as_array).map_or(2, Vec::len)
}

/// Says of the last state of a list that it does not keep the link.
fn take_down(keys: &mut Table) {
    let list = keys.get_mut("states").and_then(|states| states.get_mut("list")).and_then(Value::as_array_mut);
    if let Some(last) = list.and_then(|list| list.last_mut()).and_then(Value::as_table_mut) {
        put(last, "keeps_link", false);
    }
}

/// Names the state of links that stand by, where the table lists states and no class has others.
fn name_state(draw: &mut Draw, keys: &mut Table) {
    let states = keys.get("states").and_then(|states| states.get("list")).and_then(Value::as_array).map_or(0, Vec::len);
    let policy = keys.get_mut("policy").and_then(Value::as_table_mut);
    let standby = policy.filter(|policy| policy.get("kind").and_then(Value::as_str) == Some("standby"));
    if let Some(policy) = standby.filter(|_| states > 0 && draw.chance(60)) {
        put(policy, "state", format!("state-{}", draw.below(states as u64)));
    }
}

/// Leaves as many timers as there are states.
fn shorten(table: &mut Table, states: usize) {
    let Some(policy) = table.get_mut("policy").and_then(Value::as_table_mut) else { return };
    if let Some(Value::Array(timers)) = policy.get_mut("timers") {
        timers.truncate(states);
    }
    if states == 1 && policy.contains_key("deep") {
        policy.remove("shallow");
    }
    if states == 1 && policy.contains_key("file") {
        // A file may have two timers for a link.
        *policy = super::table([("kind", "immediate".into())]);
    }
}
