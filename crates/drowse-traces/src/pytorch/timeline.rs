//! What a rank's GPU did becomes what the rank computes, starts and waits for.
//!
//! **Which computation needs which communication** is recorded in parts only. A communication is waited for before the
//! first computation that
//! - follows it on its stream;
//! - follows a wait of its stream for the communication's stream, where the profiler records these;
//! - was launched after the host made a stream wait (`cudaStreamWaitEvent`, a `wait` of PyTorch) and after the
//!   communication was launched, and began when that had ended;
//! - was launched after the host waited for the GPU, where this wait ended after the communication;
//! - was launched before the communication ended, and began when it had, while the GPU computed nothing.
//!
//! Where none of them tells, the next communication of its stream that is waited for tells, since a stream runs one
//! after the other; else the rank's end.
//!
//! **What becomes computing** is all time but this: the time in which the GPU ran communications only, from when the
//! computation that needs one had been launched. The time in which the host had not launched anything yet stays. How
//! long a communication ran is never computing, since it waits for the other ranks.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::intervals::Intervals;

/// What is said of communications of which nothing tells what needs them.
pub(crate) const UNNEEDED: &str = "communications end while the GPU computes or idles, and nothing says what needs \
                                   them: they are waited for with the next of their stream, or at the end";

/// Something that ran on a GPU. Times are nanoseconds of any clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Activity {
    pub stream: i64,
    pub begin: i64,
    pub end: i64,
    /// When the host launched it.
    pub launched: Option<i64>,
    /// The number of the call that launched it, in the order of launches.
    pub number: i64,
    /// The communication that it is; else it computes.
    pub communication: Option<u32>,
    /// Whether the host waits for its end.
    pub blocks: bool,
}

/// The wait of a stream for what another one had to do when an event was recorded there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StreamWait {
    pub stream: i64,
    pub number: i64,
    pub on: i64,
    pub recorded: i64,
}

/// What was recorded of a rank.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Recorded {
    pub activities: Vec<Activity>,
    /// When the host made a stream wait.
    pub host_waits: Vec<i64>,
    /// From when to when the host waited for the GPU.
    pub host_syncs: Vec<(i64, i64)>,
    pub stream_waits: Vec<StreamWait>,
    /// When iterations began on the host.
    pub iterations: Vec<i64>,
    /// The first and the last moment.
    pub begin: i64,
    pub end: i64,
}

/// What a rank does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Iteration,
    /// Computes for nanoseconds.
    Compute(u64),
    /// Starts a communication, or waits for it.
    Start(u32),
    Wait(u32),
}

/// The steps of a rank.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Ordered {
    pub steps: Vec<Step>,
    /// Communications of which nothing tells what needs them.
    pub unneeded: u64,
}

/// The first computation that needs a communication.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Need {
    begin: i64,
    /// From when on the host would have let it run.
    ready: i64,
}

/// What is known of all computations.
struct Computations<'r> {
    recorded: &'r Recorded,
    /// By begin.
    all: Vec<Activity>,
    busy: Intervals,
    /// When each was launched, and of it and all later ones the first begin, and when that one was launched.
    launches: Vec<(i64, Need)>,
    /// Those of a stream, by begin.
    streams: FxHashMap<i64, Vec<Activity>>,
    syncs: Intervals,
    /// The waits of the host in order, each with the first begin behind it.
    waits: Vec<(i64, Need)>,
    /// By communication, what waits of streams tell.
    stream_waits: FxHashMap<u32, Need>,
}

/// Puts what was recorded into order.
pub(crate) fn order(recorded: &Recorded) -> Ordered {
    let known = Computations::new(recorded);
    let communications = communications(recorded);
    let needs: Vec<Option<Need>> = communications.iter().map(|of| known.need(of)).collect();
    let exposed =
        communications.iter().zip(&needs).filter_map(|(of, need)| Some((of.begin.max((*need)?.ready), of.end)));
    let exposed = Intervals::union(exposed.collect()).without(&known.busy);
    let (mut marks, unneeded) = marks(&known, &communications, &needs);
    for &time in &recorded.iterations {
        marks.push((known.launched_from(time).map_or(time, |need| need.begin), 1, 0, Step::Iteration));
    }
    marks.sort_by_key(|&(time, kind, order, _)| (time, kind, order));
    Ordered { steps: walk(recorded, &exposed, &marks), unneeded }
}

