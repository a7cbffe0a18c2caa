//! Volumes in closed form, published sizes, and a second model of batches.

use std::collections::BTreeMap;

use super::*;
use crate::workload::operation::{Operation, SendMode};
use crate::workload::programs::tests::{operations, played};
use crate::workload::programs::transformer::Published;
use crate::workload::programs::{Application, Model, Phase, Work};
use proptest::prelude::*;

/// The serving of a small transformer.
fn serving([prefill, decode]: [Pool; 2], requests: u32, batch: u32) -> Serving {
    Serving {
        model: Model { heads: 4, kv_heads: 2, vocabulary: 30, ..Model::plain(3, 8) },
        element: 2,
        prefill,
        decode,
        batch,
        requests,
        gap: Time(200_000),
        prompt: 20,
        output: 9,
        lengths: Lengths::Exponential,
        speed: Speed { flops: 1_000_000_000_000, memory: 100_000_000_000 },
        seed: 5,
    }
}

fn pool() -> impl Strategy<Value = Pool> {
    (1u32..4, 1u32..5).prop_map(|(groups, tensor)| Pool { groups, tensor })
}

proptest! {
    /// Between two ranks, as many messages of each tag are received as sent, in the same order of sizes; their number and
    /// bytes are those of the closed forms, and so is the number of operations.
    #[test]
    fn what_is_sent_is_received_and_counted(pools in (pool(), pool()), requests in 3u32..20, batch in 1u32..6) {
        let inference = Inference::new(serving([pools.0, pools.1], requests, batch)).unwrap();
        let chain = Work::from(inference);
        let (mut messages, mut bytes, mut all) = (0u64, 0u64, 0u64);
        let mut largest = 0;
        let mut balance = BTreeMap::new();
        for (rank, operations) in (0..).zip(operations(chain.clone(), 1, SendMode::Ready)) {
            all += operations.len() as u64;
            for operation in operations {
                largest = largest.max(operation.largest());
                match operation {
                    Operation::Send { to, tag, bytes: size, .. } => {
                        prop_assert!(to != rank && to < chain.ranks());
                        (messages, bytes) = (messages + 1, bytes + size);
                        *balance.entry((rank, to, tag)).or_insert(0i64) += 1;
                    }
                    Operation::Recv { from: Some(from), tag: Some(tag), .. } => {
                        *balance.entry((from, rank, tag)).or_insert(0) -= 1;
                    }
                    _ => {}
                }
            }
        }
        prop_assert!(balance.values().all(|&left| left == 0), "{balance:?}");
        prop_assert_eq!((messages, bytes), (chain.messages(), chain.bytes()));
        prop_assert!(largest <= chain.largest());
        let compute = chain.time().unwrap().into();
        let phase = Phase { work: chain, iterations: 1, compute, mode: SendMode::Ready };
        prop_assert_eq!(Application::new(vec![phase]).unwrap().operations(), all);
    }

    /// A program whose messages take no time ends when a second model says: one that keeps a list of the requests of each
    /// batch, token by token.
    #[test]
    fn batches_are_those_of_a_second_model(groups in (1u32..4, 1u32..4), requests in 3u32..30, batch in 1u32..6) {
        let pools = [groups.0, groups.1].map(|groups| Pool { groups, tensor: 1 });
        let serving = serving(pools, requests, batch);
        let inference = Inference::new(serving).unwrap();
        prop_assert_eq!(played(inference.clone()), ended(&serving, &inference.plan.requests));
    }
}

/// Returns when the last rank of a serving by groups of one rank ends.
fn ended(serving: &Serving, requests: &[plan::Request]) -> u64 {
    let (mut come, mut end) = (0, 0);
    let mut free = vec![0; serving.prefill.groups as usize];
    let mut queues: Vec<Vec<(u64, usize)>> = vec![Vec::new(); serving.decode.groups as usize];
    for (number, request) in requests.iter().enumerate() {
        come += request.gap.0;
        let group = number % free.len();
        free[group] = come.max(free[group]) + serving.whole(&cost::Batch::prompt(request.prompt), 1);
        let decode = number % queues.len();
        queues[decode].push((free[group], number));
    }
    end = free.into_iter().fold(end, u64::max).max(come);
    for mut queue in queues {
        queue.sort_unstable();
        queue.reverse();
        // Of each request of the batch, the tokens it has and those it lacks.
        let (mut batch, mut now): (Vec<[u32; 2]>, u64) = (Vec::new(), 0);
        loop {
            while let Some(&(ready, number)) = queue.last().filter(|_| batch.len() < serving.batch as usize) {
                if ready > now && !batch.is_empty() {
                    break;
                }
                now = now.max(ready);
                batch.push([requests[number].prompt + 1, requests[number].output]);
                queue.pop();
            }
            if batch.is_empty() {
                break;
            }
            let context = batch.iter().map(|&[has, _]| u64::from(has)).sum();
            now += serving.whole(&cost::Batch::step(batch.len() as u32, context), 1);
            batch =
                batch.into_iter().map(|[has, lacks]| [has + 1, lacks - 1]).filter(|&[_, lacks]| lacks > 0).collect();
        }
        end = end.max(now);
    }
    end
}

