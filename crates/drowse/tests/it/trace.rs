//! `drowse trace`.

use crate::support::{drowse_in, json_of, ping};

#[test]
fn the_table_of_a_trace() {
    let ended = drowse_in(ping().path(), &["trace", "info", "ping.ti"]);
    assert_eq!(ended.code, Some(0));
    insta::assert_snapshot!(ended.stdout, @r#"
    ping.ti

    trace
      format                                   simgrid-ti
      ranks                                             2
      point-to-point messages                           1
      bytes of these                                1,000 B
      pairs of sender and receiver                      1
      communicators                                     1
      computing, all ranks                          100.0 us
      of a rank, least                                  0 s
      of a rank, mean                               50.00 us
      of a rank, most                               100.0 us
      run time where communication costs none       100.0 us
      of it before all communication                100.0 us
      of it behind all communication                    0 s
      operations simulated                              9
      approximated                                      0
      without effect                                    0
      iterations known from                          none

    operations
      barrier                                           2
      compute                                           1
      finalize                                          2
      init                                              2
      recv                                              1
      send                                              1

    collectives (calls, all ranks)
      barrier                                           2

    messages by size, and their bytes
      up to 1 KiB                                       1        1,000 B

    collectives by size (calls, all ranks), and the bytes that they name
      barrier                                           2            0 B
    "#);
}

/// The picture has a rectangle for the one pair that exchanges messages; ranks that send nothing have none.
#[test]
fn the_picture_of_a_trace() {
    let folder = ping();
    let ended = drowse_in(folder.path(), &["trace", "info", "ping.ti", "--svg", "who.svg"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    let picture = std::fs::read_to_string(folder.path().join("who.svg")).unwrap();
    // Of two ranks, each has a half of 512 pixels; rank 0 sends to rank 1, upwards.
    let cell = "<rect x=\"56\" y=\"28\" width=\"256\" height=\"256\" fill=\"#08306b\"/>";
    assert_eq!(picture.matches("height=\"256\"").count(), 1, "{picture}");
    assert!(picture.contains(cell) && picture.contains("collectives are left out"), "{picture}");
    // A file alone is one rank of many.
    let alone = concat!(env!("CARGO_MANIFEST_DIR"), "/../drowse-traces/tests/data/dumpi/testtrace/testtrace-0001.bin");
    let ended = drowse_in(folder.path(), &["trace", "info", alone, "--svg", "no.svg"]);
    assert_eq!((ended.code, folder.path().join("no.svg").exists()), (Some(2), false));
    insta::assert_snapshot!(ended.stderr, @"error: --svg needs a trace that can be simulated; without it, the warnings say why");
}

/// A ring on more ranks.
#[test]
fn a_trace_on_more_ranks() {
    let folder = ping();
    let ring = |ranks: u32| {
        let rank = |rank| {
            let (next, last) = ((rank + 1) % ranks, (rank + ranks - 1) % ranks);
            format!("rank {rank}\ncompute 5\nisend {next} 8 as 0\nrecv {last}\nwait 0\n")
        };
        format!("drowse-trace 1\nranks {ranks}\n{}", (0..ranks).map(rank).collect::<String>())
    };
    std::fs::write(folder.path().join("ring"), ring(4)).unwrap();
    let scale = |ranks: &str| drowse_in(folder.path(), &["trace", "scale", "ring", "-o", "more", "--ranks", ranks]);
    let ended = scale("10");
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), ""));
    insta::assert_snapshot!(ended.stderr, @"warning: its ranks are a closed grid of 4, and become a closed grid of 10; sizes, and what each rank computes, stay as they are");
    assert_eq!(std::fs::read_to_string(folder.path().join("more")).unwrap(), ring(10));
    std::fs::remove_file(folder.path().join("more")).unwrap();
    insta::assert_snapshot!(scale("2").stderr, @"error: ring: its ranks are a closed grid of 4, and 2 ranks are no such grid of at least 3; give another number");
    assert_eq!((scale("0").code, folder.path().join("more").exists()), (Some(2), false));
}

