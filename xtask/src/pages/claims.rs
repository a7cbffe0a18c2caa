//! What several pages say: the groups of these expressions must be equal in all. A space may be the end of a line.

use regex::Regex;

use crate::failure::{Failure, Outcome};

const SPEED: &str = r"\| torus 8x8x8, load 0\.4 \|.*\| ([0-9.]+) \|\n";
const CAMINOS: &str = r"\| CAMINOS [^|]*\| torus, load 0\.4 \|.*\| ([0-9]+) \|\n";
const BOOKSIM: &str = r"\| BookSim2 .*\| ([0-9]+) \|\n";
const STUDY: &str = r"([A-Za-z0-9_]+) applications (?:of 64 ranks under .* )?on ([A-Za-z0-9_]+) networks";
const RUST: &str = r"Rust\]\(https://rustup\.rs\) ([0-9.]+)";

/// Each claim: the pages on which it stands, and how.
const CLAIMS: [&[(&str, &str)]; 5] = [
    &[
        ("README.md", r"simulates ([0-9.]+) million packet-hops a second on an 8x8x8 torus under load"),
        ("docs/performance.md", SPEED),
    ],
    &[("README.md", r"simulators take ([0-9]+) and"), ("docs/performance.md", CAMINOS)],
    &[("README.md", r"simulators take [0-9]+ and ([0-9]+) times as long"), ("docs/performance.md", BOOKSIM)],
    &[("README.md", STUDY), ("docs/validation.md", STUDY), ("docs/networks-policies.md", STUDY)],
    &[("README.md", RUST), ("docs/start/install.md", RUST), ("Cargo.toml", r#"\nrust-version = "([0-9.]+)""#)],
];

/// Returns the claims on which pages do not agree, and those that are nowhere.
pub fn differences(read: &dyn Fn(&str) -> Outcome<String>) -> Outcome<Vec<String>> {
    let mut found = Vec::new();
    for claim in CLAIMS {
        let mut said: Vec<(&str, String)> = Vec::new();
        for (page, expression) in claim {
            match groups(&read(page)?, expression)? {
                Some(values) => said.push((page, values)),
                None => found.push(format!("{page}: nothing says {expression}")),
            }
        }
        if said.iter().any(|(_, values)| *values != said[0].1) {
            let pages: Vec<String> = said.iter().map(|(page, values)| format!("{page} says {values}")).collect();
            found.push(format!("pages do not agree: {}", pages.join("; ")));
        }
    }
    Ok(found)
}

/// Returns the groups of the first match.
fn groups(text: &str, expression: &str) -> Outcome<Option<String>> {
    let expression =
        Regex::new(&expression.replace(' ', r"[ \t\n]+")).map_err(|error| Failure::new(error.to_string()))?;
    let found = expression.captures(text);
    Ok(found.map(|found| found.iter().skip(1).flatten().map(|group| group.as_str()).collect::<Vec<_>>().join(" and ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_may_be_broken_between_lines() {
        let text = "What: thirteen applications of 64 ranks under x on\nsix networks.";
        assert_eq!(groups(text, STUDY).unwrap().unwrap(), "thirteen and six");
        assert!(groups("twelve applications", STUDY).unwrap().is_none());
    }

    #[test]
    fn every_claim_that_is_nowhere_or_differs_is_told() {
        let read = |page: &str| {
            Ok(if page == "Cargo.toml" { "\nrust-version = \"1.95\"" } else { "[Rust](https://rustup.rs) 1.94" }
                .to_owned())
        };
        let found = differences(&read).unwrap();
        assert_eq!(found.len(), 10, "{found:#?}");
        let last = "pages do not agree: README.md says 1.94; docs/start/install.md says 1.94; Cargo.toml says 1.95";
        assert_eq!(found[9], last);
    }
}
