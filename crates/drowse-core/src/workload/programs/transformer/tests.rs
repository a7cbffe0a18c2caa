//! Volumes and times of published formulas, the order of steps by hand, and collectives that move what rings move.

use proptest::prelude::*;

use super::*;
use crate::workload::algorithms::{Algorithms, Allgather, Allreduce, Alltoall, ReduceScatter};
use crate::workload::collectives::expand_in;
use crate::workload::operation::{Operation, SendMode};
use crate::workload::programs::tests::{COMPUTE, operations, played, told};
use crate::workload::programs::{Application, Phase, Work as Job};

/// The training of a plain transformer on rings.
fn training(shares: Parallelism, model: Model, batch: Batch) -> Training {
    Training {
        shares,
        model,
        batch,
        element: 2,
        gradient: 2,
        rate: None,
        sums: Sums::Rings,
        sharding: Sharding::None,
        tensor_bandwidth: None,
        sequence_parallel: false,
    }
}

/// Draws the training of a small transformer on rings, in any combination of shares.
pub(in crate::workload::programs) fn transformers() -> impl Strategy<Value = Transformer> {
    let shares = (1u32..4, 1u32..3, 1u32..3, 1u32..4, 1u32..3, 1u32..3);
    let model = (1u32..3, 1u32..4, 1u32..3, any::<bool>(), any::<bool>(), 0u32..4);
    let batch = (1u32..4, 1u32..4, 1u32..4, any::<bool>());
    let sharding = prop_oneof![Just(Sharding::None), Just(Sharding::Optimizer), Just(Sharding::Full)];
    (shares, model, batch, sharding).prop_map(|(shares, model, batch, sharding)| {
        let (micro_batches, sequence, gradient, sequence_parallel) = batch;
        let (tensor, context, expert, pipeline, chunks, data) = shares;
        let (layers, hidden, kv_heads, gated, has_experts, vocabulary) = model;
        let chunks = if pipeline > 1 { chunks } else { 1 };
        let expert = if has_experts { expert } else { 1 };
        let shares = Parallelism { tensor, context, expert, pipeline, chunks, data: data * expert };
        let model = Model {
            heads: 4,
            kv_heads,
            feed_forward: 7,
            gated,
            // Stages that have no output layer compute less.
            vocabulary: if pipeline > 1 { 0 } else { vocabulary },
            experts: if has_experts { 4 } else { 1 },
            experts_per_token: if has_experts { 2 } else { 1 },
            ..Model::plain(layers * chunks * pipeline, hidden)
        };
        let micro_batches = if chunks > 1 { micro_batches * pipeline } else { micro_batches };
        let batch = Batch { sequence: sequence * context, micro_batch: 3, micro_batches };
        let training = Training { gradient, sharding, sequence_parallel, ..training(shares, model, batch) };
        Transformer::new(training).unwrap()
    })
}

/// A transformer with two layers, of sequences of 10 tokens.
fn transformer([tensor, pipeline, data]: [u32; 3], micro_batches: u32) -> Transformer {
    let shares = Parallelism { tensor, pipeline, data, ..Parallelism::default() };
    let batch = Batch { sequence: 10, micro_batch: 1, micro_batches };
    Transformer::new(training(shares, Model::plain(2, 6), batch)).unwrap()
}

/// Each layer computes twice in each direction. The first of two stages is one micro-batch ahead; ranks that share a
/// layer sum after each computation, replicas at the end.
#[test]
fn steps_of_a_transformer() {
    assert_eq!(told(transformer([1, 2, 1], 2), 0), "c c >1 c c >1 <1 c c <1 c c");
    assert_eq!(told(transformer([1, 2, 1], 2), 1), "<0 c c c c >0 <0 c c c c >0");
    assert_eq!(told(transformer([3, 1, 1], 1), 0), ["c >1 <2 >1 <2 >1 <2 >1 <2"; 8].join(" "));
    assert_eq!(told(transformer([1, 1, 3], 1), 2), format!("{} {}", ["c"; 8].join(" "), [">0 <1"; 4].join(" ")));
    // Share 1 of replica 1 of the second stage: rank 7 of eight.
    let all = told(transformer([2, 2, 2], 1), 7);
    assert_eq!(all, format!("<3 {0} {0} {0} {0} >3 >5 <5 >5 <5", "c >6 <6 >6 <6"));
}

