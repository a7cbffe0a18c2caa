//! `cargo xtask supply`: what Drowse is made of: licences, sources and duplicates of dependencies (deny.toml), that each is used, that
//! each crate can be packaged, and that the toolchain is the oldest one that is promised. Known vulnerabilities are checked where the
//! database of advisories can be fetched; where it cannot, this says so and goes on.

use crate::failure::{Failure, Outcome};
use crate::process::{captured, cargo, command, quietly, run as go, said, tool};
use crate::repository::read;

/// Crates that are not published.
pub const UNPUBLISHED: [&str; 6] = ["--exclude", "drowse-twin", "--exclude", "drowse-machines", "--exclude", "xtask"];

/// Checks all of it.
pub fn run(_: &[String]) -> Outcome {
    toolchain()?;
    versions()?;
    let deny = tool("cargo-deny")?;
    go(&mut command(&deny, ["--locked", "check", "licenses", "bans", "sources"]))?;
    if captured(command("timeout", ["120"]).arg(&deny).args(["fetch", "db"]))?.status.success() {
        go(&mut command(&deny, ["--locked", "check", "advisories"]))?;
        println!("advisories: checked");
    } else {
        println!("advisories: NOT CHECKED, since their database cannot be fetched here");
    }
    go(&mut command(tool("cargo-shear")?, ["--locked"]))?;
    // Fuzzing is a workspace of its own, which nothing else here builds.
    quietly(&mut cargo(["metadata", "--locked", "--format-version", "1", "--manifest-path", "fuzz/Cargo.toml"]))
        .map_err(|_| {
            Failure::new(
                "fuzz/Cargo.lock is out of date: run cargo metadata --manifest-path fuzz/Cargo.toml, and commit it",
            )
        })?;
    // Without building, which cargo xtask long does.
    let package = ["package", "--workspace", "--locked", "--allow-dirty", "--no-verify", "--quiet"];
    go(cargo(package).args(UNPUBLISHED))?;
    println!("every crate can be packaged");
    Ok(())
}

/// Checks that the pinned toolchain is the one that Cargo.toml promises, and this one.
fn toolchain() -> Outcome {
    let (channel, oldest) = (value("rust-toolchain.toml", "channel")?, value("Cargo.toml", "rust-version")?);
    let this = said(&mut command("rustc", ["--version"]))?;
    if channel.starts_with(&format!("{oldest}.")) && this.starts_with(&format!("rustc {channel} ")) {
        return Ok(());
    }
    Err(Failure::new(format!(
        "rust-toolchain.toml pins Rust {channel}, Cargo.toml promises {oldest}, and this is {this}"
    )))
}

/// Where the version stands beside Cargo.toml, and what stands before it.
const VERSIONS: [(&str, &str); 5] = [
    ("CITATION.cff", "version: "),
    ("codemeta.json", "  \"version\": \""),
    (".zenodo.json", "  \"version\": \""),
    ("packaging/conda/recipe.yaml", "  version: "),
    ("packaging/spack/package.py", "    version(\""),
];

/// Checks that all files that state the version state the same.
fn versions() -> Outcome {
    let version = value("Cargo.toml", "version")?;
    for (file, before) in VERSIONS {
        let text = read(file)?;
        let stated = text.lines().find_map(|line| line.strip_prefix(before)).unwrap_or_default();
        if stated.trim_end_matches(['"', ',', ')']) != version {
            return Err(Failure::new(format!("{file} is not of version {version}, as Cargo.toml is")));
        }
    }
    Ok(())
}

/// Returns the text of a key of a file.
fn value(file: &str, key: &str) -> Outcome<String> {
    let text = read(file)?;
    let start = format!("{key} = \"");
    let value = text.lines().find_map(|line| line.strip_prefix(&start)?.strip_suffix('"'));
    value.map(str::to_owned).ok_or_else(|| Failure::new(format!("{file} has no {key}")))
}
