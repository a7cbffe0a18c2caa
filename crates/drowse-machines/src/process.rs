//! Threads that stand for the processes of one run.

use std::panic;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use drowse_run::error::RunError;
use drowse_run::processes::{Letter, Peers};

/// A process that is a thread: it sends letters through channels.
pub struct Process {
    number: usize,
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Receiver<Vec<u8>>>,
}

impl Process {
    /// Makes so many.
    fn all(count: usize) -> Vec<Process> {
        let mut all: Vec<_> = (0..count).map(|number| Process { number, to: Vec::new(), from: Vec::new() }).collect();
        for from in 0..count {
            for to in 0..count {
                let (sender, receiver) = channel();
                all[from].to.push(sender);
                all[to].from.push(receiver);
            }
        }
        all
    }
}

impl Peers for Process {
    fn number(&self) -> usize {
        self.number
    }

    fn count(&self) -> usize {
        self.to.len()
    }

    fn here(&self) -> usize {
        self.to.len()
    }

    fn tell_all(&mut self, what: &[u8]) -> Result<Vec<Vec<u8>>, RunError> {
        let all: Vec<usize> = (0..self.to.len()).collect();
        let letters: Vec<Letter> = all.iter().map(|&to| (to, what.to_vec())).collect();
        self.exchange(&letters, &all)
    }

    fn exchange(&mut self, letters: &[Letter], from: &[usize]) -> Result<Vec<Vec<u8>>, RunError> {
        let gone = || RunError::Machine("another process has gone".into());
        for (to, letter) in letters {
            self.to[*to].send(letter.clone()).map_err(|_| gone())?;
        }
        from.iter().map(|&from| self.from[from].recv().map_err(|_| gone())).collect()
    }

    fn abort(&self) {
        panic!("a letter is damaged");
    }
}

/// Does something in each of several processes, and returns what comes out of each.
pub fn in_each<T: Send>(count: usize, task: impl Fn(Process) -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let started: Vec<_> = Process::all(count).into_iter().map(|process| scope.spawn(|| task(process))).collect();
        started.into_iter().map(|process| process.join().unwrap_or_else(|panic| panic::resume_unwind(panic))).collect()
    })
}
