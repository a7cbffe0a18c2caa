//! How nodes answer each other's packets, and how that lets them slow down (experiment table `transport`).

use serde::Serialize;

use super::units::{BitRate, Bytes, Time};

/// The transport between nodes: receivers acknowledge packets, and senders keep to what these say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Transport {
    /// How a sender decides how much it may send.
    pub control: Control,
    /// Size of an acknowledgement, and of each other packet without data (`transport.ack`).
    pub ack: Bytes,
    /// The bytes for which one acknowledgement comes (`transport.ack_every`); also at once where the packet is marked, or
    /// its sender asks.
    pub ack_every: Bytes,
    /// Round trips count without the time in which links woke (`transport.grace`): switches stamp it into packets.
    pub grace: bool,
    /// How what is lost is sent again; nothing where nothing is lost (`transport.retransmit` and `timeout`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery: Option<Recovery>,
}

/// How what is lost is sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Recovery {
    /// What is sent again.
    pub retransmit: Retransmit,
    /// A packet is sent again if nothing has come for it for so long.
    pub timeout: Time,
}

/// What is sent again (experiment key `transport.retransmit`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Retransmit {
    /// What is missing.
    #[default]
    Selective,
    /// What is missing and all that was sent after it: receivers take packets in sequence only, as those of RoCE do.
    GoBackN,
}

/// How much a sender may send.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Control {
    /// As much as it has: only packets are acknowledged.
    None,
    /// A fixed number of bytes that are not acknowledged, for each node that it sends to.
    Window(Bytes),
    /// A rate that marked packets lower and that rises by time and by bytes (Zhu et al., SIGCOMM 2015).
    Dcqcn(Dcqcn),
    /// A window that follows marks and the delay of round trips (network signalled congestion control of Ultra Ethernet
    /// 1.0).
    Nscc(Nscc),
    /// What the receiver grants, at its own rate (receiver credit congestion control of Ultra Ethernet 1.0).
    Credit(ReceiverCredit),
    /// Gaps between packets that marked packets widen and that narrow by time (InfiniBand 1.3, annex A10).
    Becn(Becn),
}

impl Control {
    /// Returns the word that selects it in an experiment file (`transport.control.kind`).
    pub const fn name(self) -> &'static str {
        match self {
            Control::None => "none",
            Control::Window(_) => "window",
            Control::Dcqcn(_) => "dcqcn",
            Control::Nscc(_) => "nscc",
            Control::Credit(_) => "credit",
            Control::Becn(_) => "becn",
        }
    }

    /// Returns the least time between two notifications of marked packets that a receiver sends to a node; `None` where it
    /// sends none, and acknowledgements say it.
    pub const fn notifies(self) -> Option<Time> {
        match self {
            Control::Dcqcn(rules) => Some(rules.notify_every),
            Control::Becn(_) => Some(Time::ZERO),
            _ => None,
        }
    }

    /// Returns whether it reacts to marked packets.
    pub const fn sees_marks(self) -> bool {
        matches!(self, Control::Dcqcn(_) | Control::Nscc(_) | Control::Becn(_))
    }
}

/// The parameters of DCQCN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Dcqcn {
    /// A receiver notifies a sender at most so often.
    pub notify_every: Time,
    /// A sender lowers its rate at most so often.
    pub cut_every: Time,
    /// How often the estimate of congestion (alpha) is brought up to date.
    pub alpha_every: Time,
    /// By which power of two alpha moves: its weight g is 1/2^this.
    pub gain_bits: u8,
    /// How often the rate rises by time.
    pub rise_every: Time,
    /// After how many bytes it rises.
    pub rise_bytes: Bytes,
    /// For how many rises it halves its way to the rate before the cut (F).
    pub fast_recoveries: u32,
    /// By what it rises after these.
    pub additive: BitRate,
    /// By what, once time and bytes have both passed F rises.
    pub hyper: BitRate,
    /// The lowest rate.
    pub least: BitRate,
}

/// The parameters of NSCC; all else follows from the round trip and the bandwidth of the node's link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Nscc {
    /// The delay beyond an unloaded round trip that counts as congestion; `None` for three quarters of that round trip.
    pub target: Option<Time>,
}

/// The parameters of credits by receivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ReceiverCredit {
    /// The packets that one credit is for.
    pub packets: u16,
    /// The share of the node's bandwidth that a receiver grants, in billionths.
    pub rate_billionths: u32,
}

/// The parameters of gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Becn {
    /// What a notification adds to the index of a sender's gap.
    pub increase: u16,
    /// The largest index.
    pub limit: u16,
    /// How often an index falls by one.
    pub fall_every: Time,
    /// The gap after a full packet at the largest index; those between are in proportion.
    pub longest_gap: Time,
}

/// When a switch marks a packet: by the bytes that wait for the packet's output (explicit congestion notification, ECN;
/// experiment table `switch.marking`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Marking {
    /// With so many or fewer it marks none.
    pub kmin: Bytes,
    /// Above so many it marks all; between, the chance grows evenly to `pmax`.
    pub kmax: Bytes,
    /// The chance just below `kmax`, in billionths.
    pub pmax_billionths: u32,
    /// When the queue is looked at.
    pub at: MarkAt,
    /// Packets that have waited for an output to wake are marked, too.
    pub waking: bool,
    /// Packets are marked where the output has no credits, too: where congestion is spread, and not at its root.
    pub victims: bool,
}

/// When a switch looks at the queue of a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum MarkAt {
    /// When the packet leaves: the sender learns of the queue as it is now.
    #[default]
    Dequeue,
    /// When the packet comes.
    Enqueue,
}
