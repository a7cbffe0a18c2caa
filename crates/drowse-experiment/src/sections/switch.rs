//! `[switch]`: clock, sizes, buffers, virtual channels and the time through a switch.

use drowse_core::model::balance::{FlowOf, HashSeeds};
use drowse_core::model::config::{
    Arbitration, Escape, FlowControl, Forwarding, OutputQueues, Queues, SwitchModel, TrunkChoice, VirtualChannels,
};
use drowse_core::model::units::{Bytes, Duration, Time};
use drowse_core::routing::{NeededVcs, RoutingKind, low_diameter, needed_vcs};
use drowse_core::topology::grid::Grid;
use drowse_core::topology::{Geometry, Network};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::node::Node;

use super::balance::{self, BalanceRule};
use super::flow_control::{FlowRule, Written};
use super::marking::MarkingKeys;

/// The switches, and how long a packet needs through one.
pub struct Resolved {
    pub model: SwitchModel,
    /// How senders know of room; in the model all count credits.
    pub flow_control: Written,
    /// Cycles of pipeline and allocator.
    pub cycles: u64,
    /// The time of a whole hop, where it was given instead of the cycles.
    pub hop_latency: Option<Time>,
}

/// The switches, with queues at their inputs, flow control and virtual channels (VCs).
#[derive(Deserialize, JsonSchema, Default)]
#[serde(deny_unknown_fields)]
pub struct Switch {
    /// Period of the clock. Switches grant outputs at its edges.
    #[schemars(extend("default" = "1.6 ns"))]
    clock: Option<Time>,
    /// Size of a flit, the unit of buffers and credits.
    #[schemars(extend("default" = "16 B"))]
    flit: Option<Bytes>,
    /// Size of a full packet: a whole number of flits.
    #[schemars(extend("default" = "128 B"))]
    packet: Option<Bytes>,
    /// Size of the buffer of an input port. Its virtual channels share it evenly; each must hold a packet.
    #[schemars(extend("default" = "16 KiB"))]
    buffer: Option<Bytes>,
    /// How the sender of a link knows that the next input port has room.
    #[schemars(extend("default" = "credits"))]
    flow_control: Option<FlowRule>,
    /// What a VC holds when it lets its sender pause, with `flow_control = "pause"`. The rest of the VC's buffer is for
    /// what comes until the sender does. Default: as much as that leaves.
    #[schemars(extend("examples" = ["16 KiB"]))]
    xoff: Option<Bytes>,
    /// What a VC holds when its sender may go on, with `flow_control = "pause"`. Default: a packet less than `xoff`.
    #[schemars(extend("examples" = ["8 KiB"]))]
    xon: Option<Bytes>,
    /// Virtual channels of a port by purpose, at most 8 in all. Each topology and routing uses certain purposes.
    #[schemars(extend("examples" = [{ "adaptive": 2, "escape": 2 }]))]
    vcs: Option<Vcs>,
    /// How packets on the escape VCs of a ring cannot wait for each other in a circle.
    #[schemars(extend("default" = "dateline"))]
    escape: Option<Escape>,
    /// How arbiters choose, and how long they take.
    allocator: Option<Allocator>,
    /// Cycles that a head takes through the switch beside allocation.
    #[schemars(extend("default" = 20))]
    pipeline: Option<u32>,
    /// Whole time of a hop, from the grant to the head at the other end of the wire. It stands for `pipeline` and
    /// `allocator.latency`. Default: the cycles of both and the latency of the link.
    #[schemars(extend("examples" = ["50 ns"]))]
    hop_latency: Option<Duration>,
    /// Packets that an input port can send at a time: 1 to its number of VCs.
    #[schemars(extend("default" = 1), range(min = 1, max = 8))]
    input_speedup: Option<u8>,
    /// Which packets at an input port wait behind each other.
    #[schemars(extend("default" = "input"))]
    queues: Option<QueueRule>,
    /// Size of the queues of an output port, with `queues = "output"`. Its virtual channels share it evenly; each must
    /// hold a packet. Default: as `buffer`.
    #[schemars(extend("examples" = ["8 KiB"]))]
    output_buffer: Option<Bytes>,
    /// How many times as fast as a link a switch brings packets to the queues of its output, with `queues = "output"`.
    #[schemars(extend("default" = 2), range(min = 1, max = 64))]
    speedup: Option<u16>,
    /// How many packets an output takes into its queues at a time, with `queues = "output"`: 1 to its number of VCs.
    #[schemars(extend("default" = 1), range(min = 1, max = 8))]
    output_speedup: Option<u8>,
    /// When a packet that comes to a switch may go on.
    #[schemars(extend("default" = "cut-through"))]
    forwarding: Option<Forwarding>,
    /// Which of the parallel links of a trunk a packet takes.
    #[schemars(extend("default" = "balanced"))]
    trunks: Option<TrunkChoice>,
    /// How a packet chooses among the outputs that routing permits: parallel links, up-links, minimal paths.
    #[schemars(extend("default" = "adaptive"))]
    balance: Option<BalanceRule>,
    /// How long no packet of a flow comes to a switch until the next one begins a flowlet, with `balance = "flowlet"`.
    #[schemars(extend("default" = "10 us"))]
    flowlet_gap: Option<Time>,
    /// What one flow is, with `balance = "flow-hash"` or `"flowlet"`.
    #[schemars(extend("default" = "pair"))]
    flow: Option<FlowOf>,
    /// By which seeds switches hash flows, with `balance = "flow-hash"` or `"flowlet"`.
    #[schemars(extend("default" = "own"))]
    hash_seeds: Option<HashSeeds>,
    /// When packets are marked, for `transport.control`. Default: never.
    #[schemars(extend("examples" = [{ "kmin": "400 kB", "kmax": "1600 kB", "pmax": 0.2 }]))]
    marking: Option<MarkingKeys>,
    /// Whether the last packet of a message is filled up to the length of the others.
    #[schemars(extend("default" = false))]
    padding: Option<bool>,
}

