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
mod figure;
mod files;
mod headline;
mod keys;
mod manifest;
mod measures;
mod number;
mod page;
pub mod plot;
mod results;
pub mod screen;
mod study;
mod table;
mod text_table;
mod units;

pub use error::ReportError;
pub use figure::{Look, is_drawn, picture, svg};
pub use page::page;
pub use results::Results;
pub use study::Study;
pub use text_table::{Language, text_table};
