//! SimGrid's dragonflies `groups,l;chassis,l;routers,l;nodes`, where each l is the number of parallel links.
//!
//! Routers of a chassis are joined with each other, and so are those of a group at the same place in their chassis.
//! Between groups i and j there is one trunk, from router j of group i to router i of group j.

use super::numbered::{Cluster, split};
use super::platform::Platform;
use crate::formats::plan::Cable;
use crate::model::wrong::{Wrong, number};

const FORM: &str = "GROUPS,LINKS;CHASSIS,LINKS;ROUTERS,LINKS;NODES, such as 3,4;4,3;5,1;2";

/// Adds the routers and links of a dragonfly.
pub(super) fn build(platform: &mut Platform<'_>, cluster: &Cluster<'_>) -> Result<Option<String>, Wrong> {
    let word = cluster.parameters(FORM)?;
    let wrong = || Wrong::new(&word.1, "these are no parameters of a dragonfly", format!("write {FORM}"));
    let parts = split(&word, ';');
    let [groups, chassis, routers, nodes] = &parts[..] else { return Err(wrong()) };
    let mut sizes = [[0; 2]; 3];
    for (size, part) in sizes.iter_mut().zip([groups, chassis, routers]) {
        let [size_of, links] = &split(part, ',')[..] else { return Err(wrong()) };
        *size = [number(size_of, "these", 1, 65_535)?, number(links, "links", 1, 4096)?];
    }
    let [[groups, blue], [chassis, black], [routers, green]] = sizes;
    let nodes = number(nodes, "nodes", 1, 4096)?;
    cluster.check_hosts([groups, chassis, routers, nodes].into_iter().map(u64::from), &word)?;
    let group = chassis * routers;
    if groups > group {
        let message = format!("{groups} groups need as many routers each, and there are {group}");
        return Err(Wrong::new(&word.1, message, "router j of each group leads to group j: write more routers"));
    }
    let (size, chassis_of) = (group as usize, routers as usize);
    let name =
        |at: usize| format!("{}-router-{}-{}-{}", cluster.id, at / size, at % size / chassis_of, at % chassis_of);
    let all = (0..groups as usize * size).map(|at| platform.add(&name(at), &word.1, false));
    let all = all.collect::<Result<Vec<usize>, Wrong>>()?;
    for (at, &host) in cluster.hosts.iter().enumerate() {
        platform.plan.link([host, all[at / nodes as usize]], &cluster.span, cluster.cable)?;
    }
    let with = |links| Cable { links, ..cluster.cable };
    for (at, &router) in all.iter().enumerate() {
        let place = at % size;
        // The later routers of its chassis, then those at its place in later chassis of its group.
        for &other in &all[at + 1..at - place % chassis_of + chassis_of] {
            platform.plan.link([router, other], &cluster.span, with(green))?;
        }
        for &other in all[at..at - place + size].iter().step_by(chassis_of).skip(1) {
            platform.plan.link([router, other], &cluster.span, with(black))?;
        }
    }
    for i in 0..groups as usize {
        for j in i + 1..groups as usize {
            platform.plan.link([all[i * size + j], all[j * size + i]], &cluster.span, with(blue))?;
        }
    }
    // Ours has single links, and groups whose routers are all joined.
    let is_plain = [blue, black, green] == [1; 3] && (chassis == 1 || routers == 1) && groups > 1 && group > 1;
    let written = || {
        format!(
            "kind = \"dragonfly\"\np = {nodes}\na = {group}\nh = 1\ngroups = {groups}\narrangement = \"absolute\"\n"
        )
    };
    Ok(is_plain.then(written))
}