/// Virtual channels of a port, by purpose.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Vcs {
    /// VCs for any minimal output of a torus, mesh or hypercube. Default: 2 with adaptive routing, else 0.
    #[schemars(range(max = 8))]
    adaptive: Option<u8>,
    /// VCs for the escape path of a torus, mesh or hypercube; an even number where a dateline splits them.
    #[schemars(extend("default" = 2), range(max = 8))]
    escape: Option<u8>,
    /// VCs of trees, for any packet; on low-diameter networks, more VCs beside those of hops, used from and to nodes only.
    /// Default: 1 on trees, else 0.
    #[schemars(range(max = 8))]
    any: Option<u8>,
    /// VCs of low-diameter networks and graphs, dealt out evenly to the hops of the longest route. Default: one for
    /// each hop.
    #[schemars(range(max = 8))]
    hop: Option<u8>,
}

/// Which packets at an input port wait behind each other.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum QueueRule {
    /// Those of one VC: a packet whose output is busy blocks those behind it.
    Input,
    /// Those of one VC with the same output. They share the VC's buffer, and the input port serves them in turn.
    VirtualOutput,
    /// Those of one VC, until the switch has brought them into a queue at their output, from which the link takes them.
    Output,
}

/// The allocator of a switch.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Allocator {
    /// How arbiters choose.
    #[schemars(extend("default" = "least-recently-served"))]
    kind: Option<Arbitration>,
    /// Cycles that an allocation takes.
    #[schemars(extend("default" = 5))]
    latency: Option<u32>,
    /// Whether packets also ask for outputs that are busy, and choose anew at each clock edge at which one is free.
    #[schemars(extend("default" = false))]
    request_busy: Option<bool>,
    /// Whether the next packet of a port is allocated while one is sent. If not, input and output ports of a switch stay idle
    /// for `latency` cycles after each packet.
    #[schemars(extend("default" = true))]
    overlap: Option<bool>,
}

