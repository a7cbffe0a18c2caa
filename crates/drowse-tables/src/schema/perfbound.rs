//! The curves of `drowse reproduce perfbound`: run time and energy of programs on racks whose links sleep.

use super::Schema;
use super::columns::columns;

/// Deep sleep at once, by the time to wake (Saravanan and Carpenter 2018, Fig. 4).
pub const PERFBOUND_WAKE: Schema = Schema {
    file: "perfbound_wake.csv",
    columns: &[PROGRAM, RANKS, WAKE_NS, MAKESPAN_S, TIME, EDGE, ALL, WAKES, DELAYED_MESSAGES],
};

/// One sleep state alone, by its stall timer (Fig. 5 and 7).
pub const PERFBOUND_STALL: Schema = Schema {
    file: "perfbound_stall.csv",
    columns: &[PROGRAM, RANKS, SLEEP, TIMER_US, MAKESPAN_S, TIME, EDGE, ALL, WAKES, DELAYED_MESSAGES],
};

/// Both sleep states, by their stall timers (Fig. 9 and 16); one alone with them.
pub const PERFBOUND_HYBRID: Schema = Schema {
    file: "perfbound_hybrid.csv",
    columns: &[PROGRAM, RANKS, SHALLOW_US, DEEP_US, MAKESPAN_S, TIME, EDGE, ALL, WAKES, DELAYED_MESSAGES, FRONT],
};

/// The policies that find timers themselves, always on and the oracle (Fig. 16 and 17).
pub const PERFBOUND_POLICIES: Schema = Schema {
    file: "perfbound_policies.csv",
    columns: &[PROGRAM, RANKS, POLICY, BOUND, CORRECTION, MAKESPAN_S, TIME, EDGE, ALL, WAKES, DELAYED_MESSAGES],
};

columns! {
    PROGRAM: text("program", "the program"),
    RANKS: integer("ranks", "ranks", "its ranks, one on each node"),
    WAKE_NS: integer("wake_ns", "ns", "time to wake from deep sleep"),
    SLEEP: text("sleep", "`deep` or `shallow`"),
    TIMER_US: integer("timer_us", "us", "stall timer"),
    SHALLOW_US: integer(
        "shallow_us",
        "us",
        "stall timer of fast wake; absent where links go from on to deep sleep"
    ),
    DEEP_US: integer("deep_us", "us", "stall timer of deep sleep; absent where links never sleep deeply"),
    FRONT: truth(
        "front",
        "no other timers, nor always on, need less energy on edge links for at most this run time"
    ),
    POLICY: text("policy", "`always-on`, `oracle`, `perfbound` or `dynamic-fastwake`"),
    BOUND: float("bound", "1", "the bound on what is lost to waking; absent where there is none"),
    CORRECTION: truth(
        "correction",
        "whether timers are corrected where more or less is lost; absent without a bound"
    ),
    MAKESPAN_S: float("makespan_s", "s", "run time"),
    TIME: float("relative.makespan", "1", "run time over that with links always on"),
    EDGE: float(
        "relative.links.node",
        "1",
        "energy of the links of nodes, the paper's edge links, over that always on"
    ),
    ALL: float("relative.links.all", "1", "energy of all links over that always on"),
    WAKES: integer("links.wakes", "wakes", "times that a channel woke"),
    DELAYED_MESSAGES: integer("links.delayed_messages", "messages", "messages that waited for a channel to wake"),
}

// Columns that stored cases keep beside those of `cases.csv`; they stand in no table.
columns! {
    LOST_PER_NODE: float(
        "lost.per_node",
        "1",
        "time that messages waited for channels to wake, for each node, as a share of the run time"
    ),
    LOST_MOST: float("lost.most", "1", "the same on the channel where it is largest"),
    SETTLED: float("settled", "periods", "idle periods until the timers of edge links have settled"),
}
