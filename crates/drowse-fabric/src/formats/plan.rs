//! Networks whose hosts have any number of links, to switches and to each other, as accelerators have.
//!
//! A compute node has one link to one switch here. So a host with more links, or with a link to another such host, is a
//! switch with one compute node on it, on a link as fast as all others of it together: packets of others may pass
//! through. How many there are is said.

use std::ops::Range;

use drowse_core::model::units::{BitRate, Time};

use crate::model::attributes::Links;
use crate::model::vertices::Vertices;
use crate::model::wrong::{Wrong, shown};

/// The most hosts and switches, and the most cables.
const MOST: usize = 1 << 20;

/// Hosts, switches and the cables between them.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    points: Vec<Point>,
    cables: Vec<(Cable, [usize; 2], Range<usize>)>,
    /// What hosts are called where they are counted.
    hosts: &'static str,
}

#[derive(Debug)]
struct Point {
    name: String,
    span: Range<usize>,
    is_host: bool,
}

/// Links side by side, each with this bandwidth in one direction and this latency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cable {
    pub links: u32,
    pub bandwidth: Option<BitRate>,
    pub latency: Option<Time>,
}

impl Plan {
    /// Returns an empty plan; `hosts` is the word for hosts in notes.
    pub fn new(hosts: &'static str) -> Self {
        Plan { hosts, ..Plan::default() }
    }

    /// Adds a host or a switch, which the file names at this place.
    pub fn add(&mut self, name: impl Into<String>, span: &Range<usize>, is_host: bool) -> Result<usize, Wrong> {
        if self.points.len() == MOST {
            let message = format!("there are more than {MOST} hosts and switches");
            return Err(Wrong::new(span, message, "describe fewer"));
        }
        self.points.push(Point { name: name.into(), span: span.clone(), is_host });
        Ok(self.points.len() - 1)
    }

    /// Adds a cable between two points.
    pub fn link(&mut self, ends: [usize; 2], span: &Range<usize>, cable: Cable) -> Result<(), Wrong> {
        if self.cables.len() == MOST {
            return Err(Wrong::new(span, format!("there are more than {MOST} cables"), "describe fewer"));
        }
        self.cables.push((cable, ends, span.clone()));
        Ok(())
    }

    /// Returns what was added under a number.
    pub fn name(&self, point: usize) -> &str {
        &self.points[point].name
    }

    /// Makes vertices of it; `speed` is the bandwidth of cables that have none.
    pub fn finish(self, speed: Option<BitRate>) -> Result<Vertices, Wrong> {
        let passes = self.passing();
        let mut vertices = Vertices::of_program();
        // Names need not be different, so that vertices go by their numbers.
        for (number, point) in self.points.iter().enumerate() {
            let vertex = vertices.named(&(&number.to_string(), point.span.clone()));
            vertices.call(vertex, &point.name);
            match (point.is_host, passes[number]) {
                (true, false) => vertices.set_node(vertex),
                _ => vertices.set_nodes(vertex, 0),
            }
        }
        for (cable, ends, span) in &self.cables {
            let links = Links::written(cable.links, cable.bandwidth.or(speed), cable.latency, span);
            vertices.link(*ends, span, links)?;
        }
        let rates = self.rates(speed);
        for (number, point) in self.points.iter().enumerate().filter(|(number, _)| passes[*number]) {
            let node = vertices.named(&(&format!("{number} node"), point.span.clone()));
            vertices.call(node, &point.name);
            vertices.set_node(node);
            vertices.link([number, node], &point.span, Links::written(1, rates[number], None, &point.span))?;
        }
        let number = passes.iter().filter(|passes| **passes).count();
        if let Some(first) = passes.iter().position(|passes| *passes) {
            vertices.note(format!(
                "{} with several links or with links to each other, such as `{}`: {number}; each is a switch with one \
                 compute node here, on a link as fast as all its others together, and packets of others may pass \
                     through",
                self.hosts,
                shown(&self.points[first].name)
            ));
        }
        Ok(vertices)
    }

    /// Returns which hosts are more than a node on one link to a switch.
    fn passing(&self) -> Vec<bool> {
        let mut links = vec![0u64; self.points.len()];
        for (cable, ends, _) in &self.cables {
            ends.iter().for_each(|&end| links[end] += u64::from(cable.links));
        }
        let mut passes: Vec<bool> =
            self.points.iter().zip(&links).map(|(point, &links)| point.is_host && links > 1).collect();
        for (_, [a, b], _) in &self.cables {
            let is_plain = |end: usize| self.points[end].is_host && !passes[end];
            if is_plain(*a) && is_plain(*b) {
                passes[*a] = true;
                passes[*b] = true;
            }
        }
        passes
    }

    /// Returns the bandwidths of all links of each point together, where all have one.
    fn rates(&self, speed: Option<BitRate>) -> Vec<Option<BitRate>> {
        let mut rates = vec![Some(0u64); self.points.len()];
        for (cable, ends, _) in &self.cables {
            let rate = cable.bandwidth.or(speed).map(|rate| rate.0.saturating_mul(u64::from(cable.links)));
            ends.iter().for_each(|&end| rates[end] = rates[end].zip(rate).map(|(sum, rate)| sum.saturating_add(rate)));
        }
        rates.into_iter().map(|rate| rate.filter(|&rate| rate > 0).map(BitRate)).collect()
    }
}
