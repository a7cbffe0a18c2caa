//! Machine files of Dimemas (`.cfg`): how fast the processors of each node are, and which node a task runs on.
//!
//! A file is a list of records, `"name" {value, value, ...};;`. Those of nodes and of the mapping are read; networks
//! are Drowse's own. Comments `/* ... */` and definitions, which have names of types instead of values, are left out.

use std::ops::Range;
use std::path::Path;

use drowse_experiment::{Diagnostic, JobSpec, Source, System, without_mark};
use drowse_traces::input;

use crate::error::RunError;
use drowse_experiment::machine::is_bad_input;

/// The most nodes of a machine.
const MOST_NODES: usize = 1 << 24;

/// A machine of Dimemas.
pub struct MachineFile {
    source: Source,
    /// The nodes, by number; of some nothing may be told.
    nodes: Vec<Option<Node>>,
    mapping: Mapping,
}

/// A node.
#[derive(Clone, Copy)]
struct Node {
    processors: u32,
    /// How much faster its processors are than those of the trace; 0 computes in no time.
    speed: f64,
}

/// Which tasks run on which nodes.
enum Mapping {
    /// One after the other, each on the next free processor.
    FillNodes,
    /// So many on each node.
    PerNode(u32),
    /// One on each node in turn.
    Interleaved,
    /// On these nodes, which the file lists there.
    Listed(Vec<u32>, Range<usize>),
}

/// A record: its name, the text between its braces, and where that is.
struct Record<'t> {
    name: &'t str,
    body: &'t str,
    at: usize,
}

/// A value of a record, and where it is.
struct Value<'t> {
    text: &'t str,
    at: Range<usize>,
}

/// A problem: where it is, what it is, and what to do.
type Problem = (Range<usize>, String, String);

/// Reads the machine file of a job, if it has one.
pub fn of_job(spec: &JobSpec, system: &System) -> Result<Option<MachineFile>, RunError> {
    let Some(path) = &spec.machine else { return Ok(None) };
    let unreadable = |error| {
        if !is_bad_input(&error) {
            return RunError::Machine(format!("{}: cannot be read: {error}", path.display()));
        }
        let message = format!("the machine file {} cannot be read: {error}", path.display());
        system.keys.error(&format!("{}.dimemas", spec.path), message, "name a .cfg of Dimemas").into()
    };
    MachineFile::read(path, &input::read(path, input::MOST_BYTES).map_err(unreadable)?).map(Some)
}

impl MachineFile {
    /// Reads the text of a file.
    fn read(path: &Path, text: &[u8]) -> Result<Self, RunError> {
        // Old files have other letters than UTF-8 in comments and names, which are left out.
        let text = without_mark(String::from_utf8_lossy(text).into_owned());
        let source = Source::new(path, text.clone(), &[])?;
        match parse(&text) {
            Ok((nodes, mapping)) => Ok(MachineFile { source, nodes, mapping }),
            Err((span, message, help)) => Err(source.error_at(&span, message, help).into()),
        }
    }

    /// Returns how much faster a node is than those of the trace.
    pub fn speed(&self, node: u32) -> Result<f64, Diagnostic> {
        let known = self.nodes.get(node as usize).copied().flatten();
        known.map(|node| node.speed).ok_or_else(|| {
            let message = format!("a rank runs on node {node}, of which no record tells ({} are told)", self.told());
            self.source.error(message, "add its \"node information\", or place the ranks on other nodes")
        })
    }

    /// Returns the node of each rank.
    pub fn place(&self, ranks: u32) -> Result<Vec<u32>, Diagnostic> {
        let nodes = self.nodes.len() as u32;
        Ok(match &self.mapping {
            Mapping::Listed(listed, at) if listed.len() != ranks as usize => {
                let message = format!("the mapping has {} tasks for {ranks} ranks", listed.len());
                return Err(self.source.error_at(at, message, "write a node for each rank"));
            }
            Mapping::Listed(listed, _) => listed.clone(),
            Mapping::PerNode(tasks) => (0..ranks).map(|rank| rank / tasks).collect(),
            Mapping::Interleaved => (0..ranks).map(|rank| rank % nodes).collect(),
            Mapping::FillNodes => {
                let processors = (0..).zip(&self.nodes).flat_map(|(number, node)| {
                    std::iter::repeat_n(number, node.map_or(0, |node| node.processors as usize))
                });
                let placed: Vec<u32> = processors.take(ranks as usize).collect();
                if placed.len() < ranks as usize {
                    let message = format!("the nodes have {} processors for {ranks} ranks", placed.len());
                    return Err(self.source.error(message, "add nodes, or give the job a placement"));
                }
                placed
            }
        })
    }

