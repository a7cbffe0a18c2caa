//! The catalogue of link states: what has been published of links that sleep, each with its source. What is not
//! published is not here either; such states cannot be used before an experiment says the rest.

use drowse_core::model::sleep_state::{SleepState, SleepStates};
use drowse_core::model::units::Time;

/// Link states that have a name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamedStates {
    /// The name in `power.states`.
    pub name: &'static str,
    /// Which links have them.
    pub links: &'static str,
    /// Shallow sleep (fast wake).
    pub shallow: Published,
    /// Deep sleep.
    pub deep: Published,
    /// Where this was published.
    pub source: &'static str,
}

/// What has been published of one sleep state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// Power, as a share of the power when on.
    pub power: Option<f64>,
    /// Time to enter it.
    pub enter: Option<Time>,
    /// Time to wake.
    pub wake: Option<Time>,
}

impl Published {
    /// Returns the state, if nothing of it is unknown.
    pub fn known(&self) -> Option<SleepState> {
        Some(SleepState { power: self.power?, enter: self.enter?, wake: self.wake? })
    }

    /// Returns the least idle time for which the state pays, if nothing of it is unknown: idle periods that are longer
    /// draw less asleep than on. Entering and waking draw full power.
    pub fn pays_after(&self) -> Option<Time> {
        pays_after(&self.known()?, 1.0)
    }
}

/// Returns the least idle time `t` for which a state pays where entering and waking draw the share `during` of the power
/// when on: (1 - power) (t - enter - wake) = (during - 1) (enter + wake). It is at least as long as both take. `None` for
/// a state that saves nothing.
fn pays_after(state: &SleepState, during: f64) -> Option<Time> {
    let moves = state.enter.saturating_add(state.wake);
    let saved = 1.0 - state.power;
    let more = (during - 1.0).max(0.0) * moves.0 as f64 / saved;
    (saved > 0.0 && more < Time::LONGEST.0 as f64).then(|| moves.saturating_add(Time(rounded(more))))
}

/// Returns picoseconds to the next whole one.
#[expect(clippy::cast_sign_loss, reason = "no time is negative")]
fn rounded(picoseconds: f64) -> u64 {
    picoseconds.round() as u64
}

impl From<SleepState> for Published {
    fn from(SleepState { power, enter, wake }: SleepState) -> Self {
        Published { power: Some(power), enter: Some(enter), wake: Some(wake) }
    }
}

impl NamedStates {
    /// Returns the states, if nothing of them is unknown.
    pub fn known(&self) -> Option<SleepStates> {
        Some(SleepStates::new(self.shallow.known()?, self.deep.known()?))
    }
}

/// Nothing is published.
const UNKNOWN: Published = Published { power: None, enter: None, wake: None };
/// Fast wake as in the standard.
const FAST: Published = shallow(340);
/// Fast wake as proposed by the task force, in Saravanan and Carpenter 2018.
const FAST_2012: Published = shallow(250);

/// Returns a shallow sleep of 60 % that takes no time to enter (Saravanan and Carpenter 2018, section 3).
const fn shallow(wake_ns: u64) -> Published {
    Published { power: Some(0.6), enter: Some(Time::ZERO), wake: Some(Time::from_ns(wake_ns)) }
}

/// Returns a deep sleep of 10 % (Saravanan and Carpenter 2018, section 3).
const fn deep(enter_ns: u64, wake_ns: u64) -> Published {
    Published { power: Some(0.1), enter: Some(Time::from_ns(enter_ns)), wake: Some(Time::from_ns(wake_ns)) }
}

