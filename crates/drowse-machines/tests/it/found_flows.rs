//! Machines of flows that were found to break a law, made small or written for it.

use drowse_machines::{Machine, Verdict, examine};

/// Seed 74: messages within a node counted as delivered packets though they were none, and those that had cost their
/// processor time counted twice.
#[test]
fn only_what_a_nic_sends_is_delivered() {
    passes(
        "
        job = [{ app = { kind = \"all-to-all\", ranks = 8, bytes = \"3000 B\" } }]
        network = { kind = \"tree\", k = 2, n = 2 }
        node = { cores = 2, overheads = { message = \"300 ns\" } }
        simulation = { unit = \"flow\" }
        ",
        None,
    );
}

/// Seed 34: heads ran ahead of the end of the run, where a job starts again until others end, and so did what was
/// counted.
#[test]
fn what_is_under_way_at_the_end_is_counted_as_far_as_it_has_gone() {
    passes(
        "
        job = [
            { app = { kind = \"all-to-all\", ranks = 4, bytes = \"100 KiB\" }, repeat = \"until-others-end\" },
            { app = { kind = \"stencil\", dims = [2, 2], bytes = \"1 KiB\", iterations = 5, compute = \"1 us\" } },
        ]
        network = { kind = \"tree\", k = 2, n = 3 }
        link = { latency = \"500 ns\" }
        simulation = { unit = \"flow\" }
        ",
        None,
    );
}

/// Seed 56 of machines of flows: a NIC began a notification of the runtime system before it was sent.
#[test]
fn notifications_leave_at_their_time() {
    passes(
        "
        job = { app = { kind = \"namd\", atoms = 279, grid = [1, 1, 1], iterations = 3, ranks = 5 } }
        network = { kind = \"mesh\", dims = [3], nodes = 2 }
        simulation = { unit = \"flow\" }
        [power]
        policy = { kind = \"runtime\", detection = \"tree\", notification = \"5 B\", overhead = \"23867 ps\" }
        ",
        None,
    );
}

/// Seed 272 of machines of flows: behind a slow link a fast one, and the envelope of a message came later than the
/// message.
#[test]
fn an_envelope_comes_with_the_first_packet() {
    let trace = "0 alltoallv 0 814 0 118 0 412 1813 1 382 1168 292 260 \
                 0 814 1635 180 5427 1365 1473 1024 0 1 1710 0 6 6\n\
                 1 alltoallv 0 1635 2987 0 1 421 0 0 1314 569 367 1048 \
                 0 0 2987 1207 1402 1024 0 220 1667 5659 1511 1 6 6\n\
                 2 alltoallv 0 180 1207 8120 266 1024 1969 349 1 1435 1 683 \
                 0 118 0 8120 1 75 1024 1277 1168 2171 1024 4565 6 6\n\
                 3 alltoallv 0 5427 1402 1 1024 1527 387 0 861 1236 704 607 \
                 0 0 1 266 1024 128 0 1 1783 2599 665 1663 6 6\n\
                 4 alltoallv 0 1365 1024 75 128 905 417 1 1802 1089 1998 4023 \
                 0 412 421 1024 1527 905 5667 6980 1274 1024 1024 771 6 6\n\
                 5 alltoallv 0 1473 0 1024 0 5667 4102 489 1242 1024 349 0 \
                 0 1813 0 1969 387 417 4102 1447 3509 482 813 1018 6 6\n\
                 6 alltoallv 0 1024 220 1277 1 6980 1447 27 8060 419 0 1855 \
                 0 1 0 349 0 1 489 27 1 531 628 1 6 6\n\
                 7 alltoallv 0 0 1667 1168 1783 1274 3509 1 752 493 0 1024 \
                 0 382 1314 1 861 1802 1242 8060 752 363 1983 208 6 6\n\
                 8 alltoallv 0 1 5659 2171 2599 1024 482 531 363 860 1275 361 \
                 0 1168 569 1435 1236 1089 1024 419 493 860 1 1679 6 6\n\
                 9 alltoallv 0 1710 1511 1024 665 1024 813 628 1983 1 1551 703 \
                 0 292 367 1 704 1998 349 0 0 1275 1551 1 6 6\n\
                 10 alltoallv 0 0 1 4565 1663 771 1018 1 208 1679 1 1024 \
                 0 260 1048 683 607 4023 0 1855 1024 361 703 1024 6 6\n";
    passes(
        "
        job = [{ trace = \"trace.ti\" }]
        network = { kind = \"aries\", groups = 1 }
        node = { overheads = { gap_per_byte = \"53 ps\" } }
        switch = { packet = \"256 B\" }
        simulation = { unit = \"flow\" }
        ",
        Some(trace),
    );
}

/// Seed 38 of machines of flows: two messages that came by unequal ways passed a channel together, which was on for a
/// shorter time than both take.
#[test]
fn a_channel_is_on_for_all_that_passes_it() {
    let trace = "0 reduce 1 4478 0 6\n0 isend 1 2 45 6\n0 barrier\n1 reduce 1 4478 0 6\n1 barrier\n";
    passes(
        "
        job = { trace = \"trace.ti\" }
        network = { kind = \"tree\", k = 2, n = 1 }
        simulation = { unit = \"flow\" }
        [power]
        channels = \"node\"
        policy = { kind = \"immediate\", sleep = \"shallow\" }
        states = { shallow = { wake = \"679 ps\" } }
        ",
        Some(trace),
    );
}

/// Seed 262 of machines of flows: channels were on for a share of each message, and its flits are whole. By channel 4
/// go shares of several messages of 1,317 B, or 83 flits of 16 B, in all 91 flits; at 80 Gb/s these take 145.6 ns, and
/// it was on for 144.9 ns.
#[test]
fn a_channel_is_on_for_whole_flits() {
    passes(
        "
        job = [{ app = { kind = \"all-to-all\", ranks = 3, bytes = \"1317 B\" } }]
        network = { kind = \"dragonfly-plus\", groups = 2, h = 1, leaves = 2, spines = 2, nodes = 1 }
        power = { policy = { kind = \"immediate\" } }
        simulation = { unit = \"flow\" }
        ",
        None,
    );
}

/// Seed 390 of machines of flows: two packets of a message go at one hop by links of 80 Gb/s and of 1 Gb/s, and the
/// links of that hop were on as if all were as fast as the first. Five flits of 16 B take 640 ns at 1 Gb/s, and the
/// link was on for 51.2 ns.
#[test]
fn a_slow_link_beside_fast_ones_is_on_for_its_own_time() {
    passes(
        "
        job = [{ app = { kind = \"random\", ranks = 5, bytes = \"129 B\", degree = 1 } }]
        network = { kind = \"twisted-torus\", dims = [3, 3, 6], routing = \"k-shortest\" }
        link = [{ bandwidth = \"1 Gb/s\", class = \"dim-2\" }]
        power = { policy = { kind = \"immediate\" } }
        simulation = { unit = \"flow\" }
        ",
        None,
    );
}

/// Seed 974 of machines of flows: messages that come after unequal numbers of hops passed a channel together, and the
/// run ended before it could have sent them. Four messages of 576 B take 230.4 ns at 80 Gb/s, and it was on for 229.2
/// ns.
#[test]
fn the_last_message_waits_for_those_before_it() {
    passes(
        "
        job = [{ app = { kind = \"stencil\", dims = [2, 3], bytes = \"576 B\" } }]
        network = { kind = \"percs\", supernodes = 2 }
        power = { channels = \"all\", policy = { kind = \"immediate\" } }
        simulation = { unit = \"flow\" }
        ",
        None,
    );
}

/// Seed 600 of machines of flows: behind slow links on one way and fast ones on another, a message was delivered
/// before its head had come.
#[test]
fn no_last_bit_comes_before_the_head() {
    passes(
        "
        seed = 441
        link = [{ bandwidth = \"1 Gb/s\", class = \"local\" }]
        network = { kind = \"dragonfly\", a = 4, h = 2, p = 1, groups = 5, routing = \"valiant\" }
        switch = { clock = \"1601 ps\", packet = \"144 B\" }
        simulation = { unit = \"flow\" }
        [traffic]
        load = 1.0
        packets = \"191 B\"
        count = \"delivered\"
        warmup = \"134 cycles\"
        measure = \"710844 ps\"
        ",
        None,
    );
}

/// Seed 814 of machines of flows: a NIC that had sent a message began a notification of the runtime system that is
/// sent at the next edge.
#[test]
fn notifications_wait_for_their_time_behind_others() {
    passes(
        "
        job = { app = { kind = \"random-access\", ranks = 12, updates = 52, iterations = 3 } }
        network = { kind = \"percs\", supernodes = 1 }
        power = { policy = { kind = \"runtime\", notification = \"2558 B\" } }
        simulation = { unit = \"flow\" }
        ",
        None,
    );
}

fn passes(text: &str, trace: Option<&str>) {
    let mut machine = Machine { tables: text.parse().unwrap_or_else(|error| panic!("{error}")), files: Vec::new() };
    trace.into_iter().for_each(|trace| machine.add_file("trace.ti", trace.to_owned()));
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let verdict = examine(&machine, folder.path());
    assert!(matches!(verdict, Verdict::Passed { packets } if packets > 0), "{verdict:?}");
}
