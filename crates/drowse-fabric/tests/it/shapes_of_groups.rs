//! Dragonflies, Dragonfly+, `HyperX` and full meshes that are built here, written as lists of edges under other names and in
//! another order, are recognised when they are read; cables that were moved are named.

use drowse_core::topology::{
    Arrangement, Dragonfly, DragonflyPlus, Full, Graph, HyperX, PerDimension, TableKind, TopologySpec, Trunk,
};
use drowse_fabric::{Fabric, Options, Recognised, read, recognise, write};

/// Draws numbers by a linear congruence (Knuth's MMIX), of which the high bits are used.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    /// Returns the numbers below a bound in a random order (Fisher and Yates).
    fn order(&mut self, bound: usize) -> Vec<u32> {
        let mut order: Vec<u32> = (0..bound as u32).collect();
        for last in (1..bound).rev() {
            order.swap(last, self.below(last + 1));
        }
        order
    }
}

/// Returns a network as a graph whose switches are called by the number that they have there.
fn graph(spec: &TopologySpec) -> Graph {
    let graph = Graph::of(&spec.build().expect("a network"), TableKind::Shortest, |_| true);
    let names = (0..graph.nodes.len()).map(|number| format!("s{number}")).collect();
    Graph { names, ..graph }
}

/// Writes a graph as a list of edges, with its switches and links in a random order and under random names, and reads it.
/// Returns what it is recognised as; switches in it are called by their first names.
fn found(graph: &Graph, seed: u64) -> Option<Recognised> {
    let mut draw = Draw(seed);
    let switches = graph.nodes.len();
    let (place, called) = (draw.order(switches), draw.order(switches));
    let (mut nodes, mut names) = (vec![0; switches], vec![String::new(); switches]);
    for (old, &new) in place.iter().enumerate() {
        nodes[new as usize] = graph.nodes[old];
        names[new as usize] = format!("x{}", called[old]);
    }
    let links = draw.order(graph.trunks.len());
    let trunk = |&at: &u32| Trunk {
        ends: graph.trunks[at as usize].ends.map(|end| place[end as usize]),
        ..graph.trunks[at as usize]
    };
    let trunks = links.iter().map(trunk).collect();
    let written = write::edges(&Fabric { graph: Graph { nodes, names, trunks, ..graph.clone() }, ..Fabric::default() });
    let fabric = read(&written.text, &Options::default(), TableKind::Shortest).expect("what was written");
    recognise(&fabric.graph).map(|found| Recognised {
        deviations: found.deviations.iter().map(|line| renamed(line, &called, &graph.names)).collect(),
        ..found
    })
}

/// Returns a line with the first names of its switches.
fn renamed(line: &str, called: &[u32], names: &[String]) -> String {
    let first = |word: &str| {
        let (name, mark) = word.strip_suffix(':').map_or((word, ""), |name| (name, ":"));
        let number = name.strip_prefix('x').and_then(|number| number.parse().ok());
        let old = number.and_then(|number: u32| called.iter().position(|&it| it == number));
        old.map_or_else(|| word.to_owned(), |old| format!("{}{mark}", names[old]))
    };
    line.split(' ').map(first).collect::<Vec<_>>().join(" ")
}

fn dragonfly(p: u32, a: u32, h: u32, groups: u32, arrangement: Arrangement) -> TopologySpec {
    TopologySpec::Dragonfly(Dragonfly { p, a, h, groups, arrangement })
}

fn plus(nodes: u32, leaves: u32, spines: u32, h: u32, groups: u32) -> TopologySpec {
    let arrangement = Arrangement::default();
    TopologySpec::DragonflyPlus(DragonflyPlus { nodes, leaves, spines, h, groups, arrangement })
}

fn hyperx(dims: &[u32], widths: &[u32], nodes: u32) -> TopologySpec {
    TopologySpec::HyperX(HyperX { dims: dims.to_vec(), widths: PerDimension::Each(widths.to_vec()), nodes })
}

