//! Anynet files of BookSim 2: which routers and nodes are joined.
//!
//! A line says what a router or a node is joined with: `router 0 node 0 node 1 router 1 15`. A number behind a router
//! is the latency in cycles, 1 if there is none. Between routers it holds in the direction of the line; the other one
//! has 1 unless a line gives it. Both directions of a link are alike here, so that files whose directions differ are
//! refused. A pair has one link, however often it stands. BookSim knows no bandwidths: a link carries a flit in a
//! cycle.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::words;
use crate::model::attributes::Links;
use crate::model::vertices::Vertices;
use crate::model::wrong::{Word, Wrong, number, shown};
use crate::recognise::text::{Text, is_whole, words as words_of};

/// `router 0 router 1`, `router 0 node 0 node 1`.
pub(crate) fn sign(text: &Text<'_>) -> bool {
    let is_kind = |word: &str| word == "router" || word == "node";
    let words = words_of(text.first());
    words.len() >= 4 && is_kind(words[0]) && is_whole(words[1]) && is_kind(words[2]) && is_whole(words[3])
}

/// Reads a file.
pub(crate) fn parse(text: &str) -> Result<Vertices, Wrong> {
    let mut net = Net::default();
    for (line, span) in words::lines(text) {
        let words: Vec<Word> = words::of(line, span.start).collect();
        if words.first().is_some_and(|(word, _)| !word.starts_with('#')) {
            net.read(&words)?;
        }
    }
    net.check_nodes()?;
    net.finish()
}

/// What has been read.
#[derive(Default)]
struct Net {
    vertices: Vertices,
    /// The router of each node, and where that stands.
    nodes: BTreeMap<u32, (usize, Range<usize>)>,
    /// The cycles from the first to the second of two routers, and where they stand; in the order of the file.
    cycles: HashMap<[usize; 2], (u32, Range<usize>)>,
    order: Vec<[usize; 2]>,
    /// A latency is written somewhere.
    has_cycles: bool,
    /// Latencies of links of nodes.
    of_nodes: usize,
}

/// A router or a node.
#[derive(Clone, Copy)]
enum End {
    Router(usize),
    Node(u32),
}

const FORM: &str = "write lines such as router 0 node 0 router 1 15";

impl Net {
    fn read(&mut self, words: &[Word<'_>]) -> Result<(), Wrong> {
        let [kind, id, rest @ ..] = words else {
            return Err(Wrong::new(&words[0].1, "this line names nothing", FORM));
        };
        let head = self.end(kind, id)?;
        let mut rest = rest;
        while let [kind, more @ ..] = rest {
            let [id, more @ ..] = more else {
                return Err(Wrong::new(&kind.1, format!("`{}` has no number", shown(kind.0)), FORM));
            };
            let span = kind.1.start..id.1.end;
            let body = self.end(kind, id)?;
            let cycles = match more {
                [cycles, ..] if !matches!(cycles.0, "router" | "node") => Some(number(cycles, "cycles", 1, 1_000_000)?),
                _ => None,
            };
            rest = &more[usize::from(cycles.is_some())..];
            self.has_cycles |= cycles.is_some_and(|cycles| cycles != 1);
            match (head, body) {
                (End::Router(from), End::Router(to)) => self.join([from, to], cycles.unwrap_or(1), &span)?,
                (End::Router(router), End::Node(node)) | (End::Node(node), End::Router(router)) => {
                    self.of_nodes += usize::from(cycles.is_some_and(|cycles| cycles != 1));
                    self.plug(node, router, &span)?;
                }
                (End::Node(_), End::Node(_)) => {
                    return Err(Wrong::new(&span, "a node cannot be joined with a node", "join each with a router"));
                }
            }
        }
        Ok(())
    }

    /// Reads a router or node, and names it.
    fn end(&mut self, kind: &Word<'_>, id: &Word<'_>) -> Result<End, Wrong> {
        let number = || number(id, kind.0, 0, u32::MAX - 1);
        match kind.0 {
            "router" => {
                let number = number()?;
                let router = self.vertices.named(&(&format!("router{number}"), id.1.clone()));
                self.vertices.set_nodes(router, 0);
                Ok(End::Router(router))
            }
            "node" => Ok(End::Node(number()?)),
            other => Err(Wrong::new(&kind.1, format!("`{}` is neither router nor node", shown(other)), FORM)),
        }
    }

    /// Takes the latency from one router to another; the way back has 1 unless it is given.
    fn join(&mut self, [from, to]: [usize; 2], cycles: u32, span: &Range<usize>) -> Result<(), Wrong> {
        if from == to {
            return Err(Wrong::new(span, "this router is joined with itself", "remove it"));
        }
        if !self.cycles.contains_key(&[from, to]) {
            self.order.push([from.min(to), from.max(to)]);
            self.cycles.insert([to, from], (1, span.clone()));
        }
        self.cycles.insert([from, to], (cycles, span.clone()));
        Ok(())
    }

    fn plug(&mut self, node: u32, router: usize, span: &Range<usize>) -> Result<(), Wrong> {
        match self.nodes.insert(node, (router, span.clone())) {
            Some((other, _)) if other != router => {
                let message = format!("node {node} is joined with two routers");
                Err(Wrong::new(span, message, "a node has one link to one router"))
            }
            _ => Ok(()),
        }
    }

    /// Refuses gaps in the numbers of nodes, as BookSim does.
    fn check_nodes(&self) -> Result<(), Wrong> {
        match (0..).zip(&self.nodes).find(|(expected, (node, _))| expected != *node) {
            Some((expected, (_, (_, span)))) => {
                let message = format!("there is no node {expected}");
                Err(Wrong::new(span, message, "number nodes from 0 on, without gaps"))
            }
            None => Ok(()),
        }
    }

    fn finish(mut self) -> Result<Vertices, Wrong> {
        for pair in &self.order {
            let [a, b] = *pair;
            let (there, back) = (&self.cycles[&[a, b]], &self.cycles[&[b, a]]);
            if there.0 != back.0 {
                let message =
                    format!("this link takes {} cycles one way and {} back", there.0.max(back.0), there.0.min(back.0));
                let span = if there.0 > back.0 { &there.1 } else { &back.1 };
                return Err(Wrong::new(
                    span,
                    message,
                    "both directions are alike here: write the cycles in both lines",
                ));
            }
            let mut links = Links::default();
            if self.has_cycles {
                links.set("class", &(&format!("{}-cycles", there.0), there.1.clone()))?;
            }
            self.vertices.link(*pair, &there.1, links)?;
        }
        for (number, (router, span)) in &self.nodes {
            let node = self.vertices.named(&(&format!("node{number}"), span.clone()));
            self.vertices.set_node(node);
            self.vertices.link([*router, node], span, Links::default())?;
        }
        if self.has_cycles {
            self.vertices.note(
                "latencies are in cycles, of which the file tells no time: each is a class of links, and takes what is \
                 written as [[link]] class = \"15-cycles\", latency = \"15 cycles\"",
            );
        }
        if self.of_nodes > 0 {
            let number = self.of_nodes;
            self.vertices.note(format!("links of nodes with a latency in cycles, which is not simulated: {number}"));
        }
        Ok(self.vertices)
    }
}
