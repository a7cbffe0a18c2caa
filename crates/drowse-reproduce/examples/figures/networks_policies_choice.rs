//! Which network with which policy needs the least energy and keeps a bound on run time: cases, and what is chosen.
//! It is a file without imports, so that tests can include it.

/// Run times below this keep the bound of 1 %.
pub const BOUND: f64 = 1.01;
/// Energies above this save nothing, where those of links that are always on are 1.
const SAVES: f64 = 0.9999;
pub const ALWAYS_ON: &str = "always-on";
pub const ORACLE: &str = "oracle";

/// An application on a network under a policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    pub application: &'static str,
    pub network: &'static str,
    pub policy: &'static str,
    /// Run time.
    pub seconds: f64,
    /// Run time, where the links of the same network are always on = 1.
    pub time: f64,
    /// Energy of the network: of its links, switches and interfaces.
    pub network_energy: Energy,
    /// Energy of the network and its nodes.
    pub total_energy: Energy,
    /// The share of the critical path that waits for waking links.
    pub waking: f64,
}

/// Energy of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energy {
    pub joules: f64,
    /// Where the links of the same network are always on = 1.
    pub relative: f64,
}

/// What counts as energy.
pub type Counted = fn(&Case) -> Energy;

impl Case {
    /// Returns the case of the same network whose links are always on.
    pub fn always_on(&self) -> Case {
        Case {
            policy: ALWAYS_ON,
            seconds: self.seconds / self.time,
            time: 1.0,
            network_energy: self.network_energy.always_on(),
            total_energy: self.total_energy.always_on(),
            waking: 0.0,
            ..*self
        }
    }
}

impl Energy {
    fn always_on(self) -> Energy {
        Energy { joules: self.joules / self.relative, relative: 1.0 }
    }
}

/// Returns the case that needs the least among those that keep the bound, could be had, which the oracle could not, and
/// save something, or whose links are always on.
pub fn best<'a>(cases: &[&'a Case], energy: Counted) -> Option<&'a Case> {
    let saves = |case: &Case| case.policy == ALWAYS_ON || energy(case).relative < SAVES;
    let could_be = |case: &&Case| case.policy != ORACLE && case.time < BOUND && saves(case);
    least(cases.iter().copied().filter(could_be), energy)
}

/// Returns the case of a policy that needs the least, among networks.
pub fn best_of_policy<'a>(cases: &[&'a Case], policy: &str, energy: Counted) -> Option<&'a Case> {
    least(cases.iter().copied().filter(|case| case.policy == policy), energy)
}

/// Returns the energy of a policy that is used only where it keeps the bound: elsewhere, links are always on.
pub fn used_where_allowed(case: &Case, energy: Counted) -> Energy {
    if case.time < BOUND { energy(case) } else { energy(case).always_on() }
}

fn least<'a>(cases: impl Iterator<Item = &'a Case>, energy: Counted) -> Option<&'a Case> {
    cases.min_by(|a, b| energy(a).joules.total_cmp(&energy(b).joules))
}
