//! A Slurm job array, a task for each shard, and a job that merges when all have ended, however they have.

use super::{Unquotable, Work, array};

/// Writes the commands.
pub fn script(work: &Work<'_>) -> Result<String, Unquotable> {
    let shard = format!("\"$SLURM_ARRAY_TASK_ID/{}\"", work.submission.of);
    Ok(format!(
        r#"set -eu
cases=$(sbatch --job-name=drowse --output={task_log}{options} --parsable \
    --array={array} --cpus-per-task={threads} <<'END'
#!/bin/sh
exec {shard}
END
)
merge=$(sbatch --job-name=drowse-merge --output={merge_log}{options} --parsable \
    --dependency="afterany:${{cases%%;*}}" <<'END'
#!/bin/sh
{merge}
END
)
echo "submitted: job array ${{cases%%;*}}, and job ${{merge%%;*}}, which merges after it"
"#,
        task_log = work.log("%A_%a.txt")?,
        merge_log = work.log("%j-merge.txt")?,
        options = work.options()?,
        array = array(work),
        threads = work.threads,
        shard = work.shard(&shard, &work.threads.to_string())?,
        merge = work.merge()?,
    ))
}