#[track_caller]
fn is(spec: &TopologySpec, section: &str) {
    for seed in 0..5 {
        let found = found(&graph(spec), seed).unwrap_or_else(|| panic!("{section} is not recognised"));
        assert_eq!((found.section.as_deref(), found.deviations), (Some(section), Vec::new()), "{}", found.words);
    }
}

/// With as many groups as there can be, with fewer and so several cables between two groups, and with ports left over.
#[test]
fn dragonflies_are_recognised_in_any_order() {
    use Arrangement::{Absolute, Palmtree, Relative};
    for (p, a, h, groups) in [(2, 4, 2, 9), (4, 8, 4, 33), (2, 4, 2, 5), (1, 4, 2, 4), (3, 6, 3, 7), (2, 5, 1, 6)] {
        for arrangement in [Absolute, Relative, Palmtree] {
            let section = format!("kind = \"dragonfly\"\np = {p}\na = {a}\nh = {h}\ngroups = {groups}\n");
            is(&dragonfly(p, a, h, groups, arrangement), &section);
        }
    }
}

#[test]
fn leaves_and_spines_are_recognised_in_any_order() {
    for (nodes, leaves, spines, h, groups) in [(4, 4, 4, 2, 9), (8, 8, 8, 4, 9), (2, 6, 4, 2, 3), (1, 2, 2, 2, 5)] {
        let section = format!(
            "kind = \"dragonfly-plus\"\nnodes = {nodes}\nleaves = {leaves}\nspines = {spines}\nh = {h}\ngroups = {groups}\n"
        );
        is(&plus(nodes, leaves, spines, h, groups), &section);
    }
}

/// The shorter dimension comes first.
#[test]
fn products_of_complete_graphs_are_recognised_in_any_order() {
    is(&hyperx(&[4, 6], &[1, 1], 3), "kind = \"hyperx\"\ndims = [4, 6]\nnodes = 3\n");
    is(&hyperx(&[6, 4], &[2, 1], 1), "kind = \"hyperx\"\ndims = [4, 6]\nwidths = [1, 2]\n");
    is(&hyperx(&[4, 5, 6], &[2, 2, 2], 2), "kind = \"hyperx\"\ndims = [4, 5, 6]\nwidths = 2\nnodes = 2\n");
    is(&TopologySpec::Full(Full { switches: 12, nodes: 4 }), "kind = \"full\"\nswitches = 12\nnodes = 4\n");
}

/// Takes a link away, which must be there.
fn cut(graph: &mut Graph, a: u32, b: u32) -> Trunk {
    let is_it = |trunk: &Trunk| trunk.ends == [a, b] || trunk.ends == [b, a];
    let at = graph.trunks.iter().position(is_it).unwrap_or_else(|| panic!("no link {a} {b}"));
    graph.trunks.remove(at)
}

/// Returns the other ends of a switch's links that fulfil something.
fn far(graph: &Graph, switch: u32, which: impl Fn(u32) -> bool) -> Vec<u32> {
    let other = |trunk: &Trunk| match trunk.ends {
        [a, b] if a == switch => Some(b),
        [a, b] if b == switch => Some(a),
        _ => None,
    };
    graph.trunks.iter().filter_map(other).filter(|&it| which(it)).collect()
}

