//! Quantities as SimGrid writes them: `125MBps`, `10Gbps`, `50us`.

use drowse_core::model::units::{BitRate, Time};

use crate::model::attributes::{latency, rate};
use crate::model::wrong::{Word, Wrong, shown};

/// Reads a bandwidth: `Bps` are bytes a second, `bps` bits; K, M and G are decimal, Ki, Mi and Gi binary.
pub(super) fn bandwidth((text, span): &Word<'_>) -> Result<BitRate, Wrong> {
    let help = "write a bandwidth such as 125MBps or 10Gbps";
    let Some(number) = text.trim().strip_suffix("ps") else {
        return Err(Wrong::new(span, format!("`{}` is no bandwidth of SimGrid", shown(text)), help));
    };
    let written = format!("{}/s", number.replace("KB", "kB").replace("Kb", "kb"));
    rate(&(&written, span.clone())).map_err(|wrong| Wrong { help: help.to_owned(), ..wrong })
}

/// Reads a latency; 0 needs no unit.
pub(super) fn delay((text, span): &Word<'_>) -> Result<Time, Wrong> {
    if matches!(text.trim(), "0" | "0.0") {
        return Ok(Time(0));
    }
    let help = "write a time such as 50us or 1ms";
    latency(&(text.trim(), span.clone())).map_err(|wrong| Wrong { help: help.to_owned(), ..wrong })
}
