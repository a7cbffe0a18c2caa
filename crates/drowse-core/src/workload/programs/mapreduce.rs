//! MapReduce (Dean and Ghemawat 2004): mappers turn their input into pairs of a key and a value, and reducers get all
//! values of the keys that are theirs. An iteration is a job.
//!
//! A key belongs to the reducer that a hash of it names; here it is drawn from the seed. Keys are as frequent as each
//! other, or by Zipf's law: the k-th has a k-th of what the first has. So reducers get as much as their keys have. A
//! mapper does its tasks one after the other. It sends the output of each to all reducers, from the one behind itself on,
//! so that mappers do not meet at the same one. A reducer takes messages as they come. When it has all it computes, as
//! much longer as it got more than the mean, and writes its output, as much as it got, to the ranks behind it, each of
//! which passes it on. A barrier ends the job, as the master does.
//!
//! Left out: reading the input, which mappers have, the master's messages, and tasks that are done anew.

use serde::{Deserialize, Serialize};

use super::error::{MOST_RANKS, ProgramError, check};
use super::keys::{Given, Parts, ProgramKeys};
use super::program::{Program, Steps};
use super::writer::Writer;
use crate::model::rng::{Purpose, draw};
use crate::model::units::Bytes;
use crate::workload::operation::{Collective, MOST_BYTES};

/// Tags: pairs, and output.
const PAIRS: u32 = 0;
const OUTPUT: u32 = 1;
/// The most keys: their weights are added for each job.
const MOST_KEYS: u32 = 1 << 20;
/// The weight of the most frequent key.
const FIRST: u64 = 1 << 32;

/// How frequent keys are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Popularity {
    /// All alike.
    Equal,
    /// By Zipf's law: the k-th has a k-th of what the first has.
    Zipf,
}

/// Keys, and how reducers share them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keys {
    /// How many.
    pub number: u32,
    /// How frequent they are.
    pub popularity: Popularity,
    /// What their reducers are drawn from.
    pub seed: u64,
}

/// What ranks do in a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// How many of the first ranks map.
    pub mappers: u32,
    /// How many of the last ranks reduce.
    pub reducers: u32,
    /// Tasks of a mapper.
    pub tasks: u32,
    /// Bytes that a task sends to all reducers.
    pub bytes: u64,
    /// Ranks that have the output of a reducer, itself included.
    pub replicas: u32,
}

/// Jobs of mappers and reducers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapReduce {
    ranks: u32,
    job: Job,
    keys: Keys,
}

/// A job, and the bytes of a task for each reducer.
#[derive(Debug)]
struct Prepared {
    program: MapReduce,
    sizes: Vec<u64>,
}

impl MapReduce {
    /// Makes jobs; each rank maps or reduces, or does both.
    pub fn new(ranks: u32, job: Job, keys: Keys) -> Result<Self, ProgramError> {
        check("ranks", ranks, 1..=MOST_RANKS)?;
        check("mappers", job.mappers, 1..=ranks)?;
        check("reducers", job.reducers, (ranks - job.mappers).max(1)..=ranks)?;
        check("tasks", job.tasks, 1..=1 << 20)?;
        check("keys", keys.number, 1..=MOST_KEYS)?;
        check("replicas", job.replicas, 1..=ranks)?;
        if !(1..=MOST_BYTES).contains(&job.bytes) {
            let reason = format!("write a size from 1 B to {MOST_BYTES} B (32 GiB)");
            return Err(ProgramError::out_of_range("bytes", format!("{} B", job.bytes), reason));
        }
        Ok(MapReduce { ranks, job, keys })
    }

