//! Questions about cases: the names of figures ([`figure`]) and conditions on them ([`condition`]).
//!
//! `drowse best` asks them of tables, `drowse search` of cases while they are run.

pub mod condition;
pub mod figure;
pub mod spread;

/// Returns whether a name means a key of a sweep: its whole path, its beginning (`network`) or its end (`trace`).
pub fn means_key(name: &str, path: &str) -> bool {
    path == name || path.starts_with(&format!("{name}.")) || path.ends_with(&format!(".{name}"))
}
