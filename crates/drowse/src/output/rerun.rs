//! What has become of results that were made again.

use drowse_run::identity::{BUILD, VERSION};
use drowse_run::rerun::{Rerun, Verdict};

/// Lists the files, each with what has become of it.
pub fn table(rerun: &Rerun) -> String {
    let wide = rerun.files.iter().map(|file| file.file.chars().count()).max().unwrap_or(0);
    let line = |(file, verdict): (&str, &Verdict)| {
        let words = match verdict {
            Verdict::Equal => "same".to_owned(),
            Verdict::Differs(place) => format!("DIFFERS: {place}"),
            Verdict::NotCompared(why) => format!("not compared: {why}"),
        };
        format!("{file:<wide$}  {words}\n")
    };
    rerun.files.iter().map(|file| line((&file.file, &file.verdict))).collect()
}

/// Warns of results by another build.
pub fn other_build(theirs: &str) -> String {
    format!("these results are by {theirs}, but this is drowse {VERSION}, build {BUILD}: differences may be its mends")
}
