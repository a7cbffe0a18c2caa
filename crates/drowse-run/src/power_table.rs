//! The table `power.csv`: what links, switches, NICs and nodes draw in each interval of a run.

use drowse_tables::Row;
use drowse_tables::schema::power;

use crate::joules::Joules;
use crate::outcome::Outcome;
use crate::over_time::intervals;

/// Returns the rows of `power.csv` of a case.
pub(crate) fn rows(outcome: &Outcome) -> impl Iterator<Item = Row> {
    let system = &outcome.case.system;
    let has_network = system.network.channels() > 0;
    intervals(system, &outcome.record).filter(move |_| has_network).flat_map(move |interval| {
        let Joules { classes, switches, nics, nodes } = &interval.joules;
        let names = system.network.classes.iter();
        let links = names.zip(classes).filter_map(|(class, joules)| Some(("links", Some(class.as_str()), (*joules)?)));
        let others = [("switches", None, *switches), ("nics", None, *nics)];
        let nodes = nodes.map(|nodes| ("nodes", None, nodes));
        let parts: Vec<_> = links.chain(others).chain(nodes).collect();
        let row = |(part, class, joules): (&str, Option<&str>, f64)| {
            let mut row = Row::new();
            row.push(power::CASE_ID, outcome.case_id());
            row.push(power::TIME_PS, interval.from.0);
            row.push(power::INTERVAL_PS, interval.length.0);
            row.push(power::PART, part);
            row.push_some(power::CLASS, class);
            row.push(power::WATTS, interval.watts(joules));
            row
        };
        parts.into_iter().map(row).collect::<Vec<Row>>()
    })
}
