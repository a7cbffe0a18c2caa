//! NAMD: molecular dynamics on patches of atoms (Phillips et al. 2005, version 2 with MPI; the rules are those of its first
//! distribution, before loads are balanced).
//!
//! In a time step each patch sends the coordinates of its atoms to all ranks that need them; a rank computes forces among
//! its own, then with those of others, and sends forces back. Every few steps PME computes the far forces ([`pme`]).
//! An iteration is the steps from one PME to the next, or one step without it.
//!
//! Left out: the migration of atoms, load balancing, sums of energies, and headers of messages.

mod patches;
mod pme;

use patches::Patches;
use pme::{Pme, TURNED};

use serde::Deserialize;

use crate::workload::programs::error::{MOST_RANKS, ProgramError, check};
use crate::workload::programs::keys::{Given, Parts, ProgramKeys};
use crate::workload::programs::program::{Program, Steps};
use crate::workload::programs::writer::{Writer, parts};

/// Bytes of an atom's coordinates with its charge and kind, and of its force.
const COORDINATES: u64 = 32;
const FORCE: u64 = 24;
/// The most patches, since the lists of them are kept.
const MOST_PATCHES: u64 = 1 << 24;

/// A simulation of molecules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Namd {
    ranks: u32,
    molecules: Molecules,
    /// Time steps from one PME to the next.
    pme: Option<u32>,
}

/// What is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Molecules {
    /// Atoms.
    pub atoms: u32,
    /// Patches in each dimension.
    pub patches: [u32; 3],
    /// Points of the grid of PME in each dimension.
    pub grid: [u32; 3],
}

/// Tags of a patch's coordinates and forces are its number; its charges and potentials, and the turns of PME, come after.
#[derive(Clone, Copy)]
struct Tags {
    patches: u32,
}

impl Tags {
    fn charges(self, patch: u32) -> u32 {
        self.patches + patch
    }

    fn turn(self, turn: usize) -> u32 {
        2 * self.patches + turn as u32
    }
}

/// What a rank does in a time step, one after the other. Those of PME have no steps in others than the first.
#[derive(Clone, Copy)]
enum Section {
    /// Sends coordinates of its patches.
    Coordinates,
    /// Sends their charges.
    Charges,
    /// Computes forces among its own atoms.
    Own,
    /// Takes charges of a layer of patches.
    Gather,
    /// Turns the grid.
    Turn,
    /// Sends the potentials of a layer of patches.
    Scatter,
    /// Takes coordinates of others' patches.
    Foreign,
    /// Computes forces with them.
    Both,
    /// Sends forces home.
    Forces,
    /// Takes forces on its patches.
    Home,
    /// Takes their potentials.
    Potentials,
}

impl Namd {
    /// Makes a simulation on so many ranks, each of which has a patch; with PME every `pme` steps.
    pub fn new(ranks: u32, molecules: Molecules, pme: Option<u32>) -> Result<Self, ProgramError> {
        let Molecules { atoms, patches, grid } = molecules;
        let counted: u64 = patches.into_iter().map(u64::from).fold(1, u64::saturating_mul);
        if !(1..=MOST_PATCHES).contains(&counted) {
            let reason = format!("write three numbers whose product is from 1 to {MOST_PATCHES}");
            return Err(ProgramError::out_of_range("patches", format!("{patches:?}"), reason));
        }
        check("ranks", ranks, 1..=MOST_RANKS)?;
        if u64::from(ranks) > counted {
            let reason =
                format!("there are {counted} patches, and each rank needs one: write fewer ranks, or `patches`");
            return Err(ProgramError::out_of_range("ranks", ranks, reason));
        }
        check("atoms", atoms, 1..=1 << 30)?;
        if grid.into_iter().any(|points| !(1..=1 << 16).contains(&points)) {
            let reason = "write three numbers from 1 to 65536";
            return Err(ProgramError::out_of_range("grid", format!("{grid:?}"), reason));
        }
        if let Some(pme) = pme {
            check("pme", pme, 1..=1_000)?;
        }
        Ok(Namd { ranks, molecules, pme })
    }

    fn patches(&self) -> u32 {
        self.molecules.patches.into_iter().product()
    }

    /// Returns the time steps of an iteration.
    fn time_steps(&self) -> u32 {
        self.pme.unwrap_or(1)
    }

    /// Returns the atoms of a patch.
    fn atoms(&self, patch: u32) -> u64 {
        let patch = u64::from(patch);
        parts(self.molecules.atoms.into(), patch..patch + 1, self.patches().into())
    }

    /// Returns where a patch is.
    fn place(&self, patch: u32) -> [u32; 3] {
        let [x, y, _] = self.molecules.patches;
        [patch % x, patch / x % y, patch / (x * y)]
    }

