//! The programs of section 3.3, generated with as many tasks as the paper has, and their choices.

use super::policy::{POLICIES, Policy};
use super::table_2::Torus;

/// The tasks of a program.
pub const TASKS: u32 = 512;

/// A program of section 3.3.
#[derive(Debug, PartialEq, Eq)]
pub struct Program {
    /// Its name in the paper.
    pub name: &'static str,
    /// Its keys with 128, 256 and 512 tasks, but for how long tasks compute.
    keys: [&'static str; 3],
    /// How long they compute in an iteration, in microseconds.
    compute: u32,
}

/// A program with its choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The program.
    pub program: &'static Program,
    /// Whether it computes; else its communication alone.
    pub computes: bool,
    /// How long, in percent of the usual time.
    pub pace: u32,
    pub placement: &'static str,
    /// The algorithm of allgathers; by Open MPI's rules where there is none.
    pub allgather: Option<&'static str>,
    pub allocation: Allocation,
    /// What else is not as usual.
    pub others: &'static [&'static Other],
    /// Other settings of the policy than the usual ones.
    pub policy: Option<&'static Policy>,
}

/// What the cycles mean that an allocator takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocation {
    /// A packet is allocated while the one before it is sent, and an allocator begins anew in each cycle.
    Hidden,
    /// A packet is allocated when the one before it has left the port.
    NotHidden,
    /// An allocator begins anew when it is through: who is not granted tries again so much later.
    OneAtATime,
}

/// A choice that is keys of the experiment, and no more.
#[derive(Debug, PartialEq, Eq)]
pub struct Other {
    pub name: &'static str,
    pub keys: &'static [&'static str],
}

/// The programs of section 3.3.
pub static PROGRAMS: [Program; 5] = [
    Program {
        name: "NAMD",
        keys: [
            "kind = \"namd\", ranks = 128, pme = 1",
            "kind = \"namd\", ranks = 256, pme = 1",
            "kind = \"namd\", ranks = 512, pme = 1",
        ],
        compute: 400,
    },
    Program {
        name: "GROMACS",
        keys: [
            "kind = \"gromacs\", dims = [8, 4, 4]",
            "kind = \"gromacs\", dims = [8, 8, 4]",
            "kind = \"gromacs\", dims = [8, 8, 8]",
        ],
        compute: 2_000,
    },
    Program {
        name: "LINPACK",
        keys: [
            "kind = \"linpack\", grid = [8, 16], size = 2048",
            "kind = \"linpack\", grid = [16, 16], size = 2048",
            "kind = \"linpack\", grid = [16, 32], size = 2048",
        ],
        compute: 5_000,
    },
    Program {
        name: "MPIRA",
        keys: [
            "kind = \"random-access\", ranks = 128, updates = 4096",
            "kind = \"random-access\", ranks = 256, updates = 4096",
            "kind = \"random-access\", ranks = 512, updates = 4096",
        ],
        compute: 1_000,
    },
    Program {
        name: "Graph500",
        keys: [
            "kind = \"graph500\", ranks = 128",
            "kind = \"graph500\", ranks = 256",
            "kind = \"graph500\", ranks = 512",
        ],
        compute: 2_000,
    },
];
/// The program whose run times the paper prints.
pub static RANDOM_ACCESS: &Program = &PROGRAMS[3];
/// The program that loads networks most.
pub static HEAVIEST: &Program = &PROGRAMS[4];

impl Program {
    /// Returns the key of a job of so many tasks, which compute for so many percent of their usual time.
    pub fn app(&self, tasks: u32, pace: u32) -> String {
        let keys = self.keys[(tasks / 256) as usize];
        let compute = match self.compute * pace / 100 {
            time if time > 0 && time.is_multiple_of(1_000) => format!("{} ms", time / 1_000),
            time => format!("{time} us"),
        };
        format!("app = {{ {keys}, compute = \"{compute}\" }}")
    }

    /// Returns whether no other loads networks as much.
    pub fn is_heaviest(&self) -> bool {
        self.name == HEAVIEST.name
    }

