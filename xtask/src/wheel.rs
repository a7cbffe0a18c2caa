//! `cargo xtask wheel`: what users of Python install. Builds the wheel for every Linux of the last years and the source
//! distribution, checks both by the tools of Python's packagers, and runs the package from them in new environments.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Outcome};
use crate::process::{command, run, said, target};
use crate::repository;

/// The packers and checkers, in their versions. With zig, the wheel needs no newer C library than that of 2018.
const TOOLS: &[&str] =
    &["maturin==1.16.0", "ziglang==0.17.1", "auditwheel==6.8.2", "abi3audit==0.0.26", "twine==7.0.0"];
/// What the wheel promises of the C library.
const PLATFORM: &str = "manylinux_2_28";
/// Bytes that a wheel may have.
const MOST_BYTES: u64 = 15_000_000;
/// What a wheel holds beside the package.
const INSIDE: [&str; 4] = ["licenses/LICENSE-MIT", "licenses/LICENSE-APACHE", "sboms/", "drowse/py.typed"];

/// Builds and checks; then runs the package with each Python that is named, else with the one that is there.
pub fn run_task(pythons: &[String]) -> Outcome {
    let usual = ["python3".to_owned()];
    let pythons = if pythons.is_empty() { &usual } else { pythons };
    let tools = environment(&pythons[0], &target().join("tools/wheel"), TOOLS)?;
    let wheels = target().join("wheels");
    if wheels.exists() {
        fs::remove_dir_all(&wheels)?;
    }
    build(&tools, &wheels)?;
    let [wheel, source] = [".whl", ".tar.gz"].map(|ending| with_ending(&wheels, ending));
    let (wheel, source) = (wheel?, source?);
    check(&tools, &wheel, &source)?;
    for (number, python) in pythons.iter().enumerate() {
        try_out(python, &wheel, &target().join(format!("tools/wheel-{number}")))?;
    }
    println!("{} and {} are good", wheel.display(), source.display());
    Ok(())
}

/// Makes an environment with some packages, if it is not there; returns the folder of its programs.
fn environment(python: &str, home: &Path, packages: &[&str]) -> Outcome<PathBuf> {
    let home = std::env::current_dir()?.join(home);
    if !home.join("bin/pip").exists() {
        run(command(python, ["-m", "venv"]).arg(&home))?;
    }
    run(command(home.join("bin/pip"), ["install", "-q", "--disable-pip-version-check"]).args(packages))?;
    Ok(home.join("bin"))
}

fn build(tools: &Path, wheels: &Path) -> Outcome {
    let maturin = |arguments: &[&str]| {
        let mut maturin = command(tools.join("maturin"), arguments);
        let path = std::env::var("PATH").unwrap_or_default();
        maturin.args(["--out"]).arg(wheels).env("PATH", format!("{}:{path}", tools.display()));
        // The library of the machine that builds must not become a need of the wheel.
        maturin.env("DROWSE_OTF2", "off");
        maturin
    };
    run(&mut maturin(&["build", "--release", "--locked", "--zig", "--compatibility", PLATFORM]))?;
    run(&mut maturin(&["sdist"]))
}

fn with_ending(folder: &Path, ending: &str) -> Outcome<PathBuf> {
    let entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let found = entries.iter().map(fs::DirEntry::path).find(|path| path.to_string_lossy().ends_with(ending));
    found.ok_or_else(|| Failure::new(format!("{}: maturin has written no file *{ending}", folder.display())))
}

/// Sizes, symbols, metadata and files.
fn check(tools: &Path, wheel: &Path, source: &Path) -> Outcome {
    let bytes = fs::metadata(wheel)?.len();
    println!("{}: {} kB", wheel.display(), bytes / 1000);
    if bytes > MOST_BYTES {
        return Err(Failure::new(format!("the wheel has {bytes} bytes, and may have {MOST_BYTES}")));
    }
    let shown = said(command(tools.join("auditwheel"), ["show"]).arg(wheel))?;
    let promised = shown.split("manylinux_").skip(1).any(|rest| rest.starts_with("2_28") || rest.starts_with("2_17"));
    if !promised {
        return Err(Failure::new(format!("the wheel is none of {PLATFORM}: {shown}")));
    }
    run(command(tools.join("abi3audit"), ["--strict", "--report"]).arg(wheel))?;
    run(command(tools.join("twine"), ["check", "--strict"]).args([wheel, source]))?;
    let files = said(command(tools.join("python"), ["-m", "zipfile", "-l"]).arg(wheel))?;
    match INSIDE.iter().find(|inside| !files.contains(*inside)) {
        None => Ok(()),
        Some(inside) => Err(Failure::new(format!("the wheel has no {inside}"))),
    }
}

/// Installs a wheel in an environment of its own, and runs README's job from Python and by the command.
fn try_out(python: &str, wheel: &Path, home: &Path) -> Outcome {
    if home.exists() {
        fs::remove_dir_all(home)?;
    }
    let wheel = wheel.to_string_lossy();
    let programs = environment(python, home, &[&wheel])?;
    let root = repository::root()?;
    println!("{}", said(&mut command(programs.join("python"), ["--version"]))?);
    let job = "import drowse as dr\n\
               exp = dr.Experiment.from_toml('examples/cg-torus.toml')\n\
               print(exp.run(baseline='always-on'))";
    run(command(programs.join("python"), ["-c", job]).current_dir(&root))?;
    run(command(programs.join("drowse"), ["network", "examples/cg-torus.toml"]).current_dir(&root))?;
    run(command(programs.join("python"), ["-m", "drowse", "--version"]).current_dir(&root))
}
