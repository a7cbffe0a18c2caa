//! Traces of PyTorch's profiler: what kernels and calls become, real files, and files that are wrong.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;

use drowse_core::model::units::Time;
use drowse_core::workload::operation::{Collective, Operation};
use drowse_traces::{Format, Trace, TraceInfo, detect};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::sample::{COMPUTE, Folder, data, gzip, operations, tar, zstd};

/// A file of a rank.
fn file(rank: u64, world: u64, events: &[Value]) -> String {
    let groups = json!([{"pg_name": "0", "pg_desc": "default_pg", "pg_size": world, "ranks": []}]);
    let info = json!({"backend": "nccl", "rank": rank, "world_size": world, "pg_config": groups});
    json!({"schemaVersion": 1, "distributedInfo": info, "traceEvents": events}).to_string()
}

/// An event of a category.
fn event(category: &str, name: &str, ts: f64, dur: f64, args: &Value) -> Value {
    json!({"ph": "X", "cat": category, "name": name, "pid": 1, "tid": 5, "ts": ts, "dur": dur, "args": args})
}

/// A kernel that computes on stream 7, and the call that launched it a microsecond before.
fn computes(ts: f64, dur: f64, correlation: u64) -> [Value; 2] {
    [
        event("kernel", "gemm", ts, dur, &json!({"stream": 7, "correlation": correlation})),
        event("cuda_runtime", "cudaLaunchKernel", ts - 1.0, 0.5, &json!({"correlation": correlation})),
    ]
}

/// What a call says.
fn call(name: &str, input: u64, output: u64) -> Value {
    json!({"Collective name": name, "In msg nelems": input, "Out msg nelems": output, "dtype": "Float", "Group size": 2,
           "Process Group Name": "0", "Process Group Ranks": "[0, 1]"})
}

/// With other arguments.
fn with(mut args: Value, more: &Value) -> Value {
    args.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    args
}

/// A kernel of NCCL on stream 40.
fn communicates(ts: f64, dur: f64, args: &Value) -> Value {
    event("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", ts, dur, &with(args.clone(), &json!({"stream": 40})))
}

/// Two ranks with the same events.
fn both(events: &[Value]) -> Folder {
    Folder::new(&[("rank0.json", &*file(0, 2, events)), ("rank1.json", &*file(1, 2, events))])
}

fn open(folder: &Folder) -> (TraceInfo, Vec<Vec<Operation>>) {
    let trace = Trace::open(folder.path()).unwrap_or_else(|error| panic!("{error}"));
    let info = trace.info().unwrap();
    info.check_simulable().unwrap_or_else(|error| panic!("{error}"));
    (info, operations(&mut *trace.operations(COMPUTE)).unwrap())
}

/// The program of rank 0, where both ranks have the same events.
fn program(events: &[Value]) -> Vec<Operation> {
    open(&both(events)).1.swap_remove(0)
}

fn wrong(folder: &Folder) -> String {
    match Trace::open(folder.path()) {
        Err(error) => folder.message(&error),
        Ok(trace) => folder.message(&trace.info().unwrap().check_simulable().unwrap_err()),
    }
}

fn of(nanoseconds: u64) -> Operation {
    Operation::Compute(Time::from_ns(nanoseconds))
}

fn allreduce(bytes: u64) -> Operation {
    Operation::collective(Collective::Allreduce { bytes, count: bytes / 4, compute: Time::ZERO })
}

/// The minimal example: its kernel took 2.25 us, which do not count.
#[test]
fn a_kernel_of_nccl_alone() {
    let events = [communicates(1.5, 2.25, &call("allreduce", 256, 256))];
    assert_eq!(program(&events), [allreduce(1024)]);
}

#[test]
fn computing_is_what_the_gpu_computes_and_the_gaps_of_the_host() {
    let events = [
        &computes(100.5, 10.25, 1)[..],
        &[communicates(110.75, 500.0, &call("allreduce", 64, 64))],
        // Launched before the communication ended.
        &[event("kernel", "gemm", 612.0, 8.0, &json!({"stream": 7, "correlation": 2}))],
        &[event("cuda_runtime", "cudaLaunchKernel", 100.0, 1.0, &json!({"correlation": 2}))],
    ]
    .concat();
    // From 99.5 to 110.75 us, and from 610.75 to 620.
    assert_eq!(program(&events), [of(11_250), allreduce(256), of(9_250)]);
    let (info, _) = open(&both(&events));
    assert_eq!((info.format, info.ranks, info.collectives["allreduce"]), ("kineto", 2, 2));
    assert_eq!(info.operations["kernel"], 4);
}

