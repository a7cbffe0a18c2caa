//! The parameters of a simulation, checked and resolved: what an experiment file becomes.

use serde::{Deserialize, Serialize};

use crate::model::balance::{Balance, Order};
use crate::model::link_state::{LinkState, PerState};
use crate::model::routing_kind::RoutingKind;
use crate::model::sleep_state::SleepStates;
use crate::model::transport::{Marking, Transport};
use crate::model::unit::Unit;
use crate::model::units::{BitRate, Bytes, Time};

/// Holds all parameters of a simulation beside network, policy and workload.
///
/// [`Config::new`] makes what an experiment has that says nothing beside its network:
///
/// ```
/// use drowse_core::model::config::Config;
/// use drowse_core::model::units::{BitRate, Time};
/// use drowse_core::power::SleepStates;
/// use drowse_core::topology::{Racks, TopologySpec};
///
/// let network = TopologySpec::Racks(Racks { racks: 4, nodes_per_rack: 4, uplinks: 1 }).build()?;
/// let mut config = Config::new(&network);
/// assert_eq!(config.classes.len(), network.classes.len());
/// // Links between switches are faster and may sleep; class 0 are those to nodes.
/// for class in &mut config.classes[1..] {
///     class.bandwidth = BitRate(100_000_000_000);
///     class.states = Some(SleepStates::default());
/// }
/// assert_eq!(config.classes[1].bandwidth.transfer_time(1_250), Time::from_ns(100));
/// # Ok::<(), drowse_core::topology::NetworkError>(())
/// ```
#[derive(Clone, Debug, Serialize)]
pub struct Config {
    /// The switches, which are all alike.
    pub switch: SwitchModel,
    /// The channels of each class, in the order of [`crate::topology::Network::classes`].
    pub classes: Vec<ClassModel>,
    /// The compute nodes: their memory, and what messages cost there.
    pub node: NodeModel,
    /// How packets choose their paths.
    pub routing: RoutingKind,
    /// How packets and sleeping channels meet.
    pub sleep: SleepRules,
    /// What moves through the network: packets, of which a canonical form says nothing, or flows.
    #[serde(skip_serializing_if = "Unit::is_packet")]
    pub unit: Unit,
    /// How nodes answer each other's packets, if they do; a canonical form says nothing where they do not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transport: Option<Transport>,
    /// The seed of all random draws.
    pub seed: u64,
    /// Checks the conservation laws while running; slow, and without effect on results.
    #[serde(skip)]
    pub audit: bool,
}

impl Config {
    /// Returns whether packets remember where they come from and how many went before them.
    pub fn counts_packets(&self) -> bool {
        self.unit.is_packet() && !(self.switch.balance.is_adaptive() && self.node.order.is_any())
    }
}

/// A switch with queues at its inputs (Andújar et al. 2019, section 3.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SwitchModel {
    /// Period of the switches' clock; outputs are granted at its edges.
    pub clock: Time,
    /// Size of a flit, the unit of buffers and credits.
    pub flit: Bytes,
    /// Flits of a full packet.
    pub packet_flits: u16,
    /// Virtual channels.
    pub vcs: VirtualChannels,
    /// Flits that one virtual channel of an input port can hold.
    pub buffer_flits: u16,
    /// How a sender knows that there is room for a packet.
    pub flow_control: FlowControl,
    /// How many packets an input port can send at a time (experiment key `switch.input_speedup`, default 1): its queues
    /// share so many read ports, queue `v` uses read port `v` modulo their number. At most the number of virtual
    /// channels.
    pub input_speedup: u8,
    /// Which packets of an input port wait behind each other.
    pub queues: Queues,
    /// When packets may go on.
    pub forwarding: Forwarding,
    /// How packets on the escape virtual channels of a ring are kept from waiting in a circle.
    pub escape: Escape,
    /// How inputs choose among outputs that are as good, and outputs among inputs.
    pub arbitration: Arbitration,
    /// A packet asks for one of its outputs whether that is busy or not (as in CAMINOS), and chooses anew at each edge
    /// at which some output is free; otherwise it asks for free outputs only.
    pub request_busy: bool,
    /// How long ports stay idle after a packet, because the next one is allocated only then (experiment key
    /// `switch.allocator.overlap`); zero where it is allocated meanwhile.
    pub allocation_gap: Time,
    /// Which links of a trunk packets take.
    pub trunks: TrunkChoice,
    /// How packets choose among the outputs that routing permits; a canonical form says nothing of the usual way.
    #[serde(skip_serializing_if = "Balance::is_adaptive")]
    pub balance: Balance,
    /// When packets are marked, if they are; a canonical form says nothing where they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marking: Option<Marking>,
    /// The last packet of a message is as long as the others.
    pub padding: bool,
}

