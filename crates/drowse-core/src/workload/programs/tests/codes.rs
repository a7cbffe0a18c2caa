//! Benchmarks and codes: volumes in closed form, what is sent is received, and the order of steps by hand.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::super::*;
use super::operations;
use crate::model::units::Time;
use crate::workload::operation::{Collective, Operation, SendMode};

/// What each rank computes in an iteration, as in the other tests.
use super::COMPUTE;

fn codes() -> impl Strategy<Value = Work> {
    prop_oneof![
        (1u32..40, 1u32..20, 1u32..9, any::<bool>()).prop_map(|(ranks, scale, levels, checked)| {
            let search = Graph500::new(ranks, scale, levels)?;
            Ok(Work::from(if checked { search.checked() } else { search }))
        }),
        (1u32..9).prop_map(|ranks| Isam::new(ranks).map(Work::from)),
        (2u32..20, 1u32..9, 1u32..30, any::<u64>()).prop_map(|(ranks, times, ahead, seed)| {
            RandomAccess::new(ranks, ranks * times + times - 1, ahead, seed).map(Work::from)
        }),
        (0u32..4, 1u32..6, 1u32..70, 1u32..9).prop_map(|(rows, columns, size, block)| {
            Linpack::new([1 << rows, columns], size, block).map(Work::from)
        }),
        molecules(),
        atoms(),
        boxes(),
        (1u32..5, 1u32..30, any::<bool>()).prop_map(|(edge, side, is_first)| {
            let lulesh = Lulesh::new(edge.pow(3), side)?;
            Ok(Work::from(if is_first { lulesh.first() } else { lulesh }))
        }),
        sweeps(),
        jobs(),
    ]
    .prop_map(Result::unwrap)
}

fn boxes() -> impl Strategy<Value = Result<Work, ProgramError>> {
    let local = [1u32..3, 1u32..3, 1u32..3].prop_map(|sides| sides.map(|side| 8 * side));
    ([1u32..4, 1u32..4, 1u32..4], local).prop_map(|(dims, local)| Hpcg::new(dims, local).map(Work::from))
}

fn sweeps() -> impl Strategy<Value = Result<Work, ProgramError>> {
    (1u32..5, 1u32..5, [0u32..6, 0u32..6, 1u32..6], 1u32..4, 1u32..4, 1u32..7).prop_map(
        |(columns, rows, [x, y, z], batches, batch, planes)| {
            let cells = Cells { cells: [columns + x, rows + y, z], angles: batches * batch, planes, batch };
            Sweep3d::new([columns, rows], cells).map(Work::from)
        },
    )
}

fn jobs() -> impl Strategy<Value = Result<Work, ProgramError>> {
    let keys = (1u32..99, any::<bool>(), any::<u64>()).prop_map(|(number, zipf, seed)| {
        let popularity = if zipf { Popularity::Zipf } else { Popularity::Equal };
        Keys { number, popularity, seed }
    });
    (1u32..12, any::<[u32; 3]>(), 1u32..4, 1u64..9_999, keys).prop_map(|(ranks, drawn, tasks, bytes, keys)| {
        let mappers = 1 + drawn[0] % ranks;
        let least = (ranks - mappers).max(1);
        let reducers = least + drawn[1] % (ranks + 1 - least);
        let job = Job { mappers, reducers, tasks, bytes, replicas: 1 + drawn[2] % ranks };
        MapReduce::new(ranks, job, keys).map(Work::from)
    })
}

/// Draws a simulation whose cut-off reaches over at most two cells.
fn atoms() -> impl Strategy<Value = Result<Work, ProgramError>> {
    ([1u32..5, 1u32..5, 1u32..5], 1u32..99_999, 1u32..9_999, 1u32..5, 1u32..9).prop_map(
        |(cells, atoms, share, search, energies)| {
            let most =
                cells.into_iter().map(|cells| 60_000 / cells.max(2) * (cells.max(2) - 1).min(2)).min().unwrap_or(1);
            let cutoff = (most * share / 10_000).max(1);
            Gromacs::new(cells, Cube { atoms, side: 60_000, cutoff }, search, energies).map(Work::from)
        },
    )
}

