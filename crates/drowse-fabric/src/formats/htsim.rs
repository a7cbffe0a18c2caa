//! Topologies of htsim: fat trees of two or three tiers, as `fat_tree_topology.cpp` reads them.
//!
//! Keys stand in any case, words are separated by blanks. Tier 0 is that of the leaves. Of a tier, `Downlink_*` are of
//! the links below it; `Bundle` is how many of them go side by side. Queues belong to htsim and are not read.

use std::collections::HashMap;
use std::ops::Range;

use drowse_core::model::units::{BitRate, Time};

use super::plan::{Cable, Plan};
use super::words;
use crate::model::attributes::{latency, rate};
use crate::model::vertices::Vertices;
use crate::model::wrong::{Word, Wrong, number, shown};
use crate::options::Options;
use crate::recognise::text::{Text, is_whole, words as words_of};

/// The most hosts, and the most ports of a switch.
const MOST_HOSTS: u32 = 1 << 20;
const MOST_PORTS: u32 = 4096;

/// `Nodes 8`, `Tiers 3`, in any case.
pub(crate) fn sign(text: &Text<'_>) -> bool {
    let has = |key: &str| {
        let is_so = |words: Vec<&str>| words.len() == 2 && words[0].eq_ignore_ascii_case(key) && is_whole(words[1]);
        text.lines.iter().any(|line| is_so(words_of(line)))
    };
    has("nodes") && has("tiers")
}

/// Reads a topology.
pub(crate) fn parse(text: &str, options: &Options) -> Result<Vertices, Wrong> {
    let file = File::read(text)?;
    let tree = Tree::of(&file)?;
    let mut vertices = tree.plan()?.finish(options.speed)?;
    vertices.set_shape(tree.section());
    if tree.switch_latencies {
        vertices.note("Switch_Latency_ns is not read: write it as hop_latency or pipeline of [switch]");
    }
    Ok(vertices)
}

/// The keys of the head, and those of each tier, with their values.
struct File<'t> {
    head: HashMap<String, Word<'t>>,
    tiers: [HashMap<String, Word<'t>>; 3],
    /// Where the file ends.
    end: Range<usize>,
}

impl<'t> File<'t> {
    fn read(text: &'t str) -> Result<Self, Wrong> {
        const HEAD: [&str; 3] = ["nodes", "tiers", "podsize"];
        const TIER: [&str; 9] = [
            "downlink_speed_gbps",
            "radix_down",
            "radix_up",
            "queue_down",
            "queue_up",
            "oversubscribed",
            "bundle",
            "switch_latency_ns",
            "downlink_latency_ns",
        ];
        let mut file = File { head: HashMap::new(), tiers: Default::default(), end: text.trim_end().len()..text.len() };
        let mut tier = None;
        for (line, span) in words::lines(text) {
            let words: Vec<Word> = words::of(line, span.start).collect();
            let (key, value) = match &words[..] {
                [] => continue,
                [(first, _), ..] if first.starts_with('#') => continue,
                [key, value] => (key, value),
                [first, .., last] => {
                    return Err(Wrong::new(
                        &(first.1.start..last.1.end),
                        "this line is no key and value",
                        "write Radix_Down 8",
                    ));
                }
                [only] => {
                    return Err(Wrong::new(
                        &only.1,
                        format!("`{}` has no value", shown(only.0)),
                        "write one behind it",
                    ));
                }
            };
            let name = key.0.to_ascii_lowercase();
            if name == "tier" {
                tier = Some(number(value, "a tier", 0, 2)? as usize);
                continue;
            }
            let (known, keys): (&[&str], _) = match tier {
                Some(tier) => (&TIER, &mut file.tiers[tier]),
                None => (&HEAD, &mut file.head),
            };
            if !known.contains(&name.as_str()) {
                let message = format!("`{}` is no key at this place", shown(key.0));
                return Err(Wrong::new(&key.1, message, format!("known: {}", known.join(", "))));
            }
            if keys.insert(name, value.clone()).is_some() {
                return Err(Wrong::new(
                    &key.1,
                    format!("`{}` stands twice", shown(key.0)),
                    "write it once for each tier",
                ));
            }
        }
        Ok(file)
    }