/// All of them. The standard IEEE 802.3 has times (clause 78, Tables 78-2 and 78-4; of a range, the upper end) and no
/// powers: these are from Saravanan and Carpenter 2018, as is the fast wake of links slower than 25 Gb/s. A link whose
/// receiver stays powered in shallow sleep only has that as its deep sleep, too.
pub const CATALOGUE: [NamedStates; 18] = [
    NamedStates {
        name: "saravanan-2018",
        links: "links of the paper, by EEE for 10 Gb/s",
        shallow: FAST_2012,
        deep: deep(2_880, 4_480),
        source: "Saravanan and Carpenter 2018, section 3",
    },
    NamedStates {
        name: "andujar-2019",
        links: "links of the paper, which has no shallow sleep",
        shallow: FAST_2012,
        deep: deep(2_880, 4_160),
        source: "Andújar et al. 2019, section 4; shallow sleep of saravanan-2018",
    },
    NamedStates {
        name: "eee-100m",
        links: "100BASE-TX",
        shallow: FAST_2012,
        deep: deep(200_000, 30_500),
        source: "Christensen et al. 2010 (IEEE 802.3az), Table 1; powers of saravanan-2018",
    },
    NamedStates {
        name: "eee-1g",
        links: "1000BASE-T",
        shallow: FAST_2012,
        deep: deep(182_000, 16_500),
        source: "Christensen et al. 2010 (IEEE 802.3az), Table 1; powers of saravanan-2018",
    },
    NamedStates {
        name: "eee-10g",
        links: "10GBASE-T",
        shallow: FAST_2012,
        deep: deep(2_880, 4_480),
        source: "IEEE 802.3, clause 78; powers of saravanan-2018",
    },
    NamedStates {
        name: "eee-10g-kx4",
        links: "10GBASE-KX4",
        shallow: FAST_2012,
        deep: deep(20_100, 12_380),
        source: "IEEE 802.3, clause 78; powers of saravanan-2018",
    },
    NamedStates {
        name: "eee-10g-kr",
        links: "10GBASE-KR without forward error correction",
        shallow: FAST_2012,
        deep: deep(5_100, 15_380),
        source: "IEEE 802.3, clause 78; powers of saravanan-2018",
    },
    NamedStates {
        name: "eee-25g-t",
        links: "25GBASE-T",
        shallow: FAST,
        deep: deep(896, 1_792),
        source: "IEEE 802.3, clause 78; powers of saravanan-2018",
    },
    NamedStates {
        name: "eee-40g-t",
        links: "40GBASE-T",
        shallow: FAST,
        deep: deep(560, 1_120),
        source: "IEEE 802.3, clause 78; powers of saravanan-2018",
    },
    NamedStates {
        name: "eee-40g",
        links: "40GBASE-CR4 and -KR4 without forward error correction",
        shallow: FAST,
        deep: deep(1_100, 5_500),
        source: "IEEE 802.3, clause 78; powers of saravanan-2018",
    },
    NamedStates {
        name: "eee-100g-fast-wake",
        links: "100GBASE-R; deep sleep of 100GBASE-CR4",
        shallow: FAST,
        deep: deep(1_100, 5_500),
        source: "IEEE 802.3, clause 78; powers of saravanan-2018",
    },
    NamedStates {
        name: "eee-optical",
        links: "optical links of 25 to 400 Gb/s, which have fast wake only",
        shallow: FAST,
        deep: FAST,
        source: "IEEE 802.3, clause 78; power of saravanan-2018",
    },
    NamedStates {
        name: "ethernet-800g",
        links: "links of 800 Gb/s and their optics",
        shallow: UNKNOWN,
        deep: UNKNOWN,
        source: "clause 78 as of 2022 ends at 400 Gb/s; optical modules (CMIS) each tell their own times",
    },
    NamedStates {
        name: "infiniband-width",
        links: "InfiniBand links from 4x to 1x",
        shallow: UNKNOWN,
        deep: UNKNOWN,
        source: "widths are of the InfiniBand architecture specification; it has no times and no powers",
    },
    NamedStates {
        name: "infiniband-speed",
        links: "InfiniBand links at a lower rate",
        shallow: UNKNOWN,
        deep: UNKNOWN,
        source: "rates are of the InfiniBand architecture specification; it has no times and no powers",
    },
    NamedStates {
        name: "pcie-aspm",
        links: "PCI Express, L0s as shallow and L1 as deep sleep",
        shallow: UNKNOWN,
        deep: UNKNOWN,
        source: "each device tells its own exit latencies: L0s up to 4 us, L1 up to 64 us, or more; no powers",
    },
    NamedStates {
        name: "l0p",
        links: "PCI Express 6 and NVLink-like links with fewer lanes",
        shallow: UNKNOWN,
        deep: UNKNOWN,
        source: "the width of L0p follows the load without a stop of the link; times and powers are not published",
    },
    NamedStates {
        name: "photonic-laser",
        links: "silicon photonic links whose lasers are turned off",
        shallow: UNKNOWN,
        deep: UNKNOWN,
        source: "Demir and Hardavellas 2015 save 62 to 92 % of laser energy on chips; of links of switches: nothing",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 1 us in all at full power; at 1.5 times that, 0.5 us more at full power, which take 1 us at half of it.
    #[test]
    fn least_idle_times_that_pay() {
        let state = SleepState { power: 0.5, enter: Time::from_ns(400), wake: Time::from_ns(600) };
        assert_eq!(pays_after(&state, 1.0), Some(Time::from_us(1)));
        assert_eq!(pays_after(&state, 1.5), Some(Time::from_us(2)));
        assert_eq!(pays_after(&SleepState { power: 1.0, ..state }, 1.0), None);
    }

    /// A packet that comes while 10GBASE-T falls asleep waits for both: 7.36 us in Table 78-4 (case 1); 25GBASE-T 2.56
    /// us and 40GBASE-T 1.6 us, of the shortest sleep times.
    #[test]
    fn wakes_from_entering_are_those_of_case_1() {
        let case_1 = |name: &str, shortest_sleep_ns: u64| {
            let named = CATALOGUE.iter().find(|named| named.name == name).unwrap_or(&CATALOGUE[0]);
            named.deep.wake.map(|wake| wake + Time::from_ns(shortest_sleep_ns))
        };
        assert_eq!(case_1("eee-10g", 2_880), Some(Time::from_ns(7_360)));
        assert_eq!(case_1("eee-25g-t", 768), Some(Time::from_ns(2_560)));
        assert_eq!(case_1("eee-40g-t", 480), Some(Time::from_ns(1_600)));
    }
}
