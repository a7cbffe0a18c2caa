//! Energies in joules, by hand: one message under several sleep states, and by the watts of published devices.

use std::fs;

use drowse_experiment::load_case;
use drowse_run::outcome::Outcome;
use drowse_run::request::RunRequest;

/// Rank 0 computes for 100 us and sends a packet of 128 B to rank 1, on the other switch.
const TRACE: &str = "0 init\n1 init\n0 compute 1000000\n0 send 1 0 128\n1 recv 0 0 128\n0 finalize\n1 finalize\n";

/// Two switches with a node each. A hop takes 25 cycles of 1.6 ns and 8 ns of wire: 30 cycles.
const PAIR: &str = "
    [network]
    kind = \"torus\"
    dims = [2]
    [[job]]
    trace = \"one.ti\"
    compute = { flops_per_second = \"10 Gflop/s\" }
";

/// Runs the message with more keys of `[power]`.
fn ran(power: &str, baseline: bool) -> (Outcome, Option<Outcome>) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("one.ti"), TRACE).unwrap();
    let (power, link) = power.split_once("[link]\n").unwrap_or((power, ""));
    let text = format!("{PAIR}[link]\nlatency = \"8 ns\"\n{link}[power]\n{power}");
    fs::write(folder.path().join("x.toml"), text).unwrap();
    let case = load_case(&folder.path().join("x.toml"), &[]).unwrap_or_else(|error| panic!("{error}"));
    let always_on = baseline.then(|| case.always_on());
    let request = RunRequest { baseline: always_on.as_ref(), ..RunRequest::new(&case) };
    let outcomes = request.run().unwrap_or_else(|error| panic!("{error}"));
    (outcomes.case, outcomes.baseline)
}

fn assert_near(outcome: &Outcome, expected: &[(&str, f64)]) {
    let row = outcome.case_row();
    for &(name, expected) in expected {
        let figure = row.number(name).unwrap_or_else(|| panic!("{name} is absent"));
        assert!((figure - expected).abs() <= 1e-9 * expected, "{name} is {figure}, not {expected}");
    }
}

const US: f64 = 1e-6;
/// When the packet's head is at the first switch: 100 us, and 8 ns of wire.
const ASKS: f64 = 100.008 * US;
/// From the grant of the first switch: two hops of 48 ns, and 128 B at 10 GB/s.
const REST: f64 = 0.1088 * US;
/// The default switch: 240 W for 64 ports, of which the links take 65 %.
const PORT: f64 = 240.0 / 64.0 * 0.65;

/// A link that has been idle for 10 us goes to deep sleep, which takes `enter` at full power and draws a tenth. The
/// message wakes one channel, which takes `wake` at full power; the packet goes on at the clock edge after that, `slept`
/// behind.
fn one_message(states: &str, enter: f64, wake: f64, slept: f64) {
    let power = format!("policy = {{ kind = \"stall-timer\", deep = \"10 us\" }}\nstates = \"{states}\"\n");
    let (outcome, _) = ran(&power, true);
    let end = ASKS + wake + slept + REST;
    let woken = 10.0 * US + enter + 0.1 * (ASKS - 10.0 * US - enter) + wake + slept + REST;
    let other = 10.0 * US + enter + 0.1 * (end - 10.0 * US - enter);
    let between = PORT * (woken + other);
    // Four channels of half a port each.
    let of_nodes = 4.0 * PORT / 2.0 * end;
    // Two switches of two ports, two NICs, two nodes.
    let (switches, nics, nodes) = (4.0 * 240.0 / 64.0 * 0.35 * end, 2.0 * 12.23 * end, 2.0 * 410.0 * end);
    let network = between + of_nodes + switches + nics;
    let expected = [
        ("makespan_s", end),
        ("energy.links.switch_j", between),
        ("energy.links.node_j", of_nodes),
        ("energy.links.all_j", between + of_nodes),
        ("links.by_class.dim-0.energy_j", between),
        ("links.by_class.dim-0.power_w", between / end),
        ("links.by_class.dim-0.utilisation", 128.0 / (2.0 * 1e10 * end)),
        ("energy.switches_j", switches),
        ("energy.nics_j", nics),
        ("energy.network_j", network),
        ("energy.nodes_j", nodes),
        ("energy.total_j", network + nodes),
        ("power.total_w", (network + nodes) / end),
        ("relative.links_switch_j", between / (2.0 * PORT * (ASKS + REST))),
        ("relative.nodes_j", end / (ASKS + REST)),
    ];
    assert_near(&outcome, &expected);
}

/// 10GBASE-T: 2.88 us and 4.48 us, 2,800 cycles.
#[test]
fn one_message_with_10gbase_t() {
    one_message("eee-10g", 2.88 * US, 4.48 * US, 0.0);
}

/// Andújar et al. 2019: 2.88 us and 4.16 us, 2,600 cycles.
#[test]
fn one_message_with_the_states_of_andujar() {
    one_message("andujar-2019", 2.88 * US, 4.16 * US, 0.0);
}

/// 40GBASE-CR4: 1.1 us and 5.5 us, half a cycle less than 3,438.
#[test]
fn one_message_with_40gbase_cr4() {
    one_message("eee-40g", 1.1 * US, 5.5 * US, 0.0008 * US);
}

