//! Reads a text, statement by statement.

use std::borrow::Cow;

use memchr::memchr;
use rustc_hash::FxHashMap;

use super::counts::Counts;
use super::graph::{Does, Graph};
use super::order::{Step, order};
use super::source::Program;
use crate::error::{Place, TraceError, shortened};
use crate::files::{FNV_OFFSET, Stored, add_line};
use crate::line_error::LineError;
use crate::numbers::{number, rank, size, wrong};

/// The most ranks.
pub(super) const MOST_RANKS: u64 = 1 << 24;

/// Reads a trace.
pub(super) fn load(stored: Stored) -> Result<Program, TraceError> {
    let label = stored.text.label.clone();
    let mut comments = Comments::default();
    let mut file = File::default();
    let (mut fingerprint, mut last) = (FNV_OFFSET, 1);
    stored.text.for_each_line(stored.spool.as_ref(), |line, text| {
        last = line;
        let text = comments.strip(text);
        fingerprint = add_line(fingerprint, &text);
        let read = file.line(&text);
        read.map_err(|problem| TraceError::Line { place: Place { file: label.clone(), line }, problem })
    })?;
    let place = Place { file: label.clone(), line: last };
    let ranks = file.end(comments.open).map_err(|problem| TraceError::Line { place, problem })?;
    Ok(Program::new((label, Some(stored)), &file.counts, fingerprint, ranks))
}

/// Takes comments out of lines: `// …` and `/* … */`, which may go over several lines.
#[derive(Default)]
pub(super) struct Comments {
    open: bool,
}

impl Comments {
    /// Returns a line without comments.
    pub fn strip<'l>(&mut self, line: &'l [u8]) -> Cow<'l, [u8]> {
        if !self.open && memchr(b'/', line).is_none() {
            return line.into();
        }
        let (mut kept, mut rest) = (Vec::with_capacity(line.len()), line);
        while let Some((&byte, after)) = rest.split_first() {
            match (self.open, rest) {
                (true, [b'*', b'/', after @ ..]) => {
                    self.open = false;
                    kept.push(b' ');
                    rest = after;
                }
                (false, [b'/', b'*', after @ ..]) => {
                    self.open = true;
                    rest = after;
                }
                (false, [b'/', b'/', ..]) => break,
                (open, _) => {
                    if !open {
                        kept.push(byte);
                    }
                    rest = after;
                }
            }
        }
        kept.into()
    }
}

/// What was read so far.
#[derive(Default)]
struct File {
    /// The number of ranks, once it is known.
    count: Option<u32>,
    /// Those that were read: a map, since memory must not grow with what a lying file says.
    ranks: FxHashMap<u32, Vec<Step>>,
    /// The rank that is open.
    rank: Option<(u32, Graph)>,
    counts: Counts,
}

impl File {
    /// Reads a line without comments.
    fn line(&mut self, text: &[u8]) -> Result<(), LineError> {
        let words = words(text);
        match (&words[..], &mut self.rank) {
            ([], _) => Ok(()),
            ([b"num_ranks", count], None) if self.count.is_none() => self.begin(count),
            ([b"rank", which, b"{"], None) => self.begin_rank(which),
            ([b"}"], Some(_)) => self.end_rank(),
            (words, Some((rank, graph))) => {
                let does = statement(graph, words, self.count.unwrap_or(0))?;
                if let Some((does, cpu)) = does {
                    self.counts.add(*rank, does, cpu);
                }
                Ok(())
            }
            (words, None) => {
                let found = shortened(&String::from_utf8_lossy(&words.join(&b' ')));
                Err(LineError::Record(format!(
                    "`{found}` is not `num_ranks N` or `rank R {{`; see the format's grammar"
                )))
            }
        }
    }

    fn begin(&mut self, count: &[u8]) -> Result<(), LineError> {
        let ranks = number(count, "the number of ranks")?;
        if !(1..=MOST_RANKS).contains(&ranks) {
            return Err(wrong(count, "the number of ranks", "from 1 to 16777216"));
        }
        self.count = Some(ranks as u32);
        Ok(())
    }

