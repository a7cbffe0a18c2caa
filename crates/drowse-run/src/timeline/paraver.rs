//! Timelines for Paraver (wxParaver 4.11; its manual "Paraver: Trace Format"): `.prv`, `.pcf` and `.row`.
//!
//! Applications are jobs and the network, tasks are ranks and channels, with a thread each. Nodes are those of the ranks,
//! and one more for the network; each track has a CPU of its own. Times are whole nanoseconds, rounded down
//! at both ends, so that states go on without gaps; those shorter than that leave no record. A message's logical times
//! are its call and the end of its receive, its physical times those at the NICs.

use std::io::{self, Write};

use drowse_core::measure::timeline::RankState;
use drowse_core::model::units::Time;
use drowse_core::power::LinkState;

use super::scene::{Place, Scene, State};

/// The type of the event that says how many lanes are on.
const LANES: u32 = 90_000_001;

/// The states: number, name, colour.
const STATES: [(State, u32, [u8; 3]); 14] = [
    (State::Rank(RankState::Computing), 1, [0, 114, 178]),
    (State::Rank(RankState::Receiving), 3, [213, 94, 0]),
    (State::Rank(RankState::Sending), 4, [230, 159, 0]),
    (State::Rank(RankState::Overhead), 7, [204, 121, 167]),
    (State::Rank(RankState::Collectives), 13, [0, 158, 115]),
    (State::Link(LinkState::On), 20, [240, 228, 66]),
    (State::Link(LinkState::Entering), 21, [204, 121, 167]),
    (State::Link(LinkState::Shallow), 22, [86, 180, 233]),
    (State::Link(LinkState::Deep), 23, [0, 60, 120]),
    (State::Link(LinkState::Waking), 24, [213, 94, 0]),
    (State::Link(LinkState::Third), 25, [0, 48, 96]),
    (State::Link(LinkState::Fourth), 26, [0, 36, 72]),
    (State::Link(LinkState::Fifth), 27, [0, 24, 48]),
    (State::Link(LinkState::Sixth), 28, [0, 12, 24]),
];

fn number(state: State) -> u32 {
    STATES.iter().find(|(known, ..)| *known == state).map_or(0, |(_, number, _)| *number)
}

/// Where a track is: its CPU, and its numbers as an object, all from 1.
struct Objects {
    /// By group and track.
    cpus: Vec<Vec<usize>>,
    /// By group and track, the number of the node.
    nodes: Vec<Vec<usize>>,
    /// The CPUs of each node.
    sizes: Vec<usize>,
}

impl Objects {
    fn new(scene: &Scene) -> Self {
        let of_tracks = || scene.groups.iter().flat_map(|group| &group.tracks).map(|track| track.node);
        let mut known: Vec<u32> = of_tracks().flatten().collect();
        known.sort_unstable();
        known.dedup();
        // The network is the last node.
        let node = |node: Option<u32>| node.map_or(known.len(), |node| known.partition_point(|&other| other < node));
        let mut sizes = vec![0; known.len() + usize::from(of_tracks().any(|node| node.is_none()))];
        of_tracks().for_each(|of_track| sizes[node(of_track)] += 1);
        let mut next: Vec<usize> =
            sizes.iter().scan(1, |next, size| Some(std::mem::replace(next, *next + size))).collect();
        let mut cpu = |of_track| {
            let next = &mut next[node(of_track)];
            std::mem::replace(next, *next + 1)
        };
        let groups = || scene.groups.iter();
        let cpus = groups().map(|group| group.tracks.iter().map(|track| cpu(track.node)).collect()).collect();
        let nodes = groups().map(|group| group.tracks.iter().map(|track| node(track.node) + 1).collect()).collect();
        Objects { cpus, nodes, sizes }
    }

    /// Writes `cpu:application:task:thread`.
    fn object(&self, (group, track): Place) -> String {
        format!("{}:{}:{}:1", self.cpus[group][track], group + 1, track + 1)
    }
}

/// Rounds a time down to nanoseconds.
const fn ns(time: Time) -> u64 {
    time.0 / 1_000
}

/// What a record is of, by its place in the scene.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Record {
    State(Place, usize),
    Lanes(Place, usize),
    Message(usize),
}

/// Writes the `.prv` file: all records in the order of time.
pub fn records(scene: &Scene, to: &mut dyn Write) -> io::Result<()> {
    let objects = Objects::new(scene);
    header(scene, &objects, to)?;
    for (_, record) in sorted(scene) {
        match record {
            Record::State(place, index) => {
                let span = &scene.groups[place.0].tracks[place.1].spans[index];
                let (object, state) = (objects.object(place), number(span.state));
                writeln!(to, "1:{object}:{}:{}:{state}", ns(span.from), ns(span.to))?;
            }
            Record::Lanes(place, index) => {
                let change = &scene.groups[place.0].tracks[place.1].lanes[index];
                writeln!(to, "2:{}:{}:{LANES}:{}", objects.object(place), ns(change.time), change.on)?;
            }
            Record::Message(index) => {
                let arrow = &scene.arrows[index];
                let message = &arrow.message;
                writeln!(
                    to,
                    "3:{}:{}:{}:{}:{}:{}:{}:{}",
                    objects.object(arrow.from),
                    ns(message.called),
                    ns(message.sent),
                    objects.object(arrow.to),
                    ns(arrow.ends()),
                    ns(message.delivered),
                    message.bytes,
                    message.tag
                )?;
            }
        }
    }
    Ok(())
}

