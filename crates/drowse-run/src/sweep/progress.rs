//! How far a sweep has come.

/// How far a sweep has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// So many of all cases have been checked.
    Checked(u64),
    /// All are checked; so many were found done, and so many will be run.
    Planned {
        /// Cases whose results are there.
        done: u64,
        /// Cases that will be run.
        missing: u64,
    },
    /// So many of the missing cases have been run.
    Ran(u64),
}

/// Is told how far a sweep has come, from any thread.
pub type Observer<'a> = &'a (dyn Fn(Progress) + Sync);