/// Reads the section; which virtual channels are needed depends on routing and network.
pub fn resolve(
    node: Option<Node<'_>>,
    keys: &Keys,
    routing: RoutingKind,
    network: &Network,
) -> Result<Resolved, Diagnostic> {
    let raw: Switch = node.map(|node| node.read(keys)).transpose()?.unwrap_or_default();
    let usual = SwitchModel::default();
    let clock = raw.clock.unwrap_or(usual.clock);
    if clock == Time::ZERO {
        return Err(keys.error("switch.clock", "`switch.clock` is zero", "write the period, such as \"1.6 ns\""));
    }
    let escape = raw.escape.unwrap_or_default();
    let vcs = virtual_channels(raw.vcs.as_ref(), escape, keys, routing, network)?;
    let flit = raw.flit.unwrap_or(usual.flit);
    let packet_flits =
        packet_flits(raw.packet.unwrap_or(Bytes(u64::from(usual.packet_flits) * usual.flit.0)), flit, keys)?;
    let buffer = raw.buffer.unwrap_or(SwitchModel::BUFFER);
    let buffer_flits = buffer_flits("switch.buffer", buffer, (flit, packet_flits), vcs, keys)?;
    let allocator = raw.allocator.as_ref();
    let allocation = u64::from(allocator.and_then(|allocator| allocator.latency).unwrap_or(SwitchModel::ALLOCATION));
    let cycles = u64::from(raw.pipeline.unwrap_or(SwitchModel::PIPELINE)) + allocation;
    let arbitration = allocator.and_then(|allocator| allocator.kind).unwrap_or_default();
    let hop_latency = raw.hop_latency.map(|hop| hop_time(keys, "switch.hop_latency", hop, clock)).transpose()?;
    let input_speedup = at_a_time("switch.input_speedup", raw.input_speedup, vcs, keys)?;
    let request_busy = allocator.and_then(|allocator| allocator.request_busy).unwrap_or(false);
    let trunks = raw.trunks.unwrap_or_default();
    let (rule, gap, flow, seeds) = (raw.balance, raw.flowlet_gap, raw.flow, raw.hash_seeds);
    let balance = balance::Written { rule, gap, flow, seeds }.balance(keys)?;
    let marking = raw.marking.map(|marking| marking.resolve(keys)).transpose()?;
    let queues = match raw.queues {
        Some(QueueRule::Output) => Queues::Output(output_queues(&raw, buffer, (flit, packet_flits), vcs, keys)?),
        Some(QueueRule::VirtualOutput) => Queues::VirtualOutput,
        Some(QueueRule::Input) | None => Queues::Input,
    };
    check_output_keys(&raw, queues, keys)?;
    let allocation_gap = allocation_gap(&raw, allocation.saturating_mul(clock.0), queues, keys)?;
    let flow_control = Written::new(raw.flow_control, raw.xoff, raw.xon, keys)?;
    let forwarding = raw.forwarding.unwrap_or_default();
    let padding = raw.padding.unwrap_or(false);
    let model = SwitchModel {
        clock,
        flit,
        packet_flits,
        vcs,
        buffer_flits,
        flow_control: FlowControl::Credits,
        input_speedup,
        queues,
        forwarding,
        escape,
        arbitration,
        request_busy,
        allocation_gap,
        trunks,
        balance,
        marking,
        padding,
    };
    check_bubble(&model, keys, network)?;
    check_queues(&model, keys, network)?;
    Ok(Resolved { model, flow_control, cycles, hop_latency })
}

/// The longest time between two packets, in picoseconds.
const LONGEST_ALLOCATION: u64 = 1_000_000_000_000;

/// Returns how long ports stay idle after a packet, which takes so many picoseconds to allocate.
fn allocation_gap(raw: &Switch, takes: u64, queues: Queues, keys: &Keys) -> Result<Time, Diagnostic> {
    let overlaps = raw.allocator.as_ref().and_then(|allocator| allocator.overlap).unwrap_or(true);
    match (overlaps, queues) {
        (true, _) => Ok(Time::ZERO),
        (false, _) if takes > LONGEST_ALLOCATION => {
            let message = "an allocation takes more than a second";
            Err(keys.error("switch.allocator.latency", message, "write fewer cycles, or a faster clock"))
        }
        (false, Queues::Input | Queues::VirtualOutput) => Ok(Time(takes)),
        (false, Queues::Output(_)) => {
            let key = "switch.allocator.overlap";
            let message = "queues at outputs take packets in while others are sent";
            Err(keys.error(key, message, "leave it out, or write queues = \"input\""))
        }
    }
}

/// Returns the time of a duration that may be in cycles.
pub fn hop_time(keys: &Keys, path: &str, duration: Duration, clock: Time) -> Result<Time, Diagnostic> {
    let time = duration
        .time(clock)
        .ok_or_else(|| keys.error(path, format!("`{path}` is too long"), "write a smaller number of cycles"))?;
    super::repeated(keys, path, time)
}