/// Decimals of times of today: a double has a quarter of a microsecond.
#[test]
fn times_are_exact() {
    let text = file(0, 1, &[]).replace(
        "\"traceEvents\":[]",
        "\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"a\",\"ts\":1711964646000000.001,\"dur\":0.998},\
         {\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"a\",\"ts\":1711964646000003.004,\"dur\":1}]",
    );
    let folder = Folder::new(&[("a.json", &*text)]);
    assert_eq!(open(&folder).1, [[of(4_003)]]);
}

/// What a kernel does not say, the call of its `External id` says.
#[test]
fn calls_complete_kernels() {
    let events = [
        event(
            "cpu_op",
            "record_param_comms",
            1.0,
            1.0,
            &with(call("broadcast", 10, 10), &json!({"External id": 9, "Rank": 1})),
        ),
        event("kernel", "ncclKernel_Broadcast", 3.0, 5.0, &json!({"External id": 9, "stream": 40, "correlation": 4})),
    ];
    let bcast = Collective::Bcast { root: 1, bytes: 40, count: 10 };
    assert_eq!(program(&events), [of(2_000), Operation::collective(bcast)]);
}

/// A list of calls has one kernel. One rank sends to the other and receives from it.
#[test]
fn calls_in_a_list() {
    let of_rank = |rank: u64| {
        let peer = 1 - rank;
        let record = |ts: f64, id: u64, args: &Value| {
            event("cpu_op", "record_param_comms", ts, 1.0, &with(args.clone(), &json!({"External id": id})))
        };
        let send = with(call("send", 8, 8), &json!({"Dst Rank": peer}));
        let receive = with(call("recv", 8, 8), &json!({"Src Rank": peer}));
        let marks = json!({"Collective name": "coalesced"});
        let kernel = json!({"External id": 12, "stream": 40, "correlation": 4});
        let events = [
            record(1.0, 10, &send),
            record(2.0, 11, &receive),
            record(3.0, 12, &marks),
            event("cuda_runtime", "cudaLaunchKernelExC", 4.0, 1.0, &json!({"correlation": 4})),
            event("kernel", "ncclDevKernel_SendRecv", 6.0, 5.0, &kernel),
        ];
        file(rank, 2, &events)
    };
    let folder = Folder::new(&[("a.json", &*of_rank(0)), ("b.json", &*of_rank(1))]);
    let (info, programs) = open(&folder);
    assert!(
        matches!(
            programs[1][..],
            [
                Operation::Compute(Time(5_000_000)),
                Operation::Isend { to: 0, bytes: 32, request: Some(0), .. },
                Operation::Irecv { from: Some(0), request: 1, .. },
                Operation::WaitAll
            ]
        ),
        "{programs:?}"
    );
    assert_eq!((info.messages.count, info.messages.bytes), (2, 64));
}

#[test]
fn uneven_exchanges_and_barriers() {
    let split = with(call("all_to_allv", 12, 12), &json!({"In split size": "[1, 2]"}));
    let events = [communicates(0.0, 1.0, &split), communicates(2.0, 1.0, &call("barrier", 1, 1))];
    let all: Vec<_> = program(&events).into_iter().filter(|operation| operation.called().is_some()).collect();
    let expected = [Collective::Alltoallv { bytes: [16, 32].into() }, Collective::Barrier];
    let called: Vec<_> = all.iter().filter_map(Operation::called).cloned().collect();
    assert_eq!(called, expected);
}

/// Groups of two dimensions: ranks 0 and 2, ranks 1 and 3.
#[test]
fn groups_are_communicators() {
    let of_rank = |rank: u64| {
        let group =
            json!({"Process Group Name": "dp", "Process Group Ranks": format!("[{}, {}]", rank % 2, rank % 2 + 2)});
        file(rank, 4, &[communicates(0.0, 1.0, &with(call("allreduce", 1, 1), &group))])
    };
    let texts: Vec<String> = (0..4).map(of_rank).collect();
    let folder = Folder::new(&[]);
    texts.iter().enumerate().for_each(|(rank, text)| drop(folder.write(&format!("{rank}.json"), text.as_bytes())));
    let (_, programs) = open(&folder);
    let comms: Vec<_> = programs.iter().map(|program| program[0].comm().unwrap()).collect();
    assert_eq!(comms, [1, 2, 1, 2]);
}

