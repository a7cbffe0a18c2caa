//! Confidence intervals, against published quantiles, closed forms and samples by hand.

use drowse_tables::interval::{Sample, quantile};

/// The distribution function of Student's distribution for whole degrees of freedom: a finite sum (Abramowitz and
/// Stegun 1964, 26.7.3 and 26.7.4).
fn distribution(t: f64, degrees: u64) -> f64 {
    let n = degrees as f64;
    let cosine = (n / (n + t * t)).sqrt();
    let sine = t / (n + t * t).sqrt();
    let (mut term, mut sum) = (1.0, 0.0);
    let odd = degrees % 2 == 1;
    let terms = if odd { (degrees - 1) / 2 } else { degrees / 2 };
    for k in 0..terms {
        if k > 0 {
            let k = k as f64;
            term *= if odd { 2.0 * k / (2.0 * k + 1.0) } else { (2.0 * k - 1.0) / (2.0 * k) } * cosine * cosine;
        }
        sum += term;
    }
    let between =
        if odd { 2.0 / std::f64::consts::PI * ((t / n.sqrt()).atan() + sine * cosine * sum) } else { sine * sum };
    f64::midpoint(1.0, between)
}

#[test]
fn quantiles_are_those_of_published_tables() {
    let published = [
        (1, 12.706),
        (2, 4.303),
        (3, 3.182),
        (4, 2.776),
        (5, 2.571),
        (6, 2.447),
        (7, 2.365),
        (8, 2.306),
        (9, 2.262),
        (10, 2.228),
        (15, 2.131),
        (20, 2.086),
        (25, 2.060),
        (29, 2.045),
        (30, 2.042),
        (40, 2.021),
        (60, 2.000),
        (80, 1.990),
        (100, 1.984),
        (120, 1.980),
        (1_000, 1.962),
        (u64::MAX, 1.960),
    ];
    for (degrees, expected) in published {
        let found = quantile(degrees).unwrap();
        assert!((found - expected).abs() <= 0.000_5, "{degrees}: {found} instead of {expected}");
    }
    assert_eq!(quantile(0), None);
}

#[test]
fn all_but_one_in_forty_lie_below_the_quantile() {
    for degrees in (1..=200).chain([999, 1_000]) {
        let share = distribution(quantile(degrees).unwrap(), degrees);
        assert!((share - 0.975).abs() < 3e-9, "{degrees}: {share}");
    }
}

#[test]
fn samples_by_hand() {
    let half_width = |numbers: &[f64]| numbers.iter().copied().collect::<Sample>().half_width();
    assert_eq!((half_width(&[]), half_width(&[3.0])), (None, None));
    assert_eq!(half_width(&[5.0, 5.0, 5.0]), Some(0.0));
    // The mean is 5, the variance 32 / 7.
    let numbers = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0];
    let sample: Sample = numbers.into_iter().collect();
    assert_eq!((sample.count, sample.mean), (8, 5.0));
    let expected = 2.364_624_251_592_78 * (32.0_f64 / 7.0 / 8.0).sqrt();
    assert!((sample.half_width().unwrap() - expected).abs() < 1e-12);
    // Far from zero, where sums of squares would lose all digits.
    let far: Sample = numbers.map(|number| number + 1e9).into_iter().collect();
    assert!((far.half_width().unwrap() - expected).abs() < 1e-6);
}

/// Draws numbers of the normal distribution with mean 3 and deviation 2 (SplitMix64; Box and Muller 1958).
struct Normal(u64);

impl Normal {
    /// Returns a number above 0, at most 1.
    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((mixed ^ (mixed >> 31)) >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }
}

impl Iterator for Normal {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        let (radius, angle) = ((-2.0 * self.share().ln()).sqrt(), std::f64::consts::TAU * self.share());
        Some(3.0 + 2.0 * radius * angle.cos())
    }
}

/// A share of 10,000 has a standard error of 0.2 %: one of 93 or 97 % would be nine of them away.
#[test]
fn the_mean_lies_in_nineteen_of_twenty_intervals() {
    for (seed, size) in (22..).zip([2, 3, 5, 10, 30, 100]) {
        let mut normal = Normal(seed);
        let holds = |sample: &Sample| (sample.mean - 3.0).abs() <= sample.half_width().unwrap();
        let held = (0..10_000).filter(|_| holds(&normal.by_ref().take(size).collect())).count();
        assert!((9_300..=9_700).contains(&held), "{size} numbers: {held} of 10,000 intervals hold the mean");
    }
}
