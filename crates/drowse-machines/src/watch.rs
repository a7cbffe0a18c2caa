//! Ends the process where a machine hangs without a sign of life.

use std::process;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than any machine takes whose runs end or are ended, be the computer ever so busy.
const PATIENCE: Duration = Duration::from_mins(90);

/// What is examined, and since when.
#[derive(Clone, Default)]
pub struct Watch(Arc<Mutex<Option<(Instant, String)>>>);

impl Watch {
    /// Begins to watch from a thread of its own.
    pub fn begin() -> Self {
        let watch = Watch::default();
        let watched = watch.clone();
        thread::spawn(move || watched.watch());
        watch
    }

    /// Notes what is examined from now on.
    pub fn note(&self, what: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), what));
    }

    #[expect(clippy::print_stderr, reason = "a thread that hangs cannot be ended in another way")]
    fn watch(&self) {
        loop {
            thread::sleep(Duration::from_secs(1));
            let watched = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((since, what)) = watched.as_ref().filter(|(since, _)| since.elapsed() > PATIENCE) {
                eprintln!("a hang of {} s: {what}", since.elapsed().as_secs());
                process::exit(3);
            }
        }
    }
}
