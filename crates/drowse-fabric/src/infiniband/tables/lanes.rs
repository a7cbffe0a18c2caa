//! Virtual lanes: which one a switch sends a packet on, by its service level, input and output port.
//!
//! ```text
//! Switch 0x0000000000200000, base LID 2, "sw0"                  opensm-sl2vl.dump
//! #in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15
//! 0   1   : 0  1  2  3  4  5  6  7  0  1  2  3  4  5  6  7
//! ```

use std::collections::HashMap;
use std::io::BufRead;

use super::bytes::{Lines, decimal, hex, trimmed};
use super::error::DumpError;

/// The lane of packets that are dropped.
pub const DROPPED: u8 = 15;

/// The lanes of each service level.
type Row = [u8; 16];

/// The lanes that each switch uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaneTables {
    /// Rows that differ; most switches have few.
    rows: Vec<Row>,
    /// By the GUID of the switch: rows by input and output port, 0 where there is none, else 1 more than the place.
    of_switch: HashMap<u64, Ports>,
}

/// The rows of a switch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Ports {
    /// Input ports of each output port.
    of_output: Vec<Vec<u32>>,
}

const HELP: &str = "name opensm-sl2vl.dump, which OpenSM writes with the options -Q -D 0x43";

impl LaneTables {
    /// Reads opensm-sl2vl.dump.
    pub fn read(input: impl BufRead) -> Result<Self, DumpError> {
        let mut lines = Lines::new(input);
        let mut tables = LaneTables::default();
        let mut rows = HashMap::new();
        let mut owner = None;
        while let Some((line, number)) = lines.next()? {
            let line = trimmed(line);
            if line.is_empty() || line.starts_with(b"#") {
                continue;
            }
            let of =
                [&b"Switch "[..], b"Channel Adapter ", b"Router "].iter().find_map(|start| line.strip_prefix(*start));
            if let Some(rest) = of {
                let wrong = || DumpError::unknown(number, line, "opensm-sl2vl.dump", HELP);
                let guid = hex(rest).filter(|(_, rest)| rest.starts_with(b",")).ok_or_else(wrong)?.0;
                if tables.of_switch.insert(guid, Ports::default()).is_some() {
                    let message = format!("0x{guid:016x} has tables before these");
                    return Err(DumpError::new(number, message, "name the dump of one sweep"));
                }
                owner = Some(guid);
                continue;
            }
            let Some(ports) = owner.and_then(|guid| tables.of_switch.get_mut(&guid)) else {
                let help = "tables begin so: `Switch 0x0000000000200000, base LID 2, \"sw0\"`";
                return Err(DumpError::new(number, "this row stands before the name of a switch", help));
            };
            let wrong = || DumpError::unknown(number, line, "opensm-sl2vl.dump", HELP);
            let (input, output, row) = row(line).ok_or_else(wrong)?;
            let place = *rows.entry(row).or_insert_with(|| {
                tables.rows.push(row);
                tables.rows.len() as u32
            });
            ports.set(input, output, place);
        }
        if tables.of_switch.is_empty() {
            return Err(DumpError::new(lines.number, "there is no table of virtual lanes in this file", HELP));
        }
        Ok(tables)
    }

    /// Returns the lane on which a switch sends packets of a service level, if the file says it.
    pub fn lane(&self, switch: u64, input: u8, output: u8, level: u8) -> Option<u8> {
        let inputs = self.of_switch.get(&switch)?.of_output.get(usize::from(output))?;
        let place = inputs.get(usize::from(input)).copied().filter(|&place| place > 0)?;
        Some(self.rows[place as usize - 1][usize::from(level & 15)])
    }

    /// Returns how many lanes occur beside the one of dropped packets.
    pub fn lanes(&self) -> usize {
        (0..DROPPED).filter(|lane| self.rows.iter().any(|row| row.contains(lane))).count()
    }
}

impl Ports {
    fn set(&mut self, input: u8, output: u8, place: u32) {
        let (input, output) = (usize::from(input), usize::from(output));
        if self.of_output.len() <= output {
            self.of_output.resize(output + 1, Vec::new());
        }
        let inputs = &mut self.of_output[output];
        if inputs.len() <= input {
            inputs.resize(input + 1, 0);
        }
        inputs[input] = place;
    }
}

/// Reads `0 1 : 0 1 2 ... 7`: input, output, and a lane for each service level.
fn row(line: &[u8]) -> Option<(u8, u8, Row)> {
    let (input, rest) = decimal(line)?;
    let (output, rest) = decimal(trimmed(rest))?;
    let mut rest = trimmed(rest).strip_prefix(b":")?;
    let mut row = [0; 16];
    for lane in &mut row {
        let (number, behind) = decimal(trimmed(rest))?;
        *lane = u8::try_from(number).ok().filter(|&lane| lane <= DROPPED)?;
        rest = behind;
    }
    let port = |port: u64| u8::try_from(port).ok();
    trimmed(rest).is_empty().then_some((port(input)?, port(output)?, row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_switches() {
        let text = "Switch 0x0000000000200000, base LID 2, \"sw0\"\n#in out : 0\n#---\n\
                    1   2   : 0  1  2  3  4  5  6  7  0  1  2  3  4  5  6  15 \n#---\n\n\
                    Channel Adapter 0x0000000000100001, base LID 1, \"n00\"\n0 0 : 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n";
        let tables = LaneTables::read(text.as_bytes()).expect("tables");
        let lane = |input, output, level| tables.lane(0x0020_0000, input, output, level);
        assert_eq!((lane(1, 2, 3), lane(1, 2, 9), lane(1, 2, 15), lane(2, 1, 0)), (Some(3), Some(1), Some(15), None));
        assert_eq!((tables.lane(0x0010_0001, 0, 0, 7), tables.lane(1, 0, 0, 0), tables.lanes()), (Some(0), None, 8));
    }

    #[test]
    fn wrong_files() {
        for (text, told) in [
            ("", "there is no table of virtual lanes"),
            ("0 1 : 0\n", "line 1: this row stands before the name of a switch"),
            ("Switch 0x1, base LID 2\n0 1 : 0 1 2\n", "line 2: `0 1 : 0 1 2` is no line"),
            ("Switch 0x1, base LID 2\nSwitch 0x1, base LID 2\n", "line 2: 0x0000000000000001 has tables before these"),
            ("Switch sw0, base LID 2\n", "line 1: `Switch sw0, base LID 2` is no line"),
            ("Switch 0x1, a\n0 1 : 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 16\n", "line 2"),
        ] {
            let wrong = LaneTables::read(text.as_bytes()).expect_err("an error").to_string();
            assert!(wrong.contains(told), "{wrong}");
        }
    }
}
