//! The training of a transformer against Chakra traces of the same shape, which another generator has written
//! (crates/drowse-traces/tests/data/chakra/README.md): what groups of ranks call, and what stages send. Its ranks are numbered
//! in another order: replicas are consecutive, then come shares of a layer, then parts of sequences, then stages.

use std::collections::BTreeMap;

use drowse_core::workload::operation::{Collective, Operation};

use crate::programs::{self, Listed};

/// Layers, and the tokens and activations of a micro-batch of two sequences of 16 tokens, of one byte for each element.
const LAYERS: u64 = 4;
const TOKENS: u64 = 2 * 16;
const ACTIVATIONS: u64 = TOKENS * 64;
/// Weights of a layer, and of the embedding.
const LAYER: u64 = 12 * 64 * 64;
const EMBEDDING: u64 = 128 * 64;
const MODEL: &str = "kind = \"transformer\", layers = 4, hidden = 64, heads = 4, head_size = 16, vocabulary = 128, \
                     sequence = 16, micro_batch = 2, element = 1, sums = \"collectives\"";

fn traced(name: &str) -> Listed {
    programs::of_trace(&format!("crates/drowse-traces/tests/data/chakra/{name}.tar.zst"))
}

fn generated(keys: &str) -> Listed {
    programs::of_app(&format!("{MODEL}, {keys}"))
}

/// Returns the sizes of what all ranks of a group call of a kind, ascending.
fn called(program: &Listed, group: &[u32], size: impl Fn(&Collective) -> Option<u64>) -> Vec<u64> {
    let sizes = |&rank: &u32| {
        let calls = program.ranks[rank as usize].iter().filter_map(|operation| {
            let comm = operation.comm()?;
            let is_groups = program.communicators.size(comm)? as usize == group.len()
                && group.iter().all(|&rank| program.communicators.member(comm, rank).is_some());
            operation.called().filter(|_| is_groups).and_then(&size)
        });
        let mut sizes: Vec<u64> = calls.collect();
        sizes.sort_unstable();
        sizes
    };
    let first = sizes(&group[0]);
    assert!(group.iter().all(|rank| sizes(rank) == first), "{group:?}");
    first
}

fn sums(program: &Listed, group: &[u32]) -> Vec<u64> {
    called(program, group, |it| if let Collective::Allreduce { bytes, .. } = it { Some(*bytes) } else { None })
}

/// Sizes of one rank's part.
fn gathers(program: &Listed, group: &[u32]) -> Vec<u64> {
    called(program, group, |it| if let Collective::Allgather { bytes } = it { Some(*bytes) } else { None })
}

/// Sizes of all parts.
fn scatters(program: &Listed, group: &[u32]) -> Vec<u64> {
    called(program, group, |it| {
        if let Collective::ReduceScatter { bytes, .. } = it { Some(bytes.iter().sum()) } else { None }
    })
}

/// Returns how often each rank sends so many bytes to each other.
fn sent(program: &Listed) -> BTreeMap<(u32, u32, u64), u32> {
    let mut sent = BTreeMap::new();
    for (rank, operations) in (0..).zip(&program.ranks) {
        for operation in operations {
            if let Operation::Send { to, bytes, .. } | Operation::Isend { to, bytes, .. } = *operation {
                *sent.entry((rank, to, bytes)).or_default() += 1;
            }
        }
    }
    sent
}

/// Returns so many numbers and others, ascending.
fn with(number: u64, times: u64, others: &[u64]) -> Vec<u64> {
    let mut all = vec![number; times as usize];
    all.extend(others);
    all.sort_unstable();
    all
}

