//! OpenSM's list of links, `opensm-subnet.lst`: a line for each end of each cable.
//!
//! ```text
//! { SW Ports:24 SystemGUID:.. NodeGUID:.. PortGUID:.. VenID:.. DevID:.. Rev:.. {leaf1} LID:0002 PN:01 } { CA ... }
//!     PHY=4x LOG=ACT SPD=25
//! ```
//!
//! all in one line. Numbers are hexadecimal, except for the speed: Gb/s of signalling a lane. LMCs are not there.

use super::words::{Line, hex, lines, note_warnings};
use crate::infiniband::draft::{Address, Draft, Drafted, Half, Sort};
use crate::infiniband::join::join;
use crate::infiniband::rate::{Speed, Written, lanes, part};
use crate::infiniband::subnet::{Options, Subnet};
use crate::model::wrong::Wrong;

/// Reads it.
pub(crate) fn read(text: &str, options: &Options) -> Result<Subnet, Wrong> {
    let mut draft = Draft::default();
    let mut warnings = 0;
    for line in lines(text).filter(|line| !line.text.is_empty()) {
        if line.is_warning()? {
            warnings += 1;
            continue;
        }
        let read = read_line(line.text).ok_or_else(|| {
            let help = "it stands so: `{ SW Ports:24 ... {leaf1} LID:0002 PN:01 } { CA ... } PHY=4x LOG=ACT SPD=25`";
            line.wrong("this line of a link is cut, or written otherwise", help)
        })?;
        take(&mut draft, &read, &line);
    }
    note_warnings(warnings, &mut draft.notes);
    draft.notes.push("this file has no LMCs: each port is taken to have one LID".to_owned());
    join(draft, options)
}

/// An end of a link.
#[derive(Debug)]
struct LinkEnd<'t> {
    sort: Sort,
    port_count: u16,
    system: Option<u64>,
    node: &'t str,
    port_guid: Option<u64>,
    name: &'t str,
    lid: u16,
    port: u16,
}

/// Reads both ends, width and speed.
fn read_line(line: &str) -> Option<([LinkEnd<'_>; 2], Written)> {
    let (own, rest) = LinkEnd::read(line)?;
    let (peer, rest) = LinkEnd::read(rest.trim_start())?;
    let mut written = Written::default();
    let mut seen = 0;
    for word in rest.split_whitespace() {
        match word.split_once('=')? {
            ("PHY", width) => written.lanes = part(width, lanes)?,
            ("SPD", speed) => written.speed = part(speed, Speed::of_opensm)?,
            ("LOG", _) => continue,
            _ => return None,
        }
        seen += 1;
    }
    (seen == 2).then_some(([own, peer], written))
}

impl<'t> LinkEnd<'t> {
    /// Reads what stands in braces. Returns it and what follows.
    fn read(text: &'t str) -> Option<(Self, &'t str)> {
        let (front, rest) = text.strip_prefix("{ ")?.split_once('{')?;
        let mut words = front.split_whitespace();
        let sort = match words.next()?.trim_end_matches("-SM") {
            "SW" => Sort::Switch,
            "CA" => Sort::Adapter,
            "RT" => Sort::Router,
            _ => return None,
        };
        let (mut port_count, mut system, mut node, mut port_guid) = (None, None, None, None);
        for word in words {
            match word.split_once(':')? {
                ("Ports", value) => port_count = hex(value),
                ("SystemGUID", value) => system = hex(value),
                ("NodeGUID", value) => node = Some(value),
                ("PortGUID", value) => port_guid = hex(value),
                _ => {}
            }
        }
        // A name may hold braces: what follows it tells its end.
        let ends = rest.match_indices("} LID:");
        let (name, (lid, port, rest)) =
            ends.into_iter().find_map(|(at, _)| Some((&rest[..at], after_name(&rest[at..])?)))?;
        let port_count = u16::try_from(port_count?).ok().filter(|count| (1..=254).contains(count))?;
        let end = LinkEnd { sort, port_count, system, node: node?, port_guid, name, lid, port };
        Some((end, rest))
    }

    fn key(&self, draft: &mut Draft, line: &Line<'_>) -> usize {
        draft.key(self.node, &line.span)
    }

    fn drafted(&self, line: &Line<'_>) -> Drafted {
        let port = if self.sort == Sort::Switch { 0 } else { self.port };
        Drafted {
            sort: self.sort,
            guid: hex(self.node),
            system: self.system.filter(|&guid| guid != 0),
            description: self.name.to_owned(),
            port_count: self.port_count,
            addresses: vec![Address { port, guid: self.port_guid, lid: Some(self.lid), lmc: 0 }],
            span: line.span.clone(),
        }
    }
}

/// Reads `} LID:0002 PN:01 }`. Returns LID, port and what follows.
fn after_name(text: &str) -> Option<(u16, u16, &str)> {
    let (inner, rest) = text.strip_prefix("} LID:")?.split_once(" }")?;
    let (lid, port) = inner.split_once(" PN:")?;
    Some((u16::try_from(hex(lid)?).ok()?, u16::try_from(hex(port)?).ok()?, rest))
}

/// Takes a line.
fn take(draft: &mut Draft, (ends, written): &([LinkEnd<'_>; 2], Written), line: &Line<'_>) {
    let [device, peer] = [&ends[0], &ends[1]].map(|end| end.key(draft, line));
    draft.merge(device, ends[0].drafted(line));
    let peer = (peer, ends[1].port);
    draft.halves.push(Half { device, port: ends[0].port, peer, written: *written, span: line.span.clone() });
}
