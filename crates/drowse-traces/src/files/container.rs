//! Recognises the content of a file by its first bytes, not by its name.

use std::io::Read;

use liblzma::read::XzDecoder;
use liblzma::stream::{CONCATENATED, Error, Stream};

/// The number of bytes by which contents are recognised: more than one tar header, and a few lines of text.
pub(crate) const HEAD_BYTES: usize = 4096;

/// The memory that decompressing an xz file may take. The header says what is needed, and may lie: up to 4 GiB. `xz -9`
/// needs 65 MiB. zstd refuses more than 128 MiB by itself.
const XZ_MEMORY: u64 = 512 << 20;

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
            if cause != Some(&Error::MemLimit) {
                return error;
            }
            std::io::Error::new(error.kind(), "it says that it needs more than 512 MiB of memory to be decompressed")
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
    if super::zip::is_zip(head) {
        return Content::Zip;
    }
    if head.get(257..262) == Some(b"ustar".as_slice()) {
        return Content::Tar;
    }
    if head.contains(&0) { Content::Binary } else { Content::Text }
}

/// The growth beyond which what is unpacked is no trace. The most repetitive traces grow a thousandfold.
const MOST_GROWTH: u64 = 10_000;
/// What may be unpacked however small the file is.
const ALWAYS_FITS: u64 = 1 << 30;

/// Refuses to go on unpacking a decompression bomb: what has become far longer than the packed file.
pub(crate) fn check_growth(unpacked: u64, packed: u64) -> std::io::Result<()> {
    if unpacked <= ALWAYS_FITS || unpacked / MOST_GROWTH <= packed {
        return Ok(());
    }
    let what = "it unpacks to more than 10,000 times its length, as a decompression bomb does";
    Err(std::io::Error::new(std::io::ErrorKind::InvalidData, what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bombs_are_not_unpacked() {
        assert!(check_growth(1 << 30, 1).is_ok() && check_growth(1 << 40, 1 << 30).is_ok());
        assert!(check_growth((1 << 30) + 1, 1).is_err() && check_growth(1 << 40, 1 << 20).is_err());
    }

    #[test]
    fn first_bytes_distinguish_containers() {
        assert_eq!(recognise(b"\x28\xb5\x2f\xfd\0"), Content::Compressed(Compression::Zstd));
        assert_eq!(recognise(b"rank0.txt\n"), Content::Text);
        assert_eq!(recognise(b"\0\x01"), Content::Binary);
        assert_eq!(recognise(b""), Content::Text);
    }
}