    /// Returns the patch at a place.
    fn patch(&self, [x, y, z]: [u32; 3]) -> u32 {
        let [wide, high, _] = self.molecules.patches;
        x + wide * (y + high * z)
    }

    /// Returns the patch that is one higher, or lower, than another in the dimensions whose bits are set.
    fn corner(&self, patch: u32, bits: u32, is_higher: bool) -> u32 {
        let mut place = self.place(patch);
        for (axis, (at, of)) in place.iter_mut().zip(self.molecules.patches).enumerate() {
            let ahead = if is_higher { 1 } else { of - 1 };
            *at = (*at + ahead * (bits >> axis & 1)) % of;
        }
        self.patch(place)
    }

    /// Returns the messages of an iteration, and their bytes.
    fn volume(&self) -> (u64, u64) {
        let patches = Patches::of(self);
        let (mut messages, mut bytes) = (0, 0);
        for patch in 0..self.patches() {
            let needing = u64::from(self.time_steps()) * patches.needing(patch).len() as u64;
            messages += 2 * needing;
            bytes += needing * self.atoms(patch) * (COORDINATES + FORCE);
        }
        if self.pme.is_some() {
            let pme = Pme::of(self);
            for patch in 0..self.patches() {
                pme.charges(self.place(patch), &mut |rank, size| {
                    if rank != patches.home(patch) {
                        (messages, bytes) = (messages + 2, bytes + 2 * size);
                    }
                });
            }
            let (turned, size) = pme.turned();
            (messages, bytes) = (messages + turned, bytes + size);
        }
        (messages, bytes)
    }
}

impl Program for Namd {
    fn ranks(&self) -> u32 {
        self.ranks
    }

    fn messages(&self) -> u64 {
        self.volume().0
    }

    fn bytes(&self) -> u64 {
        self.volume().1
    }

    /// The coordinates of a patch, or a block of PME.
    fn largest(&self) -> u64 {
        let atoms = u64::from(self.molecules.atoms).div_ceil(self.patches().into());
        let pme = self.pme.map_or(0, |_| Pme::of(self).largest());
        (atoms * COORDINATES).max(pme)
    }

    /// Twice in a time step.
    fn computations(&self) -> u64 {
        2 * u64::from(self.time_steps())
    }

    fn prepare(&self) -> Box<dyn Steps> {
        let pme = self.pme.map(|_| Pme::of(self));
        Box::new(Prepared { program: *self, patches: Patches::of(self), pme })
    }
}

/// A simulation with its patches placed.
#[derive(Debug)]
struct Prepared {
    program: Namd,
    patches: Patches,
    pme: Option<Pme>,
}

impl Prepared {
    /// Returns the sections of a time step, and the steps of each.
    fn sections(&self, rank: u32, time_step: u64) -> [(Section, u64); 11] {
        let (own, foreign) = (self.patches.own(rank).len() as u64, self.patches.foreign(rank).len() as u64);
        let pme = self.pme.filter(|_| time_step == 0);
        let charged = if pme.is_some() { own } else { 0 };
        let pencils = pme.filter(|pme| pme.pencil(rank).is_some());
        let layers = pencils.map_or(0, |_| u64::from(self.program.molecules.patches[2]));
        let turns = pencils.map_or(0, |pme| 2 * TURNED * u64::from(pme.across));
        [
            (Section::Coordinates, own),
            (Section::Charges, charged),
            (Section::Own, 1),
            (Section::Gather, layers),
            (Section::Turn, turns),
            (Section::Scatter, layers),
            (Section::Foreign, foreign),
            (Section::Both, 1),
            (Section::Forces, foreign),
            (Section::Home, own),
            (Section::Potentials, charged),
        ]
    }

    fn length(&self, rank: u32, time_step: u64) -> u64 {
        self.sections(rank, time_step).iter().map(|(_, steps)| steps).sum()
    }

