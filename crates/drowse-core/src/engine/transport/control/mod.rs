//! How a sender decides how much it may send to a node: a file for each kind of congestion control.
//!
//! All of it is integers, and a function of what the node has sent and what has come for it, in order of time. Nothing
//! happens by itself: what a rate has risen by since it was last asked is computed then.

mod becn;
mod credit;
mod dcqcn;
mod none;
mod nscc;
mod window;

use crate::model::transport::Control;
use crate::model::units::BitRate;

/// What a sender knows of its way to a node.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// The bandwidth of its node's link.
    pub rate: BitRate,
    /// The bytes of a full packet.
    pub packet: u64,
    /// The round trip of a full packet and its acknowledgement in an idle network, in picoseconds.
    pub round_trip: u64,
}

impl Way {
    /// Returns the bytes that fill the way there and back: the product of bandwidth and round trip.
    pub fn product(&self) -> u64 {
        let bits = u128::from(self.rate.0) * u128::from(self.round_trip) / 1_000_000_000_000;
        u64::try_from(bits / 8).unwrap_or(u64::MAX).max(self.packet)
    }
}

/// What an acknowledgement tells a sender.
#[derive(Clone, Copy, Debug)]
pub struct Acked {
    /// When it has come.
    pub t: u64,
    /// The bytes that have come since the last one.
    pub bytes: u64,
    /// How long packet and acknowledgement took; without the time in which links woke, if that does not count.
    pub round_trip: u64,
    /// The packet was marked.
    pub marked: bool,
    /// Bytes that are still on their way.
    pub in_flight: u64,
}

/// What a sender has sent to a node.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    /// Bytes in all.
    pub sent: u64,
    /// Bytes that are acknowledged.
    pub acked: u64,
}

impl Sent {
    /// Returns the bytes that are not acknowledged.
    pub fn in_flight(self) -> u64 {
        self.sent.saturating_sub(self.acked)
    }

    /// Returns whether a packet fits a window. One packet may be on its way whatever the window.
    fn fits(self, bytes: u64, window: u64) -> bool {
        self.in_flight() == 0 || self.in_flight().saturating_add(bytes) <= window
    }
}

/// A kind of congestion control, of one sender for one node.
trait Steer: Sized {
    /// Prepares it, if it is what is configured.
    fn new(control: &Control, way: &Way) -> Option<Self>;

    /// Returns whether a packet of so many bytes may be sent.
    fn may_send(&self, _sent: Sent, _bytes: u64) -> bool {
        true
    }

    /// Returns how many bytes may be sent in all, as far as it knows without its receiver; 0 where that does not matter.
    fn allowed(&self) -> u64 {
        0
    }

    /// A packet of so many bytes leaves at time `t`: returns how long after that the next one may.
    fn gap(&mut self, _bytes: u64, _t: u64) -> u64 {
        0
    }

    /// The sender has something again after all had been acknowledged.
    fn begin(&mut self, _sent: Sent) {}

    /// An acknowledgement has come.
    fn acked(&mut self, _acked: &Acked) {}

    /// A notification of marked packets has come.
    fn notified(&mut self, _t: u64) {}

    /// So many bytes are known to be lost.
    fn lost(&mut self, _bytes: u64) {}

    /// So many bytes may be sent in all.
    fn credited(&mut self, _bytes: u64) {}

    /// Returns how often it has slowed down.
    fn cuts(&self) -> u64 {
        0
    }
}

/// Makes the list of kinds.
macro_rules! kinds {
    ($($kind:ident: $steer:ty,)*) => {
        /// A kind, whichever it is.
        #[derive(Debug)]
        pub enum Steering {
            $(
                #[doc = concat!("[`", stringify!($steer), "`].")]
                $kind(Box<$steer>),
            )*
        }

        impl Steering {
            /// Prepares what is configured.
            pub fn new(control: &Control, way: &Way) -> Option<Self> {
                None$(.or_else(|| <$steer as Steer>::new(control, way).map(|kind| Steering::$kind(Box::new(kind)))))*
            }

            /// Returns whether a packet of so many bytes may be sent.
            pub fn may_send(&self, sent: Sent, bytes: u64) -> bool {
                match self { $(Steering::$kind(kind) => kind.may_send(sent, bytes),)* }
            }

            /// Returns how many bytes may be sent in all, as far as it knows without its receiver.
            pub fn allowed(&self) -> u64 {
                match self { $(Steering::$kind(kind) => kind.allowed(),)* }
            }

            /// Lets a packet of so many bytes leave at time `t`; returns how long after that the next one may.
            pub fn gap(&mut self, bytes: u64, t: u64) -> u64 {
                match self { $(Steering::$kind(kind) => kind.gap(bytes, t),)* }
            }

            /// Notes that there is something to send again after all had been acknowledged.
            pub fn begin(&mut self, sent: Sent) {
                match self { $(Steering::$kind(kind) => kind.begin(sent),)* }
            }

            /// Takes in an acknowledgement.
            pub fn acked(&mut self, acked: &Acked) {
                match self { $(Steering::$kind(kind) => kind.acked(acked),)* }
            }

            /// Takes in a notification of marked packets.
            pub fn notified(&mut self, t: u64) {
                match self { $(Steering::$kind(kind) => kind.notified(t),)* }
            }

            /// Takes in that so many bytes are lost.
            pub fn lost(&mut self, bytes: u64) {
                match self { $(Steering::$kind(kind) => kind.lost(bytes),)* }
            }

            /// Takes in the right to send so many bytes in all.
            pub fn credited(&mut self, bytes: u64) {
                match self { $(Steering::$kind(kind) => kind.credited(bytes),)* }
            }

            /// Returns how often it has slowed down.
            pub fn cuts(&self) -> u64 {
                match self { $(Steering::$kind(kind) => kind.cuts(),)* }
            }
        }
    };
}

kinds! {
    None: none::Freely,
    Window: window::FixedWindow,
    Dcqcn: dcqcn::Rate,
    Nscc: nscc::Signalled,
    Credit: credit::Credit,
    Becn: becn::Gaps,
}
