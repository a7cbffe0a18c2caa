//! What links and ranks did in each interval of a run: what they draw over time follows from it.

use super::series::{IntervalLength, Series};
use crate::model::link_state::LinkState;
use crate::model::units::Time;
use crate::workload::scheduler::FreePeriod;

/// The states of a channel in which it is not on.
const ASLEEP: usize = LinkState::ALL.len() - 1;
/// The sums of a link class: channel time in these states, flits and packets.
const OF_CLASS: usize = ASLEEP + 2;

/// Which channels are summed up together, where not those of each link class are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelGroups {
    /// How many groups there are.
    pub count: usize,
    /// The group of each channel, by its number in the whole network.
    pub of: Vec<u16>,
}

/// Records what the channels of a shard do, by link class or group. A channel is on when it is in no other state.
#[derive(Clone, Debug)]
pub struct LinksOverTime {
    series: Series,
    classes: usize,
    /// The group of each channel of the shard; none where these are the classes.
    groups: Vec<u16>,
    /// When the measured time began.
    since: u64,
    /// It is over.
    over: bool,
}

impl LinksOverTime {
    /// Begins to record channels of so many classes.
    pub fn new(length: IntervalLength, classes: usize) -> Self {
        LinksOverTime::by_group(length, classes, (classes, Vec::new()))
    }

    /// Begins to record channels of so many classes in so many groups; that of each channel of the shard is given.
    pub fn by_group(length: IntervalLength, classes: usize, (count, groups): (usize, Vec<u16>)) -> Self {
        LinksOverTime { series: Series::new(length, count * OF_CLASS), classes, groups, since: 0, over: false }
    }

    /// Begins anew at a time.
    pub fn count_from(&mut self, since: u64) {
        self.series.clear();
        self.since = since;
    }

    /// Ends: what happens from now on does not count.
    pub fn end(&mut self) {
        self.over = true;
    }

    /// Returns what was recorded.
    pub fn into_series(self) -> Series {
        self.series
    }

    /// Returns the group in which a channel of a class is recorded: those of links are, before the end.
    #[inline]
    pub fn group(&self, channel: usize, class: u8) -> Option<u16> {
        let recorded = usize::from(class) < self.classes && !self.over;
        recorded.then(|| self.groups.get(channel).copied().unwrap_or(u16::from(class)))
    }

    /// Returns the end of the interval that a time lies in, once there is room for all up to another time.
    pub fn end_of(&mut self, time: u64, until: u64) -> u64 {
        self.series.reserve(until.saturating_sub(self.since));
        self.series.end_of(time.saturating_sub(self.since)).saturating_add(self.since)
    }

    /// Adds the times that a channel has spent in the first states after on, all within the interval of a time.
    pub fn asleep(&mut self, group: u16, at: u64, times: &[u64]) {
        let first = usize::from(group) * OF_CLASS;
        let at = at.saturating_sub(self.since);
        (first..)
            .zip(times)
            .filter(|(_, time)| **time > 0)
            .for_each(|(column, time)| self.series.add(at, column, *time));
    }

    /// Adds a time that a channel has spent in a state, which is not on.
    pub fn spent(&mut self, group: u16, state: LinkState, from: u64, to: u64) {
        let column = usize::from(group) * OF_CLASS + state as usize - 1;
        let since = |time: u64| time.saturating_sub(self.since);
        self.series.last(since(from), since(to), column, 1);
    }

    /// Adds a packet that is sent from one time to another.
    #[inline(never)]
    pub fn sent(&mut self, group: u16, from: u64, to: u64, flits: u16) {
        let first = usize::from(group) * OF_CLASS + ASLEEP;
        let (from, to) = (from.saturating_sub(self.since), to.saturating_sub(self.since));
        self.series.spread(from, to, first, u64::from(flits));
        self.series.add(from, first + 1, 1);
    }
}

/// What the ranks of a shard do: the columns of its [`Series`].
pub(crate) const RANKS: usize = 2;
/// Computing, or busy with messages.
pub(crate) const BUSY: usize = 0;
/// Waiting for messages.
pub(crate) const WAITING: usize = 1;

