//! What input ports hold that drop packets for which they have no room, or cut off their data. It is counted for each virtual
//! channel, as credits would be.

use crate::engine::partition::Partition;
use crate::model::config::{Config, FlowControl};

use super::layout::Layout;

/// What the input ports of a shard hold.
#[derive(Debug)]
pub struct Dropper {
    /// By port and virtual channel, flits.
    pub(super) held: Vec<u32>,
    /// Flits that one virtual channel has room for.
    pub(super) room: u32,
    /// Flits to which a packet is cut; `None` where it is dropped.
    pub(super) trims_to: Option<u16>,
    /// Packets dropped.
    pub dropped: u64,
    /// Packets whose data was cut off.
    pub trimmed: u64,
}

impl Dropper {
    /// Prepares a partition, if its input ports drop packets.
    pub fn new(config: &Config, partition: &Partition, layout: &Layout) -> Option<Box<Self>> {
        let trims = config.switch.flow_control == FlowControl::Trim;
        let header = config.transport.map_or(1, |transport| config.switch.message_flits(transport.ack.0));
        config.switch.is_lossy().then(|| {
            Box::new(Dropper {
                held: vec![0; (partition.all_ports.count() as usize) << layout.vc_bits],
                room: config.switch.buffer_flits.into(),
                trims_to: trims.then_some(header.min(config.switch.packet_flits.into()) as u16),
                dropped: 0,
                trimmed: 0,
            })
        })
    }

    /// Returns the flits that a port holds of a virtual channel.
    pub fn held(&self, port: u32, vc: u8, layout: &Layout) -> u32 {
        self.held[((port << layout.vc_bits) | u32::from(vc)) as usize]
    }
}
