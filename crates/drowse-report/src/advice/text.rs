//! The advice as a short text.

use std::fmt::Write;

use drowse_tables::interval::Sample;
use drowse_tables::number::{grouped, significant};

use super::asked::Asked;
use super::cables::Class;
use super::figures::Figures;
use super::made::{Advice, Otherwise, Policy};

/// Hours of a year.
const YEAR: f64 = 8_760.0;

/// What a saving is worth in a year.
pub(super) struct Worth {
    pub kwh: f64,
    pub money: Option<f64>,
    pub tonnes: Option<f64>,
}

/// Returns what it is worth to save so many watts for a year.
pub(super) fn worth(asked: &Asked, watts: f64) -> Worth {
    let kwh = watts / 1e3 * YEAR * asked.pue;
    let tonnes = asked.carbon.map(|grams| kwh * grams / 1e6);
    Worth { kwh, money: asked.price.map(|price| kwh * price), tonnes }
}

/// Shows watts in kilowatts, with half the width of their interval where several windows were drawn.
pub(super) fn kilowatts(sample: &Sample) -> String {
    let kw = |watts: f64| grouped(&format!("{:.3}", watts / 1e3));
    match sample.half_width() {
        Some(half) => format!("{} ± {} kW", kw(sample.mean), kw(half)),
        None => format!("{} kW", kw(sample.mean)),
    }
}

/// Shows a number of watts in kilowatts.
pub(super) fn one_kilowatts(watts: f64) -> String {
    kilowatts(&std::iter::once(watts).collect())
}

/// Shows a share in per cent with two decimals.
pub(super) fn percent(share: f64) -> String {
    let shown = format!("{:.2} %", share * 100.0);
    if shown == "-0.00 %" { "0.00 %".into() } else { shown }
}

/// Shows a sum as whole money.
pub(super) fn money(sum: f64) -> String {
    grouped(&format!("{sum:.0}"))
}

/// Says in a sentence what is advised.
pub(super) fn answer(advice: &Advice, asked: &Asked) -> String {
    let Some(policy) = advice.advised() else {
        return format!(
            "No policy saves anything while 95 % of jobs run at most {} longer: leave the links on.",
            percent(asked.bound)
        );
    };
    let saved = policy.flows.saved();
    let worth = worth(asked, saved.mean);
    let mut said = format!(
        "{} saves {} of {} of network ({}), {} kWh a year",
        policy.name,
        kilowatts(&saved),
        one_kilowatts(policy.flows.mean_of(|cell| cell.on_w).mean),
        percent(policy.flows.saved_share()),
        grouped(&format!("{:.0}", worth.kwh)),
    );
    // Writing into a text cannot fail.
    let _ = worth.money.map(|sum| write!(said, ", which cost {}", money(sum)));
    let _ = worth.tonnes.map(|tonnes| write!(said, ", {} t of CO2", significant(tonnes)));
    let (slower, whose) = match &policy.packets {
        Some(packets) => (&packets.slower, " by packets in the busiest windows"),
        None => (&policy.flows.slower, ""),
    };
    let _ = write!(
        said,
        "; 95 % of jobs run at most {} longer{whose}, the worst {}.",
        percent(slower.p95.max(0.0)),
        percent(slower.worst.max(0.0))
    );
    said
}

/// Says what the longer runs cost, beside what is saved.
pub(super) fn longer(policy: &Policy, asked: &Asked) -> String {
    let (figures, whose) = match &policy.packets {
        Some(packets) => (packets, " of the busiest windows, by packets"),
        None => (&policy.flows, " of all windows, by flows"),
    };
    let nodes = figures.mean_of(|cell| cell.longer_nodes).mean;
    if nodes <= 0.0 {
        return format!("Runs are no longer in the mean{whose}.");
    }
    let watts = nodes * asked.node_watts;
    let worth = worth(asked, watts);
    let money = worth.money.map(|sum| format!(", which cost {},", money(sum))).unwrap_or_default();
    format!(
        "Longer runs keep {} nodes busy in the mean{whose}. At {} W a node these are {} kWh a year{money} to be taken from it.",
        grouped(&format!("{nodes:.3}")),
        significant(asked.node_watts),
        grouped(&format!("{:.0}", worth.kwh)),
    )
}

/// Says what packets found.
pub(super) fn checked(policy: &Policy) -> Option<String> {
    let packets = policy.packets.as_ref()?;
    let of = |figures: &Figures| {
        format!("{} saved, 95 % of jobs {} longer", percent(figures.saved_share()), percent(figures.slower.p95))
    };
    Some(format!("By packets in the busiest windows: {}; by flows there: {}.", of(packets), of(&policy.flows_beside)))
}

