//! Draws a trace: a program in which every message is received, whatever the times are.
//!
//! A program is a row of steps. In each, all ranks do the same sort of thing, and nobody waits for what somebody would
//! only do later: receives are posted before sends, or sends and receives come in one order for all ranks.

use std::fmt::Write;

use drowse_experiment::System;

use super::app::size;
use crate::draw::Draw;

/// The texts of all ranks.
pub struct Ranks {
    /// The lines of each.
    pub lines: Vec<Vec<String>>,
    /// The number of the step, which is the tag of its messages.
    pub step: u64,
}

/// Draws the trace of some ranks; each line begins with its rank.
pub fn draw(draw: &mut Draw, ranks: u64, system: &System) -> String {
    let mut all = Ranks::new(ranks);
    let default = draw.pick(&["init", "init", "init 1"]);
    all.each(|_| default.to_owned());
    for _ in 0..draw.within(1..=5) {
        all.step += 1;
        compute(draw, &mut all);
        match draw.below(5) {
            0 => posted(draw, &mut all, system),
            1 => in_order(draw, &mut all, system),
            2 => shift(draw, &mut all, system),
            _ => collective(draw, &mut all, system),
        }
        if draw.chance(20) {
            let poll = draw.pick(&["test 0 0 1", "testall", "testany", "testsome", "iprobe", "comm_size 4"]);
            all.each(|_| poll.to_owned());
        }
        if draw.chance(10) {
            let nothing = draw.pick(&["comm_split", "comm_dup", "location main.c 7"]);
            all.each(|_| nothing.to_owned());
        }
    }
    all.each(|_| "finalize".to_owned());
    let mut text = String::new();
    for (rank, lines) in all.lines.iter().enumerate() {
        lines.iter().for_each(|line| {
            let _ = writeln!(text, "{rank} {line}");
        });
    }
    text
}

impl Ranks {
    /// Makes empty texts.
    pub fn new(ranks: u64) -> Self {
        Ranks { lines: vec![Vec::new(); ranks as usize], step: 0 }
    }

    /// Returns the number of ranks.
    pub fn count(&self) -> u64 {
        self.lines.len() as u64
    }

    /// Adds a line to a rank.
    pub fn add(&mut self, rank: u64, line: String) {
        self.lines[rank as usize].push(line);
    }

    /// Adds a line to each rank.
    pub fn each(&mut self, mut line: impl FnMut(u64) -> String) {
        (0..self.count()).for_each(|rank| self.add(rank, line(rank)));
    }
}

fn compute(draw: &mut Draw, all: &mut Ranks) {
    let idle = draw.chance(30);
    all.each(|_| match draw.below(8) {
        0 if idle => format!("sleep {}e-6", draw.below(50)),
        _ => format!("compute {}", draw.scaled(0..=500_000)),
    });
}

/// All receives are posted first; then come the sends, and all wait.
fn posted(draw: &mut Draw, all: &mut Ranks, system: &System) {
    let (ranks, tag) = (all.count(), all.step);
    let messages: Vec<[u64; 3]> =
        (0..draw.below(3 * ranks)).map(|_| [draw.below(ranks), draw.below(ranks), size(draw, system)]).collect();
    // The messages of one sender are received in their order, and any sender's by this tag only.
    let modes: Vec<u64> = (0..ranks).map(|_| draw.below(4)).collect();
    for &[from, to, bytes] in &messages {
        let line = match modes[to as usize] {
            0 => format!("irecv -1 {tag} {bytes} 6"),
            1 => format!("irecv {from} -1 {bytes} 6"),
            _ => format!("irecv {from} {tag} {bytes} 6"),
        };
        all.add(to, line);
    }
    for &[from, to, bytes] in &messages {
        let how = draw.pick(&["isend", "isend", "send", "Issend", "Ssend"]);
        all.add(from, format!("{how} {to} {tag} {bytes} 6"));
    }
    if draw.chance(30) {
        // Some are waited for by name.
        for &[from, to, _] in messages.iter().filter(|[_, to, _]| modes[*to as usize] > 1) {
            all.add(to, format!("wait {from} {to} {tag}"));
        }
    }
    all.each(|_| "waitall".to_owned());
    if modes.contains(&0) {
        // A receive from any rank must not take a message of the next run, where the program is repeated.
        all.each(|_| "barrier".to_owned());
    }
}

/// Messages that block both ends, in one order for all ranks.
fn in_order(draw: &mut Draw, all: &mut Ranks, system: &System) {
    let (ranks, tag) = (all.count(), all.step);
    if ranks < 2 {
        return;
    }
    for _ in 0..draw.below(3 * ranks) {
        let from = draw.below(ranks);
        let to = (from + draw.within(1..=ranks - 1)) % ranks;
        let bytes = size(draw, system);
        let how = draw.pick(&["send", "Ssend"]);
        all.add(from, format!("{how} {to} {tag} {bytes} 6"));
        all.add(to, format!("recv {from} {tag} {bytes} 6"));
    }
}

/// Every rank sends to one that is so far on, and receives from one that is so far back.
fn shift(draw: &mut Draw, all: &mut Ranks, system: &System) {
    let ranks = all.count();
    let (by, bytes) = (draw.below(ranks), size(draw, system));
    all.each(|rank| format!("sendRecv {bytes} {} {bytes} {} 6 6", (rank + by) % ranks, (rank + ranks - by) % ranks));
}

/// One collective of all ranks.
fn collective(draw: &mut Draw, all: &mut Ranks, system: &System) {
    let ranks = all.count();
    let (bytes, root, flops) = (size(draw, system), draw.below(ranks), draw.scaled(0..=100_000));
    // Bytes from each rank to each.
    let matrix: Vec<Vec<u64>> = (0..ranks).map(|_| (0..ranks).map(|_| size(draw, system)).collect()).collect();
    let joined =
        |numbers: &mut dyn Iterator<Item = u64>| numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(" ");
    let first = joined(&mut matrix[0].iter().copied());
    let own = |rank: u64| matrix[0][rank as usize];
    match draw.below(15) {
        0 => all.each(|_| "barrier".to_owned()),
        1 => all.each(|_| format!("bcast {bytes} {root} 6")),
        2 => all.each(|_| format!("reduce {bytes} {flops} {root} 6")),
        3 => all.each(|_| format!("allreduce {bytes} {flops} 6")),
        4 => all.each(|_| format!("scan {bytes} {flops} 6")),
        5 => all.each(|_| format!("exscan {bytes} {flops} 6")),
        6 => all.each(|_| format!("alltoall {bytes} {bytes} 6 6")),
        7 => all.each(|rank| {
            let sent = joined(&mut matrix[rank as usize].iter().copied());
            let received = joined(&mut matrix.iter().map(|row| row[rank as usize]));
            format!("alltoallv 0 {sent} 0 {received} 6 6")
        }),
        8 => all.each(|_| format!("gather {bytes} {bytes} {root} 6 6")),
        9 => all.each(|_| format!("allgather {bytes} {bytes} 6 6")),
        10 => all.each(|rank| format!("gatherv {} {first} {root} 6 6", own(rank))),
        11 => all.each(|rank| format!("allgatherv {} {first} 6 6", own(rank))),
        12 => all.each(|_| format!("scatter {bytes} {bytes} {root} 6 6")),
        13 => all.each(|rank| format!("scatterv {first} {} {root} 6 6", own(rank))),
        _ => all.each(|_| format!("reducescatter {first} {flops} 6")),
    }
}
