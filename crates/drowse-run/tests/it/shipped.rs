//! Shipped traces from end to end, for their collectives: every rank ends, and as many bytes are moved as the
//! algorithms move by closed forms.

use drowse_run::request::RunRequest;
use drowse_run::threads::Threads;

use crate::support::{case, root};

/// Runs a trace on as many nodes as it has ranks, with long packets, so that it is quick; returns messages and bytes.
fn run(trace: &str, dims: &str) -> (u64, u64) {
    run_by("", trace, dims)
}

/// The same, with algorithms of collectives by name.
fn run_by(collectives: &str, trace: &str, dims: &str) -> (u64, u64) {
    let trace = root("traces").join(trace);
    let case = case(&format!(
        "
        [network]
        kind = \"torus\"
        dims = {dims}
        [switch]
        flit = \"64 B\"
        packet = \"4 KiB\"
        buffer = \"64 KiB\"
        [[job]]
        trace = '{}'
        collectives = {{ {collectives} }}
        ",
        trace.display()
    ));
    let record = RunRequest::new(&case).run().unwrap_or_else(|error| panic!("{error}")).case.record;
    assert!(record.ranks.iter().all(|rank| rank.times.computing <= rank.finish && rank.bytes > 0));
    assert_eq!(record.packets_injected, record.packets_delivered);
    let ranks = record.ranks.iter();
    ranks.fold((0, 0), |(messages, bytes), rank| (messages + rank.messages, bytes + rank.bytes))
}

/// Six ranks on three nodes, two on each, sum up 512 B. By nodes, only the leaders send over the network: two fold, and
/// two exchange, as the rules say for three. A ring of NCCL leaves each node once and has 10 steps; its trees connect
/// the nodes by two edges each, up and down. Messages are shorter than a packet. Several threads change nothing.
#[test]
fn sums_by_nodes() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("sum.drowse");
    std::fs::write(&trace, "drowse-trace 1\nranks 6\nrank 0-5\ncompute 1 us\nallreduce 512\n").unwrap();
    let packets = |named: &str, threads| {
        let case = case(&format!(
            "[network]\nkind = \"torus\"\ndims = [3]\n[node]\ncores = 2\n\
             [switch]\nflit = \"64 B\"\npacket = \"4 KiB\"\nbuffer = \"64 KiB\"\n[[job]]\ntrace = '{}'\ncollectives = {{ allreduce = \"{named}\" }}\n",
            trace.display()
        ));
        let record = RunRequest { threads, ..RunRequest::new(&case) }
            .run()
            .unwrap_or_else(|error| panic!("{error}"))
            .case
            .record;
        (record.packets_injected, record.ranks.iter().map(|rank| rank.bytes).sum::<u64>())
    };
    for (named, expected) in [
        // Within the nodes three times up and down.
        ("hierarchical", (4, (4 + 6) * 512)),
        ("nccl-ring", (3 * 10, 10 * 512)),
        ("double-binary-tree", (2 * 2 * 2, 10 * 512)),
    ] {
        for threads in [1, 2, 3] {
            assert_eq!(packets(named, Threads::exactly(threads)), expected, "{named}, {threads} threads");
        }
    }
}

/// FT transposes 256 x 256 x 128 complex numbers of 16 bytes 8 times, pairwise. Of the rest, a barrier takes 4 rounds,
/// and trees bring 5 broadcasts of 4 bytes and 6 reductions of 16 to (or from) each of 15 ranks.
#[test]
fn ft_transposes() {
    let share = 256 * 256 * 128 * 16 / (16 * 16);
    let pairs = 16 * 15;
    assert_eq!(run("ft.A.16.tar.zst", "[4, 4]"), (8 * pairs + 64 + 15 * 11, 8 * pairs * share + 15 * (5 * 4 + 6 * 16)));
}

/// In 11 iterations IS sums up 1,029 integers of 4 bytes by recursive doubling, tells sizes by Bruck's algorithm (4
/// rounds, 32 blocks) and exchanges keys pairwise: an independent count of their lines gives 346,058,568 bytes. At the
/// end, trees bring 4, 8 and 4 bytes to or from 15 ranks, and 15 ranks send 4 to a neighbour.
#[test]
fn is_exchanges_keys() {
    let messages = 11 * 16 * (4 + 4 + 15) + 4 * 15;
    let bytes = 11 * 16 * (4 * 1_029 * 4 + 32 * 4) + 346_058_568 + 15 * (4 + 8 + 4 + 4);
    assert_eq!(run("is.A.16.tar.zst", "[4, 4]"), (messages, bytes));
}

/// Each of 64 ranks gathers 16 times 512 bytes and 16 times 8, by recursive doubling in 6 rounds, sums up 27 times 4 or
/// 8 bytes, 200 together, likewise, and exchanges once sizes by Bruck's algorithm and once 514,554 elements in all
/// pairwise.
#[test]
fn graph500_gathers() {
    let messages = 64 * (6 * (16 + 16 + 27 + 1) + 63);
    let bytes = 64 * (63 * 16 * (512 + 8) + 6 * 200 + 6 * 32 * 4) + 514_554;
    assert_eq!(run("graph500.64.tar.zst", "[4, 4, 4]"), (messages, bytes));
}

/// The trace of Graph500 with its gathers and sums on rings: 63 steps, or twice 63, instead of 6 rounds. A sum moves
/// two blocks less than twice its data on a ring.
#[test]
fn graph500_gathers_by_named_algorithms() {
    let messages = 64 * (63 * (16 + 16) + 2 * 63 * 27 + 6 + 63);
    let bytes = 64 * (63 * 16 * (512 + 8) + 6 * 32 * 4) + 2 * 63 * 200 + 514_554;
    let named = "allgather = \"ring\", allreduce = \"ring\"";
    assert_eq!(run_by(named, "graph500.64.tar.zst", "[4, 4, 4]"), (messages, bytes));
}
