//! Reads the file of one rank, event after event. What is not needed is passed over.

use std::fmt;

use rustc_hash::FxHashMap;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::event::{Category, Event};
use crate::pytorch::{Call, Defined, Definitions, Kind, StreamWait, Value};

/// What is kept of a file. Times are nanoseconds.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// The rank and the number of ranks that the file names.
    pub rank: Option<u64>,
    pub world: Option<u64>,
    pub definitions: Definitions,
    /// What ran on the GPU.
    pub kernels: Vec<Kernel>,
    /// By correlation: when the host launched something, and its thread.
    pub launches: FxHashMap<i64, (i64, i64)>,
    /// The calls of torch.distributed.
    pub records: Vec<Record>,
    /// When the host made a stream wait, and its thread; from when to when it waited for the GPU.
    pub host_waits: Vec<(i64, i64)>,
    pub host_syncs: Vec<(i64, i64)>,
    pub stream_waits: Vec<StreamWait>,
    pub iterations: Vec<i64>,
    /// The first and the last moment.
    pub span: Option<(i64, i64)>,
    pub counts: Counted,
}

/// What is counted while a file is read.
#[derive(Debug, Default)]
pub(super) struct Counted {
    pub kernels: u64,
    pub copies: u64,
    pub memsets: u64,
    /// Kernels of NCCL, calls of PyTorch, and those of them that wait.
    pub nccl: u64,
    pub records: u64,
    pub waits: u64,
    /// Copies from GPU to GPU, and kernels whose names say that they communicate without NCCL.
    pub peer_copies: u64,
    pub own_collectives: u64,
    pub without_duration: u64,
}

/// Something that ran on the GPU.
#[derive(Debug)]
pub(super) struct Kernel {
    pub stream: i64,
    pub begin: i64,
    pub end: i64,
    pub correlation: Option<i64>,
    pub external: Option<i64>,
    /// What it communicates, as far as its own arguments tell; nothing where it computes.
    pub call: Option<Box<Call>>,
}

/// A call of torch.distributed on the host.
#[derive(Debug)]
pub(super) struct Record {
    pub external: Option<i64>,
    pub record_function: Option<i64>,
    pub thread: i64,
    pub begin: i64,
    pub end: i64,
    pub call: Call,
}

/// The most events of one kind that are kept.
const MOST: usize = 1 << 28;

impl Kept {
    /// Takes an event. Fails where there are too many.
    fn take(&mut self, event: Event) -> Result<(), String> {
        let Some(begin) = event.begin.filter(|_| event.is_used()) else { return Ok(()) };
        let category = event.category;
        self.counts.without_duration += u64::from(event.lasts.is_none());
        let (begin, end) = (begin.0, begin.0 + event.lasts.map_or(0, |time| time.0));
        let kernels = self.counts.nccl;
        match category {
            Category::Kernel | Category::Copy | Category::Memset => self.take_kernel(event, begin, end),
            Category::Host => self.take_call(event, begin, end),
            Category::Launch => self.take_launch(&event, begin, end),
            Category::Sync => self.take_sync(&event, begin, end),
            Category::Marked => {
                if event.name.starts_with("ProfilerStep") {
                    self.iterations.push(begin);
                }
                return Ok(());
            }
            Category::Other => return Ok(()),
        }
        // How long a communication ran does not count, at the end neither.
        let end = if self.counts.nccl > kernels { begin } else { end };
        let span = self.span.get_or_insert((begin, end));
        *span = (span.0.min(begin), span.1.max(end));
        if self.kernels.len().max(self.launches.len()).max(self.records.len()) > MOST {
            return Err("the file has more than 268,435,456 events of one kind; record fewer steps".to_owned());
        }
        Ok(())
    }

    /// Takes something that ran on the GPU.
    fn take_kernel(&mut self, event: Event, begin: i64, end: i64) {
        let name = event.name.to_ascii_lowercase();
        let arguments = event.arguments;
        let communicates = event.category == Category::Kernel
            && (name.contains("nccl") || name.contains("rccl") || arguments.call.name.is_some());
        let counts = &mut self.counts;
        match event.category {
            Category::Copy => {
                counts.copies += 1;
                counts.peer_copies += u64::from(name.contains("ptop") || name.contains("peer"));
            }
            Category::Memset => counts.memsets += 1,
            _ if communicates => counts.nccl += 1,
            _ => {
                counts.kernels += 1;
                let signs = ["all_reduce", "allreduce", "cross_device_reduce", "nvshmem", "all_gather", "alltoall"];
                counts.own_collectives += u64::from(signs.iter().any(|sign| name.contains(sign)));
            }
        }
        self.kernels.push(Kernel {
            stream: arguments.stream.unwrap_or(event.thread),
            begin,
            end,
            correlation: arguments.correlation,
            external: arguments.external,
            call: communicates.then(|| Box::new(arguments.call)),
        });
    }

