//! Job logs in the Standard Workload Format (Feitelson, version 2.2): which jobs arrived when, how large.
//!
//! A line is a job of 18 numbers; lines that begin with `;` are comments; -1 stands for what is not known. Seconds may
//! have fractions, which are rounded to microseconds. Lines with
//! the status 2, 3 or 4 tell parts of a job that has a line of its own, and are left out, as are jobs that were
//! cancelled (status 5) before they ran. Everything else is understood or refused.

use std::collections::HashSet;
use std::ops::Range;

/// A job of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LogJob {
    /// Its number.
    pub number: u64,
    /// When it was submitted, in microseconds.
    pub submit: u64,
    /// How long it ran, in microseconds; where it is known.
    pub run: Option<u64>,
    /// The processors that it was given, or else asked for.
    pub processors: u64,
    /// The time that it asked for, in microseconds; where it is known.
    pub requested: Option<u64>,
    /// The number of its program; where it is known.
    pub executable: Option<u64>,
    /// Where its processors stand.
    pub place: Range<usize>,
}

/// What is wrong with a place of a file, and what to do.
#[derive(Debug)]
pub(super) struct Wrong {
    pub span: Range<usize>,
    pub message: String,
    pub help: String,
}

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
pub(super) fn parse(text: &str, most: usize) -> Result<Vec<LogJob>, Wrong> {
    let (mut jobs, mut numbers) = (Vec::new(), HashSet::new());
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if jobs.len() == most {
            break;
        }
        let words = words(line, start);
        start += line.len();
        if words.first().is_none_or(|(word, _)| word.starts_with(';')) {
            continue;
        }
        let Some(job) = job(&Fields::new(&words)?)? else { continue };
        if !numbers.insert(job.number) {
            let message = format!("job {} has two lines", job.number);
            return Err(wrong(&words[0].1, message, "give each job a number of its own"));
        }
        jobs.push(job);
    }
    Ok(jobs)
}

/// A word and where it stands.
type Word<'t> = (&'t str, Range<usize>);

/// Splits a line, which begins at a byte of the file, at blanks.
fn words(line: &str, start: usize) -> Vec<Word<'_>> {
    let place = |word: &str| word.as_ptr() as usize - line.as_ptr() as usize + start;
    line.split_ascii_whitespace().map(|word| (word, place(word)..place(word) + word.len())).collect()
}

fn wrong(span: &Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Wrong {
    Wrong { span: span.clone(), message: message.into(), help: help.into() }
}

/// The fields of a line.
struct Fields<'w, 't>(&'w [Word<'t>]);

impl<'w, 't> Fields<'w, 't> {
    fn new(words: &'w [Word<'t>]) -> Result<Self, Wrong> {
        if words.len() != FIELDS.len() {
            let span = words[0].1.start..words[words.len() - 1].1.end;
            let message = format!("a job of the Standard Workload Format has 18 fields, and this line {}", words.len());
            return Err(wrong(&span, message, "write -1 for what is not known, and ; before a comment"));
        }
        for (name, (word, span)) in FIELDS.iter().zip(words) {
            if word.parse::<f64>().is_ok_and(f64::is_finite) {
                continue;
            }
            return Err(wrong(span, format!("the {name} `{word}` is no number"), "write a number, or -1 if not known"));
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
            wrong(span, message, "write a whole number of 0 or more, or -1 if it is not known")
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
                Err(wrong(span, message, "write a number of 0 or more, or -1 if it is not known"))
            }
        }
    }
}

/// Microseconds of a second.
pub(super) const MILLION: u64 = 1_000_000;

