//! From routes to cables: what a route of one link joins, and whether longer routes lead over that.

use std::collections::HashMap;
use std::ops::Range;

use super::platform::{Link, Platform};
use crate::formats::plan::Cable;
use crate::model::wrong::{Wrong, shown};

/// A cable: its link in each direction, from the lower end and from the higher one.
struct Laid<'d> {
    links: [Option<(&'d str, Link)>; 2],
    span: Range<usize>,
}

/// Adds the cables to the plan.
pub(super) fn lay(platform: &mut Platform<'_>) -> Result<(), Wrong> {
    let mut laid: HashMap<[usize; 2], Laid<'_>> = HashMap::new();
    let mut order = Vec::new();
    let mut own = 0;
    for route in &platform.routes {
        let [from, to] = route.ends;
        let [name] = &route.links[..] else { continue };
        if from == to {
            own += 1;
            continue;
        }
        let link = platform.link(name)?;
        let pair = [from.min(to), from.max(to)];
        let cable = laid.entry(pair).or_insert_with(|| {
            order.push(pair);
            Laid { links: [None; 2], span: route.span.clone() }
        });
        let way = usize::from(from > to);
        for direction in [Some(way), route.symmetrical.then_some(1 - way)].into_iter().flatten() {
            if cable.links[direction].replace(link).is_some_and(|before| before.0 != link.0) {
                let [a, b] = route.ends.map(|end| shown(platform.plan.name(end)));
                let message = format!("another route leads from `{a}` to `{b}`");
                return Err(Wrong::new(&route.span, message, "write one route for each pair"));
            }
        }
    }
    check_shared(&laid, &order)?;
    for pair in &order {
        let Laid { links, span } = &laid[pair];
        let [Some((_, there)), Some((_, back))] = links else {
            let [a, b] = pair.map(|end| shown(platform.plan.name(end)));
            let message = format!("there is a route between `{a}` and `{b}` in one direction only");
            return Err(Wrong::new(span, message, "links go both ways: write the other direction too"));
        };
        if there != back {
            let message = "the two directions of this cable differ in bandwidth or latency";
            return Err(Wrong::new(span, message, "both directions of a link are alike here"));
        }
        let cable = Cable { links: 1, bandwidth: Some(there.bandwidth), latency: Some(there.latency) };
        platform.plan.link(*pair, span, cable)?;
    }
    let longer = check_longer(platform, &laid)?;
    platform
        .leave_out("routes over several links, which lead over these cables; packets take shortest paths here", longer);
    platform.leave_out("links from a host to itself, which are left out", own);
    Ok(())
}

/// Refuses a link that joins several pairs: it is no cable.
fn check_shared(laid: &HashMap<[usize; 2], Laid<'_>>, order: &[[usize; 2]]) -> Result<(), Wrong> {
    let mut of: HashMap<&str, [usize; 2]> = HashMap::new();
    for pair in order {
        let Laid { links, span } = &laid[pair];
        for (name, _) in links.iter().flatten() {
            if of.insert(name, *pair).is_some_and(|other| other != *pair) {
                let message = format!("link `{}` joins several pairs, which no cable does", shown(name));
                return Err(Wrong::new(span, message, "put a <router> where several cables meet"));
            }
        }
    }
    Ok(())
}

/// Checks that routes of several links lead over cables between their ends, and counts them.
fn check_longer(platform: &Platform<'_>, laid: &HashMap<[usize; 2], Laid<'_>>) -> Result<usize, Wrong> {
    let mut ends_of: HashMap<&str, [usize; 2]> = HashMap::new();
    for (pair, cable) in laid {
        ends_of.extend(cable.links.iter().flatten().map(|(name, _)| (*name, *pair)));
    }
    let mut longer = 0;
    for route in platform.routes.iter().filter(|route| route.links.len() != 1) {
        let mut at = route.ends[0];
        for name in &route.links {
            let (link, _) = platform.link(name)?;
            at = match ends_of.get(link) {
                Some(&[a, b]) if a == at => b,
                Some(&[a, b]) if b == at => a,
                _ => {
                    let message = format!("nothing says what link `{}` joins on this route", shown(name.0));
                    let help = "put a <router> where links meet, and write a route of one link for each cable";
                    return Err(Wrong::new(&name.1, message, help));
                }
            };
        }
        if at != route.ends[1] {
            return Err(Wrong::new(&route.span, "the links of this route do not lead to its end", "write all of them"));
        }
        longer += 1;
    }
    Ok(longer)
}
