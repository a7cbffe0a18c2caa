//! The programs that reproductions run: where their traces are, and how their operations become time.

/// A program of which there may be a trace.
#[derive(Debug, PartialEq, Eq)]
pub struct Program {
    /// Its name, that of Saravanan and Carpenter 2018 where it is in there.
    pub name: &'static str,
    /// The trace's file in the folder of traces.
    pub file: &'static str,
    /// Ranks, one on each node.
    pub ranks: u32,
    /// How many times the trace is run, where links are to have time to learn.
    pub repeat: u32,
    /// How a trace's operations become time.
    pub compute: &'static str,
    /// Whether a case takes less than a second, so that a quick look runs it.
    pub quick: bool,
}

/// The traces' flops are times at this rate.
const RATE: &str = r#"{ flops_per_second = "10 Gflop/s" }"#;
/// HPL polls for messages; what it polls is in its trace as computation of whole megaflops, and left out.
const POLLING: &str = r#"{ flops_per_second = "10 Gflop/s", drop_multiples = "1 Mflop" }"#;

/// All programs, the paper's first. SP wants a square number of ranks: there is one of 16.
pub const PROGRAMS: [Program; 18] = [
    program("BT", "bt.A.64.tar.zst", 64, 3),
    program("CG", "cg.A.64.tar.zst", 64, 5),
    program("MG", "mg.A.64.tar.zst", 64, 3),
    program("SP", "sp.A.16.tar.zst", 16, 5).in_quick(),
    program("LU", "lu.A.64.tar.zst", 64, 4),
    Program { compute: POLLING, ..program("LINPACK", "hpl.64.tar.zst", 64, 2).in_quick() },
    program("MILC", "milc.64.tar.zst", 64, 1),
    program("FT", "ft.A.64.tar.zst", 64, 2),
    program("IS", "is.A.64.tar.zst", 64, 4),
    program("EP", "ep.W.64.tar.zst", 64, 20).in_quick(),
    program("LULESH", "lulesh.64.tar.zst", 64, 20),
    program("CoMD", "comd.64.tar.zst", 64, 3).in_quick(),
    program("HPCG", "hpcg.64.tar.zst", 64, 1),
    // Not the trace of scale 14 in `traces`: that is one rank that computes for 100 of 102 ms, and no load.
    program("Graph500", "graph500.s20.64.tar.zst", 64, 5),
    program("BT, 256 ranks", "bt.A.256.tar.zst", 256, 1),
    program("CG, 256 ranks", "cg.A.256.tar.zst", 256, 1),
    program("LU, 256 ranks", "lu.A.256.tar.zst", 256, 1),
    program("IS, 256 ranks", "is.A.256.tar.zst", 256, 1),
];

const fn program(name: &'static str, file: &'static str, ranks: u32, repeat: u32) -> Program {
    Program { name, file, ranks, repeat, compute: RATE, quick: false }
}

impl Program {
    const fn in_quick(self) -> Self {
        Program { quick: true, ..self }
    }

    /// Returns whether Saravanan and Carpenter 2018 has it, too, and its trace is in the repository.
    pub fn is_shared(&self) -> bool {
        ["BT", "CG", "MG", "SP", "LU", "LINPACK"].contains(&self.name)
    }

    /// Returns whether it is of the size at which all stall timers are run; the larger ones are run under the policies
    /// only.
    pub const fn is_swept(&self) -> bool {
        self.ranks <= 64
    }
}
