//! What is said of a standstill.

use std::fmt;

use crate::model::units::Time;

/// A run's standstill: nothing can happen any more, but ranks or packets wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// When the last event was.
    pub at: Time,
    /// What has come to a standstill, and in which form.
    pub what: Standstill,
    /// Those that explain it, a line each: every one waits for the next, the last of a circle for the first.
    pub members: Vec<String>,
    /// How many more wait that are no members.
    pub others: u64,
}

/// The form of a standstill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standstill {
    /// Packets wait for room that the next of them takes, in a circle.
    PacketCircle,
    /// Packets wait in a chain, the last of those shown for something that is no packet.
    PacketChain,
    /// Ranks wait for each other in a circle.
    RankCircle,
    /// Ranks wait in a chain that ends at a rank that has finished; the finished rank is a member.
    FinishedRank,
    /// A rank waits for any sender, and none is left.
    AnySender,
    /// A rank waits for any of several requests, and none can be completed.
    AnyRequest,
}

/// The largest number of members that is printed.
const MEMBERS_TOLD: usize = 16;

impl fmt::Display for Deadlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let waiting = self.members.len() - usize::from(self.what == Standstill::FinishedRank);
        let who = match self.what {
            Standstill::PacketCircle | Standstill::PacketChain => "packet",
            Standstill::RankCircle | Standstill::FinishedRank | Standstill::AnySender | Standstill::AnyRequest => {
                "rank"
            }
        };
        let how = match (self.what, waiting) {
            (Standstill::PacketChain, _) => "",
            (Standstill::PacketCircle | Standstill::RankCircle, 1) => " for itself",
            (Standstill::PacketCircle | Standstill::RankCircle, _) => " in a circle",
            (Standstill::FinishedRank, 1) => " for a rank that has finished",
            (Standstill::FinishedRank, _) => ", one for the next, the last for a rank that has finished",
            (Standstill::AnySender, _) => " for any sender, and none is left",
            (Standstill::AnyRequest, _) => " for any of several requests, and no rank is left for them",
        };
        write!(f, "deadlock at {}: {}{how}", self.at, wait(waiting as u64, who, ""))?;
        for member in self.members.iter().take(MEMBERS_TOLD) {
            write!(f, "\n  {member}")?;
        }
        if self.members.len() > MEMBERS_TOLD {
            write!(f, "\n  and {} more of them", self.members.len() - MEMBERS_TOLD)?;
        }
        if self.others > 0 {
            write!(f, "\n{}", wait(self.others, who, "more "))?;
        }
        Ok(())
    }
}

fn wait(count: u64, who: &str, more: &str) -> String {
    if count == 1 { format!("1 {more}{who} waits") } else { format!("{count} {more}{who}s wait") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_circles_are_cut_short() {
        let members = (0..20).map(|i| format!("rank {i} waits")).collect();
        let deadlock = Deadlock { at: Time::from_us(1_234), what: Standstill::RankCircle, members, others: 1 };
        let text = deadlock.to_string();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!((lines[0], lines[16]), ("deadlock at 1.234 ms: 20 ranks wait in a circle", "  rank 15 waits"));
        assert_eq!(lines[17..], ["  and 4 more of them", "1 more rank waits"]);
    }
}
