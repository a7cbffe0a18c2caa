//! Confidence intervals of what the simulator draws hold the known mean as often as they say.

use drowse_core::model::rng::{Geometric, Purpose, Stream};
use drowse_tables::interval::Sample;

/// Gaps between messages of open-loop traffic are geometric: of a probability p the mean is 1 / p. For each of 10,000
/// seeds, an interval is made of a few sums of gaps, which are nearly normal, as Student's distribution asks for.
#[test]
fn of_10_000_seeds_about_95_in_100_hold_the_mean() {
    const GAPS: u32 = 32;
    let gaps = Geometric::new(0.05);
    for size in [3, 10, 30] {
        let covers = |seed: &u64| {
            let mut stream = Stream::new(*seed, Purpose::Traffic, 0);
            let sum = |_| (0..GAPS).map(|_| gaps.draw(&mut stream) as f64).sum::<f64>();
            let sample: Sample = (0..size).map(sum).collect();
            (sample.mean - f64::from(GAPS) / 0.05).abs() <= sample.half_width().unwrap()
        };
        let covered = (1..=10_000).filter(covers).count();
        assert!((9_300..=9_700).contains(&covered), "{covered} of 10,000 intervals of {size} numbers hold the mean");
    }
}