impl Default for SwitchModel {
    /// A switch with one virtual channel (Andújar et al. 2019, section 3.1).
    fn default() -> Self {
        SwitchModel {
            clock: Time(1_600),
            flit: Bytes(16),
            packet_flits: 8,
            vcs: VirtualChannels::any(1),
            buffer_flits: 1_024,
            flow_control: FlowControl::default(),
            input_speedup: 1,
            queues: Queues::default(),
            forwarding: Forwarding::default(),
            escape: Escape::default(),
            arbitration: Arbitration::default(),
            request_busy: false,
            allocation_gap: Time::ZERO,
            trunks: TrunkChoice::default(),
            balance: Balance::default(),
            marking: None,
            padding: false,
        }
    }
}

impl SwitchModel {
    /// The most input queues that the tables of a switch have places for: they are numbered in 16 bits.
    pub const MOST_QUEUES: u64 = 1 << 16;

    /// Returns whether packets come to a switch with their last bit.
    pub fn stores(&self) -> bool {
        self.forwarding == Forwarding::StoreAndForward
    }

    /// Returns when input ports let their senders pause, if they do.
    pub fn pause_levels(&self) -> Option<PauseLevels> {
        if let FlowControl::Pause(levels) = self.flow_control { Some(levels) } else { None }
    }

    /// Returns whether packets may be lost.
    pub fn is_lossy(&self) -> bool {
        matches!(self.flow_control, FlowControl::Drop | FlowControl::Trim)
    }

    /// Returns the queues at outputs, if there are any.
    pub fn output_queues(&self) -> Option<OutputQueues> {
        if let Queues::Output(queues) = self.queues { Some(queues) } else { None }
    }

    /// Returns for how many input queues the tables of a switch with so many ports have places.
    pub fn queues_of_switch(&self, radix: u32) -> u64 {
        u64::from(radix) * self.queues_of_port(radix)
    }

    /// Returns for how many queues of a port the tables have places, where the largest switch has so many ports: a power
    /// of two, as are those of a virtual channel.
    pub fn queues_of_port(&self, radix: u32) -> u64 {
        let of_channel = match self.queues {
            Queues::Input | Queues::Output(_) => 1,
            Queues::VirtualOutput => u64::from(radix).next_power_of_two(),
        };
        u64::from(self.vcs.total()).next_power_of_two() * of_channel
    }

    /// Returns the length of a message in flits; one of no bytes has one.
    pub fn message_flits(&self, bytes: u64) -> u64 {
        let flits = bytes.div_ceil(self.flit.0).max(1);
        if self.padding { flits.next_multiple_of(u64::from(self.packet_flits)) } else { flits }
    }
}

/// How many virtual channels of each kind every port has; adaptive ones come first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct VirtualChannels {
    /// Channels for any minimal port of a torus or mesh.
    pub adaptive: u8,
    /// Channels for the escape path of a torus or mesh, split into two halves by the dateline on rings, if there is
    /// one.
    pub escape: u8,
    /// Channels for any purpose, on trees. On low-diameter networks they come after those of hops, and are used from and
    /// to nodes only.
    pub any: u8,
    /// Channels of low-diameter networks, dealt out evenly to the first hop, the second and so on.
    pub hop: u8,
}

