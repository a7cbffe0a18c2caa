//! Converts a trace's computations to time.
//!
//! Most formats hold times, which are multiplied by the scale. SimGrid's holds floating-point operations: SMPI measures
//! the processor time of each computation and writes it as operations of a machine of known speed. Dividing by that
//! speed returns the measured time: time = operations * scale / rate.

use drowse_core::model::units::{FlopRate, Time};
use serde::Serialize;

use crate::line_error::LineError;

/// Those of a second.
const PICOSECONDS: u64 = 1_000_000_000_000;

/// How computations are converted to time. The speed, and what is left out, concern only formats that hold operations.
///
/// ```
/// use drowse_core::model::units::Time;
/// use drowse_traces::ComputeModel;
///
/// let traced = ComputeModel::TEN_GIGAFLOPS;
/// assert_eq!(traced.time(20_000), Some(Time::from_us(2)));
/// // A machine that is twice as fast.
/// let faster = ComputeModel { scale: 0.5, ..traced };
/// assert_eq!(faster.time(20_000), Some(Time::from_us(1)));
/// assert_eq!(faster.scaled(Time::from_us(8)), Some(Time::from_us(4)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ComputeModel {
    /// Operations per second of each rank.
    pub flops_per_second: FlopRate,
    /// Factor on all computations; below one, the machine is faster than the traced one.
    pub scale: f64,
    /// Computations of an exact multiple of this many operations are left out, because SMPI writes polling time so.
    pub drop_multiples: Option<u64>,
    /// Computations of an exact multiple of this many operations stand for polls, which become waits for the message
    /// that the rank receives next.
    pub wait_multiples: Option<u64>,
}

impl ComputeModel {
    /// Times as they are written, and operations at the speed with which SMPI writes them.
    pub const TEN_GIGAFLOPS: Self = ComputeModel {
        flops_per_second: FlopRate(10_000_000_000),
        scale: 1.0,
        drop_multiples: None,
        wait_multiples: None,
    };

    /// Returns the time of a number of operations; `None` if it is too long to be simulated.
    pub fn time(&self, flops: u64) -> Option<Time> {
        let rate = self.flops_per_second.0.max(1);
        // Exactly 1.0 means "not scaled" and stays in integers.
        if self.scale.to_bits() == 1.0_f64.to_bits() {
            // Nearly all products fit in 64 bits, whose division is quicker.
            let picoseconds = match flops.checked_mul(PICOSECONDS) {
                Some(product) => product / rate,
                None => u64::try_from(u128::from(flops) * u128::from(PICOSECONDS) / u128::from(rate)).ok()?,
            };
            return Some(Time(picoseconds)).filter(|&time| time <= Time::LONGEST);
        }
        picoseconds(flops as f64 * self.scale * 1e12 / rate as f64)
    }

    /// Returns how long a computation takes that the trace holds as a time; `None` if it is too long to be simulated.
    pub fn scaled(&self, time: Time) -> Option<Time> {
        if self.scale.to_bits() == 1.0_f64.to_bits() {
            return Some(time).filter(|&time| time <= Time::LONGEST);
        }
        picoseconds(time.0 as f64 * self.scale)
    }

    /// Returns whether a computation is left out.
    pub fn drops(&self, flops: u64) -> bool {
        is_multiple(flops, self.drop_multiples)
    }

    /// Returns whether a computation stands for polls.
    pub fn waits(&self, flops: u64) -> bool {
        is_multiple(flops, self.wait_multiples)
    }
}

/// How long a rank has computed so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Computed(Time);

impl Computed {
    /// Adds a computation of the rank. Fails where it has computed for longer than is simulated.
    pub fn add(&mut self, rank: u32, time: Time) -> Result<(), LineError> {
        self.0 = self.0.saturating_add(time);
        let (time, most) = (self.0, Time::LONGEST);
        if time > most { Err(LineError::ComputesTooLong { rank, time, most }) } else { Ok(()) }
    }
}

fn is_multiple(flops: u64, of: Option<u64>) -> bool {
    of.is_some_and(|of| of > 0 && flops > 0 && flops.is_multiple_of(of))
}

/// Rounds a number of picoseconds; `None` if it is no time or too long.
pub(crate) fn picoseconds(value: f64) -> Option<Time> {
    (value >= 0.0 && value <= Time::LONGEST.0 as f64).then(|| Time(as_u64(value.round())))
}

/// Truncates a float that is known to be in range.
#[expect(clippy::cast_sign_loss, reason = "callers have checked the range; the cast saturates otherwise")]
pub(crate) fn as_u64(value: f64) -> u64 {
    value as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(scale: f64, drop_multiples: Option<u64>) -> ComputeModel {
        ComputeModel { flops_per_second: FlopRate(10_000_000_000), scale, drop_multiples, wait_multiples: None }
    }

    #[test]
    fn operations_become_time() {
        assert_eq!(model(1.0, None).time(154_900), Some(Time(15_490_000)));
        assert_eq!(model(0.5, None).time(154_900), Some(Time(7_745_000)));
        assert_eq!(model(0.0, None).time(154_900), Some(Time(0)));
        assert_eq!(model(1.0, None).time(u64::MAX), None);
        assert_eq!(model(f64::NAN, None).time(1), None);
        assert_eq!(model(-1.0, None).time(1), None);
        let stopped =
            ComputeModel { flops_per_second: FlopRate(0), scale: 1.0, drop_multiples: None, wait_multiples: None };
        assert_eq!(stopped.time(5), Some(Time(5_000_000_000_000)));
    }

    #[test]
    fn times_are_scaled() {
        // More digits than a float has.
        let long = Time(999_999_999_999_999_999);
        assert_eq!(model(1.0, None).scaled(long), Some(long));
        assert_eq!(model(0.25, Some(4)).scaled(Time(1_000)), Some(Time(250)));
        assert_eq!(model(2.0, None).scaled(Time::LONGEST), None);
        assert_eq!([model(f64::NAN, None), model(-1.0, None)].map(|model| model.scaled(Time(1))), [None; 2]);
    }

    #[test]
    fn exact_multiples_are_dropped() {
        assert!(model(1.0, Some(1_000_000)).drops(3_000_000));
        assert!(!model(1.0, Some(1_000_000)).drops(3_000_001));
        assert!(!model(1.0, Some(1_000_000)).drops(0));
        assert!(!model(1.0, Some(0)).drops(3));
        assert!(!model(1.0, None).drops(3_000_000));
    }
}
