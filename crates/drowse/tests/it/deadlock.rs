//! Runs that cannot end: who waits for whom, and exit code 1.

use std::fmt::Write;
use std::fs;

use crate::support::{Ended, drowse_in};

const NETWORK: &str = "[network]\nkind = \"torus\"\ndims = [4, 4]\n[node]\neager_limit = \"1 KiB\"\n";

/// Runs programs side by side, each given as one merged text.
fn run(programs: &[(&str, &str)]) -> Ended {
    let folder = tempfile::tempdir().unwrap();
    let mut experiment = NETWORK.to_owned();
    for (name, text) in programs {
        fs::write(folder.path().join(format!("{name}.ti")), text).unwrap();
        writeln!(experiment, "[[job]]\nname = \"{name}\"\ntrace = \"{name}.ti\"").unwrap();
    }
    fs::write(folder.path().join("x.toml"), experiment).unwrap();
    drowse_in(folder.path(), &["run", "x.toml"])
}

/// Runs a program that cannot end, and returns what is said of it.
fn stuck(text: &str) -> String {
    let ended = run(&[("program", text)]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""), "{}", ended.stderr);
    ended.stderr
}

/// Datatype 6 is a byte.
const HEAD_TO_HEAD: &str = "0 init\n0 compute 1000000\n0 send 1 5 2000 6\n0 recv 1 5 2000 6\n0 finalize\n\
                            1 init\n1 send 0 5 3000 6\n1 recv 0 5 3000 6\n1 finalize\n";

#[test]
fn head_to_head() {
    insta::assert_snapshot!(stuck(HEAD_TO_HEAD), @r#"
    error: deadlock at 100.1152 us: 2 ranks wait in a circle
      rank 0 waits for rank 1 to receive 2000 B with tag 5 (operation 2)
      rank 1 waits for rank 0 to receive 3000 B with tag 5 (operation 1)
    "#);
}

#[test]
fn a_ring_of_three_and_one_that_waits_for_it() {
    let text = "0 init\n0 recv 1 0 8\n0 send 2 0 8\n0 finalize\n\
                1 init\n1 recv 2 0 8\n1 send 0 0 8\n1 finalize\n\
                2 init\n2 irecv 0 7 8\n2 irecv 0 0 8\n2 waitall 2\n2 send 1 0 8\n2 finalize\n\
                3 init\n3 recv 2 0 8\n3 finalize\n";
    insta::assert_snapshot!(stuck(text), @r#"
    error: deadlock at 0 ps: 3 ranks wait in a circle
      rank 0 waits to receive from rank 1 with tag 0 (operation 1)
      rank 1 waits to receive from rank 2 with tag 0 (operation 1)
      rank 2 waits to receive from rank 0 with tag 7, and for another request (operation 3)
    1 more rank waits
    "#);
}

#[test]
fn a_rank_that_has_finished() {
    let text = "0 init\n0 recv 1 0 8\n0 finalize\n\
                1 init\n1 recv 2 3 8\n1 send 0 0 8\n1 finalize\n\
                2 init\n2 send 1 4 8\n2 finalize\n";
    insta::assert_snapshot!(stuck(text), @r#"
    error: deadlock at 115.2 ns: 2 ranks wait, one for the next, the last for a rank that has finished
      rank 0 waits to receive from rank 1 with tag 0 (operation 1)
      rank 1 waits to receive from rank 2 with tag 3, but has one with tag 4 from it (operation 1)
      rank 2 has finished at operation 1 and never sends it
    "#);
}

#[test]
fn any_sender() {
    let text = "0 init\n0 recv -1 -1 8\n0 recv -1 -1 8\n0 finalize\n1 init\n1 send 0 0 8\n1 finalize\n";
    insta::assert_snapshot!(stuck(text), @r#"
    error: deadlock at 115.2 ns: 1 rank waits for any sender, and none is left
      rank 0 waits to receive from any rank with any tag (operation 2)
    "#);
    let text = "0 init\n0 recv -1 0 8\n0 send 1 0 8\n0 finalize\n1 init\n1 recv 0 0 8\n1 send 0 0 8\n1 finalize\n";
    insta::assert_snapshot!(stuck(text), @r#"
    error: deadlock at 0 ps: 2 ranks wait in a circle
      rank 0 waits to receive from any rank with tag 0 (operation 1)
      rank 1 waits to receive from rank 0 with tag 0 (operation 1)
    "#);
}

#[test]
fn inside_a_collective() {
    let text = "0 init\n0 barrier\n0 allreduce 1000 0 6\n0 finalize\n\
                1 init\n1 barrier\n1 recv 0 0 8\n1 allreduce 1000 0 6\n1 finalize\n";
    insta::assert_snapshot!(stuck(text), @r#"
    error: deadlock at 328 ns: 2 ranks wait in a circle
      rank 0 waits to receive from rank 1 (operation 2: its 2nd collective, an allreduce)
      rank 1 waits to receive from rank 0 with tag 0 (operation 2)
    "#);
}

#[test]
fn the_job_of_several() {
    let fine = "0 init\n0 compute 1000000\n0 finalize\n";
    let ended = run(&[("fine", fine), ("stuck", HEAD_TO_HEAD)]);
    assert_eq!(ended.code, Some(1));
    insta::assert_snapshot!(ended.stderr, @r#"
    error: deadlock at 100.1152 us: 2 ranks wait in a circle
      job stuck: rank 0 waits for rank 1 to receive 2000 B with tag 5 (operation 2)
      job stuck: rank 1 waits for rank 0 to receive 3000 B with tag 5 (operation 1)
    "#);
}

/// A collective that one rank never calls is seen before the run.
#[test]
fn a_collective_that_one_rank_never_calls() {
    let ended =
        run(&[("program", "0 init\n0 barrier\n0 finalize\n1 init\n1 barrier\n1 finalize\n2 init\n2 finalize\n")]);
    assert_eq!(ended.code, Some(2));
    insta::assert_snapshot!(ended.stderr, @r#"
    x.toml:8:9: error: rank 0 calls barrier 1 times, rank 2 0 times: the trace is
        cut off, or the program splits its communicator, which the trace does not
        tell; choose a whole trace of a program with one communicator
     8 | trace = "program.ti"
       |         ^^^^^^^^^^^^
    "#);
}
