//! Adjacency lists: a vertex and its neighbours a line, as networkx and many programs write them.
//!
//! Some list each link once, others at both ends. A link that stands at both ends is one; what stands several times in
//! one line is as many links side by side, and the other end says none or the same number.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::words;
use crate::model::attributes::Links;
use crate::model::vertices::Vertices;
use crate::model::wrong::{Word, Wrong, shown};
use crate::recognise::text::{Text, words as words_of};

/// A line for each vertex, which begins with it: all words of the file begin a line, and some lines have not two words.
pub(crate) fn sign(text: &Text<'_>) -> bool {
    let mut firsts = HashSet::from(["switch", "node"]);
    let mut lines = 0;
    let all = || text.whole.lines().map(|line| words_of(line.split('#').next().unwrap_or_default()));
    for first in all().filter_map(|words| words.first().copied()) {
        lines += 1;
        if !firsts.insert(first) {
            return false;
        }
    }
    let is_uneven = |words: &Vec<&str>| !words.is_empty() && words.len() != 2;
    lines > 1 && all().any(|words| is_uneven(&words)) && all().all(|line| line.iter().all(|word| firsts.contains(word)))
}

/// Reads a list.
pub(crate) fn parse(text: &str) -> Result<Vertices, Wrong> {
    let mut vertices = Vertices::default();
    let mut counts: HashMap<[usize; 2], ([u32; 2], Range<usize>)> = HashMap::new();
    let mut order = Vec::new();
    for (line, span) in words::lines(text) {
        let words: Vec<Word> = words::of(line.split('#').next().unwrap_or_default(), span.start).collect();
        let [first, neighbours @ ..] = &words[..] else { continue };
        let from = vertices.named(first);
        for neighbour in neighbours {
            let to = vertices.named(neighbour);
            if from == to {
                let message = format!("`{}` is its own neighbour", shown(first.0));
                return Err(Wrong::new(&neighbour.1, message, "a link joins two different vertices: remove it"));
            }
            let pair = [from.min(to), from.max(to)];
            let (count, _) = counts.entry(pair).or_insert_with(|| {
                order.push(pair);
                ([0; 2], neighbour.1.clone())
            });
            count[usize::from(from > to)] += 1;
        }
    }
    for pair in order {
        let ([there, back], span) = &counts[&pair];
        if *there != *back && there.min(back) > &0 {
            let message = format!("this link stands {there} times at one end and {back} times at the other");
            return Err(Wrong::new(span, message, "write each link once, or once at both ends"));
        }
        vertices.link(pair, span, Links::written(*there.max(back), None, None, span))?;
    }
    Ok(vertices)
}
