//! A governor that keeps a bound on the run time of whole programs (`kind = "bounded"`).
//!
//! A program may run longer than with all links on by the share B of its time. Every message carries by how much it is
//! late because links woke: what its sender was late, and its own waits on the way. A rank that waits for a message is
//! late by as much as the message, less what it would have waited anyway. So a rank knows by how much it is later than it
//! would be if no link had to wake, and tells the governor: when it goes on, and while it waits for a message that comes in
//! packets. What the latest rank is late has reached the program.
//!
//! The governor compares that with what may have been lost by now, and allows all channels a share of their time by what
//! is left. Where it is as little as may be lost before a command takes effect, all channels are turned on, and stay so
//! until there is more. No more can be lost than time passes while a message waits, so the bound holds at every moment of
//! the program as far as delays add up along paths of messages. Where packets meet others because of delays, a program may
//! lose more or less than that; an eighth of the bound is kept for it.
//!
//! Each channel chooses by itself which of its idle periods end in sleep, as `PerfBound` does ([`Bounded`]). Reports and
//! commands take the rules' time, and no bandwidth: they are a few bytes each.

mod bounded;
mod machine;

pub use crate::measure::GovernorRecord;
pub use bounded::Bounded;
pub(crate) use machine::Governor;
