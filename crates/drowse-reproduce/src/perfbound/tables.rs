//! The curves as tables, and the marks of the static front.

use std::path::{Path, PathBuf};

use drowse_tables::schema::{
    PERFBOUND_HYBRID, PERFBOUND_POLICIES, PERFBOUND_STALL, PERFBOUND_WAKE, Schema, perfbound as columns,
};
use drowse_tables::{Row, csv};

use super::front::{self, Point};
use super::measured::{Curves, Measured, Relative};
use super::setting::{ONE_PERCENT, Setting};
use drowse_run::files::{self, ExportError};

/// Makes the columns that tell a case from the others of its table; `None` where it belongs into another.
type Key = fn(&Setting) -> Option<Row>;

/// Writes the tables into a folder, and returns their paths.
pub fn write(folder: &Path, curves: &[Curves]) -> Result<Vec<PathBuf>, ExportError> {
    let tables: [(&'static Schema, Key); 4] = [
        (&PERFBOUND_WAKE, wake),
        (&PERFBOUND_STALL, alone),
        (&PERFBOUND_HYBRID, timers),
        (&PERFBOUND_POLICIES, policy),
    ];
    files::prepare(folder)?;
    let write = |(schema, key): (&'static Schema, Key)| {
        let rows: Vec<Row> = curves.iter().flat_map(|curves| rows(curves, schema, key)).collect();
        files::write_file(folder, schema.file, |file| Ok(csv::write_long(schema, rows.into_iter(), file)?))?;
        Ok(folder.join(schema.file))
    };
    tables.into_iter().map(write).collect()
}

/// Returns the best points of all stall timers, always on with them.
pub fn static_front(curves: &Curves) -> Vec<Point> {
    let mut points = curves.points(|_, _| true);
    points.push(front::ALWAYS_ON);
    front::front(&points)
}

fn rows(curves: &Curves, schema: &Schema, key: Key) -> Vec<Row> {
    let front = static_front(curves);
    let row = |(setting, measured): &(Setting, Measured)| {
        let keys = key(setting)?;
        let Relative { time, edge, all } = curves.relate(measured);
        let mut row = Row::new();
        row.push(columns::PROGRAM, curves.program.name);
        row.push(columns::RANKS, curves.program.ranks);
        row.append(keys);
        row.push(columns::MAKESPAN_S, measured.makespan);
        row.push(columns::TIME, time);
        row.push(columns::EDGE, edge);
        row.push(columns::ALL, all);
        row.push(columns::WAKES, measured.wakes);
        row.push(columns::DELAYED_MESSAGES, measured.delayed);
        if schema.columns.contains(&columns::FRONT) {
            row.push(columns::FRONT, front.contains(&(time, edge)));
        }
        Some(row)
    };
    curves.cases.iter().filter_map(row).collect()
}

fn wake(setting: &Setting) -> Option<Row> {
    let Setting::AtOnce { wake_ns } = *setting else { return None };
    let mut row = Row::new();
    row.push(columns::WAKE_NS, wake_ns);
    Some(row)
}

fn alone(setting: &Setting) -> Option<Row> {
    let (sleep, timer) = match *setting {
        Setting::Timers { shallow_us: Some(timer), deep_us: None } => ("shallow", timer),
        Setting::Timers { shallow_us: None, deep_us: Some(timer) } => ("deep", timer),
        _ => return None,
    };
    let mut row = Row::new();
    row.push(columns::SLEEP, sleep);
    row.push(columns::TIMER_US, timer);
    Some(row)
}

fn timers(setting: &Setting) -> Option<Row> {
    let Setting::Timers { shallow_us, deep_us } = *setting else { return None };
    let mut row = Row::new();
    row.push_some(columns::SHALLOW_US, shallow_us);
    row.push_some(columns::DEEP_US, deep_us);
    Some(row)
}

fn policy(setting: &Setting) -> Option<Row> {
    let bound = match *setting {
        Setting::AlwaysOn | Setting::Oracle => None,
        Setting::PerfBound { bound } | Setting::DynamicFastwake { bound } => Some(bound),
        Setting::Uncorrected => Some(ONE_PERCENT),
        _ => return None,
    };
    let mut row = Row::new();
    row.push(columns::POLICY, setting.policy());
    row.push_some(columns::BOUND, bound.map(|bound| f64::from(bound) / 1e3));
    row.push_some(columns::CORRECTION, bound.map(|_| *setting != Setting::Uncorrected));
    Some(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bounds are shares: 10 thousandths are 0.01. Only one setting is without its correction.
    #[test]
    fn policies_have_their_bounds() {
        for (setting, cells) in [
            (Setting::AlwaysOn, ["always-on", "", ""]),
            (Setting::Oracle, ["oracle", "", ""]),
            (Setting::PerfBound { bound: 40 }, ["perfbound", "0.04", "true"]),
            (Setting::DynamicFastwake { bound: 5 }, ["dynamic-fastwake", "0.005", "true"]),
            (Setting::Uncorrected, ["dynamic-fastwake", "0.01", "false"]),
        ] {
            let row = policy(&setting).unwrap();
            assert_eq!([columns::POLICY, columns::BOUND, columns::CORRECTION].map(|column| row.text(column)), cells);
        }
        assert_eq!(policy(&Setting::deep(10)), None);
    }
}
