//! Which channels a workload uses, without simulating it (Totoni et al. 2014, sections 3 and 5): counted, judged,
//! written.

mod count;
mod figures;
mod files;
mod heat_map;
mod options;

pub use count::{Usage, count};
pub use figures::row;
pub use files::write;
pub use heat_map::svg as heat_map;
pub use options::{Counted, Options};
