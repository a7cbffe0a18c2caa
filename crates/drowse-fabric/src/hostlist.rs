//! Lists of hosts as Slurm writes them: `login,n[001-096,100]`, `rack[1-2]-node[01-24]`.
//!
//! Commas outside brackets separate names. A pair of brackets holds numbers and ranges; the lowest number of a range
//! tells how many digits all of it have (`[08-10]` is 08, 09, 10). Several brackets multiply, the leftmost slowest, as
//! `hostlist.c` of Slurm has it. The order is kept, and so is what stands twice. Ranges of boxes (`[000x111]`), which
//! Slurm had for Blue Gene, are refused.

use std::ops::Range;

use crate::model::wrong::{Wrong, shown};

/// The most names that a list may stand for.
pub const MOST_NAMES: usize = 1 << 20;
/// The most bytes of all names.
const MOST_BYTES: usize = 1 << 26;
/// What stands for no hosts at all.
const NONE: [&str; 3] = ["", "(null)", "None assigned"];

/// Returns the names that a list stands for, in its order.
///
/// ```
/// let names = drowse_fabric::hostlist::expand("login,n[08-10,1]").expect("a list of hosts");
/// assert_eq!(names, ["login", "n08", "n09", "n10", "n1"]);
/// ```
pub fn expand(list: &str) -> Result<Vec<String>, Wrong> {
    let mut names = Vec::new();
    if NONE.contains(&list.trim()) {
        return Ok(names);
    }
    let mut bytes = 0usize;
    for item in items(list)? {
        let parts = parts(list, item.clone())?;
        let number = parts.iter().map(Part::count).fold(1usize, usize::saturating_mul);
        let longest = parts.iter().map(Part::longest).sum::<usize>();
        bytes = bytes.saturating_add(number.saturating_mul(longest));
        if number.saturating_add(names.len()) > MOST_NAMES || bytes > MOST_BYTES {
            let message = format!("this list stands for more than {MOST_NAMES} hosts");
            return Err(Wrong::new(&item, message, "name fewer hosts"));
        }
        names.extend(product(&parts));
    }
    Ok(names)
}

/// A part of a name: what stands there, or numbers.
enum Part<'t> {
    Text(&'t str),
    Numbers(Vec<Numbers>),
}

/// Numbers from one to another, with at least so many digits.
struct Numbers {
    low: u64,
    high: u64,
    digits: usize,
}

impl Part<'_> {
    /// Returns for how many texts this stands.
    fn count(&self) -> usize {
        let of = |range: &Numbers| (range.high - range.low).saturating_add(1);
        match self {
            Part::Text(_) => 1,
            Part::Numbers(ranges) => ranges.iter().map(of).fold(0, u64::saturating_add) as usize,
        }
    }

    /// Returns the bytes of the longest of them, or a few more.
    fn longest(&self) -> usize {
        const MOST_DIGITS: usize = 20;
        match self {
            Part::Text(text) => text.len(),
            Part::Numbers(ranges) => ranges.iter().map(|range| range.digits.max(MOST_DIGITS)).max().unwrap_or(0),
        }
    }
}

