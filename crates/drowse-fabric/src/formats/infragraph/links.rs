//! The links that an infrastructure declares: their bandwidths and latencies.

use std::collections::HashMap;

use crate::document::Value;
use crate::formats::plan::Cable;
use crate::model::attributes::{latency, rate};
use crate::model::wrong::{Wrong, shown};

/// Reads the links of an infrastructure by their names.
pub(super) fn read(root: &Value) -> Result<HashMap<&str, Cable>, Wrong> {
    let mut links = HashMap::new();
    for link in root.get("links").map_or(Ok(&[][..]), |links| links.list("links"))? {
        link.check(&["name", "description", "physical", "bandwidth", "latency"], "a link")?;
        let (name, place) = link.need("name", "a link")?.text("name")?;
        let physical = link.get("physical").unwrap_or(link);
        let bandwidth = physical.get("bandwidth").map(|value| quantity(value, &BANDWIDTHS)).transpose()?.flatten();
        let latency_of = physical.get("latency").map(|value| quantity(value, &LATENCIES)).transpose()?.flatten();
        let cable = Cable {
            links: 1,
            bandwidth: bandwidth.map(|(text, value)| rate(&(&text, value.span.clone()))).transpose()?,
            latency: latency_of.map(|(text, value)| latency(&(&text, value.span.clone()))).transpose()?,
        };
        if links.insert(name, cable).is_some() {
            return Err(Wrong::new(
                &place,
                format!("link `{}` stands twice", shown(name)),
                "give each a name of its own",
            ));
        }
    }
    Ok(links)
}

/// The names of units, and how they are written here; transfers a second tell no bandwidth.
type Units = [(&'static str, Option<&'static str>)];
const BANDWIDTHS: [(&str, Option<&str>); 7] = [
    ("gigabits_per_second", Some("Gb/s")),
    ("gigabytes_per_second", Some("GB/s")),
    ("gigatransfers_per_second", None),
    ("giga_bits_per_second", Some("Gb/s")),
    ("giga_bytes_per_second", Some("GB/s")),
    ("giga_transfers_per_second", None),
    ("choice", None),
];
const LATENCIES: [(&str, Option<&str>); 4] =
    [("ms", Some("ms")), ("us", Some("us")), ("ns", Some("ns")), ("choice", None)];

/// Returns the text of a quantity with its unit, and the number's place.
fn quantity<'v>(value: &'v Value, units: &Units) -> Result<Option<(String, &'v Value)>, Wrong> {
    let names: Vec<&str> = units.iter().map(|(name, _)| *name).collect();
    value.check(&names, "this quantity")?;
    let given = units.iter().find_map(|(name, unit)| Some((value.get(name)?, (*unit)?)));
    given.map(|(number, unit)| Ok((format!("{} {unit}", number.text("a number")?.0), number))).transpose()
}
