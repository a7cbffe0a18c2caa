//! The parts of a job log that are simulated.
//!
//! From one start or end of a job to the next the same jobs run. A window is drawn where at least one job runs and no more
//! nodes are held than there are. Of equal parts of this time, one after the other, each has a window at a random moment:
//! so the mean over windows is that over the time in which the machine works. The busiest windows lie where jobs of
//! several nodes hold most nodes.

use drowse_experiment::Ran;

/// A part of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// Whether it is one of the busiest, rather than drawn.
    pub is_busiest: bool,
    /// When it begins, in microseconds since the first job was submitted.
    pub from: u64,
    /// How long it is, in microseconds.
    pub length: u64,
    /// Jobs that run when it begins.
    pub jobs: u32,
    /// The nodes that they hold.
    pub nodes: u32,
}

/// The windows of a log, and the time that they stand for.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// The busiest first, then those that are drawn, in the order of time.
    pub windows: Vec<Window>,
    /// From the first start of a job to the last end, in microseconds.
    pub span: u64,
    /// The share of it in which no job runs.
    pub idle: f64,
    /// The share of it in which jobs hold more nodes than there are, and no window is.
    pub overfull: f64,
    /// Nodes that jobs hold, in the mean over all of it, as a share.
    pub held: f64,
}

/// How windows are chosen.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// How many of the busiest.
    pub busiest: u32,
    /// How many are drawn.
    pub drawn: u32,
    /// How long each is, in microseconds; more than none.
    pub length: u64,
    /// Decides which are drawn.
    pub seed: u64,
}

/// Two of the busiest windows are so much of the log apart, as a share, where the log has so many.
const APART: u64 = 20;

/// A time in which the same jobs run.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    from: u64,
    to: u64,
    jobs: u32,
    nodes: u64,
    /// Nodes of jobs that have several.
    talking: u64,
}

impl Span {
    fn length(&self) -> u64 {
        self.to - self.from
    }

    fn window(&self, from: u64, length: u64, is_busiest: bool) -> Window {
        let nodes = u32::try_from(self.nodes).unwrap_or(u32::MAX);
        Window { is_busiest, from, length, jobs: self.jobs, nodes }
    }
}

/// Chooses windows of a log on a machine of so many nodes.
///
/// ```
/// use drowse_experiment::Ran;
/// use drowse_run::advise::windows::{Wanted, choose};
///
/// // Two nodes for 10 s, and four for the second half of it.
/// let jobs = [Ran { start: 0, end: 10_000_000, nodes: 2 }, Ran { start: 5_000_000, end: 10_000_000, nodes: 2 }];
/// let chosen = choose(&jobs, 4, &Wanted { busiest: 1, drawn: 2, length: 1_000, seed: 1 });
/// assert_eq!((chosen.span, chosen.held), (10_000_000, 0.75));
/// let [busiest, first, second] = chosen.windows.as_slice() else { panic!() };
/// // The busiest lies in the middle of the time in which both jobs run; each half of the log has one that is drawn.
/// assert_eq!((busiest.from, busiest.jobs, busiest.nodes), (7_499_500, 2, 4));
/// assert!(first.from < 5_000_000 && second.from >= 5_000_000);
/// ```
pub fn choose(jobs: &[Ran], nodes: u32, wanted: &Wanted) -> Chosen {
    let spans = spans(jobs);
    let total: u64 = spans.iter().map(Span::length).sum();
    let share = |is: &dyn Fn(&Span) -> bool| {
        spans.iter().filter(|span| is(span)).map(Span::length).sum::<u64>() as f64 / total.max(1) as f64
    };
    let usable: Vec<Span> =
        spans.iter().copied().filter(|span| span.jobs > 0 && span.nodes <= u64::from(nodes)).collect();
    let mut windows = busiest(&usable, total, wanted);
    windows.extend(drawn(&usable, wanted));
    let held: u128 = spans.iter().map(|span| u128::from(span.length()) * u128::from(span.nodes)).sum();
    Chosen {
        windows,
        span: total,
        idle: share(&|span| span.jobs == 0),
        overfull: share(&|span| span.nodes > u64::from(nodes)),
        held: held as f64 / (total.max(1) as f64 * f64::from(nodes.max(1))),
    }
}

/// Returns the times in which the same jobs run, one after the other.
fn spans(jobs: &[Ran]) -> Vec<Span> {
    // A job of no time holds nothing, and at one moment ends come before starts.
    let lasting = jobs.iter().filter(|job| job.end > job.start);
    let mut events: Vec<(u64, bool, u32)> =
        lasting.flat_map(|job| [(job.start, true, job.nodes), (job.end, false, job.nodes)]).collect();
    events.sort_unstable();
    let (mut spans, mut now): (Vec<Span>, Span) = (Vec::new(), Span::default());
    now.from = events.first().map_or(0, |&(time, ..)| time);
    for (time, begins, nodes) in events {
        if time > now.from {
            spans.push(Span { to: time, ..now });
            now.from = time;
        }
        let talking = if nodes > 1 { u64::from(nodes) } else { 0 };
        if begins {
            (now.jobs, now.nodes, now.talking) = (now.jobs + 1, now.nodes + u64::from(nodes), now.talking + talking);
        } else {
            (now.jobs, now.nodes, now.talking) = (now.jobs - 1, now.nodes - u64::from(nodes), now.talking - talking);
        }
    }
    spans
}

