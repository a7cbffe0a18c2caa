//! The compared figures of a program's curves, and their causes.

use super::front::{self, ALWAYS_ON, energy_at};
use super::measured::Curves;
use super::setting::{ONE_PERCENT, Setting};
use super::tables::static_front;
use crate::trivial::Kind;

/// The run time at which energies are compared, that of an overhead of 1 %.
const AT_ONE_PERCENT: f64 = 1.01;

/// A figure of one program. Energies are those of edge links unless they are of all, relative to links always on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Figure {
    /// Overhead of deep sleep at once.
    AtOnce,
    /// Overhead under a deep stall timer of so many microseconds.
    Stall(u64),
    /// The deep stall timer from which on the overhead is at most so many percent.
    StallFor(f64),
    /// Energy of one sleep state alone at 1 % of overhead.
    Alone(Sleep),
    /// Whether fast wake alone needs less energy than deep sleep alone at 1 % of overhead.
    BetterAlone,
    /// What both sleep states save over deep sleep alone at 1 % of overhead.
    Both,
    /// Overhead of a policy under a bound of 1 %.
    Overhead(Bounded),
    /// Its energy.
    Energy(Bounded),
    /// Its energy, of all links.
    EnergyOfAll(Bounded),
    /// The energy of the oracle.
    Oracle,
    /// The energy of the oracle, of all links.
    OracleOfAll,
    /// What DynamicFastwake needs less than PerfBound.
    LessEnergy,
    /// How much less its energy-delay product is.
    LessEdp,
    /// How much less its energy-delay product is without its correction of errors.
    LessEdpUncorrected,
    /// After how many idle periods the timers of PerfBound under 1 % have settled.
    Settled,
    /// Whether they have settled within so many, and save energy: 1 or 0. A link that never sleeps settles at once.
    SettledWithin(u32),
    /// How far DynamicFastwake lies above the best of all stall timers; below it where negative.
    AboveFront,
}

/// A sleep state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sleep {
    Deep,
    FastWake,
}

/// A policy that keeps a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounded {
    PerfBound,
    DynamicFastwake,
}

impl Figure {
    /// The figures that every program has a row of.
    pub const OF_ALL: [Figure; 12] = [
        Figure::Overhead(Bounded::PerfBound),
        Figure::Overhead(Bounded::DynamicFastwake),
        Figure::Energy(Bounded::PerfBound),
        Figure::Energy(Bounded::DynamicFastwake),
        Figure::Oracle,
        Figure::EnergyOfAll(Bounded::PerfBound),
        Figure::EnergyOfAll(Bounded::DynamicFastwake),
        Figure::OracleOfAll,
        Figure::LessEdp,
        Figure::LessEdpUncorrected,
        Figure::AboveFront,
        Figure::Settled,
    ];

    /// Returns the figure of a program; `None` where the cases for it were not run.
    pub fn of(self, curves: &Curves) -> Option<f64> {
        let overhead = |setting| Some(100.0 * (curves.relative(setting)?.time - 1.0));
        let edge = |setting| Some(100.0 * curves.relative(setting)?.edge);
        let all = |setting| Some(100.0 * curves.relative(setting)?.all);
        match self {
            Figure::AtOnce => overhead(Setting::AtOnce { wake_ns: 4_480 }),
            Figure::Stall(timer) => overhead(Setting::deep(timer)),
            Figure::StallFor(percent) => stall_for(curves, percent),
            Figure::Alone(sleep) => alone(curves, sleep),
            Figure::BetterAlone => {
                let saved = alone(curves, Sleep::Deep)? - alone(curves, Sleep::FastWake)?;
                Some(if saved == 0.0 { 0.0 } else { saved.signum() })
            }
            Figure::Both => Some(alone(curves, Sleep::Deep)? - both(curves)?),
            Figure::Overhead(policy) => overhead(policy.at_one_percent()),
            Figure::Energy(policy) => edge(policy.at_one_percent()),
            Figure::EnergyOfAll(policy) => all(policy.at_one_percent()),
            Figure::Oracle => edge(Setting::Oracle),
            Figure::OracleOfAll => all(Setting::Oracle),
            Figure::LessEnergy => {
                Some(edge(Bounded::PerfBound.at_one_percent())? - edge(Bounded::DynamicFastwake.at_one_percent())?)
            }
            Figure::LessEdp => less_edp(curves, Bounded::DynamicFastwake.at_one_percent()),
            Figure::LessEdpUncorrected => less_edp(curves, Setting::Uncorrected),
            Figure::Settled => curves.get(Bounded::PerfBound.at_one_percent())?.settled,
            Figure::SettledWithin(periods) => {
                let settled = Figure::Settled.of(curves)? <= f64::from(periods);
                let saves = edge(Bounded::PerfBound.at_one_percent())? < 100.0;
                Some(f64::from(u8::from(settled && saves)))
            }
            Figure::AboveFront => {
                let fastwake = curves.relative(Bounded::DynamicFastwake.at_one_percent())?;
                let front = static_front(curves);
                // Without a sweep the front is the one point of always on.
                let best = energy_at(&front, fastwake.time).filter(|_| front.len() > 1)?;
                Some(100.0 * (fastwake.edge - best))
            }
        }
    }

