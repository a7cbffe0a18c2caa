//! Checks that nodes can answer each other, and switches mark packets.

use crate::model::config::{Config, Queues};
use crate::model::transport::{Control, MarkAt};
use crate::topology::{Geometry, Network};

use super::setup_error::SetupError;

fn refuse(key: &'static str, reason: impl Into<String>) -> Result<(), SetupError> {
    Err(SetupError { key, reason: reason.into() })
}

/// Refuses what contradicts `transport` and `switch.marking`.
pub fn check(network: &Network, config: &Config) -> Result<(), SetupError> {
    if matches!(network.geometry, Geometry::Ideal(_)) {
        return Ok(());
    }
    check_marking(config)?;
    let Some(transport) = &config.transport else { return Ok(()) };
    if !config.unit.is_packet() {
        return refuse(
            "transport",
            "flows know nothing of acknowledgements: leave this out, or write simulation.unit = \"packet\"",
        );
    }
    let (flit, full) = (config.switch.flit.0, u64::from(config.switch.packet_flits));
    if transport.ack.0.div_ceil(flit) > full {
        let reason = format!("{} bytes are more than a packet of {}", transport.ack.0, full * flit);
        return refuse("transport.ack", reason);
    }
    if config.switch.padding {
        return refuse("transport", "acknowledgements are short packets: leave out switch.padding");
    }
    let links = || config.classes.iter().any(|class| class.states.is_some());
    if transport.grace && !links() {
        return refuse("transport.grace", "no link sleeps, so none wakes: leave this out");
    }
    if transport.control.sees_marks() && config.switch.marking.is_none() {
        let reason = format!(
            "\"{}\" reacts to marked packets, and switches mark none: write switch.marking",
            transport.control.name()
        );
        return refuse("transport.control", reason);
    }
    if let Control::Window(size) = transport.control
        && size.0 < flit * full
    {
        let reason = format!("a window of {} bytes holds no packet of {}", size.0, full * flit);
        return refuse("transport.control.size", reason);
    }
    Ok(())
}

fn check_marking(config: &Config) -> Result<(), SetupError> {
    let Some(marking) = config.switch.marking else { return Ok(()) };
    if config.transport.is_none() {
        return refuse("switch.marking", "nodes that do not answer tell nobody of marks: write [transport]");
    }
    if config.switch.queues == Queues::Input {
        let reason = "what waits in a queue of an input is for all outputs: write queues = \"virtual-output\" or \
                      \"output\"";
        return refuse("switch.queues", reason);
    }
    if !marking.victims && marking.at == MarkAt::Dequeue {
        let reason = "a packet that leaves has credits, so it is at a root of congestion: write at = \"enqueue\"";
        return refuse("switch.marking.victims", reason);
    }
    if marking.kmax < marking.kmin {
        return refuse("switch.marking.kmax", format!("must be at least kmin, which is {} bytes", marking.kmin.0));
    }
    Ok(())
}
