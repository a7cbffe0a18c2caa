//! The sections of `drowse run --details`, by which the user may choose.

use clap::ValueEnum;

/// A part of the details.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Section {
    /// All of them
    All,
    /// Makespan and loads, and those of each job
    Run,
    /// How ranks spend the makespan, and what they wait for
    Ranks,
    /// Jobs under the scheduler
    Jobs,
    /// What the makespan consists of: the critical path
    Path,
    /// Nodes, switches, links and packets
    Network,
    /// What nodes answer: acknowledgements, marks, losses
    Transport,
    /// Latencies of packets and messages
    Latency,
    /// Traffic beside the jobs
    Background,
    /// States of links, wakes and delayed messages
    Links,
    /// The runtime system that commands links
    Runtime,
    /// Energies
    Energy,
    /// Mean power, power over time, and the cap
    Power,
    /// Prices and CO2
    Cost,
    /// What the simulation took
    Engine,
}

impl Section {
    /// Returns the section that begins with a heading.
    pub fn of(heading: &str) -> Self {
        let beginnings = [
            ("run", Section::Run),
            ("how ranks", Section::Ranks),
            ("what ranks", Section::Ranks),
            ("jobs", Section::Jobs),
            ("what the makespan", Section::Path),
            ("network", Section::Network),
            ("what nodes", Section::Transport),
            ("latency", Section::Latency),
            ("traffic", Section::Background),
            ("link states", Section::Links),
            ("wakes on the critical path", Section::Path),
            ("runtime", Section::Runtime),
            ("energy of the whole system", Section::Cost),
            ("limits of energy and price", Section::Cost),
            ("cost", Section::Cost),
            ("energy", Section::Energy),
            ("relative", Section::Energy),
            ("mean power", Section::Power),
            ("power", Section::Power),
            ("cap", Section::Power),
            ("simulation", Section::Engine),
        ];
        // `runtime` begins with `run`: the longest beginning counts.
        let found = beginnings.into_iter().filter(|(beginning, _)| heading.starts_with(beginning));
        found.max_by_key(|(beginning, _)| beginning.len()).map_or(Section::All, |(_, section)| section)
    }

    /// Returns whether a heading is among those that are wanted.
    pub fn wants(wanted: &[Section], heading: &str) -> bool {
        wanted.contains(&Section::All) || wanted.contains(&Section::of(heading))
    }
}