/// Which packets of an input port wait behind each other (experiment key `switch.queues`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum Queues {
    /// Those of one virtual channel: a packet whose output is busy blocks those behind it (Karol, Hluchyj and Morgan
    /// 1987).
    #[default]
    Input,
    /// Those of one virtual channel whose escape output, or first of their only ones, is the same (virtual output queues;
    /// Tamir and Frazier 1988, McKeown 1999). Queues of one virtual channel share its buffer and credits, and those of
    /// one read port are served in turn.
    VirtualOutput,
    /// Those of one virtual channel, until a crossbar has brought them into a queue at their output (combined input and
    /// output queues; Chuang et al. 1999). A link takes its packets from there.
    Output(OutputQueues),
}

/// Queues at outputs, one for each virtual channel, and the crossbar that fills them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct OutputQueues {
    /// Flits that one virtual channel of an output port can hold (experiment key `switch.output_buffer`).
    pub room_flits: u16,
    /// How many times as fast as its link the crossbar brings packets to an output, one after the other (experiment key
    /// `switch.speedup`).
    pub speedup: u16,
    /// The crossbar paths to an output: how many packets it takes in at a time (experiment key `switch.output_speedup`,
    /// default 1). Virtual channel `v` uses path `v` modulo their number. At most the number of virtual channels.
    // The ids of cases have it by this name.
    #[serde(rename = "ways")]
    pub paths: u8,
}

impl OutputQueues {
    /// Periods of the clock from a grant of the crossbar until the packet's head is in the output queue.
    pub(crate) const CROSSING: u64 = 1;
}

/// How the sender of a link knows that the next input port has room (experiment key `switch.flow_control`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum FlowControl {
    /// It holds a credit for each flit of room (Dally and Towles 2004, section 13.3.1).
    #[default]
    Credits,
    /// It sends until the input port tells it to pause, for each virtual channel by itself (priority flow control; IEEE
    /// 802.1Qbb).
    Pause(PauseLevels),
    /// It sends whatever it has. An input port that has no room for a packet drops it.
    Drop,
    /// It sends whatever it has. An input port that has no room for a packet of data cuts off the data, and lets what is
    /// left pass others (Cheng et al., NSDI 2014; Handley et al., SIGCOMM 2017).
    Trim,
}

/// When an input port lets its sender pause and go on, by the flits that a virtual channel holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PauseLevels {
    /// With so many the sender must pause (experiment key `switch.xoff`).
    pub xoff_flits: u16,
    /// With so many or fewer it goes on; fewer than `xoff_flits` (experiment key `switch.xon`).
    pub xon_flits: u16,
}

/// When a packet that comes to a switch may go on (experiment key `switch.forwarding`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Forwarding {
    /// Once its head has come (virtual cut-through; Kermani and Kleinrock 1979).
    #[default]
    CutThrough,
    /// Once its last bit has come: until then, no queue and no policy knows of it.
    StoreAndForward,
}

/// How packets on the escape virtual channels of a ring are kept from waiting in a circle (experiment key
/// `switch.escape`); where there are no rings, both are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Escape {
    /// Packets change to the second half of the escape VCs where they cross the ring's dateline.
    #[default]
    Dateline,
    /// A packet enters a ring only where two packets fit, so that the ring is never full (bubble flow control; Puente et
    /// al. 2001). It needs `padding = true`.
    Bubble,
}

