//! The order of a page: the comparison first, then when links idle, who waits, and where.

/// A section: its name in links, its heading, and the charts that it may have.
pub type Section = (&'static str, &'static str, &'static [&'static str]);

/// The sections, each with its charts in their order.
pub const SECTIONS: [Section; 4] = [
    ("compare", "The comparison", &["energy", "latency", "accepted", "swept"]),
    ("idle-links", "When do links idle?", &["idling", "power", "link-timeline", "rank-timeline", "states", "idle"]),
    (
        "waits",
        "Who waits, and for what?",
        &["waiting", "path", "wakes", "causes", "waits", "wait-matrix", "ranks", "sizes"],
    ),
    ("where", "Where?", &["network", "links", "positions"]),
];
