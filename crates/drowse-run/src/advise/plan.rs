//! The experiment that asks for every policy in every window.

use std::path::Path;

use toml::{Table, Value};

use super::windows::Window;

/// Microseconds of a day.
const DAY: f64 = 86_400e6;

/// A policy that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// What it is called.
    pub name: String,
    /// Its keys, as in `power.policy`.
    pub keys: Table,
}

impl Policy {
    fn of(name: &str, keys: &[(&str, Value)]) -> Self {
        let keys = keys.iter().map(|(key, value)| ((*key).to_owned(), value.clone()));
        Policy { name: name.to_owned(), keys: keys.collect() }
    }

    /// Returns it as a value of the sweep.
    fn value(&self) -> Value {
        let mut keys = self.keys.clone();
        keys.insert("name".into(), self.name.as_str().into());
        keys.into()
    }
}

/// The name of the policy that lets no link sleep.
pub const ALWAYS_ON: &str = "always on";
/// The name of the policy that knows how long each link will idle.
pub const ORACLE: &str = "oracle";

/// Returns the policies that are asked for; some need parallel links.
pub fn policies(has_trunks: bool) -> Vec<Policy> {
    let timer =
        |deep: &str| Policy::of(&format!("timer {deep}"), &[("kind", "stall-timer".into()), ("deep", deep.into())]);
    let bound = |kind: &str, name: &str| Policy::of(name, &[("kind", kind.into()), ("bound", 0.01.into())]);
    let mut policies = vec![Policy::of(ALWAYS_ON, &[("kind", "always-on".into())])];
    policies.extend(["10 us", "50 us", "200 us", "1 ms", "5 ms"].map(timer));
    policies.push(bound("perfbound", "PerfBound 1 %"));
    policies.push(bound("dynamic-fastwake", "DynamicFastwake 1 %"));
    policies.push(Policy::of("predictive", &[("kind", "predictive".into())]));
    if has_trunks {
        policies.push(Policy::of("trunk", &[("kind", "trunk".into()), ("window", "100 us".into())]));
        policies.push(Policy::of("standby", &[("kind", "standby".into()), ("every", "1 ms".into())]));
    }
    policies.push(Policy::of(ORACLE, &[("kind", "oracle".into())]));
    policies
}

/// What the experiment is made of.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// The machine: all sections of an experiment but those that say what runs.
    pub machine: &'a Table,
    /// The job log.
    pub log: &'a Path,
    /// Keys of `scheduler.log` beside the file and the days.
    pub log_keys: &'a Table,
    /// The `[[job]]` tables.
    pub jobs: &'a [Value],
    /// The windows.
    pub windows: &'a [Window],
    /// The policies.
    pub policies: &'a [Policy],
}

impl Plan<'_> {
    /// Writes the experiment, by flows.
    pub fn text(&self) -> String {
        let mut root = self.machine.clone();
        let mut simulation = Table::new();
        simulation.insert("unit".into(), "flow".into());
        root.insert("simulation".into(), simulation.into());
        if !self.jobs.is_empty() {
            root.insert("job".into(), self.jobs.to_vec().into());
        }
        let mut scheduler = Table::new();
        scheduler.insert("kind".into(), "replay".into());
        root.insert("scheduler".into(), scheduler.into());
        let mut sweep = Table::new();
        let logs: Vec<Value> = (0..).zip(self.windows).map(|(number, window)| self.log(number, window)).collect();
        sweep.insert("baseline".into(), "always-on".into());
        sweep.insert("scheduler.log".into(), logs.into());
        sweep.insert("power.policy".into(), self.policies.iter().map(Policy::value).collect::<Vec<Value>>().into());
        root.insert("sweep".into(), sweep.into());
        // Values of TOML can be written as TOML.
        toml::to_string(&root).unwrap_or_default()
    }

    /// Returns a window as a value of `scheduler.log`.
    fn log(&self, number: usize, window: &Window) -> Value {
        let mut log = self.log_keys.clone();
        log.insert("name".into(), window_name(number, window).into());
        log.insert("file".into(), self.log.display().to_string().into());
        let days = [window.from, window.from + window.length].map(|time| Value::from(time as f64 / DAY));
        log.insert("days".into(), days.to_vec().into());
        log.insert("cut".into(), true.into());
        log.into()
    }
}

/// Returns the name of a window by its number.
pub fn window_name(number: usize, window: &Window) -> String {
    let kind = if window.is_busiest { "busy" } else { "drawn" };
    format!("{kind} {}, day {:.3}", number + 1, window.from as f64 / DAY)
}
