//! A line of a port in the output of `ibnetdiscover`, or in the input of ibsim:
//!
//! ```text
//! [P][ext E]? (PORTGUID)?  "T-GUID"[Q][ext F]?(PORTGUID)?  # "NAME" lid N 4xHDR           of a switch
//! [P][ext E]? (PORTGUID)?  "T-GUID"[Q][ext F]?(PORTGUID)?  # lid N lmc M "NAME" lid N 4xHDR   of an adapter
//! ```
//!
//! Names may hold quotes, `#` and brackets, so what stands behind a name is read from the end.

use super::words::{bracket, decimal, hex};
use crate::infiniband::rate::{Part, Speed, Written};

/// What a line says of a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PortLine<'t> {
    pub port: u16,
    pub port_guid: Option<u64>,
    pub peer: &'t str,
    /// The port of the peer; none where ibsim takes the first.
    pub peer_port: Option<u16>,
    /// What ibsim's settings `w`, `s` and `e` say.
    pub settings: Written,
    /// What stands behind `#`.
    pub comment: &'t str,
}

/// What stands behind the `#` of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Comment {
    /// LID and LMC of the port itself; of a switch they stand elsewhere.
    pub own: Option<(u16, u8)>,
    pub written: Option<Written>,
}

impl<'t> PortLine<'t> {
    /// Reads a line that begins with `[`.
    pub fn read(line: &'t str) -> Option<Self> {
        let (port, rest) = bracket(line)?;
        let (port_guid, rest) = port_guid(external(rest))?;
        let (peer, rest) = rest.trim_start().strip_prefix('"')?.split_once('"')?;
        let (peer_port, rest) = match bracket(rest) {
            Some((port, rest)) => (Some(port), rest),
            None if rest.starts_with('[') => return None,
            None => (None, rest),
        };
        let (_, rest) = self::port_guid(external(rest))?;
        let (settings, comment) = rest.split_once('#').unwrap_or((rest, ""));
        Some(PortLine { port, port_guid, peer, peer_port, settings: self::settings(settings)?, comment })
    }
}

/// Returns what follows `[ext 3]`, the port of a chassis.
fn external(text: &str) -> &str {
    let inner = text.strip_prefix("[ext ").and_then(|rest| rest.split_once(']'));
    inner.map_or(text, |(_, rest)| rest)
}

/// Reads `(100001)`. Returns nothing where there is no number in it, unless it is redacted.
fn port_guid(text: &str) -> Option<(Option<u64>, &str)> {
    match text.strip_prefix('(') {
        Some(inner) => {
            let (guid, rest) = inner.split_once(')')?;
            Some((hex(guid), rest))
        }
        None => Some((None, text)),
    }
}

/// Reads `w=1 s=4 e=2`, and leaves out ` slot 3` and ` (scp)`.
fn settings(text: &str) -> Option<Written> {
    let mut written = Written::default();
    for word in text.split_whitespace() {
        let Some((name, value)) = word.split_once('=') else { continue };
        let code: u16 = decimal(value)?;
        match name {
            "w" => written.lanes = Part::Known(lanes(code)?),
            "s" | "e" if code == 0 => {}
            "s" => written.speed = Part::Known(of_bits(code, [Speed::Sdr, Speed::Ddr, Speed::Qdr])?),
            "e" => written.speed = Part::Known(of_bits(code, [Speed::Fdr, Speed::Edr, Speed::Hdr])?),
            _ => {}
        }
    }
    Some(written)
}

/// The most lanes of a set of widths.
fn lanes(code: u16) -> Option<u8> {
    [(8, 12), (4, 8), (2, 4), (16, 2), (1, 1)].into_iter().find(|(bit, _)| code & bit != 0).map(|(_, lanes)| lanes)
}

/// The highest speed of a set.
fn of_bits(code: u16, speeds: [Speed; 3]) -> Option<Speed> {
    let at = (0..3).rev().find(|bit| code & (1 << bit) != 0)?;
    Some(speeds[at])
}