    /// Returns its name.
    pub fn quantity(self) -> String {
        match self {
            Figure::AtOnce => "overhead of deep sleep at once".into(),
            Figure::Stall(timer) => format!("overhead of a deep stall timer of {timer} us"),
            Figure::StallFor(percent) => format!("deep stall timer from which on the overhead is {percent} %"),
            Figure::Alone(sleep) => format!("energy of {} alone at 1 % of overhead", sleep.name()),
            Figure::BetterAlone => "better alone at 1 % of overhead: fast wake 1, deep sleep -1".into(),
            Figure::Both => "saved by both sleep states over deep sleep at 1 % of overhead".into(),
            Figure::Overhead(policy) => format!("overhead of {} at 1 %", policy.name()),
            Figure::Energy(policy) => format!("energy of edge links, {} at 1 %", policy.name()),
            Figure::EnergyOfAll(policy) => format!("energy of all links, {} at 1 %", policy.name()),
            Figure::Oracle => "energy of edge links, in hindsight".into(),
            Figure::OracleOfAll => "energy of all links, in hindsight".into(),
            Figure::LessEnergy => "energy saved by DynamicFastwake over PerfBound at 1 %".into(),
            Figure::LessEdp => "energy-delay product of DynamicFastwake below PerfBound's at 1 %".into(),
            Figure::LessEdpUncorrected => {
                "energy-delay product of uncorrected DynamicFastwake below PerfBound's at 1 %".into()
            }
            Figure::Settled => "idle periods until timers have settled, PerfBound at 1 %".into(),
            Figure::SettledWithin(periods) => format!("timers settled within {periods} idle periods, PerfBound at 1 %"),
            Figure::AboveFront => "energy of DynamicFastwake at 1 % above the best stall timers".into(),
        }
    }

