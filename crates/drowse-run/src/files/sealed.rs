//! JSON files that say their own checksum, in their first key: the program believes what it has stored only as far as
//! that matches.

use drowse_tables::checksums::Checksum;
use serde::de::DeserializeOwned;

/// What stands in front of the checksum, and behind it.
const BEGINNING: &[u8] = b"{\n  \"crc32\": \"";
const END: &[u8] = b"\",";
const DIGITS: usize = 8;

/// Puts the checksum of all that follows into the text of a JSON object that is not empty.
pub fn seal(text: &[u8]) -> Vec<u8> {
    let rest = text.strip_prefix(b"{").unwrap_or(text);
    [BEGINNING, digits(rest).as_bytes(), END, rest].concat()
}

/// Reads a value; `None` where a byte is not as it was written.
pub fn open<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let (written, rest) = bytes.strip_prefix(BEGINNING)?.split_at_checked(DIGITS)?;
    let rest = rest.strip_prefix(END)?;
    if digits(rest).as_bytes() != written {
        return None;
    }
    serde_json::from_slice(&[b"{", rest].concat()).ok()
}

fn digits(rest: &[u8]) -> String {
    format!("{:0DIGITS$x}", Checksum::of(rest).crc32)
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use super::*;

    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    struct Thing {
        name: String,
        number: f64,
    }

    /// So neither half a file is believed, nor one in which a bit has changed.
    #[test]
    fn what_is_not_as_it_was_written_is_not_read() -> serde_json::Result<()> {
        let thing = Thing { name: "a } in \"a\" text".into(), number: 1.5e300 };
        let bytes = seal(&serde_json::to_vec_pretty(&thing)?);
        assert_eq!(open::<Thing>(&bytes).as_ref(), Some(&thing));
        assert!(serde_json::from_slice::<Thing>(&bytes).is_ok(), "it is JSON");
        assert!((0..bytes.len()).all(|length| open::<Thing>(&bytes[..length]).is_none()));
        for bit in 0..8 * bytes.len() {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(open::<Thing>(&damaged), None, "bit {bit}");
        }
        Ok(())
    }
}
