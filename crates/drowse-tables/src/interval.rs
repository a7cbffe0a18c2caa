//! Means of samples with their 95 % confidence intervals, by the distribution of Student (1908).
//!
//! Only sums, products, quotients and square roots are taken: the result is the same on every machine.

/// A sample of numbers: its mean and its spread, added to one by one (Welford 1962).
///
/// ```
/// use drowse_tables::interval::{Sample, quantile};
///
/// let sample: Sample = [9.0, 10.0, 11.0].into_iter().collect();
/// assert_eq!((sample.count, sample.mean), (3, 10.0));
/// // The standard deviation is 1, and two degrees of freedom are left.
/// let half = quantile(2).map(|quantile| quantile / 3_f64.sqrt());
/// assert_eq!(sample.half_width().zip(half).map(|(ours, theirs)| (ours - theirs).abs() < 1e-12), Some(true));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// How many numbers there are.
    pub count: u64,
    /// Their mean; 0 without a number.
    pub mean: f64,
    /// The sum of their squared distances to the mean.
    squares: f64,
}

/// The 0.975 quantiles of Student's distribution with 1 to 30 degrees of freedom.
const QUANTILES: [f64; 30] = [
    12.706_204_736_174_7,
    4.302_652_729_749_46,
    3.182_446_305_283_71,
    2.776_445_105_197_79,
    2.570_581_835_636_32,
    2.446_911_851_144_97,
    2.364_624_251_592_78,
    2.306_004_135_204_17,
    2.262_157_162_798_2,
    2.228_138_851_986_27,
    2.200_985_160_091_64,
    2.178_812_829_667_23,
    2.160_368_656_462_79,
    2.144_786_687_917_8,
    2.131_449_545_559_78,
    2.119_905_299_221_25,
    2.109_815_577_833_32,
    2.100_922_040_241_04,
    2.093_024_054_408_31,
    2.085_963_447_265_86,
    2.079_613_844_727_68,
    2.073_873_067_904_03,
    2.068_657_610_419_05,
    2.063_898_561_628_03,
    2.059_538_552_753_3,
    2.055_529_438_642_87,
    2.051_830_516_480_29,
    2.048_407_141_795_25,
    2.045_229_642_132_7,
    2.042_272_456_301_24,
];

/// The coefficients of the quantile for many degrees of freedom, in powers of their reciprocal, from that of the normal
/// distribution on (Abramowitz and Stegun 1964, 26.7.5).
const EXPANSION: [f64; 5] =
    [1.959_963_984_540_05, 2.372_271_230_298_56, 2.822_498_615_739_61, 2.555_849_679_507_72, 1.589_534_053_393_82];

/// Returns the 0.975 quantile of Student's distribution to at least seven digits; none for no degree of freedom.
pub fn quantile(degrees: u64) -> Option<f64> {
    let listed = degrees.checked_sub(1)?;
    let listed = usize::try_from(listed).ok().and_then(|index| QUANTILES.get(index));
    let expanded = || EXPANSION.iter().rev().fold(0.0, |sum, term| sum / degrees as f64 + term);
    Some(listed.copied().unwrap_or_else(expanded))
}

impl Sample {
    /// Adds a number; the mean and the spread follow it at once.
    pub fn add(&mut self, number: f64) {
        self.count += 1;
        let before = number - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (number - self.mean);
    }

    /// Returns half the width of the 95 % confidence interval of the mean; none for fewer than two numbers.
    pub fn half_width(&self) -> Option<f64> {
        let degrees = self.count.checked_sub(1)?;
        let variance = self.squares / degrees as f64;
        Some(quantile(degrees)? * (variance / self.count as f64).sqrt())
    }
}

impl FromIterator<f64> for Sample {
    fn from_iter<I: IntoIterator<Item = f64>>(numbers: I) -> Self {
        let mut sample = Sample::default();
        numbers.into_iter().for_each(|number| sample.add(number));
        sample
    }
}
