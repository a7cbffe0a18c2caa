//! What a location's ids of something are among those that all locations share.

use super::bytes::{Bytes, Fault};

/// The ids of all locations, by those of one. An id that is not in it is the same.
pub(super) enum IdMap {
    /// Those of ids 0, 1, ...
    Dense(Vec<u64>),
    /// Pairs, in order of the location's ids.
    Sparse(Vec<(u64, u64)>),
}

impl IdMap {
    /// Reads a map: the number of its ids, how they are written, and the ids.
    pub fn read(bytes: &mut Bytes) -> Result<Self, Fault> {
        let (count, form) = (bytes.u64()?, bytes.u8()?);
        // Each id takes a byte or more, so a number that lies finds the end of the record.
        match form {
            0 => (0..count).map(|_| bytes.u64()).collect::<Result<_, _>>().map(IdMap::Dense),
            1 => {
                let mut pair = || Ok((bytes.u64()?, bytes.u64()?));
                let mut pairs = (0..count).map(|_| pair()).collect::<Result<Vec<_>, Fault>>()?;
                // Of several pairs of an id, the last counts.
                pairs.reverse();
                pairs.sort_by_key(|&(local, _)| local);
                pairs.dedup_by_key(|&mut (local, _)| local);
                Ok(IdMap::Sparse(pairs))
            }
            _ => Err("a table of ids is written in a way that is not known; the file is damaged: copy it again"),
        }
    }

    /// Returns the id for all locations.
    pub fn global(&self, local: u64) -> u64 {
        let found = match self {
            IdMap::Dense(ids) => usize::try_from(local).ok().and_then(|local| ids.get(local)),
            IdMap::Sparse(pairs) => {
                pairs.binary_search_by_key(&local, |&(local, _)| local).ok().map(|place| &pairs[place].1)
            }
        };
        found.copied().unwrap_or(local)
    }
}

#[cfg(test)]
mod tests {
    use super::super::bytes::Order;
    use super::*;

    fn read(bytes: &[u8]) -> Result<IdMap, Fault> {
        IdMap::read(&mut Bytes::new(bytes, Order::Little))
    }

    #[test]
    fn ids_of_both_forms() {
        let dense = read(&[1, 2, 0, 1, 7, 0]).unwrap();
        assert_eq!([0, 1, 2, u64::MAX].map(|id| dense.global(id)), [7, 0, 2, u64::MAX]);
        let sparse = read(&[1, 3, 1, 1, 9, 1, 4, 1, 2, 1, 5, 1, 9, 1, 6]).unwrap();
        assert_eq!([2, 9, 4].map(|id| sparse.global(id)), [5, 6, 4]);
    }

    #[test]
    fn lying_numbers_are_refused() {
        assert!(read(&[0xff, 0, 1, 7]).is_err());
        assert!(read(&[0xff, 1, 1, 7]).is_err());
        assert!(read(&[1, 1, 2, 1, 7]).is_err());
    }
}
