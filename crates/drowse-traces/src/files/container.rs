//! Recognises the content of a file by its first bytes, not by its name.

use std::io::Read;

/// The number of bytes by which contents are recognised: more than one tar header, and a few lines of text.
pub(crate) const HEAD_BYTES: usize = 4096;

/// The content of a file, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Tar,
    Compressed(Compression),
    Text,
    Binary,
}

/// A compression of archives and single files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    Gzip,
    Zstd,
    Xz,
}

impl Compression {
    /// Wraps a reader of compressed bytes in one of decompressed bytes.
    pub fn decompress<'a, R: Read + 'a>(self, compressed: R) -> std::io::Result<Box<dyn Read + 'a>> {
        Ok(match self {
            Compression::Gzip => Box::new(flate2::read::MultiGzDecoder::new(compressed)),
            Compression::Zstd => Box::new(zstd::Decoder::new(compressed)?),
            Compression::Xz => Box::new(liblzma::read::XzDecoder::new_multi_decoder(compressed)),
        })
    }
}

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
    if head.contains(&0) { Content::Binary } else { Content::Text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_distinguish_containers() {
        assert_eq!(recognise(b"\x28\xb5\x2f\xfd\0"), Content::Compressed(Compression::Zstd));
        assert_eq!(recognise(b"rank0.txt\n"), Content::Text);
        assert_eq!(recognise(b"\0\x01"), Content::Binary);
        assert_eq!(recognise(b""), Content::Text);
    }
}
