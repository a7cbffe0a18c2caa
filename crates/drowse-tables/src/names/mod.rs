//! Short names of cases: what tells each from the others of its folder.
//!
//! A name has a word for each key of the sweep that has several values. A table is known by its `name`, or else by its
//! kind and those of its keys in which tables of this kind differ. Nothing is cut off: what would be too long has a
//! number instead. No two cases have the same name.

mod value;

use std::collections::{HashMap, HashSet};

pub use value::{is_always_on, is_oracle, short};

/// What stands between the words of a name.
const BETWEEN: &str = " · ";

/// Returns the names of keys: the last part of each path where no other path ends so.
pub fn of_keys<'p>(paths: &[&'p str]) -> Vec<&'p str> {
    let is_alone = |path: &str| paths.iter().filter(|other| last(other) == last(path)).count() == 1;
    paths.iter().map(|&path| if is_alone(path) { last(path) } else { path }).collect()
}

/// Returns the last part of a path.
fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// Names cases by the values of each key in each of them; a case that has no value of a key has an empty one. A mark
/// says what a case is that its values do not tell from others, such as `baseline`.
///
/// ```
/// use drowse_tables::names::of_cases;
///
/// let paths = ["network.kind", "traffic.load", "seed"];
/// let values = [vec!["torus", "torus"], vec!["0.1", "0.2"], vec!["1", "1"]];
/// // Only the load tells the cases apart.
/// assert_eq!(of_cases(&paths, &values, &[None, None]), ["load 0.1", "load 0.2"]);
/// ```
pub fn of_cases(paths: &[&str], values: &[Vec<&str>], marks: &[Option<&str>]) -> Vec<String> {
    let varied: Vec<usize> =
        (0..paths.len()).filter(|&key| values[key].iter().any(|value| *value != values[key][0])).collect();
    let names = of_keys(paths);
    let words: Vec<Vec<String>> = varied.iter().map(|&key| words(paths[key], names[key], &values[key])).collect();
    let of_values = |case: usize| {
        let told = words.iter().map(|words| words[case].as_str()).filter(|word| !word.is_empty());
        told.collect::<Vec<_>>().join(BETWEEN)
    };
    let mut cases: Vec<String> = (0..marks.len()).map(of_values).collect();
    mark(&mut cases, marks, |case| varied.iter().any(|&key| values[key][case].is_empty()));
    number(&mut cases);
    cases
}

/// Returns the words of the values of one key: those that do not tell what they are have its name in front.
pub(crate) fn words(path: &str, name: &str, values: &[&str]) -> Vec<String> {
    let is_size = last(path) == "dims";
    let word = |short: String| {
        let tells = is_size || !short.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '[');
        let is_truth = ["true", "false"].contains(&short.as_str());
        if short.is_empty() || (tells && !is_truth) { short } else { format!("{name} {short}") }
    };
    short(path, values).into_iter().map(word).collect()
}

/// Adds the marks of cases that lack a value, or whose values are those of another.
fn mark(cases: &mut [String], marks: &[Option<&str>], lacks: impl Fn(usize) -> bool) {
    let mut counts: HashMap<String, usize> = HashMap::new();
    cases.iter().for_each(|name| *counts.entry(name.clone()).or_default() += 1);
    for (case, (name, mark)) in cases.iter_mut().zip(marks).enumerate() {
        let Some(mark) = mark.filter(|_| counts[name.as_str()] > 1 || lacks(case)) else { continue };
        *name = if name.is_empty() { mark.to_owned() } else { format!("{name}{BETWEEN}{mark}") };
    }
}

