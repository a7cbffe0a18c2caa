//! A node of an execution trace, as far as it is used.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::pytorch::{Call, Nanoseconds, Value};

/// A node.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub id: Option<i64>,
    pub name: String,
    /// The node that called this one.
    pub parent: Option<i64>,
    /// The values that it takes, as JSON.
    pub inputs: Option<Box<RawValue>>,
    pub record_function: Option<i64>,
    pub thread: i64,
    pub call: Call,
    /// What Chakra's linker adds of the profiler's trace: when it ran and how long, the category and the stream of what
    /// ran on the GPU, and the nodes for which it waits.
    pub begin: Option<Nanoseconds>,
    pub lasts: Option<Nanoseconds>,
    pub category: Option<String>,
    pub stream: Option<i64>,
    pub waits_for: Vec<i64>,
}

/// The keys that are used.
#[derive(serde::Deserialize)]
#[serde(field_identifier)]
enum Key {
    #[serde(rename = "id")]
    Id,
    #[serde(rename = "name")]
    Name,
    #[serde(rename = "ctrl_deps")]
    Parent,
    #[serde(rename = "inputs")]
    Inputs,
    #[serde(rename = "attrs")]
    Attributes,
    #[serde(rename = "ts")]
    Begin,
    #[serde(rename = "inclusive_dur")]
    Lasts,
    #[serde(rename = "cat")]
    Category,
    #[serde(rename = "stream")]
    Stream,
    #[serde(rename = "pg_name")]
    Group,
    #[serde(rename = "sync_dep")]
    WaitsFor,
    #[serde(other)]
    Other,
}

/// The inputs of a node: values, and their shapes and types.
#[derive(serde::Deserialize)]
struct Inputs {
    values: Box<RawValue>,
}

/// An attribute of a node.
#[derive(serde::Deserialize)]
struct Attribute {
    name: String,
    #[serde(default)]
    value: Value,
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Fields)
    }
}

struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = Node;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a node: an object with `id`, `name` and so on")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Node, A::Error> {
        let mut node = Node::default();
        let mut group = None;
        while let Some(key) = entries.next_key::<Key>()? {
            match key {
                Key::Id => node.id = entries.next_value::<Value>()?.number(),
                Key::Name => node.name = entries.next_value::<Value>()?.text().unwrap_or_default(),
                Key::Parent => node.parent = entries.next_value::<Value>()?.number(),
                Key::Inputs => node.inputs = Some(entries.next_value::<Inputs>()?.values),
                Key::Attributes => {
                    for Attribute { name, value } in entries.next_value::<Vec<Attribute>>()? {
                        node.set(&name, value);
                    }
                }
                Key::Begin => node.begin = time(&mut entries)?,
                Key::Lasts => node.lasts = time(&mut entries)?,
                Key::Category => node.category = entries.next_value::<Value>()?.text(),
                Key::Stream => node.stream = entries.next_value::<Value>()?.number(),
                Key::Group => group = entries.next_value::<Value>()?.text(),
                Key::WaitsFor => {
                    let list = entries.next_value::<Value>()?.list().unwrap_or_default();
                    node.waits_for = list.numbers;
                }
                Key::Other => drop(entries.next_value::<IgnoredAny>()?),
            }
        }
        node.call.group.name = node.call.group.name.or(group);
        node.check().map_err(A::Error::custom)?;
        Ok(node)
    }
}

/// Reads a time, or `null`.
fn time<'de, A: MapAccess<'de>>(entries: &mut A) -> Result<Option<Nanoseconds>, A::Error> {
    entries.next_value()
}

impl Node {
    /// Says what is wrong with a node.
    fn check(&self) -> Result<(), String> {
        let Some(id) = self.id else { return Err("a node has no whole number as `id`; record it again".to_owned()) };
        if self.lasts.is_some_and(|lasts| lasts.0 < 0) {
            return Err(format!("node {id} has a negative `inclusive_dur`; link it again"));
        }
        if self.is_on_gpu() && self.begin.is_none() {
            return Err(format!("node {id} ran on the GPU and has no `ts`; link it again"));
        }
        Ok(())
    }

