//! Service levels: which one a pair of ports uses, as the subnet manager tells in path records.
//!
//! Read are lines `slid dlid sl`, and what `saquery PR --slid A --dlid B` prints, one record after another.

use std::collections::HashMap;
use std::io::BufRead;

use super::bytes::{Lines, decimal, hex, trimmed};
use super::error::DumpError;

/// The service levels of pairs of LIDs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServiceLevels {
    of_pair: HashMap<(u16, u16), u8>,
}

const HELP: &str = "write lines `slid dlid sl`, such as `1 5 0`, or what `saquery PR --slid 1 --dlid 5` prints";

impl ServiceLevels {
    /// Reads a file.
    pub fn read(input: impl BufRead) -> Result<Self, DumpError> {
        let mut lines = Lines::new(input);
        let mut levels = ServiceLevels::default();
        let mut record = [None; 2];
        while let Some((line, number)) = lines.next()? {
            let line = trimmed(line);
            match line {
                [] | [b'#', ..] => {}
                [b'0'..=b'9', ..] => {
                    let triple = triple(line).ok_or_else(|| wrong(line, number))?;
                    levels.add(triple, number)?;
                }
                _ if line == b"PathRecord dump:" => record = [None; 2],
                _ => {
                    let (name, value) = field(line).ok_or_else(|| wrong(line, number))?;
                    match (name, record) {
                        (b"slid", _) => record[0] = Some(value),
                        (b"dlid", _) => record[1] = Some(value),
                        (b"sl", [Some(from), Some(to)]) => {
                            levels.add([from, to, value], number)?;
                            record = [None; 2];
                        }
                        (b"sl", _) => return Err(DumpError::new(number, "this record has no slid and dlid", HELP)),
                        _ => {}
                    }
                }
            }
        }
        if levels.of_pair.is_empty() {
            return Err(DumpError::new(lines.number, "there is no service level in this file", HELP));
        }
        Ok(levels)
    }

    fn add(&mut self, [from, to, level]: [u64; 3], number: u64) -> Result<(), DumpError> {
        let lid = |lid: u64| u16::try_from(lid).ok().filter(|lid| (1..=0xbfff).contains(lid));
        let (Some(from), Some(to), 0..=15) = (lid(from), lid(to), level) else {
            let message = format!("{from} {to} {level} are no two LIDs (1 to 49151) and a service level (0 to 15)");
            return Err(DumpError::new(number, message, HELP));
        };
        match self.of_pair.insert((from, to), level as u8) {
            Some(known) if u64::from(known) != level => {
                let message = format!("from LID {from} to {to} there are two service levels, {known} and {level}");
                Err(DumpError::new(number, message, "keep one"))
            }
            _ => Ok(()),
        }
    }

    /// Returns the service level from one LID to another, if it is known.
    pub fn level(&self, from: u16, to: u16) -> Option<u8> {
        self.of_pair.get(&(from, to)).copied()
    }

    /// Returns how many pairs are known.
    pub fn pairs(&self) -> usize {
        self.of_pair.len()
    }
}

fn wrong(line: &[u8], number: u64) -> DumpError {
    DumpError::unknown(number, line, "a file of service levels", HELP)
}

/// Reads three numbers, and nothing behind them.
fn triple(line: &[u8]) -> Option<[u64; 3]> {
    let (from, rest) = decimal(line)?;
    let (to, rest) = decimal(trimmed(rest))?;
    let (level, rest) = decimal(trimmed(rest))?;
    rest.is_empty().then_some([from, to, level])
}

/// Reads `slid....................1`, in which the number may be hexadecimal; other values count as 0.
fn field(line: &[u8]) -> Option<(&[u8], u64)> {
    let end = line.windows(2).position(|two| two == b"..")?;
    let value = &line[end..];
    let value = &value[value.iter().position(|&byte| byte != b'.').unwrap_or(value.len())..];
    let number = hex(value).or_else(|| decimal(value)).map_or(0, |(number, _)| number);
    Some((&line[..end], number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_and_lines() {
        let text = "# pairs\n1 5 3\n\nPathRecord dump:\n\t\tservice_id..............0x0000000000000000\n\
                    \t\tdgid....................fe80::10:5\n\t\tdlid....................3\n\
                    \t\tslid....................1\n\
                    \t\tsl......................0x1\n\t\tmtu.....................0x84\n";
        let levels = ServiceLevels::read(text.as_bytes()).expect("levels");
        assert_eq!((levels.level(1, 5), levels.level(1, 3), levels.level(3, 1)), (Some(3), Some(1), None));
        assert_eq!(levels.pairs(), 2);
    }

    #[test]
    fn wrong_files() {
        for (text, told) in [
            ("1 5\n", "line 1: `1 5` is no line of a file of service levels"),
            ("1 5 16\n", "line 1: 1 5 16 are no two LIDs"),
            ("0 5 1\n", "line 1: 0 5 1 are no two LIDs"),
            ("1 5 1\n1 5 2\n", "line 2: from LID 1 to 5 there are two service levels, 1 and 2"),
            ("", "there is no service level in this file"),
            ("sl......................0x1\n", "line 1: this record has no slid and dlid"),
            ("SL=1\n", "line 1: `SL=1` is no line"),
        ] {
            let wrong = ServiceLevels::read(text.as_bytes()).expect_err("an error").to_string();
            assert!(wrong.contains(told), "{wrong}");
        }
    }
}
