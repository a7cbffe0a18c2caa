//! Known faults: lines `law | key | extent`, which may only become fewer and smaller. `#` begins a comment.

use super::KNOWN;
use super::finding::Finding;
use crate::failure::{Failure, Outcome};

/// A fault that is known.
#[derive(Debug, PartialEq, Eq)]
pub struct Known {
    pub law: String,
    pub key: String,
    pub extent: usize,
    line: usize,
}

/// Reads all lines.
pub fn parse(text: &str) -> Outcome<Vec<Known>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    lines.map(|(at, line)| parse_line(line, at + 1)).collect()
}

fn parse_line(text: &str, line: usize) -> Outcome<Known> {
    let cells: Vec<&str> = text.split(" | ").map(str::trim).collect();
    let known = match cells[..] {
        [law, key, extent] => {
            extent.parse().ok().map(|extent| Known { law: law.to_owned(), key: key.to_owned(), extent, line })
        }
        _ => None,
    };
    known.ok_or_else(|| Failure::new(format!("{KNOWN}:{line}: write it as: law | key | extent")))
}

/// Returns what is new, what has grown, and the lines that say more than there is.
pub fn faults(known: &[Known], found: &[(&str, Finding)]) -> Vec<String> {
    let of = |law: &str, key: &str| known.iter().find(|line| line.law == law && line.key == key);
    let mut faults: Vec<String> = found
        .iter()
        .filter_map(|(law, finding)| match of(law, &finding.key) {
            None => Some(finding.to_string()),
            Some(line) if finding.extent > line.extent => {
                Some(format!("{finding} (known with {}, now {})", line.extent, finding.extent))
            }
            Some(_) => None,
        })
        .collect();
    for line in known {
        let now = found.iter().filter(|(law, finding)| *law == line.law && finding.key == line.key);
        let extent = now.map(|(_, finding)| finding.extent).max().unwrap_or(0);
        if extent < line.extent {
            let what = format!("{} {}: {} are left of {}", line.law, line.key, extent, line.extent);
            faults.push(format!("{KNOWN}:{}: {what}: run cargo xtask tidy --lower", line.line));
        }
    }
    faults
}

/// Returns the file with smaller extents and without lines that are no longer needed; nothing is added.
pub fn lowered(text: &str, found: &[(&str, Finding)]) -> Outcome<String> {
    let mut lines = String::new();
    for (at, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            lines += &format!("{line}\n");
            continue;
        }
        let known = parse_line(line, at + 1)?;
        let now = found.iter().filter(|(law, finding)| *law == known.law && finding.key == known.key);
        let extent = now.map(|(_, finding)| finding.extent).max().unwrap_or(0).min(known.extent);
        if extent > 0 {
            lines += &format!("{} | {} | {extent}\n", known.law, known.key);
        }
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(key: &str, extent: usize) -> (&'static str, Finding) {
        let (file, message) = ("a.rs".to_owned(), "mend it".to_owned());
        ("word", Finding { key: key.to_owned(), extent, file, line: 3, message })
    }

    const TEXT: &str = "# Why.\nword | b | 2\nword | c | 2\nword | gone | 1\n";

    #[test]
    fn what_is_new_or_more_or_less_fails_and_what_is_the_same_passes() {
        let known = parse(TEXT).unwrap();
        let found = [finding("a", 1), finding("b", 3), finding("c", 2)];
        assert_eq!(
            faults(&known, &found),
            [
                "a.rs:3: mend it",
                "a.rs:3: mend it (known with 2, now 3)",
                "xtask/tidy/known.txt:4: word gone: 0 are left of 1: run cargo xtask tidy --lower",
            ]
        );
    }

    #[test]
    fn lowering_takes_away_and_never_adds() {
        let found = [finding("a", 1), finding("b", 3), finding("c", 1)];
        assert_eq!(lowered(TEXT, &found).unwrap(), "# Why.\nword | b | 2\nword | c | 1\n");
    }

    #[test]
    fn a_line_of_another_form_is_told() {
        assert_eq!(parse("word b 2").unwrap_err().message, "xtask/tidy/known.txt:1: write it as: law | key | extent");
    }
}
