//! Runs the cases of an advice: by flows, by packets, under the policy that is advised, and with other programs.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use drowse_experiment::{Kinds, Source, Sweep};
use drowse_report::Results;
use drowse_report::advice::{self, Advice, Asked, Cables, Otherwise, Pair};
use drowse_run::advise::plan::{ALWAYS_ON, Policy};
use drowse_run::advise::programs::Assumed;
use drowse_run::cancel::Cancel;
use drowse_run::identity::BUILD;
use drowse_run::request::RunRequest;
use drowse_run::sweep::{self, Wanted, Watch, verify};
use drowse_run::{export, files, pool};
use drowse_tables::schema::{CASES, cases};
use toml::Value;

use super::prepare::{FILE, Prepared};
use crate::failure::Failure;
use crate::output::sweep_progress::SweepBar;

/// The folder of runs whose channels are looked at.
const CHOSEN: &str = "chosen";
/// The folder of policies that flows refuse.
const PACKETS_ONLY: &str = "packets-only";

/// The cases of an advice.
pub struct Cases<'a> {
    /// What is asked.
    pub prepared: &'a Prepared,
    /// The kinds that experiments may name.
    pub kinds: &'a Kinds,
    /// Where all results are.
    pub folder: &'a Path,
    /// Cases that run at a time.
    pub threads: usize,
}

impl Cases<'_> {
    /// Runs all cases that are missing, and makes the advice.
    pub fn advise(&self) -> Result<(Advice, Asked), Failure> {
        let Prepared { jobs, policies, chosen, asked, .. } = self.prepared;
        let text = self.prepared.text(jobs, chosen.windows.len(), policies);
        let source = write(self.folder, text)?;
        let sweep = self.sweep(&source)?;
        self.run(&sweep, self.folder)?;
        let flows = Results::read(self.folder).map_err(Failure::Report)?;
        let candidates = advice::candidates(&flows, asked);
        let packets = self.by_packets(&source, &sweep, &candidates)?;
        let mut advice = advice::advice(&flows, packets.as_ref(), asked);
        if let Some(name) = advice.advised().map(|policy| policy.name.clone()) {
            advice.cables = Some(self.cables(&sweep, &name)?);
            advice.otherwise = self.otherwise(&flows, &name)?;
        }
        advice.by_packets_only = self.by_packets_only()?;
        Ok((advice, asked.clone()))
    }

    fn sweep<'s>(&self, source: &'s Arc<Source>) -> Result<Sweep<'s>, Failure> {
        Ok(Sweep::of(source, self.kinds.clone())?)
    }

    /// Runs what is missing of a sweep.
    fn run(&self, sweep: &Sweep<'_>, folder: &Path) -> Result<(), Failure> {
        let bar = SweepBar::new(sweep.cases());
        let show = |progress| bar.show(&progress);
        let report = sweep::run(sweep, folder, self.threads, &Wanted::default(), &Watch::new(&show));
        drop(bar);
        let report = report.map_err(Failure::of_sweep)?;
        let list = format!("all are listed in {}", folder.join("failed.csv").display());
        crate::command::sweep::failures(report.failed, report.cases + report.baselines, report.first_error, &list)
    }

    /// Returns the number of a policy in a window among the cases of the sweep.
    fn number(&self, sweep: &Sweep<'_>, policy: usize, window: usize) -> u64 {
        let (policies, windows) = (self.prepared.policies.len(), self.prepared.chosen.windows.len());
        let policy_first = sweep.paths().first().is_some_and(|path| path == "power.policy");
        (if policy_first { policy * windows + window } else { window * policies + policy }) as u64
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.prepared.policies.iter().position(|policy| policy.name == name)
    }

    /// Returns the windows that packets run: the busiest.
    fn busiest(&self) -> usize {
        self.prepared.chosen.windows.iter().filter(|window| window.is_busiest).count()
    }

    /// Runs policies by packets in the busiest windows; `None` where there are no policies.
    fn by_packets(
        &self,
        source: &Arc<Source>,
        sweep: &Sweep<'_>,
        candidates: &[String],
    ) -> Result<Option<Results>, Failure> {
        let places: Vec<usize> = candidates.iter().filter_map(|name| self.place(name)).collect();
        if places.is_empty() {
            return Ok(None);
        }
        let packets = Sweep::by_packets(source, self.kinds.clone())?;
        let windows = 0..self.busiest();
        let numbers: Vec<u64> = places
            .into_iter()
            .flat_map(|policy| windows.clone().map(move |window| (policy, window)))
            .map(|(policy, window)| self.number(sweep, policy, window))
            .collect();
        let into = verify::folder(self.folder);
        let bar = SweepBar::new(numbers.len() as u64);
        let show = |progress| bar.show(&progress);
        let report =
            verify::run(&packets, &numbers, &into, self.threads, &Watch::new(&show)).map_err(Failure::of_sweep)?;
        drop(bar);
        let list = format!("all are listed in {}", into.join("failed.csv").display());
        crate::command::sweep::failures(report.failed, report.cases + report.baselines, report.first_error, &list)?;
        Results::read(&into).map(Some).map_err(Failure::Report)
    }

    /// Runs the policy that is advised, and all links on, with tables of channels in all windows.
    fn cables(&self, sweep: &Sweep<'_>, name: &str) -> Result<Cables, Failure> {
        let windows = &self.prepared.chosen.windows;
        let of = |name: &str, window: usize| {
            let number = self.number(sweep, self.place(name).unwrap_or(0), window);
            (number, self.folder.join(CHOSEN).join(format!("{}-{}", window + 1, folder_name(name))))
        };
        let all: Vec<(u64, PathBuf)> =
            (0..windows.len()).flat_map(|window| [of(ALWAYS_ON, window), of(name, window)]).collect();
        pool::for_each(&all, self.threads, |(number, folder)| run_with_channels(sweep, *number, folder))?;
        let read = |(_, folder): &(u64, PathBuf)| Results::read(folder).map_err(Failure::Report);
        let results: Vec<Results> = all.iter().map(read).collect::<Result<_, _>>()?;
        let pairs: Vec<Pair<'_>> = results
            .chunks_exact(2)
            .zip(windows)
            .map(|(pair, window)| Pair { on: &pair[0], asleep: &pair[1], counts: !window.is_busiest })
            .collect();
        Ok(Cables::of(&pairs))
    }

    /// Asks what the policy that is advised does in the busiest windows if jobs run other programs.
    fn otherwise(&self, flows: &Results, name: &str) -> Result<Vec<Otherwise>, Failure> {
        let Prepared { policies, asked, is_assumed, nodes, .. } = self.prepared;
        let usual = if *is_assumed { Assumed::Halo.words() } else { "jobs run the programs of --programs" };
        let told = |words: &str, results: &Results| advice::otherwise(words, results, name, asked);
        let mut all = vec![told(usual, flows)];
        let wanted: Vec<Policy> =
            policies.iter().filter(|policy| [ALWAYS_ON, name].contains(&policy.name.as_str())).cloned().collect();
        for assumed in [Assumed::Bulk, Assumed::Quiet] {
            let folder = self.folder.join(assumed.name());
            let jobs: Vec<Value> = assumed.jobs(*nodes);
            let source = write(&folder, self.prepared.text(&jobs, self.busiest(), &wanted))?;
            self.run(&self.sweep(&source)?, &folder)?;
            all.push(told(assumed.words(), &Results::read(&folder).map_err(Failure::Report)?));
        }
        Ok(all)
    }

    /// Asks packets, in the busiest windows, for the policies that flows refuse.
    fn by_packets_only(&self) -> Result<Vec<Otherwise>, Failure> {
        let Prepared { by_packets_only, policies, jobs, asked, .. } = self.prepared;
        if by_packets_only.is_empty() {
            return Ok(Vec::new());
        }
        let always_on = policies.iter().filter(|policy| policy.name == ALWAYS_ON);
        let wanted: Vec<Policy> = always_on.chain(by_packets_only).cloned().collect();
        let folder = self.folder.join(PACKETS_ONLY);
        let source = write(&folder, self.prepared.text(jobs, self.busiest(), &wanted))?;
        self.run(&Sweep::by_packets(&source, self.kinds.clone())?, &folder)?;
        let results = Results::read(&folder).map_err(Failure::Report)?;
        let told = |policy: &Policy| advice::otherwise(&policy.name, &results, &policy.name, asked);
        Ok(by_packets_only.iter().map(told).collect())
    }

    /// Writes the table of all cables.
    pub fn write_cables(&self, cables: &Cables) -> Result<(), Failure> {
        let path = self.folder.join("cables.csv");
        let failed = |error| Failure::Export(files::ExportError::Io { path: path.display().to_string(), error });
        fs::write(&path, cable_table(cables)).map_err(failed)
    }
}