/// Returns the communications by begin. What has several kernels runs from the first begin to the last end.
fn communications(recorded: &Recorded) -> Vec<Activity> {
    let mut all: FxHashMap<u32, Activity> = FxHashMap::default();
    for of in &recorded.activities {
        let Some(number) = of.communication else { continue };
        all.entry(number)
            .and_modify(|known| {
                known.begin = known.begin.min(of.begin);
                known.end = known.end.max(of.end);
                known.launched = known.launched.min(of.launched);
            })
            .or_insert(*of);
    }
    let mut all: Vec<Activity> = all.into_values().collect();
    all.sort_unstable_by_key(|of| (of.begin, of.end, of.communication));
    all
}

/// A moment, what comes first at the same time, and what happens.
type Mark = (i64, u8, usize, Step);

/// Returns when communications start and are waited for, and how many nothing needs.
fn marks(known: &Computations, communications: &[Activity], needs: &[Option<Need>]) -> (Vec<Mark>, u64) {
    let (mut marks, mut unneeded) = (Vec::new(), 0);
    // By stream, the wait for the next communication.
    let mut next: FxHashMap<i64, i64> = FxHashMap::default();
    for (place, (of, need)) in communications.iter().zip(needs).enumerate().rev() {
        let number = of.communication.unwrap_or_default();
        marks.push((of.begin, 2, place, Step::Start(number)));
        let own = need.map(|need| {
            let at_end = need.ready <= of.end && known.busy.is_free(of.end, need.begin);
            if at_end { of.end } else { need.begin }
        });
        unneeded += u64::from(own.is_none());
        let time = match (own, next.get(&of.stream)) {
            (Some(own), Some(&later)) => Some(own.min(later)),
            (own, later) => own.or(later.copied()),
        };
        if let Some(time) = time {
            next.insert(of.stream, time);
            let time = time.max(of.begin);
            marks.push((time, if time == of.begin { 3 } else { 0 }, place, Step::Wait(number)));
        }
    }
    (marks, unneeded)
}

/// Makes steps of marks in order; exposed time is not computed.
fn walk(recorded: &Recorded, exposed: &Intervals, marks: &[Mark]) -> Vec<Step> {
    let (mut steps, mut now, mut exposed) = (Vec::new(), recorded.begin, exposed.iter().peekable());
    let mut compute = |until: i64, steps: &mut Vec<Step>| {
        let mut time = until.max(now) - now;
        while let Some(&(begin, end)) = exposed.peek().filter(|interval| interval.0 < until) {
            time -= (end.min(until).max(now) - begin.max(now)).max(0);
            if end > until {
                break;
            }
            exposed.next();
        }
        now = now.max(until);
        if time > 0 {
            steps.push(Step::Compute(time.unsigned_abs()));
        }
    };
    for &(time, _, _, step) in marks {
        compute(time, &mut steps);
        steps.push(step);
    }
    compute(recorded.end, &mut steps);
    steps
}