/// A router that was measured with and without links: 1.1995 W a port, 285.31 W for 36 ports, 8.59 pJ a bit and 26.3 nJ
/// a packet at each end that is a switch.
#[test]
fn one_message_with_a_measured_router() {
    let (outcome, _) = ran("watts = { device = \"nexus-9336c-fx2\", chassis = \"share\" }\n", false);
    let end = ASKS + REST;
    let sent = 1024.0 * 8.59e-12 + 2.63e-8;
    let expected = [
        ("energy.links.switch_j", 2.0 * 1.1995 * end + 2.0 * sent),
        ("energy.links.node_j", 4.0 * 1.1995 / 2.0 * end + 2.0 * sent),
        ("energy.switches_j", 4.0 * 285.31 / 36.0 * end),
    ];
    assert_near(&outcome, &expected);
}

/// 2 W for a switch, 3 W for a NIC; a node draws 100 W while its rank computes and 40 W while it waits.
#[test]
fn one_message_with_own_watts() {
    let watts = "watts = { on = 1.0, switch = 2.0, nic = 3.0, node = { busy = 100.0, wait = 40.0, idle = 40.0 } }\n";
    let (outcome, _) = ran(watts, false);
    let end = ASKS + REST;
    let nodes = 2.0 * 40.0 * end + 60.0 * 100.0 * US;
    let expected = [
        ("energy.links.all_j", 6.0 * end),
        ("energy.switches_j", 4.0 * end),
        ("energy.nics_j", 6.0 * end),
        ("energy.nodes_j", nodes),
        ("energy.total_j", 16.0 * end + nodes),
    ];
    assert_near(&outcome, &expected);
    let whose = "slingshot-archer2; a NIC 3 W; a node 100 W, 40 W while it waits; \
                 yours: on 1, switch 2, nic 3, node.busy 100, node.wait 40, node.idle 40";
    assert_eq!(outcome.case_row().text("energy.watts"), whose);
}

/// Most MPI libraries poll, so rank 1 draws 100 W while it waits, whatever a node without work draws. Rank 0 has ended
/// when its packet has left: 128 B at 10 GB/s after it has computed.
#[test]
fn a_node_whose_rank_waits_draws_what_a_busy_one_does() {
    let draws = |node: &str| {
        let (outcome, _) = ran(&format!("watts = {{ node = {node} }}\n"), false);
        outcome.case_row().number("energy.nodes_j").unwrap()
    };
    let end = ASKS + REST;
    let sent = 0.0128 * US;
    let polls = draws("{ busy = 100.0, idle = 40.0 }");
    let expected = 100.0 * (100.0 * US + end) + 40.0 * (end - 100.0 * US);
    assert!((polls - expected).abs() <= 60.0 * sent + 1e-9 * expected, "{polls} is not {expected}");
    assert!((polls - draws("{ busy = 100.0, wait = 100.0, idle = 40.0 }")).abs() <= 0.0);
    assert!(polls > draws("{ busy = 100.0, wait = 40.0, idle = 40.0 }") + 59.0 * 100.0 * US);
}

/// Whose watts the joules are says what a waiting node draws, also where that is more than a busy one does.
#[test]
fn a_power_of_waiting_above_that_of_computing_is_said() {
    let (outcome, _) = ran("watts = { node = { busy = 100.0, wait = 120.0, idle = 40.0 } }\n", false);
    let whose = outcome.case_row().text("energy.watts").clone();
    assert!(whose.contains("a node 100 W, 120 W while it waits, 40 W without work"), "{whose}");
}

/// The joules of links and switches are those of the papers' `E_net`: both say what a network of these ports draws.
#[test]
fn joules_agree_with_e_net() {
    let power =
        "channels = \"all\"\npolicy = { kind = \"stall-timer\", deep = \"10 us\" }\n[power.model]\nports = 0.5\n";
    let (outcome, _) = ran(power, false);
    let row = outcome.case_row();
    let number = |name: &str| row.number(name).unwrap();
    let joules = number("energy.links.all_j") + number("energy.switches_j");
    let full = 4.0 * 240.0 / 64.0;
    assert!((joules - full * number("energy.e_net")).abs() <= 1e-9 * joules);
}

/// 0.25 for a kWh, and 360 g.
#[test]
fn what_a_run_costs() {
    let (outcome, _) = ran("[cost]\nprice = 0.25\ncarbon = 360\n", false);
    let row = outcome.case_row();
    let number = |name: &str| row.number(name).unwrap();
    let kilowatt_hours = number("energy.total_j") / 3.6e6;
    assert_near(&outcome, &[("cost.run", 0.25 * kilowatt_hours), ("cost.run_carbon_g", 360.0 * kilowatt_hours)]);
    assert_eq!(row.get("cost.lifetime"), None, "no system is described");
}

/// A link of 400 Gb/s takes two ports of 200 Gb/s, with its links and all else.
#[test]
fn a_fast_link_takes_several_ports() {
    let energies = |bandwidth: &str| {
        let (outcome, _) = ran(&format!("[link]\nbandwidth = \"{bandwidth}\"\n"), false);
        let row = outcome.case_row();
        ["power.links.all_w", "power.switches_w", "power.nics_w"].map(|name| row.number(name).unwrap())
    };
    let near = |[a, b, c]: [f64; 3], times: f64, [x, y, z]: [f64; 3]| {
        let same = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b;
        assert!(same(a, times * x) && same(b, times * y) && same(c, z), "{a} {b} {c}, not {times} times {x} {y}, {z}");
    };
    let slow = energies("80 Gb/s");
    near(energies("200 Gb/s"), 1.0, slow);
    near(energies("400 Gb/s"), 2.0, slow);
}
