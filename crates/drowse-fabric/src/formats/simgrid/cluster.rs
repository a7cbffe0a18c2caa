//! `<cluster>`: a star, torus, fat tree or dragonfly of hosts that are numbered.

use roxmltree::Node;

use super::dragonfly;
use super::numbered::{Cluster, list, split};
use super::platform::Platform;
use super::units::{bandwidth, delay};
use crate::formats::plan::Cable;
use crate::formats::xml::{optional, required, start};
use crate::model::wrong::{Word, Wrong, number, shown};

/// The most hosts of a cluster.
const MOST_HOSTS: usize = 1 << 20;
/// The most hosts of one switch.
const MOST_PORTS: usize = 4096;

/// Reads a cluster.
pub(super) fn read<'d>(element: Node<'d, '_>, platform: &mut Platform<'d>) -> Result<(), Wrong> {
    let (bw, lat) = (required(element, "bw")?, required(element, "lat")?);
    let cable = Cable { links: 1, bandwidth: Some(bandwidth(&bw)?), latency: Some(delay(&lat)?) };
    let (prefix, suffix) = (required(element, "prefix")?.0, required(element, "suffix")?.0);
    let (id, span) = (required(element, "id")?.0, start(element));
    let radical = required(element, "radical")?;
    let numbers = numbers(&radical)?;
    let hosts = numbers.iter().map(|number| platform.add(&format!("{prefix}{number}{suffix}"), &radical.1, true));
    let hosts = hosts.collect::<Result<Vec<usize>, Wrong>>()?;
    let cluster = Cluster { id, hosts, cable, span, parameters: optional(element, "topo_parameters") };
    platform.parts += 1;
    say_left_out(element, platform, &cluster);
    let shape = match optional(element, "topology").unwrap_or(("FLAT", start(element))) {
        ("FLAT", _) => star(element, platform, &cluster)?,
        ("TORUS", _) => torus(platform, &cluster)?,
        ("FAT_TREE", _) => fat_tree(platform, &cluster)?,
        ("DRAGONFLY", _) => dragonfly::build(platform, &cluster)?,
        (other, place) => {
            let message = format!("`{}` is no topology of SimGrid's clusters", shown(other));
            return Err(Wrong::new(&place, message, "write FLAT, TORUS, FAT_TREE or DRAGONFLY"));
        }
    };
    platform.shape = platform.shape.take().or(shape);
    Ok(())
}

/// Counts and says what of a cluster is not simulated.
fn say_left_out(element: Node<'_, '_>, platform: &mut Platform<'_>, cluster: &Cluster<'_>) {
    let hosts = cluster.hosts.len();
    let has = |name| optional(element, name).is_some();
    for (names, what) in [
        (["loopback_bw", "loopback_lat"], "links from a host to itself, which are left out"),
        (
            ["limiter_link", "limiter_link"],
            "limits of both directions together (limiter_link), which are not simulated",
        ),
    ] {
        platform.leave_out(what, if names.into_iter().any(has) { hosts } else { 0 });
    }
    let policy = match optional(element, "sharing_policy").map(|(policy, _)| policy) {
        Some("SHARED") => "clusters whose links share both directions in SimGrid, and do not here",
        Some("FATPIPE") => "clusters on whose links SimGrid lets nothing wait (FATPIPE), and which are as others here",
        _ => "",
    };
    platform.leave_out(policy, usize::from(!policy.is_empty()));
    if let Some((rate, _)) = optional(element, "bb_bw") {
        let (bw, latency) = (optional(element, "bw"), optional(element, "bb_lat").map_or("0", |(latency, _)| latency));
        platform.notes.push(format!(
            "the backbone of cluster `{}`, which its {hosts} hosts of {} share, is not simulated: {} in all, and \
                {latency} \
             between every two hosts",
            shown(cluster.id),
            bw.map_or("", |(bw, _)| bw),
            shown(rate)
        ));
    }
}

/// Reads the numbers of hosts: `0-3,7` or `0-3;7`.
fn numbers((text, span): &Word<'_>) -> Result<Vec<u32>, Wrong> {
    let mut numbers = Vec::new();
    let mut at = span.start;
    for part in text.split([',', ';']) {
        let place = at..at + part.len();
        at = place.end + 1;
        let (low, high) = part.split_once('-').unwrap_or((part, part));
        let whole = |word: &str| number(&(word.trim(), place.clone()), "a host", 0, u32::MAX - 1);
        let (low, high) = (whole(low)?, whole(high)?);
        if low > high || (high - low) as usize >= MOST_HOSTS - numbers.len().min(MOST_HOSTS) {
            let message = format!("`{}` is no range of at most {MOST_HOSTS} hosts", shown(part));
            return Err(Wrong::new(&place, message, "write radical=\"0-15\""));
        }
        numbers.extend(low..=high);
    }
    Ok(numbers)
}