fn molecules() -> impl Strategy<Value = Result<Work, ProgramError>> {
    let sides = || [1u32..6, 1u32..6, 1u32..6];
    (sides(), [1u32..20, 1u32..20, 1u32..20], 1u32..999, any::<u32>(), prop::option::of(1u32..4)).prop_map(
        |(patches, grid, atoms, ranks, pme)| {
            let ranks = 1 + ranks % patches.into_iter().product::<u32>();
            Namd::new(ranks, Molecules { atoms, patches, grid }, pme).map(Work::from)
        },
    )
}

/// What ranks have sent less what they have received: by sender, receiver and tag, and by receiver and tag where the
/// sender does not matter.
#[derive(Default)]
struct Balance {
    named: BTreeMap<(u32, u32, u32), i64>,
    any: BTreeMap<(u32, u32), i64>,
}

impl Balance {
    fn receive(&mut self, from: Option<u32>, to: u32, tag: u32) {
        match from {
            Some(from) => *self.named.entry((from, to, tag)).or_default() -= 1,
            None => *self.any.entry((to, tag)).or_default() -= 1,
        }
    }

    fn leaves_nothing(mut self) -> bool {
        let left: Vec<_> = self.named.into_iter().filter(|&(_, left)| left != 0).collect();
        for ((_, to, tag), left) in left {
            *self.any.entry((to, tag)).or_default() += left;
        }
        self.any.values().all(|&left| left == 0)
    }
}

proptest! {
    /// As many messages of each tag are received as sent. Their number and bytes, and the numbers of waits and
    /// collectives, are those of the closed forms; nothing is larger than they say. All ranks compute as long, but for
    /// reducers, whose mean it is.
    #[test]
    fn volumes_of_codes_are_their_closed_forms(chain in codes()) {
        let (mut messages, mut bytes, mut largest, mut calls, mut receives) = (0, 0, 0, 0, 0);
        let mut balance = Balance::default();
        let is_mapreduce = format!("{chain:?}").contains("MapReduce");
        let ranks = operations(chain.clone(), 1, SendMode::Ready);
        let all: usize = ranks.iter().map(Vec::len).sum();
        let mut all_computed: Vec<Time> = Vec::new();
        for (rank, operations) in (0..).zip(ranks) {
            let before = all_computed.len();
            for operation in operations {
                largest = largest.max(operation.largest());
                match operation {
                    Operation::Send { to, tag, bytes: size, .. } | Operation::Isend { to, tag, bytes: size, .. } => {
                        prop_assert!(to != rank && to < chain.ranks());
                        (messages, bytes) = (messages + 1, bytes + size);
                        *balance.named.entry((rank, to, tag)).or_default() += 1;
                    }
                    Operation::Recv { from, tag: Some(tag), .. } | Operation::Irecv { from, tag: Some(tag), .. } => {
                        receives += 1;
                        balance.receive(from, rank, tag);
                    }
                    Operation::Wait { .. } | Operation::WaitAll | Operation::Collective { .. } => calls += 1,
                    Operation::Compute(time) => all_computed.push(time),
                    Operation::Iteration => {}
                    _ => prop_assert!(false, "{:?}", operation),
                }
            }
            let computed: u64 = all_computed[before..].iter().map(|time| time.0).sum();
            prop_assert!(computed == COMPUTE.0 || is_mapreduce);
        }
        prop_assert_eq!(all_computed.len() as u64, chain.all_computations());
        prop_assert!(balance.leaves_nothing());
        prop_assert_eq!(receives, messages);
        prop_assert_eq!((messages, bytes, calls), (chain.messages(), chain.bytes(), chain.calls()));
        prop_assert!(largest <= chain.largest(), "{largest}");
        let phase = Phase { work: chain, iterations: 1, compute: COMPUTE.into(), mode: SendMode::Ready };
        prop_assert_eq!(Application::new(vec![phase]).unwrap().operations(), all as u64);
    }
}

