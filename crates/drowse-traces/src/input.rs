//! Opens files whose names users give, without a hang and without an end: a device is refused, a pipe must have a writer,
//! and no more is read than is allowed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The longest file that is read into memory: far more than any experiment, network or table for one has.
pub const MOST_BYTES: u64 = 256 << 20;

/// How long somebody may take to open the other end of a pipe.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long nothing is done while a pipe is empty.
const PAUSE: Duration = Duration::from_millis(2);

/// Reads a whole file or pipe of no more than so many bytes.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let why = format!("it is longer than {} MiB, as no such file is", most >> 20);
        return Err(io::Error::new(ErrorKind::InvalidData, why));
    }
    Ok(bytes)
}

/// Refuses what is neither a file nor a folder: it may have no end, or cannot be read twice.
pub(crate) fn refuse_streams(path: &Path) -> io::Result<()> {
    let kind = fs::metadata(path)?.file_type();
    if kind.is_file() || kind.is_dir() {
        return Ok(());
    }
    let what = if is_pipe(path)? { "a pipe, and a trace is read more than once" } else { "a device" };
    Err(io::Error::new(ErrorKind::InvalidInput, format!("it is {what}; give the name of a file")))
}

/// Opens a file or a pipe.
fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    let kind = fs::metadata(path)?.file_type();
    if kind.is_file() || kind.is_dir() {
        return Ok(Box::new(File::open(path)?));
    }
    if is_pipe(path)? {
        return Ok(Box::new(Pipe::open(path)?));
    }
    Err(io::Error::new(ErrorKind::InvalidInput, "it is a device; give the name of a file"))
}

#[cfg(unix)]
fn is_pipe(path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::FileTypeExt;
    Ok(fs::metadata(path)?.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_pipe(_: &Path) -> io::Result<bool> {
    Ok(false)
}

/// A pipe. To open one without a writer would wait for one for ever.
struct Pipe {
    file: File,
    opened: Instant,
    /// Whether something has come: then the end is the end.
    begun: bool,
}

impl Pipe {
    fn open(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::custom_flags(
            &mut options,
            rustix::fs::OFlags::NONBLOCK.bits().cast_signed(),
        );
        Ok(Pipe { file: options.open(path)?, opened: Instant::now(), begun: false })
    }
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.file.read(buffer) {
                Ok(0) if !self.begun && self.opened.elapsed() > PATIENCE => {
                    return Err(io::Error::new(ErrorKind::InvalidInput, "it is a pipe into which nobody writes"));
                }
                Ok(0) if !self.begun => sleep(PAUSE),
                // There is a writer, who has written nothing yet.
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.begun = true;
                    sleep(PAUSE);
                }
                read => {
                    self.begun = true;
                    return read;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::thread;

    use super::*;

    #[test]
    fn streams_without_an_end_are_refused() {
        for device in ["/dev/zero", "/dev/null"] {
            let told = read(Path::new(device), 10).map_err(|error| error.to_string());
            assert_eq!(told, Err("it is a device; give the name of a file".into()), "{device}");
            assert!(refuse_streams(Path::new(device)).is_err());
        }
        let file = tempfile::NamedTempFile::new().unwrap_or_else(|error| panic!("{error}"));
        fs::write(file.path(), "0123456789").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(read(file.path(), 10).ok().as_deref(), Some(&b"0123456789"[..]));
        assert!(read(file.path(), 9).is_err() && refuse_streams(file.path()).is_ok());
    }

    #[test]
    fn a_pipe_is_read_to_its_end_or_refused() {
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()));
        let text = "line\n".repeat(100_000);
        let (to, written) = (pipe.clone(), text.clone());
        let writer = thread::spawn(move || fs::write(to, written));
        assert!(read(&pipe, MOST_BYTES).ok() == Some(text.into_bytes()));
        assert!(writer.join().is_ok_and(|written| written.is_ok()));
        assert!(read(&pipe, MOST_BYTES).is_err_and(|error| error.to_string().contains("nobody writes")));
        assert!(refuse_streams(&pipe).is_err_and(|error| error.to_string().contains("a pipe")));
    }
}
