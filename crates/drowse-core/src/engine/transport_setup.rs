//! Checks that nodes can answer each other, and switches mark packets.

use crate::model::balance::{Balance, Order};
use crate::model::config::{Config, Queues};
use crate::model::transport::{Control, MarkAt, Retransmit, Transport};
use crate::model::units::Time;
use crate::routing;
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
    if config.switch.is_lossy() && config.transport.is_none() {
        return refuse(
            "switch.flow_control",
            "what is dropped is lost without answers: write [transport], or \"credits\"",
        );
    }
    let Some(transport) = &config.transport else { return Ok(()) };
    if !config.unit.is_packet() {
        return refuse(
            "transport",
            "flows know nothing of acknowledgements: leave this out, or write simulation.unit = \"packet\"",
        );
    }
    check_recovery(network, config, transport)?;
    let (flit, full) = (config.switch.flit.0, u64::from(config.switch.packet_flits));
    if transport.ack.0.div_ceil(flit) > full {
        let reason = format!("{} bytes are more than a packet of {}", transport.ack.0, full * flit);
        return refuse("transport.ack", reason);
    }
    if config.switch.padding {
        return refuse("transport", "acknowledgements are short packets: leave out switch.padding");
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

/// Checks that what is lost is sent again, and nothing else.
fn check_recovery(network: &Network, config: &Config, transport: &Transport) -> Result<(), SetupError> {
    let lossy = config.switch.is_lossy();
    let Some(recovery) = transport.recovery else {
        return if lossy {
            refuse("transport.retransmit", "packets are dropped: say how they are sent again")
        } else {
            Ok(())
        };
    };
    if !lossy {
        return refuse(
            "transport.retransmit",
            "no packet is lost here: leave it out, or write flow_control = \"drop\"",
        );
    }
    if recovery.timeout == Time::ZERO {
        return refuse("transport.timeout", "must be above 0");
    }
    let scatters = !(config.switch.balance.keeps_flows() || routing::has_single_route(network, config.routing));
    if recovery.retransmit == Retransmit::GoBackN && scatters {
        let reason = "packets of a flow take several paths, and a receiver that takes them in sequence throws most away: \
                      write retransmit = \"selective\", or switch.balance = \"flow-hash\"";
        return refuse("transport.retransmit", reason);
    }
    if config.node.order != Order::Any && recovery.retransmit == Retransmit::GoBackN {
        return refuse("node.order", "receivers that go back take packets in sequence as it is: leave it out");
    }
    if config.switch.balance == Balance::SprayQueue {
        return refuse(
            "switch.balance",
            "credits tell how long queues are, and there are none: write \"spray-random\"",
        );
    }
    Ok(())
}