    /// Returns a value of the head.
    fn head(&self, key: &str) -> Result<&Word<'t>, Wrong> {
        self.head.get(&key.to_ascii_lowercase()).ok_or_else(|| self.missing(key, "the head"))
    }

    /// Returns a value of a tier.
    fn tier(&self, tier: usize, key: &str) -> Result<&Word<'t>, Wrong> {
        self.tiers[tier].get(&key.to_ascii_lowercase()).ok_or_else(|| self.missing(key, &format!("tier {tier}")))
    }

    fn missing(&self, key: &str, of: &str) -> Wrong {
        Wrong::new(&self.end, format!("`{key}` of {of} is missing"), format!("write it, such as {key} 8"))
    }
}

/// A tier of switches, and the links below it.
struct Tier {
    down: u32,
    up: u32,
    bundle: u32,
    bandwidth: BitRate,
    latency: Time,
}

/// A fat tree.
struct Tree {
    pods: u32,
    leaves: u32,
    /// Switches of the second tier in a pod, and of the third above each of them.
    spines: u32,
    cores: u32,
    tiers: Vec<Tier>,
    switch_latencies: bool,
    /// Where the number of nodes stands.
    span: Range<usize>,
}

impl Tree {
    /// Takes the numbers of a file, and refuses those that do not fit together.
    fn of(file: &File<'_>) -> Result<Self, Wrong> {
        let nodes = number(file.head("Nodes")?, "nodes", 1, MOST_HOSTS)?;
        let count = number(file.head("Tiers")?, "tiers", 2, 3)? as usize;
        let pod_word = file.head("Podsize")?;
        let pod = number(pod_word, "nodes of a pod", 1, nodes)?;
        if !nodes.is_multiple_of(pod) || count == 2 && pod != nodes {
            let help = format!("write a divisor of {nodes}; with two tiers, {nodes}");
            return Err(Wrong::new(&pod_word.1, format!("{nodes} nodes do not make pods of {pod}"), help));
        }
        let tiers =
            (0..count).map(|tier| Tier::read(file, tier, tier + 1 == count)).collect::<Result<Vec<Tier>, Wrong>>()?;
        let fit = |tier: usize, key: &str, is_so: bool, what: String| {
            let wrong = |word: &Word<'_>| Err(Wrong::new(&word.1, what, "the numbers of all tiers must fit together"));
            if is_so { Ok(()) } else { wrong(file.tier(tier, key)?) }
        };
        let leaves = pod / tiers[0].down;
        fit(
            0,
            "Radix_Down",
            leaves * tiers[0].down == pod,
            format!("leaves of {} nodes do not make a pod of {pod}", tiers[0].down),
        )?;
        fit(0, "Bundle", tiers[0].bundle == 1, "a host has one link".to_owned())?;
        let spines = above(&tiers, 0);
        let needed = leaves.saturating_mul(tiers[1].bundle);
        let what =
            format!("a switch of tier 1 has {needed} links down in a pod of {leaves} leaves, not {}", tiers[1].down);
        fit(
            0,
            "Radix_Up",
            spines * tiers[1].bundle == tiers[0].up,
            "the links up of a leaf are no whole bundles".to_owned(),
        )?;
        fit(1, "Radix_Down", tiers[1].down == needed, what)?;
        let (pods, mut cores) = (nodes / pod, 0);
        if count == 3 {
            cores = above(&tiers, 1);
            let needed = pods.saturating_mul(tiers[2].bundle);
            let what = format!("a switch of tier 2 has {needed} links down to {pods} pods, not {}", tiers[2].down);
            fit(
                1,
                "Radix_Up",
                cores * tiers[2].bundle == tiers[1].up,
                "the links up of tier 1 are no whole bundles".to_owned(),
            )?;
            fit(2, "Radix_Down", tiers[2].down == needed, what)?;
        }
        for tier in 0..count - 1 {
            check_oversubscription(file, &tiers, tier)?;
        }
        let switch_latencies =
            (0..count).any(|tier| file.tier(tier, "Switch_Latency_ns").is_ok_and(|(word, _)| *word != "0"));
        Ok(Tree { pods, leaves, spines, cores, tiers, switch_latencies, span: file.head("Nodes")?.1.clone() })
    }