/// How arbiters choose among those that request (experiment key `switch.allocator.kind`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Arbitration {
    /// Outputs serve the input port that they served least recently, and input ports their queues: requesters with steady
    /// demand get equal shares (Dally and Towles 2004, section 18.5).
    #[default]
    LeastRecentlyServed,
    /// Round robin in all stages, as Andújar et al. 2019, section 3.1, print it. It can starve some requesters.
    #[serde(rename = "three-stage")]
    RoundRobin,
    /// At random, each as likely.
    Random,
    /// The packet that left its node first (age-based arbitration; Abts and Weisser 2007).
    Age,
}

/// Which of the parallel links of a trunk a packet takes, among those that are available (experiment key
/// `switch.trunks`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TrunkChoice {
    /// All carry the same.
    #[default]
    Balanced,
    /// The lowest one that is available, so that the others can sleep (Rodriguez-Perez et al. 2018).
    Packed,
}

impl VirtualChannels {
    /// The largest number of virtual channels of a port.
    pub const MAX: u8 = 8;

    /// Returns those of a torus or mesh.
    pub const fn grid(adaptive: u8, escape: u8) -> Self {
        VirtualChannels { adaptive, escape, any: 0, hop: 0 }
    }

    /// Returns those of a tree.
    pub const fn any(any: u8) -> Self {
        VirtualChannels { adaptive: 0, escape: 0, any, hop: 0 }
    }

    /// Returns those of a low-diameter network.
    pub const fn hop(hop: u8) -> Self {
        VirtualChannels { adaptive: 0, escape: 0, any: 0, hop }
    }

    /// Returns the number of virtual channels of a port.
    pub const fn total(self) -> u8 {
        self.adaptive + self.escape + self.any + self.hop
    }
}

/// The channels of one class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClassModel {
    /// Bits per second in one direction, all lanes together.
    pub bandwidth: BitRate,
    /// Ports that its links take at each end, whose lanes carry flits of one packet in parallel; they weigh in power
    /// and cost.
    pub lanes: u32,
    /// Latency of the wire; also that of credits, and of the head from a NIC to its switch.
    pub latency: Time,
    /// Time from the grant in a switch to the head at the other end of a channel of this class: (pipeline +
    /// allocator latency) x clock + wire, or the hop latency that was given.
    pub hop: Time,
    /// The sleep states of this class's channels; `None` when they may not sleep.
    pub states: Option<SleepStates>,
}

impl ClassModel {
    /// Returns how many sleep states its channels have.
    pub fn sleep_states(&self) -> usize {
        self.states.as_ref().map_or(0, |states| states.sleeps().count())
    }

    /// Returns the power of each state, as a share of that when on; channels that may not sleep are always at full power.
    pub fn powers(&self) -> PerState<f64> {
        let mut powers = [1.0; LinkState::COUNT];
        if let Some(states) = &self.states {
            powers[LinkState::Entering as usize] = states.transition;
            powers[LinkState::Waking as usize] = states.transition;
            states.sleeps().for_each(|sleep| powers[sleep as usize] = states.of(sleep).power);
        }
        powers
    }
}

/// A compute node: its memory, its NIC, and what messages cost its ranks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NodeModel {
    /// Latency of messages between ranks of one node.
    pub memory_latency: Time,
    /// Bandwidth of messages between ranks of one node.
    pub memory_bandwidth: BitRate,
    /// Messages below this size are sent eagerly, others by rendezvous.
    pub eager_limit: Bytes,
    /// Added at injection and at ejection.
    pub nic_latency: Time,
    /// Which virtual channel a NIC takes.
    pub injection: Injection,
    /// How long a rank is busy after a receive before it computes or ends; a send that follows starts at once.
    pub receive_overhead: Time,
    /// What messages cost the processor of a rank and the NIC.
    pub overheads: Overheads,
    /// In which order it takes the packets of another node; a canonical form says nothing of the usual way.
    #[serde(skip_serializing_if = "Order::is_any")]
    pub order: Order,
}

