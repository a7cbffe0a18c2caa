//! `drowse submit`: its scripts, with engines that are played, and GNU parallel where it is installed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::support::{drowse_in, ping};

/// Twelve cases, in a folder whose name needs quotes.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let place = Place(ping());
        fs::create_dir(place.folder()).unwrap();
        let text = fs::read_to_string(place.0.path().join("ping.toml")).unwrap();
        let text = text.replace("ping.ti", "../ping.ti");
        fs::write(
            place.folder().join("x.toml"),
            format!("{text}[sweep]\nseed = [1, 2, 3, 4, 5, 6]\n\"network.trunk\" = [1, 2]\n"),
        )
        .unwrap();
        assert_eq!(drowse_in(&place.folder(), &["sweep", "x.toml", "--out", "whole"]).code, Some(0));
        place
    }

    fn folder(&self) -> PathBuf {
        self.0.path().join("it's a place")
    }

    /// Plays an engine: puts a program on the path in front of all others.
    fn play(&self, name: &str, script: &str) {
        let programs = self.0.path().join("programs");
        fs::create_dir_all(&programs).unwrap();
        let program = programs.join(name);
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn submit(&self, arguments: &[&str]) -> Output {
        let path = format!("{}:{}", self.0.path().join("programs").display(), std::env::var("PATH").unwrap());
        let mut command = Command::new(env!("CARGO_BIN_EXE_drowse"));
        command.current_dir(self.folder()).env("PATH", path);
        command.args(["submit", "x.toml", "--out", "out"]).args(arguments).output().unwrap()
    }

    /// Returns the script that would be submitted; a shell must be able to read it.
    fn script(&self, arguments: &[&str]) -> String {
        let output = self.submit(&[arguments, &["--dry-run"]].concat());
        assert!(output.status.success(), "{output:?}");
        let script = self.0.path().join("script.sh");
        fs::write(&script, &output.stdout).unwrap();
        let read = Command::new("bash").arg("-n").arg(&script).output().unwrap();
        assert!(read.status.success() && read.stderr.is_empty(), "{read:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Compares the tables with those of the sweep that was not sharded.
    fn assert_whole(&self) {
        for table in ["cases.csv", "jobs.csv", "manifest.json"] {
            let read = |out: &str| fs::read_to_string(self.folder().join(out).join(table)).unwrap();
            assert_eq!(read("out"), read("whole"), "{table}");
        }
    }

    fn stored(&self) -> Vec<PathBuf> {
        let cases = fs::read_dir(self.folder().join("out/cases")).unwrap();
        let mut files: Vec<PathBuf> = cases.map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }
}

/// Runs the script on stdin once for each number of `--array`, as a task; what others wait for is done at once.
const SBATCH: &str = r#"#!/bin/bash
script=$(cat)
echo "$*" >>"$(dirname "$0")/called"
for argument; do case $argument in --array=*) array=${argument#--array=} ;; esac; done
if [ -z "${array:-}" ]; then bash -c "$script" >&2; echo 78; exit; fi
for range in ${array//,/ }; do
    for task in $(seq "${range%-*}" "${range#*-}"); do
        [ "$task" = "${LOSE:-}" ] || SLURM_ARRAY_TASK_ID=$task bash -c "$script" >&2
    done
done
echo "77;cluster"
"#;

/// Likewise.
const HQ: &str = r#"#!/bin/bash
script=$(cat)
for argument; do case $argument in --array=*) array=${argument#--array=} ;; esac; done
for range in ${array//,/ }; do
    for task in $(seq "${range%-*}" "${range#*-}"); do HQ_TASK_ID=$task bash -c "$script"; done
done
exit 1
"#;

#[test]
fn the_script_for_slurm() {
    let place = Place::new();
    let script = place.script(&["--slurm", "--tasks=3", "--threads=2", "--option=--time=1:00:00", "--option", "-pa b"]);
    let folder = place.0.path().canonicalize().unwrap();
    let shown = script
        .replace(&*fs::canonicalize(env!("CARGO_BIN_EXE_drowse")).unwrap().to_string_lossy(), "/bin/drowse")
        .replace(&*folder.to_string_lossy(), "/home");
    insta::assert_snapshot!(shown, @r#"
    #!/bin/sh
    # Written by `drowse submit`: submit again to run what is then missing.
    # Runs 12 of 12 cases and baselines in 3 tasks (3 shards), then writes the tables.

    set -eu
    cases=$(sbatch --job-name=drowse --output='/home/it'\''s a place/out/logs/%A_%a.txt' --time=1:00:00 '-pa b' --parsable \
        --array=1-3 --cpus-per-task=2 <<'END'
    #!/bin/sh
    exec /bin/drowse sweep '/home/it'\''s a place/x.toml' \
        --out '/home/it'\''s a place/out' --shard "$SLURM_ARRAY_TASK_ID/3" --threads 2
    END
    )
    merge=$(sbatch --job-name=drowse-merge --output='/home/it'\''s a place/out/logs/%j-merge.txt' --time=1:00:00 '-pa b' --parsable \
        --dependency="afterany:${cases%%;*}" <<'END'
    #!/bin/sh
    exec /bin/drowse merge '/home/it'\''s a place/out'
    END
    )
    echo "submitted: job array ${cases%%;*}, and job ${merge%%;*}, which merges after it"
    "#);
    assert!(!place.folder().join("out").exists(), "a dry run writes nothing");
}

#[test]
fn slurm_that_is_played() {
    let place = Place::new();
    place.play("sbatch", SBATCH);
    let output = place.submit(&["--slurm", "--tasks", "4"]);
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.ends_with("submitted: job array 77, and job 78, which merges after it\n"), "{said}");
    place.assert_whole();
    let called = fs::read_to_string(place.0.path().join("programs/called")).unwrap();
    assert!(called.contains("--array=1-4 ") && called.contains("--dependency=afterany:77"), "{called}");
    // Two cases are lost: their shards alone are submitted again.
    let files = place.stored();
    fs::remove_file(&files[0]).unwrap();
    fs::remove_file(&files[7]).unwrap();
    let kept = fs::metadata(&files[3]).unwrap().modified().unwrap();
    let script = place.script(&["--slurm", "--tasks", "12"]);
    assert!(script.contains("# Runs 2 of 12 cases and baselines in 2 tasks (12 shards)"), "{script}");
    assert!(place.submit(&["--slurm", "--tasks", "12"]).status.success());
    assert_eq!(place.stored(), files);
    assert_eq!(fs::metadata(&files[3]).unwrap().modified().unwrap(), kept, "it was not run again");
    place.assert_whole();
    let script = place.script(&["--slurm"]);
    assert!(script.contains("# All 12 cases and baselines are stored") && !script.contains("sbatch"), "{script}");
}

#[test]
fn hyperqueue_that_is_played() {
    let place = Place::new();
    place.play("hq", HQ);
    let script = place.script(&["--hq", "--option=--time-limit=1h"]);
    assert!(
        script.contains("--time-limit=1h --wait ") && script.contains("--array=1-12 --cpus=1 --stdin sh"),
        "{script}"
    );
    // Its exit code says that some tasks have failed; what is missing decides.
    let output = place.submit(&["--hq"]);
    assert!(output.status.success(), "{output:?}");
    place.assert_whole();
}

#[test]
fn gnu_parallel_where_it_is_installed() {
    let place = Place::new();
    let script = place.script(&["--parallel", "--tasks", "5", "--threads", "3", "--option=--nice=10"]);
    assert!(
        script.contains("parallel --jobs=33% --nice=10 --quote -I SHARD") && script.contains("::: $(seq 1 5)"),
        "{script}"
    );
    let version = Command::new("parallel").arg("--version").output();
    if !version.is_ok_and(|output| output.stdout.starts_with(b"GNU parallel")) {
        return;
    }
    let output = place.submit(&["--parallel", "--tasks", "5"]);
    assert!(output.status.success(), "{output:?}");
    place.assert_whole();
}

#[test]
fn an_engine_that_is_not_there_or_fails() {
    let place = Place::new();
    let output = Command::new(env!("CARGO_BIN_EXE_drowse"))
        .current_dir(place.folder())
        .env("PATH", "/nowhere")
        .args(["submit", "x.toml", "--out", "out", "--slurm"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("error: the program `sbatch` is not on the PATH\n"));
    place.play("sbatch", "#!/bin/sh\necho 'sbatch: error: invalid partition' >&2\nexit 1\n");
    let output = place.submit(&["--slurm"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("invalid partition\nerror: ") && said.contains("submit.sh ended with exit code 1"), "{said}");
    assert!(Path::new(&place.folder()).join("out/plan.json").exists(), "status works from here on");
}
