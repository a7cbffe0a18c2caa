//! Analytical networks of ASTRA-sim, in YAML or JSON: dimensions that multiply, the first innermost.
//!
//! In a dimension, accelerators that differ in that coordinate alone are joined as a `Ring`, each with each
//! (`FullyConnected`), or by a `Switch` of their own. ASTRA-sim computes with a GB of 2^30 bytes, and so does this
//! reader.

use std::ops::Range;

use drowse_core::model::units::{BitRate, Time};

use super::plan::{Cable, Plan};
use crate::document::{Value, json, yaml};
use crate::model::attributes::{latency, rate};
use crate::model::vertices::Vertices;
use crate::model::wrong::{Word, Wrong, shown};
use crate::options::Options;
use crate::recognise::text::Text;

/// The most accelerators.
const MOST: u64 = 1 << 20;
/// The names of a file.
const NAMES: [&str; 4] = ["topology", "npus_count", "bandwidth", "latency"];

/// `topology:` and `npus_count:`.
pub(crate) fn sign(text: &Text<'_>) -> bool {
    text.begins("topology:") && text.begins("npus_count:")
}

/// JSON with `"topology"` and `"npus_count"`.
pub(crate) fn sign_of_json(text: &Text<'_>) -> bool {
    text.is_json_with(&["topology", "npus_count"])
}

/// Reads a network in YAML.
pub(crate) fn parse(text: &str, options: &Options) -> Result<Vertices, Wrong> {
    build(&yaml::parse(text)?, options)
}

/// Reads a network in JSON.
pub(crate) fn parse_json(text: &str, options: &Options) -> Result<Vertices, Wrong> {
    build(&json::parse(text)?, options)
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Ring,
    Full,
    Switch,
}

/// A dimension.
struct Dimension {
    kind: Kind,
    size: u32,
    cable: Cable,
    span: Range<usize>,
}

fn build(document: &Value, options: &Options) -> Result<Vertices, Wrong> {
    let dimensions = read(document)?;
    let size = dimensions.iter().map(|dimension| u64::from(dimension.size)).fold(1, u64::saturating_mul);
    if size > MOST {
        let message = format!("these dimensions make more than {MOST} accelerators");
        return Err(document.need("npus_count", "this file")?.wrong(message, "write fewer"));
    }
    let mut plan = Plan::new("accelerators");
    for at in 0..size {
        plan.add(format!("npu{at}"), &dimensions[0].span, true)?;
    }
    let mut stride = 1;
    for (number, dimension) in dimensions.iter().enumerate() {
        dimension.join(&mut plan, number, size as usize, stride)?;
        stride *= dimension.size as usize;
    }
    let mut vertices = plan.finish(options.speed)?;
    if let Some(section) = section(&dimensions) {
        vertices.set_shape(section);
    }
    vertices.note("a GB has 2^30 bytes, as ASTRA-sim computes");
    Ok(vertices)
}

fn read(document: &Value) -> Result<Vec<Dimension>, Wrong> {
    document.check(&NAMES, "this file")?;
    let list = |name: &str| document.need(name, "this file")?.list(name);
    let kinds = list("topology")?;
    for name in &NAMES[1..] {
        let found = list(name)?.len();
        if found != kinds.len() {
            let message = format!("`{name}` has {found} values, and topology {}", kinds.len());
            return Err(document.need(name, "this file")?.wrong(message, "write one for each dimension"));
        }
    }
    if kinds.is_empty() {
        return Err(document.need("topology", "this file")?.wrong("there is no dimension", "write one, such as Ring"));
    }
    let read = |(at, kind): (usize, &Value)| {
        let (word, span) = kind.text("a topology")?;
        let kind = match word {
            "Ring" => Kind::Ring,
            "FullyConnected" => Kind::Full,
            "Switch" => Kind::Switch,
            _ => {
                let message = format!("`{}` is no topology of a dimension", shown(word));
                return Err(Wrong::new(&span, message, "write Ring, FullyConnected or Switch"));
            }
        };
        let size = list("npus_count")?[at].number("accelerators", 2, MOST as u32)?;
        let bandwidth = Some(bandwidth(&list("bandwidth")?[at].text("a bandwidth")?)?);
        let latency = Some(time(&list("latency")?[at].text("a latency")?)?);
        Ok(Dimension { kind, size, cable: Cable { links: 1, bandwidth, latency }, span })
    };
    kinds.iter().enumerate().map(read).collect()
}

