//! A plain reader of Paraver's traces, and what it reads beside what Perfetto shows.

use std::collections::HashMap;

use super::{Shown, everything, experiments};

/// A trace of Paraver, by the grammar of its manual: header, applications, states, events and communications.
#[derive(Default)]
struct Prv {
    end: u64,
    cpus: u64,
    nodes: u64,
    /// Tasks of each application.
    applications: Vec<u64>,
    /// By application and task: begin, end, state.
    states: HashMap<(u64, u64), Vec<[u64; 3]>>,
    communications: Vec<Vec<u64>>,
}

impl Prv {
    fn read(text: &str) -> Self {
        let mut lines = text.lines();
        let mut prv = Prv::header(lines.next().unwrap());
        let mut last = 0;
        for line in lines.filter(|line| !line.starts_with('#')) {
            let fields: Vec<u64> = line.split(':').map(|field| field.parse().unwrap()).collect();
            prv.check_object(&fields[1..5]);
            let object = (fields[2], fields[3]);
            let time = match fields[0] {
                1 => {
                    let &[.., begin, end, state] = fields.as_slice() else { panic!("{line}") };
                    assert!(fields.len() == 8 && begin < end && end <= prv.end, "{line}");
                    prv.states.entry(object).or_default().push([begin, end, state]);
                    begin
                }
                2 => {
                    assert!(fields.len() >= 8 && fields.len().is_multiple_of(2), "{line}");
                    fields[5]
                }
                3 => {
                    assert_eq!(fields.len(), 15, "{line}");
                    prv.check_object(&fields[7..11]);
                    let [called, sent, received, delivered] = [fields[5], fields[6], fields[11], fields[12]];
                    assert!(
                        called <= sent && sent <= delivered && delivered <= received && received <= prv.end,
                        "{line}"
                    );
                    prv.communications.push(fields.clone());
                    called
                }
                other => panic!("{other} is no record"),
            };
            assert!(last <= time, "records are in the order of time: {line}");
            last = time;
        }
        prv
    }

    /// Reads `#Paraver (dd/mm/yyyy at hh:mm):TIME_ns:NODES(CPUS,...):APPLICATIONS:TASKS(THREADS:NODE,...):...`.
    fn header(line: &str) -> Self {
        let (date, rest) = line.strip_prefix("#Paraver (").unwrap().split_once("):").unwrap();
        let digits = |text: &str| text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect::<String>();
        assert_eq!(digits(date), "00/00/0000 at 00:00");
        let (end, rest) = rest.split_once("_ns:").unwrap();
        let (machine, rest) = rest.split_once("):").unwrap();
        let (nodes, cpus) = machine.split_once('(').unwrap();
        let cpus: Vec<u64> = cpus.split(',').map(|cpus| cpus.parse().unwrap()).collect();
        let (count, rest) = rest.split_once(':').unwrap();
        let nodes: u64 = nodes.parse().unwrap();
        assert!(cpus.len() as u64 == nodes && cpus.iter().all(|&cpus| cpus > 0));
        let application = |text: &str| {
            let (tasks, threads) = text.split_once('(').unwrap();
            let tasks: u64 = tasks.parse().unwrap();
            let threads: Vec<(&str, &str)> = threads.split(',').map(|task| task.split_once(':').unwrap()).collect();
            assert!(threads.len() as u64 == tasks);
            assert!(
                threads.iter().all(|(threads, node)| *threads == "1" && (1..=nodes).contains(&node.parse().unwrap()))
            );
            tasks
        };
        let applications: Vec<u64> = rest.strip_suffix(')').unwrap().split("):").map(application).collect();
        assert_eq!(applications.len(), count.parse::<usize>().unwrap());
        assert_eq!(applications.iter().sum::<u64>(), cpus.iter().sum::<u64>());
        let (end, cpus) = (end.parse().unwrap(), cpus.iter().sum());
        Prv { end, cpus, nodes, applications, ..Prv::default() }
    }

    fn check_object(&self, fields: &[u64]) {
        let &[cpu, application, task, thread] = fields else { panic!("{fields:?}") };
        assert!((1..=self.cpus).contains(&cpu) && thread == 1, "{fields:?}");
        assert!((1..=self.applications[application as usize - 1]).contains(&task), "{fields:?}");
    }
}

/// What Paraver reads is what Perfetto shows, in whole nanoseconds.
#[test]
fn paraver_reads_what_perfetto_shows() {
    let folder = tempfile::tempdir().unwrap();
    for (name, case) in experiments(folder.path()) {
        let shown = Shown::new(&case, &everything(), 1);
        let (prv, chrome) = (Prv::read(&shown.text("timeline.prv")), shown.chrome());
        let record = &shown.outcome.record;
        let mut tasks: Vec<u64> = record.jobs.iter().map(|job| u64::from(job.ranks)).collect();
        tasks.push(record.channels.len() as u64);
        assert_eq!(prv.applications, tasks, "{name}");
        // The states that have a name, by number.
        let pcf = shown.text("timeline.pcf");
        let states = pcf.split_once("STATES\n").unwrap().1.split_once("\nSTATES_COLOR").unwrap().0;
        let named: HashMap<u64, &str> = states
            .lines()
            .filter_map(|line| line.split_once("    "))
            .map(|(number, name)| (number.parse().unwrap(), name))
            .collect();
        let colours = pcf.split_once("STATES_COLOR\n").unwrap().1;
        assert!(named.keys().all(|number| colours.lines().any(|line| line.starts_with(&format!("{number}    {{")))));
        // The names of threads, in the order of applications and tasks.
        let row = shown.text("timeline.row");
        let threads: Vec<&str> = row.split_once("LEVEL THREAD SIZE ").unwrap().1.lines().collect();
        assert_eq!(threads[0].parse::<u64>().unwrap(), tasks.iter().sum::<u64>());
        assert!(
            row.contains(&format!("LEVEL NODE SIZE {}\n", prv.nodes))
                && row.contains(&format!("LEVEL CPU SIZE {}\n", prv.cpus))
        );
        let mut thread = 0;
        for (application, tasks) in (1..).zip(&prv.applications) {
            for task in 1..=*tasks {
                thread += 1;
                let slices =
                    chrome.tracks.iter().find(|((process, of), _)| format!("{process} {of}") == threads[thread]);
                let slices = slices.unwrap().1.iter().map(|slice| {
                    let link = if application as usize > record.jobs.len() { "link " } else { "" };
                    ([slice.from / 1_000, slice.to / 1_000], format!("{link}{}", slice.state))
                });
                let slices: Vec<_> = slices.filter(|([from, to], _)| from < to).collect();
                let states = prv.states.get(&(application, task)).cloned().unwrap_or_default();
                let states: Vec<_> =
                    states.iter().map(|[from, to, state]| ([*from, *to], named[state].to_owned())).collect();
                assert_eq!(states, slices, "{name}: {}", threads[thread]);
            }
        }
        assert_eq!(prv.communications.len(), chrome.messages.len(), "{name}");
        let bytes = |of: &Vec<u64>| of[13];
        assert_eq!(
            prv.communications.iter().map(bytes).sum::<u64>(),
            chrome.messages.iter().map(|message| message.bytes).sum::<u64>()
        );
    }
}