/// Writes an experiment into a folder, and returns it as it was written.
fn write(folder: &Path, text: String) -> Result<Arc<Source>, Failure> {
    files::prepare(folder).map_err(Failure::Export)?;
    let path = folder.join(FILE);
    let failed = |error| Failure::Export(files::ExportError::Io { path: path.display().to_string(), error });
    fs::write(&path, &text).map_err(failed)?;
    Ok(Arc::new(Source::new(&path, text, &[])?))
}

/// Returns the name of a policy's folder.
fn folder_name(policy: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' };
    policy.chars().map(plain).collect()
}

/// Runs a case with all tables, unless this build has done so.
fn run_with_channels(sweep: &Sweep<'_>, number: u64, folder: &Path) -> Result<(), Failure> {
    let case = sweep.case(number)?;
    let inputs = drowse_run::inputs::open(&case, &drowse_run::inputs::Traces::default())?;
    let id = drowse_run::identity::case_id(&case, &inputs);
    let is_done = folder.join(CASES.file).exists()
        && Results::read(folder).is_ok_and(|results| {
            results.manifest.build == BUILD && results.cases_with(cases::CASE_ID.name).any(|known| known == id)
        });
    if is_done {
        return Ok(());
    }
    let outcomes = RunRequest { cancel: Cancel::default(), ..RunRequest::new(&case) }.run()?;
    files::prepare(folder).map_err(Failure::Export)?;
    export::write(folder, &outcomes.all()).map_err(Failure::Export)
}

/// Lays out all cables as a table.
fn cable_table(cables: &Cables) -> String {
    let mut text = String::from("cable,class,of_node,saved_w,asleep,asleep_least,delayed_messages,bytes\n");
    for cable in &cables.cables {
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let (name, class) = (quoted(&cable.name), quoted(&cable.class));
        let figures = [cable.saved_w, cable.asleep, cable.asleep_least, cable.delayed, cable.bytes];
        let figures = figures.map(|figure| figure.to_string()).join(",");
        // Writing into a text cannot fail.
        let _ = writeln!(text, "{name},{class},{},{figures}", cable.of_node);
    }
    text
}
