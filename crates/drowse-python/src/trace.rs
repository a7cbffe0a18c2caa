//! Traces: described, checked, read operation by operation, and written in other formats, in part, or for other ranks.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use drowse_core::model::units::{Bytes, FlopRate, Time};
use drowse_core::workload::communicators::{ALL, Communicators};
use drowse_core::workload::operation::{Collective, Operation, OperationSource};
use drowse_core::workload::operation_kind::OperationKind;
use drowse_run::error::RunError;
use drowse_run::files::target::{Guard, Target};
use drowse_run::trace::{self, ConvertError, Format, Kept, Trace};
use drowse_tables::json;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};

use crate::errors::{Raised, in_python};
use crate::worker::{Said, supervise};

/// The speed of computations where no time of theirs is asked for.
const SPEED: FlopRate = FlopRate(10_000_000_000);

/// Finds a format by its name.
fn format_of(name: Option<&str>) -> Result<Option<&'static Format>, Raised> {
    let unknown = |name: &str| Raised::input(format!("error: there is no format `{name}` of traces"));
    name.map(|name| Format::named(name).ok_or_else(|| unknown(name))).transpose()
}

/// Reads the speed of computations.
fn speed_of(text: &str) -> Result<FlopRate, Raised> {
    let speed: FlopRate = text.parse().map_err(|error| Raised::input(format!("error: speed: {error}")))?;
    let zero = || Raised::input("error: speed is zero: give the speed of a rank, such as \"10 Gflop/s\"");
    if speed.0 == 0 { Err(zero()) } else { Ok(speed) }
}

/// Describes a trace, as JSON; computations become time at a speed.
#[pyfunction]
pub fn trace_info(py: Python<'_>, path: PathBuf, format: Option<&str>, speed: &str) -> PyResult<String> {
    let (format, speed) = (format_of(format)?, speed_of(speed)?);
    supervise(py, None, |_, _: &Said<u64>| {
        let (row, _) = trace::info(&path, format, speed)?;
        Ok::<_, Raised>(json::from_row(&row).to_string())
    })
}

/// Says what does not fit together in a trace: the first findings, and how many there are.
#[pyfunction]
pub fn trace_check(py: Python<'_>, path: PathBuf, format: Option<&str>, most: usize) -> PyResult<(Vec<String>, u64)> {
    let format = format_of(format)?;
    supervise(py, None, |_, _: &Said<u64>| {
        let findings = trace::check(&path, format, most)?;
        let told = |finding: &trace::Finding| {
            let place = finding.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
            let at = finding.at.map(|at| format!("rank {}, operation {}: ", at.rank, at.operation));
            format!("{place}{}{}", at.unwrap_or_default(), finding.what)
        };
        Ok::<_, Raised>((findings.first.iter().map(told).collect(), findings.total))
    })
}

/// Reads all operations of a trace once, and raises what is wrong with the first that is.
#[pyfunction]
pub fn read_through(py: Python<'_>, path: PathBuf) -> PyResult<()> {
    supervise(py, None, |cancel, _: &Said<u64>| {
        let trace = trace::open_simulable(&path, None)?;
        let (mut source, mut operations) = (trace.operations(trace::at_speed(SPEED)), Vec::new());
        for rank in 0..source.ranks() {
            loop {
                operations.clear();
                source.refill(rank, &mut operations).map_err(RunError::Source)?;
                if operations.is_empty() || cancel.is_cancelled() {
                    break;
                }
            }
        }
        Ok::<_, Raised>(())
    })
}

/// How a trace is written: its path, the formats that are read and written, the speed of computations, and whether a
/// file that is there is replaced.
#[derive(FromPyObject)]
pub struct Written(PathBuf, Option<String>, Option<String>, String, bool);

