//! Sizes of datatypes: built-in ones, those that calls construct, and those that the file lists.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::functions::id;
use super::record::Record;

/// Bytes of the built-in datatypes by number: error, null, char, signed char, unsigned char, byte, wchar, short, ...
const BUILT_IN: [u32; 28] = [0, 0, 1, 1, 1, 1, 4, 2, 2, 4, 4, 8, 8, 4, 8, 16, 8, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20];

/// The datatypes of a rank.
pub(crate) struct Datatypes {
    /// As the file lists them at its end.
    listed: Arc<[u32]>,
    /// As calls construct them. A number may be used again.
    constructed: FxHashMap<u16, u64>,
}

impl Datatypes {
    /// Makes those of a file.
    pub fn new(listed: Arc<[u32]>) -> Self {
        Datatypes { listed, constructed: FxHashMap::default() }
    }

    /// Returns the size of a datatype; `None` if the trace does not tell.
    pub fn size(&self, datatype: u16) -> Option<u64> {
        let place = usize::from(datatype);
        if let Some(&size) = self.constructed.get(&datatype) {
            return Some(size);
        }
        let listed = self.listed.get(place).copied().filter(|&size| size > 0 || place < BUILT_IN.len());
        listed.or_else(|| BUILT_IN.get(place).copied()).map(u64::from)
    }

    /// Keeps the size of what a call constructs, if it is known.
    pub fn construct(&mut self, record: &Record) {
        let Some((datatype, size)) = self.constructed(record) else { return };
        match size {
            Some(size) => drop(self.constructed.insert(datatype, size)),
            None => drop(self.constructed.remove(&datatype)),
        }
    }

    /// Returns what a call constructs, with its size.
    fn constructed(&self, record: &Record) -> Option<(u16, Option<u64>)> {
        let number = |place| record.number(place).try_into().unwrap_or(0);
        let old = |place| self.size(record.handle(place));
        let sum = |list: &[i32]| list.iter().map(|&length| u64::try_from(length).unwrap_or(0)).sum::<u64>();
        let times = |count: u64, size: Option<u64>| size.and_then(|size| size.checked_mul(count));
        Some(match record.function {
            // Numbers: count, old, new.
            id::TYPE_CONTIGUOUS => (record.handle(2), times(number(0), old(1))),
            // Numbers: count, length of a block, stride, old, new.
            id::TYPE_VECTOR | id::TYPE_HVECTOR | id::TYPE_CREATE_HVECTOR => {
                (record.handle(4), times(number(0), times(number(1), old(3))))
            }
            // Numbers: count, old, new; lists: lengths, places.
            id::TYPE_INDEXED | id::TYPE_HINDEXED | id::TYPE_CREATE_HINDEXED => {
                (record.handle(2), times(sum(record.list(0)), old(1)))
            }
            // Numbers: count, length of a block, old, new.
            id::TYPE_CREATE_INDEXED_BLOCK => (record.handle(3), times(number(0), times(number(1), old(2)))),
            id::TYPE_STRUCT | id::TYPE_CREATE_STRUCT => self.structure(record),
            id::TYPE_DUP => (record.handle(1), old(0)),
            // Numbers: old, lower bound, extent, new.
            id::TYPE_CREATE_RESIZED => (record.handle(3), old(0)),
            // Numbers: dimensions, order, old, new; lists: sizes, sizes of the part, places.
            id::TYPE_CREATE_SUBARRAY => {
                let product = |count: u64, &length: &i32| count.checked_mul(u64::try_from(length).unwrap_or(0));
                let count = record.list(1).iter().try_fold(1, product);
                (record.handle(3), count.and_then(|count| times(count, old(2))))
            }
            // Its share of the array depends on rules of distribution: only the file's list tells.
            id::TYPE_CREATE_DARRAY => (record.handle(5), None),
            _ => return None,
        })
    }

    /// Numbers: count, (before version 0.6.9 the place,) new; lists: lengths, places if they are a list, datatypes.
    fn structure(&self, record: &Record) -> (u16, Option<u64>) {
        let older = record.has_number(2);
        let (datatypes, new) = if older { (1, 2) } else { (2, 1) };
        let (datatypes, new) = (record.list(datatypes), record.handle(new));
        let size = record.list(0).iter().zip(datatypes).try_fold(0_u64, |sum, (&length, &datatype)| {
            let size = self.size(u16::try_from(datatype).ok()?)?;
            sum.checked_add(size.checked_mul(u64::try_from(length).unwrap_or(0))?)
        });
        (new, size)
    }
}