    fn told(&self) -> usize {
        self.nodes.iter().flatten().count()
    }
}

/// Reads the nodes and the mapping.
fn parse(text: &str) -> Result<(Vec<Option<Node>>, Mapping), Problem> {
    let blank = without_comments(text);
    let (mut nodes, mut mapping) = (Vec::new(), Mapping::FillNodes);
    for record in records(&blank)? {
        if is_definition(record.body) {
            continue;
        }
        match record.name {
            "node information" => node(&record, &mut nodes)?,
            "multi node information" => multi_node(&record, &mut nodes)?,
            "mapping information" => mapping = listed(&record)?,
            "predefined mapping information" => mapping = predefined(&record)?,
            _ => {}
        }
    }
    if nodes.is_empty() {
        let help = "write `\"node information\" {0, 0, \"\", 4, 1.0, ...};;` for each node, as Dimemas does";
        return Err((0..text.len().min(1), "the machine file tells of no node".to_owned(), help.to_owned()));
    }
    Ok((nodes, mapping))
}

/// Replaces comments by blanks, so that places stay.
fn without_comments(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(begin) = rest.find("/*") {
        let end = rest[begin..].find("*/").map_or(rest.len(), |end| begin + end + 2);
        out.push_str(&rest[..begin]);
        out.extend(rest[begin..end].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        rest = &rest[end..];
    }
    out + rest
}

/// Finds the records of a text.
fn records(text: &str) -> Result<Vec<Record<'_>>, Problem> {
    let (mut records, mut at) = (Vec::new(), 0);
    while let Some(quote) = text[at..].find('"') {
        let begin = at + quote;
        let cut = |what: &str| {
            let help = "write records like `\"name\" {value, value};;`";
            (begin..begin + 1, format!("a record {what}"), help.to_owned())
        };
        let name = begin + 1..begin + 1 + text[begin + 1..].find('"').ok_or_else(|| cut("has no end of its name"))?;
        let after = name.end + 1;
        let blanks = text[after..].len() - text[after..].trim_start().len();
        if !text[after + blanks..].starts_with('{') {
            return Err(cut("has no `{` after its name"));
        }
        let open = after + blanks + 1;
        let end = open + text[open..].find("};;").ok_or_else(|| cut("has no `};;` at its end"))?;
        records.push(Record { name: &text[name], body: &text[open..end], at: open });
        at = end + 3;
    }
    Ok(records)
}

/// Returns whether a record defines the fields of others: it names types.
fn is_definition(body: &str) -> bool {
    let outside = body.split('"').step_by(2);
    let mut words = outside.flat_map(|part| part.split(|letter: char| !letter.is_ascii_alphabetic()));
    words.any(|word| ["int", "double", "char"].contains(&word))
}

impl<'t> Record<'t> {
    /// Returns the values between commas; those in braces and quotes are one.
    fn values(&self) -> Vec<Value<'t>> {
        let (mut values, mut begin, mut deep, mut quoted) = (Vec::new(), 0, 0_u32, false);
        for (place, letter) in self.body.char_indices().chain([(self.body.len(), ',')]) {
            match letter {
                '"' => quoted = !quoted,
                '{' if !quoted => deep += 1,
                '}' if !quoted => deep = deep.saturating_sub(1),
                ',' if place == self.body.len() || (!quoted && deep == 0) => {
                    values.push(Value::new(self.body, begin..place, self.at));
                    begin = place + 1;
                }
                _ => {}
            }
        }
        values
    }

    fn wrong(&self, message: impl Into<String>, help: &str) -> Problem {
        (self.at..self.at + self.body.len().max(1), message.into(), help.to_owned())
    }
}

impl<'t> Value<'t> {
    /// Makes the value of a part of a body, without the blanks around it.
    fn new(body: &'t str, part: Range<usize>, at: usize) -> Self {
        let text = &body[part.clone()];
        let begin = at + part.start + (text.len() - text.trim_start().len());
        let text = text.trim();
        Value { text, at: begin..begin + text.len().max(1) }
    }

    fn number(&self, what: &str) -> Result<u32, Problem> {
        self.text.parse().map_err(|_| self.wrong(what, "a whole number that is not negative"))
    }

