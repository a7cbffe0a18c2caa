//! The tables that Drowse's results are written to: which columns there are, in which unit, and what they mean.
//!
//! ```
//! use drowse_tables::schema::cases::{self, CASES};
//! use drowse_tables::{Row, csv};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut row = Row::new();
//! row.push(cases::MAKESPAN_S, 0.25);
//! let mut file = Vec::new();
//! csv::write(&CASES, &[row], &mut file)?;
//! let read = csv::read(&CASES, file.as_slice())?;
//! assert_eq!(read[0].number(cases::MAKESPAN_S), Some(0.25));
//! # Ok(())
//! # }
//! ```
//!
//! [`schema`] holds one list of columns per table. A [`Row`] is a list of named [`Value`]s; a value that is absent does
//! not apply or is not known, it is never written as 0. Rows are written as CSV ([`csv`]) and as JSON ([`json`]), and
//! read back from CSV exactly; with the feature `parquet`, a CSV file also becomes one in Parquet.
//! Nothing here knows the simulator: reports and plots read these tables only.

pub mod cells;
pub mod checksums;
pub mod csv;
pub mod interval;
pub mod json;
mod name;
pub mod names;
pub mod nearest;
pub mod number;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod question;
mod row;
pub mod schema;
mod value;

pub use name::Name;
pub use row::Row;
pub use value::{Kind, Value};
