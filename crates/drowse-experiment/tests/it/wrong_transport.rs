//! Errors of how nodes answer each other, how switches mark packets, and what is lost.

use crate::support::{NETWORK, TRAFFIC, case, wrong_section};

#[test]
fn words_that_nobody_knows() {
    insta::assert_snapshot!(wrong_section("[transport]\ncontrol = { kind = \"tcp\" }"), @r#"
    x.toml:5:20: error: `transport.control.kind` = "tcp" is not known
     5 | control = { kind = "tcp" }
       |                    ^^^^^
    help: this version knows: none, window, dcqcn, nscc, credit, becn
    "#);
    insta::assert_snapshot!(wrong_section("[transport]\nretransmit = \"all\""), @r#"
    x.toml:5:14: error: `transport.retransmit` = "all" is not known
     5 | retransmit = "all"
       |              ^^^^^
    help: this version knows: selective, go-back-n
    "#);
}

#[test]
fn values_out_of_range() {
    insta::assert_snapshot!(wrong_section("[transport]\ncontrol = { kind = \"window\" }"), @r#"
    x.toml:5:11: error: `transport.control.size` is missing
     5 | control = { kind = "window" }
       |           ^^^^^^^^^^^^^^^^^^^
    help: write size = "256 KiB"
    "#);
    insta::assert_snapshot!(wrong_section("[transport]\ncontrol = { kind = \"dcqcn\", gain_bits = 0 }"), @r#"
    x.toml:5:41: error: `transport.control.gain_bits` = 0 is out of range
     5 | control = { kind = "dcqcn", gain_bits = 0 }
       |                                         ^
    help: write 1 to 16: 8 is a weight of 1/256
    "#);
    insta::assert_snapshot!(wrong_section("[transport]\ncontrol = { kind = \"dcqcn\", additive = \"900 Gb/s\" }"), @r#"
    x.toml:5:40: error: `transport.control.additive` is 900000000000 bits a second
     5 | control = { kind = "dcqcn", additive = "900 Gb/s" }
       |                                        ^^^^^^^^^^
    help: write more than none, and at most the 80000000000 of a node's link
    "#);
    insta::assert_snapshot!(wrong_section("[transport]\ncontrol = { kind = \"credit\", share = 1.5 }"), @r#"
    x.toml:5:38: error: `transport.control.share` = 1.5 is out of range
     5 | control = { kind = "credit", share = 1.5 }
       |                                      ^^^
    help: write a number from 0.01 to 1.0
    "#);
    insta::assert_snapshot!(wrong_section("[transport]\ncontrol = { kind = \"becn\", limit = 0 }"), @r#"
    x.toml:5:36: error: `transport.control.limit` is zero
     5 | control = { kind = "becn", limit = 0 }
       |                                    ^
    help: write 1 or more
    "#);
    insta::assert_snapshot!(wrong_section("[transport]\ncontrol = { kind = \"nscc\", target = \"0 us\" }"), @r#"
    x.toml:5:37: error: `transport.control.target` is zero
     5 | control = { kind = "nscc", target = "0 us" }
       |                                     ^^^^^^
    help: write a time such as "10 us"
    "#);
    insta::assert_snapshot!(wrong_section("[transport]\nack = \"0 B\""), @r#"
    x.toml:5:7: error: an acknowledgement has no bytes
     5 | ack = "0 B"
       |       ^^^^^
    help: write its size, such as "64 B"
    "#);
    insta::assert_snapshot!(wrong_section("[switch]\nmarking = { kmin = \"4 kB\", kmax = \"1 kB\" }"), @r#"
    x.toml:5:35: error: `switch.marking.kmax` is below the 4000 bytes of `kmin`
     5 | marking = { kmin = "4 kB", kmax = "1 kB" }
       |                                   ^^^^^^
    help: write as much as `kmin`, for a step, or more
    "#);
    insta::assert_snapshot!(wrong_section("[switch]\nmarking = { kmin = \"4 kB\", pmax = 2.0 }"), @r#"
    x.toml:5:35: error: `switch.marking.pmax` = 2 is no share
     5 | marking = { kmin = "4 kB", pmax = 2.0 }
       |                                   ^^^
    help: write a number from 0.0 to 1.0
    "#);
}

#[test]
fn keys_of_other_kinds() {
    insta::assert_snapshot!(wrong_section("[transport]\ntimeout = \"1 ms\""), @r#"
    x.toml:5:11: error: `transport.timeout` is for packets that are lost, and none is
     5 | timeout = "1 ms"
       |           ^^^^^^
    help: write switch.flow_control = "drop" or "trim", or leave it out
    "#);
    insta::assert_snapshot!(wrong_section("[transport]\ncontrol = { kind = \"nscc\", size = \"1 MB\" }"), @r#"
    x.toml:5:28: error: unknown key `transport.control.size`
     5 | control = { kind = "nscc", size = "1 MB" }
       |                            ^^^^
    help: keys known here: target, kind
    "#);
    insta::assert_snapshot!(wrong_section("[switch]\nflow_control = \"drop\"\nxoff = \"1 kB\"\n[transport]"), @r#"
    x.toml:6:8: error: `switch.xoff` says when senders pause, and these never do
     6 | xoff = "1 kB"
       |        ^^^^^^
    help: write flow_control = "pause", or leave it out
    "#);
}

/// What is on its way while a link wakes is sent again: that is said before the run.
#[test]
fn a_timeout_below_a_wake_is_told() {
    let notes = |timeout: &str| {
        let switch = format!("[switch]\nflow_control = \"drop\"\n[transport]\ntimeout = \"{timeout}\"\n");
        let power = "[power]\npolicy = { kind = \"stall-timer\", deep = \"10 us\" }\n";
        case(&format!("{NETWORK}{switch}{power}{TRAFFIC}")).system.notes
    };
    // The deep state of the default takes 4.48 us.
    assert!(notes("4480 ns").iter().any(|note| note.contains("may take 4.48 us to wake")), "{:?}", notes("4480 ns"));
    assert!(notes("4481 ns").iter().all(|note| !note.contains("wake")));
}