    fn begin_rank(&mut self, which: &[u8]) -> Result<(), LineError> {
        let which = rank(which, "the rank", self.count.unwrap_or(0))?;
        if self.ranks.contains_key(&which) {
            return Err(LineError::Record(format!("rank {which} is there twice; join its statements")));
        }
        self.rank = Some((which, Graph::default()));
        Ok(())
    }

    fn end_rank(&mut self) -> Result<(), LineError> {
        let Some((which, graph)) = self.rank.take() else { return Ok(()) };
        let ordered = order(&graph).map_err(|place| {
            let label = graph.label(place);
            LineError::Record(format!("{label} of rank {which} can never start: its dependencies form a circle"))
        })?;
        self.counts.approximated += ordered.approximated;
        self.ranks.insert(which, ordered.steps);
        Ok(())
    }

    /// Returns the steps of all ranks at the end of the file.
    fn end(&mut self, in_comment: bool) -> Result<Vec<Vec<Step>>, LineError> {
        let wrong = |problem: String| Err(LineError::Record(problem));
        if in_comment {
            return wrong("a comment `/*` does not end; add `*/`".into());
        }
        if let Some((rank, _)) = &self.rank {
            return wrong(format!("rank {rank} does not end; add `}}`, or check that the file is complete"));
        }
        let Some(count) = self.count else {
            return wrong("the text ends without `num_ranks N`; check that the file is complete".into());
        };
        if let Some(missing) = (0..count).find(|rank| !self.ranks.contains_key(rank)) {
            return wrong(format!("rank {missing} of {count} is missing; add `rank {missing} {{` and `}}`"));
        }
        Ok((0..count).filter_map(|rank| self.ranks.remove(&rank)).collect())
    }
}

/// Returns the words of a line. A brace is one, and a colon ends one.
fn words(text: &[u8]) -> Vec<&[u8]> {
    let (mut words, mut begin) = (Vec::with_capacity(12), 0);
    for (at, &byte) in text.iter().enumerate() {
        let is_brace = matches!(byte, b'{' | b'}');
        let end = if byte == b':' { at + 1 } else { at };
        if is_brace || byte == b':' || byte.is_ascii_whitespace() {
            words.extend(text.get(begin..end).filter(|word| !word.is_empty()));
            begin = at + 1;
        }
        if is_brace {
            words.push(&text[at..=at]);
        }
    }
    words.extend(text.get(begin..).filter(|word| !word.is_empty()));
    words
}

