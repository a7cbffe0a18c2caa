//! The conditions under which rates are the solution on a link, and the flows that must be solved anew where they fail.
//!
//! Call the greatest level of the flows on a link its top, and what is left at a level the capacity without the flows
//! of lower levels, over the weight of the others. Rates are the solution if and only if, on each link,
//!
//! 1. a flow whose rate this link decided is at the top;
//! 2. what is left at the top is not below the top, and equals it if the link decided the rate of a flow;
//! 3. what is left at each lower level is strictly above that level;
//!
//! and every flow is at its cap, or a link decided its rate. By induction over rising levels there is one solution: all
//! flows below a level are given, so what is left on each link is given, and so is who is frozen at the next level.
//! Without rounding the third condition would follow from the second. Rounding leaves remainders, and in symmetric
//! networks nearly equal levels are usual.

use std::cmp::Ordering;

use crate::level::{Level, floor_product};
use crate::traffic::{Member, Traffic};

/// What the flows of one level take of a link.
#[derive(Clone, Copy, Debug)]
struct Part {
    level: Level,
    load: u64,
    weight: u64,
}

/// What a pass over the flows on a link finds.
struct Survey {
    top: Part,
    /// The greatest level below the top.
    second: Option<Level>,
    /// The load and the shares of all flows below the top.
    lower: u64,
    shares: u64,
    /// The lowest level of a flow whose rate this link decided.
    decided: Option<Level>,
}

/// Checks links; keeps its buffers.
#[derive(Clone, Debug, Default)]
pub struct Check {
    parts: Vec<Part>,
}

impl Check {
    /// Returns the level from which on flows of a link must be solved anew, if its conditions fail in the solve
    /// of this number.
    pub fn failing_level(&mut self, traffic: &Traffic, link: u32, epoch: u64) -> Option<Level> {
        let place = &traffic.links[link as usize];
        let is_known = place.touched == epoch && place.weight == 0;
        if is_known && place.decides == 0 && place.left > place.shares.cast_signed() {
            // Room for everybody, whatever rounding left.
            return None;
        }
        let survey = survey(traffic, link)?;
        let top = survey.top;
        if let Some(level) = survey.decided.filter(|level| *level < top.level) {
            return Some(level);
        }
        let Some(rest) = place.room.checked_sub(survey.lower) else { return Some(top.level) };
        let left = Level { rest, weight: top.weight };
        if left < top.level || (survey.decided.is_some() && left != top.level) {
            return Some(top.level);
        }
        let second = survey.second?;
        // Rounding takes less than one unit of each flow's rate: levels that are further below the top cannot fail.
        let reached = floor_product(top.weight, second).saturating_add(survey.shares).saturating_add(1);
        if reached < floor_product(top.weight, top.level) {
            return None;
        }
        self.failing_lower_level(traffic, link)
    }

    /// Looks at every level below the top.
    fn failing_lower_level(&mut self, traffic: &Traffic, link: u32) -> Option<Level> {
        self.parts.clear();
        self.parts.extend(traffic.links[link as usize].members.iter().map(|member| {
            let (flow, share) = (&traffic.flows[member.flow as usize], u64::from(traffic.step(*member).share));
            Part { level: flow.level, load: share * flow.rate, weight: share * u64::from(flow.weight) }
        }));
        self.parts.sort_unstable_by_key(|part| part.level);
        let mut left = traffic.links[link as usize].room;
        let mut weight: u64 = self.parts.iter().map(|part| part.weight).sum();
        let mut same = self.parts.chunk_by(|a, b| a.level == b.level).peekable();
        while let Some(parts) = same.next() {
            let level = parts[0].level;
            if same.peek().is_some() && (Level { rest: left, weight }) <= level {
                return Some(level);
            }
            left = left.saturating_sub(parts.iter().map(|part| part.load).sum());
            weight -= parts.iter().map(|part| part.weight).sum::<u64>();
        }
        None
    }
}

/// Looks at all flows on a link; nothing if there is none.
fn survey(traffic: &Traffic, link: u32) -> Option<Survey> {
    let mut members = traffic.links[link as usize].members.iter();
    let part = |member: &Member| {
        let (flow, share) = (&traffic.flows[member.flow as usize], u64::from(traffic.step(*member).share));
        let part = Part { level: flow.level, load: share * flow.rate, weight: share * u64::from(flow.weight) };
        (part, share, flow.bottleneck == link)
    };
    let (top, mut top_shares, decides) = part(members.next()?);
    let decided = decides.then_some(top.level);
    let mut found = Survey { top, second: None, lower: 0, shares: 0, decided };
    for member in members {
        let (part, share, decides) = part(member);
        if decides && found.decided.is_none_or(|level| part.level < level) {
            found.decided = Some(part.level);
        }
        match part.level.cmp(&found.top.level) {
            Ordering::Equal => {
                found.top.load += part.load;
                found.top.weight += part.weight;
                top_shares += share;
            }
            Ordering::Greater => {
                found.second = Some(found.top.level);
                found.lower += found.top.load;
                found.shares += top_shares;
                (found.top, top_shares) = (part, share);
            }
            Ordering::Less => {
                if found.second.is_none_or(|second| part.level > second) {
                    found.second = Some(part.level);
                }
                found.lower += part.load;
                found.shares += share;
            }
        }
    }
    Some(found)
}
