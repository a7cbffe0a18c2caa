//! The number of threads of a run, and of its partitions.
//!
//! Partitioning costs about a microsecond at the barrier after each window, and the messages between partitions. It
//! pays off where a window has much more work than that. The work is estimated by the packets that arrive in a window,
//! since each of them takes about a microsecond on its whole path.
//!
//! A thread has several partitions of a network with open-loop traffic where the state of one would be larger than a
//! cache. It advances them in turn, each by a whole window, in which most of what a hop touches is touched again.

use drowse_core::engine;

use crate::inputs::Inputs;
use drowse_experiment::machine::cores;
use drowse_experiment::{Case, System, WorkloadSpec, memory};

/// A thread or a partition pays off if it gets so many packets in a window.
///
/// On two cores, two threads broke even at 2 to 3 packets in a window, from a nearly idle 8x8x8 torus to a tree of 64
/// nodes. With 50 packets and more they were 1.3 to 1.9 times as fast as one.
const PACKETS_PER_PARTITION: f64 = 16.0;

/// Bytes of state, without packets, from which on another partition pays off on the same thread.
///
/// With 32 MB of third-level cache, a torus of 4,096 nodes (6 MB) is fastest whole. One of 32,768 (50 MB) and a tree of as
/// many are 1.3 times as fast in 4 to 8 partitions, and a torus of 262,144 (0.4 GB) 1.2 to 1.4 times in 8 to 64.
const BYTES_PER_PARTITION: u64 = 10 << 20;

/// The most threads: more would have more mailboxes for each other than work.
const MOST_THREADS: usize = 512;

/// The most partitions, unless there are more threads: each has a mailbox for each of the others.
const MOST_PARTITIONS: u64 = 256;

/// The load on the injection channels of ranks that is assumed of programs, since only the run can measure the real
/// one: that of CG (class A, 64 ranks), for which two threads broke even.
const LOAD_OF_PROGRAMS: f64 = 0.05;

/// The threads for a case, and for a baseline beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threads {
    number: usize,
    /// All of them are used, even if they do not pay off.
    exact: bool,
    /// There are more threads than cores.
    oversubscribed: bool,
    /// The threads and partitions of each run, where they are given.
    given: Option<Share>,
}

/// The threads and partitions of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// How many threads, at least 1.
    pub threads: usize,
    /// How many partitions, at least as many.
    pub partitions: usize,
    /// They share cores.
    pub oversubscribed: bool,
}

impl Share {
    /// One thread, and all in one partition.
    pub const ONE: Share = Share { threads: 1, partitions: 1, oversubscribed: false };
}

impl Threads {
    /// One thread.
    pub const ONE: Threads = Threads { number: 1, exact: true, oversubscribed: false, given: None };

    /// Takes so many threads, from 1 to 512.
    pub fn exactly(number: usize) -> Self {
        let number = number.clamp(1, MOST_THREADS);
        Threads { number, oversubscribed: number > cores(), ..Threads::ONE }
    }

    /// Returns the most threads that may run.
    pub fn most(&self) -> usize {
        self.number
    }

    /// Takes as many threads as pay off, at most one for each core.
    pub fn that_pay() -> Self {
        Threads { number: cores(), exact: false, ..Threads::ONE }
    }

    /// Takes these threads and partitions for each run; two runs take them one after the other.
    pub fn shared(share: Share) -> Self {
        Threads { number: share.threads, given: Some(share), ..Threads::ONE }
    }

    /// Shares the threads among two runs side by side; `None` where there is only one thread.
    pub fn halves(self) -> Option<[Threads; 2]> {
        let half = |number| Threads { number, ..self };
        (self.number >= 2 && self.given.is_none()).then(|| [half(self.number.div_ceil(2)), half(self.number / 2)])
    }

    /// Returns the threads for a run of a case, and its partitions.
    pub fn share(self, case: &Case, inputs: &Inputs) -> Share {
        if let Some(given) = self.given {
            return given;
        }
        let that_fit = match case.workload {
            WorkloadSpec::Traffic(_) => memory::of_simulation(&case.system, &case.system.policy) / BYTES_PER_PARTITION,
            // Whether windows have enough packets for many partitions, only the run can tell.
            WorkloadSpec::Jobs(_) => 1,
        };
        let that_fit = that_fit.min(MOST_PARTITIONS) as usize;
        if self.number == 1 && that_fit <= 1 {
            return Share { oversubscribed: self.oversubscribed, ..Share::ONE };
        }
        let that_pay = that_pay(case, inputs, self.number.max(2));
        let threads = if self.exact { self.number } else { that_pay.min(self.number) };
        // Threads have equally many, and a power of two cuts most tori into blocks.
        let partitions = threads * that_pay.min(that_fit).max(1).div_ceil(threads).next_power_of_two();
        Share { threads, partitions, oversubscribed: self.oversubscribed }
    }
}

