//! Why what is packed and whole is not unpacked all the same.

use std::io;

/// Why a packed file that may be whole is not unpacked, and what to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is far longer than the file that holds it.
    #[error(
        "it unpacks to more than 10,000 times the length of the file, as a decompression bomb does; if you trust it, \
         unpack it yourself and name what comes out"
    )]
    Bomb,
    /// Decompressing it takes too much memory.
    #[error("it asks for more than 512 MiB of memory to be decompressed; if you trust it, decompress it with `xz -d`")]
    Memory,
    /// There is no room for what comes out.
    #[error(
        "it unpacks to more than there is room for in {}: make room, or give another folder by TMPDIR",
        std::env::temp_dir().display()
    )]
    Room,
    /// A header says that a name or an attribute is longer than any is.
    #[error("a header says that what describes the member takes more than 1 MiB; pack the files again")]
    Header,
    /// It is in a form that is not read.
    #[error("it has holes or more than 8 GiB, which is not read; unpack it yourself and name what comes out")]
    Form,
    /// Its members are longer than the archive.
    #[error("its members overlap, as those of a decompression bomb do; pack the files again")]
    Overlap,
    /// It would be written elsewhere.
    #[error("its path leads out of the archive; pack the files again, with paths below one folder")]
    Path,
    /// It needs a password.
    #[error("it is encrypted; unpack it yourself and name what comes out")]
    Encrypted,
    /// Its compression is not read.
    #[error(
        "it is packed by another method than deflate, which is not read; unpack it yourself, or pack it as .tar.zst"
    )]
    Method,
}

impl From<Refusal> for io::Error {
    fn from(refusal: Refusal) -> Self {
        io::Error::new(io::ErrorKind::InvalidData, refusal)
    }
}
