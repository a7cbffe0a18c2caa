//! The answers that need no model, and that no row may accept.
//!
//! They are those of a row's quantity, all of them: a row names its kind, and picks none.

/// What gives the first answer of most rows.
const ON: &str = "links always on";
/// What gives the second.
const IDLE: &str = "an idle network";
const ALIKE: &str = "every tree is as fast";
const TOP: &str = "the links to the top level decide";
const REFERENCE: &str = "the reference network";

/// A number, and what gives it.
type Answer = (f64, &'static str);

/// What a row would say if nothing worked: links always on, an idle network, nothing counted.
///
/// A row that accepts one of them cannot tell a right result from none, so a tolerance is smaller than the way to each.
#[derive(Clone, Debug, PartialEq)]
pub struct Trivial(Vec<Answer>);

/// The kinds of quantities that are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A number that is ours alone. Nothing is compared, so no answer can be accepted.
    Ours,
    /// A number that a paper defines, counts or works out. No network runs for it, so that neither an idle one nor links
    /// always on give an answer: what can be missed is to count at all.
    Counted,
    /// A number that a paper counts and that is 0 there: a wrong count could take everything for what is counted.
    NotCounted {
        /// All of it.
        all: f64,
    },
    /// The cost of a tree over that of another.
    Cost,
    /// The bisection of a network of trunks over that of the reference network.
    Bisection {
        /// Links of a trunk.
        links: f64,
    },
    /// The ports of a network over those of the reference network.
    PortRatio,
    /// The percentage of some links, or of their capacity, that is used or is not.
    Share,
    /// How many of some things a statement holds for, where it holds for all or for none of them if nothing works.
    Holds {
        /// All of them.
        of: f64,
    },
    /// The percentage of power or energy that sleeping links save.
    Saved {
        /// All that they draw, less what they draw asleep.
        idle: f64,
    },
    /// Energy in percent of links always on.
    Energy {
        /// What links draw asleep.
        idle: f64,
    },
    /// What sleep changes, or one policy changes over another: overheads, the timers that bound them, points of energy.
    /// There is no change where links are always on or nothing is sent.
    Change,
    /// The better one of fast wake (1) and deep sleep (-1), which an idle network sleeps best in.
    Better,
    /// After how many idle periods timers have settled.
    Settled,
    /// How far messages that are delayed are from those that may be.
    Missed {
        /// All that may be.
        all: f64,
    },
    /// A run time, in whatever unit.
    Time,
    /// The time of a workload on a tree over that on the whole one.
    TimeOnTree {
        /// How many times fewer links lead to the top level.
        top: f64,
    },
    /// The performance of a tree over its cost; 1 of the whole tree.
    Effectiveness {
        /// How many times fewer links lead to the top level.
        top: f64,
        /// The cost; 1 for the performance itself.
        cost: f64,
    },
    /// The percentage of packets that reach a level of a tree.
    Reaching {
        /// The percentage if each node sends to every other as often.
        alike: f64,
    },
    /// A run time over that on the reference network.
    RunTime,
    /// The energy of a network over that of the reference network.
    NetEnergy {
        /// With all ports on in the same time.
        on: f64,
        /// With as many ports off as can be; that with all ports on where none go off.
        idle: f64,
    },
    /// The percentage of energy that a network, or a cluster with it, needs less than the reference network.
    NetSaved {
        /// With all ports on.
        on: f64,
        /// With as many off as can be.
        idle: f64,
    },
    /// The share of its power that an idle node may draw for a network to need less energy than the reference network.
    BreakEven,
    /// Ports of a trunk that are on.
    PortsOn {
        /// All of them.
        links: f64,
    },
}

