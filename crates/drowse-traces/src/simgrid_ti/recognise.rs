//! Recognises a TI trace: an index, or a text whose lines begin with a rank.

use crate::error::TraceError;
use crate::files::{Content, Found, Listed, first_column, is_index_name, is_path, recognise};
use crate::foreign::foreign;

/// Returns whether what was found is a TI trace, or an index of one.
pub(crate) fn recognises(found: &Found) -> Result<bool, TraceError> {
    let Found::File(file) = found else { return Ok(found.members()?.iter().any(|name| is_index_name(name))) };
    // The first lines of some formats look like comments.
    if recognise(&file.head) != Content::Text || foreign(&file.head).is_some() {
        return Ok(false);
    }
    // A text of comments only is an empty trace.
    let Some((line, path)) = first_line(&file.head) else { return Ok(true) };
    let action = matches!(first_column(path.as_bytes()), Some((Ok(_), rest)) if !rest.is_empty());
    let path = path.strip_prefix('@').unwrap_or(&path).to_owned();
    Ok(action || is_path(&file.path, &Listed { line, path }))
}

/// Returns the first line of a text that is neither blank nor a comment, with its number.
pub(crate) fn first_line(head: &[u8]) -> Option<(u64, String)> {
    let lines = head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let (line, text) = (1..).zip(lines).find(|(_, line)| !line.is_empty() && line[0] != b'#')?;
    Some((line, String::from_utf8_lossy(text).into_owned()))
}
