//! Draws a trace in Drowse's own format: communicators, all modes of sends, probes, waits for some requests, and
//! collectives beside the program. Every message is received, whatever the times are, as in [`super::trace`].

use std::fmt::Write;

use drowse_experiment::System;

use super::app::size;
use super::trace::Ranks;
use crate::draw::Draw;

/// The communicators by name: all ranks, all of them backwards, and every second.
const COMMS: [&str; 3] = ["all", "back", "even"];

/// Draws the trace of some ranks.
pub fn draw(draw: &mut Draw, ranks: u64, system: &System) -> String {
    let mut all = Ranks::new(ranks);
    let iterates = draw.chance(30);
    for _ in 0..draw.within(1..=5) {
        all.step += 1;
        if iterates {
            all.each(|_| "iteration".to_owned());
        }
        all.each(|_| format!("compute {} ps", draw.scaled(0..=50_000_000)));
        match draw.below(4) {
            0 => posted(draw, &mut all, system),
            1 => in_order(draw, &mut all, system),
            _ => collectives(draw, &mut all, system),
        }
    }
    let backwards: Vec<String> = (0..ranks).rev().map(|rank| rank.to_string()).collect();
    let even: Vec<String> = (0..ranks).step_by(2).map(|rank| rank.to_string()).collect();
    let [_, back_name, even_name] = COMMS;
    let mut text = format!("drowse-trace 1\nranks {ranks}\n");
    let _ =
        writeln!(text, "communicator {back_name} {}\ncommunicator {even_name} {}", backwards.join(" "), even.join(" "));
    for (rank, lines) in all.lines.iter().enumerate() {
        let _ = writeln!(text, "rank {rank}\n{}", lines.join("\n"));
    }
    text
}

/// All receives are posted first; then come the sends, and all wait, for one or some first.
fn posted(draw: &mut Draw, all: &mut Ranks, system: &System) {
    let (ranks, tag, comm) = (all.count(), all.step, draw.pick(&COMMS[..2]));
    let messages: Vec<[u64; 3]> =
        (0..draw.below(3 * ranks)).map(|_| [draw.below(ranks), draw.below(ranks), size(draw, system)]).collect();
    let named: Vec<u64> = (0..ranks).map(|_| draw.below(4)).collect();
    for (request, &[from, to, _]) in messages.iter().enumerate() {
        let wanted = match named[to as usize] {
            0 => format!("any tag {tag}"),
            1 => format!("{from} tag any"),
            _ => format!("{from} tag {tag}"),
        };
        all.add(to, format!("irecv {wanted} in {comm} as {request}"));
    }
    for (request, &[from, to, bytes]) in messages.iter().enumerate() {
        let how = draw.pick(&["send", "ssend", "bsend", "rsend", "isend", "issend", "ibsend", "irsend"]);
        let name =
            if how.starts_with('i') && draw.chance(70) { format!(" as {}", 1_000 + request) } else { String::new() };
        all.add(from, format!("{how} {to} {bytes} tag {tag} in {comm}{name}"));
    }
    let wait = draw.pick(&["waitany", "waitsome", "waitany", ""]);
    for rank in (0..ranks).filter(|_| !wait.is_empty()) {
        let mine = (0..messages.len()).filter(|&message| messages[message][1] == rank);
        let mine: Vec<String> = mine.map(|request| request.to_string()).collect();
        all.add(rank, format!("{wait} {}", mine.join(" ")));
    }
    all.each(|_| "waitall".to_owned());
    if named.contains(&0) {
        // A receive from any rank must not take a message of the next run, where the program is repeated.
        all.each(|_| "barrier".to_owned());
    }
}

/// Messages that block both ends, in one order for all ranks; some are looked for before they are received.
fn in_order(draw: &mut Draw, all: &mut Ranks, system: &System) {
    let (ranks, tag, comm) = (all.count(), all.step, draw.pick(&COMMS[..2]));
    if ranks < 2 {
        return;
    }
    for _ in 0..draw.below(3 * ranks) {
        let from = draw.below(ranks);
        let to = (from + draw.within(1..=ranks - 1)) % ranks;
        let (bytes, how) = (size(draw, system), draw.pick(&["send", "ssend", "bsend", "rsend"]));
        all.add(from, format!("{how} {to} {bytes} tag {tag} in {comm}"));
        if draw.chance(30) {
            let wanted = draw.pick(&["any", "sender"]);
            let sender = if wanted == "any" { wanted.to_owned() } else { from.to_string() };
            all.add(to, format!("probe {sender} tag {tag} in {comm}"));
        }
        all.add(to, format!("recv {from} tag {tag} in {comm}"));
    }
}

/// One or two collectives of a communicator, one after the other, or side by side and beside the program.
fn collectives(draw: &mut Draw, all: &mut Ranks, system: &System) {
    let (comm, beside) = (draw.pick(&COMMS), draw.chance(50));
    let step = if comm == "even" { 2 } else { 1 };
    let size_of_comm = all.count().div_ceil(step);
    let calls: Vec<String> = (0..draw.within(1..=2)).map(|_| collective(draw, size_of_comm, system)).collect();
    let computing = draw.scaled(0..=5_000_000);
    for rank in (0..all.count()).step_by(step as usize) {
        for (request, call) in calls.iter().enumerate() {
            let line = if beside { format!("i{call} in {comm} as {request}") } else { format!("{call} in {comm}") };
            all.add(rank, line);
        }
        if beside {
            all.add(rank, format!("compute {computing} ps"));
            (0..calls.len()).rev().for_each(|request| all.add(rank, format!("wait {request}")));
        }
    }
}

/// One collective of so many ranks, the same for each of them.
fn collective(draw: &mut Draw, ranks: u64, system: &System) -> String {
    let (bytes, root, time) = (size(draw, system), draw.below(ranks), draw.scaled(0..=10_000));
    let list: Vec<String> = (0..ranks).map(|_| size(draw, system).to_string()).collect();
    let list = list.join(" ");
    match draw.below(15) {
        0 => "barrier".to_owned(),
        1 => format!("bcast {root} {bytes} count {}", draw.within(1..=bytes.max(1))),
        2 => format!("reduce {root} {bytes} compute {time}"),
        3 => format!("allreduce {bytes} compute {time}"),
        4 => format!("scan {bytes} compute {time}"),
        5 => format!("exscan {bytes}"),
        6 => format!("alltoall {bytes}"),
        7 => format!("alltoallv {list}"),
        8 => format!("gather {root} {bytes}"),
        9 => format!("allgather {bytes}"),
        10 => format!("gatherv {root} {list}"),
        11 => format!("allgatherv {list}"),
        12 => format!("scatter {root} {bytes}"),
        13 => format!("scatterv {root} {list}"),
        _ => format!("reduce-scatter {list}"),
    }
}
