//! The channels of a flow, level by level.

/// A channel of a flow.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The channel.
    pub channel: u32,
    /// How much of the flow goes by it, of [`drowse_flows::DENOMINATOR`].
    pub share: u32,
    /// A step of the level before by which it comes, among all of the flow; its own number where there is none.
    pub input: u32,
}

/// The channels by which a flow goes side by side, as many hops from its node: one, where its route is a path.
#[derive(Clone, Copy, Debug, Default)]
pub struct Level {
    /// The end of its channels among all steps of the flow.
    pub end: u32,
    /// The link class of its channels, the slowest where there are several.
    pub class: u8,
    /// How fast a flow alone may go by all of its channels together.
    pub rate: u64,
    /// Some of its channels may sleep.
    pub sleeps: bool,
    /// When the flow's head goes by it.
    pub at: u64,
    /// When its last bit passes it, once that is known.
    pub gone_at: u64,
    /// Bytes that find room behind its channels while the head waits at the next level.
    pub room: u64,
    /// The rate at which that room comes back as credits, where no message is shorter than it.
    pub returns: u64,
    /// The virtual channels that packets take there.
    pub lanes: u8,
    /// Flits of the flow that are counted on its channels.
    pub sent: u64,
    /// Flits that were to come to its channels when its head went by them, or when it was moved to these.
    pub coming: u64,
    /// Packets choose among several channels.
    pub chooses: bool,
    /// The end, among all of the flow that are kept, of the parts from whose places it was laid.
    pub places: u32,
}
