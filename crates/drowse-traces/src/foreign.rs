//! Trace formats that are known by their first bytes but not read.

/// The first bytes of such formats; the text completes "is ...".
const FOREIGN: &[(&[u8], &str)] = &[
    (b"\x03botf2", "the anchor file of an OTF2 trace"),
    // Event and definition files of OTF2 begin with the same chunk header as the anchor, without the name.
    (b"\x03b\x01\0\0\0\0\0\0\0", "a part of an OTF2 trace"),
];

/// Returns the name of a known format that is not read.
pub(crate) fn foreign(head: &[u8]) -> Option<&'static str> {
    let starts = |start: &[u8]| head.get(..start.len()).is_some_and(|bytes| bytes.eq_ignore_ascii_case(start));
    let known = FOREIGN.iter().find(|(start, _)| starts(start)).map(|(_, format)| *format);
    known.or_else(|| is_chakra(head).then_some("a Chakra execution trace (.et)"))
}

/// Returns whether a file begins with the message of Chakra that holds its version: its length, and field 1 with a
/// text of digits and dots, or an attribute that names the schema.
fn is_chakra(head: &[u8]) -> bool {
    let schema = b"-chakra.";
    if head.len() > 64 && head[..64].windows(schema.len()).any(|bytes| bytes == schema) {
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
    fn first_bytes_name_formats() {
        assert_eq!(foreign(b"\x03BOTF2\0\x03"), Some("the anchor file of an OTF2 trace"));
        assert_eq!(foreign(b"\x07\x0a\x050.0.4I\x12"), Some("a Chakra execution trace (.et)"));
        let attributes = b"\xda\xd0\x01\x12\x1d\x0a\x06schema\xea\x01\x121.0.2-chakra.0.0.4".as_slice();
        let attributes = [attributes, b"\x12\x9d\xd0\x01\x0a\x0ainput_files and so on, and on"].concat();
        assert_eq!(foreign(&attributes), Some("a Chakra execution trace (.et)"));
        assert_eq!([foreign(b"rank0.txt\n"), foreign(b"\x07\x0a"), foreign(b"")], [None; 3]);
    }
}
