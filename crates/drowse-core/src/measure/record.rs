//! The result of one run, in integers: the only thing that leaves the simulation.

use super::Histogram;
use crate::model::link_state::LinkState;
use crate::model::units::Time;
use crate::power::runtime::{Mode, RuntimeRecord};

/// Holds what a run measured.
///
/// Times are picoseconds; every sum is an integer, so that the record does not depend on the order of summing.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// When the last rank finished; `None` for open-loop traffic, which has no end of its own.
    pub makespan: Option<Time>,
    /// Length of the time over which `channels` and `ranks` were measured: the makespan, or the measured window.
    pub measured: Time,
    /// Packets that NICs have sent.
    pub packets_injected: u64,
    /// Packets that have reached their node whole.
    pub packets_delivered: u64,
    /// Packets granted through a switch.
    pub hops: u64,
    /// Events handled: head arrivals, timers, NIC and rank events, and switch allocations.
    pub events: u64,
    /// From a message's hand-over to the NIC until each of its packets' last bit, network messages only.
    pub packet_latency: Histogram,
    /// From a message's hand-over to the NIC until its last bit, network messages only.
    pub message_latency: Histogram,
    /// One entry per channel, in the order of [`crate::model::ids::ChannelId`].
    pub channels: Vec<ChannelRecord>,
    /// One entry per rank: the jobs' ranks one after the other.
    pub ranks: Vec<RankRecord>,
    /// One entry per job.
    pub jobs: Vec<JobRecord>,
    /// Loads, for open-loop traffic.
    pub open_loop: Option<OpenLoopRecord>,
    /// What the runtime system has done, where it commands links.
    pub runtime: Option<RuntimeRecord>,
    /// What the user must know to judge the figures.
    pub warnings: Vec<Warning>,
}

/// What one channel did in the measured time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChannelRecord {
    /// Time in each state, indexed by [`LinkState`]; sums to the measured time.
    pub residency: [Time; 5],
    /// How often it was woken.
    pub wakes: u64,
    /// Messages whose first packet it sent after that had waited for it to wake.
    pub delayed_messages: u64,
    /// How long these waited for it to wake, together.
    pub time_lost: Time,
    /// Packets sent.
    pub packets: u64,
    /// Flits sent.
    pub flits: u64,
}

impl ChannelRecord {
    /// Returns the time spent in a state.
    pub fn time_in(&self, state: LinkState) -> Time {
        self.residency[state as usize]
    }
}

/// What one rank did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RankRecord {
    /// The node it ran on.
    pub node: u32,
    /// When it finished.
    pub finish: Time,
    /// Time spent computing, that is, not waiting for communication.
    pub running: Time,
    /// Messages sent, those of collectives included.
    pub messages: u64,
    /// Bytes of these messages.
    pub bytes: u64,
}

/// When one job ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRecord {
    /// The job's name.
    pub name: String,
    /// Its number of ranks.
    pub ranks: u32,
    /// When its ranks started.
    pub start: Time,
    /// When its last rank finished.
    pub finish: Time,
}

/// Loads of open-loop traffic in the measured window, in flits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpenLoopRecord {
    /// Flits generated in the window.
    pub generated_flits: u64,
    /// Flits whose packet's last bit was delivered in the window.
    pub delivered_flits: u64,
    /// Flits that all nodes' injection channels could have carried in the window.
    pub capacity_flits: f64,
    /// The network could not take what was offered.
    pub saturated: bool,
}

/// What the user must know to judge the figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// The network could not take the offered load: latencies grow with the length of the run.
    Saturated,
    /// Measured packets were still on their way when the run was ended.
    NotDrained {
        /// How many.
        packets: u64,
    },
    /// Messages were sent but never received.
    UnmatchedSends {
        /// How many.
        messages: u64,
    },
    /// Receives were posted that no message answered.
    UnmatchedReceives {
        /// How many.
        receives: u64,
    },
    /// The runtime system does not know a job's pattern: the program has too few iterations, or none.
    NotLearned {
        /// The job's name.
        job: String,
        /// The iterations that it has begun.
        iterations: u32,
    },
    /// Iterations got slower under the runtime system, which goes less far from then on.
    TurnedDown {
        /// When.
        at: Time,
        /// How far it goes.
        to: Mode,
    },
    /// Said by the source of the operations.
    Source(String),
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Warning::Saturated => {
                write!(f, "saturated: the network did not take the offered load; latencies depend on the run's length")
            }
            Warning::NotDrained { packets } => {
                write!(f, "not drained: {packets} measured packets were still on their way when the run was ended")
            }
            Warning::UnmatchedSends { messages } => write!(f, "{messages} messages were sent but never received"),
            Warning::UnmatchedReceives { receives } => write!(f, "{receives} receives were posted but never answered"),
            Warning::NotLearned { job, iterations: 0 } => {
                write!(
                    f,
                    "job \"{job}\" has no iterations, so that the runtime system learns nothing: its links stay on"
                )
            }
            Warning::NotLearned { job, iterations } => {
                write!(f, "job \"{job}\" has too few iterations ({iterations}) to learn from: its links stay on")
            }
            Warning::TurnedDown { at, to } => {
                let now = if *to == Mode::On { "all links stay on" } else { "no more schedules" };
                write!(f, "iterations got slower, so that the runtime system was turned down at {at}: {now}")
            }
            Warning::Source(text) => f.write_str(text),
        }
    }
}
