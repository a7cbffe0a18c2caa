//! Networks and policies: the pages.

use std::error::Error;
use std::fmt::Write;

use crate::networks_policies::{Choice, NETWORKS, OF_ALL, OF_NETWORK, Study};
use crate::networks_policies_choice::{ALWAYS_ON, BOUND, Case, Counted, ORACLE};
use crate::networks_policies_choice::{best, best_of_policy, used_where_allowed};
use crate::numbers::{median, percent, sorted};

type Failed = Box<dyn Error>;

/// Policies that are given a bound of 1 %.
const BOUNDED: [&str; 2] = ["perfbound", "dynamic-fastwake"];
/// Policies under which runs may take longer without a wake: links narrow, or calls take time.
const NO_PACKET_WAKES: [&str; 2] = ["width", "runtime"];
/// The share of what a run takes longer that counts as most of it.
const MOST: f64 = 0.8;

/// Writes the page of the answers, and that of the tables.
pub fn pages(study: &Study) -> Result<[String; 2], Failed> {
    let bounded = study.of(|case| BOUNDED.contains(&case.policy));
    let missed = bounded.iter().filter(|case| case.time >= BOUND).count();
    let answers = include_str!("networks_policies_text.md")
        .replace("<sentences>\n", &sentences(study)?)
        .replace(
            "<winners, network>\n",
            &winners(
                study,
                "With the energy of the network, the answers are, each with the number of applications:",
                OF_NETWORK,
            )?,
        )
        .replace("<winners, all>\n", &winners(study, "With the energy of network and nodes:", OF_ALL)?);
    let details = include_str!("networks_policies_details_text.md")
        .replace("<chosen, network>\n", &chosen(study, OF_NETWORK)?)
        .replace("<chosen, all>\n", &chosen(study, OF_ALL)?)
        .replace("<policies>\n", &policies(study))
        .replace("<networks>\n", &networks(study)?)
        .replace("<missed>", &format!("{missed} of {}", bounded.len()))
        .replace("<explained, woken>", &explained(study, true))
        .replace("<explained, others>", &explained(study, false))
        .replace("<wakes>\n", &wakes(study));
    Ok([answers, details])
}

/// Writes one sentence for each application.
fn sentences(study: &Study) -> Result<String, Failed> {
    let mut text = String::new();
    for application in study.applications() {
        let choice = study.choice(application, OF_NETWORK)?;
        let with_nodes = pair(study.choice(application, OF_ALL)?.chosen);
        let sentence = format!("- **{application}** {}; with nodes the least is {with_nodes}.", answer(&choice));
        text.push_str(&wrapped(&sentence, "  "));
    }
    Ok(text)
}

fn answer(Choice { chosen, always_on, oracle, .. }: &Choice<'_>) -> String {
    let [needs, base, bound] = [chosen, always_on, oracle].map(|case| OF_NETWORK(case).joules);
    let [least, there] = [needs, bound].map(joules);
    if chosen.policy == ALWAYS_ON {
        return format!(
            "needs the least on {}: {least}, since no policy that needs less keeps the bound, on any network; the oracle \
             there needs {there}",
            pair(chosen)
        );
    }
    format!(
        "needs the least on {}: {least}, {} less than the best network always on ({}), in a run that is {}; the oracle \
         there needs {there}, {} of the critical path waits for wakes",
        pair(chosen),
        percent(1.0 - needs / base),
        called(always_on.network),
        longer(chosen.time),
        percent(chosen.waking),
    )
}

fn chosen(study: &Study, energy: Counted) -> Result<String, Failed> {
    let mut table = "| application | network | policy | energy | best always on | own always on | oracle | longer \
                     | shortest run | waking |\n|---|---|---|---:|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for application in study.applications() {
        let Choice { chosen, always_on, shortest, oracle } = study.choice(application, energy)?;
        let needs = energy(chosen);
        let against = |other: f64| signed(needs.joules / other - 1.0);
        let _ = writeln!(
            table,
            "| {application} | {} | {} | {} | {} | {} | {} | {:.2} % | {} | {} |",
            chosen.network,
            chosen.policy,
            joules(needs.joules),
            against(energy(always_on).joules),
            signed(needs.relative - 1.0),
            against(energy(oracle).joules),
            100.0 * (chosen.time - 1.0),
            signed(chosen.seconds / shortest - 1.0),
            percent(chosen.waking),
        );
    }
    Ok(table)
}

/// Says how often a pair of network and policy is chosen.
fn winners(study: &Study, heading: &str, energy: Counted) -> Result<String, Failed> {
    let mut counts: Vec<(usize, String)> = Vec::new();
    for application in study.applications() {
        let pair = pair(study.choice(application, energy)?.chosen);
        match counts.iter_mut().find(|(_, known)| *known == pair) {
            Some((count, _)) => *count += 1,
            None => counts.push((1, pair)),
        }
    }
    counts.sort_by_key(|&(count, _)| std::cmp::Reverse(count));
    let told: Vec<String> = counts.iter().map(|(count, pair)| format!("{pair} ({count})")).collect();
    Ok(wrapped(&format!("{heading} {}.", told.join(", ")), ""))
}

