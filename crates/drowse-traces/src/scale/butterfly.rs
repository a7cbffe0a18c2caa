//! Finds butterflies: all ranks do the same, and exchange with ranks whose numbers differ in one bit, bit after bit.
//!
//! The ranks are rows and columns, a power of two of each; one row is a plain butterfly. Within a row, a stage for each
//! bit of the column makes a run, upwards or downwards; so it is within columns. Where there are as many rows as
//! columns, ranks may exchange with the one across the diagonal, too, as NAS CG does. With more ranks, each run has more
//! stages.

use drowse_core::workload::communicators::CommId;
use drowse_core::workload::operation::{Operation, OperationSource};

use super::error::ScaleError;
use super::pattern::{obstacle, what, without_tag};
use crate::check::each;

/// The least stages of a run by which it is known.
const LEAST_STAGES: u32 = 2;

/// Where the rank lies that an operation names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Peer {
    /// It names none.
    None,
    /// At the rank itself.
    Itself,
    /// Across the diagonal; the rank itself on it.
    Across,
    /// At the rank itself or across the diagonal: the rank is on it.
    OnDiagonal,
    /// Where this bit of the number differs.
    Bit(u8),
}

/// Rows and columns of ranks, by the number of bits of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub rows: u32,
    pub columns: u32,
}

/// A run of stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// The place of its first operation, without computations.
    pub start: usize,
    /// The operations of a stage.
    pub length: usize,
    /// Whether the lowest bit comes first.
    pub is_upward: bool,
    /// Whether it is within columns.
    pub is_column: bool,
}

/// What all ranks do.
pub(super) struct Butterfly {
    pub shape: Shape,
    /// The peers of the operations that are no computations.
    pub peers: Vec<Peer>,
    pub runs: Vec<Run>,
    crosses: bool,
}

/// An operation of all ranks: what it does, with and without its tag.
struct Step {
    what: u64,
    kind: u64,
    peers: Vec<Option<Peer>>,
    flow: Flow,
}

/// What an operation does to the messages that are under way.
#[derive(Clone, Copy)]
struct Flow {
    sends: i32,
    pending: i32,
    waits_for_all: bool,
}

impl Shape {
    /// Returns all shapes of a number of ranks, one row first; none if it is no power of two.
    fn all(ranks: u32) -> Vec<Shape> {
        if !ranks.is_power_of_two() {
            return Vec::new();
        }
        let bits = ranks.ilog2();
        (0..bits).map(|rows| Shape { rows, columns: bits - rows }).collect()
    }

    /// Returns where a rank's peer lies, if that is known.
    fn peer(self, rank: u32, peer: u32) -> Option<Peer> {
        let differ = rank ^ peer;
        if differ.is_power_of_two() {
            return Some(Peer::Bit(differ.ilog2() as u8));
        }
        let across = self.across(rank);
        match (differ == 0, across == Some(peer)) {
            (true, true) => Some(Peer::OnDiagonal),
            (true, false) => Some(Peer::Itself),
            (false, true) => Some(Peer::Across),
            (false, false) => None,
        }
    }

    /// Returns the rank across the diagonal.
    pub fn across(self, rank: u32) -> Option<u32> {
        let low = (1 << self.columns) - 1;
        (self.rows == self.columns).then(|| (rank & low) << self.columns | rank >> self.columns)
    }

    /// Returns the same kind of shape with so many ranks.
    pub fn scaled(self, ranks: u32) -> Option<Shape> {
        let bits = if ranks.is_power_of_two() { ranks.ilog2() } else { return None };
        if self.rows == 0 {
            return (bits > 0).then_some(Shape { rows: 0, columns: bits });
        }
        // Rows and columns grow alike.
        let twice = (bits + self.columns).checked_sub(self.rows)?;
        let shape = Shape { rows: bits.checked_sub(twice / 2)?, columns: twice / 2 };
        (twice % 2 == 0 && shape.rows > 0 && shape.columns > 0).then_some(shape)
    }

    /// Returns the number of ranks.
    pub fn ranks(self) -> u32 {
        1 << (self.rows + self.columns)
    }

    /// Returns the number of stages of a run.
    pub fn stages(self, is_column: bool) -> u32 {
        if is_column { self.rows } else { self.columns }
    }

    /// Returns the rank of another shape that does what a rank of this one does.
    pub fn like_place(self, rank: u32, other: Shape) -> u32 {
        let (row, column) = (rank >> self.columns, rank & ((1 << self.columns) - 1));
        (row & ((1 << other.rows) - 1)) << other.columns | column & ((1 << other.columns) - 1)
    }

    /// Describes it.
    pub fn words(self) -> String {
        match self.rows {
            0 => format!("a butterfly of {} ranks", 1_u64 << self.columns),
            rows => format!("butterflies on {} rows of {} ranks", 1_u64 << rows, 1_u64 << self.columns),
        }
    }
}