/// Returns all names that the parts make, the last part fastest.
fn product(parts: &[Part<'_>]) -> Vec<String> {
    let mut names = vec![String::new()];
    for part in parts {
        match part {
            Part::Text(text) => names.iter_mut().for_each(|name| name.push_str(text)),
            Part::Numbers(ranges) => {
                let numbers = || ranges.iter().flat_map(|range| (range.low..=range.high).map(|at| (at, range.digits)));
                let with =
                    |name: &String| numbers().map(|(at, digits)| format!("{name}{at:0digits$}")).collect::<Vec<_>>();
                names = names.iter().flat_map(with).collect();
            }
        }
    }
    names
}

/// Returns where the items of a list stand, which commas or blanks outside brackets separate.
fn items(list: &str) -> Result<Vec<Range<usize>>, Wrong> {
    let (mut items, mut start, mut open) = (Vec::new(), 0, None);
    for (at, byte) in list.bytes().enumerate() {
        match (byte, open) {
            (b'[', None) => open = Some(at),
            (b']', Some(_)) => open = None,
            (b'[', Some(_)) => {
                return Err(Wrong::new(&(at..at + 1), "a bracket within brackets", "close the one before: n[1-3]"));
            }
            (b']', None) => {
                return Err(Wrong::new(&(at..at + 1), "this bracket is not opened", "write lists such as n[1-3]"));
            }
            (b',' | b' ' | b'\t' | b'\n' | b'\r', None) => {
                items.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    if let Some(open) = open {
        return Err(Wrong::new(&(open..list.len()), "this bracket is not closed", "write lists such as n[1-3]"));
    }
    items.push(start..list.len());
    items.retain(|item| !item.is_empty());
    Ok(items)
}

/// Returns the parts of an item.
fn parts(list: &str, item: Range<usize>) -> Result<Vec<Part<'_>>, Wrong> {
    let mut parts = Vec::new();
    let mut at = item.start;
    while at < item.end {
        let rest = &list[at..item.end];
        let open = rest.find('[').unwrap_or(rest.len());
        check(&rest[..open], at)?;
        parts.push(Part::Text(&rest[..open]));
        at += open;
        if let Some(close) = list[at..item.end].find(']') {
            parts.push(Part::Numbers(numbers(list, at + 1..at + close)?));
            at += close + 1;
        }
    }
    Ok(parts)
}

/// Refuses what no name of a host has.
fn check(text: &str, start: usize) -> Result<(), Wrong> {
    let is_odd = |c: char| c.is_control() || "()=\"'`\\|;<>{}#&*?$".contains(c);
    match text.char_indices().find(|&(_, c)| is_odd(c)) {
        Some((at, sign)) => {
            let span = start + at..start + at + sign.len_utf8();
            let message = format!("`{}` is no name of a host", shown(text));
            Err(Wrong::new(&span, message, "write names and numbers in brackets, such as login,n[001-096]"))
        }
        None => Ok(()),
    }
}

/// Reads the numbers between two brackets.
fn numbers(list: &str, span: Range<usize>) -> Result<Vec<Numbers>, Wrong> {
    let mut ranges = Vec::new();
    let mut at = span.start;
    for range in list[span].split(',') {
        let place = at..at + range.len();
        at = place.end + 1;
        let wrong =
            |message: String| Err(Wrong::new(&place, message, "write numbers and ranges such as [001-096,100]"));
        if range.contains('x') {
            return wrong(format!("`{}` is a range of boxes, which is not read here", shown(range)));
        }
        let (low, high) = range.split_once('-').unwrap_or((range, range));
        let [Some(first), Some(last)] = [low, high].map(whole) else {
            return wrong(format!("`{}` is no number or range", shown(range)));
        };
        if first > last {
            return wrong(format!("the range `{}` ends before it begins", shown(range)));
        }
        ranges.push(Numbers { low: first, high: last, digits: low.len() });
    }
    Ok(ranges)
}

/// Returns a whole number of at most 18 digits.
fn whole(word: &str) -> Option<u64> {
    const MOST_DIGITS: usize = 18;
    let is_number = (1..=MOST_DIGITS).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &str) -> String {
        expand(list).expect("a list of hosts").join(" ")
    }

    /// The first four as `scontrol show hostnames` prints them, after the rules of hostlist.c.
    #[test]
    fn lists_are_expanded_in_their_order() {
        assert_eq!(names("n[001-003,7,10-12]"), "n001 n002 n003 n7 n10 n11 n12");
        assert_eq!(names("n[8-11],m[08-10]x"), "n8 n9 n10 n11 m08x m09x m10x");
        assert_eq!(names("r[1-2]n[1-3]"), "r1n1 r1n2 r1n3 r2n1 r2n2 r2n3");
        assert_eq!(names("b,a,b"), "b a b");
        assert_eq!(names("n[098-101]"), "n098 n099 n100 n101");
        assert_eq!(names("[1-2]"), "1 2");
        for none in ["", "(null)", "None assigned", " "] {
            assert_eq!(names(none), "");
        }
    }

    #[test]
    fn wrong_lists_are_refused_at_their_place() {
        let told = |list: &str| {
            let wrong = expand(list).expect_err("an error");
            (list[wrong.span].to_owned(), wrong.message)
        };
        for (list, place, message) in [
            ("n[3-1]", "3-1", "ends before it begins"),
            ("n[1-3", "[1-3", "not closed"),
            ("n1-3]", "]", "not opened"),
            ("a,n[1-x]", "1-x", "boxes"),
            ("n[000x111]", "000x111", "boxes"),
            ("n[1-2,]", "", "no number or range"),
            ("n[-3]", "-3", "no number or range"),
            ("n[1--3]", "1--3", "no number or range"),
            ("n[[1]]", "[", "within brackets"),
            ("a=b", "=", "no name of a host"),
            ("n[0-9999999]", "n[0-9999999]", "more than 1048576"),
            ("a[1-9999]b[1-9999]c[1-9999]", "a[1-9999]b[1-9999]c[1-9999]", "more than 1048576"),
            (
                "n[1-999999999999999999,1-999999999999999999]",
                "n[1-999999999999999999,1-999999999999999999]",
                "more than",
            ),
        ] {
            let (at, told) = told(list);
            assert!(at == place && told.contains(message), "{list}: `{at}` {told}");
        }
    }

    #[test]
    fn long_names_are_not_multiplied_without_bound() {
        let list = format!("{}[1-1000000]", "n".repeat(100_000));
        assert!(expand(&list).is_err());
    }
}
