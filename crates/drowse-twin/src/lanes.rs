//! The lanes of a link, each with a power state of its own.

use drowse_core::measure::ChannelRecord;
use drowse_core::model::units::Time;
use drowse_core::power::{LinkState, PerState, SleepStates};

/// The lanes of a link, each by itself.
#[derive(Clone, Debug)]
pub struct Lanes {
    states: SleepStates,
    pub lanes: Vec<Lane>,
    /// When lanes that have been woken carry something.
    wider_at: Option<u64>,
    /// How often the lanes in use have been halved.
    pub narrow: u32,
    wakes: u64,
}

/// One lane: its state, since when, and the time in each state since counting began.
#[derive(Clone, Debug)]
pub struct Lane {
    state: LinkState,
    since: u64,
    counted_from: u64,
    time: PerState<u64>,
}

impl Lanes {
    /// Makes lanes that are all on.
    pub fn new(count: u8, states: SleepStates) -> Self {
        let lane = Lane { state: LinkState::On, since: 0, counted_from: 0, time: [0; LinkState::COUNT] };
        Lanes { states, lanes: vec![lane; usize::from(count)], wider_at: None, narrow: 0, wakes: 0 }
    }

    /// Advances all lanes up to and including time `t`, which is a clock edge.
    pub fn advance(&mut self, t: u64) {
        let deep = self.states.deep;
        for lane in &mut self.lanes {
            let next = match lane.state {
                LinkState::Entering => (LinkState::Deep, lane.since + deep.enter.0),
                LinkState::Waking => (LinkState::On, lane.since + deep.wake.0),
                state => (state, u64::MAX),
            };
            if next.1 <= t {
                lane.go(next.0, next.1);
            }
        }
    }

    /// Lets woken lanes carry something, at a clock edge.
    pub fn widen(&mut self, t: u64) {
        if self.wider_at.take_if(|at| *at <= t).is_some() {
            self.narrow -= 1;
        }
    }

    /// Returns how many lanes are on or waking.
    pub fn wanted(&self) -> usize {
        self.lanes.iter().filter(|lane| matches!(lane.state, LinkState::On | LinkState::Waking)).count()
    }

    pub fn is_moving(&self) -> bool {
        self.lanes.iter().any(|lane| matches!(lane.state, LinkState::Entering | LinkState::Waking))
    }

    /// Halves the lanes that are on, but for the last, unless some are moving.
    pub fn halve(&mut self, t: u64) {
        let half = self.wanted() / 2;
        if half == 0 || self.is_moving() {
            return;
        }
        let on = self.lanes.iter_mut().filter(|lane| lane.state == LinkState::On);
        on.take(half).for_each(|lane| lane.go(LinkState::Entering, t));
        self.narrow += 1;
        self.advance(t);
    }

    /// Doubles the lanes that are on, up to all, unless some are moving.
    pub fn double(&mut self, t: u64) {
        let more = self.wanted();
        if more == self.lanes.len() || self.is_moving() {
            return;
        }
        let off = self.lanes.iter_mut().filter(|lane| lane.state == LinkState::Deep);
        off.take(more).for_each(|lane| lane.go(LinkState::Waking, t));
        self.wakes += 1;
        self.wider_at = Some(t + self.states.deep.wake.0);
    }

    /// Returns the account up to time `t` of a link that was on, and begins a new one.
    pub fn account(&mut self, t: u64, record: ChannelRecord) -> ChannelRecord {
        self.advance(t);
        let mut time = [0; LinkState::COUNT];
        for lane in &mut self.lanes {
            lane.time[lane.state as usize] += t - lane.since.max(lane.counted_from);
            lane.counted_from = t;
            time.iter_mut().zip(std::mem::take(&mut lane.time)).for_each(|(sum, time)| *sum += time);
        }
        let mut residency = time.map(|time| Time(time / self.lanes.len() as u64));
        residency[0] = Time::ZERO;
        residency[0] = Time(record.residency[0].0 - residency.iter().map(|time| time.0).sum::<u64>());
        ChannelRecord { residency, wakes: std::mem::take(&mut self.wakes), ..record }
    }
}

impl Lane {
    fn go(&mut self, state: LinkState, at: u64) {
        self.time[self.state as usize] += at - self.since.max(self.counted_from).min(at);
        (self.state, self.since) = (state, at);
    }
}
