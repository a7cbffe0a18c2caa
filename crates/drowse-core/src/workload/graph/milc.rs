//! MILC: lattice QCD on a periodic four-dimensional grid, by conjugate gradients with the Kogut-Susskind action and
//! Naik's term (Bernard et al. 2000, the version of Totoni et al. 2014).
//!
//! One iteration applies the operator twice, from even to odd sites and back. Each time, a rank sends to its neighbour
//! in each of eight directions the vectors of the sites of one parity: those at the face (for links of length 1), and
//! those up to three layers deep (for links of length 3). Each iteration ends with sums over all ranks, which Totoni et
//! al. 2014 leave out.

use super::error::{GraphError, check};
use super::flow::{Communication, DOUBLE, Flow, collective};
use super::stencil::{check_dims, neighbours};
use crate::model::units::Time;
use crate::workload::operation::Collective;

/// Three complex numbers of double precision.
const VECTOR: u64 = 48;

/// A grid of ranks, each with a partition of the lattice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Milc {
    dims: Vec<u32>,
    local: [u32; 4],
    sums: u32,
}

impl Milc {
    /// Makes a four-dimensional grid. `local` is the number of sites per rank in each dimension, `sums` the number of
    /// sums over all ranks in an iteration.
    pub fn new(dims: Vec<u32>, local: [u32; 4], sums: u32) -> Result<Self, GraphError> {
        check_dims(&dims)?;
        if dims.len() != 4 {
            let reason = "write four numbers of ranks, such as [8, 8, 8, 8]".into();
            return Err(GraphError { key: "dims", value: format!("{dims:?}"), reason });
        }
        if local.iter().any(|sites| !(4..=1024).contains(sites) || sites % 2 == 1) {
            // Links of length 3 must end at the next rank, and every rank must have equally many even and odd sites.
            let reason = "write four even numbers of sites, from 4 to 1024".into();
            return Err(GraphError { key: "local", value: format!("{local:?}"), reason });
        }
        check("sums", sums, 0..=1000)?;
        Ok(Milc { dims, local, sums })
    }
}

impl Communication for Milc {
    fn ranks(&self) -> u32 {
        self.dims.iter().product()
    }

    fn flows(&self, rank: u32, visit: &mut dyn FnMut(Flow)) {
        let sites: u64 = self.local.iter().map(|&sites| u64::from(sites)).product();
        neighbours(&self.dims, true, rank, |d, to| {
            let half_face = sites / u64::from(self.local[d]) / 2;
            visit(Flow { to, messages: 2, bytes: half_face * VECTOR });
            visit(Flow { to, messages: 2, bytes: 3 * half_face * VECTOR });
        });
        for _ in 0..self.sums {
            let sum = Collective::Allreduce { bytes: DOUBLE, count: 1, compute: Time::ZERO };
            collective(&sum, rank, self.ranks(), visit);
        }
    }
}
