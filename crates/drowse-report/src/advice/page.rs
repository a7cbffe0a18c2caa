//! The advice as one page of HTML, which needs neither scripts nor a network.

use std::fmt::Write;

use drowse_tables::number::{grouped, significant};

use super::asked::Asked;
use super::cables::Cables;
use super::made::{Advice, Otherwise, Policy};
use super::text::{
    answer, cables_of, checked, doubt, first, kilowatts, longer, money, one_kilowatts, percent, windows, worth,
};
use crate::page::frame::head;
use crate::page::html::escaped;

/// Cables and switches that the page lists; all are in the table of cables.
const MOST_LISTED: usize = 40;
/// Warnings that the page shows.
const MOST_WARNINGS: usize = 12;

/// Makes the page.
pub fn page(advice: &Advice, asked: &Asked) -> String {
    let mut page = head("What may sleep");
    let mut line = |text: &str| page += text;
    line(&format!("<p class=\"answer\">{}</p>\n", escaped(&answer(advice, asked))));
    for about in [asked.machine.as_str(), asked.log.as_str(), &windows(asked)] {
        line(&format!("<p class=\"about\">{}</p>\n", escaped(about)));
    }
    line("</header>\n<div class=\"charts\">\n");
    line(&costs(advice, asked));
    line(&policies(advice, asked));
    line(&parts(advice));
    if let Some(cables) = &advice.cables {
        line(&classes(cables));
        line(&cable_list(cables));
        line(&switches(cables));
    }
    line(&by_packets_only(advice));
    line(&of_windows(advice, asked));
    line(&otherwise(advice));
    line(&assumptions(advice, asked));
    page + "</div>\n</main>\n</body>\n</html>\n"
}

/// Makes a section.
fn section(title: &str, hint: &str, body: &str) -> String {
    format!(
        "<section class=\"card wide\">\n<h2>{}</h2>\n<p class=\"hint\">{}</p>\n{body}</section>\n",
        escaped(title),
        escaped(hint)
    )
}

/// Makes a list of sentences.
fn list(items: impl IntoIterator<Item = String>) -> String {
    let item = |text: String| format!("<li>{}</li>\n", escaped(&text));
    format!("<ul>\n{}</ul>\n", items.into_iter().map(item).collect::<String>())
}

/// Makes a table.
fn table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let heads: Vec<String> = header.iter().map(|head| format!("<th scope=\"col\">{}</th>", escaped(head))).collect();
    let heads = heads.concat();
    let row = |cells: Vec<String>| {
        let cell = |(column, cell): (usize, String)| match column {
            0 => format!("<th scope=\"row\">{}</th>", escaped(&cell)),
            _ => format!("<td>{}</td>", escaped(&cell)),
        };
        format!("<tr>{}</tr>\n", cells.into_iter().enumerate().map(cell).collect::<String>())
    };
    let rows: String = rows.into_iter().map(row).collect();
    format!(
        "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n"
    )
}

/// What to try first, what it costs, and what packets say.
fn costs(advice: &Advice, asked: &Asked) -> String {
    let Some(policy) = advice.advised() else { return String::new() };
    let mut items = first(advice);
    items.push(longer(policy, asked));
    items.extend(checked(policy));
    items.extend(doubt(advice));
    if let Some((job, window)) = &policy.flows.slower.worst_job {
        let window = asked.windows.get(*window).map(|window| window.name.as_str()).unwrap_or_default();
        items.push(format!(
            "The job that loses most is {job}, in window {window}: {}.",
            percent(policy.flows.slower.worst)
        ));
    }
    section("What to try first", &format!("The policy: {}", policy.keys), &list(items))
}

/// Returns what is saved in a year less what nodes draw that run longer, by flows, in kWh.
fn after_longer_runs(policy: &Policy, asked: &Asked) -> f64 {
    let net = policy.flows.mean_of(|cell| cell.saved_w - cell.longer_nodes * asked.node_watts);
    worth(asked, net.mean).kwh
}

