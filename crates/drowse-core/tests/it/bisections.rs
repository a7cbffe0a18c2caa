//! Bisections against all halves that there are, and against the literature.

use drowse_core::model::ids::ChannelId;
use drowse_core::topology::{
    Arrangement, Basis, Bisection, Dragonfly, End, HyperX, Network, PerDimension, ThinTree, TopologySpec, Torus, Xgft,
};
use proptest::prelude::*;

use crate::common::proptest_config;

/// Returns the least weight of links between half of the switches and the others, over all halves; as many switches
/// each, or one more.
fn least_between_switches(network: &Network, weights: &[u64]) -> u128 {
    let switches = network.switches();
    let ends: Vec<(u32, u32, u128)> = (0..network.ports())
        .filter_map(|port| match network.target(ChannelId(port)) {
            End::Port(there) if there.0 > port => Some((
                network.port_switch(port as usize),
                network.port_switch(there.index()),
                u128::from(weights[usize::from(network.port_class[port as usize])]),
            )),
            _ => None,
        })
        .collect();
    let halves = (0u32..1 << (switches - 1))
        .filter(|half| half.count_ones() == switches / 2 || half.count_ones() == switches.div_ceil(2));
    let cut =
        |half: u32| ends.iter().filter(|(a, b, _)| (half >> a ^ half >> b) & 1 == 1).map(|(.., weight)| weight).sum();
    halves.map(cut).min().unwrap()
}

/// Returns the least weight of links between half of the nodes and the others, over all halves and all sides of the
/// switches of a tree: by blocks, and by how many of a block's nodes are in the first half.
fn least_between_nodes(tree: &Xgft, weights: &[u64]) -> u128 {
    let min_plus = |a: &[[u128; 2]], b: &[u128], side: usize, into: &mut Vec<[u128; 2]>| {
        for (i, left) in a.iter().enumerate() {
            for (j, right) in b.iter().enumerate() {
                into[i + j][side] = into[i + j][side].min(left[side] + right);
            }
        }
    };
    // By nodes in the first half: the least cost where the block's switches are in the first half, or in the last.
    let nodes = tree.children[0] as usize;
    let mut block: Vec<[u128; 2]> =
        (0..=nodes).map(|first| [nodes - first, first].map(|cut| cut as u128 * u128::from(weights[0]))).collect();
    let mut width = 1;
    for (l, &weight) in weights.iter().enumerate().skip(1) {
        let up = u128::from(width * tree.parents[l - 1] * tree.links[l - 1]) * u128::from(weight);
        let child =
            |side: usize| -> Vec<u128> { block.iter().map(|cost| cost[side].min(cost[1 - side] + up)).collect() };
        let children = [child(0), child(1)];
        let mut above = vec![[0; 2]];
        for _ in 0..tree.children[l] {
            let mut next = vec![[u128::MAX; 2]; above.len() + block.len() - 1];
            (0..2).for_each(|side| min_plus(&above, &children[side], side, &mut next));
            above = next;
        }
        block = above;
        width *= tree.parents[l - 1];
    }
    let half = (block.len() - 1) / 2;
    block[half].into_iter().min().unwrap()
}

fn grid(dims: &[u32], trunk: &[u32], wraps: bool) -> Network {
    let torus = Torus::new(dims.to_vec(), PerDimension::Each(trunk.to_vec()), 1);
    if wraps { TopologySpec::Torus(torus) } else { TopologySpec::Mesh(torus) }.build().unwrap()
}