/// What is kept runs, and takes as long as iterations of the whole.
#[test]
fn a_part_of_a_trace() {
    let folder = ping();
    let iteration = |rank: u32| match rank {
        0 => "compute 1 us\nsend 1 8\nrecv 1\n",
        _ => "recv 0\ncompute 2 us\nsend 0 8\n",
    };
    let text = |times: usize| {
        let rank = |rank| format!("rank {rank}\n{}", iteration(rank).repeat(times));
        format!("drowse-trace 1\nranks 2\n{}{}", rank(0), rank(1))
    };
    for times in [3, 7] {
        std::fs::write(folder.path().join(times.to_string()), text(times)).unwrap();
    }
    let cut = |more: &[&str]| drowse_in(folder.path(), &[&["trace", "cut", "7", "-o", "part"], more].concat());
    let ended = cut(&["--iterations", "3..5"]);
    assert_eq!((ended.code, ended.stdout.as_str(), ended.stderr.as_str()), (Some(0), "", ""));
    let time = |trace| {
        std::fs::write(folder.path().join("x.toml"), experiment(trace)).unwrap();
        json_of(&drowse_in(folder.path(), &["run", "x.toml", "--format", "json"]))["makespan_s"].clone()
    };
    assert_eq!(time("part"), time("3"));
    insta::assert_snapshot!(cut(&["--iterations", "1"]).stderr, @"error: part: is there already; give another name, or --force to replace it");
    std::fs::remove_file(folder.path().join("part")).unwrap();
    insta::assert_snapshot!(cut(&[]).stderr, @"error: nothing to cut: give --iterations or --time, --ranks, or both");
    insta::assert_snapshot!(cut(&["--iterations", "6..8"]).stderr, @"error: 7: the trace has 7 iterations, so iterations 6 to 8 cannot be kept; give some of 1 to 7");
    insta::assert_snapshot!(cut(&["--ranks", "1"]).stderr, @"error: 7:5: rank 0, operation 2 (`send 1 8`): it names rank 1, and ranks from 1 on are not kept; so the part would be no program");
    assert_eq!((cut(&["--iterations", "5..3"]).code, folder.path().join("part").exists()), (Some(2), false));
    assert_eq!(cut(&["--ranks", "2", "--iterations", "7", "--to", "goal"]).code, Some(0));
}

#[test]
fn the_json_of_a_trace() {
    let arguments = ["trace", "info", "ping.ti", "--format", "json", "--flops-per-second", "1 Gflop/s"];
    let json = json_of(&drowse_in(ping().path(), &arguments));
    assert_eq!((&json["ranks"], &json["messages"]["count"]), (&2.into(), &1.into()));
    assert_eq!(json["collectives"]["barrier"], 2);
    assert_eq!(json["compute_s"], 1e-3);
    assert_eq!(json["warnings"], serde_json::json!([]));
}