/// Checks how many packets an input port can send at a time, or an output take in; one by default.
fn at_a_time(key: &str, written: Option<u8>, vcs: VirtualChannels, keys: &Keys) -> Result<u8, Diagnostic> {
    let packets = written.unwrap_or(1);
    if (1..=vcs.total()).contains(&packets) {
        return Ok(packets);
    }
    let help = format!("write 1 to {}, the number of VCs of a port", vcs.total());
    Err(keys.error(key, format!("`{key}` = {packets} is out of range"), help))
}

/// Returns the flits of a full packet.
fn packet_flits(packet: Bytes, flit: Bytes, keys: &Keys) -> Result<u16, Diagnostic> {
    if flit.0 == 0 {
        return Err(keys.error("switch.flit", "`switch.flit` is zero", "write the size of a flit, such as \"16 B\""));
    }
    if packet.0 == 0 || !packet.0.is_multiple_of(flit.0) {
        let message = format!("a packet of {} B is no whole number of flits of {} B", packet.0, flit.0);
        return Err(keys.error("switch.packet", message, "make packet a multiple of flit"));
    }
    u16::try_from(packet.0 / flit.0).map_err(|_| {
        let message = format!("a packet of {} B has {} flits", packet.0, packet.0 / flit.0);
        keys.error(
            "switch.packet",
            message,
            format!("the most is {} flits; make flit larger or packet smaller", u16::MAX),
        )
    })
}

/// Checks that packets can enter a ring by the bubble rule, and that the room that they leave there is room for any
/// other.
fn check_bubble(switch: &SwitchModel, keys: &Keys, network: &Network) -> Result<(), Diagnostic> {
    let rings = matches!(&network.geometry, Geometry::Grid(grid) if grid.wraps.contains(&true));
    if switch.escape != Escape::Bubble || !rings {
        return Ok(());
    }
    let (packet, count) = (switch.packet_flits, switch.vcs.total());
    let inputs = ("switch.buffer", switch.buffer_flits);
    let outputs = switch.output_queues().map(|queues| ("switch.output_buffer", queues.room_flits));
    for (key, room) in [inputs].into_iter().chain(outputs) {
        if room / 2 < packet {
            let message = format!("a buffer of {room} flits in each VC has no room for a bubble");
            let least = 2 * u64::from(packet) * u64::from(count) * switch.flit.0;
            let help = format!("{count} VCs with two packets of {packet} flits each need at least {least} B");
            return Err(keys.error(key, message, help));
        }
    }
    if !switch.padding {
        let message = "a bubble keeps rings from filling up only where all packets are as long";
        let help = "write switch.padding = true, which fills the last packet of a message, or escape = \"dateline\"";
        return Err(keys.error("switch.escape", message, help));
    }
    Ok(())
}

/// Checks that the queues of a switch can be numbered.
fn check_queues(switch: &SwitchModel, keys: &Keys, network: &Network) -> Result<(), Diagnostic> {
    let radix = network.radix();
    let queues = switch.queues_of_switch(radix);
    if switch.queues != Queues::VirtualOutput || queues <= SwitchModel::MOST_QUEUES {
        return Ok(());
    }
    let message = format!("a switch of {radix} ports has {queues} queues, with ports rounded up to a power of two");
    let most = SwitchModel::MOST_QUEUES;
    let help = format!("the most is {most}: write queues = \"input\", or give the switches fewer ports or VCs");
    Err(keys.error("switch.queues", message, help))
}

/// Reads what belongs to queues at outputs.
fn output_queues(
    raw: &Switch,
    buffer: Bytes,
    packet: (Bytes, u16),
    vcs: VirtualChannels,
    keys: &Keys,
) -> Result<OutputQueues, Diagnostic> {
    /// Crossbars are built for two or four packets a link's time, not for more than a switch has ports.
    const MOST: u16 = 64;
    let speedup = raw.speedup.unwrap_or(2);
    if !(1..=MOST).contains(&speedup) {
        let message = format!("`switch.speedup` = {speedup} is out of range");
        return Err(keys.error("switch.speedup", message, format!("write 1 to {MOST}")));
    }
    let room = raw.output_buffer.unwrap_or(buffer);
    let room_flits = buffer_flits("switch.output_buffer", room, packet, vcs, keys)?;
    let paths = at_a_time("switch.output_speedup", raw.output_speedup, vcs, keys)?;
    Ok(OutputQueues { room_flits, speedup, paths })
}

