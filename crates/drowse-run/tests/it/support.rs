//! Experiments as text, and what becomes of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use drowse_experiment::{Case, Diagnostic, Source, System};

/// A network that is small and right.
pub const NETWORK: &str = "[network]\nkind = \"torus\"\ndims = [4, 4]\n";

/// Traffic that is short and right.
pub const TRAFFIC: &str = "[traffic]\nload = 0.3\nwarmup = \"100 cycles\"\nmeasure = \"1000 cycles\"\n";

fn source(text: &str) -> Result<Arc<Source>, Diagnostic> {
    Source::new(Path::new("x.toml"), text.to_owned(), &[]).map(Arc::new)
}

/// Resolves an experiment that is right.
pub fn case(text: &str) -> Case {
    source(text).and_then(|source| drowse_experiment::case(&source)).unwrap_or_else(|error| panic!("{error}"))
}

/// Resolves a system that is right.
pub fn system(text: &str) -> System {
    source(text).and_then(|source| drowse_experiment::system(&source)).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the message of an experiment whose network, and then this text, and then traffic is wrong.
pub fn wrong_section(section: &str) -> String {
    let text = format!("{NETWORK}{section}\n{TRAFFIC}");
    source(&text).and_then(|source| drowse_experiment::case(&source)).expect_err("an error").to_string()
}

/// Returns a path below the workspace's root.
pub fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}
