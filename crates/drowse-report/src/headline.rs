//! The answer as figures that one sees first: what is saved, what it costs in run time, and what the oracle would save.

use drowse_tables::number::significant;

use crate::answer::most_saved;
use crate::measures::Measure;
use crate::number::percent;
use crate::study::{Comparison, Study};

/// A figure of the headline.
#[derive(Debug, PartialEq)]
pub struct Headline {
    /// Its value with its unit.
    pub value: String,
    /// What it is.
    pub words: String,
    /// What it is beside, or of which case.
    pub note: String,
}

fn headline(value: impl Into<String>, words: impl Into<String>, note: impl Into<String>) -> Headline {
    Headline { value: value.into(), words: words.into(), note: note.into() }
}

/// Returns the figures of a folder; none where its tables have neither run times nor loads.
pub fn headlines(study: &Study) -> Vec<Headline> {
    let run_time = study.figure("run time").filter(|_| study.figure("offered load").is_none());
    let Some(run_time) = run_time else { return of_loads(study) };
    let beside = study.energies.first().filter(|_| study.comparison() == Comparison::Ratios && study.cases.len() > 1);
    let beside = beside.and_then(|energy| Some((energy, most_saved(study, run_time, energy)?)));
    match beside {
        Some((energy, (case, ratio, slower))) => {
            let first = saved(study, energy, (case, ratio));
            vec![first, slowdown(study, run_time, (case, slower)), of_oracle(study, energy, (case, ratio))]
        }
        None => of_runs(study, run_time),
    }
}

/// What the case saves that saves most.
fn saved(study: &Study, energy: &Measure, (case, ratio): (usize, f64)) -> Headline {
    let Some(needed) = energy.values[case] else { return headline("–", "saved", "") };
    let saved = needed / ratio - needed;
    let words = if saved < 0.0 { "more energy" } else { "saved" };
    let note = format!("{} of the {}: {}", percent((1.0 - ratio).abs()), energy.spoken(), study.cases[case].label);
    headline(format!("{} {}", significant(saved.abs()), energy.unit), words, note)
}

/// What it costs in run time.
fn slowdown(study: &Study, run_time: &Measure, (case, slower): (usize, f64)) -> Headline {
    let unit = run_time.unit;
    let took = run_time.values[case].unwrap_or_default();
    let note = format!("{} {unit} instead of {} {unit}", significant(took), significant(took / slower));
    let base = study.baseline.as_deref().map_or(String::new(), |base| format!(", {base}"));
    let words = if slower < 1.0 { "shorter run" } else { "longer run" };
    headline(percent((slower - 1.0).abs()), words, format!("{note}{base}"))
}

/// How much that is of what the oracle saves; without one, what the nodes make of it.
fn of_oracle(study: &Study, energy: &Measure, (case, ratio): (usize, f64)) -> Headline {
    let oracles = study.oracles_of(case).filter_map(|oracle| study.ratio(energy, oracle));
    if let Some(oracle) = oracles.min_by(f64::total_cmp).filter(|oracle| *oracle < 1.0) {
        let share = percent((1.0 - ratio).max(0.0) / (1.0 - oracle));
        let note = format!("which saves {}: it knows how long each link will idle", percent(1.0 - oracle));
        return headline(share, "of what the oracle saves", note);
    }
    let whole = study.energies.iter().find(|measure| measure.words == "energy of network and nodes");
    match whole.and_then(|whole| study.ratio(whole, case)) {
        Some(ratio) => {
            let words = if ratio > 1.0 { "more energy with the nodes" } else { "less energy with the nodes" };
            headline(percent((ratio - 1.0).abs()), words, "nodes draw power for the whole run")
        }
        None => headline("–", "no oracle to compare with", "add power.policy.kind = \"oracle\" to the sweep"),
    }
}

/// The least of each figure, where there is nothing to compare with.
fn of_runs(study: &Study, run_time: &Measure) -> Vec<Headline> {
    let energy = study.energies.first();
    let asleep = study.figure("share of link time asleep");
    let many = study.cases.len() > 1;
    let least = |measure: &Measure, words: &str| {
        let cases = (0..study.cases.len()).filter(|&case| !study.is_oracle(case));
        let (case, value) = cases
            .filter_map(|case| Some((case, measure.values[case]?)))
            .min_by(|(_, one), (_, other)| one.total_cmp(other))?;
        let words = if many { format!("{words}, the least of all cases") } else { words.to_owned() };
        let note = if many { study.cases[case].label.clone() } else { String::new() };
        Some(headline(format!("{} {}", significant(value), measure.unit), words, note))
    };
    let runs = least(run_time, "run time");
    let energy = energy.and_then(|energy| least(energy, energy.spoken()));
    let asleep = asleep.filter(|_| !many).and_then(|asleep| least(asleep, "of link time asleep"));
    [runs, energy, asleep].into_iter().flatten().collect()
}

/// The largest accepted load, and the latency at the lowest.
fn of_loads(study: &Study) -> Vec<Headline> {
    let load = |words: &str| {
        let measure = study.figure(words)?;
        let all = || (0..study.cases.len()).filter_map(|case| Some((case, measure.values[case]?)));
        let largest = all().max_by(|(_, one), (_, other)| one.total_cmp(other))?;
        let least = all().min_by(|(_, one), (_, other)| one.total_cmp(other))?;
        Some((measure, largest, least))
    };
    let accepted = load("accepted load").map(|(_, (case, value), _)| {
        let note = if study.cases.len() > 1 { study.cases[case].label.clone() } else { String::new() };
        headline(format!("{} %", significant(value)), "accepted at most, of what nodes can send", note)
    });
    let latency = load("packet latency, mean").map(|(measure, _, (case, value))| {
        let note = if study.cases.len() > 1 { study.cases[case].label.clone() } else { String::new() };
        headline(format!("{} {}", significant(value), measure.unit), "packet latency, the least of all means", note)
    });
    let asleep = load("share of link time asleep").map(|(_, (case, value), _)| {
        let note = if study.cases.len() > 1 { study.cases[case].label.clone() } else { String::new() };
        headline(format!("{} %", significant(value)), "of link time asleep, at most", note)
    });
    [accepted, latency, asleep].into_iter().flatten().collect()
}