    /// Returns the unit: percent of links always on, or points between two such.
    pub const fn unit(self) -> &'static str {
        match self {
            Figure::StallFor(_) => "us",
            Figure::BetterAlone | Figure::SettledWithin(_) => "1",
            Figure::Settled => "periods",
            Figure::Both | Figure::LessEnergy | Figure::AboveFront => "points",
            _ => "%",
        }
    }

    /// Returns its kind, by which it has trivial answers.
    pub const fn kind(self) -> Kind {
        match self {
            Figure::AtOnce
            | Figure::Stall(_)
            | Figure::StallFor(_)
            | Figure::Overhead(_)
            | Figure::Both
            | Figure::LessEnergy
            | Figure::LessEdp
            | Figure::LessEdpUncorrected
            | Figure::SettledWithin(_)
            | Figure::AboveFront => Kind::Change,
            Figure::BetterAlone => Kind::Better,
            // Those of the states' powers.
            Figure::Alone(Sleep::FastWake) => Kind::Energy { idle: 60.0 },
            Figure::Alone(Sleep::Deep)
            | Figure::Energy(_)
            | Figure::EnergyOfAll(_)
            | Figure::Oracle
            | Figure::OracleOfAll => Kind::Energy { idle: 10.0 },
            Figure::Settled => Kind::Settled,
        }
    }

    /// Returns how it was computed, and its causes.
    pub fn reason(self, curves: &Curves) -> String {
        match self {
            Figure::Overhead(policy) => waits(curves, policy.at_one_percent()),
            Figure::AtOnce => waits(curves, Setting::AtOnce { wake_ns: 4_480 }),
            Figure::Stall(timer) => waits(curves, Setting::deep(timer)),
            Figure::LessEnergy | Figure::LessEdp | Figure::LessEdpUncorrected => by_policies(curves),
            Figure::StallFor(_) => "the shortest timer of the sweep from which on no overhead is larger".into(),
            Figure::Alone(_) | Figure::BetterAlone | Figure::Both => by_timers(curves),
            Figure::Settled | Figure::SettledWithin(_) => {
                "until it is within two bins of its median in the second half; median over edge links".into()
            }
            Figure::AboveFront => "above straight lines between the best timers of the sweep at its run time".into(),
            Figure::Energy(_) | Figure::Oracle => "links between nodes and switches, both directions".into(),
            Figure::EnergyOfAll(_) | Figure::OracleOfAll => {
                "edge links and links between switches, both directions".into()
            }
        }
    }
}

impl Sleep {
    const fn name(self) -> &'static str {
        match self {
            Sleep::Deep => "deep sleep",
            Sleep::FastWake => "fast wake",
        }
    }
}

impl Bounded {
    /// Returns the setting with a bound of 1 %.
    pub const fn at_one_percent(self) -> Setting {
        match self {
            Bounded::PerfBound => Setting::PerfBound { bound: ONE_PERCENT },
            Bounded::DynamicFastwake => Setting::DynamicFastwake { bound: ONE_PERCENT },
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Bounded::PerfBound => "PerfBound",
            Bounded::DynamicFastwake => "DynamicFastwake",
        }
    }
}

/// Returns the shortest deep timer from which on no overhead is larger.
fn stall_for(curves: &Curves, percent: f64) -> Option<f64> {
    let overhead = |&(timer, time): &(u64, f64)| (timer, 100.0 * (time - 1.0));
    let timers: Vec<(u64, f64)> = curves
        .cases
        .iter()
        .filter_map(|(setting, measured)| match *setting {
            Setting::Timers { shallow_us: None, deep_us: Some(timer) } => Some((timer, curves.relate(measured).time)),
            _ => None,
        })
        .collect();
    // Timers are swept from short to long.
    let enough = timers.iter().rev().map(overhead).take_while(|&(_, overhead)| overhead <= percent);
    enough.last().map(|(timer, _)| timer as f64)
}

/// Returns the energy of one sleep state alone at 1 % of overhead.
fn alone(curves: &Curves, sleep: Sleep) -> Option<f64> {
    let mut points = match sleep {
        Sleep::Deep => curves.points(|shallow, _| shallow.is_none()),
        Sleep::FastWake => curves.points(|_, deep| deep.is_none()),
    };
    if points.is_empty() {
        return None;
    }
    points.push(ALWAYS_ON);
    Some(100.0 * energy_at(&front::front(&points), AT_ONE_PERCENT)?)
}

/// Returns how many percent a policy's energy-delay product is below PerfBound's at 1 %.
fn less_edp(curves: &Curves, setting: Setting) -> Option<f64> {
    let perfbound = curves.get(Bounded::PerfBound.at_one_percent())?;
    Some(100.0 * (1.0 - curves.get(setting)?.edp() / perfbound.edp()))
}

/// Returns the energy of the best of all stall timers at 1 % of overhead.
pub fn both(curves: &Curves) -> Option<f64> {
    Some(100.0 * energy_at(&static_front(curves), AT_ONE_PERCENT)?)
}

/// Returns the energies under fixed timers.
fn by_timers(curves: &Curves) -> String {
    let shown = |energy: Option<f64>| energy.map_or_else(|| "?".into(), |energy| format!("{energy:.1} %"));
    format!(
        "at 1 % of overhead, on lines between the best timers, deep sleep alone needs {}, fast wake alone {}, both {}",
        shown(alone(curves, Sleep::Deep)),
        shown(alone(curves, Sleep::FastWake)),
        shown(both(curves))
    )
}

