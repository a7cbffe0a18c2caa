//! What graph files say of links, in the words and units of the field: bandwidths and latencies.
//!
//! The model knows bandwidth and latency by class of links. So an edge that has one gets a class with its name:
//! `10Gb/s`, `10Gb/s-5us` or `5us`. Such a class has that bandwidth and latency wherever `[[link]]` writes no other for
//! it.

use std::ops::Range;

use drowse_core::model::units::{BitRate, Quantity, Time};
use drowse_core::topology::NodeLink;

use super::speed::{self, Speed};
use super::wrong::{Word, Wrong, number, shown};
use drowse_tables::nearest::meant;

/// Attributes of edges that say something of the network, in the spellings of the field.
const KNOWN: [&str; 13] = [
    "class",
    "links",
    "bandwidth",
    "capacity",
    "speed",
    "LinkSpeed",
    "LinkSpeedUnits",
    "LinkSpeedRaw",
    "LinkLabel",
    "LinkType",
    "LinkStatus",
    "latency",
    "delay",
];

/// Attributes that concern pictures and places only.
const COSMETIC: [&str; 54] = [
    "label",
    "xlabel",
    "headlabel",
    "taillabel",
    "labels",
    "name",
    "id",
    "key",
    "description",
    "comment",
    "tooltip",
    "url",
    "href",
    "image",
    "group",
    "color",
    "colour",
    "fillcolor",
    "fontcolor",
    "fontname",
    "fontsize",
    "pencolor",
    "penwidth",
    "shape",
    "style",
    "dir",
    "arrowhead",
    "arrowtail",
    "arrowsize",
    "width",
    "height",
    "size",
    "margin",
    "constraint",
    "len",
    "minlen",
    "x",
    "y",
    "z",
    "pos",
    "viz",
    "latitude",
    "longitude",
    "country",
    "internal",
    "asn",
    "network",
    "geolocation",
    "geocode_append",
    "geocode_country",
    "geocode_id",
    "geocode_name",
    "doubted",
    "linknote",
];

/// The lowest bandwidth of links: a full packet takes seconds.
const LOWEST: BitRate = BitRate(1_000);
/// Their longest latency, as in experiments.
const LONGEST: Time = Time(1_000_000_000_000);

/// Returns whether an attribute concerns pictures and places only.
pub(crate) fn is_cosmetic(name: &str) -> bool {
    COSMETIC.contains(&name.to_ascii_lowercase().as_str())
}

/// Says that an attribute is not understood.
pub(crate) fn unknown(name: &str, of: &str, known: &[&str], span: &Range<usize>) -> Wrong {
    let help = format!("{}remove it; what is understood: {}", meant(name, known), known.join(", "));
    Wrong::new(span, format!("`{name}` of {of} is not known here"), help)
}

/// What is said of an edge beside its ends.
#[derive(Clone, Debug, Default)]
pub(crate) struct Links {
    class: Option<(String, Range<usize>)>,
    links: Option<u32>,
    bandwidth: Option<(BitRate, Range<usize>)>,
    latency: Option<(Time, Range<usize>)>,
    /// `LinkSpeed`, and its unit.
    speed: Option<(String, Range<usize>)>,
    speed_unit: Option<(String, Range<usize>)>,
    /// Free text that may tell a speed: `LinkLabel` and `LinkType`.
    texts: [Option<(String, Range<usize>)>; 2],
    /// What `LinkStatus` says, which is of links that are planned.
    status: Option<String>,
    /// The ports at both ends, where the file numbers them.
    ports: Option<[u16; 2]>,
}

impl Links {
    /// Returns what a program has written of a cable: so many links side by side, each with this bandwidth and latency.
    pub fn written(links: u32, bandwidth: Option<BitRate>, latency: Option<Time>, span: &Range<usize>) -> Self {
        let at = |place: &Range<usize>| place.clone();
        Links {
            links: Some(links),
            bandwidth: bandwidth.map(|rate| (rate, at(span))),
            latency: latency.map(|time| (time, at(span))),
            ..Links::default()
        }
    }

    /// Adds the ports at both ends of a link.
    pub fn on_ports(self, ports: [u16; 2]) -> Self {
        Links { ports: Some(ports), ..self }
    }

