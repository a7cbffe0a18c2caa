//! Errors of `[power]`.

use crate::support::{NETWORK, TRAFFIC, case, wrong_section};

#[test]
fn a_misspelt_policy() {
    insta::assert_snapshot!(wrong_section(r#"[power]
polcy = { kind = "stall-timer", deep = "50 us" }"#), @r#"
    x.toml:5:1: error: unknown key `power.polcy`
     5 | polcy = { kind = "stall-timer", deep = "50 us" }
       | ^^^^^
    help: did you mean `policy`? keys known here: channels, model, wake_after, selection, sleep_aware, directions, policy, states, watts, class
    "#);
}

#[test]
fn a_policy_of_another_version() {
    insta::assert_snapshot!(wrong_section(r#"[power]
policy = { kind = "snooze", bound = 0.01 }"#), @r#"
    x.toml:5:19: error: `power.policy.kind` = "snooze" is not known
     5 | policy = { kind = "snooze", bound = 0.01 }
       |                   ^^^^^^^^
    help: this version knows: always-on, immediate, stall-timer, nvlink, coalescing, oracle, table, perfbound, dynamic-fastwake, bounded, predictive, random-timer, trunk, standby, width, cap, runtime
    "#);
}

#[test]
fn a_key_of_another_policy() {
    insta::assert_snapshot!(wrong_section(r#"[power]
policy = { kind = "always-on", deep = "50 us" }"#), @r#"
    x.toml:5:32: error: unknown key `power.policy.deep`
     5 | policy = { kind = "always-on", deep = "50 us" }
       |                                ^^^^
    help: keys known here: kind
    "#);
}

#[test]
fn a_detection_of_what_is_not_sent() {
    insta::assert_snapshot!(wrong_section(r#"[power]
policy = { kind = "runtime", detection = "tree" }"#), @r#"
    x.toml:5:42: error: notifications that are only counted need no detection
     5 | policy = { kind = "runtime", detection = "tree" }
       |                                          ^^^^^^
    help: give the length of the messages, `notification = "64 B"`
    "#);
}

#[test]
fn loads_that_are_balanced_in_no_time() {
    insta::assert_snapshot!(wrong_section(r#"[power]
policy = { kind = "runtime", balancing = 0 }"#), @r#"
    x.toml:5:42: error: `power.policy.balancing` = 0 is out of range
     5 | policy = { kind = "runtime", balancing = 0 }
       |                                          ^
    help: write the number of iterations between, at least 1
    "#);
}

#[test]
fn a_timer_without_unit() {
    insta::assert_snapshot!(wrong_section(r#"[power]
policy = { kind = "stall-timer", deep = 50 }"#), @r#"
    x.toml:5:41: error: `power.policy.deep`: integer `50` has the wrong type
     5 | policy = { kind = "stall-timer", deep = 50 }
       |                                         ^^
    help: write a time with its unit in quotes, such as "4.48 us"
    "#);
}

#[test]
fn a_policy_without_timers() {
    insta::assert_snapshot!(wrong_section(r#"[power]
policy = { kind = "stall-timer" }"#), @r#"
    x.toml:5:10: error: a stall timer needs a time after which links sleep
     5 | policy = { kind = "stall-timer" }
       |          ^^^^^^^^^^^^^^^^^^^^^^^^
    help: write deep = "50 us", shallow = "1 us", or both; a policy that never sleeps is kind = "always-on"
    "#);
}

#[test]
fn a_shallow_sleep_never_reached() {
    insta::assert_snapshot!(wrong_section(r#"[power]
policy = { kind = "stall-timer", shallow = "50 us", deep = "50 us" }"#), @r#"
    x.toml:5:44: error: shallow sleep after 50 us is never reached: deep sleep comes after 50 us
     5 | policy = { kind = "stall-timer", shallow = "50 us", deep = "50 us" }
       |                                            ^^^^^^^
    help: both run from the start of the idle period: make shallow shorter
    "#);
}

#[test]
fn a_policy_that_is_a_word() {
    insta::assert_snapshot!(wrong_section(r#"[power]
policy = "always-on""#), @r#"
    x.toml:5:10: error: `power.policy` is a string, not a table
     5 | policy = "always-on"
       |          ^^^^^^^^^^^
    help: write a table; write kind = "stall-timer"
    "#);
}

#[test]
fn a_power_above_one() {
    insta::assert_snapshot!(wrong_section("[power]\nstates = { deep = { power = 1.5 } }"), @r#"
    x.toml:5:29: error: `power.states.deep.power` = 1.5 is no share
     5 | states = { deep = { power = 1.5 } }
       |                             ^^^
    help: write a number from 0.0 to 1.0
    "#);
}

#[test]
fn channels_that_are_no_choice() {
    insta::assert_snapshot!(wrong_section(r#"[power]
channels = "nodes""#), @r#"
    x.toml:5:12: error: `power.channels` = "nodes" is not known
     5 | channels = "nodes"
       |            ^^^^^^^
    help: did you mean `node`? this version knows: switch, node, all
    "#);
}

#[test]
fn a_policy_for_channels_that_may_not_sleep() {
    insta::assert_snapshot!(wrong_section(r#"[[power.class]]
class = "node"
policy = { kind = "stall-timer", deep = "1 us" }"#), @r#"
    x.toml:5:9: error: the channels of class "node" may not sleep
     5 | class = "node"
       |         ^^^^^^
    help: write power.channels = "all", or leave out what they do
    "#);
}

#[test]
fn a_policy_for_an_unknown_class() {
    insta::assert_snapshot!(wrong_section(r#"[[power.class]]
class = "level-1"
policy = { kind = "stall-timer", deep = "1 us" }"#), @r#"
    x.toml:5:9: error: this network has no links of class "level-1"
     5 | class = "level-1"
       |         ^^^^^^^^^
    help: its classes: node, dim-0, dim-1
    "#);
}

#[test]
fn half_a_reference() {
    insta::assert_snapshot!(wrong_section("[power.model]\nreference = { switches = 64 }"), @r#"
    x.toml:5:13: error: `power.model.reference.ports` is missing
     5 | reference = { switches = 64 }
       |             ^^^^^^^^^^^^^^^^^
    help: write ports = 7
    "#);
}

#[test]
fn a_reference_without_ports() {
    insta::assert_snapshot!(wrong_section("[power.model]\nreference = { switches = 64, ports = 0 }"), @r#"
    x.toml:5:38: error: the reference network has no ports
     5 | reference = { switches = 64, ports = 0 }
       |                                      ^
    help: write the reference network's switches and ports per switch, such as { switches = 64, ports = 7 }
    "#);
}

#[test]
fn an_idle_node_out_of_range() {
    insta::assert_snapshot!(wrong_section("[power.model]\nidle_node = [0.5, nan]"), @r#"
    x.toml:5:19: error: `power.model.idle_node.1` = NaN is no share
     5 | idle_node = [0.5, nan]
       |                   ^^^
    help: write a number from 0.0 to 1.0
    "#);
}

#[test]
fn an_idle_node_twice() {
    insta::assert_snapshot!(wrong_section("[power.model]\nidle_node = [0.5, 0.5]"), @r#"
    x.toml:5:19: error: 0.5 is there twice
     5 | idle_node = [0.5, 0.5]
       |                   ^^^
    help: each value makes a column: write it once
    "#);
}

#[test]
fn watts_below_nothing() {
    insta::assert_snapshot!(wrong_section("[power]\nwatts = { on = -0.9 }"), @r#"
    x.toml:5:16: error: `power.watts.on` = -0.9 is out of range
     5 | watts = { on = -0.9 }
       |                ^^^^
    help: write a number, 0.0 or more
    "#);
}

#[test]
fn a_device_nobody_knows() {
    insta::assert_snapshot!(wrong_section("[power]\nwatts = { device = \"nexus\" }"), @r#"
    x.toml:5:20: error: `power.watts.device` = "nexus" is not known
     5 | watts = { device = "nexus" }
       |                    ^^^^^^^
    help: this version knows: slingshot-archer2, nexus-9336c-fx2, cisco-8201-32fh, ncs-55a1-24h, arista-7280cr3k-32d4, n540x-8z16g-sys-a, quantum-2-qm97x0, sn5600, gb300-nvlink-tray
    "#);
}

#[test]
fn what_a_class_cannot_draw() {
    insta::assert_snapshot!(wrong_section("[[power.class]]\nclass = \"node\"\nwatts = { nic = 3 }"), @r"
    x.toml:6:11: error: unknown key `power.class.0.watts.nic`
     6 | watts = { nic = 3 }
       |           ^^^
    help: keys known here: on, per_bit, per_packet
    ");
}

#[test]
fn watts_of_another_state() {
    insta::assert_snapshot!(wrong_section("[[power.class]]\nclass = \"node\"\nwatts = { off = 0.1 }"), @r#"
    x.toml:6:11: error: unknown key `power.class.0.watts.off`
     6 | watts = { off = 0.1 }
       |           ^^^
    help: keys known here: on, per_bit, per_packet
    "#);
}

/// Times that add up with every wake are bounded, so that simulated time does not run out.
#[test]
fn a_wake_of_a_day() {
    for (line, key) in [
        ("states.deep.wake = \"86400 s\"", "power.states.deep.wake"),
        ("states.shallow.enter = \"1001 ms\"", "power.states.shallow.enter"),
        ("states.shallow_to_deep.enter = \"2 s\"", "power.states.shallow_to_deep.enter"),
        ("policy = { kind = \"coalescing\", frames = 2, timeout = \"2 s\" }", "power.policy.timeout"),
    ] {
        let message = wrong_section(&format!("[power]\n{line}"));
        assert!(message.contains(&format!("`{key}` = ")) && message.contains("at most \"1 s\""), "{message}");
    }
}

#[test]
fn thresholds_between_which_ports_go_on_and_off_in_turn() {
    insta::assert_snapshot!(wrong_section(r#"[power]
policy = { kind = "trunk", off = 0.4 }"#), @r#"
    x.toml:5:34: error: with this `off` ports would go on and off in turn at a constant load
     5 | policy = { kind = "trunk", off = 0.4 }
       |                                  ^^^
    help: write `off` below half of `on`: with one port of two off, the other has twice as much to do
    "#);
}

#[test]
fn two_lower_thresholds() {
    insta::assert_snapshot!(wrong_section(r#"[power]
policy = { kind = "trunk", off = 0.1, alpha = 0.9 }"#), @r#"
    x.toml:5:47: error: `power.policy` has both an `off` and an `alpha`
     5 | policy = { kind = "trunk", off = 0.1, alpha = 0.9 }
       |                                               ^^^
    help: write off for one threshold, or alpha for thresholds that depend on the number of ports on
    "#);
}

#[test]
fn three_lanes() {
    insta::assert_snapshot!(wrong_section(r#"[power]
policy = { kind = "width", lanes = 3 }"#), @r#"
    x.toml:5:36: error: `power.policy.lanes` = 3 is out of range
     5 | policy = { kind = "width", lanes = 3 }
       |                                    ^
    help: write 2, 4, 8 or 16
    "#);
}

#[test]
fn nodes_links_that_narrow() {
    insta::assert_snapshot!(wrong_section(r#"[power]
channels = "all"
policy = { kind = "width" }"#), @r#"
    x.toml:6:10: error: the links of nodes do not narrow
     6 | policy = { kind = "width" }
       |          ^^^^^^^^^^^^^^^^^^
    help: write power.channels = "switch", or another policy for [[power.class]] class = "node"
    "#);
}

#[test]
fn a_window_of_no_packet() {
    insta::assert_snapshot!(wrong_section(r#"[power]
policy = { kind = "trunk", window = "1 ns" }"#), @r#"
    x.toml:5:37: error: a window of 1 ns is too short to tell a load
     5 | policy = { kind = "trunk", window = "1 ns" }
       |                                     ^^^^^^
    help: write at least "100 ns"; usual is "10 us"
    "#);
}

#[test]
fn windows_without_a_step() {
    insta::assert_snapshot!(wrong_section(r#"[power]
policy = { kind = "trunk", steps = 0 }"#), @r#"
    x.toml:5:36: error: with no steps, no port would go on or off
     5 | policy = { kind = "trunk", steps = 0 }
       |                                    ^
    help: write 1 to 255
    "#);
}

/// The message lists the names that there are, which are of authors and year.
#[test]
fn sleep_states_under_an_unknown_name() {
    insta::assert_snapshot!(wrong_section("[power]\nstates = { preset = \"andujar\" }"), @r#"
    x.toml:5:21: error: `power.states.preset` = "andujar" is not known
     5 | states = { preset = "andujar" }
       |                     ^^^^^^^^^
    help: this version knows: saravanan-2018, andujar-2019, eee-100m, eee-1g, eee-10g, eee-10g-kx4, eee-10g-kr, eee-25g-t, eee-40g-t, eee-40g, eee-100g-fast-wake, eee-optical, ethernet-800g, infiniband-width, infiniband-speed, pcie-aspm, l0p, photonic-laser
    "#);
}

/// Numbers of another unit are refused with what is permitted; the bounds themselves are read.
#[test]
fn watts_beyond_all_devices() {
    for (key, most, beyond, unit) in [
        ("on", "10000.0", "1e30", "W"),
        ("per_bit", "1e-6", "5.0", "J"),
        ("per_packet", "0.01", "0.011", "J"),
        ("switch", "100000.0", "100001.0", "W"),
        ("nic", "10000.0", "1e5", "W"),
        ("node.busy", "1000000.0", "1000001.0", "W"),
        ("node.idle", "1000000.0", "1e9", "W"),
    ] {
        let text = |value: &str| format!("[power.watts]\n{key} = {value}\n");
        let error = wrong_section(&text(beyond));
        let value: f64 = beyond.parse().unwrap();
        assert!(error.contains(&format!("`power.watts.{key}` = {value} {unit} is out of range: ")), "{error}");
        let most_written: f64 = most.parse().unwrap();
        assert!(error.contains(&format!("write a number from 0 to {most_written} (in {unit})")), "{error}");
        assert!(error.starts_with("x.toml:5:"), "{error}");
        case(&format!("{NETWORK}{}{TRAFFIC}", text(most)));
    }
    let class = wrong_section("[[power.class]]\nclass = \"node\"\nwatts = { per_bit = 5e-6 }");
    assert!(class.contains("`power.class.0.watts.per_bit` = 0.000005 J is out of range"), "{class}");
}
