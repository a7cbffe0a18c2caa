//! The NAS Parallel Benchmarks against plain models, which own every grid point and look at each. Sizes are those of
//! the benchmarks' reports.

use std::collections::BTreeMap;

use super::super::*;
use super::graphs::{Sent, sent_by_all, total};

const CLASSES: [Class; 7] = [Class::S, Class::W, Class::A, Class::B, Class::C, Class::D, Class::E];

/// Returns which of `count` partitions each of `length` points belongs to, in the order of points. The first
/// partitions have one more where the points do not divide evenly.
fn owners(length: u64, count: u32) -> Vec<u32> {
    let mut sizes = vec![0u64; count as usize];
    (0..length).for_each(|point| sizes[(point % u64::from(count)) as usize] += 1);
    (0..count).flat_map(|owner| std::iter::repeat_n(owner, sizes[owner as usize] as usize)).collect()
}

/// Returns the points of a partition, without the first and the last of all if `inner`.
fn points_of(owners: &[u32], owner: u32, inner: bool) -> u64 {
    let boundary = |point: usize| point == 0 || point + 1 == owners.len();
    (0..owners.len()).filter(|&point| owners[point] == owner && !(inner && boundary(point))).count() as u64
}

fn add(sent: &mut Sent, from: u32, to: u32, bytes: u64, messages: u64) {
    if messages > 0 {
        *sent.entry((from, to, bytes)).or_default() += messages;
    }
}

/// The rows of the matrix are divided among rows of ranks. Partners within a row differ in one binary digit of their
/// column. Where there are two columns per row, the ranks of an even and the next odd column share their rows: the
/// first exchange sends each what is its own, and the larger part is the even column's.
#[test]
fn cg_by_ownership() {
    let orders = [1_400, 7_000, 14_000, 75_000, 150_000, 1_500_000, 9_000_000];
    for (class, order) in CLASSES.into_iter().zip(orders).filter(|&(_, order)| order < 10_000) {
        for exponent in 0..9u32 {
            let (rows, columns) = (1u32 << (exponent / 2), 1u32 << exponent.div_ceil(2));
            let owners = owners(order, rows);
            let mut expected = Sent::new();
            for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
                let rank = row * columns + column;
                let all = points_of(&owners, row, false);
                let (own, others) = match (rows == columns, column % 2) {
                    (true, _) => (all, all),
                    (false, 0) => (all - all / 2, all / 2),
                    (false, _) => (all / 2, all - all / 2),
                };
                for digit in 0..columns.ilog2() {
                    let partner = row * columns + (column ^ (1 << digit));
                    let sum = if digit == 0 { others } else { own };
                    add(&mut expected, rank, partner, 8 * sum, 26);
                    add(&mut expected, rank, partner, 8, 52);
                    add(&mut expected, rank, partner, 16, 1);
                }
                if columns > 1 {
                    let transposed = if rows == columns {
                        column * columns + row
                    } else {
                        column / 2 * columns + 2 * row + column % 2
                    };
                    add(&mut expected, rank, transposed, 8 * own, 26);
                }
            }
            assert_eq!(sent_by_all(&Cg::new(1 << exponent, class).unwrap()), expected, "{class:?} {exponent}");
        }
    }
    // Among as many rows as columns, a sum takes all elements of the row of blocks: 26 times 8 * order / rows bytes.
    for (class, order) in CLASSES.into_iter().zip(orders) {
        let sent = sent_by_all(&Cg::new(4, class).unwrap());
        assert_eq!(total(&sent).1, 4 * (26 * 8 * order / 2 * 2 + 52 * 8 + 16), "{class:?}");
    }
}

/// A face between neighbouring ranks of LU has a value per point and plane: five of each inner point of the ranks'
/// common edge for every inner plane, and two layers of every point.
#[test]
fn lu_by_ownership() {
    let sides = [12, 33, 64, 102, 162, 408, 1_020];
    for (class, points) in CLASSES.into_iter().zip(sides).filter(|&(_, points)| points < 200) {
        for exponent in 0..8u32 {
            let Ok(graph) = Lu::new(1 << exponent, class) else { continue };
            let (rows, columns) = (1u32 << exponent.div_ceil(2), 1u32 << (exponent / 2));
            let rank = |row: u32, column: u32| row + rows * column;
            let (by_row, by_column) = (owners(points, rows), owners(points, columns));
            let mut expected = Sent::new();
            for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
                let mut both_directions = |other: u32, owners: &[u32], owner: u32| {
                    for (from, to) in [(rank(row, column), other), (other, rank(row, column))] {
                        add(&mut expected, from, to, 5 * 8 * points_of(owners, owner, true), points - 2);
                        add(&mut expected, from, to, 2 * 5 * 8 * points_of(owners, owner, false) * points, 1);
                    }
                };
                if row + 1 < rows {
                    both_directions(rank(row + 1, column), &by_column, column);
                }
                if column + 1 < columns {
                    both_directions(rank(row, column + 1), &by_row, row);
                }
            }
            assert_eq!(sent_by_all(&graph), expected, "{class:?} {exponent}");
        }
    }
    // The program needs four points of each dimension at a rank.
    for (class, points) in CLASSES.into_iter().zip(sides) {
        let most = (points / 4u64).ilog2();
        assert!(Lu::new(1 << (2 * most), class).is_ok() && Lu::new(1 << (2 * most + 1), class).is_err(), "{class:?}");
    }
}

