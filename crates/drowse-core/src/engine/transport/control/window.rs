//! `window`: a fixed number of bytes may be on their way to a node.

use crate::model::transport::Control;

use super::{Sent, Steer, Way};

/// A window of a fixed size.
#[derive(Debug)]
pub struct FixedWindow {
    bytes: u64,
}

impl Steer for FixedWindow {
    fn new(control: &Control, _: &Way) -> Option<Self> {
        if let Control::Window(bytes) = control { Some(FixedWindow { bytes: bytes.0 }) } else { None }
    }

    fn may_send(&self, sent: Sent, bytes: u64) -> bool {
        sent.fits(bytes, self.bytes)
    }
}