/// Of three ranks that share sequences, each passes on the keys and values of the two others before attention, and backward
/// their gradients, too. Of three replicas that share experts, each sends to the next first.
#[test]
fn steps_of_contexts_and_experts() {
    let batch = Batch { sequence: 6, micro_batch: 1, micro_batches: 1 };
    let context = Parallelism { context: 3, ..Parallelism::default() };
    let rank = told(Transformer::new(training(context, Model::plain(1, 6), batch)).unwrap(), 0);
    assert_eq!(
        rank,
        "{2} c c c {2} c {2} {4}".replace("{2}", ">1 <2 >1 <2").replace("{4}", [">1 <2"; 4].join(" ").as_str())
    );
    let expert = Parallelism { expert: 3, data: 3, ..Parallelism::default() };
    let model = Model { experts: 3, ..Model::plain(1, 6) };
    let rank = told(Transformer::new(training(expert, model, batch)).unwrap(), 0);
    assert_eq!(rank, "c {} c {} {} c {} c >1 <2 >1 <2 >1 <2 >1 <2".replace("{}", ">1 <2 >2 <1"));
}

/// Megatron-LM's order (Narayanan et al. 2021, figure 4): two stages of two chunks each, four micro-batches. The first stage
/// takes micro-batches 1 and 2 through its first chunk, then through its second, and 3 before the first backward.
#[test]
fn steps_of_an_interleaved_schedule() {
    let shares = Parallelism { pipeline: 2, chunks: 2, ..Parallelism::default() };
    let batch = Batch { sequence: 1, micro_batch: 1, micro_batches: 4 };
    let transformer = Transformer::new(training(shares, Model::plain(4, 1), batch)).unwrap();
    let order = |stage| -> Vec<(bool, u32)> {
        let pass = |number| transformer.schedule().pass(stage, number);
        (0..16).map(pass).map(|pass| (pass.is_forward, pass.chunk)).collect()
    };
    let told = |stage| -> String {
        let word = |(is_forward, chunk): (bool, u32)| format!("{}{chunk}", if is_forward { 'f' } else { 'b' });
        order(stage).into_iter().map(word).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(told(0), "f0 f0 f1 f1 f0 b1 f0 b1 f1 b0 f1 b0 b1 b1 b0 b0");
    assert_eq!(told(1), "f0 f0 f1 b1 f1 b1 f0 b0 f0 b0 f1 b1 f1 b1 b0 b0");
}

/// Narayanan et al. 2021, section 3: for a layer and a micro-batch each rank sends 8 b s h (t - 1) / t elements to those
/// that share the layer, and b s h to the next stage and back; a ring of d replicas sends each gradient 2 (d - 1) / d
/// times. A layer has 12 h^2 weights.
#[test]
fn volumes_of_a_transformer() {
    let activations = 10 * 6 * 2;
    let volume = |shares, micro_batches| {
        let transformer = Job::from(transformer(shares, micro_batches));
        (transformer.messages(), transformer.bytes())
    };
    assert_eq!(volume([1, 1, 1], 5), (0, 0));
    assert_eq!(volume([1, 2, 1], 5), (2 * 5, 2 * 5 * activations));
    // Three ranks, two layers, five micro-batches.
    assert_eq!(volume([3, 1, 1], 5), (3 * 2 * 5 * 16, 3 * 2 * 5 * 8 * activations * 2 / 3));
    let gradients = 2 * 12 * 36 * 2;
    assert_eq!(volume([1, 1, 4], 5), (4 * 6, 4 * gradients * 6 / 4));
    // Llama 2 70B has 80 layers of 8,192: 64 GB of weights in these layers.
    let batch = Batch { sequence: 4_096, micro_batch: 1, micro_batches: 1 };
    let shares = Parallelism { data: 2, ..Parallelism::default() };
    let training = Training { gradient: 1, ..training(shares, Model::plain(80, 8_192), batch) };
    assert_eq!(Transformer::new(training).map(|it| Job::from(it).bytes()), Ok(2 * 64_424_509_440));
}

/// Interleaved stages pass v p - 1 borders, and with sequence parallelism t ranks share what one sends (Narayanan et al.
/// 2021, sections 2.2.2 and 4.1). Ranks that share sequences pass keys and values of l layers three times: for attention
/// with grouped queries 2 g / a of the activations. Tokens go to k experts and back, forward and backward: 4 k b s h
/// elements of a replica and layer, but for what stays (Lepikhin et al. 2020).
#[test]
fn volumes_of_further_shares() {
    let batch = Batch { sequence: 8, micro_batch: 2, micro_batches: 4 };
    let activations = 2 * 8 * 16 * 2;
    let volume = |shares, model, sequence_parallel| {
        let training = Training { sequence_parallel, ..training(shares, model, batch) };
        let chain = Job::from(Transformer::new(training).unwrap());
        (chain.messages(), chain.bytes())
    };
    let one = Parallelism::default();
    let interleaved = Parallelism { pipeline: 2, chunks: 3, ..one };
    assert_eq!(volume(interleaved, Model::plain(6, 16), false), (4 * 2 * 5, 4 * 2 * 5 * activations));
    let both = Parallelism { tensor: 2, ..interleaved };
    let passed = |is| volume(both, Model::plain(6, 16), is).1;
    assert_eq!(passed(false) - passed(true), 4 * 2 * 5 * activations);
    let grouped = Model { heads: 8, kv_heads: 2, head_size: 2, ..Model::plain(3, 16) };
    let dense = 3 * grouped.dense() * 2;
    // Four ranks in a ring: 6 / 4 of the gradients from each.
    let context = Parallelism { context: 4, ..one };
    let keys = activations / 4 * 2 * 2 / 8;
    assert_eq!(volume(context, grouped, false), (4 * 3 * 4 * 9 + 4 * 6, 4 * 3 * 4 * 9 * keys + 6 * dense));
    let sparse = Model { experts: 4, experts_per_token: 2, ..Model::plain(3, 16) };
    let expert = Parallelism { expert: 4, data: 4, ..one };
    let exchanged = 4 * 3 * 4 * (4 * 2 * activations * 3 / 4);
    assert_eq!(volume(expert, sparse, false), (4 * 3 * 4 * 4 * 3 + 4 * 6, exchanged + 6 * 3 * sparse.dense() * 2));
}

/// Rajbhandari et al. 2020, section 7: with psi weights, a replica that shares optimizer and gradients sends 2 psi numbers, as
/// without, and 3 psi if it shares weights, too, in each micro-batch here; all but the part that it has itself.
#[test]
fn volumes_of_zero() {
    let model = Model { vocabulary: 32, ..Model::plain(6, 16) };
    let bytes = |sharding, micro_batches, gradient| {
        let shares = Parallelism { data: 4, ..Parallelism::default() };
        let batch = Batch { sequence: 8, micro_batch: 2, micro_batches };
        let training = Training { gradient, sharding, ..training(shares, model, batch) };
        Job::from(Transformer::new(training).unwrap()).bytes()
    };
    // Four replicas, each of which sends three quarters.
    let psi = model.weights() * 3;
    assert_eq!(bytes(Sharding::None, 5, 4), psi * 2 * 4);
    assert_eq!(bytes(Sharding::Optimizer, 5, 2), psi * 2 * 2);
    assert_eq!(bytes(Sharding::Optimizer, 5, 4), psi * (4 + 2));
    assert_eq!(bytes(Sharding::Full, 1, 2), psi * 3 * 2);
    assert_eq!(bytes(Sharding::Full, 5, 4), 5 * psi * (4 + 2 + 2));
}

/// Of two replicas, each gathers the weights of a layer before both passes, and sums its gradients after the second. With
/// the optimizer alone, gradients are summed and weights gathered at the end.
#[test]
fn steps_of_zero() {
    let shares = Parallelism { data: 2, ..Parallelism::default() };
    let batch = Batch { sequence: 1, micro_batch: 1, micro_batches: 2 };
    let told = |sharding, layers| {
        let training = Training { sharding, ..training(shares, Model::plain(layers, 6), batch) };
        told(Transformer::new(training).unwrap(), 0)
    };
    assert_eq!(told(Sharding::Optimizer, 1), format!("{} {}", ["c"; 8].join(" "), [">1 <1"; 2].join(" ")));
    let [gather, sum] = [">1 <1"; 2];
    let forward = format!("{gather} c c {gather} c c");
    let backward = format!("{gather} c c {sum} {gather} c c {sum}");
    assert_eq!(told(Sharding::Full, 2), format!("{forward} {backward} {forward} {backward}"));
}

/// Published numbers of weights, less those of norms: Meta's and Mistral's files, and 175 billion.
#[test]
fn weights_of_published_models() {
    let norms = |model: Model| (2 * u64::from(model.layers) + 1) * u64::from(model.hidden);
    for (published, weights) in [
        (Published::Llama3Of8B, 8_030_261_248),
        (Published::Llama3Of70B, 70_553_706_496),
        (Published::Llama3Of405B, 405_853_388_800),
        (Published::Mixtral, 46_702_792_704),
    ] {
        let model = published.model();
        assert_eq!(model.weights() + norms(model), weights, "{published:?}");
        assert!(model.check().is_ok() && published.sequence() >= 2_048);
    }
    // Its embedding is its output layer.
    let gpt = Published::Gpt3.model();
    assert_eq!((gpt.weights() - gpt.embedding()) / 100_000_000, 1_745);
}

/// Narayanan et al. 2021, section 5.1, without computing activations again: an iteration of B sequences takes 72 B s l h^2
/// (1 + s / 6 h + V / 12 l h) operations.
#[test]
fn operations_of_published_models() {
    let gpt = Published::Gpt3.model();
    let [l, h, s, v] = [gpt.layers, gpt.hidden, 2_048, gpt.vocabulary].map(u128::from);
    let formula = 72 * s * l * h * h + 12 * s * s * l * h + 6 * s * h * v;
    let token = l * (gpt.attention_flops(2_048) + gpt.perceptron_flops()) + gpt.output_flops();
    assert_eq!(3 * s * token, formula);
    // At one operation in a picosecond, 64 ranks of a stage take a 64th of it, but for times that are rounded down.
    let batch = Batch { sequence: 2_048, micro_batch: 1, micro_batches: 2 };
    let shares = Parallelism { tensor: 8, context: 8, ..Parallelism::default() };
    let timed = Training { rate: Some(1_000_000_000_000), ..training(shares, gpt, batch) };
    let time = Job::from(Transformer::new(timed).unwrap()).time().unwrap();
    let most = formula * 2 / 64;
    assert!(u128::from(time.0) <= most && most - u128::from(time.0) < 6 * (2 * l + 1));
}

/// The stage with the output layer computes longest: as long as the program says. The others compute less by that layer.
#[test]
fn the_last_stage_computes_longest() {
    let shares = Parallelism { pipeline: 2, chunks: 2, ..Parallelism::default() };
    let batch = Batch { sequence: 16, micro_batch: 1, micro_batches: 4 };
    let model = Model { vocabulary: 50, ..Model::plain(4, 8) };
    let transformer = Transformer::new(Training { rate: Some(1 << 40), ..training(shares, model, batch) }).unwrap();
    let time = Job::from(transformer).time().unwrap();
    let computed = |operations: &Vec<Operation>| -> u64 {
        operations.iter().map(|operation| if let Operation::Compute(time) = operation { time.0 } else { 0 }).sum()
    };
    let output = ((model.output_flops() * 16 * 1_000_000_000_000) >> 40) as u64;
    let by_stage: Vec<u64> = operations(transformer, 1, SendMode::Ready).iter().map(computed).collect();
    assert_eq!(by_stage, [time.0 - 4 * 3 * output, time.0]);
}

/// Sums beside the network take the time of a ring at their bandwidth, four in each layer for each micro-batch, and send
/// nothing; all else stays.
#[test]
fn sums_beside_the_network() {
    let shares = Parallelism { tensor: 4, pipeline: 2, data: 2, ..Parallelism::default() };
    let batch = Batch { sequence: 16, micro_batch: 1, micro_batches: 4 };
    let timed = Training { rate: Some(1 << 40), ..training(shares, Model::plain(4, 8), batch) };
    let beside = Training { tensor_bandwidth: Some(1_000_000_000), ..timed };
    let [over, beside] = [timed, beside].map(|training| Transformer::new(training).unwrap());
    // Activations of 16 tokens of 8 numbers of two bytes; six steps, each of a quarter, at a byte a nanosecond.
    let sum = 16 * 8 * 2 * 6 / 4 * 1_000;
    let time = |transformer| Job::from(transformer).time().unwrap().0;
    // Two layers of a stage, four micro-batches.
    assert_eq!(time(beside) - time(over), 2 * 4 * 4 * sum);
    let sent = |transformer| {
        let all = operations(transformer, 1, SendMode::Ready);
        all.iter()
            .flatten()
            .filter(|operation| matches!(operation, Operation::Isend { .. } | Operation::Send { .. }))
            .count()
    };
    let (layers, passes, steps, ranks) = (4, 4 * 2, 6, 4);
    assert_eq!(sent(over) - sent(beside), 4 * layers * passes * steps * ranks);
    assert_eq!(played(beside), time(beside) * 5 / 4);
}

/// The bubble of a pipeline of p stages and m micro-batches is (p - 1) / m of the time that a rank computes, and with v
/// chunks a v-th of that (Narayanan et al. 2021, sections 2.2.1 and 2.2.2).
#[test]
fn the_bubble_of_a_pipeline() {
    for pipeline in [1, 2, 4] {
        for micro_batches in [1u32, 2, 4, 5, 10, 12] {
            for chunks in [1, 2, 3] {
                if chunks > 1 && (pipeline == 1 || !micro_batches.is_multiple_of(pipeline)) {
                    continue;
                }
                let shares = Parallelism { tensor: 2, pipeline, chunks, data: 2, ..Parallelism::default() };
                let batch = Batch { sequence: 1, micro_batch: 1, micro_batches };
                // Times that divide.
                let timed = Training { rate: Some(1_000_000), ..training(shares, Model::plain(24, 1), batch) };
                let transformer = Transformer::new(timed).unwrap();
                let time = Job::from(transformer).time().unwrap().0;
                let (p, m, v) = (u64::from(pipeline), u64::from(micro_batches), u64::from(chunks));
                assert_eq!(played(transformer), time * (m * v + p - 1) / (m * v), "{p} {m} {v}");
            }
        }
    }
}

/// Where numbers divide, NCCL's rings of the collectives send what the rings of messages do; there are as many calls as
/// counted.
#[test]
fn collectives_move_what_rings_do() {
    let shares = Parallelism { tensor: 2, context: 2, expert: 2, pipeline: 2, chunks: 2, data: 4 };
    let model = Model {
        heads: 4,
        kv_heads: 2,
        head_size: 4,
        experts: 4,
        experts_per_token: 2,
        vocabulary: 64,
        ..Model::plain(8, 16)
    };
    let batch = Batch { sequence: 16, micro_batch: 1, micro_batches: 4 };
    let algorithms = Algorithms {
        allreduce: Some(Allreduce::NcclRing),
        allgather: Some(Allgather::NcclRing),
        reduce_scatter: Some(ReduceScatter::NcclRing),
        alltoall: Some(Alltoall::Pairwise),
        ..Algorithms::default()
    };
    let all = [Sums::Collectives, Sums::Overlapping]
        .map(|sums| [Sharding::None, Sharding::Optimizer, Sharding::Full].map(|sharding| (sums, sharding)));
    for (sums, sharding) in all.concat() {
        let rings = Training { sharding, ..training(shares, model, batch) };
        let expected = Job::from(Transformer::new(rings).unwrap());
        let chain = Job::from(Transformer::new(Training { sums, ..rings }).unwrap());
        let phase = |chain| Phase { work: chain, iterations: 1, compute: COMPUTE.into(), mode: SendMode::Ready };
        let application = Application::new(vec![phase(chain.clone())]).unwrap();
        let communicators = application.communicators();
        let (mut bytes, mut all) = (0, 0);
        for (rank, operations) in (0..).zip(operations(chain.clone(), 1, SendMode::Ready)) {
            all += operations.len() as u64;
            let mut messages = Vec::new();
            for operation in operations {
                match (operation.comm(), operation.called()) {
                    (Some(comm), Some(called)) => {
                        assert!(communicators.member(comm, rank).is_some());
                        expand_in(&communicators, &algorithms, None, comm, rank, called, &mut messages);
                    }
                    _ => messages.push(operation),
                }
            }
            bytes += messages.iter().map(Operation::largest).sum::<u64>();
        }
        assert_eq!(bytes, expected.bytes(), "{sums:?}, {sharding:?}");
        assert_eq!(application.operations(), all, "{sums:?}, {sharding:?}");
    }
}

/// Each rank is in one group of each kind; groups of a kind have the ranks that share what the kind says.
#[test]
fn groups_of_ranks() {
    let shares = Parallelism { tensor: 2, context: 3, expert: 2, pipeline: 2, chunks: 1, data: 4 };
    for axis in Axis::ALL {
        let groups = shares.groups([axis].into_iter());
        let mut ranks: Vec<u32> = groups.concat();
        ranks.sort_unstable();
        assert_eq!(ranks, (0..shares.ranks()).collect::<Vec<_>>(), "{axis:?}");
        for (number, group) in (0..).zip(groups) {
            let places: Vec<_> = group.iter().map(|&rank| shares.place(rank)).collect();
            assert!(places.iter().all(|at| shares.number_among([axis].into_iter(), axis, at) == number));
            let alike = |at: &layout::Place| match axis {
                Axis::Tensor => [at.context, at.replica, at.stage],
                Axis::Context => [at.share, at.replica, at.stage],
                Axis::Expert => [at.share, at.context + 3 * (at.replica / 2), at.stage],
                Axis::Replicas => [at.share, 0, at.stage],
                Axis::ExpertReplicas => [at.share, at.replica % 2, at.stage],
            };
            assert!(places.iter().all(|at| alike(at) == alike(&places[0])), "{axis:?}");
        }
    }
}

#[test]
fn what_is_no_training_is_refused() {
    let batch = Batch { sequence: 8, micro_batch: 1, micro_batches: 3 };
    let told = |shares: Parallelism, model: Model| match Transformer::new(training(shares, model, batch)) {
        Ok(_) => "fine".to_owned(),
        Err(error) => error.to_string(),
    };
    let (one, plain) = (Parallelism::default(), Model::plain(6, 1));
    let pipeline = |pipeline| Parallelism { pipeline, ..one };
    assert_eq!(told(pipeline(4), plain), "pipeline = 4 is out of range: write a number that divides the 6 layers");
    assert_eq!(told(pipeline(3), plain), "fine");
    assert!(told(pipeline(0), plain) != "fine" && told(pipeline(7), plain) != "fine");
    assert_eq!(
        told(Parallelism { chunks: 3, ..pipeline(2) }, plain),
        "micro_batches = 3 is out of range: interleaved, write a multiple of the 2 stages"
    );
    assert_eq!(
        told(Parallelism { expert: 2, data: 2, ..one }, plain),
        "expert = 2 is out of range: write a number that divides the 1 experts"
    );
}
