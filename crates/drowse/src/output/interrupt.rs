//! What an interrupted sweep says: how it goes on.

use std::io::{self, Write};
use std::path::Path;
use std::process;
use std::thread;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// What shells add to the number of the signal by which a program has ended.
const SIGNALLED: i32 = 128;

/// Ends the program on Ctrl-C, and on a request to end, with a message on stderr: nothing that is stored is lost.
#[allow(clippy::exit, reason = "a signal ends the program, wherever its threads are")]
pub fn watch(folder: &Path) {
    // Where signals cannot be watched, they end the program without a message.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
    let folder = folder.display().to_string();
    thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            let kept = "finished cases are kept: run the same command again to go on";
            // Nothing is left to tell it to when this fails.
            let _ = writeln!(io::stderr(), "\nstopped: {kept}; `drowse status {folder}` says how many are left");
            process::exit(SIGNALLED + signal);
        }
    });
}
