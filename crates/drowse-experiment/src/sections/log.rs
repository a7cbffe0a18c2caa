//! `scheduler.log`: jobs from a log of a machine.
//!
//! Each `[[job]]` is then a program that jobs of the log run ([`super::log_map`]). Jobs hold whole nodes, as many as the
//! log says, and run as long as it says.

use std::borrow::Cow;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use drowse_core::workload::exchanges::Division;
use drowse_core::workload::scheduler::{Kind, Rules};
use drowse_traces::input;
use flate2::read::MultiGzDecoder;
use schemars::JsonSchema;
use serde::Deserialize;

use super::log_assumed::{self, UnmappedKeys};
use super::log_cut::{self, Cut, Part};
use super::log_map::{Mapped, PATH, Template};
use super::log_names::Names;
use super::log_notes;
use super::log_size::Sizes;
use super::log_unmatched;
use crate::case::JobSpec;
use crate::diagnostic::Diagnostic;
use crate::job_log::{self, Wrong};
use crate::keys::{Keys, join};
use crate::machine::is_bad_input;
use crate::source::{Source, without_mark};

/// The most jobs of a log.
const MOST_JOBS: u32 = 65_536;
/// The most bytes of a log, unpacked: thousands for each job.
const MOST_BYTES: u64 = 256 << 20;

/// Jobs from a log of a machine.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LogKeys {
    /// File relative to the experiment's folder, as it is or packed by gzip: in the Standard Workload Format, text of
    /// `sacct --parsable2`, JSON of `sacct --json`, or a workload of Batsim. Its format is recognised by its content.
    #[schemars(extend("examples" = ["log.swf"]))]
    file: String,
    /// Factor on all times of the log: when jobs came and started, how long they ran, and how long they might have.
    #[schemars(extend("default" = 1.0), range(min = 0))]
    time_scale: Option<f64>,
    /// How many jobs are taken from the beginning of the log. Default: all, at most 65,536.
    #[schemars(range(min = 1, max = 65_536))]
    jobs: Option<u32>,
    /// The part of the log that is run, in days since its first job was submitted: `[0, 30]` is its first 30 days. Jobs
    /// that run or wait when it begins are taken, too, for the rest of their time. Default: all.
    #[schemars(extend("examples" = [[0, 30]]))]
    days: Option<[f64; 2]>,
    /// Whether jobs that run beyond the part end where it ends: a window of the log, as short as wanted.
    #[schemars(extend("default" = false))]
    cut: Option<bool>,
    /// Where the log counts processors: how many of them are a node. Jobs get whole nodes, so the number is rounded up.
    /// Default: what the log says of its machine, or else `node.cores`.
    #[schemars(range(min = 1, max = 65_536))]
    processors_per_node: Option<u32>,
    /// The names of the nodes in the order of their numbers, as a list of hosts. With `kind = "replay"`, jobs then run on
    /// the very nodes that the log names. Default: the names that the file of the network has, if the log
    /// has no others; else only the number of nodes is used.
    #[schemars(extend("examples" = ["n[01-96]"]))]
    nodes: Option<String>,
    /// What is assumed of jobs that no [[job]] fits. Default: they only compute.
    #[schemars(extend("examples" = [{ "share": 0.2 }]))]
    unmapped: Option<UnmappedKeys>,
}

/// A log whose jobs are to be run.
#[derive(Clone, Debug)]
pub struct Log {
    file: PathBuf,
    time_scale: f64,
    most: Option<u32>,
    days: Option<[f64; 2]>,
    cut: bool,
    sizes: Sizes,
    names: Option<Names>,
    unmapped: Option<Division>,
}

/// What is made of a log.
pub struct FromLog {
    /// Its jobs.
    pub jobs: Vec<JobSpec>,
    /// What to know of them before using figures.
    pub notes: Vec<String>,
}

impl LogKeys {
    /// Checks the keys; the file is not opened. The machine has so many nodes, which may have names, of so many cores.
    pub fn resolve(self, keys: &Keys, (nodes, of_network): (u32, &[String]), cores: u32) -> Result<Log, Diagnostic> {
        let at = |key: &str| join(PATH, key);
        let time_scale = self.time_scale.unwrap_or(1.0);
        super::amount(keys, &at("time_scale"), time_scale)?;
        if time_scale == 0.0 {
            let message = format!("`{}` = 0 leaves no time of the log", at("time_scale"));
            return Err(keys.error(&at("time_scale"), message, "write a number above 0, such as 1e-6"));
        }
        let most = super::in_range(self.jobs, MOST_JOBS, keys, &at("jobs"))?;
        let processors = super::in_range(self.processors_per_node, 65_536, keys, &at("processors_per_node"))?;
        if let Some([from, to]) = self.days.filter(|[from, to]| !(0.0 <= *from && from < to && *to <= 1e6)) {
            let message = format!("`{}` = [{from}, {to}] is no part of a log", at("days"));
            return Err(keys.error(&at("days"), message, "write its first and last day, such as [0, 30]"));
        }
        let cut = self.cut.unwrap_or(false);
        if cut && self.days.is_none() {
            let help = "add days = [0, 30], or leave out cut";
            return Err(keys.error(&at("cut"), "no part of the log is taken at which jobs could end", help));
        }
        let names = match &self.nodes {
            Some(hosts) => Some(Names::read(hosts, (nodes, of_network), keys, &at("nodes"))?),
            None => Names::of_network(of_network),
        };
        let sizes = Sizes { nodes, cores, processors };
        let unmapped = self.unmapped.map(|unmapped| unmapped.resolve(keys, &at("unmapped"))).transpose()?.flatten();
        let file = keys.source().resolve(&self.file);
        Ok(Log { file, time_scale, most, days: self.days, cut, sizes, names, unmapped })
    }
}