/// Refuses what says nothing without queues at outputs.
fn check_output_keys(raw: &Switch, queues: Queues, keys: &Keys) -> Result<(), Diagnostic> {
    let has = [
        ("switch.output_buffer", raw.output_buffer.is_some()),
        ("switch.speedup", raw.speedup.is_some()),
        ("switch.output_speedup", raw.output_speedup.is_some()),
    ];
    match (queues, has.into_iter().find(|(_, has)| *has)) {
        (Queues::Input | Queues::VirtualOutput, Some((key, _))) => {
            let message = format!("`{key}` belongs to queues at outputs, which these switches do not have");
            Err(keys.error(key, message, "write queues = \"output\", or leave it out"))
        }
        _ => Ok(()),
    }
}

/// Splits the buffer of a port over its virtual channels; flits that do not split evenly stay unused.
fn buffer_flits(
    key: &str,
    buffer: Bytes,
    (flit, packet): (Bytes, u16),
    vcs: VirtualChannels,
    keys: &Keys,
) -> Result<u16, Diagnostic> {
    let each = buffer.0 / flit.0 / u64::from(vcs.total());
    let count = vcs.total();
    if each < u64::from(packet) {
        let message = format!("a buffer of {} B has no room for a packet in each VC", buffer.0);
        let least = u64::from(packet) * u64::from(count) * flit.0;
        let help = format!("{count} VCs with a packet of {packet} flits each need at least {least} B");
        return Err(keys.error(key, message, help));
    }
    u16::try_from(each).map_err(|_| {
        let message = format!("a buffer of {} B gives each of {count} VCs {each} flits", buffer.0);
        let most = u64::from(u16::MAX) * u64::from(count) * flit.0;
        keys.error(key, message, format!("the most is {} flits each: give at most {most} B", u16::MAX))
    })
}

/// Checks that there are the virtual channels that the routing uses, and no others.
fn virtual_channels(
    raw: Option<&Vcs>,
    escape: Escape,
    keys: &Keys,
    routing: RoutingKind,
    network: &Network,
) -> Result<VirtualChannels, Diagnostic> {
    if matches!(network.geometry, Geometry::Ideal(_)) {
        // There are no channels, real or virtual; what is written for another network does no harm.
        return Ok(VirtualChannels::any(1));
    }
    if let Some(longest) = low_diameter::longest(network, routing) {
        return hop_channels(raw, keys, routing, longest, network);
    }
    match (&network.geometry, needed_vcs(network, routing)) {
        (Geometry::Grid(grid), _) => grid_channels(raw, escape, keys, routing, grid),
        (_, NeededVcs::Lanes(lanes)) => lane_channels(raw, keys, lanes),
        _ => any_channels(raw, keys),
    }
}

/// Checks the virtual channels of forwarding tables that tell which lane a packet takes.
fn lane_channels(raw: Option<&Vcs>, keys: &Keys, lanes: u32) -> Result<VirtualChannels, Diagnostic> {
    let help = format!("the tables use {lanes} virtual lanes: write vcs = {{ any = {lanes} }}, or leave vcs out");
    refuse_others(raw, &["any"], keys, &help)?;
    let any = raw.and_then(|vcs| vcs.any).unwrap_or(lanes as u8);
    if u32::from(any) < lanes || any > VirtualChannels::MAX {
        return Err(keys.error("switch.vcs.any", format!("`switch.vcs.any` = {any} is out of range"), help));
    }
    Ok(VirtualChannels::any(any))
}

/// Refuses virtual channels of a purpose that the routing has no use for.
fn refuse_others(raw: Option<&Vcs>, used: &[&str], keys: &Keys, help: &str) -> Result<(), Diagnostic> {
    let kinds = raw.map(|vcs| [("adaptive", vcs.adaptive), ("escape", vcs.escape), ("any", vcs.any), ("hop", vcs.hop)]);
    let unused = |(kind, count): &&(&str, Option<u8>)| count.is_some() && !used.contains(kind);
    match kinds.iter().flatten().find(unused) {
        Some((kind, _)) => {
            Err(keys.error(&format!("switch.vcs.{kind}"), format!("packets on this network use no `{kind}` VCs"), help))
        }
        None => Ok(()),
    }
}

