//! Processes that a launcher starts for one run, where the program was built without MPI; `.ci/processes` has the others.

use crate::support::drowse_with;

/// Each would run the whole case, and all would write the same files.
#[test]
fn without_mpi_several_processes_are_refused_once() {
    let run = |number| {
        let launcher = [("OMPI_COMM_WORLD_SIZE", "3"), ("OMPI_COMM_WORLD_RANK", number)];
        drowse_with(&launcher, &["run", "examples/cg-ideal.toml"])
    };
    let (first, other) = (run("0"), run("2"));
    let expected = "error: 3 processes were started for one run, but this drowse was built without MPI\n\
                    help: build it with `--features mpi`, or start one process; `--threads` uses several cores\n";
    assert_eq!((first.code, first.stdout.as_str(), first.stderr.as_str()), (Some(2), "", expected));
    assert_eq!((other.code, other.stdout.as_str(), other.stderr.as_str()), (Some(2), "", ""));
}

/// One process needs no MPI, even if a launcher of MPI has started it.
#[test]
fn a_launcher_may_start_one_process() {
    let launcher = [("OMPI_COMM_WORLD_SIZE", "1"), ("OMPI_COMM_WORLD_RANK", "0")];
    let ended = drowse_with(&launcher, &["run", "examples/stencil-app.toml", "--set", "job.0.app.iterations=1"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
}
