//! What has been read of a platform: hosts, routers, links and routes of all its zones.

use std::collections::HashMap;
use std::ops::Range;

use drowse_core::model::units::{BitRate, Time};

use crate::formats::plan::Plan;
use crate::model::vertices::Vertices;
use crate::model::wrong::{Word, Wrong, shown};
use crate::options::Options;

/// A platform.
pub(super) struct Platform<'d> {
    pub plan: Plan,
    /// Hosts and routers by their names.
    points: HashMap<String, usize>,
    links: HashMap<&'d str, Link>,
    pub routes: Vec<Route<'d>>,
    /// The section of the first cluster, and the number of clusters and zones with hosts.
    pub shape: Option<String>,
    pub parts: usize,
    /// What is left out, and how often.
    left_out: Vec<(&'static str, usize)>,
    pub notes: Vec<String>,
}

/// A link that routes use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Link {
    pub bandwidth: BitRate,
    pub latency: Time,
}

/// A route: its ends, and its links with the places where they are named.
#[derive(Debug)]
pub(super) struct Route<'d> {
    pub ends: [usize; 2],
    pub links: Vec<Word<'d>>,
    pub symmetrical: bool,
    pub span: Range<usize>,
}

impl Default for Platform<'_> {
    fn default() -> Self {
        Platform {
            plan: Plan::new("hosts"),
            points: HashMap::new(),
            links: HashMap::new(),
            routes: Vec::new(),
            shape: None,
            parts: 0,
            left_out: Vec::new(),
            notes: Vec::new(),
        }
    }
}

impl<'d> Platform<'d> {
    /// Adds a host or a router by its name.
    pub fn add(&mut self, name: &str, span: &Range<usize>, is_host: bool) -> Result<usize, Wrong> {
        let point = self.plan.add(name, span, is_host)?;
        if self.points.insert(name.to_owned(), point).is_some() {
            let message = format!("two hosts or routers are called `{}`", shown(name));
            return Err(Wrong::new(span, message, "give each a name of its own"));
        }
        Ok(point)
    }

    /// Returns a host or router that has been named.
    pub fn point(&self, (name, span): &Word<'_>) -> Result<usize, Wrong> {
        self.points.get(*name).copied().ok_or_else(|| {
            let message = format!("there is no host or router `{}`", shown(name));
            Wrong::new(span, message, "routes lead from hosts and routers of the same zone to others")
        })
    }

    /// Adds a link by its name.
    pub fn add_link(&mut self, (name, span): Word<'d>, link: Link) -> Result<(), Wrong> {
        match self.links.insert(name, link) {
            Some(_) => {
                let message = format!("two links are called `{}`", shown(name));
                Err(Wrong::new(&span, message, "give each a name of its own"))
            }
            None => Ok(()),
        }
    }

    /// Returns a link that has been named; `NAME_UP` and `NAME_DOWN` are the directions of `NAME`.
    pub fn link(&self, (name, span): &Word<'d>) -> Result<(&'d str, Link), Wrong> {
        let plain = ["_UP", "_DOWN"].into_iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
        let found = [*name, plain].into_iter().find_map(|name| Some((name, *self.links.get(name)?)));
        found.ok_or_else(|| {
            let message = format!("there is no link `{}`", shown(name));
            Wrong::new(span, message, "links are declared before routes use them")
        })
    }

    /// Counts something that is left out.
    pub fn leave_out(&mut self, what: &'static str, number: usize) {
        match self.left_out.iter_mut().find(|(known, _)| *known == what) {
            Some((_, counted)) => *counted += number,
            None => self.left_out.push((what, number)),
        }
    }

    /// Makes the network.
    pub fn finish(self, options: &Options) -> Result<Vertices, Wrong> {
        let mut vertices = self.plan.finish(options.speed)?;
        if let Some(shape) = self.shape.filter(|_| self.parts == 1 && self.routes.is_empty()) {
            vertices.set_shape(shape);
        }
        self.notes.into_iter().for_each(|note| vertices.note(note));
        for (what, number) in self.left_out.iter().filter(|(_, number)| *number > 0) {
            vertices.note(format!("{what}: {number}"));
        }
        Ok(vertices)
    }
}