impl Kind {
    /// Returns all answers that need no model.
    pub fn trivial(self) -> Trivial {
        let systems = |on: f64, idle: f64| vec![(on, ON), (idle, IDLE)];
        Trivial(match self {
            Kind::Ours => Vec::new(),
            Kind::Counted => vec![(0.0, "nothing counted")],
            Kind::NotCounted { all } => vec![(all, "every message crosses every link")],
            Kind::Cost => vec![(1.0, "every tree costs as much"), (0.0, "no switches")],
            Kind::Bisection { links } => vec![(1.0 / links, "one link for each trunk"), (0.0, "no links")],
            Kind::PortRatio => vec![(1.0, REFERENCE), (0.0, "nothing counted")],
            Kind::Share => vec![(0.0, "none at all"), (100.0, "all of them")],
            Kind::Holds { of } => vec![(0.0, "none of them"), (of, "all of them")],
            Kind::Saved { idle } => systems(0.0, idle),
            Kind::Energy { idle } => systems(100.0, idle),
            Kind::Change => systems(0.0, 0.0),
            Kind::Better => systems(0.0, -1.0),
            Kind::Settled => systems(1.0, 0.0),
            Kind::Missed { all } => systems(all, 0.0),
            Kind::Time => vec![(0.0, "nothing sent")],
            Kind::TimeOnTree { top } => vec![(1.0, ALIKE), (top, TOP)],
            Kind::Effectiveness { top, cost } => vec![(1.0 / cost, ALIKE), (1.0 / (top * cost), TOP)],
            Kind::Reaching { alike } => {
                vec![(0.0, "nothing climbs"), (alike, "each node sends to every other as often"), (100.0, "all climb")]
            }
            Kind::RunTime => vec![(1.0, "a program that never sends")],
            Kind::NetEnergy { on, idle } => vec![(1.0, REFERENCE), (on, "ports always on"), (idle, IDLE)],
            Kind::NetSaved { on, idle } => vec![(0.0, REFERENCE), (on, "ports always on"), (idle, IDLE)],
            Kind::BreakEven => vec![(1.0, "the run time of the reference network"), (0.0, "no energy saved")],
            Kind::PortsOn { links } => vec![(1.0, IDLE), (links, "ports always on")],
        })
    }
}

impl From<Kind> for Trivial {
    fn from(kind: Kind) -> Self {
        kind.trivial()
    }
}

impl Trivial {
    /// Adds what a row has beside its kind, such as the way without what it measures.
    pub fn also(mut self, value: f64, gives: &'static str) -> Self {
        self.0.push((value, gives));
        self
    }

    /// Makes the answers of a number that is worked out of others, of which all give the same answer.
    pub fn becomes(self, of: impl Fn(f64) -> f64) -> Self {
        Trivial(self.0.into_iter().map(|(value, gives)| (of(value), gives)).collect())
    }

    /// Returns the numbers.
    pub fn values(&self) -> impl Iterator<Item = f64> {
        self.0.iter().map(|&(value, _)| value)
    }

    /// Returns those that are chosen.
    pub fn only(&self, chosen: impl Fn(f64) -> bool) -> Self {
        Trivial(self.0.iter().copied().filter(|&(value, _)| chosen(value)).collect())
    }

    /// Returns the way from a number to the nearest of them.
    pub fn nearest(&self, number: f64) -> f64 {
        self.values().map(|answer| (answer - number).abs()).fold(f64::INFINITY, f64::min)
    }

    /// Returns the text of its column: each number with three decimals at most.
    pub fn text(&self) -> String {
        let answers: Vec<String> = self.0.iter().map(|(value, gives)| format!("{gives}: {}", short(*value))).collect();
        answers.join("; ")
    }
}

fn short(value: f64) -> String {
    format!("{value:.3}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_answers() {
        let both = Kind::Energy { idle: 100.0 / 3.0 }.trivial();
        assert_eq!(both.text(), "links always on: 100; an idle network: 33.333");
        assert_eq!(both.values().count(), 2);
        assert_eq!(Kind::Ours.trivial().text(), "");
        let also = Kind::Share.trivial().also(16.5, "ranks in order");
        assert_eq!(also.text(), "none at all: 0; all of them: 100; ranks in order: 16.5");
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "small whole numbers are exact")]
    fn answers_of_what_is_worked_out() {
        let kind = Kind::Energy { idle: 10.0 };
        let saved = kind.trivial().becomes(|energy| 100.0 - energy);
        assert_eq!(saved.values().collect::<Vec<_>>(), [0.0, 90.0]);
        assert_eq!([saved.nearest(70.0), saved.nearest(-1.0)], [20.0, 1.0]);
        assert_eq!(saved.only(|value| value > 1.0).text(), "an idle network: 90");
        assert_eq!(Kind::Ours.trivial().nearest(1.0), f64::INFINITY);
    }

    /// The quotients of Table III if a tree of an eighth of the links at the top costs a quarter: 4 where it is as fast,
    /// and 0.5 where it takes eight times as long.
    #[test]
    fn answers_of_an_effectiveness() {
        let answers = Kind::Effectiveness { top: 8.0, cost: 0.25 }.trivial();
        assert_eq!(answers.text(), "every tree is as fast: 4; the links to the top level decide: 0.5");
    }
}
