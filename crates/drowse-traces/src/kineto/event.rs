//! An event of a trace, as far as it is used.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use crate::error::shortened;
use crate::pytorch::{Call, Nanoseconds, Value};

/// An event.
#[derive(Debug, Default)]
pub(super) struct Event {
    pub phase: String,
    pub category: Category,
    pub name: String,
    pub thread: i64,
    pub begin: Option<Nanoseconds>,
    pub lasts: Option<Nanoseconds>,
    pub arguments: Arguments,
}

/// The categories of events that are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Category {
    /// A kernel, a copy or a memset of a GPU.
    Kernel,
    Copy,
    Memset,
    /// A call of PyTorch, of the driver of the GPU, and a range that the program or PyTorch marks.
    Host,
    Launch,
    Marked,
    /// What waits on the GPU.
    Sync,
    #[default]
    Other,
}

/// The arguments of an event.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    pub stream: Option<i64>,
    pub correlation: Option<i64>,
    pub external: Option<i64>,
    /// The id by which execution traces know a call.
    pub record_function: Option<i64>,
    pub waits_on: Option<i64>,
    pub recorded_by: Option<i64>,
    pub call: Call,
}

impl Category {
    /// Returns the category of a name; versions differ.
    fn named(name: &str) -> Self {
        match name.to_ascii_lowercase().as_str() {
            "kernel" => Category::Kernel,
            "gpu_memcpy" | "memcpy" => Category::Copy,
            "gpu_memset" | "memset" => Category::Memset,
            "cpu_op" | "operator" => Category::Host,
            "cuda_runtime" | "cuda_driver" | "runtime" | "hip_runtime" | "hip_driver" | "xpu_runtime" => {
                Category::Launch
            }
            "user_annotation" => Category::Marked,
            "cuda_sync" => Category::Sync,
            _ => Category::Other,
        }
    }
}

/// The keys of an event that are used.
#[derive(serde::Deserialize)]
#[serde(field_identifier)]
enum Key {
    #[serde(rename = "ph")]
    Phase,
    #[serde(rename = "cat")]
    Category,
    #[serde(rename = "name")]
    Name,
    #[serde(rename = "tid")]
    Thread,
    #[serde(rename = "ts")]
    Begin,
    #[serde(rename = "dur")]
    Lasts,
    #[serde(rename = "args")]
    Arguments,
    #[serde(other)]
    Other,
}

impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Fields)
    }
}

struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = Event;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an event: an object with `ph`, `name`, `ts` and so on")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Event, A::Error> {
        let mut event = Event::default();
        while let Some(key) = entries.next_key::<Key>()? {
            match key {
                Key::Phase => event.phase = entries.next_value::<Value>()?.text().unwrap_or_default(),
                Key::Name => event.name = entries.next_value::<Value>()?.text().unwrap_or_default(),
                Key::Category => {
                    let name = entries.next_value::<Value>()?.text().unwrap_or_default();
                    event.category = Category::named(&name);
                }
                Key::Thread => event.thread = entries.next_value::<Value>()?.number().unwrap_or_default(),
                Key::Begin => event.begin = Some(entries.next_value()?),
                Key::Lasts => event.lasts = Some(entries.next_value()?),
                Key::Arguments => event.arguments = entries.next_value()?,
                Key::Other => drop(entries.next_value::<IgnoredAny>()?),
            }
        }
        event.check().map_err(A::Error::custom)?;
        Ok(event)
    }
}

impl Event {
    /// Returns whether it is used: it has a duration, and is of a category that is used.
    pub fn is_used(&self) -> bool {
        self.phase == "X" && self.category != Category::Other
    }

    /// Says what is wrong with an event that is used.
    fn check(&self) -> Result<(), String> {
        let name = || shortened(&self.name);
        if self.is_used() && self.begin.is_none() {
            return Err(format!("event `{}` has no `ts`; record it again", name()));
        }
        if self.is_used() && self.lasts.is_some_and(|lasts| lasts.0 < 0) {
            return Err(format!("event `{}` has a negative `dur`; record it again", name()));
        }
        Ok(())
    }
}

/// The arguments that are used.
#[derive(serde::Deserialize)]
#[serde(field_identifier)]
enum Argument {
    #[serde(rename = "stream")]
    Stream,
    #[serde(rename = "correlation")]
    Correlation,
    #[serde(rename = "External id", alias = "external id")]
    External,
    #[serde(rename = "Record function id")]
    RecordFunction,
    #[serde(rename = "wait_on_stream")]
    WaitsOn,
    #[serde(rename = "wait_on_cuda_event_record_corr_id")]
    RecordedBy,
    #[serde(rename = "Collective name")]
    Name,
    #[serde(rename = "In msg nelems")]
    Input,
    #[serde(rename = "Out msg nelems")]
    Output,
    #[serde(rename = "dtype")]
    Dtype,
    #[serde(rename = "In split size")]
    Split,
    #[serde(rename = "Group size")]
    GroupSize,
    #[serde(rename = "Process Group Name")]
    GroupName,
    #[serde(rename = "Process Group Ranks")]
    GroupRanks,
    #[serde(rename = "Global rank start")]
    GroupStart,
    #[serde(rename = "Global rank stride")]
    GroupStride,
    #[serde(rename = "Rank")]
    Rank,
    #[serde(rename = "Src Rank")]
    From,
    #[serde(rename = "Dst Rank")]
    To,
    #[serde(other)]
    Other,
}

impl<'de> Deserialize<'de> for Arguments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ArgumentFields)
    }
}

struct ArgumentFields;

impl<'de> Visitor<'de> for ArgumentFields {
    type Value = Arguments;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("arguments: an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Arguments, A::Error> {
        let mut all = Arguments::default();
        while let Some(key) = entries.next_key::<Argument>()? {
            if matches!(key, Argument::Other) {
                entries.next_value::<IgnoredAny>()?;
            } else {
                all.set(&key, entries.next_value()?);
            }
        }
        Ok(all)
    }
}

impl Arguments {
    fn set(&mut self, key: &Argument, value: Value) {
        let call = &mut self.call;
        match key {
            Argument::Stream => self.stream = value.number(),
            Argument::Correlation => self.correlation = value.number(),
            Argument::External => self.external = value.number(),
            Argument::RecordFunction => self.record_function = value.number(),
            Argument::WaitsOn => self.waits_on = value.number(),
            Argument::RecordedBy => self.recorded_by = value.number(),
            Argument::Name => call.name = value.text(),
            Argument::Input => call.input = value.count(),
            Argument::Output => call.output = value.count(),
            Argument::Dtype => call.dtype = value.text(),
            Argument::Split => call.split = value.list(),
            Argument::GroupSize => call.group.size = value.count(),
            Argument::GroupName => call.group.name = value.text(),
            Argument::GroupRanks => call.group.set_ranks(value.list()),
            Argument::GroupStart => call.group.start = value.number(),
            Argument::GroupStride => call.group.stride = value.number(),
            Argument::Rank => call.rank = value.number(),
            Argument::From => call.from = value.number(),
            Argument::To => call.to = value.number(),
            Argument::Other => {}
        }
    }
}
