//! LULESH 2.0 (Livermore Unstructured Lagrangian Explicit Shock Hydrodynamics; Karlin, Keasler and Neely 2013, reference
//! code): a Sedov blast wave on a cube of ranks, each of which has a cube of elements. Nodes are the elements' corners, so
//! those of a face, an edge or a corner belong to all ranks that share it.
//!
//! In a time step ranks add up the forces on nodes with up to 26 neighbours, tell those before them the positions and
//! velocities of shared nodes, and swap gradients of elements across faces. Each time a rank posts all receives, computes,
//! starts all sends, waits for these, and then for one message after the other. From the second time step on, the
//! smallest of all ranks' time steps comes first. Before the first, masses of nodes are added up in the same way.
//!
//! Parts of a time step take the shares of the computing that they have in traces. Left out: making the mesh.

use serde::Deserialize;

use super::error::{ProgramError, check};
use super::halo::Boxes;
use super::keys::{Given, Parts, ProgramKeys, parts};
use super::program::{Program, Steps};
use super::writer::Writer;
use crate::model::units::Time;
use crate::workload::operation::SendMode;
use crate::workload::operation::{Collective, RequestId};

/// Bytes of a number.
const DOUBLE: u64 = 8;
/// The most ranks along an edge: of more, the cube would be more ranks than there may be.
const MOST_EDGE: u32 = 645;
/// The longest side: the program counts the eight corners of all elements of a rank in 31 bits.
const LONGEST: u32 = 645;

/// What ranks exchange.
#[derive(Clone, Copy)]
struct Exchange {
    tag: u32,
    /// Numbers of each node or element.
    fields: u64,
    reach: Reach,
}

/// With whom ranks exchange something, and of which points.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Nodes, with all neighbours.
    All,
    /// Nodes, to the neighbours of lower numbers.
    Down,
    /// Elements, with the neighbours across faces.
    Faces,
}

const MASSES: Exchange = Exchange { tag: 1024, fields: 1, reach: Reach::All };
const FORCES: Exchange = Exchange { tag: 1024, fields: 3, reach: Reach::All };
const MOTION: Exchange = Exchange { tag: 2048, fields: 6, reach: Reach::Down };
const GRADIENTS: Exchange = Exchange { tag: 3072, fields: 3, reach: Reach::Faces };

/// The directions of neighbours in the order in which the program serves them: faces, edges, corners.
const DIRECTIONS: [[i32; 3]; 26] = [
    [0, 0, -1],
    [0, 0, 1],
    [0, -1, 0],
    [0, 1, 0],
    [-1, 0, 0],
    [1, 0, 0],
    [-1, -1, 0],
    [0, -1, -1],
    [-1, 0, -1],
    [1, 1, 0],
    [0, 1, 1],
    [1, 0, 1],
    [-1, 1, 0],
    [0, -1, 1],
    [-1, 0, 1],
    [1, -1, 0],
    [0, 1, -1],
    [1, 0, -1],
    [-1, -1, -1],
    [-1, -1, 1],
    [1, -1, -1],
    [1, -1, 1],
    [-1, 1, -1],
    [-1, 1, 1],
    [1, 1, -1],
    [1, 1, 1],
];
/// How many of them are those of faces.
const FACES: usize = 6;

/// What all ranks do, one thing after the other.
#[derive(Clone, Copy)]
enum Action {
    /// They post the receives of an exchange.
    Post(Exchange),
    /// They compute, from one hundredth of an iteration's time to another.
    Compute(u64, u64),
    /// They start the sends of an exchange.
    Start(Exchange),
    /// They wait for these, and then for what they receive.
    Wait(Exchange),
    /// They agree on the time step.
    Agree,
    /// They wait for each other.
    Meet,
    /// They tell rank 0 how long they took.
    Report,
}

use Action::{Agree, Compute, Meet, Post, Report, Start, Wait};

const BEGINNING: [Action; 4] = [Post(MASSES), Start(MASSES), Wait(MASSES), Meet];

