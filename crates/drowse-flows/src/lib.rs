//! Rates of flows that share links.
//!
//! A flow takes a path over links, or is split over several. Its rate is the same on all of them. Rates share the
//! capacity of links fairly, in exact integers, and are a function of the set of flows: to the bit the same, whatever
//! the order in which flows came, their numbers, and what was solved anew.
//!
//! # By flow
//!
//! [`Fairness::Flow`] is weighted max-min fairness. Each flow is at its cap or has a bottleneck: a link that is full,
//! and on which no flow has more per weight. Progressive filling finds the rates: take the link with the least level,
//! which is the capacity left over the weight of its flows without a rate; give each of these its weight times the
//! level; subtract; repeat. A cap is a link that a flow has for itself. Levels are compared as fractions, all links of
//! one level are taken together, and a rate is rounded down to an integer. Rounding leaves less than one unit of each
//! flow, and only raises the levels still to come.
//!
//! # By port
//!
//! The arbiter of a link serves its input ports in turn. So flows that came over one link share one part, however many
//! they are, and inside this part the arbiters of the links before have done the same. Call the *guaranteed part* of a
//! flow on a link what it has if all flows on this link that are not stopped send as much as they can: the link divided
//! in equal parts among its input ports, each part among the ports of the link before it (of the flows that go on to
//! the divided link), back to the sources. A source is a port for each of its flows.
//!
//! It would be natural to ask for rates where each flow has a bottleneck at which its port has the greatest rate of all
//! ports, and it the greatest in its port. Such rates are not unique, so they are no definition. An example: a link of
//! capacity 3.2 has nine ports; one has a flow f and a second flow, the others have a flow g each. Each g also takes a
//! link of capacity 1 on which it shares its port with a further flow, while f, which takes all these links, too, comes
//! from another port. Then f = 0.4 with all g = 0.3, and f = 0.178 with all g = 0.356, both are such rates; which of
//! them holds would depend on who came first.
//!
//! [`Fairness::Port`] therefore is max-min fairness whose weights are guaranteed parts: the weight of a flow is the
//! least of its guaranteed parts on the links of its path (times its own weight). Weights follow from the set of flows
//! and the capacities alone, so rates are unique by the argument for max-min fairness, and an arrival changes weights
//! only on the links of its path. Where every flow of a link has its least part there, rates are these parts: halves at
//! each merge of a parking lot. What some flows do not use goes to the others on the link in proportion to their parts.
//! A weight is an integer: the part of a link that is as fast as the fastest was at first, in units of which it has
//! 720,720 x 2,048, rounded down but at least 1; times the flow's own weight, at most 2^32 - 1. A flow that is stopped
//! (its cap or a link of its path is zero) is no demand.
//!
//! # Local solves
//!
//! [`Rates::solve`] starts with the flows that changed, and those whose bottleneck did. It fills in their rates while
//! all others keep theirs. It then checks the links of the flows whose rate, level or bottleneck became another. Rates
//! that fulfil certain conditions on every link are the only solution (`check.rs` states them and why). The flows that
//! break one are solved anew, too, until none does: filling goes on from the lowest level that these can change. Rates
//! so found equal those of a full solve to the bit.

mod audit;
mod check;
mod fill;
mod level;
mod model;
mod ports;
mod rates;
mod solver;
mod traffic;

pub use model::{DENOMINATOR, Fairness, Hop, MAX_CAPACITY};
pub use rates::Rates;
