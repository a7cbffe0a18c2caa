//! Looks for libotf2 and sets `cfg(otf2_found)` where it is: a feature of cargo cannot look for libraries.
//!
//! `DROWSE_OTF2=off` builds without it wherever it is.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo:rustc-check-cfg=cfg(otf2_found)");
    println!("cargo:rerun-if-env-changed=DROWSE_OTF2");
    println!("cargo:rerun-if-env-changed=PATH");
    println!("cargo:rerun-if-changed=/usr/bin/otf2-config");
    let is_off = env::var("DROWSE_OTF2").is_ok_and(|value| value == "off");
    // What is found here is of this machine, and useless to others.
    if is_off || env::var("HOST") != env::var("TARGET") {
        return;
    }
    let Some(version) = ask("--version") else { return };
    // Version 3 added arguments to the callbacks that are used here.
    let number = version.split_whitespace().last().unwrap_or_default();
    let major = number.split('.').next().and_then(|major| major.parse::<u32>().ok());
    if major.is_none_or(|major| major < 3) {
        return;
    }
    let Some(flags) = ask("--ldflags") else { return };
    for folder in flags.split_whitespace().filter_map(|flag| flag.strip_prefix("-L")) {
        println!("cargo:rustc-link-search=native={folder}");
    }
    println!("cargo:rustc-link-lib=dylib=otf2");
    println!("cargo:rustc-cfg=otf2_found");
}

/// Returns what the library says of itself.
fn ask(what: &str) -> Option<String> {
    let output = Command::new("otf2-config").arg(what).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
