//! The table `power.csv`: what links, switches, NICs and nodes draw in each interval of a run, and what links do.

use drowse_tables::Row;
use drowse_tables::schema::{Column, power};

use crate::joules::Joules;
use crate::outcome::Outcome;
use crate::over_time::{Interval, intervals};

/// Returns the rows of `power.csv` of a case.
pub(crate) fn rows(outcome: &Outcome) -> impl Iterator<Item = Row> {
    let system = &outcome.case.system;
    let has_network = system.network.channels() > 0;
    intervals(system, &outcome.record).filter(move |_| has_network).flat_map(move |interval| {
        let Joules { classes, switches, nics, nodes } = &interval.joules;
        let names = system.network.classes.iter();
        let links = names.zip(classes).zip(&interval.links).filter_map(|((class, joules), time)| {
            Some(Part { name: "links", class: Some(class.as_str()), joules: (*joules)?, shares: time.shares() })
        });
        let other = |name, joules| Part { name, class: None, joules, shares: None };
        let others = [other("switches", *switches), other("nics", *nics)];
        let parts: Vec<Part<'_>> = links.chain(others).chain(nodes.map(|nodes| other("nodes", nodes))).collect();
        parts.into_iter().map(|part| row(outcome, &interval, &part)).collect::<Vec<Row>>()
    })
}

/// A part of a machine in an interval.
struct Part<'s> {
    name: &'static str,
    class: Option<&'s str>,
    joules: f64,
    /// Of links: the shares of their time, in the order of [`SHARES`].
    shares: Option<[f64; 5]>,
}

const SHARES: [Column; 5] = [
    power::SENDING_FRACTION,
    power::IDLE_FRACTION,
    power::ENTERING_FRACTION,
    power::ASLEEP_FRACTION,
    power::WAKING_FRACTION,
];

fn row(outcome: &Outcome, interval: &Interval, part: &Part<'_>) -> Row {
    let mut row = Row::new();
    row.push(power::CASE_ID, outcome.case_id());
    row.push(power::TIME_PS, interval.from.0);
    row.push(power::INTERVAL_PS, interval.length.0);
    row.push(power::PART, part.name);
    row.push_some(power::CLASS, part.class);
    row.push(power::WATTS, interval.watts(part.joules));
    let shares = part.shares.into_iter().flatten();
    SHARES.into_iter().zip(shares).for_each(|(column, share)| row.push(column, share));
    row
}
