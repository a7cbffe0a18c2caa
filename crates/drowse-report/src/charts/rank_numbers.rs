//! Ranks of all jobs of a case, one after the other.

use std::collections::HashMap;

use crate::table::Table;

/// Numbers the ranks of each job of each case behind those of the jobs before it, in the order of a table.
pub struct RankNumbers<'t> {
    /// The number of the first rank of a job of a case.
    firsts: HashMap<(&'t str, &'t str), usize>,
    /// Whether there are several jobs, so that a rank is told by its job, too.
    several: bool,
    /// The most ranks of a case.
    pub most: usize,
}

impl<'t> RankNumbers<'t> {
    /// Reads the jobs of a table, whose ranks stand in some of its columns.
    pub fn of(table: &'t Table, columns: &[&str]) -> Self {
        let [case, job] = ["case_id", "job"].map(|name| table.place(name));
        let columns: Vec<_> = columns.iter().map(|name| table.place(name)).collect();
        let mut jobs: Vec<((&str, &str), usize)> = Vec::new();
        let mut places: HashMap<(&str, &str), usize> = HashMap::new();
        for row in 0..table.len() {
            let of = (table.text(row, case), table.text(row, job));
            let ranks = columns.iter().filter_map(|&column| rank(table, row, column)).max().map_or(0, |last| last + 1);
            let place = *places.entry(of).or_insert_with(|| {
                jobs.push((of, 0));
                jobs.len() - 1
            });
            jobs[place].1 = jobs[place].1.max(ranks);
        }
        let mut sizes: HashMap<&str, usize> = HashMap::new();
        let mut firsts = HashMap::new();
        for ((case, job), ranks) in jobs {
            let size = sizes.entry(case).or_default();
            firsts.insert((case, job), *size);
            *size += ranks;
        }
        let several = firsts.len() > sizes.len();
        RankNumbers { firsts, several, most: sizes.values().copied().max().unwrap_or(0) }
    }

    /// Returns the number of a rank of a job.
    pub fn number(&self, case: &str, job: &str, rank: usize) -> usize {
        self.firsts.get(&(case, job)).copied().unwrap_or(0) + rank
    }

    /// Returns a rank in words.
    pub fn words(&self, job: &str, rank: usize) -> String {
        if self.several { format!("{job} {rank}") } else { format!("rank {rank}") }
    }
}

/// Returns the rank in a cell; none where that is empty.
pub fn rank(table: &Table, row: usize, column: Option<usize>) -> Option<usize> {
    table.text(row, column).parse().ok()
}