const ITERATION: [Action; 15] = [
    Agree,
    Post(FORCES),
    // Stresses and hourglass modes.
    Compute(0, 42),
    Start(FORCES),
    Wait(FORCES),
    Post(MOTION),
    // Accelerations, velocities, positions.
    Compute(42, 52),
    Start(MOTION),
    Wait(MOTION),
    // Volumes and strains.
    Compute(52, 69),
    Post(GRADIENTS),
    Compute(69, 78),
    Start(GRADIENTS),
    Wait(GRADIENTS),
    // Artificial viscosity, the equation of state, the next time step.
    Compute(78, 100),
];

/// A part of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Beginning,
    First,
    Iteration,
    End,
}

/// A part of a run on a cube of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lulesh {
    /// Ranks along an edge.
    edge: u32,
    /// Elements along an edge of a rank's cube.
    side: u32,
    part: Part,
}

impl Lulesh {
    /// Makes an iteration of a cube of ranks, each with `side` elements along an edge.
    pub fn new(ranks: u32, side: u32) -> Result<Self, ProgramError> {
        let Some(edge) = (1..=MOST_EDGE).find(|edge| edge * edge * edge == ranks) else {
            let reason = "write the cube of a number, as the program demands";
            return Err(ProgramError::out_of_range("ranks", ranks, reason));
        };
        check("side", side, 1..=LONGEST)?;
        Ok(Lulesh { edge, side, part: Part::Iteration })
    }

    /// Returns what comes before the iterations.
    #[must_use]
    pub fn beginning(self) -> Self {
        Lulesh { part: Part::Beginning, ..self }
    }

    /// Returns the first iteration, whose time step is given.
    #[must_use]
    pub fn first(self) -> Self {
        Lulesh { part: Part::First, ..self }
    }

    /// Returns what comes after the iterations.
    #[must_use]
    pub fn end(self) -> Self {
        Lulesh { part: Part::End, ..self }
    }

    fn actions(&self) -> &'static [Action] {
        match self.part {
            Part::Beginning => &BEGINNING,
            Part::First => &ITERATION[1..],
            Part::Iteration => &ITERATION,
            Part::End => &[Report],
        }
    }

    /// Returns the exchanges.
    fn exchanges(&self) -> impl Iterator<Item = Exchange> {
        let exchange = |action: &Action| if let Start(exchange) = action { Some(*exchange) } else { None };
        self.actions().iter().filter_map(exchange)
    }

    /// Returns how many actions of a rank are of a kind.
    fn count_of(&self, is_counted: fn(&Action) -> bool) -> u64 {
        self.actions().iter().filter(|action| is_counted(action)).count() as u64
    }

    /// Returns the nodes of all ranks, or their elements.
    fn boxes(&self, reach: Reach) -> Boxes {
        let side = u64::from(self.side) + u64::from(reach != Reach::Faces);
        Boxes { dims: [self.edge; 3], sides: [side; 3] }
    }

    /// Returns the pairs of ranks that have a face in common, each in both directions.
    fn faces(&self) -> u64 {
        let edge = u64::from(self.edge);
        6 * edge * edge * (edge - 1)
    }

    /// Returns the messages of an exchange.
    fn messages_of(&self, exchange: Exchange) -> u64 {
        match exchange.reach {
            Reach::All => self.boxes(exchange.reach).pairs(),
            Reach::Down => self.boxes(exchange.reach).pairs() / 2,
            Reach::Faces => self.faces(),
        }
    }

    /// Returns the bytes of an exchange.
    fn bytes_of(&self, exchange: Exchange) -> u64 {
        let points = match exchange.reach {
            Reach::All => self.boxes(exchange.reach).halos(),
            Reach::Down => self.boxes(exchange.reach).halos() / 2,
            Reach::Faces => self.faces() * u64::from(self.side).pow(2),
        };
        DOUBLE * exchange.fields * points
    }

    /// Returns the neighbours in an exchange with what a rank shares with each, in the order of the program.
    fn neighbours(&self, rank: u32, exchange: Exchange) -> impl Iterator<Item = (u32, u64)> {
        let neighbour = self.boxes(exchange.reach).around(rank);
        let directions = &DIRECTIONS[..if exchange.reach == Reach::Faces { FACES } else { DIRECTIONS.len() }];
        let neighbours = directions.iter().filter_map(move |&direction| neighbour(direction));
        neighbours.map(move |(other, points)| (other, DOUBLE * exchange.fields * points))
    }

    /// Returns from whom a rank receives in an exchange, with the requests.
    fn receives(&self, rank: u32, exchange: Exchange) -> impl Iterator<Item = (RequestId, u32)> {
        let from = move |(other, _)| (exchange.reach != Reach::Down || other > rank).then_some(other);
        (0..).zip(self.neighbours(rank, exchange).filter_map(from))
    }

    /// Returns to whom a rank sends how much in an exchange, with the requests.
    fn sends(&self, rank: u32, exchange: Exchange) -> impl Iterator<Item = (RequestId, (u32, u64))> {
        let is_receiver = move |&(other, _): &(u32, u64)| exchange.reach != Reach::Down || other < rank;
        (DIRECTIONS.len() as RequestId..).zip(self.neighbours(rank, exchange).filter(is_receiver))
    }
}

