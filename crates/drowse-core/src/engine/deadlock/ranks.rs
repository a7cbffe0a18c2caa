//! Ranks that wait for each other.
//!
//! A rank waits for the named peers of its requests, and for every one of them; where it takes a message from any
//! sender, for all ranks of its job; where it waits for any of several requests, for one of their peers. A circle of
//! named waits is a standstill by itself, and so is a rank that waits for one that has finished; only where there is
//! neither do ranks explain it that any of several could help.

use std::collections::VecDeque;

use crate::model::units::Time;
use crate::workload::communicators::ALL;
use crate::workload::matching::Context;
use crate::workload::operation::Operation;

use super::report::{Deadlock, Standstill};
use crate::engine::endpoint::job::RunningJob;
use crate::engine::endpoint::rank::{Purpose, Rank, Request};

/// Who waits for whom.
pub struct Waits<'r> {
    /// All ranks, by their numbers in the whole simulation.
    pub ranks: &'r [&'r Rank],
    /// Their jobs.
    pub jobs: &'r [RunningJob],
}

impl Waits<'_> {
    /// Returns the standstill of the ranks; `None` when none waits.
    pub fn deadlock(&self, at: Time) -> Option<Deadlock> {
        let blocked = (0..self.ranks.len() as u32).filter(|&rank| self.is_blocked(rank));
        let first = blocked.clone().next()?;
        let (what, path) = self
            .circle()
            .map(|path| (Standstill::RankCircle, path))
            .or_else(|| Some((Standstill::FinishedRank, self.chain_to_finished(first)?)))
            .or_else(|| Some((Standstill::RankCircle, self.circle_of_any()?)))
            .unwrap_or_else(|| {
                let rank = self.any_of_several().unwrap_or(first);
                let of_requests = self.ranks[rank as usize].waits_for_any();
                (if of_requests { Standstill::AnyRequest } else { Standstill::AnySender }, vec![rank])
            });
        let next = |i: usize| match what {
            Standstill::RankCircle => Some(path[(i + 1) % path.len()]),
            _ => path.get(i + 1).copied(),
        };
        let members = (0..path.len()).map(|i| match i.checked_sub(1) {
            Some(before) if !self.is_blocked(path[i]) => self.finished(path[i], path[before]),
            _ => self.line(path[i], next(i)),
        });
        let members: Vec<String> = members.collect();
        let told = path.iter().filter(|&&rank| self.is_blocked(rank)).count();
        Some(Deadlock { at, what, members, others: (blocked.count() - told) as u64 })
    }

    fn is_blocked(&self, rank: u32) -> bool {
        !self.ranks[rank as usize].is_finished()
    }

    /// Returns the ranks that a rank waits for by their names, and for every one of them.
    fn named(&self, rank: u32) -> impl Iterator<Item = u32> {
        self.peers(rank).filter(move |_| !self.ranks[rank as usize].waits_for_any())
    }

    /// Returns the ranks that the requests name for which a rank waits.
    fn peers(&self, rank: u32) -> impl Iterator<Item = u32> {
        let rank = &self.ranks[rank as usize];
        rank.waits().filter_map(peer).map(|peer| rank.first_rank + peer)
    }

    /// Returns a shortest circle of named waits through some rank.
    fn circle(&self) -> Option<Vec<u32>> {
        let member = self.on_a_circle()?;
        self.shortest(member, |rank| self.named(rank).collect(), |rank| self.named(rank).any(|to| to == member))
    }

    /// Finds a rank on a circle of named waits, depth first.
    fn on_a_circle(&self) -> Option<u32> {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            OnPath,
            Done,
        }
        let mut marks = vec![Mark::New; self.ranks.len()];
        let mut path: Vec<(u32, Vec<u32>)> = Vec::new();
        for start in 0..self.ranks.len() as u32 {
            let mut enter = (marks[start as usize] == Mark::New).then_some(start);
            loop {
                if let Some(rank) = enter.take() {
                    marks[rank as usize] = Mark::OnPath;
                    path.push((rank, self.named(rank).collect()));
                }
                let Some((rank, left)) = path.last_mut() else { break };
                match left.pop() {
                    Some(next) if marks[next as usize] == Mark::OnPath => return Some(next),
                    Some(next) => enter = (marks[next as usize] == Mark::New).then_some(next),
                    None => {
                        marks[*rank as usize] = Mark::Done;
                        path.pop();
                    }
                }
            }
        }
        None
    }

    /// Returns a shortest chain of named waits to a rank that has finished, from rank `first` if one leads from there.
    fn chain_to_finished(&self, first: u32) -> Option<Vec<u32>> {
        let waits_for_finished = |rank: u32| self.named(rank).any(|to| !self.is_blocked(to));
        let direct = (0..self.ranks.len() as u32).find(|&rank| waits_for_finished(rank))?;
        let from = |start| self.shortest(start, |rank| self.named(rank).collect(), waits_for_finished);
        let mut chain = from(first).or_else(|| from(direct))?;
        let end = chain.last().and_then(|&last| self.named(last).find(|&to| !self.is_blocked(to)));
        chain.extend(end);
        Some(chain)
    }

    /// Returns a circle through a rank that any of several others could help.
    fn circle_of_any(&self) -> Option<Vec<u32>> {
        let member = self.any_of_several()?;
        let waits_for_it = |rank: u32| rank != member && self.named(rank).any(|to| to == member);
        self.shortest(
            member,
            |rank| if rank == member { self.helpers(rank) } else { self.named(rank).collect() },
            waits_for_it,
        )
    }

    /// Finds a rank that takes a message from any sender, or waits for any of several requests.
    fn any_of_several(&self) -> Option<u32> {
        let any = |rank: &Rank| rank.waits_for_any() || rank.waits().any(|request| peer(request).is_none());
        (0..self.ranks.len() as u32).find(|&rank| any(self.ranks[rank as usize]))
    }

    /// Returns the ranks that wait, of those that could help a rank: of its job, or of those that its requests name.
    fn helpers(&self, number: u32) -> Vec<u32> {
        let rank = self.ranks[number as usize];
        if rank.waits().all(|request| peer(request).is_some()) {
            return self.peers(number).filter(|&other| self.is_blocked(other)).collect();
        }
        (rank.first_rank..rank.first_rank + rank.member.size).filter(|&other| self.is_blocked(other)).collect()
    }

    /// Returns a shortest path from one rank to another that is a goal, both included.
    fn shortest(&self, start: u32, next: impl Fn(u32) -> Vec<u32>, is_goal: impl Fn(u32) -> bool) -> Option<Vec<u32>> {
        let mut before = vec![u32::MAX; self.ranks.len()];
        before[start as usize] = start;
        let mut queue = VecDeque::from([start]);
        while let Some(rank) = queue.pop_front() {
            if is_goal(rank) {
                let mut path = vec![rank];
                while path[path.len() - 1] != start {
                    path.push(before[path[path.len() - 1] as usize]);
                }
                path.reverse();
                return Some(path);
            }
            for to in next(rank) {
                if before[to as usize] == u32::MAX {
                    before[to as usize] = rank;
                    queue.push_back(to);
                }
            }
        }
        None
    }

    /// Names a rank, and its job where there are several.
    fn name(&self, rank: &Rank) -> String {
        match self.jobs {
            [_] => format!("rank {}", rank.member.rank),
            jobs => format!("job {}: rank {}", jobs[rank.job as usize].name, rank.member.rank),
        }
    }

    /// Returns what a rank waits for, above all of rank `next`.
    fn line(&self, rank: u32, next: Option<u32>) -> String {
        let rank = &self.ranks[rank as usize];
        let of_next = |request: &&Request| peer(request).map(|peer| rank.first_rank + peer) == next;
        let of_any = || rank.waits().find(|request| peer(request).is_none());
        let first = || rank.waits().next().filter(|_| rank.waits_for_any());
        let Some(request) = rank.waits().find(of_next).or_else(of_any).or_else(first) else {
            return format!("{} waits", self.name(rank));
        };
        let in_collective = request.context.collective != 0;
        let tag = |tag: Option<u32>| match tag {
            _ if in_collective => String::new(),
            Some(tag) => format!(" with tag {tag}"),
            None => " with any tag".to_owned(),
        };
        let waits = match request.purpose {
            Purpose::Receive { from: Some(from), tag: wanted } => {
                let hint = rank.matcher.first_unreceived(from, request.context).filter(|_| !in_collective);
                let hint = hint.map_or(String::new(), |other| format!(", but has one with tag {} from it", other.tag));
                format!("to receive from rank {from}{}{hint}", tag(wanted))
            }
            Purpose::Receive { from: None, tag: wanted } => format!("to receive from any rank{}", tag(wanted)),
            Purpose::Probe { from: Some(from), tag: wanted } => {
                format!("for a message from rank {from}{}", tag(wanted))
            }
            Purpose::Probe { from: None, tag: wanted } => format!("for a message from any rank{}", tag(wanted)),
            Purpose::Collective(_) => "for a collective".to_owned(),
            Purpose::Send { to, tag: given, bytes } => {
                format!("for rank {to} to receive {bytes} B{}", tag(Some(given)))
            }
        };
        let and = if rank.waits_for_any() { "or" } else { "and" };
        let more = match rank.waits().count() {
            0 | 1 => String::new(),
            2 => format!(", {and} for another request"),
            count => format!(", {and} for {} more requests", count - 1),
        };
        format!("{} waits {waits}{more} ({})", self.name(rank), self.place(rank, request))
    }

    /// Returns where in its program a rank is.
    fn place(&self, rank: &Rank, request: &Request) -> String {
        let operation = rank.operations_begun();
        let Context { comm, collective } = request.context;
        let communicators = &self.jobs[rank.job as usize].communicators;
        let of = if comm == ALL { String::new() } else { format!(" of communicator {}", communicators.name(comm)) };
        if collective == 0 {
            return format!("operation {operation}{}", of.replace(" of ", " in "));
        }
        let what = rank.operation().and_then(Operation::called).map_or(String::new(), |called| {
            let name = name(&format!("{called:?}"));
            let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
            format!(", {article} {name}")
        });
        format!("operation {operation}: its {} collective{of}{what}", ordinal(collective))
    }

    /// Returns that a rank has ended without what rank `before` waits for.
    fn finished(&self, rank: u32, before: u32) -> String {
        let waits_for =
            |request: &&Request| peer(request).map(|peer| self.ranks[before as usize].first_rank + peer) == Some(rank);
        let waited = self.ranks[before as usize].waits().find(waits_for);
        let never = match waited.map(|request| request.purpose) {
            Some(Purpose::Send { .. }) => "receives it",
            _ => "sends it",
        };
        let rank = self.ranks[rank as usize];
        format!("{} has finished at operation {} and never {never}", self.name(rank), rank.operations_begun())
    }
}

