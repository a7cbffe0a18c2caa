//! The result of one run, in integers: the only thing that leaves the simulation.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::cap::CapRecord;
use super::causes::{CriticalPath, OperationTimes, RankTimes};
use super::extrapolation::ExtrapolationRecord;
use super::governor::GovernorRecord;
use super::histogram::Histogram;
use super::over_time::OverTime;
use super::reordering::Reordering;
use super::runtime::RuntimeRecord;
use super::sizes::MessageSizes;
use super::transport::TransportRecord;
use crate::model::link_state::{LinkState, PerState};
use crate::model::runtime_mode::Mode;
use crate::model::units::Time;
use crate::workload::operation_kind::OperationKind;
use crate::workload::scheduler::FreeTimes;

/// Holds what a run measured.
///
/// Times are picoseconds; every sum is an integer, so that the record does not depend on the order of summing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// When the last rank finished of jobs that do not start again; `None` for open-loop traffic.
    pub makespan: Option<Time>,
    /// The measured time of `channels` and `ranks`: the makespan, or the measured window.
    pub measured: Time,
    /// Packets that NICs have sent.
    pub packets_injected: u64,
    /// Packets that have reached their node completely.
    pub packets_delivered: u64,
    /// Packets granted through a switch.
    pub hops: u64,
    /// Events handled: head arrivals, timers, NIC and rank events, and switch allocations.
    pub events: u64,
    /// Time from a message's hand-over to the NIC until the last bit of each of its packets; network messages only. With
    /// jobs, those of jobs.
    pub packet_latency: Histogram,
    /// Time from a message's hand-over to the NIC until its last bit; network messages only.
    pub message_latency: Histogram,
    /// Latencies of network messages by their size; empty unless a probe wants them.
    pub message_sizes: MessageSizes,
    /// In which order packets came, where that was counted.
    pub reordering: Option<Reordering>,
    /// What nodes have told each other of packets, where they answer.
    pub transport: Option<TransportRecord>,
    /// When ranks handed the first message for another node over, and when the last such message had arrived; `None` where
    /// there was none.
    pub between_nodes: Option<[Time; 2]>,
    /// One entry per channel, in the order of [`crate::model::ids::ChannelId`].
    pub channels: Vec<ChannelRecord>,
    /// One entry per rank, job by job.
    pub ranks: Vec<RankRecord>,
    /// How each rank spent its time by kind of operation; empty unless a probe wants it.
    pub operations: Vec<BTreeMap<OperationKind, OperationTimes>>,
    /// One entry per job.
    pub jobs: Vec<JobRecord>,
    /// Loads, for open-loop traffic.
    pub open_loop: Option<OpenLoopRecord>,
    /// What became of open-loop traffic beside jobs.
    pub background: Option<BackgroundRecord>,
    /// What the runtime system did, if it controls links.
    pub runtime: Option<RuntimeRecord>,
    /// What a governor did, if one allows links to sleep.
    pub governor: Option<GovernorRecord>,
    /// What the governor of a cap did, if there is a cap.
    pub cap: Option<CapRecord>,
    /// All cores of the machine, where a scheduler gives them to jobs.
    pub cores: Option<u64>,
    /// How long nodes were without a job, where a scheduler gives them to jobs.
    pub free_nodes: Option<FreeTimes>,
    /// What was done in each interval of the measured time, where a probe wants it.
    pub over_time: Option<OverTime>,
    /// What was extrapolated, where that is allowed.
    pub extrapolation: Option<ExtrapolationRecord>,
    /// Warnings for the reader of the figures.
    pub warnings: Vec<Warning>,
}

/// What one channel did in the measured time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChannelRecord {
    /// Time in each state, indexed by [`LinkState`]; sums to the measured time.
    pub residency: PerState<Time>,
    /// How often it was woken.
    pub wakes: u64,
    /// Messages whose first packet headed a queue and waited for the channel to wake.
    pub delayed_messages: u64,
    /// The total time that these messages waited for it to wake. Packets behind them in a queue are not counted.
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankRecord {
    /// The node it ran on.
    pub node: u32,
    /// When it finished.
    pub finish: Time,
    /// How it spent its time.
    pub times: RankTimes,
    /// What led to its end.
    pub path: CriticalPath,
    /// Operations of its program, which it ran: each computation and each call of MPI is one.
    pub operations: u64,
    /// Messages sent, including those of collectives.
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
    /// When it arrived: where no scheduler starts it, when its ranks started.
    pub arrival: Time,
    /// When its ranks started.
    pub start: Time,
    /// Cores that it held from then until its end: those of its ranks, or all of its nodes.
    pub held: u64,
    /// What led to the end of the rank that finished last, of several the first.
    pub path: CriticalPath,
    /// When its last rank finished; of a job that starts again, the end of the run.
    pub finish: Time,
    /// How often its ranks ran their program; of a job that starts again, how many whole repetitions had ended when all
    /// others had.
    pub repetitions: u64,
    /// It starts again until all others have ended.
    pub again: bool,
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
    /// The network did not accept the offered load, beyond what the edges of the window and chance explain.
    pub saturated: bool,
    /// The window is too short to tell whether it accepts the load.
    pub too_short: bool,
}

