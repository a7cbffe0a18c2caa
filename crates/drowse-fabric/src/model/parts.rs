//! The largest part of a map in several parts.

use drowse_core::topology::{Graph, Trunk};

use super::hosted::Hosted;
use super::wrong::shown;

/// Takes what is not joined with the largest part out of a graph; of several as large, the one that is named first
/// stays. Returns what to say of it.
pub(super) fn keep_largest(graph: &mut Graph, hosted: &mut Vec<Vec<Hosted>>) -> Option<String> {
    let components = graph.components();
    let [largest, others @ ..] = &components[..] else { return None };
    let first = others.first()?.first()?;
    let note = format!(
        "the network of the file is in {} parts that no link joins: only the largest is simulated, {} of {} switches, \
         without `{}` and others",
        components.len(),
        largest.len(),
        graph.nodes.len(),
        shown(&graph.names[*first as usize])
    );
    let mut place = vec![None; graph.nodes.len()];
    (0..).zip(largest).for_each(|(new, &old)| place[old as usize] = Some(new));
    let moved = |trunk: &Trunk| match trunk.ends.map(|end| place[end as usize]) {
        [Some(a), Some(b)] => Some(Trunk { ends: [a, b], ..*trunk }),
        _ => None,
    };
    graph.trunks = graph.trunks.iter().filter_map(moved).collect();
    graph.nodes = largest.iter().map(|&old| graph.nodes[old as usize]).collect();
    *hosted = largest.iter().map(|&old| std::mem::take(&mut hosted[old as usize])).collect();
    graph.names = largest.iter().map(|&old| graph.names[old as usize].clone()).collect();
    drop_classes(graph);
    Some(note)
}

/// Takes out classes that no link has any more.
fn drop_classes(graph: &mut Graph) {
    let mut used = vec![false; graph.classes.len()];
    graph.trunks.iter().for_each(|trunk| used[usize::from(trunk.class)] = true);
    let new: Vec<u8> = (0..used.len()).map(|class| used[..class].iter().map(|&used| u8::from(used)).sum()).collect();
    graph.trunks.iter_mut().for_each(|trunk| trunk.class = new[usize::from(trunk.class)]);
    let mut kept = used.iter();
    graph.classes.retain(|_| kept.next().is_some_and(|&used| used));
}
