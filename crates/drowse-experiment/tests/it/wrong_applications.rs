//! Errors of programs in `job.app`.

use crate::support::{NETWORK, wrong};

/// What is wrong, and what the message and its help begin with.
const WRONG: [(&str, &str, &str); 72] = [
    // Words of earlier versions.
    (
        "kind = \"mesh\", dims = [4], bytes = \"1 B\"",
        "`job.0.app.kind` = \"mesh\" has another name now",
        "write kind = \"stencil\", order = \"program\", periodic = false",
    ),
    (
        "kind = \"all-to-all-in-turn\", ranks = 4, bytes = \"1 B\"",
        "`job.0.app.kind` = \"all-to-all-in-turn\" has another name now",
        "write kind = \"all-to-all\", order = \"program\"; its own `order` is called `destinations`",
    ),
    (
        "kind = \"cg\", ranks = 4, class = \"S\", order = \"at-once\"",
        "`job.0.app.order` = \"at-once\" has another name now",
        "write order = \"phases\"",
    ),
    (
        "kind = \"all-to-all\", ranks = 4, bytes = \"1 B\", order = \"from-zero\"",
        "`job.0.app.order` = \"from-zero\" has another name now",
        "write order = \"program\", destinations = \"from-zero\"",
    ),
    (
        "kind = \"all-to-all\", ranks = 4, bytes = \"1 B\", destinations = \"from-zero\"",
        "`job.0.app.destinations` orders sends, and all are sent at once",
        "leave it out, or write order = \"program\", too",
    ),
    ("kind = \"binary-tree\", ranks = 12, bytes = \"1 B\"", "`job.0.app.ranks` = 12 is out of range", "write a power"),
    ("kind = \"ping-pong\", ranks = 3, bytes = \"1 B\"", "`job.0.app.ranks` = 3 is out of range", "write an even"),
    ("kind = \"butterfly\", ranks = 0, bytes = \"1 B\"", "`job.0.app.ranks` = 0 is out of range", "write a power"),
    (
        "kind = \"stencil\", dims = [4, 0], bytes = \"1 B\"",
        "`job.0.app.dims` = [4, 0] is out of range",
        "write 1 to 10",
    ),
    ("kind = \"wavefront\", dims = [], bytes = \"1 B\"", "`job.0.app.dims` = [] is out of range", "write 1 to 10"),
    ("kind = \"wavefront\", dims = [4]", "`job.0.app.bytes` is missing", "write bytes = \"8 KiB\""),
    (
        "kind = \"all-to-all\", ranks = 12, groups = 5, bytes = \"1 B\"",
        "`job.0.app.groups` = 5 is out of range",
        "write a number that divides the 12 ranks",
    ),
    (
        "kind = \"random-waves\", ranks = 1, messages = 1, wave = 1, bytes = \"1 B\"",
        "`job.0.app.ranks` = 1 is out of range",
        "write a number from 2",
    ),
    (
        "kind = \"random-waves\", ranks = 4, messages = 9, wave = 0, bytes = \"1 B\"",
        "`job.0.app.wave` = 0 is out of range",
        "write a number from 1",
    ),
    (
        "kind = \"one-to-all\", ranks = 4, root = 4, bytes = \"1 B\"",
        "`job.0.app.root` = 4 is out of range",
        "write a number from 0 to 3",
    ),
    (
        "kind = \"n-bodies\", ranks = 1, bytes = \"1 B\"",
        "`job.0.app.ranks` = 1 is out of range",
        "write a number from 2",
    ),
    (
        "kind = \"permutation\", pattern = \"transpose\", ranks = 8, bytes = \"1 B\"",
        "`job.0.app.ranks` = 8 is out of range",
        "write a power of four",
    ),
    (
        "kind = \"permutation\", pattern = \"tornado\", by = 3, ranks = 8, bytes = \"1 B\"",
        "`job.0.app.by` = 3 is out of range",
        "only a shift goes by a number of ranks",
    ),
    (
        "kind = \"random\", ranks = 8, degree = 1, region = { ranks = 1, share = 0.5 }, bytes = \"1 B\"",
        "`job.0.app.region.ranks` = 1 is out of range",
        "write a number from 2 to 8",
    ),
    (
        "kind = \"random\", ranks = 8, degree = 1, region = { ranks = 4, share = 1.5 }, bytes = \"1 B\"",
        "`job.0.app.region.share` = 1.5 is out of range",
        "write a number from 0.0 to 1.0",
    ),
    (
        "kind = \"transformer\", pipeline = 4, layers = 6, hidden = 8, sequence = 8",
        "`job.0.app.pipeline` = 4 is out of range",
        "write a number that divides the 6 layers",
    ),
    (
        "kind = \"transformer\", layers = 6, hidden = 0, sequence = 8",
        "`job.0.app.hidden` = 0 is out of range",
        "write a number from 1",
    ),
    (
        "kind = \"transformer\", layers = 6, hidden = 8",
        "`job.0.app.sequence` is missing",
        "write sequence = 4096, the tokens of a sequence",
    ),
    (
        "kind = \"transformer\", model = \"bert\"",
        "`job.0.app.model` = \"bert\" is not known",
        "this version knows: gpt-3-175b, llama-3-8b",
    ),
    (
        "kind = \"transformer\", model = \"llama-3-8b\", context = 3",
        "`job.0.app.context` = 3 is out of range",
        "write a number that divides the 8192 tokens of a sequence",
    ),
    (
        "kind = \"transformer\", model = \"llama-3-8b\", kv_heads = 5",
        "`job.0.app.kv_heads` = 5 is out of range",
        "write a number that divides the 32 heads",
    ),
    (
        "kind = \"transformer\", model = \"llama-3-8b\", data = 4, expert = 2",
        "`job.0.app.expert` = 2 is out of range",
        "write a number that divides the 1 experts",
    ),
    (
        "kind = \"transformer\", model = \"mixtral-8x7b\", data = 6, expert = 4",
        "`job.0.app.expert` = 4 is out of range",
        "write a number that divides the 6 replicas",
    ),
    (
        "kind = \"transformer\", model = \"mixtral-8x7b\", experts_per_token = 9",
        "`job.0.app.experts_per_token` = 9 is out of range",
        "write a number from 1 to 8",
    ),
    (
        "kind = \"transformer\", model = \"llama-3-8b\", pipeline = 4, virtual_stages = 3",
        "`job.0.app.virtual_stages` = 3 is out of range",
        "write a number that divides the 8 layers of a stage",
    ),
    (
        "kind = \"transformer\", model = \"llama-3-8b\", pipeline = 4, virtual_stages = 2, micro_batches = 6",
        "`job.0.app.micro_batches` = 6 is out of range",
        "interleaved, write a multiple of the 4 stages",
    ),
    (
        "kind = \"transformer\", model = \"llama-3-8b\", overlap = true",
        "`job.0.app.overlap` = true needs collectives",
        "write sums = \"collectives\", too",
    ),
    (
        "kind = \"transformer\", model = \"llama-3-8b\", data_sharding = \"zero-3\"",
        "`job.0.app.data_sharding`",
        "this version knows: none, optimizer, full",
    ),
    (
        "kind = \"transformer\", model = \"llama-3-8b\", tensor_bandwidth = \"450 GB/s\"",
        "`job.0.app.tensor_bandwidth` makes sums take time",
        "write flops_per_second",
    ),
    (
        "kind = \"transformer\", model = \"llama-3-8b\", efficiency = 0.4",
        "`job.0.app.efficiency` is a share of a speed",
        "write flops_per_second",
    ),
    (
        "kind = \"transformer\", model = \"llama-3-8b\", flops_per_second = \"1 Gflop/s\"",
        "`job.0.app.flops_per_second` = 1000000000 is out of range",
        "a rank would compute for more than an hour",
    ),
    (
        "kind = \"transformer\", model = \"llama-3-8b\", compute = \"1 ms\", flops_per_second = \"989 Tflop/s\"",
        "`job.0.app.compute` is known twice",
        "leave out one of both",
    ),
    (
        "kind = \"inference\", requests = 9, requests_per_second = 5.0, prompt = 8, output = 8, flops_per_second = \"1 Tflop/s\", memory_bandwidth = \"1 TB/s\"",
        "`job.0.app.layers` is missing",
        "write layers = 32, the layers",
    ),
    (
        "kind = \"inference\", model = \"llama-3-8b\"",
        "`job.0.app.requests` is missing",
        "write requests = 100, the requests",
    ),
    (
        "kind = \"inference\", model = \"llama-3-8b\", requests = 9, requests_per_second = 5.0, prompt = 8, output = 8, flops_per_second = \"1 Tflop/s\", memory_bandwidth = \"1 TB/s\", efficiency = 0.0",
        "`job.0.app.efficiency` leaves no speed",
        "write a share of more than 0.0",
    ),
    (
        "kind = \"inference\", model = \"llama-3-8b\", requests = 9, requests_per_second = 0.0, prompt = 8, output = 8, flops_per_second = \"1 Tflop/s\", memory_bandwidth = \"1 TB/s\"",
        "`job.0.app.requests_per_second` = 0 is out of range",
        "write a number from 0.001 to 1000000",
    ),
    (
        "kind = \"inference\", model = \"llama-3-8b\", requests = 9, requests_per_second = 5.0, prompt = 0, output = 8, flops_per_second = \"1 Tflop/s\", memory_bandwidth = \"1 TB/s\"",
        "`job.0.app.prompt` = 0 is out of range",
        "write a number from 1",
    ),
    (
        "kind = \"inference\", model = \"llama-3-8b\", requests = 60000, requests_per_second = 5.0, prompt = 8, output = 60000, flops_per_second = \"1 Tflop/s\", memory_bandwidth = \"1 TB/s\"",
        "`job.0.app.requests` = 60000 is out of range",
        "write a number from 1 to 4473",
    ),
    (
        "kind = \"inference\", model = \"llama-3-8b\", requests = 9, requests_per_second = 5.0, prompt = 8, output = 8, flops_per_second = \"1 Tflop/s\", memory_bandwidth = \"1 TB/s\", decode_groups = 0",
        "`job.0.app.decode_groups` = 0 is out of range",
        "write a number from 1",
    ),
    (
        "kind = \"inference\", model = \"llama-3-8b\", requests = 9, requests_per_second = 5.0, prompt = 8, output = 8, flops_per_second = \"1 Tflop/s\", memory_bandwidth = \"1 TB/s\", prefill_tensor = 2000",
        "`job.0.app.prefill_tensor` = 2000 is out of range",
        "write a number from 1 to 1024",
    ),
    (
        "kind = \"inference\", model = \"llama-3-8b\", requests = 9, requests_per_second = 5.0, prompt = 8, output = 8, flops_per_second = \"1 Tflop/s\", memory_bandwidth = \"1 TB/s\", batch = 0",
        "`job.0.app.batch` = 0 is out of range",
        "write a number from 1 to 65536",
    ),
    (
        "kind = \"inference\", model = \"llama-3-8b\", requests = 9, requests_per_second = 5.0, prompt = 8, output = 8, flops_per_second = \"1 Tflop/s\", memory_bandwidth = \"1 TB/s\", lengths = \"zipf\"",
        "`job.0.app.lengths` = \"zipf\" is not known",
        "this version knows: fixed, uniform, exponential",
    ),
    (
        "kind = \"stencil\", dims = [4], bytes = \"1 B\", jitter = 1.5",
        "`job.0.app.jitter` = 1.5 is out of range",
        "write a share of the time to compute, from 0.0 to 1.0",
    ),
    (
        "kind = \"stencil\", dims = [4], bytes = \"1 B\", distribution = \"gauss\"",
        "`job.0.app.distribution` = \"gauss\" is not known",
        "",
    ),
    (
        "kind = \"stencil\", dims = [4], bytes = \"1 B\", mode = \"eager\"",
        "`job.0.app.mode` = \"eager\" is not known",
        "",
    ),
    (
        "kind = \"stencil\", dims = [4], bytes = \"1 B\", growing = true",
        "unknown key `job.0.app.growing`",
        "keys known here",
    ),
    (
        "kind = \"linpack\", grid = [3, 2], size = 100",
        "`job.0.app.grid` = [3, 2] is out of range",
        "write rows and columns of processes; the rows are a power of two",
    ),
    ("kind = \"linpack\", grid = [4, 4]", "`job.0.app.size` is missing", "write size = 2048, the equations"),
    (
        "kind = \"random-access\", ranks = 64, updates = 63",
        "`job.0.app.updates` = 63 is out of range",
        "write a number from 64",
    ),
    (
        "kind = \"graph500\", ranks = 4, levels = 0",
        "`job.0.app.levels` = 0 is out of range",
        "write a number from 1 to 1000",
    ),
    (
        "kind = \"namd\", ranks = 145, system = \"apoa1\"",
        "`job.0.app.ranks` = 145 is out of range",
        "there are 144 patches, and each rank needs one",
    ),
    (
        "kind = \"namd\", ranks = 8, pme = 1001",
        "`job.0.app.pme` = 1001 is out of range",
        "write a number from 1 to 1000",
    ),
    (
        "kind = \"gromacs\", dims = [4, 4, 4], side = 2000",
        "`job.0.app.side` = 2000 is out of range",
        "write a number of nanometres from 0 to 1000",
    ),
    (
        "kind = \"gromacs\", dims = [2, 2, 2], cutoff = 3",
        "`job.0.app.cutoff` = 3 is out of range",
        "write more than 0, and so much less than `side`",
    ),
    (
        "kind = \"hpcg\", dims = [2, 2, 2], local = [104, 104, 100]",
        "`job.0.app.local` = [104, 104, 100] is out of range",
        "write three multiples of 8",
    ),
    ("kind = \"hpcg\", dims = [4, 0, 4]", "`job.0.app.dims` = [4, 0, 4] is out of range", "write 1 to 10 numbers"),
    (
        "kind = \"lulesh\", ranks = 16",
        "`job.0.app.ranks` = 16 is out of range",
        "write the cube of a number, as the program demands",
    ),
    ("kind = \"lulesh\", ranks = 0", "`job.0.app.ranks` = 0 is out of range", "write the cube of a number"),
    ("kind = \"lulesh\"", "`job.0.app.ranks` is missing", "write ranks = 64"),
    ("kind = \"lulesh\", ranks = 64, side = 0", "`job.0.app.side` = 0 is out of range", "write a number from 1 to 645"),
    ("kind = \"lulesh\", ranks = 64, sides = 30", "unknown key `job.0.app.sides`", "did you mean `side`?"),
    (
        "kind = \"sweep3d\", grid = [151, 1]",
        "`job.0.app.cells` = [150, 150, 150] is out of range",
        "write at least 151, 1 and 1, a cell for each rank",
    ),
    (
        "kind = \"sweep3d\", grid = [4, 4], batch = 4",
        "`job.0.app.batch` = 4 is out of range",
        "write a number that divides the 6 angles",
    ),
    (
        "kind = \"sweep3d\", grid = [4, 4], planes = 0",
        "`job.0.app.planes` = 0 is out of range",
        "write a number from 1",
    ),
    (
        "kind = \"mapreduce\", ranks = 8, mappers = 2, reducers = 5, bytes = \"1 MiB\"",
        "`job.0.app.reducers` = 5 is out of range",
        "write a number from 6 to 8",
    ),
    (
        "kind = \"mapreduce\", ranks = 8, bytes = \"0 B\"",
        "`job.0.app.bytes` = 0 B is out of range",
        "write a size from 1 B",
    ),
    (
        "kind = \"mapreduce\", ranks = 8, bytes = \"1 B\", popularity = \"normal\"",
        "`job.0.app.popularity` = \"normal\" is not known",
        "",
    ),
];

#[test]
fn each_wrong_program_has_one_message() {
    for (keys, message, help) in WRONG {
        let told = wrong(&format!("{NETWORK}[[job]]\napp = {{ {keys} }}\n"));
        let lines: Vec<&str> = told.lines().collect();
        assert!(lines[0].starts_with("x.toml:5:") && lines[0].contains(&format!("error: {message}")), "{told}");
        let helps: Vec<_> = lines.iter().filter(|line| line.starts_with("help: ")).collect();
        assert!(helps.len() == 1 && helps[0].starts_with(&format!("help: {help}")), "{told}");
    }
}
