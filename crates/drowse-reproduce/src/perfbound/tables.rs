//! The curves as tables, and the marks of the static front.

use std::path::{Path, PathBuf};

use drowse_tables::schema::{PERFBOUND_HYBRID, PERFBOUND_POLICIES, PERFBOUND_STALL, PERFBOUND_WAKE, Schema};
use drowse_tables::{Row, csv};

use super::front::{self, Point};
use super::measured::{Curves, Measured, Relative};
use super::setting::{ONE_PERCENT, Setting};
use drowse_run::export::{self, ExportError};

/// Makes the columns that tell a case from the others of its table; `None` where it belongs into another.
type Key = fn(&Setting) -> Option<Row>;

/// Writes the tables into a folder; gives their paths.
pub fn write(folder: &Path, curves: &[Curves]) -> Result<Vec<PathBuf>, ExportError> {
    let tables: [(&'static Schema, Key); 4] = [
        (&PERFBOUND_WAKE, wake),
        (&PERFBOUND_STALL, alone),
        (&PERFBOUND_HYBRID, timers),
        (&PERFBOUND_POLICIES, policy),
    ];
    export::prepare(folder)?;
    let write = |(schema, key): (&'static Schema, Key)| {
        let rows: Vec<Row> = curves.iter().flat_map(|curves| rows(curves, schema, key)).collect();
        export::write_file(folder, schema.file, |file| Ok(csv::write_long(schema, rows.into_iter(), file)?))?;
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
        row.push("program", curves.program.name);
        row.push("ranks", curves.program.ranks);
        row.append(keys);
        row.push("makespan_s", measured.makespan);
        row.push("relative.makespan", time);
        row.push("relative.links.node", edge);
        row.push("relative.links.all", all);
        row.push("links.wakes", measured.wakes);
        row.push("links.delayed_messages", measured.delayed);
        if schema.column("front").is_some() {
            row.push("front", front.contains(&(time, edge)));
        }
        Some(row)
    };
    curves.cases.iter().filter_map(row).collect()
}

fn wake(setting: &Setting) -> Option<Row> {
    let Setting::AtOnce { wake_ns } = *setting else { return None };
    let mut row = Row::new();
    row.push("wake_ns", wake_ns);
    Some(row)
}

fn alone(setting: &Setting) -> Option<Row> {
    let (sleep, timer) = match *setting {
        Setting::Timers { shallow_us: Some(timer), deep_us: None } => ("shallow", timer),
        Setting::Timers { shallow_us: None, deep_us: Some(timer) } => ("deep", timer),
        _ => return None,
    };
    let mut row = Row::new();
    row.push("sleep", sleep);
    row.push("timer_us", timer);
    Some(row)
}

fn timers(setting: &Setting) -> Option<Row> {
    let Setting::Timers { shallow_us, deep_us } = *setting else { return None };
    let mut row = Row::new();
    row.push_some("shallow_us", shallow_us);
    row.push_some("deep_us", deep_us);
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
    row.push("policy", setting.policy());
    row.push_some("bound", bound.map(|bound| f64::from(bound) / 1e3));
    row.push_some("correction", bound.map(|_| *setting != Setting::Uncorrected));
    Some(row)
}