/// What a rank does: `>3:8` sends 8 B to rank 3, `<3` receives from it, `<` from any, `a8` gathers from all, `+` sums.
pub(super) fn told(chain: impl Into<Work>, rank: usize) -> String {
    let word = |operation: &Operation| match operation {
        Operation::Send { to, bytes, .. } | Operation::Isend { to, bytes, .. } => Some(format!(">{to}:{bytes}")),
        Operation::Recv { from, .. } | Operation::Irecv { from, .. } => {
            Some(from.map_or("<".into(), |from| format!("<{from}")))
        }
        Operation::Compute(_) => Some("c".into()),
        Operation::Collective { collective: Collective::Allgather { bytes }, .. } => Some(format!("a{bytes}")),
        Operation::Collective { .. } => Some("+".into()),
        _ => None,
    };
    let ranks = operations(chain, 1, SendMode::Ready);
    ranks[rank].iter().filter_map(word).collect::<Vec<_>>().join(" ")
}

/// A scale of 14 on 64 ranks has 256 vertices for each: one word of summary, for 64 words. With scale 20 on 128 ranks it
/// is two words for 8,192 vertices.
#[test]
fn searches_of_graph500() {
    assert_eq!(told(Graph500::new(64, 14, 1).unwrap(), 5), "c +");
    assert_eq!(told(Graph500::new(64, 14, 3).unwrap(), 5), "c + a512 a8 c + a512 a8 c +");
    assert_eq!(told(Graph500::new(128, 20, 2).unwrap(), 0), "c + a1024 a16 c +");
}

/// What a rank sends to each other one by `alltoallv`, call by call: to ranks 0, 1 and 2.
fn dealt(part: Graph500, rank: usize) -> Vec<[u64; 3]> {
    let sizes = |operation: &Operation| match operation {
        Operation::Collective { collective: Collective::Alltoallv { bytes }, .. } => {
            Some([bytes[0], bytes[1], bytes[2]])
        }
        _ => None,
    };
    operations(part, 1, SendMode::Ready)[rank].iter().filter_map(sizes).collect()
}

/// With scale 20 there are 2^24 edges, in two blocks of 2^23: of 512 ranks, ranks 0 and 1 have one each. Set-up sends each
/// edge of 16 B to the owners of both ends: 2^24 ends over 512 ranks. A check asks for the parents of 2,048 vertices, four
/// of each rank, and answers as many. Then it looks at 2^21 edges of a block at a time: 2^22 ends are 8,192 of each rank,
/// which answers ranks 0 and 1; of 2^20 vertices, one for each 16 edges, 2^17 are marked: 256 of each rank.
#[test]
fn edges_of_graph500_by_hand() {
    let search = Graph500::new(512, 20, 7).unwrap();
    for (rank, sent) in [(0, 524_288), (1, 524_288), (2, 0), (511, 0)] {
        assert_eq!(dealt(search.set_up(64), rank), [[sent; 3]]);
    }
    let asked = 8 * 8_192;
    for (rank, asks, marks) in [(0, asked, 8 * 256), (1, asked, 8 * 256), (511, 0, 0)] {
        let of_a_round = [[asks; 3], [asked, asked, 0], [marks; 3]];
        let parents = [[8 * 4; 3]; 2];
        assert_eq!(dealt(search.checked(), rank), [parents.as_slice(), &of_a_round.repeat(4)].concat());
    }
    assert_eq!(told(search.set_up(4), 9), ["+"; 9].join(" "));
    assert_eq!(Work::from(search.set_up(64)).largest(), 524_288);
}

/// Rounds go to all others in an order of their own. Each rank takes one message for each that it sends from the second
/// round on.
#[test]
fn rounds_of_random_access() {
    let told = told(RandomAccess::new(5, 10, 1, 3).unwrap(), 2);
    let words: Vec<&str> = told.split(' ').collect();
    // A bucket has one update, so two updates for each other rank need two rounds of four messages.
    let sends: Vec<&str> = words.iter().filter(|word| word.starts_with('>')).copied().collect();
    for round in sends.chunks(4) {
        let mut round = round.to_vec();
        round.sort_unstable();
        assert_eq!(round, [">0:8", ">1:8", ">3:8", ">4:8"]);
    }
    assert_eq!(sends.len(), 12);
    assert_eq!(&words[..3], &["c", sends[0], "c"]);
    assert_eq!(&words[8..11], &["c", sends[4], "<"]);
    assert_eq!(&words[20..], &[">0:8", "<", ">1:8", "<", ">3:8", "<", ">4:8", "<", "<", "<", "<", "<"]);
}