    /// Takes an attribute of an edge.
    pub fn set(&mut self, name: &str, value: &Word<'_>) -> Result<(), Wrong> {
        let text = || (value.0.to_owned(), value.1.clone());
        match name {
            "class" => self.class = Some(text()),
            "links" => self.links = Some(number(value, "links", 1, 4096)?),
            "bandwidth" | "capacity" | "speed" => self.set_bandwidth(bandwidth(value)?, &value.1)?,
            "latency" | "delay" => self.latency = Some((latency(value)?, value.1.clone())),
            "LinkSpeed" => self.speed = Some(text()),
            "LinkSpeedUnits" => self.speed_unit = Some(text()),
            "LinkSpeedRaw" => self.set_bandwidth(bits(value)?, &value.1)?,
            "LinkLabel" => self.texts[0] = Some(text()),
            "LinkType" => self.texts[1] = Some(text()),
            "LinkStatus" => self.status = Some(value.0.to_owned()),
            cosmetic if is_cosmetic(cosmetic) => {}
            other => return Err(unknown(other, "an edge", &KNOWN, &value.1)),
        }
        Ok(())
    }

    fn set_bandwidth(&mut self, rate: BitRate, span: &Range<usize>) -> Result<(), Wrong> {
        check_rate(rate, span)?;
        match &self.bandwidth {
            Some((known, _)) if *known != rate => {
                let message = format!("this edge has two bandwidths, {} and {}", rate_name(*known), rate_name(rate));
                Err(Wrong::new(span, message, "write one"))
            }
            _ => {
                self.bandwidth = Some((rate, span.clone()));
                Ok(())
            }
        }
    }

    /// Joins a speed with its unit, as the Internet Topology Zoo writes them apart.
    fn join_speed(&mut self) -> Result<(), Wrong> {
        match (self.speed.take(), self.speed_unit.take()) {
            (Some((speed, span)), Some((unit, _))) => {
                let scale = if unit == "K" { "k" } else { &unit };
                let written = format!("{speed} {scale}b/s");
                let rate = BitRate::read(&written).map_err(|message| Wrong::new(&span, message, UNITS))?;
                self.set_bandwidth(rate, &span)
            }
            (Some((speed, span)), None) if self.bandwidth.is_none() => match speed::in_text(&speed) {
                Speed::One(rate) => self.set_bandwidth(rate, &span),
                Speed::None | Speed::Unclear => Err(Wrong::new(
                    &span,
                    "`LinkSpeed` has no unit",
                    "write LinkSpeedUnits = G, or bandwidth = \"10 Gb/s\"",
                )),
            },
            (None, Some((_, span))) if self.bandwidth.is_none() => {
                Err(Wrong::new(&span, "`LinkSpeedUnits` stands without `LinkSpeed`", "write both, or neither"))
            }
            _ => Ok(()),
        }
    }

    /// Takes the bandwidth that free text tells where nothing else does. Returns the text that tells none.
    fn read_texts(&mut self) -> Option<Unread> {
        if self.class.is_some() || self.bandwidth.is_some() {
            return None;
        }
        let mut unread = None;
        for (name, (text, span)) in ["LinkLabel", "LinkType"]
            .into_iter()
            .zip(&self.texts)
            .filter_map(|(name, text)| Some((name, text.as_ref()?)))
        {
            match speed::in_text(text) {
                Speed::One(rate) if rate >= LOWEST => {
                    self.bandwidth = Some((rate, span.clone()));
                    return None;
                }
                Speed::None => unread = unread.or_else(|| Some(Unread { name, text: text.clone() })),
                Speed::One(_) | Speed::Unclear => return Some(Unread { name, text: text.clone() }),
            }
        }
        unread
    }

    /// Returns the number of links, and their class with its place, if they have one.
    pub fn finish(mut self) -> Result<Described, Wrong> {
        self.join_speed()?;
        let unread = self.read_texts();
        let Links { class, links, bandwidth, latency, status, ports, .. } = self;
        let measured = bandwidth.as_ref().map(|(_, span)| span).or(latency.as_ref().map(|(_, span)| span)).cloned();
        let has_speed = bandwidth.is_some();
        let of_node = NodeLink {
            bandwidth: bandwidth.as_ref().map(|(rate, _)| *rate),
            latency: latency.as_ref().map(|(time, _)| *time),
        };
        let name = class_of(of_node);
        let class = match (class, &measured) {
            (Some((class, _)), Some(span)) => {
                let message = format!("this edge has a class and a bandwidth or latency ({name})");
                let help =
                    format!("write one here; the other as [[link]] class = \"{}\" in the experiment", shown(&class));
                return Err(Wrong::new(span, message, help));
            }
            (class, None) => class,
            (None, Some(span)) => Some((name, span.clone())),
        };
        Ok(Described { class, links: links.unwrap_or(1), measured, of_node, has_speed, unread, status, ports })
    }
}

/// What is said of an edge, put together.
#[derive(Debug)]
pub(crate) struct Described {
    pub class: Option<(String, Range<usize>)>,
    pub links: u32,
    /// Where its bandwidth or latency stands.
    pub measured: Option<Range<usize>>,
    /// Its bandwidth and latency, for the link of a node.
    pub of_node: NodeLink,
    /// A bandwidth is given.
    pub has_speed: bool,
    /// A text that tells no speed, where nothing else does.
    pub unread: Option<Unread>,
    /// That it is planned, proposed and the like.
    pub status: Option<String>,
    /// The ports at both ends, where the file numbers them.
    pub ports: Option<[u16; 2]>,
}

