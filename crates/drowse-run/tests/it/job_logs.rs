//! Jobs of a log in the simulation: a month of a machine, replayed and scheduled anew.

use std::fmt::Write as _;
use std::fs;
use std::sync::Arc;

use drowse_core::measure::{JobRecord, Warning};
use drowse_core::model::units::Time;
use drowse_experiment::{Case, Source};
use drowse_run::outcome::Outcome;
use drowse_run::request::RunRequest;

/// The nodes of the machine.
const NODES: u32 = 96;
const SECOND: u64 = 1_000_000_000_000;

/// A job of the log: whole seconds and nodes.
#[derive(Clone, Copy, Debug)]
struct Logged {
    submit: u64,
    nodes: u32,
    run: u64,
    limit: u64,
}

/// Draws numbers by a linear congruence (Knuth's MMIX), of which the high bits are used.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// Makes a log of so many jobs: small jobs are the most frequent, most end long before their limit, and one in twenty at
/// it, or a little after it.
fn month(jobs: u64) -> Vec<Logged> {
    let mut draw = Draw(1);
    let mut submit = 0;
    let job = |_| {
        // A job each 259 s: 10,000 of them in 30 days.
        submit += draw.below(518);
        let nodes = [1, 1, 2, 4, 8, 16, 32, 64][draw.below(8) as usize] + draw.below(3) as u32;
        let most = [300, 1_800, 7_200, 3_000][draw.below(4) as usize];
        let run = 1 + draw.below(most);
        let limit = match draw.below(20) {
            0 => run,
            1 => run.saturating_sub(30).max(1),
            _ => (run + draw.below(4 * run)).div_ceil(300) * 300,
        };
        Logged { submit, nodes, run, limit }
    };
    (0..jobs).map(job).collect()
}

/// Starts of jobs under EASY backfilling, in picoseconds, by a plain list of events; nodes are free a delay after an end.
///
/// The first that waits gets a reservation: the shadow time, when enough nodes are free by the limits of those that run,
/// and the extra nodes, which are more than it needs then. A later job may start if it ends by the shadow time, or on
/// extra nodes (Mu'alem and Feitelson 2001, section 3.1).
fn easy(jobs: &[Logged], machine: u32, delay: u64) -> Vec<u64> {
    let mut starts = vec![0; jobs.len()];
    let mut moments: std::collections::BTreeSet<u64> = jobs.iter().map(|job| job.submit * SECOND).collect();
    let (mut coming, mut queue, mut running): (_, Vec<usize>, Vec<(u64, u64, u32)>) = (0, Vec::new(), Vec::new());
    let mut free = machine;
    while let Some(now) = moments.pop_first() {
        free += running.iter().filter(|job| job.0 <= now).map(|job| job.2).sum::<u32>();
        running.retain(|job| job.0 > now);
        while coming < jobs.len() && jobs[coming].submit * SECOND <= now {
            queue.push(coming);
            coming += 1;
        }
        let ends = |job: usize| now + jobs[job].run * SECOND + delay;
        let by_limit = |job: usize| now + jobs[job].limit * SECOND + delay;
        // By place in the queue: the reservation of the first that does not fit.
        let (mut place, mut reservation): (usize, Option<(u64, u32)>) = (0, None);
        while place < queue.len() {
            let (job, nodes) = (queue[place], jobs[queue[place]].nodes);
            let starts_now = match &mut reservation {
                _ if nodes > free => false,
                None => true,
                Some((shadow, _)) if by_limit(job) <= *shadow => true,
                Some((_, extra)) if nodes <= *extra => {
                    *extra -= nodes;
                    true
                }
                Some(_) => false,
            };
            if starts_now {
                queue.remove(place);
                starts[job] = now;
                free -= nodes;
                running.push((ends(job), by_limit(job), nodes));
                moments.insert(ends(job));
            } else if reservation.is_none() {
                let mut then: Vec<(u64, u32)> = running.iter().map(|job| (job.1.max(now), job.2)).collect();
                then.sort_unstable();
                let freed = |at: u64| free + then.iter().filter(|job| job.0 <= at).map(|job| job.1).sum::<u32>();
                let shadow = then.iter().map(|job| job.0).find(|&at| freed(at) >= nodes).expect("it fits the machine");
                reservation = Some((shadow, freed(shadow) - nodes));
                place += 1;
            } else {
                place += 1;
            }
        }
    }
    starts
}

