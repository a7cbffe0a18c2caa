//! What tells the formats of [`super::REFUSED`] from others, where that is more than a few bytes.

use memchr::memchr_iter;

use super::head::{Head, fields, is_number};

/// `CREATE TABLE` statements are in the first page of an SQLite file.
pub(super) fn sqlite(head: &Head) -> bool {
    head.starts(b"SQLite format 3\0") || head.is_binary() && (head.ends(".nsys-rep") || head.ends(".qdrep"))
}

pub(super) fn hpctoolkit(head: &Head) -> bool {
    head.starts(b"HPCTOOLKIT") || head.starts(b"HPCRUN-") || head.starts(b"<?xml") && head.holds(b"hpc-experiment")
}

/// Events and definitions of TAU, and its profiles: the first line is a number and a word.
pub(super) fn tau(head: &Head) -> bool {
    let mut fields = fields(head.first_line());
    let is_counted = fields.next().is_some_and(is_number);
    let word = fields.next().unwrap_or_default();
    is_counted && (word == b"dynamic_trace_events" || word.starts_with(b"templated_functions"))
        || head.is_binary() && head.ends(".trc")
}

/// A file of definitions (`.sts`), or a log of one processor.
pub(super) fn projections(head: &Head) -> bool {
    let has = |word: &[u8]| head.lines().any(|line| fields(line).next() == Some(word));
    head.starts(b"PROJECTIONS-RECORD") || has(b"MACHINE") && has(b"PROCESSORS") && has(b"TOTAL_CHARES")
}

/// Steps within NCCL's collectives: dumps of ranks, or the timeline that is made of them.
pub(super) fn npkit(head: &Head) -> bool {
    let dump = ["gpu_events_rank_", "cpu_events_rank_"].iter().any(|prefix| head.name.starts_with(prefix));
    dump && head.is_binary() || head.name.starts_with("npkit_event") && head.is_json_with(&[b"\"traceEvents\""])
}

/// Events of viewers in an object or in a list.
pub(super) fn chrome(head: &Head) -> bool {
    head.is_json_with(&[b"\"traceEvents\""]) || head.is_json_with(&[b"\"ph\"", b"\"ts\"", b"\"pid\""])
}

pub(super) fn batsim(head: &Head) -> bool {
    head.is_json_with(&[b"\"nb_res\""]) || head.is_json_with(&[b"\"jobs\"", b"\"subtime\"", b"\"profile\""])
}

/// A call a line, such as `MPI_Send:1260...:...`.
pub(super) fn liballprof(head: &Head) -> bool {
    head.lines().take(20).filter(|line| line[0] != b'#').take(3).any(|line| {
        let mut parts = line.split(|&byte| byte == b':');
        let call = parts.next().unwrap_or_default();
        call.starts_with(b"MPI_") && parts.next().is_some_and(is_number)
    })
}

/// Computations, sends and receives, such as `c 0 1000` and `s 0 1 7 4096`.
pub(super) fn insee(head: &Head) -> bool {
    let mut lines = head.lines().filter(|line| line[0] != b'#').take(3).peekable();
    lines.peek().is_some()
        && lines.all(|line| {
            let mut fields = fields(line);
            let numbers = match fields.next() {
                Some(b"c") => 2,
                Some(b"s" | b"r") => 4,
                _ => return false,
            };
            fields.filter(|field| is_number(field)).count() == numbers
        })
}

/// What `dumpi2ascii` prints.
pub(super) fn dumpi_text(head: &Head) -> bool {
    let line = head.first_line();
    line.starts_with(b"MPI_") && head.holds(b" entering at walltime ")
}

/// A layer a line, behind how the model is parallel and the number of layers.
pub(super) fn astra_text(head: &Head) -> bool {
    let mut lines = head.lines();
    let kind = lines.next().and_then(|line| fields(line).next()).unwrap_or_default();
    let kinds: [&[u8]; 6] =
        [b"DATA", b"MODEL", b"MICRO", b"HYBRID_DATA_MODEL", b"HYBRID_MODEL_DATA", b"HYBRID_TRANSFORMER"];
    (kinds.contains(&kind) || kind.starts_with(b"HYBRID_")) && lines.next().is_some_and(is_number)
}

/// Rows of as many fields, of which there are three or more, beside comments.
pub(super) fn csv(head: &Head) -> bool {
    let commas = |line: &[u8]| memchr_iter(b',', line).count();
    let mut lines = head.lines().filter(|line| line[0] != b'#');
    let (Some(first), Some(second)) = (lines.next(), lines.next()) else { return false };
    !first.starts_with(b"{") && !first.starts_with(b"[") && commas(first) >= 2 && commas(first) == commas(second)
}

/// A list of streams and their processes, in hexadecimal numbers, or one of the streams.
pub(super) fn otf1(head: &Head) -> bool {
    let is_list = |line: &[u8]| {
        let mut parts = line.split(|&byte| byte == b':');
        let digits = |part: &[u8]| part.iter().all(|&byte| byte.is_ascii_hexdigit() || byte == b',');
        let mut is_hex = || parts.next().is_some_and(digits);
        is_hex() && is_hex()
    };
    head.ends(".otf") && is_list(head.first_line())
        || [".def", ".events", ".def.z", ".events.z"].iter().any(|ending| head.ends(ending)) && !head.is_json_with(&[])
}

/// Intermediate files of Extrae, and the list of them.
pub(super) fn extrae(head: &Head) -> bool {
    head.ends(".mpits") || head.ends(".mpit") && head.is_binary()
}
