//! The line that begins the table of a switch, in three kinds of dumps.

use super::bytes::{behind, decimal, hex};

/// Who wrote a dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// `dump_fts`, `dump_lfts` or `ibroute`: they leave out a highest LID that is a multiple of 64.
    Diags,
    /// OpenSM's opensm-lfts.dump.
    Lfts,
    /// OpenSM's opensm.fdbs, without a line at the end.
    Fdbs,
}

/// The head of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub source: Source,
    pub guid: u64,
    pub name: String,
    /// The highest LID of the table, where the head tells it.
    pub top: Option<u64>,
}

impl Head {
    /// Reads `Unicast lids [0x0-0x10] of switch Lid 2 guid 0x... (leaf1):`, `Unicast lids [0-16] of switch Lid 2 guid
    /// 0x... ('leaf1'):` or `dump_ucast_routes: Switch 0x...`. Returns nothing for another line.
    pub fn read(line: &[u8]) -> Option<Self> {
        if let Some(rest) = line.strip_prefix(b"dump_ucast_routes: Switch ") {
            let (guid, _) = hex(rest)?;
            return Some(Head { source: Source::Fdbs, guid, name: String::new(), top: None });
        }
        let rest = line.strip_prefix(b"Unicast lids [")?;
        let (source, top) = match rest.strip_prefix(b"0x") {
            Some(_) => (Source::Diags, hex(hex(rest)?.1.strip_prefix(b"-")?)?),
            None => (Source::Lfts, decimal(decimal(rest)?.1.strip_prefix(b"-")?)?),
        };
        let (guid, name) = hex(behind(top.1.strip_prefix(b"] of switch ")?, b" guid ")?)?;
        let name = String::from_utf8_lossy(name);
        let name = name.trim().trim_end_matches(':').trim_start_matches('(').trim_end_matches(')');
        let name = if source == Source::Lfts { name.trim_matches('\'') } else { name };
        Some(Head { source, guid, name: name.to_owned(), top: Some(top.0) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_all_kinds() {
        let head = |source, top| Some(Head { source, guid: 0x0020_0000, name: "sw0".into(), top: Some(top) });
        for line in [
            "Unicast lids [0x0-0x40] of switch DR path slid 0; dlid 0; 0,1 guid 0x0000000000200000 (sw0):",
            "Unicast lids [0x0-0x40] of switch Lid 2 guid 0x0000000000200000 (sw0):",
        ] {
            assert_eq!(Head::read(line.as_bytes()), head(Source::Diags, 64), "{line}");
        }
        let line = b"Unicast lids [0-16] of switch Lid 2 guid 0x0000000000200000 ('sw0'):";
        assert_eq!(Head::read(line), head(Source::Lfts, 16));
        let fdbs = Head::read(b"dump_ucast_routes: Switch 0x0000000000200000").expect("a head");
        assert_eq!((fdbs.source, fdbs.guid, fdbs.top), (Source::Fdbs, 0x0020_0000, None));
        for line in ["Unicast lids [", "Unicast lids [0x0-0x4] of switch Lid 2", "Multicast mlids [0xc000-0xc3ff]", ""]
        {
            assert_eq!(Head::read(line.as_bytes()), None, "{line}");
        }
    }
}
