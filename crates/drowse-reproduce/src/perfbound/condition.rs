//! The conditions under which programs run: four settings, and the choices that the paper leaves open.
//!
//! The paper's programs idle longer than ours, and its simulator moves whole messages. Its Fig. 6 has the idle periods
//! of BT clustered around 1 ms. Ours, as traced, are most often 0.1 ms long (edge links, periods of over 20 us); with 9
//! times the computation, the least whole factor, the bin of most periods is that of 1 ms. This factor is chosen on
//! that number alone, and every other number judges it. The paper does not say how its switches queue packets either:
//! in the last setting those for different outputs do not wait behind each other.
//!
//! Sizes of programs are not printed, so how long they compute is varied, too ([`COMPUTATION`]); and what runs of other
//! sizes than those of our traces give ([`SIZES`]). These show what a difference comes from (`changes.rs`).

use crate::comparison::Comparison;
use crate::programs::Program;

/// A condition.
#[derive(Debug, PartialEq, Eq)]
pub struct Condition {
    /// What is chosen; none for the settings.
    pub choice: Option<&'static str>,
    /// Its name, or the choice's value.
    pub name: &'static str,
    /// The keys that it sets in the experiment.
    pub sets: &'static [&'static str],
    /// The keys that it adds to the policies that keep a bound.
    pub policy: &'static str,
    /// The programs that are run under it, of those with a trace.
    pub programs: Programs,
}

/// Which programs a condition is for.
#[derive(Debug, PartialEq, Eq)]
pub enum Programs {
    /// All.
    All,
    /// Those that the paper has, too.
    Shared,
    /// Those that are generated, for which there is no trace.
    Generated,
    /// One.
    One(&'static str),
}

const fn setting(name: &'static str, sets: &'static [&'static str]) -> Condition {
    Condition { choice: None, name, sets, policy: "", programs: Programs::All }
}

const fn choice(choice: &'static str, name: &'static str, sets: &'static [&'static str]) -> Condition {
    Condition { choice: Some(choice), name, sets, policy: "", programs: Programs::Shared }
}

const fn of_policy(choice: &'static str, name: &'static str, policy: &'static str) -> Condition {
    Condition { choice: Some(choice), name, sets: &[], policy, programs: Programs::Shared }
}

/// All that the page shows in full.
pub static AS_TRACED: Condition = setting("as traced", &[]);

/// Programs as traced, but scaled nearer to the paper's, or on other switches.
pub static SETTINGS: [Condition; 3] = [
    setting("idle scale", &["job.0.compute.scale=9.0"]),
    setting("idle scale and granularity", &["job.0.compute.scale=9.0", "switch.packet=\"60 kB\""]),
    setting("a queue for each output", &[QUEUE_FOR_EACH_OUTPUT]),
];

const QUEUE_FOR_EACH_OUTPUT: &str = "switch.queues=\"virtual-output\"";

const RUNS: &str = "runs of a program";
/// The largest number of idle periods that can be.
const RARE_REFRESH: &str = ", refresh = 65535";

const LOCAL: &str = ", split = \"local\"";
const ENTRY: &str = "entry to wake of deep sleep";

/// What the paper does not print: one choice each, all else as traced.
pub static CHOICES: [Condition; 19] = [
    choice("packet", "9 kB", &["switch.packet=\"9 kB\""]),
    choice("packet", "60 kB", &["switch.packet=\"60 kB\""]),
    choice("queues of a port", "2", &["switch.vcs.any=2"]),
    choice("queues of a port", "4", &["switch.vcs.any=4"]),
    choice("queues of a port", "8", &["switch.vcs.any=8"]),
    choice("queues of a port", "one for each output", &[QUEUE_FOR_EACH_OUTPUT]),
    choice("uplinks of a rack", "2", &["network.uplinks=2"]),
    of_policy("split of the bound", "equal", ", split = \"equal\""),
    of_policy("split of the bound", "local", LOCAL),
    of_policy("correction", "off", ", correction = false"),
    of_policy("correction", "by deep wakes", ", compares = \"deep-wakes\""),
    choice(RUNS, "40", &["job.0.repeat=40"]),
    Condition {
        choice: Some(RUNS),
        name: "40, a refresh after 65,535",
        sets: &["job.0.repeat=40"],
        policy: RARE_REFRESH,
        programs: Programs::Shared,
    },
    of_policy("idle periods to a refresh", "1,000", ", refresh = 1000"),
    choice(LONGER, "x 9", &["job.0.compute.scale=9.0"]),
    choice("computation and packet", "x 4, 60 kB", &["job.0.compute.scale=4.0", "switch.packet=\"60 kB\""]),
    choice(ENTRY, "1.84 us to 5.52 us", &[STATES_OF_LONG_WAKE]),
    choice(ENTRY, "3.68 us to 3.68 us", &[STATES_OF_EVEN]),
    choice(ENTRY, "5.52 us to 1.84 us", &[STATES_OF_SHORT_WAKE]),
];

const LONGER: &str = "computation";

const fn longer(name: &'static str, sets: &'static [&'static str], programs: Programs) -> Condition {
    Condition { choice: Some(LONGER), name, sets, policy: "", programs }
}

/// How long programs compute, all else as traced. Their sizes are not printed, so each may be another: no factor is
/// chosen. The idle scale is one of them.
pub static COMPUTATION: [Condition; 5] = [
    longer("x 1.5", &["job.0.compute.scale=1.5"], Programs::Shared),
    longer("x 2", &["job.0.compute.scale=2.0"], Programs::All),
    longer("x 4", &["job.0.compute.scale=4.0"], Programs::All),
    longer("x 16", &["job.0.compute.scale=16.0"], Programs::Shared),
    longer("x 4, a queue for each output", &["job.0.compute.scale=4.0", QUEUE_FOR_EACH_OUTPUT], Programs::Shared),
];

const fn size(name: &'static str, program: &'static str, sets: &'static [&'static str]) -> Condition {
    Condition { choice: None, name, sets, policy: "", programs: Programs::One(program) }
}

/// Programs that are generated: of other sizes than those of our traces, or on the switches of the last setting. SP has the
/// paper's number of ranks; each point computes as long as in our trace of 16 ranks and class A (4.93 ms in an iteration of
/// 64 x 64 x 64 points).
pub static SIZES: [Condition; 8] = [
    size("64 ranks, class B", "SP", &[RACKS_OF_8, SP_B]),
    size("64 ranks, class C", "SP", &[RACKS_OF_8, SP_C]),
    size("1 ms of computation", "GROMACS", &[GROMACS_SHORTER]),
    size("10 ms of computation", "GROMACS", &[GROMACS_LONGER]),
    size("5 ms of computation", "NAMD", &[NAMD_SHORTER]),
    size("2 ms of computation", "MILC", &[MILC_SHORTER]),
    size("0.6 ms of computation", "WRF", &[WRF_SHORTER]),
    Condition {
        choice: None,
        name: "a queue for each output, generated",
        sets: &[QUEUE_FOR_EACH_OUTPUT],
        policy: "",
        programs: Programs::Generated,
    },
];

const RACKS_OF_8: &str = "network.nodes_per_rack=8";
const SP_B: &str =
    r#"job=[{ app = { kind = "sp", ranks = 64, class = "B", order = "program", compute = "5 ms", iterations = 40 } }]"#;
const SP_C: &str = r#"job=[{ app = { kind = "sp", ranks = 64, class = "C", order = "program", compute = "20 ms", iterations = 30 } }]"#;
const GROMACS_SHORTER: &str =
    r#"job=[{ app = { kind = "gromacs", dims = [8, 4, 4], compute = "1 ms", iterations = 40 } }]"#;
const GROMACS_LONGER: &str =
    r#"job=[{ app = { kind = "gromacs", dims = [8, 4, 4], compute = "10 ms", iterations = 40 } }]"#;

const MILC_SHORTER: &str = r#"job=[{ app = { kind = "milc", dims = [4, 4, 4, 2], local = [8, 8, 8, 8], sums = 1, compute = "2 ms", iterations = 40 } }]"#;
const WRF_SHORTER: &str = r#"job=[{ app = { kind = "stencil", order = "program", periodic = false, dims = [8, 16], bytes = "20 kB", compute = "0.6 ms", iterations = 300 } }]"#;
const NAMD_SHORTER: &str =
    r#"job=[{ app = { kind = "namd", system = "apoa1", ranks = 64, compute = "5 ms", iterations = 40 } }]"#;

/// Returns the conditions by which differences are explained: the settings, other sizes, and choices that the paper
/// leaves open. Left out are the times of deep sleep, which are printed; the whole bound at every link, of which the
/// paper says that it is too much; and the idle scale as a choice, which is a setting.
pub fn changes() -> impl Iterator<Item = &'static Condition> {
    let is_open =
        |condition: &&Condition| ![Some(ENTRY), Some(LONGER)].contains(&condition.choice) && condition.policy != LOCAL;
    SETTINGS.iter().chain(&COMPUTATION).chain(&SIZES).chain(CHOICES.iter().filter(is_open))
}

