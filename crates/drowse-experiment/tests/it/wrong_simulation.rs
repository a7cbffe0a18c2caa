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
    ] {
        let text = format!("{NETWORK}[simulation]\n{section}\n{TRAFFIC}");
        let told = wrong(&text);
        assert!(told.contains(message), "{section}: {told}");
    }
}