/// Groups of four: a cable within group 0 and one from group 2 to another are missing, and one from group 5 ends elsewhere.
#[test]
fn cables_of_dragonflies_that_differ_are_named() {
    let mut net = graph(&dragonfly(2, 4, 2, 9, Arrangement::Palmtree));
    cut(&mut net, 0, 2);
    let lost = far(&net, 9, |it| it / 4 != 2)[0];
    cut(&mut net, 9, lost);
    let old = far(&net, 21, |it| it / 4 != 5)[0];
    let trunk = cut(&mut net, 21, old);
    let new = (0..36).find(|it| ![5, 2, old / 4, lost / 4].contains(&(it / 4))).expect("a switch elsewhere");
    net.trunks.push(Trunk { ends: [21, new], ..trunk });
    for seed in 0..5 {
        let found = found(&net, seed).expect("almost a dragonfly");
        assert_eq!(found.section.as_deref(), Some("kind = \"dragonfly\"\np = 2\na = 4\nh = 2\ngroups = 9\n"));
        // A group is called after its first switch in the file, and pairs stand in the order of the file.
        let mut told: Vec<String> = found.deviations.iter().map(|line| by_group(line)).collect();
        told.sort_unstable();
        let between = |a: u32, b: u32, there: &str| format!("{} {} {there}", a.min(b), a.max(b));
        let mut expected = vec![
            "switches 0 2: no link, 1 expected".to_owned(),
            between(2, lost / 4, "no link, 1 expected"),
            between(5, old / 4, "no link, 1 expected"),
            between(5, new / 4, "2 links, 1 expected"),
            "s9: 1 link to other groups, 2 expected".to_owned(),
            format!("s{lost}: 1 link to other groups, 2 expected"),
            format!("s{old}: 1 link to other groups, 2 expected"),
            format!("s{new}: 3 links to other groups, 2 expected"),
        ];
        expected.sort_unstable();
        assert_eq!(told, expected);
    }
}

/// Returns a line with its groups by number, the lower first, and its pair of switches in order.
fn by_group(line: &str) -> String {
    let numbers =
        |text: &str| -> Vec<u32> { text.split(' ').filter_map(|word| word.strip_prefix('s')?.parse().ok()).collect() };
    let Some((head, rest)) = line.split_once(": ") else { return line.to_owned() };
    let mut ends = numbers(head);
    ends.sort_unstable();
    match ends[..] {
        [a, b] if head.starts_with("group") => {
            let mut groups = [a / 4, b / 4];
            groups.sort_unstable();
            format!("{} {} {rest}", groups[0], groups[1])
        }
        [a, b] => format!("switches {a} {b}: {rest}"),
        _ => line.to_owned(),
    }
}

#[test]
fn cables_of_a_hyperx_that_differ_are_named() {
    let mut net = graph(&hyperx(&[4, 6], &[1, 1], 3));
    let trunk = cut(&mut net, 0, 1);
    cut(&mut net, 5, 9);
    cut(&mut net, 10, 22);
    net.trunks.push(Trunk { ends: [10, 23], ..trunk });
    for seed in 0..5 {
        let found = found(&net, seed).expect("almost a HyperX");
        assert_eq!(found.section.as_deref(), Some("kind = \"hyperx\"\ndims = [4, 6]\nnodes = 3\n"));
        let mut told: Vec<String> = found.deviations.iter().map(|line| by_group(line)).collect();
        told.sort_unstable();
        assert_eq!(
            told,
            [
                "switches 0 1: no link, 1 expected",
                "switches 10 22: no link, 1 expected",
                "switches 10 23: 1 link, 0 expected",
                "switches 5 9: no link, 1 expected"
            ]
        );
    }
}

/// Groups of leaves and spines: a cable of a leaf is missing, and one between spines.
#[test]
fn cables_of_leaves_and_spines_that_differ_are_named() {
    let mut net = graph(&plus(4, 4, 4, 2, 9));
    // Each group has switches 8 g to 8 g + 3 as leaves, then its spines.
    cut(&mut net, 17, 21);
    let lost = far(&net, 4, |it| it >= 8)[0];
    cut(&mut net, 4, lost);
    net.nodes[33] = 3;
    let found = found(&net, 1).expect("almost a Dragonfly+");
    let mut told: Vec<String> = found.deviations.iter().map(|line| by_group(line)).collect();
    told.sort_unstable();
    assert_eq!(told.len(), 5, "{told:?}");
    assert!(told.contains(&"switches 17 21: no link, 1 expected".to_owned()), "{told:?}");
    assert!(told.contains(&"s33: 3 nodes, 4 expected".to_owned()), "{told:?}");
    assert!(told.contains(&"s4: 1 link to other groups, 2 expected".to_owned()), "{told:?}");
    assert!(told.contains(&format!("s{lost}: 1 link to other groups, 2 expected")), "{told:?}");
}