/// Finds what all ranks do, if that are butterflies.
pub(super) fn find(
    source: &mut dyn OperationSource,
    numbers: &[Option<CommId>],
) -> Result<Option<Butterfly>, ScaleError> {
    let ranks = source.ranks();
    let shapes = Shape::all(ranks);
    let mut steps: Vec<Step> = Vec::new();
    for rank in 0..ranks {
        let (mut at, mut is_alike) = (0, !shapes.is_empty());
        each(source, rank, |_, operation| {
            let Some(what) = what(operation).filter(|_| is_alike) else { return };
            is_alike = obstacle(operation, numbers).is_none();
            let peer = |shape: &Shape| operation.peer().map_or(Some(Peer::None), |peer| shape.peer(rank, peer));
            if rank == 0 {
                let kind = without_tag(operation);
                steps.push(Step { what, kind, peers: shapes.iter().map(peer).collect(), flow: Flow::of(operation) });
            } else if let Some(step) = steps.get_mut(at).filter(|step| step.what == what) {
                for (known, shape) in step.peers.iter_mut().zip(&shapes) {
                    *known = merged(*known, peer(shape));
                }
            } else {
                is_alike = false;
            }
            at += 1;
        })?;
        if !is_alike || at != steps.len() {
            return Ok(None);
        }
    }
    Ok((0..shapes.len()).find_map(|place| Butterfly::of(shapes[place], place, &steps)))
}

/// Returns where a peer lies of which two ranks tell.
fn merged(one: Option<Peer>, other: Option<Peer>) -> Option<Peer> {
    match (one?, other?) {
        (one, other) if one == other => Some(one),
        (Peer::OnDiagonal, other @ (Peer::Across | Peer::Itself))
        | (other @ (Peer::Across | Peer::Itself), Peer::OnDiagonal) => Some(other),
        _ => None,
    }
}

impl Flow {
    fn of(operation: &Operation) -> Self {
        let (sends, pending) = match operation {
            Operation::Send { .. } | Operation::Isend { request: None, .. } => (1, 0),
            Operation::Isend { .. } => (1, 1),
            Operation::Recv { .. } => (-1, 0),
            Operation::Irecv { .. } => (-1, 1),
            Operation::Wait { .. } => (0, -1),
            _ => (0, 0),
        };
        Flow { sends, pending, waits_for_all: matches!(operation, Operation::WaitAll) }
    }
}

impl Butterfly {
    /// Returns the butterflies of a shape, if the steps are of these.
    fn of(shape: Shape, place: usize, steps: &[Step]) -> Option<Self> {
        let peers: Option<Vec<Peer>> = steps.iter().map(|step| step.peers[place]).collect();
        let peers = peers?;
        let (mut runs, mut at) = (Vec::new(), 0);
        while at < peers.len() {
            if let Peer::Bit(bit) = peers[at] {
                let run = run(shape, bit, at, &peers, steps)?;
                at += run.length * shape.stages(run.is_column) as usize;
                runs.push(run);
            } else {
                at += 1;
            }
        }
        let crosses = peers.contains(&Peer::Across);
        (!runs.is_empty()).then_some(Butterfly { shape, peers, runs, crosses })
    }

    /// Returns what is to be said of it.
    pub fn words(&self) -> String {
        let across = if self.crosses { ", and exchanges across the diagonal" } else { "" };
        format!("{}{across}", self.shape.words())
    }
}

/// Returns the run that begins with a bit at a place.
fn run(shape: Shape, bit: u8, start: usize, peers: &[Peer], steps: &[Step]) -> Option<Run> {
    let is_column = u32::from(bit) >= shape.columns;
    let (lowest, stages) = (if is_column { shape.columns } else { 0 }, shape.stages(is_column));
    let is_upward = u32::from(bit) == lowest;
    if stages < LEAST_STAGES || !is_upward && u32::from(bit) != lowest + stages - 1 {
        return None;
    }
    let length = exchange(&steps[start..])?;
    for stage in 0..stages {
        let bit = lowest + if is_upward { stage } else { stages - 1 - stage };
        let begin = start + stage as usize * length;
        let (of_stage, does) = (peers.get(begin..begin + length)?, &steps[begin..begin + length]);
        let is_here = |peer: &Peer| matches!(*peer, Peer::None) || *peer == Peer::Bit(bit as u8);
        let is_alike = does.iter().zip(&steps[start..]).all(|(one, first)| one.kind == first.kind);
        if !of_stage.iter().all(is_here) || !is_alike {
            return None;
        }
    }
    Some(Run { start, length, is_upward, is_column })
}

/// Returns how many operations an exchange has: until as much is received as sent, and nothing is under way.
fn exchange(steps: &[Step]) -> Option<usize> {
    let (mut more, mut pending) = (0, 0);
    for (length, Step { flow, .. }) in (1..).zip(steps) {
        more += flow.sends;
        pending = if flow.waits_for_all { 0 } else { pending + flow.pending };
        if more == 0 && pending <= 0 {
            return Some(length);
        }
    }
    None
}
