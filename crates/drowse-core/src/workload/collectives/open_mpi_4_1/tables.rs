//! The tables of Open MPI 4.1, read from `coll_tuned_decision_fixed.c` of version 4.1.6, the same as in
//! 4.1.0. Its numbers of algorithms are translated: a pipeline and a chain without fan-out are chains, a segmented ring
//! without segments is a ring, an exchange of all at once without a limit is linear, and an exchange of two ranks is an
//! algorithm with one exchange.

use crate::workload::algorithms::{
    Allgather, Allreduce, Alltoall, Alltoallv, Barrier, Bcast, Gather, Reduce, ReduceScatter, Scatter,
};

/// Choices, each up to a bound that it does not contain, ascending.
pub(super) type Row<T> = &'static [(u64, T)];

/// Rows, each up to a number of ranks that it does not contain, ascending.
pub(super) type Table<T> = &'static [(u64, Row<T>)];

/// The bound of what is left.
pub(super) const REST: u64 = u64::MAX;

/// The choices of broadcasts, by bytes.
#[rustfmt::skip]
pub(super) const BCAST: Table<Bcast> = {
    use Bcast::{Binary, Binomial, Chain, Knomial, LinearNonblocking, ScatterAllgather, SplitBinary};
    &[
        (4, &[(32, Chain), (256, Binary), (512, Chain), (1_024, Knomial), (32_768, LinearNonblocking),
            (131_072, Binary), (262_144, Chain), (524_288, LinearNonblocking), (1_048_576, Binomial),
            (REST, Binary)]),
        (8, &[(64, Binary), (128, Binomial), (2_048, Binary), (8_192, Binomial),
            (1_048_576, LinearNonblocking), (REST, Chain)]),
        (16, &[(8, Knomial), (64, Binary), (4_096, Knomial), (16_384, Binary), (32_768, Binomial),
            (REST, LinearNonblocking)]),
        (32, &[(4_096, Knomial), (1_048_576, Binomial), (REST, ScatterAllgather)]),
        (64, &[(2_048, Binomial), (REST, Knomial)]),
        (128, &[(REST, Knomial)]),
        (256, &[(2, Binomial), (16_384, Binary), (32_768, LinearNonblocking), (65_536, Binary),
            (REST, Knomial)]),
        (1_024, &[(16_384, Knomial), (32_768, SplitBinary), (REST, Knomial)]),
        (2_048, &[(524_288, Knomial), (REST, ScatterAllgather)]),
        (4_096, &[(262_144, Knomial), (REST, ScatterAllgather)]),
        (REST, &[(8_192, Knomial), (16_384, Binary), (262_144, Knomial), (REST, ScatterAllgather)]),
    ]
};

/// The choices of reductions, by bytes.
#[rustfmt::skip]
pub(super) const REDUCE: Table<Reduce> = {
    use Reduce::{Binary, Binomial, Chain, InOrderBinary, Linear, Rabenseifner};
    &[
        (4, &[(8, Rabenseifner), (16, Binary), (32, Chain), (262_144, Linear), (REST, Chain)]),
        (8, &[(4_096, Binary), (65_536, Chain), (262_144, Binomial), (524_288, Linear), (1_048_576, Binomial),
            (REST, Linear)]),
        (16, &[(8_192, Binary), (REST, Binomial)]),
        (32, &[(4_096, Binary), (REST, Binomial)]),
        (256, &[(REST, Binomial)]),
        (512, &[(8_192, Binomial), (16_384, InOrderBinary), (REST, Binomial)]),
        (2_048, &[(REST, Binomial)]),
        (4_096, &[(512, Binomial), (1_024, InOrderBinary), (8_192, Binomial), (16_384, InOrderBinary),
            (REST, Binomial)]),
        (REST, &[(16, Binomial), (32, InOrderBinary), (1_024, Binomial), (2_048, InOrderBinary),
            (8_192, Binomial), (16_384, InOrderBinary), (REST, Binomial)]),
    ]
};