/// A rank that looks 1,024 updates ahead and sends the fullest of its buckets sends as many at once as the closed form
/// says, within a tenth.
#[test]
fn buckets_are_as_full_as_the_closed_form_says() {
    for ranks in [17, 64, 128, 512] {
        let mut stream = crate::model::rng::Stream::new(7, crate::model::rng::Purpose::Buckets, 0);
        let (mut buckets, mut pending, mut sent) = (vec![0u64; ranks as usize - 1], 0, 0);
        let rounds = 12 * u64::from(ranks);
        for round in 0..rounds {
            while pending < 1_024 {
                buckets[stream.below(ranks - 1) as usize] += 1;
                pending += 1;
            }
            let fullest = (0..buckets.len()).max_by_key(|&bucket| buckets[bucket]).unwrap();
            let updates = std::mem::take(&mut buckets[fullest]);
            pending -= updates;
            sent += if round >= rounds / 3 { updates } else { 0 };
        }
        let (mean, closed) = (sent as f64 / (rounds - rounds / 3) as f64, RandomAccess::bucket(ranks, 1_024) as f64);
        assert!((mean / closed - 1.0).abs() < 0.1, "{ranks}: {mean} and {closed}");
    }
}

/// Four equations in two panels on two rows and two columns of processes, by hand.
#[test]
fn steps_of_linpack() {
    let linpack = Linpack::new([2, 2], 4, 2).unwrap();
    // Two pivots: 4 numbers and two rows of 2. The panel: nothing below its block of 4 numbers, 2 pivots and 1 more. A
    // pivot's row for the right-hand side, spread and rolled.
    let first = "<2 >2:64 <2 >2:64 >1:56 >2:8 <2 >2:8 c";
    // Rank 1 has the second panel, and its pivots come from the second row of processes.
    let second = "<1 <2 <2 >2:8 c";
    // The right-hand side goes to the last block's column, which changes the two rows of the first block. That block's
    // solution is told in its column.
    let solution = ">1:16 <1 >2:16";
    assert_eq!(told(linpack, 0), format!("{first} {second} {solution}"));
}

/// ApoA1 in the patches of NAMD.
const APOA1: Molecules = Molecules { atoms: 92_224, patches: [6, 6, 4], grid: [108, 108, 80] };

/// With a patch on each rank, coordinates go to seven ranks and forces come back.
#[test]
fn volumes_of_namd() {
    let volume = |ranks, pme| {
        let chain = Work::from(Namd::new(ranks, APOA1, pme).unwrap());
        (chain.messages(), chain.bytes())
    };
    let near = (2 * 7 * 144, 7 * 92_224 * (32 + 24));
    assert_eq!(volume(144, None), near);
    assert_eq!(volume(1, Some(4)), (0, 0));
    // 12 x 12 pencils of 9 x 9 points. A patch is 18 x 18 points wide: in four pencils, one of which may be its own
    // rank's. Turned, a pencil's 9 x 9 x 41 numbers go in twelve blocks, one of which stays.
    let (messages, bytes) = volume(144, Some(1));
    let (turns, turned) = (4 * 144 * 11, messages - near.0 - 4 * 144 * 11);
    assert!((2 * 3 * 144..=2 * 4 * 144).contains(&turned), "{messages} {turns}");
    let stays = |one: [u64; 12], other: [u64; 12]| one.iter().zip(other).map(|(one, other)| one * other).sum::<u64>();
    let parts = |points: u64| {
        std::array::from_fn(|number: usize| {
            let until = |number: u64| points * number / 12;
            until(number as u64 + 1) - until(number as u64)
        })
    };
    let row = 108 * (108 * 41 - stays(parts(108), parts(41)));
    let column = 41 * (108 * 108 - stays(parts(108), parts(108)));
    // A message of charges has 9 x 9 x 20 of 4 B, and so have its potentials.
    assert_eq!(bytes, near.1 + turned * 9 * 9 * 20 * 4 + 2 * 8 * (row + column));
}