    /// Takes a call of PyTorch.
    fn take_call(&mut self, event: Event, begin: i64, end: i64) {
        if event.name != "record_param_comms" {
            return;
        }
        let arguments = event.arguments;
        if arguments.call.kind() == Some(Kind::Nothing) {
            self.counts.waits += 1;
        }
        self.counts.records += 1;
        self.records.push(Record {
            external: arguments.external,
            record_function: arguments.record_function,
            thread: event.thread,
            begin,
            end,
            call: arguments.call,
        });
    }

    /// Takes a call of the GPU's driver.
    fn take_launch(&mut self, event: &Event, begin: i64, end: i64) {
        if let Some(correlation) = event.arguments.correlation {
            self.launches.insert(correlation, (begin, event.thread));
        }
        if event.name.contains("StreamWaitEvent") {
            self.host_waits.push((begin, event.thread));
        }
        if event.name.contains("Synchronize") {
            self.host_syncs.push((begin, end));
        }
    }

    /// Takes a wait that was recorded on the GPU.
    fn take_sync(&mut self, event: &Event, begin: i64, end: i64) {
        let of = &event.arguments;
        let (stream, number, on, recorded) = (of.stream, of.correlation, of.waits_on, of.recorded_by);
        if event.name == "Stream Wait Event" {
            if let (Some(stream), Some(number), Some(on), Some(recorded)) = (stream, number, on, recorded)
                && on >= 0
                && recorded >= 0
            {
                self.stream_waits.push(StreamWait { stream, number, on, recorded });
            }
        } else {
            self.host_syncs.push((begin, end));
        }
    }
}

/// Reads a whole file.
pub(super) struct File;

impl<'de> DeserializeSeed<'de> for File {
    type Value = Kept;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Kept, D::Error> {
        deserializer.deserialize_map(self)
    }
}

/// The keys of a file that are used.
#[derive(serde::Deserialize)]
#[serde(field_identifier)]
enum Key {
    #[serde(rename = "distributedInfo")]
    Distributed,
    #[serde(rename = "traceEvents")]
    Events,
    #[serde(other)]
    Other,
}

/// What a file tells of its job.
#[derive(serde::Deserialize)]
struct Distributed {
    #[serde(default)]
    rank: Value,
    #[serde(default)]
    world_size: Value,
    #[serde(default)]
    pg_config: Groups,
}

/// The groups of a job: a list, or nothing that is one.
#[derive(Default, serde::Deserialize)]
#[serde(untagged)]
enum Groups {
    List(Vec<Defined>),
    #[default]
    Other,
    Ignored(IgnoredAny),
}

impl<'de> Visitor<'de> for File {
    type Value = Kept;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a trace of PyTorch's profiler: an object with `traceEvents`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Kept, A::Error> {
        let (mut kept, mut has_events) = (Kept::default(), false);
        while let Some(key) = entries.next_key::<Key>()? {
            match key {
                Key::Distributed => {
                    let Distributed { rank, world_size, pg_config } = entries.next_value()?;
                    (kept.rank, kept.world) = (rank.count(), world_size.count().filter(|&ranks| ranks > 0));
                    if let Groups::List(groups) = pg_config {
                        kept.definitions.add(groups);
                    }
                }
                Key::Events => {
                    has_events = true;
                    entries.next_value_seed(Events(&mut kept))?;
                }
                Key::Other => drop(entries.next_value::<IgnoredAny>()?),
            }
        }
        if !has_events {
            return Err(A::Error::custom("the file has no `traceEvents`; copy it again"));
        }
        Ok(kept)
    }
}

/// Reads the list of events.
struct Events<'k>(&'k mut Kept);

impl<'de> DeserializeSeed<'de> for Events<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Events<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a list of events")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut events: A) -> Result<(), A::Error> {
        while let Some(event) = events.next_element::<Event>()? {
            self.0.take(event).map_err(A::Error::custom)?;
        }
        Ok(())
    }
}
