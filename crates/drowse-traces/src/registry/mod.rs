//! Formats of traces that people have and that are not read: how each is recognised, and what to do.
//!
//! To add one: a line in [`REFUSED`], and a small file in `tests/data/formats`.

mod head;
mod signs;

pub(crate) use head::Head;

/// What is known of a format of traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownFormat {
    /// What it is.
    pub name: &'static str,
    /// Whether it is read.
    pub is_read: bool,
    /// What to do where it is not read.
    pub advice: &'static str,
}

/// A format that is recognised and not read.
pub(crate) struct Refused {
    pub name: &'static str,
    pub advice: &'static str,
    recognises: fn(&Head) -> bool,
}

/// What to do with records of a program that lack its messages.
const RECORD: &str = "it does not hold what ranks send: record the program by Extrae, Score-P (OTF2) or libdumpi";

/// What to do with records of PyTorch before Chakra.
const OLD: &str = "record it again with PyTorch 2.3 or later, whose traces are read";

/// Makes a line of the table.
const fn refused(name: &'static str, advice: &'static str, recognises: fn(&Head) -> bool) -> Refused {
    Refused { name, advice, recognises }
}

/// The formats, in the order in which they are tried.
pub(crate) const REFUSED: &[Refused] = &[
    refused("Part of an OTF2 trace", "name its folder, or the anchor file `traces.otf2`", |head| {
        // Event and definition files begin with the same chunk header as the anchor, without the name.
        head.starts(b"\x03b\x01\0\0\0\0\0\0\0") || head.starts(b"\x03#\0\0\0\0\0\0\0\x01")
    }),
    refused("OTF 1 trace (Open Trace Format)", "record the program again by Score-P, which writes OTF2", signs::otf1),
    refused(
        "Extrae's intermediate trace (.mpit)",
        "merge the files of all ranks: `mpi2prv -f TRACE.mpits -o trace.prv`",
        signs::extrae,
    ),
    refused("Text of dumpi2ascii", "name the .bin files of which it was made", signs::dumpi_text),
    refused("liballprof's trace", "make a GOAL text of it by Schedgen of LogGOPSim", signs::liballprof),
    refused("Chakra trace as JSON", "it has no sizes: make .et files by chakra_converter", |head| {
        head.is_json_with(&[b"\"workload_graph\""])
    }),
    refused("PyTorch execution trace (JSON)", OLD, |head| {
        head.is_json_with(&[b"\"schema\"", b"\"pid\""]) && (head.holds(b"\"nodes\"") || head.holds(b"\"start_ts\""))
    }),
    refused(
        "NPKit's events of NCCL",
        "they are steps within collectives: take the program's calls, by PyTorch's execution traces for Chakra",
        signs::npkit,
    ),
    refused("Chrome trace events (JSON)", RECORD, signs::chrome),
    refused(
        "Batsim workload (JSON)",
        "it lists jobs: give it to `[scheduler]` as `log`, and programs as `[[job]]`",
        signs::batsim,
    ),
    refused(
        "Job log (Standard Workload Format)",
        "it lists jobs: give it to `[scheduler]` as `log`, and programs as `[[job]]`",
        |head| head.starts(b"; Version") || head.starts(b";") && head.holds(b"MaxJobs:"),
    ),
    refused("ASTRA-sim workload (text)", "make .et files of it by `chakra_converter Text`", signs::astra_text),
    refused(
        "Nsight Systems report (.nsys-rep, or SQLite), or another profiler's SQLite",
        "it holds kernels and calls of one process: take PyTorch's execution traces for Chakra, or record MPI by \
         Extrae, Score-P (OTF2) or libdumpi",
        signs::sqlite,
    ),
    refused("HPCToolkit database", RECORD, signs::hpctoolkit),
    refused("TAU trace or profile", "record the program as OTF2: `TAU_TRACE=1 TAU_TRACE_FORMAT=otf2`", signs::tau),
    refused(
        "Projections trace of Charm++ (.sts, .log)",
        "its messages are those of chares: record an MPI version by Extrae, Score-P (OTF2) or libdumpi",
        signs::projections,
    ),
    refused("MPE's log for Jumpshot (CLOG2, SLOG2)", RECORD, |head| head.starts(b"CLOG-") || head.starts(b"SLOG 2")),
    refused("Pajé trace", "it is made for viewers: record SimGrid's TI trace by `smpirun -trace-ti`", |head| {
        head.starts(b"%EventDef")
    }),
    refused("Trace of CTF (LTTng)", RECORD, |head| head.starts(b"/* CTF 1.8 */")),
    refused("mpiP report", RECORD, |head| head.starts(b"@ mpiP")),
    refused("Log of NCCL", "take the program's calls, by PyTorch's execution traces for Chakra", |head| {
        !head.is_binary() && head.holds(b" NCCL INFO ")
    }),
    refused(
        "INSEE's trace (FSIN)",
        "write it as Drowse's own text: `s FROM TO TAG BYTES` is `send TO BYTES tag TAG` of a rank",
        signs::insee,
    ),
    refused("Table (CSV)", "write its messages as Drowse's own text (docs/reference/traces.md)", signs::csv),
];

/// Returns the format of a file that is known and not read.
pub(crate) fn find(head: &Head) -> Option<&'static Refused> {
    REFUSED.iter().find(|refused| (refused.recognises)(head))
}
