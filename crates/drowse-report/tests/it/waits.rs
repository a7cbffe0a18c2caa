//! The longest waits, and who waits for whom, by hand.

use std::fmt::Write as _;

use serde_json::Value;

use crate::page::charts_of;

const CASES: &str = "makespan_s,case_id\n1.0,x\n";
const LONGEST: &str = "case_id,job,rank,from_ps,to_ps,state,partner,waited_ps,wait_partner_working_ps,\
wait_partner_waiting_ps,wait_network_ps,wait_memory_ps,wait_waking_ps\n";
const MATRIX: &str = "case_id,job,rank,partner,waited_ps,wait_partner_working_ps,wait_partner_waiting_ps,\
wait_network_ps,wait_memory_ps,wait_waking_ps\n";

fn texts<'r>(rows: &'r [Value], name: &str) -> Vec<&'r str> {
    rows.iter().map(|row| row[name].as_str().unwrap()).collect()
}

/// Of 30 waits, the 20 longest stand in the chart, the longest first; each cause has a bar of its own.
#[test]
fn the_longest_waits_come_first() {
    let mut table = LONGEST.to_owned();
    for rank in 0..30_u64 {
        let long = 1_000 * (1 + rank * 7 % 30);
        writeln!(
            table,
            "x,a,{rank},{},{},waiting for messages,{},{long},0,0,{},0,{}",
            5_000_000,
            5_000_000 + long,
            rank + 1,
            long - 400,
            400
        )
        .unwrap();
    }
    // The longest: nobody has ended it.
    table += "x,a,3,2500000,2600000,waiting until sends are complete,,100000,0,0,100000,0,0\n";
    let charts = charts_of(&[("cases.csv", CASES), ("waits.csv", &table)]);
    assert_eq!(charts[0].kind, "waits");
    let rows = &charts[0].rows;
    assert_eq!(rows.len(), 1 + 2 * 19);
    assert_eq!(texts(rows, "bar")[..2], ["rank 3, at 2.500 us", "rank 17 for rank 18, at 5.000 us"]);
    assert_eq!(texts(rows, "cause")[..3], ["network", "network", "waking links"]);
    assert_eq!(rows[1]["waited_ns"], 29.6);
}

/// Two jobs: the second one's ranks follow those of the first, which has as many as its partners say.
#[test]
fn waits_of_two_jobs() {
    let table = format!("{MATRIX}x,a,0,2,900,900,0,0,0,0\nx,a,0,,50,0,0,50,0,0\nx,b,1,0,300,0,0,100,0,200\n");
    let charts = charts_of(&[("cases.csv", CASES), ("wait_matrix.csv", &table)]);
    assert_eq!(charts[0].kind, "wait-matrix");
    let cells: Vec<_> = charts[0]
        .rows
        .iter()
        .map(|row| ["rank", "partner", "waited_0_ps", "waited_5_ps"].map(|name| row[name].as_f64()))
        .collect();
    assert_eq!(cells, [[0.0, 2.0, 900.0, 0.0], [4.0, 3.0, 300.0, 200.0]].map(|cell| cell.map(Some)));
    let offered = charts[0].spec["params"][0]["bind"]["labels"].as_array().unwrap();
    assert_eq!(offered, &["all waits, ps", "partner works, ps", "network, ps", "waking links, ps"]);
}

/// 130 ranks stand by threes: their waits are summed up, and the chart says so.
#[test]
fn many_ranks_stand_in_groups() {
    let mut table = MATRIX.to_owned();
    (0..130).for_each(|rank| writeln!(table, "x,a,{rank},{},10,10,0,0,0,0", (rank + 1) % 130).unwrap());
    let charts = charts_of(&[("cases.csv", CASES), ("wait_matrix.csv", &table)]);
    let cell = |rank: u64, partner: u64| {
        let at = |row: &&Value| row["rank"] == rank && row["partner"] == partner;
        charts[0].rows.iter().find(at).map(|row| row["waited_0_ps"].as_f64().unwrap())
    };
    assert_eq!([cell(0, 0), cell(0, 3), cell(129, 0), cell(0, 6)], [Some(20.0), Some(10.0), Some(10.0), None]);
    assert_eq!(charts[0].spec["encoding"]["x"]["title"], "waits for rank, first of 3");
    assert!(charts[0].caption.contains("stands for 3 ranks"), "{}", charts[0].caption);
}

/// Wakes stand in the order of the table, with their ends, the message and the timer; 20 of a case.
#[test]
fn the_costliest_wakes() {
    let mut table = "case_id,on_path,channel,from,to,class,awake_ps,waited_ps,idle_since_ps,shallow_ps,deep_ps,job,\
                     from_rank,to_rank,bytes,control,sent_ps\n\
                     x,true,7,switch 1 port 2,switch 4 port 0,dim-0,5000000,4480000,0,,10000000,a,3,5,80,false,1\n"
        .to_owned();
    (0..30).for_each(|_| table += "x,false,9,node 0,switch 0 port 1,node,7000000,250000,0,,,a,0,1,0,true,1\n");
    let charts = charts_of(&[("cases.csv", CASES), ("wakes.csv", &table)]);
    assert_eq!((charts[0].kind, charts[0].rows.len()), ("wakes", 20));
    let first = &charts[0].rows[0];
    let told = ["bar", "message", "timer", "place"].map(|name| first[name].as_str().unwrap());
    assert_eq!(
        told,
        ["switch 1 to switch 4, at 5.000 us", "rank 3 to rank 5, 80 B", "deep 10.00 us", "on the critical path"]
    );
    assert_eq!(first["waited_us"], 4.48);
    assert_eq!(charts[0].rows[1]["timer"], "none");
    // Two messages that waited for one wake have a bar each.
    let bars = texts(&charts[0].rows[1..3], "bar");
    assert_eq!(bars, ["node 0 to switch 0, at 7.000 us", "node 0 to switch 0, at 7.000 us (2)"]);
}