impl Program for Lulesh {
    fn ranks(&self) -> u32 {
        self.edge * self.edge * self.edge
    }

    fn messages(&self) -> u64 {
        self.exchanges().map(|exchange| self.messages_of(exchange)).sum()
    }

    fn bytes(&self) -> u64 {
        self.exchanges().map(|exchange| self.bytes_of(exchange)).sum()
    }

    /// A face between two ranks, or the number that all compare.
    fn largest(&self) -> u64 {
        let face = |exchange: Exchange| Some(exchange.fields * self.boxes(exchange.reach).largest_face()?);
        DOUBLE * self.exchanges().filter_map(face).max().unwrap_or(1)
    }

    fn computations(&self) -> u64 {
        self.count_of(|action| matches!(action, Compute(..)))
    }

    /// Two waits for each message, and collectives.
    fn calls(&self) -> u64 {
        let collectives = self.count_of(|action| matches!(action, Agree | Meet | Report));
        2 * self.messages() + u64::from(self.ranks()) * collectives
    }

    fn is_marked(&self) -> bool {
        matches!(self.part, Part::First | Part::Iteration)
    }

    fn mode(&self) -> SendMode {
        SendMode::Standard
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(*self)
    }
}

impl Steps for Lulesh {
    fn count(&self, _: u32) -> u64 {
        self.actions().len() as u64
    }

    fn take(&self, rank: u32, step: u64, writer: &mut Writer<'_>) {
        // At most the number of actions.
        match self.actions()[step as usize] {
            Post(exchange) => {
                self.receives(rank, exchange).for_each(|(request, from)| writer.post(from, exchange.tag, request));
            }
            Compute(from, to) => writer.compute_part(from..to, 100),
            Start(exchange) => {
                let send = |(request, (to, bytes))| writer.start(to, exchange.tag, bytes, request);
                self.sends(rank, exchange).for_each(send);
            }
            Wait(exchange) => {
                self.sends(rank, exchange).for_each(|(request, _)| writer.wait(request));
                self.receives(rank, exchange).for_each(|(request, _)| writer.wait(request));
            }
            Agree => writer.sum(1, DOUBLE),
            Meet => writer.call(Collective::Barrier),
            Report => writer.call(Collective::Reduce { root: 0, bytes: DOUBLE, count: 1, compute: Time::ZERO }),
        }
    }
}

/// The keys of LULESH.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LuleshKeys {
    /// Ranks, the cube of a number.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [64])))]
    ranks: u32,
    /// Elements along each edge of a rank's cube, `-s`.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 30), range(min = 1, max = 645)))]
    side: Option<u32>,
}

impl ProgramKeys for LuleshKeys {
    const KIND: &'static str = "lulesh";
    const ABOUT: &'static str = "LULESH: a time step of shock hydrodynamics on a cube of ranks.";

    fn parts(self, given: Given) -> Result<Parts, ProgramError> {
        // The whole program: the time step of its first iteration is given, so that ranks need not agree on it.
        let lulesh = Lulesh::new(self.ranks, self.side.unwrap_or(30))?;
        let others = given.iterations.unwrap_or(1).saturating_sub(1);
        Ok(parts([(lulesh.beginning(), 1), (lulesh.first(), 1), (lulesh, others), (lulesh.end(), 1)]))
    }
}