fn policies(advice: &Advice, asked: &Asked) -> String {
    let header = [
        "policy",
        "saves",
        "of the network",
        "kWh a year",
        "they cost a year",
        "kWh a year after longer runs",
        "t CO2 a year",
        "jobs longer, mean",
        "95 % of jobs",
        "the worst",
        "by packets: saved",
        "flows there",
        "by packets: 95 % of jobs",
    ];
    let best = advice.advised().map(|policy| policy.name.clone());
    let row = |policy: &Policy| {
        let (saved, slower) = (policy.flows.saved(), &policy.flows.slower);
        let worth = worth(asked, saved.mean);
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "–".into());
        let mark = if Some(&policy.name) == best.as_ref() { " ←" } else { "" };
        let packets = policy.packets.as_ref();
        vec![
            format!("{}{mark}", policy.name),
            kilowatts(&saved).replace(' ', "\u{a0}"),
            percent(policy.flows.saved_share()),
            grouped(&format!("{:.0}", worth.kwh)),
            or_none(worth.money.map(money)),
            grouped(&format!("{:.0}", after_longer_runs(policy, asked))),
            or_none(worth.tonnes.map(significant)),
            percent(slower.mean),
            percent(slower.p95),
            percent(slower.worst),
            or_none(packets.map(|figures| percent(figures.saved_share()))),
            or_none(packets.map(|_| percent(policy.flows_beside.saved_share()))),
            or_none(packets.map(|figures| percent(figures.slower.p95))),
        ]
    };
    let mut hint = format!(
        "By flows, in the mean over the windows that were drawn, with the 95 % interval of that mean; run times are of all jobs \
         of several nodes in all {} windows. The oracle knows how long each link will idle, and cannot be built.",
        asked.windows.len()
    );
    if let Some(spread) = advice.spread {
        // Writing into a text cannot fail.
        let _ = write!(
            hint,
            " In {} pairs of cases by flows and by packets, 95 % differ by at most {} points in what is saved of the network, \
             and {} points in how much longer 95 % of the jobs of a case run. What packets say of \
             run times counts; flows may miss the bound by as much as they are off.",
            spread.pairs,
            significant((spread.saved * 1e4).round() / 1e2),
            significant((spread.longer * 1e4).round() / 1e2),
        );
    }
    section("Policies", &hint, &table(&header, advice.policies.iter().map(row)))
}

/// What the parts of the network draw with all links on, under the policy that is advised, and under the oracle.
fn parts(advice: &Advice) -> String {
    let of = |policy: &Policy| {
        let part = |part: usize| one_kilowatts(policy.flows.mean_of(|cell| cell.parts_w[part]).mean);
        vec![policy.name.clone(), part(0), part(1), part(2)]
    };
    let always_on = advice.policies.iter().find(|policy| policy.is_always_on);
    let shown = always_on.into_iter().chain(advice.advised()).chain(advice.policies.iter().filter(|it| it.is_oracle));
    let hint = "Links with their ports may sleep. Switches (the chassis, and what is plugged into it) and NICs do not.";
    section("What can sleep at all", hint, &table(&["policy", "links", "switches", "NICs"], shown.map(of)))
}

fn watts(watts: f64) -> String {
    format!("{watts:.1} W")
}

fn classes(cables: &Cables) -> String {
    let header = ["cables", "count", "asleep, mean", "asleep half the time", "never used", "saved", "messages delayed"];
    let rows = cables.classes.iter().map(|class| {
        vec![
            cables_of(class),
            class.cables.to_string(),
            percent(class.asleep),
            class.asleep_half.to_string(),
            class.unused.to_string(),
            watts(class.saved_w),
            grouped(&format!("{:.0}", class.delayed)),
        ]
    });
    let hint = "Under the policy that is advised. Watts and time asleep are means over the drawn windows; messages are counted \
                in all windows. What a module does not let sleep is not saved: see the watts below.";
    section("Which cables may sleep", hint, &table(&header, rows))
}

