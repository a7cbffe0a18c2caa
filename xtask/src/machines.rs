//! `cargo xtask machines`: random machines: experiments drawn from seeds, in audit mode, whole and in partitions. Pieces of 500 that
//! have been examined at this commit are not examined again, so that it can be stopped at any time. A machine that breaks a law is
//! printed with its seed and made small. The totals of a commit are a line of `.ci/machines.csv`. 100,000 take hours.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Outcome};
use crate::process::{captured, cargo, command, commit, date, run as go, target, text};
use crate::repository::{read, write};

const TOTALS: &str = ".ci/machines.csv";
const PIECE: u64 = 500;

/// Examines the machines of the seeds FROM to FROM + COUNT - 1: 0 and 100,000 where nothing is given.
pub fn run(arguments: &[String]) -> Outcome {
    let number = |at: usize, default: u64| match arguments.get(at) {
        None => Ok(default),
        Some(number) => number.parse().map_err(|_| Failure::usage(format!("{number} is no number of machines"))),
    };
    let (from, count) = (number(0, 0)?, number(1, 100_000)?);
    go(&mut cargo(["build", "--release", "--locked", "-p", "drowse-machines"]))?;
    let commit = commit(8, &["no-such-file"])?;
    let done = target().join("machines").join(&commit);
    fs::create_dir_all(&done)?;
    for seed in (from..from + count).step_by(PIECE as usize) {
        let size = PIECE.min(from + count - seed);
        let examined = done.join(format!("{seed}-{size}.txt"));
        if !examined.is_file() {
            examine(seed, size, &examined)?;
            let totals = totals(&read(TOTALS)?, &date()?, &commit, &last_lines(&done)?);
            write(TOTALS, totals)?;
        }
        let said = read(&examined)?;
        print!("{}", if has_failed(&said) { said.as_str() } else { last_line(&said) });
        println!();
    }
    print!("{}", read(TOTALS)?);
    let failed: Vec<String> = pieces(&done)?
        .into_iter()
        .filter(|piece| read(piece).is_ok_and(|said| has_failed(&said)))
        .map(|piece| piece.display().to_string())
        .collect();
    if failed.is_empty() { Ok(()) } else { Err(Failure::new(failed.join("\n"))) }
}

/// Examines a piece. 1 says that some have failed.
fn examine(seed: u64, size: u64, examined: &Path) -> Outcome {
    let program = target().join("release/drowse-machines");
    let ended = captured(&mut command(program, [seed.to_string(), size.to_string()]))?;
    write(examined.with_extension("reasons"), &ended.stderr)?;
    match ended.status.code() {
        Some(0 | 1) => write(examined, &ended.stdout),
        _ => Err(Failure::new(text(&ended.stdout) + &text(&ended.stderr))),
    }
}

fn pieces(done: &Path) -> Outcome<Vec<PathBuf>> {
    let mut pieces = fs::read_dir(done)?.map(|entry| Ok(entry?.path())).collect::<Outcome<Vec<_>>>()?;
    pieces.retain(|path| path.extension().is_some_and(|ending| ending == "txt"));
    pieces.sort();
    Ok(pieces)
}

fn last_lines(done: &Path) -> Outcome<Vec<String>> {
    pieces(done)?.iter().map(|piece| Ok(last_line(&read(piece)?).to_owned())).collect()
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}

fn has_failed(said: &str) -> bool {
    !said.contains(", 0 failed,")
}

/// Returns the table with the totals of this commit. Each piece ends with: N machines from FROM, N refused, N failed, N seconds.
fn totals(table: &str, date: &str, commit: &str, pieces: &[String]) -> String {
    let mut sums = [0_u64; 4];
    for line in pieces {
        let words: Vec<&str> = line.split_whitespace().collect();
        for (sum, at) in sums.iter_mut().zip([0, 4, 6, 8]) {
            *sum += words.get(at).and_then(|word| word.parse::<u64>().ok()).unwrap_or(0);
        }
    }
    let [machines, refused, failed, seconds] = sums;
    // Lines of other commits stay.
    let others = table.lines().filter(|line| !line.contains(&format!(",{commit},")));
    let others: String = others.map(|line| format!("{line}\n")).collect();
    format!("{others}{date},{commit},{machines},{refused},{failed},{seconds}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_add_up_and_other_commits_stay() {
        let pieces = [
            "500 machines from 0, 30 refused, 0 failed, 12 seconds",
            "100 machines from 500, 3 refused, 1 failed, 2 seconds",
        ];
        let table = "head\nd,old,1,2,3,4\nd,abc,9,9,9,9\n";
        let new = totals(table, "day", "abc", &pieces.map(str::to_owned));
        assert_eq!(new, "head\nd,old,1,2,3,4\nday,abc,600,33,1,14\n");
        assert!(has_failed(pieces[1]) && !has_failed(pieces[0]));
    }
}