fn any_channels(raw: Option<&Vcs>, keys: &Keys) -> Result<VirtualChannels, Diagnostic> {
    let help = "packets cannot wait in a circle here and use any VC: write vcs = { any = 1 }, or more";
    refuse_others(raw, &["any"], keys, help)?;
    let any = raw.and_then(|vcs| vcs.any).unwrap_or(1);
    if !(1..=VirtualChannels::MAX).contains(&any) {
        let help = format!("write 1 to {} VCs of a port", VirtualChannels::MAX);
        return Err(keys.error("switch.vcs.any", format!("`switch.vcs.any` = {any} is out of range"), help));
    }
    Ok(VirtualChannels::any(any))
}

/// Checks the virtual channels of a low-diameter network: one class for each channel that a packet takes, `longest` at
/// most.
fn hop_channels(
    raw: Option<&Vcs>,
    keys: &Keys,
    routing: RoutingKind,
    longest: u32,
    network: &Network,
) -> Result<VirtualChannels, Diagnostic> {
    let name = routing.name();
    let most = u32::from(VirtualChannels::MAX);
    if longest > most {
        let message = format!("{name} routing takes up to {longest} channels here, each on VCs of its own");
        let other = if matches!(network.geometry, Geometry::Graph(_)) { "up-down" } else { "minimal" };
        let help = format!("a port has at most {most} VCs: write another routing, such as \"{other}\"");
        return Err(keys.error("network.routing", message, help));
    }
    let least = longest.max(1);
    let help = format!("write vcs = {{ hop = {least} }}, or leave vcs out");
    refuse_others(raw, &["hop", "any"], keys, &help)?;
    let hop = u32::from(raw.and_then(|vcs| vcs.hop).unwrap_or(least as u8));
    let any = raw.and_then(|vcs| vcs.any).unwrap_or(0);
    if hop == 0 || hop > most || !hop.is_multiple_of(least) {
        let message = format!("{name} routing takes up to {least} channels here, and {hop} VCs do not deal out evenly");
        let help =
            format!("packets take another class of VCs with each hop: write hop = {least}, or a multiple up to {most}");
        return Err(keys.error("switch.vcs.hop", message, help));
    }
    if hop + u32::from(any) > most {
        let message = format!("{hop} VCs of hops and {any} from and to nodes are more than {most}");
        return Err(keys.error("switch.vcs.any", message, format!("write any = {} or less", most - hop)));
    }
    Ok(VirtualChannels { any, ..VirtualChannels::hop(hop as u8) })
}

fn grid_channels(
    raw: Option<&Vcs>,
    rule: Escape,
    keys: &Keys,
    routing: RoutingKind,
    grid: &Grid,
) -> Result<VirtualChannels, Diagnostic> {
    let help = "tori and meshes need VCs by purpose: write vcs = { adaptive = 2, escape = 2 }";
    refuse_others(raw, &["adaptive", "escape"], keys, help)?;
    let default_adaptive = if routing == RoutingKind::Adaptive { 2 } else { 0 };
    let adaptive = raw.and_then(|vcs| vcs.adaptive).unwrap_or(default_adaptive);
    let escape = raw.and_then(|vcs| vcs.escape).unwrap_or(2);
    let refuse = |path: &str, message: &str, help: &str| Err(keys.error(path, message, help));
    if routing == RoutingKind::DimensionOrder && adaptive > 0 {
        let message = "dimension-order routing uses no adaptive VCs";
        return refuse("switch.vcs.adaptive", message, "leave adaptive out, or write network.routing = \"adaptive\"");
    }
    if routing == RoutingKind::Adaptive && adaptive == 0 {
        let message = "adaptive routing needs adaptive VCs";
        return refuse(
            "switch.vcs.adaptive",
            message,
            "give at least 1, or write network.routing = \"dimension-order\"",
        );
    }
    let halves = grid.wraps.contains(&true) && rule == Escape::Dateline;
    if escape == 0 || (halves && !escape.is_multiple_of(2)) {
        let message = format!("{escape} escape VCs do not suffice or do not split");
        let help = if halves {
            "the dateline splits them into two halves: give an even number, at least 2"
        } else {
            "packets need a way without deadlock: give at least 1"
        };
        return refuse("switch.vcs.escape", &message, help);
    }
    if u16::from(adaptive) + u16::from(escape) > u16::from(VirtualChannels::MAX) {
        let message = format!("{adaptive} adaptive and {escape} escape VCs are too many");
        return refuse("switch.vcs", &message, &format!("a port has at most {} VCs", VirtualChannels::MAX));
    }
    Ok(VirtualChannels::grid(adaptive, escape))
}
