//! Forwarding tables as `dump_fts`, `ibroute` and OpenSM write them, read as a stream: a byte for each entry is kept.
//!
//! ```text
//! Unicast lids [0x0-0x10] of switch DR path slid 0; dlid 0; 0,1 guid 0x0000000000200000 (sw0):
//!   Lid  Out   Destination
//!        Port     Info
//! 0x0001 003 : (Channel Adapter portguid 0x0000000000100001: 'n00')        LID and port; the port is decimal
//! 16 valid lids dumped
//! ```
//!
//! Names of destinations are left out: which LID a port has is in the topology.

use std::collections::HashMap;
use std::io::BufRead;

use super::bytes::{Lines, decimal, hex, trimmed};
use super::error::DumpError;
use super::heads::{Head, Source};

/// The entry of a LID that a switch does not forward to.
pub const NO_PORT: u8 = 255;
/// The highest LID of a port; those above are of multicast groups.
const MAX_LID: u64 = 0xbfff;

/// The forwarding table of a switch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SwitchTable {
    /// The GUID of the switch.
    pub guid: u64,
    /// Its name, where the dump has it.
    pub name: String,
    /// The output port of each LID; [`NO_PORT`] where there is none, 0 for the switch itself. LIDs beyond have none.
    pub ports: Vec<u8>,
    /// The highest LID, which the dump left out although the switch may know it: `dump_fts` and `ibroute` never print a
    /// highest LID that is a multiple of 64.
    pub not_printed: Option<u16>,
    /// The line of its head.
    pub line: u64,
}

impl SwitchTable {
    /// Returns the output port of a LID, if it has one.
    pub fn port(&self, lid: u16) -> Option<u8> {
        self.ports.get(usize::from(lid)).copied().filter(|&port| port != NO_PORT)
    }

    fn set(&mut self, lid: u64, port: u8) {
        let lid = lid as usize;
        if self.ports.len() <= lid {
            self.ports.resize(lid + 1, NO_PORT);
        }
        self.ports[lid] = port;
    }

    fn has(&self, lid: u64) -> bool {
        self.ports.get(lid as usize).is_some_and(|&port| port != NO_PORT)
    }
}

/// The forwarding tables of a subnet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tables {
    /// A table for each switch, in the order of the dump.
    pub switches: Vec<SwitchTable>,
    /// Lines that are warnings of the tool.
    pub warnings: u64,
}

const HELP: &str = "write the file again: dump_fts >x.lft, or let OpenSM dump its tables (opensm-lfts.dump)";

impl Tables {
    /// Reads a dump. It takes as much memory as there are entries, and no more than 48 KiB a switch.
    pub fn read(input: impl BufRead) -> Result<Self, DumpError> {
        let mut lines = Lines::new(input);
        let mut reader = Reader::default();
        while let Some((line, number)) = lines.next()? {
            reader.line(line, number)?;
        }
        reader.finish(lines.number)
    }

    /// Returns the size of all tables in bytes.
    pub fn bytes(&self) -> usize {
        self.switches.iter().map(|table| table.ports.capacity() + size_of::<SwitchTable>()).sum()
    }
}

/// What has been read.
#[derive(Default)]
struct Reader {
    tables: Tables,
    known: HashMap<u64, usize>,
    /// The table at hand: its head, and how many lines it has.
    head: Option<Head>,
    entries: u64,
}

impl Reader {
    fn line(&mut self, line: &[u8], number: u64) -> Result<(), DumpError> {
        if line.starts_with(b"0x") {
            return self.entry(line, number);
        }
        if let Some(head) = Head::read(line) {
            return self.begin(head, number);
        }
        match trimmed(line) {
            [] | [b'#', ..] => Ok(()),
            line if [&b"Lid  Out"[..], b"Port     Info", b"LID    :"].iter().any(|start| line.starts_with(start)) => {
                Ok(())
            }
            line if line.starts_with(b"ibwarn: ") || line.starts_with(b"ibpanic: ") => {
                self.tables.warnings += 1;
                Ok(())
            }
            line if line.ends_with(b"lids dumped") => self.end(line, number),
            line if line.starts_with(b"Multicast mlids [") => {
                let message = "these are tables of multicast groups";
                Err(DumpError::new(number, message, "name tables of single destinations: dump_fts >x.lft"))
            }
            line if line.starts_with(b"< ") || line.starts_with(b"> ") => {
                let message = "this is output of diff: its lines begin with `<` or `>`";
                Err(DumpError::new(number, message, "name one of the two files that were compared"))
            }
            line => Err(DumpError::unknown(number, line, "a dump of forwarding tables", HELP)),
        }
    }

