//! `checksums.json`: the length and the CRC-32 of each file of a folder of results. It is written after all of them, so
//! files that an interrupted program has left beside those of an earlier run do not match it, nor do damaged ones.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use crc32fast::Hasher;
use serde_json::{Map, Value as Json, json};

/// The name of the file.
pub const FILE: &str = "checksums.json";

/// What helps where files do not match.
const HELP: &str = "run the experiment again";

/// What the bytes of a file must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checksum {
    /// How many bytes there are.
    pub bytes: u64,
    /// Their CRC-32, as in gzip and zip files.
    pub crc32: u32,
}

impl Checksum {
    /// Returns that of bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Checksum { bytes: bytes.len() as u64, crc32: crc32fast::hash(bytes) }
    }
}

/// Passes bytes on, and takes their checksum.
#[derive(Debug)]
pub struct Summed<W> {
    to: W,
    hasher: Hasher,
    bytes: u64,
}

impl<W: Write> Summed<W> {
    /// Begins without bytes.
    pub fn new(to: W) -> Self {
        Summed { to, hasher: Hasher::new(), bytes: 0 }
    }

    /// Returns the checksum of all bytes so far.
    pub fn checksum(&self) -> Checksum {
        Checksum { bytes: self.bytes, crc32: self.hasher.clone().finalize() }
    }
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// The checksums of the files of a folder, by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checksums(BTreeMap<String, Checksum>);

impl Checksums {
    /// Reads those of a folder; `None` where it has none. The error says what is wrong, and what helps.
    pub fn read(folder: &Path) -> Result<Option<Self>, String> {
        let wrong = |reason: String| format!("{}: {reason}; {HELP}", folder.join(FILE).display());
        match fs::read(folder.join(FILE)) {
            Ok(text) => Self::parse(&text).map(Some).ok_or_else(|| wrong("is no list of checksums".into())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(wrong(format!("cannot be read: {error}"))),
        }
    }

    fn parse(text: &[u8]) -> Option<Self> {
        let files: Map<String, Json> = serde_json::from_slice(text).ok()?;
        let checksum = |file: &Json| {
            let crc32 = u32::from_str_radix(file["crc32"].as_str()?, 16).ok()?;
            Some(Checksum { bytes: file["bytes"].as_u64()?, crc32 })
        };
        let others = files.iter().filter(|(name, _)| *name != FILE);
        let sums = Checksums(others.map(|(name, file)| Some((name.clone(), checksum(file)?))).collect::<Option<_>>()?);
        // The list has its own checksum, and is written in one way only.
        (sums.to_text().as_bytes() == text).then_some(sums)
    }

    /// Adds that of a file.
    pub fn add(&mut self, name: &str, checksum: Checksum) {
        self.0.insert(name.to_owned(), checksum);
    }

    /// Returns the names of the files.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Returns whether a file is among them.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Refuses bytes that are not those of a file of this name; `None` stands for a file that is not there.
    pub fn check(&self, name: &str, bytes: Option<&[u8]>) -> Result<(), String> {
        match (self.0.get(name), bytes) {
            (None, None) => Ok(()),
            (Some(checksum), Some(bytes)) if Checksum::of(bytes) == *checksum => Ok(()),
            (Some(_), Some(_)) => Err(format!(
                "is not as it was written, by {FILE}: it is damaged, changed, or of another run; {HELP}, or remove {FILE} \
                 to read the files as they are"
            )),
            (Some(_), None) => Err(format!("is missing, but {FILE} lists it; {HELP}")),
            (None, Some(_)) => Err(format!("is of another run: {FILE} does not list it; {HELP}")),
        }
    }

    /// Returns the text of the file: a line for each, and one for these lines.
    pub fn to_text(&self) -> String {
        let line = |name: &str, Checksum { bytes, crc32 }: Checksum| {
            format!("  {}: {}", json!(name), json!({ "bytes": bytes, "crc32": format!("{crc32:08x}") }))
        };
        let lines: String = self.0.iter().map(|(name, &checksum)| line(name, checksum) + ",\n").collect();
        let own = line(FILE, Checksum::of(lines.as_bytes()));
        format!("{{\n{lines}{own}\n}}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check value of CRC-32/ISO-HDLC in the catalogue of parametrised CRC algorithms.
    #[test]
    fn checksums_are_those_of_gzip() {
        let mut summed = Summed::new(Vec::new());
        assert!(summed.write_all(b"1234").and_then(|()| summed.write_all(b"56789")).is_ok());
        assert_eq!(summed.checksum(), Checksum { bytes: 9, crc32: 0xcbf4_3926 });
        assert_eq!(summed.checksum(), Checksum::of(b"123456789"));
    }

    #[test]
    fn texts_are_read_back() {
        let mut sums = Checksums::default();
        sums.add("cases.csv", Checksum { bytes: 9, crc32: 0xb_f439 });
        sums.add("a \"b\"", Checksum { bytes: u64::MAX, crc32: u32::MAX });
        assert_eq!(Checksums::parse(sums.to_text().as_bytes()), Some(sums.clone()));
        let text = sums.to_text();
        for bit in 0..8 * text.len() {
            let mut damaged = text.clone().into_bytes();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Checksums::parse(&damaged), None, "bit {bit}");
        }
        for wrong in
            ["", "{", "[]", "{\"a\": 1}", "{\"a\": {\"bytes\": 1, \"crc32\": 5}}", "{\"a\": {\"crc32\": \"0\"}}"]
        {
            assert_eq!(Checksums::parse(wrong.as_bytes()), None, "{wrong}");
        }
    }

    #[test]
    fn files_that_do_not_match_are_refused() {
        let mut sums = Checksums::default();
        sums.add("a", Checksum::of(b"text\n"));
        assert!(sums.check("a", Some(b"text\n")).is_ok() && sums.check("b", None).is_ok());
        for (name, bytes) in [("a", Some(&b"tezt\n"[..])), ("a", Some(b"text")), ("a", None), ("b", Some(b"text\n"))] {
            assert!(sums.check(name, bytes).is_err(), "{name}");
        }
    }
}
