//! Sizes of `SimGrid`'s datatypes, by the numbers that traces use.
//!
//! A line may omit its datatype. `SimGrid`'s replay, and this reader, then assume `MPI_DOUBLE` if the rank's `init` had
//! an argument, and `MPI_BYTE` if not. SMPI itself never omits a datatype: none is missing in 33 traces of the NAS
//! benchmarks and eight other codes, and no `init` has an argument. So the rule matters only for traces written by hand
//! or by other tools.

use drowse_core::workload::operation::MOST_BYTES;

use crate::line_error::LineError;

/// A datatype, reduced to its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Datatype {
    /// A datatype with a size in bytes.
    Sized(u8),
    /// A derived datatype, which SMPI writes as -1 without its size. It counts as one byte.
    Unnamed,
}

impl Datatype {
    /// `MPI_BYTE`.
    pub const BYTE: Datatype = Datatype::Sized(1);
    /// `MPI_DOUBLE`.
    pub const DOUBLE: Datatype = Datatype::Sized(8);

    /// Returns the size of one element in bytes.
    pub const fn bytes(self) -> u64 {
        match self {
            Datatype::Sized(bytes) => bytes as u64,
            Datatype::Unnamed => 1,
        }
    }

    /// Returns the size of so many elements, which must not be more than one call can send.
    pub fn size_of(self, count: u64) -> Result<u64, LineError> {
        let bytes = u128::from(count) * u128::from(self.bytes());
        u64::try_from(bytes).ok().filter(|&bytes| bytes <= MOST_BYTES).ok_or(LineError::TooManyBytes { bytes })
    }

    /// Parses a datatype's number.
    pub fn parse(field: &[u8]) -> Result<Self, LineError> {
        let unknown = || LineError::UnknownDatatype { found: String::from_utf8_lossy(field).into_owned() };
        if field == b"-1" {
            return Ok(Datatype::Unnamed);
        }
        let number = match field {
            [ones @ b'0'..=b'9'] => ones - b'0',
            [tens @ b'0'..=b'9', ones @ b'0'..=b'9'] => (tens - b'0') * 10 + (ones - b'0'),
            _ => return Err(unknown()),
        };
        SIZES.get(usize::from(number)).filter(|&&size| size > 0).map(|&size| Datatype::Sized(size)).ok_or_else(unknown)
    }
}

/// Sizes by number; 0 where `SimGrid` has no datatype with a size.
///
/// 0 double, int, char, short, long, float, byte, long long, signed char, unsigned char, 10 unsigned short, unsigned,
/// unsigned long, unsigned long long, long double, wchar, bool, int8, int16, int32, 20 int64, uint8, uint16, uint32,
/// uint64, float complex, double complex, long double complex, aint, offset, 30 float-int, long-int, double-int,
/// short-int, 2int, 2float, 2double, 2long, real, real4, 40 real8, real16, complex8, complex16, complex32, integer1,
/// integer2, integer4, integer8, integer16, 50 to 56 none, 57 packed, 58 none, 59 count.
#[rustfmt::skip]
const SIZES: [u8; 60] = [
    8, 4, 1, 2, 8, 4, 1, 8, 1, 1,
    2, 4, 8, 8, 16, 4, 1, 1, 2, 4,
    8, 1, 2, 4, 8, 8, 16, 32, 8, 8,
    8, 16, 16, 8, 8, 8, 16, 16, 4, 4,
    // SimGrid really gives MPI_INTEGER1 (45) four bytes.
    8, 16, 8, 16, 16, 4, 2, 4, 8, 16,
    0, 0, 0, 0, 0, 0, 0, 1, 0, 8,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_give_sizes() {
        for (number, bytes) in [("0", 8), ("1", 4), ("5", 4), ("6", 1), ("13", 8), ("43", 16), ("57", 1), ("59", 8)] {
            assert_eq!(Datatype::parse(number.as_bytes()).map(Datatype::bytes), Ok(bytes), "{number}");
        }
        assert_eq!(Datatype::parse(b"-1"), Ok(Datatype::Unnamed));
        for wrong in ["50", "60", "100", "-2", "x", "", "1.0"] {
            assert!(Datatype::parse(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }
}