/// Returns the log as text of the Standard Workload Format, with these starts.
fn swf(jobs: &[Logged], starts: &[u64]) -> String {
    let mut text = String::from("; Version: 2.2\n; MaxNodes: 8\n; MaxProcs: 8\n");
    for (number, (job, start)) in (1..).zip(jobs.iter().zip(starts)) {
        let Logged { submit, nodes, run, limit } = job;
        let wait = start / SECOND - submit;
        let _ = writeln!(text, "{number} {submit} {wait} {run} {nodes} -1 -1 {nodes} {limit} -1 1 1 1 1 1 -1 -1 -1");
    }
    text
}

/// Resolves an experiment on 96 nodes whose log has this text.
fn case(log: &str, rest: &str) -> Case {
    on("[network]\nkind = \"torus\"\ndims = [4, 4, 6]\n", log, rest)
}

/// Resolves an experiment on a network whose log has this text.
fn on(network: &str, log: &str, rest: &str) -> Case {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("log.swf"), log).unwrap();
    let source = Source::new(&folder.path().join("x.toml"), format!("{network}{rest}"), &[]).unwrap();
    drowse_experiment::case(&Arc::new(source)).unwrap_or_else(|error| panic!("{error}"))
}

fn run(case: &Case) -> Outcome {
    RunRequest::new(case).run().unwrap_or_else(|error| panic!("{error}")).case
}

/// Each job starts and ends when the log says, to the picosecond.
#[test]
fn a_replayed_month_is_that_of_the_log() {
    let jobs = month(10_000);
    let starts = easy(&jobs, NODES, 0);
    assert!(jobs.last().is_some_and(|job| (29..31).contains(&(job.submit / 86_400))), "30 days");
    let case = case(&swf(&jobs, &starts), "[scheduler]\nkind = \"replay\"\nlog = { file = \"log.swf\" }\n");
    let record = run(&case).record;
    assert_eq!(record.jobs.len(), 10_000);
    let zero = jobs[0].submit * SECOND;
    let mut number = std::collections::BTreeMap::new();
    record.jobs.iter().for_each(|job| _ = number.insert(job.name.clone(), job));
    for (place, (job, start)) in jobs.iter().zip(&starts).enumerate() {
        let told = number[&format!("job-{}", place + 1)];
        let times = [told.arrival, told.start, told.finish].map(|time| time.0 + zero);
        assert_eq!(times, [job.submit * SECOND, *start, start + job.run * SECOND], "{}", told.name);
        assert_eq!(told.held, u64::from(job.nodes));
    }
}

/// Waits are those of the independent EASY.
#[test]
fn a_month_scheduled_anew_waits_as_easy_says() {
    let jobs = month(10_000);
    let starts = easy(&jobs, NODES, 1_000_000);
    let rest = "[scheduler]\nkind = \"easy-backfilling\"\nlog = { file = \"log.swf\" }\n";
    // The log's own starts do not count.
    let record = run(&case(&swf(&jobs, &easy(&jobs, NODES, 0)), rest)).record;
    let zero = jobs[0].submit * SECOND;
    let mut waited = 0;
    for (place, told) in record.jobs.iter().enumerate() {
        let job: usize = told.name["job-".len()..].parse::<usize>().unwrap() - 1;
        assert_eq!(told.start.0 + zero, starts[job], "{} at {place}", told.name);
        assert_eq!(told.finish.0, told.start.0 + jobs[job].run * SECOND, "{}", told.name);
        waited += u32::from(told.start > told.arrival);
    }
    assert!(waited > 1_000, "{waited} jobs wait: enough to tell schedulers apart");
}

/// On the nodes that the log names, jobs send nothing, and end when they did.
#[test]
fn a_log_that_names_nodes() {
    let log = "JobID|Submit|Start|ElapsedRaw|NNodes|State|NodeList\n\
               1|2026-01-01T00:00:00|2026-01-01T00:00:00|50|2|COMPLETED|n[05,02]\n\
               2|2026-01-01T00:00:10|2026-01-01T00:00:20|100|3|COMPLETED|n[01-03]\n";
    let rest = "[scheduler]\nkind = \"replay\"\nlog = { file = \"log.swf\", nodes = \"n[00-95]\" }\n";
    let case = case(log, rest);
    let told = "jobs that started on nodes which another job still had, by the log: 1;";
    assert!(case.system.notes.iter().any(|note| note.starts_with(told)), "{:?}", case.system.notes);
    let record = run(&case).record;
    let nodes: Vec<u32> = record.ranks.iter().map(|rank| rank.node).collect();
    assert_eq!(nodes, [5, 2, 1, 2, 3], "jobs share node 2 for a while, as the log says");
    assert_eq!(record.makespan, Some(Time(120 * SECOND)));
}

