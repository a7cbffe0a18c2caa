//! Numbers and texts in a record. Most numbers are compressed: a byte says how many bytes follow.

/// Why a record cannot be read.
pub(super) type Fault = &'static str;

/// What a number or a text that a record has no room for is.
const SHORT: Fault = "a record ends before all that it must hold; the file is damaged: copy it again";
const LONG: Fault = "a number has more bytes than its kind can have; the file is damaged: copy it again";

/// What a compressed number is whose length is this: the highest of its kind, which stands for none.
const NONE: u8 = 0xff;

/// The order of the bytes of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Big,
    Little,
}

impl Order {
    /// Returns the order that a byte at the beginning of a file or chunk names.
    pub fn named(byte: u8) -> Option<Self> {
        match byte {
            0x23 => Some(Order::Big),
            0x42 => Some(Order::Little),
            _ => None,
        }
    }
}

/// Bytes of which numbers and texts are read.
pub(super) struct Bytes<'a> {
    rest: &'a [u8],
    order: Order,
}

impl<'a> Bytes<'a> {
    /// Reads from the beginning of bytes.
    pub fn new(bytes: &'a [u8], order: Order) -> Self {
        Bytes { rest: bytes, order }
    }

    /// Returns how many bytes are left.
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// Reads a byte.
    pub fn u8(&mut self) -> Result<u8, Fault> {
        let (&byte, rest) = self.rest.split_first().ok_or(SHORT)?;
        self.rest = rest;
        Ok(byte)
    }

    /// Reads a compressed number of at most 32 bits.
    pub fn u32(&mut self) -> Result<u32, Fault> {
        Ok(self.compressed(4)?.map_or(u32::MAX, |number| number as u32))
    }

    /// Reads a compressed number of at most 64 bits.
    pub fn u64(&mut self) -> Result<u64, Fault> {
        Ok(self.compressed(8)?.unwrap_or(u64::MAX))
    }

    /// Reads a number of 32 bits that is not compressed.
    pub fn whole_u32(&mut self) -> Result<u32, Fault> {
        Ok(self.number(4)? as u32)
    }

    /// Reads a number of 64 bits that is not compressed.
    pub fn whole_u64(&mut self) -> Result<u64, Fault> {
        self.number(8)
    }

    /// Reads a text, which ends with a zero byte.
    pub fn text(&mut self) -> Result<&'a [u8], Fault> {
        let end = memchr::memchr(0, self.rest).ok_or(SHORT)?;
        let text = &self.rest[..end];
        self.rest = &self.rest[end + 1..];
        Ok(text)
    }

    /// Reads a compressed number of at most so many bytes; `None` for that which stands for none.
    fn compressed(&mut self, most: u8) -> Result<Option<u64>, Fault> {
        match self.u8()? {
            NONE => Ok(None),
            length if length > most => Err(LONG),
            length => self.number(length.into()).map(Some),
        }
    }

    fn number(&mut self, length: usize) -> Result<u64, Fault> {
        let (bytes, rest) = self.rest.split_at_checked(length).ok_or(SHORT)?;
        self.rest = rest;
        let add = |number, &byte: &u8| number << 8 | u64::from(byte);
        Ok(match self.order {
            Order::Big => bytes.iter().fold(0, add),
            Order::Little => bytes.iter().rev().fold(0, add),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_both_orders() {
        let mut little = Bytes::new(&[2, 1, 2, 0, 0xff, 0xff, 4, 1, 0, 0, 0x80], Order::Little);
        assert_eq!([little.u64(), little.u64(), little.u64()], [Ok(0x201), Ok(0), Ok(u64::MAX)]);
        assert_eq!([little.u32(), little.u32()], [Ok(u32::MAX), Ok(0x8000_0001)]);
        assert_eq!((little.left(), little.u8()), (0, Err(SHORT)));
        let mut big = Bytes::new(&[2, 1, 2, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 9], Order::Big);
        assert_eq!((big.u32(), big.whole_u32(), big.whole_u64()), (Ok(0x102), Ok(0x100), Ok(9)));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let of = |bytes| Bytes::new(bytes, Order::Little);
        assert_eq!((of(&[5, 0, 0, 0, 0, 1]).u32(), of(&[9; 10]).u64()), (Err(LONG), Err(LONG)));
        assert_eq!((of(&[2, 1]).u64(), of(b"no end").text()), (Err(SHORT), Err(SHORT)));
        assert_eq!(of(b"text\0more").text(), Ok(&b"text"[..]));
    }
}