/// Which of the virtual channels with room for a packet a NIC takes (experiment key `node.injection`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Injection {
    /// They take turns.
    #[default]
    RoundRobin,
    /// The first, as in CAMINOS: packets follow each other on one VC until that has no room.
    First,
}

/// What messages cost the processor of a rank and the NIC: o, O, g and G of the LogGOPS model (Hoefler, Schneider and
/// Lumsdaine 2010). All are zero by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Overheads {
    /// How long a message keeps its sender's processor busy, and its receiver's (o).
    pub message: Time,
    /// How long each byte but the first keeps the sender's processor busy, and the receiver's (O).
    pub byte: Time,
    /// The least time between the beginnings of two messages that a NIC sends, and of two that it receives (g).
    pub gap: Time,
    /// How much longer that is for each byte but the first (G). The receiver's processor is busy for as long.
    pub gap_per_byte: Time,
}

impl Overheads {
    /// No overheads.
    pub const NONE: Self =
        Overheads { message: Time::ZERO, byte: Time::ZERO, gap: Time::ZERO, gap_per_byte: Time::ZERO };

    /// Returns how long the bytes of a message keep its sender's processor busy.
    pub(crate) fn copying(&self, bytes: u64) -> Time {
        all_but_first(bytes, self.byte)
    }

    /// Returns how long a message keeps a NIC from the next one.
    pub(crate) fn gap_after(&self, bytes: u64) -> Time {
        self.gap.saturating_add(all_but_first(bytes, self.gap_per_byte))
    }

    /// Returns how long a message from another node keeps its receiver's processor busy, or one from the same node.
    pub fn receiving(&self, bytes: u64, within_node: bool) -> Time {
        let gap = if within_node { Time::ZERO } else { self.gap_per_byte };
        self.message.saturating_add(all_but_first(bytes, self.byte.max(gap)))
    }
}

/// Returns the time of all bytes of a message but the first.
fn all_but_first(bytes: u64, each: Time) -> Time {
    Time(each.0.saturating_mul(bytes.saturating_sub(1)))
}

impl Default for NodeModel {
    /// Memory of 300 ns and 10 GB/s, eager messages below 64 KiB, and no time in the NIC, with or after a message.
    fn default() -> Self {
        NodeModel {
            memory_latency: Time::from_ns(300),
            memory_bandwidth: BitRate::from_bytes_per_second(10_000_000_000),
            eager_limit: Bytes(64 << 10),
            nic_latency: Time::ZERO,
            injection: Injection::RoundRobin,
            receive_overhead: Time::ZERO,
            overheads: Overheads::NONE,
            order: Order::Any,
        }
    }
}

/// How packets and sleeping channels meet; by default queues are weighed against wakes, the patience is a wake time, and
/// each channel sleeps for itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SleepRules {
    /// How packets choose between outputs that are on and outputs that sleep.
    pub selection: SleepSelection,
    /// A packet whose permitted outputs all sleep requests one more each time it has waited so long; `None` stands for
    /// one wake time of the deepest state that the output's class has.
    pub wake_after: Option<Time>,
    /// The two channels of a link sleep and wake together, as 1000BASE-T's do; otherwise each for itself. An end sees
    /// what the other does a wire's latency later.
    pub both: bool,
}

impl SleepRules {
    /// With [`SleepSelection::LeastDelay`], a sleeping output is woken where the packets that wait take longer than this
    /// part of its time to wake: the time counts so many times. Those that wait are only the beginning of a burst, whose
    /// rest comes while the output wakes.
    pub const QUEUE_WEIGHT: u64 = 4;
}

/// How packets choose between outputs that are on and outputs that sleep (experiment key `power.selection`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SleepSelection {
    /// They take those that are on, and wake one only where none is, or after `wake_after`.
    Awake,
    /// They take those that are on, and wake one more where the packets that wait for these take longer than a quarter
    /// of its time to wake.
    #[default]
    LeastDelay,
    /// They select as if all were on, and wait for the one selected.
    Blind,
}