/// Open-loop traffic beside jobs, from the beginning of the run until its end, soon after that of the last rank.
#[derive(Clone, Debug, PartialEq)]
pub struct BackgroundRecord {
    /// Packets generated.
    pub packets_generated: u64,
    /// Packets delivered; the others were on their way, or at their NICs, at the end.
    pub packets_delivered: u64,
    /// Flits generated.
    pub generated_flits: u64,
    /// Flits delivered.
    pub delivered_flits: u64,
    /// Flits that the injection channels of its nodes could have carried.
    pub capacity_flits: f64,
    /// Time from a message's hand-over to the NIC until the last bit of each of its packets.
    pub packet_latency: Histogram,
    /// Time from a message's hand-over to the NIC until its last bit.
    pub message_latency: Histogram,
}

/// Something that the reader must know to judge the figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// The network did not accept the offered load: latencies grow with the length of the run.
    Saturated,
    /// The measured window is too short to tell whether the network accepts the offered load.
    WindowTooShort {
        /// What may be missing or too much by its edges and by chance, in percent of the load; 100 stands for all and more.
        percent: u8,
    },
    /// Measured packets were still in the network at the end of the run.
    NotDrained {
        /// Their number.
        packets: u64,
    },
    /// Messages were sent but never received.
    UnmatchedSends {
        /// Their number.
        messages: u64,
    },
    /// Receives were posted but matched by no message.
    UnmatchedReceives {
        /// Their number.
        receives: u64,
    },
    /// Jobs were stopped at their limits.
    Stopped {
        /// Their number.
        jobs: u64,
    },
    /// The runtime system did not learn a job's pattern: the program has too few iterations, or none.
    NotLearned {
        /// The job's name.
        job: String,
        /// The iterations that it has begun.
        iterations: u32,
    },
    /// Iterations got slower under the runtime system, which then switched to a more cautious mode.
    TurnedDown {
        /// When it switched.
        at: Time,
        /// The new mode.
        to: Mode,
    },
    /// Flows moved, and met: how packets wait for each other in queues was not simulated.
    FlowsMeet {
        /// The share of their time in which they moved more slowly than alone, in percent.
        shared: u8,
        /// The share of their time in which they waited behind one that waited for a link to wake, in percent.
        behind: u8,
    },
    /// A warning from the source of the operations.
    Source(String),
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Warning::Saturated => {
                write!(
                    f,
                    "saturated: the network did not accept the offered load; latencies depend on the run's length"
                )
            }
            Warning::WindowTooShort { percent } => {
                let more = if *percent == 100 { " or more" } else { "" };
                write!(
                    f,
                    "the window is too short to tell whether the network is saturated: by its edges and by chance, \
                     {percent} %{more} of the load may be missing in it; make traffic.measure and traffic.warmup longer, \
                     or messages shorter"
                )
            }
            Warning::NotDrained { packets } => {
                write!(
                    f,
                    "not drained: {packets} measured packets were still in the network when the run ended; latencies \
                     leave them out"
                )
            }
            Warning::UnmatchedSends { messages } => {
                write!(f, "{messages} messages were sent but never received; they took time and energy all the same")
            }
            Warning::UnmatchedReceives { receives } => {
                write!(f, "{receives} receives were posted but never matched; they took no time")
            }
            Warning::Stopped { jobs: 1 } => {
                write!(f, "1 job had not ended at its limit, and was stopped then")
            }
            Warning::Stopped { jobs } => {
                write!(f, "{jobs} jobs had not ended at their limits, and were stopped then")
            }
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
            Warning::FlowsMeet { shared, behind } => {
                write!(
                    f,
                    "by flows: messages shared links in {shared} % of their time and waited behind others in {behind} %; \
                     packets, whose queues are not simulated, may take another time: try unit = \"packet\""
                )
            }
            Warning::Source(text) => f.write_str(text),
        }
    }
}
