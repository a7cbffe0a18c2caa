//! Output of `ibnetdiscover`, and input of ibsim, which looks alike: records of devices, each with a line a cable.

use std::ops::Range;

use super::peer::{Comment, PortLine};
use super::words::{Line, decimal, hex, lines, note_warnings, unknown};
use crate::infiniband::draft::{Address, Draft, Drafted, Half, Sort};
use crate::infiniband::join::join;
use crate::infiniband::rate::Written;
use crate::infiniband::subnet::{Options, Subnet};
use crate::model::wrong::{Wrong, shown};

/// Which of both is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    Ibnetdiscover,
    Ibsim,
}

/// Reads the output of `ibnetdiscover`, also with `-g` or `-f`.
pub(crate) fn discovered(text: &str, options: &Options) -> Result<Subnet, Wrong> {
    read(text, Dialect::Ibnetdiscover, options)
}

/// Reads a network as ibsim takes it.
pub(crate) fn simulated(text: &str, options: &Options) -> Result<Subnet, Wrong> {
    read(text, Dialect::Ibsim, options)
}

fn read(text: &str, dialect: Dialect, options: &Options) -> Result<Subnet, Wrong> {
    let mut reader = Reader::new(dialect);
    for line in lines(text) {
        if line.is_warning()? {
            reader.warnings += 1;
        } else {
            reader.line(&line)?;
        }
    }
    note_warnings(reader.warnings, &mut reader.draft.notes);
    if reader.draft.devices.iter().flatten().all(|device| device.sort != Sort::Switch) {
        let start = text.len() - text.trim_start().len();
        let end = text[start..].find('\n').map_or(text.len(), |end| start + end);
        return Err(Wrong::new(
            &(start..end),
            "there is no switch in this file",
            "records begin so: `Switch 36 \"S-...\"`",
        ));
    }
    join(reader.draft, options)
}

/// What has been read.
struct Reader {
    dialect: Dialect,
    draft: Draft,
    /// The record whose lines are read.
    record: Option<usize>,
    /// GUIDs that stand before the next record: of the system, and of the device.
    system: Option<u64>,
    guid: Option<u64>,
    warnings: usize,
}

impl Reader {
    fn new(dialect: Dialect) -> Self {
        let mut draft = Draft::default();
        draft.one_sided = dialect == Dialect::Ibsim;
        Reader { dialect, draft, record: None, system: None, guid: None, warnings: 0 }
    }

