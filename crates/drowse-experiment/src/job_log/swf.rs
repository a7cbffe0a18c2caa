//! The Standard Workload Format (Feitelson, version 2.2).
//!
//! A line is a job of 18 numbers; lines that begin with `;` are comments, of which two say how many processors and nodes
//! the machine has; -1 stands for what is not known. Seconds may have fractions, which are rounded to microseconds. Lines
//! with the status 2, 3 or 4 tell parts of a job that has a line of its own, and are left out, as are jobs without a run
//! time. Everything else is understood or refused.

use std::collections::HashSet;
use std::ops::Range;

use super::job::{About, JobLog, LogJob, MILLION, Size, Wrong, left_out};

/// What the fields of a line are.
const FIELDS: [&str; 18] = [
    "job number",
    "submit time",
    "wait time",
    "run time",
    "allocated processors",
    "average CPU time",
    "used memory",
    "requested processors",
    "requested time",
    "requested memory",
    "status",
    "user",
    "group",
    "executable",
    "queue",
    "partition",
    "preceding job",
    "think time",
];

/// Reads the jobs of a log, at most so many.
pub fn parse(text: &str, most: usize) -> Result<JobLog, Wrong> {
    let (mut log, mut names, mut header) = (JobLog::default(), HashSet::new(), Header::default());
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if log.jobs.len() == most {
            break;
        }
        let words = words(line, start);
        start += line.len();
        match words.first() {
            None => {}
            Some((word, _)) if word.starts_with(';') => header.read(line),
            Some((_, number)) => {
                let number = number.clone();
                match job(&Fields::new(&words)?)? {
                    Ok(job) => log.add(job, &mut names, &number)?,
                    Err(what) => log.leave_out(what),
                }
            }
        }
    }
    log.machine = header.processors.zip(header.nodes);
    Ok(log)
}

/// What the comments say of the machine.
#[derive(Default)]
struct Header {
    processors: Option<u64>,
    nodes: Option<u64>,
}

impl Header {
    /// Reads a comment, such as `; MaxProcs: 1024`.
    fn read(&mut self, line: &str) {
        let Some((key, value)) = line.trim_start_matches([' ', '\t', ';']).split_once(':') else { return };
        let number = value.split_ascii_whitespace().next().and_then(|word| word.parse().ok());
        let number = number.filter(|number| (1..=1 << 40).contains(number));
        match key.trim() {
            "MaxProcs" => self.processors = number,
            "MaxNodes" => self.nodes = number,
            _ => {}
        }
    }
}

/// A word and where it stands.
type Word<'t> = (&'t str, Range<usize>);

/// Splits a line, which begins at a byte of the file, at blanks.
fn words(line: &str, start: usize) -> Vec<Word<'_>> {
    let place = |word: &str| word.as_ptr() as usize - line.as_ptr() as usize + start;
    line.split_ascii_whitespace().map(|word| (word, place(word)..place(word) + word.len())).collect()
}

/// The fields of a line.
struct Fields<'w, 't>(&'w [Word<'t>]);