fn cable_list(cables: &Cables) -> String {
    let header = ["cable", "class", "asleep, mean", "asleep, least window", "saved", "messages delayed"];
    let rows = cables.cables.iter().take(MOST_LISTED).map(|cable| {
        vec![
            cable.name.clone(),
            cable.class.clone(),
            percent(cable.asleep),
            percent(cable.asleep_least),
            watts(cable.saved_w),
            grouped(&format!("{:.0}", cable.delayed)),
        ]
    });
    let shown = cables.cables.len().min(MOST_LISTED);
    let hint = format!("The {shown} that save most, of {}; all are in cables.csv.", cables.cables.len());
    section("Cable by cable", &hint, &table(&header, rows))
}

fn switches(cables: &Cables) -> String {
    let header = ["switch", "ports with a link", "asleep, mean", "saved by its ports", "never used"];
    let rows = cables.switches.iter().take(MOST_LISTED).map(|switch| {
        let used = if switch.is_unused { "yes" } else { "no" };
        vec![switch.name.clone(), switch.ports.to_string(), percent(switch.asleep), watts(switch.saved_w), used.into()]
    });
    let hint = "A chassis does not sleep: nobody has published what one draws then, nor how long it takes to wake. A switch \
                that was never used could be turned off.";
    section("Switches", hint, &table(&header, rows))
}

fn of_windows(advice: &Advice, asked: &Asked) -> String {
    let header =
        ["window", "begins, day", "ms", "jobs", "nodes held", "network, always on", "saved", "job that loses most"];
    let cell = |number: usize| advice.advised()?.flows.cells.iter().find(|cell| cell.window == number);
    let rows = asked.windows.iter().enumerate().map(|(number, window)| {
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "–".into());
        let worst = cell(number).and_then(|cell| cell.jobs.iter().map(|(longer, _)| *longer).max_by(f64::total_cmp));
        vec![
            window.name.clone(),
            format!("{:.4}", window.day),
            significant(window.milliseconds),
            window.jobs.to_string(),
            window.nodes.to_string(),
            or_none(cell(number).map(|cell| one_kilowatts(cell.on_w))),
            or_none(cell(number).map(|cell| one_kilowatts(cell.saved_w))),
            or_none(worst.map(percent)),
        ]
    });
    let hint = "The windows of the job log that were simulated, under the policy that is advised.";
    section("Windows", hint, &table(&header, rows))
}

fn by_packets_only(advice: &Advice) -> String {
    if advice.by_packets_only.is_empty() {
        return String::new();
    }
    let hint = "Flows refuse these policies, so packets ran them in the busiest windows alone: compare with the column by \
                packets of the others.";
    section("Policies by packets only", hint, &compared("policy", &advice.by_packets_only))
}

/// Makes a table of what a policy does if something else is so.
fn compared(what: &str, all: &[Otherwise]) -> String {
    let header = [what, "saved", "of the network", "jobs longer, mean", "95 % of jobs", "the worst"];
    let rows = all.iter().map(|Otherwise { words, figures }| {
        let (slower, saved) = (&figures.slower, figures.saved());
        let longer = [slower.mean, slower.p95, slower.worst].map(percent);
        let shown = [words.clone(), one_kilowatts(saved.mean), percent(figures.saved_share())];
        shown.into_iter().chain(longer).collect()
    });
    table(&header, rows)
}

fn otherwise(advice: &Advice) -> String {
    if advice.otherwise.is_empty() {
        return String::new();
    }
    let hint = "A job log does not say what jobs send. The policy that is advised in the busiest windows, by flows, under \
                several assumptions:";
    section("What hangs on assumptions", hint, &compared("if", &advice.otherwise))
}

fn assumptions(advice: &Advice, asked: &Asked) -> String {
    let refused = asked.refused.iter().map(|(name, why)| format!("Not asked: {name}, since {why}."));
    let mut items: Vec<String> = asked.assumed.iter().cloned().chain(refused).collect();
    items.extend(advice.warnings.iter().take(MOST_WARNINGS).map(|warning| format!("Warning of a case: {warning}.")));
    let more = advice.warnings.len().saturating_sub(MOST_WARNINGS);
    items.extend((more > 0).then(|| format!("{more} more warnings are in cases.csv.")));
    items.push(format!("Experiment, tables and finished cases are in {}.", asked.folder));
    section("Assumptions, and what was left out", "", &list(items))
}