/// The choices of reductions to all, by bytes.
#[rustfmt::skip]
pub(super) const ALLREDUCE: Table<Allreduce> = {
    use Allreduce::{RabenseifnerDoubling, RecursiveDoubling, ReduceBcast, Ring};
    &[
        (4, &[(8, Ring), (4_096, RecursiveDoubling), (8_192, Ring), (16_384, RecursiveDoubling),
            (262_144, Ring), (REST, RabenseifnerDoubling)]),
        (8, &[(16, Ring), (8_192, RecursiveDoubling), (REST, RabenseifnerDoubling)]),
        (16, &[(8_192, RecursiveDoubling), (REST, RabenseifnerDoubling)]),
        (32, &[(64, Ring), (4_096, RecursiveDoubling), (REST, RabenseifnerDoubling)]),
        (64, &[(128, Ring), (REST, RabenseifnerDoubling)]),
        (128, &[(262_144, RecursiveDoubling), (REST, RabenseifnerDoubling)]),
        (256, &[(131_072, ReduceBcast), (262_144, RecursiveDoubling), (REST, RabenseifnerDoubling)]),
        (512, &[(4_096, ReduceBcast), (REST, RabenseifnerDoubling)]),
        (2_048, &[(2_048, ReduceBcast), (16_384, RecursiveDoubling), (REST, RabenseifnerDoubling)]),
        (4_096, &[(2_048, ReduceBcast), (4_096, Ring), (16_384, RecursiveDoubling),
            (REST, RabenseifnerDoubling)]),
        (REST, &[(2_048, ReduceBcast), (16_384, Ring), (32_768, RecursiveDoubling),
            (REST, RabenseifnerDoubling)]),
    ]
};

/// The choices of gathers, by the bytes of a block.
#[rustfmt::skip]
pub(super) const GATHER: Table<Gather> = {
    use Gather::{Binomial, Linear, LinearSync};
    &[
        (4, &[(2, LinearSync), (4, Linear), (32_768, Binomial), (65_536, Linear), (131_072, Binomial),
            (REST, LinearSync)]),
        (8, &[(1_024, Binomial), (8_192, Linear), (32_768, Binomial), (262_144, Linear), (REST, LinearSync)]),
        (256, &[(REST, Binomial)]),
        (512, &[(2_048, Binomial), (8_192, Linear), (REST, Binomial)]),
        (REST, &[(REST, Binomial)]),
    ]
};

/// The choices of scatters, by the bytes of a block.
#[rustfmt::skip]
pub(super) const SCATTER: Table<Scatter> = {
    use Scatter::{BinomialLargestFirst, Linear, LinearNonblocking};
    &[
        (4, &[(2, LinearNonblocking), (131_072, Linear), (262_144, LinearNonblocking), (REST, Linear)]),
        (8, &[(2_048, BinomialLargestFirst), (4_096, Linear), (8_192, BinomialLargestFirst), (32_768, Linear),
            (1_048_576, LinearNonblocking), (REST, Linear)]),
        (16, &[(16_384, BinomialLargestFirst), (1_048_576, LinearNonblocking), (REST, Linear)]),
        (32, &[(16_384, BinomialLargestFirst), (32_768, Linear), (REST, LinearNonblocking)]),
        (64, &[(512, BinomialLargestFirst), (8_192, LinearNonblocking), (16_384, BinomialLargestFirst),
            (REST, LinearNonblocking)]),
        (REST, &[(512, BinomialLargestFirst), (REST, LinearNonblocking)]),
    ]
};

/// The choices of allgathers, by the bytes of a block.
#[rustfmt::skip]
pub(super) const ALLGATHER: Table<Allgather> = {
    use Allgather::{Bruck, NeighbourExchange, RecursiveDoubling, Ring};
    &[
        (32, &[(REST, RecursiveDoubling)]),
        (64, &[(1_024, RecursiveDoubling), (65_536, NeighbourExchange), (REST, Ring)]),
        (128, &[(512, RecursiveDoubling), (65_536, NeighbourExchange), (REST, Ring)]),
        (256, &[(512, RecursiveDoubling), (131_072, NeighbourExchange), (524_288, Ring),
            (1_048_576, NeighbourExchange), (REST, Ring)]),
        (512, &[(32, RecursiveDoubling), (128, Bruck), (1_024, RecursiveDoubling),
            (131_072, NeighbourExchange), (524_288, Ring), (1_048_576, NeighbourExchange), (REST, Ring)]),
        (1_024, &[(64, RecursiveDoubling), (256, Bruck), (2_048, RecursiveDoubling),
            (REST, NeighbourExchange)]),
        (2_048, &[(4, RecursiveDoubling), (8, Bruck), (16, RecursiveDoubling), (32, Bruck),
            (256, RecursiveDoubling), (512, Bruck), (4_096, RecursiveDoubling), (REST, NeighbourExchange)]),
        (4_096, &[(32, Bruck), (128, RecursiveDoubling), (512, Bruck), (4_096, RecursiveDoubling),
            (REST, NeighbourExchange)]),
        (REST, &[(2, RecursiveDoubling), (8, Bruck), (16, RecursiveDoubling), (512, Bruck),
            (4_096, RecursiveDoubling), (REST, NeighbourExchange)]),
    ]
};

