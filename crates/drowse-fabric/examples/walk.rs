//! Follows routes of an InfiniBand fabric over its forwarding tables.
//!
//! ```text
//! walk TOPOLOGY TABLES                       the verdict on the fabric
//! walk TOPOLOGY TABLES LEVELS LANES          with service levels and virtual lanes
//! walk TOPOLOGY TABLES pairs <PAIRS          each route of lines `A B` (LIDs), as `ibtracert -n A B` prints it
//! ```

use std::error::Error;
use std::fs::{File, read_to_string};
use std::io::{BufRead, BufReader, Write, stdin, stdout};

use drowse_fabric::infiniband::check::{Dumped, Lanes, Proof, Soundness, Verdict, Walker, check};
use drowse_fabric::infiniband::{LaneTables, Options, ServiceLevels, Subnet, Tables};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let [topology, tables, more @ ..] = &words[..] else { return Err("name a topology and tables".into()) };
    let subnet = Subnet::parse(&read_to_string(topology)?, &Options::default())?;
    let tables = Tables::read(BufReader::new(File::open(tables)?))?;
    match more {
        ["pairs"] => walk(&subnet, &tables),
        [] => say(&subnet, &check(&subnet, &tables, Lanes::Unknown), &tables),
        ["one-lane"] => say(&subnet, &check(&subnet, &tables, Lanes::One), &tables),
        [levels, lanes] => {
            let levels = ServiceLevels::read(BufReader::new(File::open(levels)?))?;
            let lanes = LaneTables::read(BufReader::new(File::open(lanes)?))?;
            let dumped = Dumped { levels: &levels, lanes: &lanes };
            say(&subnet, &check(&subnet, &tables, Lanes::Dumped(dumped)), &tables)
        }
        _ => Err("behind the tables stand `pairs`, `one-lane`, or a file of service levels and one of lanes".into()),
    }
}

/// Prints the hops of each pair.
fn walk(subnet: &Subnet, tables: &Tables) -> Result<(), Box<dyn Error>> {
    let walker = Walker::new(subnet, tables);
    let mut out = stdout().lock();
    for line in stdin().lock().lines() {
        let line = line?;
        let mut lids = line.split_whitespace().map(str::parse::<u16>);
        let (Some(Ok(from)), Some(Ok(to))) = (lids.next(), lids.next()) else { continue };
        writeln!(out, "{from} {to}")?;
        let (hops, wrong) = match walker.walk(from, to) {
            Ok(hops) => (hops, None),
            Err((hops, wrong)) => (hops, Some(wrong)),
        };
        for hop in hops {
            writeln!(out, "[{}] -> {{0x{:016x}}}[{}]", hop.output, hop.guid.unwrap_or_default(), hop.input)?;
        }
        wrong.map_or(Ok(()), |wrong| writeln!(out, "{wrong}"))?;
    }
    Ok(())
}

/// Prints what was found out.
fn say(subnet: &Subnet, found: &Soundness, tables: &Tables) -> Result<(), Box<dyn Error>> {
    let mut out = stdout().lock();
    writeln!(out, "{} switches, {} nodes, {} cables", found.switches, found.nodes, found.cables)?;
    writeln!(out, "left out: {:?}", subnet.left_out)?;
    subnet.notes.iter().chain(&subnet.disagreeing).try_for_each(|note| writeln!(out, "{note}"))?;
    writeln!(out, "tables of {} switches, {} bytes; {:?}", tables.switches.len(), tables.bytes(), found.fit)?;
    for (what, pairs) in [("hosts", &found.data), ("all LIDs", &found.all)] {
        let unserved = pairs.unserved();
        writeln!(out, "{what}: {} pairs, {unserved} not served, by links {:?}", pairs.number, pairs.by_links)?;
        pairs.examples.iter().try_for_each(|example| writeln!(out, "  {example}"))?;
    }
    for (what, proof) in [("hosts", &found.data_proof), ("all LIDs", &found.all_proof)] {
        writeln!(out, "{what}: {}", words(proof))?;
    }
    writeln!(out, "service levels {:?}, dropped {}", found.by_service_level, found.dropped)?;
    for spread in &found.spread {
        writeln!(out, "{spread:?}, mean {:.2}, imbalance {:.2}", spread.mean(), spread.imbalance())?;
    }
    found.levels.iter().try_for_each(|level| writeln!(out, "{level:?}"))?;
    writeln!(out, "unused {}: {:?}", found.unused.len(), found.unused.first())?;
    writeln!(out, "degraded {:?}", found.degraded)?;
    writeln!(out, "islands {:?}", found.islands)?;
    Ok(())
}

fn words(proof: &Proof) -> String {
    let circle = proof.on_one_lane.as_ref().map(ToString::to_string);
    let one = circle.map_or("free".to_owned(), |circle| format!("deadlocks: {circle}"));
    let verdict = match &proof.verdict {
        Verdict::Free => "free".to_owned(),
        Verdict::Deadlock(circle) => format!("deadlocks: {circle}"),
        Verdict::Unknown(why) => format!("unknown, {why}"),
    };
    format!("{verdict}; with all on VL 0: {one}; {} dependencies, lanes {:?}", proof.dependencies, proof.lanes)
}
