//! The messages on the critical path: what is followed back from the end of a run.

use std::collections::BTreeMap;

use crate::model::units::Time;

/// What has ended a wait of a rank: who handed over, and when, what led to that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cause {
    /// The rank that waited, in the whole simulation.
    pub rank: u32,
    /// Its program (0), or which collective beside it.
    pub activity: u16,
    /// When the wait ended.
    pub at: Time,
    /// The rank that handed over: the same one, where it had asked for what it got.
    pub by: u32,
    /// Its program, or which collective beside it.
    pub by_activity: u16,
    /// When it handed over.
    pub sent: Time,
    /// The other rank with which the messages in between were exchanged, where that is known.
    pub partner: Option<u32>,
}

/// A part of the critical path in which messages were under way.
pub type Leg = Cause;

/// Follows the critical path back from the end of a rank's program at a time; the last leg comes first. Where processors
/// are busy with messages, what these did before is not followed.
///
/// Causes of each activity of each rank are in order of time.
pub fn legs(causes: &[Cause], rank: u32, end: Time) -> Vec<Leg> {
    let (mut of, mut until) = ((rank, 0), end);
    let mut legs: Vec<Leg> = Vec::new();
    // Each cause is on the path once, and those of an activity come in their order, those of equal times included.
    let mut seen: BTreeMap<(u32, u16), usize> = BTreeMap::new();
    loop {
        let place = causes.partition_point(|cause| (cause.rank, cause.activity, cause.at) <= (of.0, of.1, until));
        let place = seen.get(&of).map_or(place, |&before| place.min(before));
        let Some((place, cause)) = place.checked_sub(1).map(|place| (place, causes[place])) else { break };
        if (cause.rank, cause.activity) != of {
            break;
        }
        seen.insert(of, place);
        legs.push(cause);
        (of, until) = ((cause.by, cause.by_activity), cause.sent);
    }
    legs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rank 2 waits for 1, which has waited for 0 before; what comes later at 1 does not lead to that.
    #[test]
    fn a_path_goes_back_to_its_start() {
        let cause = |rank, at, by, sent| Cause {
            rank,
            activity: 0,
            at: Time(at),
            by,
            by_activity: 0,
            sent: Time(sent),
            partner: Some(by),
        };
        let causes = [cause(1, 10, 0, 5), cause(1, 40, 0, 35), cause(2, 50, 1, 20)];
        assert_eq!(legs(&causes, 2, Time(60)), [causes[2], causes[0]]);
        assert_eq!(legs(&causes, 2, Time(49)), []);
        assert_eq!(legs(&causes, 0, Time(60)), []);
        // What takes no time and leads to itself is there once.
        let twice = [cause(3, 7, 0, 2), cause(3, 7, 3, 7)];
        assert_eq!(legs(&twice, 3, Time(9)), [twice[1], twice[0]]);
    }
}
