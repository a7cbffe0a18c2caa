//! A cap on the power of a network (`kind = "cap"`): a governor divides what the cap leaves among links.
//!
//! **The floor.** Of parallel links between two switches one is always on, and of a link that narrows one lane. All
//! other links, and the switches, draw what they draw. So packets always get on, whatever the governor does, and nothing
//! can deadlock that would not without it. The floor is what all this draws at most; a cap below it is refused before.
//!
//! **The division.** Parallel links, or the lanes of a link, are a *bundle*. When a window ends, switches tell the
//! governor for each bundle that has sent something how long its ports were busy, and how long what waits would keep one
//! port busy. A bundle asks for as many ports as that keeps busy for a share of a window. The governor gives one port
//! after the other to the bundle that has most to do for each port that it has, ties by number, as far as the cap
//! reaches. What nobody asks for stays on where the cap leaves room.
//!
//! **The order.** What a bundle loses, it loses first: a port ends what it sends, enters sleep, and counts until it
//! sleeps. Only then does another one go on, and it counts from the command on. So the sum of what counts is at most
//! the cap at every instant, and the mean over any window is, too. A run begins under the cap: what the cap does not
//! reach sleeps from the start.

mod allotment;
mod bundle;
mod governor;
mod policy;

pub use crate::measure::CapRecord;
pub use bundle::Bundle;
pub(crate) use governor::CapGovernor;
pub use policy::Cap;
