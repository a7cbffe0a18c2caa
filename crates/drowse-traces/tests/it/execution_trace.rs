//! Execution traces of PyTorch: alone, beside the profiler's, and as Chakra's linker joins both.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;

use drowse_core::model::units::Time;
use drowse_core::workload::operation::{Collective, Operation};
use drowse_traces::{Trace, TraceInfo, detect};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::sample::{COMPUTE, Folder, data, operations};

/// A file of some nodes.
fn file(schema: &str, nodes: &[Value]) -> String {
    format!("{{\"schema\": \"{schema}\", \"pid\": 1, \"start_ts\": 5,\n\"nodes\": {}}}", json!(nodes))
}

/// A node with attributes, below a caller.
fn node(id: u64, name: &str, parent: u64, attributes: &[(&str, Value)]) -> Value {
    let attributes: Vec<Value> =
        attributes.iter().map(|(name, value)| json!({"name": name, "type": "a type", "value": value})).collect();
    let nothing = json!({"values": [], "shapes": [], "types": []});
    json!({"id": id, "name": name, "ctrl_deps": parent, "inputs": nothing, "outputs": nothing, "attrs": attributes})
}

/// A call of all ranks.
fn call(id: u64, name: &str, elements: u64) -> Value {
    let attributes = [
        ("rf_id", json!(id + 100)),
        ("tid", json!(1)),
        ("collective_name", json!(name)),
        ("dtype", json!("Float")),
        ("in_msg_nelems", json!(elements)),
        ("out_msg_nelems", json!(elements)),
        ("in_split_size", json!("[]")),
        ("pg_name", json!("0")),
        ("pg_size", json!(2)),
    ];
    node(id, "record_param_comms", 2, &attributes)
}

/// The node that defines the groups.
fn groups() -> Value {
    let mut node = node(3, "## process_group:init ##", 2, &[]);
    let groups = json!([{"pg_name": "0", "pg_desc": "default_pg", "ranks": [], "group_size": 2, "group_count": 1}]);
    node["inputs"]["values"] = json!([groups.to_string()]);
    node
}

fn both(text: &str) -> Folder {
    Folder::new(&[("et_0.json", text), ("et_1.json", text)])
}

fn open(folder: &Folder) -> (TraceInfo, Vec<Vec<Operation>>) {
    let trace = Trace::open(folder.path()).unwrap_or_else(|error| panic!("{error}"));
    let info = trace.info().unwrap();
    info.check_simulable().unwrap_or_else(|error| panic!("{error}"));
    (info, operations(&mut *trace.operations(COMPUTE)).unwrap())
}

fn allreduce(bytes: u64) -> Operation {
    Operation::collective(Collective::Allreduce { bytes, count: bytes / 4, compute: Time::ZERO })
}

fn of(nanoseconds: u64) -> Operation {
    Operation::Compute(Time::from_ns(nanoseconds))
}

/// In the order of ids, whatever that of the file.
#[test]
fn calls_follow_each_other() {
    let nodes = [groups(), call(30, "allreduce", 8), call(20, "allreduce", 4), call(40, "wait", 0)];
    let (info, programs) = open(&both(&file("1.1.0-chakra.0.0.4", &nodes)));
    assert_eq!(programs, [[allreduce(16), allreduce(32)], [allreduce(16), allreduce(32)]]);
    assert_eq!((info.format, info.ranks, info.collectives["allreduce"]), ("execution-trace", 2, 4));
    assert_snapshot!(info.warnings.join("\n"), @"4 calls come one after the other, and nothing is computed: execution traces have no times. Add the profiler's traces (Kineto) to the folder");
}

/// Before schema 1.1 calls tell what they do by their inputs.
#[test]
fn older_schemas() {
    let mut older = node(30, "record_param_comms", 2, &[("rf_id", json!(1))]);
    older["inputs"]["values"] = json!([[[14, 15, 0, 6, 4, "cuda:0"]], 12, 82_149_104, 1, "broadcast", [], [], 2]);
    let mut waits = node(40, "record_param_comms", 2, &[]);
    waits["inputs"]["values"] = json!([12, 0, 0, "wait", [], [], 1]);
    let (_, programs) = open(&both(&file("1.0.2-chakra.0.0.4", &[groups(), older, waits])));
    assert_eq!(programs[0].len(), 1);
    assert_eq!(programs[0][0].called(), Some(&Collective::Bcast { root: 1, bytes: 24, count: 24 }));
}