/// Two stages of two replicas, whose layers two ranks share; two micro-batches. Stages send the same. Sums of activations are
/// the same; the trace also sums embeddings and losses, which are left out here, and gathers the output layer's gradients.
/// It sums the gradients of each micro-batch, not those of all.
#[test]
fn data_tensor_and_pipeline() {
    let trace = traced("gpt_dp2_tp2_pp2");
    let keys = "data = 2, tensor = 2, pipeline = 2, micro_batches = 2";
    let program = generated(keys);
    assert_eq!(sent(&trace), sent(&program));
    assert_eq!(sent(&program).values().sum::<u32>(), 2 * 2 * 2 * 2);
    let summed = 4 * LAYERS / 2 * 2;
    for stage in 0..2u32 {
        for number in 0..2u32 {
            let share_layers = [4 * stage + 2 * number, 4 * stage + 2 * number + 1];
            assert_eq!(sums(&program, &share_layers), with(ACTIVATIONS, summed, &[]));
            let (others, gathered) = match stage {
                0 => (ACTIVATIONS, vec![]),
                _ => (TOKENS * 128, vec![ACTIVATIONS / 2; 2]),
            };
            let of_trace = [4 * stage + number, 4 * stage + number + 2];
            assert_eq!(sums(&trace, &of_trace), with(ACTIVATIONS, summed, &[others; 2]));
            assert_eq!(gathers(&trace, &of_trace), gathered);
            let replicas = [4 * stage + number, 4 * stage + number + 2];
            assert_eq!(sums(&program, &replicas), [LAYERS / 2 * LAYER / 2 + EMBEDDING / 2]);
            let of_trace = [4 * stage + 2 * number, 4 * stage + 2 * number + 1];
            assert_eq!(sums(&trace, &of_trace), with(LAYER / 2, LAYERS / 2 * 2, &[EMBEDDING / 2]));
        }
    }
}

/// With sequence parallelism stages send half, in the trace and here. Each sum of activations is a reduce-scatter and an
/// allgather in the trace, which together move as much over a ring; it also gathers the input of both halves of a layer again
/// for the gradients of weights, which is left out here (Korthikanti et al. 2022, section 4.2.2). Its ranks do not
/// share the embedding or the output layer, but sum the gradients of one of them each.
#[test]
fn sequence_parallelism() {
    let trace = traced("gpt_dp2_tp2_pp2_sp");
    let program = generated("data = 2, tensor = 2, pipeline = 2, micro_batches = 2, sequence_parallel = true");
    assert_eq!(sent(&trace), sent(&program));
    let summed = 4 * LAYERS / 2 * 2;
    for (of_trace, group) in [[0, 2], [1, 3], [4, 6], [5, 7]].into_iter().zip([[0, 1], [2, 3], [4, 5], [6, 7]]) {
        assert_eq!(sums(&program, &group), with(ACTIVATIONS, summed, &[]));
        assert_eq!(scatters(&trace, &of_trace), with(ACTIVATIONS, summed, &[]));
        assert_eq!(gathers(&trace, &of_trace), with(ACTIVATIONS / 2, summed + 2 * LAYERS / 2 * 2, &[]));
        assert_eq!(sums(&trace, &of_trace), [EMBEDDING]);
    }
}

/// Ranks that share sequences gather keys and values forward, which are as large as activations each, and sum the gradients
/// of both; here they gather them backward again. Each has half of the tokens.
#[test]
fn context_parallelism() {
    let trace = traced("gpt_dp2_cp2_tp2");
    let program = generated("data = 2, tensor = 2, context = 2, micro_batches = 2");
    let part = ACTIVATIONS / 2 / 2;
    for (number, first) in (0..4).zip([0, 1, 4, 5]) {
        let (of_trace, group) = ([number, number + 4], [first, first + 2]);
        assert_eq!(gathers(&trace, &of_trace), with(part, 2 * LAYERS * 2, &[]));
        assert_eq!(scatters(&trace, &of_trace), with(2 * part, 2 * LAYERS * 2, &[]));
        assert_eq!(gathers(&program, &group), with(2 * part, 2 * LAYERS * 2, &[]));
        assert_eq!(scatters(&program, &group), with(4 * part, LAYERS * 2, &[]));
    }
}

/// With weights shared, four replicas gather those of each layer before both passes, and sum its gradients in parts. The
/// trace does not share the embedding and the output layer, whose gradients all sum.
#[test]
fn weights_shared() {
    let trace = traced("gpt_fsdp4");
    let program = generated("data = 4, data_sharding = \"full\"");
    let all = [0, 1, 2, 3];
    let inner = LAYERS - 2;
    let ends = LAYER + EMBEDDING;
    assert_eq!(gathers(&trace, &all), with(LAYER / 4, 2 * LAYERS, &[]));
    assert_eq!(gathers(&program, &all), with(LAYER / 4, 2 * inner, &[ends / 4; 4]));
    assert_eq!(scatters(&trace, &all), with(LAYER, LAYERS, &[]));
    assert_eq!(scatters(&program, &all), with(LAYER, inner, &[ends; 2]));
    assert_eq!(sums(&trace, &all), [EMBEDDING; 2]);
    assert!(sums(&program, &all).is_empty());
}
