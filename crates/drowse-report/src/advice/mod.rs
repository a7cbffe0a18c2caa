//! Advice for an operator: which links may sleep under which policy, what that saves, and what it costs.
//!
//! It is made of result tables alone: cases by flows, a policy in a window of the job log each; some of them by packets;
//! and what each channel did under the policy that is advised.

mod asked;
mod cables;
mod figures;
mod made;
mod page;
mod text;

pub use asked::{Asked, Window};
pub use cables::{Cable, Cables, Class, Pair, Switch};
pub use figures::{Cell, Figures, Slower, Spread};
pub use made::{Advice, Otherwise, Policy, advice, candidates, otherwise};
pub use page::page;
pub use text::text;
