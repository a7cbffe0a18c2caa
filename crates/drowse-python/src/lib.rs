//! Drowse as a module of Python, `drowse._drowse`: what the package `drowse` is built on.
//!
//! Nothing is simulated or decided here: each file passes one subject on to the crates below and hands back what comes
//! out, tables as streams of Arrow (`tables`), errors as the package's exceptions (`errors`). Structured values cross the
//! border as JSON. Work that takes long runs on a thread of its own (`worker`), while Python's signals are looked at.

#![allow(clippy::needless_pass_by_value, reason = "arguments of functions that Python calls are made for the call")]

mod command;
mod describe;
mod errors;
mod experiment;
mod known;
mod own;
mod policy;
mod raises;
mod reproduce;
mod results;
mod run;
mod sweep;
mod tables;
mod timeline;
mod trace;
mod worker;

use pyo3::prelude::*;

/// The part of Drowse that is compiled.
#[pymodule]
mod _drowse {
    #[pymodule_export]
    use super::command::command;
    #[pymodule_export]
    use super::describe::run_again as rerun;
    #[pymodule_export]
    use super::describe::{
        count_usage, describe_network, devices, dot_network, draw_network, link_states, schema, switch_names,
    };
    #[pymodule_export]
    use super::experiment::{check, from_json, read_text, to_toml};
    #[pymodule_export]
    use super::own::picoseconds;
    #[pymodule_export]
    use super::reproduce::reproduce;
    #[pymodule_export]
    use super::results::run_search as search;
    #[pymodule_export]
    use super::results::{chart_kinds, chart_specification, draw_chart, merge_folders, paper_table, sweep_status};
    #[pymodule_export]
    use super::run::{Outcomes, run};
    #[pymodule_export]
    use super::sweep::{best, case_count, points, read_table, report, run as sweep, run_shard as shard};
    #[pymodule_export]
    use super::tables::{Column, Table, table_names};
    #[pymodule_export]
    use super::timeline::run_timeline as timeline;
    #[pymodule_export]
    use super::trace::{OpenTrace, Operations, byte_count, operation_forms, read_through};
    #[pymodule_export]
    use super::trace::{convert_trace, cut_trace, scale_trace, trace_check, trace_info};
    #[pymodule_export]
    use super::worker::fail as panic;

    use super::{Bound, PyModule, PyModuleMethods, PyResult, errors, worker};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        worker::keep_panics_quiet();
        module.add("version", drowse_run::identity::VERSION)?;
        module.add("build", drowse_run::identity::BUILD)?;
        // Exceptions are raised from threads that should not import anything.
        errors::import(module.py())
    }
}
