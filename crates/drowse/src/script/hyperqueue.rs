//! A HyperQueue task array, a task for each shard. Its command line knows no dependencies between jobs, so the script
//! waits, then merges.

use super::{Unquotable, Work, array};

/// Writes the commands.
pub fn script(work: &Work<'_>) -> Result<String, Unquotable> {
    let shard = format!("\"$HQ_TASK_ID/{}\"", work.submission.of);
    let log = work.log("hq-%{JOB_ID}-%{TASK_ID}.txt")?;
    Ok(format!(
        r#"hq submit --name=drowse --stdout={log} --stderr={log}{options} --wait \
    --array={array} --cpus={threads} --stdin sh <<'END' || echo "some tasks have failed" >&2
exec {shard}
END
{merge}
"#,
        options = work.options()?,
        array = array(work),
        threads = work.threads,
        shard = work.shard(&shard, &work.threads.to_string())?,
        merge = work.merge()?,
    ))
}
