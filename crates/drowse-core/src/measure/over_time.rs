//! What links and ranks did in each interval of a run: what they draw over time follows from it.

use super::series::{IntervalLength, Series};
use crate::model::link_state::LinkState;
use crate::model::units::Time;
use crate::workload::scheduler::FreePeriod;

/// The states of a channel in which it is not on.
const ASLEEP: usize = LinkState::ALL.len() - 1;
/// The sums of a link class: channel time in these states, flits, packets, and time in which channels send.
const OF_CLASS: usize = ASLEEP + 3;
const FLITS: usize = ASLEEP;
const PACKETS: usize = ASLEEP + 1;
const SENDING: usize = ASLEEP + 2;
/// Parts of a channel in which its sending is counted: as many as it may have lanes, of which some may be off.
const LANES: u64 = 16;

/// Which channels are summed up together, where not those of each link class are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelGroups {
    /// How many groups there are.
    pub count: usize,
    /// The group of each channel, by its number in the whole network.
    pub of: Vec<u16>,
}

/// A time in which a channel sends without a break.
///
/// It is kept until two others have followed. A channel sends a packet only once the one before is about to end, so
/// what it sends beyond the present time is in the last two.
#[derive(Clone, Copy, Debug, Default)]
struct Sending {
    from: u64,
    to: u64,
    /// Sixteenths of the channel that send.
    lanes: u64,
    group: u16,
}

/// Records what the channels of a shard do, by link class or group. A channel is on when it is in no other state.
#[derive(Clone, Debug)]
pub struct LinksOverTime {
    series: Series,
    classes: usize,
    /// The group of each channel of the shard; none where these are the classes.
    groups: Vec<u16>,
    /// The last times in which each channel sends, which may be to come.
    sending: Vec<[Sending; 2]>,
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
        let series = Series::new(length, count * OF_CLASS);
        LinksOverTime { series, classes, groups, sending: Vec::new(), since: 0, over: false }
    }

    /// Begins anew at a time; what channels still send then goes on.
    pub fn count_from(&mut self, since: u64) {
        self.series.clear();
        self.since = since;
        for sending in self.sending.as_flattened_mut() {
            (sending.from, sending.to) = (sending.from.max(since), sending.to.max(since));
        }
    }

    /// Ends at a time: what happens after it does not count.
    pub fn end(&mut self, at: u64) {
        for sending in std::mem::take(&mut self.sending).into_flattened() {
            self.has_sent(Sending { to: sending.to.min(at), ..sending });
        }
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

    /// Adds a packet that a channel of a group, whose lanes have been halved so often, sends from one time to another.
    #[inline(never)]
    pub fn sent(&mut self, (channel, group): (usize, u16), (from, to): (u64, u64), flits: u16, narrow: u8) {
        let first = usize::from(group) * OF_CLASS;
        let since = |time: u64| time.saturating_sub(self.since);
        let (begins, ends) = (since(from), since(to));
        self.series.spread(begins, ends, first + FLITS, u64::from(flits));
        self.series.add(begins, first + PACKETS, 1);
        self.sends(channel, Sending { from, to, lanes: LANES >> narrow, group });
    }

    /// Adds a time in which a channel sends; one that begins as the last one ends makes that longer.
    fn sends(&mut self, channel: usize, next: Sending) {
        if channel >= self.sending.len() {
            self.sending.resize(channel + 1, <[Sending; 2]>::default());
        }
        let [before, last] = &mut self.sending[channel];
        if (last.to, last.lanes) == (next.from, next.lanes) {
            last.to = next.to;
            return;
        }
        let over = std::mem::replace(before, std::mem::replace(last, next));
        self.has_sent(over);
    }

    /// Takes the lanes that go off at a time off what a channel still sends then.
    pub fn narrowed(&mut self, channel: usize, at: u64, narrow: u8) {
        let lanes = LANES >> narrow;
        for place in 0..2 {
            let Some(sending) = self.sending.get_mut(channel).map(|of_channel| &mut of_channel[place]) else { return };
            if sending.to > at && sending.lanes > lanes {
                let until = Sending { to: sending.from.max(at), ..*sending };
                (sending.from, sending.lanes) = (until.to, lanes);
                self.has_sent(until);
            }
        }
    }

    /// Counts a time in which a channel sends.
    fn has_sent(&mut self, Sending { from, to, lanes, group }: Sending) {
        let since = |time: u64| time.saturating_sub(self.since);
        self.series.last(since(from), since(to), usize::from(group) * OF_CLASS + SENDING, lanes);
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
    /// Channel time from the first bit of each packet to its last, on the lanes that were on. What is sent after the
    /// measured time by channels that begin again after it, such as answers to the last messages, may be in the last
    /// interval.
    pub sending: u128,
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
        let sending = sums[SENDING] / u128::from(LANES);
        ClassInterval { asleep, flits: number(FLITS), packets: number(PACKETS), sending }
    }
}
