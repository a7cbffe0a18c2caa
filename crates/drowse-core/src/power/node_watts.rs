//! What nodes draw without their NICs, and the joules that follow from what they did.

use serde::Serialize;

/// What a node draws without its NIC, in watts.
///
/// ```
/// use drowse_core::power::watts::{AcceleratorWatts, NodeTimes, NodeWatts};
///
/// // A node of 100 W with four accelerators.
/// let accelerator = AcceleratorWatts { per_node: Some(4), idle: 50.0, compute: 500.0, communicate: 200.0 };
/// let node = NodeWatts { busy: 100.0, idle: 100.0, accelerator: Some(accelerator), ..NodeWatts::default() };
/// // For 10 s, of which all ranks compute 6 s and wait 3 s: 4 x (6 x 500 + 3 x 200 + 1 x 50) J, and 1,000 J.
/// let times = NodeTimes { all: 10.0, busy: 6.0, waiting: 3.0, ..NodeTimes::default() };
/// assert_eq!(node.joules(&times), 1_000.0 + 14_600.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct NodeWatts {
    /// While ranks compute on all of its cores.
    pub busy: f64,
    /// While nothing runs on it.
    pub idle: f64,
    /// While all of its ranks wait for messages; if that is not what it draws while nothing runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait: Option<f64>,
    /// While it has no job, under a scheduler; if that is not what it draws while nothing runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub free: Option<f64>,
    /// While it is off; if that is not what it draws without a job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub off: Option<f64>,
    /// What each of its accelerators draws beside that, if it has some; nothing while the node is off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accelerator: Option<AcceleratorWatts>,
}

/// What an accelerator draws, in watts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct AcceleratorWatts {
    /// Accelerators of a node; one for each core where it is not said.
    pub per_node: Option<u32>,
    /// While nothing runs on it.
    pub idle: f64,
    /// While its rank computes.
    pub compute: f64,
    /// While its rank waits for messages.
    pub communicate: f64,
}

/// What nodes did, in seconds summed over them. A node is busy as far as its cores are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NodeTimes {
    /// The whole time.
    pub all: f64,
    /// Ranks computed, or were busy with messages.
    pub busy: f64,
    /// Ranks waited for messages.
    pub waiting: f64,
    /// It was on without a job, under a scheduler.
    pub free: f64,
    /// It was off.
    pub off: f64,
    /// Cores of a node.
    pub cores: u32,
}

impl NodeWatts {
    /// Returns the energy of nodes in joules.
    pub fn joules(&self, times: &NodeTimes) -> f64 {
        let NodeTimes { all, busy, waiting, free, off, cores } = *times;
        let mut joules = self.idle * all + (self.busy - self.idle) * busy;
        if let Some(wait) = self.wait {
            joules += (wait - self.idle) * waiting;
        }
        joules += self.free_joules(free, off);
        if let Some(accelerator) = self.accelerator {
            let AcceleratorWatts { per_node, idle, compute, communicate } = accelerator;
            let count = f64::from(per_node.unwrap_or(cores));
            joules += count * (compute * busy + communicate * waiting + idle * (all - off - busy - waiting));
        }
        joules
    }

    /// Returns by how many joules the energy of nodes differs that were without a job for some seconds on, and for some
    /// off.
    fn free_joules(&self, on_seconds: f64, off_seconds: f64) -> f64 {
        let free = self.free.unwrap_or(self.idle);
        (free - self.idle) * on_seconds + (self.off.unwrap_or(free) - self.idle) * off_seconds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 10 s at 200 W, and 300 W more for 4 s; waits of 2 s at 450 W.
    #[test]
    fn nodes_by_hand() {
        let times = NodeTimes { all: 10.0, busy: 4.0, waiting: 2.0, ..NodeTimes::default() };
        let node = NodeWatts { busy: 500.0, idle: 200.0, ..NodeWatts::default() };
        assert!((node.joules(&times) - 3_200.0).abs() < 1e-9);
        let polls = NodeWatts { wait: Some(450.0), ..node };
        assert!((polls.joules(&times) - 3_700.0).abs() < 1e-9);
    }

    /// Without a job, 100 W less for 2 s, and 190 W less for 3 s; accelerators of 20 W are off with it.
    #[test]
    fn free_nodes_by_hand() {
        let times = NodeTimes { all: 10.0, free: 2.0, off: 3.0, cores: 2, ..NodeTimes::default() };
        let node = NodeWatts { busy: 500.0, idle: 200.0, ..NodeWatts::default() };
        assert!((node.joules(&times) - 2_000.0).abs() < 1e-9);
        let node = NodeWatts { free: Some(100.0), off: Some(10.0), ..node };
        assert!((node.joules(&times) - 2_000.0 + 770.0).abs() < 1e-9);
        let accelerator = Some(AcceleratorWatts { idle: 20.0, ..AcceleratorWatts::default() });
        let node = NodeWatts { accelerator, ..node };
        assert!((node.joules(&times) - 2_000.0 + 770.0 - 2.0 * 20.0 * 7.0).abs() < 1e-9);
    }
}
