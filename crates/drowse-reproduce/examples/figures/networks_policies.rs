//! Networks and policies: the cases of examples/networks-policies.toml, as they are kept in docs/data, and what is chosen.

use std::error::Error;

use crate::networks_policies_choice::{ALWAYS_ON, Case, Counted, Energy, ORACLE};
use crate::networks_policies_choice::{best, best_of_policy, used_where_allowed};
use crate::numbers::{median, sorted};

/// Of each case of the sweep: what it is called here, and columns of its `cases.csv`.
const ROWS: &str = include_str!("../../../../docs/data/networks_policies.csv");
/// The networks, as the rows and as sentences call them.
pub const NETWORKS: [(&str, &str); 6] = [
    ("torus", "the torus"),
    ("thin tree", "the thin tree"),
    ("racks", "the racks"),
    ("PERCS", "PERCS"),
    ("dragonfly", "the dragonfly"),
    ("Slim Fly", "the Slim Fly"),
];

/// Energy of the network alone, and with its nodes.
pub const OF_NETWORK: Counted = |case| case.network_energy;
pub const OF_ALL: Counted = |case| case.total_energy;

type Failed = Box<dyn Error>;
/// Chooses among the cases of an application on a network.
pub type Choose = for<'a> fn(&[&'a Case]) -> Option<&'a Case>;

/// All cases, those with links always on included.
pub struct Study {
    cases: Vec<Case>,
}

/// The choice for an application.
pub struct Choice<'a> {
    pub chosen: &'a Case,
    /// Of the networks whose links are always on, the one that needs least, and the shortest run.
    pub always_on: &'a Case,
    pub shortest: f64,
    /// The oracle on the chosen network.
    pub oracle: &'a Case,
}

/// Reads the cases.
pub fn read() -> Result<Study, Failed> {
    let mut cases = ROWS.lines().skip(1).map(case).collect::<Option<Vec<_>>>().ok_or("a row has other columns")?;
    // In front, so that always on is chosen where nothing saves.
    let base: Vec<Case> = cases.iter().filter(|case| case.policy == ORACLE).map(Case::always_on).collect();
    cases.splice(0..0, base);
    Ok(Study { cases })
}

fn case(line: &'static str) -> Option<Case> {
    let cells: Vec<&'static str> = line.split(',').collect();
    let [application, network, policy, numbers @ ..] = cells.as_slice() else { return None };
    let numbers: Vec<f64> = numbers.iter().map(|cell| cell.parse().ok()).collect::<Option<_>>()?;
    let [seconds, time, network_joules, network_relative, total_joules, total_relative, waking] = *numbers.as_slice()
    else {
        return None;
    };
    Some(Case {
        application,
        network,
        policy,
        seconds,
        time,
        network_energy: Energy { joules: network_joules, relative: network_relative },
        total_energy: Energy { joules: total_joules, relative: total_relative },
        waking,
    })
}

/// Returns what differs, in its first order.
fn distinct(names: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut found = Vec::new();
    for name in names {
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

impl Study {
    /// Returns the applications in the order of the sweep.
    pub fn applications(&self) -> Vec<&'static str> {
        distinct(self.cases.iter().map(|case| case.application))
    }

    /// Returns the policies in the order of the sweep, always on first.
    pub fn policies(&self) -> Vec<&'static str> {
        distinct(self.cases.iter().map(|case| case.policy))
    }

    /// Returns some of the cases.
    pub fn of(&self, is_it: impl Fn(&Case) -> bool) -> Vec<&Case> {
        self.cases.iter().filter(|case| is_it(case)).collect()
    }

    /// Chooses network and policy of an application.
    pub fn choice(&self, application: &str, energy: Counted) -> Result<Choice<'_>, Failed> {
        let cases = self.of(|case| case.application == application);
        let chosen = best(&cases, energy).ok_or("an application has no case")?;
        let always_on = best_of_policy(&cases, ALWAYS_ON, energy).ok_or("an application has no baseline")?;
        let baselines = cases.iter().filter(|case| case.policy == ALWAYS_ON).map(|case| case.seconds);
        let shortest = baselines.fold(f64::INFINITY, f64::min);
        let there = self.of(|case| case.application == application && case.network == chosen.network);
        let oracle = best_of_policy(&there, ORACLE, energy).ok_or("a network has no oracle")?;
        Ok(Choice { chosen, always_on, shortest, oracle })
    }

    /// Returns how often a network is chosen.
    pub fn times_chosen(&self, network: &str, energy: Counted) -> Result<usize, Failed> {
        let is_it = |application| Ok(self.choice(application, energy)?.chosen.network == network);
        let chosen = self.applications().into_iter().map(is_it).collect::<Result<Vec<_>, Failed>>()?;
        Ok(chosen.into_iter().filter(|&is_it| is_it).count())
    }

    /// Returns by how much a network's runs with links always on are longer than the shortest, sorted.
    pub fn longer_than_shortest(&self, network: &str) -> Result<Vec<f64>, Failed> {
        let longer = |case: &Case| Ok(case.seconds / self.choice(case.application, OF_NETWORK)?.shortest - 1.0);
        let base = self.of(|case| case.network == network && case.policy == ALWAYS_ON);
        let shares = base.into_iter().map(longer).collect::<Result<Vec<_>, Failed>>()?;
        Ok(sorted(shares.into_iter()))
    }

    /// Returns the energy of what is chosen on a network, where the best network whose links are always on needs 1: the
    /// median of the applications.
    pub fn against_best(&self, network: &str, choose: Choose) -> Result<f64, Failed> {
        let share = |application| {
            let cases = self.of(|case| case.application == application && case.network == network);
            let chosen = choose(&cases).ok_or("an application has no such case")?;
            Ok(OF_NETWORK(chosen).joules / OF_NETWORK(self.choice(application, OF_NETWORK)?.always_on).joules)
        };
        let shares = self.applications().into_iter().map(share).collect::<Result<Vec<_>, Failed>>()?;
        Ok(median(&sorted(shares.into_iter())))
    }

    /// Returns the energy of a policy on a network that is used where it keeps the bound, where the best network whose
    /// links are always on needs 1: the mean of the applications.
    pub fn where_allowed(&self, network: &str, policy: &str) -> Result<f64, Failed> {
        let cases = self.of(|case| case.network == network && case.policy == policy);
        let mut sum = 0.0;
        for case in &cases {
            let always_on = self.choice(case.application, OF_NETWORK)?.always_on;
            sum += used_where_allowed(case, OF_NETWORK).joules / OF_NETWORK(always_on).joules;
        }
        Ok(sum / cases.len() as f64)
    }
}
