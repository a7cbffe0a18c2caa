//! Chained programs: ranks take steps in order, and messages wait for those before them.
//!
//! The programs are those of Navaridas, Miguel-Alonso and Ridruejo (2008), which Navaridas et al. 2010 run on thin
//! trees, as their generators write them; benchmarks and codes that Andújar et al. 2019 and Totoni et al. 2014 run;
//! HPCG, LULESH, Sweep3D and MapReduce; and the training and the serving of transformers. In most, sends and receives
//! block, so each rank has one message on its way at a time, or hands all to its NIC where sends complete at once. When a
//! rank computes in an iteration is a program's own; those of Navaridas et al. compute before all else, but for
//! wavefronts and bodies.
//!
//! What a rank does in a step follows from the numbers of both, so programs of any length need no memory. Each program
//! tells in closed form how many messages and bytes an iteration has.
//!
//! To add a program: its file that implements `Program` and `Steps`, and a line in `chains!`.

mod all_to_all;
mod binary_tree;
mod butterfly;
mod graph500;
mod graph500_edges;
mod gromacs;
mod halo;
mod hpcg;
mod inference;
mod isam;
mod linpack;
mod lulesh;
mod mapreduce;
mod mesh;
mod n_bodies;
mod namd;
mod npb;
mod one_and_all;
mod other;
mod ping_pong;
mod random_access;
mod steps;
mod sweep3d;
mod transformer;
mod wavefront;
mod waves;

use crate::model::units::Time;
pub use all_to_all::{AllToAll, Order};
pub use binary_tree::BinaryTree;
pub use butterfly::Butterfly;
pub use graph500::Graph500;
pub use gromacs::{Cube, Gromacs};
pub use hpcg::Hpcg;
pub use inference::{Inference, Lengths, Pool, Serving, Speed};
pub use isam::Isam;
pub use linpack::Linpack;
pub use lulesh::Lulesh;
pub use mapreduce::{Job, Keys, MapReduce, Popularity};
pub use mesh::Mesh;
pub use n_bodies::NBodies;
pub use namd::{Molecules, Namd};
pub use npb::{Benchmark, Npb, Part};
pub use one_and_all::{OneAndAll, Way};
pub use other::OtherProgram;
pub use ping_pong::PingPong;
pub use random_access::RandomAccess;
pub use steps::{Program, Steps, Writer};
pub use sweep3d::{Cells, Sweep3d};
pub use transformer::{Batch, Model, Parallelism, Published, Sharding, Sums, Training, Transformer};
pub use wavefront::Wavefront;
pub use waves::Waves;

/// Defines the programs.
macro_rules! chains {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// A chained program.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Chain {
            $($(#[$doc])* $name($name),)*
            /// A program of another crate.
            Other(OtherProgram),
        }

        impl Chain {
            fn member(&self) -> &dyn Program {
                match self {
                    $(Chain::$name(program) => program,)*
                    Chain::Other(OtherProgram(program)) => program.as_ref(),
                }
            }
        }

        $(impl From<$name> for Chain {
            fn from(program: $name) -> Self {
                Chain::$name(program)
            }
        })*
    };
}

chains! {
    /// Every rank sends to every other, one after the other, and then receives.
    AllToAll,
    /// A reduction over a binary tree.
    BinaryTree,
    /// Exchanges over doubling distances.
    Butterfly,
    /// Breadth-first searches of Graph500.
    Graph500,
    /// Molecular dynamics by GROMACS.
    Gromacs,
    /// HPCG: conjugate gradients with multigrid.
    Hpcg,
    /// The serving of a transformer.
    Inference,
    /// The climate model ISAM, which only computes.
    Isam,
    /// High Performance Linpack.
    Linpack,
    /// LULESH: shock hydrodynamics.
    Lulesh,
    /// MapReduce: mappers and reducers.
    MapReduce,
    /// Neighbours on an open grid or a torus.
    Mesh,
    /// Bodies that travel half way round a ring of ranks.
    NBodies,
    /// Molecular dynamics by NAMD.
    Namd,
    /// A program of the NAS Parallel Benchmarks.
    Npb,
    /// One rank sends to all others, or all others to it.
    OneAndAll,
    /// Messages there and back between two ranks.
    PingPong,
    /// MPI Random Access of HPC Challenge.
    RandomAccess,
    /// ASCI Sweep3D: sweeps from the eight corners of a grid of cells.
    Sweep3d,
    /// The training of a transformer.
    Transformer,
    /// A wavefront from one corner of a grid to the other.
    Wavefront,
    /// Random messages in waves.
    Waves,
}

impl Chain {
    /// Returns the number of ranks.
    pub fn ranks(&self) -> u32 {
        self.member().ranks()
    }

    /// Returns the number of messages of an iteration, in closed form.
    pub fn messages(&self) -> u64 {
        self.member().messages()
    }

    /// Returns the bytes that an iteration sends, in closed form.
    pub fn bytes(&self) -> u64 {
        self.member().bytes()
    }

    /// Returns the size of the largest message.
    pub fn largest(&self) -> u64 {
        self.member().largest()
    }

    /// Returns how often all ranks together compute in an iteration.
    pub(super) fn computations(&self) -> u64 {
        self.member().all_computations()
    }

    /// Returns the time that the rank that computes most does so in an iteration, if the program knows it.
    pub fn time(&self) -> Option<Time> {
        self.member().time()
    }

    /// Returns the number of waits and collectives of all ranks in an iteration.
    pub(super) fn calls(&self) -> u64 {
        self.member().calls()
    }

    /// Returns whether iterations are marked; set-up and verification are none.
    pub fn is_marked(&self) -> bool {
        self.member().is_marked()
    }

    /// Returns the groups of ranks that call collectives among themselves.
    pub(super) fn groups(&self) -> Vec<Vec<u32>> {
        self.member().groups()
    }

    /// Prepares the steps of all ranks.
    pub(super) fn steps(&self) -> Box<dyn Steps> {
        self.member().prepare()
    }
}

#[cfg(test)]
mod codes_tests;
#[cfg(test)]
mod models_tests;
#[cfg(test)]
mod tests;
