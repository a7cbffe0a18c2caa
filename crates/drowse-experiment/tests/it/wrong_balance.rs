//! Errors of how packets are spread over outputs, and of the order in which nodes take them.

use drowse_core::engine;
use drowse_core::power::StallTimer;
use drowse_core::workload::Workload;
use drowse_experiment::WorkloadSpec;

use crate::support::{NETWORK, TRAFFIC, case, wrong_section};

#[test]
fn words_that_nobody_knows() {
    insta::assert_snapshot!(wrong_section("[switch]\nbalance = \"ecmp\""), @r#"
    x.toml:5:11: error: `switch.balance` = "ecmp" is not known
     5 | balance = "ecmp"
       |           ^^^^^^
    help: this version knows: adaptive, flow-hash, flowlet, spray-random, spray-round-robin, spray-queue
    "#);
    insta::assert_snapshot!(wrong_section("[node]\norder = \"strict\""), @r#"
    x.toml:5:9: error: `node.order` = "strict" is not known
     5 | order = "strict"
       |         ^^^^^^^^
    help: this version knows: any, counted, in-sequence
    "#);
}

#[test]
fn keys_of_other_kinds() {
    insta::assert_snapshot!(wrong_section("[switch]\nbalance = \"flow-hash\"\nflowlet_gap = \"1 us\""), @r#"
    x.toml:6:15: error: `switch.flowlet_gap` ends flowlets, and these switches know none
     6 | flowlet_gap = "1 us"
       |               ^^^^^^
    help: write balance = "flowlet", or leave it out
    "#);
    insta::assert_snapshot!(wrong_section("[switch]\nbalance = \"spray-random\"\nflow = \"message\""), @r#"
    x.toml:6:8: error: `switch.flow` says how flows are hashed, and these switches do not hash flows
     6 | flow = "message"
       |        ^^^^^^^^^
    help: write balance = "flow-hash" or "flowlet", or leave it out
    "#);
    insta::assert_snapshot!(wrong_section("[switch]\nhash_seeds = \"equal\""), @r#"
    x.toml:5:14: error: `switch.hash_seeds` says how flows are hashed, and these switches do not hash flows
     5 | hash_seeds = "equal"
       |              ^^^^^^^
    help: write balance = "flow-hash" or "flowlet", or leave it out
    "#);
}

/// Returns what the engine refuses, and why.
fn refused(text: &str) -> String {
    let case = case(text);
    let system = &case.system;
    let WorkloadSpec::Traffic(traffic) = case.workload else { panic!("traffic") };
    let policy = StallTimer::always_on(system.network.classes.len());
    let error = engine::check(&system.network, &system.config, &policy, &Workload::OpenLoop(traffic)).unwrap_err();
    system.keys.error(error.key, error.reason, "").to_string()
}

#[test]
fn contradictions() {
    let of = |switch: &str| refused(&format!("{NETWORK}[switch]\n{switch}\n{TRAFFIC}"));
    insta::assert_snapshot!(of("balance = \"flow-hash\"\ntrunks = \"packed\""), @r#"
    x.toml:6:10: error: packets fill the first links of a trunk, or "flow-hash" spreads them over all: write trunks = "balanced", or leave out switch.balance
     6 | trunks = "packed"
       |          ^^^^^^^^
    "#);
    insta::assert_snapshot!(of("balance = \"spray-round-robin\"\nqueues = \"virtual-output\""), @r#"
    x.toml:5:11: error: "spray-round-robin" depends on the order of packets, and those of queues for each output choose as they come, at any time: write "flow-hash", "spray-random" or "spray-queue", or queues = "input"
     5 | balance = "spray-round-robin"
       |           ^^^^^^^^^^^^^^^^^^^
    "#);
    let ordered = NETWORK.replace("dims", "routing = \"dimension-order\"\ndims");
    insta::assert_snapshot!(refused(&format!("{ordered}[switch]\nbalance = \"spray-queue\"\n{TRAFFIC}")), @r#"
    x.toml:6:11: error: "dimension-order" routing leaves packets no choice on this network: leave switch.balance out, or write another network.routing
     6 | balance = "spray-queue"
       |           ^^^^^^^^^^^^^
    "#);
    let flows = "balance = \"flowlet\"\n[simulation]\nunit = \"flow\"";
    insta::assert_snapshot!(of(flows), @r#"
    x.toml:5:11: error: flows know of no gaps between packets: write "flow-hash", or leave out simulation.unit, so that packets move
     5 | balance = "flowlet"
       |           ^^^^^^^^^
    "#);
}
