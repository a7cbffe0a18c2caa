//! The names of ranks' files.

/// Returns prefix and rank of a file's name, `PREFIX-NNNN.bin`.
pub(super) fn rank_of(name: &str) -> Option<(&str, u32)> {
    let (prefix, number) = name.strip_suffix(".bin")?.rsplit_once('-')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    Some((prefix, number.parse().ok().filter(|_| is_number)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_ranks() {
        assert_eq!(rank_of("dumpi-2019.05.22-0003.bin"), Some(("dumpi-2019.05.22", 3)));
        assert_eq!(rank_of("a/b-12345.bin"), Some(("a/b", 12_345)));
        for name in ["x.bin", "x-1.meta", "x-.bin", "x-1a.bin", "x--1.bin.gz", "x-99999999999.bin"] {
            assert_eq!(rank_of(name), None, "{name}");
        }
    }
}
