//! Output of `ibnetdiscover -p`: a line a port, a port of a switch without a cable, too.
//!
//! ```text
//! SW 10 2 0x0000000000900000 2x HDR - CA 4 1 0x0000000000100003 ( 'leaf1' - 'node1 HCA-2' )
//! SW 10 6 0x0000000000900000 4x SDR                              'leaf1'
//! ```
//!
//! Adapters are known by the GUIDs of their ports, so each port of an adapter is one of its own. LMCs are not there.

use super::words::{Line, decimal, hex, lines, note_warnings};
use crate::infiniband::draft::{Address, Draft, Drafted, Half, Sort};
use crate::infiniband::join::join;
use crate::infiniband::rate::{Speed, Written, lanes, part};
use crate::infiniband::subnet::{Options, Subnet};
use crate::model::wrong::Wrong;

/// Reads it.
pub(crate) fn read(text: &str, options: &Options) -> Result<Subnet, Wrong> {
    let mut draft = Draft::default();
    let mut warnings = 0;
    for line in lines(text).filter(|line| !line.text.is_empty() && !line.text.starts_with('#')) {
        if line.is_warning()? {
            warnings += 1;
            continue;
        }
        let read = PortLine::read(line.text).ok_or_else(|| {
            let help =
                "it stands so: `SW 10 2 0x0000000000900000 2x HDR - CA 4 1 0x0000000000100003 ( 'leaf1' - 'node1' )`";
            line.wrong("this line of a port is cut, or written otherwise", help)
        })?;
        take(&mut draft, &read, &line);
    }
    note_warnings(warnings, &mut draft.notes);
    draft.notes.push("this file has no LMCs: each port is taken to have one LID".to_owned());
    join(draft, options)
}

/// An end of a link: what it is, its LID, port and GUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PortEnd<'t> {
    sort: Sort,
    lid: u16,
    port: u16,
    guid: &'t str,
}

#[derive(Debug, PartialEq, Eq)]
struct PortLine<'t> {
    own: PortEnd<'t>,
    written: Written,
    peer: Option<PortEnd<'t>>,
    name: &'t str,
}

impl<'t> PortEnd<'t> {
    fn read(words: &mut impl Iterator<Item = &'t str>) -> Option<Self> {
        let sort = match words.next()? {
            "SW" => Sort::Switch,
            "CA" => Sort::Adapter,
            "RT" => Sort::Router,
            _ => return None,
        };
        let lid = decimal(words.next()?)?;
        let port = decimal(words.next()?).filter(|port| (1..=254).contains(port))?;
        Some(PortEnd { sort, lid, port, guid: words.next()? })
    }

    fn key(self, draft: &mut Draft, line: &Line<'_>) -> usize {
        let guid = hex(self.guid).map_or_else(|| self.guid.to_owned(), |guid| format!("0x{guid:016x}"));
        let sort = if self.sort == Sort::Switch { "SW" } else { "CA" };
        draft.key(&format!("{sort} {guid}"), &line.span)
    }
}

impl<'t> PortLine<'t> {
    fn read(line: &'t str) -> Option<Self> {
        let (front, names) = line.split_once('\'')?;
        let (inner, end) = names.rsplit_once('\'')?;
        let mut words = front.split_whitespace();
        let own = PortEnd::read(&mut words)?;
        let (width, speed) = (words.next()?, words.next()?);
        let written = Written { lanes: part(width, lanes)?, speed: part(speed, Speed::of)? };
        let peer = match words.next() {
            Some("-") => Some(PortEnd::read(&mut words)?),
            Some(_) => return None,
            None => None,
        };
        let is_whole = words.next() == peer.map(|_| "(") && end.trim() == if peer.is_some() { ")" } else { "" };
        let name = if peer.is_some() { inner.split_once("' - '")?.0 } else { inner };
        is_whole.then_some(PortLine { own, written, peer, name })
    }
}

/// Takes a line.
fn take(draft: &mut Draft, read: &PortLine<'_>, line: &Line<'_>) {
    let own = read.own;
    let device = own.key(draft, line);
    let is_switch = own.sort == Sort::Switch;
    let address =
        Address { port: if is_switch { 0 } else { own.port }, guid: hex(own.guid), lid: Some(own.lid), lmc: 0 };
    let drafted = Drafted {
        sort: own.sort,
        guid: hex(own.guid),
        system: None,
        description: read.name.to_owned(),
        port_count: own.port,
        addresses: vec![address],
        span: line.span.clone(),
    };
    draft.merge(device, drafted);
    if let Some(peer) = read.peer {
        let peer = (peer.key(draft, line), peer.port);
        draft.halves.push(Half { device, port: own.port, peer, written: read.written, span: line.span.clone() });
    }
}
