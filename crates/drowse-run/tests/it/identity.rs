//! Names of cases: one for whatever says the same, another for whatever changes a result.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use drowse_experiment::load_case;
use drowse_run::identity::case_id;
use drowse_run::inputs::{self, Traces};

/// A machine of which everything is written.
const MACHINE: &str = r#"
seed = 3
[network]
kind = "torus"
dims = [4, 4]
trunk = 2
routing = "adaptive"
[switch]
clock = "2 ns"
flit = "16 B"
packet = "128 B"
buffer = "16 KiB"
escape = "dateline"
vcs = { adaptive = 2, escape = 2 }
allocator = { kind = "three-stage", latency = 5 }
pipeline = 20
input_speedup = 2
[[link]]
bandwidth = "10 GB/s"
latency = "10 ns"
[[link]]
class = "dim-0"
bandwidth = "20 Gb/s"
lanes = 2
[node]
cores = 2
memory = { latency = "300 ns", bandwidth = "10 GB/s" }
eager_limit = "64 KiB"
nic_latency = "10 ns"
[power]
channels = "all"
policy = { kind = "stall-timer", shallow = "1 us", deep = "50 us" }
states = { deep = { power = 0.1, enter = "2.88 us", wake = "4.48 us" }, shallow = { power = 0.6, enter = "0 ns", wake = "250 ns" } }
watts = { on = 0.9, per_bit = 5e-12 }
wake_after = "1 us"
sleep_aware = true
[power.model]
ports = 0.65
network = 0.15
idle_node = [0.0, 0.25]
reference = { switches = 64, ports = 7 }
[[power.class]]
class = "dim-1"
policy = { kind = "perfbound", bound = 0.01 }
[cost]
system_power = "20 MW"
price = 0.114
years = 4
"#;

const TRAFFIC: &str = "[traffic]\nload = 0.3\nwarmup = \"100 cycles\"\nmeasure = \"1000 cycles\"\n";

const JOBS: &str = "[[job]]\napp = { kind = \"stencil\", dims = [4, 4], bytes = \"1 KiB\" }\nranks = 16\n\
                    [[job]]\ntrace = \"ping.ti\"\n";

const PING: &str = "0 init\n0 compute 1000000\n0 send 1 0 1000\n0 finalize\n1 init\n1 recv 0 0 1000\n1 finalize\n";

/// Returns the name of a case that stands in a folder.
fn id_in(folder: &Path, text: &str, overrides: &[&str]) -> String {
    fs::write(folder.join("x.toml"), text).unwrap();
    let overrides: Vec<String> = overrides.iter().map(|&set| set.to_owned()).collect();
    let case = load_case(&folder.join("x.toml"), &overrides).unwrap_or_else(|error| panic!("{overrides:?}: {error}"));
    case_id(&case, &inputs::open(&case, &Traces::default()).unwrap_or_else(|error| panic!("{overrides:?}: {error}")))
}

fn id(text: &str, overrides: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("ping.ti"), PING).unwrap();
    id_in(folder.path(), text, overrides)
}

#[test]
fn other_spellings_have_the_same_name() {
    let traffic = format!("{MACHINE}{TRAFFIC}");
    let name = id(&traffic, &[]);
    for same in [
        "title=Another title",
        "switch.clock=2000 ps",
        "switch.buffer=16384 B",
        "link.1.bandwidth=20 Gbps",
        "link.1.bandwidth=2500 MB/s",
        "link.0.latency=5 cycles",
        "power.policy.deep=50000 ns",
        "power.class.0.policy.bound=0.010",
        "cost.years=4.0",
        "cost.network=0.12",
        "traffic.warmup=200 ns",
        "traffic.pattern=uniform",
        "traffic.pattern.kind=uniform",
        "traffic.packets=1",
        "traffic.drain=true",
        "node.receive_overhead=0 ns",
        "node.overheads={ message = \"0 ns\", gap = \"0 ns\" }",
        "power.directions=each",
    ] {
        assert_eq!(id(&traffic, &[same]), name, "{same}");
    }
    let without = traffic.replace("seed = 3\n", "");
    assert_eq!(id(&without, &["seed=3"]), name, "an override says the same as the file");
    assert_eq!(
        id(
            "[network]\nkind = \"torus\"\ndims = [4, 4]\n[traffic]\nload = 0.3\nwarmup = \"100 cycles\"\nmeasure = \"1000 cycles\"\n",
            &["network.trunk=1"]
        ),
        id(
            "[network]\ndims = [4, 4]\nkind = \"torus\"\n[traffic]\nmeasure = \"1000 cycles\"\nload = 0.3\nwarmup = \"100 cycles\"\n",
            &[]
        )
    );
}

