//! What the baselines of a sweep's cases have done, and what cases are relative to them.

use std::collections::HashMap;

use drowse_tables::Row;
use drowse_tables::schema::{cases, jobs as columns};

use super::store::{Outcome, Store};
use super::work::Against;
use crate::compare;
use crate::figures::jobs;
use crate::files::ExportError;

/// The baselines that were read, by their ids.
#[derive(Default)]
pub struct Baselines(HashMap<String, Baseline>);

/// What a baseline has done.
pub enum Baseline {
    /// The figures that cases are compared with.
    Finished {
        /// Those of the case.
        figures: Row,
        /// Those of its jobs.
        jobs: Vec<Row>,
    },
    /// Why it could not finish.
    Failed(String),
}

impl Baselines {
    /// Returns a baseline, which is read once.
    pub fn get(&mut self, store: &Store, id: &str) -> Result<&Baseline, ExportError> {
        if !self.0.contains_key(id) {
            let baseline = match store.take(id)? {
                Outcome::Finished { case, jobs, .. } => Baseline::Finished {
                    figures: compare::compared(&case.into_row()),
                    jobs: jobs.into_iter().map(|job| of_job(&job.into_row())).collect(),
                },
                Outcome::Failed(error) => Baseline::Failed(error),
            };
            self.0.insert(id.to_owned(), baseline);
        }
        Ok(&self.0[id])
    }
}

/// Returns what jobs are compared by.
fn of_job(job: &Row) -> Row {
    let mut row = Row::new();
    row.copy(columns::JOB, job);
    row.copy(columns::MAKESPAN_S, job);
    row
}

/// Adds to the rows of a case what they are relative to its baseline, and a warning where there is something to know.
pub fn compare(Against { id, terms }: &Against, baseline: &Baseline, case: &mut Row, jobs: &mut [Row]) {
    let warning = match baseline {
        Baseline::Finished { figures, jobs: theirs } => {
            let relative = compare::figures(terms, case, figures);
            let warning = compare::exceeded(&relative);
            case.push(cases::RELATIVE_CASE_ID, id.as_str());
            case.append(relative);
            let ratios = jobs::relative(jobs, theirs);
            case.append(jobs::slowest(&ratios));
            jobs.iter_mut().zip(ratios).for_each(|(job, ratios)| job.append(ratios));
            warning
        }
        Baseline::Failed(error) => Some(format!("the baseline of this case could not finish: {error}")),
    };
    let number = case.all(cases::WARNINGS).count();
    case.push_some(cases::WARNINGS.of(number), warning);
}