/// Fifty jobs that send: a stencil of 8, 12 or 18 ranks, by account; each runs for 20 to 80 ms, on nodes of two cores.
fn communicating(network: &str) -> (Vec<Logged>, Case) {
    let mut draw = Draw(7);
    let mut submit = 0;
    let jobs: Vec<Logged> = (0..50)
        .map(|_| {
            submit += draw.below(40);
            let nodes = [4, 6, 9][draw.below(3) as usize];
            let run = 20 + draw.below(60);
            Logged { submit, nodes, run, limit: 2 * run }
        })
        .collect();
    let log = swf(&jobs, &easy(&jobs, 48, 0));
    let stencil = |dims: &str| {
        format!(
            "[[job]]\nname = \"{}\"\napp = {{ kind = \"stencil\", dims = [{dims}], bytes = \"16 KiB\", \
             compute = \"1 ms\", iterations = 10 }}\n",
            dims.replace(", ", "x")
        )
    };
    let programs = ["4, 2", "4, 3", "6, 3"].map(stencil).concat();
    let rest = format!(
        "[node]\ncores = 2\n[scheduler]\nkind = \"replay\"\nlog = {{ file = \"log.swf\", time_scale = 1e-3 }}\n{programs}"
    );
    let case = on(network, &log, &rest);
    (jobs, case)
}

/// Returns by how much the run time of each job is longer than in the log, the log's = 1.
fn excesses(jobs: &[Logged], outcome: &Outcome) -> Vec<f64> {
    let of = |told: &JobRecord| {
        let (_, number) = told.name.rsplit_once('-').unwrap();
        let run = jobs[number.parse::<usize>().unwrap() - 1].run * SECOND / 1_000;
        (told.finish.0 - told.start.0) as f64 / run as f64 - 1.0
    };
    outcome.record.jobs.iter().map(of).collect()
}

/// On a network on which jobs do not meet, run times are those of the log, to the picosecond: each program is stretched by
/// just what is missing. Ranks compute for 1 ms, and no message takes a thousandth of that, so iterations do not meet.
#[test]
fn jobs_that_send_run_as_long_as_the_log_says() {
    let (jobs, case) = communicating("[network]\nkind = \"ideal\"\nnodes = 48\nlatency = \"2 us\"\n");
    let outcome = run(&case);
    assert!(outcome.record.ranks.iter().all(|rank| rank.messages > 0));
    assert_eq!(excesses(&jobs, &outcome), vec![0.0; 50]);
    // Each has made as many whole runs of 10 ms and a little as its time holds.
    for told in &outcome.record.jobs {
        let (_, number) = told.name.rsplit_once('-').unwrap();
        let run = jobs[number.parse::<usize>().unwrap() - 1].run;
        assert!((run / 11..=run / 10).contains(&told.repetitions), "{run} ms: {} runs", told.repetitions);
    }
}

/// On a torus, messages of a job take other routes than alone, and meet those of others. A rank sends four messages of 16
/// KiB an iteration, 1.7 us each at 10 GB/s, and the routes are some hops of 0.1 us; jobs share few links. If all four
/// waited for one of another job each, that would be 7 us, 0.7 % of an iteration. The tolerance is 1 %.
#[test]
fn jobs_that_meet_run_nearly_as_long_as_the_log_says() {
    let (jobs, case) = communicating("[network]\nkind = \"torus\"\ndims = [4, 4, 3]\nrouting = \"adaptive\"\n");
    let outcome = run(&case);
    let excesses = excesses(&jobs, &outcome);
    assert!(excesses.iter().all(|excess| excess.abs() < 0.01), "{excesses:?}");
    assert!(excesses.iter().any(|excess| *excess != 0.0), "jobs meet");
}