/// Keys of open-loop traffic, each with another value.
const TRAFFIC_KEYS: &[&str] = &[
    "traffic.load=0.4",
    "traffic.warmup=200 cycles",
    "traffic.measure=2000 cycles",
    "traffic.pattern=tornado",
    "traffic.pattern={ kind = \"hot-spot\", nodes = [1], share = 0.5 }",
    "traffic.packets=2",
    "traffic.packets={ short = 1, long = 4, share = 0.5 }",
    "traffic.include_self=true",
    "traffic.count=delivered",
    "traffic.drain=false",
];

/// Keys of jobs, each with another value.
const JOB_KEYS: &[&str] = &[
    "job.0.app.bytes=2 KiB",
    "job.0.app.periodic=false",
    "job.0.app.iterations=2",
    "job.0.app.compute=1 us",
    "job.0.name=other",
    "job.0.repeat=2",
    "job.0.start=1 ms",
    "job.0.placement=round-robin",
    "job.0.placement=random",
    "job.1.compute.scale=2.0",
    "job.1.compute.flops_per_second=1 Gflop/s",
    "job.1.compute.wait_multiples=1 Mflop",
    "job.0.collectives.allreduce=ring",
    "job.0.collectives.allreduce=rabenseifner",
    "job.0.collectives.bcast=chain",
    "job.0.collectives.barrier=dissemination",
    "job.0.collectives.reduce=linear",
    "job.0.collectives.gather=linear",
    "job.0.collectives.scatter=linear",
    "job.0.collectives.allgather=bruck",
    "job.0.collectives.alltoall=bruck",
    "job.0.collectives.reduce_scatter=ring",
    "job.0.collectives.segment=4 KiB",
    "node.cores=3",
];

/// Keys of the machine, each with another value.
const MACHINE_KEYS: &[&str] = &[
    "seed=4",
    "network.dims=[4, 8]",
    "network.trunk=1",
    "network.kind=mesh",
    "network.rings_of_two=true",
    "network.nodes=2",
    "switch.clock=4 ns",
    "switch.flit=32 B",
    "switch.packet=256 B",
    "switch.buffer=32 KiB",
    "switch.vcs.escape=4",
    "switch.allocator.kind=random",
    "switch.allocator.latency=6",
    "switch.allocator.request_busy=true",
    "switch.allocator.overlap=false",
    "switch.pipeline=22",
    "switch.input_speedup=1",
    "switch.queues=virtual-output",
    "switch.queues=output",
    "switch.forwarding=store-and-forward",
    "switch.trunks=packed",
    "switch.padding=true",
    "link.0.bandwidth=5 GB/s",
    "link.0.latency=20 ns",
    "link.1.lanes=3",
    "node.memory.latency=1 us",
    "node.memory.bandwidth=1 GB/s",
    "node.eager_limit=1 B",
    "node.nic_latency=1 ns",
    "node.receive_overhead=1 ns",
    "node.overheads.message=1 ns",
    "node.overheads.byte=1 ns",
    "node.overheads.gap=1 ns",
    "node.overheads.gap_per_byte=1 ns",
    "power.channels=switch",
    "power.policy.deep=51 us",
    "power.policy.shallow=2 us",
    "power.policy={ kind = \"oracle\" }",
    "power.states.deep.power=0.2",
    "power.states.deep.wake=4 us",
    "power.states.shallow.enter=1 ns",
    "power.states.transition=0.5",
    "power.states={ list = [{ name = \"a\", power = 0.4, enter = \"1 us\", wake = \"2 us\" }, \
     { name = \"b\", power = 0.1, enter = \"1 us\", wake = \"3 us\" }] }",
    "power.states.shallow_to_deep={ power = \"shallow\" }",
    "power.watts.on=0.8",
    "power.watts.per_bit=1e-12",
    "power.wake_after=2 us",
    "power.sleep_aware=false",
    "power.selection=least-delay",
    "power.directions=both",
    "power.model.ports=0.5",
    "power.model.network=0.5",
    "power.model.idle_node=[0.5]",
    "power.model.reference.ports=8",
    "power.class.0.policy.bound=0.02",
    "power.class.0.policy.split=equal",
    "power.class.0.policy.correction=false",
    "power.class.0.policy.compares=deep-wakes",
    "power.class.0.watts={ on = 0.1 }",
    "cost.system_power=10 MW",
    "cost.network=0.2",
    "cost.links=0.5",
    "cost.price=0.2",
    "cost.years=5",
];

