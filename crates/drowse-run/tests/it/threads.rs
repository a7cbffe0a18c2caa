//! A run on any number of threads writes the same tables, byte by byte, and fails in the same way.

use std::fs;

use drowse_core::engine::Simulation;
use drowse_core::measure::Record;
use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::Time;
use drowse_core::power::{Idle, SleepPolicy, Timers};
use drowse_core::workload::Workload;
use drowse_experiment::{Case, WorkloadSpec, load_case};
use drowse_run::cancel::Cancel;
use drowse_run::export;
use drowse_run::request::RunRequest;
use drowse_run::threads::{self, Share, Threads};

use crate::support::{case, root};

const TORUS: &str = "
    [network]
    kind = \"torus\"
    dims = [4, 3, 2]
    nodes = 2
    routing = \"adaptive\"
";
const MESH: &str = "
    [network]
    kind = \"mesh\"
    dims = [5, 4]
    routing = \"dimension-order\"
";
const TREE: &str = "
    [network]
    kind = \"tree\"
    k = 3
    n = 3
    routing = \"adaptive\"
    [switch]
    vcs = { any = 2 }
";
/// Links that sleep as often as they can, and as deep.
const SLEEPY: &str = "
    [power]
    channels = \"all\"
    policy = { kind = \"stall-timer\", shallow = \"20 ns\", deep = \"400 ns\" }
    states.shallow = { power = 0.6, enter = \"0 ns\", wake = \"50 ns\" }
    states.deep = { power = 0.1, enter = \"100 ns\", wake = \"500 ns\" }
";
const AWAKE: &str = "
    [power]
    policy = { kind = \"always-on\" }
";
const TRAFFIC: &str = "
    [traffic]
    load = 0.3
    warmup = \"200 cycles\"
    measure = \"1000 cycles\"
";

/// Returns the tables of a case and its baseline that do not tell what the run cost.
fn tables(case: &Case, threads: usize) -> Vec<Vec<u8>> {
    let outcome = RunRequest { threads: Threads::exactly(threads), ..RunRequest::new(case) }.run().unwrap().case;
    let folder = tempfile::tempdir().unwrap();
    export::write(folder.path(), &[&outcome]).unwrap();
    let names = ["cases.csv", "channels.csv", "jobs.csv", "ranks.csv", "manifest.json"];
    names.map(|name| fs::read(folder.path().join(name)).unwrap()).into()
}

fn check(case: &Case) {
    let one = tables(case, 1);
    for threads in [2, 3, 8] {
        assert!(tables(case, threads) == one, "{threads} threads write other tables");
    }
}

/// A shipped trace on as many nodes as it has ranks; long wires make few windows, long packets few events.
fn job(network: &str, trace: &str) -> Case {
    job_with(network, trace, SLEEPY)
}

fn job_with(network: &str, trace: &str, power: &str) -> Case {
    let trace = root("traces").join(trace);
    let vcs = if network.starts_with(TREE) { "" } else { "[switch]\n" };
    case(&format!(
        "
        {network}
        {vcs}
        flit = \"64 B\"
        packet = \"4 KiB\"
        buffer = \"64 KiB\"
        [link]
        latency = \"500 ns\"
        {power}
        [[job]]
        trace = '{}'
        ",
        trace.display()
    ))
}

#[test]
fn open_loop_traffic_is_the_same_on_any_number_of_threads() {
    for network in [TORUS, MESH, TREE] {
        for power in [SLEEPY, AWAKE] {
            check(&case(&format!("{network}{power}{TRAFFIC}")));
        }
    }
    // What is written of a run that was given up depends on when that was.
    check(&case(&format!("{MESH}{SLEEPY}{}", TRAFFIC.replace("0.3", "0.95"))));
}

#[test]
fn programs_are_the_same_on_any_number_of_threads() {
    check(&job(TORUS, "is.A.16.tar.zst"));
    check(&job(TREE, "is.A.16.tar.zst"));
    check(&job(&TORUS.replace("[4, 3, 2]", "[4, 4, 2]"), "stencil2d.64.tar.zst"));
}

/// Reports of all partitions reach the governor in the order of time.
#[test]
fn a_governor_is_the_same_on_any_number_of_threads() {
    for bound in ["0.02", "0.5"] {
        let kind = "{ kind = \"stall-timer\", shallow = \"20 ns\", deep = \"400 ns\" }";
        let policy = format!("{{ kind = \"bounded\", bound = {bound}, reaction = \"200 ns\" }}");
        for network in [TORUS, TREE] {
            check(&job_with(network, "is.A.16.tar.zst", &SLEEPY.replace(kind, &policy)));
        }
    }
}

/// Loads of all partitions reach the governor of a cap together.
#[test]
fn a_cap_is_the_same_on_any_number_of_threads() {
    let kind = "{ kind = \"stall-timer\", shallow = \"20 ns\", deep = \"400 ns\" }";
    for directions in ["each", "both"] {
        let cap = "{ kind = \"cap\", cap = 0.85, window = \"300 ns\", reaction = \"60 ns\", lanes = 4 }";
        let power = SLEEPY.replace(kind, cap) + &format!("directions = \"{directions}\"\n");
        for network in [TORUS, TREE] {
            check(&case(&format!("{network}{power}{TRAFFIC}")));
        }
        let ports = cap.replace(", lanes = 4", "");
        let power = SLEEPY.replace(kind, &ports) + &format!("directions = \"{directions}\"\n");
        check(&case(&format!("{}{power}{TRAFFIC}", TORUS.replace("nodes = 2", "nodes = 2\ntrunk = 3"))));
    }
}

#[test]
fn every_policy_is_the_same_on_any_number_of_threads() {
    // Loose bounds and quick refreshes, so that short runs sleep and learn anew.
    for policy in [
        "{ kind = \"immediate\", sleep = \"shallow\" }",
        "{ kind = \"coalescing\", frames = 3, timeout = \"2 us\" }",
        "{ kind = \"perfbound\", bound = 0.9, refresh = 20 }",
        "{ kind = \"dynamic-fastwake\", bound = 0.9, refresh = 20, split = \"equal\" }",
        "{ kind = \"oracle\" }",
    ] {
        for directions in ["each", "both"] {
            let kind = "{ kind = \"stall-timer\", shallow = \"20 ns\", deep = \"400 ns\" }";
            let power = SLEEPY.replace(kind, policy) + &format!("directions = \"{directions}\"\n");
            check(&case(&format!("{TREE}{power}{}", TRAFFIC.replace("0.3", "0.02").replace("1000", "20000"))));
        }
    }
}

/// As on networks whose state is larger than a cache.
#[test]
fn threads_may_have_several_partitions_each() {
    for case in [case(&format!("{TORUS}{SLEEPY}{TRAFFIC}")), job(TREE, "is.A.16.tar.zst")] {
        let record = |share| {
            let run = RunRequest { threads: Threads::shared(share), ..RunRequest::new(&case) }.run();
            // Each partition counts the switches that it examines at an edge.
            Record { events: 0, ..run.unwrap_or_else(|error| panic!("{error}")).case.record }
        };
        let one = record(Share::ONE);
        for (threads, partitions) in [(1, 2), (1, 5), (2, 3), (3, 8), (4, 5)] {
            let same = record(Share { threads, partitions, oversubscribed: true }) == one;
            assert!(same, "{threads} threads with {partitions} partitions have another record");
        }
    }
}

/// The audit looks at all shards after every cycle: nothing is lost on the way from one thread to another.
#[test]
fn nothing_is_lost_between_threads() {
    let mut audited = case(&format!("{TREE}{SLEEPY}{}", TRAFFIC.replace("1000", "300")));
    audited.system.config.audit = true;
    check(&audited);
}

/// Ranks on different threads wait for each other for ever.
#[test]
fn a_deadlock_is_the_same_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.ti"), "0 recv 3 0 8\n1 compute 10\n2 compute 10\n3 recv 0 0 8\n").unwrap();
    let experiment = "[network]\nkind = \"torus\"\ndims = [4]\n[[job]]\ntrace = \"x.ti\"\n";
    fs::write(folder.path().join("x.toml"), experiment).unwrap();
    let case = load_case(&folder.path().join("x.toml"), &[]).unwrap_or_else(|error| panic!("{error}"));
    let message = |threads| {
        let result = RunRequest { threads: Threads::exactly(threads), ..RunRequest::new(&case) }.run();
        result.map(|_| ()).expect_err("an error").to_string()
    };
    let one = message(1);
    assert!(one.contains("2 ranks wait in a circle"), "{one}");
    assert_eq!([2, 3, 4].map(message), [one.clone(), one.clone(), one]);
}

/// A policy that panics when a channel of a class has been idle for long.
struct Panics(u8);

impl SleepPolicy for Panics {
    type State = ();

    fn start(&self, _: ChannelId, _: u8) {}

    fn timers(&self, _: u8, (): &()) -> Timers {
        Timers::NEVER
    }

    fn idle_ended(&self, class: u8, (): &mut (), idle: Idle) {
        assert!(class != self.0 || idle.length() < Time::from_ns(300), "as it should");
    }
}

drowse_core::sleep_only!(Panics);

#[test]
fn a_panic_on_one_thread_ends_the_others() {
    let case = case(&format!("{TREE}{SLEEPY}{TRAFFIC}"));
    let WorkloadSpec::Traffic(traffic) = &case.workload else { panic!("no traffic") };
    let system = &case.system;
    // Channels of the top level are on one thread, those of nodes on others; this one runs the first shard.
    for class in [0, 2] {
        for threads in [2, 3, 8] {
            let policy = Panics(class);
            let run = || {
                let workload = Workload::OpenLoop(traffic.clone());
                let mut simulation =
                    Simulation::in_partitions(&system.network, &system.config, &policy, workload, threads).unwrap();
                let share = Share { threads, partitions: threads, oversubscribed: threads > 2 };
                threads::advance(&mut simulation, u64::MAX, share, &Cancel::default()).map(|_| ())
            };
            let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).expect_err("it panics");
            let message = panic.downcast_ref::<&str>().map(ToString::to_string);
            assert!(message.or_else(|| panic.downcast_ref::<String>().cloned()).is_some());
        }
    }
}
