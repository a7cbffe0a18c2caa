//! Which files a trace has: one per rank, and perhaps one that lists the process groups.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::dimensions::Dimensions;
use crate::error::TraceError;
use crate::files::{self, ByteFile, Content, Found};

/// The files of a trace.
pub(super) struct Files {
    pub ranks: Vec<ByteFile>,
    pub groups: Option<Groups>,
    pub dimensions: Option<Dimensions>,
}

/// The ranks of process groups by name, as a JSON file tells them.
pub(super) type Groups = BTreeMap<String, Vec<u32>>;

/// Endings of compressed files.
const PACKED: [&str; 3] = [".gz", ".zst", ".xz"];

/// The longest JSON file that is taken for a list of groups.
const LONGEST_LIST: u64 = 64 << 20;

/// Returns whether what was found is a Chakra trace, or the file of one rank.
pub(crate) fn recognises(found: &Found) -> Result<bool, TraceError> {
    if found.single_head()?.is_some_and(|head| is_chakra(&head)) {
        return Ok(true);
    }
    let members = found.members()?;
    let Some(name) = members.iter().find(|name| rank_of(name).is_some()) else { return Ok(false) };
    let head = found.member_head(name)?;
    Ok(is_chakra(&head) || matches!(files::recognise(&head), Content::Compressed(_)))
}

/// Returns prefix and rank of a file's name, `PREFIX.N.et`.
fn rank_of(name: &str) -> Option<(&str, u32)> {
    let name = PACKED.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
    let (prefix, number) = name.strip_suffix(".et")?.rsplit_once('.')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    Some((prefix, number.parse().ok().filter(|_| is_number)?))
}

/// Returns the files of all ranks in order.
pub(super) fn files(found: Found) -> Result<Files, TraceError> {
    let names = found.members()?;
    let Some(ranks) = files::by_rank(&found, &names, rank_of)? else {
        return Ok(Files { ranks: vec![ByteFile::alone(found.into_single()?)], groups: None, dimensions: None });
    };
    let groups = read_json(&found, &names)?;
    let dimensions = read_json(&found, &names)?;
    let ranks = match found {
        Found::Folder(path) => ranks.iter().map(|name| in_folder(&path.join(name))).collect::<Result<_, _>>()?,
        Found::File(_) => Vec::new(),
        Found::Archive(archive) => {
            let texts: Vec<_> = ranks.iter().map(|name| archive.member(name)).collect();
            let spool = Arc::new(archive.spool);
            texts.into_iter().map(|text| ByteFile::new(text, Some(Arc::clone(&spool)))).collect()
        }
    };
    Ok(Files { ranks, groups, dimensions })
}

/// Makes a file of a folder readable, which may be compressed.
fn in_folder(path: &Path) -> Result<ByteFile, TraceError> {
    files::look_at(path)?.into_single().map(ByteFile::alone)
}

/// Reads the first JSON file of a form: one that lists process groups, `{"1": [0, 1], "2": [2, 3]}`, or dimensions.
fn read_json<T: DeserializeOwned>(found: &Found, names: &[String]) -> Result<Option<T>, TraceError> {
    let is_list = |name: &&String| Path::new(name.as_str()).extension().is_some_and(|ending| ending == "json");
    for name in names.iter().filter(is_list) {
        let mut bytes = Vec::new();
        let text = found.member(name);
        while bytes.len() as u64 <= LONGEST_LIST {
            let begin = bytes.len();
            bytes.resize(begin + (1 << 16), 0);
            let read = text.read_at(found.spool(), begin as u64, &mut bytes[begin..])?;
            bytes.truncate(begin + read);
            if read == 0 {
                break;
            }
        }
        if let Ok(read) = serde_json::from_slice(&bytes) {
            return Ok(Some(read));
        }
    }
    Ok(None)
}

/// Returns whether a file begins with the message that holds its version: its length, and field 1 with a text of digits
/// and dots, or an attribute that names the schema.
fn is_chakra(head: &[u8]) -> bool {
    let schema = b"\x0a\x06schema\xea\x01";
    if head.get(..64).unwrap_or(head).windows(schema.len()).any(|bytes| bytes == schema) {
        return true;
    }
    let [_, 0x0a, length, rest @ ..] = head else { return false };
    let version = rest.get(..usize::from(*length)).unwrap_or_default();
    version.len() >= 3 && version.contains(&b'.') && version.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_and_names() {
        assert!(is_chakra(b"\x07\x0a\x050.0.4I\x12"));
        assert!(is_chakra(b"\xda\xd0\x01\x12\x1d\x0a\x06schema\xea\x01\x121.0.2-chakra.0.0.4"));
        assert!(is_chakra(b"\x60\x12\x0f\x0a\x06schema\xea\x01\x051.0.1\x12\x08"));
        assert!(
            ![b"rank0.txt\n".as_slice(), b"\x07\x0a", b"", b"{\n  \"schema\": \"1.1.1-chakra.0.0.4\""]
                .map(is_chakra)
                .contains(&true)
        );
        assert_eq!(rank_of("a/all_reduce.12.et"), Some(("a/all_reduce", 12)));
        assert_eq!(rank_of("chakra.0.et.gz"), Some(("chakra", 0)));
        for name in ["0.et", "a.et", "a.x.et", "a.1.eg", "a.99999999999.et", "a.1.json"] {
            assert_eq!(rank_of(name), None, "{name}");
        }
    }
}
