//! Programs without a trace: what ranks do in an iteration, each program a file, and iterations of them.
//!
//! A [`Phase`] repeats a program; an [`Application`] is phases in a row. What a rank does in a step follows from the
//! numbers of both, so programs of any length need no memory, and most tell in closed form how many messages and bytes an
//! iteration has. Iterations are marked. There is no barrier: only the receives order the ranks. Operations are computed
//! when a rank needs them, block by block ([`Iterate`]).
//!
//! A program is in one of two orders, or in both. In *phases*, all ranks compute, and then all messages of an iteration
//! are sent at once ([`Phased`], Totoni et al. 2014). In the order of the *program*, ranks take steps, and messages wait
//! for those before them ([`Steps`]). In most, sends and receives block, so each rank has one message on its way at a
//! time, or hands all to its NIC where sends complete at once. When a rank computes in an iteration is a program's own;
//! the patterns of Navaridas, Miguel-Alonso and Ridruejo (2008), which Navaridas et al. 2010 run on thin trees, compute
//! before all else, but for wavefronts and bodies.
//!
//! To add a program: its file, which has its keys, implements [`ProgramKeys`] and [`Program`], and [`Communication`]
//! where it is in phases; and a line in `KINDS` of the experiment.

mod all_to_all;
mod application;
mod binary_tree;
mod butterfly;
mod computing;
mod error;
mod flow;
mod graph500;
mod graph500_edges;
mod grid;
mod gromacs;
mod halo;
mod hpcg;
mod inference;
mod isam;
mod iterate;
mod keys;
mod linpack;
mod lulesh;
mod mapreduce;
mod milc;
mod n_bodies;
mod namd;
mod npb;
mod one_and_all;
mod pencil_fft;
mod permutation;
mod phased;
mod ping_pong;
mod program;
mod random;
mod random_access;
mod stencil;
mod sweep3d;
mod transformer;
mod wavefront;
mod waves;
mod writer;

pub use all_to_all::{AllToAll, AllToAllKeys, Destinations};
pub use application::{Application, Excess, Phase, TooMuch};
pub use binary_tree::BinaryTree;
pub use butterfly::Butterfly;
pub use computing::{Computing, Distribution, Share};
pub use error::ProgramError;
pub use flow::{Communication, Flow, sent};
pub use graph500::{Graph500, Graph500Keys};
pub use gromacs::{Cube, Gromacs, GromacsKeys};
pub use hpcg::{Hpcg, HpcgKeys};
pub use inference::{Inference, InferenceKeys, Lengths, Pool, Serving, Speed};
pub use isam::Isam;
pub use iterate::Iterate;
pub use keys::{Given, Order, Parts, ProgramKeys};
pub use linpack::{Linpack, LinpackKeys};
pub use lulesh::{Lulesh, LuleshKeys};
pub use mapreduce::{Job, Keys, MapReduce, MapReduceKeys, Popularity};
pub use milc::{Milc, MilcKeys};
pub use n_bodies::NBodies;
pub use namd::{Molecules, Namd, NamdKeys};
pub use npb::{Bt, Cg, Class, Ep, Ft, Is, Lu, Mg, Multipartition, Npb, NpbKeys, Part, Solver, Sp};
pub use one_and_all::{OneAndAll, OneAndAllKeys, Way};
pub use pencil_fft::{PencilFft, PencilFftKeys};
pub use permutation::{Permutation, PermutationKeys, Rule};
pub use phased::Phased;
pub use ping_pong::PingPong;
pub use program::{Program, Steps, Work};
pub use random::{Random, RandomKeys, Region};
pub use random_access::{RandomAccess, RandomAccessKeys};
pub use stencil::{Stencil, StencilKeys};
pub use sweep3d::{Cells, Sweep3d, Sweep3dKeys};
pub use transformer::{
    Batch, Model, ModelKeys, ModelProgramKeys, Parallelism, Published, Sharding, Sums, Training, Transformer,
    TransformerKeys,
};
pub use wavefront::{Wavefront, WavefrontKeys};
pub use waves::Waves;
pub use writer::Writer;

#[cfg(test)]
mod tests;
