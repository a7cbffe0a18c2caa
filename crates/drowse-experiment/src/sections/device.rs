//! `power.watts.nic` and `power.watts.node`: what NICs and nodes draw where nothing is written.

use drowse_core::model::units::BitRate;

/// Power of a NIC in watts: the typical power of the Sun Dual Port 4x QDR InfiniBand Host Channel Adapter
/// (docs.oracle.com/cd/E19366-01/820-6536-13/A_specs.html).
pub const NIC: f64 = 12.23;

/// The fastest link of a node that this NIC has: two ports of 40 Gb/s.
pub const NIC_RATE: BitRate = BitRate(80_000_000_000);
