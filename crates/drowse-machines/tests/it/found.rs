//! Machines that were found to break a law, made small.

use drowse_machines::{Machine, Verdict, examine};

/// Seed 1708, commit 70cb4174: at the end all packets that had left their nodes had arrived, and others waited at their
/// nodes still, which had waited for longer than the first had been under way. The law knew only those in the network.
#[test]
fn packets_that_wait_at_their_nodes_at_the_end() {
    let text = "
        network = { kind = \"graph\", file = \"graph.txt\" }
        switch = { hop_latency = \"10 ns\", packet = \"1024 B\" }
        [traffic]
        pattern = \"tornado\"
        load = 1.0
        packets = \"7089 B\"
        warmup = \"0 cycles\"
        measure = \"2169 cycles\"
        drain = false
    ";
    let mut machine = Machine { tables: text.parse().unwrap(), files: Vec::new() };
    machine.add_file("graph.txt", "switch s0 2\nswitch s2 2\ns0 s3 far 2\ns2 s3  3\n".into());
    let folder = tempfile::tempdir().unwrap();
    let verdict = examine(&machine, folder.path());
    assert!(matches!(verdict, Verdict::Passed { packets } if packets > 0), "{verdict:?}");
}