/// Eight patches on as many ranks: rank 0 has the lowest, which all others need, as it needs theirs.
#[test]
fn a_time_step_of_namd() {
    let cube = Molecules { atoms: 80, patches: [2, 2, 2], grid: [4, 4, 4] };
    let told = told(Namd::new(8, cube, None).unwrap(), 0);
    let others = |word: &str| (1..8).map(|rank| word.replace('#', &rank.to_string())).collect::<Vec<_>>().join(" ");
    let coordinates = others(">#:320");
    let mut words: Vec<&str> = told.split(' ').collect();
    let forces = words.split_off(16);
    assert_eq!(words[..8].join(" "), format!("{coordinates} c"));
    let sorted = |words: &[&str]| {
        let mut words = words.to_vec();
        words.sort_unstable();
        words.join(" ")
    };
    assert_eq!((sorted(&words[8..15]), words[15]), (others("<#"), "c"));
    assert_eq!((sorted(&forces[..7]), sorted(&forces[7..])), (others(">#:240"), others("<#")));
}

/// A cube of 4 x 4 x 4 cells of 1,000 atoms and 2 nm each, whose forces reach 1 nm: along x half a cell, along y half of
/// one that is half as wide again, along z a half of 3 x 3 x 2 nm.
#[test]
fn a_time_step_of_gromacs() {
    let cube = Cube { atoms: 64_000, side: 8_000, cutoff: 1_000 };
    let words = "<1 >3:# <4 >12:# <16 >48:#";
    let sized = |bytes: u64| {
        let atoms = [500, 750, 1_125].map(|atoms: u64| format!("{}", atoms * bytes));
        atoms.iter().fold(words.to_owned(), |text, size| text.replacen('#', size, 1))
    };
    let forces = "<48 >16:13500 <12 >4:9000 <3 >1:6000";
    assert_eq!(
        told(Gromacs::new([4; 3], cube, 2, 64).unwrap(), 0),
        format!("{0} {1} c {forces} {1} c {forces} +", sized(4), sized(12))
    );
    // Forces that reach 3 nm come from two cells: a whole one and then a half. A dimension of one cell has none.
    let far = Gromacs::new([1, 4, 1], Cube { atoms: 4_000, side: 8_000, cutoff: 3_000 }, 1, 1).unwrap();
    assert_eq!(told(far, 1), "<2 >0:4000 <2 >0:2000 <2 >0:12000 <2 >0:6000 c <0 >2:6000 <0 >2:12000 +");
}

#[test]
fn what_no_code_can_be_is_refused() {
    let text = |error: ProgramError| error.to_string();
    assert_eq!(
        text(RandomAccess::new(8, 7, 1, 0).unwrap_err()),
        "updates = 7 is out of range: write a number from 8 to 1073741824"
    );
    assert_eq!(
        text(Linpack::new([3, 2], 8, 2).unwrap_err()),
        "grid = [3, 2] is out of range: write rows and columns of processes; the rows are a power of two of at most 16384"
    );
    assert!(Linpack::new([2, 0], 8, 2).is_err() && Linpack::new([2, 2], 0, 2).is_err());
    assert_eq!(
        text(Namd::new(145, APOA1, None).unwrap_err()),
        "ranks = 145 is out of range: there are 144 patches, and each rank needs one: write fewer ranks, or `patches`"
    );
    assert!(Namd::new(1, Molecules { patches: [1, 0, 1], ..APOA1 }, None).is_err());
    assert!(Namd::new(1, Molecules { grid: [1, 0, 1], ..APOA1 }, Some(1)).is_err());
    assert!(Namd::new(1, APOA1, Some(0)).is_err());
    let gromacs = |cutoff| Gromacs::new([4, 2, 2], Cube { atoms: 9, side: 4_000, cutoff }, 1, 1);
    assert!(gromacs(2_000).is_ok() && gromacs(0).is_err());
    assert_eq!(
        text(gromacs(2_001).unwrap_err()),
        "cutoff = 2.001 is out of range: write more than 0, and so much less than `side` that a cell does not reach itself"
    );
    // Each side is in range, but not their product.
    assert!(Gromacs::new([1 << 10; 3], Cube { atoms: 9, side: 4_000, cutoff: 1 }, 1, 1).is_err());
    assert!(Graph500::new(1, 49, 1).is_err() && Graph500::new(0, 4, 1).is_err() && Isam::new(0).is_err());
}

/// Times are shares of what is given.
#[test]
fn ranks_of_isam_only_compute() {
    assert_eq!(operations(Isam::new(3).unwrap(), 2, SendMode::Ready)[2], {
        let iteration = [Operation::Iteration, Operation::Compute(Time(COMPUTE.0))];
        [iteration.clone(), iteration].concat()
    });
}