impl<'w, 't> Fields<'w, 't> {
    fn new(words: &'w [Word<'t>]) -> Result<Self, Wrong> {
        if words.len() != FIELDS.len() {
            let span = words[0].1.start..words[words.len() - 1].1.end;
            let message = format!("a job of the Standard Workload Format has 18 fields, and this line {}", words.len());
            return Err(Wrong::new(&span, message, "write -1 for what is not known, and ; before a comment"));
        }
        for (name, (word, span)) in FIELDS.iter().zip(words) {
            if word.parse::<f64>().is_ok_and(f64::is_finite) {
                continue;
            }
            return Err(Wrong::new(
                span,
                format!("the {name} `{word}` is no number"),
                "write a number, or -1 if not known",
            ));
        }
        Ok(Fields(words))
    }

    /// Returns where the field of this number, from 1 as the format counts them, stands.
    fn place(&self, field: usize) -> &Range<usize> {
        &self.0[field - 1].1
    }

    /// Returns the whole number in the field of this number, from 1; `None` where it is not known.
    fn get(&self, field: usize) -> Result<Option<u64>, Wrong> {
        let out_of_range = || {
            let (word, span) = &self.0[field - 1];
            let message = format!("the {} `{word}` is out of range", FIELDS[field - 1]);
            Wrong::new(span, message, "write a whole number of 0 or more, or -1 if it is not known")
        };
        match self.millionths(field)? {
            Some(millionths) if millionths % MILLION != 0 => Err(out_of_range()),
            millionths => Ok(millionths.map(|millionths| millionths / MILLION)),
        }
    }

    /// Returns the number in the field of this number, from 1, in millionths; `None` where it is not known.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range by then, and not negative")]
    fn millionths(&self, field: usize) -> Result<Option<u64>, Wrong> {
        const MOST: i64 = 1 << 40;
        let (word, span) = &self.0[field - 1];
        let whole = word.parse::<i64>().ok();
        let decimal = word.parse::<f64>().ok().filter(|_| whole.is_none());
        match (whole, decimal) {
            (Some(-1), _) => Ok(None),
            (Some(value @ 0..=MOST), _) => Ok(Some(value.unsigned_abs() * MILLION)),
            (_, Some(-1.0)) => Ok(None),
            (_, Some(value)) if (0.0..=MOST as f64).contains(&value) => {
                Ok(Some((value * MILLION as f64).round() as u64))
            }
            _ => {
                let message = format!("the {} `{word}` is out of range", FIELDS[field - 1]);
                Err(Wrong::new(span, message, "write a number of 0 or more, or -1 if it is not known"))
            }
        }
    }
}