/// A job whose program takes longer than its job did is stopped then, and a run says so.
#[test]
fn programs_that_take_too_long_are_stopped() {
    let log = "1 0 0 4 2 -1 -1 2 9 -1 1 1 1 1 1 -1 -1 -1\n2 0 0 50 2 -1 -1 2 99 -1 1 1 1 1 1 -1 -1 -1\n";
    let program =
        "[[job]]\napp = { kind = \"stencil\", dims = [2], bytes = \"1 KiB\", compute = \"1 ms\", iterations = 10 }\n";
    let rest = format!("[scheduler]\nkind = \"replay\"\nlog = {{ file = \"log.swf\", time_scale = 1e-3 }}\n{program}");
    let outcome = run(&case(log, &rest));
    let took: Vec<u64> = outcome.record.jobs.iter().map(|job| job.finish.0 - job.start.0).collect();
    assert_eq!(took[0], SECOND / 250);
    // The other is stretched. Packets leave at edges of the switches' clock, a cycle later at most in each iteration.
    let cycles = 1_600 * 10 * outcome.record.jobs[1].repetitions;
    assert!((SECOND / 20..SECOND / 20 + cycles).contains(&took[1]), "{took:?}");
    assert_eq!(outcome.record.warnings, [Warning::Stopped { jobs: 1 }]);
}

/// A job of seven nodes and 1,000 s, and one of one node. Alone on the network, the first runs as long as the log says, whatever
/// its share of communication, also where eight nodes share two links: its messages are as long as fits. Where every two
/// nodes have a link of their own, a node sends for the whole share of the time.
#[test]
fn a_share_of_communication_that_is_assumed() {
    let log = "1 0 0 1000 7 -1 -1 7 2000 -1 1 1 1 1 1 -1 -1 -1\n2 0 0 500 1 -1 -1 1 900 -1 1 1 1 1 1 -1 -1 -1\n";
    let full = "[network]\nkind = \"full\"\nswitches = 8\n";
    let thin = "[network]\nkind = \"xgft\"\nchildren = [4, 2]\nparents = [1]\n";
    for (network, share) in [(full, 0.2), (full, 0.0), (full, 1.0), (thin, 0.2), (thin, 0.5)] {
        let rest = format!(
            "[scheduler]\nkind = \"replay\"\nlog = {{ file = \"log.swf\", unmapped = {{ share = {share:?} }} }}\n\
             [simulation]\nunit = \"flow\"\n"
        );
        let case = on(network, log, &rest);
        let bytes_per_s = case.system.config.classes[0].bandwidth.0 as f64 / 8.0;
        let record = run(&case).record;
        let took: Vec<f64> = record.jobs.iter().map(|job| (job.finish - job.start).seconds()).collect();
        assert!((took[0] - 1_000.0).abs() < 1.0, "{network}{share}: {took:?}");
        assert_eq!(took[1].to_bits(), 500.0_f64.to_bits());
        let bytes: Vec<u64> = record.ranks.iter().map(|rank| rank.bytes).collect();
        let most = share * 1_000.0 * bytes_per_s;
        for &of_rank in &bytes[..7] {
            let of_rank = of_rank as f64;
            let fits = if network == full { (of_rank - most).abs() <= 1e-3 * most } else { of_rank < 0.9 * most };
            assert!(fits, "{network}{share}: {bytes:?}, {most}");
        }
        assert_eq!(bytes[7], 0);
    }
}

/// Two jobs on 96 nodes of 400 W, 100 W without a job and 10 W off, off after 100 s and on again in 20 s, by hand.
#[test]
fn nodes_without_a_job_draw_less() {
    let log = "1 0 0 200 96 -1 -1 96 300 -1 1 1 1 1 1 -1 -1 -1\n2 0 600 400 48 -1 -1 48 500 -1 1 1 1 1 1 -1 -1 -1\n";
    let rest = "[scheduler]\nkind = \"replay\"\nlog = { file = \"log.swf\" }\nsuspend = { after = \"100 s\", \
                resume = \"20 s\" }\n[power.watts]\nnode = { busy = 400, free = 100, off = 10 }\n";
    let figures = run(&case(log, rest)).summary.figures;
    let number = |name: &str| figures.number(name).unwrap_or_else(|| panic!("{name} is absent"));
    // Busy: 96 nodes for 200 s and 48 for 400 s. These 48 are free for 400 s between, of which 120 s on; the others are
    // free for 800 s, of which 120 s on, too: their end is not known, so 100 s and not earlier.
    let busy = 96.0 * 200.0 + 48.0 * 400.0;
    let on = 48.0 * 120.0 + 48.0 * 100.0;
    let off = 48.0 * 280.0 + 48.0 * 700.0;
    assert!((busy + on + off - 96.0 * 1_000.0_f64).abs() < 1e-9);
    assert!((number("energy.nodes_j") - (400.0 * busy + 100.0 * on + 10.0 * off)).abs() < 1e-3);
    assert!((number("jobs.nodes_off_fraction") - off / 96_000.0).abs() < 1e-12);
    assert!((number("jobs.nodes_resumes") - 48.0).abs() < 1e-12);
}