/// Every cell of BT and SP has one owner. Where two cells adjoin, their owners send each other two layers of five
/// values, all towards one side in one message. The solvers send the lines that pass from one slice into the next: in
/// SP those of inner points, in BT a buffer for the largest cell.
#[test]
fn multipartitions_by_ownership() {
    for (block, sides) in [(true, [12, 24, 64]), (false, [12, 36, 64])] {
        for (class, points) in CLASSES.into_iter().zip(sides) {
            let solver = if block { Solver::BlockTridiagonal } else { Solver::ScalarPentadiagonal };
            for q in 1..=(points / 3).min(7) as u32 {
                let graph = Multipartition::new(solver, q * q, class).unwrap();
                assert_eq!(sent_by_all(&graph), multipartition(block, points, q), "{solver:?} {class:?} {q}");
            }
        }
    }
    // Cells of at least three points.
    for solver in [Solver::BlockTridiagonal, Solver::ScalarPentadiagonal] {
        assert!(Multipartition::new(solver, 16, Class::S).is_ok());
        assert_eq!(Multipartition::new(solver, 25, Class::S).map_err(|refused| refused.key), Err("ranks"));
    }
}

fn multipartition(block: bool, points: u64, q: u32) -> Sent {
    // The cell at (a, b, c) belongs to the rank in column a - c and row b + c of a torus.
    let owner = |[a, b, c]: [u32; 3]| (a + q - c) % q + (b + c) % q * q;
    let cut = owners(points, q);
    let mut expected = Sent::new();
    // Per axis, sender and direction: the receiver and the bytes of all faces.
    let mut faces = BTreeMap::<(usize, u32, bool), (u32, u64)>::new();
    for cell in (0..q * q * q).map(|i| [i % q, i / q % q, i / q / q]) {
        for axis in (0..3).filter(|&axis| cell[axis] + 1 < q) {
            let mut next = cell;
            next[axis] += 1;
            let area = |inner| (0..3).filter(|&other| other != axis).map(|d| points_of(&cut, cell[d], inner)).product();
            let (here, there, face, inner): (_, _, u64, u64) = (owner(cell), owner(next), area(false), area(true));
            for (key, to) in [((axis, here, true), there), ((axis, there, false), here)] {
                let sum = faces.entry(key).or_insert((to, 0));
                assert_eq!(sum.0, to, "a direction has one neighbour");
                sum.1 += 2 * 5 * 8 * face;
            }
            let largest = (points / u64::from(q) + 1) * (points / u64::from(q) + 1);
            let (forward, backward) = if block { (30 * largest, 5 * largest) } else { (22 * inner, 10 * inner) };
            add(&mut expected, here, there, 8 * forward, 1);
            add(&mut expected, there, here, 8 * backward, 1);
        }
    }
    for ((_, from, _), (to, bytes)) in faces {
        add(&mut expected, from, to, bytes, 1);
    }
    expected
}

/// On a grid of MG, a rank exchanges with the nearest ranks that have points, and is idle if it has none. Before a
/// finer grid is entered, a rank with a point of the coarser one sends its faces to neighbours that have none.
#[test]
fn mg_by_ownership() {
    for (class, levels) in [(Class::S, 5u32), (Class::W, 7), (Class::E, 11)] {
        for exponent in 0..10 {
            let graph = Mg::new(1 << exponent, class).unwrap();
            assert_eq!(sent_by_all(&graph), multigrid(levels, exponent), "{class:?} {exponent}");
        }
    }
    // Every rank has a point of the finest grid.
    assert!(Mg::new(1 << 15, Class::S).is_ok() && Mg::new(1 << 16, Class::S).is_err());
}

