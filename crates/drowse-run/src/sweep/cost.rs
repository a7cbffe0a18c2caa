//! What cases cost: how much work each is, and how long a unit of work has taken.
//!
//! The work is known before a case runs: the packets that open-loop traffic offers, or the operations of all ranks. It
//! says which cases are long, not how long; times come from cases that have run, and they differ from case to case.

use drowse_experiment::{Case, WorkloadSpec, memory};

use crate::inputs::Inputs;

/// What one case will cost.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Its work, more than 0.
    pub work: f64,
    /// The memory of its network and its simulation, in bytes; traces, packets and messages come on top.
    pub bytes: u64,
}

/// The times of cases that have run, against their work.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    /// How many.
    pub cases: u64,
    /// Their time, in seconds.
    pub seconds: f64,
    /// Their work.
    pub work: f64,
    /// The least and the most seconds that a unit of work has taken in one of them.
    pub range: Option<(f64, f64)>,
    /// The largest resident memory of the process that ran one of them, in bytes.
    pub peak_bytes: Option<u64>,
}

impl Cost {
    /// Estimates the cost of a case.
    pub fn of(case: &Case, inputs: &Inputs) -> Self {
        let system = &case.system;
        let (network, config) = (&system.network, &system.config);
        let work = match &case.workload {
            WorkloadSpec::Jobs(_) => inputs.operations(case) as f64,
            WorkloadSpec::Traffic(traffic) => {
                let flits = traffic.packets.mean_flits(&config.switch).min(f64::from(config.switch.packet_flits));
                let bytes_per_s = config.classes.first().map_or(0.0, |class| class.bandwidth.0 as f64 / 8.0);
                let packets_per_s = traffic.load * bytes_per_s / (flits * config.switch.flit.0 as f64);
                f64::from(network.nodes) * packets_per_s * traffic.warmup.saturating_add(traffic.measure).seconds()
            }
        };
        let bytes = memory::of_tables(u64::from(network.ports())) + memory::of_simulation(system, &system.policy);
        // Even a case without packets has to be set up.
        Cost { work: work + f64::from(network.channels()), bytes }
    }
}

impl Measured {
    /// Adds a case that has run.
    pub fn add(&mut self, work: f64, seconds: f64) {
        let rate = seconds / work;
        let (least, most) = self.range.unwrap_or((rate, rate));
        self.range = Some((least.min(rate), most.max(rate)));
        self.cases += 1;
        self.seconds += seconds;
        self.work += work;
    }

    /// Returns the mean seconds of a unit of work; `None` where nothing has run.
    pub fn rate(&self) -> Option<f64> {
        (self.work > 0.0 && self.seconds > 0.0).then(|| self.seconds / self.work)
    }
}

/// Returns the time that cases of this work take on so many threads, in units of work: no less than the longest.
pub fn side_by_side(works: impl Iterator<Item = f64>, threads: usize) -> f64 {
    let (sum, longest) = works.fold((0.0, 0.0_f64), |(sum, longest), work| (sum + work, longest.max(work)));
    (sum / threads.max(1) as f64).max(longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_that_of_all_work() {
        let mut measured = Measured::default();
        assert_eq!((measured.rate(), measured.range), (None, None));
        measured.add(10.0, 1.0);
        measured.add(30.0, 7.0);
        assert_eq!((measured.rate(), measured.cases), (Some(0.2), 2));
        assert_eq!(measured.range, Some((0.1, 7.0 / 30.0)));
    }

    #[test]
    fn several_threads_wait_for_the_longest_case() {
        let time = |works: &[f64], threads| Some(side_by_side(works.iter().copied(), threads));
        let three = [4.0, 3.0, 5.0];
        assert_eq!([1, 2, 3].map(|threads| time(&three, threads)), [12.0, 6.0, 5.0].map(Some));
        assert_eq!(time(&[], 2), Some(0.0));
    }
}
