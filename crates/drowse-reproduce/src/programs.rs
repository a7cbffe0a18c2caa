//! The programs that reproductions run: where their traces are, and how their operations become time; or the applications
//! that are generated in their place.

use std::path::{Path, PathBuf};

/// A program.
#[derive(Debug, PartialEq, Eq)]
pub struct Program {
    /// Its name, that of Saravanan and Carpenter 2018 where it is in there.
    pub name: &'static str,
    /// Where what it does comes from.
    pub source: Source,
    /// Ranks, one on each node.
    pub ranks: u32,
    /// Whether a case takes less than a second, so that a quick look runs it.
    pub quick: bool,
    /// Where it is sketched by what is published of its communication: what that is.
    pub sketch: Option<&'static str>,
}

/// Where what a program does comes from.
#[derive(Debug, PartialEq, Eq)]
pub enum Source {
    /// A trace, if it is there.
    Trace {
        /// Its file in the folder of traces.
        file: &'static str,
        /// How many times it is run, where links are to have time to learn.
        repeat: u32,
        /// How its operations become time.
        compute: &'static str,
    },
    /// It is generated: the application's keys.
    Generated(&'static str),
}

/// The traces' flops are times at this rate.
const RATE: &str = r#"{ flops_per_second = "10 Gflop/s" }"#;
/// HPL polls for messages; what it polls is in its trace as computation of whole megaflops, and left out.
const HPL: Source = Source::Trace {
    file: "hpl.64.tar.zst",
    repeat: 2,
    compute: r#"{ flops_per_second = "10 Gflop/s", drop_multiples = "1 Mflop" }"#,
};

/// All programs, the paper's first. SP wants a square number of ranks: there is one of 16. Of NAMD and GROMACS there is no
/// trace, nor of the last two, which are sketched.
pub const PROGRAMS: [Program; 22] = [
    program("BT", "bt.A.64.tar.zst", 64, 3),
    program("CG", "cg.A.64.tar.zst", 64, 5),
    program("MG", "mg.A.64.tar.zst", 64, 3),
    program("SP", "sp.A.16.tar.zst", 16, 5).in_quick(),
    program("LU", "lu.A.64.tar.zst", 64, 4),
    Program { name: "LINPACK", source: HPL, ranks: 64, quick: true, sketch: None },
    program("MILC, 64 ranks", "milc.64.tar.zst", 64, 1),
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
    generated("NAMD", 64, NAMD),
    generated("GROMACS", 128, GROMACS),
    sketched(
        "MILC",
        MILC,
        "neighbours in four dimensions; 8 x 8 x 8 x 8 sites of a rank, of MILC's own benchmarks (Gottlieb)",
    ),
    sketched(
        "WRF",
        WRF,
        "patches in two dimensions that exchange halos (Michalakes et al. 2005); on the 425 x 300 x 35 points \
      of the benchmark of 12 km over North America, two fields and two rows of 4 B",
    ),
];

/// How long ranks compute is chosen on one number of Saravanan and Carpenter 2018: under deep sleep at once the programs
/// take about twice as long (Fig. 4). A round number in each case.
const NAMD: &str = r#"kind = "namd", system = "apoa1", ranks = 64, compute = "20 ms", iterations = 50"#;
const GROMACS: &str = r#"kind = "gromacs", dims = [8, 4, 4], compute = "3 ms", iterations = 200"#;

/// How long these compute is a round number, for which no number of the paper was looked at. All sides of the 8 x 16
/// patches of WRF have the mean halo.
const MILC: &str =
    r#"kind = "milc", dims = [4, 4, 4, 2], local = [8, 8, 8, 8], sums = 1, compute = "10 ms", iterations = 40"#;
const WRF: &str = r#"kind = "stencil", order = "program", periodic = false, dims = [8, 16], bytes = "20 kB", compute = "1 ms", iterations = 300"#;

const fn program(name: &'static str, file: &'static str, ranks: u32, repeat: u32) -> Program {
    Program { name, source: Source::Trace { file, repeat, compute: RATE }, ranks, quick: false, sketch: None }
}

const fn generated(name: &'static str, ranks: u32, app: &'static str) -> Program {
    Program { name, source: Source::Generated(app), ranks, quick: false, sketch: None }
}

/// All have the paper's number of ranks.
const fn sketched(name: &'static str, app: &'static str, published: &'static str) -> Program {
    Program { sketch: Some(published), ..generated(name, 128, app) }
}

impl Program {
    const fn in_quick(self) -> Self {
        Program { quick: true, ..self }
    }

    /// Returns whether Saravanan and Carpenter 2018 has it, too, and its trace is in the repository.
    pub fn is_shared(&self) -> bool {
        ["BT", "CG", "MG", "SP", "LU", "LINPACK"].contains(&self.name)
    }

    /// Returns whether it is generated.
    pub const fn is_generated(&self) -> bool {
        matches!(self.source, Source::Generated(_))
    }

    /// Returns where its trace is to be; `None` where it has none.
    pub fn trace(&self, folder: &Path) -> Option<PathBuf> {
        match self.source {
            Source::Trace { file, .. } => Some(folder.join(file)),
            Source::Generated(_) => None,
        }
    }

    /// Returns whether it can be run: its trace is there, or it needs none.
    pub fn is_there(&self, folder: &Path) -> bool {
        self.trace(folder).is_none_or(|trace| trace.exists())
    }

    /// Returns the keys of its job, which runs a trace so often that links have time to learn, or once.
    pub fn job(&self, folder: &Path, learns: bool) -> String {
        match self.source {
            Source::Trace { file, repeat, compute } => {
                let trace = toml::Value::from(folder.join(file).to_string_lossy().into_owned());
                let repeat = if learns { repeat } else { 1 };
                format!("{{ trace = {trace}, ranks = {}, repeat = {repeat}, compute = {compute} }}", self.ranks)
            }
            Source::Generated(app) => format!("{{ app = {{ {app} }} }}"),
        }
    }

    /// Returns whether it is of the size at which all stall timers are run; the larger ones are run under the policies
    /// only.
    pub const fn is_swept(&self) -> bool {
        self.ranks <= 64 || self.is_generated()
    }
}