/// Returns the job of a line; `None` where it is to be left out.
fn job(fields: &Fields<'_, '_>) -> Result<Option<LogJob>, Wrong> {
    const CANCELLED: u64 = 5;
    let status = fields.get(11)?;
    let known = |field, value: Result<Option<u64>, Wrong>| {
        let unknown = || wrong(fields.place(field), format!("the {} is not known", FIELDS[field - 1]), "write it");
        value?.ok_or_else(unknown)
    };
    let (number, submit) = (known(1, fields.get(1))?, known(2, fields.millionths(2))?);
    let (run, allocated, asked) = (fields.millionths(4)?, fields.get(5)?, fields.get(8)?);
    let never_ran = status == Some(CANCELLED) && run.unwrap_or(0) == 0;
    if matches!(status, Some(2..=4)) || never_ran {
        return Ok(None);
    }
    let place = if allocated.is_some_and(|allocated| allocated > 0) { 5 } else { 8 };
    let processors = allocated.filter(|&allocated| allocated > 0).or(asked).filter(|&processors| processors > 0);
    let Some(processors) = processors else {
        let message = format!("job {number} says neither how many processors it had nor how many it asked for");
        return Err(wrong(fields.place(5), message, "write one of both, or remove the job"));
    };
    let (requested, executable) = (fields.millionths(9)?, fields.get(14)?);
    Ok(Some(LogJob { number, submit, run, processors, requested, executable, place: fields.place(place).clone() }))
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
            "; Version: 2.2\n;\n\n".to_owned(),
            line(&[(1, "3"), (2, "10"), (4, "60"), (5, "16"), (6, "1.5"), (8, "32"), (9, "100"), (11, "1"), (14, "7")]),
            "  ; a comment behind blanks\n".to_owned(),
            line(&[(1, "4"), (2, "20"), (5, "0"), (8, "32")]),
            line(&[(1, "3"), (2, "20"), (5, "8"), (11, "2")]),
            line(&[(1, "5"), (2, "21"), (4, "-1"), (5, "8"), (11, "5")]),
            line(&[(1, "6"), (2, "22"), (4, "9"), (5, "8"), (11, "5")]),
        ]
        .concat();
        let jobs = parse(&text, usize::MAX).unwrap();
        let told = |job: &LogJob| (job.number, job.submit, job.run, job.processors, job.requested, job.executable);
        let s = 1_000_000;
        let expected = [
            (3, 10 * s, Some(60 * s), 16, Some(100 * s), Some(7)),
            (4, 20 * s, None, 32, None, None),
            (6, 22 * s, Some(9 * s), 8, None, None),
        ];
        assert_eq!(jobs.iter().map(told).collect::<Vec<_>>(), expected);
        assert_eq!(["16", "32", "8"], [0, 1, 2].map(|job: usize| &text[jobs[job].place.clone()]));
        assert_eq!(parse(&text, 2).unwrap(), jobs[..2]);
    }

    #[test]
    fn seconds_may_have_fractions() {
        let text = line(&[(1, "1"), (2, "0.25"), (4, "900.5"), (5, "8.0"), (9, "1e3"), (14, "-1.0")]);
        let job = LogJob {
            number: 1,
            submit: 250_000,
            run: Some(900_500_000),
            processors: 8,
            requested: Some(1_000_000_000),
            executable: None,
            place: 0..0,
        };
        let [read] = &parse(&text, usize::MAX).unwrap()[..] else { panic!("one job") };
        assert_eq!(LogJob { place: 0..0, ..read.clone() }, job);
    }

    #[test]
    fn wrong_lines_are_told_at_their_place() {
        let good = line(&[(1, "1"), (2, "0"), (5, "4")]);
        for (bad, place, message) in [
            ("1 2 3\n".to_owned(), "1 2 3", "has 18 fields, and this line 3"),
            (line(&[(1, "2"), (2, "0"), (5, "four")]), "four", "the allocated processors `four` is no number"),
            (line(&[(1, "2"), (2, "nan"), (5, "4")]), "nan", "the submit time `nan` is no number"),
            (line(&[(1, "2"), (2, "-7"), (5, "4")]), "-7", "the submit time `-7` is out of range"),
            (line(&[(1, "2"), (2, "0"), (5, "4.5")]), "4.5", "the allocated processors `4.5` is out of range"),
            (line(&[(1, "2"), (5, "4")]), "-1", "the submit time is not known"),
            (line(&[(1, "2"), (2, "0")]), "-1", "job 2 says neither how many processors it had"),
            (line(&[(1, "2"), (2, "0"), (5, "99999999999999")]), "99999999999999", "is out of range"),
            (good.clone(), "1", "job 1 has two lines"),
        ] {
            let text = format!("{good}{bad}");
            let wrong = parse(&text, usize::MAX).unwrap_err();
            assert!(wrong.message.contains(message), "{}", wrong.message);
            assert_eq!(&text[wrong.span.clone()], place);
            assert!(wrong.span.start >= good.len());
        }
    }
}
