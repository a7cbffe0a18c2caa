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
    machine
        .add_file("graph.txt", "# columns: a b class links\nswitch s0 2\nswitch s2 2\ns0 s3 far 2\ns2 s3 - 3\n".into());
    passes(&machine);
}

/// Seed 31776, commit cfe95baf: a rank of MPI Random Access took a message of the next program for an update, and then
/// waited for it for ever. It takes updates from any rank, and one that has finished goes on with tags that were the same.
#[test]
fn updates_from_any_rank_beside_the_next_program() {
    let text = "
        job = [{ app = [
            { kind = \"random-access\", ranks = 9, updates = 9 },
            { kind = \"all-to-all\", ranks = 9, bytes = \"0 B\" },
        ] }]
        network = { kind = \"dragonfly\", a = 3, groups = 2, h = 1, p = 2 }
        link = { lanes = 2 }
        [[power.class]]
        class = \"local\"
        policy = { kind = \"coalescing\", frames = 1, timeout = \"400 ns\" }
    ";
    passes(&Machine { tables: text.parse().unwrap(), files: Vec::new() });
}

/// Seed 68608, commit ce9f0805: a channel that the other end of its link woke fell asleep as soon as it was awake,
/// although a packet waited for it that had coalesced there. In five partitions there is an edge more, at which that packet
/// was seen, and the channel stayed on.
#[test]
fn a_packet_waits_for_a_channel_that_the_other_end_wakes() {
    let text = "
        link = { bandwidth = \"198 Gb/s\" }
        network = { kind = \"dragonfly-plus\", groups = 3, h = 2, leaves = 1, nodes = 1, spines = 1 }
        switch = { packet = \"16 B\", pipeline = 1 }
        traffic = { load = 0.01150848, measure = \"1595 cycles\", warmup = \"103 cycles\" }
        [power]
        channels = \"all\"
        directions = \"both\"
        selection = \"blind\"
        policy = { kind = \"coalescing\", frames = 3, timeout = \"544273 ps\" }
        [[power.class]]
        class = \"node\"
        policy = { kind = \"perfbound\", bound = 0.00000006794929504394531 }
        [[power.class]]
        class = \"local\"
        states = { deep = { enter = \"133 ps\", wake = \"915 ps\" } }
        [[power.class]]
        class = \"global\"
        policy = { kind = \"width\" }
    ";
    passes(&Machine { tables: text.parse().unwrap(), files: Vec::new() });
}

/// Seed 255908, commit 3d141f8f: a link narrowed while it sent a packet, which keeps its speed. The law did not know.
#[test]
fn a_link_narrows_while_it_sends() {
    let text = "
        job = [{ app = { kind = \"ep\", ranks = 1 } }, { app = { kind = \"is\", class = \"S\", ranks = 2 } }]
        link = { bandwidth = \"1 Gb/s\" }
        network = { kind = \"thin-tree\", levels = 2, down = 2, up = 1 }
        switch = { packet = \"512 B\" }
        power = { states = \"eee-100m\", policy = { kind = \"width\", window = \"1 us\" } }
    ";
    passes(&Machine { tables: text.parse().unwrap(), files: Vec::new() });
}

/// Seed 246904, commit 3d141f8f: an output that took no time to wake was on at once for those heads that were looked at
/// after the one that woke it. In partitions, more are looked at.
#[test]
fn an_output_that_wakes_in_no_time() {
    let text = "
        job = [{ app = { kind = \"milc\", dims = [2, 2, 1, 1] } }]
        network = { kind = \"graph\", file = \"graph.txt\", routing = \"ugal\" }
        switch = { buffer = \"768 B\", input_speedup = 5, packet = \"32 B\", pipeline = 17, trunks = \"packed\" }
        [power]
        sleep_aware = true
        policy = { kind = \"stall-timer\", shallow = \"1865 ps\" }
        [[power.class]]
        class = \"near\"
        policy = { kind = \"coalescing\", frames = 3, timeout = \"7 ps\" }
        states = { deep = { enter = \"26 ps\", wake = \"51 ps\" }, shallow = { enter = \"500 ns\", wake = \"44 ps\" } }
        [[power.class]]
        class = \"link\"
        states = { deep = { wake = \"2010 ps\" }, shallow = { wake = \"0 ns\" } }
    ";
    let mut machine = Machine { tables: text.parse().unwrap(), files: Vec::new() };
    let graph = "# columns: a b class links\nswitch s0 2\nswitch s1 1\nswitch s2 0\nswitch s3 2\nswitch s4 1\nswitch s5 2\n\
                 s0 s1 near 2\ns0 s2 - 1\ns0 s3 - 1\ns1 s4 - 3\ns0 s5 far 3\ns0 s1 - 1\ns4 s1 far 1\ns4 s3 - 1\n\
                 s2 s1 - 2\ns2 s3 - 1\ns0 s3 far 1\n";
    machine.add_file("graph.txt", graph.into());
    passes(&machine);
}

/// Seed 5002239: a rank whose trace is cut by time so that nothing is left of it, in a job that starts again, waited for the
/// others of its job. That wait is of no operation, and the law asked for one.
#[test]
fn a_rank_without_operations_starts_again() {
    let text = "
        network = { kind = \"torus\", dims = [4] }
        [[job]]
        trace = \"cut.ti\"
        time = \"..1 us\"
        repeat = \"until-others-end\"
        [[job]]
        app = { kind = \"stencil\", dims = [2], bytes = \"1 KiB\", iterations = 5, compute = \"20 us\" }
    ";
    let mut machine = Machine { tables: text.parse().unwrap(), files: Vec::new() };
    machine.add_file("cut.ti", "0 init\n0 compute 50000\n0 finalize\n1 init\n1 finalize\n".into());
    passes(&machine);
}

fn passes(machine: &Machine) {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let verdict = examine(machine, folder.path());
    assert!(matches!(verdict, Verdict::Passed { packets } if packets > 0), "{verdict:?}");
}