/// Beside the profiler's traces they complete calls that lack their sizes.
#[test]
fn beside_the_profilers_traces() {
    let kernel = json!({"ph": "X", "cat": "kernel", "name": "ncclKernel_AllReduce", "ts": 5, "dur": 1,
                        "args": {"External id": 9, "stream": 4}});
    let of_rank = |rank: u64, name: &str| {
        let record = json!({"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "ts": 1, "dur": 1,
                            "args": {"External id": 9, "Record function id": 120, "Collective name": name}});
        json!({"schemaVersion": 1, "distributedInfo": {"rank": rank, "world_size": 2},
               "traceEvents": [kernel.clone(), record]})
        .to_string()
    };
    let trace = file("1.1.0-chakra.0.0.4", &[groups(), call(20, "allreduce", 4)]);
    let folder = |name: &str| {
        let (zero, one) = (of_rank(0, name), of_rank(1, name));
        Folder::new(&[("rank_0.json", &*zero), ("rank_1.json", &*one), ("et_0.json", &*trace), ("et_1.json", &*trace)])
    };
    let (info, programs) = open(&folder("allreduce"));
    assert_eq!((info.format, programs), ("kineto", vec![vec![of(4_000), allreduce(16)]; 2]));
    let other = folder("broadcast");
    assert_snapshot!(other.message(&Trace::open(other.path()).err().unwrap()), @"et_0.json: call 120 (rf_id) is allreduce, and broadcast in rank_0.json: they are not of one run; keep those of one run");
    let lone =
        Folder::new(&[("rank_0.json", &*of_rank(0, "allreduce")), ("et_0.json", &*trace), ("et_1.json", &*trace)]);
    assert_snapshot!(lone.message(&Trace::open(lone.path()).err().unwrap()), @"et_1.json: is the execution trace of rank 1, whose profiler's trace is not given; add it");
}

/// A linked file: a computation from 100 to 110 us, an all-reduce from 110 to 150, launched at 105, and a computation
/// from 151 to 155, launched at 120.
#[test]
fn linked_by_chakra() {
    let host = |mut node: Value, begin: f64| {
        (node["ts"], node["inclusive_dur"], node["exclusive_dur"]) = (json!(begin), json!(1.5), json!(1.5));
        node
    };
    let gpu = |id: u64, name: &str, parent: u64, stream: u64, begin: f64, lasts: f64| {
        let mut node = node(id, name, parent, &[("rf_id", json!(1))]);
        let more = json!({"cat": "kernel", "ph": "X", "ts": begin, "inclusive_dur": lasts, "exclusive_dur": lasts,
                          "stream": stream});
        node.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        node
    };
    let nodes = [
        groups(),
        host(node(10, "aten::mm", 2, &[]), 98.0),
        gpu(11, "gemm", 10, 7, 100.0, 10.0),
        host(call(20, "allreduce", 4), 105.0),
        host(node(21, "nccl:all_reduce", 20, &[]), 105.5),
        gpu(22, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 21, 40, 110.0, 40.0),
        host(node(30, "aten::add", 2, &[]), 120.0),
        gpu(31, "add", 30, 7, 151.0, 4.0),
    ];
    let (info, programs) = open(&both(&file("1.1.1-chakra.0.0.4", &nodes)));
    // From 98 to 110; until the addition was launched, 10 us; from 150 on, 5 us.
    let start = Operation::Icollective {
        comm: 0,
        request: 0,
        collective: Box::new(Collective::Allreduce { bytes: 16, count: 4, compute: Time::ZERO }),
    };
    let expected = vec![of(12_000), start, of(10_000), Operation::Wait { request: 0 }, of(5_000)];
    assert_eq!(programs, [expected.clone(), expected]);
    assert_eq!((info.operations["kernel"], info.operations["kernel of NCCL"]), (4, 2));
    assert_eq!(info.warnings, Vec::<String>::new());
}