/// Compressed, in a folder, in an archive, in an archive of compressed files.
#[test]
fn files_may_be_packed() {
    let events = [communicates(1.5, 2.25, &call("allreduce", 256, 256))];
    let (one, two) = (file(0, 2, &events), file(1, 2, &events));
    let folder = Folder::new(&[("notes.txt", "x")]);
    folder.write("rank0.pt.trace.json.gz", &gzip(one.as_bytes()));
    folder.write("rank1.pt.trace.json.gz", &zstd(two.as_bytes()));
    let archives = Folder::new(&[]);
    let plain = archives.write("plain.tar", &tar(&[("a/0.json", &one), ("a/1.json", &two)]));
    let mut builder = ::tar::Builder::new(Vec::new());
    for (name, text) in [("0.json.gz", &one), ("1.json.gz", &two)] {
        let bytes = gzip(text.as_bytes());
        let mut header = ::tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        builder.append_data(&mut header, name, &*bytes).unwrap();
    }
    let packed = archives.write("packed.tar", &builder.into_inner().unwrap());
    for path in [folder.path(), &plain, &packed] {
        assert_eq!(detect(path).unwrap().name, "kineto", "{}", path.display());
        let trace = Trace::open(path).unwrap();
        assert_eq!(operations(&mut *trace.operations(COMPUTE)).unwrap(), [[allreduce(1024)], [allreduce(1024)]]);
    }
}

