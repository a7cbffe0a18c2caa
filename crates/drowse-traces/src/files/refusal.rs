//! Why what is packed is not unpacked: it is damaged, or it is whole and refused all the same.

use std::io;

use crate::error::TraceError;

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

/// Returns the error of an archive that is not unpacked, at a place in it.
pub(super) fn not_unpacked(file: &str, at: &str, source: io::Error) -> TraceError {
    let file = file.to_owned();
    match refusal(&source) {
        Some(refusal) => TraceError::NotUnpacked { file, at: format!("{at}: "), refusal },
        None => TraceError::DamagedArchive { file, at: at.to_owned(), source },
    }
}

/// Returns the error of a compressed file that is not decompressed.
pub(super) fn not_decompressed(file: &str, source: io::Error) -> TraceError {
    let file = file.to_owned();
    match refusal(&source) {
        Some(refusal) => TraceError::NotUnpacked { file, at: String::new(), refusal },
        None => TraceError::DamagedFile { file, source },
    }
}

fn refusal(error: &io::Error) -> Option<Refusal> {
    error.get_ref().and_then(|cause| cause.downcast_ref()).copied()
}
