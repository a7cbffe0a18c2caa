//! Speed of reading each trace format, in bytes of its files: `cargo bench -p drowse-traces`.
//!
//! `counted` is all that happens before a simulation: opening, checking and hashing. `operations` is what a simulation
//! reads after that. NAS CG on 64 ranks is written in each format that is written; DUMPI, Paraver and Chakra files, which
//! are not, have many equal calls. OTF2's is a small real one.

#![expect(clippy::unwrap_used, reason = "a bench that cannot run has nothing to say")]

use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use drowse_core::workload::operation::OperationSource;
use drowse_traces::{ComputeModel, FORMATS, Format, Trace};
use liblzma::read::XzDecoder;
use tempfile::TempDir;

const COMPUTE: ComputeModel = ComputeModel::TEN_GIGAFLOPS;

/// Makes a trace of a format in a folder; returns its path and its size.
fn trace(format: &Format, folder: &Path) -> Option<(PathBuf, u64)> {
    let path = folder.join(format.name);
    match format.name {
        "dumpi" => {
            fs::create_dir(&path).unwrap();
            let file = dumpi();
            (0..4).for_each(|rank| fs::write(path.join(format!("t-{rank:04}.bin")), &file).unwrap());
            return Some((path, 4 * file.len() as u64));
        }
        "chakra" => {
            fs::create_dir(&path).unwrap();
            let file = chakra();
            (0..4).for_each(|rank| fs::write(path.join(format!("t.{rank}.et")), &file).unwrap());
            return Some((path, 4 * file.len() as u64));
        }
        "otf2" => return Some(otf2(&path)),
        "paraver" => fs::write(&path, paraver()).unwrap(),
        _ if format.is_written() => {
            let cg = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../traces/cg.A.64.tar.zst");
            let cg = Trace::open(cg).unwrap();
            let mut text = Vec::new();
            format.write(&|| cg.operations(COMPUTE), COMPUTE.flops_per_second, &mut text).unwrap();
            fs::write(&path, text).unwrap();
        }
        _ => return None,
    }
    let length = fs::metadata(&path).unwrap().len();
    Some((path, length))
}

/// A rank's file of many `MPI_Send` to itself and `MPI_Recv`, as libdumpi writes them; see the tests.
fn dumpi() -> Vec<u8> {
    let mut file = b"\xff\xaa\xddDUMPI".to_vec();
    file.extend([0; 8]);
    for call in 0..100_000_u32 {
        file.extend((call as u16 % 2).to_be_bytes());
        // Times by the wall clock, and for receives the status.
        file.push(0x08 | (call % 2) as u8);
        for stamp in [call * 10_000 + 1_000, call * 10_000 + 2_000] {
            file.extend(((stamp / 1_000_000_000) as u16).to_be_bytes());
            file.extend((stamp % 1_000_000_000).to_be_bytes());
        }
        // Count, datatype (bytes), rank, tag, communicator (world).
        file.extend(8_i32.to_be_bytes());
        file.extend(5_u16.to_be_bytes());
        file.extend([0_i32, 7].map(i32::to_be_bytes).concat());
        file.extend(2_u16.to_be_bytes());
        if call % 2 == 1 {
            file.extend(1_u32.to_be_bytes());
            file.extend([0; 14]);
        }
    }
    file.extend(293_u16.to_be_bytes());
    let header = file.len() as u64;
    file.extend([13, 0, 0]);
    file.extend(b"\xff\xaa\xddDUMPI");
    for offset in [0, 0, 0, header, 8, 0, 0] {
        file.extend(offset.to_be_bytes());
    }
    file
}

