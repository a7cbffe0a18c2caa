//! NPB FT: one three-dimensional Fourier transform and a checksum per iteration.
//!
//! If there are at least as many planes as ranks, each rank holds several planes, and one transposition exchanges
//! blocks between all ranks. More ranks form rows and columns, with a transposition in each.

use super::error::{GraphError, power_of_two};
use super::flow::{Communication, Flow, collective};
use super::npb::Class;
use crate::model::units::Time;
use crate::workload::operation::Collective;

/// The size of a complex number.
const COMPLEX: u64 = 16;

/// A cube over rows and columns of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ft {
    rows: u32,
    columns: u32,
    points: u64,
}

impl Ft {
    /// Makes the graph of a problem class.
    pub fn new(ranks: u32, class: Class) -> Result<Self, GraphError> {
        // Total points, planes, and lines per plane, as powers of two.
        let (points, planes, lines) =
            class.of([(18, 6, 6), (19, 5, 7), (23, 7, 8), (25, 8, 8), (27, 9, 9), (31, 10, 10), (35, 11, 11)]);
        let exponent = power_of_two(ranks, 1 << (planes + lines))?;
        let rows = if exponent > planes { 1 << planes } else { 1 };
        Ok(Ft { rows, columns: ranks / rows, points: 1 << points })
    }

    /// Exchanges blocks among the members of a row or column.
    fn transpose(&self, member: u32, size: u32, visit: &mut dyn FnMut(Flow), rank: impl Fn(u32) -> u32) {
        if size > 1 {
            let exchange = Collective::Alltoall { bytes: self.block(size) };
            collective(&exchange, member, size, &mut |flow| visit(Flow { to: rank(flow.to), ..flow }));
        }
    }

    /// Returns the rows and columns of ranks.
    pub(in crate::workload) fn layout(&self) -> [u32; 2] {
        [self.rows, self.columns]
    }

    /// Returns the bytes that a rank has for each member of a row or column.
    pub(in crate::workload) fn block(&self, size: u32) -> u64 {
        self.points * COMPLEX / u64::from(self.ranks()) / u64::from(size)
    }
}

impl Communication for Ft {
    fn ranks(&self) -> u32 {
        self.rows * self.columns
    }

    fn flows(&self, rank: u32, visit: &mut dyn FnMut(Flow)) {
        if self.to_all().is_none() {
            let (row, column) = (rank / self.columns, rank % self.columns);
            self.transpose(column, self.columns, visit, |other| row * self.columns + other);
            self.transpose(row, self.rows, visit, |other| other * self.columns + column);
        }
        let checksum = Collective::Reduce { root: 0, bytes: COMPLEX, count: 1, compute: Time::ZERO };
        collective(&checksum, rank, self.ranks(), visit);
    }

    /// With several planes per rank, blocks have at least 1 KiB in every class, so none travels through other ranks.
    fn to_all(&self) -> Option<u64> {
        Some(self.block(self.columns)).filter(|_| self.rows == 1 && self.columns > 1)
    }
}
