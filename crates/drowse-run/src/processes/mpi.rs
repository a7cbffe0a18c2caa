//! Processes that MPI joins.

use mpi::datatype::PartitionMut;
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Source};

use super::peers::{Letter, Peers};
use crate::error::RunError;

/// The exit code of all processes if one cannot go on.
const MACHINE_FAILED: i32 = 3;

/// All processes that MPI has started.
pub struct World {
    world: SimpleCommunicator,
    /// Processes on this machine.
    here: usize,
    /// Ends MPI when it is dropped.
    _universe: Universe,
}

impl World {
    /// Begins MPI, with so many processes on this machine; `None` if it has been begun.
    pub fn new(here: usize) -> Option<Self> {
        let universe = mpi::initialize()?;
        Some(World { world: universe.world(), here, _universe: universe })
    }
}

impl Peers for World {
    fn number(&self) -> usize {
        usize::try_from(self.world.rank()).unwrap_or(0)
    }

    fn count(&self) -> usize {
        usize::try_from(self.world.size()).unwrap_or(1)
    }

    fn here(&self) -> usize {
        self.here
    }

    fn tell_all(&mut self, what: &[u8]) -> Result<Vec<Vec<u8>>, RunError> {
        let length = [what.len() as u64];
        let mut lengths = vec![0_u64; self.count()];
        self.world.all_gather_into(&length, &mut lengths);
        let Some((counts, begins)) = places(&lengths) else { return Err(self.too_much()) };
        let mut all = vec![0_u8; lengths.iter().sum::<u64>() as usize];
        self.world.all_gather_varcount_into(what, &mut PartitionMut::new(&mut all, counts, begins));
        let mut rest = &all[..];
        let cut = |&length: &u64| {
            let (told, others) = rest.split_at(length as usize);
            rest = others;
            told.to_vec()
        };
        Ok(lengths.iter().map(cut).collect())
    }

    fn exchange(&mut self, letters: &[Letter], from: &[usize]) -> Result<Vec<Vec<u8>>, RunError> {
        if letters.iter().any(|(_, letter)| i32::try_from(letter.len()).is_err()) {
            return Err(self.too_much());
        }
        #[expect(clippy::cast_possible_wrap, reason = "MPI has numbered the processes")]
        let process = |number: usize| self.world.process_at_rank(number as i32);
        let received = mpi::request::multiple_scope(letters.len(), |scope, sent| {
            for (to, letter) in letters {
                sent.add(process(*to).immediate_send(scope, &letter[..]));
            }
            let received = from.iter().map(|&from| process(from).receive_vec().0).collect();
            sent.wait_all(&mut Vec::new());
            received
        });
        Ok(received)
    }

    fn abort(&self) {
        self.world.abort(MACHINE_FAILED);
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.abort();
        }
    }
}

impl World {
    fn too_much(&self) -> RunError {
        self.abort();
        RunError::Machine("a process has more than 2 GiB to send at a time: start more processes".into())
    }
}

/// Returns the lengths of pieces that follow each other and where they begin, as MPI counts; `None` where that is too far.
fn places(lengths: &[u64]) -> Option<(Vec<i32>, Vec<i32>)> {
    let counts: Vec<i32> = lengths.iter().map(|&length| i32::try_from(length).ok()).collect::<Option<_>>()?;
    let mut end = 0_i32;
    let begin = |&count: &i32| {
        let begin = end;
        end = end.checked_add(count)?;
        Some(begin)
    };
    let begins = counts.iter().map(begin).collect::<Option<_>>()?;
    Some((counts, begins))
}
