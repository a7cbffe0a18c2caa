//! Recognises the content of a file by its first bytes, not by its name.

use std::io::Read;

use liblzma::read::XzDecoder;
use liblzma::stream::{CONCATENATED, Error, Stream};

use super::refusal::Refusal;

/// The number of bytes by which contents are recognised: more than one tar header, and a few lines of text.
pub(crate) const HEAD_BYTES: usize = 4096;

/// The memory that decompressing an xz file may take. The header says what is needed, and may lie: up to 4 GiB. `xz -9`
/// needs 65 MiB. zstd refuses more than 128 MiB by itself.
const XZ_MEMORY: u64 = 512 << 20;

/// The first bytes of a zip archive with members, and of one without.
const ZIP_BEGINNINGS: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// The content of a file, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Tar,
    Zip,
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
            Compression::Xz => {
                let stream = Stream::new_stream_decoder(XZ_MEMORY, CONCATENATED)?;
                Box::new(Xz(XzDecoder::new_stream(compressed, stream)))
            }
        })
    }
}

/// Decompresses, and says what is meant by the limit of memory.
struct Xz<R: Read>(XzDecoder<R>);

impl<R: Read> Read for Xz<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.0.read(buffer).map_err(|error| {
            let cause = error.get_ref().and_then(|cause| cause.downcast_ref::<Error>());
            if cause == Some(&Error::MemLimit) { Refusal::Memory.into() } else { error }
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
    if is_zip(head) {
        return Content::Zip;
    }
    if head.get(257..262) == Some(b"ustar".as_slice()) {
        return Content::Tar;
    }
    if head.contains(&0) { Content::Binary } else { Content::Text }
}

/// Returns whether a file begins as a zip archive, which may be empty.
fn is_zip(head: &[u8]) -> bool {
    ZIP_BEGINNINGS.iter().any(|beginning| head.starts_with(beginning))
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