/// Returns the peer that a request names, a rank of the same job.
fn peer(request: &Request) -> Option<u32> {
    match request.purpose {
        Purpose::Receive { from, .. } | Purpose::Probe { from, .. } => from,
        Purpose::Send { to, .. } => Some(to),
        Purpose::Collective(_) => None,
    }
}

/// Returns the name of an operation as MPI spells it from how its variant prints: `ReduceScatter { .. }` is
/// `reduce_scatter`.
fn name(printed: &str) -> String {
    let mut name = String::new();
    for letter in printed.chars().take_while(char::is_ascii_alphanumeric) {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

fn ordinal(number: u32) -> String {
    let suffix = match (number % 10, number % 100) {
        (1, rest) if rest != 11 => "st",
        (2, rest) if rest != 12 => "nd",
        (3, rest) if rest != 13 => "rd",
        _ => "th",
    };
    format!("{number}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        let ordinals = [1, 2, 3, 4, 11, 12, 13, 21, 102, 111].map(ordinal).join(" ");
        assert_eq!(ordinals, "1st 2nd 3rd 4th 11th 12th 13th 21st 102nd 111th");
        assert_eq!(["Barrier", "ReduceScatter { bytes: 8 }"].map(name), ["barrier", "reduce_scatter"]);
    }
}
