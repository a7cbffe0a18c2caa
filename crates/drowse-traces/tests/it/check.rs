//! Whether ranks fit together: what is found, and that nothing else is.

use drowse_core::workload::communicators::Communicators;
use drowse_core::workload::listed::Listed;
use drowse_core::workload::operation::{Operation, SendMode};
use drowse_traces::text::write;
use drowse_traces::{Findings, Trace};
use insta::assert_snapshot;
use proptest::prelude::*;

use crate::sample::{COMPUTE, Folder, data, operations, shipped};

/// Checks a text of any format.
fn check_file(name: &str, text: &str, most: usize) -> Findings {
    let folder = Folder::new(&[(name, text)]);
    let mut findings = Trace::open(folder.path().join(name)).unwrap().check(most).unwrap();
    for place in findings.first.iter_mut().filter_map(|finding| finding.place.as_mut()) {
        place.file = place.file.replace(&format!("{}/", folder.path().display()), "");
    }
    findings
}

/// Lays out the findings of a text of any format.
fn shown(name: &str, text: &str) -> String {
    let findings = check_file(name, text, 20);
    let line = |finding: &drowse_traces::Finding| {
        let place = finding.place.as_ref().map_or("?".to_owned(), ToString::to_string);
        let at = finding.at.map_or(String::new(), |at| format!("{}.{} ", at.rank, at.operation));
        format!("{place} {at}{}", finding.what)
    };
    assert_eq!(findings.total, findings.first.len() as u64);
    findings.first.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn messages_without_a_partner() {
    let text = "drowse-trace 1\nranks 3\ncommunicator pair 0 2\nrank 0\nsend 1 8 tag 3\nsend 1 9 tag 3\n# nothing\nsend 1 10 tag 3\n\
                send 2 8 in pair\nsend 0 5\nrank 1\nrecv 0 tag 3\nrecv 2\nrank 2\nrecv 0\nrank 1\nrecv 0 tag 4\nrecv 1\n";
    assert_snapshot!(shown("a", text), @r"
    a:6 0.2 no receive takes `send 1 9 tag 3`
    a:8 0.3 no receive takes `send 1 10 tag 3`
    a:9 0.4 no receive takes `send 2 8 in c1`
    a:10 0.5 no receive takes `send 0 5`
    a:13 1.2 no message comes for `recv 2`
    a:17 1.3 no message comes for `recv 0 tag 4`
    a:18 1.4 no message comes for `recv 1`
    a:15 2.1 no message comes for `recv 0`
    ");
}

/// The message with tag 6 can only go to the receive from rank 0, and then the other to that of its tag.
#[test]
fn receives_of_any_sender_or_tag() {
    let fits = "drowse-trace 1\nranks 2\nrank 0\nsend 1 8 tag 5\nsend 1 8 tag 6\nsend 1 8 tag 7\nrank 1\n\
                recv 0 tag any\nrecv any tag 5\nrecv any tag any\n";
    assert_eq!(shown("a", fits), "");
    let not = fits.replace("recv any tag any", "recv any tag 9");
    assert_snapshot!(shown("a", &not), @r"
    a:6 0.3 no receive takes `send 1 8 tag 7`
    a:10 1.3 no message comes for `recv any tag 9`
    ");
}

#[test]
fn requests_without_a_wait() {
    let text = "drowse-trace 1\nranks 1\nrank 0\nisend 0 8 as 1\nisend 0 8 as 2\nisend 0 8\nirecv 0 as 3\nirecv 0 as 4\nirecv 0 as 5\n\
                waitany 1 2\nwait 1\nwait 2\nwait 2\nwait 3\nibarrier as 4\nwait 4\n";
    assert_snapshot!(shown("a", text), @r"
    a:9 0.6 nothing waits for its request 5
    a:13 0.10 waits for request 2, which is not pending
    a:15 0.12 starts request 4, which is pending since operation 5: nothing waits for that
    ");
    assert_eq!(shown("a", &format!("{text}waitall\n")).lines().count(), 2);
}

/// Ranks 0 to 3, of which 2, 1 and 0 are a communicator too.
fn collectives(ranks: [&str; 4]) -> String {
    let ranks: String = (0..).zip(ranks).map(|(rank, lines)| format!("rank {rank}\n{lines}\n")).collect();
    shown("a", &format!("drowse-trace 1\nranks 4\ncommunicator most 2 1 0\n{ranks}"))
}

#[test]
fn collectives_that_differ() {
    let whole = "barrier\nbcast 1 8 in most\nallgatherv 1 2 3 4\ngather 0 8";
    let others = "barrier\nallgatherv 1 2 3 4\ngather 0 8";
    assert_eq!(collectives([whole, whole, whole, others]), "");
    assert_snapshot!(collectives([&whole.replace("3 4", "3 5"), &whole.replace("bcast 1", "bcast 2"), &format!("{whole}\nbarrier"), "barrier"]), @r"
    a:7 0.3 calls `allgatherv 1 2 3 5` where rank 2 calls `allgatherv 1 2 3 4` (operation 3)
    a:11 1.2 calls `bcast 2 8 in c1` where rank 2 calls `bcast 1 8 in c1` (operation 2)
    a:13 1.4 ends after 3 collectives, and rank 2 goes on with `barrier` (operation 5)
    a:21 3.1 ends after 1 collectives, and rank 2 goes on with `allgatherv 1 2 3 4` (operation 3)
    ");
    assert_snapshot!(collectives([whole, whole, &whole.replace("gather 0 8", "igather 0 8 as 1\nwait 1"), others]), @"a:18 2.4 calls `igather 0 8 as 1` where rank 0 calls `gather 0 8` (operation 4)");
}

/// A rank has the size that the root names for it, in whatever order the communicator has them.
#[test]
fn sizes_that_a_root_names() {
    let of = |gatherv: &str, scatterv: &str| format!("gatherv 2 {gatherv} in most\nscatterv 1 {scatterv} in most");
    let (zero, one, two) = (of("7 6 3", "0 0 4"), of("0 6 0", "5 9 4"), of("7 0 0", "5 0 0"));
    assert_eq!(collectives([&zero, &one, &two, ""]), "");
    assert_snapshot!(collectives([&zero, &one, &two.replace("1 5", "1 8"), ""]), @"a:12 2.2 calls `scatterv 1 8 0 0 in c1` with 8 B of its own, and the root, rank 1, names 5 B");
}

/// No line is there for binary formats; texts of other formats have lines of their own.
#[test]
fn findings_of_all_formats() {
    assert_snapshot!(shown("a.txt", "0 init\n1 init\n0 compute 5\n0 sendRecv 1 1 1 1\n1 recv 0 0 1\n0 finalize\n1 finalize\n"), @"a.txt:4 0.2 no message comes for `irecv 1 as 0`");
    assert_snapshot!(shown("a.dim", "#DIMEMAS:\"a\":0:2(1,1),0\n1:0:0:1\n2:0:0:1:8:7:0:0\n1:1:0:1\n"), @"a.dim:3 0.2 no receive takes `send 1 8 tag 7`");
    assert_snapshot!(shown("a.goal", "num_ranks 2\nrank 0 {\na: calc 5\nb: send 8b to 1 tag 4\nb requires a\n}\nrank 1 {\n/* no\n */ a: recv 8b from 0\n}\n"), @r"
    a.goal:4 0.2 no receive takes `isend 1 8 tag 4 as 1`
    a.goal:9 1.1 no message comes for `irecv 0 as 0`
    ");
    let findings = check_file("a.txt", "0 init\n1 init\n0 waitany\n0 waitany\n0 finalize\n1 finalize\n", 20);
    assert_eq!((findings.total, findings.first.len()), (2, 1));
    assert_eq!(findings.first[0].place.as_ref().map(ToString::to_string).as_deref(), Some("a.txt:3"));
}

/// Four ranks send to the next and then receive; a ring of `bytes`.
fn ring(send: &str, bytes: u64) -> String {
    let rank = |rank: u32| format!("rank {rank}\n{send} {} {bytes}\nrecv {}\n", (rank + 1) % 4, (rank + 3) % 4);
    format!("drowse-trace 1\nranks 4\n{}", (0..4).map(rank).collect::<String>())
}

/// Sends that wait for their receives, in a circle: large messages stop by default, small ones where none is eager.
#[test]
fn circles_of_sends() {
    assert_snapshot!(shown("a", &ring("send", 65_536)), @"a:4 0.1 `send 1 65536` waits for its receive in a circle: rank 0, rank 1, rank 2, rank 3 and rank 0 again. A run stops there unless messages of 65536 B are sent eagerly, as those below 65536 B are by default");
    let small = check_file("a", &ring("send", 65_535), 9);
    assert_eq!((small.total, small.eager), (0, Some(65_535)));
    assert_snapshot!(small.notes.join("\n"), @"rank 0, operation 1 (`send 1 65535`) waits for its receive in a circle: rank 0, rank 1, rank 2, rank 3 and rank 0 again. A run stops there unless messages of 65535 B are sent eagerly (`node.eager_limit`)");
    for send in ["rsend", "bsend", "isend"] {
        let free = check_file("a", &ring(send, 1 << 20), 9);
        assert_eq!((free.total, free.eager, free.notes), (0, None, Vec::new()), "{send}");
    }
    // Whatever its size, a synchronous send waits.
    assert_snapshot!(shown("a", &ring("ssend", 8)), @"a:4 0.1 `ssend 1 8` waits in a circle of ranks that no message ends: rank 0, rank 1, rank 2, rank 3 and rank 0 again");
    // The smallest message of a circle breaks it, and of two circles the larger is needed.
    let uneven = "drowse-trace 1\nranks 2\nrank 0\nsend 1 70000\nrecv 1\nsend 1 10\nrecv 1\n\
                  rank 1\nsend 0 300\nrecv 0\nsend 0 20\nrecv 0\n";
    assert_eq!(check_file("a", uneven, 9).eager, Some(300));
}

/// Waits, collectives and probes wait for others, too.
#[test]
fn circles_of_other_operations() {
    let of = |zero: &str, one: &str| {
        check_file("a", &format!("drowse-trace 1\nranks 2\nrank 0\n{zero}\nrank 1\n{one}\n"), 9)
    };
    // Both wait for a large message before they send theirs.
    let crossed = of("recv 1\nsend 1 8", "recv 0\nsend 0 8");
    assert_eq!((crossed.total, crossed.first.len()), (1, 1));
    let waits = of("isend 1 70000 as 1\nwait 1\nrecv 1", "isend 0 70000 as 1\nwait 1\nrecv 0");
    assert_eq!((waits.total, waits.eager), (1, Some(70_000)));
    // A receive that is posted before takes the message.
    let posted = of("irecv 1 as 2\nsend 1 70000\nwait 2", "irecv 0 as 2\nsend 0 70000\nwait 2");
    assert_eq!((posted.total, posted.eager), (0, None));
    // A barrier that the receiver calls first; a broadcast does not wait for its receivers.
    assert_eq!(of("send 1 70000\nbarrier", "barrier\nrecv 0").eager, Some(70_000));
    assert_eq!(of("bcast 0 8\nsend 1 70000", "recv 0\nbcast 0 8").eager, None);
    assert_eq!(of("probe 1\nrecv 1\nsend 1 8", "send 0 70000\nrecv 0").eager, None);
    // Whoever comes first may be taken: what is found need not be so.
    let any = of("send 1 70000\nrecv any", "send 0 70000\nrecv any");
    assert_eq!((any.total, any.eager, any.notes.len()), (0, Some(70_000), 1));
}

/// A run refuses what a check finds: which of two requests of a name a wait is for, nothing tells.
#[test]
fn requests_that_are_started_twice() {
    let text = "drowse-trace 1\nranks 2\nrank 0\nirecv 1 tag 1 as 1\nirecv 1 tag 2 as 1\nwait 1\nrank 1\n\
                send 0 8 tag 1\nsend 0 8 tag 2\n";
    let folder = Folder::new(&[("a", text)]);
    let trace = Trace::open(folder.path().join("a")).unwrap();
    let error = operations(&mut *trace.operations(COMPUTE)).unwrap_err();
    assert_snapshot!(folder.message(&error), @"a:5: `irecv 1 tag 2 as 1` starts request 1, which is pending since line 4; wait for it first, or choose another number");
    assert_eq!(trace.check(9).unwrap().total, 1);
    let waited = text.replace("irecv 1 tag 2 as 1", "wait 1\nirecv 1 tag 2 as 1");
    let folder = Folder::new(&[("a", &waited)]);
    let trace = Trace::open(folder.path().join("a")).unwrap();
    assert_eq!(operations(&mut *trace.operations(COMPUTE)).unwrap()[0].len(), 4);
}

/// Real programs fit together.
#[test]
fn real_programs_have_no_finding() {
    for path in [
        shipped("cg.A.16.tar.zst"),
        data("is_16.dim.gz"),
        data("is_16.goal.gz"),
        data("is_16.vef.gz"),
        data("dumpi/is.S.16.tar.gz"),
    ] {
        assert_eq!(Trace::open(&path).unwrap().check(3).unwrap().first, [], "{}", path.display());
    }
}

/// A message of a random program: sender, receiver, tag, communicator, how it is sent and received.
type Drawn = (u32, u32, u32, u32, [bool; 4]);

const RANKS: u32 = 4;

/// Makes a program of messages that fits together; with each operation comes the place of its message.
fn program(messages: &[Drawn]) -> Vec<Vec<(usize, Operation)>> {
    let mut ranks = vec![Vec::new(); RANKS as usize];
    for (place, &(from, to, tag, comm, [immediate, posted, any_sender, any_tag])) in messages.iter().enumerate() {
        let (request, mode, bytes) = (place as u32, SendMode::Standard, 8);
        let mut add = |rank: u32, operation| ranks[rank as usize].push((place, operation));
        if immediate {
            add(from, Operation::Isend { to, tag, comm, mode, bytes, request: Some(2 * request) });
            add(from, Operation::Wait { request: 2 * request });
        } else {
            add(from, Operation::Send { to, tag, comm, mode, bytes });
        }
        let (from, tag) = ((!any_sender).then_some(from), (!any_tag).then_some(tag));
        if posted {
            add(to, Operation::Irecv { from, tag, comm, request: 2 * request + 1 });
            add(to, Operation::Wait { request: 2 * request + 1 });
        } else {
            add(to, Operation::Recv { from, tag, comm });
        }
    }
    ranks
}

/// Checks a program in memory.
fn check_program(program: Vec<Vec<Operation>>, most: usize) -> Findings {
    let mut communicators = Communicators::of(RANKS);
    communicators.add(vec![3, 2, 1, 0]).unwrap();
    let mut text = Vec::new();
    write(&mut Listed::among(communicators, program), &mut text).unwrap();
    check_file("a", &String::from_utf8(text).unwrap(), most)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// What fits together has no finding. Without one operation there is exactly one: whatever sender or tag receives
    /// take, one message is left, or one receive, or one request.
    #[test]
    fn one_operation_less_is_one_finding(
        messages in prop::collection::vec((0..RANKS, 0..RANKS, 0_u32..3, 0_u32..2, any::<[bool; 4]>()), 1..30),
        which in any::<prop::sample::Index>(),
    ) {
        let program = program(&messages);
        let plain = |program: &[Vec<(usize, Operation)>]| -> Vec<Vec<Operation>> {
            program.iter().map(|rank| rank.iter().map(|(_, operation)| operation.clone()).collect()).collect()
        };
        let whole = check_program(plain(&program), 9);
        prop_assert_eq!((whole.total, whole.first), (0, Vec::new()));
        let (at, rank) = {
            let places: Vec<_> = (0..program.len()).flat_map(|rank| (0..program[rank].len()).map(move |at| (at, rank))).collect();
            places[which.index(places.len())]
        };
        let mut less = program;
        let (_, removed) = less[rank].remove(at);
        // A request that does not start is not waited for.
        if !matches!(removed, Operation::Wait { .. }) {
            let started = request(&removed);
            less[rank].retain(|(_, operation)| !matches!(operation, Operation::Wait { request } if Some(*request) == started));
        }
        let findings = check_program(plain(&less), 9);
        prop_assert_eq!(findings.total, 1, "{:?}", findings);
        let what = &findings.first[0].what;
        let expected = match removed {
            Operation::Wait { .. } => "nothing waits",
            Operation::Send { .. } | Operation::Isend { .. } => "no message comes",
            _ => "no receive takes",
        };
        prop_assert!(what.starts_with(expected), "{}", what);
        // The number of findings does not depend on how many are kept.
        prop_assert_eq!(check_program(plain(&less), 0).total, 1);
    }
}

/// Returns the request that an operation starts.
fn request(operation: &Operation) -> Option<u32> {
    match operation {
        Operation::Isend { request, .. } => *request,
        Operation::Irecv { request, .. } => Some(*request),
        _ => None,
    }
}
