//! Names of things: small integers with a type.

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// Returns the position in tables that are indexed by this id.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// Names a compute node, from 0.
    NodeId
);
id!(
    /// Names a switch, from 0.
    SwitchId
);
id!(
    /// Names a switch port in the whole network; the ports of one switch follow each other.
    PortId
);
id!(
    /// Names a channel, one direction of a link.
    ///
    /// Channel `p` below the number of ports leaves switch port `p`; channel `ports + n` is the injection channel of
    /// node `n`. So a sender and the channel that it feeds share a number.
    ChannelId
);
