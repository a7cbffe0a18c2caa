//! Random numbers: xoshiro256++ streams, one per (seed, purpose, entity), and draws with frozen test vectors.
//!
//! A stream per entity makes results independent of the order in which entities draw, and so of the number of threads.
//! Draws use integers and exact floating-point operations only: the same numbers on every machine.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// What a stream is drawn for; part of its seed, so that purposes do not share numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Times and destinations of open-loop traffic.
    Traffic = 1,
    /// The cores of a job's ranks.
    Placement = 2,
    /// The destinations of all nodes, under a random permutation.
    Permutation = 3,
    /// Routes of packets.
    Routing = 4,
    /// Choices of arbiters.
    Arbitration = 5,
    /// Links that fail.
    Failures = 6,
    /// The destinations of a random communication graph.
    Graph = 7,
    /// The links of a random topology.
    Topology = 8,
    /// Which of the jobs that fit starts.
    Scheduling = 9,
    /// The sender and receiver of messages in waves.
    Waves = 10,
    /// How long ranks compute.
    Computing = 11,
    /// The order in which buckets of updates are sent.
    Buckets = 12,
    /// The reducers of keys.
    Keys = 13,
    /// When requests come to a serving, and how long they are.
    Requests = 14,
    /// How long channels wait before they sleep.
    Timers = 15,
    /// Flows, and packets that are sprayed.
    Balancing = 16,
    /// Packets that are marked.
    Marking = 17,
}

/// An independent stream of random numbers.
#[derive(Clone, Debug)]
pub struct Stream(Xoshiro256PlusPlus);

impl Stream {
    /// Makes the stream of one entity.
    pub fn new(seed: u64, purpose: Purpose, entity: u32) -> Self {
        let mut state = mix(seed ^ mix(((purpose as u64) << 32) | u64::from(entity)));
        let mut bytes = [0; 32];
        for chunk in bytes.chunks_exact_mut(8) {
            state = mix(state);
            chunk.copy_from_slice(&state.to_le_bytes());
        }
        Stream(Xoshiro256PlusPlus::from_seed(bytes))
    }

    /// Draws 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Draws an integer below `bound`, each as likely (Lemire's method); `bound` is at least 1.
    pub fn below(&mut self, bound: u32) -> u32 {
        let bound = u64::from(bound);
        let mut product = (self.bits() >> 32) * bound;
        if (product as u32 as u64) < bound {
            let threshold = (1 << 32) % bound;
            while (product as u32 as u64) < threshold {
                product = (self.bits() >> 32) * bound;
            }
        }
        (product >> 32) as u32
    }

    /// Draws a number in [0, 1) with 53 random bits.
    pub fn unit(&mut self) -> f64 {
        unit(self.bits())
    }
}

/// Makes a number in [0, 1) of the upper 53 of 64 bits.
#[inline]
fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// Draws 64 bits for one occasion of one entity, without a state: the same whenever and however often it is asked.
pub fn draw(seed: u64, purpose: Purpose, entity: u32, occasion: u64) -> u64 {
    draw_of(entity_seed(seed, purpose, entity), occasion)
}

/// Returns what all draws of one entity share.
pub(crate) fn entity_seed(seed: u64, purpose: Purpose, entity: u32) -> u64 {
    mix(seed ^ mix(((purpose as u64) << 32) | u64::from(entity)))
}

/// Draws 64 bits for one occasion of the entity of a seed, as [`draw`] does.
#[inline]
pub(crate) fn draw_of(entity_seed: u64, occasion: u64) -> u64 {
    mix(entity_seed ^ occasion)
}

/// The finaliser of `SplitMix64`: spreads every input bit over the output.
#[inline]
pub(crate) fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Draws the number of Bernoulli trials until the first success, by a table of the distribution.
///
/// The table is made by multiplications and divisions only, the same on every machine; where it ends, the draw starts
/// again behind it, which is exact because the distribution has no memory. Where most draws would, how many tables of
/// trials fail is drawn first, by a table of its own: a draw takes the longer by the logarithm of what it gives.
#[derive(Clone, Debug)]
pub struct Geometric {
    /// Draws the table of trials in which the success is, where that comes first.
    tables: Option<Box<Geometric>>,
    /// Entry `k` is the probability of a success within `k + 1` trials: of all, or of those in which the success is.
    cumulative: Vec<f64>,
    /// Where to begin to look: for each of so many equal parts of [0, 1), the first entry that is not below all of it.
    guide: Vec<u16>,
}

/// [`Geometric`] tells 512 parts of [0, 1) apart at once.
const PART_BITS: u32 = 9;

impl Geometric {
    /// Prepares draws for a probability in (0, 1].
    pub fn new(probability: f64) -> Self {
        let mut cumulative = Vec::new();
        let mut failure = 1.0;
        while cumulative.len() < 4096 && failure > 1.0 / 64.0 {
            failure *= 1.0 - probability;
            cumulative.push(1.0 - failure);
        }
        let success = 1.0 - failure;
        let tables = (success < 0.5).then(|| {
            cumulative.iter_mut().for_each(|c| *c /= success);
            Box::new(Geometric::new(success))
        });
        let first_above = |part: u64| {
            let least = unit(part << (64 - PART_BITS));
            cumulative.partition_point(|&c| c <= least) as u16
        };
        Geometric { tables, guide: (0..1 << PART_BITS).map(first_above).collect(), cumulative }
    }

