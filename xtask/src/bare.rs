//! `cargo xtask static`: builds one static binary, target/x86_64-unknown-linux-musl/PROFILE/drowse, and runs it where there is nothing
//! else: in a folder as root, without libraries and without environment.

use std::env;
use std::fs;
use std::path::Path;

use crate::failure::{Failure, Outcome};
use crate::process::{cargo, command, run as go, said, target, tool};
use crate::repository::write;

const TARGET: &str = "x86_64-unknown-linux-musl";

/// Builds and runs it. PROFILE=dev builds faster.
pub fn run(_: &[String]) -> Outcome {
    let profile = env::var("PROFILE").unwrap_or_else(|_| "release".to_owned());
    go(&mut command("rustup", ["target", "add", TARGET]))?;
    let build = ["build", "--profile", &profile, "--locked", "-p", "drowse", "--bin", "drowse", "--target", TARGET];
    // For the C code of the compressions.
    go(cargo(build).env("CC_x86_64_unknown_linux_musl", tool("musl-gcc")?))?;
    let folder = if profile == "dev" { "debug" } else { &profile };
    let drowse = target().join(TARGET).join(folder).join("drowse");
    let needed = said(command("readelf", ["-d"]).arg(&drowse))?;
    let needed: Vec<&str> = needed.lines().filter(|line| line.contains("NEEDED")).collect();
    if !needed.is_empty() {
        return Err(Failure::new(format!("it needs libraries:\n{}", needed.join("\n"))));
    }
    if said(&mut command("id", ["-u"]))? != "0" {
        println!("not run in an empty folder: only root can");
        return Ok(());
    }
    let root = tempfile::tempdir()?;
    fs::copy(&drowse, root.path().join("drowse"))?;
    go(command("cp", ["-r", "examples"]).arg(root.path()))?;
    fs::create_dir(root.path().join("traces"))?;
    fs::copy("traces/cg.A.64.tar.zst", root.path().join("traces/cg.A.64.tar.zst"))?;
    bare(root.path(), &["--version"])?;
    write(root.path().join("app.txt"), bare(root.path(), &["run", "/examples/stencil-app.toml"])?)?;
    write(root.path().join("trace.txt"), bare(root.path(), &["trace", "info", "/traces/cg.A.64.tar.zst"])?)?;
    bare(root.path(), &["sweep", "/examples/stencil-app.toml", "--set", "seed=2", "--out", "/results"])?;
    go(command("ls", ["-l"]).arg(&drowse))?;
    println!("it runs in a folder that holds nothing else");
    Ok(())
}

/// Runs the binary in a folder that it takes for the whole machine. Returns what it prints.
fn bare(root: &Path, arguments: &[&str]) -> Outcome<String> {
    let chroot = said(&mut command("sh", ["-c", "command -v chroot"]))?;
    said(command(chroot, [root]).arg("/drowse").args(arguments).env_clear())
}
