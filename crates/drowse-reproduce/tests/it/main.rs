//! Integration tests of the reproductions of papers.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::float_cmp, reason = "closed forms on small whole numbers are exact")]

mod analytic;
mod at_full_load;
mod bounded;
#[path = "../../examples/figures/collective_cases.rs"]
mod collective_cases;
mod collectives;
#[expect(dead_code, reason = "the page shows what a row is compared with")]
#[path = "../../examples/figures/full_load.rs"]
mod full_load;
mod kept;
mod networks_policies;
#[path = "../../examples/figures/networks_policies_choice.rs"]
mod networks_policies_choice;
#[path = "../../examples/keep/networks_policies_names.rs"]
mod networks_policies_names;
mod reproduce;
mod support;
