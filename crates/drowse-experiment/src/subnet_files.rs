//! Files of an InfiniBand subnet: its topology, and the dumps of its tables, which may be too long for memory.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use drowse_fabric::infiniband::tables::DumpError;
use drowse_fabric::infiniband::{Options, Subnet};

use crate::diagnostic::{Diagnostic, Location, Snippet};
use crate::machine::is_bad_input;
use crate::source::{Source, read_text};

/// The files of a subnet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubnetFiles {
    /// The output of ibnetdiscover, or the like.
    pub topology: PathBuf,
    /// The forwarding tables of its switches.
    pub tables: PathBuf,
    /// Service levels of pairs, and the lanes that switches have for them.
    pub lanes: Option<(PathBuf, PathBuf)>,
}

/// Reads the topology of a subnet, as ibnetdiscover prints it, or OpenSM.
pub fn subnet(path: &Path) -> Result<Subnet, Diagnostic> {
    let text = read_text(path).map_err(|error| unreadable(path, &error))?;
    match Subnet::parse(&text, &Options::default()) {
        Ok(subnet) => Ok(subnet),
        Err(wrong) => Err(Source::new(path, text, &[])?.error_at(&wrong.span, wrong.message, wrong.help)),
    }
}

/// Reads a dump as a stream.
pub fn dump<T>(path: &Path, parse: impl FnOnce(BufReader<File>) -> Result<T, DumpError>) -> Result<T, Diagnostic> {
    const GZIP: [u8; 2] = [0x1f, 0x8b];
    let file = open(path).map_err(|error| unreadable(path, &error))?;
    let mut file = BufReader::with_capacity(1 << 20, file);
    if file.fill_buf().map_err(|error| unreadable(path, &error))?.starts_with(&GZIP) {
        return Err(Diagnostic::of_file(path, "this file is packed by gzip", "unpack it: gunzip FILE"));
    }
    parse(file).map_err(|error| match error {
        DumpError::Read(error) => unreadable(path, &error),
        DumpError::Wrong { line: 0, message, help } => Diagnostic::of_file(path, message, help),
        DumpError::Wrong { line, message, help } => {
            let file = path.display().to_string();
            let number = usize::try_from(line).unwrap_or(usize::MAX);
            let location = Location::Position { file, line: number, column: 1 };
            let shown = |text: String| Box::new(Snippet::new(&text, 0, text.len(), Some(number)));
            Diagnostic { location, message, help, snippet: line_of(path, line).map(shown), machine: false }
        }
    })
}

/// Reads a line of a file by its number from 1 again, to show it; `None` where that cannot be done.
fn line_of(path: &Path, number: u64) -> Option<String> {
    const MOST: u64 = 65_536;
    let mut file = BufReader::new(open(path).ok()?);
    for _ in 1..number {
        file.skip_until(b'\n').ok().filter(|&bytes| bytes > 0)?;
    }
    let mut line = Vec::new();
    file.take(MOST).read_until(b'\n', &mut line).ok()?;
    let line = String::from_utf8_lossy(line.trim_ascii_end()).into_owned();
    (!line.is_empty() && !line.contains(char::is_control)).then_some(line)
}

fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::new(ErrorKind::InvalidInput, "it is no file")) }
}

fn unreadable(path: &Path, error: &io::Error) -> Diagnostic {
    let help = "write the name of a file, unpacked";
    Diagnostic {
        machine: !is_bad_input(error),
        ..Diagnostic::of_file(path, format!("it cannot be read: {error}"), help)
    }
}
