//! The catalogue of single sleep states, for lists of more than two: what sleeps, how fast, and who says so. What is not
//! published is not here; such states cannot be used before an experiment says the rest.

use drowse_core::model::units::Time;

use super::catalogue::Published;

/// A sleep state that has a name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SingleState {
    /// The name in `preset` of `power.states.list`.
    pub name: &'static str,
    /// What sleeps.
    pub part: &'static str,
    /// What is published of its power and times.
    pub published: Published,
    /// The link is kept, so that it can be woken by a packet; otherwise both ends see it go down.
    pub keeps_link: bool,
    /// What the link must have.
    pub needs: Needs,
    /// How its numbers are known.
    pub mark: Mark,
    /// Where this was published.
    pub source: &'static str,
}

/// How numbers are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// By a meter, in a publication.
    Measured,
    /// By a standard, a data sheet or the source of a driver.
    Stated,
    /// By a vendor's or an author's claim.
    Claimed,
    /// Nobody says it.
    Assumed,
}

impl Mark {
    /// Returns the word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Mark::Measured => "measured",
            Mark::Stated => "stated",
            Mark::Claimed => "claimed",
            Mark::Assumed => "assumed",
        }
    }
}

/// What a link must have for a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing.
    Nothing,
    /// Copper: the standard has no deep sleep of optical links.
    Copper,
    /// A module with pages of memory, that can be told to sleep.
    PagedModule,
}

/// Words of media that are optical.
const OPTICS: [&str; 9] = ["aoc", "sr", "dr", "fr", "lr", "er", "zr", "cpo", "lpo"];
/// Words of media whose modules are passive and have a flat memory.
const FLAT: [&str; 2] = ["dac", "backplane"];

impl Needs {
    /// Returns why a medium does not have it; `None` where it does, and where the medium is not known.
    pub fn refusal(self, medium: Option<&str>) -> Option<String> {
        let medium = medium?;
        match self {
            Needs::Copper if OPTICS.contains(&medium) => Some(format!(
                "IEEE 802.3, clause 78, has no deep sleep of optical links, and \"{medium}\" is optical: fast wake is \
                 what they have"
            )),
            Needs::PagedModule if FLAT.contains(&medium) => Some(format!(
                "a \"{medium}\" cable has a flat memory and no low-power mode: it is always in its low-power state"
            )),
            _ => None,
        }
    }
}

const UNKNOWN: Published = Published { power: None, enter: None, wake: None };

/// Returns a sleep of which all is published, times in nanoseconds.
const fn known(power: f64, enter_ns: u64, wake_ns: u64) -> Published {
    Published { power: Some(power), enter: Some(Time::from_ns(enter_ns)), wake: Some(Time::from_ns(wake_ns)) }
}

/// Returns a power without times.
const fn power(share: f64) -> Published {
    Published { power: Some(share), enter: None, wake: None }
}

/// Returns deep sleep by Energy Efficient Ethernet.
const fn eee(name: &'static str, part: &'static str, enter_ns: u64, wake_ns: u64) -> SingleState {
    SingleState {
        name,
        part,
        published: known(0.1, enter_ns, wake_ns),
        keeps_link: true,
        needs: Needs::Copper,
        mark: Mark::Stated,
        source: "IEEE 802.3, clause 78; power of saravanan-2018, which is assumed",
    }
}

/// Returns a port that is turned off by its administrator while its module stays plugged.
const fn port_down(name: &'static str, part: &'static str, share: f64) -> SingleState {
    SingleState {
        name,
        part,
        published: power(share),
        keeps_link: false,
        needs: Needs::Nothing,
        mark: Mark::Measured,
        source: "derived from the readings of Jacob et al. 2025 (IMC); times are not measured",
    }
}

/// Returns a state that keeps the link, with what is published of it.
const fn keeping(
    name: &'static str,
    part: &'static str,
    published: Published,
    mark: Mark,
    source: &'static str,
) -> SingleState {
    SingleState { name, part, published, keeps_link: true, needs: Needs::Nothing, mark, source }
}

