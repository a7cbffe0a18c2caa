//! What a link in a sleep state draws, from what its parts draw: a `SerDes` can sleep, a module mostly cannot, and the
//! rest of a port seldom does.

/// What the parts of one end of a link draw that is on, in watts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PartWatts {
    /// The `SerDes` of the switch's chip.
    pub serdes: f64,
    /// The module or cable.
    pub module: f64,
    /// The module in its low-power mode; `None` where that is not known.
    pub module_low: Option<f64>,
    /// The rest of the port.
    pub port: f64,
}

/// What a module draws in a sleep state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ModulePower {
    /// A share of its power when on.
    Share(f64),
    /// Its power in its low-power mode.
    Low,
}

/// What each part of a link draws in a sleep state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartShares {
    /// The `SerDes`, as a share of its power when on.
    pub serdes: f64,
    /// The module.
    pub module: ModulePower,
    /// The rest of the port, as a share of its power when on.
    pub port: f64,
}

/// Why parts give no share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoShare {
    /// The parts draw nothing when on.
    NoPower,
    /// The module's low-power mode is part of the state, and its power is not known.
    UnknownLowPower,
    /// The link would draw more than when on.
    MoreThanOn,
}

impl PartShares {
    /// Returns the power of a link in the state, as a share of its power when on. Both ends are alike.
    ///
    /// ```
    /// use drowse_core::power::parts::{ModulePower, PartShares, PartWatts};
    ///
    /// // A module of 12 W that draws 1.5 W in its low-power mode, a SerDes of 2 W and 1 W of the rest: 2.5 of 15 W stay.
    /// let watts = PartWatts { serdes: 2.0, module: 12.0, module_low: Some(1.5), port: 1.0 };
    /// let low = PartShares { serdes: 0.0, module: ModulePower::Low, port: 1.0 };
    /// assert!((low.of(&watts).expect("all is known") - 2.5 / 15.0).abs() < 1e-12);
    /// ```
    ///
    /// # Errors
    ///
    /// Fails where the watts do not say it, or where they say that the link would draw more than when on.
    pub fn of(&self, watts: &PartWatts) -> Result<f64, NoShare> {
        let on = watts.serdes + watts.module + watts.port;
        if on <= 0.0 {
            return Err(NoShare::NoPower);
        }
        let module = match self.module {
            ModulePower::Share(share) => share * watts.module,
            ModulePower::Low => watts.module_low.ok_or(NoShare::UnknownLowPower)?,
        };
        let share = (self.serdes * watts.serdes + module + self.port * watts.port) / on;
        if share <= 1.0 { Ok(share) } else { Err(NoShare::MoreThanOn) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_watts_do_not_say() {
        let watts = PartWatts { serdes: 1.0, module: 2.0, module_low: None, port: 1.0 };
        let state = |module| PartShares { serdes: 0.5, module, port: 0.0 };
        assert_eq!(state(ModulePower::Share(0.75)).of(&watts), Ok(0.5));
        assert_eq!(state(ModulePower::Low).of(&watts), Err(NoShare::UnknownLowPower));
        assert_eq!(state(ModulePower::Low).of(&PartWatts::default()), Err(NoShare::NoPower));
        let hungry = PartWatts { module_low: Some(4.0), ..watts };
        assert_eq!(state(ModulePower::Low).of(&hungry), Err(NoShare::MoreThanOn));
    }
}