    /// Returns it as it computes, with the usual choices.
    pub const fn usual(&'static self) -> Generated {
        let (placement, allgather) = (PLACEMENTS[0], None);
        let (pace, allocation, others) = (100, Allocation::Hidden, &[] as &[_]);
        Generated { program: self, computes: true, pace, placement, allgather, allocation, others, policy: None }
    }

    /// Returns it as section 4.1 has it: the heaviest load as its communication alone.
    pub fn as_printed(&'static self, policy: Option<&'static Policy>) -> Generated {
        Generated { computes: !self.is_heaviest(), policy, ..self.usual() }
    }
}

/// How tasks are placed.
pub const PLACEMENTS: [&str; 3] = ["linear", "round-robin", "random"];
/// The algorithms of allgathers; by Open MPI's rules where there is none.
pub const ALLGATHERS: [Option<&str>; 5] =
    [None, Some("ring"), Some("neighbour-exchange"), Some("recursive-doubling"), Some("bruck")];

/// Returns what is run on a network of so many nodes: on those of 64 the band of what is not printed, too.
pub fn works(nodes: u32) -> Vec<Generated> {
    let alone = HEAVIEST.as_printed(None);
    let band = if nodes == 64 { [band(Allocation::Hidden), band(Allocation::NotHidden)].concat() } else { vec![alone] };
    let under = POLICIES.iter().flat_map(|policy| PROGRAMS.iter().map(move |program| program.as_printed(Some(policy))));
    PROGRAMS.iter().map(Program::usual).chain(band).chain(under).collect()
}

/// Returns the heaviest load with each choice of what is not printed.
pub fn band(allocation: Allocation) -> Vec<Generated> {
    let alone = Generated { allocation, ..HEAVIEST.as_printed(None) };
    let with = |placement| ALLGATHERS.iter().map(move |&allgather| Generated { placement, allgather, ..alone });
    PLACEMENTS.into_iter().flat_map(with).collect()
}

impl Generated {
    /// Returns what it is on the reference network, which does not save power.
    pub fn on_reference(self) -> Self {
        Generated { policy: None, ..self }
    }

    /// Returns whether it is run on a network that saves power, or saves none.
    pub fn is_run(&self, saving: bool) -> bool {
        saving || self.policy.is_none()
    }

    /// Returns the keys that it sets in the experiment of a network.
    pub fn overrides(&self, torus: &Torus) -> Vec<String> {
        let mut overrides = vec![
            format!("node.cores={}", TASKS / torus.nodes()),
            format!("job.0.{}", self.program.app(TASKS, if self.computes { self.pace } else { 0 })),
            format!("job.0.placement=\"{}\"", self.placement),
        ];
        overrides.extend(self.allgather.map(|allgather| format!("job.0.collectives.allgather=\"{allgather}\"")));
        match self.allocation {
            Allocation::Hidden => {}
            Allocation::NotHidden => overrides.push("switch.allocator.overlap=false".to_owned()),
            Allocation::OneAtATime => overrides.extend(torus.one_allocation_at_a_time()),
        }
        overrides.extend(self.others.iter().flat_map(|other| other.keys).map(|&key| key.to_owned()));
        overrides.extend(self.policy.map(Policy::overrides).unwrap_or_default());
        overrides
    }

    /// Returns its name and the choices that are not the first ones.
    pub fn title(&self) -> String {
        let placement = Some(self.placement).filter(|&placement| placement != PLACEMENTS[0]);
        let allocation = match self.allocation {
            Allocation::Hidden => None,
            Allocation::NotHidden => Some("allocation not hidden"),
            Allocation::OneAtATime => Some("one allocation at a time"),
        };
        let others = self.others.iter().map(|other| other.name);
        let choices: Vec<&str> = placement.into_iter().chain(self.allgather).chain(allocation).chain(others).collect();
        let (policy, pace) = (self.policy.map(Policy::title), format!("{} % of the computing", self.pace));
        let pace = Some(pace.as_str()).filter(|_| self.pace != 100);
        let choices: Vec<&str> = choices.into_iter().chain(pace).chain(policy.as_deref()).collect();
        let choices = if choices.is_empty() { String::new() } else { format!(" ({})", choices.join(", ")) };
        format!("{}, {TASKS} tasks{choices}", self.program.name)
    }
}