impl Comment {
    /// Reads what stands behind the `#` of a port's line; parts that are not there are none.
    pub fn read(comment: &str) -> Self {
        let comment = comment.trim();
        let (front, tail) = match comment.find('"') {
            Some(first) => (&comment[..first], comment.rfind('"').map_or("", |last| &comment[last + 1..])),
            None => (comment, ""),
        };
        let front: Vec<&str> = front.split_whitespace().collect();
        let own = match front[..] {
            ["lid", lid, "lmc", lmc] => decimal(lid).zip(decimal(lmc)),
            _ => None,
        };
        let tail: Vec<&str> = tail.split_whitespace().collect();
        // The option `-f` adds ` s=4 w=2 v=4`.
        let written = match tail[..] {
            ["lid", _, rate, ..] => Written::joined(rate),
            _ => None,
        };
        Comment { own, written }
    }

    /// Reads what stands behind the `#` of a switch's record: `"NAME" base port 0 lid 2 lmc 0`. Returns the name, and
    /// LID and LMC.
    pub fn of_record(comment: &str) -> (&str, Option<(u16, u8)>) {
        let comment = comment.trim();
        let Some(inner) = comment.strip_prefix('"') else { return ("", None) };
        let Some((name, tail)) = inner.rsplit_once('"') else { return (inner, None) };
        let tail: Vec<&str> = tail.split_whitespace().collect();
        let address = match tail[..] {
            ["base" | "enhanced", "port", "0", "lid", lid, "lmc", lmc] => decimal(lid).zip(decimal(lmc)),
            _ => None,
        };
        (name, address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(word: &str) -> Written {
        Written::joined(word).expect("a rate")
    }

    #[test]
    fn lines_of_ports() {
        let line = "[1]\t\"H-0000000000100000\"[1](100001) \t\t# \"node1 HCA-1\" lid 2 2xHDR";
        let read = PortLine::read(line).expect("a line");
        assert_eq!((read.port, read.peer, read.peer_port), (1, "H-0000000000100000", Some(1)));
        assert_eq!(Comment::read(read.comment), Comment { own: None, written: Some(rate("2xHDR")) });
        let line = "[1](100005) \t\"S-0000000000900010\"[1]\t\t# lid 6 lmc 1 \"say \"x\" lid 3 4xSDR\" lid 11 4xEDR";
        let read = PortLine::read(line).expect("a line");
        assert_eq!((read.port_guid, read.peer_port), (Some(0x10_0005), Some(1)));
        assert_eq!(Comment::read(read.comment), Comment { own: Some((6, 1)), written: Some(rate("4xEDR")) });
        let line = "[21][ext 4]\t\"S-0002c9020040b1a0\"[13][ext 7]\t\t# \"a # [b]\" lid 5 12xXDR s=4 w=2 v=4";
        let read = PortLine::read(line).expect("a line");
        assert_eq!((read.port, read.peer_port), (21, Some(13)));
        assert_eq!(Comment::read(read.comment).written, Some(rate("12xXDR")));
    }

    #[test]
    fn settings_of_ibsim() {
        for (text, word) in
            [("w=16 s=1 e=4", "2xHDR"), (" w=1 s=2 e=0", "1xDDR"), ("w=2 s=4", "4xQDR"), ("w=8 e=2", "12xEDR")]
        {
            assert_eq!(settings(text), Some(rate(word)), "{text}");
        }
        assert_eq!(settings(" slot 3 (scp)"), Some(Written::default()));
        assert_eq!((settings("w=0"), settings("s=x"), settings("e=8")), (None, None, None));
    }

    #[test]
    fn records() {
        let odd = "\"say \"x\" [1] 'q' # y\" enhanced port 0 lid 11 lmc 0";
        assert_eq!(Comment::of_record(odd), ("say \"x\" [1] 'q' # y", Some((11, 0))));
        assert_eq!(Comment::of_record(" \"node1 HCA-1\""), ("node1 HCA-1", None));
        assert_eq!(Comment::of_record(" from the shelf"), ("", None));
    }
}
