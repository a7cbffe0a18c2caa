//! `credit`: a sender sends what its receiver has granted. After a pause it begins with one and a half bandwidth-delay
//! products that nobody has granted.

use crate::model::transport::Control;

use super::{Sent, Steer, Way};

/// What may be sent.
#[derive(Debug)]
pub struct Credit {
    /// Bytes that may be sent in all.
    allowed: u64,
    /// Bytes that may be sent unasked after a pause.
    unasked: u64,
}

impl Steer for Credit {
    fn new(control: &Control, way: &Way) -> Option<Self> {
        matches!(control, Control::Credit(_)).then(|| Credit { allowed: 0, unasked: way.product() * 3 / 2 })
    }

    fn may_send(&self, sent: Sent, bytes: u64) -> bool {
        sent.sent + bytes <= self.allowed
    }

    fn allowed(&self) -> u64 {
        self.allowed
    }

    fn begin(&mut self, sent: Sent) {
        self.credited(sent.sent + self.unasked);
    }

    fn credited(&mut self, bytes: u64) {
        self.allowed = self.allowed.max(bytes);
    }
}