    fn speed(&self) -> Result<f64, Problem> {
        let wrong = || self.wrong("the relative speed", "a number, such as 1.0");
        self.text.parse().ok().filter(|speed: &f64| speed.is_finite()).ok_or_else(wrong)
    }

    fn wrong(&self, what: &str, expected: &str) -> Problem {
        (self.at.clone(), format!("{what} is `{}`; it must be {expected}", self.text), "correct it".to_owned())
    }
}

/// Reads a node: of the present form with or without a number of its own, or of the old form.
fn node(record: &Record, nodes: &mut Vec<Option<Node>>) -> Result<(), Problem> {
    let values = record.values();
    let (number, processors, speed) = match values.len() {
        14 => (Some(&values[1]), &values[3], &values[4]),
        13 => (None, &values[2], &values[3]),
        11 => (Some(&values[1]), &values[3], &values[8]),
        count => {
            let help = "a node has 14 fields: machine, number, \"architecture\", processors, relative speed, ...";
            return Err(record.wrong(format!("this node has {count} fields"), help));
        }
    };
    let read = Node { processors: processors.number("the number of processors")?, speed: speed.speed()? };
    let Some(number) = number else {
        nodes.push(Some(read));
        return Ok(());
    };
    let place = number.number("the node's number")? as usize;
    if place >= MOST_NODES {
        return Err(number.wrong("the node's number", "less than 16,777,216"));
    }
    if nodes.len() <= place {
        nodes.resize(place + 1, None);
    }
    if nodes[place].replace(read).is_some() {
        return Err((number.at.clone(), format!("node {place} is told twice"), "give it another number".to_owned()));
    }
    Ok(())
}

/// Reads nodes that are all alike.
fn multi_node(record: &Record, nodes: &mut Vec<Option<Node>>) -> Result<(), Problem> {
    let values = record.values();
    if values.len() != 14 {
        let help = "nodes have 14 fields: machine, how many, \"architecture\", processors, relative speed, ...";
        return Err(record.wrong(format!("these nodes have {} fields", values.len()), help));
    }
    let count = values[1].number("the number of nodes")? as usize;
    if nodes.len() + count > MOST_NODES {
        return Err(values[1].wrong("the number of nodes", "at most 16,777,216 in all"));
    }
    let node = Node { processors: values[3].number("the number of processors")?, speed: values[4].speed()? };
    nodes.resize(nodes.len() + count, Some(node));
    Ok(())
}

/// Reads the node of each task: `"trace", tasks, [tasks] {node, node, ...}`.
fn listed(record: &Record) -> Result<Mapping, Problem> {
    let values = record.values();
    let help = "write `\"mapping information\" {\"trace.dim\", 2, [2] {0, 1}};;`";
    let [_, count, list] = &values[..] else {
        return Err(record.wrong(format!("this mapping has {} fields", values.len()), help));
    };
    let count = count.number("the number of tasks")? as usize;
    let open = list.text.find('{').ok_or_else(|| record.wrong("this mapping has no list of nodes", help))?;
    let inner = list.text[open + 1..].trim_end_matches('}');
    let inner = Record { name: record.name, body: inner, at: list.at.start + open + 1 };
    let listed = inner.values().iter().map(|value| value.number("a node")).collect::<Result<Vec<u32>, _>>()?;
    if listed.len() != count {
        return Err(record.wrong(format!("this mapping lists {} nodes for {count} tasks", listed.len()), help));
    }
    Ok(Mapping::Listed(listed, inner.at..inner.at + inner.body.len().max(1)))
}

/// Reads a mapping by a word, perhaps after the name of the trace.
fn predefined(record: &Record) -> Result<Mapping, Problem> {
    let values = record.values();
    let word = values.last().map_or("", |value| value.text.trim_matches('"')).trim();
    let per_node = word.strip_suffix("TASKS_PER_NODE").map(|number| number.trim().parse());
    match (word, per_node) {
        ("FILL_NODES", _) => Ok(Mapping::FillNodes),
        ("INTERLEAVED", _) => Ok(Mapping::Interleaved),
        (_, Some(Ok(tasks @ 1..))) => Ok(Mapping::PerNode(tasks)),
        _ => {
            let help = "write FILL_NODES, INTERLEAVED, or 4 TASKS_PER_NODE";
            Err(record.wrong(format!("`{word}` is no mapping"), help))
        }
    }
}