/// Returns how many partitions pay off, at least 1, each on a thread of its own or not. Windows are taken to be as long as
/// those of `some` partitions.
#[expect(clippy::cast_sign_loss, reason = "a number of packets is not negative")]
fn that_pay(case: &Case, inputs: &Inputs, some: usize) -> usize {
    let System { network, config, .. } = &case.system;
    let (traffic, packets) = match &case.workload {
        WorkloadSpec::Traffic(traffic) => {
            let flits = traffic.packets.mean_flits(&config.switch);
            let packet = flits.min(f64::from(config.switch.packet_flits));
            (Some(traffic), f64::from(network.nodes) * traffic.load / packet)
        }
        WorkloadSpec::Jobs(_) => {
            let cores = f64::from(network.nodes) * f64::from(case.system.cores);
            // Where a scheduler starts jobs, not all of them run at a time.
            let ranks = inputs.ranks().map(f64::from).sum::<f64>().min(cores);
            let background = case.background.as_ref().map_or(0.0, |traffic| {
                let packet = traffic.packets.mean_flits(&config.switch).min(f64::from(config.switch.packet_flits));
                f64::from(network.nodes) * traffic.load / packet
            });
            (None, ranks * LOAD_OF_PROGRAMS / f64::from(config.switch.packet_flits) + background)
        }
    };
    // Errors of the case are reported when it is set up.
    let cycles = engine::window_cycles(network, config, traffic, some).unwrap_or(1);
    let flits_per_second =
        config.classes.first().map_or(0.0, |class| class.bandwidth.0 as f64 / 8.0) / config.switch.flit.0 as f64;
    let packets = packets * flits_per_second * config.switch.clock.seconds() * cycles as f64;
    ((packets / PACKETS_PER_PARTITION) as usize).max(1)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::inputs::{self, Traces};
    use drowse_experiment::load_case;

    /// Returns the threads that pay for an example, of so many, and its partitions.
    fn share(number: usize, example: &str, overrides: &[&str]) -> (usize, usize) {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(example);
        let overrides: Vec<String> = overrides.iter().map(|&text| text.to_owned()).collect();
        let case = load_case(&file, &overrides).unwrap_or_else(|error| panic!("{error}"));
        let inputs = inputs::open(&case, &Traces::default()).unwrap_or_else(|error| panic!("{error}"));
        let share = Threads { number, exact: false, ..Threads::ONE }.share(&case, &inputs);
        (share.threads, share.partitions)
    }

    #[test]
    fn small_and_idle_networks_get_one_thread() {
        // Windows of 15 cycles: 512 nodes make 384 packets in one at a load of 0.4, and fewer the less there is to do.
        let torus = |dims: &str, load: &str| share(8, "uniform-torus.toml", &[dims, load]);
        assert_eq!(torus("network.dims=[8, 8, 8]", "traffic.load=0.4"), (8, 8));
        assert_eq!(torus("network.dims=[8, 8, 8]", "traffic.load=0.05"), (3, 3));
        assert_eq!(torus("network.dims=[8, 8, 8]", "traffic.load=0.02"), (1, 1));
        assert_eq!(torus("network.dims=[8, 8]", "traffic.load=0.4"), (3, 3));
        assert_eq!(torus("network.dims=[4, 4]", "traffic.load=0.4"), (1, 1));
        assert_eq!(share(8, "cg-torus.toml", &[]), (1, 1));
    }

    #[test]
    fn large_networks_get_partitions_that_fit_into_a_cache() {
        // 32,768 nodes have about 1.5 KB of state each.
        let torus = |threads, load: &str| share(threads, "uniform-torus.toml", &["network.dims=[32, 32, 32]", load]);
        let (threads, partitions) = torus(1, "traffic.load=0.1");
        assert!(threads == 1 && (4..=8).contains(&partitions), "{partitions}");
        // Threads have equally many.
        let (threads, partitions) = torus(3, "traffic.load=0.1");
        assert!(threads == 3 && [6, 9].contains(&partitions), "{partitions}");
        // Windows with hardly any packets gain nothing, nor may those of programs.
        assert_eq!(torus(1, "traffic.load=0.0001"), (1, 1));
        assert_eq!(share(1, "stencil-app.toml", &["network.dims=[64, 64, 64]"]), (1, 1));
    }

    #[test]
    fn there_is_an_end_to_threads() {
        assert_eq!([0, 1, 512, 100_000].map(|number| Threads::exactly(number).most()), [1, 1, 512, 512]);
    }

    #[test]
    fn two_runs_share_the_threads_out() {
        let halves = |threads: usize| Threads::exactly(threads).halves().map(|halves| halves.map(|half| half.number));
        assert_eq!([1, 2, 3, 8].map(halves), [None, Some([1, 1]), Some([2, 1]), Some([4, 4])]);
    }
}