impl Dimension {
    /// Joins all accelerators that differ in this coordinate alone.
    fn join(&self, plan: &mut Plan, number: usize, all: usize, stride: usize) -> Result<(), Wrong> {
        let size = self.size as usize;
        for (group, first) in (0..all).filter(|at| (at / stride).is_multiple_of(size)).enumerate() {
            let member = |at: usize| first + at * stride;
            match self.kind {
                // ASTRA-sim joins the two of a ring of two by two links.
                Kind::Ring => {
                    for at in 0..size {
                        plan.link([member(at), member((at + 1) % size)], &self.span, self.cable)?;
                    }
                }
                Kind::Full => {
                    for at in 0..size {
                        for other in at + 1..size {
                            plan.link([member(at), member(other)], &self.span, self.cable)?;
                        }
                    }
                }
                Kind::Switch => {
                    let switch = plan.add(format!("switch{number}-{group}"), &self.span, false)?;
                    for at in 0..size {
                        plan.link([member(at), switch], &self.span, self.cable)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Returns the section that builds the same, if all dimensions are of one kind.
fn section(dimensions: &[Dimension]) -> Option<String> {
    let sizes: Vec<u32> = dimensions.iter().map(|dimension| dimension.size).collect();
    let all = |kind: Kind| dimensions.iter().all(|dimension| dimension.kind == kind);
    let within = |most: u32, number: usize| sizes.len() <= number && sizes.iter().all(|&size| size <= most);
    match &sizes[..] {
        [size] if all(Kind::Switch) && within(2048, 1) => {
            Some(format!("kind = \"xgft\"\nchildren = [{size}]\nparents = []\n"))
        }
        [size] if all(Kind::Full) && within(2048, 1) => {
            Some(format!("kind = \"full\"\nswitches = {size}\nnodes = 1\n"))
        }
        _ if all(Kind::Full) && within(2048, 8) => Some(format!("kind = \"hyperx\"\ndims = {sizes:?}\nnodes = 1\n")),
        _ if all(Kind::Ring) && within(65_535, 10) => {
            let rings = if sizes.contains(&2) { "rings_of_two = true\n" } else { "" };
            Some(format!("kind = \"torus\"\ndims = {sizes:?}\nnodes = 1\n{rings}"))
        }
        _ => None,
    }
}

/// Reads a number of GB/s, a GB of 2^30 bytes, to the nearest bit a second.
fn bandwidth(word: &Word<'_>) -> Result<BitRate, Wrong> {
    let bits = scaled(word, 8 << 30, "GB/s")?;
    rate(&(&format!("{bits} b/s"), word.1.clone()))
}

/// Reads a number of nanoseconds, to the nearest picosecond.
fn time(word: &Word<'_>) -> Result<Time, Wrong> {
    let ps = scaled(word, 1000, "ns")?;
    latency(&(&format!("{ps} ps"), word.1.clone()))
}

/// Reads a decimal number of a unit of so many parts, to the nearest part.
fn scaled((text, span): &Word<'_>, parts: u64, unit: &str) -> Result<u64, Wrong> {
    const MOST_DIGITS: usize = 18;
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{decimals}");
    let is_number = (1..=MOST_DIGITS).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let value = digits.parse::<u128>().ok().filter(|_| is_number && !whole.is_empty());
    let scale = 10u128.pow(decimals.len().min(MOST_DIGITS) as u32);
    let nearest = |value: u128| u64::try_from((value * u128::from(parts) * 2 + scale) / (scale * 2)).ok();
    value.and_then(nearest).ok_or_else(|| {
        Wrong::new(
            span,
            format!("`{}` is no number of {unit}", shown(text)),
            format!("write a number of {unit}, such as 50.0"),
        )
    })
}
