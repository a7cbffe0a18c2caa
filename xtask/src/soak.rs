//! `cargo xtask soak`: loads the networks of [`crate::networks`] with uniform traffic: awake, at nine tenths of what nodes can inject,
//! far above what most can carry; and asleep, with packets of one flit, the least buffers and timers so short that channels sleep all
//! the time, once for each way in which packets select between outputs that are on and outputs that sleep. Each pair must be proven
//! free of deadlock before, and deliver all packets that have entered it once no more come, or leave no more than its buffers hold
//! where it is ended before.

use std::path::Path;

use crate::failure::{Failure, Outcome};
use crate::networks::{Pair, pairs};
use crate::process::{captured, command, drowse, on_all_cores, text, whole};
use crate::repository::write;

/// Loads every pair, as many at a time as there are cores, and prints a line for each run.
pub fn run(arguments: &[String]) -> Outcome {
    let drowse = drowse(arguments.first())?;
    let node_cycles = match arguments.get(1) {
        None => 200_000,
        Some(count) => count.parse().map_err(|_| Failure::usage(format!("{count} is no number of cycles")))?,
    };
    let scratch = tempfile::tempdir()?;
    on_all_cores(&pairs(), |at, pair| {
        let file = scratch.path().join(format!("{at}.toml"));
        Soak { drowse: &drowse, file: &file, node_cycles }.pair(pair)
    })
}

struct Soak<'a> {
    drowse: &'a Path,
    file: &'a Path,
    node_cycles: u64,
}

impl Soak<'_> {
    /// Runs a pair awake and asleep.
    fn pair(&self, pair: &Pair) -> Outcome {
        let name = format!("{}, {}", pair.routing, pair.keys.join(", "));
        write(self.file, pair.table())?;
        // Large networks are as busy in less time.
        let cycles = (self.node_cycles / self.nodes()?).clamp(150, 5000);
        let traffic =
            |load: f64| format!("[traffic]\nload = {load}\nwarmup = \"100 cycles\"\nmeasure = \"{cycles} cycles\"\n");
        write(self.file, pair.table() + &traffic(0.9))?;
        self.run(&name, 128)?;
        for selection in ["awake", "least-delay", "blind"] {
            let asleep = |buffer: u64| {
                format!(
                    "{}[switch]\npacket = \"16 B\"\nbuffer = \"{buffer} B\"\n\
                     [power]\nchannels = \"all\"\nselection = \"{selection}\"\n\
                     policy = {{ kind = \"stall-timer\", shallow = \"10 ns\", deep = \"60 ns\" }}\n\
                     states = {{ shallow = {{ enter = \"0 ns\", wake = \"5 ns\" }}, deep = {{ enter = \"5 ns\", wake = \"30 ns\" }} }}\n{}",
                    pair.table(),
                    traffic(0.5)
                )
            };
            // One flit for each virtual channel, which is refused with the least that is permitted.
            write(self.file, asleep(16))?;
            let least = self.least_buffer()?.unwrap_or(16);
            write(self.file, asleep(least))?;
            self.run(&format!("{name}, asleep, selection = {selection}"), least / 16)?;
        }
        Ok(())
    }

    fn nodes(&self) -> Outcome<u64> {
        let described = captured(command(self.drowse, ["network"]).arg(self.file))?;
        let described = whole(&described);
        let nodes = described.lines().find_map(|line| {
            let mut words = line.split_whitespace();
            (words.next() == Some("nodes")).then(|| words.next())?
        });
        let nodes = nodes.and_then(|nodes| nodes.replace(',', "").parse().ok()).filter(|nodes| *nodes > 0);
        nodes.ok_or_else(|| self.fault("how many nodes?", &described))
    }

    /// The least buffer with which the network is not refused, where it is refused.
    fn least_buffer(&self) -> Outcome<Option<u64>> {
        let described = captured(command(self.drowse, ["network"]).arg(self.file))?;
        Ok(whole(&described).lines().find_map(|line| {
            let (_, after) = line.split_once(" need at least ")?;
            after.split_once(" B")?.0.parse().ok()
        }))
    }

    /// Proves and runs the experiment, whose ports have room for so many packets.
    fn run(&self, name: &str, room: u64) -> Outcome {
        let check = captured(command(self.drowse, ["network"]).arg(self.file).arg("--check"))?;
        if !check.status.success() {
            return Err(self.fault(name, &whole(&check)));
        }
        let record = captured(command(self.drowse, ["run"]).arg(self.file).args(["--format", "json"]))?;
        if !record.status.success() {
            return Err(self.fault(name, &text(&record.stderr)));
        }
        let record = text(&record.stdout);
        let whole = |key: &str| number(&record, key).and_then(|number| number.parse::<u64>().ok());
        let (Some(injected), Some(delivered), Some(ports)) = (whole("injected"), whole("delivered"), whole("ports"))
        else {
            return Err(self.fault(name, "the record has no counts"));
        };
        let left = injected.saturating_sub(delivered);
        // Far beyond what a network can carry, the run is ended before it is empty.
        let most = if record.contains("not drained") { room * ports } else { 0 };
        let accepted = number(&record, "accepted").unwrap_or_default();
        println!("{name}: accepted {accepted}, {delivered} packets, {left} left");
        if delivered == 0 || left > most { Err(Failure::new("packets are lost")) } else { Ok(()) }
    }

    /// Says what went wrong, with the experiment.
    fn fault(&self, name: &str, said: &str) -> Failure {
        let experiment = crate::repository::read(self.file).unwrap_or_default();
        Failure::new(format!("{name}\n{experiment}{said}"))
    }
}

/// Returns the first number of a key in JSON of one key a line.
fn number<'a>(json: &'a str, key: &str) -> Option<&'a str> {
    let start = format!("\"{key}\": ");
    json.lines().find_map(|line| Some(line.trim_start().strip_prefix(&start)?.trim_end_matches(',')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_number_of_a_key_counts() {
        let json = "{\n  \"a\": {\n    \"injected\": 12,\n    \"accepted\": 0.5\n  },\n  \"injected\": 13\n}";
        assert_eq!(
            (number(json, "injected"), number(json, "accepted"), number(json, "a")),
            (Some("12"), Some("0.5"), Some("{"))
        );
    }
}