#[test]
fn wrong_files() {
    let one = |text: &str| {
        let folder = Folder::new(&[("a.json", text)]);
        folder.message(&Trace::open(folder.path()).map(|_| ()).unwrap_err())
    };
    let nodes = |nodes: &str| one(&format!("{{\"schema\": \"1.1.0-chakra.0.0.4\",\n\"nodes\": [{nodes}]}}"));
    assert_snapshot!(nodes("{\"id\": 1,"), @"a.json:2: column 20: key must be a string; copy the file again");
    assert_snapshot!(nodes("{\"name\": \"x\"}"), @"a.json:2: column 23: a node has no whole number as `id`; record it again");
    assert_snapshot!(nodes("{\"id\": 1, \"name\": \"k\", \"cat\": \"kernel\"}"), @"a.json:2: column 49: node 1 ran on the GPU and has no `ts`; link it again");
    assert_snapshot!(nodes("{\"id\": 1, \"name\": \"k\", \"ts\": \"now\"}"), @r#"a.json:2: column 45: `"now"` is no time in microseconds of less than 126 years; record it again"#);
    assert_snapshot!(nodes(""), @"a.json: no node is a call of torch.distributed (record_param_comms); record a program that runs on several ranks");
    assert_snapshot!(one("{\"schema\": \"2.0-chakra.0.0.4\", \"nodes\": []}"), @"a.json:1: column 30: the schema is `2.0-chakra.0.0.4`, and `1.*-chakra.*` is read; record it again with PyTorch 2.3 or later");
    assert_snapshot!(one("{\"schema\": \"1.1.0-chakra.0.0.4\"}"), @"a.json:1: column 32: the file has no `nodes`; copy it again");
    let names = Folder::new(&[
        ("a.json", &*file("1.1.0-chakra.0.0.4", &[call(1, "barrier", 0)])),
        ("b.json", &*file("1.1.0-chakra.0.0.4", &[call(1, "barrier", 0)])),
    ]);
    assert_snapshot!(names.message(&Trace::open(names.path()).map(|_| ()).unwrap_err()), @"DIR: the files do not say of which rank they are, and their names do not differ in one number from 0 on; name them rank-0.json, rank-1.json and so on");
}

/// The JSON of a real file, read by another parser.
fn plain(name: &str) -> Value {
    let mut text = String::new();
    let bytes = fs::read(data("kineto").join(name)).unwrap();
    flate2::read::GzDecoder::new(&*bytes).read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// A real file of one of two ranks, against counts by a plain walk over its JSON.
#[test]
fn a_real_file() {
    let json = plain("resnet_et.json.gz");
    let attribute = |node: &Value, name: &str| {
        let attributes = node["attrs"].as_array().unwrap();
        attributes.iter().find(|attribute| attribute["name"] == name).map(|attribute| attribute["value"].clone())
    };
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut sizes = Vec::new();
    for node in json["nodes"].as_array().unwrap() {
        let Some(name) = attribute(node, "collective_name") else { continue };
        let name = name.as_str().unwrap().to_owned();
        let each = if attribute(node, "dtype").unwrap() == "Long" { 8 } else { 4 };
        if name != "wait" {
            sizes.push((
                node["id"].as_u64().unwrap(),
                attribute(node, "in_msg_nelems").unwrap().as_u64().unwrap() * each,
            ));
        }
        *counts.entry(name).or_default() += 1;
    }
    // The counts of the specification of the trace: 27 in all.
    assert_eq!((counts["allreduce"], counts["broadcast"], counts["wait"]), (15, 6, 6));
    sizes.sort_unstable();
    let path = data("kineto/resnet_et.json.gz");
    assert_eq!(detect(&path).unwrap().name, "execution-trace");
    let info = Trace::open(&path).unwrap().info().unwrap();
    assert_eq!((info.ranks, info.operations["record_param_comms"]), (2, 21));
    assert!(
        info.check_simulable().unwrap_err().to_string().contains("the file of a rank that takes part is not given")
    );
    // As both ranks.
    let text = json.to_string();
    let (info, programs) = open(&both(&text));
    assert_eq!((info.collectives["allreduce"], info.collectives["broadcast"]), (30, 12));
    let called: Vec<u64> = programs[1].iter().map(Operation::largest).collect();
    assert_eq!(called, sizes.into_iter().map(|(_, bytes)| bytes).collect::<Vec<_>>());
    // PyTorch tells the root.
    assert!(info.warnings.iter().all(|warning| !warning.contains("root")), "{:?}", info.warnings);
}

/// A real file of Chakra's linker, of the run of which the profiler's trace is beside it: one step of three. The rank
/// calls the same, and computes as long.
#[test]
fn a_real_linked_file() {
    let json = plain("resnet_linked.json.gz");
    let nodes = json["nodes"].as_array().unwrap();
    let on_gpu: Vec<&Value> = nodes.iter().filter(|node| node["cat"].is_string()).collect();
    let nccl: Vec<&&Value> = on_gpu.iter().filter(|node| node["name"].as_str().unwrap().contains("nccl")).collect();
    assert_eq!((on_gpu.len(), nccl.len()), (1220, 7));
    let text = json.to_string();
    let (info, programs) = open(&both(&text));
    assert_eq!((info.operations["kernel"], info.operations["kernel of NCCL"]), (2 * (1220 - 7), 2 * 7));
    let step = |program: &[Operation]| -> (Vec<u64>, u64) {
        let calls = |place: &usize| program[*place].called().is_some();
        let places: Vec<usize> = (0..program.len()).filter(calls).collect();
        let called = places.iter().map(|&place| program[place].largest()).collect();
        let computed = |operation: &Operation| if let Operation::Compute(time) = operation { time.0 } else { 0 };
        (called, program[places[0]..places[places.len() - 1]].iter().map(computed).sum())
    };
    let (called, computed) = step(&programs[0]);
    // The profiler's trace between the marks of the second and of the third step.
    let of_profiler = plain("resnet_rank0.json.gz").to_string();
    let other = of_profiler.replacen("\"rank\":0", "\"rank\":1", 1);
    let (_, programs) = open(&Folder::new(&[("0.json", &*of_profiler), ("1.json", &*other)]));
    let marks: Vec<usize> =
        (0..programs[0].len()).filter(|&place| matches!(programs[0][place], Operation::Iteration)).collect();
    let (expected, whole) = step(&programs[0][marks[1]..marks[2]]);
    assert_eq!(called, expected);
    // From the first call to the last. The linker does not tell when the driver launched a kernel.
    assert!(computed.abs_diff(whole) * 200 < whole, "{computed} {whole}");
}