/// Returns the job of a line, or what it is that is left out.
fn job(fields: &Fields<'_, '_>) -> Result<Result<LogJob, &'static str>, Wrong> {
    const CANCELLED: u64 = 5;
    let known = |field, value: Result<Option<u64>, Wrong>| {
        let unknown = || Wrong::new(fields.place(field), format!("the {} is not known", FIELDS[field - 1]), "write it");
        value?.ok_or_else(unknown)
    };
    let (number, submit) = (known(1, fields.get(1))?, known(2, fields.millionths(2))?);
    let (wait, run, allocated, asked) = (fields.millionths(3)?, fields.millionths(4)?, fields.get(5)?, fields.get(8)?);
    let (limit, status, executable) = (fields.millionths(9)?, fields.get(11)?, fields.get(14)?);
    let run = match (status, run.filter(|&run| run > 0)) {
        (Some(2..=4), _) => return Ok(Err(left_out::STEPS)),
        (Some(CANCELLED), None) => return Ok(Err(left_out::NEVER_RAN)),
        (_, None) => return Ok(Err(left_out::NO_TIME)),
        (_, Some(run)) => run,
    };
    let place = if allocated.is_some_and(|allocated| allocated > 0) { 5 } else { 8 };
    let processors = allocated.filter(|&allocated| allocated > 0).or(asked).filter(|&processors| processors > 0);
    let Some(processors) = processors else {
        let message = format!("job {number} says neither how many processors it had nor how many it asked for");
        return Err(Wrong::new(fields.place(5), message, "write one of both, or remove the job"));
    };
    Ok(Ok(LogJob {
        id: number.to_string(),
        submit,
        start: wait.map(|wait| submit + wait),
        run,
        limit: limit.filter(|&limit| limit > 0),
        size: Size::Processors(processors),
        hosts: None,
        timed_out: false,
        about: About { executable, ..About::default() },
        place: fields.place(place).clone(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fields of a job by number, all others unknown.
    fn line(fields: &[(usize, &str)]) -> String {
        let of = |field| fields.iter().find(|(number, _)| *number == field).map_or("-1", |(_, word)| word);
        (1..=18).map(of).collect::<Vec<_>>().join(" ") + "\n"
    }

    #[test]
    fn jobs_are_read_by_the_definition() {
        let text = [
            "; Version: 2.2\n; MaxNodes:  8 (of two kinds)\n;MaxProcs: 64\n;\n\n".to_owned(),
            line(&[(1, "3"), (2, "10"), (3, "5"), (4, "60"), (5, "16"), (8, "32"), (9, "100"), (11, "1"), (14, "7")]),
            "  ; a comment behind blanks\n".to_owned(),
            line(&[(1, "4"), (2, "20"), (4, "30"), (5, "0"), (8, "32")]),
            line(&[(1, "3"), (2, "20"), (5, "8"), (11, "2")]),
            line(&[(1, "5"), (2, "21"), (4, "-1"), (5, "8"), (11, "5")]),
            line(&[(1, "6"), (2, "22"), (4, "9"), (5, "8"), (11, "5")]),
            line(&[(1, "7"), (2, "22"), (4, "0"), (5, "8"), (11, "1")]),
        ]
        .concat();
        let log = parse(&text, usize::MAX).unwrap();
        let told = |job: &LogJob| (job.id.clone(), job.submit, job.start, job.run, job.size, job.limit);
        let s = 1_000_000;
        let expected = [
            ("3".to_owned(), 10 * s, Some(15 * s), 60 * s, Size::Processors(16), Some(100 * s)),
            ("4".to_owned(), 20 * s, None, 30 * s, Size::Processors(32), None),
            ("6".to_owned(), 22 * s, None, 9 * s, Size::Processors(8), None),
        ];
        assert_eq!(log.jobs.iter().map(told).collect::<Vec<_>>(), expected);
        assert_eq!(log.jobs[0].about.executable, Some(7));
        assert_eq!(["16", "32", "8"], [0, 1, 2].map(|job: usize| &text[log.jobs[job].place.clone()]));
        assert_eq!(log.machine, Some((64, 8)));
        let counts = [(left_out::STEPS, 1), (left_out::NEVER_RAN, 1), (left_out::NO_TIME, 1)];
        assert_eq!(log.left_out, counts.into_iter().collect());
        assert_eq!(parse(&text, 2).unwrap().jobs, log.jobs[..2]);
    }

    #[test]
    fn seconds_may_have_fractions() {
        let text = line(&[(1, "1"), (2, "0.25"), (4, "900.5"), (5, "8.0"), (9, "1e3"), (14, "-1.0")]);
        let [read] = &parse(&text, usize::MAX).unwrap().jobs[..] else { panic!("one job") };
        assert_eq!((read.submit, read.run, read.size), (250_000, 900_500_000, Size::Processors(8)));
        assert_eq!((read.limit, read.about.executable), (Some(1_000_000_000), None));
    }

    #[test]
    fn wrong_lines_are_told_at_their_place() {
        let good = line(&[(1, "1"), (2, "0"), (4, "1"), (5, "4")]);
        for (bad, place, message) in [
            ("1 2 3\n".to_owned(), "1 2 3", "has 18 fields, and this line 3"),
            (line(&[(1, "2"), (2, "0"), (5, "four")]), "four", "the allocated processors `four` is no number"),
            (line(&[(1, "2"), (2, "nan"), (5, "4")]), "nan", "the submit time `nan` is no number"),
            (line(&[(1, "2"), (2, "-7"), (5, "4")]), "-7", "the submit time `-7` is out of range"),
            (line(&[(1, "2"), (2, "0"), (5, "4.5")]), "4.5", "the allocated processors `4.5` is out of range"),
            (line(&[(1, "2"), (5, "4")]), "-1", "the submit time is not known"),
            (line(&[(1, "2"), (2, "0"), (4, "1")]), "-1", "job 2 says neither how many processors it had"),
            (line(&[(1, "2"), (2, "0"), (5, "99999999999999")]), "99999999999999", "is out of range"),
            (good.clone(), "1", "job 1 stands here twice"),
        ] {
            let text = format!("{good}{bad}");
            let wrong = parse(&text, usize::MAX).unwrap_err();
            assert!(wrong.message.contains(message), "{}", wrong.message);
            assert_eq!(&text[wrong.span.clone()], place);
            assert!(wrong.span.start >= good.len());
        }
    }
}