/// Returns the waits of messages for links beside the overhead of the run. A waiting message delays the ranks
/// that need it, and the packets behind it in its queue, of which a port has one; neither is seen by a channel.
fn waits(curves: &Curves, setting: Setting) -> String {
    let (Some(measured), Some(relative)) = (curves.get(setting), curves.relative(setting)) else {
        return String::new();
    };
    let (lost, most, overhead) = (100.0 * measured.lost, 100.0 * measured.lost_most, 100.0 * (relative.time - 1.0));
    let passed_on = if overhead > lost {
        format!("the overhead is {:.1} times that", overhead / lost)
    } else {
        "part of it while ranks waited anyway".into()
    };
    format!("messages waited for links {lost:.2} % of the time a node, {most:.2} % at the worst channel; {passed_on}")
}

/// Returns the energies under the policies. The correction of errors moves the deep timer alone, so
/// that where too many wakes from fast wake are the error, deep sleep is given up for them.
fn by_policies(curves: &Curves) -> String {
    let energy = |setting| curves.relative(setting).map_or(f64::NAN, |relative| 100.0 * relative.edge);
    format!(
        "edge links need {:.1} % under PerfBound, {:.1} % under DynamicFastwake, {:.1} % without its correction, {:.1} % in hindsight",
        energy(Bounded::PerfBound.at_one_percent()),
        energy(Bounded::DynamicFastwake.at_one_percent()),
        energy(Setting::Uncorrected),
        energy(Setting::Oracle)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perfbound::measured::Measured;
    use crate::programs::PROGRAMS;

    /// A program that runs 2 s always on; its cases' run times and energies are given relative to that.
    fn curves(cases: &[(Setting, f64, f64)]) -> Curves {
        let measured = |time: f64, edge: f64| Measured {
            makespan: 2.0 * time,
            edge: 2.0 * edge,
            all: 4.0 * edge,
            wakes: 1,
            delayed: 1,
            lost: 0.005,
            lost_most: 0.001,
            settled: None,
        };
        let always_on = (Setting::AlwaysOn, measured(1.0, 1.0));
        let cases = cases.iter().map(|&(setting, time, edge)| (setting, measured(time, edge)));
        Curves::new(&PROGRAMS[0], std::iter::once(always_on).chain(cases).collect()).unwrap()
    }

    fn assert_near(figure: Figure, curves: &Curves, expected: f64) {
        let ours = figure.of(curves).unwrap();
        assert!((ours - expected).abs() < 1e-9, "{figure:?} is {ours}, not {expected}");
    }

    #[test]
    fn figures_of_timers_by_hand() {
        let both = Setting::Timers { shallow_us: Some(1), deep_us: Some(10) };
        let curves = curves(&[
            (Setting::AtOnce { wake_ns: 4_480 }, 1.5, 0.2),
            (Setting::deep(1), 1.2, 0.3),
            (Setting::deep(10), 1.04, 0.4),
            (Setting::deep(100), 1.02, 0.6),
            (Setting::shallow(1), 1.01, 0.7),
            (both, 1.02, 0.5),
        ]);
        assert_near(Figure::AtOnce, &curves, 50.0);
        assert_near(Figure::Stall(1), &curves, 20.0);
        assert_near(Figure::StallFor(5.0), &curves, 10.0);
        // Half-way from always on to a timer of 100 us.
        assert_near(Figure::Alone(Sleep::Deep), &curves, 80.0);
        assert_near(Figure::Alone(Sleep::FastWake), &curves, 70.0);
        assert_near(Figure::BetterAlone, &curves, 1.0);
        assert_near(Figure::Both, &curves, 10.0);
        let never_slept = self::curves(&[(Setting::deep(1), 1.0, 1.0), (Setting::shallow(1), 1.0, 1.0)]);
        assert_near(Figure::BetterAlone, &never_slept, 0.0);
        assert_eq!(Figure::Stall(50).of(&curves), None);
        assert_eq!(Figure::AboveFront.of(&curves), None, "no policy was run");
    }

    #[test]
    fn figures_of_policies_by_hand() {
        let policies = [
            (Bounded::PerfBound.at_one_percent(), 1.02, 0.5),
            (Bounded::DynamicFastwake.at_one_percent(), 1.01, 0.4),
            (Setting::Oracle, 1.0, 0.1),
        ];
        let without = curves(&policies);
        assert_near(Figure::Overhead(Bounded::PerfBound), &without, 2.0);
        assert_near(Figure::EnergyOfAll(Bounded::DynamicFastwake), &without, 40.0);
        assert_near(Figure::Oracle, &without, 10.0);
        assert_near(Figure::LessEnergy, &without, 10.0);
        assert_near(Figure::LessEdp, &without, 100.0 * (1.0 - 1.01 * 0.4 / (1.02 * 0.5)));
        assert_eq!(Figure::AboveFront.of(&without), None, "no timers were run");
        // Overhead 2 %, waits 0.5 %: four times as much. The other way round it is hidden.
        assert!(Figure::Overhead(Bounded::PerfBound).reason(&without).contains("is 4.0 times that"));
        let mut cases = policies.to_vec();
        cases.extend([(Setting::deep(1), 1.02, 0.2)]);
        assert_near(Figure::AboveFront, &curves(&cases), -20.0);
    }

    /// Timers that settle after 200 idle periods have within 200, and those after 201 have not; without any saving
    /// nothing has settled.
    #[test]
    fn timers_come_to_rest_within_periods_where_energy_is_saved() {
        for (settled, edge, expected) in [(200.0, 0.5, 1.0), (201.0, 0.5, 0.0), (200.0, 1.0, 0.0), (201.0, 1.0, 0.0)] {
            let mut curves = curves(&[(Bounded::PerfBound.at_one_percent(), 1.0, edge)]);
            curves.cases[1].1.settled = Some(settled);
            assert_near(Figure::SettledWithin(200), &curves, expected);
        }
    }

    /// Waits of 0.5 % of the time, 0.1 % at one channel, beside overheads of 2 % and of 0.4 %; and a program that never
    /// waits.
    #[test]
    fn reasons_of_overheads_by_hand() {
        let policy = Bounded::PerfBound;
        let reason = |time, lost: f64| {
            let mut curves = curves(&[(policy.at_one_percent(), time, 0.5)]);
            curves.cases[1].1.lost = lost;
            Figure::Overhead(policy).reason(&curves)
        };
        assert_eq!(
            reason(1.02, 0.005),
            "messages waited for links 0.50 % of the time a node, 0.10 % at the worst channel; the overhead is 4.0 times \
             that"
        );
        let hidden = "part of it while ranks waited anyway";
        assert!(reason(1.004, 0.005).ends_with(hidden));
        assert!(reason(1.0, 0.0).ends_with(hidden), "nothing is no multiple of nothing");
    }

    /// As in [`figures_of_timers_by_hand`]: half-way to 60 %; 70 % at once, which is the best of both, too.
    #[test]
    fn reasons_of_energies_by_hand() {
        let timers = curves(&[(Setting::deep(100), 1.02, 0.6), (Setting::shallow(1), 1.01, 0.7)]);
        assert_eq!(
            Figure::Both.reason(&timers),
            "at 1 % of overhead, on lines between the best timers, deep sleep alone needs 80.0 %, fast wake alone 70.0 %, \
             both 70.0 %"
        );
        let policies = curves(&[
            (Bounded::PerfBound.at_one_percent(), 1.02, 0.5),
            (Bounded::DynamicFastwake.at_one_percent(), 1.01, 0.4),
            (Setting::Uncorrected, 1.01, 0.45),
            (Setting::Oracle, 1.0, 0.1),
        ]);
        assert_eq!(
            Figure::LessEnergy.reason(&policies),
            "edge links need 50.0 % under PerfBound, 40.0 % under DynamicFastwake, 45.0 % without its correction, 10.0 % in \
             hindsight"
        );
    }
}
