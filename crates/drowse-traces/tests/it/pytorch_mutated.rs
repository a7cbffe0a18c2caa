//! Changed files of PyTorch: reading ends with a program or with one message, whatever is changed.

use drowse_traces::Format;

use crate::any_file::{SEPARATOR, read};
use crate::sample::Folder;

/// How many changed files are read of each.
const FILES: usize = 1_000;

/// The profiler's trace of a rank of two: a computation, an all-reduce with its call, a send and a receive in a list,
/// an uneven exchange in a group, and waits of both kinds.
const KINETO: &str = r#"{"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": RANK, "world_size": 2,
"pg_config": [{"pg_name": "0", "pg_desc": "default_pg", "pg_size": 2, "ranks": [0, 1]}]}, "traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": 1.000, "dur": 90.5},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "tid": 1, "ts": 2.5, "dur": 1,
"args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "gemm", "ts": 4.125, "dur": 9.5, "args": {"stream": 7, "correlation": 1}},
{"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "tid": 1, "ts": 6, "dur": 2, "args": {"External id": 5,
"Record function id": 3, "Collective name": "allreduce", "In msg nelems": 256, "Out msg nelems": 256, "Group size": 2,
"dtype": "Float", "Process Group Name": "0", "Process Group Ranks": "[0, 1]"}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernelExC", "tid": 1, "ts": 7, "dur": 1,
"args": {"correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce", "ts": 14, "dur": 20, "args": {"stream": 40,
"correlation": 2, "External id": 5}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamWaitEvent", "tid": 1, "ts": 9, "dur": 1,
"args": {"correlation": 3}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "tid": 1, "ts": 11, "dur": 1,
"args": {"correlation": 4}},
{"ph": "X", "cat": "kernel", "name": "add", "ts": 35, "dur": 2.25, "args": {"stream": 7, "correlation": 4}},
{"ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "ts": 9, "dur": 1, "args": {"stream": 7, "correlation": 3,
"wait_on_stream": 40, "wait_on_cuda_event_record_corr_id": 3}},
{"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "tid": 1, "ts": 40, "dur": 1, "args": {"External id": 6,
"Collective name": "send", "In msg nelems": 8, "dtype": "Half", "Group size": 2, "Dst Rank": PEER}},
{"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "tid": 1, "ts": 42, "dur": 1, "args": {"External id": 7,
"Collective name": "recv", "In msg nelems": 8, "dtype": "Half", "Group size": 2, "Src Rank": PEER}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernelExC", "tid": 1, "ts": 44, "dur": 1,
"args": {"correlation": 8}},
{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_SendRecv", "ts": 50, "dur": 5, "args": {"stream": 41,
"correlation": 8}},
{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_SendRecv", "ts": 60, "dur": 5, "args": {"stream": 40,
"Collective name": "all_to_allv", "In msg nelems": 12, "Out msg nelems": 12, "dtype": "BFloat16", "Group size": 2,
"In split size": "[1, 2]", "Process Group Name": "tp", "Process Group Ranks": "[0, 1]"}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaDeviceSynchronize", "tid": 1, "ts": 61, "dur": 8, "args": {}},
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy PtoP", "ts": 70, "dur": 3, "args": {"stream": 7, "correlation": 9}}
]}"#;

/// The execution trace of that run, as Chakra's linker completes it.
const LINKED: &str = r###"{"schema": "1.1.1-chakra.0.0.4", "pid": 1, "start_ts": 5, "nodes": [
{"id": 2, "name": "[pytorch|profiler|execution_trace|thread]", "ctrl_deps": 1, "inputs": {"values": [], "shapes": []},
"attrs": [{"name": "rf_id", "type": "uint64", "value": 0}]},
{"id": 3, "name": "## process_group:init ##", "ctrl_deps": 2, "inputs": {"values":
["[{\"pg_name\": \"0\", \"ranks\": [], \"group_size\": 2}, {\"pg_name\": \"1\", \"ranks\": [0, 1]}]"]},
"attrs": []},
{"id": 4, "name": "aten::mm", "ctrl_deps": 2, "inputs": {"values": [[1, 2, 0, 6, 4, "cuda:0"]]}, "attrs": [],
"ts": 10.5, "inclusive_dur": 3, "exclusive_dur": 3},
{"id": 5, "name": "gemm", "ctrl_deps": 4, "cat": "kernel", "inputs": {"values": []}, "ts": 12.25, "inclusive_dur": 9,
"stream": 7, "attrs": []},
{"id": 6, "name": "record_param_comms", "ctrl_deps": 2, "inputs": {"values": [[[1, 2, 0, 6, 4, "cuda:0"]], 1,
["1", "tp"], 1, "broadcast", [], [], 0, 1, 2]}, "ts": 14, "inclusive_dur": 1, "attrs": [
{"name": "rf_id", "type": "uint64", "value": 3}, {"name": "collective_name", "type": "string", "value": "broadcast"},
{"name": "dtype", "type": "string", "value": "Float"}, {"name": "in_msg_nelems", "type": "uint64", "value": 6},
{"name": "out_msg_nelems", "type": "uint64", "value": 6}, {"name": "pg_name", "type": "string", "value": "1"},
{"name": "pg_size", "type": "uint64", "value": 2}]},
{"id": 7, "name": "ncclDevKernel_Broadcast", "ctrl_deps": 6, "cat": "kernel", "inputs": {"values": []}, "ts": 22,
"inclusive_dur": 15.5, "stream": 40, "pg_name": "1", "attrs": []},
{"id": 8, "name": "aten::add", "ctrl_deps": 2, "inputs": {"values": []}, "attrs": [], "ts": 16, "inclusive_dur": 1,
"sync_dep": [7]},
{"id": 9, "name": "add", "ctrl_deps": 8, "cat": "kernel", "inputs": {"values": []}, "ts": 38, "inclusive_dur": 2,
"stream": 7, "attrs": []}
]}"###;

