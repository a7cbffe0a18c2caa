//! What jobs are assumed to run where nobody says: a log does not tell what they send.

use toml::{Table, Value};

/// What all jobs of several nodes are assumed to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assumed {
    /// Each rank computes for about 1 ms, and exchanges 64 KiB with each neighbour on a grid of three dimensions.
    Halo,
    /// Each rank computes for about 1 ms, and sends 1 MiB to a rank that is drawn.
    Bulk,
    /// They only compute.
    Quiet,
}

impl Assumed {
    /// Returns what it is called.
    pub fn name(self) -> &'static str {
        match self {
            Assumed::Halo => "halo",
            Assumed::Bulk => "bulk",
            Assumed::Quiet => "quiet",
        }
    }

    /// Says what is assumed.
    pub fn words(self) -> &'static str {
        match self {
            Assumed::Halo => {
                "each job of several nodes computes for 1 ms (5 % jitter) and exchanges 64 KiB with each neighbour on a \
                 grid of three dimensions, again and again"
            }
            Assumed::Bulk => {
                "each job of several nodes computes for 1 ms (5 % jitter) and sends 1 MiB from each rank to another one, again \
                 and again"
            }
            Assumed::Quiet => "no job sends anything",
        }
    }

    /// Returns the `[[job]]` tables: a program for each power of two of ranks on so many nodes.
    pub fn jobs(self, nodes: u32) -> Vec<Value> {
        let sizes = (1..=nodes.max(1).ilog2()).map(|power| 1_u32 << power);
        match self {
            Assumed::Quiet => Vec::new(),
            Assumed::Halo => sizes.map(|ranks| job(self, ranks, halo(ranks))).collect(),
            Assumed::Bulk => sizes.map(|ranks| job(self, ranks, bulk(ranks))).collect(),
        }
    }
}

fn job(assumed: Assumed, ranks: u32, app: Table) -> Value {
    let mut job = Table::new();
    job.insert("name".into(), format!("{}-of-{ranks}", assumed.name()).into());
    job.insert("app".into(), app.into());
    job.into()
}

fn app(kind: &str, keys: [(&str, Value); 2]) -> Table {
    let mut app = Table::new();
    app.insert("kind".into(), kind.into());
    app.insert("compute".into(), "1 ms".into());
    app.insert("jitter".into(), 0.05.into());
    app.insert("iterations".into(), 1.into());
    keys.into_iter().for_each(|(key, value)| drop(app.insert(key.into(), value)));
    app
}

fn halo(ranks: u32) -> Table {
    let dims: Vec<Value> = grid(ranks).into_iter().map(|length| i64::from(length).into()).collect();
    app("stencil", [("dims", dims.into()), ("bytes", "64 KiB".into())])
}

fn bulk(ranks: u32) -> Table {
    let mut app = app("permutation", [("ranks", i64::from(ranks).into()), ("bytes", "1 MiB".into())]);
    app.insert("pattern".into(), "random".into());
    app
}

/// Returns a grid of up to three dimensions of a power of two, as even as can be; none of length 1.
fn grid(ranks: u32) -> Vec<u32> {
    let power = ranks.ilog2();
    let length = |dimension: u32| 1 << (power / 3 + u32::from(dimension < power % 3));
    (0..3).map(length).filter(|&length| length > 1).collect()
}

#[cfg(test)]
mod tests {
    use super::grid;

    #[test]
    fn grids_are_even() {
        let expected =
            [(2, vec![2]), (4, vec![2, 2]), (8, vec![2, 2, 2]), (32, vec![4, 4, 2]), (1_024, vec![16, 8, 8])];
        expected.into_iter().for_each(|(ranks, dims)| assert_eq!(grid(ranks), dims));
    }
}
