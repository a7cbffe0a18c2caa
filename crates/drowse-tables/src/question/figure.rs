//! The figures that a question may name: short words, columns of `cases.csv`, keys of the sweep.

use crate::Kind;
use crate::schema::CASES;

/// What a word makes of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The value as it is.
    Value,
    /// What it is above 1.
    Above,
    /// What it is below 1.
    Below,
    /// What it is above 1 as a multiple of the least among the candidates.
    AboveLeast,
}

/// Words for figures, the column of each, and what it makes of it.
const WORDS: [(&str, &str, Form); 10] = [
    ("energy", "energy.network_j", Form::Value),
    ("slowdown", "relative.makespan", Form::Above),
    ("slowdown-of-fastest", "makespan_s", Form::AboveLeast),
    ("job-slowdown", "relative.jobs_makespan_max", Form::Above),
    ("saved", "relative.network_j", Form::Below),
    ("edp", "energy.edp", Form::Value),
    ("time", "makespan_s", Form::Value),
    ("latency", "latency.message.mean_ns", Form::Value),
    ("power", "power.network_w", Form::Value),
    ("cost", "cost.whole", Form::Value),
];

impl Form {
    /// Makes the figure of a column's value; `least` is the least of the candidates.
    pub fn of(self, value: f64, least: f64) -> f64 {
        match self {
            Form::Value => value,
            Form::Above => value - 1.0,
            Form::Below => 1.0 - value,
            Form::AboveLeast => value / least - 1.0,
        }
    }
}

/// Keys of a job that say what its ranks do; others say where, when and how.
const OF_PROGRAMS: [&str; 6] = ["app", "compute", "name", "ranks", "repeat", "trace"];

/// Returns whether a key of a sweep says what runs: cases that differ in it run different programs.
pub fn says_what_runs(path: &str) -> bool {
    let mut parts = path.split('.');
    match parts.next() {
        Some("traffic") => true,
        Some("scheduler") => parts.next() == Some("log"),
        Some("job") => parts.find(|part| part.parse::<usize>().is_err()).is_none_or(|key| OF_PROGRAMS.contains(&key)),
        _ => false,
    }
}

/// Returns the short words.
pub fn words() -> impl Iterator<Item = &'static str> + Clone {
    WORDS.iter().map(|(word, ..)| *word)
}

/// Returns the column that a word stands for, and what it makes of it.
pub fn of_word(name: &str) -> Option<(&'static str, Form)> {
    WORDS.iter().find(|(word, ..)| *word == name).map(|&(_, column, form)| (column, form))
}

/// Returns the column of a figure, and what its name makes of it: what is no word is a column itself.
pub fn column(name: &str) -> (&str, Form) {
    of_word(name).unwrap_or((name, Form::Value))
}

/// Says what a word compares with what, where `BASELINE` stands for what baselines are; none for figures that compare
/// nothing.
pub fn meaning(name: &str) -> Option<&'static str> {
    Some(match name {
        "slowdown" => "run time against BASELINE",
        "job-slowdown" => "run time of the job that is slowed down most, against BASELINE",
        "slowdown-of-fastest" => "run time against the fastest case that runs the same, the oracle left out",
        "saved" => "energy of the network against BASELINE",
        _ => return None,
    })
}

/// Returns whether a figure is known only where cases have a baseline.
pub fn needs_baseline(name: &str) -> bool {
    column(name).0.starts_with("relative.")
}

/// Returns whether `cases.csv` can have a number of this name.
pub fn is_known(name: &str) -> bool {
    CASES.column(column(name).0).is_some_and(|column| matches!(column.kind, Kind::Integer | Kind::Float))
}

#[cfg(test)]
mod tests {
    use super::says_what_runs;

    #[test]
    fn keys_that_say_what_runs() {
        for path in ["job", "job.0", "job.trace", "job.1.app.bytes", "traffic.load", "scheduler.log"] {
            assert!(says_what_runs(path), "{path}");
        }
        for path in ["job.0.placement", "job.start", "scheduler.kind", "network", "power.policy", "seed"] {
            assert!(!says_what_runs(path), "{path}");
        }
    }
}
