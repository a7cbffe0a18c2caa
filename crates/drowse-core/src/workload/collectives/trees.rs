//! The trees of broadcasts and reductions. Here, ranks are counted from the root.

/// The place of one rank in a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The parent; `None` at the root.
    pub parent: Option<u32>,
    /// The children, in the order in which they are served.
    pub children: Vec<u32>,
}

impl Place {
    /// Converts ranks counted from the root to ranks of the job.
    pub fn rooted_at(mut self, root: u32, size: u32) -> Self {
        let in_job = |rank: u32| (rank + root) % size;
        self.parent = self.parent.map(in_job);
        self.children.iter_mut().for_each(|child| *child = in_job(*child));
        self
    }
}

/// The binomial tree of broadcasts: children differ in one bit above the highest set bit.
pub(super) fn binomial(rank: u32, size: u32) -> Place {
    let above: u32 = if rank == 0 { 1 } else { 2 << rank.ilog2() };
    let parent = (rank != 0).then(|| rank ^ (1 << rank.ilog2()));
    let bits = std::iter::successors(Some(above), |bit| bit.checked_mul(2)).take_while(|&bit| bit < size);
    Place { parent, children: bits.map(|bit| rank ^ bit).take_while(|&child| child < size).collect() }
}

/// The binomial tree of reductions: children differ in one bit below the lowest set bit, which keeps data in order.
pub(super) fn in_order_binomial(rank: u32, size: u32) -> Place {
    let lowest = if rank == 0 { u32::MAX } else { 1 << rank.trailing_zeros() };
    let bits =
        std::iter::successors(Some(1u32), |bit| bit.checked_mul(2)).take_while(|&bit| bit < lowest && bit < size);
    Place {
        parent: (rank != 0).then(|| rank & (rank - 1)),
        children: bits.map(|bit| rank + bit).filter(|&child| child < size).collect(),
    }
}

/// Returns the size of the subtree of a rank in that tree. The subtree consists of consecutive ranks, the first being
/// `rank`.
pub(super) fn subtree(rank: u32, size: u32) -> u32 {
    if rank == 0 { size } else { (1 << rank.trailing_zeros()).min(size - rank) }
}

/// The chain: every rank forwards to the next.
pub(super) fn chain(rank: u32, size: u32) -> Place {
    Place { parent: rank.checked_sub(1), children: (rank + 1 < size).then_some(rank + 1).into_iter().collect() }
}

/// The tree of base 4 of broadcasts: the children of a rank differ in one digit below its lowest digit that is set.
pub(super) fn knomial(rank: u32, size: u32) -> Place {
    const BASE: u64 = 4;
    let (rank, size) = (u64::from(rank), u64::from(size));
    let mut digit = 1;
    while digit < size && rank.is_multiple_of(BASE * digit) {
        digit *= BASE;
    }
    let parent = (rank != 0).then(|| (rank - rank % (BASE * digit)) as u32);
    let digits = std::iter::successors(Some(digit), |digit| Some(digit / BASE)).skip(1).take_while(|&digit| digit > 0);
    let children = digits.flat_map(|digit| (1..BASE).map(move |times| rank + times * digit));
    Place { parent, children: children.filter(|&child| child < size).map(|child| child as u32).collect() }
}

/// The binary tree that keeps the order of ranks: its root is the last rank, the right half below it are the first
/// ranks, and the left half those between. Ranks are those of the communicator.
pub(super) fn in_order_binary(rank: u32, size: u32) -> Place {
    let (mut first, mut count, mut parent) = (0, size, None);
    loop {
        let root = first + count - 1;
        let right = if count > 2 { count / 2 } else { 0 };
        if rank == root {
            let left = (count > 1).then(|| root.saturating_sub(1));
            let children = left.into_iter().chain((right > 0).then(|| first + right.saturating_sub(1))).collect();
            return Place { parent, children };
        }
        parent = Some(root);
        if rank < first + right {
            count = right;
        } else {
            (first, count) = (first + right, count - right - 1);
        }
    }
}

/// The binary tree whose two halves below the root are the odd and the even ranks.
pub(super) fn binary(rank: u32, size: u32) -> Place {
    // The level's first rank is 2^level - 1.
    let level = (rank + 1).ilog2();
    let delta = 1 << level;
    let parent = (rank != 0).then(|| {
        let first = delta - 1;
        if rank <= 2 { 0 } else { (rank - first) % (delta / 2) + delta / 2 - 1 }
    });
    let children = [rank + delta, rank + 2 * delta].into_iter().filter(|&child| child < size).collect();
    Place { parent, children }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In every tree, parents and children agree, and every rank but the root has a parent.
    #[test]
    fn parents_and_children_agree() {
        for tree in [binomial, in_order_binomial, knomial, chain, binary] {
            for size in 1..70 {
                for rank in 0..size {
                    let place = tree(rank, size);
                    assert_eq!(place.parent.is_none(), rank == 0);
                    for child in place.children {
                        assert_eq!(tree(child, size).parent, Some(rank), "child {child} of {rank} among {size}");
                    }
                    if let Some(parent) = tree(rank, size).parent {
                        assert!(tree(parent, size).children.contains(&rank), "{rank} under {parent} among {size}");
                    }
                }
            }
        }
    }

    /// A subtree is the rank itself and its children's subtrees.
    #[test]
    fn subtrees_add_up() {
        for size in 1..70 {
            for rank in 0..size {
                let below: u32 = in_order_binomial(rank, size).children.into_iter().map(|c| subtree(c, size)).sum();
                assert_eq!(subtree(rank, size), 1 + below, "{rank} among {size}");
            }
        }
    }

    /// In the in-order binary tree, whose root is the last rank, a rank comes after all ranks below it, and each subtree
    /// is made of consecutive ranks.
    #[test]
    fn the_binary_tree_in_order_keeps_it() {
        fn below(rank: u32, size: u32) -> Vec<u32> {
            let mut ranks = vec![rank];
            for child in in_order_binary(rank, size).children {
                assert_eq!(in_order_binary(child, size).parent, Some(rank), "child {child} of {rank} among {size}");
                ranks.extend(below(child, size));
            }
            ranks.sort_unstable();
            assert_eq!(ranks.last(), Some(&rank), "{rank} among {size}");
            assert!(ranks.windows(2).all(|pair| pair[0] + 1 == pair[1]), "below {rank} among {size}: {ranks:?}");
            ranks
        }
        for size in 1..130 {
            assert_eq!(below(size - 1, size), (0..size).collect::<Vec<_>>());
        }
        assert_eq!([8, 7, 3].map(|rank| in_order_binary(rank, 9).children), [[7, 3], [6, 5], [2, 1]]);
    }

    /// Ranks of a tree of base 4, by hand: 4 and 8 have a digit set, 5 and 9 are their children.
    #[test]
    fn a_tree_of_base_4() {
        assert_eq!(knomial(0, 10).children, [4, 8, 1, 2, 3]);
        assert_eq!(knomial(4, 10).children, [5, 6, 7]);
        assert_eq!(knomial(8, 10).children, [9]);
        assert_eq!(knomial(16, 64).children, [20, 24, 28, 17, 18, 19]);
    }

    #[test]
    fn binary_halves_are_odd_and_even() {
        assert_eq!(binary(0, 7).children, [1, 2]);
        assert_eq!(binary(1, 7).children, [3, 5]);
        assert_eq!(binary(2, 7).children, [4, 6]);
    }
}
