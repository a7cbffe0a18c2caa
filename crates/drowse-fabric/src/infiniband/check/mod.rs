//! Is what stands there sound? All routes of the real tables are followed over the real cables: which pairs are served,
//! whether routes can deadlock, how evenly they use the cables, and which cables are degraded or used by none.

mod balance;
mod circle;
mod fit;
mod islands;
mod lanes;
mod routes;
mod soundness;
mod tree;
mod walk;
mod wiring;

pub use balance::{Level, Spread};
pub use circle::{Circle, Step};
pub use fit::Fit;
pub use islands::Island;
pub use lanes::Dumped;
pub use routes::Pairs;
pub use soundness::{Lanes, Proof, Soundness, Verdict, check};
pub use walk::{Hop, Walker};
