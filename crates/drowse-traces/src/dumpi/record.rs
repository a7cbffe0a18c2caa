//! One call of a body: when it was, and its arguments.

use super::bytes::{Bytes, Lack};
use super::functions::function;
use super::problem::Problem;

/// A version of the format.
pub(crate) type Version = (u8, u8, u8);

/// Seconds since the bias, modulo 65,536, and nanoseconds.
pub(crate) type Stamp = (u16, u32);

/// When a call began and ended on one clock.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Span {
    pub start: Stamp,
    pub stop: Stamp,
}

/// What MPI says of a completed request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Status {
    pub cancelled: bool,
}

/// A call.
#[derive(Debug, Default)]
pub(crate) struct Record {
    pub function: u16,
    pub wall: Option<Span>,
    pub cpu: Option<Span>,
    pub statuses: Vec<Status>,
    /// Numbers that are no lists, in the order of the file.
    numbers: Vec<i64>,
    /// Lists of numbers, one after the other, and where each ends. A list of lists is one list.
    elements: Vec<i32>,
    ends: Vec<usize>,
    /// The first communicator.
    comm: Option<u16>,
}

/// Why a record cannot be read.
pub(crate) enum Unread {
    /// The part of the file ends too early.
    Part,
    /// Something is wrong.
    Problem(Problem),
}

impl From<Lack> for Unread {
    fn from(lack: Lack) -> Self {
        match lack {
            Lack::Part => Unread::Part,
            Lack::Section => Unread::Problem(Problem::Cut { what: "a call" }),
        }
    }
}

impl Record {
    /// Returns a number by its place among the numbers.
    pub fn number(&self, place: usize) -> i64 {
        self.numbers.get(place).copied().unwrap_or_default()
    }

    /// Returns a number that is a handle.
    pub fn handle(&self, place: usize) -> u16 {
        u16::try_from(self.number(place)).unwrap_or_default()
    }

    /// Returns whether there is such a number.
    pub fn has_number(&self, place: usize) -> bool {
        place < self.numbers.len()
    }

    /// Returns a list by its place among the lists; empty if there is none.
    pub fn list(&self, place: usize) -> &[i32] {
        let start = place.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied());
        match (start, self.ends.get(place)) {
            (Some(start), Some(&end)) => &self.elements[start..end],
            _ => &[],
        }
    }

    /// Returns the first communicator.
    pub fn comm(&self) -> u16 {
        self.comm.unwrap_or_default()
    }

    /// Reads the next record into this one.
    pub fn read(&mut self, bytes: &mut Bytes, version: Version) -> Result<(), Unread> {
        self.function = bytes.u16()?;
        (self.wall, self.cpu, self.comm) = (None, None, None);
        self.numbers.clear();
        self.elements.clear();
        self.ends.clear();
        self.statuses.clear();
        if self.function == super::functions::END {
            return Ok(());
        }
        let Some((_, arguments)) = function(self.function) else {
            return Err(Unread::Problem(Problem::UnknownFunction { id: self.function }));
        };
        let mask = bytes.u8()?;
        if mask & 0x40 != 0 {
            bytes.u16()?;
        }
        if mask & 0x04 != 0 {
            self.cpu = Some(span(bytes)?);
        }
        if mask & 0x08 != 0 {
            self.wall = Some(span(bytes)?);
        }
        if mask & 0x80 != 0 {
            let counters = bytes.u8()?;
            bytes.take(u64::from(counters) * 16)?;
        }
        self.arguments(bytes, arguments.as_bytes(), mask & 0x03 != 0, version)
    }

    fn arguments(&mut self, bytes: &mut Bytes, letters: &[u8], statuses: bool, version: Version) -> Result<(), Unread> {
        let mut letters = letters.iter();
        while let Some(letter) = letters.next() {
            match letter {
                b'(' => {
                    let root = letters.next().map_or(0, |digit| usize::from(digit - b'0'));
                    if self.number(0) != self.number(root) {
                        letters.by_ref().take_while(|&&letter| letter != b')').for_each(drop);
                    }
                }
                b't' if statuses => self.statuses(bytes, version)?,
                b')' | b't' => {}
                b'n' => {
                    let count = bytes.i32()?;
                    if version < (0, 6, 2) {
                        bytes.i32()?;
                    }
                    texts(bytes, count)?;
                }
                b'a' => {
                    let count = bytes.i32()?;
                    texts(bytes, count)?;
                }
                b'y' if version < (0, 6, 8) => self.scalar(bytes, b'i')?,
                b'z' if version < (0, 6, 9) => self.scalar(bytes, b'i')?,
                b'I' | b'y' | b'z' | b'H' | b'B' | b'J' => self.numbers(bytes, *letter)?,
                b's' | b'S' | b'T' => text(bytes, *letter)?,
                letter => self.scalar(bytes, *letter)?,
            }
        }
        Ok(())
    }

    fn scalar(&mut self, bytes: &mut Bytes, letter: u8) -> Result<(), Unread> {
        let number = match letter {
            b'i' => i64::from(bytes.i32()?),
            b'b' => i64::from(bytes.u8()?),
            b'q' => bytes.u64()?.cast_signed(),
            b'c' => {
                let comm = bytes.u16()?;
                self.comm.get_or_insert(comm);
                i64::from(comm)
            }
            _ => i64::from(bytes.u16()?),
        };
        self.numbers.push(number);
        Ok(())
    }

    fn numbers(&mut self, bytes: &mut Bytes, letter: u8) -> Result<(), Unread> {
        let wide = |element: &[u8]| element.iter().fold(0, |number, &byte| number << 8 | i32::from(byte));
        match letter {
            b'H' => self.elements.extend(bytes.list(2)?.chunks_exact(2).map(wide)),
            b'B' => self.elements.extend(bytes.list(1)?.chunks_exact(1).map(wide)),
            b'J' => {
                for _ in 0..bytes.u32()? {
                    self.elements.extend(bytes.list(4)?.chunks_exact(4).map(wide));
                }
            }
            _ => self.elements.extend(bytes.list(4)?.chunks_exact(4).map(wide)),
        }
        self.ends.push(self.elements.len());
        Ok(())
    }

    fn statuses(&mut self, bytes: &mut Bytes, version: Version) -> Result<(), Unread> {
        let size = if version < (0, 6, 3) { 10 } else { 14 };
        let all = bytes.list(size)?;
        // Bytes and source come before the flag.
        self.statuses.extend(all.chunks_exact(size as usize).map(|status| Status { cancelled: status[8] != 0 }));
        Ok(())
    }
}

/// Reads when a call began and ended.
fn span(bytes: &mut Bytes) -> Result<Span, Lack> {
    Ok(Span { start: (bytes.u16()?, bytes.u32()?), stop: (bytes.u16()?, bytes.u32()?) })
}

/// Skips texts.
fn texts(bytes: &mut Bytes, count: i32) -> Result<(), Lack> {
    for _ in 0..count {
        bytes.list(1)?;
    }
    Ok(())
}

/// Skips a text, a list of texts, or a list of lists.
fn text(bytes: &mut Bytes, letter: u8) -> Result<(), Lack> {
    match letter {
        b's' => bytes.list(1).map(drop),
        letter => {
            let inner = if letter == b'S' { b's' } else { b'S' };
            for _ in 0..bytes.u32()? {
                text(bytes, inner)?;
            }
            Ok(())
        }
    }
}
