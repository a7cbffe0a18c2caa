//! Every form of every action.

use drowse_core::model::units::Time;

use super::*;

const CONTEXT: LineContext = LineContext { rank: 1, ranks: 3, default: Datatype::DOUBLE };

fn parse(text: &str) -> Action {
    parse_action(text.as_bytes(), CONTEXT).map(|(_, action)| action).unwrap()
}

fn error(text: &str) -> String {
    parse_action(text.as_bytes(), CONTEXT).map(|(_, action)| action).unwrap_err().to_string()
}

fn doubles(count: u64) -> Data {
    Data { count, datatype: Datatype::DOUBLE, bytes: 8 * count }
}

fn bytes(count: u64) -> Data {
    Data { count, datatype: Datatype::BYTE, bytes: count }
}

#[test]
fn actions_of_one_rank() {
    assert_eq!(parse("init"), Action::Init { default: Datatype::BYTE });
    assert_eq!(parse("init 1"), Action::Init { default: Datatype::DOUBLE });
    assert_eq!(parse("finalize\r"), Action::Finalize);
    for text in ["comm_size 3", "comm_split", "comm_dup", "location main.c 12"] {
        assert_eq!(parse(text), Action::NoEffect, "{text}");
    }
    assert_eq!(parse("compute 6e3"), Action::Compute { flops: 6_000 });
    assert_eq!(parse("compute 1.7658e+07"), Action::Compute { flops: 17_658_000 });
    assert_eq!(parse("compute 0.11"), Action::Compute { flops: 0 });
    assert_eq!(parse("sleep 0.5"), Action::Sleep { time: Time(500_000_000_000) });
}

#[test]
fn messages() {
    assert_eq!(parse("send 2 5 10"), Action::Send { to: 2, tag: 5, data: doubles(10) });
    assert_eq!(parse("Ssend 2 5 10 6"), Action::Send { to: 2, tag: 5, data: bytes(10) });
    assert_eq!(parse("isend\t2 5  10 6"), Action::Isend { to: 2, tag: 5, data: bytes(10) });
    assert_eq!(parse("Issend 2 5 10"), Action::Isend { to: 2, tag: 5, data: doubles(10) });
    assert_eq!(parse("recv 2 5 10 6"), Action::Recv { from: Some(2), tag: Some(5) });
    assert_eq!(parse("recv 2 5 -1"), Action::Recv { from: Some(2), tag: Some(5) });
    assert_eq!(parse("irecv -333 -444 10 6"), Action::Irecv { from: None, tag: None });
    assert_eq!(parse("sendRecv 10 2 99 0 6 1"), Action::SendRecv { to: 2, data: bytes(10), from: Some(0) });
    assert_eq!(parse("sendrecv 10 2 99 -333"), Action::SendRecv { to: 2, data: doubles(10), from: None });
}

#[test]
fn messages_of_old_traces_have_no_tag() {
    assert_eq!(parse("send 2 1e6"), Action::Send { to: 2, tag: 0, data: doubles(1_000_000) });
    assert_eq!(parse("Isend 2 10"), Action::Isend { to: 2, tag: 0, data: doubles(10) });
    assert_eq!(parse("recv 2 10"), Action::Recv { from: Some(2), tag: Some(0) });
    assert_eq!(parse("Irecv 2 10"), Action::Irecv { from: Some(2), tag: Some(0) });
    assert_eq!(parse("wait"), Action::WaitNewest);
}

#[test]
fn waits_and_polls() {
    let key = |from, to, tag| Action::Wait(RequestKey { from, to, tag });
    assert_eq!(parse("wait 2 1 5"), key(Some(2), 1, Some(5)));
    assert_eq!(parse("wait -333 1 -444"), key(None, 1, None));
    assert_eq!(parse("wait 2 -1 5"), key(Some(2), u32::MAX, Some(5)));
    assert_eq!(parse("waitall 4"), Action::WaitAll);
    assert_eq!(parse("waitAll"), Action::WaitAll);
    for text in ["test 2 1 5", "testall", "testany", "testsome", "iprobe"] {
        assert_eq!(parse(text), Action::Poll, "{text}");
    }
}

#[test]
fn collectives_of_one_size() {
    assert_eq!(parse("barrier"), Action::Barrier);
    assert_eq!(parse("bcast 5e4"), Action::Bcast { data: doubles(50_000), root: 0 });
    assert_eq!(parse("bcast 2 1 6 "), Action::Bcast { data: bytes(2), root: 1 });
    assert_eq!(parse("reduce 2 7"), Action::Reduce { data: doubles(2), flops: 7, root: 0 });
    assert_eq!(parse("reduce 2 7 2 6"), Action::Reduce { data: bytes(2), flops: 7, root: 2 });
    assert_eq!(parse("allreduce 2 5e8"), Action::Allreduce { data: doubles(2), flops: 500_000_000 });
    assert_eq!(parse("allReduce 2 0 6"), Action::Allreduce { data: bytes(2), flops: 0 });
}