fn multigrid(levels: u32, exponent: u32) -> Sent {
    let digits = [exponent / 3, (exponent + 1) / 3, exponent.div_ceil(3)];
    let sizes = digits.map(|digits| 1u32 << digits);
    let rank_at = |at: [u32; 3]| at[0] + sizes[0] * (at[1] + sizes[1] * at[2]);
    // A rank's points of a grid in a dimension. Where there are fewer points than ranks, the last rank of a group has
    // the point.
    let owned = |axis: usize, at: u32, level: u32| match level.checked_sub(digits[axis]) {
        Some(more) => 1u64 << more,
        None => u64::from((at + 1).is_multiple_of(1 << (digits[axis] - level))),
    };
    let mut expected = Sent::new();
    for at in (0..1u32 << exponent).map(|r| [r % sizes[0], r / sizes[0] % sizes[1], r / sizes[0] / sizes[1]]) {
        let rank = rank_at(at);
        let moved = |axis: usize, to: u32| {
            let mut other = at;
            other[axis] = to;
            rank_at(other)
        };
        for level in 1..=levels {
            // The nearest ranks below and above with points of a grid.
            let nearest = |axis: usize| {
                let (size, has) = (sizes[axis], |&to: &u32| owned(axis, to, level) > 0);
                let below = (1..=size).map(|step| (at[axis] + size - step) % size).find(has).unwrap();
                let above = (1..=size).map(|step| (at[axis] + step) % size).find(has).unwrap();
                [moved(axis, below), moved(axis, above)]
            };
            let with_halo = [0, 1, 2].map(|axis| owned(axis, at[axis], level) + 2);
            if !with_halo.contains(&2) {
                let [x, y, z] = with_halo;
                let times = if level == 1 { 2 } else { 3 };
                for (axis, face) in [(y - 2) * (z - 2), x * (z - 2), x * y].into_iter().enumerate() {
                    nearest(axis).into_iter().for_each(|to| add(&mut expected, rank, to, 8 * face, times));
                }
            }
            for axis in 0..3 {
                // Here a rank with a point of the next coarser grid has neighbours without one.
                let spare = level > 1 && level <= digits[axis] && owned(axis, at[axis], level - 1) > 0;
                if spare {
                    let face: u64 = (0..3).filter(|&other| other != axis).map(|other| with_halo[other]).product();
                    let [below, above] = nearest(axis);
                    add(&mut expected, rank, below, 8 * face, 1);
                    add(&mut expected, rank, above, 8 * 2 * face, 1);
                }
            }
        }
    }
    expected
}

/// Every rank of FT holds points / ranks complex numbers and sends an equal part of them to every member of its row,
/// and again of its column if there are more ranks than planes. Ranks of a row are consecutive.
#[test]
fn ft_by_parts() {
    let sides = [[64, 64, 64], [128, 128, 32], [256, 256, 128], [512, 256, 256], [512, 512, 512]];
    for (class, sides) in CLASSES.into_iter().zip(sides) {
        let (points, planes): (u64, u64) = (sides.iter().product(), sides[2]);
        for exponent in 0..=9 {
            let (ranks, mut expected) = (1u32 << exponent, Sent::new());
            let rows = if u64::from(ranks) > planes { planes as u32 } else { 1 };
            let columns = ranks / rows;
            let part = |members: u32| 16 * points / u64::from(ranks) / u64::from(members);
            for from in 0..ranks {
                // The checksum goes up a binomial tree: to the rank without the last digit set.
                if from > 0 {
                    let to = if ranks < 8 { 0 } else { from & (from - 1) };
                    add(&mut expected, from, to, 16, 1);
                }
                for to in (0..ranks).filter(|&to| to != from) {
                    let (same_row, same_column) = (from / columns == to / columns, from % columns == to % columns);
                    add(&mut expected, from, to, part(columns), u64::from(same_row && part(columns) >= 200));
                    add(&mut expected, from, to, part(rows), u64::from(same_column && part(rows) >= 200));
                }
                // Parts of less than 200 bytes travel by the binary digits of their distance, half of all per digit.
                for digit in 0..if part(rows) < 200 { rows.ilog2() } else { 0 } {
                    let to = (from / columns + (1 << digit)) % rows * columns + from % columns;
                    add(&mut expected, from, to, u64::from(rows / 2) * part(rows), 1);
                }
            }
            assert_eq!(sent_by_all(&Ft::new(ranks, class).unwrap()), expected, "{class:?} {ranks}");
        }
        // A plane's lines can be divided among no more ranks than there are.
        let most = (sides[1] * sides[2]) as u32;
        assert!(Ft::new(most, class).is_ok() && Ft::new(2 * most, class).is_err(), "{class:?}");
    }
}

/// IS has 2^16, 2^20, ... keys. Every rank sends an equal number to each, and at most 1,024 ranks have a bucket each.
#[test]
fn is_by_parts() {
    for (class, exponent) in CLASSES.into_iter().zip([16, 20, 23, 25, 27, 29]) {
        let graph = |ranks| Is::new(ranks, class).unwrap();
        assert_eq!(graph(32).to_all(), Some((1 << exponent) * 4 / 32 / 32));
        assert_eq!(graph(1024).to_all(), Some((1 << exponent) * 4 / 1024 / 1024));
        assert_eq!(Is::new(2048, class).map_err(|refused| refused.key), Err("ranks"));
    }
}
