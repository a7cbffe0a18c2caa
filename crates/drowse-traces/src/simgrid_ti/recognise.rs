//! Recognises a TI trace: an index, or a text whose lines begin with a rank.

use crate::error::TraceError;
use crate::files::{Content, Found, Listed, could_be_path, first_column, is_index_name, is_listed, recognise};
use crate::registry::{self, Head};

/// Returns whether what was found is a TI trace, or an index of one.
pub(crate) fn recognises(found: &Found) -> Result<bool, TraceError> {
    let Found::File(file) = found else { return Ok(found.members()?.iter().any(|name| is_index_name(name))) };
    if recognise(&file.head) != Content::Text {
        return Ok(false);
    }
    let label = found.label();
    let is_named = is_index_name(&label);
    // The first lines of some formats look like comments, or like paths.
    if !is_named && registry::find(&Head::new(&file.head, &label)).is_some() {
        return Ok(false);
    }
    // A text of comments only is an empty trace.
    let Some((line, path)) = first_line(&file.head) else { return Ok(true) };
    let action = matches!(first_column(path.as_bytes()), Some((Ok(_), rest)) if !rest.is_empty());
    let path = path.strip_prefix('@').unwrap_or(&path).to_owned();
    let listed = Listed { line, path };
    // Any word could be a path: an index is one by its name, or by the file that it lists.
    Ok(action || is_named && could_be_path(&listed) || is_listed(&file.path, &listed))
}

/// Returns the first line of a text that is neither blank nor a comment, with its number.
pub(crate) fn first_line(head: &[u8]) -> Option<(u64, String)> {
    let lines = head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let (line, text) = (1..).zip(lines).find(|(_, line)| !line.is_empty() && line[0] != b'#')?;
    Some((line, String::from_utf8_lossy(text).into_owned()))
}