/// Nodes without a job, on and off.
const FREE: usize = 2;

/// What was done in an interval of the measured time. Times are sums in picoseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IntervalRecord {
    /// When it begins, since the beginning of the measured time.
    pub from: Time,
    /// How long it is; the last one ends with the measured time.
    pub length: Time,
    /// What the channels of each link class did, or of each [group](ChannelGroups).
    pub classes: Vec<ClassInterval>,
    /// How long ranks computed, or were busy with messages.
    pub busy: u128,
    /// How long ranks waited for messages.
    pub waiting: u128,
    /// How long nodes were on without a job, under a scheduler.
    pub free: u128,
    /// How long nodes were off.
    pub off: u128,
}

/// What the channels of a link class, or of a group, did in an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClassInterval {
    /// Channel time in each state but on, in the order of [`LinkState::ALL`]: the first of these is not on.
    pub asleep: [u128; ASLEEP],
    /// Flits sent.
    pub flits: u64,
    /// Packets whose first bit was sent.
    pub packets: u64,
}

/// What was recorded in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OverTime {
    /// The intervals, without gaps from the beginning of the measured time to its end.
    pub intervals: Vec<IntervalRecord>,
    /// The length of all but the last.
    pub length: Time,
    /// Their length was chosen, not that of the run's length.
    pub is_chosen: bool,
    /// They are longer than at first, so that there are not too many.
    pub has_grown: bool,
}

impl OverTime {
    /// Joins what all shards have recorded of their links and ranks with the times in which nodes were free.
    pub(crate) fn new(
        length: IntervalLength,
        of_shards: impl IntoIterator<Item = (Series, Option<Series>)>,
        free: impl IntoIterator<Item = FreePeriod>,
        Time(measured): Time,
    ) -> Self {
        let is_chosen = length != IntervalLength::OfRun;
        let mut links: Option<Series> = None;
        let mut ranks = Series::new(length, RANKS);
        for (of_links, of_ranks) in of_shards {
            of_ranks.into_iter().for_each(|of_ranks| ranks.merge(of_ranks));
            match &mut links {
                None => links = Some(of_links),
                Some(all) => all.merge(of_links),
            }
        }
        let mut links = links.unwrap_or_else(|| Series::new(length, 0));
        let mut free_nodes = Series::new(length, FREE);
        for FreePeriod { on, off, nodes } in free {
            on.into_iter().for_each(|on| free_nodes.last(on.start.0, on.end.0, 0, u64::from(nodes)));
            free_nodes.last(off.start.0, off.end.0, 1, u64::from(nodes));
        }
        let mut all = [&mut links, &mut ranks, &mut free_nodes];
        all.iter_mut().for_each(|series| series.reserve(measured));
        let longest = all.iter().map(|series| series.length()).max().unwrap_or_default();
        for series in all {
            series.grow_to(longest);
            series.end(measured);
        }
        let intervals = links.intervals().zip(ranks.intervals()).zip(free_nodes.intervals());
        let length = links.length();
        let record = |(number, [links, ranks, free]): (u64, [&[u128]; 3])| {
            let from = Time(length.0.saturating_mul(number));
            IntervalRecord {
                from,
                length: Time(length.0.min(measured.saturating_sub(from.0))),
                classes: links.chunks(OF_CLASS).map(ClassInterval::of).collect(),
                busy: ranks[BUSY],
                waiting: ranks[WAITING],
                free: free[0],
                off: free[1],
            }
        };
        let intervals = intervals.map(|((links, ranks), free)| [links, ranks, free]);
        let intervals = (0..).zip(intervals).map(record).collect();
        OverTime { length, is_chosen, has_grown: links.has_grown(), intervals }
    }
}

impl ClassInterval {
    fn of(sums: &[u128]) -> Self {
        let number = |place: usize| u64::try_from(sums[place]).unwrap_or(u64::MAX);
        let asleep = std::array::from_fn(|state| sums[state]);
        ClassInterval { asleep, flits: number(ASLEEP), packets: number(ASLEEP + 1) }
    }
}
