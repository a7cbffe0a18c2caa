//! Output of `iblinkinfo`: a heading for each device, then a line a port.
//!
//! ```text
//! Switch: 0x0000000000900010 leaf1:
//!           11    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       6    1[  ] "node2 HCA-1" ( )
//!           11    6[  ] ==(                Down/ Polling)==>             [  ] "" ( )
//! CA: node2 HCA-1:
//!       0x0000000000100005      6    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>      11    1[  ] "leaf1" ( )
//! ```
//!
//! Devices at the other end are named by LIDs, so each port of an adapter is one of its own. LMCs are not there.

use super::words::{Line, decimal, hex, lines, note_warnings};
use crate::infiniband::draft::{Address, Draft, Drafted, Half, Sort};
use crate::infiniband::join::join;
use crate::infiniband::rate::{Part, Speed, Written, lanes, part};
use crate::infiniband::subnet::{Options, Subnet};
use crate::model::wrong::Wrong;

/// Reads it.
pub(crate) fn read(text: &str, options: &Options) -> Result<Subnet, Wrong> {
    let mut draft = Draft::default();
    let mut heading = None;
    let mut warnings = 0;
    for line in lines(text).filter(|line| !line.text.is_empty()) {
        if line.is_warning()? {
            warnings += 1;
        } else if let Some(next) = Heading::read(line.text) {
            heading = Some(next);
        } else {
            let (Some(heading), Some(port)) = (&heading, PortLine::read(line.text)) else {
                let help = "print it without the option -l, or let ibnetdiscover print the fabric";
                return Err(line.wrong("this line of a port is cut, or written otherwise", help));
            };
            take(&mut draft, heading, &port, &line)?;
        }
    }
    note_warnings(warnings, &mut draft.notes);
    draft.notes.push("this file has no LMCs: each port is taken to have one LID".to_owned());
    join(draft, options)
}

/// The heading of a device.
#[derive(Debug, PartialEq, Eq)]
struct Heading<'t> {
    sort: Sort,
    guid: Option<u64>,
    name: &'t str,
}

impl<'t> Heading<'t> {
    fn read(line: &'t str) -> Option<Self> {
        let inner = line.strip_suffix(':')?;
        if let Some(rest) = inner.strip_prefix("Switch: ") {
            let (guid, name) = rest.split_once(' ')?;
            return Some(Heading { sort: Sort::Switch, guid: hex(guid), name: name.trim() });
        }
        let adapter = inner.strip_prefix("CA: ").map(|name| (Sort::Adapter, name));
        let (sort, name) = adapter.or_else(|| inner.strip_prefix("Router: ").map(|name| (Sort::Router, name)))?;
        Some(Heading { sort, guid: None, name: name.trim() })
    }
}

/// A line of a port.
#[derive(Debug, PartialEq, Eq)]
struct PortLine {
    guid: Option<u64>,
    own: (u16, u16),
    /// Width and speed, and LID and port of the other end; nothing where the link is down.
    link: Option<(Written, (u16, u16))>,
}

impl PortLine {
    fn read(line: &str) -> Option<Self> {
        let (front, rest) = line.split_once("==(")?;
        let (state, behind) = rest.split_once(")==>")?;
        let front = front.trim();
        let (guid, front) = match front.split_once(' ').filter(|(guid, _)| guid.starts_with("0x")) {
            Some((guid, rest)) => (Some(hex(guid)?), rest),
            None => (None, front),
        };
        let own = place(front)?;
        let words: Vec<&str> = state.split_whitespace().collect();
        let link = match words[..] {
            [width, ref speed @ .., _, "LinkUp"] => {
                let lanes = part(width, lanes)?;
                let speed = speed_of(speed)?;
                // The name behind it may hold anything.
                Some((Written { lanes, speed }, place(behind.split('"').next()?)?))
            }
            _ => None,
        };
        Some(PortLine { guid, own, link })
    }
}

/// Reads `11    1[  ]`: LID and port; the port of a chassis is in the brackets.
fn place(text: &str) -> Option<(u16, u16)> {
    let (front, _) = text.split_once('[')?;
    let mut words = front.split_whitespace();
    let (lid, port) = (decimal(words.next()?)?, decimal(words.next()?)?);
    (words.next().is_none() && (1..=254).contains(&port)).then_some((lid, port))
}

