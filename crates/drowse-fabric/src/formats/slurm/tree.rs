//! A tree of switches with nodes below its leaves.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use super::{links, names};
use crate::model::attributes::Links;
use crate::model::vertices::Vertices;
use crate::model::wrong::{Word, Wrong, shown};
use crate::options::Options;

/// A switch as a file has it.
#[derive(Debug)]
pub(super) struct Switch<'t> {
    pub name: Word<'t>,
    /// Nodes below it, as a list of hosts.
    pub nodes: Option<Word<'t>>,
    /// Switches below it, as a list of hosts.
    pub children: Option<Word<'t>>,
    /// Its level, where scontrol prints it: it then repeats the nodes of all switches below at those above.
    pub level: Option<u32>,
}

/// A tree with its lists expanded.
struct Tree {
    children: Vec<Vec<usize>>,
    nodes: Vec<Vec<String>>,
    parents: Vec<Option<usize>>,
}

/// Makes the network.
pub(super) fn tree(switches: &[Switch<'_>], options: &Options) -> Result<Vertices, Wrong> {
    let tree = expand(switches)?;
    let root = tree.root(switches)?;
    let uplinks = match switches.iter().find_map(|switch| switch.children.as_ref()) {
        Some((_, place)) => links(options, place, "a switch and its parent")?,
        None => 1,
    };
    let mut vertices = Vertices::of_program();
    let numbers: Vec<usize> = switches.iter().map(|switch| vertices.named(&switch.name)).collect();
    let mut below: HashMap<&str, usize> = HashMap::new();
    for (at, switch) in switches.iter().enumerate() {
        vertices.set_nodes(numbers[at], 0);
        let span = switch.nodes.as_ref().map_or(&switch.name.1, |(_, span)| span);
        for name in &tree.nodes[at] {
            if let Some(other) = below.insert(name, at) {
                let message = format!(
                    "node `{}` is below `{}` and `{}`",
                    shown(name),
                    shown(switches[other].name.0),
                    shown(switch.name.0)
                );
                return Err(Wrong::new(span, message, "a node has one link to one switch: keep one"));
            }
            // A node may be called as a switch is.
            let node = vertices.named(&(&format!("node {name}"), span.clone()));
            vertices.call(node, name);
            vertices.set_node(node);
            vertices.link([numbers[at], node], span, Links::written(1, None, None, span))?;
        }
    }
    for (at, switch) in switches.iter().enumerate() {
        let span = switch.children.as_ref().map_or(&switch.name.1, |(_, span)| span);
        for &child in &tree.children[at] {
            vertices.link([numbers[child], numbers[at]], span, Links::written(uplinks, None, None, span))?;
        }
    }
    if let Some(shape) = tree.shape(root, uplinks) {
        vertices.set_shape(shape);
    }
    if switches.len() > 1 {
        vertices.note(
            "a switch above the leaves may stand for several in Slurm's file; each is one switch here, with so many \
                links \
             to each switch below as `uplinks` says",
        );
    }
    Ok(vertices)
}

/// Expands the lists of all switches.
fn expand(switches: &[Switch<'_>]) -> Result<Tree, Wrong> {
    let mut number: HashMap<&str, usize> = HashMap::new();
    for (at, Switch { name: (name, span), .. }) in switches.iter().enumerate() {
        if number.insert(name, at).is_some() {
            let message = format!("switch `{}` stands twice", shown(name));
            return Err(Wrong::new(span, message, "write each once, with all that is below it"));
        }
    }
    let mut tree = Tree { children: Vec::new(), nodes: Vec::new(), parents: vec![None; switches.len()] };
    for (at, switch) in switches.iter().enumerate() {
        let listed = |list: &Option<Word<'_>>| list.as_ref().map_or(Ok(Vec::new()), names);
        let (nodes, children) = (listed(&switch.nodes)?, listed(&switch.children)?);
        if children.is_empty() && nodes.is_empty() {
            let message = format!("switch `{}` has neither nodes nor switches below it", shown(switch.name.0));
            return Err(Wrong::new(&switch.name.1, message, "write Nodes or Switches"));
        }
        if !children.is_empty() && !nodes.is_empty() && switch.level.is_none() {
            let message =
                format!("switch `{}` has both nodes and switches below it, which Slurm refuses", shown(switch.name.0));
            return Err(Wrong::new(&switch.name.1, message, "put the nodes on a leaf of their own below it"));
        }
        let span = switch.children.as_ref().map_or(&switch.name.1, |(_, span)| span);
        let children = children.iter().map(|child| tree.adopt(child, at, &number, switches, span));
        let children = children.collect::<Result<Vec<usize>, Wrong>>()?;
        tree.nodes.push(nodes);
        tree.children.push(children);
    }
    tree.drop_repeated(switches)?;
    Ok(tree)
}

impl Tree {
    /// Puts a switch below another.
    fn adopt(
        &mut self,
        child: &str,
        parent: usize,
        number: &HashMap<&str, usize>,
        switches: &[Switch<'_>],
        span: &std::ops::Range<usize>,
    ) -> Result<usize, Wrong> {
        let Some(&at) = number.get(child) else {
            let message = format!("there is no switch `{}`", shown(child));
            return Err(Wrong::new(span, message, "give each switch a line or an entry of its own"));
        };
        if let Some(other) = self.parents[at].replace(parent) {
            let [a, b] = [other, parent].map(|at| shown(switches[at].name.0));
            let message = format!("switch `{}` is below `{a}` and `{b}`", shown(child));
            let help = "a tree of Slurm has one parent for each: write a list of edges for other networks";
            return Err(Wrong::new(span, message, help));
        }
        Ok(at)
    }

    /// Takes out nodes that scontrol repeats at the switches above the leaves, if they are those of the leaves.
    fn drop_repeated(&mut self, switches: &[Switch<'_>]) -> Result<(), Wrong> {
        for (at, switch) in switches.iter().enumerate() {
            if self.children[at].is_empty() || self.nodes[at].is_empty() {
                continue;
            }
            let (mut below, mut next, mut seen) = (HashSet::new(), vec![at], HashSet::new());
            while let Some(at) = next.pop().filter(|&at| seen.insert(at)) {
                if self.children[at].is_empty() {
                    below.extend(self.nodes[at].iter().map(String::as_str));
                }
                next.extend(&self.children[at]);
            }
            if self.nodes[at].iter().any(|node| !below.contains(node.as_str())) {
                let message = format!("switch `{}` has nodes that no leaf below it has", shown(switch.name.0));
                let span = switch.nodes.as_ref().map_or(&switch.name.1, |(_, span)| span);
                return Err(Wrong::new(span, message, "put all nodes on leaves"));
            }
            self.nodes[at].clear();
        }
        Ok(())
    }

    /// Returns the one switch that is below no other.
    fn root(&self, switches: &[Switch<'_>]) -> Result<usize, Wrong> {
        let roots: Vec<usize> = (0..switches.len()).filter(|&at| self.parents[at].is_none()).collect();
        match roots[..] {
            [root] => Ok(root),
            [] => Err(Wrong::new(&switches[0].name.1, "every switch is below another", "one switch is the root")),
            [first, second, ..] => {
                let names: Vec<&str> = roots.iter().take(8).map(|&at| switches[at].name.0).collect();
                let message = format!(
                    "this topology has {} roots that nothing joins: `{}`, `{}`{}",
                    roots.len(),
                    shown(switches[first].name.0),
                    shown(switches[second].name.0),
                    if roots.len() > 2 { " and others" } else { "" }
                );
                let help = format!(
                    "if a core joins them, add it: a switch over {}{}; if they are islands, keep one",
                    shown(&names.join(",")),
                    if roots.len() > 8 { ",..." } else { "" }
                );
                Err(Wrong::new(&switches[second].name.1, message, help))
            }
        }
    }

    /// Returns the section that builds the tree, if all switches of a level are alike.
    fn shape(&self, root: usize, uplinks: u32) -> Option<String> {
        const MOST: usize = 2048;
        let (mut numbers, mut level) = (Vec::new(), vec![root]);
        while !self.children[*level.first()?].is_empty() {
            let number = self.children[level[0]].len();
            if numbers.len() > 16 || level.iter().any(|&at| self.children[at].len() != number) {
                return None;
            }
            numbers.push(number);
            level = level.iter().flat_map(|&at| self.children[at].iter().copied()).collect();
        }
        let nodes = self.nodes[level[0]].len();
        if level.iter().any(|&at| self.nodes[at].len() != nodes || !self.children[at].is_empty()) {
            return None;
        }
        numbers.push(nodes);
        numbers.reverse();
        if numbers.len() > 16 || numbers.iter().any(|&number| number > MOST) || uplinks > 256 {
            return None;
        }
        let mut shape =
            format!("kind = \"xgft\"\nchildren = {numbers:?}\nparents = {:?}\n", vec![1; numbers.len() - 1]);
        if uplinks > 1 {
            writeln!(shape, "links = {:?}", vec![uplinks; numbers.len() - 1]).ok()?;
        }
        Some(shape)
    }
}
