//! The curves of `drowse reproduce perfbound`: run time and energy of programs on racks whose links sleep.

use super::{Column, Schema, float, integer, text, truth};

/// Deep sleep at once, by the time to wake (Fig. 4 of Saravanan and Carpenter 2018).
pub const PERFBOUND_WAKE: Schema = Schema {
    file: "perfbound_wake.csv",
    columns: &[
        PROGRAM,
        RANKS,
        integer("wake_ns", "ns", "time to wake from deep sleep"),
        MAKESPAN,
        TIME,
        EDGE,
        ALL,
        WAKES,
        DELAYED,
    ],
};

/// One sleep state alone, by its stall timer (Fig. 5 and 7).
pub const PERFBOUND_STALL: Schema = Schema {
    file: "perfbound_stall.csv",
    columns: &[
        PROGRAM,
        RANKS,
        text("sleep", "`deep` or `shallow`"),
        integer("timer_us", "us", "stall timer"),
        MAKESPAN,
        TIME,
        EDGE,
        ALL,
        WAKES,
        DELAYED,
    ],
};

/// Both sleep states, by their stall timers (Fig. 9 and 16); one alone with them.
pub const PERFBOUND_HYBRID: Schema = Schema {
    file: "perfbound_hybrid.csv",
    columns: &[
        PROGRAM,
        RANKS,
        integer("shallow_us", "us", "stall timer of fast wake; absent where links go from on to deep sleep"),
        integer("deep_us", "us", "stall timer of deep sleep; absent where links never sleep deeply"),
        MAKESPAN,
        TIME,
        EDGE,
        ALL,
        WAKES,
        DELAYED,
        truth("front", "no other timers, nor always on, need less energy on edge links for at most this run time"),
    ],
};

/// The policies that find timers themselves, always on and the oracle (Fig. 16 and 17).
pub const PERFBOUND_POLICIES: Schema = Schema {
    file: "perfbound_policies.csv",
    columns: &[
        PROGRAM,
        RANKS,
        text("policy", "`always-on`, `oracle`, `perfbound` or `dynamic-fastwake`"),
        float("bound", "1", "the bound on what is lost to waking; absent where there is none"),
        truth("correction", "whether timers are corrected where more or less is lost; absent without a bound"),
        MAKESPAN,
        TIME,
        EDGE,
        ALL,
        WAKES,
        DELAYED,
    ],
};

const PROGRAM: Column = text("program", "the program");
const RANKS: Column = integer("ranks", "ranks", "its ranks, one on each node");
const MAKESPAN: Column = float("makespan_s", "s", "run time");
const TIME: Column = float("relative.makespan", "1", "run time over that with links always on");
const EDGE: Column =
    float("relative.links.node", "1", "energy of the links of nodes, the paper's edge links, over that always on");
const ALL: Column = float("relative.links.all", "1", "energy of all links over that always on");
const WAKES: Column = integer("links.wakes", "wakes", "times that a channel woke");
const DELAYED: Column = integer("links.delayed_messages", "messages", "messages that waited for a channel to wake");
