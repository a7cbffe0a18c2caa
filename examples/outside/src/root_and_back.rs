//! `job.collectives.allreduce = "root-and-back"`: all ranks send their data to rank 0, which sends the sum to all.

use drowse_core::workload::own_algorithms::{Call, Called, CollectiveAlgorithm, Step};

/// One rank adds everything.
pub struct RootAndBack;

impl CollectiveAlgorithm for RootAndBack {
    const OPERATION: Called = Called::Allreduce;
    const WORD: &'static str = "root-and-back";
    const ABOUT: &'static str = "All data to rank 0, one rank after the other, and back.";

    fn steps(call: &Call<'_>) -> Vec<Step> {
        let send = |to| Step { send: Some((to, call.bytes)), receive: None };
        let receive = |from| Step { send: None, receive: Some(from) };
        let others = || 1..call.member.size;
        match call.member.rank {
            0 => others().map(receive).chain(others().map(send)).collect(),
            _ => vec![send(0), receive(0)],
        }
    }
}
