//! The catalogue of devices by model: switches, modules and NICs whose power has been published, each with its source.
//!
//! The tables are in `data/`. Users can name a file of the same form, whose devices come first.

mod amount;
mod check;
mod cmis;
mod form;
mod model;
mod read;
mod saving;
mod tables;

pub use amount::Amount;
pub use cmis::{Cmis, Wake, upper_end};
pub use form::{Form, Medium};
pub use model::{Cages, Catalogue, Counting, Device, Energies, Mark, Module, ModulePower, Nic, PortPower, Share};
pub(crate) use read::read;
pub use saving::{Saving, savings};
pub use tables::catalogue;
