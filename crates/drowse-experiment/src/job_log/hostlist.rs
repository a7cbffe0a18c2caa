//! Lists of hosts as Slurm writes them: `login,n[01-03,07]-ib` is `login n01-ib n02-ib n03-ib n07-ib`.
//!
//! Commas outside brackets separate names. Within brackets stand numbers and ranges; the first number's digits say how
//! wide the numbers of a range are. Several brackets multiply, the leftmost changing slowest. The order is kept.
//! Source: Slurm's `hostlist.c`, and the output of `scontrol show hostnames`.

use std::collections::{HashMap, HashSet};

/// The most names of a list: more than any machine has nodes.
pub const MOST: usize = 1 << 20;

/// Why a text is no list of hosts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HostlistError {
    /// A bracket is not closed, or closed and not open, or within another.
    #[error("the brackets do not match")]
    Brackets,
    /// A name or a range is empty.
    #[error("a name or a number is missing")]
    Empty,
    /// What stands in brackets is no number.
    #[error("`{0}` is no number, and no range such as 01-16")]
    Number(String),
    /// A range goes backwards.
    #[error("the range {0} goes backwards")]
    Backwards(String),
    /// A range of boxes, as on machines whose hosts are named by coordinates.
    #[error("`{0}` is a range of boxes, which is not read here")]
    Boxes(String),
    /// There are too many names.
    #[error("it has more than {MOST} names")]
    TooMany,
    /// A name is none of the machine's.
    #[error("`{0}` is none of the machine's nodes")]
    Unknown(String),
    /// A name stands twice.
    #[error("`{0}` stands in it twice")]
    Twice(String),
}

