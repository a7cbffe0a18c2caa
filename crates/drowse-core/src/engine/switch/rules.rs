//! The rules by which packets and arbiters choose, fixed for a run.

use crate::model::balance::Balance;
use crate::model::config::{Arbitration, Config, Escape, FlowControl, SleepSelection, TrunkChoice};
use crate::model::ids::PortId;
use crate::model::rng::{self, Purpose};
use crate::model::units::Time;
use crate::routing::{self, GridVcs, Router, RoutingKind};
use crate::topology::{Geometry, Network};

use crate::engine::partition::Partition;

use super::layout::Layout;

/// How fast links are compared with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speeds {
    /// All have the same speed.
    Same,
    /// All have the same speed with all lanes on, but links narrow.
    Change,
    /// Classes differ in bandwidth.
    Differ,
}

/// How packets and arbiters choose among permitted outputs.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Packets take the output with the most credits.
    pub most_credits: bool,
    /// Packets request busy outputs, too.
    pub request_busy: bool,
    /// How they choose between outputs that are on and outputs that sleep.
    pub selection: SleepSelection,
    /// Arbiters draw.
    pub draws: bool,
}

impl Choice {
    /// Returns whether packets select only among outputs that are on.
    #[inline]
    pub fn sleep_aware(self) -> bool {
        self.selection != SleepSelection::Blind
    }

    fn new(network: &Network, config: &Config) -> Self {
        Choice {
            most_credits: matches!(network.geometry, Geometry::Levels(_)) && config.routing == RoutingKind::Adaptive,
            request_busy: config.switch.request_busy,
            selection: config.sleep.selection,
            draws: config.switch.arbitration == Arbitration::Random,
        }
    }
}

/// How a packet's output is selected: the more special a configuration, the less there is to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub enum SelectionPath {
    /// By all rules.
    Any,
    /// Packets request outputs that are free and on, outputs take in one packet at a time, and all bandwidths are equal;
    /// arbiters draw, and packets take the output with the most credits: trees with random arbiters.
    Random,
    /// Arbiters draw nothing, packets request outputs that are free and on, and outputs take in one packet at a time: a
    /// packet with one output needs little to choose it.
    One,
    /// `One`, and all bandwidths are equal: a packet with several outputs needs little, too.
    Several,
}

impl SelectionPath {
    /// Returns whether a packet with one output needs little to choose it.
    #[inline]
    pub fn is_simple(self) -> bool {
        self >= SelectionPath::One
    }
}

/// What links do that keeps the switches off the fast path.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct LinkFeatures {
    /// Some channel may sleep.
    pub may_sleep: bool,
    /// Some links narrow.
    pub narrow: bool,
    /// The two channels of a link sleep together, or some channel waits for several packets before it wakes.
    pub tied: bool,
    /// Some trunk is governed.
    pub governed: bool,
    /// Somebody asks why packets wait.
    pub probed: bool,
}

/// The rules of the switches of a shard.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is computed once from several settings, and read by itself")]
pub struct Rules<'a> {
    /// How packets find their route.
    pub router: Router<'a>,
    /// How they choose among permitted outputs.
    pub choice: Choice,
    /// A head keeps to one of its permitted outputs ([`Balance`](crate::model::balance::Balance)).
    pub balanced: bool,
    /// Heads decide at switches: on their route, or which output they take.
    pub decides: bool,
    /// What heads that wait for an output ask of it counts, whether channels may sleep or not.
    pub counts_waiting: bool,
    /// How arbiters choose.
    pub arbitration: Arbitration,
    /// The seeds of the switches' arbiters where these draw, otherwise empty.
    pub draws: Vec<u64>,
    /// Flits that an input port holds, or the queues of an output.
    pub room: u64,
    /// Flits in a queue at most.
    pub most_queued: u64,
    /// Flits of a full packet.
    pub packet_flits: u16,
    /// The virtual channels on which a bubble keeps rings from filling up, one bit each.
    pub bubble: u8,
    /// The ring of each port's channel, where there is such a bubble.
    pub rings: Vec<u8>,
    /// The place of each port within its trunk; empty where it does not matter which link of a trunk a packet takes.
    pub places: Vec<u16>,
    /// How a packet's output is selected.
    pub selection: SelectionPath,
    /// Arbiters serve the port or queue that they have served least recently, and an input port has one queue for each virtual
    /// channel, and one read port.
    pub usual_arbiters: bool,
    /// The usual configuration: [simple](SelectionPath::is_simple), with `usual_arbiters`; masks of one word; no links
    /// that narrow, are [tied](LinkFeatures::tied) or governed. The hot path is compiled a second time for it.
    pub fast_path: bool,
    /// A head that has been blocked on all of its outputs stays so until one of them is woken, and need not be examined
    /// to say why it waits: `Several` or `Random`, room is told by credits, and all of its outputs neither go off at once
    /// nor are [tied](LinkFeatures::tied).
    pub stays_blocked: bool,
    /// Virtual channels by which every head that waits for an output may take it, one bit each; none where they differ.
    pub shared_vcs: u8,
    /// `stays_blocked`, arbiters rank by their last grants, and the outputs of a switch fit into one word: heads that would lose for
    /// certain [are not examined](super::contend).
    pub skips_losers: bool,
    /// Some channel may sleep.
    pub may_sleep: bool,
    /// Whether a fast output may run ahead of a slow input.
    pub speeds: Speeds,
    /// A packet comes to a switch with its last bit.
    pub stores: bool,
    /// How long ports stay idle after a packet, in picoseconds.
    pub allocation_gap: u64,
}

