//! Coverage-guided fuzzing: libFuzzer changes files, and what reads them must answer with a result or a message.
//!
//! `DROWSE_FUZZ` names the target: a trace format, `archive`, `writers`, a graph format, `experiment`, ... (`cargo xtask fuzz --list`).
//! What must hold of any file is said in the tests of the crates, which read the kept corpus in the same way.

#![no_main]

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

mod heap;
mod targets;
#[path = "../../crates/drowse-traces/tests/it/any_program.rs"]
mod programs;
#[path = "../../crates/drowse-experiment/tests/it/any_file.rs"]
mod texts;
#[path = "../../crates/drowse-traces/tests/it/any_file.rs"]
mod traces;

#[global_allocator]
static HEAP: heap::Counted = heap::Counted;

/// The target, and the folder in which its files are written: in memory, where the system has such a place.
static RUN: LazyLock<(targets::Target, PathBuf)> = LazyLock::new(|| {
    let name = env::var("DROWSE_FUZZ").unwrap_or_default();
    let target = targets::all().into_iter().find(|target| target.name == name);
    let memory = PathBuf::from("/dev/shm");
    let folder = if memory.is_dir() { memory } else { env::temp_dir() };
    let folder = folder.join(format!("drowse-fuzz-{name}-{}", process::id()));
    fs::create_dir_all(&folder).expect("a folder for files");
    (target.expect("DROWSE_FUZZ names a target"), folder)
});

/// Whether the memory that each file takes is told.
static TELLS: LazyLock<bool> = LazyLock::new(|| env::var_os("DROWSE_FUZZ_MEMORY").is_some());

fuzz_target!(
    init: {
        if env::var("DROWSE_FUZZ").is_ok_and(|name| name == "--list") {
            targets::all().iter().for_each(|target| println!("{}", target.name));
            process::exit(0);
        }
    },
    |bytes: &[u8]| {
        let (target, folder) = &*RUN;
        let (ranks, peak) = heap::peak_of(|| (target.read)(folder, bytes));
        let most = target.bound.of(bytes.len(), ranks);
        if *TELLS {
            eprintln!("{peak} bytes of memory for {} bytes, {ranks:?} ranks", bytes.len());
        }
        assert!(peak <= most, "{peak} bytes of memory for a file of {} bytes; the bound is {most}", bytes.len());
    }
);
