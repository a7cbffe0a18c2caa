//! How many random cases a test draws.

use proptest::prelude::ProptestConfig;

/// Returns a configuration of so many random cases, or of `PROPTEST_CASES` if that is set; `DROWSE_FEWER_CASES=3` draws a
/// third of them. It leaves no file behind.
pub fn proptest_config(cases: u32) -> ProptestConfig {
    let fewer = std::env::var("DROWSE_FEWER_CASES").ok().and_then(|fewer| fewer.parse().ok()).unwrap_or(1);
    let cases = cases.div_ceil(fewer);
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 400, ..ProptestConfig::default() }
}
