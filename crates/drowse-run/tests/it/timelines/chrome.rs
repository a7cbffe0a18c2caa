//! A plain reader of Chrome's trace events.

use std::collections::HashMap;

use serde_json::Value;

use super::{Message, Slice};

/// A Chrome trace: the fields that its format documents, and nothing else.
#[derive(Default)]
pub struct Chrome {
    /// By process and thread.
    pub tracks: HashMap<(String, String), Vec<Slice>>,
    pub messages: Vec<Message>,
    pub counters: usize,
    pub about: Value,
}

impl Chrome {
    pub fn read(text: &str) -> Self {
        let json: Value = serde_json::from_str(text).unwrap();
        assert_eq!(json["displayTimeUnit"], "ns");
        let events = json["traceEvents"].as_array().unwrap();
        let ps = |value: &Value| {
            let us = value.as_f64().unwrap();
            assert!(us >= 0.0);
            picoseconds(us)
        };
        let ids = |event: &Value| [&event["pid"], &event["tid"]].map(|id| id.as_u64().unwrap());
        let mut names: HashMap<(u64, Option<u64>), String> = HashMap::new();
        let mut chrome = Chrome { about: json["otherData"].clone(), ..Chrome::default() };
        for event in events.iter().filter(|event| event["ph"] == "M") {
            let name = event["name"].as_str().unwrap();
            if ["process_name", "thread_name"].contains(&name) {
                let thread = (name == "thread_name").then(|| event["tid"].as_u64().unwrap());
                let of = (event["pid"].as_u64().unwrap(), thread);
                assert!(names.insert(of, event["args"]["name"].as_str().unwrap().into()).is_none());
            } else {
                assert!(["process_sort_index", "thread_sort_index"].contains(&name), "{event}");
                assert!(event["args"]["sort_index"].is_u64());
            }
        }
        let place = |event: &Value| {
            let [process, thread] = ids(event);
            (names[&(process, None)].clone(), names[&(process, Some(thread))].clone())
        };
        for (process, thread) in names.keys().filter_map(|&(process, thread)| Some((process, thread?))) {
            let place = (names[&(process, None)].clone(), names[&(process, Some(thread))].clone());
            assert!(chrome.tracks.insert(place, Vec::new()).is_none(), "names are unique");
        }
        let mut open: HashMap<u64, Message> = HashMap::new();
        let mut begun: HashMap<(String, String), (u64, String)> = HashMap::new();
        // As Perfetto does: in the order of time, and of the file where times are equal.
        let mut timed: Vec<&Value> = events.iter().filter(|event| event["ph"] != "M").collect();
        timed.sort_by_key(|event| ps(&event["ts"]));
        for event in timed {
            match event["ph"].as_str().unwrap() {
                "B" => {
                    assert!(event["cat"].is_string());
                    let state = event["name"].as_str().unwrap().to_owned();
                    assert!(begun.insert(place(event), (ps(&event["ts"]), state)).is_none(), "one state at a time");
                }
                "E" => {
                    let (from, state) = begun.remove(&place(event)).unwrap();
                    let slices = chrome.tracks.get_mut(&place(event)).unwrap();
                    slices.push(Slice { from, to: ps(&event["ts"]), state });
                }
                "s" => {
                    assert!(begun.contains_key(&place(event)), "an arrow begins in a state: {event}");
                    let (from, called, bytes) =
                        (place(event), ps(&event["ts"]), event["args"]["bytes"].as_u64().unwrap());
                    let message = Message { to: from.clone(), from, times: [called; 2], bytes };
                    let sent = [&event["args"]["sent_us"], &event["args"]["delivered_us"]].map(ps);
                    assert!(called <= sent[0] && sent[0] <= sent[1]);
                    assert!(open.insert(event["id"].as_u64().unwrap(), message).is_none());
                }
                "f" => {
                    assert!(begun.contains_key(&place(event)), "an arrow ends in a state: {event}");
                    let mut message = open.remove(&event["id"].as_u64().unwrap()).unwrap();
                    assert_eq!(event["bp"], "e");
                    (message.to, message.times[1]) = (place(event), ps(&event["ts"]));
                    chrome.messages.push(message);
                }
                "C" => chrome.counters += usize::from(event["args"]["on"].as_u64().unwrap() > 0),
                other => panic!("{other} is no event of ours"),
            }
        }
        assert!(open.is_empty() && begun.is_empty(), "every message and every state ends");
        chrome
    }
}

#[expect(clippy::cast_sign_loss, reason = "no time is negative")]
pub fn picoseconds(us: f64) -> u64 {
    (us * 1e6).round() as u64
}