    /// Begins the table of a switch.
    fn begin(&mut self, head: Head, number: u64) -> Result<(), DumpError> {
        self.check_ended(number)?;
        if head.top.is_some_and(|top| top > MAX_LID) {
            return Err(DumpError::new(number, "this table goes beyond the highest LID, 0xbfff", HELP));
        }
        if let Some(first) = self.known.insert(head.guid, self.tables.switches.len()) {
            let message = format!(
                "switch 0x{:016x} has a table before this one, in line {}",
                head.guid, self.tables.switches[first].line
            );
            return Err(DumpError::new(number, message, "name the dump of one sweep"));
        }
        let table = SwitchTable { guid: head.guid, name: head.name.clone(), line: number, ..SwitchTable::default() };
        self.tables.switches.push(table);
        self.head = Some(head);
        self.entries = 0;
        Ok(())
    }

    /// Takes `0x0001 003 : (...)`, `0x0001 003 # ...` or `0x0001 : 003  : 01   : yes`.
    fn entry(&mut self, line: &[u8], number: u64) -> Result<(), DumpError> {
        let (Some(head), Some(table)) = (&self.head, self.tables.switches.last_mut()) else {
            let help = "a table begins so: `Unicast lids [0x0-0x10] of switch Lid 2 guid 0x... (leaf1):`";
            return Err(DumpError::new(number, "this entry stands before the head of a table", help));
        };
        let wrong = || DumpError::unknown(number, line, "a dump of forwarding tables", HELP);
        let (lid, rest) = hex(line).ok_or_else(wrong)?;
        if lid > MAX_LID || head.top.is_some_and(|top| lid > top) {
            let most = head.top.unwrap_or(MAX_LID);
            let message = format!("LID 0x{lid:04x} lies beyond the highest of this table, 0x{most:04x}");
            return Err(DumpError::new(number, message, HELP));
        }
        let rest = trimmed(rest);
        let rest = if head.source == Source::Fdbs { trimmed(rest.strip_prefix(b":").ok_or_else(wrong)?) } else { rest };
        let port = match decimal(rest) {
            Some((port, _)) => u8::try_from(port).map_err(|_| wrong())?,
            None if head.source == Source::Fdbs && rest.starts_with(b"UNREACHABLE") => NO_PORT,
            None => return Err(wrong()),
        };
        if table.has(lid) {
            return Err(DumpError::new(number, format!("LID 0x{lid:04x} has an entry before this one"), HELP));
        }
        self.entries += 1;
        if port != NO_PORT {
            table.set(lid, port);
        }
        Ok(())
    }

    /// Ends a table at `16 valid lids dumped`, which tells whether all of it is there.
    fn end(&mut self, line: &[u8], number: u64) -> Result<(), DumpError> {
        let Some((count, _)) = decimal(line) else {
            return Err(DumpError::unknown(number, line, "a dump of forwarding tables", HELP));
        };
        let Some(head) = self.head.take() else {
            return Err(DumpError::new(number, "this line ends a table that has not begun", HELP));
        };
        if count != self.entries {
            let message = format!("this table should have {count} entries and has {}", self.entries);
            return Err(DumpError::new(number, message, HELP));
        }
        let top = head.top.filter(|top| head.source == Source::Diags && *top > 0 && top.is_multiple_of(64));
        if let (Some(top), Some(table)) = (top, self.tables.switches.last_mut()) {
            table.not_printed = (!table.has(top)).then_some(top as u16);
        }
        Ok(())
    }

    /// Refuses a table whose end is missing.
    fn check_ended(&self, number: u64) -> Result<(), DumpError> {
        match &self.head {
            Some(head) if head.source != Source::Fdbs => {
                let message = format!("the table of switch 0x{:016x} before this line has no end", head.guid);
                Err(DumpError::new(number, message, HELP))
            }
            _ => Ok(()),
        }
    }

    fn finish(self, number: u64) -> Result<Tables, DumpError> {
        self.check_ended(number)?;
        if self.tables.switches.is_empty() {
            let help = "name the output of dump_fts, or opensm-lfts.dump or opensm.fdbs of OpenSM";
            return Err(DumpError::new(number, "there is no forwarding table in this file", help));
        }
        let mut tables = self.tables;
        tables.switches.iter_mut().for_each(|table| table.ports.shrink_to_fit());
        Ok(tables)
    }
}
