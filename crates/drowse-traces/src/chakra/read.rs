//! The second pass over the files: each rank's graph, and the program that it becomes.

use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_core::workload::communicators::ALL;
use drowse_core::workload::operation::{Collective, MOST_BYTES};
use rustc_hash::FxHashMap;

use super::counts::Counts;
use super::files::Files;
use super::graph::{Does, Graph, Processor, Unsorted};
use super::kind::{self, COLLECTIVES, Kind};
use super::messages::Node;
use super::order::{Step, order};
use super::source::Program;
use super::stream::{Messages, wrong};
use super::survey::{Survey, check_version, read_node, survey};
use crate::error::TraceError;
use crate::files::ByteFile;

/// Picoseconds in a microsecond.
const MICROSECOND: u64 = 1_000_000;

/// The most nodes of a rank.
const MOST_NODES: usize = 1 << 28;

/// Why a collective over some dimensions is not simulated.
const DIMENSIONS: &str = "involved_dim leaves out a dimension of the machine, and nothing says which rank is where in \
                          it; add a file dims.json with the extents of all dimensions, {\"logical-dims\": [2, 2]}";

/// The collectives that differ.
#[derive(Default)]
struct Collectives {
    all: Vec<Collective>,
    /// By number, bytes and ranks.
    known: FxHashMap<(usize, u64, u32), u32>,
}

/// Reads the nodes of a rank.
struct RankReader<'r> {
    file: &'r ByteFile,
    rank: u32,
    ranks: u32,
    survey: &'r Survey,
    with_control: bool,
    collectives: &'r mut Collectives,
    counts: &'r mut Counts,
}

/// Why a rank has no program.
enum Wrong {
    Trace(Box<TraceError>),
    /// A node that can never start, and where it is.
    Circle(u64, u64),
}

impl From<TraceError> for Wrong {
    fn from(error: TraceError) -> Self {
        Wrong::Trace(Box::new(error))
    }
}

/// Reads a trace. Control dependencies are left out where they form circles: there they hold the stack of calls.
pub(super) fn load(files: &Files) -> Result<Program, TraceError> {
    let survey = survey(files)?;
    let read = match programs(files, &survey, true) {
        Err((_, Wrong::Circle(..))) => programs(files, &survey, false),
        read => read,
    };
    let (ranks, collectives, counts) = read.map_err(|(rank, why)| match why {
        Wrong::Trace(error) => *error,
        Wrong::Circle(id, offset) => {
            let problem = format!("node {id} can never start: its dependencies form a circle");
            wrong(&files.ranks[rank as usize], offset, problem)
        }
    })?;
    let info = counts.info(&ranks, &collectives, &survey.groups.communicators, survey.in_operations);
    let Survey { groups, in_operations, fingerprint } = survey;
    let communicators = Arc::new(groups.communicators);
    Ok(Program { info, fingerprint, ranks, collectives, communicators, in_operations })
}

type Programs = (Vec<Vec<Step>>, Vec<Collective>, Counts);

/// Makes the programs of all ranks. Fails with a rank.
fn programs(files: &Files, survey: &Survey, with_control: bool) -> Result<Programs, (u32, Wrong)> {
    let (mut collectives, mut counts) = (Collectives::default(), Counts::default());
    counts.without_control = !with_control;
    let (mut programs, ranks) = (Vec::with_capacity(files.ranks.len()), files.ranks.len() as u32);
    for (rank, file) in (0..).zip(&files.ranks) {
        let (collectives, counts) = (&mut collectives, &mut counts);
        let mut reader = RankReader { file, rank, ranks, survey, with_control, collectives, counts };
        programs.push(reader.program().map_err(|wrong| (rank, wrong))?);
    }
    Ok((programs, collectives.all, counts))
}