/// Reads `25.78125 Gbps`, the signalling of a lane.
fn speed_of(words: &[&str]) -> Option<Part<Speed>> {
    const SPEEDS: [(&str, Speed); 9] = [
        ("2.5", Speed::Sdr),
        ("5.0", Speed::Ddr),
        ("10.0", Speed::Qdr),
        ("10.3125", Speed::Fdr10),
        ("14.0625", Speed::Fdr),
        ("25.78125", Speed::Edr),
        ("53.125", Speed::Hdr),
        ("106.25", Speed::Ndr),
        ("212.5", Speed::Xdr),
    ];
    if words.iter().any(|word| word.contains("FDR10")) {
        return Some(Part::Known(Speed::Fdr10));
    }
    let (gbits, "Gbps") = (words.first()?, *words.get(1)?) else { return Some(Part::Unknown) };
    let known = SPEEDS.iter().find(|(text, _)| text == gbits);
    Some(known.map_or(Part::Unknown, |(_, speed)| Part::Known(*speed)))
}

/// Takes a line.
fn take(draft: &mut Draft, heading: &Heading<'_>, read: &PortLine, line: &Line<'_>) -> Result<(), Wrong> {
    let (lid, port) = read.own;
    if lid == 0 {
        let help = "let ibnetdiscover print the fabric, or wait until the subnet manager has given LIDs";
        return match heading.sort {
            // Routers are left out.
            Sort::Router => Ok(()),
            Sort::Switch | Sort::Adapter => Err(line.wrong("this port has no LID, by which the others name it", help)),
        };
    }
    let device = draft.key(&format!("LID {lid}"), &line.span);
    let is_switch = heading.sort == Sort::Switch;
    let guid = if is_switch { heading.guid } else { read.guid };
    let drafted = Drafted {
        sort: heading.sort,
        guid,
        system: None,
        description: heading.name.to_owned(),
        port_count: port,
        addresses: vec![Address { port: if is_switch { 0 } else { port }, guid, lid: Some(lid), lmc: 0 }],
        span: line.span.clone(),
    };
    draft.merge(device, drafted);
    if let Some((written, (peer, peer_port))) = read.link.filter(|(_, (peer, _))| *peer != 0) {
        let peer = (draft.key(&format!("LID {peer}"), &line.span), peer_port);
        draft.halves.push(Half { device, port, peer, written, span: line.span.clone() });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_ports() {
        let line =
            "          11    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       6    1[  ] \"n ==( 2\" ( )";
        let edr = Written { lanes: Part::Known(4), speed: Part::Known(Speed::Edr) };
        assert_eq!(PortLine::read(line), Some(PortLine { guid: None, own: (11, 1), link: Some((edr, (6, 1))) }));
        let down = "          11    6[ 3] ==(                Down/ Polling)==>             [  ] \"\" ( )";
        assert_eq!(PortLine::read(down), Some(PortLine { guid: None, own: (11, 6), link: None }));
        let line =
            "  0x0000000000100005   6    1[  ] ==( 2X    10.0 Gbps (FDR10) Active/  LinkUp)==>   11  1[ 7] \"s\" ( )";
        let fdr10 = Written { lanes: Part::Known(2), speed: Part::Known(Speed::Fdr10) };
        assert_eq!(
            PortLine::read(line),
            Some(PortLine { guid: Some(0x10_0005), own: (6, 1), link: Some((fdr10, (11, 1))) })
        );
        assert_eq!(speed_of(&["400", "Gbps"]), Some(Part::Unknown));
        let one =
            "0x0000000000100005 \"  node2\"   6  1[  ] ==( 4X 2.5 Gbps Active/  LinkUp)==>  0x1 11 1[  ] \"s\" ( )";
        assert_eq!(PortLine::read(one), None);
    }

    #[test]
    fn headings() {
        let of = |sort, guid, name| Some(Heading { sort, guid, name });
        assert_eq!(
            Heading::read("Switch: 0x0000000000900000 MF0;a:MQM8700/U1:"),
            of(Sort::Switch, Some(0x90_0000), "MF0;a:MQM8700/U1")
        );
        assert_eq!(
            (Heading::read("CA: node1 HCA-1:"), Heading::read("CA: node1")),
            (of(Sort::Adapter, None, "node1 HCA-1"), None)
        );
    }
}
