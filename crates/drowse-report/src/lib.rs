//! Result tables as pictures. [`Results`] reads a folder that a run or a sweep has written; [`page`] makes one page of
//! it, with a comparison of the cases and [`charts`] in the language of Vega-Lite.
//!
//! Only tables are read, by the names of their columns: what a table does not have is not shown.

pub mod advice;
mod answer;
mod baselines;
pub mod best;
pub mod charts;
mod comparison;
mod endpoint;
mod error;
mod files;
mod headline;
mod keys;
mod manifest;
mod measures;
mod number;
mod page;
mod results;
mod study;
mod svg;
mod table;
mod text_table;
mod units;

pub use error::ReportError;
pub use page::page;
pub use results::Results;
pub use study::Study;
pub use svg::svg;
pub use text_table::{Language, text_table};
