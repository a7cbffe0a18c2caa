//! `drowse run`.

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};

use crate::support::{drowse, drowse_in, json_of, ping};

#[test]
fn the_short_table_of_a_run_and_its_baseline() {
    let ended = drowse_in(ping().path(), &["run", "ping.toml", "--baseline", "always-on"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "progress is for terminals only");
    let (figures, notes) = ended.stdout.split_once("drowse ").unwrap();
    insta::assert_snapshot!(figures, @r"
    the machine needs 63.5 W more than 914 W (556 kWh a year)

    Ping
    4 nodes, 4 switches, 4 links between switches

                                                 this case  always-on  relative
      run time                                    109.3 us   100.3 us     1.089
      packet latency, mean                        4.649 us  0.1687 us
      packet latency, 99th percentile             4.695 us  0.2148 us
      time on, mean of links that may sleep        1.05 %   100.00 %
      time asleep, mean of links that may sleep   94.96 %     0.00 %
      messages delayed by waking links                2          0
      run time that waits for waking links         8.20 %     0.00 %
      total energy of links between switches      309.8 uJ   1,956 uJ    0.1584
      total energy of all links                   1.375 mJ   2.935 mJ    0.4687
      total energy of links, switches and NICs    8.443 mJ   9.423 mJ    0.8960
      total energy of nodes that run ranks        89.62 mJ   82.27 mJ     1.089
      total energy of network and nodes           98.06 mJ   91.69 mJ     1.069
    ");
    assert!(notes.contains("seed 1, case "), "{notes}");
    assert!(ended.stdout.lines().count() <= 26, "the short table is short");
}

#[test]
fn the_table_of_open_loop_traffic() {
    let ended = drowse(&["run", "examples/uniform-torus.toml", "--baseline", "examples/uniform-torus.toml"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    let (figures, _) = ended.stdout.split_once("drowse ").unwrap();
    insta::assert_snapshot!(figures, @r"
    the network saves 0 W of 19.7 kW (0 kWh a year)

    Uniform traffic on an 8x8x8 torus
    512 nodes, 512 switches, 1,536 links between switches

                                                 this case   baseline  relative
      offered load                                29.98 %    29.98 %
      accepted load                               29.99 %    29.99 %
      packet latency, mean                        401.1 ns   401.1 ns
      packet latency, 99th percentile             663.6 ns   663.6 ns
      time on, mean of links that may sleep      100.00 %   100.00 %
      time asleep, mean of links that may sleep    0.00 %     0.00 %
      messages delayed by waking links                0          0
      mean power of links between switches        7.488 kW   7.488 kW
      mean power of all links                     8.736 kW   8.736 kW
      mean power of links, switches and NICs      19.70 kW   19.70 kW
    ");
}

#[test]
fn every_table_fits_a_terminal() {
    for arguments in [
        ["run", "examples/cg-ideal.toml"].as_slice(),
        &["run", "examples/uniform-torus.toml", "--details"],
        &["network", "examples/hypercube.toml", "--check"],
        &["network", "examples/percs.toml", "--check"],
        &["network", "examples/failed-links.toml"],
        &["usage", "examples/usage-percs.toml", "--time", "10 ms"],
        &["states"],
        &["devices"],
        &["trace", "info", "traces/cg.A.64.tar.zst"],
        &["trace", "check", "traces/lulesh.64.tar.zst"],
        &["reproduce", "runtime", "--quick"],
        &["reproduce", "torus", "--quick", "--traces", "examples"],
    ] {
        let ended = drowse(arguments);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{arguments:?}");
        let wide: Vec<&str> = ended.stdout.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(wide.is_empty(), "{arguments:?}: {wide:#?}");
    }
    for command in ["run", "sweep", "network", "trace", "usage", "reproduce", "states", "devices"] {
        for help in ["-h", "--help"] {
            let ended = drowse(&[command, help]);
            let wide: Vec<&str> = ended.stdout.lines().filter(|line| line.chars().count() > 80).collect();
            assert!(wide.is_empty(), "{command} {help}: {wide:#?}");
        }
    }
}

/// What ranks spend by kind of operation sums to what they spend in all.
#[test]
fn the_details_of_operations() {
    let folder = ping();
    let command = ["run", "ping.toml", "--details", "--table", "rank-operations", "--out", "out"];
    let ended = drowse_in(folder.path(), &command);
    let group = |heading: &str| {
        let lines = ended.stdout.lines().skip_while(|line| !line.starts_with(heading)).skip(1);
        let lines = lines.take_while(|line| !line.is_empty());
        let share = |line: &str| line.trim_end_matches(" %").rsplit(' ').next().unwrap().parse::<f64>().unwrap();
        lines.map(|line| (line.split_whitespace().next().unwrap().to_owned(), share(line))).collect::<Vec<_>>()
    };
    let [parts, kinds] = ["how ranks spend the makespan", "what ranks spend the makespan in"].map(group);
    let names: Vec<&str> = kinds.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["compute", "send", "recv", "barrier"]);
    let sum = |of: &[(String, f64)]| of.iter().map(|(_, share)| share).sum::<f64>();
    assert!((sum(&parts) - sum(&kinds)).abs() < 0.05, "{parts:?} {kinds:?}");
    assert!(folder.path().join("out/rank_operations.csv").exists());
}

/// Returns what a run and its baseline print: times and counts, energies, and what depends on the machine.
fn details() -> [String; 3] {
    let ended = drowse_in(ping().path(), &["run", "ping.toml", "--baseline", "always-on", "--details"]);
    let (figures, engine) = ended.stdout.split_once("simulation\n").unwrap();
    let (times, energies) = figures.split_at(figures.find("\nenergy\n").unwrap() + 1);
    [times, energies, engine].map(str::to_owned)
}

#[test]
fn the_details_of_a_run_and_its_baseline() {
    let [times, _, engine] = details();
    insta::assert_snapshot!(times, @r"
    the machine needs 63.5 W more than 914 W (556 kWh a year)

    Ping

                                                  this case    always-on  relative
    run
      makespan                                     109.3 us     100.3 us     1.089
      of it before the first message               91.50 %      99.67 %
      of it behind the last message                 0.00 %       0.00 %
      operations that ranks ran                        5            5

    how ranks spend the makespan, in the mean
      computing (Run_task)                         45.75 %      49.84 %
      busy with messages                            0.00 %       0.00 %
      waiting for messages                         47.90 %      49.94 %
      waiting until sends are complete              0.00 %       0.00 %
      in collective operations                      4.25 %       0.16 %

    what ranks wait for (share of the makespan, in the mean)
      partners that work                           45.75 %      49.84 %
      partners that wait, too                       0.10 %       0.11 %
      the network                                   0.15 %       0.16 %
      the memory of their nodes                     0.00 %       0.00 %
      waking links, also before                     6.15 %       0.00 %

    what the makespan consists of (critical path)
      ranks compute                                91.50 %      99.67 %
      ranks are busy with messages                  0.00 %       0.00 %
      messages go through memory                    0.00 %       0.00 %
      messages go through the network               0.30 %       0.33 %
      messages wait for waking links                8.20 %       0.00 %

    network
      nodes                                            4            4
      switches                                         4            4
      links between switches                           4            4
      switch ports                                    12           12
      packets delivered                               10           10
      hops                                            20           20

    latency
      packet, mean                                 4.649 us    0.1687 us
      packet, median                               4.653 us    0.1638 us
      packet, 99 %                                 4.695 us    0.2148 us
      packet, largest                              4.695 us    0.2148 us
      message, mean                                4.661 us    0.1805 us
      message, median                              4.695 us    0.2140 us
      message, 99 %                                4.695 us    0.2148 us
      message, largest                             4.695 us    0.2148 us
      packet, smallest to largest (log)             █▆█▆        ▃▃█▆█
      message, smallest to largest (log)            ▄··█        ▄···█

    link states (share of channel time)
      on                                            1.05 %     100.00 %
      entering sleep                                2.96 %       0.00 %
      shallow sleep                                 0.00 %       0.00 %
      deep sleep                                   94.96 %       0.00 %
      waking                                        1.02 %       0.00 %
      wakes                                            2            0
      messages delayed by waking                       2            0
      total wait of these, not of those behind     8.960 us         0 us
      mean wait of one of these                    4.480 us         -
    ");
    assert!(engine.contains("peak memory") && engine.contains("seed 1, case "));
}

#[test]
fn the_energies_of_a_run_and_its_baseline() {
    let [_, energies, _] = details();
    insta::assert_snapshot!(energies, @r"
    energy
      links of nodes                               1.066 mJ    0.9782 mJ
      links between switches                       309.8 uJ     1,956 uJ    0.1584
      all links                                    1.375 mJ     2.935 mJ    0.4687
      switches without their links                 1.721 mJ     1.580 mJ
      NICs                                         5.346 mJ     4.908 mJ
      network: links, switches and NICs            8.443 mJ     9.423 mJ    0.8960
      nodes that run ranks                         89.62 mJ     82.27 mJ     1.089
      network and nodes                            98.06 mJ     91.69 mJ     1.069

    mean power
      links of nodes                               9.750 W      9.750 W
      links between switches                       2.835 W      19.50 W
      all links                                    12.58 W      29.25 W
      switches without their links                 15.75 W      15.75 W
      NICs                                         48.92 W      48.92 W
      network: links, switches and NICs            77.25 W      93.92 W
      nodes that run ranks                         820.0 W      820.0 W
      network and nodes                            897.3 W      913.9 W

    relative power (share of the maximum) and energy (seconds of it)
      power of a port (W_ports)                    43.03 %     100.00 %
      power of the network (W_net)                 62.97 %     100.00 %
      energy of the network (E_net)                68.81 us     100.3 us    0.6859
      mean of a link between switches              15.89 us     100.3 us
      mean of a link                               62.59 us     100.3 us    0.6238
      mean of a link x makespan                 6.840e-9 s2  1.007e-8 s2    0.6796

    relative energy of network and nodes (E_cluster), by what an idle node draws
      idle node 0 %                                52.82 us     57.55 us    0.9179
      idle node 25 %                               65.42 us     68.24 us    0.9586
      idle node 50 %                               78.02 us     78.94 us    0.9884
      idle node 75 %                               90.62 us     89.63 us     1.011
      idle node 100 %                              103.2 us     100.3 us     1.029
    ");
}

#[test]
fn several_jobs_have_lines_of_their_own() {
    let folder = ping();
    let text = fs::read_to_string(folder.path().join("ping.toml")).unwrap();
    let later = "[[job]]\ntrace = \"ping.ti\"\nstart = \"1 ms\"\n";
    fs::write(folder.path().join("two.toml"), format!("{text}name = \"early\"\n{later}")).unwrap();
    let ended = drowse_in(folder.path(), &["run", "two.toml", "--baseline", "ping.toml", "--details"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    let begin = ended.stdout.find("makespan of each job").unwrap();
    insta::assert_snapshot!(ended.stdout[begin..].split_once("how ranks").unwrap().0, @r#"
    makespan of each job, from its start
      early                                        109.3 us         -
      ping.ti                                      109.3 us     109.3 us     1.000

    ranks running of each job
      early                                        45.75 %          -
      ping.ti                                      45.75 %      45.75 %
    "#);
}

#[test]
fn the_json_of_a_run_has_the_keys_of_the_contract() {
    let json = json_of(&drowse_in(ping().path(), &["run", "ping.toml", "--baseline", "always-on", "--format", "json"]));
    let keys = "makespan_s network.nodes network.switches network.links network.switch_links network.ports
        packets.injected packets.delivered packets.hops latency.packet.mean_ns latency.packet.p50_ns
        latency.packet.p99_ns latency.packet.max_ns latency.message.mean_ns latency.message.p99_ns
        ranks.running_fraction links.on_fraction links.entering_fraction links.shallow_fraction links.deep_fraction
        links.waking_fraction links.by_class.node.on_fraction links.by_class.dim-0.deep_fraction links.wakes
        links.by_class.dim-0.wakes links.by_class.dim-0.delayed_messages links.by_class.dim-0.time_lost_s
        links.delayed_messages links.time_lost_s links.time_lost_per_message_ns energy.w_ports energy.w_net energy.e_net energy.w_nodes energy.w_cluster
        energy.e_cluster energy.links.node energy.links.switch energy.links.all energy.edp energy.edp_cluster
        relative.makespan relative.e_net relative.links relative.edp engine.events engine.wall_s warnings version seed
        case_id jobs.0.job jobs.0.makespan_s jobs.0.relative.makespan";
    for key in keys.split_whitespace() {
        let pointer = format!("/{}", key.replace('.', "/"));
        assert!(json.pointer(&pointer).is_some(), "{key} is absent");
    }
    assert_eq!(json["energy"]["w_cluster"].as_array().map(Vec::len), Some(5));
    assert!(json["relative"]["makespan"].as_f64().unwrap() >= 1.0);
    assert!(json.get("saturated").is_none() && json.get("load").is_none(), "not applicable to jobs");
}

#[test]
fn another_experiment_is_a_baseline_too() {
    let folder = ping();
    let text = fs::read_to_string(folder.path().join("ping.toml")).unwrap();
    fs::write(folder.path().join("wide.toml"), text.replace("dims = [4]", "dims = [4]\ntrunk = 4")).unwrap();
    let arguments = ["run", "wide.toml", "--baseline", "ping.toml", "--format", "json", "--threads", "1"];
    let json = json_of(&drowse_in(folder.path(), &arguments));
    // 4 x 9 ports against 4 x 3, and most of the idle links asleep in both.
    assert!(json["relative"]["e_net"].as_f64().unwrap() > 2.0);
}

#[test]
fn tables_are_written_and_equal_whatever_the_threads() {
    let folder = ping();
    let run = |out: &str, threads: &str| {
        let arguments = ["run", "ping.toml", "--baseline", "always-on", "--out", out, "--threads", threads];
        assert_eq!(drowse_in(folder.path(), &arguments).code, Some(0));
        ["cases.csv", "channels.csv", "jobs.csv", "ranks.csv", "manifest.json"]
            .map(|name| fs::read_to_string(folder.path().join(out).join(name)).unwrap())
    };
    let tables = run("one", "1");
    assert_eq!(tables[0].lines().count(), 3, "a header, the case, the baseline");
    assert_eq!(tables, run("two", "2"));
}

#[test]
fn more_tables_are_written_where_they_are_asked_for() {
    let folder = ping();
    let run = |out: &str, threads: &str| {
        let arguments = ["--baseline", "always-on", "--out", out, "--threads", threads, "--table", "timeline"];
        let arguments = [&["run", "ping.toml"], arguments.as_slice(), &["--table", "idle-periods"]].concat();
        let ended = drowse_in(folder.path(), &arguments);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
        ["timeline.csv", "idle_periods.csv", "channels.csv"]
            .map(|name| fs::read_to_string(folder.path().join(out).join(name)).unwrap())
    };
    let tables = run("one", "1");
    assert!(tables[0].starts_with("case_id,channel,time_ps,state\n"));
    assert!(tables[1].lines().count() > 2 * 16, "every channel of both cases has idled");
    assert_eq!(tables, run("two", "4"));
    assert!(!folder.path().join("one/timers.csv").exists());
}

#[test]
fn a_table_without_a_folder() {
    let ended = drowse_in(ping().path(), &["run", "ping.toml", "--table", "timeline"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("--out <DIR>"), "{}", ended.stderr);
}

#[test]
fn joules_and_money() {
    let folder = ping();
    let text = fs::read_to_string(folder.path().join("ping.toml")).unwrap();
    let watts = text.replace("[power]", "[power]\nwatts = { on = 0.9 }");
    let cost = "[cost]\nsystem_power = \"20 MW\"\nprice = 0.114\ncarbon = 350\nyears = 4\n";
    fs::write(folder.path().join("paid.toml"), format!("{watts}{cost}")).unwrap();
    let ended = drowse_in(folder.path(), &["run", "paid.toml", "--baseline", "always-on", "--details"]);
    for line in ["\n  all links  ", "\n  price  ", "\n  CO2  ", "\n  total cost  "] {
        assert!(ended.stdout.contains(line), "{line}: {}", ended.stdout);
    }
}

#[test]
fn a_job_that_cannot_finish() {
    let folder = ping();
    fs::write(folder.path().join("ping.ti"), "0 init\n0 recv 1 0 8\n0 finalize\n1 init\n1 finalize\n").unwrap();
    let ended = drowse_in(folder.path(), &["run", "ping.toml"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""));
    assert!(ended.stderr.starts_with("error: deadlock at"), "{}", ended.stderr);
}

#[test]
fn a_wrong_experiment() {
    let ended = drowse_in(ping().path(), &["run", "ping.toml", "--set", "network.dims=[1]"]);
    assert_eq!(ended.code, Some(2));
    insta::assert_snapshot!(ended.stderr, @r#"
    --set network.dims: error: `network.dims` = [1] is out of range
      | network.dims = [1]
      |                ^^^
    help: each dimension has 2 to 65535 switches
    "#);
}

#[test]
fn a_baseline_that_is_no_file() {
    let ended = drowse_in(ping().path(), &["run", "ping.toml", "--baseline", "awake"]);
    assert_eq!(ended.code, Some(2));
    insta::assert_snapshot!(ended.stderr, @r#"
    awake: error: this file cannot be read: No such file or directory (os error 2)
    help: give the path of an experiment file
    "#);
}

#[test]
fn the_first_experiment_has_64_nodes() {
    let arguments = ["network", "examples/cg-torus.toml", "--format", "json"];
    assert_eq!(json_of(&drowse(&arguments))["nodes"], 64);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = ping();
    let mut child = Command::new(env!("CARGO_BIN_EXE_drowse"))
        .current_dir(folder.path())
        .args(["run", "ping.toml"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert!(!stderr.contains("panic"), "{stderr}");
    assert!(child.wait().unwrap().success());
}

/// Colour only where it is wanted; then the same text but for the colours.
#[test]
fn colour_where_it_is_wanted() {
    let folder = ping();
    let run = |arguments: &[&str]| drowse_in(folder.path(), &[&["run", "ping.toml"], arguments].concat());
    let plain = run(&[]).stdout;
    assert!(!plain.contains('\u{1b}'), "no terminal, no colour");
    let coloured = run(&["--color", "always"]).stdout;
    assert!(coloured.starts_with("\u{1b}[1mPing\u{1b}[0m\n"), "{coloured}");
    let mut stripped = coloured;
    for code in ["1", "33", "0"] {
        stripped = stripped.replace(&format!("\u{1b}[{code}m"), "");
    }
    assert_eq!(stripped, plain);
    assert_eq!(run(&["--color", "never"]).stdout, plain);
    let error = run(&["--color", "always", "--set", "network.dims=3"]).stderr;
    assert!(error.contains('\u{1b}'), "{error}");
    assert!(!run(&["--color=always", "--format", "json"]).stdout.contains('\u{1b}'), "JSON has none");
    // As on a terminal; NO_COLOR (no-color.org) turns it off.
    let of_environment = |variables: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_drowse"));
        command.current_dir(folder.path()).args(["run", "ping.toml"]).envs(variables.iter().copied());
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    assert!(of_environment(&[("CLICOLOR_FORCE", "1")]).contains('\u{1b}'));
    assert_eq!(of_environment(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), plain);
}

#[test]
fn timelines_are_written_on_request() {
    let folder = ping();
    let run = |arguments: &[&str]| drowse_in(folder.path(), &[&["run", "ping.toml"], arguments].concat());
    let ended = run(&["--baseline", "always-on", "--out", "out", "--timeline", "prv", "--timeline", "perfetto"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    for name in ["timeline", "timeline-baseline"] {
        for ending in ["prv", "pcf", "row", "perfetto.json"] {
            assert!(folder.path().join(format!("out/{name}.{ending}")).exists(), "{name}.{ending}");
        }
    }
    let prv = fs::read_to_string(folder.path().join("out/timeline.prv")).unwrap();
    assert!(prv.lines().any(|line| line.starts_with("3:") && line.ends_with(":1000:0")), "{prv}");
    let wrong = |arguments: &[&str]| {
        let ended = run(&[&["--out", "out"], arguments].concat());
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        ended.stderr
    };
    insta::assert_snapshot!(wrong(&["--timeline", "prv", "--timeline-job", "pong"]), @"error: --timeline-job: no job is named `pong`: ping.ti");
    insta::assert_snapshot!(wrong(&["--timeline", "prv", "--timeline-links", "0-99"]), @"error: --timeline-links: no link 99: the last one is 15");
    assert!(
        wrong(&["--timeline", "prv", "--timeline-window", "2us..1us"]).contains("the window ends before it begins")
    );
    assert!(wrong(&["--timeline-limit", "5"]).contains("--timeline"));
}

/// What nobody has published counts nothing, and no line says that it does.
#[test]
fn what_is_unknown_is_not_shown_as_nothing() {
    let folder = ping();
    let device = ["--set", "power.watts.device=quantum-2-qm97x0", "--set", "link.bandwidth=400 Gb/s"];
    let unknown = ["--set", "power.watts.unknown=no-saving", "--baseline", "always-on"];
    let ended = drowse_in(folder.path(), &[&["run", "ping.toml"][..], &device, &unknown].concat());
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let said = ended.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(", not counting what is unknown of links and switches ("), "{said}");
    assert!(said.contains("total energy of all links unknown unknown"), "{said}");
}

/// The tiny experiment sleeps after 1 us, and wakes in 4.48 us: that is said before the run, once, also where it fails.
#[test]
fn a_timer_shorter_than_a_wake_is_told_before_the_run() {
    let folder = ping();
    let told = |set: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_drowse"));
        let output = command.current_dir(folder.path()).args(["run", "ping.toml", "--set", set]).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    insta::assert_snapshot!(told("power.policy.deep=1 us"), @"warning: the stall timer of deep sleep, 1 us, is shorter than the wake of 4.48 us (link class dim-0): links sleep in idle periods that are shorter than waking again takes");
    assert_eq!(told("power.policy.deep=5 us"), "");
}