    /// Makes the network: hosts, leaves, switches of each pod, and those above all pods.
    fn plan(&self) -> Result<Plan, Wrong> {
        let mut plan = Plan::new("hosts");
        let cable =
            |tier: &Tier| Cable { links: tier.bundle, bandwidth: Some(tier.bandwidth), latency: Some(tier.latency) };
        let mut add = |kind: &str, number: u32, is_host: bool| {
            let added = (0..number).map(|at| plan.add(format!("{kind}{at}"), &self.span, is_host));
            added.collect::<Result<Vec<usize>, Wrong>>()
        };
        let leaves = add("tor", self.pods.saturating_mul(self.leaves), false)?;
        let spines = add("agg", self.pods.saturating_mul(self.spines), false)?;
        let cores = add("core", self.spines.saturating_mul(self.cores), false)?;
        let hosts = add("host", self.pods * self.leaves * self.tiers[0].down, true)?;
        for (at, &host) in hosts.iter().enumerate() {
            plan.link([host, leaves[at / self.tiers[0].down as usize]], &self.span, cable(&self.tiers[0]))?;
        }
        for (at, &leaf) in leaves.iter().enumerate() {
            let first = at / self.leaves as usize * self.spines as usize;
            for &spine in &spines[first..first + self.spines as usize] {
                plan.link([leaf, spine], &self.span, cable(&self.tiers[1]))?;
            }
        }
        for (at, &spine) in spines.iter().enumerate() {
            for &core in cores.iter().skip(at % self.spines as usize).step_by(self.spines as usize) {
                plan.link([spine, core], &self.span, cable(&self.tiers[2]))?;
            }
        }
        Ok(plan)
    }

    /// Returns the section that builds the same.
    fn section(&self) -> String {
        let mut children = vec![self.tiers[0].down, self.leaves];
        let mut parents = vec![self.spines];
        let mut links = vec![self.tiers[1].bundle];
        if let Some(top) = self.tiers.get(2) {
            children.push(self.pods);
            parents.push(self.cores);
            links.push(top.bundle);
        }
        format!("kind = \"xgft\"\nchildren = {children:?}\nparents = {parents:?}\nlinks = {links:?}\n")
    }
}

/// Returns how many switches of the next tier each of a tier is joined with.
fn above(tiers: &[Tier], tier: usize) -> u32 {
    tiers[tier].up / tiers[tier + 1].bundle
}

/// Refuses a ratio of bandwidth down to bandwidth up that is not the one that the file says.
fn check_oversubscription(file: &File<'_>, tiers: &[Tier], tier: usize) -> Result<(), Wrong> {
    let Ok(word) = file.tier(tier, "Oversubscribed") else { return Ok(()) };
    let said = u128::from(number(word, "times", 1, MOST_PORTS)?);
    let sum = |links: u32, rate: BitRate| u128::from(links) * u128::from(rate.0);
    let [down, up] = [sum(tiers[tier].down, tiers[tier].bandwidth), sum(tiers[tier].up, tiers[tier + 1].bandwidth)];
    if down == said * up {
        return Ok(());
    }
    let message = format!(
        "tier {tier} has {} Gb/s down and {} Gb/s up, which is not {said} to 1",
        down / 1_000_000_000,
        up / 1_000_000_000
    );
    Err(Wrong::new(&word.1, message, "the numbers of all tiers must fit together"))
}

impl Tier {
    fn read(file: &File<'_>, tier: usize, is_top: bool) -> Result<Self, Wrong> {
        let ports = |key: &str| number(file.tier(tier, key)?, "links", 1, MOST_PORTS);
        let measured = |key: &str, unit: &str, least: u32| {
            let word = file.tier(tier, key)?;
            Ok((format!("{} {unit}", number(word, unit, least, 1_000_000_000)?), word.1.clone()))
        };
        let (speed, place) = measured("Downlink_speed_Gbps", "Gb/s", 1)?;
        let (time, time_place) = measured("Downlink_Latency_ns", "ns", 0)?;
        if let (true, Ok((_, place))) = (is_top, file.tier(tier, "Radix_Up")) {
            return Err(Wrong::new(place, "the top tier has no links up", "remove Radix_Up of this tier"));
        }
        Ok(Tier {
            down: ports("Radix_Down")?,
            up: if is_top { 0 } else { ports("Radix_Up")? },
            bundle: if file.tier(tier, "Bundle").is_ok() { ports("Bundle")? } else { 1 },
            bandwidth: rate(&(&speed, place))?,
            latency: latency(&(&time, time_place))?,
        })
    }
}