/// Llama 3 70B keeps 320 KiB of keys and values for a token in 16 bits (80 layers, 8 heads of 128 elements), and Llama 3 8B
/// 128 KiB. A token alone takes as long as reading the weights of the layers and of the output: 139 GB from 8 x 3.35 TB/s.
#[test]
fn published_sizes() {
    let pool = Pool { groups: 1, tensor: 8 };
    let of = |model: Published| Serving {
        model: model.model(),
        speed: Speed { flops: 400_000_000_000_000, memory: 3_350_000_000_000 },
        gap: Time(1_000_000_000),
        ..serving([pool; 2], 1, 1)
    };
    let token = |model| Inference::new(of(model)).unwrap().keys_and_values(1);
    assert_eq!([token(Published::Llama3Of70B), token(Published::Llama3Of8B)], [320 << 10, 128 << 10]);
    let model = Published::Llama3Of70B.model();
    let read = 2 * (model.weights() - model.embedding());
    let least = u128::from(read) * 1_000_000_000_000 / (8 * 3_350_000_000_000);
    let step = u128::from(of(Published::Llama3Of70B).whole(&cost::Batch::step(1, 0), 8));
    assert!(step.abs_diff(least) <= 200, "{step} {least}");
    // A prompt of 8,192 tokens is computed, not read: 2 operations for each weight, and 4 s h for each token and layer.
    let prompt = u128::from(of(Published::Llama3Of70B).whole(&cost::Batch::prompt(8_192), 8));
    let weights = u128::from(model.weights() - 2 * model.embedding());
    let flops = 8_192 * (2 * weights + 80 * 4 * 8_192 * 8_192) + 2 * u128::from(model.embedding());
    let expected = flops * 1_000_000_000_000 / (8 * 400_000_000_000_000);
    assert!(prompt.abs_diff(expected) <= 200, "{prompt} {expected}");
}

/// Requests that are all there take as many steps as one together, or one after the other.
#[test]
fn steps_of_a_batch() {
    let pools = [Pool { groups: 1, tensor: 1 }; 2];
    let steps = |batch| {
        // Prompts are read long before the first token is made.
        let slow = Speed { flops: 1_000_000_000_000, memory: 1_000_000 };
        let serving =
            Serving { gap: Time(1), lengths: Lengths::Fixed, speed: slow, prompt: 1, ..serving(pools, 10, batch) };
        Inference::new(serving).unwrap().plan.groups[0].steps()
    };
    assert_eq!(steps(1), 90);
    // One prompt is read in the time of a step at most, so at least one request joins in each.
    assert!((9..=9 + 10).contains(&steps(10)), "{}", steps(10));
}

#[test]
fn what_cannot_be_served_is_refused() {
    let pools = [Pool { groups: 1, tensor: 1 }; 2];
    let told = |serving: Serving| Inference::new(serving).map_or_else(|error| error.to_string(), |_| "fine".into());
    assert_eq!(told(serving(pools, 5, 1)), "fine");
    assert_eq!(told(serving(pools, 5, 0)), "batch = 0 is out of range: write a number from 1 to 65536");
    let idle = serving([Pool { groups: 6, tensor: 1 }, pools[1]], 5, 1);
    assert_eq!(told(idle), "prefill_groups = 6 is out of range: write a number from 1 to 5");
    let slow = Serving { gap: Time(4_000_000_000_000_000), ..serving(pools, 5, 1) };
    let hour = "is out of range: a rank would compute or wait for more than an hour";
    assert!(told(slow).starts_with(&format!("requests_per_second = 0.00025 {hour}")), "{}", told(slow));
    let by = |flops, memory| told(Serving { speed: Speed { flops, memory }, ..serving(pools, 5, 1) });
    assert!(by(1, 1 << 40).starts_with(&format!("flops_per_second = 1 {hour}")), "{}", by(1, 1 << 40));
    assert!(by(1 << 40, 1).starts_with(&format!("memory_bandwidth = 1 {hour}")), "{}", by(1 << 40, 1));
}
