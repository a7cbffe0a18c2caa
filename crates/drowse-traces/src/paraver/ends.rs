//! Which call each end of a message is in.
//!
//! A message names times, not calls. Its send begins in the call that begins at that time. Its receive begins where
//! `MPI_Recv` begins and where `MPI_Irecv` ends, as Extrae writes them; other tools write the begin of both. Of several
//! calls at one time, each gets one message before any gets two.

use super::call::{Call, Message};
use super::calls;

/// A call that may hold an end of a message at a time: the time, where it comes among those of that time, its place.
type Candidate = (u64, u8, u32);

/// Finds the calls of all ends of messages, and notes on both sides what was found.
pub(super) fn assign(ranks: &mut [Vec<Call>], messages: &mut [Message]) {
    let (mut sends, mut receives) = (by_rank(ranks.len()), by_rank(ranks.len()));
    for (place, message) in (0..).zip(messages.iter()) {
        sends[message.from as usize].push((message.sent, place));
        receives[message.to as usize].push((message.posted, place));
    }
    for ((calls, sends), receives) in ranks.iter_mut().zip(sends).zip(receives) {
        assign_in_turn(senders(calls), sends, |message, call| {
            calls[call as usize].has_send = true;
            messages[message as usize].send_call = calls[call as usize].value;
        });
        assign_in_turn(receivers(calls), receives, |message, call| {
            calls[call as usize].has_receive = true;
            messages[message as usize].receive_call = calls[call as usize].value;
        });
    }
}

/// Returns an empty list for each rank.
fn by_rank(ranks: usize) -> Vec<Vec<(u64, u32)>> {
    (0..ranks).map(|_| Vec::new()).collect()
}

/// Returns where sends may begin.
fn senders(calls: &[Call]) -> Vec<Candidate> {
    let all = (0..).zip(calls).filter(|(_, call)| calls::sends(call.kind, call.value));
    all.map(|(place, call)| (call.begin, 0, place)).collect()
}

/// Returns where receives may begin.
fn receivers(calls: &[Call]) -> Vec<Candidate> {
    let all = (0..).zip(calls).filter(|(_, call)| calls::receives(call.kind, call.value));
    all.flat_map(|(place, call)| {
        let at_end = calls::is_posted(call.value);
        [(call.begin, u8::from(at_end), place), (call.end, u8::from(!at_end), place)]
    })
    .collect()
}

/// Assigns the ends of messages to the candidates of their times. An end without a candidate is assigned to none.
fn assign_in_turn(mut calls: Vec<Candidate>, mut ends: Vec<(u64, u32)>, mut give: impl FnMut(u32, u32)) {
    calls.sort_unstable();
    ends.sort_unstable();
    let last = calls.iter().map(|&(_, _, place)| place as usize + 1).max();
    let mut has_one = vec![false; last.unwrap_or_default()];
    let mut next = 0;
    for (time, message) in ends {
        let is_at = |place: usize| calls.get(place).is_some_and(|call| call.0 == time);
        while let Some(&(at, _, call)) = calls.get(next)
            && (at < time || at == time && has_one[call as usize] && is_at(next + 1))
        {
            next += 1;
        }
        if let Some(&(at, _, call)) = calls.get(next)
            && at == time
        {
            has_one[call as usize] = true;
            give(message, call);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assigned(calls: &[Candidate], ends: &[(u64, u32)]) -> Vec<(u32, u32)> {
        let mut given = Vec::new();
        assign_in_turn(calls.to_vec(), ends.to_vec(), |message, call| given.push((message, call)));
        given
    }

    #[test]
    fn each_call_gets_one_message_before_any_gets_two() {
        let calls = [(5, 0, 0), (5, 0, 1), (7, 0, 2)];
        assert_eq!(assigned(&calls, &[(5, 0), (5, 1), (5, 2), (6, 3), (7, 4)]), [(0, 0), (1, 1), (2, 1), (4, 2)]);
    }

    /// Two receives without a gap between them, whose messages begin at the ends of both, or at the begins of both.
    #[test]
    fn neighbours_keep_their_own_messages() {
        let calls = [(1, 1, 0), (5, 0, 0), (5, 1, 1), (9, 0, 1)];
        assert_eq!(assigned(&calls, &[(5, 0), (9, 1)]), [(0, 0), (1, 1)]);
        assert_eq!(assigned(&calls, &[(1, 0), (5, 1)]), [(0, 0), (1, 1)]);
    }
}
