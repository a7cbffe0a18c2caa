//! The kept loads that low-diameter networks accept (`docs/data/full_load.csv`), which a page shows.

use std::path::Path;
use std::{fs, thread};

use crate::full_load::{QUEUES, ROWS, accepted, kept_at_full_load, line};

/// The smallest network, with both kinds of queues, to the digits that are kept.
#[test]
fn kept_loads_are_what_networks_accept() {
    let row = ROWS.iter().find(|row| row.network.starts_with("Slim Fly")).unwrap();
    for queues in QUEUES {
        let found = format!("{:.3}", accepted(row, queues).unwrap());
        assert_eq!(found, kept_at_full_load(row, queues), "{queues}: write_accepted_loads");
    }
}

#[test]
#[ignore = "writes docs/data/full_load.csv, in some minutes; with --release"]
fn write_accepted_loads() {
    let run =
        |row| QUEUES.map(|queues| line(row, queues, &format!("{:.3}\n", accepted(row, queues).unwrap()))).concat();
    let threads: Vec<_> = ROWS.iter().map(|row| thread::spawn(move || run(row))).collect();
    let lines = threads.into_iter().map(|thread| thread.join().unwrap()).collect::<String>();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/data/full_load.csv");
    fs::write(file, "network,pattern,routing,queues,accepted\n".to_owned() + &lines).unwrap();
}