#[test]
fn collectives_with_both_sides_or_lists() {
    let (send, receive) = (bytes(4), Data { count: 5, datatype: Datatype::Sized(4), bytes: 20 });
    let (send_datatype, receive_datatype) = (Datatype::BYTE, Datatype::Sized(4));
    let receive_counts = vec![5, 6, 7];
    assert_eq!(parse("scan 2 7 6"), Action::Scan { data: bytes(2), flops: 7 });
    assert_eq!(parse("exscan 2 7"), Action::Exscan { data: doubles(2), flops: 7 });
    assert_eq!(parse("alltoall 4 5 6 1"), Action::Alltoall { send, receive });
    assert_eq!(parse("alltoall 4 5"), Action::Alltoall { send: doubles(4), receive: doubles(5) });
    assert_eq!(parse("allgather 4 5 6 1"), Action::Allgather { send, receive });
    assert_eq!(parse("gather 4 5 2 6 1"), Action::Gather { send, receive, root: 2 });
    assert_eq!(parse("scatter 4 5 2 6 1"), Action::Scatter { send, receive, root: 2 });
    assert_eq!(
        parse("alltoallv 9 1 2 3 18 5 6 7 6 1"),
        Action::Alltoallv {
            send_counts: vec![1, 2, 3],
            send_datatype,
            receive_counts: receive_counts.clone(),
            receive_datatype
        }
    );
    assert_eq!(
        parse("gatherv 4 5 6 7 2 6 1"),
        Action::Gatherv { send, receive_counts: receive_counts.clone(), receive_datatype, root: 2 }
    );
    let gathered =
        |send, receive_datatype| Action::Allgatherv { send, receive_counts: receive_counts.clone(), receive_datatype };
    assert_eq!(parse("allgatherv 4 5 6 7 6 1"), gathered(send, receive_datatype));
    // Displacements, which are as many as ranks, have at most one datatype before them.
    assert_eq!(parse("allgatherv 4 5 6 7 0 5 11"), gathered(doubles(4), Datatype::DOUBLE));
    assert_eq!(parse("allgatherv 4 5 6 7 6 0 5 11"), gathered(send, Datatype::BYTE));
    assert_eq!(
        parse("scatterv 1 2 3 5 2 6 1"),
        Action::Scatterv { send_counts: vec![1, 2, 3], send_datatype, receive, root: 2 }
    );
    assert_eq!(
        parse("reducescatter 1 2 3 7 6"),
        Action::ReduceScatter { counts: vec![1, 2, 3], datatype: Datatype::BYTE, flops: 7 }
    );
    for text in ["waitany", "ibcast 4 0 6", "Start 1 2"] {
        assert_eq!(parse(text), Action::NotReplayable, "{text}");
    }
}

#[test]
fn short_lists_of_counts_belong_to_other_communicators() {
    for text in ["alltoallv 9 1 2 18 5 6 6", "allgatherv 4 5 6", "gatherv 4 5", "scatterv 1 2", "reducescatter 1 2 7"] {
        assert_eq!(parse(text), Action::OtherCommunicator, "{text}");
    }
}

#[test]
fn wrong_lines_say_what_is_wrong() {
    assert_eq!(error(" "), "has a rank but no action; complete or remove the line");
    assert_eq!(error("jump 3"), "`jump` is no action of a SimGrid TI trace; correct or remove the line");
    assert_eq!(error("send 2"), "`send` lacks the tag; write it like `send to tag count [datatype]`");
    assert_eq!(error("compute fast"), "the number of operations is `fast`; it must be a number that is not negative");
    assert_eq!(error("compute -5"), "the number of operations is `-5`; it must be a number that is not negative");
    assert_eq!(
        error("send 3 0 8"),
        "the receiver is 3, but the trace has 3 ranks; check that the index lists all of them"
    );
    assert_eq!(error("send 2 -1 8"), "the tag is `-1`; it must be a number from 0 to 4294967295");
    assert_eq!(error("recv 2 4294967296 8"), "the tag is `4294967296`; it must be a number up to 4294967295");
    assert_eq!(
        error("send 2 0 8 60"),
        "datatype `60` is not in SimGrid's table (0 to 59); write the count in bytes and datatype 6"
    );
    assert_eq!(
        error("send 2 0 9e18 0"),
        "72000000000000000000 B are sent at once, and the most is 34359738368 B (32 GiB); check the count and the datatype"
    );
    assert_eq!(error("bcast 1 3"), "the root is 3, but the trace has 3 ranks; check that the index lists all of them");
}
