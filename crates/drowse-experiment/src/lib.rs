//! Experiment files: from text to a [`Case`] in which everything is checked.
//!
//! ```
//! use std::path::Path;
//! use std::sync::Arc;
//!
//! use drowse_experiment::{Source, case};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let text = r#"
//!     network = { kind = "torus", dims = [4, 4] }
//!     job = { app = { kind = "stencil", dims = [4, 4], bytes = "64 KiB", iterations = 10 } }
//! "#;
//! let source = Source::new(Path::new("stencil.toml"), text.into(), &["network.trunk=2".into()])?;
//! let case = case(&Arc::new(source))?;
//! assert_eq!(case.system.network.switches(), 16);
//!
//! let wrong = Source::new(Path::new("wrong.toml"), text.replace("torus", "tours"), &[])?;
//! let said = drowse_experiment::case(&Arc::new(wrong)).unwrap_err().to_string();
//! assert!(said.contains("did you mean `torus`?"), "{said}");
//! # Ok(())
//! # }
//! ```
//!
//! [`Sweep`] has the cases of an experiment that varies keys.
//!
//! A [`Source`] (file and overrides) is parsed into a tree that knows the place of each key. Each section is read into
//! its struct of keys, and resolved against the sections before it. An error becomes a [`Diagnostic`] that points to
//! the key. `kind` is read first, and the rest of its table into that kind's own struct, so that a key of another kind
//! is an error too.
//!
//! The same structs make the JSON Schema ([`Kinds::schema`]), the key reference ([`Kinds::reference`]) and the help of errors.
//! [`Kinds`] has the networks, policies, programs and patterns that may be named; other crates add theirs.

mod case;
mod defaults;
pub mod devices;
mod diagnostic;
mod document;
mod example;
mod grid;
mod job_log;
mod keys;
mod kinds;
mod lists;
mod load;
pub mod lru_cache;
pub mod machine;
mod machine_text;
pub mod memory;
mod node;
mod preset;
mod rates;
mod schema;
mod sections;
mod single_case;
mod source;
pub mod subnet_files;
mod sweep;
mod wording;
mod written;

pub use case::{Case, JobSpec, LogTimes, PlacementSpec, Program, Repeat, System, WorkloadSpec};
pub use diagnostic::{Diagnostic, Location, Snippet};
pub use drowse_fabric::{FORMATS as NETWORK_FORMATS, Format as NetworkFormat};
pub use grid::{Dimension, Grid, Values};
pub use keys::Keys;
pub use kinds::Kinds;
pub use load::{LoadError, case, case_of, load_case, load_system, network_bytes, read_source, system};
pub use sections::catalogue::{CATALOGUE as LINK_STATES, NamedStates, Published};
pub use sections::device::NIC_RATE;
pub use sections::hardware::{LeftOut, Whose};
pub use sections::limit::Limit;
pub use sections::log_times::{Ran, log_times};
pub use sections::network::network_kinds;
pub use sections::pattern::PatternKeys;
pub use sections::policy::{Class as PolicyClass, PYTHON, Place, PolicyKeys};
pub use sections::power::SleepingChannels;
pub use sections::search::Search;
pub use sections::single_states::{Mark, SINGLE_STATES, SingleState};
pub use sections::state_list::Listed;
pub use sections::watts::{Drawn, Own};
pub use source::{Source, read_text, without_mark};
pub use sweep::Sweep;
pub use wording::meant;
