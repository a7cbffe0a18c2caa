//! Calls that make communicators and groups, kept until the communicators are rebuilt.

use super::functions::id;
use super::record::Record;

/// Communicators and groups that are there from the beginning.
pub(crate) const NULL: u16 = 1;
pub(crate) const WORLD: u16 = 2;
pub(crate) const OWN: u16 = 3;
pub(crate) const EMPTY_GROUP: u16 = 2;

/// A call that makes or frees a communicator or a group. Communicators and groups are as the rank numbers them.
#[derive(Debug)]
pub(crate) struct CommCall {
    pub function: u16,
    pub step: Step,
}

/// What such a call does.
#[derive(Debug)]
pub(crate) enum Step {
    /// All ranks of the parent make communicators of it.
    Make { parent: u16, new: u16, how: How },
    /// Makes a communicator whose ranks the trace does not tell.
    Foreign { new: u16 },
    /// Frees a communicator.
    Free { comm: u16 },
    /// Takes the ranks of a communicator as a group.
    GroupOf { comm: u16, new: u16 },
    /// Makes a group of two, as the function says.
    Combine { groups: [u16; 2], new: u16 },
    /// Makes a group of some ranks of another; excludes them or includes them.
    Choose { group: u16, ranks: Box<[i32]>, included: bool, new: u16 },
    /// Makes a group of ranks of another, by first rank, last rank and stride; excludes them or includes them.
    Ranges { group: u16, ranges: Box<[i32]>, included: bool, new: u16 },
    /// A group whose ranks are not known, or one that is freed.
    NoGroup { group: u16 },
}

/// How ranks of the parent get into communicators.
#[derive(Clone, Debug)]
pub(crate) enum How {
    /// All into one.
    All,
    /// By color, in the order of keys.
    Split { color: i64, key: i64 },
    /// Those of a group.
    Group(u16),
    /// As many as a grid has places.
    Grid(Box<[i32]>),
    /// So many.
    First(i64),
    /// By the dimensions of the parent's grid that do not remain.
    Remain(Box<[i32]>),
}

/// Returns the place of the new communicator among the numbers of a call that makes one.
pub(crate) fn makes(function: u16) -> Option<usize> {
    Some(match function {
        id::COMM_GET_PARENT => 0,
        id::COMM_DUP | id::COMM_JOIN => 1,
        id::COMM_CREATE | id::CART_SUB | id::INTERCOMM_MERGE => 2,
        id::COMM_SPLIT | id::CART_CREATE | id::COMM_ACCEPT | id::COMM_CONNECT | id::COMM_SPAWN => 3,
        id::GRAPH_CREATE | id::COMM_SPAWN_MULTIPLE => 4,
        id::INTERCOMM_CREATE => 5,
        _ => return None,
    })
}

impl CommCall {
    /// Returns what a call makes or frees, if it does.
    pub fn of(record: &Record) -> Option<Self> {
        let function = record.function;
        let step = match makes(function) {
            Some(place) => made(record, record.handle(place)),
            None => changed(record)?,
        };
        Some(CommCall { function, step })
    }
}

fn made(record: &Record, new: u16) -> Step {
    let (parent, how) = match record.function {
        id::COMM_DUP => (0, How::All),
        id::COMM_CREATE => (0, How::Group(record.handle(1))),
        id::COMM_SPLIT => (0, How::Split { color: record.number(1), key: record.number(2) }),
        id::CART_CREATE => (0, How::Grid(record.list(0).into())),
        id::GRAPH_CREATE => (1, How::First(record.number(2))),
        id::CART_SUB => (1, How::Remain(record.list(0).into())),
        _ => return Step::Foreign { new },
    };
    Step::Make { parent: record.handle(parent), new, how }
}

fn changed(record: &Record) -> Option<Step> {
    let handle = |place| record.handle(place);
    let ranks = || record.list(0).into();
    Some(match record.function {
        id::COMM_FREE => Step::Free { comm: handle(0) },
        id::COMM_GROUP => Step::GroupOf { comm: handle(0), new: handle(1) },
        id::GROUP_UNION | id::GROUP_INTERSECTION | id::GROUP_DIFFERENCE => {
            Step::Combine { groups: [handle(0), handle(1)], new: handle(2) }
        }
        id::GROUP_INCL => Step::Choose { group: handle(0), ranks: ranks(), included: true, new: handle(2) },
        id::GROUP_EXCL => Step::Choose { group: handle(0), ranks: ranks(), included: false, new: handle(2) },
        id::GROUP_RANGE_INCL => Step::Ranges { group: handle(0), ranges: ranks(), included: true, new: handle(2) },
        id::GROUP_RANGE_EXCL => Step::Ranges { group: handle(0), ranges: ranks(), included: false, new: handle(2) },
        id::GROUP_FREE => Step::NoGroup { group: handle(0) },
        id::COMM_REMOTE_GROUP | id::WIN_GET_GROUP | id::FILE_GET_GROUP => Step::NoGroup { group: handle(1) },
        _ => return None,
    })
}
