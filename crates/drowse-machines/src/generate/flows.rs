//! Draws whether messages move as flows, and takes away what flows refuse.

use toml::{Table, Value};

use super::{int, put, table};
use crate::draw::Draw;
use crate::machine::Machine;

/// Policies that flows refuse.
const REFUSED: [&str; 5] = ["standby", "width", "coalescing", "bounded", "cap"];

/// Bytes of a packet that takes a clock cycle at least, at all clocks and bandwidths that are drawn.
const LEAST_PACKET: u64 = 128;

/// Draws the unit that moves, of a machine of which most are made to fit flows.
pub fn draw(draw: &mut Draw, machine: &mut Machine) {
    if draw.chance(10) {
        return machine.put("simulation", table([("unit", "packet".into())]));
    }
    let fits = draw.chance(80);
    draw_flows(draw, machine);
    if fits {
        fit(&mut machine.tables);
    }
}

/// Lets flows move in a machine that is made to fit them.
pub fn draw_fitting(draw: &mut Draw, machine: &mut Machine) {
    draw_flows(draw, machine);
    fit(&mut machine.tables);
}

fn draw_flows(draw: &mut Draw, machine: &mut Machine) {
    let mut keys = table([("unit", "flow".into())]);
    if draw.chance(50) {
        put(&mut keys, "fairness", draw.pick(&["port", "flow"]));
    }
    if draw.chance(50) {
        put(&mut keys, "blocking", draw.pick(&["head", "none"]));
    }
    if draw.chance(30) {
        put(&mut keys, "extrapolate", extrapolate(draw));
    }
    machine.put("simulation", keys);
}

/// Lets iterations be extrapolated that are alike.
fn extrapolate(draw: &mut Draw) -> Value {
    let mut keys = Table::new();
    if draw.chance(50) {
        put(&mut keys, "within", draw.pick(&[0.0, 0.001, 0.2]));
    }
    if draw.chance(50) {
        put(&mut keys, "after", int(1 + draw.below(4)));
    }
    Value::Table(keys)
}

/// Takes away most of what flows do not model.
fn fit(tables: &mut Table) {
    let mut governs = false;
    if !repeats(tables)
        && let Some(simulation) = tables.get_mut("simulation").and_then(Value::as_table_mut)
    {
        simulation.remove("extrapolate");
    }
    if let Some(power) = tables.get_mut("power").and_then(Value::as_table_mut) {
        power.remove("directions");
        governs |= power.get_mut("policy").is_some_and(fit_policy);
        let classes = power.get_mut("class").and_then(Value::as_array_mut);
        for policy in classes.into_iter().flatten().filter_map(|class| class.get_mut("policy")) {
            governs |= fit_policy(policy);
        }
    }
    if let Some(switch) = tables.get_mut("switch").and_then(Value::as_table_mut) {
        fit_switch(switch, governs);
    }
}

/// Returns whether there is nothing but jobs with an end, on links without a policy that goes by windows or learns from
/// each iteration.
fn repeats(tables: &Table) -> bool {
    let is = |table: &Value, key: &str, words: &[&str]| {
        table.get(key).and_then(Value::as_str).is_some_and(|word| words.contains(&word))
    };
    let power = tables.get("power");
    let classes = power.and_then(|power| power.get("class")?.as_array());
    let policies = power.into_iter().chain(classes.into_iter().flatten()).filter_map(|keys| keys.get("policy"));
    let jobs = tables.get("job").and_then(Value::as_array).into_iter().flatten();
    !tables.contains_key("traffic")
        && !policies.into_iter().any(|policy| is(policy, "kind", &["trunk", "runtime"]))
        && !jobs.into_iter().any(|job| is(job, "repeat", &["until-others-end"]))
        && !tables.get("network").is_some_and(|network| is(network, "kind", &["ideal"]))
}

/// Puts another policy in place of one that flows refuse; returns whether it turns off ports of trunks.
fn fit_policy(policy: &mut Value) -> bool {
    let Some(keys) = policy.as_table_mut() else { return false };
    let kind = keys.get("kind").and_then(Value::as_str).unwrap_or_default();
    if REFUSED.contains(&kind) {
        *keys = table([("kind", "immediate".into())]);
    }
    keys.get("kind").and_then(Value::as_str) == Some("trunk")
}

fn fit_switch(switch: &mut Table, governs: bool) {
    for key in ["flow_control", "xoff", "xon"] {
        switch.remove(key);
    }
    if switch.get("escape").and_then(Value::as_str) == Some("bubble") {
        // Other virtual channels need another buffer.
        for key in ["escape", "padding", "vcs", "buffer", "packet"] {
            switch.remove(key);
        }
    }
    if governs && switch.get("queues").and_then(Value::as_str) == Some("output") {
        for key in ["queues", "output_buffer", "speedup", "output_speedup"] {
            switch.remove(key);
        }
    }
    let bytes = |switch: &Table, key: &str| {
        let size = switch.get(key).and_then(Value::as_str).and_then(|size| size.strip_suffix(" B"));
        size.and_then(|size| size.parse::<u64>().ok())
    };
    if let (Some(flit), Some(packet)) = (bytes(switch, "flit"), bytes(switch, "packet"))
        && packet < LEAST_PACKET
    {
        put(switch, "packet", format!("{} B", LEAST_PACKET.next_multiple_of(flit)));
        switch.remove("buffer");
    }
    if let Some(allocator) = switch.get_mut("allocator").and_then(Value::as_table_mut) {
        allocator.remove("overlap");
        if allocator.get("kind").and_then(Value::as_str) == Some("age") {
            allocator.remove("kind");
        }
    }
}
