//! What the writers of all formats share: the program that they write, its tags and sizes, and what is not told.

mod pending;
mod program;
mod sizes;
mod tags;
mod untold;

pub(crate) use pending::Pending;
pub(crate) use program::{At, Program};
pub(crate) use sizes::Sizes;
pub(crate) use tags::Tags;
pub(crate) use untold::{ELEMENTS, MARKS, MODES, SYNCHRONOUS, UNWAITED, Untold, waits_for_receive};