/// A piece of a name: text, or what stands in brackets.
enum Piece<'t> {
    Text(&'t str),
    Numbers(&'t str),
}

/// Returns the names of a list, in its order; of none where it is `(null)`, `None assigned`, or empty.
pub fn expand(text: &str) -> Result<Vec<String>, HostlistError> {
    let text = text.trim();
    if ["", "(null)", "None assigned", "None"].contains(&text) {
        return Ok(Vec::new());
    }
    let mut names = Vec::new();
    for item in items(text)? {
        let mut of_item = vec![String::new()];
        for piece in pieces(item)? {
            of_item = match piece {
                Piece::Text(text) => of_item.into_iter().map(|name| name + text).collect(),
                Piece::Numbers(list) => multiplied(&of_item, &numbers(list)?)?,
            };
        }
        names.append(&mut of_item);
        if names.len() > MOST {
            return Err(HostlistError::TooMany);
        }
    }
    Ok(names)
}

/// Splits a list at the commas outside brackets.
fn items(text: &str) -> Result<Vec<&str>, HostlistError> {
    let (mut items, mut start, mut is_open) = (Vec::new(), 0, false);
    for (at, byte) in text.bytes().enumerate() {
        match (byte, is_open) {
            (b'[', false) => is_open = true,
            (b']', true) => is_open = false,
            (b'[' | b']', _) => return Err(HostlistError::Brackets),
            (b',', false) => {
                items.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(&text[start..]);
    if is_open {
        return Err(HostlistError::Brackets);
    }
    if items.iter().any(|item| item.is_empty()) { Err(HostlistError::Empty) } else { Ok(items) }
}

/// Splits an item, whose brackets match, into texts and brackets.
fn pieces(mut item: &str) -> Result<Vec<Piece<'_>>, HostlistError> {
    let mut pieces = Vec::new();
    while let Some((before, rest)) = item.split_once('[') {
        let (list, rest) = rest.split_once(']').ok_or(HostlistError::Brackets)?;
        pieces.extend([Piece::Text(before), Piece::Numbers(list)]);
        item = rest;
    }
    pieces.push(Piece::Text(item));
    Ok(pieces)
}

/// Returns the numbers of a bracket as they are written.
fn numbers(list: &str) -> Result<Vec<String>, HostlistError> {
    let mut numbers = Vec::new();
    for range in list.split(',') {
        let (low, high) = range.split_once('-').unwrap_or((range, range));
        let number = |word: &str| match word.parse::<u64>() {
            _ if range.is_empty() => Err(HostlistError::Empty),
            Ok(number) if word.bytes().all(|byte| byte.is_ascii_digit()) => Ok(number),
            _ if range.contains('x') => Err(HostlistError::Boxes(range.to_owned())),
            _ => Err(HostlistError::Number(range.to_owned())),
        };
        let (first, last, width) = (number(low)?, number(high)?, low.len());
        if first > last {
            return Err(HostlistError::Backwards(range.to_owned()));
        }
        if last - first >= MOST as u64 || numbers.len() > MOST {
            return Err(HostlistError::TooMany);
        }
        numbers.extend((first..=last).map(|number| format!("{number:0width$}")));
    }
    Ok(numbers)
}

/// Returns each name with each number behind it, the names changing slowest.
fn multiplied(names: &[String], numbers: &[String]) -> Result<Vec<String>, HostlistError> {
    if names.len().saturating_mul(numbers.len()) > MOST {
        return Err(HostlistError::TooMany);
    }
    Ok(names.iter().flat_map(|name| numbers.iter().map(move |number| format!("{name}{number}"))).collect())
}

/// The numbers of a machine's nodes by their names.
#[derive(Clone, Debug, Default)]
pub struct NodeNames(HashMap<String, u32>);

impl NodeNames {
    /// Takes the names of the nodes, in the order of their numbers, no two of which are called the same.
    pub fn new(names: impl IntoIterator<Item = String>) -> Result<Self, HostlistError> {
        let mut numbers = HashMap::new();
        for (number, name) in (0..).zip(names) {
            if let Some(twice) = numbers.insert(name.clone(), number).map(|_| name) {
                return Err(HostlistError::Twice(twice));
            }
        }
        Ok(NodeNames(numbers))
    }

    /// Returns the number of names.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns the numbers of the nodes of a list of hosts, each once, in the order of the list.
    pub fn numbers(&self, hosts: &str) -> Result<Vec<u32>, HostlistError> {
        let names = expand(hosts)?;
        let mut seen = HashSet::new();
        let number = |name: String| match self.0.get(&name) {
            Some(&number) if seen.insert(number) => Ok(number),
            Some(_) => Err(HostlistError::Twice(name)),
            None => Err(HostlistError::Unknown(name)),
        };
        names.into_iter().map(number).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str) -> String {
        expand(text).unwrap().join(" ")
    }

    /// What `scontrol show hostnames` prints, by its definition.
    #[test]
    fn lists_are_expanded_in_order() {
        assert_eq!(expanded("n[01,03]"), "n01 n03");
        assert_eq!(expanded("login,n[1-3,07,10-12]-ib"), "login n1-ib n2-ib n3-ib n07-ib n10-ib n11-ib n12-ib");
        assert_eq!(expanded("n[08-10]"), "n08 n09 n10");
        assert_eq!(expanded("r[0-1]n[1-2]"), "r0n1 r0n2 r1n1 r1n2");
        assert_eq!(expanded("b,a"), "b a");
        assert_eq!(expanded("(null)"), "");
        assert_eq!(expanded("None assigned"), "");
    }

    #[test]
    fn wrong_lists_are_told() {
        for (text, message) in [
            ("n[1-3", "the brackets do not match"),
            ("n1-3]", "the brackets do not match"),
            ("n[1[2]]", "the brackets do not match"),
            ("a,,b", "a name or a number is missing"),
            ("n[1,]", "a name or a number is missing"),
            ("n[a-b]", "`a-b` is no number, and no range such as 01-16"),
            ("n[+1]", "`+1` is no number, and no range such as 01-16"),
            ("n[7-3]", "the range 7-3 goes backwards"),
            ("bgl[000x111]", "`000x111` is a range of boxes, which is not read here"),
            ("n[0-99999999]", "it has more than 1048576 names"),
            ("n[0-9999]m[0-9999]", "it has more than 1048576 names"),
        ] {
            assert_eq!(expand(text).unwrap_err().to_string(), message, "{text}");
        }
    }

    #[test]
    fn names_become_numbers() {
        let names = NodeNames::new(expand("n[01-04]").unwrap()).unwrap();
        assert_eq!(names.numbers("n[03,01]"), Ok(vec![2, 0]));
        assert_eq!(names.numbers("n5"), Err(HostlistError::Unknown("n5".into())));
        assert_eq!(names.numbers("n[01,01]"), Err(HostlistError::Twice("n01".into())));
        assert!(NodeNames::new(["a".into(), "a".into()]).is_err());
    }
}