/// Returns the lines of statements of a rank, by their places there.
pub(super) fn lines(stored: &Stored, rank: u32, wanted: &[u32]) -> Result<Vec<u64>, TraceError> {
    let name = rank.to_string();
    let (mut comments, mut open, mut place) = (Comments::default(), false, 0_u32);
    let mut lines = vec![0; wanted.len()];
    stored.text.for_each_line(stored.spool.as_ref(), |line, text| {
        match words(&comments.strip(text))[..] {
            [] | [_, b"requires" | b"irequires", _] => {}
            [b"rank", which, b"{"] => open = which == name.as_bytes(),
            [b"}"] => open = false,
            _ if open => {
                let found = wanted.iter().zip(&mut lines).filter(|(wanted, _)| **wanted == place);
                found.for_each(|(_, found)| *found = line);
                place += 1;
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(lines)
}

/// Reads a statement of a rank: something that it does, with its processor, or a dependency.
fn statement(graph: &mut Graph, words: &[&[u8]], ranks: u32) -> Result<Option<(Does, u64)>, LineError> {
    match *words {
        [after, how @ (b"requires" | b"irequires"), before] => {
            let place = |label: &[u8]| {
                let unknown =
                    || format!("no statement above is called `{}`", shortened(&String::from_utf8_lossy(label)));
                graph.labelled(label).ok_or_else(|| LineError::Record(unknown()))
            };
            let (after, before) = (place(after)?, place(before)?);
            let statement = &mut graph.statements[after as usize];
            if how == b"requires" { &mut statement.requires } else { &mut statement.needs_started }.push(before);
            Ok(None)
        }
        [label, ref rest @ ..] if label.ends_with(b":") => {
            let label = &label[..label.len() - 1];
            let does = does(rest, ranks)?;
            if !graph.add(Some(label), does.0) {
                let label = shortened(&String::from_utf8_lossy(label));
                return Err(LineError::Record(format!("`{label}` is the label of two statements; rename one")));
            }
            Ok(Some(does))
        }
        ref words => {
            let does = does(words, ranks)?;
            graph.add(None, does.0);
            Ok(Some(does))
        }
    }
}

/// Reads what a statement does, and on which processor.
fn does(words: &[&[u8]], ranks: u32) -> Result<(Does, u64), LineError> {
    let wrong = |problem: &str| LineError::Record(problem.to_owned());
    match *words {
        [b"calc", time, ref options @ ..] => {
            let nanoseconds = number(time, "the time of a calculation")?;
            Ok((Does::Calculate(nanoseconds), Options::of(options)?.cpu))
        }
        [b"send", bytes, b"to", to, ref options @ ..] => {
            let (bytes, to) = (message_size(bytes)?, rank(to, "the receiver", ranks)?);
            let Options { tag, cpu } = Options::of(options)?;
            let tag = tag.ok_or_else(|| wrong("a send has a tag of its own; -1 is for receives"))?;
            Ok((Does::Send { to, tag, bytes }, cpu))
        }
        [b"recv", bytes, b"from", from, ref options @ ..] => {
            message_size(bytes)?;
            let from = if from == b"-1" { None } else { Some(rank(from, "the sender", ranks)?) };
            let Options { tag, cpu } = Options::of(options)?;
            Ok((Does::Receive { from, tag }, cpu))
        }
        [b"put" | b"get" | b"append" | b"tput" | b"tget" | b"test" | b"calcgem5", ..] => {
            Err(wrong("is a statement that only LogGOPSim 2 knows; write it as send, recv or calc"))
        }
        _ => {
            let found = shortened(&String::from_utf8_lossy(&words.join(&b' ')));
            Err(LineError::Record(format!(
                "`{found}` is no statement: `send Nb to R`, `recv Nb from R`, `calc N`, `A requires B` or `A irequires B`"
            )))
        }
    }
}

/// Reads a size in bytes, such as `8b`.
fn message_size(word: &[u8]) -> Result<u64, LineError> {
    let digits = word.strip_suffix(b"b").ok_or_else(|| wrong(word, "the size", "bytes, such as 8b"))?;
    size(digits, "the size")
}

/// What may follow a statement.
struct Options {
    /// The tag; `None` takes any.
    tag: Option<u32>,
    cpu: u64,
}

impl Options {
    fn of(words: &[&[u8]]) -> Result<Self, LineError> {
        let mut options = Options { tag: Some(0), cpu: 0 };
        for pair in words.chunks(2) {
            match *pair {
                [b"tag", b"-1"] => options.tag = None,
                [b"tag", tag] => {
                    let number = number(tag, "the tag")?;
                    let tag = u32::try_from(number).map_err(|_| wrong(tag, "the tag", "below 4294967296"))?;
                    options.tag = Some(tag).filter(|&tag| tag != u32::MAX);
                }
                [b"cpu", cpu] => options.cpu = number(cpu, "the processor")?,
                [b"nic", nic] => drop(number(nic, "the NIC")?),
                _ => {
                    let found = shortened(&String::from_utf8_lossy(pair[0]));
                    return Err(LineError::Record(format!("`{found}` is not `tag T`, `cpu C` or `nic K`")));
                }
            }
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_and_labels_are_words() {
        let of = |text: &'static str| words(text.as_bytes()).join(&b'|');
        assert_eq!(of(" rank 0{l1: calc  5}\t"), b"rank|0|{|l1:|calc|5|}");
        assert_eq!(of("a:b::{}{"), b"a:|b:|:|{|}|{");
        assert_eq!(of(" \r"), b"");
    }
}