    /// Draws the number of trials, at least 1.
    pub fn draw(&self, stream: &mut Stream) -> u64 {
        let size = self.cumulative.len() as u64;
        let mut skipped = self.tables.as_ref().map_or(0, |tables| (tables.draw(stream) - 1) * size);
        loop {
            let bits = stream.bits();
            let from = usize::from(self.guide[(bits >> (64 - PART_BITS)) as usize]);
            match self.cumulative[from..].iter().position(|&c| c > unit(bits)) {
                Some(more) => return skipped + (from + more) as u64 + 1,
                None => skipped += size,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frozen: these numbers are part of the results' meaning; a change of any is a change of all published figures.
    /// They were computed by an independent implementation of the published algorithms.
    #[test]
    fn test_vectors() {
        let first = |entity| {
            let mut stream = Stream::new(1, Purpose::Traffic, entity);
            [stream.bits(), stream.bits(), stream.bits()]
        };
        assert_eq!(first(0), [10_616_267_630_455_712_124, 11_281_965_020_704_952_501, 7_976_777_178_398_135_966]);
        assert_eq!(first(1), [10_921_450_563_550_874_226, 11_414_507_399_694_120_601, 6_952_340_463_235_405_070]);
    }

    #[test]
    fn draws_below_a_bound_are_uniform() {
        let mut stream = Stream::new(7, Purpose::Traffic, 3);
        let mut counts = [0u32; 7];
        (0..70_000).for_each(|_| counts[stream.below(7) as usize] += 1);
        let chi2: f64 = counts.iter().map(|&c| (f64::from(c) - 1e4).powi(2) / 1e4).sum();
        assert!(chi2 < 22.5, "chi-squared {chi2} with 6 degrees of freedom; 22.5 is its 99.9th percentile");
    }

    /// Searches the whole tables.
    fn search(geometric: &Geometric, stream: &mut Stream) -> u64 {
        let size = geometric.cumulative.len();
        let mut trials = geometric.tables.as_ref().map_or(1, |tables| (search(tables, stream) - 1) * size as u64 + 1);
        loop {
            let u = stream.unit();
            let k = geometric.cumulative.partition_point(|&c| c <= u);
            trials += k as u64;
            if k < size {
                return trials;
            }
        }
    }

    /// The guide against a search of the whole tables: the same draws.
    #[test]
    fn geometric_draws_equal_those_of_a_plain_search() {
        for probability in [1.0, 0.9, 0.3, 0.05, 1e-3, 1e-4, 1e-6, 1e-9] {
            let geometric = Geometric::new(probability);
            let mut streams = [(); 2].map(|()| Stream::new(5, Purpose::Traffic, 2));
            for _ in 0..20_000 {
                let plain = search(&geometric, &mut streams[0]);
                assert_eq!(geometric.draw(&mut streams[1]), plain, "p {probability}");
            }
        }
    }

    /// How many draws are above a number, against the closed form: around the ends of tables, of tables of tables, and
    /// elsewhere.
    #[test]
    fn geometric_draws_have_the_right_distribution() {
        for trials in [20, 1_000, 6_000, 10_000, 1_000_000, 100_000_000] {
            let probability = 1.0 / trials as f64;
            let geometric = Geometric::new(probability);
            let mut stream = Stream::new(1, Purpose::Traffic, 11);
            let n = 100_000u32;
            let draws: Vec<u64> = (0..n).map(|_| geometric.draw(&mut stream)).collect();
            let quantiles = [1, 10, 50, 100, 200, 400].map(|percent| trials * percent / 100 + 1);
            let ends = [4_095, 4_096, 4_097, 4_096 * 4_096 - 1, 4_096 * 4_096, 4_096 * 4_096 + 1];
            for k in quantiles.into_iter().chain(ends) {
                let expected = (k as f64 * (-probability).ln_1p()).exp();
                let share = draws.iter().filter(|&&draw| draw > k).count() as f64 / f64::from(n);
                // Four and a half standard deviations, 72 times.
                let tolerance = 4.5 * (expected * (1.0 - expected) / f64::from(n)).sqrt() + 1.0 / f64::from(n);
                assert!((share - expected).abs() <= tolerance, "p {probability}, k {k}: {share}, not {expected}");
            }
        }
    }

    #[test]
    fn geometric_draws_have_the_right_mean() {
        for probability in [1.0, 0.5, 0.05, 1e-4, 1e-6, 1e-9] {
            let geometric = Geometric::new(probability);
            let mut stream = Stream::new(1, Purpose::Traffic, 9);
            let n = 100_000u32;
            let sum: u64 = (0..n).map(|_| geometric.draw(&mut stream)).sum();
            let mean = sum as f64 / f64::from(n);
            // Standard deviation of the mean: sqrt(1 - p) / p / sqrt(n); four of them.
            let tolerance = 4.0 * (1.0 - probability).sqrt() / probability / f64::from(n).sqrt() + 1e-12;
            assert!((mean - 1.0 / probability).abs() <= tolerance, "p {probability}: mean {mean}");
        }
    }
}
