//! The name of a case: a hash of the canonical experiment, which is everything that its result depends on.
//!
//! The canonical experiment is a tree of keys and values, names in alphabetical order: the resolved case, serialised.
//! Tables that have kinds (topologies, policies, applications) stand in it as they are written, in one spelling
//! ([`Case::written`]). Files stand in it with their content, so that neither their paths nor the experiment's folder
//! matter.

mod hash;
mod machine;
mod workload;

use drowse_experiment::Case;
use serde_json::{Map, Value, json};

use crate::inputs::Inputs;
use hash::fnv1a;

/// The version that results name.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What was built: a hash of the sources of all crates that decide a result. It is no part of a case's name, so that
/// names stay while the code changes. Stored results have it beside them, so that those of two builds do not mix.
pub const BUILD: &str = env!("DROWSE_BUILD");

/// Version and build, as the command line shows them.
pub const VERSION_AND_BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), "\nbuild ", env!("DROWSE_BUILD"));

/// Returns the case's name: equal for equal resolved experiments, however they were written and wherever they lie.
pub fn case_id(case: &Case, inputs: &Inputs) -> String {
    let text = sorted(canonical(case, inputs)).to_string();
    format!("{:016x}", fnv1a(text.bytes()))
}

/// Returns all that the result of a case depends on.
fn canonical(case: &Case, inputs: &Inputs) -> Value {
    let written = case.written();
    json!({
        "version": VERSION,
        "machine": machine::canonical(&case.system, &written),
        "workload": workload::canonical(case, &written, inputs),
    })
}

/// Sorts the keys of all tables.
fn sorted(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(sorted).collect(),
        Value::Object(table) => {
            let mut entries: Vec<(String, Value)> = table.into_iter().collect();
            entries.sort_by(|(a, _), (b, _)| a.cmp(b));
            Value::Object(entries.into_iter().map(|(name, value)| (name, sorted(value))).collect::<Map<_, _>>())
        }
        other => other,
    }
}

/// Returns a hash of many numbers, which stands for them.
fn fingerprint(numbers: impl IntoIterator<Item = u64>) -> Value {
    format!("{:016x}", fnv1a(numbers.into_iter().flat_map(u64::to_le_bytes))).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test vectors of the hash's authors.
    #[test]
    fn hash_has_its_published_values() {
        assert_eq!(fnv1a(*b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(*b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(*b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn the_order_of_keys_does_not_matter() {
        let [a, b] = [json!({ "a": { "c": 1, "d": 2 }, "b": 0 }), json!({ "b": 0, "a": { "d": 2, "c": 1 } })];
        assert_eq!(sorted(a).to_string(), sorted(b).to_string());
    }
}