#[test]
fn a_trace_that_is_not_there() {
    let ended = drowse_in(ping().path(), &["trace", "info", "pong.ti"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    insta::assert_snapshot!(ended.stderr, @r#"
    pong.ti: error: this trace cannot be read: No such file or directory (os error
        2)
    help: give the path of a trace
    "#);
}

/// Two nodes, and the trace of a name.
fn experiment(trace: &str) -> String {
    format!("[network]\nkind = \"torus\"\ndims = [4]\n[[job]]\ntrace = \"{trace}\"\n")
}

#[test]
fn a_converted_trace_runs_as_the_first() {
    let folder = ping();
    let ended = drowse_in(folder.path(), &["trace", "convert", "ping.ti", "-o", "ping.drowse"]);
    assert_eq!((ended.code, ended.stdout.as_str(), ended.stderr.as_str()), (Some(0), "", ""));
    let text = std::fs::read_to_string(folder.path().join("ping.drowse")).unwrap();
    assert_eq!(
        text,
        "drowse-trace 1\nranks 2\nrank 0\ncompute 100000\nsend 1 1000\nbarrier\nrank 1\nrecv 0\nbarrier\n"
    );
    let time = |trace| {
        std::fs::write(folder.path().join("x.toml"), experiment(trace)).unwrap();
        json_of(&drowse_in(folder.path(), &["run", "x.toml", "--format", "json"]))["makespan_s"].clone()
    };
    let times = [time("ping.ti"), time("ping.drowse")];
    assert!(times[0].as_f64() > Some(1e-4), "{times:?}");
    assert_eq!(times[0], times[1]);
}

/// The time of a run is at least what the slowest rank computes, and the same for the text that is made of the trace.
#[test]
fn a_dumpi_trace_runs() {
    let folder = ping();
    let trace = concat!(env!("CARGO_MANIFEST_DIR"), "/../drowse-traces/tests/data/dumpi/is.S.16.tar.gz");
    let ended = drowse_in(folder.path(), &["trace", "convert", trace, "-o", "is.drowse"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    let text = std::fs::read_to_string(folder.path().join("is.drowse")).unwrap();
    let of_rank = |rank: &str| {
        let times = rank.lines().filter_map(|line| line.strip_prefix("compute "));
        times.map(|time| time.parse::<f64>().unwrap() * 1e-9).sum::<f64>()
    };
    let slowest = text.split("\nrank ").skip(1).map(of_rank).fold(0.0, f64::max);
    let time = |trace| {
        let experiment = format!("{}placement = \"linear\"\n", experiment(trace).replace("[4]", "[4, 4]"));
        std::fs::write(folder.path().join("x.toml"), experiment).unwrap();
        json_of(&drowse_in(folder.path(), &["run", "x.toml", "--format", "json"]))["makespan_s"].as_f64().unwrap()
    };
    let times = [time(trace), time("is.drowse")];
    assert!(times[0] > slowest && slowest > 1e-3, "{slowest} {times:?}");
    assert_eq!(times[0].to_bits(), times[1].to_bits());
}

#[test]
fn a_file_that_is_there_is_kept() {
    let folder = ping();
    let ended = drowse_in(folder.path(), &["trace", "convert", "ping.ti", "-o", "ping.ti"]);
    assert_eq!(ended.code, Some(2));
    insta::assert_snapshot!(ended.stderr, @"error: ping.ti: is read by this command, and would be lost; give another name");
    let ended = drowse_in(folder.path(), &["trace", "convert", "ping.ti", "-o", "no/such.folder"]);
    assert_eq!(ended.code, Some(2));
    insta::assert_snapshot!(ended.stderr, @"error: no/such.folder: cannot be written: No such file or directory (os error 2); give the name of a file in a folder that is there");
    let ended = drowse_in(folder.path(), &["trace", "convert", "pong.ti", "-o", "new"]);
    assert_eq!((ended.code, folder.path().join("new").exists()), (Some(2), false));
}

#[test]
fn a_trace_whose_ranks_do_not_fit_together() {
    let folder = ping();
    let ended = drowse_in(folder.path(), &["trace", "check", "ping.ti"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "no finding: the ranks fit together\n"));
    std::fs::write(folder.path().join("odd"), "drowse-trace 1\nranks 1\nrank 0\nsend 0 8\nsend 0 9\n").unwrap();
    let ended = drowse_in(folder.path(), &["trace", "check", "odd", "--most", "1"]);
    assert_eq!(ended.code, Some(1));
    assert_eq!(ended.stderr, "error: the ranks of the trace do not fit together\n");
    insta::assert_snapshot!(ended.stdout, @r"
    odd:4: rank 0, operation 1: no receive takes `send 0 8`
    and 1 more, which --most N prints
    2 findings
    warning: at 1 ranks sends and receives differ: to rank 0, 2 more messages are
      sent than received, which take time and energy all the same
    ");
    let ended = drowse_in(folder.path(), &["trace", "check", "odd", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(
        (&json["total"], &json["first"][1]["line"], &json["first"][1]["operation"]),
        (&2.into(), &5.into(), &2.into())
    );
}

#[test]
fn a_trace_in_another_format() {
    let folder = ping();
    let ended = drowse_in(folder.path(), &["trace", "convert", "ping.ti", "-o", "ping.goal"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    let json = json_of(&drowse_in(folder.path(), &["trace", "info", "ping.goal", "--format", "json"]));
    assert_eq!((&json["format"], &json["operations"]["calc"]), (&"goal".into(), &1.into()));
    std::fs::write(folder.path().join("any"), "drowse-trace 1\nranks 1\nrank 0\niteration\nisend 0 8\nrecv any\n")
        .unwrap();
    let ended = drowse_in(folder.path(), &["trace", "convert", "any", "-o", "x", "--to", "goal"]);
    assert_eq!((ended.code, folder.path().join("x").exists()), (Some(2), false));
    insta::assert_snapshot!(ended.stderr, @"error: any: rank 0, operation 3 (`recv any`): a receive of a GOAL text names the size of its message, which is not known for any sender or tag");
    let ended = drowse_in(folder.path(), &["trace", "convert", "any", "-o", "x.dim"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), "warning: 1 marks of iterations are left out\n"));
    assert_eq!(drowse_in(folder.path(), &["trace", "convert", "any", "-o", "y", "--to", "dumpi"]).code, Some(2));
}

/// The format of a trace may be given, on the command line and in the experiment; errors then are those of that format.
#[test]
fn a_format_that_is_given() {
    let folder = ping();
    let info = |format: &str| drowse_in(folder.path(), &["trace", "info", "ping.ti", "--trace-format", format]);
    assert_eq!((info("simgrid-ti").code, info("vef").code, info("none").code), (Some(0), Some(2), Some(2)));
    assert!(info("vef").stderr.contains("ping.ti:1: "), "{}", info("vef").stderr);
    std::fs::write(folder.path().join("a.toml"), experiment("ping.ti")).unwrap();
    let run = |more: &[&str]| drowse_in(folder.path(), &[&["run", "a.toml"], more].concat());
    assert_eq!(run(&["--trace-format", "simgrid-ti"]).code, Some(0));
    assert!(run(&["--trace-format", "vef"]).stderr.contains("ping.ti:1:"));
    std::fs::write(folder.path().join("a.toml"), format!("{}format = \"vef\"\n", experiment("ping.ti"))).unwrap();
    assert!(run(&[]).stderr.contains("ping.ti:1:"));
    std::fs::write(folder.path().join("a.toml"), format!("{}format = \"vfe\"\n", experiment("ping.ti"))).unwrap();
    let stderr = run(&[]).stderr;
    assert!(stderr.contains("`vfe` is no format of traces") && stderr.contains("drowse, dumpi, vef"), "{stderr}");
}
