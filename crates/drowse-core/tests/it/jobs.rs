//! Several jobs on one network.

use drowse_core::measure::{JobRecord, RankRecord, Record, Warning};
use drowse_core::model::ids::NodeId;
use drowse_core::model::units::{Bytes, Time};
use drowse_core::power::StallTimer;
use drowse_core::workload::operation::{Operation, OperationSource, SourceError};
use drowse_core::workload::{Job, Workload};
use proptest::prelude::*;

use crate::common::*;
use crate::random_programs::{Program as Drawn, program};

/// Columns of the mesh; each of its two rows belongs to one job.
const COLUMNS: u32 = 5;

/// Makes a job of a drawn program on the nodes of a row.
fn on_row(drawn: &Drawn, row: u32, start: Time) -> Job {
    let node = |place: &u32| NodeId(row * COLUMNS + place % COLUMNS);
    let placement = drawn.placement.iter().map(node).collect();
    Job { name: format!("row {row}"), source: Box::new(drawn.source()), placement, start }
}

/// Returns what the ranks of a job did.
fn of_job(record: &Record, job: usize) -> (Time, Time, &[RankRecord]) {
    let first: u32 = record.jobs[..job].iter().map(|job| job.ranks).sum();
    let JobRecord { ranks, start, finish, .. } = record.jobs[job].clone();
    (start, finish, &record.ranks[first as usize..][..ranks as usize])
}

proptest! {
    #![proptest_config(proptest_config(40))]

    /// Dimension order keeps the traffic of a row in its row. So two jobs in two rows do not affect each other, and
    /// each takes the same time as alone, to the picosecond. Their order in the list does not matter.
    #[test]
    fn jobs_that_never_meet_run_as_if_alone(one in program(), other in program(), later in 0u64..1_000_000) {
        let network = mesh(&[COLUMNS, 2], 1, 1);
        let mut config = config(&network, 3);
        config.node.eager_limit = Bytes(one.eager_limit);
        let policy = StallTimer::uniform(network.classes.len(), Some(Time(100)), Some(Time::from_us(1)));
        let run_jobs = |jobs: Vec<Job>| run_with(&network, &config, &policy, Workload::Jobs(jobs));
        let first = || on_row(&one, 0, Time::ZERO);
        let second = || on_row(&other, 1, Time(later));

        let both = run_jobs(vec![first(), second()]);
        let (one_alone, other_alone) = (run_jobs(vec![first()]), run_jobs(vec![second()]));
        prop_assert_eq!(of_job(&both, 0), of_job(&one_alone, 0));
        prop_assert_eq!(of_job(&both, 1), of_job(&other_alone, 0));
        prop_assert!(of_job(&both, 1).0 == Time(later));
        prop_assert_eq!(both.hops, one_alone.hops + other_alone.hops);
        prop_assert_eq!(both.makespan, one_alone.makespan.max(other_alone.makespan));

        let swapped = run_jobs(vec![second(), first()]);
        prop_assert_eq!(of_job(&swapped, 1), of_job(&both, 0));
        prop_assert_eq!(of_job(&swapped, 0), of_job(&both, 1));
        prop_assert_eq!(swapped.channels, both.channels);
    }

    /// Jobs that share links but no nodes do not depend on their order in the list.
    #[test]
    fn the_order_of_jobs_changes_nothing(one in program(), other in program()) {
        let network = torus(&[4, 2], 1, 1);
        let config = config(&network, 3);
        let on = |drawn: &Drawn, odd: u32| {
            let placement = drawn.placement.iter().map(|place| NodeId(place % 4 * 2 + odd)).collect();
            Job { name: odd.to_string(), source: Box::new(drawn.source()), placement, start: Time::ZERO }
        };
        let there = run(&network, &config, Workload::Jobs(vec![on(&one, 0), on(&other, 1)]));
        let back = run(&network, &config, Workload::Jobs(vec![on(&other, 1), on(&one, 0)]));
        prop_assert_eq!(of_job(&there, 0), of_job(&back, 1));
        prop_assert_eq!(of_job(&there, 1), of_job(&back, 0));
        prop_assert_eq!(there.channels, back.channels);
        prop_assert_eq!(there.packet_latency, back.packet_latency);
    }
}

/// A program that does nothing, and warns.
struct Warns(&'static str);

impl OperationSource for Warns {
    fn ranks(&self) -> u32 {
        1
    }

    fn refill(&mut self, _: u32, _: &mut Vec<Operation>) -> Result<(), SourceError> {
        Ok(())
    }

    fn warnings(&self) -> Vec<String> {
        vec![self.0.into(), "again".into()]
    }
}

/// What the programs of all jobs warn of is told, in the order of the jobs.
#[test]
fn programs_may_warn() {
    let network = torus(&[4], 1, 1);
    let job = |name: &'static str| Job {
        name: name.into(),
        source: Box::new(Warns(name)),
        placement: vec![NodeId(0)],
        start: Time::ZERO,
    };
    let record = run(&network, &config(&network, 1), Workload::Jobs(vec![job("first"), job("second")]));
    let told = ["first", "again", "second", "again"].map(|warning| Warning::Source(warning.into()));
    assert_eq!(record.warnings, told);
}
