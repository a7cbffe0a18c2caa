//! One case by packets and by flows, side by side.

use drowse_core::measure::{MessageSizes, SizeClass};
use drowse_core::model::config::SwitchModel;
use drowse_tables::Row;
use drowse_tables::schema::{Column, cases};

use crate::outcome::Outcome;

/// A figure by packets and by flows.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// What it is, in words.
    pub words: String,
    /// Its unit, as in the columns of the result tables; `1` for a share.
    pub unit: &'static str,
    /// By packets.
    pub packets: Option<f64>,
    /// By flows.
    pub flows: Option<f64>,
}

impl Compared {
    /// Returns by which share flows are above packets; `None` where that is not known, or packets have 0.
    pub fn difference(&self) -> Option<f64> {
        let packets = self.packets.filter(|&packets| packets.abs() > 0.0)?;
        Some(self.flows? / packets - 1.0)
    }
}

/// Figures of one subject.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// What they are about.
    pub words: String,
    /// The figures.
    pub figures: Vec<Compared>,
}

/// Compares a case by packets with the same case by flows, both with the sizes of their messages.
pub fn compare(packets: &Outcome, flows: &Outcome) -> Vec<Subject> {
    let rows = [packets, flows].map(Outcome::figures);
    let mut subjects = vec![Subject { words: "the run".into(), figures: of_run(&rows) }];
    subjects.extend(of_sizes(packets, flows));
    subjects.extend(packets.case.system.network.classes.iter().map(|class| of_class(class, &rows)));
    subjects.retain(|subject| !subject.figures.is_empty());
    subjects
}

/// Compares a column; nothing where neither has it.
fn column(words: &str, unit: &'static str, rows: &[Row; 2], value: impl Fn(&Row) -> Option<f64>) -> Option<Compared> {
    let [packets, flows] = rows.each_ref().map(value);
    let known = packets.is_some() || flows.is_some();
    known.then(|| Compared { words: words.to_owned(), unit, packets, flows })
}

/// Compares run time, energy and sleep of the whole network.
fn of_run(rows: &[Row; 2]) -> Vec<Compared> {
    let columns = [
        ("run time", cases::MAKESPAN_S),
        ("energy of links, switches and NICs", cases::ENERGY_NETWORK_J),
        ("energy of all links", cases::ENERGY_LINKS_ALL_J),
        ("power of links, switches and NICs", cases::POWER_NETWORK_W),
        ("message latency, mean", cases::LATENCY_MESSAGE_MEAN_NS),
        ("message latency, 99th percentile", cases::LATENCY_MESSAGE_P99_NS),
        ("time on, mean of links that may sleep", cases::LINKS_ON_FRACTION),
        ("wakes of links that may sleep", cases::LINKS_WAKES),
        ("messages delayed by waking links", cases::LINKS_DELAYED_MESSAGES),
    ];
    let of = |(words, name): (&str, Column)| column(words, name.unit, rows, |row| row.number(name));
    columns.into_iter().filter_map(of).collect()
}

/// Compares what the links of a class did.
fn of_class(class: &str, rows: &[Row; 2]) -> Subject {
    let columns = [
        ("time on", cases::LINKS_BY_CLASS_ON_FRACTION),
        ("wakes", cases::LINKS_BY_CLASS_WAKES),
        ("messages delayed by waking links", cases::LINKS_BY_CLASS_DELAYED_MESSAGES),
        ("utilisation", cases::LINKS_BY_CLASS_UTILISATION),
        ("energy", cases::LINKS_BY_CLASS_ENERGY_J),
    ];
    let of = |(words, name): (&str, Column)| column(words, name.unit, rows, |row| row.number(name.of(class)));
    Subject { words: format!("links of class {class}"), figures: columns.into_iter().filter_map(of).collect() }
}

/// Classes of messages: what flows do not model matters to each in another way.
fn size_groups(switch: &SwitchModel) -> [(&'static str, u64, u64); 3] {
    let packet = u64::from(switch.packet_flits) * switch.flit.0;
    let buffer = (u64::from(switch.buffer_flits) * switch.flit.0).max(packet);
    [
        ("messages up to a packet", 0, packet),
        ("messages up to a buffer", packet, buffer),
        ("messages above a buffer", buffer, u64::MAX),
    ]
}

/// Compares messages by size. They are counted by powers of two, each of which is where its mean size is.
fn of_sizes(packets: &Outcome, flows: &Outcome) -> Vec<Subject> {
    let of_group = |(words, above, most): (&str, u64, u64)| {
        let [ours, theirs] = [packets, flows].map(|outcome| Sizes::of(&outcome.record.message_sizes, above, most));
        if ours.messages + theirs.messages == 0 {
            return None;
        }
        let count = |sizes: &Sizes| Some(sizes.messages as f64);
        let figure = |words: &str, unit, value: fn(&Sizes) -> Option<f64>| Compared {
            words: words.to_owned(),
            unit,
            packets: value(&ours),
            flows: value(&theirs),
        };
        let figures = vec![figure("messages", "messages", count), figure("latency, mean", "ns", Sizes::mean_ns)];
        let words = if most == u64::MAX { format!("{words} ({above} B)") } else { format!("{words} ({most} B)") };
        Some(Subject { words, figures })
    };
    size_groups(&packets.case.system.config.switch).into_iter().filter_map(of_group).collect()
}

/// The messages of a group of sizes.
#[derive(Default)]
struct Sizes {
    messages: u64,
    /// Their latencies, together.
    picoseconds: u128,
}

impl Sizes {
    /// Counts the messages above one size, up to another.
    fn of(sizes: &MessageSizes, above: u64, most: u64) -> Self {
        let mut group = Sizes::default();
        for (_, SizeClass { bytes, latency }) in sizes.classes() {
            let within = |limit: u64| *bytes <= u128::from(latency.count()) * u128::from(limit);
            if within(most) && (above == 0 || !within(above)) {
                group.messages += latency.count();
                group.picoseconds += latency.sum();
            }
        }
        group
    }

    fn mean_ns(&self) -> Option<f64> {
        (self.messages > 0).then(|| self.picoseconds as f64 / self.messages as f64 / 1e3)
    }
}
