//! Trace formats that are known by their first bytes but not read.

/// The first bytes of such formats; the text completes "is ...".
const FOREIGN: &[(&[u8], &str)] = &[
    // Event and definition files of OTF2 begin with the same chunk header as the anchor, without the name.
    (b"\x03b\x01\0\0\0\0\0\0\0", OTF2),
    (b"\x03#\0\0\0\0\0\0\0\x01", OTF2),
];

const OTF2: &str = "a part of an OTF2 trace; name its folder, or the anchor file `traces.otf2`";

/// Texts near the beginning of JSON files of Chakra.
const JSON: &[(&[u8], &str)] = &[
    (
        b"-chakra.",
        "a trace of PyTorch for Chakra (JSON); make .et files of it by chakra_trace_link and chakra_converter",
    ),
    (b"\"workload_graph\"", "a Chakra trace as JSON, which has no sizes; make .et files by chakra_converter"),
];

/// Returns the name of a known format that is not read.
pub(crate) fn foreign(head: &[u8]) -> Option<&'static str> {
    let starts = |start: &[u8]| head.get(..start.len()).is_some_and(|bytes| bytes.eq_ignore_ascii_case(start));
    let known = FOREIGN.iter().find(|(start, _)| starts(start)).map(|(_, format)| *format);
    let head = head.get(..512).unwrap_or(head);
    let holds =
        |text: &[u8]| head.trim_ascii_start().starts_with(b"{") && head.windows(text.len()).any(|bytes| bytes == text);
    known.or_else(|| JSON.iter().find(|(text, _)| holds(text)).map(|(_, format)| *format))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_name_formats() {
        let pytorch = foreign(b"{\n  \"schema\": \"1.1.1-chakra.0.0.4\",").unwrap_or_default();
        assert!(pytorch.contains("chakra_trace_link"));
        assert!(foreign(b"{ \"workload_graph\": [").is_some());
        assert_eq!([foreign(b"rank0.txt\n"), foreign(b"\x07\x0a"), foreign(b"")], [None; 3]);
    }
}
