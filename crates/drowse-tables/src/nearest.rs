//! Which name was meant: the nearest of those that are known.

/// Suggests the nearest name, if one is near: `did you mean ...? `, else nothing.
pub fn meant(name: &str, known: &[&str]) -> String {
    let near = known.iter().min_by_key(|other| strsim::damerau_levenshtein(name, other));
    near.filter(|other| is_near(name, other)).map(|other| format!("did you mean `{other}`? ")).unwrap_or_default()
}

/// Returns whether a name may be a misspelling of another.
pub fn is_near(name: &str, other: &str) -> bool {
    strsim::damerau_levenshtein(name, other) <= (name.len() / 3).max(1)
}
