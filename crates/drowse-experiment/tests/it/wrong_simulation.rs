//! Errors of `[simulation]`: one message at its place.

use crate::support::{NETWORK, TRAFFIC, wrong};

#[test]
fn keys_that_do_not_fit_each_other() {
    for (section, message) in [
        ("unit = \"flows\"", "flow"),
        (
            "unit = \"packet\"\nfairness = \"port\"",
            "`simulation.fairness` says how flows share links, but packets move",
        ),
        ("blocking = \"head\"", "`simulation.blocking` says how flows share links, but packets move"),
        ("unit = \"flow\"\nblocking = \"tail\"", "head"),
        ("unit = \"flow\"\nshare = \"port\"", "fairness"),
        ("extrapolate = {}", "`simulation.extrapolate` is for flows, but packets move"),
        ("unit = \"flow\"\nextrapolate = true", "extrapolate"),
        ("unit = \"flow\"\nextrapolate = { bound = 0.1 }", "within"),
        (
            "unit = \"flow\"\nextrapolate = { within = 1.5 }",
            "`simulation.extrapolate.within` = 1.5 is no share of a time",
        ),
        ("unit = \"flow\"\nextrapolate = { within = -0.1 }", "write a number from 0 to 1, such as 0.01"),
        ("unit = \"flow\"\nextrapolate = { after = 0 }", "`simulation.extrapolate.after` = 0 is out of range"),
    ] {
        let text = format!("{NETWORK}[simulation]\n{section}\n{TRAFFIC}");
        let told = wrong(&text);
        assert!(told.contains(message), "{section}: {told}");
    }
}