/// A trace that is to be written.
struct Writing {
    out: Target,
    formats: [Option<&'static Format>; 2],
    speed: FlopRate,
}

impl Written {
    /// Finds out where and how to write; refuses what would be lost.
    fn to(&self, inputs: &[&Path]) -> Result<Writing, Raised> {
        let Written(path, from, to, speed, force) = self;
        let to = format_of(to.as_deref())?;
        if let Some(format) = to.filter(|format| !format.is_written()) {
            let name = format.name;
            return Err(Raised::input(format!("error: `{name}` traces are not written\nhelp: choose another format")));
        }
        let out = Target::of(path, Guard { inputs, force: *force }).map_err(in_python)?;
        Ok(Writing { out, formats: [format_of(from.as_deref())?, to], speed: speed_of(speed)? })
    }
}

/// Writes a trace in another format; returns what that does not tell.
#[pyfunction]
pub fn convert_trace(py: Python<'_>, path: PathBuf, written: Written) -> PyResult<Vec<String>> {
    supervise(py, None, |_, _: &Said<u64>| {
        let Writing { out, formats, speed } = written.to(&[&path])?;
        Ok::<_, Raised>(trace::convert(&path, &out, formats, speed)?)
    })
}

/// Writes a part of a trace; returns what is to be said of it.
#[pyfunction]
pub fn cut_trace(
    py: Python<'_>,
    path: PathBuf,
    written: Written,
    iterations: Option<(u64, u64)>,
    time: Option<String>,
    ranks: Option<u32>,
) -> PyResult<Vec<String>> {
    supervise(py, None, |_, _: &Said<u64>| {
        let time = time.as_deref().map(trace::parse_time).transpose();
        let time = time.map_err(|why| Raised::input(format!("error: time: {why}")))?;
        let iterations = iterations.map(|(first, last)| first..=last);
        let Writing { out, formats, speed } = written.to(&[&path])?;
        Ok::<_, Raised>(trace::cut(&path, &out, formats, speed, &Kept { iterations, time, ranks })?)
    })
}

/// Writes a trace on another number of ranks, by a trace of the same program on a third number if there is one;
/// returns what was found.
#[pyfunction]
pub fn scale_trace(
    py: Python<'_>,
    path: PathBuf,
    written: Written,
    ranks: u32,
    other: Option<PathBuf>,
) -> PyResult<Vec<String>> {
    supervise(py, None, |_, _: &Said<u64>| {
        let inputs: Vec<&Path> = [Some(&path), other.as_ref()].into_iter().flatten().map(PathBuf::as_path).collect();
        let Writing { out, formats, speed } = written.to(&inputs)?;
        Ok::<_, Raised>(trace::scale((&path, other.as_deref()), &out, formats, speed, ranks)?)
    })
}

impl From<ConvertError> for Raised {
    fn from(error: ConvertError) -> Self {
        match error {
            ConvertError::Trace(error) => error.into(),
            ConvertError::Export(error) => error.into(),
            error => Raised::input(format!("error: {error}")),
        }
    }
}

/// Reads a size, in bytes.
#[pyfunction]
pub fn byte_count(size: &str) -> PyResult<u64> {
    let read: Result<Bytes, _> = size.parse();
    Ok(read.map_err(|error| Raised::input(format!("error: {error}")))?.0)
}

/// Returns how the lines of all operations look.
#[pyfunction]
pub fn operation_forms() -> Vec<&'static str> {
    trace::forms().collect()
}

/// A trace that is open.
#[pyclass(frozen)]
pub struct OpenTrace {
    trace: Trace,
}

#[pymethods]
impl OpenTrace {
    /// Opens a trace that can be simulated.
    #[new]
    fn new(py: Python<'_>, path: PathBuf, format: Option<&str>) -> PyResult<Self> {
        let format = format_of(format)?;
        let trace = supervise(py, None, |_, _: &Said<u64>| trace::open_simulable(&path, format))?;
        Ok(OpenTrace { trace })
    }

    /// The number of ranks.
    #[getter]
    fn ranks(&self) -> u32 {
        self.trace.ranks()
    }

    /// The name and the ranks of each communicator beside that of all.
    fn communicators(&self) -> Vec<(String, Vec<u32>)> {
        let all = self.trace.operations(trace::at_speed(SPEED)).communicators();
        let ranks = |comm| (0..all.size(comm).unwrap_or(0)).filter_map(|rank| all.rank(comm, rank)).collect();
        (ALL + 1..all.count()).map(|comm| (name_of(&all, comm), ranks(comm))).collect()
    }

    /// The operations of a rank, from the beginning.
    fn operations(&self, py: Python<'_>, rank: u32, speed: &str) -> PyResult<Operations> {
        let speed = speed_of(speed)?;
        let ranks = self.trace.ranks();
        if rank >= ranks {
            let help = format!("give one of 0 to {}", ranks.saturating_sub(1));
            return Err(Raised::input(format!("error: the trace has no rank {rank}\nhelp: {help}")).into());
        }
        let source = self.trace.operations(trace::at_speed(speed));
        let communicators = source.communicators();
        let names = (0..communicators.count()).map(|comm| PyString::new(py, &name_of(&communicators, comm)).unbind());
        Ok(Operations { names: names.collect(), rank, source: Mutex::new(source) })
    }
}

/// Returns the name of a communicator as lines of operations have it.
fn name_of(communicators: &Arc<Communicators>, comm: u32) -> String {
    match communicators.given_name(comm) {
        Some(name) => name.to_owned(),
        None if comm == ALL => "all".to_owned(),
        None => format!("c{comm}"),
    }
}

/// The operations of a rank.
#[pyclass(frozen)]
pub struct Operations {
    /// What communicators are called.
    names: Vec<Py<PyString>>,
    rank: u32,
    source: Mutex<Box<dyn OperationSource>>,
}