    /// Writes a step of a section of a time step.
    fn write(&self, rank: u32, time_step: u64, section: Section, step: u64, writer: &mut Writer<'_>) {
        let Prepared { program, patches, .. } = self;
        let (own, foreign) = (patches.own(rank), patches.foreign(rank));
        let at = step as usize;
        let half = |half: u64, writer: &mut Writer<'_>| {
            let share = 2 * time_step + half;
            writer.compute_part(share..share + 1, program.computations());
        };
        match section {
            Section::Coordinates => {
                let bytes = program.atoms(own[at]) * COORDINATES;
                patches.needing(own[at]).iter().for_each(|&to| writer.send(to, own[at], bytes));
            }
            Section::Own => half(0, writer),
            Section::Foreign => writer.receive(patches.home(foreign[at]), foreign[at]),
            Section::Both => half(1, writer),
            Section::Forces => {
                writer.send(patches.home(foreign[at]), foreign[at], program.atoms(foreign[at]) * FORCE);
            }
            Section::Home => patches.needing(own[at]).iter().for_each(|&from| writer.receive(from, own[at])),
            Section::Charges | Section::Gather | Section::Turn | Section::Scatter | Section::Potentials => {
                if let Some(pme) = &self.pme {
                    self.write_pme(pme, rank, section, step, writer);
                }
            }
        }
    }

    /// Writes a step of PME.
    fn write_pme(&self, pme: &Pme, rank: u32, section: Section, step: u64, writer: &mut Writer<'_>) {
        let tags = Tags { patches: self.program.patches() };
        let pencil = pme.pencil(rank);
        // Steps are fewer than patches, or a few times the pencils.
        let at = step as u32;
        match (section, pencil) {
            (Section::Charges | Section::Potentials, _) => {
                let patch = self.patches.own(rank)[step as usize];
                pme.charges(self.program.place(patch), &mut |other, bytes| match section {
                    _ if other == rank => {}
                    Section::Charges => writer.send(other, tags.charges(patch), bytes),
                    _ => writer.receive(other, tags.charges(patch)),
                });
            }
            (Section::Turn, Some(pencil)) => {
                // All sends of a turn, then all receives.
                let (turn, within) = ((at / (2 * pme.across)) as usize, at % (2 * pme.across));
                match pme.turn(pencil, turn, within % pme.across) {
                    Some((other, bytes)) if within < pme.across => writer.send(other, tags.turn(turn), bytes),
                    Some((other, _)) => writer.receive(other, tags.turn(turn)),
                    None => {}
                }
            }
            (_, Some(pencil)) => pme.patches(pencil, at, &mut |place, bytes| {
                let patch = self.program.patch(place);
                let home = self.patches.home(patch);
                match section {
                    _ if home == rank => {}
                    Section::Gather => writer.receive(home, tags.charges(patch)),
                    _ => writer.send(home, tags.charges(patch), bytes),
                }
            }),
            _ => {}
        }
    }
}

impl Steps for Prepared {
    fn count(&self, rank: u32) -> u64 {
        let first = self.length(rank, 0);
        first + u64::from(self.program.time_steps() - 1) * self.length(rank, 1)
    }

    fn take(&self, rank: u32, step: u64, writer: &mut Writer<'_>) {
        let first = self.length(rank, 0);
        let (time_step, mut step) = match step.checked_sub(first) {
            None => (0, step),
            Some(after) => (1 + after / self.length(rank, 1), after % self.length(rank, 1)),
        };
        for (section, steps) in self.sections(rank, time_step) {
            match step.checked_sub(steps) {
                None => return self.write(rank, time_step, section, step, writer),
                Some(after) => step = after,
            }
        }
    }
}

/// The keys of NAMD.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NamdKeys {
    /// Ranks, at most as many as patches.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [64])))]
    ranks: u32,
    /// What is simulated.
    #[cfg_attr(feature = "schema", schemars(extend("default" = "stmv")))]
    system: Option<System>,
    /// Atoms, instead of those of the system.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1_073_741_824)))]
    atoms: Option<u32>,
    /// Patches in each dimension, instead of those of the system.
    patches: Option<[u32; 3]>,
    /// Points of the grid of PME in each dimension, instead of those of the system.
    grid: Option<[u32; 3]>,
    /// Time steps of an iteration, of which the first computes far forces with PME. With 0, an iteration is one time step,
    /// and there is no PME.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 4), range(min = 0, max = 1000)))]
    pme: Option<u32>,
}

/// Systems of benchmarks.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum System {
    /// The satellite tobacco mosaic virus: 1,066,628 atoms.
    Stmv,
    /// Apolipoprotein A-I: 92,224 atoms.
    Apoa1,
}

impl From<System> for Molecules {
    fn from(system: System) -> Self {
        match system {
            System::Stmv => Molecules { atoms: 1_066_628, patches: [13; 3], grid: [216; 3] },
            System::Apoa1 => Molecules { atoms: 92_224, patches: [6, 6, 4], grid: [108, 108, 80] },
        }
    }
}

impl ProgramKeys for NamdKeys {
    const KIND: &'static str = "namd";
    const ABOUT: &'static str = "NAMD: molecular dynamics on patches of atoms.";

    fn parts(self, given: Given) -> Result<Parts, ProgramError> {
        let system = Molecules::from(self.system.unwrap_or(System::Stmv));
        let molecules = Molecules {
            atoms: self.atoms.unwrap_or(system.atoms),
            patches: self.patches.unwrap_or(system.patches),
            grid: self.grid.unwrap_or(system.grid),
        };
        let pme = Some(self.pme.unwrap_or(4)).filter(|&pme| pme > 0);
        Ok(given.iterated(Namd::new(self.ranks, molecules, pme)?))
    }
}
