//! Starts the program, and makes what it reads.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Two ranks: one computes and sends, the other receives; both meet at a barrier.
pub const PING: &str = "0 init\n0 compute 1000000\n0 send 1 0 1000\n0 barrier\n0 finalize\n\
                        1 init\n1 recv 0 0 1000\n1 barrier\n1 finalize\n";

/// Four nodes on a ring whose links sleep soon, and the tiny trace.
const PING_EXPERIMENT: &str = "title = \"Ping\"
[network]
kind = \"torus\"
dims = [4]
[power]
policy = { kind = \"stall-timer\", deep = \"1 us\" }
model.reference = { switches = 4, ports = 3 }
[[job]]
trace = \"ping.ti\"
";

/// What a program printed, and how it ended.
pub struct Ended {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// Runs the program in a folder.
pub fn drowse_in(folder: &Path, arguments: &[&str]) -> Ended {
    ended(Command::new(env!("CARGO_BIN_EXE_drowse")).current_dir(folder).args(arguments).output().unwrap())
}

/// Runs the program in the workspace's root with variables of the environment.
pub fn drowse_with(variables: &[(&str, &str)], arguments: &[&str]) -> Ended {
    let mut command = Command::new(env!("CARGO_BIN_EXE_drowse"));
    ended(command.current_dir(root()).envs(variables.iter().copied()).args(arguments).output().unwrap())
}

/// Runs the program in a folder; it must end within so many seconds, which are many.
pub fn drowse_within(seconds: u64, folder: &Path, arguments: &[&str]) -> Ended {
    let mut child = Command::new(env!("CARGO_BIN_EXE_drowse"))
        .current_dir(folder)
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(seconds) {
            child.kill().unwrap();
            panic!("{arguments:?} runs for more than {seconds} s");
        }
        sleep(Duration::from_millis(10));
    }
    ended(child.wait_with_output().unwrap())
}

/// How the warning begins that a stall timer is short. The tiny experiment's is, on purpose: its run is short, too.
pub const SHORT_TIMER: &str = "warning: the stall timer of ";

/// Returns how a program ended, without the warning that all tests of the tiny experiment would have.
fn ended(Output { status, stdout, stderr }: Output) -> Ended {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let told = text(stderr);
    let stderr = told.split_inclusive('\n').filter(|line| !line.starts_with(SHORT_TIMER)).collect();
    Ended { code: status.code(), stdout: text(stdout), stderr }
}

/// Runs the program in the workspace's root.
pub fn drowse(arguments: &[&str]) -> Ended {
    drowse_in(&root(), arguments)
}

/// Returns the JSON that the program prints when it ends well.
pub fn json_of(ended: &Ended) -> serde_json::Value {
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    serde_json::from_str(&ended.stdout).unwrap()
}

/// Makes a folder with the tiny experiment and its trace.
pub fn ping() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("ping.toml"), PING_EXPERIMENT).unwrap();
    fs::write(folder.path().join("ping.ti"), PING).unwrap();
    folder
}

/// Returns the workspace's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Random numbers that are the same each time (SplitMix64).
pub struct Random(pub u64);

impl Random {
    /// Returns one that is smaller.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit
    }
}
