//! Chakra execution traces: what nodes become, and files that are wrong. The messages are written here by hand.

use drowse_core::model::units::{FlopRate, Time};
use drowse_core::workload::communicators::ALL;
use drowse_core::workload::operation::{Collective, Operation, SendMode};
use drowse_traces::{ComputeModel, Computing, Trace};
use insta::assert_snapshot;
use proptest::prelude::*;

use crate::sample::{COMPUTE, Folder, data, gzip, operations};

/// A field of a message: its number and its value.
#[derive(Clone, Copy)]
enum Field<'a> {
    Number(u64, u64),
    Fixed64(u64, u64),
    Bytes(u64, &'a [u8]),
    Fixed32(u64, u32),
}

fn varint(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn message(fields: &[Field]) -> Vec<u8> {
    let mut out = Vec::new();
    for field in fields {
        match field {
            Field::Number(number, value) => {
                varint(number << 3, &mut out);
                varint(*value, &mut out);
            }
            Field::Fixed64(number, value) => {
                varint(number << 3 | 1, &mut out);
                out.extend(value.to_le_bytes());
            }
            Field::Fixed32(number, value) => {
                varint(number << 3 | 5, &mut out);
                out.extend(value.to_le_bytes());
            }
            Field::Bytes(number, bytes) => {
                varint(number << 3 | 2, &mut out);
                varint(bytes.len() as u64, &mut out);
                out.extend(*bytes);
            }
        }
    }
    out
}

/// A node: id, kind, duration, dependencies, attributes that are numbers, and the process group.
#[derive(Clone, Default)]
struct Node {
    id: u64,
    kind: u64,
    micros: u64,
    data: Vec<u64>,
    control: Vec<u64>,
    numbers: Vec<(&'static str, i64)>,
    /// Attributes of other types.
    typed: Vec<(&'static str, Field<'static>)>,
    group: &'static str,
    inputs: &'static str,
}

fn node(id: u64, kind: u64, data: &[u64], numbers: &[(&'static str, i64)]) -> Node {
    Node { id, kind, data: data.to_vec(), numbers: numbers.to_vec(), ..Node::default() }
}

fn computes(id: u64, micros: u64, data: &[u64]) -> Node {
    Node { micros, ..node(id, 4, data, &[]) }
}

fn calls(id: u64, number: i64, bytes: i64, data: &[u64]) -> Node {
    node(id, 7, data, &[("comm_type", number), ("comm_size", bytes)])
}

/// The bytes of a file, with the version in the first message.
fn file_of(version: &str, nodes: &[Node]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut add = |message: Vec<u8>| {
        varint(message.len() as u64, &mut out);
        out.extend(message);
    };
    add(message(&[Field::Bytes(1, version.as_bytes())]));
    for node in nodes {
        let packed = |ids: &[u64]| {
            ids.iter().fold(Vec::new(), |mut out, &id| {
                varint(id, &mut out);
                out
            })
        };
        let (control, data) = (packed(&node.control), packed(&node.data));
        let mut attributes: Vec<Vec<u8>> = node
            .numbers
            .iter()
            .map(|&(name, value)| {
                // Peers and tags are 32 bits wide, as the converters write them.
                let number =
                    if name.starts_with("comm_") && name != "comm_type" && name != "comm_size" { 7 } else { 9 };
                let number = if name == "is_cpu_op" { 27 } else { number };
                message(&[Field::Bytes(1, name.as_bytes()), Field::Number(number, value.cast_unsigned())])
            })
            .collect();
        let typed = |&(name, value): &(&str, Field)| message(&[Field::Bytes(1, name.as_bytes()), value]);
        attributes.extend(node.typed.iter().map(typed));
        if !node.group.is_empty() {
            attributes.push(message(&[Field::Bytes(1, b"pg_name"), Field::Bytes(29, node.group.as_bytes())]));
        }
        let inputs = message(&[Field::Bytes(1, node.inputs.as_bytes())]);
        let mut fields = vec![Field::Bytes(2, b"a name"), Field::Number(3, node.kind), Field::Number(7, node.micros)];
        if node.id > 0 {
            fields.insert(0, Field::Number(1, node.id));
        }
        fields.extend([Field::Bytes(4, &control), Field::Bytes(5, &data), Field::Bytes(8, &inputs)]);
        fields.extend(attributes.iter().map(|attribute| Field::Bytes(10, attribute)));
        add(message(&fields));
    }
    out
}

fn folder(ranks: &[&[Node]]) -> Folder {
    let folder = Folder::new(&[]);
    for (rank, nodes) in ranks.iter().enumerate() {
        folder.write(&format!("a.{rank}.et"), &file_of("0.0.4", nodes));
    }
    folder
}

fn program(folder: &Folder, compute: ComputeModel) -> Vec<Vec<Operation>> {
    let trace = Trace::open(folder.path()).unwrap_or_else(|error| panic!("{error}"));
    trace.info().unwrap().check_simulable().unwrap_or_else(|error| panic!("{error}"));
    operations(&mut *trace.operations(compute)).unwrap()
}

fn wrong(ranks: &[&[Node]]) -> String {
    let folder = folder(ranks);
    match Trace::open(folder.path()) {
        Err(error) => folder.message(&error),
        Ok(trace) => folder.message(&trace.info().unwrap().check_simulable().unwrap_err()),
    }
}

const SEND: u64 = 5;
const RECEIVE: u64 = 6;

#[test]
fn nodes_become_operations() {
    let one = [
        computes(0, 3, &[]),
        node(1, SEND, &[0], &[("comm_dst", 1), ("comm_tag", -2), ("comm_size", 100)]),
        node(2, RECEIVE, &[1], &[("comm_src", 1)]),
        calls(3, 0, 8, &[2]),
        calls(4, 6, 10, &[3]),
        calls(5, 7, 9, &[4]),
        computes(6, 1, &[5]),
    ];
    let other = [
        node(10, RECEIVE, &[], &[("comm_src", 0), ("comm_tag", -2)]),
        node(11, SEND, &[10], &[("comm_dst", 0)]),
        calls(12, 0, 8, &[11]),
        calls(13, 6, 10, &[12]),
        calls(14, 7, 9, &[13]),
    ];
    let folder = folder(&[&one, &other]);
    let tag = (-2_i32).cast_unsigned();
    let mode = SendMode::Ready;
    let collective = |collective| Operation::Collective { comm: ALL, collective };
    let compute = Time::ZERO;
    let called = [
        collective(Collective::Allreduce { bytes: 8, count: 8, compute }),
        collective(Collective::Alltoall { bytes: 5 }),
        collective(Collective::ReduceScatter { bytes: [5, 4].into(), compute }),
    ];
    let first = [
        Operation::Compute(Time::from_us(3)),
        Operation::Send { to: 1, tag, comm: ALL, mode, bytes: 100 },
        Operation::recv(1, 0),
    ];
    let found = program(&folder, COMPUTE);
    assert_eq!(found[0], [&first[..], &called, &[Operation::Compute(Time::from_us(1))]].concat());
    assert_eq!(found[1][..2], [Operation::recv(0, tag), Operation::Send { to: 0, tag: 0, comm: ALL, mode, bytes: 0 }]);
    // The last call has nothing that waits for it, so it goes on until the rank ends.
    assert_eq!(found[1][2..4], called[..2]);
    assert!(matches!(found[1][4], Operation::Icollective { .. }) && found[1][5] == Operation::WaitAll);
    let info = Trace::open(folder.path()).unwrap().info().unwrap();
    assert_eq!((info.total_operations(), info.messages.count, info.messages.bytes), (12, 2, 100));
    assert_eq!((info.compute, info.coverage.simulated), (Computing::Picoseconds(4_000_000), 11));
    assert_snapshot!(info.warnings.join("; "), @"1 messages have no comm_size: they are of 0 B");
    // Each file may be compressed.
    let packed = Folder::new(&[]);
    packed.write("a.0.et.gz", &gzip(&file_of("0.0.4", &one)));
    packed.write("a.1.et.gz", &gzip(&file_of("0.0.4", &other)));
    assert_eq!(program(&packed, COMPUTE), found);
}

const DOUBLE: u64 = 3;
const BOOLEANS: u64 = 28;

/// An all-reduce whose attributes are of other types.
fn typed(typed: &[(&'static str, Field<'static>)]) -> [Node; 2] {
    let numbers = [("comm_type", 0), ("comm_size", 4096), ("is_cpu_op", 0)];
    let is_typed = |name: &str| typed.iter().any(|(other, _)| *other == name);
    let numbers = numbers.into_iter().filter(|(name, _)| !is_typed(name)).collect();
    [Node { numbers, typed: typed.to_vec(), ..node(1, 7, &[], &[]) }, computes(2, 1, &[1])]
}

/// Writers choose types freely: whatever holds a number is that number.
#[test]
fn attributes_of_every_numeric_type() {
    let integers = folder(&[&typed(&[]), &typed(&[])]);
    let expected = program(&integers, COMPUTE);
    let allreduce = Collective::Allreduce { bytes: 4096, count: 4096, compute: Time::ZERO };
    assert_eq!(expected[0][0], Operation::Collective { comm: ALL, collective: allreduce });
    let sizes = [
        Field::Fixed64(DOUBLE, 4096_f64.to_bits()),
        Field::Fixed32(5, 4096_f32.to_bits()),
        Field::Number(7, 4096),
        Field::Number(11, 4096),
        Field::Number(13, 4096),
        // Signed numbers are zigzag.
        Field::Number(15, 8192),
        Field::Number(17, 8192),
        Field::Fixed32(19, 4096),
        Field::Fixed64(21, 4096),
        Field::Fixed32(23, 4096),
        Field::Fixed64(25, 4096),
        Field::Bytes(29, b"4096"),
    ];
    let kinds = [Field::Fixed64(DOUBLE, 0), Field::Bytes(29, b"0")];
    let groups = [Field::Number(7, 0), Field::Fixed64(DOUBLE, 0)];
    let all = sizes.map(|size| ("comm_size", size)).into_iter();
    let all = all.chain(kinds.map(|kind| ("comm_type", kind))).chain(groups.map(|group| ("pg_name", group)));
    for (place, attribute) in all.enumerate() {
        let nodes = typed(&[attribute]);
        let folder = folder(&[&nodes, &nodes]);
        assert_eq!(program(&folder, COMPUTE), expected, "{place}: {}", attribute.0);
    }
    // Operations, too: as a double of more than 2^32.
    let nodes = [Node { typed: vec![("num_ops", Field::Fixed64(DOUBLE, 6e9_f64.to_bits()))], ..node(1, 4, &[], &[]) }];
    assert_eq!(Trace::open(folder(&[&nodes]).path()).unwrap().info().unwrap().compute, Computing::Flops(6_000_000_000));
}

#[test]
fn attributes_that_hold_no_number_are_refused() {
    let of = |attribute| wrong(&[&typed(&[attribute]), &[]]);
    assert_snapshot!(of(("comm_size", Field::Fixed64(DOUBLE, 1.5_f64.to_bits()))), @"a.0.et: at byte 8: node 1: comm_size is 1.5 (double_val), and a whole number is read; convert the trace again");
    assert_snapshot!(of(("comm_size", Field::Bytes(10, &[10, 1, 8]))), @"a.0.et: at byte 8: node 1: comm_size is a list (int64_list), and a whole number is read; convert the trace again");
    assert_snapshot!(of(("comm_type", Field::Bytes(29, b"ALL_REDUCE"))), @"a.0.et: at byte 8: node 1: comm_type is the text `ALL_REDUCE` (string_val), and a whole number is read; convert the trace again");
    assert_snapshot!(of(("pg_name", Field::Number(27, 1))), @"a.0.et: at byte 8: node 1: pg_name is true (bool_val), and a text is read; convert the trace again");
    assert_snapshot!(of(("is_cpu_op", Field::Bytes(31, b"1"))), @"a.0.et: at byte 8: node 1: is_cpu_op is 1 B (bytes_val), and a whole number is read; convert the trace again");
    assert_snapshot!(of(("comm_size", Field::Number(77, 1))), @"a.0.et: at byte 8: node 1: comm_size has no value of a known type, and a whole number is read; convert the trace again");
    assert_snapshot!(of(("involved_dim", Field::Bytes(8, &[10, 1, 1]))), @"a.0.et: at byte 8: node 1: involved_dim is a list (int32_list), and a list of booleans (bool_list) is read; convert the trace again");
    let twice = [("comm_size", Field::Number(9, 8)), ("comm_size", Field::Number(9, 9))];
    assert_snapshot!(wrong(&[&typed(&twice), &[]]), @"a.0.et: at byte 8: node 1: comm_size has two values; convert the trace again");
    let size = Field::Fixed64(DOUBLE, 0.5_f64.to_bits());
    let send = Node { typed: vec![("comm_size", size)], ..node(3, SEND, &[], &[("comm_dst", 1)]) };
    assert_snapshot!(wrong(&[&[send], &[]]), @"a.0.et: at byte 8: node 3: comm_size is 0.5 (double_val), and a whole number is read; convert the trace again");
}

/// ASTRA-sim's collectives over some dimensions of its network, whose extents a file beside the trace has.
#[test]
fn collectives_over_some_dimensions() {
    let all = typed(&[("involved_dim", Field::Bytes(BOOLEANS, &[10, 2, 1, 1]))]);
    assert_eq!(program(&folder(&[&all, &all]), COMPUTE)[0].len(), 2);
    let some = typed(&[("involved_dim", Field::Bytes(BOOLEANS, &[10, 2, 1, 0]))]);
    assert_snapshot!(wrong(&[&some, &some]), @r#"a.0.et: `COMM_COLL_NODE` cannot be simulated and occurs 2 times: involved_dim leaves out a dimension of the machine, and nothing says which rank is where in it; add a file dims.json with the extents of all dimensions, {"logical-dims": [2, 2]}; choose a trace without it"#);
    // A process group says which ranks take part.
    let named = || some.clone().map(|node| Node { group: "1", ..node });
    let listed = folder(&[&named(), &named()]);
    listed.write("groups.json", b"{\"1\": [0, 1]}");
    assert!(matches!(program(&listed, COMPUTE)[0][0], Operation::Collective { comm: 1, .. }));
    // Four ranks in two dimensions: 0 and 1 are at different places of the first.
    let ranks: [&[Node]; 4] = [&some, &some, &some, &some];
    let square = folder(&ranks);
    square.write("dims.json", b"{\"logical-dims\": [\"2\", 2]}");
    let trace = Trace::open(square.path()).unwrap();
    let source = trace.operations(COMPUTE);
    let comms = source.communicators();
    let members = |comm| (0..2).filter_map(|place| comms.rank(comm, place)).collect::<Vec<_>>();
    assert_eq!((comms.count(), comms.size(1), members(1), members(2)), (3, Some(2), vec![0, 1], vec![2, 3]));
    let program = program(&square, COMPUTE);
    let called: Vec<_> = program.iter().filter_map(|rank| rank[0].comm()).collect();
    assert_eq!(called, [1, 1, 2, 2]);
    assert!(trace.info().unwrap().warnings.is_empty());
    let other = folder(&ranks);
    other.write("dims.json", b"{\"logical-dims\": [4, 2]}");
    assert_snapshot!(other.message(&Trace::open(other.path()).err().unwrap()), @"a.0.et: at byte 8: logical-dims are [4, 2], and their product is not the 4 ranks; correct them");
}

/// The host goes on while the device computes, and both while data is reduced.
#[test]
fn processors_and_communication_overlap() {
    let host = |id, micros, data: &[u64]| Node { numbers: vec![("is_cpu_op", 1)], ..computes(id, micros, data) };
    let nodes =
        [host(1, 5, &[]), computes(2, 20, &[1]), host(3, 8, &[1]), calls(4, 0, 8, &[3]), computes(5, 2, &[2, 4])];
    let folder = folder(&[&nodes, &nodes]);
    let found = program(&folder, COMPUTE);
    assert_eq!(found[0].len(), 5);
    assert_eq!(found[0][0], Operation::Compute(Time::from_us(13)));
    assert!(matches!(found[0][1], Operation::Icollective { .. }));
    assert_eq!(found[0][2], Operation::Compute(Time::from_us(12)));
    assert!(matches!(found[0][3], Operation::Wait { .. }));
    assert_eq!(found[0][4], Operation::Compute(Time::from_us(2)));
    let info = Trace::open(folder.path()).unwrap().info().unwrap();
    assert_eq!(info.coverage.approximations(), 2);
    assert_snapshot!(info.warnings.join("; "), @"2 waits come when the rank has nothing else to do: what depends on them may start late");
}

/// Traces without durations hold operations, as STG writes them.
#[test]
fn computations_in_operations() {
    let nodes = [node(1, 4, &[], &[("num_ops", 6_000)]), calls(2, 9, 0, &[1])];
    let folder = folder(&[&nodes, &nodes]);
    let compute = ComputeModel { flops_per_second: FlopRate(2_000_000_000), ..COMPUTE };
    assert_eq!(program(&folder, compute)[0][0], Operation::Compute(Time::from_us(3)));
    assert_eq!(Trace::open(folder.path()).unwrap().info().unwrap().compute, Computing::Flops(12_000));
}

/// Groups by metadata of PyTorch, by a JSON file, and by which ranks name them.
#[test]
fn process_groups_become_communicators() {
    let call = |group| Node { group, ..calls(1, 0, 8, &[]) };
    let metadata = |inputs| Node { inputs, ..node(9, 1, &[], &[]) };
    let pairs = r#"['[{"pg_name": "1", "ranks": [0, 2]}]']"#;
    let odd = r#"['[{"pg_name": "1", "ranks": [3, 1]}]']"#;
    let ranks: Vec<Vec<Node>> = [pairs, odd, pairs, odd].map(|inputs| vec![metadata(inputs), call("1")]).into();
    let ranks: Vec<&[Node]> = ranks.iter().map(Vec::as_slice).collect();
    let members = |folder: &Folder| {
        let trace = Trace::open(folder.path()).unwrap();
        let source = trace.operations(COMPUTE);
        let comms = source.communicators();
        (1..comms.count())
            .map(|comm| (0..comms.size(comm).unwrap()).map(|rank| comms.rank(comm, rank).unwrap()).collect())
            .collect::<Vec<Vec<u32>>>()
    };
    assert_eq!(members(&folder(&ranks)), [vec![0, 2], vec![3, 1]]);
    let by_name = [vec![call("a")], vec![call("b")], vec![call("b")], vec![call("a")]];
    let by_name: Vec<&[Node]> = by_name.iter().map(Vec::as_slice).collect();
    let inferred = folder(&by_name);
    assert_eq!(members(&inferred), [vec![0, 3], vec![1, 2]]);
    let info = Trace::open(inferred.path()).unwrap().info().unwrap();
    assert_snapshot!(info.warnings.join("; "), @"4 collectives name a group that nothing defines: it is the ranks that name it");
    inferred.write("groups.json", b"{\"a\": [3, 0], \"b\": [1, 2]}");
    assert_eq!(members(&inferred), [vec![3, 0], vec![1, 2]]);
    assert!(Trace::open(inferred.path()).unwrap().info().unwrap().warnings.is_empty());
    inferred.write("groups.json", b"{\"a\": [3, 1], \"b\": [1, 2]}");
    assert_snapshot!(inferred.message(&Trace::open(inferred.path()).err().unwrap()), @"a.0.et: at byte 8: names process group `a`, whose ranks are [3, 1], without 0");
}

/// PyTorch writes the stack of calls as control dependencies, which run in circles.
#[test]
fn control_dependencies_that_form_circles_are_left_out() {
    let called = |control: &[u64]| Node { control: control.to_vec(), ..computes(2, 1, &[1]) };
    let chain = [computes(1, 1, &[]), called(&[1]), Node { control: vec![2], ..calls(3, 9, 0, &[]) }];
    let circle = [Node { control: vec![2], ..computes(1, 1, &[]) }, called(&[2, 77]), calls(3, 9, 0, &[])];
    let whole = folder(&[&chain, &chain]);
    assert_eq!(program(&whole, COMPUTE)[0][0], Operation::Compute(Time::from_us(2)));
    let cut = folder(&[&circle, &circle]);
    let found = program(&cut, COMPUTE);
    assert!(matches!(found[0][0], Operation::Icollective { .. }));
    let info = Trace::open(cut.path()).unwrap().info().unwrap();
    assert_snapshot!(info.warnings.join("; "), @"control dependencies form circles, as where they hold the stack of calls: data dependencies alone are followed (6 are left out)");
}

#[test]
fn traces_that_cannot_run() {
    let barrier = [calls(1, 9, 0, &[])];
    assert_snapshot!(wrong(&[&barrier]), @"a.0.et: `COMM_COLL_NODE` cannot be simulated and occurs 1 times: only one rank's file is given, and others take part; choose a trace without it");
    assert_snapshot!(wrong(&[&[node(1, SEND, &[], &[])], &[]]), @"a.0.et: `COMM_SEND_NODE` cannot be simulated and occurs 1 times: nodes do not tell the other rank (comm_src, comm_dst); choose a trace without it");
    assert_snapshot!(wrong(&[&barrier, &[calls(1, 0, 8, &[])]]), @"call 1 of a group is a barrier at rank 0, and an all-reduce of 8 B at rank 1; choose a whole trace of a program with one communicator");
    assert_snapshot!(wrong(&[&barrier, &[]]), @"1 of the 2 ranks of a group call its collectives, such as rank 0; choose a whole trace of a program with one communicator");
}

#[test]
fn files_that_are_wrong() {
    let send = |to, bytes| [node(1, SEND, &[], &[("comm_dst", to), ("comm_size", bytes)])];
    assert_snapshot!(wrong(&[&send(2, 8), &[]]), @"a.0.et: at byte 8: comm_dst is 2, but there are files of 2 ranks, from 0; add the others");
    assert_snapshot!(wrong(&[&send(1, 1 << 40), &[]]), @"a.0.et: at byte 8: comm_size is 1099511627776 B, and it is from 0 to 34359738368 B (32 GiB)");
    assert_snapshot!(wrong(&[&send(1, -1), &[]]), @"a.0.et: at byte 8: comm_size is -1 B, and it is from 0 to 34359738368 B (32 GiB)");
    assert_snapshot!(wrong(&[&[computes(1, 1, &[2]), computes(2, 1, &[1])], &[]]), @"a.0.et: at byte 8: node 1 can never start: its dependencies form a circle");
    assert_snapshot!(wrong(&[&[computes(1, 1, &[]), computes(1, 1, &[])], &[]]), @"a.0.et: at byte 31: node 1 comes twice in the file; convert the trace again");
    assert_snapshot!(wrong(&[&[calls(1, 12, 0, &[])], &[]]), @"a.0.et: at byte 8: comm_type is 12, and collectives have the numbers 0 to 9");
    assert_snapshot!(wrong(&[&[computes(1, u64::MAX, &[])], &[]]), @"a.0.et: at byte 8: duration_micros is 18446744073709551615, which is too long to be simulated");
    assert_snapshot!(wrong(&[&[computes(1, 900_000_000_000, &[]), computes(2, 900_000_000_000, &[])], &[]]), @"a.0.et: at byte 36: up to here the rank computes for more than 1000000 s");
    let open = |bytes: &[u8]| {
        let folder = Folder::new(&[]);
        folder.message(&Trace::open(folder.write("a.0.et", bytes)).err().unwrap())
    };
    let whole = file_of("0.0.4", &[computes(1, 1, &[]), computes(2, 1, &[])]);
    assert_snapshot!(open(&file_of("0.0.3", &[])), @"a.0.et: at byte 0: the schema is version 0.0.3, and 0.0.4 or later is read; convert it again");
    assert_snapshot!(open(&whole[..whole.len() - 3]), @"a.0.et: at byte 31: the file ends within a message; copy it again");
    assert_snapshot!(open(&[&whole[..], &[0x80]].concat()), @"a.0.et: at byte 54: the file ends within a number; copy it again");
    assert_snapshot!(open(&[&whole[..], &[0xff; 12]].concat()), @"a.0.et: at byte 54: a number has more than ten bytes; copy the file again");
    assert_snapshot!(open(&[&whole[..], &[0xff, 0xff, 0xff, 0xff, 0xff, 0x01]].concat()), @"a.0.et: at byte 54: a message is said to have 68719476735 bytes; copy the file again");
    assert_snapshot!(open(&[&whole[..], &[2, 0x0d, 1]].concat()), @"a.0.et: at byte 54: the message is no node (failed to decode Protobuf message: Node.id: invalid wire type: ThirtyTwoBit (expected Varint)); copy the file again");
    let missing = folder(&[&[], &[], &[]]);
    std::fs::remove_file(missing.path().join("a.1.et")).unwrap();
    assert_snapshot!(missing.message(&Trace::open(missing.path()).err().unwrap()), @"DIR: has no file of rank 1, but one of rank 2; add it, or choose one file alone");
}

/// Returns what ranks give to collectives, and what they send.
fn given(program: &[Vec<Operation>]) -> (u64, u64) {
    let ranks = program.len() as u64;
    let of = |collective: &Collective| match collective {
        Collective::Alltoall { bytes } => bytes * ranks,
        Collective::ReduceScatter { bytes, .. } => bytes.iter().sum(),
        other => other.largest(),
    };
    let all = || program.iter().flatten();
    let sent = all().filter(|operation| operation.called().is_none()).map(Operation::largest).sum();
    (all().filter_map(Operation::called).map(of).sum(), sent)
}

/// Checks what a trace holds: ranks, nodes, bytes given to collectives, bytes sent.
pub fn check(path: &std::path::Path, (ranks, nodes, collective, sent): (u32, u64, u64, u64)) {
    let trace = Trace::open(path).unwrap_or_else(|error| panic!("{error}"));
    let info = trace.info().unwrap();
    assert_eq!((info.format, info.ranks, info.total_operations()), ("chakra", ranks, nodes), "{}", path.display());
    assert_eq!(info.messages.bytes, sent, "{}", path.display());
    info.check_simulable().unwrap();
    assert_eq!(given(&operations(&mut *trace.operations(COMPUTE)).unwrap()), (collective, sent), "{}", path.display());
    assert_eq!(trace.check(9).unwrap().total, 0, "{}", path.display());
}

#[test]
fn real_traces() {
    check(&data("chakra/all_to_all.tar.gz"), (16, 16, 16 << 20, 0));
    check(&data("chakra/ring_8.tar.gz"), (8, 280, 0, 8 * 14 * 131_072));
    check(&data("chakra/resnet50_64.tar.gz"), (64, 13_760, 0, 0));
    let info = Trace::open(data("chakra/resnet50_64.tar.gz")).unwrap().info().unwrap();
    assert_eq!(info.compute, Computing::Picoseconds(64 * 1_082_450 * 1_000_000));
    assert_eq!(info.coverage.approximated[0].count, 64 * 54);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_chakra_traces_do_not_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let pairs = r#"['[{"pg_name": "1", "ranks": [0, 1]}]']"#;
        let mut bytes = file_of("0.0.4", &[
            Node { inputs: pairs, ..node(9, 1, &[], &[]) },
            computes(1, 3, &[]),
            node(2, SEND, &[1], &[("comm_dst", 1), ("comm_size", 100)]),
            node(3, RECEIVE, &[], &[("comm_src", 1), ("comm_size", 100)]),
            Node { group: "1", ..calls(4, 6, 10, &[2, 3]) },
        ]);
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        bytes.truncate(cut.map_or(bytes.len(), |cut| cut.index(bytes.len())));
        let folder = Folder::new(&[]);
        folder.write("a.0.et", &bytes);
        folder.write("a.1.et", &bytes);
        if let Ok(trace) = Trace::open(folder.path()) {
            let _ = trace.info().map(|info| info.check_simulable().is_ok());
            let _ = operations(&mut *trace.operations(COMPUTE));
        }
    }
}