proptest! {
    #![proptest_config(proptest_config(60))]

    /// No halves of a torus or mesh of up to 16 switches have less between them than is claimed; where the cut is said
    /// to be exact, it is, and elsewhere it can be had.
    #[test]
    fn grids(
        (dims, weights) in prop::sample::select(vec![
            vec![2], vec![7], vec![16], vec![2, 2], vec![3, 3], vec![2, 5], vec![5, 3], vec![3, 4], vec![4, 4], vec![2, 8],
            vec![2, 2, 2], vec![3, 2, 2], vec![2, 4, 2], vec![2, 2, 2, 2],
        ]).prop_flat_map(|dims| {
            let weights = prop::collection::vec(1u64..4, dims.len() + 1);
            (Just(dims), prop_oneof![weights, Just(vec![1; 5])])
        }),
        trunk in prop_oneof![Just(vec![1; 4]), prop::collection::vec(1u32..4, 4)],
        wraps: bool,
        rings_of_two: bool,
    ) {
        let torus = Torus::new(dims.clone(), PerDimension::Each(trunk[..dims.len()].to_vec()), 1);
        let torus = Torus { rings_of_two, ..torus };
        let network = if wraps { TopologySpec::Torus(torus) } else { TopologySpec::Mesh(torus) }.build().unwrap();
        let cut = Bisection::of(&network, &weights).unwrap();
        let least = least_between_switches(&network, &weights);
        prop_assert!(cut.weight(&weights) >= least);
        if cut.basis == Basis::Exact {
            prop_assert_eq!(cut.weight(&weights), least);
        }
        prop_assert!(Bisection::improved(&network, &weights).weight(&weights) >= least);
    }

    /// So it is with `HyperX`.
    #[test]
    fn hyperx(
        dims in prop::sample::select(vec![vec![2], vec![7], vec![3, 3], vec![2, 5], vec![5, 3], vec![4, 4], vec![3, 2, 2]]),
        widths in prop_oneof![Just(vec![1; 3]), prop::collection::vec(1u32..4, 3)],
        weights in prop_oneof![Just(vec![1; 4]), prop::collection::vec(1u64..4, 4)],
    ) {
        let spec = HyperX { dims: dims.clone(), widths: PerDimension::Each(widths[..dims.len()].to_vec()), nodes: 2 };
        let network = TopologySpec::HyperX(spec).build().unwrap();
        let cut = Bisection::of(&network, &weights).unwrap();
        let least = least_between_switches(&network, &weights);
        prop_assert!(cut.weight(&weights) >= least);
        if cut.basis == Basis::Exact {
            prop_assert_eq!(cut.weight(&weights), least);
        }
    }

    /// Halves of small dragonflies are as good as any.
    #[test]
    fn dragonflies((a, h, groups) in prop::sample::select(vec![(2, 1, 3), (3, 1, 4), (2, 2, 5), (4, 1, 4), (1, 4, 5)]), global in 1u64..6) {
        let spec = Dragonfly { p: 1, a, h, groups, arrangement: Arrangement::Palmtree };
        let network = TopologySpec::Dragonfly(spec).build().unwrap();
        let weights = [1, 2, global];
        let cut = Bisection::of(&network, &weights).unwrap();
        prop_assert_eq!((cut.weight(&weights), cut.basis), (least_between_switches(&network, &weights), Basis::Bound));
    }

    /// Complete trees are cut exactly.
    #[test]
    fn trees(
        (children, parents, links, weights) in (1usize..5).prop_flat_map(|levels| (
            prop::collection::vec(1u32..6, levels),
            prop::collection::vec(1u32..5, levels - 1),
            prop::collection::vec(1u32..3, levels - 1),
            prop::collection::vec(1u64..5, levels),
        )),
    ) {
        let tree = Xgft { children, parents, links };
        let cut = Bisection::of(&TopologySpec::Xgft(tree.clone()).build().unwrap(), &weights).unwrap();
        prop_assert_eq!((cut.weight(&weights), cut.basis), (least_between_nodes(&tree, &weights), Basis::Exact));
    }
}

/// Widths from the literature: 2 k^(n-1) of a k-ary n-cube with even k; an odd mesh of three dimensions has k^2 + k +
/// 1, a torus twice that; and trees by hand.
#[test]
fn widths_by_hand() {
    let count = |network: &Network| Bisection::of(network, &vec![1; network.classes.len()]).unwrap().count();
    assert_eq!(count(&grid(&[8, 8, 8], &[1, 1, 1], true)), 128);
    assert_eq!(count(&grid(&[5, 5, 5], &[1, 1, 1], false)), 31);
    assert_eq!(count(&grid(&[5, 5, 5], &[1, 1, 1], true)), 62);
    // Across the nine: the middle one of nine pairs is parted, too.
    assert_eq!(count(&grid(&[9, 2], &[1, 1], false)), 3);
    let thin = |down, up, levels| count(&TopologySpec::ThinTree(ThinTree { down, up, levels }).build().unwrap());
    // The full tree has half the nodes' bandwidth; a thin one what its top has; more ports up than down help nobody.
    assert_eq!([thin(4, 4, 3), thin(8, 4, 4), thin(4, 1, 3), thin(4, 6, 3)], [32, 256, 2, 32]);
    // Nine nodes: three below one leaf switch, and one of the next, whose other two stay with their switch.
    assert_eq!(thin(3, 3, 2), 4);
    let xgft = |links: &[u32]| {
        let tree = Xgft { children: vec![16, 16, 4], parents: vec![4, 4], links: links.to_vec() };
        count(&TopologySpec::Xgft(tree).build().unwrap())
    };
    // 64 leaf switches of 8 links up, and as much above: half of 512 links; or half of 64, from 4 blocks of 4 switches
    // each.
    assert_eq!([xgft(&[2, 8]), xgft(&[2, 1])], [256, 32]);
}

/// Halves that are improved switch by switch find the widths that are known, at least of networks as regular as these.
#[test]
fn improved_halves_find_known_widths() {
    for network in [
        grid(&[4, 4], &[1, 1], true),
        grid(&[8, 4], &[1, 3], true),
        grid(&[6, 6], &[1, 1], false),
        grid(&[2, 2, 2, 2, 2], &[1; 5], false),
        grid(&[4, 4, 4], &[1; 3], true),
    ] {
        let ones = vec![1; network.classes.len()];
        let (improved, known) = (Bisection::improved(&network, &ones), Bisection::of(&network, &ones).unwrap());
        assert_eq!((improved.count(), improved.basis), (known.count(), Basis::Bound));
    }
}