/// The sum of both times is the paper's, 7.36 us.
const STATES_OF_LONG_WAKE: &str =
    r#"power.states={ preset = "saravanan-2018", deep = { enter = "1840 ns", wake = "5520 ns" } }"#;
const STATES_OF_EVEN: &str =
    r#"power.states={ preset = "saravanan-2018", deep = { enter = "3680 ns", wake = "3680 ns" } }"#;
const STATES_OF_SHORT_WAKE: &str =
    r#"power.states={ preset = "saravanan-2018", deep = { enter = "5520 ns", wake = "1840 ns" } }"#;

impl Condition {
    /// Returns its name, with what is chosen before it.
    pub fn label(&self) -> String {
        self.choice.map(|choice| format!("{choice}, ")).unwrap_or_default() + self.name
    }

    /// Returns the place of its rows among the bands.
    pub fn band(&self) -> String {
        format!("Band: {}", self.label())
    }

    /// Names a row after it; that as traced stays.
    pub fn name_row(&self, row: Comparison) -> Comparison {
        if *self == AS_TRACED {
            return row;
        }
        Comparison { place: format!("{}: {}", self.label(), row.place), ..row }
    }

    /// Returns whether it has rows with verdicts of its own.
    pub fn is_setting(&self) -> bool {
        SETTINGS.contains(self)
    }

    /// Returns whether a program is run under it, if its trace is there.
    pub fn is_for(&self, program: &Program) -> bool {
        match self.programs {
            Programs::All => program.is_swept() && !program.is_generated(),
            Programs::Shared => program.is_shared(),
            Programs::Generated => program.is_generated(),
            Programs::One(name) => program.name == name,
        }
    }
}
