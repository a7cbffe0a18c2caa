//! MPI matching against a plain model of its rules (MPI 4.1, section 3.5): a model that knows the whole history and works
//! out from the times of all events who is matched with whom.

use drowse_core::workload::matching::{Context, Envelope, Matcher, Posted};
use proptest::prelude::*;

use crate::common::proptest_config;

/// Something that happens at a rank: a message arrives, or it posts a receive, or it looks for a message.
#[derive(Clone, Debug)]
enum Event {
    Arrives { message: usize },
    Posts(Posted),
    Probes(Posted),
}

/// A message: sender, tag, context, and its number among those of its sender.
type Message = (u32, u32, Context, u32);

/// Works out the pairs of receive and message, each by the place of its event; and what each probe finds.
fn model(messages: &[Message], events: &[Event]) -> (Vec<(usize, usize)>, Vec<bool>) {
    let arrival = |wanted: usize| {
        events.iter().position(|event| matches!(event, Event::Arrives { message } if *message == wanted))
    };
    // A message can be matched once it and all that its sender sent before have arrived.
    let ready: Vec<Option<usize>> = (0..messages.len())
        .map(|m| {
            let earlier = |&other: &usize| messages[other].0 == messages[m].0 && messages[other].3 <= messages[m].3;
            (0..messages.len()).filter(earlier).map(arrival).collect::<Option<Vec<_>>>()?.into_iter().max()
        })
        .collect();
    let fits = |receive: &Posted, m: usize| {
        let (from, tag, context, _) = messages[m];
        receive.context == context && receive.from.is_none_or(|f| f == from) && receive.tag.is_none_or(|t| t == tag)
    };
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut probes = Vec::new();
    for (now, event) in events.iter().enumerate() {
        let free = |m: usize, pairs: &[(usize, usize)]| pairs.iter().all(|pair| pair.1 != m);
        let by_age = |m: &usize| (ready[*m], messages[*m].3);
        let there = |m: &usize| ready[*m].is_some_and(|ready| ready <= now);
        match event {
            Event::Posts(receive) => {
                let found = (0..messages.len()).filter(|m| there(m) && free(*m, &pairs) && fits(receive, *m));
                pairs.extend(found.min_by_key(by_age).map(|m| (now, m)));
            }
            Event::Probes(receive) => {
                probes.push((0..messages.len()).any(|m| there(&m) && free(m, &pairs) && fits(receive, m)));
            }
            Event::Arrives { .. } => {
                let mut came: Vec<usize> = (0..messages.len()).filter(|&m| ready[m] == Some(now)).collect();
                came.sort_by_key(|&m| messages[m].3);
                for m in came {
                    let waits = |&place: &usize| {
                        let waits = |receive: &Posted| fits(receive, m) && pairs.iter().all(|pair| pair.0 != place);
                        matches!(&events[place], Event::Posts(receive) if waits(receive))
                    };
                    pairs.extend((0..now).find(waits).map(|place| (place, m)));
                }
            }
        }
    }
    pairs.sort_unstable();
    (pairs, probes)
}

/// Runs the same events.
fn run(messages: &[Message], events: &[Event]) -> (Vec<(usize, usize)>, Vec<bool>, [usize; 2]) {
    let mut matcher = Matcher::new();
    let (mut pairs, mut probes) = (Vec::new(), Vec::new());
    for (now, event) in events.iter().enumerate() {
        match event {
            Event::Posts(receive) => {
                let found = matcher.post(Posted { request: now as u32, ..*receive });
                pairs.extend(found.map(|envelope| (now, envelope.payload)));
            }
            Event::Probes(receive) => probes.push(matcher.has(receive)),
            Event::Arrives { message } => {
                let (from, tag, context, sequence) = messages[*message];
                let envelope = Envelope { from, tag, context, payload: *message };
                matcher.arrive(sequence, envelope, |request, message| pairs.push((request as usize, message)));
            }
        }
    }
    pairs.sort_unstable();
    (pairs, probes, [matcher.unmatched(), matcher.unreceived()])
}

/// Draws messages of three senders with two tags in three contexts, and events of which some never happen.
fn cases() -> impl Strategy<Value = (Vec<Message>, Vec<Event>)> {
    let context = || (0u32..2, 0u32..2).prop_map(|(comm, collective)| Context { comm, collective });
    let wanted = (prop::option::of(0u32..3), prop::option::of(0u32..2), context());
    let receives = prop::collection::vec((wanted, 0u8..4), 0..25);
    let messages = prop::collection::vec((0u32..3, 0u32..2, context(), prop::bool::weighted(0.9)), 0..25);
    (messages, receives).prop_flat_map(|(drawn, receives)| {
        let number = |m: usize| drawn[..m].iter().filter(|other| other.0 == drawn[m].0).count() as u32;
        let messages: Vec<Message> =
            (0..drawn.len()).map(|m| (drawn[m].0, drawn[m].1, drawn[m].2, number(m))).collect();
        let arrivals = (0..drawn.len()).filter(|&m| drawn[m].3).map(|message| Event::Arrives { message });
        let receives = receives.into_iter().map(|((from, tag, context), kind)| {
            let wanted = Posted { from, tag, context, request: 0 };
            if kind == 0 { Event::Probes(wanted) } else { Event::Posts(wanted) }
        });
        let events: Vec<Event> = arrivals.chain(receives).collect();
        (Just(messages), Just(events).prop_shuffle())
    })
}

proptest! {
    #![proptest_config(proptest_config(2_000))]

    #[test]
    fn matches_equal_a_plain_model((messages, events) in cases()) {
        let (pairs, probes, [unmatched, unreceived]) = run(&messages, &events);
        prop_assert_eq!((pairs.clone(), probes), model(&messages, &events));
        let count = |kind: fn(&Event) -> bool| events.iter().filter(|event| kind(event)).count();
        prop_assert_eq!(unmatched, count(|event| matches!(event, Event::Posts(_))) - pairs.len());
        prop_assert_eq!(unreceived, count(|event| matches!(event, Event::Arrives { .. })) - pairs.len());
        // What MPI promises of two messages of one sender in one communicator: if both fit two receives, they are taken
        // in their order.
        for &(earlier, first) in &pairs {
            for &(later, second) in pairs.iter().filter(|&&(later, _)| later > earlier) {
                let ((from, _, context, number), other) = (messages[first], messages[second]);
                let Event::Posts(receive) = &events[earlier] else { unreachable!("a receive") };
                let fits = receive.tag.is_none_or(|tag| tag == other.1);
                let overtakes = (from, context) == (other.0, other.2) && fits && other.3 < number;
                prop_assert!(!overtakes, "receives {} and {}", earlier, later);
            }
        }
    }
}