/// Numbers names that are empty or the same: the first of several keeps its own.
fn number(cases: &mut [String]) {
    let given: HashSet<String> = cases.iter().cloned().collect();
    let mut taken: HashSet<String> = HashSet::new();
    let most = cases.len();
    for (case, name) in cases.iter_mut().enumerate() {
        if name.is_empty() {
            "case".clone_into(name);
        }
        let numbered = |number: usize| format!("{name} #{number}");
        if !taken.contains(name.as_str()) {
            taken.insert(name.clone());
            continue;
        }
        // So many names cannot all be others.
        let free =
            (case + 1..=case + 1 + 2 * most).map(numbered).find(|name| !given.contains(name) && !taken.contains(name));
        *name = free.unwrap_or_default();
        taken.insert(name.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICIES: [&str; 4] = [
        "{ kind = \"always-on\" }",
        "{ kind = \"stall-timer\", shallow = \"1 us\" }",
        "{ kind = \"stall-timer\", deep = \"200 us\" }",
        "{ kind = \"perfbound\", bound = 0.01 }",
    ];

    #[test]
    fn a_table_is_its_kind_and_what_differs() {
        let expected = ["always-on", "stall-timer shallow 1 us", "stall-timer deep 200 us", "perfbound"];
        assert_eq!(of_cases(&["power.policy"], &[POLICIES.to_vec()], &[None; 4]), expected);
        let networks = [
            "{ kind = \"xgft\", children = [16, 4], parents = [4] }",
            "{ kind = \"hyperx\", dims = [8, 8], nodes = 16, routing = \"ugal\" }",
            "{ name = \"small\", kind = \"hyperx\", dims = [4, 4], nodes = 16, routing = \"ugal\" }",
        ];
        assert_eq!(of_cases(&["network"], &[networks.to_vec()], &[None; 3]), ["xgft", "hyperx 8x8", "small"]);
    }

    /// Three keys differ and are too long together; the children, the longest, are not needed to tell these apart.
    #[test]
    fn a_long_table_has_what_tells_it_from_others() {
        let networks = [
            "{ kind = \"xgft\", children = [16, 16, 16, 4], parents = [4, 4, 2], links = [12, 8, 10] }",
            "{ kind = \"xgft\", children = [16, 16, 32, 2], parents = [4, 4, 2], links = [10, 8, 10] }",
            "{ kind = \"xgft\", children = [16, 16, 32, 2], parents = [8, 4, 2], links = [10, 8, 10] }",
        ];
        let names = of_cases(&["network"], &[networks.to_vec()], &[None; 3]);
        let expected = [
            "xgft links 12,8,10 parents 4,4,2",
            "xgft links 10,8,10 parents 4,4,2",
            "xgft links 10,8,10 parents 8,4,2",
        ];
        assert_eq!(names, expected);
    }

    /// One timer has all that the other has, and more.
    #[test]
    fn a_table_within_another() {
        let policies = [
            "{ kind = \"stall-timer\", deep = \"100 us\" }",
            "{ kind = \"stall-timer\", shallow = \"1 us\", deep = \"100 us\" }",
        ];
        let names = of_cases(&["power.policy"], &[policies.to_vec()], &[None; 2]);
        assert_eq!(names, ["stall-timer deep 100 us", "stall-timer deep 100 us shallow 1 us"]);
    }

    #[test]
    fn a_value_that_does_not_tell_has_the_name_of_its_key() {
        let paths = ["network.trunk", "network.dims", "power.policy.deep", "job.0.trace", "seed"];
        let values = [
            vec!["1", "2", "1"],
            vec!["[4, 4]", "[2, 8]", "[4, 4]"],
            vec!["10 us", "10 us", ""],
            vec!["traces/cg.A.16.tar.zst", "traces/lu.A.16.tar.zst", "traces/cg.A.16.tar.zst"],
            vec!["1", "1", "1"],
        ];
        let names = of_cases(&paths, &values, &[None, None, Some("always on")]);
        let expected = [
            "trunk 1 · 4x4 · deep 10 us · cg.A.16",
            "trunk 2 · 2x8 · deep 10 us · lu.A.16",
            "trunk 1 · 4x4 · cg.A.16 · always on",
        ];
        assert_eq!(names, expected);
    }

    /// A baseline that sets what no case varies, and two points that are written twice.
    #[test]
    fn no_two_cases_have_the_same_name() {
        let same = of_cases(&["network.trunk"], &[vec!["1", "2", "2", "1"]], &[Some("baseline"), None, None, None]);
        assert_eq!(same, ["trunk 1 · baseline", "trunk 2", "trunk 2 #3", "trunk 1"]);
        assert_eq!(of_cases(&[], &[], &[Some("always on"), None]), ["always on", "case"]);
        let ends = of_cases(&["a.dir"], &[vec!["x/run", "y/run"]], &[None; 2]);
        assert_eq!(ends, ["x/run", "y/run"]);
    }

    #[test]
    fn what_is_long_has_a_number() {
        let jobs = [
            "[{ name = \"LULESH\", trace = \"a.ti\" }, { trace = \"traces/cg.A.16.tar.zst\" }]",
            "[{ app = { kind = \"stencil\", dims = [4, 4] } }, { app = { kind = \"fft\" } }]",
        ];
        assert_eq!(of_cases(&["job"], &[jobs.to_vec()], &[None; 2]), ["LULESH + cg.A.16", "stencil + fft"]);
        let long = ["x".repeat(60), "y".repeat(70)];
        let long: Vec<&str> = long.iter().map(String::as_str).collect();
        assert_eq!(of_cases(&["network.file"], &[long], &[None; 2]), ["file 1", "file 2"]);
    }

    #[test]
    fn keys_with_the_same_end_have_their_paths() {
        assert_eq!(of_keys(&["job.0.trace", "job.1.trace", "seed"]), ["job.0.trace", "job.1.trace", "seed"]);
    }
}
