//! Checks whether a network's routing can deadlock, by its channel dependency graph.

use drowse_core::routing::dependencies::{self, TooLarge, Verdict, place};
use drowse_tables::Row;
use drowse_tables::schema::network as columns;

use drowse_experiment::System;

/// Checks the routing and returns the columns of `drowse network` that begin with `deadlock`.
pub fn check(system: &System) -> Result<Row, TooLarge> {
    let network = &system.network;
    let verdict = dependencies::check(network, &system.config)?;
    let mut row = Row::new();
    row.push(columns::DEADLOCK_PROVEN, matches!(verdict, Verdict::Proven(_)));
    match verdict {
        Verdict::Proven(proof) => {
            row.push(columns::DEADLOCK_CHANNELS, proof.channels);
            row.push(columns::DEADLOCK_DEPENDENCIES, proof.dependencies);
            row.push(columns::DEADLOCK_LONGEST_CHAIN, proof.longest);
            row.push_some(columns::DEADLOCK_BUBBLE_RINGS, Some(proof.bubbles).filter(|&rings| rings > 0));
        }
        Verdict::Circle(circle) => {
            row.push_all(columns::DEADLOCK_CIRCLE, circle.iter().map(|waiting| waiting.line(network)));
        }
        Verdict::Stray { at, to } => {
            let line = format!("packets at {} to {}", place(network, at), place(network, to));
            row.push(columns::DEADLOCK_STRAY, line);
        }
    }
    Ok(row)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use drowse_core::topology::Geometry;

    use super::*;
    use drowse_experiment::Source;

    /// No experiment can ask for a ring without dateline, so it is taken away here.
    #[test]
    fn a_cycle_is_listed_channel_by_channel() {
        let text = "[network]\nkind = \"torus\"\ndims = [5]\nrouting = \"dimension-order\"\n";
        let source = Source::new("ring.toml".as_ref(), text.into(), &[]).expect("a source");
        let mut system = drowse_experiment::system(&Arc::new(source)).expect("a system");
        let Geometry::Grid(grid) = &mut Arc::make_mut(&mut system.network).geometry else { panic!("not a grid") };
        grid.datelines.fill(None);
        let row = check(&system).expect("a small network");
        assert_eq!(row.get(columns::DEADLOCK_PROVEN), Some(&false.into()));
        let lines: Vec<String> = row.all(columns::DEADLOCK_CIRCLE).map(|(_, line)| line.to_string()).collect();
        assert_eq!(lines.len(), 5);
        for (line, next) in lines.iter().zip(lines.iter().cycle().skip(1)) {
            let ([from, to], [next_from, _]) = (ends(line), ends(next));
            assert_eq!((to, (from + 1) % 5), (next_from, to), "{line}; {next}");
            let held = format!(", port 0, virtual channel 0: held by packets to switch {} ({0})", (from + 2) % 5);
            assert!(line.ends_with(&held), "{line}");
        }
    }

    /// Returns the switches at the ends of the channel of a line, each with its coordinate.
    fn ends(line: &str) -> [u32; 2] {
        let ends = line.split_once(',').expect("a port follows").0.split_once(" to ").expect("it leads somewhere");
        [ends.0, ends.1].map(|end| {
            let number = end.trim_start_matches("switch ").split_once(' ').expect("a coordinate follows");
            assert_eq!(number.1, format!("({})", number.0));
            number.0.parse().expect("a number")
        })
    }
}