impl<'a> Rules<'a> {
    /// Takes the rules of a run for a partition.
    pub fn new(
        network: &'a Network,
        config: &Config,
        partition: &Partition,
        layout: &Layout,
        links: LinkFeatures,
    ) -> Self {
        let (choice, bubble) = (Choice::new(network, config), bubble(network, config));
        let stores = config.switch.stores();
        // No output runs ahead of what has come as a whole.
        let speeds = if stores { Speeds::Same } else { speeds(config, links.narrow) };
        let ports = || partition.all_ports.iter();
        let places = match config.switch.trunks {
            TrunkChoice::Balanced => Vec::new(),
            TrunkChoice::Packed => {
                let places = network.trunk_places();
                ports().map(|port| places[port as usize]).collect()
            }
        };
        let ignores_sleep = links.may_sleep && config.sleep.selection == SleepSelection::Blind;
        let one_way = config.switch.output_queues().is_none_or(|queues| queues.paths == 1);
        let free_and_on = one_way && !ignores_sleep && !choice.request_busy && bubble == 0;
        let usual = free_and_on && speeds == Speeds::Same;
        let balanced = !config.switch.balance.is_adaptive();
        let selection = match (choice.draws, free_and_on, usual) {
            (false, _, true) => SelectionPath::Several,
            (false, true, false) => SelectionPath::One,
            (true, _, true) if choice.most_credits && !balanced => SelectionPath::Random,
            _ => SelectionPath::Any,
        };
        let single_route = routing::has_single_route(network, config.routing);
        let stays_blocked = usual
            && config.switch.flow_control == FlowControl::Credits
            && !(links.tied || links.probed)
            // One port of each trunk is always on, and those of grids are taken whole.
            && (!links.governed || matches!(network.geometry, Geometry::Grid(_)))
            && !single_route
            && !balanced;
        let by_last_grants =
            matches!(config.switch.arbitration, Arbitration::LeastRecentlyServed | Arbitration::RoundRobin);
        let usual_arbiters = config.switch.arbitration == Arbitration::LeastRecentlyServed
            && config.switch.output_queues().is_none()
            && !layout.by_output()
            && layout.speedup == 1;
        let room = match (config.switch.output_queues(), config.switch.flow_control) {
            (Some(queues), _) => queues.room_flits,
            (None, FlowControl::Credits) => config.switch.buffer_flits,
            // A sender knows only which virtual channels pause.
            (None, FlowControl::Pause(_)) => config.switch.packet_flits,
            (None, FlowControl::Drop | FlowControl::Trim) => u16::MAX,
        };
        let most_queued = match config.switch.flow_control {
            FlowControl::Credits | FlowControl::Drop | FlowControl::Trim => room.max(config.switch.buffer_flits).into(),
            FlowControl::Pause(_) => u32::MAX.into(),
        };
        let arbiters = if choice.draws { partition.all_switches() as u32 } else { 0 };
        // Those of output queues are numbered from the other end, by port.
        let entity = |switch: u32| match switch.checked_sub(partition.switches.count()) {
            Some(port) => u32::MAX - partition.all_ports.whole(port),
            None => partition.switches.whole(switch),
        };
        let draws = |switch| rng::entity_seed(config.seed, Purpose::Arbitration, entity(switch));
        Rules {
            router: Router::new(network, config),
            choice,
            balanced,
            decides: config.routing.decides() || balanced,
            counts_waiting: config.routing.decides() || config.switch.balance == Balance::SprayQueue,
            arbitration: config.switch.arbitration,
            draws: (0..arbiters).map(draws).collect(),
            room: u64::from(room) * u64::from(config.switch.vcs.total()),
            most_queued,
            packet_flits: config.switch.packet_flits,
            bubble,
            rings: if bubble == 0 { Vec::new() } else { ports().map(|p| routing::ring(network, PortId(p))).collect() },
            places,
            selection,
            usual_arbiters,
            fast_path: selection.is_simple()
                && usual_arbiters
                && layout.words == 1
                && speeds != Speeds::Change
                && !stores
                && !config.counts_packets()
                && config.transport.is_none()
                && config.switch.allocation_gap == Time::ZERO
                && config.switch.flow_control == FlowControl::Credits
                && !(links.tied || links.governed),
            stays_blocked,
            shared_vcs: shared_vcs(network, config),
            skips_losers: stays_blocked && by_last_grants && layout.reader_bits <= 6 && network.radix() <= 64,
            may_sleep: links.may_sleep,
            speeds,
            stores,
            allocation_gap: config.switch.allocation_gap.0,
        }
    }
}

fn speeds(config: &Config, narrow: bool) -> Speeds {
    let first = config.classes.first().map(|class| class.bandwidth);
    let differ = config.classes.iter().any(|class| Some(class.bandwidth) != first);
    match (differ, narrow) {
        (true, _) => Speeds::Differ,
        (false, true) => Speeds::Change,
        (false, false) => Speeds::Same,
    }
}

/// Returns the virtual channels by which every head that waits for an output may take it.
fn shared_vcs(network: &Network, config: &Config) -> u8 {
    // What waits in the queues of an output goes on by its own virtual channel.
    if config.switch.output_queues().is_some() {
        return 0;
    }
    match (&network.geometry, config.routing) {
        // The escape goes by one of the adaptive outputs.
        (Geometry::Grid(_), RoutingKind::Adaptive) => GridVcs::new(config.switch.vcs, config.switch.escape).adaptive,
        (Geometry::Levels(_), _) => u8::MAX,
        _ => 0,
    }
}

/// Returns the virtual channels on which a bubble keeps rings from filling up.
fn bubble(network: &Network, config: &Config) -> u8 {
    match (&network.geometry, config.switch.escape) {
        (Geometry::Grid(_), Escape::Bubble) => GridVcs::new(config.switch.vcs, Escape::Bubble).escape(),
        _ => 0,
    }
}