impl Described {
    /// Sets its bandwidth, if it has neither one nor a class.
    pub fn set_speed(&mut self, rate: BitRate) {
        if self.has_speed || self.class.is_some() && self.of_node.latency.is_none() {
            return;
        }
        let place = self.class.take().map(|(_, place)| place).or(self.measured.clone()).unwrap_or_default();
        self.of_node.bandwidth = Some(rate);
        self.class = Some((class_of(self.of_node), place));
        self.has_speed = true;
    }
}

/// A text that may have told a speed, and the name of its attribute.
#[derive(Debug)]
pub(crate) struct Unread {
    pub name: &'static str,
    pub text: String,
}

const UNITS: &str = "write a bandwidth such as \"10 Gb/s\", or a time such as \"5 us\"";

/// Reads a quantity with its unit.
fn quantity<T: Quantity>((text, span): &Word<'_>) -> Result<T, Wrong> {
    T::read(text).map_err(|message| {
        let bare = text.trim().parse::<f64>().is_ok();
        let message = if bare { format!("`{}` has no unit", shown(text)) } else { message };
        Wrong::new(span, message, UNITS)
    })
}

/// Reads a bandwidth with its unit, which links may have.
pub(crate) fn rate(value: &Word<'_>) -> Result<BitRate, Wrong> {
    quantity(value).and_then(|rate| check_rate(rate, &value.1).map(|()| rate))
}

/// Reads a latency with its unit, which links may have.
pub(crate) fn latency(value: &Word<'_>) -> Result<Time, Wrong> {
    let latency: Time = quantity(value)?;
    if latency > LONGEST {
        return Err(Wrong::new(&value.1, format!("a latency of {latency} is too long"), "write at most \"1 s\""));
    }
    Ok(latency)
}

fn check_rate(rate: BitRate, span: &Range<usize>) -> Result<(), Wrong> {
    if rate < LOWEST {
        let message = format!("a bandwidth of {} is too low", rate_name(rate));
        return Err(Wrong::new(span, message, "write at least \"1 kb/s\""));
    }
    Ok(())
}

/// Reads a bandwidth, which may also be the name of a carrier such as OC-192.
fn bandwidth(value: &Word<'_>) -> Result<BitRate, Wrong> {
    quantity(value).or_else(|wrong| speed::carrier(value.0.trim()).ok_or(wrong))
}

/// Reads a number of bits a second.
fn bits((text, span): &Word<'_>) -> Result<BitRate, Wrong> {
    let whole = match text.trim().split_once('.') {
        Some((whole, decimals)) if decimals.bytes().all(|digit| digit == b'0') => whole,
        _ => text.trim(),
    };
    whole.parse().ok().filter(|&bits| bits > 0).map(BitRate).ok_or_else(|| {
        Wrong::new(
            span,
            format!("`{}` is no number of bits a second", shown(text)),
            "write a whole number, such as 10000000000",
        )
    })
}

/// Returns a bandwidth as the name of a class has it.
pub(crate) fn rate_name(BitRate(bits): BitRate) -> String {
    name(bits, &[("Tb/s", 1_000_000_000_000), ("Gb/s", 1_000_000_000), ("Mb/s", 1_000_000), ("kb/s", 1_000)], "b/s")
}

/// Returns a latency as the name of a class has it.
pub(crate) fn time_name(Time(ps): Time) -> String {
    name(ps, &[("s", 1_000_000_000_000), ("ms", 1_000_000_000), ("us", 1_000_000), ("ns", 1_000)], "ps")
}

/// Returns a whole number of the largest unit that there is.
fn name(value: u64, units: &[(&str, u64)], base: &str) -> String {
    let fitting = units.iter().find(|(_, scale)| value > 0 && value.is_multiple_of(*scale));
    fitting.map_or_else(|| format!("{value}{base}"), |(unit, scale)| format!("{}{unit}", value / scale))
}

/// Returns the name of the class of links that are like this; an empty text where nothing is said of them.
pub(crate) fn class_of(link: NodeLink) -> String {
    let names = [link.bandwidth.map(rate_name), link.latency.map(time_name)];
    names.into_iter().flatten().collect::<Vec<String>>().join("-")
}

/// Returns the bandwidth that the name of a class says, if it says one.
pub fn class_bandwidth(class: &str) -> Option<BitRate> {
    class.split('-').next()?.parse().ok()
}

/// Returns the latency that the name of a class says, if it says one.
pub fn class_latency(class: &str) -> Option<Time> {
    class.split('-').next_back()?.parse().ok()
}
