//! The first column of a line: the rank that the line belongs to.

use crate::numbers::{split_field, split_number};

/// What the first column of a rank's text holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FirstColumn {
    /// The rank, the same on every line.
    Rank,
    /// The line's number in the merged file that the text was split from.
    LineNumber,
}

/// The first column, as a rank or as written, and the rest of a line.
type Split<'a> = (Result<u32, &'a [u8]>, &'a [u8]);

/// Splits the first column off a line. Returns `None` for blank lines and comments.
pub(crate) fn first_column(line: &[u8]) -> Option<Split<'_>> {
    let line = line.trim_ascii();
    if line.first().is_none_or(|&byte| byte == b'#') {
        return None;
    }
    // Traces of SimGrid before 3.20 write `p3` for rank 3.
    let digits = line.strip_prefix(b"p").unwrap_or(line);
    let number = split_number(digits).filter(|_| !digits[0].is_ascii_whitespace());
    if let Some((rank, rest)) = number.and_then(|(number, rest)| Some((u32::try_from(number).ok()?, rest))) {
        return Some((Ok(rank), rest));
    }
    let (column, rest) = split_field(line)?;
    Some((Err(column), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_column_is_a_rank_with_or_without_p() {
        assert_eq!(first_column(b"3 init"), Some((Ok(3), b" init".as_slice())));
        assert_eq!(first_column(b"  p12\tinit\r"), Some((Ok(12), b"\tinit".as_slice())));
        assert_eq!(first_column(b"x3 init"), Some((Err(b"x3".as_slice()), b" init".as_slice())));
        assert_eq!(first_column(b"+3"), Some((Err(b"+3".as_slice()), b"".as_slice())));
        assert_eq!(first_column(b"p"), Some((Err(b"p".as_slice()), b"".as_slice())));
        assert_eq!(first_column(b" # comment"), None);
        assert_eq!(first_column(b"\r"), None);
    }
}