/// Random numbers from a seed.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

/// Where values are in a text: between `: ` or `[` and the next separator.
fn values(text: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for at in 0..text.len() {
        if text[at..].starts_with(b": ") {
            let begin = at + 2;
            let length = text[begin..].iter().position(|byte| b",}]\n".contains(byte)).unwrap_or_default();
            found.push((begin, begin + length));
        }
    }
    found
}

/// Values that programs do not expect.
const STRANGE: [&str; 14] = [
    "-1",
    "0",
    "1e308",
    "18446744073709551615",
    "-9223372036854775808",
    "4000000000000000",
    "null",
    "[]",
    "{}",
    "\"\"",
    "\"[0, 1, ...]\"",
    "\"[-1, 9]\"",
    "1048577",
    "true",
];

/// Changes a file: cuts it off, changes bytes, swaps two values, or sets a strange one.
fn changed(text: &str, draw: &mut Draw) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    match draw.below(4) {
        0 => bytes.truncate(draw.below(text.len())),
        1 => {
            for _ in 0..=draw.below(8) {
                let at = draw.below(bytes.len());
                bytes[at] = draw.below(256) as u8;
            }
        }
        kind => {
            for _ in 0..=draw.below(4) {
                let values = values(&bytes);
                let (one, other) = (values[draw.below(values.len())], values[draw.below(values.len())]);
                let with = match kind {
                    2 => bytes[other.0..other.1].to_vec(),
                    _ => STRANGE[draw.below(STRANGE.len())].as_bytes().to_vec(),
                };
                bytes.splice(one.0..one.1, with);
            }
        }
    }
    bytes
}

/// Reads changed files; returns how many are read and how many are refused.
fn all(ranks: &[String], format: &str, seed: u64) -> (usize, usize) {
    let (folder, mut draw, mut counts) = (Folder::new(&[]), Draw(seed), (0, 0));
    let format = Format::named(format).unwrap();
    for _ in 0..FILES {
        let place = draw.below(ranks.len());
        let mut files: Vec<Vec<u8>> = ranks.iter().map(|text| text.as_bytes().to_vec()).collect();
        files[place] = changed(&ranks[place], &mut draw);
        match read(folder.path(), &files.join(SEPARATOR), Some(format)) {
            Some(_) => counts.0 += 1,
            None => counts.1 += 1,
        }
    }
    counts
}

#[test]
fn the_profilers_traces() {
    let of_rank = |rank: u32| KINETO.replace("RANK", &rank.to_string()).replace("PEER", &(1 - rank).to_string());
    let (read_well, refused) = all(&[of_rank(0), of_rank(1)], "kineto", 1);
    assert!(read_well > FILES / 10 && refused > FILES / 10, "{read_well} read, {refused} refused");
}

#[test]
fn linked_traces() {
    let (read_well, refused) = all(&[LINKED.to_owned(), LINKED.to_owned()], "execution-trace", 2);
    assert!(read_well > FILES / 10 && refused > FILES / 10, "{read_well} read, {refused} refused");
}

/// Without any change they are programs that fit together.
#[test]
fn unchanged_files() {
    let of_rank = |rank: u32| KINETO.replace("RANK", &rank.to_string()).replace("PEER", &(1 - rank).to_string());
    let folders = [[of_rank(0), of_rank(1)], [LINKED.to_owned(), LINKED.to_owned()]];
    for files in folders {
        let folder = Folder::new(&[("rank_0.json", &*files[0]), ("rank_1.json", &*files[1])]);
        let trace = drowse_traces::Trace::open(folder.path()).unwrap_or_else(|error| panic!("{error}"));
        trace.info().unwrap().check_simulable().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(trace.check(3).unwrap().total, 0);
    }
}
