//! What the check says.

/// What the check has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No packets can wait in a circle.
    Proven(Proof),
    /// These channels depend on each other, each on the next, the last on the first.
    Circle(Vec<Waiting>),
    /// At a switch, packets have no escape output, or one that leads them no nearer to their destination.
    Stray {
        /// The switch where they are.
        at: u32,
        /// The switch where they go.
        to: u32,
    },
}

/// What a proof rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Virtual channels of trunks that packets may ask for, adaptive ones left out.
    pub channels: u64,
    /// Pairs of them, the second of which a packet may ask for at the end of the first.
    pub dependencies: u64,
    /// Channels of the longest chain, each of which depends on the next; dependencies over adaptive channels count,
    /// too.
    pub longest: u32,
    /// Rings that a bubble keeps from filling up; each counts as one channel of a chain.
    pub bubbles: u64,
}

/// A channel of a circle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The switch that sends on it.
    pub switch: u32,
    /// The first port of the trunk, relative to the switch's first.
    pub port: u32,
    /// The virtual channel.
    pub vc: u8,
    /// The switch that it leads to.
    pub leads_to: u32,
    /// The switch of a destination, packets to which ask for the next channel while they hold this one, or after
    /// adaptive hops from it.
    pub packets_to: u32,
}
