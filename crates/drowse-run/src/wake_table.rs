//! The table of wakes for which messages waited.

use drowse_core::measure::critical_messages::Leg;
use drowse_core::measure::wakes::{DelayedMessage, Wake};
use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::Time;
use drowse_tables::Row;
use drowse_tables::schema::wakes;

use crate::ends::{end_name, source};
use crate::jobs_of::JobsOf;
use crate::outcome::Outcome;

/// How many wakes have a row that are not on the critical path.
const OTHERS: usize = 1_000;

/// A wake, the message that waited for it, and whether that was on the critical path.
pub struct Waited<'o> {
    /// The wake.
    pub wake: &'o Wake,
    /// The message.
    pub message: &'o DelayedMessage,
    /// It was on the critical path.
    pub on_path: bool,
}

/// Returns the wakes that are told: those on the critical path, the longest wait first, and the longest others.
pub fn told(outcome: &Outcome) -> Vec<Waited<'_>> {
    let Some(seen) = &outcome.wakes else { return Vec::new() };
    let legs = path(outcome).unwrap_or_default();
    let with_message = seen.wakes.iter().filter_map(|wake| Some((wake, seen.message(wake)?)));
    let mut all: Vec<Waited<'_>> =
        with_message.map(|(wake, message)| Waited { wake, message, on_path: seen.is_on(wake, &legs) }).collect();
    all.sort_by_key(|waited| (!waited.on_path, std::cmp::Reverse(waited.wake.waited)));
    all.truncate(all.partition_point(|waited| waited.on_path) + OTHERS);
    all
}

/// Returns the legs of the path to the end of the last rank.
fn path(outcome: &Outcome) -> Option<Vec<Leg>> {
    let ranks = outcome.record.ranks.iter().enumerate().rev();
    let (last, rank) = ranks.max_by_key(|(_, rank)| rank.finish)?;
    outcome.wakes.as_ref()?.path(last as u32, rank.finish)
}

/// Returns the rows of `wakes.csv` of a case.
pub fn rows(outcome: &Outcome) -> impl Iterator<Item = Row> {
    let network = &outcome.case.system.network;
    let jobs = JobsOf::new(outcome);
    told(outcome).into_iter().map(move |Waited { wake, message, on_path }| {
        let channel = ChannelId(wake.channel);
        let (job, first) = jobs.of(message.from_rank).unwrap_or_default();
        let timer = |time: Time| (time != Time::NEVER).then_some(time.0);
        let mut row = Row::new();
        row.push(wakes::CASE_ID, outcome.case_id());
        row.push(wakes::ON_PATH, on_path);
        row.push(wakes::CHANNEL, wake.channel);
        row.push(wakes::FROM, end_name(network, source(network, channel)));
        row.push(wakes::TO, end_name(network, network.target(channel)));
        row.push(wakes::CLASS, network.classes[usize::from(network.channel_class(channel))].as_str());
        row.push(wakes::AWAKE_PS, wake.awake.0);
        row.push(wakes::WAITED_PS, wake.waited.0);
        row.push(wakes::IDLE_SINCE_PS, wake.idle_since.0);
        row.push_some(wakes::SHALLOW_PS, timer(wake.timers.shallow));
        row.push_some(wakes::DEEP_PS, timer(wake.timers.deep));
        row.push(wakes::JOB, job);
        row.push(wakes::FROM_RANK, message.from_rank - first);
        row.push(wakes::TO_RANK, message.to_rank.saturating_sub(first));
        row.push(wakes::BYTES, message.bytes);
        row.push(wakes::CONTROL, message.is_control);
        row.push(wakes::SENT_PS, message.sent.0);
        row
    })
}
