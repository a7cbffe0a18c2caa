//! Is what stands there sound? The routes of an InfiniBand subnet's own tables, followed over its cables.

use std::path::PathBuf;

use drowse_experiment::Diagnostic;
use drowse_experiment::subnet_files::{SubnetFiles, dump, subnet};
use drowse_fabric::infiniband::check::{Dumped, Fit, Lanes, Level, Proof, Soundness, Spread, Verdict, check};
use drowse_fabric::infiniband::{LaneTables, ServiceLevels, Subnet, Tables};
use drowse_tables::Row;
use drowse_tables::schema::network as columns;

/// Follows all routes, and returns the columns of `drowse network` that begin with `sound`.
pub fn row(files: &SubnetFiles) -> Result<Row, Diagnostic> {
    let (subnet, tables) = (subnet(&files.topology)?, dump(&files.tables, Tables::read)?);
    let read =
        |(levels, maps): &(PathBuf, PathBuf)| Ok((dump(levels, ServiceLevels::read)?, dump(maps, LaneTables::read)?));
    let lanes = files.lanes.as_ref().map(read).transpose()?;
    let dumped = lanes.as_ref().map(|(levels, lanes)| Lanes::Dumped(Dumped { levels, lanes }));
    let found = check(&subnet, &tables, dumped.unwrap_or(Lanes::Unknown));
    if found.nodes_without_lid == found.nodes {
        let help = "name a topology in which the subnet manager has given LIDs, as ibnetdiscover prints it";
        return Err(Diagnostic::of_file(&files.topology, "no host has a LID here, by which tables route", help));
    }
    let mut row = Row::new();
    row.push(columns::SOUND, found.is_sound());
    row.push(columns::SOUND_PAIRS, found.data.number);
    row.push(columns::SOUND_UNSERVED, found.data.unserved());
    let longest = found.data.by_links.iter().rposition(|&pairs| pairs > 0);
    row.push_some(columns::SOUND_LONGEST, longest.map(|links| links as u64));
    for (proof, verdict, circle) in [
        (&found.data_proof, columns::SOUND_HOSTS, columns::SOUND_HOSTS_CIRCLE),
        (&found.all_proof, columns::SOUND_SWITCHES, columns::SOUND_SWITCHES_CIRCLE),
    ] {
        row.push(verdict, words(proof));
        row.push_some(circle, shown(proof));
    }
    row.push_all(columns::SOUND_FINDINGS, findings(&found, &subnet));
    row.push_all(columns::SOUND_SPREAD, found.spread.iter().map(spread));
    row.push_all(columns::SOUND_LEVELS, found.levels.iter().map(level));
    row.push_all(columns::SOUND_UNUSED, found.unused.iter().map(String::as_str));
    Ok(row)
}

/// Says whether packets can wait in a circle.
fn words(proof: &Proof) -> String {
    match (&proof.verdict, &proof.on_one_lane) {
        (Verdict::Free, None) => "no circle, whatever the lanes".into(),
        (Verdict::Free, Some(_)) => format!("no circle on the {} virtual lanes that are used", proof.lanes.len()),
        (Verdict::Deadlock(circle), _) => format!("deadlock: {} channels wait for each other", circle.steps.len()),
        (Verdict::Unknown(why), Some(circle)) => {
            format!(
                "unknown, {why}; with all on one lane: deadlock, {} channels wait for each other",
                circle.steps.len()
            )
        }
        (Verdict::Unknown(why), None) => format!("unknown, {why}"),
    }
}

/// Returns the circle that counts, in words.
fn shown(proof: &Proof) -> Option<String> {
    match &proof.verdict {
        Verdict::Free => None,
        Verdict::Deadlock(circle) => Some(circle.to_string()),
        Verdict::Unknown(_) => proof.on_one_lane.as_ref().map(ToString::to_string),
    }
}

/// Lists what one would look at.
fn findings(found: &Soundness, subnet: &Subnet) -> Vec<String> {
    let mut lines = misfits(&found.fit);
    if found.islands.len() > 1 {
        let parts =
            found.islands.iter().map(|it| format!("{} with {} switches, {} nodes", it.switch, it.switches, it.nodes));
        lines.push(format!("no cable joins these parts: {}", parts.collect::<Vec<_>>().join("; ")));
    }
    if found.nodes_without_lid > 0 {
        lines.push(format!("hosts' ports without a LID: {}", found.nodes_without_lid));
    }
    if found.dropped > 0 {
        lines.push(format!("pairs whose packets are dropped on lane 15: {}", found.dropped));
    }
    lines.extend(found.data.examples.iter().map(|example| format!("not served: {example}")));
    lines.extend(subnet.disagreeing.iter().cloned());
    lines.extend(found.degraded.iter().map(|it| format!("{}: {}, most are {}", it.cable, it.rate, it.usual)));
    lines
}

/// Says what of tables and topology does not fit together.
fn misfits(fit: &Fit) -> Vec<String> {
    let named = |what: &str, names: &[String]| {
        names.first().map(|first| format!("{what}: {}, such as {first}; both files must be of one sweep", names.len()))
    };
    let lids = |what: &str, lids: &[u16]| {
        lids.first().map(|first| format!("{what}: {}, such as {first}; both files must be of one sweep", lids.len()))
    };
    let not_printed = fit.not_printed.map(|lid| {
        format!("LID {lid} is not in the dump: dump_fts never prints a highest LID that is a multiple of 64; opensm-lfts.dump has it")
    });
    let found = [
        named("switches without a table", &fit.without_table),
        named("tables of switches that the topology lacks", &fit.not_in_topology),
        named("switches whose LID has changed", &fit.moved),
        lids("LIDs that the topology lacks", &fit.unknown_lids),
        lids("LIDs that no table has", &fit.unrouted_lids),
        lids("LIDs of two ports", &fit.lids_twice),
        not_printed,
    ];
    found.into_iter().flatten().collect()
}

/// Says how routes are spread over the channels from one level to another.
fn spread(spread: &Spread) -> String {
    let Spread { levels: [from, to], channels, unused, least, most, .. } = spread;
    let of_unused = if *unused == 0 { String::new() } else { format!(", {unused} without any") };
    let mean = spread.mean();
    format!("level {from} to {to}: {channels} channels, {least} to {most} routes each, {mean:.1} if even{of_unused}")
}

/// Writes a bandwidth in b/s.
fn gigabits(bits: u64) -> String {
    const GIGA: u64 = 1_000_000_000;
    if bits.is_multiple_of(GIGA) { format!("{} Gb/s", bits / GIGA) } else { format!("{:.3} Gb/s", bits as f64 / 1e9) }
}

/// Says how much bandwidth the switches of a level have down and up.
fn level(level: &Level) -> String {
    let amount = |value: u64| if level.in_cables { format!("{value} cables") } else { gigabits(value) };
    let Level { level: number, switches, down, up, across, worst, .. } = level;
    let sideways = if *across == 0 { String::new() } else { format!(", {} to the same level", amount(*across)) };
    let ratio = if *up == 0 {
        "nothing up".to_owned()
    } else {
        format!("{} up, {:.2} : 1", amount(*up), *down as f64 / *up as f64)
    };
    let of_worst = match worst {
        Some((name, down, up)) => format!("; worst {name}: {} down, {} up", amount(*down), amount(*up)),
        None => String::new(),
    };
    let noun = if *switches == 1 { "switch" } else { "switches" };
    format!("level {number}: {switches} {noun}, {} down, {ratio}{sideways}{of_worst}", amount(*down))
}
