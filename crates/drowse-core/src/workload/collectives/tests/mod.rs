//! Runs every expansion on a tiny message-passing machine. It must end and leave no message unreceived. Models of the
//! data in messages check that data reaches its destination.

mod by_node;
mod flow;
mod halves;
mod machine;
mod named;
mod open_mpi_4_1;
mod oracle;
mod received;
mod volumes;

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::model::units::Time;
use machine::{Data, programs, run};

/// Appends what a rank does by the algorithms that are named, each rank on a node of its own.
fn expand_by(algorithms: &Algorithms, collective: &Collective, member: Member, operations: &mut Vec<Operation>) {
    expand_among(algorithms, None, collective, member, operations);
}

/// What each rank knows if every message carries all that its sender knows. At first a rank knows only itself.
#[derive(Clone)]
struct Knowledge(Vec<BTreeSet<u32>>);

impl Data for Knowledge {
    type Payload = BTreeSet<u32>;

    fn pack(&mut self, from: u32, _: u32, _: u64) -> BTreeSet<u32> {
        self.0[from as usize].clone()
    }

    fn unpack(&mut self, _: u32, to: u32, news: BTreeSet<u32>) {
        self.0[to as usize].extend(news);
    }
}

/// Returns what each rank knows after a collective.
fn known(collective: &Collective, size: u32) -> Vec<BTreeSet<u32>> {
    let programs = programs(size, |member, operations| expand(collective, member, operations));
    run(&programs, &Knowledge((0..size).map(|rank| BTreeSet::from([rank])).collect())).0
}

proptest! {
    /// After a barrier or an allreduce, all ranks know all. After a reduce, the root knows all. After a broadcast, all
    /// ranks know the root. After a scan, a rank knows exactly itself and the lower ranks.
    #[test]
    fn information_reaches_those_who_need_it(size in 1u32..40, root in 0u32..40, count in 1u64..600_000, wide: bool) {
        let root = root % size;
        let bytes = count * if wide { 8 } else { 1 };
        let compute = Time::ZERO;
        let all: BTreeSet<u32> = (0..size).collect();
        for known in known(&Collective::Barrier, size) {
            prop_assert_eq!(&known, &all);
        }
        for known in known(&Collective::Allreduce { bytes, count, compute }, size) {
            prop_assert_eq!(&known, &all);
        }
        for known in known(&Collective::Bcast { root, bytes, count }, size) {
            prop_assert!(known.contains(&root));
        }
        prop_assert_eq!(&known(&Collective::Reduce { root, bytes, count, compute }, size)[root as usize], &all);
        for collective in [Collective::Scan { bytes, compute }, Collective::Exscan { bytes, compute }] {
            for (rank, known) in (0..).zip(known(&collective, size)) {
                prop_assert_eq!(known, (0..=rank).collect::<BTreeSet<_>>());
            }
        }
    }

    /// Every chosen algorithm ends and delivers the data, also with empty blocks.
    #[test]
    fn all_sizes_end(size in 1u32..40, root in 0u32..40, bytes in prop_oneof![0u64..400, 0u64..200_000], seed in any::<u64>()) {
        let root = root % size;
        let all: BTreeSet<u32> = (0..size).collect();
        // About a third of the blocks are empty.
        let list: Box<[u64]> = (0..u64::from(size)).map(|rank| {
            let random = (seed ^ (rank << 32)).wrapping_mul(6_364_136_223_846_793_005) >> 33;
            if random % 3 == 0 { 0 } else { random % (bytes + 1) }
        }).collect();
        let to_all = [
            Collective::Allgather { bytes },
            Collective::Allgatherv { bytes: list.clone() },
            Collective::Alltoall { bytes },
            Collective::Alltoallv { bytes: list.clone() },
        ];
        for collective in to_all {
            for known in known(&collective, size) {
                prop_assert_eq!(&known, &all, "{:?}", collective);
            }
        }
        prop_assert_eq!(&known(&Collective::Gather { root, bytes }, size)[root as usize], &all);
        for known in known(&Collective::Scatter { root, bytes }, size) {
            prop_assert!(known.contains(&root));
        }
        let gathered = known(&Collective::Gatherv { root, bytes: list.clone() }, size).swap_remove(root as usize);
        let scattered = known(&Collective::Scatterv { root, bytes: list.clone() }, size);
        let reduced = known(&Collective::ReduceScatter { bytes: list.clone(), compute: Time::ZERO }, size);
        for rank in 0..size {
            let filled = list[rank as usize] > 0 || rank == root;
            prop_assert_eq!(gathered.contains(&rank), filled);
            prop_assert_eq!(scattered[rank as usize].contains(&root), filled);
            if list[rank as usize] > 0 {
                prop_assert_eq!(&reduced[rank as usize], &all);
            }
        }
    }
}

/// Roots and lists of sizes are available to checks.
#[test]
fn roots_and_lists_are_returned() {
    assert_eq!(Collective::Gatherv { root: 7, bytes: [1, 2].into() }.root(), Some(7));
    assert_eq!(Collective::Gatherv { root: 7, bytes: [1, 2].into() }.sizes(), Some([1, 2].as_slice()));
    assert_eq!(Collective::Alltoall { bytes: 5 }.root(), None);
    assert_eq!(Collective::Alltoall { bytes: 5 }.sizes(), None);
}
