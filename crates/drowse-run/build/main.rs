//! Names what is built by a hash of its sources: results say it, for the version changes less often than the engine.

#![expect(clippy::print_stdout, reason = "so a build script talks to Cargo")]

#[path = "../src/identity/hash.rs"]
mod hash;
mod sources;

use std::env;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let own = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let folders = sources::folders(&own, &env::var("CARGO_PKG_VERSION")?)?;
    folders.iter().for_each(|folder| println!("cargo::rerun-if-changed={}", folder.display()));
    println!("cargo::rustc-env=DROWSE_BUILD={:016x}", sources::fingerprint(&folders)?);
    Ok(())
}