/// The choices of allgathers of blocks of several sizes, by the mean bytes of a block.
#[rustfmt::skip]
pub(super) const ALLGATHERV: Table<Allgather> = {
    use Allgather::{Bruck, GatherBcast, NeighbourExchange, Ring};
    &[
        (3, &[(REST, Ring)]),
        (8, &[(256, GatherBcast), (4_096, NeighbourExchange), (8_192, Ring), (16_384, NeighbourExchange),
            (262_144, Bruck), (REST, NeighbourExchange)]),
        (16, &[(1_024, GatherBcast), (REST, Bruck)]),
        (32, &[(128, GatherBcast), (262_144, Bruck), (REST, Ring)]),
        (64, &[(256, GatherBcast), (8_192, Bruck), (REST, Ring)]),
        (128, &[(256, GatherBcast), (4_096, Bruck), (REST, Ring)]),
        (256, &[(1_024, Bruck), (65_536, NeighbourExchange), (REST, Ring)]),
        (512, &[(1_024, Bruck), (REST, Ring)]),
        (1_024, &[(512, Bruck), (1_024, GatherBcast), (4_096, Bruck), (1_048_576, NeighbourExchange),
            (REST, Ring)]),
        (REST, &[(4_096, Bruck), (REST, NeighbourExchange)]),
    ]
};

/// The choices of alltoalls, by the bytes of a block.
#[rustfmt::skip]
pub(super) const ALLTOALL: Table<Alltoall> = {
    use Alltoall::{Bruck, Linear, Pairwise};
    &[
        (3, &[(32_768, Pairwise), (262_144, Linear), (REST, Pairwise)]),
        (8, &[(524_288, Linear), (1_048_576, Pairwise), (REST, Linear)]),
        (16, &[(REST, Linear)]),
        (32, &[(4, Linear), (512, Bruck), (REST, Linear)]),
        (64, &[(512, Bruck), (REST, Linear)]),
        (256, &[(1_024, Bruck), (262_144, Linear), (REST, Pairwise)]),
        (512, &[(1_024, Bruck), (32_768, Linear), (REST, Pairwise)]),
        (1_024, &[(512, Bruck), (262_144, Linear), (REST, Pairwise)]),
        (2_048, &[(512, Bruck), (REST, Linear)]),
        (4_096, &[(1_024, Bruck), (REST, Linear)]),
        (REST, &[(2_048, Bruck), (REST, Linear)]),
    ]
};

/// The choices of alltoalls of blocks of several sizes, by ranks.
#[rustfmt::skip]
pub(super) const ALLTOALLV: Row<Alltoallv> = {
    use Alltoallv::{Linear, Pairwise};
    &[
        (4, Pairwise), (64, Linear), (128, Pairwise), (256, Linear), (1_024, Pairwise), (REST, Linear),
    ]
};

/// The choices of barriers, by ranks.
#[rustfmt::skip]
pub(super) const BARRIER: Row<Barrier> = {
    use Barrier::{Dissemination, FoldedDoubling, Linear, Tree};
    &[
        (4, FoldedDoubling), (8, Linear), (64, FoldedDoubling), (256, Dissemination), (512, Tree),
            (1_024, Dissemination), (4_096, Tree), (REST, Dissemination),
    ]
};

/// The choices of reduce-scatters, by the bytes of all blocks.
#[rustfmt::skip]
pub(super) const REDUCE_SCATTER: Table<ReduceScatter> = {
    use ReduceScatter::{Butterfly, RecursiveHalving, ReduceScatterv, Ring};
    &[
        (4, &[(65_536, Ring), (131_072, Butterfly), (REST, Ring)]),
        (8, &[(8, ReduceScatterv), (262_144, RecursiveHalving), (REST, Ring)]),
        (32, &[(262_144, RecursiveHalving), (REST, Ring)]),
        (64, &[(64, ReduceScatterv), (2_048, RecursiveHalving), (524_288, Butterfly), (REST, Ring)]),
        (128, &[(256, ReduceScatterv), (512, RecursiveHalving), (2_048, Butterfly), (4_096, RecursiveHalving),
            (REST, Butterfly)]),
        (256, &[(256, ReduceScatterv), (512, RecursiveHalving), (REST, Butterfly)]),
        (512, &[(256, ReduceScatterv), (1_024, RecursiveHalving), (REST, Butterfly)]),
        (1_024, &[(512, ReduceScatterv), (2_048, RecursiveHalving), (8_192, Butterfly),
            (16_384, RecursiveHalving), (REST, Butterfly)]),
        (2_048, &[(512, ReduceScatterv), (4_096, RecursiveHalving), (16_384, Butterfly),
            (32_768, RecursiveHalving), (REST, Butterfly)]),
        (4_096, &[(512, ReduceScatterv), (4_096, RecursiveHalving), (REST, Butterfly)]),
        (REST, &[(1_024, ReduceScatterv), (8_192, RecursiveHalving), (REST, Butterfly)]),
    ]
};
