//! The answer in a sentence or two: which case needs least energy, at what run time; or what load is accepted.

use std::fmt::Write;

use drowse_tables::number::significant;
use drowse_tables::question::figure::says_what_runs;

use crate::measures::Measure;
use crate::number::{longer, saving};
use crate::study::{Comparison, Study};

/// The longest run that counts as hardly longer, as a ratio.
const BOUND: f64 = 1.01;
/// The least share that counts as saved.
const NOTHING: f64 = 5e-5;
/// Programs for which the answers are told one by one.
const MOST_PROGRAMS: usize = 4;

/// Returns the answer; empty where the tables have none.
pub fn sentences(study: &Study) -> String {
    // No line ends before a per cent sign.
    written(study).replace(" %", "\u{a0}%")
}

fn written(study: &Study) -> String {
    let run_time = study.figure("run time").filter(|_| study.figure("offered load").is_none());
    match (run_time, study.energies.first()) {
        (Some(run_time), Some(energy)) if study.cases.len() > 1 => several(study, run_time, energy),
        (Some(run_time), _) => alone(study, run_time),
        (None, _) => loads(study),
    }
}

/// Compares several cases by what they can be compared by.
fn several(study: &Study, run_time: &Measure, energy: &Measure) -> String {
    let of_program = |program: usize| (0..study.cases.len()).filter(move |&case| study.cases[case].program == program);
    match study.comparison() {
        Comparison::Ratios => saved(study, run_time, energy),
        Comparison::Figures => compared(study, run_time, energy, &of_program(0).collect::<Vec<_>>()),
        Comparison::WithinPrograms => {
            let programs = study.cases.iter().map(|case| case.program).max().map_or(0, |most| most + 1);
            if programs > MOST_PROGRAMS {
                return format!("{programs} different programs run here: drowse best --by job answers for each.");
            }
            let told = (0..programs).map(|program| {
                let cases: Vec<usize> = of_program(program).collect();
                format!("{}: {}", program_name(study, cases[0]), compared(study, run_time, energy, &cases))
            });
            told.collect::<Vec<_>>().join(" ")
        }
    }
}

/// Names what a case runs.
fn program_name(study: &Study, case: usize) -> String {
    let keys = study.keys.iter().filter(|key| says_what_runs(&key.path));
    keys.map(|key| key.values[case].as_str()).collect::<Vec<_>>().join(", ")
}

/// Names the case that saves most against its baseline, and the one that does at 1 % more run time at most.
fn saved(study: &Study, run_time: &Measure, energy: &Measure) -> String {
    let Some((best, ratio, slower)) = most_saved(study, run_time, energy) else { return String::new() };
    let base = match study.baseline.as_deref() {
        Some("always on") | None => "links always on".to_owned(),
        Some("baseline") => "the baseline".to_owned(),
        Some(title) => format!("“{title}”"),
    };
    let words = energy.spoken();
    let is_alone = study.cases.len() == 2 && study.cases[best].baseline.is_some();
    if ratio >= 1.0 - NOTHING {
        return format!("No case saves any of the {words} beside {base}.");
    }
    let names = |case: usize| if is_alone { "This case".to_owned() } else { name(study, case) };
    let mut text = format!(
        "{} {} the {words}; its run takes {}{} {base}.",
        names(best),
        saving(ratio),
        longer(slower),
        if longer(slower) == "as long" { " as with" } else { " than with" },
    );
    let near = least(study, run_time, energy, BOUND);
    if let Some((near, ratio, slower)) = near.filter(|found| slower > BOUND && found.1 < 1.0 - NOTHING) {
        text += &within(study, near, ratio, slower);
    }
    let oracles = study.oracles_of(best).filter_map(|case| study.ratio(energy, case));
    if let Some(ratio) = oracles.min_by(f64::total_cmp) {
        let _ = write!(text, " The oracle, which knows how long each link will idle, {} it.", saving(ratio));
    }
    // What the network saves may be less than what nodes draw in a longer run.
    let whole = study.energies.iter().skip(1).find(|measure| measure.words == "energy of network and nodes");
    if let Some(whole) = whole
        && let Some(ratio) = study.ratio(whole, best)
    {
        let _ = write!(text, " {} {} the {}.", names(best), saving(ratio), whole.spoken());
    }
    text
}

/// Returns the case that needs least beside its baseline, oracles apart, with its ratios of energy and run time.
pub fn most_saved(study: &Study, run_time: &Measure, energy: &Measure) -> Option<(usize, f64, f64)> {
    least(study, run_time, energy, f64::INFINITY)
}

/// Returns the one of those that take at most so many times as long.
fn least(study: &Study, run_time: &Measure, energy: &Measure, most: f64) -> Option<(usize, f64, f64)> {
    let ratios = |case: usize| Some((case, study.ratio(energy, case)?, study.ratio(run_time, case)?));
    let all = (0..study.cases.len()).filter(|&case| !study.is_oracle(case)).filter_map(ratios);
    all.filter(|found| found.2 <= most).min_by(|a, b| a.1.total_cmp(&b.1))
}