/// All of them.
pub const SINGLE_STATES: [SingleState; 18] = [
    keeping(
        "fast-wake",
        "receivers of Ethernet links of 25 to 400 Gb/s",
        known(0.6, 0, 340),
        Mark::Stated,
        "IEEE 802.3, clause 78; power of saravanan-2018, which is assumed",
    ),
    eee("eee-deep-10g-t", "10GBASE-T", 2_880, 4_480),
    eee("eee-deep-10g-kr", "10GBASE-KR", 5_100, 15_380),
    eee("eee-deep-40g", "40GBASE-CR4 and -KR4", 1_100, 5_500),
    eee("eee-deep-100g", "100GBASE-CR4, -KR4 and -KP4", 1_100, 5_500),
    keeping(
        "serdes-rapid",
        "the SerDes of a research chip, 7 Gb/s",
        Published { wake: Some(Time::from_ns(20)), ..UNKNOWN },
        Mark::Claimed,
        "Anand et al. 2015 (JSSC), by its abstract: less than 20 ns; 1.43 of 63.7 mW at a load of 1 %",
    ),
    SingleState {
        name: "module-low",
        part: "the optical module: its data path is off",
        published: UNKNOWN,
        keeps_link: false,
        needs: Needs::PagedModule,
        mark: Mark::Stated,
        source: "CMIS: each module tells its times as codes (key `cmis`); its power in this mode is not published",
    },
    SingleState {
        name: "sfp-low",
        part: "an SFP module, from power level 2 or 3 to level 1",
        published: Published { wake: Some(Time(300_000_000_000)), ..UNKNOWN },
        keeps_link: false,
        needs: Needs::PagedModule,
        mark: Mark::Stated,
        source: "Linux, drivers/net/phy/sfp.c: 300 ms to power up; level 1 is up to 1.0 W, 2 and 3 are 1.5 and 2.0 W",
    },
    port_down("port-down-7280cr3k-dac", "a port of Arista 7280CR3K, 100G copper", 0.18),
    port_down("port-down-7280cr3k-fr4", "a port of Arista 7280CR3K, 400G-FR4", 0.76),
    port_down("port-down-9336c-dac", "a port of Nexus 9336C-FX2, 100G copper", 0.07),
    port_down("port-down-9336c-lr", "a port of Nexus 9336C-FX2, 100G-LR", 0.60),
    port_down("port-down-8201-dac", "a port of Cisco 8201, 100G copper", 0.23),
    keeping(
        "pcie-l0s",
        "PCI Express, one direction",
        UNKNOWN,
        Mark::Stated,
        "Linux, drivers/pci/pcie/aspm.c: wakes in 64 ns times 2 to the power of the device's exit code (`exit_code`)",
    ),
    keeping(
        "pcie-l1",
        "PCI Express, both directions",
        UNKNOWN,
        Mark::Stated,
        "Linux, drivers/pci/pcie/aspm.c: wakes in 1 us times 2 to the power of the device's exit code (`exit_code`)",
    ),
    keeping(
        "pcie-l0p",
        "lanes of PCI Express 6 and CXL, while the others carry on",
        UNKNOWN,
        Mark::Claimed,
        "less than 1 us and power in proportion are claimed; no primary text was read",
    ),
    keeping(
        "nvlink-single-lane",
        "NVLink, all lanes but one",
        UNKNOWN,
        Mark::Stated,
        "NVML and its documentation: state, threshold and its unit; wake time and powers are not published",
    ),
    SingleState {
        name: "switch-off",
        part: "a whole switch",
        published: UNKNOWN,
        keeps_link: false,
        needs: Needs::Nothing,
        mark: Mark::Assumed,
        source: "nothing is published of switches of HPC networks; minutes",
    },
];

/// Returns the wake time of a device's exit code in a state of PCI Express; `None` where the state has no such code, and
/// for code 7, which says that the time is longer than the others.
pub fn exit_time(name: &str, code: u8) -> Option<Time> {
    let shortest = match name {
        "pcie-l0s" => 64,
        "pcie-l1" => 1_000,
        _ => return None,
    };
    (code < 7).then(|| Time::from_ns(shortest << code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_there_once() {
        for (place, state) in SINGLE_STATES.iter().enumerate() {
            assert!(SINGLE_STATES[..place].iter().all(|other| other.name != state.name), "{}", state.name);
            assert!(!state.source.is_empty() && !state.part.is_empty(), "{}", state.name);
        }
    }

    /// L0s: 64 ns to about 4 us; L1: 1 us to 64 us.
    #[test]
    fn exit_codes_of_pcie() {
        assert_eq!(exit_time("pcie-l0s", 0), Some(Time::from_ns(64)));
        assert_eq!(exit_time("pcie-l0s", 6), Some(Time::from_ns(4_096)));
        assert_eq!(exit_time("pcie-l1", 6), Some(Time::from_us(64)));
        assert_eq!((exit_time("pcie-l1", 7), exit_time("fast-wake", 1)), (None, None));
    }

    #[test]
    fn media_that_lack_what_a_state_needs() {
        assert!(Needs::Copper.refusal(Some("lr")).is_some_and(|reason| reason.contains("no deep sleep of optical")));
        assert!(Needs::PagedModule.refusal(Some("dac")).is_some_and(|reason| reason.contains("flat memory")));
        assert_eq!((Needs::Copper.refusal(Some("dac")), Needs::PagedModule.refusal(Some("fr"))), (None, None));
        assert_eq!((Needs::Copper.refusal(None), Needs::Nothing.refusal(Some("lr"))), (None, None));
    }
}
