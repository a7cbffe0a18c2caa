//! Bytes from counts and datatypes.

use drowse_core::workload::operation::MOST_BYTES;

use super::datatypes::Datatypes;
use super::functions::name;
use super::problem::Problem;
use super::record::Record;

/// Bytes by a rank's datatypes.
pub(crate) struct Sizes<'a>(pub &'a Datatypes);

impl Sizes<'_> {
    /// Returns the bytes of so many elements.
    pub fn bytes(&self, function: u16, count: i64, datatype: u16) -> Result<u64, Problem> {
        let function = name(function);
        let elements = u64::try_from(count).map_err(|_| Problem::NegativeCount { function, count })?;
        if elements == 0 {
            return Ok(0);
        }
        let size = self.0.size(datatype).ok_or(Problem::UnknownDatatype { function, datatype })?;
        let bytes = u128::from(elements) * u128::from(size);
        let fits = u64::try_from(bytes).ok().filter(|&bytes| bytes <= MOST_BYTES);
        fits.ok_or(Problem::TooManyBytes { function, bytes })
    }

    /// Returns the bytes for each rank of a communicator.
    pub fn list(&self, record: &Record, counts: &[i32], datatype: u16, ranks: u32) -> Result<Box<[u64]>, Problem> {
        Self::check(record, counts, ranks)?;
        counts.iter().map(|&count| self.bytes(record.function, i64::from(count), datatype)).collect()
    }

    /// Returns the bytes for each rank of a communicator, where each has a datatype of its own.
    pub fn pairs(&self, record: &Record, counts: &[i32], datatypes: &[i32], ranks: u32) -> Result<Box<[u64]>, Problem> {
        Self::check(record, counts, ranks)?;
        Self::check(record, datatypes, ranks)?;
        let bytes = |(&count, &datatype): (&i32, &i32)| {
            self.bytes(record.function, i64::from(count), u16::try_from(datatype).unwrap_or_default())
        };
        counts.iter().zip(datatypes).map(bytes).collect()
    }

    fn check(record: &Record, list: &[i32], size: u32) -> Result<(), Problem> {
        let (function, given) = (name(record.function), list.len());
        if given == size as usize { Ok(()) } else { Err(Problem::WrongList { function, given, size }) }
    }
}