    fn name(&self) -> &'static str {
        match self.dialect {
            Dialect::Ibnetdiscover => "output of ibnetdiscover",
            Dialect::Ibsim => "input of ibsim",
        }
    }

    fn line(&mut self, line: &Line<'_>) -> Result<(), Wrong> {
        let text = line.text;
        if text.is_empty() || text.starts_with('#') {
            return Ok(());
        }
        if text.starts_with('[') {
            return self.port(line);
        }
        if let Some((name, value)) = text.split_once('=').filter(|(name, _)| is_word(name)) {
            return self.before_record(name, value, line);
        }
        let mut words = text.split_whitespace();
        let sort = match words.next() {
            Some("Switch") => Sort::Switch,
            Some("Ca" | "Hca") => Sort::Adapter,
            Some("Rt") => Sort::Router,
            Some("Chassis" | "Hostname:" | "Non-Chassis") if self.dialect == Dialect::Ibnetdiscover => return Ok(()),
            Some("module" | "include" | "do" | "done" | "pdebug") if self.dialect == Dialect::Ibsim => {
                return Err(of_ibsim(line));
            }
            _ if text.starts_with('@') => return Err(of_ibsim(line)),
            _ => return Err(unknown(line, self.name())),
        };
        self.record(sort, line)
    }

    /// Takes what stands before a record: `switchguid=0x200003(200003)`.
    fn before_record(&mut self, name: &str, value: &str, line: &Line<'_>) -> Result<(), Wrong> {
        let number = hex(value.split(['(', '#', '\t', ' ']).next().unwrap_or_default());
        match name {
            "vendid" | "devid" => {}
            "sysimgguid" => {
                // It begins what is said of the next device.
                self.record = None;
                self.system = number.filter(|&guid| guid != 0);
            }
            "switchguid" | "caguid" | "hcaguid" | "hcaguids" | "rtguid" => {
                self.record = None;
                self.guid = number;
            }
            "width" | "speed" | "extspeed" if self.dialect == Dialect::Ibsim => return Err(of_ibsim(line)),
            _ => return Err(unknown(line, self.name())),
        }
        Ok(())
    }

    /// Begins a record: `Switch 36 "S-0000000000200003" # "leaf4" base port 0 lid 6 lmc 0`.
    fn record(&mut self, sort: Sort, line: &Line<'_>) -> Result<(), Wrong> {
        let head = |line: &Line<'_>| {
            let rest = line.text.trim_start_matches(|c: char| c.is_ascii_alphabetic()).trim_start();
            let (ports, rest) = rest.split_once('"')?;
            let (key, rest) = rest.split_once('"')?;
            Some((decimal::<u16>(ports.trim())?, key.to_owned(), rest.to_owned()))
        };
        let Some((port_count, key, rest)) = head(line).filter(|(_, key, _)| !key.is_empty()) else {
            let help = "a record begins so: `Switch 36 \"S-0000000000200003\" # \"leaf4\"`";
            return Err(line.wrong("this record has no number of ports, or no key in quotes", help));
        };
        if !(1..=254).contains(&port_count) {
            return Err(line.wrong(format!("a device has no {port_count} ports"), "write a number from 1 to 254"));
        }
        let (description, address) =
            rest.split_once('#').map_or(("", None), |(_, comment)| Comment::of_record(comment));
        // ibsim calls devices by their keys where it is told no other name.
        let unnamed = description.is_empty() && self.dialect == Dialect::Ibsim;
        let description = if unnamed { key.clone() } else { description.to_owned() };
        let key = plain(&key);
        let is_cut = self.dialect == Dialect::Ibnetdiscover && sort == Sort::Switch && address.is_none();
        if is_cut {
            let help = "behind the name stands `base port 0 lid 6 lmc 0`: write the file again with ibnetdiscover";
            return Err(line.wrong("this record has no LID", help));
        }
        let (guid, system) = (self.guid.take().or_else(|| of_key(&key)), self.system.take());
        let addresses = address.map(|(lid, lmc)| Address { port: 0, guid, lid: Some(lid), lmc }).into_iter().collect();
        let number = self.draft.key(&key, &line.span);
        let span = line.span.clone();
        self.record = Some(number);
        self.draft.define(number, Drafted { sort, guid, system, description, port_count, addresses, span })
    }

    /// Takes a line of a cable.
    fn port(&mut self, line: &Line<'_>) -> Result<(), Wrong> {
        let Some(device) = self.record else {
            return Err(line.wrong("this cable stands in no record", "a record begins so: `Switch 36 \"S-...\"`"));
        };
        let Some(read) = PortLine::read(line.text) else {
            let help = "a cable stands so: `[1] \"H-0000000000100000\"[1](100001) # \"node1\" lid 2 4xHDR`";
            return Err(line.wrong("this line of a cable is cut, or written otherwise", help));
        };
        let comment = Comment::read(read.comment);
        let written = self.rate(&read, comment.written, line)?;
        let peer_port = match read.peer_port {
            Some(port) => port,
            None if self.dialect == Dialect::Ibsim => 1,
            None => return Err(line.wrong("the port of the other end is missing", "it stands so: `\"S-...\"[17]`")),
        };
        let peer = (self.key(read.peer, &line.span), peer_port);
        let Some(own) = &mut self.draft.devices[device] else { return Ok(()) };
        if own.sort != Sort::Switch {
            let (lid, lmc) = comment.own.unwrap_or_default();
            let lid = (comment.own.is_some() && lid != 0).then_some(lid);
            own.addresses.push(Address { port: read.port, guid: read.port_guid, lid, lmc });
        }
        self.draft.halves.push(Half { device, port: read.port, peer, written, span: line.span.clone() });
        Ok(())
    }

    fn key(&mut self, key: &str, span: &Range<usize>) -> usize {
        let key = plain(key);
        self.draft.key(&key, span)
    }

    /// Returns what a line says of a cable's rate, which `ibnetdiscover` always writes.
    fn rate(&self, read: &PortLine<'_>, comment: Option<Written>, line: &Line<'_>) -> Result<Written, Wrong> {
        match (self.dialect, comment) {
            (_, Some(written)) => Ok(written),
            (Dialect::Ibsim, None) => Ok(read.settings),
            (Dialect::Ibnetdiscover, None) => {
                let help = "it stands behind the name, such as `lid 2 4xHDR` (1x, 2x, 4x, 8x or 12x; SDR, DDR, QDR, \
                            FDR10, FDR, EDR, HDR, NDR or XDR): the line is cut, or the tool is older or newer";
                Err(line.wrong("this cable has no width and speed", help))
            }
        }
    }
}

/// Refuses what only ibsim understands.
fn of_ibsim(line: &Line<'_>) -> Wrong {
    let message = format!("`{}` is not read here: it is a short form of ibsim", shown(line.text));
    line.wrong(message, "name the output of ibnetdiscover over ibsim, which has every device and cable")
}

fn is_word(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Returns a key without what some programs put into it: `S-0x0008f1` for `S-0008f1`, and capital digits.
fn plain(key: &str) -> String {
    match key.split_at_checked(2) {
        Some((sort @ ("S-" | "H-" | "R-"), digits)) => {
            let digits = digits.strip_prefix("0x").unwrap_or(digits);
            let guid = hex(digits).filter(|_| !digits.is_empty());
            guid.map_or_else(|| key.to_owned(), |guid| format!("{sort}{guid:016x}"))
        }
        _ => key.to_owned(),
    }
}

/// Returns the GUID that a key has in it.
fn of_key(key: &str) -> Option<u64> {
    let (sort, digits) = key.split_at_checked(2)?;
    (["S-", "H-", "R-"].contains(&sort) && digits.len() == 16).then(|| hex(digits)).flatten()
}