#[pymethods]
impl Operations {
    /// The next operations as tuples of the fields of `drowse.Operation`; none at the end.
    fn block<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let refill = || {
            let mut operations = Vec::new();
            let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
            source.refill(self.rank, &mut operations).map_err(|error| Raised::from(RunError::Source(error)))?;
            Ok::<_, Raised>(operations)
        };
        let operations = py.detach(refill)?;
        let fields = Fields { py, names: &self.names };
        PyList::new(py, operations.iter().map(|operation| fields.of(operation)).collect::<PyResult<Vec<_>>>()?)
    }
}

/// Makes the fields of operations.
struct Fields<'py, 'a> {
    py: Python<'py>,
    names: &'a [Py<PyString>],
}

impl<'py> Fields<'py, '_> {
    /// Returns all fields of an operation, in their order in `drowse.Operation`.
    fn of(&self, operation: &Operation) -> PyResult<Bound<'py, PyTuple>> {
        let collective = operation.called();
        let comm = operation.comm().and_then(|comm| self.names.get(comm as usize));
        let fields = [
            PyString::intern(self.py, OperationKind::of(operation).name()).into_any(),
            self.peer(operation)?,
            self.optional(collective.and_then(Collective::root))?,
            self.size(operation)?,
            self.tag(operation)?,
            self.optional(collective.and_then(elements))?,
            self.optional(time(operation))?,
            self.optional(comm.map(|name| name.bind(self.py)))?,
            self.requests(operation)?,
        ];
        PyTuple::new(self.py, fields)
    }

    fn peer(&self, operation: &Operation) -> PyResult<Bound<'py, PyAny>> {
        match operation {
            Operation::Send { to, .. } | Operation::Isend { to, .. } => self.optional(Some(to)),
            Operation::Recv { from, .. } | Operation::Irecv { from, .. } | Operation::Probe { from, .. } => {
                self.or_any(*from)
            }
            _ => Ok(self.none()),
        }
    }

    fn tag(&self, operation: &Operation) -> PyResult<Bound<'py, PyAny>> {
        match operation {
            Operation::Send { tag, .. } | Operation::Isend { tag, .. } => self.optional(Some(tag)),
            Operation::Recv { tag, .. } | Operation::Irecv { tag, .. } | Operation::Probe { tag, .. } => {
                self.or_any(*tag)
            }
            _ => Ok(self.none()),
        }
    }

    fn size(&self, operation: &Operation) -> PyResult<Bound<'py, PyAny>> {
        match operation.called() {
            None => match operation {
                Operation::Send { bytes, .. } | Operation::Isend { bytes, .. } => self.optional(Some(bytes)),
                _ => Ok(self.none()),
            },
            Some(Collective::Barrier) => Ok(self.none()),
            Some(collective) => match collective.sizes() {
                Some(sizes) => Ok(PyTuple::new(self.py, sizes)?.into_any()),
                None => self.optional(Some(collective.largest())),
            },
        }
    }

    fn requests(&self, operation: &Operation) -> PyResult<Bound<'py, PyAny>> {
        match operation {
            Operation::Isend { request, .. } => self.optional(*request),
            Operation::Irecv { request, .. } | Operation::Icollective { request, .. } | Operation::Wait { request } => {
                self.optional(Some(request))
            }
            Operation::WaitAny(requests) | Operation::WaitSome(requests) => {
                Ok(PyTuple::new(self.py, requests)?.into_any())
            }
            _ => Ok(self.none()),
        }
    }

    fn or_any(&self, number: Option<u32>) -> PyResult<Bound<'py, PyAny>> {
        match number {
            Some(number) => self.optional(Some(number)),
            None => Ok(PyString::intern(self.py, "any").into_any()),
        }
    }

    fn optional<T: IntoPyObject<'py>>(&self, value: Option<T>) -> PyResult<Bound<'py, PyAny>> {
        value.into_bound_py_any(self.py)
    }

    fn none(&self) -> Bound<'py, PyAny> {
        self.py.None().into_bound(self.py)
    }
}

/// Returns the number of elements of a collective, where it is not that of bytes.
fn elements(collective: &Collective) -> Option<u64> {
    match *collective {
        Collective::Bcast { bytes, count, .. }
        | Collective::Reduce { bytes, count, .. }
        | Collective::Allreduce { bytes, count, .. } => Some(count).filter(|&count| count != bytes),
        _ => None,
    }
}

/// Returns the time of computing, in picoseconds; of collectives, if there is some.
fn time(operation: &Operation) -> Option<u64> {
    match operation {
        Operation::Compute(time) => Some(time.0),
        _ => operation.called().and_then(Collective::compute).filter(|&time| time > Time::ZERO).map(|time| time.0),
    }
}