/// The most points by which flows may be off so that nothing is said of it.
const CLOSE: f64 = 0.02;

/// Warns where flows and packets differ by much.
pub(super) fn doubt(advice: &Advice) -> Option<String> {
    let spread = advice.spread?;
    let points = |share: f64| significant((share * 1e4).round() / 1e2);
    (spread.saved > CLOSE || spread.longer > CLOSE).then(|| {
        format!(
            "warning: flows and packets differ by up to {} points in what is saved of the network and by {} points in how \
             much longer jobs run: the means over the windows that were drawn, which are by flows, are rough here",
            points(spread.saved),
            points(spread.longer),
        )
    })
}

/// Says between what the cables of a class are.
pub(super) fn cables_of(class: &Class) -> String {
    let ends = if class.of_node { "of nodes" } else { "between switches" };
    format!("{ends} (class {})", class.name)
}

/// Says what to try first.
pub(super) fn first(advice: &Advice) -> Vec<String> {
    let Some(policy) = advice.advised() else { return Vec::new() };
    let mut steps = Vec::new();
    if let Some(class) = advice.cables.as_ref().and_then(|cables| cables.classes.first()) {
        let all: f64 = advice.cables.iter().flat_map(|cables| &cables.classes).map(|class| class.saved_w).sum();
        steps.push(format!(
            "Start with the cables {}: {} of {} watts of links that are saved.",
            cables_of(class),
            significant(class.saved_w.round()),
            significant(all.round()),
        ));
    }
    steps.push(format!("Set {} on the ports of one switch, and compare run times for a week.", policy.keys));
    if let Some(unused) =
        advice.cables.as_ref().map(|cables| cables.classes.iter().map(|class| class.unused).sum::<usize>())
        && unused > 0
    {
        steps.push(format!("{unused} cables carried nothing in any window: look whether they are needed at all."));
    }
    steps
}

/// Lays out the advice for a terminal.
pub fn text(advice: &Advice, asked: &Asked) -> String {
    let mut lines =
        vec![asked.machine.clone(), asked.log.clone(), windows(asked), String::new(), answer(advice, asked)];
    if let Some(policy) = advice.advised() {
        lines.push(longer(policy, asked));
        lines.extend(checked(policy));
        lines.extend(doubt(advice));
    }
    lines.push(String::new());
    lines.extend(table(advice, asked));
    lines.push(String::new());
    lines.extend(first(advice));
    for (name, why) in &asked.refused {
        lines.push(format!("not asked: {name}, since {why}"));
    }
    let told = |before: &str, Otherwise { words, figures }: &Otherwise| {
        let [saved, longer] = [figures.saved_share(), figures.slower.p95.max(0.0)].map(percent);
        format!("{before}{words}: {saved} saved, 95 % of jobs at most {longer} longer")
    };
    lines.extend(advice.by_packets_only.iter().map(|other| told("by packets only, ", other)));
    lines.extend(advice.otherwise.iter().map(|other| told("in the busiest windows, if ", other)));
    lines.join("\n") + "\n"
}

/// Says which windows were simulated.
pub(super) fn windows(asked: &Asked) -> String {
    let busiest = asked.windows.iter().filter(|window| window.is_busiest).count();
    let length = asked.windows.first().map_or(0.0, |window| window.milliseconds);
    format!(
        "{} windows of {} ms by flows: {busiest} the busiest, {} drawn",
        asked.windows.len(),
        significant(length),
        asked.windows.len() - busiest
    )
}

/// Lays out the policies, a row each.
fn table(advice: &Advice, asked: &Asked) -> Vec<String> {
    let header = ["policy", "saves", "kWh a year", "95 % of jobs", "worst job", "by packets"].map(str::to_owned);
    let row = |policy: &Policy| {
        let saved = policy.flows.saved();
        let worth = worth(asked, saved.mean);
        let year = grouped(&format!("{:.0}", worth.kwh));
        let slower = &policy.flows.slower;
        let checked = policy.packets.as_ref().map_or_else(|| "-".to_owned(), |it| percent(it.slower.p95));
        [policy.name.clone(), kilowatts(&saved), year, percent(slower.p95), percent(slower.worst), checked]
    };
    let rows: Vec<[String; 6]> = std::iter::once(header).chain(advice.policies.iter().map(row)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..6).map(width).collect();
    let line = |row: &[String; 6]| {
        let cell = |(column, (cell, &width)): (usize, (&String, &usize))| {
            if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        };
        row.iter().zip(&widths).enumerate().map(cell).collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}