/// Chooses the busiest windows, in the order of how busy they are: the longest of several times that are as busy.
fn busiest(usable: &[Span], total: u64, wanted: &Wanted) -> Vec<Window> {
    let mut ordered: Vec<&Span> = usable.iter().collect();
    ordered.sort_by_key(|span| (std::cmp::Reverse((span.talking, span.nodes, span.length())), span.from));
    let mut found: Vec<Window> = Vec::new();
    for span in ordered {
        if found.len() == wanted.busiest as usize {
            break;
        }
        let from = span.from + span.length().saturating_sub(wanted.length) / 2;
        let is_apart = |other: &Window| other.from.abs_diff(from) >= total / APART;
        if found.iter().all(is_apart) {
            found.push(span.window(from, wanted.length, true));
        }
    }
    found
}

/// Draws windows, one from each of so many equal parts of the time in which the machine works.
fn drawn(usable: &[Span], wanted: &Wanted) -> Vec<Window> {
    let total: u64 = usable.iter().map(Span::length).sum();
    let of_part = |part: u32| {
        let [first, last] = [part, part + 1].map(|part| share_of(total, part, wanted.drawn));
        let length = (last - first).max(1);
        let mut at = first + random(wanted.seed, part.into()) % length;
        let span = usable.iter().find(|span| {
            let inside = at < span.length();
            at -= if inside { 0 } else { span.length() };
            inside
        })?;
        Some(span.window(span.from + at, wanted.length, false))
    };
    let mut windows: Vec<Window> = (0..wanted.drawn).filter_map(of_part).collect();
    windows.sort_by_key(|window| window.from);
    windows.dedup_by_key(|window| window.from);
    windows
}

/// Returns a part of a length.
fn share_of(total: u64, part: u32, parts: u32) -> u64 {
    u64::try_from(u128::from(total) * u128::from(part) / u128::from(parts.max(1))).unwrap_or(total)
}

/// Returns the random number of a place, by a seed (SplitMix64; Steele, Lea and Flood 2014).
fn random(seed: u64, place: u64) -> u64 {
    let mut mixed = seed.wrapping_add((place + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(start: u64, end: u64, nodes: u32) -> Ran {
        Ran { start, end, nodes }
    }

    /// The share of time and the mean of nodes by hand; where more nodes are held than there are, no window is. A job of no
    /// time holds none.
    #[test]
    fn idle_and_overfull_times_have_no_window() {
        let jobs = [ran(0, 100, 2), ran(150, 150, 4), ran(200, 400, 3), ran(300, 400, 2)];
        let chosen = choose(&jobs, 4, &Wanted { busiest: 3, drawn: 40, length: 1, seed: 7 });
        assert_eq!((chosen.span, chosen.idle, chosen.overfull), (400, 0.25, 0.25));
        assert!((chosen.held - (200.0 + 300.0 + 500.0) / 1_600.0).abs() < 1e-12);
        let is_inside = |window: &Window| window.from < 100 || (200..300).contains(&window.from);
        assert!(chosen.windows.iter().all(is_inside), "{:?}", chosen.windows);
        let halves =
            |first: bool| chosen.windows.iter().filter(|it| !it.is_busiest && (it.from < 100) == first).count();
        // Each of the usable microseconds is as likely, and the two times are as long.
        assert!(halves(true).abs_diff(halves(false)) <= 4, "{:?}", chosen.windows);
    }

    /// Windows of equal parts of a long job are spread evenly, whatever the seed; another seed draws others.
    #[test]
    fn windows_are_drawn_from_equal_parts() {
        let jobs = [ran(0, 1_000_000, 2)];
        let of = |seed| {
            let chosen = choose(&jobs, 2, &Wanted { busiest: 0, drawn: 10, length: 5, seed });
            chosen.windows.iter().map(|window| window.from).collect::<Vec<u64>>()
        };
        for seed in 0..50 {
            let parts: Vec<u64> = of(seed).iter().map(|from| from / 100_000).collect();
            assert_eq!(parts, (0..10).collect::<Vec<u64>>());
        }
        assert!(of(1) == of(1) && of(1) != of(2));
    }

    /// Of many windows that are as busy, those that are chosen lie apart.
    #[test]
    fn the_busiest_lie_apart() {
        let jobs: Vec<Ran> = (0..1_000).map(|number| ran(number * 10, number * 10 + 9, 4)).collect();
        let chosen = choose(&jobs, 4, &Wanted { busiest: 3, drawn: 0, length: 2, seed: 1 });
        let from: Vec<u64> = chosen.windows.iter().map(|window| window.from).collect();
        assert_eq!(from.len(), 3);
        assert!(from[0].abs_diff(from[1]) >= 499 && from[1].abs_diff(from[2]) >= 499, "{from:?}");
        // Jobs of one node send nothing: they are not what makes a window busy.
        let chosen = choose(&[ran(0, 10, 3), ran(20, 30, 1)], 3, &Wanted { busiest: 1, drawn: 0, length: 2, seed: 1 });
        assert_eq!(chosen.windows[0].nodes, 3);
    }
}
