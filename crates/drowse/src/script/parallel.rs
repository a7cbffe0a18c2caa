//! GNU parallel, a job for each shard, as many at a time as there are cores for.

use super::{Unquotable, Work, ranges};

/// Writes the commands.
pub fn script(work: &Work<'_>) -> Result<String, Unquotable> {
    let sequence = |(first, last)| if first == last { format!(" {first}") } else { format!(" $(seq {first} {last})") };
    let numbers: String = ranges(work).into_iter().map(sequence).collect();
    let command = work.shard(&format!("{MARK}/{}", work.submission.of), &work.threads.to_string())?;
    Ok(format!(
        r#"parallel --jobs={share}%{options} --quote -I {MARK} \
    {command} \
    :::{numbers} || echo "some tasks have failed" >&2
{merge}
"#,
        share = (100 / work.threads).max(1),
        options = work.options()?,
        merge = work.merge()?,
    ))
}

/// What GNU parallel replaces by the number of a shard. Its usual `{}` may stand in a path.
const MARK: &str = "SHARD";
