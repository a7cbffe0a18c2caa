//! The verdict on a fabric, put together from all checks.

use super::balance::{Level, Spread, bandwidth, levels, spread, unused};
use super::circle::{Circle, Dependencies, named};
use super::fit::{Fit, Rows, fit};
use super::islands::{Island, islands};
use super::lanes::{Dumped, LANES, LaneRoutes, of_all, of_data};
use super::routes::{Pairs, follow};
use super::wiring::Wiring;
use crate::infiniband::degraded::{Degraded, degraded};
use crate::infiniband::subnet::Subnet;
use crate::infiniband::tables::Tables;

/// What is known of virtual lanes.
#[derive(Clone, Copy, Debug)]
pub enum Lanes<'d> {
    /// Nothing: neither service levels nor lanes are dumped.
    Unknown,
    /// All packets use one lane, as they do if the routing engine assigns no service levels.
    One,
    /// Service levels of pairs and lanes of switches.
    Dumped(Dumped<'d>),
}

/// Whether routes can deadlock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They cannot.
    Free,
    /// They can: these channels may wait for each other.
    Deadlock(Circle),
    /// That depends on virtual lanes, of which this is not known.
    Unknown(String),
}

/// A verdict and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The verdict.
    pub verdict: Verdict,
    /// The circle that there is if all packets use one lane.
    pub on_one_lane: Option<Circle>,
    /// Pairs of channels that follow each other on some route, lanes not told apart.
    pub dependencies: u64,
    /// The virtual lanes that are used, where they are dumped.
    pub lanes: Vec<u8>,
    /// Pairs that are taken to use service level 0, because the file has none for them: the subnet manager's, as a
    /// rule. Pairs of hosts are not.
    pub on_level_0: u64,
}

/// What is found out of a fabric.
#[derive(Clone, Debug)]
pub struct Soundness {
    /// Switches of the topology.
    pub switches: u64,
    /// Ports of adapters that are linked with switches.
    pub nodes: u64,
    /// Those among them that have no LID: no packets are sent from them or to them.
    pub nodes_without_lid: u64,
    /// Cables.
    pub cables: u64,
    /// Whether topology and tables fit together.
    pub fit: Fit,
    /// Parts that no cable joins, the largest first; one, as a rule.
    pub islands: Vec<Island>,
    /// Routes from hosts to hosts, by which data travel.
    pub data: Pairs,
    /// Routes from all ports to all LIDs, switches included, by which management travels, too.
    pub all: Pairs,
    /// Whether data can deadlock.
    pub data_proof: Proof,
    /// Whether data and management together can deadlock. Pairs without a service level take 0.
    pub all_proof: Proof,
    /// Pairs of hosts by service level, where these are dumped.
    pub by_service_level: [u64; 16],
    /// Pairs of hosts whose packets are dropped, because a switch puts them on lane 15.
    pub dropped: u64,
    /// How routes are spread over the channels between switches, by levels.
    pub spread: Vec<Spread>,
    /// Cables between switches that no route from host to host uses.
    pub unused: Vec<String>,
    /// Bandwidth down and up by level.
    pub levels: Vec<Level>,
    /// Cables below the usual width or speed.
    pub degraded: Vec<Degraded>,
}

impl Soundness {
    /// Returns whether nothing was found that hurts data: all pairs are served, and they cannot deadlock.
    pub fn is_sound(&self) -> bool {
        self.data.unserved() == 0
            && self.dropped == 0
            && self.data_proof.verdict == Verdict::Free
            && self.fit.is_whole()
            && self.islands.len() <= 1
    }
}

/// Follows all routes of tables over the cables of a subnet.
pub fn check(subnet: &Subnet, tables: &Tables, lanes: Lanes<'_>) -> Soundness {
    let wiring = Wiring::new(subnet);
    let (rows, fit) = fit(&wiring, tables);
    let routes = follow(&wiring, &rows, fit.not_printed);
    let [of_data, of_all] = lane_routes(&wiring, &rows, lanes);
    let levels = levels(&wiring);
    let (by_service_level, dropped) = of_data.as_ref().map_or(([0; 16], 0), |of| (of.by_level, of.dropped));
    Soundness {
        switches: wiring.switches.len() as u64,
        nodes: wiring.hosts.len() as u64,
        nodes_without_lid: wiring.hosts.iter().filter(|host| host.lid.is_none()).count() as u64,
        cables: subnet.cables.len() as u64,
        islands: islands(&wiring),
        data_proof: prove(&wiring, &routes.of_data, lanes, of_data.as_ref().map(|of| (of, of.no_level))),
        all_proof: prove(&wiring, &routes.of_all, lanes, of_all.as_ref().map(|of| (of, 0))),
        by_service_level,
        dropped,
        spread: spread(&wiring, &levels, &routes.loads),
        unused: unused(&wiring, &routes.loads),
        levels: bandwidth(&wiring, &levels),
        degraded: degraded(subnet),
        data: routes.data,
        all: routes.all,
        fit,
    }
}

/// Follows routes with their lanes, if these are dumped: of hosts, and of all ports.
fn lane_routes(wiring: &Wiring<'_>, rows: &Rows<'_>, lanes: Lanes<'_>) -> [Option<LaneRoutes>; 2] {
    match lanes {
        Lanes::Dumped(dumped) => [Some(of_data(wiring, rows, dumped)), Some(of_all(wiring, rows, dumped))],
        Lanes::Unknown | Lanes::One => [None, None],
    }
}

/// Decides whether routes can deadlock. If they cannot on one lane, they cannot on several. With routes on lanes stands
/// how many pairs were not followed.
fn prove(wiring: &Wiring<'_>, one_lane: &Dependencies, lanes: Lanes<'_>, routes: Option<(&LaneRoutes, u64)>) -> Proof {
    let on_one_lane = one_lane.circle().map(|circle| named(wiring, circle, None));
    let verdict = match (&on_one_lane, lanes, routes) {
        (None, ..) => Verdict::Free,
        (Some(circle), Lanes::One, _) => Verdict::Deadlock(circle.clone()),
        (Some(_), _, Some((routes, left_out))) => with_lanes(wiring, routes, left_out),
        (Some(_), ..) => Verdict::Unknown("virtual lanes are not dumped".to_owned()),
    };
    let used = routes.map(|(routes, _)| routes.lanes.iter().copied().collect());
    let on_level_0 = routes.map_or(0, |(routes, left_out)| routes.no_level - left_out);
    let dependencies = one_lane.edges() as u64;
    Proof { verdict, on_one_lane, dependencies, lanes: used.unwrap_or_default(), on_level_0 }
}

/// Decides by the lanes that are dumped. A circle is one whatever else is known; without one, all must be known.
fn with_lanes(wiring: &Wiring<'_>, routes: &LaneRoutes, left_out: u64) -> Verdict {
    match routes.dependencies(wiring).circle() {
        Some(circle) => Verdict::Deadlock(named(wiring, circle, Some(LANES))),
        None if left_out > 0 => {
            Verdict::Unknown(format!("pairs of hosts without a service level in the file: {left_out}"))
        }
        None if routes.no_lane > 0 => {
            Verdict::Unknown(format!("hops without a virtual lane in the file: {}", routes.no_lane))
        }
        None => Verdict::Free,
    }
}
