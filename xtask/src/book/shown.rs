//! A page of the book as it should be: what it shows is run, and what the commands print is put in.
//!
//! ~~~text
//! ```toml file=NAME   the block is written to NAME
//! ```sh run           the commands are run; the first that fails ends the check
//! ```sh fails         the commands are run, and the last must fail
//! ```text output      what the commands before this block print, up to what depends on machine and version
//! ```rust types=FILE  the types of a Rust file: from its first documented one up to `main`
//! <!--=COMMAND-->TEXT<!--=-->    TEXT is what a command tells: [`super::told`]
//! ~~~

use std::path::Path;
use std::process::Command;

use regex::Regex;

use super::told::tell;
use crate::failure::{Failure, Outcome};
use crate::process::{captured, text, whole};
use crate::repository::{read, write};

/// A page whose commands run in a folder of their own.
pub struct Page<'a> {
    pub name: &'a str,
    pub here: &'a Path,
    /// Where programs are looked for.
    pub path: &'a str,
}

/// What a block is.
enum Kind {
    File(String),
    Run,
    Fails,
    Output,
    Types,
    Other,
}

impl Page<'_> {
    /// Returns the page with what its commands print.
    pub fn filled(&self, page: &str) -> Outcome<String> {
        let (mut filled, mut printed) = (String::new(), String::new());
        let mut block: Option<(Kind, String)> = None;
        for (at, line) in page.lines().enumerate() {
            let stop = |message: String| Failure::new(format!("{}:{}: {message}", self.name, at + 1));
            match &mut block {
                None if line.starts_with("```") => {
                    let (kind, shown) = begin(line, &printed).map_err(|failure| stop(failure.message))?;
                    filled += &format!("{line}\n{shown}");
                    block = Some((kind, String::new()));
                }
                None => {
                    let line = told(line, &printed).map_err(stop)?;
                    filled += &format!("{line}\n");
                }
                Some((kind, lines)) if line == "```" => {
                    match kind {
                        Kind::File(name) => write(self.here.join(name), lines)?,
                        Kind::Run => printed = self.run(lines, false).map_err(|failure| stop(failure.message))?,
                        Kind::Fails => printed = self.run(lines, true).map_err(|failure| stop(failure.message))?,
                        _ => {}
                    }
                    filled += "```\n";
                    block = None;
                }
                Some((Kind::Output | Kind::Types, _)) => {}
                Some((_, lines)) => {
                    *lines += &format!("{line}\n");
                    filled += &format!("{line}\n");
                }
            }
        }
        if block.is_some() {
            return Err(Failure::new(format!("{}: a block does not end", self.name)));
        }
        Ok(filled)
    }

    /// Runs commands. Returns what they print; with errors where they must fail.
    fn run(&self, commands: &str, fails: bool) -> Outcome<String> {
        let script = self.here.join(".commands");
        // What must fail is shown with its message.
        let errors = if fails { "exec 2>&1\n" } else { "" };
        write(&script, format!("{errors}{commands}"))?;
        let mut bash = Command::new("bash");
        bash.args(["-euo", "pipefail"]).arg(&script).current_dir(self.here).env("PATH", self.path);
        let ended = captured(&mut bash)?;
        if ended.status.success() == fails {
            let what = if fails { "the commands should fail" } else { "the commands fail" };
            return Err(Failure::new(format!("{what}\n{}", whole(&ended))));
        }
        Ok(text(&ended.stdout))
    }
}

/// Begins a block. Returns what it is and, where its content is made, that.
fn begin(line: &str, printed: &str) -> Outcome<(Kind, String)> {
    let word = line.split_whitespace().nth(1).unwrap_or_default();
    Ok(match word {
        "run" => (Kind::Run, String::new()),
        "fails" => (Kind::Fails, String::new()),
        "output" => (Kind::Output, output(printed)?),
        _ => match word.split_once('=') {
            Some(("file", name)) => (Kind::File(name.to_owned()), String::new()),
            Some(("types", file)) => (Kind::Types, types(file, &read(file)?)?),
            _ => (Kind::Other, String::new()),
        },
    })
}

/// Returns what was printed up to what depends on machine and version, without spaces at ends.
fn output(printed: &str) -> Outcome<String> {
    let end = Regex::new(r"^(simulation|drowse [0-9.]+,)").map_err(|error| Failure::new(error.to_string()))?;
    Ok(without_last_blanks(
        printed.lines().take_while(|line| !end.is_match(line)).map(|line| line.trim_end_matches(' ')),
    ))
}

/// Returns the types of a Rust file.
fn types(file: &str, source: &str) -> Outcome<String> {
    let lines = source.lines().take_while(|line| !line.starts_with("#[expect") && !line.starts_with("fn main"));
    let shown = without_last_blanks(lines.skip_while(|line| !line.starts_with("/// ")));
    if shown.is_empty() { Err(Failure::new(format!("no types in {file}"))) } else { Ok(shown) }
}

fn without_last_blanks<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let (mut kept, mut blanks) = (String::new(), 0);
    for line in lines {
        if line.is_empty() {
            blanks += 1;
        } else {
            kept += &"\n".repeat(blanks);
            kept += line;
            kept.push('\n');
            blanks = 0;
        }
    }
    kept
}

/// Puts what commands tell between their marks.
fn told(line: &str, printed: &str) -> Result<String, String> {
    let (mut done, mut rest) = (String::new(), line);
    while let Some((before, after)) = rest.split_once("<!--=") {
        let ends = "the marks of a command and its end are not in one line";
        let (command, after) = after.split_once("-->").ok_or(ends)?;
        let (_, behind) = after.split_once("<!--=-->").ok_or(ends)?;
        done += &format!("{before}<!--={command}-->{}<!--=-->", tell(command, printed)?);
        rest = behind;
    }
    Ok(done + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str) -> Outcome<String> {
        let scratch = tempfile::tempdir().unwrap();
        Page { name: "a.md", here: scratch.path(), path: "/usr/bin:/bin" }.filled(text)
    }

    #[test]
    fn what_commands_print_is_put_in() {
        let page = "```toml file=x\na\n```\n```sh run\ncat x; echo 'b   c  2'; echo; echo 'simulation 1 s'\n```\n\
                    ```text output\nold\n```\nB is <!--=told b share-->1 %<!--=-->.\n";
        let new = page.replace("output\nold\n", "output\na\nb   c  2\n");
        assert!(filled(page).unwrap_err().message.contains("c is no number"));
        let (page, new) = (page.replace("b share", "'  2' number"), new.replace("b share-->1 %", "'  2' number-->"));
        assert_eq!(filled(&page).unwrap(), new);
    }

    #[test]
    fn commands_that_fail_are_told_with_their_line() {
        let failed = |text: &str| filled(text).unwrap_err().message;
        assert_eq!(failed("```sh run\necho x\nfalse\n```\n"), "a.md:4: the commands fail\nx\n");
        assert_eq!(failed("```sh fails\ntrue\n```\n"), "a.md:3: the commands should fail\n");
        assert_eq!(failed("\n```sh\n"), "a.md: a block does not end");
        assert_eq!(failed("<!--=told a b-->\n"), "a.md:1: the marks of a command and its end are not in one line");
    }
}
