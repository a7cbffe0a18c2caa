//! The head of a trace, and where the sections of its ranks are. The text is read once for it.

use super::head::{Head, range};
use super::scan::Scan;
use super::section::{Section, at};
use super::words::Words;
use super::wrong::Wrong;
use crate::error::{TraceError, shortened};
use crate::files::{Extent, FNV_OFFSET, Stored, add_line};
use crate::info::TraceInfo;

/// The word that begins a trace.
pub(crate) const MAGIC: &str = "drowse-trace";
/// The version that is read and written.
pub(crate) const VERSION: &str = "1";
/// The most ranks.
pub(crate) const MOST_RANKS: u32 = 1 << 20;
/// The most sections, all ranks together.
const MOST_SECTIONS: usize = 1 << 24;

/// The head, and the sections of each rank in order.
pub(crate) struct Outline {
    pub head: Head,
    sections: Vec<Section>,
    /// Which rank has which section, sorted.
    owners: Vec<(u32, u32)>,
    /// A hash of all lines.
    pub fingerprint: u64,
    /// What the ranks do, if they come in order.
    pub info: Option<TraceInfo>,
}

/// What a line is.
enum Line {
    /// One of the head.
    Head,
    /// It begins a section of these ranks.
    Begins { first: u32, last: u32 },
    /// One of a section.
    Within,
}

impl Outline {
    /// Reads a text once.
    pub fn read(stored: &Stored) -> Result<Self, TraceError> {
        let mut reading = Reading::default();
        let (mut last, mut fingerprint, mut scan) = (0, FNV_OFFSET, Some(Scan::default()));
        stored.text.for_each_line(stored.spool.as_ref(), |number, line| {
            last = number;
            fingerprint = add_line(fingerprint, line);
            match reading.line(number, line).map_err(|wrong| at(stored, number, wrong))? {
                Line::Head => {}
                Line::Begins { first, last } => scan = scan.take().and_then(|scan| scan.begin(first, last)),
                Line::Within => {
                    if let (Some(scan), Some(head)) = (&mut scan, &reading.head) {
                        scan.line(head, line).map_err(|wrong| at(stored, number, wrong))?;
                    }
                }
            }
            Ok(())
        })?;
        reading.end_section();
        let has_magic = reading.has_magic;
        let lacking = || if has_magic { at(stored, last, Wrong::NoRanks) } else { at(stored, 1, Wrong::NoHeader) };
        let head = reading.head.ok_or_else(lacking)?;
        reading.owners.sort_unstable();
        let info = scan.map(|scan| scan.finish(&head));
        Ok(Outline { head, sections: reading.sections, owners: reading.owners, fingerprint, info })
    }

    /// Returns a section of a rank by its place among those of the rank.
    pub fn section(&self, rank: u32, place: usize) -> Option<Section> {
        let first = self.owners.partition_point(|&(owner, _)| owner < rank);
        let &(owner, section) = self.owners.get(first + place)?;
        (owner == rank).then(|| self.sections[section as usize])
    }
}

/// How far a text was read.
#[derive(Default)]
struct Reading {
    has_magic: bool,
    head: Option<Head>,
    sections: Vec<Section>,
    owners: Vec<(u32, u32)>,
    /// The section that is being read.
    open: Option<Section>,
    offset: u64,
}

impl Reading {
    fn line(&mut self, number: u64, line: &[u8]) -> Result<Line, Wrong> {
        // The last line may lack its end.
        self.offset += line.len() as u64 + 1;
        // Only lines of the head, and those that begin a section, are read here.
        let first = line.trim_ascii_start();
        let begins =
            first.starts_with(b"rank") || first.starts_with(b"communicator") || first.starts_with(MAGIC.as_bytes());
        if self.open.is_some() && !begins {
            self.grow();
            return Ok(Line::Within);
        }
        let mut words = Words::of(line)?;
        let Some(word) = words.next() else { return Ok(Line::Head) };
        if !self.has_magic {
            words.expect("drowse-trace 1");
            if word != MAGIC || words.next() != Some(VERSION) {
                return Err(Wrong::NoHeader);
            }
            self.has_magic = true;
            return words.end().map(|()| Line::Head);
        }
        match (word, &mut self.head) {
            ("ranks", None) => {
                words.expect("ranks N");
                let found = words.count("the number of ranks")?;
                let ranks = u32::try_from(found).ok().filter(|ranks| (1..=MOST_RANKS).contains(ranks));
                let ranks = ranks.ok_or(Wrong::RankCount { found, most: MOST_RANKS })?;
                self.head = Some(Head::new(ranks));
                words.end().map(|()| Line::Head)
            }
            (_, None) => Err(Wrong::NoRanks),
            ("communicator", Some(head)) if self.open.is_none() => head.declare(words).map(|()| Line::Head),
            ("rank", Some(head)) => {
                let (first, last) = ranks_of(&mut words, head.ranks)?;
                self.begin_section(first, last, number)?;
                Ok(Line::Begins { first, last })
            }
            ("ranks" | "communicator" | MAGIC, Some(_)) => Err(Wrong::BehindRanks { word: word.to_owned() }),
            _ if self.open.is_some() => {
                self.grow();
                Ok(Line::Within)
            }
            _ => Err(Wrong::NoRank { word: shortened(word) }),
        }
    }

    /// Adds the line that was read to the open section.
    fn grow(&mut self) {
        if let Some(section) = &mut self.open {
            section.extent.length = self.offset - section.extent.offset;
        }
    }

    fn begin_section(&mut self, first: u32, last: u32, number: u64) -> Result<(), Wrong> {
        self.end_section();
        let section = self.sections.len() as u32;
        if self.owners.len() + (last - first) as usize >= MOST_SECTIONS {
            return Err(Wrong::TooManySections { most: MOST_SECTIONS });
        }
        self.owners.extend((first..=last).map(|rank| (rank, section)));
        self.open = Some(Section { extent: Extent { offset: self.offset, length: 0 }, lines_before: number });
        Ok(())
    }

    fn end_section(&mut self) {
        self.sections.extend(self.open.take());
    }
}

/// Reads `rank N` or `rank N-M`.
fn ranks_of(words: &mut Words, ranks: u32) -> Result<(u32, u32), Wrong> {
    words.expect("rank N, or rank FIRST-LAST");
    let range = range(words.word("the rank")?)?;
    words.end()?;
    if range.1 < ranks { Ok(range) } else { Err(Wrong::NoSuchRank { rank: range.1, ranks }) }
}
