//! Laws on what probes record: it is another account of what the record has.

use std::collections::BTreeMap;

use drowse_core::measure::over_time::{ClassInterval, OverTime};
use drowse_core::measure::probe::{Change, IdleBin};
use drowse_core::measure::rank_waits::RankWaits;
use drowse_core::measure::waiting::{Cause, Waiting};
use drowse_core::measure::{ProbeRecord, RankTimes, Record, Waits, Warning};
use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::Time;
use drowse_core::power::{LinkState, PerState};
use drowse_core::topology::Network;
use drowse_experiment::WorkloadSpec;
use drowse_run::outcome::Outcome;

use crate::finding::{Checked, holds};

/// Checks what probes have recorded: packets wait no longer than they are under way, and none of them for links that
/// cannot sleep; and every message has a size.
pub fn check(run: &Outcome) -> Checked {
    let (case, record) = (&run.case, &run.record);
    check_operations(record)?;
    check_waits(run)?;
    check_wakes(run)?;
    check_over_time(&case.system.network, record)?;
    check_changes(run)?;
    run.seen.iter().enumerate().try_for_each(|(channel, seen)| check_pairs(channel, seen))?;
    let by_size: u64 = record.message_sizes.classes().map(|(_, class)| class.latency.count()).sum();
    let messages = record.message_latency.count();
    holds("message sizes count all messages", by_size == messages, || format!("{by_size} of {messages}"))?;
    let mut waited = Waiting::default();
    run.seen.iter().for_each(|seen| waited.plus(&seen.waiting));
    let text = || format!("{waited:?}, all latencies {}", record.packet_latency.sum());
    let within = u128::from(waited.total().0) <= record.packet_latency.sum();
    // Packets wait that have no latency: those that only say that a message waits or may come, those of the warm-up, and
    // those that are still under way at the end, or have not even left their node.
    let left = record.warnings.iter().any(|warning| matches!(warning, Warning::NotDrained { .. }));
    let all_arrived = record.packets_delivered == record.packets_injected && !left;
    let all_counted = all_arrived && record.packet_latency.count() == record.packets_delivered;
    holds("waiting is a part of latency", within || !all_counted, text)?;
    let sleeps = case.system.config.classes.iter().any(|class| class.states.is_some());
    holds("nobody waits for sleep where none is", sleeps || waited[Cause::Asleep] == Time::ZERO, text)
}

/// The times by kind of operation sum to those of the rank. One that has no operation, such as of a trace that is cut by
/// time, may wait to start again: that wait is of no kind.
fn check_operations(record: &Record) -> Checked {
    holds("every rank has operations", record.operations.len() == record.ranks.len(), || {
        format!("{} of {} ranks", record.operations.len(), record.ranks.len())
    })?;
    for (number, (rank, kinds)) in record.ranks.iter().zip(&record.operations).enumerate() {
        let sum = kinds.values().fold(RankTimes::default(), |sum, kind| sum.plus(kind.times));
        holds("times by operation sum to the rank's", sum == rank.times || rank.operations == 0, || {
            format!("rank {number}: {sum:?}, in all {:?}", rank.times)
        })?;
        let calls: u64 = kinds.values().map(|kind| kind.calls).sum();
        holds("calls by operation sum to the rank's", calls == rank.operations, || {
            format!("rank {number}: {calls} calls of {} operations", rank.operations)
        })?;
    }
    Ok(())
}

/// What a rank has waited for each other sums to its waits, but for what is extrapolated; its longest waits are waits.
fn check_waits(run: &Outcome) -> Checked {
    let skips = run.record.extrapolation.as_ref().is_some_and(|of| !of.skipped.is_empty());
    for waits in &run.waits {
        let RankWaits { rank, by_partner, longest } = waits;
        let sum = by_partner.values().fold(Waits::default(), |sum, causes| sum.plus(*causes));
        let whole = run.record.ranks[*rank as usize].times.waits;
        holds("waits by partner sum to the rank's", skips || sum == whole, || {
            format!("rank {rank}: {sum:?}, {whole:?}")
        })?;
        let in_order = longest.windows(2).all(|two| two[0].length() >= two[1].length());
        let whole = longest.iter().all(|wait| wait.causes.total() == wait.length());
        holds("the longest waits are in order, and have causes", in_order && whole, || format!("{waits:?}"))?;
    }
    Ok(())
}

/// What messages waited for wakes is what links have lost, where all was kept and nothing was extrapolated.
fn check_wakes(run: &Outcome) -> Checked {
    let skips = run.record.extrapolation.as_ref().is_some_and(|of| !of.skipped.is_empty());
    let Some(wakes) = run.wakes.as_ref().filter(|wakes| wakes.left_out == 0 && !skips) else { return Ok(()) };
    let mut lost: BTreeMap<u32, u64> = BTreeMap::new();
    wakes.wakes.iter().for_each(|wake| *lost.entry(wake.channel).or_default() += wake.waited.0);
    for (channel, counted) in (0..).zip(&run.record.channels) {
        let lost = lost.get(&channel).copied().unwrap_or(0);
        holds("waits for wakes sum to the time lost", lost == counted.time_lost.0, || {
            format!("channel {channel}: {lost}, {counted:?}")
        })?;
    }
    Ok(())
}

