//! What nodes take under a scheduler, by hand: all of the machine count, wherever jobs are.

use std::fs;

use drowse_experiment::load_case;
use drowse_run::request::RunRequest;
use drowse_tables::Row;

/// Four nodes, of which only nodes draw power: 100 W, and 100 W more while ranks compute on all cores.
const RING: &str = "kind = \"torus\"\ndims = [4]";
const WATTS: &str = "[power.watts]\non = 0.0\nswitch = 0.0\nnic = 0.0\nnode = { busy = 200.0, idle = 100.0 }\n";

/// Runs `count` jobs of `ranks` ranks that compute for a second, with more lines of the experiment.
fn ran(network: &str, cores: u32, (count, ranks): (u32, u32), more: &str) -> Row {
    let folder = tempfile::tempdir().unwrap();
    let program = format!("drowse-trace 1\nranks {ranks}\nrank 0-{}\ncompute 1 s\n", ranks - 1);
    fs::write(folder.path().join("c.drowse"), program).unwrap();
    let text = format!(
        "[network]\n{network}\n[node]\ncores = {cores}\n{more}\n[[job]]\ntrace = \"c.drowse\"\ncount = {count}\n"
    );
    fs::write(folder.path().join("x.toml"), text).unwrap();
    let case = load_case(&folder.path().join("x.toml"), &[]).unwrap_or_else(|error| panic!("{error}"));
    RunRequest::new(&case).run().unwrap_or_else(|error| panic!("{error}")).case.case_row()
}

fn scheduled(network: &str, cores: u32, jobs: (u32, u32), keys: &str) -> Row {
    let scheduler = format!("{WATTS}[scheduler]\nkind = \"first-come-first-served\"\n{keys}");
    ran(network, cores, jobs, &scheduler)
}

fn assert_near(row: &Row, name: &str, expected: f64) {
    let figure = row.number(name).unwrap_or_else(|| panic!("{name} is absent"));
    assert!((figure - expected).abs() <= 1e-9 * expected, "{name} is {figure}, not {expected}");
}

const ALLOCATIONS: [&str; 6] = ["linear", "round-robin", "random", "random-nodes", "contiguous", "switch"];

/// Both jobs end after a second: four nodes idle at 100 W, and four cores of two a node compute.
#[test]
fn joules_do_not_depend_on_the_allocation() {
    for (cores, nodes) in [(2, "shared"), (2, "whole"), (3, "shared"), (3, "whole"), (5, "shared")] {
        for allocation in ALLOCATIONS {
            let keys = format!("allocation = \"{allocation}\"\nnodes = \"{nodes}\"\n");
            let row = scheduled(RING, cores, (2, 2), &keys);
            let joules = 4.0 * 100.0 + 4.0 * 100.0 / f64::from(cores);
            assert_near(&row, "energy.nodes_j", joules);
            assert_near(&row, "energy.total_j", joules);
            assert_near(&row, "power.nodes_w", joules);
            assert_near(&row, "energy.nodes_counted", 4.0);
        }
    }
}

/// Jobs of unequal length in the queue: seven of three ranks on eight cores run in pairs, for four seconds in all, and
/// one of a single rank leaves three nodes idle.
#[test]
fn idle_nodes_count_while_jobs_wait() {
    for allocation in ALLOCATIONS {
        let keys = format!("allocation = \"{allocation}\"\ndelay = \"100 ms\"\n");
        let row = scheduled(RING, 2, (7, 3), &keys);
        // Between rounds nodes are cleaned for 0.1 s.
        let makespan = row.number("makespan_s").unwrap();
        assert!((makespan - 4.3).abs() < 1e-6, "{makespan}");
        assert_near(&row, "energy.nodes_j", 4.0 * 100.0 * makespan + 21.0 * 100.0 / 2.0);
        let row = scheduled(RING, 2, (1, 1), &keys);
        assert_near(&row, "energy.nodes_j", 4.0 * 100.0 + 100.0 / 2.0);
    }
}

/// A dragonfly is allocated by groups.
#[test]
fn all_nodes_of_a_dragonfly_count() {
    let row = scheduled("kind = \"dragonfly\"\np = 1\na = 2\nh = 1\ngroups = 3", 2, (2, 3), "allocation = \"group\"");
    let nodes = row.number("network.nodes").unwrap();
    assert_near(&row, "energy.nodes_counted", nodes);
    assert_near(&row, "energy.nodes_j", nodes * 100.0 + 6.0 * 100.0 / 2.0);
}

/// Without a scheduler the machine has no edge: nodes without ranks belong to others.
#[test]
fn without_a_scheduler_only_nodes_with_ranks_count() {
    let row = ran(RING, 2, (2, 2), WATTS);
    assert_near(&row, "energy.nodes_counted", 2.0);
    assert_near(&row, "energy.nodes_j", 2.0 * 200.0);
}

/// Links, switches and NICs are the machine's, whichever jobs use them.
#[test]
fn the_network_takes_the_same_wherever_jobs_are() {
    let energies = |allocation: &str| {
        let keys = format!("[scheduler]\nkind = \"alone\"\nallocation = \"{allocation}\"\n");
        let row = ran(RING, 2, (3, 2), &keys);
        ["energy.links.all_j", "energy.switches_j", "energy.nics_j", "energy.network_j", "energy.w_net"]
            .map(|name| row.number(name).unwrap_or_else(|| panic!("{name}")))
    };
    let linear = energies("linear");
    ALLOCATIONS.iter().for_each(|allocation| assert_eq!(energies(allocation), linear, "{allocation}"));
}
