//! What a timeline shows: tracks with the states of ranks and links, and the messages between ranks.
//!
//! All tracks are complete up to the scene's end. Where one has more records than are kept, the scene ends there, and
//! what comes later is counted.

use std::ops::Range;

use drowse_core::measure::ProbeRecord;
use drowse_core::measure::probe::LaneChange;
use drowse_core::measure::timeline::{Excerpt, MessageSpan, RankState, RankTimeline};
use drowse_core::model::ids::ChannelId;
use drowse_core::model::link_state::LinkState;
use drowse_core::model::units::Time;
use drowse_core::topology::Network;
use drowse_experiment::WorkloadSpec;

use crate::ends::{end_name, source};
use crate::outcome::Outcome;

/// A state of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Of a rank.
    Rank(RankState),
    /// Of a link.
    Link(LinkState),
}

impl State {
    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self {
            State::Rank(state) => state.name(),
            State::Link(state) => state.name(),
        }
    }
}

/// A time in one state.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// When it begins.
    pub from: Time,
    /// When it ends.
    pub to: Time,
    /// The state.
    pub state: State,
}

/// A rank, or a channel.
pub struct Track {
    /// Its name.
    pub name: String,
    /// The number of the rank within its job, or of the channel.
    pub number: u32,
    /// The node of a rank; the network has the channels.
    pub node: Option<u32>,
    /// What it does, without gaps.
    pub spans: Vec<Span>,
    /// How many of its lanes are on, where it narrows.
    pub lanes: Vec<LaneChange>,
}

/// A job with its ranks, or the network with its channels.
pub struct Group {
    /// Its name.
    pub name: String,
    /// Its tracks.
    pub tracks: Vec<Track>,
}

/// The place of a track: its group, and which of that it is.
pub type Place = (usize, usize);

/// A message between two tracks.
pub struct Arrow {
    /// The sender.
    pub from: Place,
    /// The receiver.
    pub to: Place,
    /// The message.
    pub message: MessageSpan,
}

impl Arrow {
    /// Returns when the message was received, or else delivered.
    pub fn ends(&self) -> Time {
        ends(&self.message)
    }
}

/// What a timeline shows.
pub struct Scene {
    /// The experiment.
    pub title: String,
    /// The case.
    pub case: String,
    /// The time that it shows.
    pub window: Range<Time>,
    /// Jobs, then the network; those without tracks are left out.
    pub groups: Vec<Group>,
    /// Messages in the order in which they were sent.
    pub arrows: Vec<Arrow>,
    /// States and messages of the window that are left out.
    pub left_out: u64,
    /// Messages that lie partly in the window.
    pub crossing: u64,
    /// Until when the window was to last.
    wanted: Time,
}

impl Scene {
    /// Makes the scene of a case, if it has a timeline.
    pub fn new(outcome: &Outcome) -> Option<Self> {
        let (excerpt, ranks) = outcome.timeline.as_ref()?;
        let run = measured(outcome);
        let wanted = run.end.min(excerpt.window.end);
        let start = run.start.max(excerpt.window.start).min(wanted);
        let ends = ranks.iter().map(|rank| rank.complete_until).chain(channel_ends(outcome, excerpt, start));
        let window = start..ends.fold(wanted, Time::min).max(start);
        let mut scene = Scene {
            title: outcome.case.system.title.clone(),
            case: outcome.case_id().to_string(),
            window,
            groups: Vec::new(),
            arrows: Vec::new(),
            left_out: 0,
            crossing: 0,
            wanted,
        };
        scene.add_jobs(outcome, ranks);
        scene.add_channels(outcome, excerpt);
        Some(scene)
    }

    /// Adds the ranks of all jobs, and their messages.
    fn add_jobs(&mut self, outcome: &Outcome, timelines: &[RankTimeline]) {
        let mut places: Vec<Option<Place>> = vec![None; outcome.record.ranks.len()];
        let (mut first, mut left) = (0, timelines);
        for job in &outcome.record.jobs {
            let (mine, others) = left.split_at(left.partition_point(|rank| rank.rank < first + job.ranks));
            left = others;
            let mut tracks = Vec::new();
            for timeline in mine {
                places[timeline.rank as usize] = Some((self.groups.len(), tracks.len()));
                let spans = timeline.states.iter();
                let spans = spans.map(|span| Span { from: span.from, to: span.to, state: State::Rank(span.state) });
                tracks.push(Track {
                    name: format!("rank {}", timeline.rank - first),
                    number: timeline.rank - first,
                    node: Some(outcome.record.ranks[timeline.rank as usize].node),
                    spans: self.cut(spans),
                    lanes: Vec::new(),
                });
                self.left_out += timeline.left_out;
                self.crossing += timeline.crossing;
            }
            self.add_group(job.name.clone(), tracks);
            first += job.ranks;
        }
        for timeline in timelines {
            let Some(to) = places[timeline.rank as usize] else { continue };
            for &message in &timeline.messages {
                let Some(from) = places[message.from_rank as usize] else { continue };
                if ends(&message) <= self.window.end {
                    self.arrows.push(Arrow { from, to, message });
                } else if ends(&message) <= self.wanted {
                    self.left_out += 1;
                } else {
                    self.crossing += 1;
                }
            }
        }
        self.arrows.sort_by_key(|arrow| (arrow.message.called, arrow.from, arrow.to));
    }