    /// Returns the bytes of a task for each reducer, which sum to the task's.
    fn sizes(&self) -> Vec<u64> {
        let reducers = self.job.reducers;
        let mut weights = vec![0; reducers as usize];
        for key in 0..self.keys.number {
            let drawn = draw(self.keys.seed, Purpose::Keys, key, 0);
            let reducer = (u128::from(drawn) * u128::from(reducers)) >> 64;
            weights[reducer as usize] += match self.keys.popularity {
                Popularity::Equal => FIRST,
                Popularity::Zipf => FIRST / (u64::from(key) + 1),
            };
        }
        let all: u128 = weights.iter().copied().map(u128::from).sum();
        let (mut weight, mut given) = (0, 0);
        let size = |of_reducer: u64| {
            weight += u128::from(of_reducer);
            let until = (u128::from(self.job.bytes) * weight / all) as u64;
            until - std::mem::replace(&mut given, until)
        };
        weights.into_iter().map(size).collect()
    }

    /// Returns the ranks that map and reduce: the first reducers.
    fn both(&self) -> u32 {
        self.job.mappers + self.job.reducers - self.ranks
    }

    /// Returns the reducer that a rank is.
    fn reducer(&self, rank: u32) -> Option<u32> {
        rank.checked_sub(self.ranks - self.job.reducers)
    }

    /// Returns the rank that is so far behind another on a ring.
    fn ahead(&self, rank: u32, distance: u32) -> u32 {
        ((u64::from(rank) + u64::from(distance)) % u64::from(self.ranks)) as u32
    }

    /// Returns the messages of all tasks to or from so many ranks.
    fn in_all_tasks(&self, ranks: u32) -> u64 {
        u64::from(self.job.tasks) * u64::from(ranks)
    }

    /// Returns the bytes that a reducer gets, its own included, and writes, if it gets so many of a task.
    fn output(&self, size: u64) -> u64 {
        size.saturating_mul(self.in_all_tasks(self.job.mappers))
    }

    /// Returns the messages of a job that carry pairs.
    fn pairs(&self) -> u64 {
        let all = self.in_all_tasks(self.job.mappers).saturating_mul(self.job.reducers.into());
        all - self.in_all_tasks(self.both())
    }
}

impl Prepared {
    /// Returns the steps in which a rank maps, and those in which it receives and then computes.
    fn lengths(&self, rank: u32) -> [u64; 2] {
        let MapReduce { job, .. } = self.program;
        let maps = rank < job.mappers;
        let messages = self.program.in_all_tasks(job.mappers - u32::from(maps));
        [
            if maps { self.program.in_all_tasks(job.reducers) } else { 0 },
            self.program.reducer(rank).map_or(0, |_| messages + 1),
        ]
    }

    /// Maps: computes the task's share of the mapper's time, and sends its output to a reducer.
    fn map(&self, rank: u32, step: u64, writer: &mut Writer<'_>) {
        let MapReduce { ranks, job, .. } = self.program;
        let (task, place) = (step / u64::from(job.reducers), step % u64::from(job.reducers));
        if place == 0 {
            let halves = u64::from(job.tasks) * if self.program.reducer(rank).is_some() { 2 } else { 1 };
            writer.compute_part(task..task + 1, halves);
        }
        // Below the number of reducers.
        let reducer = ((u64::from(rank) + 1 + place) % u64::from(job.reducers)) as u32;
        let to = ranks - job.reducers + reducer;
        if to != rank {
            writer.send(to, PAIRS, self.sizes[reducer as usize]);
        }
    }

    /// Reduces: computes as much longer as the reducer got more than the mean.
    fn reduce(&self, rank: u32, reducer: u32, writer: &mut Writer<'_>) {
        let job = self.program.job;
        let halves = if rank < job.mappers { 2 } else { 1 };
        writer.compute_part(0..self.sizes[reducer as usize] * u64::from(job.reducers), job.bytes * halves);
    }

    /// Passes output on: its own, or that of the rank so far before.
    fn write(&self, rank: u32, distance: u32, writer: &mut Writer<'_>) {
        let MapReduce { ranks, job, .. } = self.program;
        let Some(reducer) = self.program.reducer(self.program.ahead(rank, ranks - distance)) else {
            return;
        };
        if distance > 0 {
            writer.receive(self.program.ahead(rank, ranks - 1), OUTPUT);
        }
        if distance + 1 < job.replicas {
            writer.send(self.program.ahead(rank, 1), OUTPUT, self.program.output(self.sizes[reducer as usize]));
        }
    }
}

