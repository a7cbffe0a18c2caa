//! Experiments as text, and what becomes of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use drowse_experiment::{Case, Diagnostic, Source, System};

/// A network that is small and right.
pub const NETWORK: &str = "[network]\nkind = \"torus\"\ndims = [4, 4]\n";

/// Traffic that is short and right.
pub const TRAFFIC: &str = "[traffic]\nload = 0.3\nwarmup = \"100 cycles\"\nmeasure = \"1000 cycles\"\n";

/// Joins an experiment with overrides.
pub fn source(text: &str, overrides: &[&str]) -> Result<Arc<Source>, Diagnostic> {
    let overrides: Vec<String> = overrides.iter().map(|&text| text.to_owned()).collect();
    Source::new(Path::new("x.toml"), text.to_owned(), &overrides).map(Arc::new)
}

/// Resolves an experiment that is right.
pub fn case(text: &str) -> Case {
    overridden(text, &[])
}

/// Resolves an experiment with overrides that is right.
pub fn overridden(text: &str, overrides: &[&str]) -> Case {
    source(text, overrides)
        .and_then(|source| drowse_experiment::case(&source))
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Resolves a system that is right.
pub fn system(text: &str) -> System {
    source(text, &[]).and_then(|source| drowse_experiment::system(&source)).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the message of an experiment that is wrong.
pub fn wrong(text: &str) -> String {
    wrong_with(text, &[])
}

/// Returns the message of an experiment with overrides that is wrong.
pub fn wrong_with(text: &str, overrides: &[&str]) -> String {
    source(text, overrides).and_then(|source| drowse_experiment::case(&source)).expect_err("an error").to_string()
}

/// Returns the message of an experiment whose network, and then this text, and then traffic is wrong.
pub fn wrong_section(section: &str) -> String {
    wrong(&format!("{NETWORK}{section}\n{TRAFFIC}"))
}

/// Returns a path below the workspace's root.
pub fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}
