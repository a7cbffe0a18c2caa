//! The time in which links wake, by hand: it is booked as such, and at full power, also by the oracle.

use std::fs;

use drowse_experiment::load_case;
use drowse_run::request::RunRequest;
use drowse_tables::Row;

/// Rank 0 computes for 100 us and sends a packet of 128 B to rank 1, on the other switch.
const TRACE: &str = "0 init\n1 init\n0 compute 1000000\n0 send 1 0 128\n1 recv 0 0 128\n0 finalize\n1 finalize\n";

const US: f64 = 1e-6;
/// When the packet is at the first switch: 100 us, and 8 ns of wire.
const ASKS: f64 = 100.008 * US;
/// Two hops of 48 ns, and 128 B at 10 GB/s.
const REST: f64 = 0.1088 * US;
/// No idle period here is worth shallow sleep.
const STATES: &str = "deep = { power = 0.1, enter = \"2.88 us\", wake = \"4.48 us\" }, \
                      shallow = { power = 0.6, enter = \"1 us\", wake = \"1 us\" }";
/// Into deep sleep, which draws a tenth, and out of it.
const ENTER: f64 = 2.88 * US;
const WAKE: f64 = 4.48 * US;

fn ran(policy: &str) -> Row {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("one.ti"), TRACE).unwrap();
    let text = format!(
        "[network]\nkind = \"torus\"\ndims = [2]\n[link]\nlatency = \"8 ns\"\n[power]\npolicy = {{ {policy} }}\n\
         states = {{ {STATES} }}\nwatts = {{ on = 1.0 }}\n\
         [[job]]\ntrace = \"one.ti\"\ncompute = {{ flops_per_second = \"10 Gflop/s\" }}\n"
    );
    fs::write(folder.path().join("x.toml"), text).unwrap();
    let case = load_case(&folder.path().join("x.toml"), &[]).unwrap_or_else(|error| panic!("{error}"));
    RunRequest::new(&case).run().unwrap_or_else(|error| panic!("{error}")).case.case_row()
}

/// Of the two channels between the switches one wakes for the packet; the other sleeps to the end.
fn check(row: &Row, end: f64, [on, entering, deep, waking]: [f64; 4]) {
    let number = |name: &str| row.number(name).unwrap_or_else(|| panic!("{name} is absent"));
    let near = |name: &str, expected: f64| {
        let figure = number(name);
        assert!((figure - expected).abs() <= 1e-9 * expected, "{name} is {figure}, not {expected}");
    };
    assert!((on + entering + deep + waking - 2.0 * end).abs() < 1e-15);
    near("makespan_s", end);
    near("links.by_class.dim-0.on_fraction", on / (2.0 * end));
    near("links.by_class.dim-0.entering_fraction", entering / (2.0 * end));
    near("links.by_class.dim-0.deep_fraction", deep / (2.0 * end));
    near("links.by_class.dim-0.waking_fraction", waking / (2.0 * end));
    assert_eq!(number("links.wakes"), 1.0);
    // On, entering and waking at 1 W, deep at 0.1 W.
    let joules = on + entering + waking + 0.1 * deep;
    near("energy.links.switch_j", joules);
    // The paper's share of a port that is on: two ports of nodes are on, too, with half the weight for each channel.
    near("energy.links.switch", joules / 2.0);
    near("energy.w_ports", (joules + 2.0 * end) / (4.0 * end));
}

/// The link sleeps after 10 us, wakes when the packet asks, and delays it.
#[test]
fn a_timer_wakes_at_full_power() {
    let timer = 10.0 * US;
    let end = ASKS + WAKE + REST;
    let deep = (ASKS - timer - ENTER) + (end - timer - ENTER);
    check(&ran("kind = \"stall-timer\", deep = \"10 us\""), end, [2.0 * timer + REST, 2.0 * ENTER, deep, WAKE]);
}

/// The oracle sleeps at once and has woken when the packet asks.
#[test]
fn the_oracle_wakes_at_full_power() {
    let end = ASKS + REST;
    let deep = (ASKS - ENTER - WAKE) + (end - ENTER);
    check(&ran("kind = \"oracle\""), end, [REST, 2.0 * ENTER, deep, WAKE]);
}