impl<'r> Computations<'r> {
    fn new(recorded: &'r Recorded) -> Self {
        let mut all: Vec<Activity> =
            recorded.activities.iter().copied().filter(|of| of.communication.is_none()).collect();
        all.sort_unstable_by_key(|of| (of.begin, of.end, of.stream));
        let mut streams: FxHashMap<i64, Vec<Activity>> = FxHashMap::default();
        all.iter().for_each(|of| streams.entry(of.stream).or_default().push(*of));
        let mut launches: Vec<(i64, Need)> = all
            .iter()
            .filter_map(|of| of.launched.map(|launched| (launched, Need { begin: of.begin, ready: launched })))
            .collect();
        launches.sort_unstable();
        for place in (1..launches.len()).rev() {
            launches[place - 1].1 = launches[place - 1].1.min(launches[place].1);
        }
        let mut known = Computations {
            recorded,
            busy: Intervals::union(all.iter().map(|of| (of.begin, of.end)).collect()),
            all,
            launches,
            streams,
            syncs: Intervals::union(recorded.host_syncs.clone()),
            waits: Vec::new(),
            stream_waits: FxHashMap::default(),
        };
        known.waits = recorded.host_waits.iter().filter_map(|&time| Some((time, known.launched_from(time)?))).collect();
        known.waits.sort_unstable();
        known.stream_waits = known.needs_of_streams();
        known
    }

    /// Returns the first of the computations that were launched at a time or later.
    fn launched_from(&self, time: i64) -> Option<Need> {
        let place = self.launches.partition_point(|launch| launch.0 < time);
        self.launches.get(place).map(|launch| launch.1)
    }

    /// Returns what recorded waits of streams tell.
    fn needs_of_streams(&self) -> FxHashMap<u32, Need> {
        let mut needs: FxHashMap<u32, Need> = FxHashMap::default();
        if self.recorded.stream_waits.is_empty() {
            return needs;
        }
        let mut streams: FxHashMap<i64, Vec<Activity>> = FxHashMap::default();
        self.recorded.activities.iter().for_each(|of| streams.entry(of.stream).or_default().push(*of));
        streams.values_mut().for_each(|stream| stream.sort_unstable_by_key(|of| (of.number, Reverse(of.end))));
        for wait in &self.recorded.stream_waits {
            let (Some(on), Some(stream)) = (streams.get(&wait.on), streams.get(&wait.stream)) else { continue };
            let before = on.partition_point(|of| of.number < wait.recorded);
            let Some(last) = before.checked_sub(1).map(|place| on[place]) else { continue };
            let behind = stream.partition_point(|of| of.number <= wait.number);
            let Some((number, first)) = last.communication.zip(stream.get(behind)) else { continue };
            if first.communication.is_none() && first.begin >= last.end {
                let need = Need { begin: first.begin, ready: first.launched.unwrap_or(i64::MIN) };
                needs.entry(number).and_modify(|known| *known = (*known).min(need)).or_insert(need);
            }
        }
        needs
    }

    /// Returns the first computation that needs a communication, if it is known.
    fn need(&self, of: &Activity) -> Option<Need> {
        let number = of.communication?;
        let launched = |other: &Activity| other.launched.unwrap_or(i64::MIN);
        let of_activity = |other: &Activity| Need { begin: other.begin, ready: launched(other) };
        let on_stream = self
            .streams
            .get(&of.stream)
            .and_then(|stream| stream.get(stream.partition_point(|other| other.begin < of.end)).map(of_activity));
        let by_host = {
            let after = self.waits.partition_point(|wait| wait.0 <= of.launched.unwrap_or(of.begin));
            let begun = self.waits.partition_point(|wait| wait.1.begin < of.end);
            self.waits.get(after.max(begun)).map(|wait| wait.1)
        };
        let by_sync = self.syncs.up_to(of.end).and_then(|(begin, end)| {
            let first = self.launched_from(end).filter(|first| first.begin >= of.end)?;
            Some(Need { begin: first.begin, ready: begin })
        });
        let seen = || {
            let first = self.all.get(self.all.partition_point(|other| other.begin < of.end))?;
            (self.busy.around(of.end).is_none() && launched(first) <= of.end).then(|| of_activity(first))
        };
        let of_streams = self.stream_waits.get(&number).copied();
        let blocks = of.blocks.then_some(Need { begin: of.end, ready: of.begin });
        [blocks, on_stream, of_streams, by_host, by_sync, seen()].into_iter().flatten().min()
    }
}

#[cfg(test)]
#[path = "timeline_tests.rs"]
mod tests;
