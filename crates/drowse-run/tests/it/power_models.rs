//! Power over time where switches are of several models: it integrates to the energy, which is counted by channel.

use std::fs;

use drowse_core::measure::ProbeOptions;
use drowse_core::measure::series::IntervalLength;
use drowse_core::model::units::Time;
use drowse_run::export;
use drowse_run::request::RunRequest;

use crate::support::case;

/// Leaves of one model and spines of another, whose links sleep.
const EXPERIMENT: &str = "
    [network]
    kind = \"tree\"
    k = 3
    n = 2
    [link]
    bandwidth = \"100 Gb/s\"
    [power]
    channels = \"all\"
    policy = { kind = \"stall-timer\", deep = \"1 us\" }
    states = { deep = { power = 0.2, enter = \"1 us\", wake = \"2 us\" } }
    [power.watts]
    device = \"nexus-9336c-fx2\"
    [[power.watts.switches]]
    level = 1
    device = \"arista-7280cr3k-32d4\"
    [[job]]
    app = { kind = \"stencil\", dims = [3, 3], bytes = \"20 KiB\", compute = \"30 us\", iterations = 10 }
";

#[test]
fn the_integral_of_the_power_is_the_energy() {
    let case = case(EXPERIMENT);
    let probes = ProbeOptions { power: Some(IntervalLength::Of(Time::from_us(7))), ..ProbeOptions::default() };
    let outcome = RunRequest { probes, ..RunRequest::new(&case) }.run().unwrap_or_else(|error| panic!("{error}")).case;
    let row = outcome.case_row();
    let folder = tempfile::tempdir().unwrap();
    export::write(folder.path(), &[&outcome]).unwrap();
    let text = fs::read_to_string(folder.path().join("power.csv")).unwrap();
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let place = |name: &str| header.iter().position(|&column| column == name).unwrap();
    let [part, interval, watts] = ["part", "interval_ps", "watts"].map(place);
    let joules = |wanted: &str| -> f64 {
        let fields = text.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
        let of_part = fields.filter(|fields| fields[part] == wanted);
        of_part
            .map(|fields| fields[watts].parse::<f64>().unwrap() * fields[interval].parse::<f64>().unwrap() / 1e12)
            .sum()
    };
    assert!(text.lines().count() > 100);
    // What links do takes their whole time, and only links have such shares.
    let shares = ["sending", "idle", "entering", "asleep", "waking"].map(|name| place(&format!("{name}_fraction")));
    for fields in text.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>()) {
        let shares: Vec<f64> = shares.iter().filter_map(|&share| fields[share].parse().ok()).collect();
        assert_eq!(shares.len(), if fields[part] == "links" { 5 } else { 0 }, "{fields:?}");
        let sum: f64 = shares.iter().sum();
        assert!(shares.is_empty() || (sum - 1.0).abs() < 1e-12, "{fields:?}");
    }
    for (wanted, column) in [("links", "energy.links.all_j"), ("switches", "energy.switches_j")] {
        let (integral, energy) = (joules(wanted), row.number(column).unwrap());
        assert!((integral - energy).abs() < 1e-9 * energy, "{wanted}: {integral} J, not {energy} J");
    }
}
