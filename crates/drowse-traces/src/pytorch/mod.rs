//! What the formats of PyTorch have in common: calls of torch.distributed, process groups, and the timeline of a GPU
//! that becomes a program.

mod alike;
mod assemble;
mod call;
mod decimal;
mod group;
mod intervals;
pub(crate) mod json;
pub(crate) mod member;
mod rank;
mod timeline;
mod value;

pub(crate) use alike::{Alike, assemble_alike};
pub(crate) use assemble::{PyTorchFormat, assemble};
pub(crate) use call::{Call, Kind};
pub(crate) use decimal::Nanoseconds;
pub(crate) use group::{Defined, Definitions};
pub(crate) use rank::RankTrace;
pub(crate) use timeline::{Activity, Recorded, Step, StreamWait, UNNEEDED, order};
pub(crate) use value::Value;
