//! Topologies of ns-3 as HPCC, ASTRA-sim and SimAI read them: one stream of words.
//!
//! HPCC: `NODES SWITCHES LINKS`, the ids of switches, then `A B 100Gbps 0.001ms ERROR` for each link. SimAI begins with
//! `NODES GPUS_PER_SERVER NVSWITCHES SWITCHES LINKS TYPE`, and names the switches of NVLink before the others. All
//! other ids are hosts, or GPUs.

use std::ops::Range;

use super::plan::{Cable, Plan};
use super::words;
use crate::model::attributes::{latency, rate};
use crate::model::vertices::Vertices;
use crate::model::wrong::{Word, Wrong, number, shown};
use crate::options::Options;
use crate::recognise::text::{Text, is_whole, words as words_of};

/// The most nodes and links.
const MOST: u32 = 1 << 20;

/// A line of three numbers, or of five and a word, then lines `0 2 100Gbps 0.0005ms 0`.
pub(crate) fn sign(text: &Text<'_>) -> bool {
    let is_link = |line: &&str| {
        let words = words_of(line);
        words.len() == 5 && words[2].to_ascii_lowercase().ends_with("bps") && words[3].ends_with('s')
    };
    let counts = words_of(text.first());
    let is_head = match counts.len() {
        3 => counts.into_iter().all(is_whole),
        6 => counts[..5].iter().all(|word| is_whole(word)),
        _ => false,
    };
    is_head && text.lines.iter().any(is_link)
}

/// Reads a topology.
pub(crate) fn parse(text: &str, options: &Options) -> Result<Vertices, Wrong> {
    let first = text.trim_start().lines().next().unwrap_or_default();
    let mut stream = Stream { words: words::of(text, 0).collect(), at: 0, end: text.trim_end().len()..text.len() };
    let is_simai = words_of(first).len() == 6;
    let nodes = stream.number("nodes", 1)?;
    let mut nvlink = 0;
    if is_simai {
        stream.number("GPUs of a server", 0)?;
        nvlink = stream.number("switches of NVLink", 0)?;
    }
    let switches = stream.number("switches", 0)?;
    let counted = stream.words.get(stream.at).map(|(_, span)| span.clone());
    let links = stream.number("links", 0)?;
    if is_simai {
        stream.next("the type of GPUs")?;
    }
    let mut kinds = vec!["host"; nodes as usize];
    for (kind, number) in [("nvswitch", nvlink), ("switch", switches)] {
        for _ in 0..number {
            let (id, span) = stream.id(nodes)?;
            if std::mem::replace(&mut kinds[id], kind) != "host" {
                return Err(Wrong::new(&span, format!("switch {id} stands twice"), "name each switch once"));
            }
        }
    }
    let mut plan = Plan::new("hosts");
    let head = counted.unwrap_or(0..0);
    for (id, kind) in kinds.iter().enumerate() {
        plan.add(format!("{kind}{id}"), &head, *kind == "host")?;
    }
    let mut lossy = 0;
    for _ in 0..links {
        lossy += usize::from(stream.link(nodes, &mut plan)?);
    }
    if let Some((word, span)) = stream.words.get(stream.at) {
        let message = format!("`{}` stands behind the last of {links} links", shown(word));
        return Err(Wrong::new(span, message, "write the number of links into the first line"));
    }
    let mut vertices = plan.finish(options.speed)?;
    if lossy > 0 {
        vertices.note(format!("links with an error rate, at which nothing is lost here: {lossy}"));
    }
    Ok(vertices)
}

/// The words of a file, and how far they are read.
struct Stream<'t> {
    words: Vec<Word<'t>>,
    at: usize,
    end: Range<usize>,
}

impl<'t> Stream<'t> {
    fn next(&mut self, what: &str) -> Result<Word<'t>, Wrong> {
        let word = self.words.get(self.at).cloned();
        self.at += 1;
        word.ok_or_else(|| {
            Wrong::new(&self.end, format!("the file ends before {what}"), "write as many lines as the first line says")
        })
    }

    fn number(&mut self, what: &str, least: u32) -> Result<u32, Wrong> {
        number(&self.next(what)?, what, least, MOST)
    }

    fn id(&mut self, nodes: u32) -> Result<(usize, Range<usize>), Wrong> {
        let word = self.next("the id of a node")?;
        let id = number(&word, "a node", 0, nodes - 1)?;
        Ok((id as usize, word.1))
    }

    /// Reads a link, and returns whether it loses packets.
    fn link(&mut self, nodes: u32, plan: &mut Plan) -> Result<bool, Wrong> {
        let ((a, start), (b, _)) = (self.id(nodes)?, self.id(nodes)?);
        let (speed, delay) = (self.next("the bandwidth of a link")?, self.next("the delay of a link")?);
        let (error, place) = self.next("the error rate of a link")?;
        let cable = Cable { links: 1, bandwidth: Some(rate(&speed)?), latency: Some(latency(&delay)?) };
        plan.link([a, b], &(start.start..place.end), cable)?;
        match error.parse::<f64>() {
            Ok(rate) if (0.0..=1.0).contains(&rate) => Ok(rate > 0.0),
            _ => {
                let message = format!("`{}` is no error rate", shown(error));
                Err(Wrong::new(&place, message, "write a number from 0 to 1"))
            }
        }
    }
}