/// Intervals follow each other up to the end of the measured time, and what they count sums to the record.
fn check_over_time(network: &Network, record: &Record) -> Checked {
    let Some(OverTime { intervals, length, .. }) = &record.over_time else { return Ok(()) };
    let mut end = Time::ZERO;
    for (number, interval) in intervals.iter().enumerate() {
        let follows = interval.from == end && (interval.length == *length || number + 1 == intervals.len());
        holds("intervals follow each other", follows, || format!("{interval:?} after {end}"))?;
        end = interval.from + interval.length;
    }
    check_link_time(network, record)?;
    holds("intervals end with the run", end == record.measured, || format!("{end}, not {}", record.measured))?;
    let law = "intervals sum to the whole";
    // Sums are by class, or by channels that draw alike.
    let mut sum = ClassInterval::default();
    intervals.iter().flat_map(|interval| &interval.classes).for_each(|part| {
        sum.asleep.iter_mut().zip(part.asleep).for_each(|(sum, time)| *sum += time);
        (sum.flits, sum.packets) = (sum.flits + part.flits, sum.packets + part.packets);
    });
    let whole = of_links(network, record);
    holds(law, sum == whole, || format!("{sum:?}, in all {whole:?}"))?;
    let of_ranks =
        |time: fn(&RankTimes) -> u64| -> u128 { record.ranks.iter().map(|rank| u128::from(time(&rank.times))).sum() };
    let busy = of_ranks(|times| times.computing.0 + times.overhead.0);
    let waiting = of_ranks(|times| times.sending.0 + times.receiving.0 + times.collectives.0);
    let [free, off] = record.free_nodes.map_or([0; 2], |times| [times.on, times.off]);
    let mut sums = [0; 4];
    for interval in intervals {
        let of_interval = [interval.busy, interval.waiting, interval.free, interval.off];
        sums.iter_mut().zip(of_interval).for_each(|(sum, more)| *sum += more);
    }
    let whole = [busy, waiting, free, off];
    holds(law, sums == whole, || format!("busy, waiting, free and off {sums:?}, in all {whole:?}"))
}

/// Links that send, or are not on, do so one at a time. Times of lanes are rounded by a picosecond a state, and in the
/// last interval may be what is sent after the measured time.
fn check_link_time(network: &Network, record: &Record) -> Checked {
    let Some(OverTime { intervals, .. }) = &record.over_time else { return Ok(()) };
    let is_link = |channel| usize::from(network.channel_class(ChannelId(channel))) < network.classes.len();
    let links = (0..network.channels()).filter(|&channel| is_link(channel)).count() as u128;
    let before_the_last = intervals.split_last().map_or(&[][..], |(_, others)| others);
    for interval in before_the_last {
        let spent =
            interval.classes.iter().map(|class| class.sending + class.asleep.iter().sum::<u128>()).sum::<u128>();
        let most = links * (u128::from(interval.length.0) + LinkState::COUNT as u128);
        holds("links send while they are on", spent <= most, || format!("{spent} ps of {most} in {interval:?}"))?;
    }
    Ok(())
}

/// Sums what the channels of links did.
fn of_links(network: &Network, record: &Record) -> ClassInterval {
    let mut whole = ClassInterval::default();
    let channels = (0..).map(ChannelId).zip(&record.channels);
    let of_links = channels.filter(|(channel, _)| usize::from(network.channel_class(*channel)) < network.classes.len());
    for (_, record) in of_links {
        whole.asleep.iter_mut().zip(&record.residency[1..]).for_each(|(sum, time)| *sum += u128::from(time.0));
        whole.flits += record.flits;
        whole.packets += record.packets;
    }
    whole
}

/// The recorded changes of a channel's state are those that its times in each state come from.
fn check_changes(run: &Outcome) -> Checked {
    let begins = match &run.case.workload {
        WorkloadSpec::Traffic(traffic) => traffic.warmup,
        WorkloadSpec::Jobs(_) => Time::ZERO,
    };
    let ends = begins + run.record.measured;
    let narrows = |seen: &ProbeRecord| !seen.lanes.is_empty();
    let channels = run.record.channels.iter().zip(&run.seen).enumerate();
    for (channel, (counted, seen)) in channels.filter(|(_, (_, seen))| seen.left_out == 0 && !narrows(seen)) {
        let replayed = replay(&seen.changes, begins, ends);
        holds("changes of state take the times in each", replayed == Some(counted.residency), || {
            format!("channel {channel}: {replayed:?}, recorded {:?}; {:?}", counted.residency, seen.changes)
        })?;
    }
    Ok(())
}

/// Adds up how long each state lasts; `None` where the changes are not in order, the first with the state at the beginning.
fn replay(changes: &[Change], begins: Time, ends: Time) -> Option<PerState<Time>> {
    let mut residency = [Time::ZERO; LinkState::COUNT];
    if begins >= ends {
        return Some(residency);
    }
    let (first, others) = changes.split_first().filter(|(first, _)| first.time == begins)?;
    let (mut now, mut state) = (first.time, first.state);
    for change in others {
        if change.time <= now || change.time >= ends || change.state == state {
            return None;
        }
        residency[state as usize] += change.time - now;
        (now, state) = (change.time, change.state);
    }
    residency[state as usize] += ends - now;
    Some(residency)
}

/// Every idle period but the last has a next one, and every one but the first is one.
fn check_pairs(channel: usize, seen: &ProbeRecord) -> Checked {
    let mut ended: BTreeMap<IdleBin, i128> = BTreeMap::new();
    seen.periods.iter().for_each(|(&bin, tally)| *ended.entry(bin).or_default() += i128::from(tally.count));
    if let Some(bin) = seen.unfinished {
        *ended.entry(bin).or_default() -= 1;
    }
    let any = i128::from(ended.values().sum::<i128>() > 0);
    for (which, name) in [(0, "first"), (1, "second")] {
        let mut left = ended.clone();
        for (&(first, second), tally) in &seen.pairs {
            *left.entry([first, second][which]).or_default() -= i128::from(tally.count);
        }
        let missing = left.values().sum::<i128>();
        holds("idle periods follow each other", missing == any && left.values().all(|&left| left >= 0), || {
            format!("channel {channel}: {missing} periods are the {name} of no pair")
        })?;
    }
    Ok(())
}
