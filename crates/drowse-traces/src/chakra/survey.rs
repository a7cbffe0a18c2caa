//! The first pass over the files: process groups, and what computations are given in.

use prost::Message;

use super::files::Files;
use super::groups::{Named, Resolved, defined, resolve};
use super::kind::Kind;
use super::messages::{DIMENSIONS, Metadata, Node};
use super::stream::{Messages, wrong};
use crate::error::{TraceError, shortened};
use crate::files::{FNV_OFFSET, fnv1a};

/// What is known of all ranks.
pub(super) struct Survey {
    pub groups: Resolved,
    /// Whether computations are operations, since no node has a duration.
    pub in_operations: bool,
    /// A hash of all files.
    pub fingerprint: u64,
}

/// Reads all files once.
pub(super) fn survey(files: &Files) -> Result<Survey, TraceError> {
    let (mut ranks, mut hash) = (Vec::with_capacity(files.ranks.len()), FNV_OFFSET);
    let (mut durations, mut operations) = (false, false);
    // Where each rank names a group first, for messages.
    let mut places = Vec::with_capacity(files.ranks.len());
    for file in &files.ranks {
        let mut messages = Messages::new(file, hash);
        check_version(&mut messages)?;
        let (mut named, mut place) = (Named::default(), 0);
        while let Some(node) = read_node(&mut messages)? {
            match Kind::of(node.kind) {
                Kind::Metadata => define(&node, &mut named).map_err(|problem| messages.wrong(problem))?,
                Kind::Collective if node.has("comm_type") => {
                    name(&node, &mut named, files, ranks.len() as u32)
                        .map_err(|problem| messages.wrong(problem))?
                        .then(|| place = messages.offset());
                }
                Kind::Compute => {
                    durations |= node.microseconds > 0;
                    // What is no number is refused where operations are used.
                    operations |= !matches!(node.number("num_ops"), Ok(None | Some(..=0)));
                }
                _ => {}
            }
        }
        // Separates the end of a rank from its last byte.
        hash = fnv1a(messages.hash, 0);
        ranks.push(named);
        places.push(place);
    }
    let groups = resolve(&ranks, files.groups.as_ref())
        .map_err(|(rank, problem)| wrong(&files.ranks[rank as usize], places[rank as usize], problem))?;
    if let Some(listed) = &files.groups {
        for (name, members) in listed {
            let text = format!("{name}{members:?}");
            hash = text.bytes().fold(hash, fnv1a);
        }
    }
    Ok(Survey { groups, in_operations: operations && !durations, fingerprint: hash })
}

/// Reads the first message of a file, and refuses older versions: they number fields in another way.
pub(super) fn check_version(messages: &mut Messages) -> Result<(), TraceError> {
    let decoded = messages.next()?.map(Metadata::decode);
    let metadata = match decoded {
        None => return Err(messages.wrong("the file is empty; copy it again")),
        Some(Err(_)) => return Err(messages.wrong("the first message is not that of a Chakra trace; copy it again")),
        Some(Ok(metadata)) => metadata,
    };
    let Some(version) = metadata.schema() else { return Ok(()) };
    let numbers: Vec<u32> = version.split('.').map_while(|number| number.parse().ok()).collect();
    if numbers.as_slice() < &[0, 0, 4] {
        let version = shortened(version);
        return Err(
            messages.wrong(format!("the schema is version {version}, and 0.0.4 or later is read; convert it again"))
        );
    }
    Ok(())
}

/// Reads a node; `None` at the end of the file.
pub(super) fn read_node(messages: &mut Messages) -> Result<Option<Node>, TraceError> {
    match messages.next()?.map(Node::decode) {
        None => Ok(None),
        Some(Ok(node)) => Ok(Some(node)),
        Some(Err(error)) => Err(messages.wrong(format!("the message is no node ({error}); copy the file again"))),
    }
}

/// Notes the process group of a collective, or the ranks of its dimensions, where these are known; returns whether it is
/// the first of its name.
fn name(node: &Node, named: &mut Named, files: &Files, rank: u32) -> Result<bool, String> {
    let name = node.ranks()?;
    if named.used.contains(&name) {
        return Ok(false);
    }
    if let Some(involved) = node.dimensions()?.filter(|_| name.starts_with(DIMENSIONS)) {
        let Some(dimensions) = &files.dimensions else { return Ok(false) };
        named.defined.insert(name.clone(), dimensions.members(involved, rank, files.ranks.len() as u32)?);
    }
    Ok(named.used.insert(name))
}

/// Notes the process groups that a metadata node defines.
fn define(node: &Node, named: &mut Named) -> Result<(), String> {
    let Some(inputs) = node.inputs.as_ref().filter(|inputs| inputs.values.contains("\"pg_name\"")) else {
        return Ok(());
    };
    let groups = defined(&inputs.values)
        .ok_or_else(|| format!("the process groups of node {} cannot be read; convert the trace again", node.id))?;
    named.defined.extend(groups.into_iter().map(|group| (group.pg_name, group.ranks)));
    Ok(())
}
