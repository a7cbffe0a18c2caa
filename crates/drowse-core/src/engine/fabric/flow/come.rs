//! What has come to a channel, as time that it takes there.

/// What has come to a channel.
#[derive(Clone, Copy, Debug, Default)]
pub struct Come {
    /// When the channel has sent it all, at its bandwidth.
    pub until: u64,
    /// How long it takes for those flows of which it is not known when they leave it.
    pub coming: u64,
}
