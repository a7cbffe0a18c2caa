//! Recognises the content of a file by its first bytes, not by its name.

use std::io::Read;

/// The number of bytes that recognition needs: one tar header.
pub(crate) const HEAD_BYTES: usize = 512;

/// The content of a file, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Tar,
    Compressed(Compression),
    /// A trace format that is known by its first bytes but not read; the text completes "is …".
    Foreign(&'static str),
    Text,
    Binary,
}

/// A compression of archives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    Gzip,
    Zstd,
    Xz,
}

impl Compression {
    /// Returns the usual name.
    pub fn name(self) -> &'static str {
        match self {
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
            Compression::Xz => "xz",
        }
    }

    /// Wraps a reader of compressed bytes in one of decompressed bytes.
    pub fn decompress<'a, R: Read + 'a>(self, compressed: R) -> std::io::Result<Box<dyn Read + 'a>> {
        Ok(match self {
            Compression::Gzip => Box::new(flate2::read::MultiGzDecoder::new(compressed)),
            Compression::Zstd => Box::new(zstd::Decoder::new(compressed)?),
            Compression::Xz => Box::new(liblzma::read::XzDecoder::new_multi_decoder(compressed)),
        })
    }
}

/// The first bytes of formats that are known but not read.
const FOREIGN: &[(&[u8], &str)] = &[
    (b"#paraver", "a Paraver trace (.prv)"),
    (b"#dimemas", "a Dimemas trace (.dim)"),
    (b"\xff\xaadumpi", "an SST DUMPI trace (.bin)"),
    (b"num_ranks", "a GOAL schedule in text form"),
    (&[0x7f, 0x10, 0, 0, 0, 0, 0, 0], "a GOAL schedule in binary form"),
    (b"\x03botf2", "the anchor file of an OTF2 trace"),
    // Event and definition files of OTF2 begin with the same chunk header as the anchor, without the name.
    (b"\x03b\x01\0\0\0\0\0\0\0", "a part of an OTF2 trace"),
];

/// Returns the content of a file from its first bytes.
pub(crate) fn recognise(head: &[u8]) -> Content {
    if head.starts_with(&[0x1f, 0x8b]) {
        return Content::Compressed(Compression::Gzip);
    }
    if head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        return Content::Compressed(Compression::Zstd);
    }
    if head.starts_with(&[0xfd, b'7', b'z', b'X', b'Z', 0]) {
        return Content::Compressed(Compression::Xz);
    }
    if head.get(257..262) == Some(b"ustar".as_slice()) {
        return Content::Tar;
    }
    for (start, format) in FOREIGN {
        if head.get(..start.len()).is_some_and(|bytes| bytes.eq_ignore_ascii_case(start)) {
            return Content::Foreign(format);
        }
    }
    if is_vef(head) {
        return Content::Foreign("a VEF trace");
    }
    if head.contains(&0) { Content::Binary } else { Content::Text }
}

/// Returns whether a text starts with the word `VEF`, perhaps with a version, and not with a path of that name.
fn is_vef(head: &[u8]) -> bool {
    let word = head.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    word.strip_prefix(b"VEF").is_some_and(|version| version.iter().all(u8::is_ascii_digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_distinguish_formats() {
        assert_eq!(recognise(b"\x28\xb5\x2f\xfd\0"), Content::Compressed(Compression::Zstd));
        assert_eq!(recognise(b"#Paraver (1/1/2000"), Content::Foreign("a Paraver trace (.prv)"));
        assert_eq!(recognise(b"#DIMEMAS:\"x\":1"), Content::Foreign("a Dimemas trace (.dim)"));
        assert_eq!(recognise(b"VEF3 16 20 0 0 0 0"), Content::Foreign("a VEF trace"));
        assert_eq!(recognise(b"\x03BOTF2\0\x03"), Content::Foreign("the anchor file of an OTF2 trace"));
        assert_eq!(recognise(b"\xff\xaaDUMPI"), Content::Foreign("an SST DUMPI trace (.bin)"));
        assert_eq!(recognise(&4223u64.to_le_bytes()), Content::Foreign("a GOAL schedule in binary form"));
        assert_eq!(recognise(b"rank0.txt\n"), Content::Text);
        assert_eq!(recognise(b"VEF3/rank0.txt\n"), Content::Text);
        assert_eq!(recognise(b"\0\x01"), Content::Binary);
        assert_eq!(recognise(b""), Content::Text);
    }
}
