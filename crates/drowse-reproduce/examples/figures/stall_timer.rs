//! NAS CG on a torus whose links sleep after stall timers from 1 us to 1 ms: the runs.

use std::f64::consts::LOG10_2;
use std::path::Path;

use drowse_experiment::{Case, LoadError, load_case};
use drowse_run::error::RunError;
use drowse_run::outcome::Outcome;
use drowse_run::request::RunRequest;
use drowse_tables::Name;
use drowse_tables::schema::cases as columns;

use crate::parallel;

/// The experiment; only its stall timer is changed.
const EXPERIMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/cg-torus.toml");

/// The stall timers in microseconds and their decimal logarithms, which the libraries of two systems may round
/// differently.
const STALL_TIMERS: [(u32, f64); 10] = [
    (1, 0.0),
    (2, LOG10_2),
    (5, 1.0 - LOG10_2),
    (10, 1.0),
    (20, 1.0 + LOG10_2),
    (50, 2.0 - LOG10_2),
    (100, 2.0),
    (200, 2.0 + LOG10_2),
    (500, 3.0 - LOG10_2),
    (1_000, 3.0),
];

/// All runs.
pub struct Study {
    /// Links always on.
    pub always_on: Figures,
    /// One for each stall timer, shortest first.
    pub points: Vec<Point>,
}

/// What one stall timer gives.
pub struct Point {
    /// The stall timer of deep sleep.
    pub microseconds: u32,
    /// The decimal logarithm of these microseconds.
    pub decades: f64,
    /// What was measured.
    pub figures: Figures,
    /// Increase of the run time over links always on, as a share.
    pub slowdown: f64,
    /// The network's energy, relative to links always on.
    pub network: f64,
    /// The energy of network and nodes, relative to links always on.
    pub cluster: f64,
}

/// The figures of one run.
pub struct Figures {
    /// Run time in seconds.
    pub makespan: f64,
    /// Share of the time that the channels between switches are in deep sleep.
    pub deep: f64,
    /// Times that a channel woke.
    pub wakes: f64,
    /// `W_net`, as a share of the reference network's power.
    pub network_power: f64,
    /// `E_net` in seconds.
    pub network: f64,
    /// The network's part of `E_cluster`.
    pub network_share: f64,
    /// `E_cluster` in seconds, with idle nodes drawing half the power.
    pub cluster: f64,
}

impl Point {
    fn new((microseconds, decades): (u32, f64), figures: Figures, base: &Figures) -> Self {
        let slowdown = figures.makespan / base.makespan - 1.0;
        let (network, cluster) = (figures.network / base.network, figures.cluster / base.cluster);
        Point { microseconds, decades, figures, slowdown, network, cluster }
    }
}

impl Study {
    /// Returns what a stall timer gives.
    pub fn at(&self, microseconds: u32) -> Result<&Point, String> {
        let point = self.points.iter().find(|point| point.microseconds == microseconds);
        point.ok_or_else(|| format!("no case has a stall timer of {microseconds} us"))
    }

    /// Returns the stall timer that makes a figure least.
    pub fn least(&self, figure: impl Fn(&Point) -> f64) -> Result<&Point, String> {
        let least = self.points.iter().min_by(|a, b| figure(a).total_cmp(&figure(b)));
        least.ok_or_else(|| "there is no case".into())
    }
}

impl Figures {
    fn of(outcome: &Outcome) -> Option<Self> {
        let number = |name: Name| outcome.summary.figures.number(name);
        let (network, cluster) = (number(columns::ENERGY_E_NET.into())?, number(columns::ENERGY_E_CLUSTER.of("0.5"))?);
        Some(Figures {
            makespan: number(columns::MAKESPAN_S.into())?,
            deep: number(columns::LINKS_DEEP_FRACTION.into())?,
            wakes: number(columns::LINKS_WAKES.into())?,
            network_power: number(columns::ENERGY_W_NET.into())?,
            network,
            network_share: outcome.case.system.model.network * network / cluster,
            cluster,
        })
    }
}

/// Runs all cases.
pub fn run() -> Result<Study, RunError> {
    let mut cases = STALL_TIMERS.iter().map(|&(microseconds, _)| case(microseconds)).collect::<Result<Vec<_>, _>>()?;
    cases.extend(cases.first().map(Case::always_on));
    let runs = parallel::map(&cases, |case| RunRequest::new(case).run());
    let mut figures = runs.into_iter().map(|run| figures(&run?.case)).collect::<Result<Vec<_>, _>>()?;
    let Some(always_on) = figures.pop() else { return Err(RunError::Machine("there is no case".into())) };
    let point = |(&timer, figures)| Point::new(timer, figures, &always_on);
    let points = STALL_TIMERS.iter().zip(figures).map(point).collect();
    Ok(Study { always_on, points })
}

fn case(microseconds: u32) -> Result<Case, LoadError> {
    load_case(Path::new(EXPERIMENT), &[format!("power.policy.deep=\"{microseconds} us\"")])
}

fn figures(outcome: &Outcome) -> Result<Figures, RunError> {
    Figures::of(outcome).ok_or_else(|| RunError::Machine("a figure is missing in the summary of a run".into()))
}