/// Returns all records with their times, in order.
fn sorted(scene: &Scene) -> Vec<(u64, Record)> {
    let mut records = Vec::new();
    for (group, tracks) in scene.groups.iter().enumerate() {
        for (track, known) in tracks.tracks.iter().enumerate() {
            let place = (group, track);
            let spans = known.spans.iter().enumerate().filter(|(_, span)| ns(span.from) < ns(span.to));
            records.extend(spans.map(|(index, span)| (ns(span.from), Record::State(place, index))));
            let lanes = known.lanes.iter().enumerate();
            records.extend(lanes.map(|(index, change)| (ns(change.time), Record::Lanes(place, index))));
        }
    }
    let arrows = scene.arrows.iter().enumerate();
    records.extend(arrows.map(|(index, arrow)| (ns(arrow.message.called), Record::Message(index))));
    records.sort_unstable();
    records
}

/// Writes the header: when the trace was made (always the same, so that equal runs make equal files), how long it is,
/// the nodes with their CPUs, the applications with their tasks. Comments say what the file shows.
fn header(scene: &Scene, objects: &Objects, to: &mut dyn Write) -> io::Result<()> {
    let sizes: Vec<String> = objects.sizes.iter().map(ToString::to_string).collect();
    let end = scene.window.end.0.div_ceil(1_000);
    write!(to, "#Paraver (01/01/2000 at 00:00):{end}_ns:{}({}):{}", sizes.len(), sizes.join(","), scene.groups.len())?;
    for nodes in &objects.nodes {
        let threads: Vec<String> = nodes.iter().map(|node| format!("1:{node}")).collect();
        write!(to, ":{}({})", nodes.len(), threads.join(","))?;
    }
    writeln!(to)?;
    let [from, until] = [scene.window.start, scene.window.end].map(ns);
    writeln!(to, "# {}, case {}", scene.title.replace(['\n', '\r'], " "), scene.case)?;
    writeln!(to, "# from {from} to {until} ns; records left out: {}", scene.left_out)?;
    writeln!(to, "# messages that lie partly in this window, and are left out: {}", scene.crossing)
}

/// How Paraver shows a timeline at first. Its authors' own tools take no file that leaves one of these out.
const OPTIONS: &str = "\
DEFAULT_OPTIONS

LEVEL               THREAD
UNITS               NANOSEC
LOOK_BACK           100
SPEED               1
FLAG_ICONS          ENABLED
NUM_OF_STATE_COLORS 1000
YMAX_SCALE          37

";

/// Writes the `.pcf` file: names and colours of states and events.
pub fn names_of_states(to: &mut dyn Write) -> io::Result<()> {
    to.write_all(OPTIONS.as_bytes())?;
    writeln!(to, "\nDEFAULT_SEMANTIC\n\nTHREAD_FUNC         State As Is\n\nSTATES\n0    none")?;
    for (state, number, _) in STATES {
        let of = if matches!(state, State::Link(_)) { "link " } else { "" };
        writeln!(to, "{number}    {of}{}", state.name())?;
    }
    writeln!(to, "\nSTATES_COLOR\n0    {{255,255,255}}")?;
    for (_, number, [red, green, blue]) in STATES {
        writeln!(to, "{number}    {{{red},{green},{blue}}}")?;
    }
    writeln!(to, "\nEVENT_TYPE\n0    {LANES}    lanes of the channel that can send")
}

/// Writes the `.row` file: names of CPUs, nodes and threads.
pub fn names_of_rows(scene: &Scene, to: &mut dyn Write) -> io::Result<()> {
    let objects = Objects::new(scene);
    let mut cpus = vec![String::new(); objects.sizes.iter().sum()];
    let mut nodes = vec!["network".to_owned(); objects.sizes.len()];
    let mut threads = Vec::new();
    for (group, known) in scene.groups.iter().enumerate() {
        for (track, of_track) in known.tracks.iter().enumerate() {
            let name = format!("{} {}", known.name, of_track.name).replace(['\n', '\r'], " ");
            cpus[objects.cpus[group][track] - 1].clone_from(&name);
            if let Some(node) = of_track.node {
                nodes[objects.nodes[group][track] - 1] = format!("node {node}");
            }
            threads.push(name);
        }
    }
    for (level, names) in [("CPU", cpus), ("NODE", nodes), ("THREAD", threads)] {
        writeln!(to, "LEVEL {level} SIZE {}", names.len())?;
        names.iter().try_for_each(|name| writeln!(to, "{name}"))?;
        writeln!(to)?;
    }
    Ok(())
}