impl Program for MapReduce {
    fn ranks(&self) -> u32 {
        self.ranks
    }

    fn messages(&self) -> u64 {
        let copies = u64::from(self.job.reducers) * u64::from(self.job.replicas - 1);
        self.pairs().saturating_add(copies)
    }

    /// All pairs but those that stay where they are, and all copies of the output.
    fn bytes(&self) -> u64 {
        let all = self.in_all_tasks(self.job.mappers).saturating_mul(self.job.bytes);
        let of_both: u64 = self.sizes().iter().take(self.both() as usize).sum();
        let stay = u64::from(self.job.tasks).saturating_mul(of_both);
        all.saturating_sub(stay).saturating_add(all.saturating_mul(u64::from(self.job.replicas - 1)))
    }

    fn largest(&self) -> u64 {
        let most = self.sizes().into_iter().max().unwrap_or(0);
        if self.job.replicas > 1 { self.output(most) } else { most }
    }

    /// Mappers in each task, and the reducers that get something.
    fn all_computations(&self) -> u64 {
        let reducing = self.sizes().iter().filter(|&&size| size > 0).count() as u64;
        self.in_all_tasks(self.job.mappers) + reducing
    }

    /// Barriers.
    fn calls(&self) -> u64 {
        self.ranks.into()
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(Prepared { program: *self, sizes: self.sizes() })
    }
}

impl Steps for Prepared {
    fn count(&self, rank: u32) -> u64 {
        let [maps, receives] = self.lengths(rank);
        maps + receives + u64::from(self.program.job.replicas) + 1
    }

    fn take(&self, rank: u32, step: u64, writer: &mut Writer<'_>) {
        let [maps, receives] = self.lengths(rank);
        let (reducing, writing) = (maps + receives, maps + receives + u64::from(self.program.job.replicas));
        match self.program.reducer(rank) {
            _ if step < maps => self.map(rank, step, writer),
            Some(reducer) if step + 1 == reducing => self.reduce(rank, reducer, writer),
            Some(_) if step < reducing => writer.receive_from_any(PAIRS),
            // Below the number of replicas.
            _ if step < writing => self.write(rank, (step - reducing) as u32, writer),
            _ => writer.call(Collective::Barrier),
        }
    }
}

/// The keys of MapReduce.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MapReduceKeys {
    /// Ranks.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [64])))]
    ranks: u32,
    /// How many of the first ranks map. Default: all.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    mappers: Option<u32>,
    /// How many of the last ranks reduce. Default: all.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    reducers: Option<u32>,
    /// Tasks of a mapper.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 1), range(min = 1, max = 1_048_576)))]
    tasks: Option<u32>,
    /// What a task hands to all reducers, up to 32 GiB.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = ["64 MiB"])))]
    bytes: Bytes,
    /// Keys, which are spread over the reducers at random.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 10_000), range(min = 1, max = 1_048_576)))]
    keys: Option<u32>,
    /// How frequent keys are.
    #[cfg_attr(feature = "schema", schemars(extend("default" = "equal")))]
    popularity: Option<Popularity>,
    /// Ranks that have the output of a reducer in the end, itself included.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 1), range(min = 1)))]
    replicas: Option<u32>,
}

impl ProgramKeys for MapReduceKeys {
    const KIND: &'static str = "mapreduce";
    const ABOUT: &'static str =
        "MapReduce: mappers send to all reducers, as much as these have keys; one job in an iteration.";

    fn parts(self, given: Given) -> Result<Parts, ProgramError> {
        let job = Job {
            mappers: self.mappers.unwrap_or(self.ranks),
            reducers: self.reducers.unwrap_or(self.ranks),
            tasks: self.tasks.unwrap_or(1),
            bytes: self.bytes.0,
            replicas: self.replicas.unwrap_or(1),
        };
        let popularity = self.popularity.unwrap_or(Popularity::Equal);
        let keys = Keys { number: self.keys.unwrap_or(10_000), popularity, seed: given.seed };
        Ok(given.iterated(MapReduce::new(self.ranks, job, keys)?))
    }
}