impl RankReader<'_> {
    /// Reads the graph of the rank, and makes its program.
    fn program(&mut self) -> Result<Vec<Step>, Wrong> {
        let mut messages = Messages::new(self.file, 0);
        check_version(&mut messages)?;
        let (mut nodes, mut needs, mut computed) = (Vec::new(), Vec::new(), 0_u64);
        while let Some(node) = read_node(&mut messages)? {
            let does = self.does(&node).map_err(|problem| messages.wrong(problem))?;
            if let Does::Compute(_, time) = does {
                computed = computed.saturating_add(time);
                if !self.survey.in_operations && Time(computed) > Time::LONGEST {
                    let most = Time::LONGEST;
                    return Err(messages.wrong(format!("up to here the rank computes for more than {most}")).into());
                }
            }
            let begin = needs.len();
            needs.extend_from_slice(&node.data);
            if self.with_control {
                needs.extend_from_slice(&node.control);
            } else {
                self.counts.control += node.control.len() as u64;
            }
            nodes.push(Unsorted { id: node.id, offset: messages.offset(), does, begin, end: needs.len() });
            if nodes.len() > MOST_NODES || needs.len() > u32::MAX as usize {
                return Err(messages.wrong("the rank has more nodes than are read (268,435,456)").into());
            }
        }
        self.counts.computed += u128::from(computed);
        let graph = Graph::new(nodes, &needs).map_err(|(id, offset)| {
            wrong(self.file, offset, format!("node {id} comes twice in the file; convert the trace again"))
        })?;
        self.counts.absent += graph.absent;
        let ordered =
            order(&graph).map_err(|place| Wrong::Circle(graph.ids[place as usize], graph.offsets[place as usize]))?;
        self.counts.waits += ordered.approximated;
        Ok(ordered.steps)
    }

    /// Returns what a node does, and counts it.
    fn does(&mut self, node: &Node) -> Result<Does, String> {
        *self.counts.nodes.entry(kind::name(node.kind)).or_default() += 1;
        let processor = match node.number("is_cpu_op")? {
            Some(1..) => Processor::Host,
            _ => Processor::Device,
        };
        Ok(match Kind::of(node.kind) {
            Kind::Metadata => Does::Nothing,
            Kind::Other => {
                self.counts.others += 1;
                Does::Nothing
            }
            Kind::Compute if self.survey.in_operations => {
                let operations = node.number("num_ops")?.unwrap_or_default();
                self.counts.without_operations += u64::from(!node.has("num_ops"));
                Does::Compute(processor, u64::try_from(operations).map_err(|_| format!("num_ops is {operations}"))?)
            }
            Kind::Compute => {
                self.counts.untimed += u64::from(node.microseconds == 0 && node.has("num_ops"));
                Does::Compute(processor, duration(node)?)
            }
            Kind::Storage if node.microseconds == 0 => {
                self.counts.storage_left_out += 1;
                Does::Nothing
            }
            Kind::Storage => {
                self.counts.storage += 1;
                Does::Compute(processor, if self.survey.in_operations { 0 } else { duration(node)? })
            }
            Kind::Send => self.message(node, "comm_dst")?.map_or(Does::Nothing, |(to, tag, bytes)| {
                self.counts.sizeless_sends += u64::from(!node.has("comm_size"));
                self.counts.messages.count += 1;
                self.counts.messages.bytes = self.counts.messages.bytes.saturating_add(bytes);
                Does::Send { to, tag, bytes }
            }),
            Kind::Receive => {
                self.message(node, "comm_src")?.map_or(Does::Nothing, |(from, tag, _)| Does::Receive { from, tag })
            }
            Kind::Collective => match node.number("comm_type")? {
                Some(number) => self.collective(node, number)?,
                // The host's part of a call, whose kernel is another node.
                None => Does::Compute(processor, if self.survey.in_operations { 0 } else { duration(node)? }),
            },
        })
    }

    /// Returns peer, tag and bytes of a message; nothing where it cannot be simulated.
    fn message(&mut self, node: &Node, peer: &str) -> Result<Option<(u32, u32, u64)>, String> {
        let bytes = bytes(node)?.unwrap_or_default();
        if self.ranks == 1 {
            self.counts.not_simulated(self.file, node.kind, "only one rank's file is given, and others take part");
            return Ok(None);
        }
        let Some(rank) = node.number(peer)? else {
            self.counts.not_simulated(self.file, node.kind, "nodes do not tell the other rank (comm_src, comm_dst)");
            return Ok(None);
        };
        let Some(rank) = u32::try_from(rank).ok().filter(|&rank| rank < self.ranks) else {
            return Err(format!(
                "{peer} is {rank}, but there are files of {} ranks, from 0; add the others",
                self.ranks
            ));
        };
        // Tags are numbers of 32 bits, with or without a sign.
        let tag = node.number("comm_tag")?.unwrap_or_default();
        let tag = u32::try_from(tag).or_else(|_| i32::try_from(tag).map(i32::cast_unsigned));
        Ok(Some((rank, tag.map_err(|_| "comm_tag has more than 32 bits".to_owned())?, bytes)))
    }

    /// Returns the collective that a node calls.
    fn collective(&mut self, node: &Node, number: i128) -> Result<Does, String> {
        let known = usize::try_from(number).ok().filter(|&number| number < COLLECTIVES.len());
        let number = known.ok_or_else(|| format!("comm_type is {number}, and collectives have the numbers 0 to 9"))?;
        let (name, has_root) = COLLECTIVES[number];
        let bytes = bytes(node)?;
        *self.counts.collectives.entry(name).or_default() += 1;
        if self.ranks == 1 {
            self.counts.not_simulated(self.file, node.kind, "only one rank's file is given, and others take part");
            return Ok(Does::Nothing);
        }
        let (comm, inferred) = self.survey.groups.group(self.rank, &node.ranks()?);
        // A process group says itself which ranks take part, and so do dimensions that are known.
        if comm == ALL && node.dimensions()?.is_some() {
            self.counts.not_simulated(self.file, node.kind, DIMENSIONS);
            return Ok(Does::Nothing);
        }
        let ranks = self.survey.groups.communicators.size(comm).unwrap_or(self.ranks);
        self.counts.inferred += u64::from(inferred);
        self.counts.rootless += u64::from(has_root);
        self.counts.sizeless += u64::from(bytes.is_none() && name != "BARRIER");
        let which = self.collectives.which(number, bytes.unwrap_or_default(), ranks);
        Ok(Does::Collective { comm, which })
    }
}

impl Collectives {
    /// Returns the place of a collective among those that differ.
    fn which(&mut self, number: usize, bytes: u64, ranks: u32) -> u32 {
        *self.known.entry((number, bytes, ranks)).or_insert_with(|| {
            self.all.push(kind::collective(number, bytes, ranks));
            self.all.len() as u32 - 1
        })
    }
}

/// Returns how long a node takes, in picoseconds.
fn duration(node: &Node) -> Result<u64, String> {
    let too_long = || format!("duration_micros is {}, which is too long to be simulated", node.microseconds);
    node.microseconds.checked_mul(MICROSECOND).ok_or_else(too_long)
}

/// Returns the size of a communication, if it is told.
fn bytes(node: &Node) -> Result<Option<u64>, String> {
    let Some(size) = node.number("comm_size")? else { return Ok(None) };
    let bytes = u64::try_from(size).ok().filter(|&bytes| bytes <= MOST_BYTES);
    bytes.map(Some).ok_or_else(|| format!("comm_size is {size} B, and it is from 0 to {MOST_BYTES} B (32 GiB)"))
}
