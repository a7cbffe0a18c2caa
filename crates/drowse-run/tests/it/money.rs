//! What runs and years cost, by hand; limits against two single runs; and power over time against energy.

use std::fs;

use drowse_core::measure::ProbeOptions;
use drowse_core::measure::series::IntervalLength;
use drowse_core::model::units::Time;
use drowse_experiment::load_case;
use drowse_run::export;
use drowse_run::outcome::Outcome;
use drowse_run::request::RunRequest;
use drowse_run::threads::Threads;
use drowse_tables::schema::{POWER, power};

const STENCIL: &str = "
    [network]
    kind = \"torus\"
    dims = [4, 2]
    [node]
    cores = 2
    [power]
    policy = { kind = \"stall-timer\", deep = \"10 us\" }
    [[job]]
    app = { kind = \"stencil\", dims = [4, 2], bytes = \"16 KiB\", compute = \"100 us\", iterations = 3 }
";

/// Runs with other sections, beside a file of prices.
fn ran(more: &str, probes: ProbeOptions, baseline: bool) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let prices = "time,value\n0,0.2\n3600,0.4\n7200,0.3\n";
    fs::write(folder.path().join("prices.csv"), prices).unwrap();
    fs::write(folder.path().join("x.toml"), format!("{STENCIL}{more}")).unwrap();
    let case = load_case(&folder.path().join("x.toml"), &[]).unwrap_or_else(|error| panic!("{error}"));
    let always_on = baseline.then(|| case.always_on());
    let request =
        RunRequest { baseline: always_on.as_ref(), probes, threads: Threads::exactly(2), ..RunRequest::new(&case) };
    request.run().unwrap_or_else(|error| panic!("{error}")).case
}

fn figure(outcome: &Outcome, name: &str) -> f64 {
    outcome.figures().number(name).unwrap_or_else(|| panic!("{name} is absent"))
}

fn assert_near(outcome: &Outcome, name: &str, expected: f64) {
    let value = figure(outcome, name);
    assert!((value - expected).abs() <= 1e-12 * expected.abs(), "{name} is {value}, not {expected}");
}

/// Mean watts times 8,760 hours, PUE and price; three hours at 0.2, 0.4 and 0.3 have the mean of 0.3. A run within the
/// second hour has 0.4.
#[test]
fn a_year_by_hand() {
    let cost = "[cost]\nprice = { file = \"prices.csv\" }\nstart = \"3700\"\ncarbon = 350\npue = 1.3\n";
    let outcome = ran(cost, ProbeOptions::default(), false);
    let kwh = figure(&outcome, "power.total_w") / 1_000.0 * 8_760.0 * 1.3;
    assert_near(&outcome, "cost.year_kwh", kwh);
    assert_near(&outcome, "cost.year", kwh * 0.3);
    assert_near(&outcome, "cost.year_carbon_kg", kwh * 0.35);
    let network = figure(&outcome, "power.network_w") / 1_000.0 * 8_760.0 * 1.3;
    assert_near(&outcome, "cost.year_network", network * 0.3);
    let run = figure(&outcome, "energy.total_j") / 3.6e6 * 1.3;
    assert_near(&outcome, "cost.run_kwh", run);
    assert_near(&outcome, "cost.run", run * 0.4);
    assert_near(&outcome, "cost.run_carbon_g", run * 350.0);
    assert_near(&outcome, "cost.whole", run * 0.4);
}

/// Eight switches at 6,000, 24 cables at 50 (16 between switches, 8 of nodes), eight NICs at 500; for 5 years.
#[test]
fn ownership_by_hand() {
    let parts = "[cost]\nprice = 0.25\nyears = 5\n[[cost.part]]\npart = \"switch\"\nprice = 6000\ncarbon = 280\n\
                 [[cost.part]]\npart = \"cable\"\nprice = 50\n[[cost.part]]\npart = \"nic\"\nprice = 500\n";
    let outcome = ran(parts, ProbeOptions::default(), false);
    let links = outcome.case.system.network.links();
    let bought = 8.0 * 6_000.0 + 50.0 * f64::from(links) + 8.0 * 500.0;
    assert_near(&outcome, "cost.investment", bought);
    assert_near(&outcome, "cost.investment_year", bought / 5.0);
    assert_near(&outcome, "cost.investment_carbon_kg", 8.0 * 280.0);
    assert_near(&outcome, "cost.owned_year", bought / 5.0 + figure(&outcome, "cost.year"));
    let share = bought / 5.0 * figure(&outcome, "makespan_s") / (8_760.0 * 3_600.0);
    assert_near(&outcome, "cost.whole", share + figure(&outcome, "cost.run"));
}

/// What is saved for the same work, over the baseline's run time and over a year.
#[test]
fn what_a_machine_would_save() {
    let outcome = ran("[cost]\nprice = 0.5\npue = 1.2\n", ProbeOptions::default(), true);
    let before = figure(&outcome, "energy.total_j") / figure(&outcome, "relative.total_j");
    let seconds = figure(&outcome, "makespan_s") / figure(&outcome, "relative.makespan");
    let saved = (before - figure(&outcome, "energy.total_j")) / seconds;
    let near = |name: &str, expected: f64| {
        let value = figure(&outcome, name);
        assert!((value - expected).abs() <= 1e-6 * expected.abs(), "{name} is {value}, not {expected}");
    };
    near("relative.before_w", before / seconds);
    near("relative.saved_w", saved);
    near("relative.saved_year_kwh", saved * 8.76 * 1.2);
    near("relative.saved_year", saved * 8.76 * 1.2 * 0.5);
}

/// The powers of NIC and node; `at` chooses among lower and higher values.
fn powers(at: impl Fn(f64, f64) -> String) -> String {
    format!(
        "[power.watts]\nnic = {}\nnode = {{ busy = {}, wait = {}, idle = {}, accelerator = {{ per_node = 2, idle = {}, \
         compute = {}, communicate = {} }} }}\n[cost]\nprice = 0.2\n",
        at(10.0, 20.0),
        at(400.0, 500.0),
        at(300.0, 450.0),
        at(100.0, 200.0),
        at(50.0, 75.0),
        at(500.0, 1_200.0),
        at(200.0, 600.0),
    )
}

/// Low and high of one run with bands are what two runs with their numbers give, to the last digit; the middle is between.
#[test]
fn limits_are_two_single_runs() {
    let band = ran(&powers(|low, high| format!("{{ low = {low}, high = {high} }}")), ProbeOptions::default(), false);
    let low = ran(&powers(|low, _| low.to_string()), ProbeOptions::default(), false);
    let high = ran(&powers(|_, high| high.to_string()), ProbeOptions::default(), false);
    for (single, end) in [(&low, "low"), (&high, "high")] {
        for part in ["network", "nodes", "total"] {
            let [joules, watts] = [format!("energy.{part}_j"), format!("power.{part}_w")];
            assert_eq!(figure(&band, &format!("energy.{part}_{end}_j")), figure(single, &joules));
            assert_eq!(figure(&band, &format!("power.{part}_{end}_w")), figure(single, &watts));
        }
        assert_eq!(figure(&band, &format!("cost.run_{end}")), figure(single, "cost.run"));
        assert_eq!(figure(&band, &format!("cost.year_{end}")), figure(single, "cost.year"));
    }
    let middle = figure(&band, "energy.total_j");
    let ends = figure(&low, "energy.total_j") + figure(&high, "energy.total_j");
    assert!((middle - ends / 2.0).abs() <= 1e-12 * middle);
}

/// More of any power is never less of energy.
#[test]
fn energy_is_monotone_in_every_power() {
    let energy = |raised: usize| {
        let number = std::cell::Cell::new(0);
        let at = |low: f64, high: f64| {
            number.set(number.get() + 1);
            if number.get() == raised { high } else { low }.to_string()
        };
        figure(&ran(&powers(at), ProbeOptions::default(), false), "energy.total_j")
    };
    let least = energy(0);
    (1..=7).for_each(|raised| assert!(energy(raised) >= least, "power {raised}"));
    assert!(energy(1) > least && energy(2) > least && energy(3) > least);
}

/// For each part, the sum of powers times intervals is its energy, at any length of intervals.
#[test]
fn power_integrates_to_energy() {
    for length in [IntervalLength::OfRun, IntervalLength::Of(Time(7_777_777)), IntervalLength::Of(Time(1_000_000_000))]
    {
        let wanted = ProbeOptions { power: Some(length), ..ProbeOptions::default() };
        let outcome =
            ran("[power.watts]\nper_bit = 1e-11\nper_packet = 1e-7\nnode = { wait = 300.0 }\n", wanted, false);
        let rows: Vec<_> = export::rows(&POWER, &outcome).collect();
        let energy = |part: &str| -> f64 {
            let of_part = rows.iter().filter(|row| row.text(power::PART) == part);
            let joules =
                of_part.map(|row| row.number(power::WATTS).unwrap() * row.number(power::INTERVAL_PS).unwrap() / 1e12);
            joules.sum()
        };
        let parts = [
            ("links", "energy.links.all_j"),
            ("switches", "energy.switches_j"),
            ("nics", "energy.nics_j"),
            ("nodes", "energy.nodes_j"),
        ];
        for (part, column) in parts {
            let (sum, whole) = (energy(part), figure(&outcome, column));
            assert!((sum - whole).abs() <= 1e-12 * whole, "{part}: {sum}, not {whole}");
        }
        let [peak, mean] = ["over_time.total_peak_w", "power.total_w"].map(|name| figure(&outcome, name));
        assert!(peak >= figure(&outcome, "over_time.total_p95_w") && peak >= mean);
    }
}

/// A published node of which limits are known only, and what is said of it.
#[test]
fn a_node_by_its_name() {
    let outcome = ran("[power.watts]\nnode = { preset = \"gb200-tray\" }\n", ProbeOptions::default(), false);
    let seconds = figure(&outcome, "makespan_s");
    let times = outcome.record.ranks.iter().map(|rank| rank.times);
    let working: f64 = times.map(|times| times.total().seconds()).sum::<f64>() / 2.0;
    // Two ranks on each of four nodes.
    let high = 4.0 * seconds * 1_000.0 + (6_667.0 - 1_000.0) * working;
    let value = figure(&outcome, "energy.nodes_high_j");
    assert!((value - high).abs() <= 1e-9 * high, "{value}, not {high}");
    let said = outcome.figures().text(drowse_tables::schema::cases::ENERGY_WATTS);
    assert!(
        said.contains("a node 1000 to 6667 W") && said.contains("figures without a band are of its middle"),
        "{said}"
    );
}