fn policies(study: &Study) -> String {
    let mut table =
        "| policy | under 1 % | longer, median | longer, worst | saved, median | saved, worst | saved where \
                     used |\n|---|---:|---:|---:|---:|---:|---:|\n"
            .to_owned();
    for policy in study.policies().into_iter().filter(|&policy| policy != ALWAYS_ON) {
        let cases = study.of(|case| case.policy == policy);
        let times = sorted(cases.iter().map(|case| case.time));
        let energies = sorted(cases.iter().map(|case| OF_NETWORK(case).relative));
        let used: f64 = cases.iter().map(|case| used_where_allowed(case, OF_NETWORK).relative).sum();
        let _ = writeln!(
            table,
            "| {policy} | {} | {} | {} | {} | {} | {} |",
            kept(&cases),
            percent(median(&times) - 1.0),
            percent(times.last().map_or(0.0, |most| most - 1.0)),
            percent(1.0 - median(&energies)),
            percent(energies.last().map_or(0.0, |most| 1.0 - most)),
            percent(1.0 - used / cases.len() as f64),
        );
    }
    table
}

fn networks(study: &Study) -> Result<String, Failed> {
    let mut table = "| network | power | longer | always on | oracle | best policy | under 1 % | least | with nodes \
                     |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for (network, _) in NETWORKS {
        let could_be = study.of(|case| case.network == network && ![ALWAYS_ON, ORACLE].contains(&case.policy));
        let base = study.of(|case| case.network == network && case.policy == ALWAYS_ON);
        let longer = study.longer_than_shortest(network)?;
        let first = base.first().ok_or("a network has no baseline")?;
        let _ = writeln!(
            table,
            "| {network} | {:.2} kW | {}, {} | {} | {} | {} | {} | {} | {} |",
            OF_NETWORK(first).joules / first.seconds / 1e3,
            percent(median(&longer)),
            percent(longer.last().copied().unwrap_or(0.0)),
            percent(study.against_best(network, |cases| best_of_policy(cases, ALWAYS_ON, OF_NETWORK))?),
            percent(study.against_best(network, |cases| best_of_policy(cases, ORACLE, OF_NETWORK))?),
            percent(study.against_best(network, |cases| best(cases, OF_NETWORK))?),
            kept(&could_be),
            study.times_chosen(network, OF_NETWORK)?,
            study.times_chosen(network, OF_ALL)?,
        );
    }
    Ok(table)
}

/// Writes the share of critical paths that waits for waking links, in the median of the applications.
fn wakes(study: &Study) -> String {
    let mut table = "| policy |".to_owned();
    NETWORKS.iter().for_each(|(network, _)| {
        let _ = write!(table, " {network} |");
    });
    let _ = writeln!(table, "\n|---|{}", "---:|".repeat(NETWORKS.len()));
    for policy in study.policies().into_iter().filter(|policy| ![ALWAYS_ON, ORACLE].contains(policy)) {
        let _ = write!(table, "| {policy} |");
        for (network, _) in NETWORKS {
            let cases = study.of(|case| case.network == network && case.policy == policy);
            let shares = sorted(cases.iter().map(|case| case.waking));
            let most = shares.last().copied().unwrap_or(0.0);
            let _ = write!(table, " {}, {} |", percent(median(&shares)), percent(most));
        }
        table.push('\n');
    }
    table
}

/// Says in how many of the cases above the bound wakes on the critical path make up most of what the run takes longer, of
/// policies by which packets wake links or of the others.
fn explained(study: &Study, packets_wake: bool) -> String {
    let slower = study.of(|case| case.time >= BOUND && NO_PACKET_WAKES.contains(&case.policy) != packets_wake);
    let is_explained = |case: &&&Case| case.waking * case.time >= MOST * (case.time - 1.0);
    format!("{} of {}", slower.iter().filter(is_explained).count(), slower.len())
}

/// Says in how many cases the bound is kept.
fn kept(cases: &[&Case]) -> String {
    format!("{} of {}", cases.iter().filter(|case| case.time < BOUND).count(), cases.len())
}

/// Names network and policy.
fn pair(case: &Case) -> String {
    let article = if case.policy.starts_with("timer of") { "a " } else { "" };
    let policy = if case.policy == ALWAYS_ON { "links always on" } else { case.policy };
    format!("{} with {article}{policy}", called(case.network))
}

fn called(network: &str) -> &str {
    NETWORKS.iter().find(|(name, _)| *name == network).map_or(network, |(_, called)| called)
}

fn longer(time: f64) -> String {
    let word = if time < 1.0 { "shorter" } else { "longer" };
    format!("{:.2} % {word}", 100.0 * (time - 1.0).abs())
}

fn signed(share: f64) -> String {
    let text = percent(share);
    if text.starts_with('-') || text == "0.0 %" { text } else { format!("+{text}") }
}

/// Writes three digits.
fn joules(joules: f64) -> String {
    match joules {
        few if few < 10.0 => format!("{few:.2} J"),
        some if some < 100.0 => format!("{some:.1} J"),
        many if many < 1000.0 => format!("{many:.0} J"),
        many => format!("{:.2} kJ", many / 1e3),
    }
}

/// Breaks a paragraph into lines of 120 columns, all but the first of which begin with a text.
fn wrapped(paragraph: &str, begin: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in paragraph.split(' ') {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= 120 => line.extend([" ", word]),
            Some(_) => lines.push(format!("{begin}{word}")),
            None => lines.push(word.to_owned()),
        }
    }
    lines.join("\n") + "\n"
}