/// All hosts on one switch, which is the router of the cluster.
fn star(element: Node<'_, '_>, platform: &mut Platform<'_>, cluster: &Cluster<'_>) -> Result<Option<String>, Wrong> {
    let hosts = cluster.hosts.len();
    if hosts > MOST_PORTS {
        let message =
            format!("the {hosts} hosts of this cluster are on one switch, which has at most {MOST_PORTS} ports");
        let help = "write an ideal network as [network]: kind = \"ideal\" with nodes, latency and bandwidth";
        return Err(Wrong::new(&cluster.span, message, help));
    }
    let (prefix, suffix) = (required(element, "prefix")?.0, required(element, "suffix")?.0);
    let name = optional(element, "router_id")
        .map_or_else(|| format!("{prefix}{}_router{suffix}", cluster.id), |id| id.0.to_owned());
    let router = platform.add(&name, &cluster.span, false)?;
    for &host in &cluster.hosts {
        platform.plan.link([host, router], &cluster.span, cluster.cable)?;
    }
    Ok((hosts <= 2048).then(|| format!("kind = \"xgft\"\nchildren = [{hosts}]\nparents = []\n")))
}

/// A torus `3,2,2`, first dimension fastest: every host is joined with the next in each dimension.
fn torus(platform: &mut Platform<'_>, cluster: &Cluster<'_>) -> Result<Option<String>, Wrong> {
    let word = cluster.parameters("the size of each dimension, such as 4,4,4")?;
    let dims = list(&word, 1)?;
    cluster.check_hosts(dims.iter().map(|&size| u64::from(size)), &word)?;
    for (place, &host) in cluster.hosts.iter().enumerate() {
        let mut stride = 1;
        for size in dims.iter().map(|&size| size as usize) {
            let at = place / stride % size;
            let next = cluster.hosts[place - at * stride + (at + 1) % size * stride];
            // SimGrid joins the two of a ring of two by two links.
            if size > 1 {
                platform.plan.link([host, next], &cluster.span, cluster.cable)?;
            }
            stride *= size;
        }
    }
    let rings = if dims.contains(&2) { "rings_of_two = true\n" } else { "" };
    let dims: Vec<u32> = dims.into_iter().filter(|&size| size > 1).collect();
    let fits = (1..=10).contains(&dims.len());
    Ok(fits.then(|| format!("kind = \"torus\"\ndims = {dims:?}\nnodes = 1\n{rings}")))
}

/// A fat tree `levels;children;parents;links`.
fn fat_tree(platform: &mut Platform<'_>, cluster: &Cluster<'_>) -> Result<Option<String>, Wrong> {
    const FORM: &str = "LEVELS;CHILDREN;PARENTS;LINKS, such as 2;4,4;1,2;1,2";
    let word = cluster.parameters(FORM)?;
    let parts = split(&word, ';');
    let [levels, down, up, links] = &parts[..] else {
        return Err(Wrong::new(&word.1, "a fat tree has four parameters", format!("write {FORM}")));
    };
    let levels = number(levels, "levels", 1, 16)? as usize;
    let [down, up, links] = [list(down, levels)?, list(up, levels)?, list(links, levels)?];
    cluster.check_hosts(down.iter().map(|&number| u64::from(number)), &word)?;
    // The vertices of a level have labels: for each level a digit, of the parents up to their own, of the children
    // above.
    let mut below = cluster.hosts.clone();
    for level in 0..levels {
        let digit = |at: usize, level: usize| if at < level { up[at] } else { down[at] } as usize;
        let stride = (0..level).map(|at| digit(at, level)).product::<usize>();
        let [children, parents] = [down[level], up[level]].map(|number| number as usize);
        let upper = below.len() / children * parents;
        if upper > MOST_HOSTS {
            return Err(Wrong::new(
                &word.1,
                format!("level {} has more than {MOST_HOSTS} switches", level + 1),
                "write fewer",
            ));
        }
        let name = |at: usize| format!("{}-switch-{}-{at}", cluster.id, level + 1);
        let above = (0..upper).map(|at| platform.add(&name(at), &word.1, false)).collect::<Result<Vec<_>, Wrong>>()?;
        for (place, &child) in below.iter().enumerate() {
            let (low, high) = (place % stride, place / stride / children);
            for parent in 0..parents {
                let to = above[low + stride * (parent + parents * high)];
                platform.plan.link([child, to], &cluster.span, Cable { links: links[level], ..cluster.cable })?;
            }
        }
        below = above;
    }
    let fits = up[0] == 1 && links[0] == 1 && links[1..].iter().all(|&number| number <= 256);
    let fits = fits && down.iter().chain(&up).all(|&number| number <= 2048);
    let written =
        || format!("kind = \"xgft\"\nchildren = {down:?}\nparents = {:?}\nlinks = {:?}\n", &up[1..], &links[1..]);
    Ok(fits.then(written))
}
