//! Zones: hosts, routers and links, and the routes over them; zones within zones, and routes between these.

use drowse_core::model::units::Time;
use roxmltree::Node;

use super::cluster;
use super::platform::{Link, Platform, Route};
use super::units::{bandwidth, delay};
use crate::formats::xml::{not_read, optional, required, start};
use crate::model::wrong::{Word, Wrong, shown};

/// Kinds of routing whose routes are written, or found over routes that are.
const ROUTED: [&str; 6] = ["Full", "Floyd", "Dijkstra", "DijkstraCache", "None", "Cluster"];

/// Reads a zone and all within it.
pub(super) fn read<'d>(zone: Node<'d, '_>, platform: &mut Platform<'d>) -> Result<(), Wrong> {
    let (routing, place) = required(zone, "routing")?;
    if !ROUTED.iter().any(|known| known.eq_ignore_ascii_case(routing)) {
        let message = format!("a zone whose routing is `{}` has no cables", shown(routing));
        return Err(Wrong::new(&place, message, format!("zones are read whose routing is {}", ROUTED.join(", "))));
    }
    let elements = || zone.children().filter(Node::is_element);
    let is = |names: &'static [&str]| move |element: &Node<'_, '_>| names.contains(&element.tag_name().name());
    platform.parts += usize::from(elements().any(|element| is(&["host"])(&element)));
    // Links and points first: routes name them.
    for element in elements() {
        match element.tag_name().name() {
            "host" | "router" => {
                let (name, place) = required(element, "id")?;
                platform.add(name, &place, element.tag_name().name() == "host")?;
            }
            "link" => read_link(element, platform)?,
            "cluster" => cluster::read(element, platform)?,
            "zone" | "AS" => read(element, platform)?,
            "prop" | "route" | "zoneRoute" | "ASroute" => {}
            "backbone" | "cabinet" | "host_link" => {
                return Err(not_read(element, "write <cluster>, or hosts, links and routes"));
            }
            "peer" => return Err(not_read(element, "peers have no cables: write hosts, links and routes")),
            _ => return Err(not_read(element, "a zone has hosts, routers, links, clusters, zones and routes here")),
        }
    }
    for element in elements().filter(is(&["route", "zoneRoute", "ASroute"])) {
        let within = element.tag_name().name() == "route";
        let [from, to] = if within { ["src", "dst"] } else { ["gw_src", "gw_dst"] };
        let ends = [platform.point(&required(element, from)?)?, platform.point(&required(element, to)?)?];
        let links = element.children().filter(is(&["link_ctn"])).map(|link| required(link, "id"));
        let links = links.collect::<Result<Vec<Word<'d>>, Wrong>>()?;
        let symmetrical = optional(element, "symmetrical").is_none_or(|(word, _)| !word.eq_ignore_ascii_case("no"));
        platform.routes.push(Route { ends, links, symmetrical, span: start(element) });
    }
    Ok(())
}

fn read_link<'d>(element: Node<'d, '_>, platform: &mut Platform<'d>) -> Result<(), Wrong> {
    let (name, place) = required(element, "id")?;
    let latency = optional(element, "latency").map_or(Ok(Time(0)), |word| delay(&word))?;
    let rate = required(element, "bandwidth")?;
    let policy = match optional(element, "sharing_policy").map_or("SHARED", |(policy, _)| policy) {
        "SPLITDUPLEX" | "FULLDUPLEX" => "",
        "SHARED" => "links whose two directions share their bandwidth in SimGrid, and do not here",
        "FATPIPE" => "links on which SimGrid lets nothing wait (FATPIPE), and which are as others here",
        _ => {
            let message = format!("link `{}` is no cable", shown(name));
            let place = optional(element, "sharing_policy").map_or(place, |(_, place)| place);
            return Err(Wrong::new(&place, message, "write sharing_policy SPLITDUPLEX, SHARED or FATPIPE"));
        }
    };
    platform.leave_out(policy, usize::from(!policy.is_empty()));
    for file in ["bandwidth_file", "latency_file", "state_file"] {
        platform.leave_out(
            "files by which links change with time, which are not read",
            usize::from(optional(element, file).is_some()),
        );
    }
    platform.add_link((name, place), Link { bandwidth: bandwidth(&rate)?, latency })
}
