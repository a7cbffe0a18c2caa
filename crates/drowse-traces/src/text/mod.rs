//! Drowse's own format: one text that a person or a short script can write, and that can express every operation.
//!
//! The head gives the number of ranks and the communicators. Each section begins with `rank N` and holds operations of
//! that rank, one a line, in the order of the program. Sections may have any order, so that a script may write rank
//! after rank, or go on with a rank later. One pass over the text finds the sections; of each rank, only the position
//! is kept. So memory does not depend on the length of the text.
//!
//! ```text
//! drowse-trace 1
//! ranks 2
//! rank 0
//! compute 1.5 us
//! send 1 8 KiB
//! rank 1
//! recv 0
//! ```

mod forms;
mod head;
mod line_reader;
mod outline;
mod parse;
mod scan;
mod section;
mod source;
mod text_trace;
mod trace;
mod words;
mod write;
mod wrong;

pub use forms::forms;
pub(crate) use trace::{ABOUT, open, recognises};
pub use write::write;
pub use wrong::Wrong;

/// The format's name in results.
pub(crate) const NAME: &str = "drowse";