    /// Adds the channels that are selected.
    fn add_channels(&mut self, outcome: &Outcome, excerpt: &Excerpt) {
        let network = &*outcome.case.system.network;
        let mut tracks = Vec::new();
        for (channel, seen) in selected(outcome, excerpt) {
            let window = self.window.clone();
            let lanes = seen.lanes.iter().filter(|change| change.time < window.end);
            let lanes = lanes.map(|change| LaneChange { time: change.time.max(window.start), ..*change }).collect();
            let spans = self.cut(spans(seen, self.wanted));
            tracks.push(Track { name: name(network, channel), number: channel.0, node: None, spans, lanes });
            self.left_out += seen.left_out;
        }
        self.add_group("links".into(), tracks);
    }

    fn add_group(&mut self, name: String, tracks: Vec<Track>) {
        if !tracks.is_empty() {
            self.groups.push(Group { name, tracks });
        }
    }

    /// Cuts states to the scene's time, and counts those that come later.
    fn cut(&mut self, spans: impl Iterator<Item = Span>) -> Vec<Span> {
        let Range { start, end } = self.window;
        let mut kept = Vec::new();
        for span in spans {
            let (from, to) = (span.from.max(start), span.to.min(end));
            if from < to {
                kept.push(Span { from, to, ..span });
            } else if span.from >= end && span.from < self.wanted {
                self.left_out += 1;
            }
        }
        kept
    }

    /// Says what the scene leaves out, if anything.
    pub fn note(&self) -> Option<String> {
        if self.groups.is_empty() {
            return Some("shows nothing: no rank and no link is selected".into());
        }
        let until = self.window.end;
        (self.left_out > 0).then(|| {
            format!(
                "ends at {until} instead of {}, and leaves out {} records that come later; --timeline-window, \
                 --timeline-ranks and --timeline-links show less, --timeline-limit allows more",
                self.wanted, self.left_out
            )
        })
    }
}

fn ends(message: &MessageSpan) -> Time {
    message.received.map_or(message.delivered, |received| received.max(message.delivered))
}

/// Returns the measured time of a case.
fn measured(outcome: &Outcome) -> Range<Time> {
    let start = match &outcome.case.workload {
        WorkloadSpec::Traffic(traffic) => traffic.warmup,
        WorkloadSpec::Jobs(_) => Time::ZERO,
    };
    start..start.saturating_add(outcome.record.measured)
}

/// Returns the channels of an excerpt.
fn selected<'o>(outcome: &'o Outcome, excerpt: &'o Excerpt) -> impl Iterator<Item = (ChannelId, &'o ProbeRecord)> {
    let channels = (0..).map(ChannelId).zip(&outcome.seen);
    channels.filter(|(channel, _)| excerpt.selection.has_channel(channel.0))
}

/// Returns up to when the channels that have too many changes are complete.
fn channel_ends<'o>(outcome: &'o Outcome, excerpt: &'o Excerpt, start: Time) -> impl Iterator<Item = Time> + 'o {
    let end = move |(_, seen): (ChannelId, &ProbeRecord)| {
        // A record of the whole run, for the table, may hold more than the excerpt.
        let before = seen.changes.partition_point(|change| change.time <= start).saturating_sub(1);
        let first = seen.changes.get(before.saturating_add(excerpt.most_of_channel)).map(|change| change.time);
        [first, seen.left_out_from].into_iter().flatten().min()
    };
    selected(outcome, excerpt).filter_map(end)
}

/// Returns the states of a channel up to an end.
fn spans(seen: &ProbeRecord, end: Time) -> impl Iterator<Item = Span> {
    let ends = seen.changes.iter().skip(1).map(|change| change.time).chain([end]);
    seen.changes.iter().zip(ends).map(|(change, to)| Span { from: change.time, to, state: State::Link(change.state) })
}

/// Returns the name of a channel.
fn name(network: &Network, channel: ChannelId) -> String {
    let [from, to] = [source(network, channel), network.target(channel)].map(|end| end_name(network, end));
    format!("channel {}: {from} to {to}", channel.0)
}