/// Names, of cases that run the same, the fastest one, the one that needs least energy, and the one that needs least of
/// those that take at most 1 % longer.
fn compared(study: &Study, run_time: &Measure, energy: &Measure, cases: &[usize]) -> String {
    let both = |&case: &usize| Some((case, run_time.values[case]?, energy.values[case]?));
    let cases: Vec<(usize, f64, f64)> = cases.iter().filter(|&&case| !study.is_oracle(case)).filter_map(both).collect();
    let by_energy = |a: &&(usize, f64, f64), b: &&(usize, f64, f64)| a.2.total_cmp(&b.2).then(a.1.total_cmp(&b.1));
    let fastest = cases.iter().min_by(|a, b| a.1.total_cmp(&b.1).then(a.2.total_cmp(&b.2)));
    let (Some(&(fast, time, joules)), Some(&frugal)) = (fastest, cases.iter().min_by(by_energy)) else {
        return String::new();
    };
    let quickest = format!("{} is the fastest case, with {} {}", name(study, fast), significant(time), run_time.unit);
    if fast == frugal.0 {
        let least = format!("{} {}", significant(joules), energy.unit);
        return format!("{quickest}, and needs least: {} {least}.{}", energy.spoken(), oracle(study, energy, fast));
    }
    let mut text = format!(
        "{quickest}. {} {} the {}; its run takes {}{}.",
        name(study, frugal.0),
        saving(frugal.2 / joules),
        energy.spoken(),
        longer(frugal.1 / time),
        if are_close(energy, fast, frugal.0) { "; their 95 % intervals of energy overlap" } else { "" },
    );
    text += &oracle(study, energy, frugal.0);
    if frugal.1 > BOUND * time {
        let near = cases.iter().filter(|case| case.1 <= BOUND * time).min_by(by_energy);
        text += &match near.filter(|near| near.2 < joules * (1.0 - NOTHING)) {
            Some(near) => within(study, near.0, near.2 / joules, near.1 / time),
            None => " None that takes at most 1 % longer needs less than the fastest.".into(),
        };
    }
    text
}

/// Says what a case saves that keeps the bound on run time.
fn within(study: &Study, case: usize, ratio: f64, slower: f64) -> String {
    let of = "Of those that take at most 1 % longer";
    format!(" {of}, {} {} it; its run takes {}.", name(study, case), saving(ratio), longer(slower))
}

/// Says how far a case is above the oracle of the same network and programs; empty where there is none.
fn oracle(study: &Study, energy: &Measure, case: usize) -> String {
    let oracles = study.oracles_of(case).filter_map(|oracle| energy.values[oracle]);
    let ratio = oracles.min_by(f64::total_cmp).zip(energy.values[case]).map(|(oracle, ours)| oracle / ours);
    let told = |ratio| format!(" The oracle on the same network {} what {} needs.", saving(ratio), name(study, case));
    ratio.filter(|ratio| ratio.is_finite()).map_or_else(String::new, told)
}

/// Returns whether the confidence intervals of two cases overlap.
fn are_close(measure: &Measure, one: usize, other: usize) -> bool {
    let of = |case: usize| Some((measure.values[case]?, measure.half_widths[case]?));
    of(one).zip(of(other)).is_some_and(|((one, ours), (other, theirs))| (one - other).abs() <= ours + theirs)
}

/// Describes a single run.
fn alone(study: &Study, run_time: &Measure) -> String {
    let Some(time) = run_time.values[0] else { return String::new() };
    let mut text = format!("The run takes {} {}", significant(time), run_time.unit);
    if let Some(asleep) = study.figure("share of link time asleep").and_then(|measure| measure.values[0]) {
        let _ = write!(text, "; links sleep for {} % of their time", significant(asleep));
    }
    text + "."
}

/// Says what load is accepted, or how long packets take.
fn loads(study: &Study) -> String {
    let value = |words: &str, case: usize| study.figure(words).and_then(|measure| measure.values[case]);
    let accepted = |&case: &usize| value("accepted load", case);
    let best = (0..study.cases.len()).filter(|case| accepted(case).is_some());
    let Some(best) = best.max_by(|a, b| accepted(a).unwrap_or(0.0).total_cmp(&accepted(b).unwrap_or(0.0))) else {
        return String::new();
    };
    let latency = |case: usize| {
        let measure = study.figure("packet latency, mean")?;
        Some(format!("{} {}", significant(measure.values[case]?), measure.unit))
    };
    let load = significant(accepted(&best).unwrap_or_default());
    let takes = latency(best).map(|latency| format!("; a packet takes {latency} on average")).unwrap_or_default();
    if study.cases.len() == 1 {
        let offered = significant(value("offered load", best).unwrap_or_default());
        return format!(
            "Of an offered load of {offered} %, the network accepts {load} % of what nodes can send{takes}."
        );
    }
    let lowest = (0..study.cases.len()).filter(|&case| value("offered load", case).is_some());
    let lowest = lowest
        .min_by(|&a, &b| value("offered load", a).unwrap_or(0.0).total_cmp(&value("offered load", b).unwrap_or(0.0)));
    let unloaded = lowest.and_then(|case| Some(format!(" At the lowest load a packet takes {}.", latency(case)?)));
    format!(
        "The largest accepted load is {load} % ({}){takes}.{}",
        study.cases[best].label,
        unloaded.unwrap_or_default()
    )
}

/// Returns the name of a case within a sentence.
fn name(study: &Study, case: usize) -> String {
    format!("“{}”", study.cases[case].label)
}
