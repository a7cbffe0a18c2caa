//! The number of threads of a run.
//!
//! Partitioning costs about a microsecond at the barrier after each window, and the messages between partitions. It
//! pays off where a window has much more work than that. The work is estimated by the packets that arrive in a window,
//! since each of them takes about a microsecond on its whole path.

use drowse_core::engine;

use crate::inputs::Inputs;
use drowse_experiment::machine::cores;
use drowse_experiment::{Case, System, WorkloadSpec};

/// A thread pays off if it gets so many packets in a window.
///
/// On two cores, two threads broke even at 2 to 3 packets in a window, from a nearly idle 8x8x8 torus to a tree of 64
/// nodes. With 50 packets and more they were 1.3 to 1.9 times as fast as one.
const PACKETS_PER_THREAD: f64 = 16.0;

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
}

/// The threads of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// How many, at least 1.
    pub threads: usize,
    /// They share cores.
    pub oversubscribed: bool,
}

impl Share {
    /// One thread.
    pub const ONE: Share = Share { threads: 1, oversubscribed: false };
}

impl Threads {
    /// One thread.
    pub const ONE: Threads = Threads { number: 1, exact: true, oversubscribed: false };

    /// Takes so many threads, at least 1.
    pub fn exactly(number: usize) -> Self {
        Threads { number: number.max(1), exact: true, oversubscribed: number > cores() }
    }

    /// Returns the most threads that may run.
    pub fn most(&self) -> usize {
        self.number
    }

    /// Takes as many threads as pay off, at most one for each core.
    pub fn that_pay() -> Self {
        Threads { number: cores(), exact: false, oversubscribed: false }
    }

    /// Shares the threads among two runs side by side; `None` where there is only one thread.
    pub fn halves(self) -> Option<[Threads; 2]> {
        let half = |number| Threads { number, ..self };
        (self.number >= 2).then(|| [half(self.number.div_ceil(2)), half(self.number / 2)])
    }

    /// Returns the threads for a run of a case.
    pub fn share(self, case: &Case, inputs: &Inputs) -> Share {
        let threads = if self.exact || self.number == 1 { self.number } else { that_pay(case, inputs, self.number) };
        Share { threads, oversubscribed: self.oversubscribed }
    }
}

/// Returns how many threads pay off, from 1 to `most`.
#[expect(clippy::cast_sign_loss, reason = "a number of packets is not negative")]
fn that_pay(case: &Case, inputs: &Inputs, most: usize) -> usize {
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
    let cycles = engine::window_cycles(network, config, traffic, most).unwrap_or(1);
    let flits_per_second =
        config.classes.first().map_or(0.0, |class| class.bandwidth.0 as f64 / 8.0) / config.switch.flit.0 as f64;
    let packets = packets * flits_per_second * config.switch.clock.seconds() * cycles as f64;
    ((packets / PACKETS_PER_THREAD) as usize).clamp(1, most)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::inputs::{self, Traces};
    use drowse_experiment::load_case;

    /// Returns the threads that pay for an example, of 8.
    fn of_eight(example: &str, overrides: &[&str]) -> usize {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(example);
        let overrides: Vec<String> = overrides.iter().map(|&text| text.to_owned()).collect();
        let case = load_case(&file, &overrides).unwrap_or_else(|error| panic!("{error}"));
        let inputs = inputs::open(&case, &Traces::default()).unwrap_or_else(|error| panic!("{error}"));
        that_pay(&case, &inputs, 8)
    }

    #[test]
    fn small_and_idle_networks_get_one_thread() {
        // Windows of 15 cycles: 512 nodes make 384 packets in one at a load of 0.4, and fewer the less there is to do.
        let torus = |dims: &str, load: &str| of_eight("uniform-torus.toml", &[dims, load]);
        assert_eq!(torus("network.dims=[8, 8, 8]", "traffic.load=0.4"), 8);
        assert_eq!(torus("network.dims=[8, 8, 8]", "traffic.load=0.05"), 3);
        assert_eq!(torus("network.dims=[8, 8, 8]", "traffic.load=0.02"), 1);
        assert_eq!(torus("network.dims=[8, 8]", "traffic.load=0.4"), 3);
        assert_eq!(torus("network.dims=[4, 4]", "traffic.load=0.4"), 1);
        assert_eq!(of_eight("cg-torus.toml", &[]), 1);
    }

    #[test]
    fn two_runs_share_the_threads_out() {
        let halves = |threads: usize| Threads::exactly(threads).halves().map(|halves| halves.map(|half| half.number));
        assert_eq!([1, 2, 3, 8].map(halves), [None, Some([1, 1]), Some([2, 1]), Some([4, 4])]);
    }
}
