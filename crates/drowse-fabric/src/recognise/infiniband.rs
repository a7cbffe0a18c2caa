//! What the files of InfiniBand's tools are recognised by.

use super::text::{Text, is_whole};

/// `ibnetdiscover`: `Switch 36 "S-0008f10500650abc"`, or what stands before such a record; also in output of diff.
pub(crate) fn ibnetdiscover(text: &Text<'_>) -> bool {
    let is_record = |line: &str| {
        let line = line.trim_start_matches("< ").trim_start_matches("> ");
        let keyed = |kind: &str| line.strip_prefix(kind).is_some_and(|rest| record(rest, is_key));
        line.starts_with("vendid=0x") || ["Switch", "Ca", "Rt"].into_iter().any(keyed)
    };
    let head = "# Topology file: generated on";
    let is_headed = || text.whole.lines().take(LINES).any(|line| line.contains(head));
    // A network for ibsim may begin so, too, and then has keys of its own.
    let own = ["Switch", "Hca", "Ca", "Rt"]
        .into_iter()
        .any(|kind| text.has_line(kind, |rest| record(rest, |key| !is_key(key))));
    !own && (text.lines.iter().any(|line| is_record(line)) || is_headed())
}

/// Lines in which a heading may stand behind warnings.
const LINES: usize = 64;

/// Returns whether ` 36 "S-...` follows, with a key that suits.
fn record(rest: &str, suits: impl Fn(&str) -> bool) -> bool {
    let ports = rest.trim_start();
    let end = ports.find(|c: char| !c.is_ascii_digit()).unwrap_or(ports.len());
    let key = ports[end..].trim_start().strip_prefix('"');
    end > 0 && rest.len() > ports.len() && key.is_some_and(suits)
}

fn is_key(key: &str) -> bool {
    key.starts_with("S-") || key.starts_with("H-") || key.starts_with("R-")
}

/// ibsim: `Switch 36 "leaf1"`, and lines of ports below it.
pub(crate) fn ibsim(text: &Text<'_>) -> bool {
    ["Switch", "Hca", "Ca", "Rt"]
        .into_iter()
        .any(|kind| text.has_line(kind, |rest| record(&format!(" {rest}"), |_| true)))
}

/// `ibnetdiscover -p`: `SW 2 1 0x0008f10500650abc 4x HDR - CA 4 1 0x...`.
pub(crate) fn ports(text: &Text<'_>) -> bool {
    let is_port = |rest: &str| {
        let mut words = rest.split_whitespace();
        let whole = words.next().is_some_and(is_whole) && words.next().is_some_and(is_whole);
        whole && words.next().is_some_and(|guid| guid.starts_with("0x")) && rest.contains('\'')
    };
    ["SW", "CA", "RT"].into_iter().any(|kind| text.has_line(kind, is_port))
}

/// iblinkinfo: `10 1[  ] ==( 4X 25.78125 Gbps Active/ LinkUp)==> 2 1[  ] "node1"`.
pub(crate) fn link_info(text: &Text<'_>) -> bool {
    text.lines.iter().any(|line| line.contains("==(") && line.contains(")==>"))
}

/// OpenSM: `opensm-subnet.lst`, a line a link.
pub(crate) fn links(text: &Text<'_>) -> bool {
    ["{ SW ", "{ CA ", "{ RT ", "{ CA-SM ", "{ SW-SM "].into_iter().any(|start| text.begins(start))
}

/// OpenSM and infiniband-diags: forwarding tables and service levels of switches.
pub(crate) fn tables(text: &Text<'_>) -> bool {
    let is_owner = |rest: &str| rest.starts_with("0x") && rest.contains(',');
    text.begins("Unicast lids [")
        || text.begins("dump_ucast_routes:")
        || text.has_line("Switch", is_owner)
        || text.has_line("Channel", |rest| rest.starts_with("Adapter 0x"))
        || text.has_line("LID", |rest| rest.starts_with(':'))
}

/// dump_mfts, and OpenSM's opensm.mcfdbs: what multicast packets take.
pub(crate) fn multicast(text: &Text<'_>) -> bool {
    text.begins("Multicast mlids [")
        || text.begins("Switch 0x") && text.has_line("LID", |rest| rest.starts_with(": Out Port"))
}

/// ibdiagnet: sections such as `START_NODES`.
pub(crate) fn ibdiagnet(text: &Text<'_>) -> bool {
    text.begins("START_NODES") || text.begins("START_LINKS") || text.begins("START_PORTS")
}
