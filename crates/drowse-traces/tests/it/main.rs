//! Reads traces as a user would: whole files, directories and archives.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::format_collect,
    reason = "tests are short and may panic"
)]

mod any_file;
mod any_program;
mod chakra;
mod check;
mod collection;
mod convert;
mod corpus;
mod cut;
mod dimemas;
mod dumpi;
mod dumpi_file;
mod errors;
mod execution_trace;
mod folder;
mod goal;
mod kineto;
mod lying;
mod otf2;
mod otf2_file;
mod otf2_lying;
mod paraver;
mod profile;
mod pytorch_mutated;
mod random;
mod real;
mod recognition;
mod same;
mod sample;
mod scale;
mod scale_by_two;
mod shipped;
mod text;
mod vef;
mod vef_random;
mod zip;
