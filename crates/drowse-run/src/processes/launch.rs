//! Whether this process is one of several of a run.

use std::env;

use super::peers::Peers;

/// What launchers tell: how many processes they have started, which of them this is, and how many are on this machine.
const TOLD: [[&str; 3]; 3] = [
    // Open MPI.
    ["OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"],
    // MPICH and its kin.
    ["PMI_SIZE", "PMI_RANK", "MPI_LOCALNRANKS"],
    // Slurm's srun with --mpi=pmix.
    ["SLURM_STEP_NUM_TASKS", "PMIX_RANK", "SLURM_NTASKS_PER_NODE"],
];

/// The processes that a launcher such as mpirun has started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launched {
    /// How many, at least 2.
    pub count: usize,
    /// Which of them this is, from 0.
    pub number: usize,
    /// How many of them are on this machine.
    pub here: usize,
}

/// Returns whether a launcher has started several processes of which this is one.
pub fn launched() -> Option<Launched> {
    told(|name| env::var(name).ok())
}

fn told(variable: impl Fn(&str) -> Option<String>) -> Option<Launched> {
    let read = |name: &str| variable(name).and_then(|text| text.parse().ok());
    let of = |[count, number, here]: &[&str; 3]| {
        let (count, number) = read(count).zip(read(number))?;
        Some(Launched { count, number, here: read(here).unwrap_or(count) })
    };
    TOLD.iter().find_map(of).filter(|launched| launched.count > 1)
}

impl Launched {
    /// Reaches the others.
    ///
    /// Fails where this was built without MPI.
    #[cfg(feature = "mpi")]
    pub fn peers(self) -> Result<Box<dyn Peers>, String> {
        let world = super::mpi::World::new(self.here).ok_or("error: MPI has been begun before")?;
        Ok(Box::new(world))
    }

    /// Fails, since this was built without MPI.
    #[cfg(not(feature = "mpi"))]
    pub fn peers(self) -> Result<Box<dyn Peers>, String> {
        let Launched { count, .. } = self;
        Err(format!(
            "error: {count} processes were started for one run, but this drowse was built without MPI\n\
             help: build it with `--features mpi`, or start one process; `--threads` uses several cores"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_launchers_tell() {
        let of = |set: &[(&str, &str)]| {
            let found = |name: &str| set.iter().find(|(set, _)| *set == name).map(|(_, value)| (*value).to_owned());
            told(found).map(|Launched { count, number, here }| [count, number, here])
        };
        let open_mpi =
            [("OMPI_COMM_WORLD_SIZE", "6"), ("OMPI_COMM_WORLD_RANK", "4"), ("OMPI_COMM_WORLD_LOCAL_SIZE", "3")];
        assert_eq!(of(&open_mpi), Some([6, 4, 3]));
        assert_eq!(of(&[("PMI_SIZE", "2"), ("PMI_RANK", "0")]), Some([2, 0, 2]));
        assert_eq!(of(&[("SLURM_STEP_NUM_TASKS", "8"), ("PMIX_RANK", "7")]), Some([8, 7, 8]));
        for none in [
            &[][..],
            &[("PMI_SIZE", "1"), ("PMI_RANK", "0")],
            &[("PMI_SIZE", "2")],
            &[("PMI_SIZE", "two"), ("PMI_RANK", "0")],
            // Tasks of a job that know nothing of each other.
            &[("SLURM_STEP_NUM_TASKS", "8"), ("SLURM_PROCID", "7")],
        ] {
            assert_eq!(of(none), None);
        }
    }
}