    /// Sets what an attribute tells.
    fn set(&mut self, name: &str, value: Value) {
        let call = &mut self.call;
        match name {
            "rf_id" => self.record_function = value.number(),
            "tid" => self.thread = value.number().unwrap_or_default(),
            "collective_name" => call.name = value.text(),
            "dtype" => call.dtype = value.text(),
            "in_msg_nelems" => call.input = value.count(),
            "out_msg_nelems" => call.output = value.count(),
            "in_split_size" => call.split = value.list(),
            "global_rank_start" => call.group.start = value.number(),
            "global_rank_stride" => call.group.stride = value.number(),
            "pg_name" => call.group.name = value.text(),
            "pg_size" => call.group.size = value.count(),
            _ => {}
        }
    }

    /// Returns what ran on the GPU, if it did.
    pub fn is_on_gpu(&self) -> bool {
        self.category.as_deref().is_some_and(|category| matches!(category, "kernel" | "gpu_memcpy" | "gpu_memset"))
    }

    /// Returns the JSON text that a node takes which defines process groups.
    pub fn definitions(&self) -> Option<String> {
        let values = self.inputs.as_ref().filter(|_| self.name.contains("process_group:init"))?;
        serde_json::from_str::<(String,)>(values.get()).ok().map(|(text,)| text)
    }

    /// Completes a call by the values that it takes: `[tensors], number, group, rank, name, ...`. They tell the root or
    /// peer, and where attributes lack, as before schema 1.1, what is called and how many bytes.
    pub fn complete_by_inputs(&mut self) {
        let Some(values) = &self.inputs else { return };
        let Ok(values) = serde_json::from_str::<Values>(values.get()) else { return };
        let Some(place) = values.0.iter().position(|entry| matches!(entry, Entry::Text(_))) else { return };
        let Entry::Text(name) = &values.0[place] else { return };
        let before = |steps: usize| place.checked_sub(steps).map(|place| &values.0[place]);
        if let Some(Entry::Number(rank)) = before(1) {
            self.call.rank = Some(*rank);
        }
        if self.call.name.is_some() {
            return;
        }
        self.call.name = Some(name.clone());
        match before(2) {
            Some(Entry::Number(group)) => self.call.group.name = Some(group.to_string()),
            Some(Entry::Texts(group)) => self.call.group.name = group.first().cloned(),
            _ => {}
        }
        if let Some(Entry::Number(size)) = values.0.last().filter(|_| self.call.group.size.is_none()) {
            self.call.group.size = u64::try_from(*size).ok();
        }
        // Bytes are elements of one byte.
        if let Some(Entry::Tensors(bytes)) = values.0.first() {
            (self.call.input, self.call.dtype) = (Some(*bytes), Some("Byte".to_owned()));
        }
    }
}

/// The values that a call takes.
#[derive(serde::Deserialize)]
struct Values(Vec<Entry>);

/// One of them.
enum Entry {
    /// Tensors, `[id, storage, offset, elements, bytes of an element, device]`: their bytes together.
    Tensors(u64),
    Number(i64),
    Text(String),
    Texts(Vec<String>),
    Other,
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match serde_json::Value::deserialize(deserializer)? {
            serde_json::Value::Number(number) => number.as_i64().map_or(Entry::Other, Entry::Number),
            serde_json::Value::String(text) => Entry::Text(text),
            serde_json::Value::Array(entries) => {
                let texts: Option<Vec<String>> =
                    entries.iter().map(|entry| entry.as_str().map(str::to_owned)).collect();
                match texts.filter(|texts| !texts.is_empty()) {
                    Some(texts) => Entry::Texts(texts),
                    None => bytes(&entries).map_or(Entry::Other, Entry::Tensors),
                }
            }
            _ => Entry::Other,
        })
    }
}

/// Returns the bytes of a tensor, or of a list of them.
fn bytes(entries: &[serde_json::Value]) -> Option<u64> {
    if let [_, _, _, elements, each, device] = entries
        && device.is_string()
    {
        return elements.as_u64()?.checked_mul(each.as_u64()?);
    }
    let lists: Option<Vec<&Vec<serde_json::Value>>> = entries.iter().map(|entry| entry.as_array()).collect();
    let lists = lists.filter(|lists| !lists.is_empty())?;
    lists.into_iter().try_fold(0_u64, |sum, entries| sum.checked_add(bytes(entries)?))
}