#[test]
fn whatever_changes_a_result_changes_the_name() {
    let [traffic, jobs] = [TRAFFIC, JOBS].map(|workload| format!("{MACHINE}{workload}"));
    for (base, changes) in [(&traffic, TRAFFIC_KEYS), (&jobs, JOB_KEYS), (&traffic, MACHINE_KEYS)] {
        let name = id(base, &[]);
        let mut names = vec![name];
        for change in changes {
            let other = id(base, &[change]);
            assert!(!names.contains(&other), "{change}");
            names.push(other);
        }
    }
}

#[test]
fn contents_of_files_count_and_their_places_do_not() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let [here, there] = [folders[0].path(), folders[1].path()];
    let sleepy = "[power]\nchannels = \"all\"\npolicy = { kind = \"table\", file = \"t.csv\" }\n";
    let text = format!("[network]\nkind = \"graph\"\nfile = \"g.txt\"\n{sleepy}[[job]]\ntrace = \"ping.ti\"\n");
    let write = |folder: &Path, graph: &str, timers: &str, trace: &str| {
        fs::write(folder.join("g.txt"), graph).unwrap();
        fs::write(folder.join("t.csv"), timers).unwrap();
        fs::write(folder.join("ping.ti"), trace).unwrap();
        id_in(folder, &text, &[])
    };
    let (graph, timers) = ("a b\nb c\n", "class,deep\nnode,10 us\n");
    let name = write(here, graph, timers, PING);
    assert_eq!(write(there, "# the same\na b\nb c\n", "class,deep\nnode,10000 ns\n", PING), name);
    assert_ne!(write(there, "a b\nb d\n", timers, PING), name);
    assert_ne!(write(there, "a b\nb c\nc a\n", timers, PING), name);
    assert_ne!(write(there, graph, "class,deep\nnode,11 us\n", PING), name);
    assert_ne!(write(there, graph, timers, &PING.replace("0 1000\n", "0 1001\n")), name);
}

/// Names stand in folders of results, where sweeps go on: a change of the code that is no change of a result must keep
/// them. So this one is frozen. It may change with the version, which is part of it, and with the canonical form of
/// experiments; then the changelog says so.
#[test]
fn names_stay_what_they_were() {
    let ids = [TRAFFIC, JOBS].map(|workload| id(&format!("{MACHINE}{workload}"), &[]));
    assert_eq!(ids, ["664cf5aaa3027219", "aef06524873545bc"]);
}

/// What a run costs is a result: with each `[cost]` a case has another name, with none, too.
#[test]
fn another_cost_is_another_case() {
    let machine = "[network]\nkind = \"torus\"\ndims = [4, 4]\n";
    let system = "[cost]\nsystem_power = \"20 MW\"\nprice = 0.114\n";
    let costs = [
        String::new(),
        "[cost]\nprice = 0.114\n".into(),
        "[cost]\nprice = 0.2\n".into(),
        "[cost]\nprice = 0.114\ncarbon = 300\n".into(),
        "[cost]\nprice = 0.114\ncarbon = 301\n".into(),
        format!("{system}years = 4\n"),
        format!("{system}years = 5\n"),
        format!("{system}years = 4\nlinks = 0.5\n"),
        format!("{system}years = 4\nnetwork = 0.5\n"),
    ];
    let ids: BTreeSet<String> = costs.iter().map(|cost| id(&format!("{machine}{cost}{TRAFFIC}"), &[])).collect();
    assert_eq!(ids.len(), costs.len());
}