/// A rank's file of computations and allreduces in turn, each after the last.
fn chakra() -> Vec<u8> {
    let mut file = field(1, b"0.0.4");
    file.insert(0, file.len() as u8);
    for id in 1..=50_000_u64 {
        let is_call = id % 2 == 0;
        let mut node = number(1, id);
        node.extend(field(2, if is_call { b"nccl:all_reduce" } else { b"aten::mm" as &[u8] }));
        node.extend(number(3, if is_call { 7 } else { 4 }));
        let before = if id > 1 { varint(id - 1) } else { Vec::new() };
        node.extend(field(5, &before));
        node.extend(number(7, 5));
        if is_call {
            for (name, value) in [(&b"comm_type"[..], 0), (b"comm_size", 1 << 20)] {
                node.extend(field(10, &[field(1, name), number(9, value)].concat()));
            }
        }
        file.extend(varint(node.len() as u64));
        file.extend(node);
    }
    file
}

/// An archive of the tests' data, unpacked. Returns its anchor and its size.
fn otf2(folder: &Path) -> (PathBuf, u64) {
    fs::create_dir(folder).unwrap();
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/otf2/mixed_10.tar.xz");
    let mut archive = tar::Archive::new(XzDecoder::new(fs::File::open(packed).unwrap()));
    let mut length = 0;
    for file in archive.entries().unwrap() {
        let mut file = file.unwrap();
        length += file.size();
        file.unpack_in(folder).unwrap();
    }
    (folder.join("traces.otf2"), length)
}

/// A number as protobuf writes it: seven bits a byte.
fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// A field of a message that is a number, and one that is bytes.
fn number(field: u64, value: u64) -> Vec<u8> {
    [varint(field << 3), varint(value)].concat()
}

fn field(field: u64, bytes: &[u8]) -> Vec<u8> {
    [varint(field << 3 | 2), varint(bytes.len() as u64), bytes.to_vec()].concat()
}

/// Two ranks that send each other messages.
fn paraver() -> String {
    let mut text = "#Paraver (20/11/2026 at 21:35):9000000000_ns:1(8):1:2(1:1,1:1),1\nc:1:1:2:1:2\n".to_owned();
    for time in (0..50_000_u64).map(|message| message * 10_000) {
        let [begin, left, end] = [time + 1_000, time + 2_000, time + 3_000];
        writeln!(text, "1:1:1:1:1:{time}:{begin}:1").unwrap();
        writeln!(text, "2:1:1:1:1:{begin}:50000001:1").unwrap();
        writeln!(text, "2:2:1:2:1:{begin}:50000001:2").unwrap();
        writeln!(text, "3:1:1:1:1:{begin}:{left}:2:1:2:1:{begin}:{end}:4096:7").unwrap();
        writeln!(text, "2:1:1:1:1:{end}:50000001:0").unwrap();
        writeln!(text, "2:2:1:2:1:{end}:50000001:0").unwrap();
    }
    text
}

/// Opens a trace and does all that comes before a simulation.
fn counted(path: &Path) -> Trace {
    let trace = Trace::open(path).unwrap();
    black_box((trace.info().unwrap(), trace.fingerprint().unwrap()));
    trace
}

/// Reads all operations, a block of each rank in turn.
fn operations(source: &mut dyn OperationSource) -> u64 {
    let (mut block, mut total) = (Vec::new(), 0);
    let mut left: Vec<u32> = (0..source.ranks()).collect();
    while !left.is_empty() {
        left.retain(|&rank| {
            block.clear();
            source.refill(rank, &mut block).unwrap();
            total += block.len() as u64;
            !block.is_empty()
        });
    }
    total
}

fn read(criterion: &mut Criterion) {
    let folder = TempDir::new().unwrap();
    let mut group = criterion.benchmark_group("read");
    group.sample_size(10);
    for format in FORMATS {
        let Some((path, length)) = trace(format, folder.path()) else { continue };
        group.throughput(Throughput::Bytes(length));
        group.bench_function(BenchmarkId::new("counted", format.name), |bencher| bencher.iter(|| counted(&path)));
        let trace = counted(&path);
        group.bench_function(BenchmarkId::new("operations", format.name), |bencher| {
            bencher.iter(|| operations(trace.operations(COMPUTE).as_mut()));
        });
    }
    group.finish();
}

criterion_group!(benches, read);
criterion_main!(benches);
