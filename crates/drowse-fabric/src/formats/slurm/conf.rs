//! Lines of `topology.conf` and of `scontrol show topology`: words `Key=Value`, keys in any case, `#` before comments.

use super::places::{Places, ring};
use super::tree::{Switch, tree};
use super::{names, no_network};
use crate::model::vertices::Vertices;
use crate::model::wrong::{Word, Wrong, number, shown};
use crate::options::Options;
use crate::recognise::text::{Text, starts};

/// `SwitchName=s0 Nodes=c[0-5]`, and the like of rings and blocks.
pub(crate) fn sign(text: &Text<'_>) -> bool {
    const FIRST: [&str; 4] = ["switchname", "blockname", "ringname", "torusname"];
    let is_key = |line: &&str| {
        let rest = |key: &&str| starts(line, key) && line[key.len()..].trim_start().starts_with('=');
        FIRST.iter().any(rest)
    };
    text.lines.iter().any(is_key)
}

/// Reads a topology.
pub(crate) fn parse(text: &str, options: &Options) -> Result<Vertices, Wrong> {
    let (mut switches, mut rings) = (Vec::new(), Vec::new());
    let mut speeds = 0;
    for line in lines(text)? {
        let [(key, first), ..] = &line[..] else { continue };
        match key.to_ascii_lowercase().as_str() {
            "switchname" => {
                let of = |name| value(&line, name);
                only(&line, &["switchname", "nodes", "switches", "linkspeed", "level"])?;
                speeds += usize::from(of("linkspeed").is_some_and(|(speed, _)| speed != "1"));
                let level = of("level").map(|level| number(&level, "a level", 0, 64)).transpose()?;
                switches.push(Switch { name: first.clone(), nodes: of("nodes"), children: of("switches"), level });
            }
            "ringname" => {
                only(&line, &["ringname", "nodes", "ringsize"])?;
                let Some(nodes) = value(&line, "nodes") else {
                    return Err(Wrong::new(&first.1, "this ring has no nodes", "write Nodes=n[1-8]"));
                };
                rings.push(Places { name: first.clone(), nodes });
            }
            "blockname" | "blocksizes" => return Err(no_network("block", &first.1)),
            "torusname" => {
                let message = "what scontrol prints of a torus does not say which node is at which place";
                return Err(Wrong::new(&first.1, message, "give Slurm's topology.yaml"));
            }
            _ => {
                let message = format!("`{}` begins no line of a topology", shown(key));
                return Err(Wrong::new(&first.1, message, "lines begin with SwitchName=, RingName= or BlockName="));
            }
        }
    }
    let mut vertices = match (&switches[..], &rings[..]) {
        ([_, ..], []) => tree(&switches, options)?,
        ([], [_, ..]) => ring(&rings, options)?,
        ([first, ..], _) => {
            return Err(Wrong::new(&first.name.1, "switches and rings stand in one file", "keep one kind"));
        }
        ([], []) => {
            return Err(Wrong::new(&(0..0), "this topology is empty", "write lines SwitchName=s0 Nodes=n[1-8]"));
        }
    };
    if speeds > 0 {
        vertices.note(format!("switches with a LinkSpeed: {speeds}; Slurm gives it no unit, and it is not used"));
    }
    Ok(vertices)
}

/// A line: keys as they are written, and values with their places.
type Line<'t> = Vec<(&'t str, Word<'t>)>;

/// Returns the words of all lines; a backslash at the end of a line joins it with the next.
fn lines(text: &str) -> Result<Vec<Line<'_>>, Wrong> {
    let mut lines = Vec::new();
    let (mut line, mut start) = (Vec::new(), 0);
    for whole in text.split_inclusive('\n') {
        let said = whole.split('#').next().unwrap_or_default().trim_end();
        let (said, goes_on) = said.strip_suffix('\\').map_or((said, false), |said| (said, true));
        pairs(said, start, &mut line)?;
        start += whole.len();
        if !goes_on {
            lines.push(std::mem::take(&mut line));
        }
    }
    lines.push(line);
    lines.retain(|line| !line.is_empty());
    Ok(lines)
}

/// Adds the pairs of a line: `Key=Value`, also with blanks around the sign and quotes around the value.
fn pairs<'t>(line: &'t str, start: usize, pairs: &mut Line<'t>) -> Result<(), Wrong> {
    let mut rest = line;
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return Ok(());
        }
        let at = start + (line.len() - rest.len());
        let key = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let Some(value) = rest[key..].trim_start().strip_prefix('=').map(str::trim_start).filter(|_| key > 0) else {
            let word = rest.split_whitespace().next().unwrap_or_default();
            let message = format!("`{}` is no Key=Value", shown(word));
            return Err(Wrong::new(
                &(at..at + word.len()),
                message,
                "write SwitchName=s0 Nodes=n[1-8] Switches=s[1-2]",
            ));
        };
        let (value, after) = match value.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').ok_or_else(|| {
                Wrong::new(&(at..start + line.len()), "this quote is not closed", "write Key=\"Value\"")
            })?,
            None => value.split_at(value.find(char::is_whitespace).unwrap_or(value.len())),
        };
        let place = start + (value.as_ptr() as usize - line.as_ptr() as usize);
        pairs.push((&rest[..key], (value, place..place + value.len())));
        rest = after;
    }
}

/// Returns a value of a line by its key in small letters.
fn value<'t>(line: &Line<'t>, key: &str) -> Option<Word<'t>> {
    line.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, value)| value.clone())
}

/// Refuses keys that are not known, and those that stand twice.
fn only(line: &Line<'_>, known: &[&str]) -> Result<(), Wrong> {
    for (at, (key, (_, span))) in line.iter().enumerate() {
        if !known.iter().any(|known| known.eq_ignore_ascii_case(key)) {
            let message = format!("`{}` of this line is not known here", shown(key));
            return Err(Wrong::new(span, message, format!("keys are, in any case: {}", known.join(", "))));
        }
        if line[..at].iter().any(|(before, _)| before.eq_ignore_ascii_case(key)) {
            return Err(Wrong::new(span, format!("`{}` stands twice in this line", shown(key)), "write it once"));
        }
    }
    // Lists are read where they are used; what is wrong with them is told before it is told what is missing.
    ["nodes", "switches"].into_iter().filter_map(|key| value(line, key)).try_for_each(|list| names(&list).map(drop))
}
