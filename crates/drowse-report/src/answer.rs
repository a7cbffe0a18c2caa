//! The answer in a sentence or two: which case needs least energy, at what run time; or what load is accepted.

use std::fmt::Write;

use drowse_tables::number::significant;

use crate::measures::Measure;
use crate::number::{longer, saving};
use crate::study::Study;

/// Returns the answer; empty where the tables have none.
pub fn sentences(study: &Study) -> String {
    // No line ends before a per cent sign.
    written(study).replace(" %", "\u{a0}%")
}

fn written(study: &Study) -> String {
    let run_time = study.figure("run time").filter(|_| study.figure("offered load").is_none());
    match (run_time, study.energies.first()) {
        (Some(run_time), Some(energy)) if study.cases.len() > 1 => {
            if study.baseline.is_some() {
                saved(study, run_time, energy)
            } else {
                compared(study, run_time, energy)
            }
        }
        (Some(run_time), _) => alone(study, run_time),
        (None, _) => loads(study),
    }
}

/// Names the case that saves most against its baseline, and the one that does at 1 % more run time at most.
fn saved(study: &Study, run_time: &Measure, energy: &Measure) -> String {
    let ratios = |case: usize| Some((case, study.ratio(energy, case)?, study.ratio(run_time, case)?));
    let all: Vec<_> = (0..study.cases.len()).filter_map(ratios).collect();
    let least = |wanted: &dyn Fn(&(usize, f64, f64)) -> bool| {
        all.iter().copied().filter(wanted).min_by(|a, b| a.1.total_cmp(&b.1))
    };
    let built = |&(case, ..): &(usize, f64, f64)| !study.is_oracle(case);
    let Some((best, ratio, slower)) = least(&built) else { return String::new() };
    let base = match study.baseline.as_deref() {
        Some("always on") | None => "links always on".to_owned(),
        Some("baseline") => "the baseline".to_owned(),
        Some(title) => format!("“{title}”"),
    };
    let words = energy.spoken();
    let is_alone = study.cases.len() == 2 && study.cases[best].baseline.is_some();
    if ratio >= 1.0 - 5e-5 {
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
    let within = least(&|found| built(found) && found.2 <= 1.01);
    if let Some((near, ratio, slower)) = within.filter(|found| slower > 1.01 && found.1 < 1.0 - 5e-5) {
        // Writing into a text cannot fail.
        let _ = write!(
            text,
            " Of those that take at most 1 % longer, {} {} it; its run takes {}.",
            name(study, near),
            saving(ratio),
            longer(slower),
        );
    }
    if let Some((_, ratio, _)) = least(&|&(case, ..)| study.is_oracle(case)) {
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

/// Names the fastest case and the one that needs least energy.
fn compared(study: &Study, run_time: &Measure, energy: &Measure) -> String {
    let least = |measure: &Measure| {
        let values = measure.values.iter().enumerate().filter_map(|(case, value)| Some((case, (*value)?)));
        values.filter(|(case, _)| !study.is_oracle(*case)).min_by(|a, b| a.1.total_cmp(&b.1))
    };
    let (Some((fast, time)), Some((frugal, joules))) = (least(run_time), least(energy)) else { return String::new() };
    let quickest = format!("{} is the fastest case, with {} {}", name(study, fast), significant(time), run_time.unit);
    if fast == frugal {
        return format!("{quickest}, and needs least: {} {} {}.", energy.spoken(), significant(joules), energy.unit);
    }
    let ratio = |measure: &Measure| Some(measure.values[frugal]? / measure.values[fast]?);
    let (Some(slower), Some(saves)) = (ratio(run_time), ratio(energy)) else { return format!("{quickest}.") };
    format!(
        "{quickest}. {} {} the {}; its run takes {}.",
        name(study, frugal),
        saving(saves),
        energy.spoken(),
        longer(slower),
    )
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