#[test]
fn wrong_files() {
    let one = |text: &str| wrong(&Folder::new(&[("a.json", text)]));
    let events = |events: &str| one(&format!("{{\"schemaVersion\": 1,\n\"traceEvents\": [\n{events}\n]}}"));
    assert_snapshot!(events("{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"ts\": 1.5,"), @"a.json:4: column 1: key must be a string; copy the file again");
    assert_snapshot!(events("{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"ts\": \"soon\"}"), @r#"a.json:3: column 55: `"soon"` is no time in microseconds of less than 126 years; record it again"#);
    assert_snapshot!(events("{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\"}"), @"a.json:3: column 41: event `k` has no `ts`; record it again");
    assert_snapshot!(events("{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"ts\": 5, \"dur\": -1}"), @"a.json:3: column 61: event `k` has a negative `dur`; record it again");
    assert_snapshot!(events("7"), @"a.json:4: column 0: invalid type: integer `7`, expected an event: an object with `ph`, `name`, `ts` and so on; record it again");
    assert_snapshot!(events(""), @"a.json: nothing ran on a GPU, and no call of torch.distributed is recorded; record with ProfilerActivity.CUDA");
    assert_snapshot!(one("{\"schemaVersion\": 1, \"deviceProperties\": []}"), @"a.json:1: column 44: the file has no `traceEvents`; copy it again");
    assert_snapshot!(one("{\"schemaVersion\": 1, \"traceEvents\": {}}"), @"a.json:1: column 37: invalid type: map, expected a list of events; record it again");
}

#[test]
fn files_that_do_not_fit_together() {
    let events = [communicates(1.5, 2.25, &call("allreduce", 256, 256))];
    let folder = |files: &[(u64, u64)]| {
        let folder = Folder::new(&[]);
        for (place, (rank, world)) in files.iter().enumerate() {
            folder.write(&format!("{place}.json"), file(*rank, *world, &events).as_bytes());
        }
        wrong(&folder)
    };
    assert_snapshot!(folder(&[(0, 2)]), @"0.json: `allreduce` cannot be simulated and occurs 1 times: the file of a rank that takes part is not given; put the files of all ranks into one folder, or let one stand for all: --trace-format kineto-one-rank; choose a trace without it");
    assert_snapshot!(folder(&[(0, 2), (0, 2)]), @"DIR: 0.json and 1.json are both of rank 0; keep one of them");
    assert_snapshot!(folder(&[(0, 2), (1, 4)]), @"DIR: 0.json is of a job of 2 ranks (world_size), 1.json of one of 4; keep the files of one job");
    assert_snapshot!(folder(&[(0, 3_000_000)]), @"DIR: the files name 3000000 ranks, and up to 1048576 are read; check them");
    let nothing = both(&[communicates(1.5, 2.25, &json!({}))]);
    assert_snapshot!(wrong(&nothing), @"rank0.json: `a kernel of NCCL` cannot be simulated and occurs 2 times: neither the kernel nor a call of the host says what it moves; record with PyTorch 2.3 or later; choose a trace without it");
    let strange = both(&[communicates(1.5, 2.25, &call("pointer_chase", 1, 1))]);
    assert_snapshot!(wrong(&strange), @"rank0.json: `pointer_chase` cannot be simulated and occurs 2 times: it is no call of torch.distributed that is known, and nothing says what it moves; choose a trace without it");
    let unequal = Folder::new(&[("0.json", &*file(0, 2, &events)), ("1.json", &*file(1, 2, &computes(1.0, 1.0, 1)))]);
    assert_snapshot!(wrong(&unequal), @"rank 0 calls 1 collectives, but only 1 of 2 ranks call any; choose a whole trace of a program with one communicator");
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
    let json = plain("resnet_rank0.json.gz");
    let events = json["traceEvents"].as_array().unwrap();
    let of_category = |category: &str| events.iter().filter(|event| event["cat"] == category).count() as u64;
    let is_nccl = |event: &&Value| event["name"].as_str().unwrap().contains("nccl");
    let kernels: Vec<&Value> = events.iter().filter(|event| event["cat"] == "kernel").collect();
    let nccl: Vec<&&Value> = kernels.iter().filter(|event| is_nccl(event)).collect();
    let mut collectives: BTreeMap<String, u64> = BTreeMap::new();
    for kernel in &nccl {
        *collectives.entry(kernel["args"]["Collective name"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    let records: Vec<&Value> = events.iter().filter(|event| event["name"] == "record_param_comms").collect();
    let waits = records.iter().filter(|event| event["args"]["Collective name"] == "wait").count();
    // The counts of the specification of the trace.
    assert_eq!((nccl.len(), records.len(), waits), (21, 27, 6));
    assert_eq!((collectives["allreduce"], collectives["broadcast"]), (15, 6));

    let trace = Trace::open(data("kineto/resnet_rank0.json.gz")).unwrap();
    let info = trace.info().unwrap();
    assert_eq!(info.ranks, 2);
    assert_eq!(info.operations["kernel"], (kernels.len() - nccl.len()) as u64);
    assert_eq!(info.operations["kernel of NCCL"], nccl.len() as u64);
    assert_eq!(info.operations["gpu_memcpy"], of_category("gpu_memcpy"));
    assert_eq!(info.operations["gpu_memset"], of_category("gpu_memset"));
    assert_eq!(info.operations["record_param_comms that moves nothing"], waits as u64);
    // The other rank's file is not public.
    let why = info.check_simulable().unwrap_err().to_string();
    assert!(why.contains("`broadcast` cannot be simulated and occurs 6 times (and `allreduce` 15 times)"), "{why}");
}

/// The real file as both ranks: what is called with which sizes, and how long the rank computes.
#[test]
fn a_real_file_twice() {
    let json = plain("resnet_rank0.json.gz");
    let text = json.to_string();
    let other = text.replacen("\"rank\":0", "\"rank\":1", 1);
    assert_ne!(text, other);
    let (info, programs) = open(&Folder::new(&[("0.json", &*text), ("1.json", &*other)]));
    assert_eq!(programs[0], programs[1]);
    let mut nccl: Vec<&Value> = json["traceEvents"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|event| event["name"].as_str().unwrap().contains("nccl"))
        .collect();
    nccl.sort_by(|one, other| one["ts"].as_f64().unwrap().total_cmp(&other["ts"].as_f64().unwrap()));
    let expected: Vec<(bool, u64)> = nccl
        .iter()
        .map(|event| {
            let args = &event["args"];
            let each = if args["dtype"] == "Long" { 8 } else { 4 };
            (args["Collective name"] == "broadcast", args["In msg nelems"].as_u64().unwrap() * each)
        })
        .collect();
    let called: Vec<(bool, u64)> = programs[0]
        .iter()
        .filter_map(Operation::called)
        .map(|called| (matches!(called, Collective::Bcast { .. }), called.largest()))
        .collect();
    assert_eq!(called, expected);
    assert_eq!(info.collectives, BTreeMap::from([("allreduce".to_owned(), 30), ("broadcast".to_owned(), 12)]));
    let steps = programs[0].iter().filter(|operation| matches!(operation, Operation::Iteration)).count();
    assert_eq!(steps, 3);
    // The rank computes whenever the GPU does, and at most while it is recorded. What is left out is less than the time
    // in which the GPU runs kernels of NCCL only.
    let computed = |operation: &Operation| if let Operation::Compute(time) = operation { time.0 } else { 0 };
    let computed = programs[0].iter().map(computed).sum::<u64>() as f64 / 1e6;
    let (busy, alone, recorded) = of_gpu(&json);
    assert!(
        busy <= computed && computed <= recorded && recorded - computed <= alone,
        "{busy} {computed} {recorded} {alone}"
    );
}

/// For how many microseconds the GPU computes, for how many it runs kernels of NCCL only, and how long the file is.
fn of_gpu(json: &Value) -> (f64, f64, f64) {
    let number = |event: &Value, key: &str| event[key].as_f64().unwrap();
    let events = json["traceEvents"].as_array().unwrap();
    let lasting = events.iter().filter(|event| event["ph"] == "X" && event["cat"] != "user_annotation");
    let mut spans: Vec<(f64, f64, bool, bool)> = lasting
        .map(|event| {
            let (is_nccl, category) =
                (event["name"].as_str().unwrap().contains("nccl"), event["cat"].as_str().unwrap());
            let begin = number(event, "ts");
            (begin, begin + number(event, "dur"), is_nccl, matches!(category, "kernel" | "gpu_memcpy" | "gpu_memset"))
        })
        .collect();
    spans.sort_by(|one, other| one.0.total_cmp(&other.0));
    let recorded = spans.iter().map(|span| span.1).fold(0.0, f64::max) - spans[0].0;
    let union = |with: &dyn Fn(bool) -> bool| {
        let (mut sum, mut until) = (0.0, 0.0);
        for &(begin, end, is_nccl, on_gpu) in &spans {
            if on_gpu && with(is_nccl) && end > until {
                sum += end - begin.max(until);
                until = end;
            }
        }
        sum
    };
    let (busy, all) = (union(&|is_nccl| !is_nccl), union(&|_| true));
    (busy, all - busy, recorded)
}

/// One rank's file for all ranks, by the name of the format: each calls in its own groups of a grid of two by two.
#[test]
fn one_file_for_all_ranks() {
    let of_group = |name: &str, ranks: &str| {
        with(call("allreduce", 1, 1), &json!({"Process Group Name": name, "Process Group Ranks": ranks}))
    };
    let events = [
        &computes(1.0, 5.0, 1)[..],
        &[communicates(6.0, 9.0, &of_group("tp", "[0, 1]")), communicates(16.0, 9.0, &of_group("dp", "[0, 2]"))],
    ]
    .concat();
    let folder = Folder::new(&[("rank0.json", &*file(0, 4, &events))]);
    let format = Format::named("kineto-one-rank").unwrap();
    let trace = Trace::open_as(folder.path(), format).unwrap();
    let info = trace.info().unwrap();
    info.check_simulable().unwrap();
    assert!(info.warnings.iter().any(|warning| warning == "the file of rank 0 stands for those of all 4 ranks"));
    let mut source = trace.operations(COMPUTE);
    let groups = source.communicators();
    let programs = operations(&mut *source).unwrap();
    for (rank, program) in (0_u32..).zip(&programs) {
        let comms: Vec<_> = program.iter().filter_map(Operation::comm).collect();
        let members = |comm| [groups.rank(comm, 0).unwrap(), groups.rank(comm, 1).unwrap()];
        assert_eq!(comms.len(), 2);
        assert_eq!(members(comms[0]), [rank / 2 * 2, rank / 2 * 2 + 1]);
        assert_eq!(members(comms[1]), [rank % 2, rank % 2 + 2]);
    }
    assert_eq!(trace.check(3).unwrap().total, 0);
    let wrong = |world: u64, events: &[Value]| {
        let folder = Folder::new(&[("rank0.json", &*file(0, world, events))]);
        let trace = Trace::open_as(folder.path(), format).unwrap();
        folder.message(&trace.info().unwrap().check_simulable().unwrap_err())
    };
    assert_snapshot!(wrong(3, &events), @"rank0.json: `allreduce` cannot be simulated and occurs 2 times: its process group is no part of an even grid of ranks, so one rank's file does not tell the groups of others; give the files of all ranks; choose a trace without it");
    let send = communicates(6.0, 9.0, &with(call("send", 1, 1), &json!({"Dst Rank": 1})));
    assert_snapshot!(wrong(4, &[send]), @"rank0.json: `send` cannot be simulated and occurs 1 times: one rank's file does not tell the messages of others; give all files; choose a trace without it");
    let two = both(&events);
    assert_snapshot!(two.message(&Trace::open_as(two.path(), format).map(|_| ()).unwrap_err()), @"DIR: holds 2 files of PyTorch's profiler, and one is to stand for all ranks; name it");
    // The real file.
    let trace = Trace::open_as(data("kineto/resnet_rank0.json.gz"), format).unwrap();
    assert_eq!((trace.ranks(), trace.info().unwrap().collectives["allreduce"]), (2, 30));
    assert_eq!(trace.check(3).unwrap().total, 0);
}
