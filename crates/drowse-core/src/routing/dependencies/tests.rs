//! Routings that the simulator does not have, and what is said of them.

use super::*;
use crate::routing::{Candidates, Destination, PortGroup};
use crate::topology::{PerDimension, TopologySpec, Torus};

fn mesh(dims: &[u32]) -> Network {
    let mesh = Torus::new(dims.to_vec(), PerDimension::All(1), 1);
    TopologySpec::Mesh(mesh).build().expect("a mesh")
}

/// Routes from a switch to another by a function: the neighbours to take on adaptive channels (0), and on the escape
/// (1).
struct By<'a, F>(&'a Network, F);

impl<F: Fn(u32, u32) -> (Vec<u32>, Option<u32>)> Rules for By<'_, F> {
    fn destinations(&self) -> Vec<Destination> {
        (0..self.0.switches()).map(|switch| Destination { switch, output: 0 }).collect()
    }

    fn bubble(&self) -> u8 {
        0
    }

    fn candidates(&self, at: u32, to: Destination, _crossed: u16, found: &mut Candidates) {
        let trunks = Trunks::new(self.0);
        let outputs = |neighbour: u32, vcs| {
            let trunk = trunks.of_switch(at).find(|&trunk| trunks.leads_to[trunk as usize] == neighbour);
            let port = trunks.first_port[trunk.expect("a neighbour") as usize];
            PortGroup { first: (port - self.0.first_port[at as usize]) as u16, count: 1, vcs }
        };
        let (adaptive, escape) = self.1(at, to.switch);
        found.adaptive_len = adaptive.len();
        adaptive.iter().zip(&mut found.adaptive).for_each(|(&neighbour, group)| *group = outputs(neighbour, 1));
        found.escape = escape.map_or(PortGroup { first: 0, count: 1, vcs: 0 }, |neighbour| outputs(neighbour, 2));
    }
}

fn verdict_of(network: &Network, route: impl Fn(u32, u32) -> (Vec<u32>, Option<u32>)) -> Verdict {
    let followed = in_order(network, &Trunks::new(network), &By(network, route), 2).expect("a small network");
    followed.map_or_else(|verdict| verdict, |it| Verdict::Proven(it.proof))
}

/// The neighbour of `at` one nearer to `to` in dimension `d` of a mesh with `k` switches in the first.
fn towards(at: u32, to: u32, d: u32, k: u32) -> Option<u32> {
    let ([x, y], [goal_x, goal_y]) = ([at % k, at / k], [to % k, to / k]);
    let step = |from: u32, goal: u32, stride: u32| match from.cmp(&goal) {
        std::cmp::Ordering::Less => Some(at + stride),
        std::cmp::Ordering::Greater => Some(at - stride),
        std::cmp::Ordering::Equal => None,
    };
    if d == 0 { step(x, goal_x, 1) } else { step(y, goal_y, k) }
}

/// On a square of four switches, the dimension that packets take first decides: the same one everywhere is safe; where
/// it is x for some and y for others, so that all turn in the same direction, the four channels of the square wait in a
/// circle.
#[test]
fn turns_round_a_square() {
    let square = mesh(&[2, 2]);
    let xy = verdict_of(&square, |at, to| (vec![], towards(at, to, 0, 2).or(towards(at, to, 1, 2))));
    // Eight channels; a packet that has gone in x may go in either direction in y, where there is a path: one.
    assert_eq!(xy, Verdict::Proven(Proof { channels: 8, dependencies: 4, longest: 2, bubbles: 0 }));
    let round = [1, 3, 0, 2];
    let turning = verdict_of(&square, |at, to| {
        let next = round[at as usize];
        let opposite = at + to == 3;
        (vec![], Some(if opposite { next } else { to }))
    });
    let Verdict::Circle(circle) = turning else { panic!("{turning:?}") };
    let mut switches: Vec<_> = circle.iter().map(|waiting| (waiting.switch, waiting.leads_to, waiting.vc)).collect();
    assert!(switches.windows(2).all(|pair| pair[0].1 == pair[1].0), "each asks for the next: {switches:?}");
    switches.sort_unstable();
    assert_eq!(switches, [(0, 1, 1), (1, 3, 1), (2, 0, 1), (3, 2, 1)]);
    for waiting in &circle {
        assert_eq!(waiting.switch + waiting.packets_to, 3, "who turns goes to the opposite corner");
    }
}

/// A circle that closes over adaptive channels only. On a mesh of 3 x 3, packets that turn at a corner may pass it on
/// adaptive channels; their escape leads through the middle. The escape channels before and behind the four corners do
/// not follow each other but over these adaptive ones.
#[test]
fn circles_over_adaptive_channels() {
    let square = mesh(&[3, 3]);
    let escape = |at: u32, to: u32| match (at, to) {
        (1, 5) | (5, 7) | (7, 3) | (3, 1) => Some(4),
        (2, 7) => Some(5),
        (6, 1) => Some(3),
        _ => towards(at, to, 0, 3).or(towards(at, to, 1, 3)),
    };
    let corners = [(1, 5, 2), (5, 7, 8), (7, 3, 6), (3, 1, 0)];
    let verdict_with = |corners: &[(u32, u32, u32)]| {
        let over =
            |at, to| corners.iter().filter(move |corner| (corner.0, corner.1) == (at, to)).map(|corner| corner.2);
        verdict_of(&square, |at, to| (over(at, to).collect(), escape(at, to)))
    };
    let Verdict::Circle(circle) = verdict_with(&corners) else { panic!("no circle") };
    for (from, to, packets_to) in [(2, 5, 7), (6, 3, 1)] {
        let held = |waiting: &Waiting| (waiting.switch, waiting.leads_to, waiting.packets_to) == (from, to, packets_to);
        assert!(circle.iter().any(held), "{from} to {to}: {circle:?}");
    }
    // Turns from x to y happen on escape channels, too; those from y to x on these corners' adaptive channels only.
    for left_out in [1, 3] {
        let others: Vec<_> = (0..4).filter(|&i| i != left_out).map(|i| corners[i]).collect();
        assert!(matches!(verdict_with(&others), Verdict::Proven(_)), "{others:?}");
    }
}

/// Packets without an escape, or led away, are told.
#[test]
fn packets_that_go_astray() {
    let line = mesh(&[3]);
    let none = verdict_of(&line, |at, to| (vec![], if (at, to) == (1, 2) { None } else { towards(at, to, 0, 3) }));
    assert_eq!(none, Verdict::Stray { at: 1, to: 2 });
    let back = verdict_of(&line, |at, to| {
        let nearer = towards(at, to, 0, 3);
        (if (at, to) == (1, 0) { vec![2] } else { vec![] }, nearer)
    });
    assert_eq!(back, Verdict::Stray { at: 1, to: 0 });
}