impl Log {
    /// Makes the jobs of the log.
    pub fn jobs(&self, templates: &[Template], rules: &Rules, keys: &Keys) -> Result<FromLog, Diagnostic> {
        let text = self.read(keys)?;
        // A part may lie behind more jobs than are run.
        let all = if self.days.is_some() { usize::MAX } else { MOST_JOBS as usize + 1 };
        let most = self.most.map_or(all, |most| most as usize);
        match job_log::parse(&text, most).and_then(|log| self.mapped(log, templates, rules)) {
            Ok(made) if made.jobs.is_empty() => Err(self.nothing(&text, most, keys)),
            Ok(made) if made.jobs.len() > MOST_JOBS as usize => {
                let message = format!("this log has more than {MOST_JOBS} jobs");
                Err(keys.error(PATH, message, "take fewer: by jobs = 1000, or so, or by days = [0, 30]"))
            }
            Ok(made) => Ok(made),
            Err(Wrong { span, message, help }) => {
                Err(Source::new(&self.file, text, &[])?.error_at(&span, message, help))
            }
        }
    }

    /// Makes the error that no job of the log is left: because none has run, or because the part lies beyond all.
    fn nothing(&self, text: &str, most: usize, keys: &Keys) -> Diagnostic {
        let jobs = job_log::parse(text, most).map(|log| log.jobs).unwrap_or_default();
        let first = jobs.iter().map(|job| job.submit).min();
        let last = jobs.iter().map(|job| job.start.unwrap_or(job.submit).saturating_add(job.run)).max();
        let (Some([from, to]), Some((first, last))) = (self.days, first.zip(last)) else {
            return keys.error(PATH, "no job of this log has run", "write another log, or take more of it");
        };
        let days = (last - first) as f64 / log_cut::DAY_MICROSECONDS;
        let message =
            format!("`{}` = [{from}, {to}] lies outside the log, which lasts {days:.2} days", join(PATH, "days"));
        keys.error(&join(PATH, "days"), message, "write a part of it, such as [0, 1], or leave `days` out")
    }

    fn read(&self, keys: &Keys) -> Result<String, Diagnostic> {
        read(&self.file).map_err(|error| {
            let message = format!("the log {} cannot be read: {error}", self.file.display());
            let help = "write the name of a file in the Standard Workload Format, of sacct or of Batsim, as it is or \
                        packed by gzip";
            Diagnostic { machine: !is_bad_input(&error), ..keys.error(&join(PATH, "file"), message, help) }
        })
    }

    /// Finds the times, the nodes and the program of each job.
    fn mapped(&self, log: job_log::JobLog, templates: &[Template], rules: &Rules) -> Result<FromLog, Wrong> {
        let replayed = rules.kind == Kind::Replay;
        let cut = Cut::of(log, Part { days: self.days, cut: self.cut }, self.time_scale, replayed)?;
        let sized = self.sizes.of(&cut)?;
        let names = self.names.as_ref().filter(|names| replayed && names.fit(cut.jobs.iter()));
        let mut mapped = Mapped::new(templates, self.sizes.cores, self.unmapped);
        for (job, &nodes) in cut.jobs.iter().zip(&sized.nodes) {
            let named = names.map(|names| names.of(job, nodes)).transpose()?.flatten();
            mapped.add(job, nodes, named)?;
        }
        let mut notes = log_notes::of(&cut, &sized, &mapped, names.is_some());
        notes.extend(log_assumed::note(&mapped, self.time_scale));
        notes.extend(log_unmatched::notes(templates, &cut.jobs));
        Ok(FromLog { jobs: mapped.jobs, notes })
    }
}

/// Reads the text of a log, as it is or packed by gzip.
pub(super) fn read(file: &Path) -> io::Result<String> {
    let bytes = bytes(file)?;
    // Comments of old logs are in any encoding.
    Ok(without_mark(match String::from_utf8_lossy(&bytes) {
        Cow::Owned(text) => text,
        Cow::Borrowed(_) => String::from_utf8(bytes).unwrap_or_default(),
    }))
}

/// Reads a file, and unpacks it if its first bytes are those of gzip.
fn bytes(file: &Path) -> io::Result<Vec<u8>> {
    const GZIP: [u8; 2] = [0x1f, 0x8b];
    let packed = input::read(file, MOST_BYTES)?;
    if !packed.starts_with(&GZIP) {
        return Ok(packed);
    }
    let mut bytes = Vec::new();
    MultiGzDecoder::new(packed.as_slice()).take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        let message = format!("it has more than {} MiB: keep its first jobs", MOST_BYTES >> 20);
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    Ok(bytes)
}
