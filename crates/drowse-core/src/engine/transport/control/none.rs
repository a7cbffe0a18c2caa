//! `none`: a sender sends what it has.

use crate::model::transport::Control;

use super::{Steer, Way};

/// No control.
#[derive(Debug)]
pub struct Freely;

impl Steer for Freely {
    fn new(control: &Control, _: &Way) -> Option<Self> {
        (*control == Control::None).then_some(Freely)
    }
}
